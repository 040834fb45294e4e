//! Entry functions for external callers of functions that take or return values which only a program can make (the trait
//! `Entry` of the prelude): views of arrays, and matrices that own memory by pointers. The callers pass and receive arrays.

use hashbrown::HashSet;
use overdub_context::ir::{Func, FuncBuilder, Operand, Ty};
use overdub_context::ssa::SsaBuilder;
use overdub_context::{Symbol, ops};

use super::abi::Abi;
use super::error::LowerError;
use super::session::{Code, Lowering, PassedBy, Signature};
use crate::infer::{self, Arg, Callee, Instance, TyKind};

/// The end of an entry's name, after that of the function.
const SUFFIX: &str = "::{entry}";

/// The most types that are looked at in those of fields: a generic type may have fields of ever larger ones.
const MAX_PARTS: usize = 10_000;

/// The name of the function that an entry calls, of other functions their own.
///
/// ```
/// use overdub_lower::lower::without_entry;
/// assert_eq!(without_entry("model::sum::{entry}"), "model::sum");
/// assert_eq!(without_entry("model::sum"), "model::sum");
/// ```
pub fn without_entry(name: &str) -> &str {
    name.strip_suffix(SUFFIX).unwrap_or(name)
}

/// The name of the entry of a function.
pub(super) fn entry_name(of: &str) -> String {
    format!("{of}{SUFFIX}")
}

/// How the values of a type are passed by external callers.
struct Conversion {
    /// The IR type of what is passed.
    passed: Ty,
    /// The IR type of the values.
    own: Ty,
    /// `Entry::enter` and `Entry::leave`.
    enter: Symbol,
    leave: Symbol,
}

/// The conversions of a function's parameters and of its result.
struct Conversions {
    params: Vec<Option<Conversion>>,
    ret: Option<Conversion>,
}

impl Lowering {
    /// The function that external callers use for an instance, and its signature: the instance itself, unless
    /// its signature contains types that are passed as others.
    ///
    /// # Errors
    /// If a type of the signature cannot be resolved.
    pub fn entry(&self, instance: Instance) -> Result<(Symbol, Signature), LowerError> {
        let mut signature = self.signature(instance)?;
        let Some(Conversions { params, ret }) = self.conversions(&signature)? else {
            return Ok((self.symbol(instance), signature));
        };
        for (param, conversion) in signature.ir_params.iter_mut().zip(&params) {
            if let Some(conversion) = conversion {
                let by = if param.1 == PassedBy::Reference { PassedBy::InOut } else { param.1 };
                *param = (conversion.passed, by);
            }
        }
        if let Some(conversion) = &ret {
            signature.ir_ret = conversion.passed;
        }
        Ok((self.symbol_of(Code::Entry(instance)), signature))
    }

    /// A type in the fields of a struct or enum, at any depth, whose values callers pass as others.
    pub(crate) fn field_passed_otherwise(&self, ty: infer::Ty) -> Option<infer::Ty> {
        let (mut pending, mut seen) = (vec![ty], HashSet::<infer::Ty>::from_iter([ty]));
        while let Some(at) = pending.pop()
            && seen.len() < MAX_PARTS
        {
            if at != ty && matches!(self.conversion(at), Ok(Some(_))) {
                return Some(at);
            }
            let parts: Vec<infer::Ty> = match at.kind() {
                TyKind::Adt(_, args) => {
                    let variants = self.types().variants(at).unwrap_or_default();
                    let fields = variants.into_iter().flat_map(|(_, fields)| fields).map(|(_, ty)| ty);
                    args.iter().filter_map(|arg| arg.ty()).chain(fields).collect()
                }
                TyKind::Tuple(parts) => parts.to_vec(),
                TyKind::Slice(inner) | TyKind::Array(inner, _) => vec![*inner],
                _ => at.referent().into_iter().map(|(_, inner)| inner).collect(),
            };
            pending.extend(parts.into_iter().filter(|part| seen.insert(*part)));
        }
        None
    }

    /// The conversions of a function with this signature, if there are any.
    fn conversions(&self, signature: &Signature) -> Result<Option<Conversions>, LowerError> {
        let ret = self.conversion(signature.ret)?.filter(|of| of.own == signature.ir_ret);
        let may_return_reference = self.holds_mut(signature.ret);
        let mut params = Vec::with_capacity(signature.params.len());
        for (ty, (ir_ty, by)) in signature.params.iter().zip(&signature.ir_params) {
            let is_passable = |of: &Conversion| match by {
                PassedBy::Reference => !may_return_reference && *ir_ty == Ty::reference(of.own),
                PassedBy::Value | PassedBy::InOut => *ir_ty == of.own,
            };
            params.push(self.conversion(*ty)?.filter(is_passable));
        }
        let is_any = ret.is_some() || params.iter().any(Option::is_some);
        Ok(is_any.then_some(Conversions { params, ret }))
    }

