//! Which function a rule is for: a function itself, or a path.

use overdub_context::ir::Module;
use overdub_context::path::is_called;
use overdub_context::{Symbol, for_each_tuple};
use overdub_lower::api::Error;
use overdub_lower::registry;

use super::typed::RuleError;

/// A function that a rule can be for: an annotated function, or the path of one, of which the last segments are enough.
///
/// A path is resolved when the rule is [registered](super::RuleBuilder::register): among the annotated functions it has to
/// fit one.
#[diagnostic::on_unimplemented(
    message = "a rule is for a function or for the path of one, not for `{Self}`",
    note = "a generic function is given with its types: `rule(norm::<f64>)`"
)]
pub trait RuleFor<Kind> {
    #[doc(hidden)]
    fn named(self) -> Named;
}

/// The function that a rule is for, as its user wrote it.
#[derive(Clone, Debug)]
pub enum Named {
    /// A path, to be resolved.
    Path(String),
    /// The function of this name, whatever its type arguments are; an error if it is not annotated.
    Function(Result<String, Error>),
}

/// The kind of paths.
#[derive(Clone, Copy, Debug)]
pub struct ByPath(());

impl RuleFor<ByPath> for &str {
    fn named(self) -> Named {
        Named::Path(self.to_owned())
    }
}

impl RuleFor<ByPath> for String {
    fn named(self) -> Named {
        Named::Path(self)
    }
}

macro_rules! functions {
    ($($($arg:ident $at:tt)*;)*) => {$(
        impl<Func, Ret, $($arg),*> RuleFor<fn($($arg),*) -> Ret> for Func
        where
            Func: Fn($($arg),*) -> Ret + 'static,
        {
            fn named(self) -> Named {
                let function = registry::function_of::<Func>();
                let name = |symbol| without_own_type_args(symbol).to_owned();
                Named::Function(function.map(|function| name(function.symbol)).map_err(Error::from))
            }
        }
    )*};
}

functions! { ; }
for_each_tuple!(functions);

/// The functions that a rule applies to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// The function of exactly this name, whatever its type arguments are.
    Function,
    /// Those whose path ends with it.
    Path,
}

impl Scope {
    /// Whether a rule for `path` applies to a function.
    pub(super) fn contains(&self, path: &str, func: Symbol) -> bool {
        match self {
            Scope::Function => without_own_type_args(func) == path,
            Scope::Path => is_called(without_own_type_args(func), path),
        }
    }
}

/// `norm` of `norm<f64>`; the type arguments of a method's type stay.
fn without_own_type_args(func: Symbol) -> &'static str {
    let name = func.as_str();
    let is_generic = name.ends_with('>') && !name.starts_with('<');
    let stripped = if is_generic { name.split('<').next().unwrap_or(name) } else { name };
    stripped.trim_end_matches("::")
}

/// The name of the one function of a program that a path fits, `None` if the library may have such a function.
pub(super) fn resolved(path: &str, module: &Module) -> Result<Option<String>, RuleError> {
    let Some(matches) = module.search(path) else { return Ok(None) };
    let mut functions = matches.functions;
    functions.dedup_by_key(|name| without_own_type_args(Symbol::new(name)).to_owned());
    match functions.as_slice() {
        [] if matches.maybe_more => Ok(None),
        [] => Err(RuleError::Unknown { path: path.to_owned(), similar: module.similar(path) }),
        [one] => Ok(Some(without_own_type_args(Symbol::new(one)).to_owned())),
        _ => Err(RuleError::Ambiguous { path: path.to_owned(), functions }),
    }
}
