//! Crates that loaded programs may use without a package: their texts are provided by the host.
//!
//! A plugin whose functions programs call by name (`use units::metres`) provides their definitions here.

use std::fmt;
use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::ir::{Func, LoadError};

/// A text of a crate that programs may use.
///
/// ```
/// overdub_lower::provide_crate!("units", "pub fn metres(x: f64) -> f64 { 1e3 * x }");
///
/// let source = "use units::metres;\npub fn f(x: f64) -> f64 { metres(x) + 1.0 }";
/// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
/// let y = loaded.engine().run(loaded.function("f")?.symbol, vec![2.0.into()])?;
/// assert_eq!(y.as_f64(), Some(2001.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Provided {
    /// The name of the crate.
    pub name: &'static str,
    /// Its text; texts that others provide for the same crate are appended.
    pub text: &'static str,
}

inventory::collect!(Provided);

/// Provides a text in a crate that every loaded program may use: see [`Provided`].
#[macro_export]
macro_rules! provide_crate {
    ($name:expr, $text:expr) => {
        $crate::__private::inventory::submit! { $crate::Provided { name: $name, text: $text } }
    };
}

/// Provides the items that annotated programs see in a module of this crate, in place of those that rustc
/// sees: substitutes for functions of the host that programs call themselves. The text may name
/// [provided](provide_crate) crates.
///
/// ```
/// // What rustc sees in the module `units::si`, and what annotated programs see there.
/// mod si {
///     pub fn metres(kilometres: f64) -> f64 { 1e3 * kilometres }
/// }
/// overdub_lower::provide_crate!("units_inside", "pub fn metres(kilometres: f64) -> f64 { 1e3 * kilometres }");
/// overdub_lower::provide_items!("units::si", "pub use units_inside::metres;");
/// # assert_eq!(si::metres(2.0), 2e3);
/// ```
#[macro_export]
macro_rules! provide_items {
    ($module:expr, $text:expr) => {
        $crate::__private::inventory::submit! {
            $crate::__private::Registered {
                module: $module,
                file: ::core::file!(),
                manifest: ::core::env!("CARGO_MANIFEST_DIR"),
                scope: || "",
                pieces: &[$crate::__private::Piece { line: ::core::line!(), column: 0, text: $text }],
                funcs: &[],
                cfgs: &[],
            }
        }
    };
}

/// The number of a crate that the host provides, and its text.
pub(crate) fn provided(name: Symbol) -> Option<(usize, String)> {
    let mut all: Vec<&Provided> = inventory::iter::<Provided>.into_iter().collect();
    all.sort_by_key(|provided| (provided.name, provided.text));
    let mut names: Vec<&str> = all.iter().map(|provided| provided.name).collect();
    names.dedup();
    let number = names.iter().position(|known| *known == &*name)?;
    let texts = all.iter().filter(|provided| provided.name == &*name).map(|provided| provided.text);
    Some((number, texts.collect::<Vec<_>>().join("\n")))
}

/// A function of such a crate whose body the host generates for the types it is called with.
///
/// The text only declares its signature; the body in the text is never run.
///
/// ```
/// use overdub_lower::{GeneratedBody, ProvidedBody, BodyRequest, provide_body, provide_crate};
/// use overdub_context::ir::{FuncBuilder, LoadError};
///
/// provide_crate!("sizes", "pub fn size_of<T>(x: T) -> usize { panic!() }");
/// // The result is how many characters the type of the argument takes to write.
/// fn size_of(request: &BodyRequest<'_>) -> Result<GeneratedBody, LoadError> {
///     let func = request.func;
///     let ty = func.ty(func.params()[0]);
///     let mut build = FuncBuilder::new(func.name, func.ret);
///     build.param("x", ty);
///     build.ret(ty.to_string().len()).expect("nothing was returned before");
///     Ok(GeneratedBody { func: build.finish().expect("it is whole"), callees: vec![] })
/// }
/// provide_body!("sizes::size_of", size_of);
///
/// let source = "pub fn f(x: f64) -> usize { sizes::size_of(x) }";
/// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
/// let size = loaded.engine().run(loaded.function("f")?.symbol, vec![2.0.into()])?;
/// assert_eq!(size.as_index(), Some(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ProvidedBody {
    /// The function's path, without type arguments.
    pub path: &'static str,
    /// Generates a function with the same name and types.
    pub generate: fn(&BodyRequest<'_>) -> Result<GeneratedBody, LoadError>,
}

impl fmt::Debug for ProvidedBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProvidedBody").field("path", &self.path).finish_non_exhaustive()
    }
}

inventory::collect!(ProvidedBody);

/// A function for the host to generate.
pub struct BodyRequest<'w> {
    /// The function as lowered from the text: it gives the name and the types.
    pub func: &'w Func,
    /// Looks up functions of the program.
    pub lookup: &'w dyn Fn(Symbol) -> Result<Option<Arc<Func>>, LoadError>,
}

impl fmt::Debug for BodyRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BodyRequest").field("func", &self.func.name).finish_non_exhaustive()
    }
}

/// A function generated by the host.
#[derive(Clone, Debug)]
pub struct GeneratedBody {
    /// The function itself.
    pub func: Func,
    /// The callees that the program does not contain.
    pub callees: Vec<Arc<Func>>,
}

/// Provides the body of a function in a provided crate: see [`ProvidedBody`].
#[macro_export]
macro_rules! provide_body {
    ($path:expr, $generate:expr) => {
        $crate::__private::inventory::submit! { $crate::ProvidedBody { path: $path, generate: $generate } }
    };
}

/// The provider of the function with this name, if there is one.
pub(crate) fn provided_body(name: Symbol) -> Option<&'static ProvidedBody> {
    let mut all = inventory::iter::<ProvidedBody>.into_iter();
    all.find(|provided| {
        name.strip_prefix(provided.path).is_some_and(|rest| rest.is_empty() || rest.starts_with(['<', ':']))
    })
}
