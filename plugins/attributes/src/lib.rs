//! Attributes that make the derivatives of a function when it is compiled, beside it and as plain Rust.
//!
//! - ATTRIBUTE1 the function is emitted unchanged, also if it cannot be differentiated.
//! - ATTRIBUTE2 the crate is read from its files, as cargo builds it: with the features that are on.
//! - ATTRIBUTE3 tokens are `proc_macro2`'s own while overdub reads Rust, and rustc's before and after that.

mod activity;
mod arguments;
mod autodiff;
mod derivative;
mod features;
mod program;
mod refuse;
mod shadows;
mod signature;

use proc_macro2::TokenStream;

/// Makes a derivative of a function of this crate, beside it.
///
/// ```ignore
/// use overdub_attributes::derivative;
///
/// #[derivative(gradient)]
/// #[derivative(hvp, wrt = "x", name = curvature)]
/// pub fn height(x: f64, y: f64) -> f64 {
///     (x * y).sin()
/// }
///
/// assert_eq!(height_gradient(0.0, 2.0), (2.0, 0.0));
/// ```
///
/// | argument | the function that is made |
/// |---|---|
/// | `gradient` | `height_gradient`: the derivatives of a function that returns a float |
/// | `value_and_gradient` | its value, followed by these |
/// | `jvp` | its value and the tangent of that; the tangents of the arguments follow the arguments |
/// | `vjp` | its value and the cotangents of the arguments; a cotangent of the value follows the arguments |
/// | `hvp` | the product of its Hessian with a direction, which follows the arguments |
/// | `jacobian` | the derivatives of each float of its result with respect to each float of its arguments |
/// | `hessian` | the second derivatives of a function that returns a float, a row for each float of its arguments |
///
/// `wrt = "x, y"` differentiates with respect to these parameters only, `name = …` chooses another name, and
/// `types = "&[f32], f32"` gives the types of the parameters of a generic function. With `failures = result` what would panic
/// is an `Err`: `height_gradient` returns a `Result` whose error is called `HeightGradientFailure`, and has its message and
/// place. With `library = no_std` the derivative needs `core`, `alloc` and the crate `libm` alone. With `arithmetic = fast` sums
/// are added in any order. With `results = into_slices` `height_gradient_into` writes vectors of floats to slices, which follow the
/// arguments, instead of returning them.
///
/// `examples/exported_derivatives` has an example that runs.
///
/// The function may call others of its crate, and of those that the crate depends on. Structs and enums in its signature
/// must be `Clone`, or `Copy` if they hold scalars only.
#[proc_macro_attribute]
pub fn derivative(args: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand(args, item, "derivative", derivative::expand)
}

/// Makes a reverse derivative in the form of `std::autodiff`: `#[autodiff_reverse(NAME, INPUT_ACTIVITIES,
/// OUTPUT_ACTIVITY)]`.
///
/// | activity of a parameter | |
/// |---|---|
/// | `Active` | a float; its derivative follows the value in the result |
/// | `Duplicated` | a reference; a mutable reference of the same type follows it, and what it refers to is added to |
/// | `DuplicatedOnly` | the same; the function is unsafe |
/// | `Const` | it is not differentiated |
///
/// What a `&mut` parameter refers to is an output as well: its shadow holds the derivative of that, and afterwards that of
/// the value from before the call.
///
/// `Active` for the result appends a float, by which all derivatives are multiplied, to the arguments. `ActiveOnly` does
/// so too, and leaves the value out of the result. `Const` does not differentiate the result. A function without a result
/// has no activity for it.
#[proc_macro_attribute]
pub fn autodiff_reverse(
    args: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    expand(args, item, "autodiff_reverse", autodiff::reverse)
}

/// Makes a forward derivative in the form of `std::autodiff`: `#[autodiff_forward(NAME, INPUT_ACTIVITIES,
/// OUTPUT_ACTIVITY)]`.
///
/// | activity of a parameter | |
/// |---|---|
/// | `Dual` | a parameter of the same type follows it, with the tangent; that of `&mut` is overwritten |
/// | `DualOnly` | the same; the function is unsafe |
/// | `Const` | it does not change |
///
/// `Dual` for the result returns the value and its tangent, `DualOnly` the tangent, `Const` the value.
#[proc_macro_attribute]
pub fn autodiff_forward(
    args: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    expand(args, item, "autodiff_forward", autodiff::forward)
}

/// What an attribute makes of a function, given its arguments and the features that are on.
type Expand = fn(TokenStream, &syn::ItemFn, &features::Enabled) -> syn::Result<TokenStream>;

fn expand(
    args: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
    attribute: &str,
    make: Expand,
) -> proc_macro::TokenStream {
    let (args, item) = (TokenStream::from(args), TokenStream::from(item));
    let made = features::known(args, &item, attribute).map(|step| match step {
        features::Step::Ask(question) => question,
        features::Step::Known { args, function, enabled } => {
            let made = make(args, &function, &enabled);
            let made = made.unwrap_or_else(|error| error.to_compile_error());
            quote::quote!(#function #made)
        }
    });
    // The item is emitted along with the error, so that rustc does not report its absence, too.
    let made = made.unwrap_or_else(|error| {
        let error = error.to_compile_error();
        quote::quote!(#item #error)
    });
    made.into()
}
