//! The types of values.

use super::{Array, CellRef, Code, Value};
use crate::types::{IntTy, Ty, TyKind};

/// The maximum length of a chain of references in a type, which no written type exceeds.
const MAX_REFS: usize = 64;

impl Value<'_> {
    /// The type of the value. An empty stack is a stack of `never`; an erased function value still has its
    /// closure's type; a reference to a part that does not exist refers to `never`, and so does one that
    /// closes a cycle of cells. [`Value::is_a`] checks a value against a type.
    pub fn ty(&self) -> Ty {
        self.ty_on_path(&mut Vec::new())
    }

    fn ty_on_path(&self, path: &mut Vec<CellRef>) -> Ty {
        match self {
            Value::Unit => Ty::unit(),
            Value::Bool(_) => Ty::bool(),
            Value::Char(_) => Ty::char(),
            Value::Int(int) => Ty::int(int.ty()),
            Value::I128(_) => Ty::int(IntTy::I128),
            Value::U128(_) => Ty::int(IntTy::U128),
            Value::F32(_) => Ty::f32(),
            Value::F64(_) => Ty::f64(),
            Value::Str(_) => Ty::str(),
            Value::Composite(composite) => composite
                .ty
                .unwrap_or_else(|| Ty::tuple(composite.parts.iter().map(|part| part.ty_on_path(path)))),
            Value::Array(array) => Ty::array(array.elem_ty(), rank(array)),
            Value::Closure(closure) => match &closure.code {
                Code::Func(code) => {
                    Ty::closure(*code, closure.captures.iter().map(|part| part.ty_on_path(path)))
                }
                Code::Host(host) => host.ty(),
            },
            Value::Stack(elems) => {
                Ty::stack(elems.first().map_or_else(Ty::never, |top| top.ty_on_path(path)))
            }
            Value::Ref(reference) => {
                let part = reference.get().ok().filter(|_| {
                    path.len() < MAX_REFS && path.iter().all(|before| !before.same_cell(reference))
                });
                path.push(CellRef::clone(reference));
                let target = part.map_or_else(Ty::never, |part| part.ty_on_path(path));
                path.pop();
                Ty::reference(target)
            }
            Value::Opaque(opaque) => Ty::opaque(opaque.name),
        }
    }

    /// Whether the value may be used where a `ty` is expected: it is traversed as far as it does not record
    /// its type. References always fit, since their referent may currently be a hole.
    pub fn is_a(&self, ty: Ty) -> bool {
        match (self, ty.kind()) {
            (Value::Composite(composite), kind) => match (composite.ty, kind) {
                (Some(is), _) => is == ty,
                (None, TyKind::Tuple(parts)) => {
                    parts.len() == composite.parts.len()
                        && composite.parts.iter().zip(parts).all(|(part, ty)| part.is_a(*ty))
                }
                (None, _) => false,
            },
            (Value::Closure(closure), TyKind::Closure(of)) => {
                matches!(closure.code, Code::Func(code) if code == of.code)
                    && closure.captures.len() == of.captures.len()
                    && closure.captures.iter().zip(&of.captures).all(|(part, ty)| part.is_a(*ty))
            }
            (Value::Closure(_), TyKind::Fn(_)) | (Value::Ref(_), TyKind::Ref(_)) => true,
            (Value::Stack(elems), TyKind::Stack(elem)) => elems.iter().all(|part| part.is_a(*elem)),
            _ => self.ty() == ty,
        }
    }
}

fn rank(array: &Array<'_>) -> u32 {
    u32::try_from(array.shape().len()).expect("an array has fewer axes than 2^32 elements of a shape")
}
