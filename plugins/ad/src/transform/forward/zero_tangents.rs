//! The constant arrays of a function whose zero tangents the pushforward needs.
//!
//! - ZERO1 the zero tangent of an array is created where the array is defined: at its use it might be created
//!   in every iteration.
//! - ZERO2 a composite or vector out of which a part was moved (`take.field`, `take.elem`) has a hole, of which
//!   no zero can be created. Its zero tangent is that of the whole before, with the same part moved out.

use hashbrown::{HashMap, HashSet};
use overdub_context::ir::{Func, Inst, InstKind, Operand, TerminatorKind, Var};
use overdub_context::ops::{self, OpDef};

use crate::activity::Activity;
use crate::cotangent::{cotangent, holds_array};

/// The constant variables that have zero tangents.
#[derive(Default)]
pub(super) struct ZeroTangents {
    /// The arrays, and composites with arrays, for which zeros are created (ZERO1).
    pub(super) arrays: HashSet<Var>,
    /// The results of operations that move a part out of a whole, and the remainders, whose zero tangents are
    /// computed from that of the whole as the tangents of active variables are (ZERO2).
    pub(super) remainders: HashSet<Var>,
    /// The stacks that are created: those of their zero tangents are empty too.
    pub(super) empty_stacks: HashSet<Var>,
}

impl ZeroTangents {
    /// The zero tangents that a function needs: those of constants that active instructions, block parameters
    /// and the result take.
    pub(super) fn of(func: &Func, activity: &Activity) -> ZeroTangents {
        let mut zeros = ZeroTangents::default();
        let mut needed: Vec<&Operand> = Vec::new();
        for body in &func.blocks {
            let active = body.insts.iter().filter(|inst| activity.is_active(inst.result));
            needed.extend(active.flat_map(|inst| inst.kind.operands()));
            let is_new =
                |inst: &&Inst| matches!(&inst.kind, InstKind::Op { op, .. } if **op == ops::STACK_NEW);
            zeros.empty_stacks.extend(body.insts.iter().filter(is_new).map(|inst| inst.result));
            let Some(end) = &body.terminator else { continue };
            if let TerminatorKind::Ret(result) = &end.kind {
                needed.push(result);
            }
            for target in end.kind.targets() {
                let params = func.block(target.block).params.iter().zip(&target.args);
                needed.extend(params.filter(|(param, _)| activity.is_active(**param)).map(|(_, arg)| arg));
            }
        }
        let mut needed: Vec<Var> = needed.into_iter().filter_map(Operand::var).collect();
        let remainders = remainders(func);
        let holds = |var: Var| cotangent(func.ty(var)).is_ok_and(holds_array);
        while let Some(var) = needed.pop() {
            if activity.is_active(var) || !holds(var) {
                continue;
            }
            match remainders.get(&var) {
                Some(remainder) => {
                    if zeros.remainders.insert(var) {
                        zeros.remainders.insert(remainder.pair);
                        needed.extend(remainder.whole);
                    }
                }
                None => {
                    zeros.arrays.insert(var);
                }
            }
        }
        zeros
    }
}

/// What is left of a composite or vector out of which a part was moved.
struct Remainder {
    /// The composite or vector before.
    whole: Option<Var>,
    /// The pair of the part and the remainder.
    pair: Var,
}

/// The remainders that a function has, by variable.
fn remainders(func: &Func) -> HashMap<Var, Remainder> {
    let operations = || {
        func.blocks.iter().flat_map(|block| &block.insts).filter_map(|inst| match &inst.kind {
            InstKind::Op { op, args } => Some((inst.result, &**op, &args[..])),
            _ => None,
        })
    };
    let moves_out = |op: &OpDef| *op == ops::TAKE_FIELD || *op == ops::TAKE_ELEM;
    let pairs: HashMap<Var, Option<Var>> = operations()
        .filter(|(_, op, args)| moves_out(op) && !args.is_empty())
        .map(|(pair, _, args)| (pair, args[0].var()))
        .collect();
    let remainder = |(result, op, args): (Var, &OpDef, &[Operand])| match args {
        [pair, part] if *op == ops::FIELD && *part == Operand::from(1_i64) => {
            let pair = pair.var()?;
            Some((result, Remainder { whole: *pairs.get(&pair)?, pair }))
        }
        _ => None,
    };
    operations().filter_map(remainder).collect()
}
