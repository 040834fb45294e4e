//! A function over dual numbers as one over floats, as a context: it replaces the function of one element.
//!
//! ```text
//! fn @f(%x: Dual, %n: i32) -> Dual               fn @f{Along#0}(%x: f64, %n: i32, %dx: f64) -> (f64, (f64,))
//!                                                  %pair: Dual = struct %x, %dx
//!                                          →       %y: Dual = call @f{Along#0: One}(%pair, %n)
//!                                                  …
//! ```

use overdub_context::Symbol;
use overdub_context::engine::{Body, Context, Key, NeedsHandle, Pass, PassError, ValueOnly};
use overdub_context::ir::{BuildError, Func, FuncBuilder, Operand, Ty, TyKind};
use overdub_context::ops;

use crate::block::around_one;

/// Takes the arguments of a function, followed by tangents of the floats of some of them; returns its result, and the tangents of
/// the floats of the result.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Along {
    /// The types of the arguments.
    pub(crate) params: Vec<Ty>,
    /// For each of them, whether there are tangents; all others are zero.
    pub(crate) active: Vec<bool>,
    pub(crate) ret: Ty,
}

/// The floats of values of a type in order; none if the type does not tell their number.
pub(crate) fn floats_of(ty: Ty) -> Option<Vec<Ty>> {
    match ty.kind() {
        TyKind::Float(_) => Some(vec![ty]),
        TyKind::Unit | TyKind::Bool | TyKind::Int(_) | TyKind::Char => Some(Vec::new()),
        TyKind::Array(array) if is_scalar(array.elem) => Some(Vec::new()),
        TyKind::Tuple(_) | TyKind::Struct(_) => {
            let parts = ty.parts(0)?.into_iter().map(floats_of).collect::<Option<Vec<_>>>()?;
            Some(parts.concat())
        }
        _ => None,
    }
}

/// Whether values of a type are scalars without floats.
fn is_scalar(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Bool | TyKind::Int(_) | TyKind::Char)
}

impl Along {
    /// The types of the tangents of the arguments; none if the types do not tell their number.
    pub(crate) fn tangents(&self) -> Option<Vec<Ty>> {
        let active = self.params.iter().zip(&self.active).filter(|(_, is_active)| **is_active);
        Some(active.map(|(ty, _)| floats_of(*ty)).collect::<Option<Vec<_>>>()?.concat())
    }

    fn over(&self, func: &Func, callee: Symbol) -> Result<Func, BuildError> {
        let mut build = FuncBuilder::new(func.name, Ty::unit());
        build.set_func_span(func.span);
        build.set_span(func.span);
        let args: Vec<Operand> = self.params.iter().map(|ty| build.param("x", *ty).into()).collect();
        let tangents = self.tangents().unwrap_or_default();
        let mut tangents =
            tangents.iter().map(|ty| build.param("dx", *ty).into()).collect::<Vec<Operand>>().into_iter();
        let mut lifted = Vec::new();
        for (((arg, ty), of), is_active) in
            args.into_iter().zip(&self.params).zip(func.param_tys()).zip(&self.active)
        {
            lifted.push(lift(&mut build, arg, (*ty, of), is_active.then_some(&mut tangents))?);
        }
        let result = build.call(callee, lifted, func.ret)?;
        let mut tangents = Vec::new();
        let value = part(&mut build, result.into(), (self.ret, func.ret), &mut tangents)?;
        let tangents = build.op(&ops::TUPLE, tangents)?;
        let both = build.op(&ops::TUPLE, [value, tangents.into()])?;
        let ret = build.ty(&both.into())?;
        build.set_ret(ret);
        build.ret(both)?;
        build.finish()
    }
}

/// The value of a type, with tangents, or zeros, in its type over dual numbers.
fn lift(
    build: &mut FuncBuilder,
    value: Operand,
    (ty, lifted): (Ty, Ty),
    mut tangents: Option<&mut std::vec::IntoIter<Operand>>,
) -> Result<Operand, BuildError> {
    if let TyKind::Float(_) = ty.kind() {
        let tangent = tangents.and_then(Iterator::next);
        let tangent = match tangent {
            Some(tangent) => tangent,
            None if ty == Ty::f64() => Operand::from(0.0),
            None => build.op_as(&ops::CAST, [Operand::from(0.0)], ty)?.into(),
        };
        return Ok(build.op_as(&ops::STRUCT, [value, tangent], lifted)?.into());
    }
    let (Some(tys), Some(of)) = (ty.parts(0), lifted.parts(0)) else { return Ok(value) };
    if ty == lifted {
        return Ok(value);
    }
    let mut parts = Vec::new();
    for ((ty, of), number) in tys.into_iter().zip(of).zip(0_i64..) {
        let field = build.op(&ops::FIELD, [value.clone(), number.into()])?;
        parts.push(lift(build, field.into(), (ty, of), tangents.as_deref_mut())?);
    }
    composite(build, lifted, parts)
}

/// The value of a type from that over dual numbers, whose tangents are added to others.
fn part(
    build: &mut FuncBuilder,
    lifted: Operand,
    (ty, of): (Ty, Ty),
    tangents: &mut Vec<Operand>,
) -> Result<Operand, BuildError> {
    if let TyKind::Float(_) = ty.kind() {
        tangents.push(build.op(&ops::FIELD, [lifted.clone(), 1_i64.into()])?.into());
        return Ok(build.op(&ops::FIELD, [lifted, 0_i64.into()])?.into());
    }
    let (Some(tys), Some(parts_of)) = (ty.parts(0), of.parts(0)) else { return Ok(lifted) };
    if ty == of {
        return Ok(lifted);
    }
    let mut parts = Vec::new();
    for ((ty, of), number) in tys.into_iter().zip(parts_of).zip(0_i64..) {
        let field = build.op(&ops::FIELD, [lifted.clone(), number.into()])?;
        parts.push(part(build, field.into(), (ty, of), tangents)?);
    }
    composite(build, ty, parts)
}

fn composite(build: &mut FuncBuilder, ty: Ty, parts: Vec<Operand>) -> Result<Operand, BuildError> {
    Ok(match ty.kind() {
        TyKind::Tuple(_) => build.op(&ops::TUPLE, parts)?.into(),
        _ => build.op_as(&ops::STRUCT, parts, ty)?.into(),
    })
}

impl Context for Along {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn name(&self) -> String {
        "Along".to_owned()
    }

    fn metadata(&self) {}

    fn key(&self) -> Key {
        Key::of::<Along>().with(self)
    }

    fn runs_as(&self, other: &Along) -> bool {
        self == other
    }

    fn needs_handle(&self) -> NeedsHandle {
        NeedsHandle::No
    }

    fn pass(&self, body: &Body<'_>) -> Result<Pass, PassError> {
        around_one(body, |func, callee| self.over(func, callee))
    }
}
