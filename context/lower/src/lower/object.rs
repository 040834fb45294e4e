//! `dyn Trait` objects: structs of function values that share the underlying value.
//!
//! - OBJECT1 an object of a trait with `&mut self` methods is kept in a cell that all its methods capture;
//!   the methods of an object of another trait capture the value.

use overdub_context::Symbol;
use overdub_context::ir::{Field, Func, FuncBuilder, NominalBody, Operand, Ty, TyKind as IrKind};
use overdub_context::ops;
use overdub_context::ssa::SsaBuilder;

use super::abi::{Abi, Passing};
use super::call::{PassedArg, Target};
use super::cx::FnCx;
use super::error::{LowerError, Lowered};
use super::place::{Place, Projection};
use super::session::{Code, Lowering};
use super::tys::Lang;
use crate::infer::{self, Callee, Instance, TyKind, Vtable};

impl Lowering {
    /// The struct of a `dyn` type's methods, with its drop function if objects need one.
    pub(super) fn object_ty(&self, ty: infer::Ty) -> Result<Ty, LowerError> {
        self.named_struct(ty, || {
            let mut fields = Vec::new();
            for method in self.types.object_methods(ty)? {
                let (params, ret) = self.types.signature(method)?;
                let name = self.program.head(method.def()).name;
                fields.push(Field { name, ty: self.fn_ty(&params[1..], ret)? });
            }
            if let Some((params, ret)) = self.types.object_call(ty)? {
                fields.push(Field { name: Symbol::new("call"), ty: self.fn_ty(&params, ret)? });
            }
            if self.drops_objects() {
                fields.push(entry("drop"));
            }
            Ok(fields)
        })
    }

    /// The position of the function by which an object is called: that of a `dyn Fn` if objects need drop,
    /// and otherwise behind the methods.
    pub(super) fn call_entry(&self, ty: infer::Ty) -> Result<usize, LowerError> {
        match self.dyn_fn(ty) {
            Some(_) => Ok(0),
            None => Ok(self.types.object_methods(ty)?.len()),
        }
    }

    /// The type of a `dyn Fn`: a function value; if it needs drop, a struct with its drop function, and for
    /// `FnOnce` also the function that drops it after the call.
    pub(super) fn fn_object_ty(
        &self,
        ty: infer::Ty,
        params: &[infer::Ty],
        ret: infer::Ty,
    ) -> Result<Ty, LowerError> {
        let call = self.fn_ty(params, ret)?;
        if !self.drops_objects() {
            return Ok(call);
        }
        self.named_struct(ty, || {
            let mut fields = vec![Field { name: Symbol::new("call"), ty: call }];
            if self.is_called_once(ty) {
                fields.push(entry("after"));
            }
            fields.push(entry("drop"));
            Ok(fields)
        })
    }

    /// Whether a `dyn` type is `dyn FnOnce`.
    pub(super) fn is_called_once(&self, ty: infer::Ty) -> bool {
        let TyKind::Dyn(bounds) = ty.kind() else { return false };
        let once = self.program.lang("fn_once");
        once.is_some() && bounds.first().map(|bound| bound.def) == once
    }

    fn named_struct(
        &self,
        ty: infer::Ty,
        fields: impl Fn() -> Result<Vec<Field>, LowerError>,
    ) -> Result<Ty, LowerError> {
        self.named(ty, self.types.show(ty), &[], IrKind::Struct, || Ok(NominalBody::Struct(fields()?)))
    }

