//! The arguments of `#[derivative(…)]`.

use overdub_export::{Arithmetic, Derivative, Failures, Library, Results};
use proc_macro2::{Ident, Span};
use syn::parse::{Parse, ParseStream};
use syn::{Error, LitStr, Result, Token};

/// What is asked of a function.
pub(crate) struct Arguments {
    pub(crate) derivative: Derivative,
    /// The parameters that are differentiated, where they are written; all without it.
    pub(crate) wrt: Option<(Vec<String>, Span)>,
    pub(crate) name: Option<Ident>,
    pub(crate) types: Option<String>,
    pub(crate) failures: Failures,
    pub(crate) library: Library,
    pub(crate) arithmetic: Arithmetic,
    pub(crate) results: Results,
}

const EXPECTED: &str = "expected `gradient`, `value_and_gradient`, `gradients`, `value_and_gradients`, `jvp`, `vjp`, `hvp`, `jacobian` or `hessian`";

const SPARSE: &str = "the pattern of a sparse derivative holds for the shape of given arguments, which an attribute does not \
                      know: `overdub export --sparse` writes it";

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> Result<Arguments> {
        if input.is_empty() {
            return Err(Error::new(Span::call_site(), EXPECTED));
        }
        let word: Ident = input.parse().map_err(|error| Error::new(error.span(), EXPECTED))?;
        let derivative = match word.to_string().as_str() {
            "gradient" => Derivative::Gradient,
            "value_and_gradient" => Derivative::ValueAndGradient,
            "gradients" => Derivative::Gradients,
            "value_and_gradients" => Derivative::ValueAndGradients,
            "jvp" => Derivative::Jvp,
            "vjp" => Derivative::Vjp,
            "hvp" => Derivative::Hvp,
            "jacobian" => Derivative::Jacobian,
            "hessian" => Derivative::Hessian,
            "sparse_jacobian" | "sparse_hessian" => return Err(Error::new(word.span(), SPARSE)),
            _ => return Err(Error::new(word.span(), EXPECTED)),
        };
        let mut found = Arguments {
            derivative,
            wrt: None,
            name: None,
            types: None,
            failures: Failures::default(),
            library: Library::default(),
            arithmetic: Arithmetic::default(),
            results: Results::default(),
        };
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            let key: Ident = input.parse()?;
            if key == "sparse" {
                return Err(Error::new(key.span(), SPARSE));
            }
            input.parse::<Token![=]>()?;
            match key.to_string().as_str() {
                "wrt" => {
                    let text: LitStr = input.parse()?;
                    let names = text.value();
                    let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
                    found.wrt = Some((names.map(str::to_owned).collect(), text.span()));
                }
                "name" => found.name = Some(input.parse()?),
                "types" => found.types = Some(input.parse::<LitStr>()?.value()),
                "failures" => {
                    let word: Ident = input.parse()?;
                    found.failures = match word.to_string().as_str() {
                        "panic" => Failures::Panic,
                        "result" => Failures::Result,
                        _ => return Err(Error::new(word.span(), "expected `panic` or `result`")),
                    };
                }
                "library" => {
                    let word: Ident = input.parse()?;
                    found.library = match word.to_string().as_str() {
                        "std" => Library::Std,
                        "no_std" => Library::NoStd,
                        _ => return Err(Error::new(word.span(), "expected `std` or `no_std`")),
                    };
                }
                "arithmetic" => {
                    let word: Ident = input.parse()?;
                    found.arithmetic = match word.to_string().as_str() {
                        "exact" => Arithmetic::Exact,
                        "fast" => Arithmetic::Fast,
                        _ => return Err(Error::new(word.span(), "expected `exact` or `fast`")),
                    };
                }
                "results" => {
                    let word: Ident = input.parse()?;
                    found.results = match word.to_string().as_str() {
                        "returned" => Results::Returned,
                        "into_slices" => Results::IntoSlices,
                        _ => return Err(Error::new(word.span(), "expected `returned` or `into_slices`")),
                    };
                }
                _ => {
                    let expected =
                        "expected `wrt`, `name`, `types`, `failures`, `library`, `arithmetic` or `results`";
                    return Err(Error::new(key.span(), expected));
                }
            }
        }
        if !input.is_empty() {
            return Err(input.error("expected `,`"));
        }
        Ok(found)
    }
}
