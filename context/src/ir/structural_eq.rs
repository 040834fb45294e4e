//! Structural equality of functions, up to the numbering of variables and blocks.

use super::func::Label;
use super::{Block, Callee, Const, Func, InstKind, Operand, Target, TerminatorKind, Var};

/// Functions are equal if they print the same: variables and blocks compare by printed label, so `%1` as a name equals
/// `%1` as a number. Spans are ignored.
impl PartialEq for Func {
    fn eq(&self, other: &Func) -> bool {
        let pair = Pair { a: self, b: other };
        self.name == other.name && self.ret == other.ret && pair.bodies()
    }
}

impl Eq for Func {}

/// A pair of functions being compared.
struct Pair<'f> {
    a: &'f Func,
    b: &'f Func,
}

impl Pair<'_> {
    fn bodies(&self) -> bool {
        all(&self.a.blocks, &self.b.blocks, |_, _| true)
            && self.a.iter_blocks().zip(self.b.iter_blocks()).all(|((block_a, a), (block_b, b))| {
                // The label of the entry is not printed.
                (block_a == Block::ENTRY || self.blocks(block_a, block_b))
                    && all(&a.params, &b.params, |&a, &b| self.definitions(a, b))
                    && all(&a.insts, &b.insts, |a, b| {
                        self.definitions(a.result, b.result) && self.insts(&a.kind, &b.kind)
                    })
                    && match (&a.terminator, &b.terminator) {
                        (Some(a), Some(b)) => self.terminators(&a.kind, &b.kind),
                        (a, b) => a.is_none() && b.is_none(),
                    }
            })
    }

    fn vars(&self, a: Var, b: Var) -> bool {
        same_label(self.a.var_label(a), self.b.var_label(b))
    }

    fn definitions(&self, a: Var, b: Var) -> bool {
        self.vars(a, b) && self.a.ty(a) == self.b.ty(b)
    }

    fn blocks(&self, a: Block, b: Block) -> bool {
        same_label(self.a.block_label(a), self.b.block_label(b))
    }

    fn operands(&self, a: &Operand, b: &Operand) -> bool {
        match (a, b) {
            (Operand::Var(a), Operand::Var(b)) => self.vars(*a, *b),
            (Operand::Const(a), Operand::Const(b)) => Const::eq(a, b),
            (Operand::Var(_) | Operand::Const(_), _) => false,
        }
    }

    fn lists(&self, a: &[Operand], b: &[Operand]) -> bool {
        all(a, b, |a, b| self.operands(a, b))
    }

    fn callees(&self, a: &Callee, b: &Callee) -> bool {
        match (a, b) {
            (Callee::Func(a), Callee::Func(b)) => a == b,
            (Callee::Value(a), Callee::Value(b)) => self.operands(a, b),
            (Callee::Func(_) | Callee::Value(_), _) => false,
        }
    }

    fn insts(&self, a: &InstKind, b: &InstKind) -> bool {
        match (a, b) {
            (InstKind::Const(a), InstKind::Const(b)) => a == b,
            (InstKind::Op { op: a, args: args_a }, InstKind::Op { op: b, args: args_b }) => {
                a == b && self.lists(args_a, args_b)
            }
            (InstKind::Call { callee: a, args: args_a }, InstKind::Call { callee: b, args: args_b })
            | (
                InstKind::Overdub { callee: a, args: args_a },
                InstKind::Overdub { callee: b, args: args_b },
            ) => self.callees(a, b) && self.lists(args_a, args_b),
            (
                InstKind::Const(_) | InstKind::Op { .. } | InstKind::Call { .. } | InstKind::Overdub { .. },
                _,
            ) => false,
        }
    }

    fn terminators(&self, a: &TerminatorKind, b: &TerminatorKind) -> bool {
        let cases = match (a, b) {
            (TerminatorKind::Switch { cases: a, .. }, TerminatorKind::Switch { cases: b, .. }) => {
                all(a, b, |a, b| a.value == b.value)
            }
            _ => true,
        };
        let targets = |kind: &TerminatorKind| kind.targets().cloned().collect::<Vec<Target>>();
        cases
            && std::mem::discriminant(a) == std::mem::discriminant(b)
            && all(a.operand().as_slice(), b.operand().as_slice(), |a, b| self.operands(a, b))
            && all(&targets(a), &targets(b), |a, b| {
                self.blocks(a.block, b.block) && self.lists(&a.args, &b.args)
            })
    }
}

fn same_label(a: Label, b: Label) -> bool {
    a == b || a.to_string() == b.to_string()
}

fn all<T>(a: &[T], b: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}
