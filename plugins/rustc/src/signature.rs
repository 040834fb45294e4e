//! The types that cross the border of a library.

use overdub_context::engine::BatchForm;
use overdub_context::ir::{Func, Ty, TyKind};

/// What a compiled function takes and returns.
#[derive(Debug)]
pub(crate) struct Signature {
    pub(crate) params: Vec<Ty>,
    pub(crate) returns: Returns,
}

/// What a compiled function returns.
#[derive(Debug)]
pub(crate) enum Returns {
    /// A value.
    One(Ty),
    /// A list with elements of each of these types.
    Lists(Vec<Ty>),
}

impl Signature {
    /// That of a function, called for one element.
    pub(crate) fn of(func: &Func) -> Signature {
        Signature { params: func.param_tys().collect(), returns: Returns::One(func.ret) }
    }

    /// That of a function in lanes.
    ///
    /// # Errors
    /// If the elements have no arguments, or have arguments that lanes do not hold.
    pub(crate) fn of_batch(func: &Func, form: &BatchForm) -> Result<Signature, String> {
        if func.params().len() != form.mapped.len() {
            return Err(format!("it has {} parameters, not {}", func.params().len(), form.mapped.len()));
        }
        if !form.mapped.contains(&true) {
            return Err("in lanes, all elements have the same arguments".to_owned());
        }
        let params = func.param_tys().zip(&form.mapped).map(|(ty, is_mapped)| match (is_mapped, ty.kind()) {
            (false, _) => Ok(ty),
            (true, TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_)) => Ok(Ty::array(ty, 1)),
            (true, _) => Err(format!("in lanes, elements have arguments of type `{ty}`, which is no number")),
        });
        let params = params.collect::<Result<_, _>>()?;
        let mut lists = Vec::new();
        scalars(func.ret, &mut lists);
        Ok(Signature { params, returns: Returns::Lists(lists) })
    }
}

/// The scalars of which a result consists, as exported functions in lanes have a slice for each.
fn scalars(ty: Ty, found: &mut Vec<Ty>) {
    match ty.kind() {
        TyKind::Tuple(parts) => parts.iter().for_each(|part| scalars(*part, found)),
        TyKind::Unit => {}
        _ => found.push(ty),
    }
}
