//! The invariants of single instructions and terminators: V2 and V6 to V12, and V14.

use hashbrown::HashSet;

use super::{Fault, Invariant, Signature};
use crate::Symbol;
use crate::ir::typing::{self, TypeError};
use crate::ir::{
    Block, Case, Func, Inst, InstKind, IntTy, Operand, Position, Target, Terminator, TerminatorKind, Ty,
    TyKind, Var,
};
use crate::ops;

/// The mentioned variables and blocks that do not belong to the function (V14).
pub(super) fn foreign(func: &Func) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut var = |var: Var, place| {
        if var.index() >= func.vars.len() {
            let message = format!("the variable `{var:?}` does not belong to the function");
            faults.push(Fault::new(func, Invariant::V14, place, message));
        }
    };
    for (block, body) in func.iter_blocks() {
        body.params.iter().for_each(|&param| var(param, Position::of_block(block)));
        for (i, inst) in body.insts.iter().enumerate() {
            let place = Position::Inst(block, i);
            var(inst.result, place);
            inst.kind.operands().filter_map(Operand::var).for_each(|used| var(used, place));
        }
        let operands = body.terminator.iter().flat_map(|terminator| terminator.kind.operands());
        operands.filter_map(Operand::var).for_each(|used| var(used, Position::Terminator(block)));
    }
    for (block, body) in func.iter_blocks() {
        for target in body.terminator.iter().flat_map(|terminator| terminator.kind.targets()) {
            if target.block.index() >= func.blocks.len() {
                let message = format!("the block `{:?}` does not belong to the function", target.block);
                faults.push(Fault::new(func, Invariant::V14, Position::Terminator(block), message));
            }
        }
    }
    faults
}

/// The faults of individual instructions and terminators.
pub(super) fn check(func: &Func, signature: &dyn Fn(Symbol) -> Option<Signature>) -> Vec<Fault> {
    let mut checker = Checker { func, signature, faults: Vec::new() };
    for (block, body) in func.iter_blocks() {
        body.params.iter().for_each(|&param| checker.defined_ty(param, Position::of_block(block)));
        for (i, inst) in body.insts.iter().enumerate() {
            checker.inst(inst, Position::Inst(block, i));
        }
        if let Some(terminator) = &body.terminator {
            checker.terminator(terminator, block);
        }
    }
    checker.faults
}

struct Checker<'a> {
    func: &'a Func,
    signature: &'a dyn Fn(Symbol) -> Option<Signature>,
    faults: Vec<Fault>,
}

