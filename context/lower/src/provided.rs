//! Crates that loaded programs may use though no package has them: texts that the host provides.
//!
//! A plugin whose functions a program calls by name (`use units::metres`) provides what they are in it.

use overdub_context::Symbol;

/// A text in a crate that programs may use.
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
    /// The crate.
    pub name: &'static str,
    /// What it holds, beside what others provide for it.
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
