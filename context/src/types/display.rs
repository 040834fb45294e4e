//! Prints types, in the text form that the parser reads and as Rust writes them.

use std::fmt;

use super::{FloatTy, Nominal, Ty, TyKind};
use crate::names::{BareName, SigilName};

fn list(f: &mut fmt::Formatter<'_>, parts: &[Ty]) -> fmt::Result {
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{part}")?;
    }
    Ok(())
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            TyKind::Unit => f.write_str("unit"),
            TyKind::Never => f.write_str("never"),
            TyKind::Bool => f.write_str("bool"),
            TyKind::Char => f.write_str("char"),
            TyKind::Str => f.write_str("str"),
            TyKind::Int(int) => f.write_str(int.name()),
            TyKind::Float(FloatTy::F32) => f.write_str("f32"),
            TyKind::Float(FloatTy::F64) => f.write_str("f64"),
            TyKind::Tuple(parts) => {
                f.write_str("(")?;
                list(f, parts)?;
                f.write_str(if parts.len() == 1 { ",)" } else { ")" })
            }
            TyKind::Array(array) if array.rank == 1 => write!(f, "[{}]", array.elem),
            TyKind::Array(array) => write!(f, "[{}; rank {}]", array.elem, array.rank),
            TyKind::Struct(nominal) | TyKind::Enum(nominal) => write!(f, "{nominal}"),
            TyKind::Closure(closure) => {
                write!(f, "closure @{}(", SigilName(&closure.code))?;
                list(f, &closure.captures)?;
                f.write_str(")")
            }
            TyKind::Fn(func) => {
                f.write_str("fn(")?;
                list(f, &func.params)?;
                write!(f, ") -> {}", func.ret)
            }
            TyKind::Stack(elem) => write!(f, "stack<{elem}>"),
            TyKind::Ref(target) => write!(f, "ref {target}"),
            TyKind::Opaque(name) => write!(f, "opaque {}", BareName(name)),
        }
    }
}

impl fmt::Display for Nominal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", BareName(&self.name()))?;
        if !self.args().is_empty() {
            f.write_str("<")?;
            list(f, self.args())?;
            f.write_str(">")?;
        }
        Ok(())
    }
}

/// A type as Rust writes it, see [`Ty::in_rust`].
#[derive(Clone, Copy, Debug)]
pub struct InRust(Ty);

impl Ty {
    /// The type as Rust writes it, for messages to those who do not know the IR: `()` for `unit`, names without their
    /// modules. Slices, vectors and arrays are one type, which is written `[T]`.
    ///
    /// ```
    /// use overdub_context::ir::Ty;
    /// assert_eq!(Ty::tuple([Ty::tuple([]), Ty::array(Ty::f64(), 1)]).in_rust().to_string(), "((), [f64])");
    /// ```
    pub fn in_rust(self) -> InRust {
        InRust(self)
    }
}

impl fmt::Display for InRust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |parts: &[Ty]| {
            let parts: Vec<String> = parts.iter().map(|part| part.in_rust().to_string()).collect();
            parts.join(", ")
        };
        match self.0.kind() {
            TyKind::Unit => f.write_str("()"),
            TyKind::Never => f.write_str("!"),
            TyKind::Tuple(parts) if parts.len() == 1 => write!(f, "({},)", parts[0].in_rust()),
            TyKind::Tuple(parts) => write!(f, "({})", list(parts)),
            TyKind::Array(array) if array.rank == 1 => write!(f, "[{}]", array.elem.in_rust()),
            TyKind::Struct(nominal) | TyKind::Enum(nominal) => {
                let name = nominal.name();
                let name = name.as_str();
                // The modules of a generic path are those before its arguments.
                let path = name.split('<').next().unwrap_or(name);
                f.write_str(path.rsplit("::").next().map_or(name, |last| &name[path.len() - last.len()..]))?;
                if nominal.args().is_empty() { Ok(()) } else { write!(f, "<{}>", list(nominal.args())) }
            }
            TyKind::Fn(func) => write!(f, "fn({}) -> {}", list(&func.params), func.ret.in_rust()),
            TyKind::Ref(target) => write!(f, "&mut {}", target.in_rust()),
            _ => write!(f, "{}", self.0),
        }
    }
}

impl fmt::Debug for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}

impl fmt::Debug for Nominal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}