impl Checker<'_> {
    fn fault(&mut self, invariant: Invariant, place: Position, message: impl Into<String>) {
        self.faults.push(Fault::new(self.func, invariant, place, message));
    }

    fn check(&mut self, place: Position, result: Result<(), TypeError>) {
        if let Err(error) = result {
            self.fault(invariant_of(&error), place, error.to_string());
        }
    }

    /// Checks V8 for a variable of closure type.
    fn defined_ty(&mut self, var: Var, place: Position) {
        let result = typing::closure_signature(self.func.ty(var), self.signature).map(drop);
        self.check(place, result);
    }

    fn inst(&mut self, inst: &Inst, place: Position) {
        let declared = self.func.ty(inst.result);
        self.defined_ty(inst.result, place);
        match &inst.kind {
            InstKind::Const(constant) if constant.value().is_a(declared) => {}
            InstKind::Const(constant) => {
                let is = constant.value().ty();
                self.fault(
                    Invariant::V12,
                    place,
                    format!("the constant is a {is:?}, declared as {declared:?}"),
                );
            }
            InstKind::Op { op, args } => {
                let result = typing::op_ty(self.func, op, args, Some(declared)).map(drop);
                self.check(place, result);
                if **op == ops::ERASE {
                    let result = self.erased(args, declared);
                    self.check(place, result);
                }
            }
            InstKind::Call { callee, args } | InstKind::Overdub { callee, args } => {
                let result = typing::check_call(self.func, callee, args, declared, self.signature);
                self.check(place, result);
            }
        }
    }

    /// Checks V8 for a closure that is converted to a function value.
    fn erased(&self, args: &[Operand], declared: Ty) -> Result<(), TypeError> {
        let tys = typing::operand_tys(self.func, args)?;
        let Some(&closure) = tys.first() else { return Ok(()) };
        match (typing::closure_signature(closure, self.signature)?, declared.kind()) {
            (Some((params, ret)), TyKind::Fn(to)) if *to.params != *params || to.ret != ret => {
                let is = Ty::func(params, ret);
                Err(TypeError::Erased { closure, is, declared })
            }
            _ => Ok(()),
        }
    }

    fn terminator(&mut self, terminator: &Terminator, block: Block) {
        let place = Position::Terminator(block);
        let result = typing::check_terminator(self.func, terminator);
        let right = result.is_ok();
        self.check(place, result);
        for target in terminator.kind.targets() {
            self.target(target, place);
        }
        if let TerminatorKind::Switch { on, cases, otherwise } = &terminator.kind
            && right
            && let Ok(ty) = typing::operand_ty(self.func, on)
        {
            self.cases(ty, cases, otherwise.is_some(), place);
        }
    }

    fn target(&mut self, target: &Target, place: Position) {
        let result = typing::check_target(self.func, target);
        self.check(place, result);
    }

    fn cases(&mut self, ty: Ty, cases: &[Case], has_else: bool, place: Position) {
        let mut seen = HashSet::new();
        for case in cases {
            if !seen.insert(case.value) {
                let message = format!("`switch` has two cases `{}`", case.value);
                self.fault(Invariant::V10, place, message);
            } else if !occurs(case.value, ty) {
                let message = format!("the case `{}` does not occur in {ty:?}", case.value);
                self.fault(Invariant::V10, place, message);
            }
        }
        if has_else {
            return;
        }
        let missing = match ty.kind() {
            TyKind::Enum(nominal) => nominal.variants().and_then(|variants| {
                let missing = (0..).zip(variants).find(|(tag, _)| !seen.contains(tag));
                missing.map(|(_, variant)| format!("the variant `{}`", variant.name))
            }),
            _ => Some("`else`, which every type but an enum needs".to_owned()),
        };
        if let Some(missing) = missing {
            self.fault(Invariant::V10, place, format!("`switch` lacks {missing}"));
        }
    }
}

/// Whether a value of type `ty` can have this integer, code point or tag.
fn occurs(value: i128, ty: Ty) -> bool {
    match ty.kind() {
        // A case of a `u128` contains the bits.
        TyKind::Int(IntTy::I128 | IntTy::U128) => true,
        TyKind::Int(int) if int.is_signed() => {
            let half = 1_i128 << (int.bits() - 1);
            (-half..half).contains(&value)
        }
        TyKind::Int(int) => (0..1_i128 << int.bits()).contains(&value),
        TyKind::Char => u32::try_from(value).is_ok_and(|code| char::from_u32(code).is_some()),
        TyKind::Enum(nominal) => nominal
            .variants()
            .is_none_or(|variants| usize::try_from(value).is_ok_and(|tag| tag < variants.len())),
        _ => false,
    }
}

fn invariant_of(error: &TypeError) -> Invariant {
    match error {
        TypeError::Arity { .. } | TypeError::Operands { .. } | TypeError::Result { .. } => Invariant::V2,
        TypeError::Call { .. } | TypeError::Returned { .. } | TypeError::NotCallable { .. } => Invariant::V7,
        TypeError::Captures { .. } | TypeError::Erased { .. } => Invariant::V8,
        TypeError::Target { .. } => Invariant::V6,
        TypeError::Terminator { .. } => Invariant::V9,
        TypeError::Ret { .. } => Invariant::V11,
        TypeError::NotScalar { .. } => Invariant::V12,
    }
}
