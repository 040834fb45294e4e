//! Entry functions for external callers of functions that take or return array views: they take and return
//! the arrays themselves.

use overdub_context::Symbol;
use overdub_context::ir::{Func, FuncBuilder, Operand, Ty};
use overdub_context::ssa::SsaBuilder;

use super::error::LowerError;
use super::session::{Code, Lowering, PassedBy, Signature};
use crate::infer::{self, Arg, Instance};

impl Lowering {
    /// The function that external callers use for an instance, and its signature: the instance itself, unless
    /// its signature contains views.
    ///
    /// # Errors
    /// If a type of the signature cannot be resolved.
    pub fn entry(&self, instance: Instance) -> Result<(Symbol, Signature), LowerError> {
        let mut signature = self.signature(instance)?;
        let mut any = false;
        for (ty, (ir_ty, _)) in signature.params.iter().zip(&mut signature.ir_params) {
            if let Some(array) = self.array_seen(*ty)? {
                (*ir_ty, any) = (array, true);
            }
        }
        let has_in_out = signature.ir_params.iter().any(|(_, by)| *by == PassedBy::InOut);
        if let Some(array) = self.array_seen(signature.ret)?.filter(|_| !has_in_out) {
            (signature.ir_ret, any) = (array, true);
        }
        let symbol = if any { self.symbol_of(Code::Entry(instance)) } else { self.symbol(instance) };
        Ok((symbol, signature))
    }

    /// The array type underlying a view type.
    fn array_seen(&self, ty: infer::Ty) -> Result<Option<Ty>, LowerError> {
        match self.view_of_axes(ty) {
            Some((elem, _, rank)) => Ok(Some(Ty::array(self.ty(elem)?, rank))),
            None => Ok(None),
        }
    }

    /// The conversion function `lang`, for the views of a type.
    fn view_conversion(&self, lang: &str, ty: infer::Ty) -> Option<Instance> {
        let (elem, dim, _) = self.view_of_axes(ty)?;
        Some(Instance::new(self.program.lang(lang)?, [Arg::Ty(elem), Arg::Ty(dim)]))
    }
}

/// The function that takes arrays, calls the instance with views of them, and returns an array.
pub(super) fn entry(lowering: &Lowering, name: Symbol, instance: Instance) -> Result<Func, LowerError> {
    let (_, signature) = lowering.entry(instance)?;
    let abi = lowering.abi(instance)?;
    let as_array = signature.ir_ret != abi.ret;
    let full_ret = if as_array { signature.ir_ret } else { abi.full_ret };
    let span = lowering.program.head(instance.def()).span;
    let mut build = SsaBuilder::new(FuncBuilder::new(name, full_ret));
    build.set_func_span(span);
    build.set_span(span);
    let names = lowering.program.fn_sig(instance.def())?.param_names.clone();
    let mut args: Vec<Operand> = Vec::with_capacity(abi.params.len());
    for (at, (ir_ty, _)) in signature.ir_params.iter().enumerate() {
        args.push(build.param(names.get(at).map_or("x", |name| name.as_str()), *ir_ty).into());
    }
    for ((arg, ty), param) in args.iter_mut().zip(&signature.params).zip(&abi.params) {
        if let Some(view) = lowering.view_conversion("nd_view_of", *ty) {
            *arg = build.call(lowering.symbol(view), [arg.clone()], param.ty)?.into();
        }
    }
    let mut result: Operand = build.call(lowering.symbol(instance), args, abi.full_ret)?.into();
    if let Some(to_owned_array) = lowering.view_conversion("nd_array_of", signature.ret).filter(|_| as_array)
    {
        result = build.call(lowering.symbol(to_owned_array), [result], full_ret)?.into();
    }
    build.ret(result)?;
    Ok(build.finish()?)
}
