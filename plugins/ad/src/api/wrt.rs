//! Which of a function's floats are differentiated: selected by the names of arguments and fields.

use overdub_context::ir::{Ty, TyKind};
use overdub_context::value::Value;
use overdub_lower::api::{Error, Target};

use crate::flatten::floats;

/// An argument, or a field of one: `x`, `params.rate`, or by number `0`, `0.1`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrt {
    path: String,
}

impl From<&str> for Wrt {
    fn from(path: &str) -> Wrt {
        Wrt { path: path.to_owned() }
    }
}

impl From<String> for Wrt {
    fn from(path: String) -> Wrt {
        Wrt { path }
    }
}

impl Wrt {
    /// The number of the argument that contains the selected part.
    pub(super) fn argument(&self, target: &Target) -> Option<usize> {
        let (params, first) = (&target.function.params, self.path.split('.').next().unwrap_or_default());
        position(first, params.len(), |at| params[at].name.as_str() == first)
    }

    /// The number of the selected argument, if a whole argument is selected.
    pub(super) fn whole_argument(&self, target: &Target) -> Option<usize> {
        self.argument(target).filter(|_| !self.path.contains('.'))
    }

    /// The selected floats, numbered through all values that a function takes.
    pub(super) fn range(
        &self,
        target: &Target,
        all: &[Value<'static>],
    ) -> Result<std::ops::Range<usize>, Error> {
        let (captures, args) = all.split_at(target.captures.len());
        let mut names = self.path.split('.');
        let first = names.next().unwrap_or_default();
        let params = &target.function.params;
        let at = position(first, params.len(), |at| params[at].name.as_str() == first);
        let Some((at, arg)) = at.and_then(|at| Some((at, args.get(at)?))) else {
            let known: Vec<String> = params.iter().map(|param| format!("`{}`", param.name)).collect();
            return Err(self.unknown(first, &known));
        };
        let before = captures.iter().chain(&args[..at]).map(|value| floats(value).len()).sum();
        let mut value = arg.clone();
        let mut start: usize = before;
        for name in names {
            let parts = value.as_composite().map(|composite| composite.parts.to_vec()).unwrap_or_default();
            let fields = field_names(value.ty());
            let at = position(name, parts.len(), |at| fields.get(at).is_some_and(|field| field == name));
            let Some(at) = at else {
                return Err(
                    self.unknown(name, &fields.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>())
                );
            };
            start += parts[..at].iter().map(|part| floats(part).len()).sum::<usize>();
            value = parts[at].clone();
        }
        let end = start + floats(&value).len();
        if start == end {
            let message = format!("`{}` holds no float to differentiate in", self.path);
            return Err(
                Error::new(message).with_help("only `f32` and `f64`, and what holds such, have derivatives")
            );
        }
        Ok(start..end)
    }

    fn unknown(&self, name: &str, known: &[String]) -> Error {
        let message = format!("there is no `{name}` on the way to `{}`", self.path);
        let help = if known.is_empty() {
            "it has no fields".to_owned()
        } else {
            format!("there are {}", known.join(", "))
        };
        Error::new(message).with_help(help)
    }
}

/// The position that a name selects among `count` parts: by the part's name, or by its number.
fn position(name: &str, count: usize, is: impl Fn(usize) -> bool) -> Option<usize> {
    let named = (0..count).find(|at| is(*at));
    named.or_else(|| name.parse().ok().filter(|at| *at < count))
}

fn field_names(ty: Ty) -> Vec<String> {
    match ty.kind() {
        TyKind::Tuple(parts) => (0..parts.len()).map(|at| at.to_string()).collect(),
        TyKind::Struct(nominal) => {
            nominal.fields().unwrap_or_default().iter().map(|field| field.name.to_string()).collect()
        }
        _ => Vec::new(),
    }
}
