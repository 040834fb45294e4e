//! The calls of `checkpoint_name` in a checkpoint's code, and the values that they name.

use overdub_context::Symbol;
use overdub_context::analysis::{Cfg, Dominators, LoopNest};
use overdub_context::ir::{Block, Callee, Func, Inst, InstKind, Operand, TerminatorKind, Ty, Var};

use super::devirtualize::constants;
use crate::annotations::{CHECKPOINT_NAME, is_annotation};
use crate::cotangent::hides;
use crate::refusal::Cause;

/// Whether a call only names a value.
pub(super) fn names_value(func: Symbol) -> bool {
    is_annotation(func, CHECKPOINT_NAME)
}

/// A place in the code that computes a value to be kept (POLICY3).
pub(super) struct Site {
    pub(super) result: Var,
    ty: Ty,
    /// Whether each run computes it once (POLICY1).
    pub(super) is_single: bool,
}

impl Site {
    /// The type of what is kept of it.
    pub(super) fn kept_ty(&self) -> Ty {
        if self.is_single { self.ty } else { Ty::array(self.ty, 1) }
    }
}

/// The value that an instruction names, and the operand that is the name.
pub(super) fn naming(inst: &Inst) -> Option<(&Operand, &Operand)> {
    match &inst.kind {
        InstKind::Call { callee: Callee::Func(func), args } if names_value(*func) => {
            Some((args.first()?, args.get(1)?))
        }
        _ => None,
    }
}

/// The places that compute the values with these names.
pub(super) fn sites(code: &Func, names: &[String]) -> Result<Vec<Site>, Cause> {
    let constants = constants(code);
    let cfg = Cfg::new(code);
    let dominators = Dominators::new(&cfg);
    let loops = LoopNest::new(&cfg, &dominators);
    let returns = |block: &Block| matches!(code.terminator(*block).kind, TerminatorKind::Ret(_));
    let returning: Vec<Block> = cfg.reverse_postorder().iter().copied().filter(returns).collect();
    let (mut sites, mut found) = (Vec::new(), Vec::new());
    for &block in cfg.reverse_postorder() {
        let is_single = loops.innermost(block).is_none()
            && loops.irreducible().is_empty()
            && returning.iter().all(|end| dominators.dominates(block, *end));
        for inst in &code.block(block).insts {
            let Some((value, name)) = naming(inst) else { continue };
            let constant = match name {
                Operand::Const(constant) => Some(constant),
                Operand::Var(var) => constants.get(var),
            };
            let name = constant.and_then(|constant| constant.value().as_str());
            let name = name.ok_or_else(|| Cause::UnknownNames.at(inst.span))?;
            found.push(name.to_owned());
            // A constant is not computed.
            if value.var().is_none() || !names.iter().any(|kept| kept == name) {
                continue;
            }
            let ty = code.ty(inst.result);
            if hides(ty) {
                return Err(Cause::NamedReference(name.to_owned(), ty).at(inst.span));
            }
            sites.push(Site { result: inst.result, ty, is_single });
        }
    }
    found.sort_unstable();
    found.dedup();
    match names.iter().find(|name| !found.contains(name)) {
        Some(name) => Err(Cause::NoSuchName { name: name.clone(), named: found }),
        None => Ok(sites),
    }
}
