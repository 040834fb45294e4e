//! Counters: integers that start at a small constant and increase by small steps.
//!
//! - COUNTER1 such an integer is below 2^63: reaching 2^62 takes longer than a machine lasts.
//!
//! A counter is therefore converted to a float as a signed integer, by one instruction. Cranelift's
//! conversion of larger integers has branches, and a false dependency on the register of the result.

use hashbrown::{HashMap, HashSet};
use overdub_context::ir::{Block, Func, InstKind, IntTy, Operand, Ty, TyKind, Var};
use overdub_context::ops;

/// A larger step may reach 2^63 (COUNTER1).
const LONGEST_STEP: usize = 8;

/// The counters of a function.
pub(in crate::codegen) fn counters(func: &Func) -> HashSet<Var> {
    let converts = |kind: &InstKind| match kind {
        InstKind::Op { op, args } if **op == ops::CAST => {
            args[0].var().is_some_and(|var| is_wide(func.ty(var)))
        }
        _ => false,
    };
    if !func.blocks.iter().flat_map(|body| &body.insts).any(|inst| converts(&inst.kind)) {
        return HashSet::new();
    }
    let mut search = CounterSearch { func, counting: HashSet::new(), derived_from: Vec::new() };
    search.find_candidates();
    search.retain_counters()
}

/// Whether a type fits a register and contains integers of 2^63 and more.
fn is_wide(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Int(IntTy::U64 | IntTy::Usize))
}

struct CounterSearch<'f> {
    func: &'f Func,
    /// The candidates.
    counting: HashSet<Var>,
    /// The operands that each candidate derives from: it is a counter only if they are.
    derived_from: Vec<(Var, Operand)>,
}

impl CounterSearch<'_> {
    fn find_candidates(&mut self) {
        for (block, body) in self.func.iter_blocks() {
            if block != Block::ENTRY {
                let params = body.params.iter().copied().filter(|param| is_wide(self.func.ty(*param)));
                self.counting.extend(params);
            }
            for inst in &body.insts {
                if let Some(from) = counted_from(&inst.kind)
                    && is_wide(self.func.ty(inst.result))
                {
                    self.counting.insert(inst.result);
                    self.derived_from.push((inst.result, from.clone()));
                }
            }
            for target in body.terminator.iter().flat_map(|end| end.kind.targets()) {
                let params = self.func.block(target.block).params.iter().zip(&target.args);
                let wide = params.filter(|(param, _)| is_wide(self.func.ty(**param)));
                self.derived_from.extend(wide.map(|(param, arg)| (*param, arg.clone())));
            }
        }
    }

    /// Drops every candidate that derives from a variable that is not a counter.
    fn retain_counters(mut self) -> HashSet<Var> {
        let mut users: HashMap<Var, Vec<Var>> = HashMap::new();
        let mut lost = Vec::new();
        for (derived, of) in &self.derived_from {
            match of {
                Operand::Var(var) if self.counting.contains(var) => {
                    users.entry(*var).or_default().push(*derived)
                }
                Operand::Var(_) => lost.push(*derived),
                Operand::Const(constant) => {
                    let is_low = constant.value().as_index().is_some_and(|n| n < 1 << 62);
                    lost.extend((!is_low).then_some(*derived));
                }
            }
        }
        while let Some(var) = lost.pop() {
            if self.counting.remove(&var) {
                lost.extend(users.remove(&var).into_iter().flatten());
            }
        }
        self.counting
    }
}

/// The operand that an instruction increases by a small step.
fn counted_from(kind: &InstKind) -> Option<&Operand> {
    let InstKind::Op { op, args } = kind else { return None };
    let [from, step] = &args[..] else { return None };
    let is_step = |operand: &Operand| {
        let step = operand.constant().and_then(|constant| constant.value().as_index());
        step.is_some_and(|step| step <= LONGEST_STEP)
    };
    let adds = **op == ops::ADD || **op == ops::ADD_WRAPPING;
    match (adds, is_step(from), is_step(step)) {
        (true, _, true) => Some(from),
        (true, true, false) => Some(step),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use overdub_context::{Symbol, text};

    use super::*;

    fn counting(begins: &str, step: &str) -> usize {
        let text = format!(
            "fn @f(%n: usize) -> f64 {{
  br ^loop({begins})
^loop(%i: usize):
  %j: usize = add.wrapping %i, {step}
  %c: bool = lt %j, %n
  br_if %c, ^loop(%j), ^done(%j)
^done(%k: usize):
  %x: f64 = cast %k
  ret %x
}}"
        );
        let module = text::parse(&text).expect("it is well formed").module();
        let func = module.func(Symbol::new("f")).expect("nothing is loaded").expect("it is there");
        counters(&func).len()
    }

    #[test]
    fn what_begins_low_and_goes_up_by_little_counts_and_so_does_what_is_handed_it() {
        assert_eq!(counting("0_usize", "1_usize"), 3);
    }

    #[test]
    fn what_begins_anywhere_or_goes_by_leaps_does_not_count() {
        assert_eq!(counting("%n", "1_usize"), 0);
        assert_eq!(counting("0_usize", "9_usize"), 0);
        assert_eq!(counting("0_usize", "%n"), 0);
        assert_eq!(counting("4611686018427387904_usize", "1_usize"), 0);
    }
}