    /// Whether objects of a `dyn` type are kept in cells (OBJECT1).
    fn lives_in_cell(&self, ty: infer::Ty) -> Result<bool, LowerError> {
        for method in self.types.object_methods(ty)? {
            let (params, _) = self.types.signature(method)?;
            if params.first().is_some_and(|param| matches!(param.kind(), TyKind::RefMut(_))) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn entry(name: &str) -> Field {
    Field { name: Symbol::new(name), ty: Ty::func([], Ty::unit()) }
}

impl FnCx<'_> {
    /// A value of a concrete type, or a reference to one, as a `dyn` object; enclosing types are kept.
    pub(super) fn unsize(&mut self, place: &Place, vtable: &Vtable, to: infer::Ty) -> Lowered<Operand> {
        // What is borrowed is dropped by its owner.
        let is_owned = to.referent().is_none();
        if is_owned
            && !self.lowering.is_object(vtable.object)
            && self.lowering.dyn_fn(vtable.target).is_none()
        {
            self.check_drops(vtable.object)?;
        }
        let to = to.peel_refs();
        if self.lowering.is_object(to) {
            return self.object_of(place, vtable);
        }
        let place = self.deref_all(place.clone())?;
        self.unsize_within(place, vtable, to)
    }

    /// A value that contains the one that becomes an object.
    fn unsize_within(&mut self, place: Place, vtable: &Vtable, to: infer::Ty) -> Lowered<Operand> {
        let (TyKind::Adt(def, from), TyKind::Adt(_, args)) = (place.ty.kind(), to.kind()) else {
            return self.object_of(&place, vtable);
        };
        let first = |args: &[infer::Arg]| args.first().and_then(|arg| arg.ty());
        let (Some(inner), Some(outer)) = (first(from), first(args)) else {
            return self.object_of(&place, vtable);
        };
        match self.lowering.langs.get(*def) {
            Some(Lang::Cell) => {
                let cell = self.read(&place)?;
                self.object_in_cell(cell, vtable)
            }
            Some(Lang::Transparent | Lang::ManuallyDrop) => {
                self.unsize_within(place.with_ty(inner), vtable, outer)
            }
            Some(Lang::Rc) if !self.lowering.counts_owners() => {
                self.unsize_within(place.with_ty(inner), vtable, outer)
            }
            _ => self.unsize_field(place, vtable, to),
        }
    }

    /// A struct whose last field changes its type.
    fn unsize_field(&mut self, place: Place, vtable: &Vtable, to: infer::Ty) -> Lowered<Operand> {
        let ir_ty = self.lowering.ty(to)?;
        let fields = |ty| -> Lowered<Vec<infer::Ty>> {
            let variants = self.lowering.types.variants(ty)?;
            Ok(variants.into_iter().flat_map(|(_, fields)| fields).map(|(_, ty)| ty).collect())
        };
        let (from, into) = (fields(place.ty)?, fields(to)?);
        let mut parts = Vec::with_capacity(from.len());
        for ((&from, &into), at) in from.iter().zip(&into).zip(0..) {
            let part = self.project(place.clone(), Projection::Field(at), from)?;
            parts.push(if from == into {
                self.read(&part)?
            } else {
                self.unsize_within(part, vtable, into)?
            });
        }
        self.op_as(&ops::STRUCT, parts, ir_ty)
    }

    fn object_of(&mut self, place: &Place, vtable: &Vtable) -> Lowered<Operand> {
        let target = self.lowering.ty(vtable.target)?;
        let by_mut = matches!(place.ty.kind(), TyKind::RefMut(_)) && !self.lowering.is_object(vtable.object);
        if self.lowering.dyn_fn(vtable.target).is_some() {
            let place = self.read_through(place.clone())?;
            let value = self.read(&place)?;
            if self.lowering.is_object(place.ty) && self.lowering.dyn_fn(place.ty).is_none() {
                return self.fn_of_object(value, place.ty, vtable.target);
            }
            return self.fn_object(value, place.ty, vtable.target);
        }
        if self.lowering.is_object(vtable.object) {
            return self.upcast(place, vtable, target);
        }
        let in_cell = self.lowering.lives_in_cell(vtable.target)?;
        let object = if by_mut && in_cell {
            self.read(place)?
        } else {
            let place = if by_mut { self.deref_all(place.clone())? } else { place.clone() };
            let value = self.read(&place)?;
            if in_cell { self.op(&ops::CELL, vec![value])? } else { value }
        };
        self.object(object, vtable, target, in_cell)
    }

    /// The object whose cell is this one, shared by all its owners.
    fn object_in_cell(&mut self, cell: Operand, vtable: &Vtable) -> Lowered<Operand> {
        let target = self.lowering.ty(vtable.target)?;
        if self.lowering.dyn_fn(vtable.target).is_some() {
            let value = self.op(&ops::REF_GET, vec![cell])?;
            return self.fn_object(value, vtable.object, vtable.target);
        }
        self.object(cell, vtable, target, true)
    }

    /// A closure or function as a `dyn Fn`.
    fn fn_object(&mut self, value: Operand, ty: infer::Ty, target: infer::Ty) -> Lowered<Operand> {
        let to = self.lowering.ty(target)?;
        if self.operand_ty(&value)? == to {
            return Ok(value);
        }
        if !self.lowering.drops_objects() {
            self.check_drops(ty)?;
            return self.op_as(&ops::ERASE, vec![value], to);
        }
        let fields = self.object_fields(to)?;
        let call = match self.operand_ty(&value)? == fields[0] {
            true => value.clone(),
            false => self.op_as(&ops::ERASE, vec![value.clone()], fields[0])?,
        };
        let mut entries = vec![call];
        if self.lowering.is_called_once(target) {
            let is_spent = match ty.kind() {
                TyKind::Closure(id) => self.lowering.types.closure(*id)?.kind == infer::ClosureKind::FnOnce,
                _ => false,
            };
            entries.push(if is_spent {
                self.drop_entry(super::cx::unit(), infer::Ty::unit(), false)?
            } else {
                self.drop_entry(value.clone(), ty, false)?
            });
        }
        entries.push(self.drop_entry(value, ty, false)?);
        self.op_as(&ops::STRUCT, entries, to)
    }

    /// An object of a trait that requires `Fn` as a `dyn Fn`.
    fn fn_of_object(&mut self, object: Operand, from: infer::Ty, target: infer::Ty) -> Lowered<Operand> {
        let at = self.lowering.call_entry(from)?;
        let call = self.op(&ops::FIELD, vec![object.clone(), Operand::from(at as i64)])?;
        if !self.lowering.drops_objects() {
            return Ok(call);
        }
        if self.lowering.is_called_once(target) {
            let message = "an object of a trait that requires `FnOnce` is not converted to a `dyn FnOnce`";
            return Err(self.error(self.build.span(), message));
        }
        let drop = self.op(&ops::FIELD, vec![object, Operand::from(at as i64 + 1)])?;
        let to = self.lowering.ty(target)?;
        self.op_as(&ops::STRUCT, vec![call, drop], to)
    }

    /// The function by which an object is called, for an object of a trait that requires `Fn`.
    fn function_of(&mut self, object: Operand, ty: infer::Ty, to: Ty, in_cell: bool) -> Lowered<Operand> {
        let value = if in_cell { self.op(&ops::REF_GET, vec![object])? } else { object };
        let place = self.read_through(Place::value(value, ty))?;
        let mut value = self.read(&place)?;
        let is_plain_function = self.lowering.dyn_fn(place.ty).is_some() && !self.lowering.drops_objects();
        if self.lowering.is_object(place.ty) && !is_plain_function {
            let at = self.lowering.call_entry(place.ty)?;
            value = self.op(&ops::FIELD, vec![value, Operand::from(at as i64)])?;
        }
        match self.operand_ty(&value)? == to {
            true => Ok(value),
            false => self.op_as(&ops::ERASE, vec![value], to),
        }
    }

    /// A function value that drops the value of an object.
    fn drop_entry(&mut self, object: Operand, of: infer::Ty, in_cell: bool) -> Lowered<Operand> {
        let code = if in_cell { Code::DropInCell(of) } else { Code::DropObject(of) };
        let object_ty = self.operand_ty(&object)?;
        let code = Ty::closure(self.lowering.symbol_of(code), [object_ty]);
        let closure = self.op_as(&ops::CLOSURE, vec![object], code)?;
        self.op_as(&ops::ERASE, vec![closure], Ty::func([], Ty::unit()))
    }

    fn object(&mut self, object: Operand, vtable: &Vtable, target: Ty, in_cell: bool) -> Lowered<Operand> {
        let object_ty = self.operand_ty(&object)?;
        let fields = self.object_fields(target)?;
        let methods = self.lowering.types.object_methods(vtable.target)?;
        let mut values = Vec::with_capacity(methods.len());
        for (method, field) in methods.iter().zip(&fields) {
            let found = vtable.methods.iter().find(|(def, _)| *def == method.def()).map(|(_, callee)| callee);
            let Some(Callee::Fn(instance)) = found else {
                let message = format!(
                    "`{}` has no method that a `dyn` object could call",
                    self.lowering.types.name(*method)
                );
                return Err(self.error(self.build.span(), message));
            };
            let code = if in_cell { Code::InCell(*instance, vtable.object) } else { Code::Item(*instance) };
            let code = Ty::closure(self.lowering.symbol_of(code), [object_ty]);
            let closure = self.op_as(&ops::CLOSURE, vec![object.clone()], code)?;
            values.push(self.op_as(&ops::ERASE, vec![closure], *field)?);
        }
        if self.lowering.types.object_call(vtable.target)?.is_some() {
            values.push(self.function_of(object.clone(), vtable.object, fields[methods.len()], in_cell)?);
        }
        if self.lowering.drops_objects() {
            values.push(self.drop_entry(object, vtable.object, in_cell)?);
        }
        self.op_as(&ops::STRUCT, values, target)
    }

    /// Rejects an object of a value that needs drop if nothing would drop it.
    fn check_drops(&mut self, ty: infer::Ty) -> Lowered<()> {
        if !self.lowering.needs_drop(ty) || self.lowering.drops_objects() {
            return Ok(());
        }
        let ty = self.lowering.types.show(ty);
        let message = format!("what `{ty}` holds would not be dropped with the `dyn` object made of it");
        let error = LowerError::new(self.build.span(), message);
        Err(error.with_help("take it as a type parameter instead").into())
    }

    fn object_fields(&self, target: Ty) -> Lowered<Vec<Ty>> {
        match target.as_nominal().and_then(|nominal| nominal.fields()) {
            Some(fields) => Ok(fields.iter().map(|field| field.ty).collect()),
            None => Err(self.error(self.build.span(), "internal: the object's type is not defined")),
        }
    }

    /// An object as an object of a supertrait.
    fn upcast(&mut self, place: &Place, vtable: &Vtable, target: Ty) -> Lowered<Operand> {
        let object = self.read_object(place.clone())?;
        let from = self.lowering.types.object_methods(vtable.object)?;
        let mut values = Vec::new();
        for method in self.lowering.types.object_methods(vtable.target)? {
            let Some(at) = from.iter().position(|known| known.def() == method.def()) else {
                return Err(self.error(self.build.span(), "the object has no such method"));
            };
            values.push(self.op(&ops::FIELD, vec![object.clone(), Operand::from(at as i64)])?);
        }
        let is_called = self.lowering.types.object_call(vtable.object)?.is_some();
        if self.lowering.types.object_call(vtable.target)?.is_some() {
            let call = Operand::from(from.len() as i64);
            values.push(self.op(&ops::FIELD, vec![object.clone(), call])?);
        }
        if self.lowering.drops_objects() {
            let drop = Operand::from((from.len() + usize::from(is_called)) as i64);
            values.push(self.op(&ops::FIELD, vec![object, drop])?);
        }
        self.op_as(&ops::STRUCT, values, target)
    }

    /// Calls a method of an object with one in/out argument.
    pub(super) fn call_method_of(
        &mut self,
        object: Operand,
        at: usize,
        arg: &Place,
        ret: infer::Ty,
    ) -> Lowered<Operand> {
        let method = self.op(&ops::FIELD, vec![object, Operand::from(at as i64)])?;
        let abi = Abi::of(self.lowering, &[arg.ty], ret)?;
        let passed: Vec<PassedArg> = vec![self.pass_place(arg.clone(), abi.params[0])?];
        self.finish_call(&Target::Value(method), &abi, passed)
    }
}

/// The value behind a `dyn Any`: whether it is of a type, the value itself, or its cell. Its `type_id` method
/// is a closure specific to its type that captures the cell.
pub(super) fn downcast(
    lowering: &Lowering,
    build: &mut SsaBuilder,
    what: &str,
    any: Operand,
    ty: infer::Ty,
) -> Lowered<Operand> {
    let program = &lowering.program;
    let method = program.lang("any").and_then(|any| program.trait_(any).ok()?.items.first().copied());
    let Some(method) = method else {
        return Err(LowerError::new(build.span(), "internal: the prelude declares no `Any`").into());
    };
    let Callee::Fn(type_id) = lowering.types.resolve_assoc(method, &[infer::Arg::Ty(ty)])? else {
        return Err(LowerError::new(build.span(), "internal: `Any` has no method").into());
    };
    let cell = Ty::reference(lowering.ty(ty)?);
    let code = Ty::closure(lowering.symbol_of(Code::InCell(type_id, ty)), [cell]);
    let entry = build.op(&ops::FIELD, [any, Operand::from(0_i64)])?;
    let found: Operand = build.op_as(&ops::RECOVER, [Operand::from(entry)], Ty::option(code))?.into();
    if what == "any_is" {
        let tag = build.op(&ops::TAG, [found])?;
        return Ok(build.op(&ops::EQ, [Operand::from(tag), Operand::from(1_i64)])?.into());
    }
    let parts = [found, Operand::from(1_i64), Operand::from(0_i64)];
    let closure = build.op_as(&ops::PAYLOAD, parts, code)?;
    let cell: Operand =
        build.op_as(&ops::CAPTURED, [Operand::from(closure), Operand::from(0_i64)], cell)?.into();
    if what == "any_downcast_mut" {
        return Ok(cell);
    }
    Ok(build.op(&ops::REF_GET, [cell])?.into())
}

/// A method of an object in a cell: it takes the cell, followed by the parameters of the method.
pub(super) fn method_in_cell(
    lowering: &Lowering,
    name: Symbol,
    method: Instance,
    object: infer::Ty,
) -> Result<Func, LowerError> {
    let (params, ret) = lowering.types.signature(method)?;
    let span = lowering.program.head(method.def()).span;
    let inner = lowering.abi(method)?;
    let outer = Abi::of(lowering, &params[1..], ret)?;
    let mut build = overdub_context::ssa::SsaBuilder::new(FuncBuilder::new(name, outer.full_ret));
    build.set_func_span(span);
    build.set_span(span);
    let cell: Operand = build.param("self", Ty::reference(lowering.ty(object)?)).into();
    let is_mut = matches!(params[0].kind(), TyKind::RefMut(_));
    let in_out = inner.params[0].passing == Passing::InOut;
    let receiver: Operand = match (is_mut, in_out) {
        (true, true) => build.op(&ops::REF_TAKE, [cell.clone()])?.into(),
        (true, false) => cell.clone(),
        (false, _) => build.op(&ops::REF_GET, [cell.clone()])?.into(),
    };
    let mut args = vec![receiver];
    for param in &outer.params {
        args.push(build.param("arg", param.ty).into());
    }
    // A parameter that is in/out only in the outer function is passed to the inner one as a reference.
    let mut passed = Vec::with_capacity(args.len());
    for (at, arg) in args.into_iter().enumerate() {
        let outside = at.checked_sub(1).map(|at| outer.params[at].passing);
        let inside = inner.params[at].passing;
        passed.push(if outside == Some(Passing::InOut) && inside == Passing::Value {
            build.op(&ops::CELL, [arg])?.into()
        } else {
            arg
        });
    }
    let all: Operand = match super::shim::emit(lowering, &mut build, method, passed.clone(), inner.full_ret) {
        Ok(all) => all,
        Err(super::error::Stop::Diverges) => return Ok(build.finish()?),
        Err(super::error::Stop::Error(error)) => return Err(*error),
    };
    if inner.ret == Ty::never() {
        build.fail("entered unreachable code")?;
        return Ok(build.finish()?);
    }
    let parts = parts_of(&mut build, all, &inner)?;
    let mut parts = parts.into_iter();
    let mut results = Vec::new();
    if inner.ret != Ty::unit() {
        results.extend(parts.next());
    }
    for (at, param) in inner.params.iter().enumerate() {
        if param.passing == Passing::InOut {
            let Some(out) = parts.next() else { continue };
            if at == 0 {
                build.op(&ops::REF_SET, [cell.clone(), out])?;
            } else {
                results.push(out);
            }
        } else if at > 0 && outer.params[at - 1].passing == Passing::InOut {
            results.push(build.op(&ops::REF_GET, [passed[at].clone()])?.into());
        }
    }
    let result = match results.len() {
        0 => super::cx::unit(),
        1 => results.remove(0),
        _ => build.op(&ops::TUPLE, results)?.into(),
    };
    build.ret(result)?;
    Ok(build.finish()?)
}

fn parts_of(
    build: &mut overdub_context::ssa::SsaBuilder,
    all: Operand,
    abi: &Abi,
) -> Result<Vec<Operand>, LowerError> {
    let count = usize::from(abi.ret != Ty::unit()) + abi.outs();
    if count <= 1 {
        return Ok(if count == 1 { vec![all] } else { vec![] });
    }
    let mut parts = Vec::with_capacity(count);
    for at in 0..count {
        parts.push(build.op(&ops::FIELD, [all.clone(), Operand::from(at as i64)])?.into());
    }
    Ok(parts)
}