    /// The conversion of a type that implements `Entry`, also behind references.
    fn conversion(&self, ty: infer::Ty) -> Result<Option<Conversion>, LowerError> {
        let Some(of) = self.program.lang("entry").filter(|_| self.has_entries(ty)) else { return Ok(None) };
        let ty = match (ty.peel_refs().kind(), self.program.lang("vec")) {
            (TyKind::Slice(elem), Some(vec)) => infer::Ty::adt(vec, [Arg::Ty(*elem)]),
            _ => ty.peel_refs(),
        };
        let method = |name: &str| {
            let items = &self.program.trait_(of).ok()?.items;
            let method = items.iter().find(|item| &*self.program.head(**item).name == name)?;
            match self.types().resolve_assoc(*method, &[Arg::Ty(ty)]) {
                Ok(Callee::Fn(instance)) => Some(instance),
                _ => None,
            }
        };
        let (Some(enter), Some(leave)) = (method("enter"), method("leave")) else { return Ok(None) };
        // An impl may ask for more than holds: a tuple with a closure in it has no signature.
        let Ok((_, passed)) = self.types().signature(leave) else { return Ok(None) };
        let conversion = Conversion {
            passed: self.ty(passed)?,
            own: self.ty(ty)?,
            enter: self.symbol(enter),
            leave: self.symbol(leave),
        };
        Ok(Some(conversion).filter(|of| of.passed != of.own))
    }

    /// Whether a crate in which `Entry` is implemented declares a part of a type; these implementations are loaded.
    fn has_entries(&self, ty: infer::Ty) -> bool {
        // Each part is looked at, so that the implementations of all are loaded.
        let of_parts = |parts: &[infer::Ty]| parts.iter().filter(|ty| self.has_entries(**ty)).count() > 0;
        match ty.kind() {
            TyKind::Adt(def, args) => {
                let parts: Vec<infer::Ty> = args.iter().filter_map(|arg| arg.ty()).collect();
                of_parts(&parts) | self.program.load_entries_of(self.program.node(*def).krate)
            }
            TyKind::Tuple(parts) => of_parts(parts),
            TyKind::Ref(inner) | TyKind::RefMut(inner) | TyKind::Slice(inner) | TyKind::Array(inner, _) => {
                self.has_entries(*inner)
            }
            _ => false,
        }
    }
}

/// The function that converts what external callers pass, calls the instance, and converts what it returns.
pub(super) fn entry(lowering: &Lowering, name: Symbol, instance: Instance) -> Result<Func, LowerError> {
    let inner = lowering.signature(instance)?;
    let (_, outer) = lowering.entry(instance)?;
    let span = lowering.program.head(instance.def()).span;
    let Some(Conversions { params, ret }) = lowering.conversions(&inner)? else {
        return Err(LowerError::new(span, "internal: an entry without conversions"));
    };
    let mut build = SsaBuilder::new(FuncBuilder::new(name, full_ret(&outer)));
    build.set_func_span(span);
    build.set_span(span);
    let names = lowering.program.fn_sig(instance.def())?.param_names.clone();
    let mut args: Vec<Operand> = Vec::with_capacity(params.len());
    for (at, (ir_ty, _)) in outer.ir_params.iter().enumerate() {
        args.push(build.param(names.get(at).map_or("x", |name| name.as_str()), *ir_ty).into());
    }
    for ((arg, conversion), (_, by)) in args.iter_mut().zip(&params).zip(&inner.ir_params) {
        let Some(conversion) = conversion else { continue };
        *arg = build.call(conversion.enter, [arg.clone()], conversion.own)?.into();
        if *by == PassedBy::Reference {
            *arg = build.op(&ops::CELL, [arg.clone()])?.into();
        }
    }
    let full: Operand = build.call(lowering.symbol(instance), args.clone(), full_ret(&inner))?.into();
    let has_ret = inner.ir_ret != Ty::unit();
    let outs = inner.ir_params.iter().filter(|(_, by)| *by == PassedBy::InOut).count();
    let is_one = usize::from(has_ret) + outs == 1;
    let mut next = 0;
    let mut next_part = |build: &mut SsaBuilder| -> Result<Operand, LowerError> {
        if is_one {
            return Ok(full.clone());
        }
        next += 1;
        Ok(build.op(&ops::FIELD, [full.clone(), Operand::from(next - 1_i64)])?.into())
    };
    let mut parts: Vec<Operand> = Vec::new();
    if has_ret {
        let part = next_part(&mut build)?;
        parts.push(left(&mut build, part, ret.as_ref())?);
    }
    for ((arg, conversion), (_, by)) in args.iter().zip(&params).zip(&inner.ir_params) {
        let out = match (by, conversion) {
            (PassedBy::InOut, _) => next_part(&mut build)?,
            (PassedBy::Reference, Some(_)) => build.op(&ops::REF_GET, [arg.clone()])?.into(),
            (PassedBy::Reference, None) | (PassedBy::Value, _) => continue,
        };
        parts.push(left(&mut build, out, conversion.as_ref())?);
    }
    let result = match &parts[..] {
        [] => Operand::unit(),
        [one] => one.clone(),
        _ => build.op(&ops::TUPLE, parts)?.into(),
    };
    build.ret(result)?;
    Ok(build.finish()?)
}

/// What external callers receive for a value.
fn left(build: &mut SsaBuilder, value: Operand, by: Option<&Conversion>) -> Result<Operand, LowerError> {
    match by {
        Some(conversion) => Ok(build.call(conversion.leave, [value], conversion.passed)?.into()),
        None => Ok(value),
    }
}

/// The type of the result together with the final values of the in/out parameters (CALLCONV1).
fn full_ret(signature: &Signature) -> Ty {
    let outs = signature.ir_params.iter().filter(|(_, by)| *by == PassedBy::InOut).map(|(ty, _)| *ty);
    Abi::pack(signature.ir_ret, outs.collect())
}
