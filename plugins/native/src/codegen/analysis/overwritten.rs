//! Vectors that a loop overwrites whole before anything reads them: their elements need no first values.
//!
//! It is LLVM's dead store elimination for the stores that `repeat` makes. Gradients create the cotangents of vectors by
//! `repeat`, and loops over elements then set each of them once.
//!
//! - NOFILL1 Until the loop ends, the elements of such a vector may be any; it is then used by the one that sets them alone. Code that
//!   leaves the loop by a failure only releases it.

use hashbrown::HashSet;
use overdub_context::analysis::{Cfg, Defs, Dominators, LoopId, LoopNest};
use overdub_context::ir::{Block, Func, Inst, InstKind, Operand, Target, TerminatorKind, TyKind, Var};
use overdub_context::ops;
use smallvec::SmallVec;

use crate::abi::layout::{Layout, LayoutKind};

/// The vectors that `repeat` creates and a loop overwrites whole, of elements of this many bytes.
pub(in crate::codegen) fn overwritten(
    func: &Func,
    (cfg, dominators, loops): (&Cfg, &Dominators, &LoopNest),
    elem_bytes: i64,
) -> HashSet<Var> {
    let is_of_such = |inst: &&Inst| match &Layout::of(func.ty(inst.result)).shape {
        LayoutKind::Vector(elem) => 1 << elem.log2_size() == elem_bytes,
        _ => false,
    };
    let insts = func.blocks.iter().flat_map(|body| &body.insts);
    let created: Vec<(Var, &Operand)> = insts
        .filter(|inst| matches!(&inst.kind, InstKind::Op { op, .. } if **op == ops::REPEAT))
        .filter(is_of_such)
        .filter_map(|inst| Some((inst.result, inst.kind.operands().nth(1)?)))
        .collect();
    if created.is_empty() || loops.iter().next().is_none() {
        return HashSet::new();
    }
    let search = Search { func, cfg, dominators, loops, defs: Defs::of(func), uses: uses_of_vectors(func) };
    created.into_iter().filter(|(var, len)| search.is_overwritten(*var, len)).map(|(var, _)| var).collect()
}

/// A use of a vector.
#[derive(Clone, Copy)]
enum Use<'f> {
    /// As an operand of an instruction.
    Inst(Block, &'f Inst),
    /// As an argument of a branch, at this position.
    Edge(Block, &'f Target, usize),
    /// By another terminator.
    End,
}

/// The uses of each variable that is a vector.
fn uses_of_vectors(func: &Func) -> Vec<SmallVec<[Use<'_>; 2]>> {
    let mut uses = vec![SmallVec::new(); func.vars.len()];
    let is_vector = |var: &Var| matches!(func.ty(*var).kind(), TyKind::Array(_));
    let mut add = |operand: &Operand, of| {
        if let Some(var) = operand.var().filter(is_vector) {
            uses[var.index()].push(of);
        }
    };
    for (block, body) in func.iter_blocks() {
        for inst in &body.insts {
            inst.kind.operands().for_each(|operand| add(operand, Use::Inst(block, inst)));
        }
        let Some(end) = &body.terminator else { continue };
        for target in end.kind.targets() {
            target.args.iter().enumerate().for_each(|(at, arg)| add(arg, Use::Edge(block, target, at)));
        }
        end.kind.operand().into_iter().for_each(|operand| add(operand, Use::End));
    }
    uses
}

struct Search<'f> {
    func: &'f Func,
    cfg: &'f Cfg,
    dominators: &'f Dominators,
    loops: &'f LoopNest,
    defs: Defs,
    uses: Vec<SmallVec<[Use<'f>; 2]>>,
}

impl<'f> Search<'f> {
    /// Whether each use of a vector of this length enters a loop that overwrites it, or is one of an empty vector.
    fn is_overwritten(&self, created: Var, len: &Operand) -> bool {
        let mut enters = false;
        let uses = &self.uses[created.index()];
        let all = uses.iter().all(|of| {
            let Use::Edge(from, target, at) = *of else { return false };
            let entered = self.is_overwritten_in(target.block, at, from, len);
            enters |= entered;
            entered || self.is_empty_on(from, target, len)
        });
        all && enters
    }

    /// Whether an edge is taken only if a length is zero, since `0 < len` is false.
    fn is_empty_on(&self, from: Block, target: &Target, len: &Operand) -> bool {
        let Some(TerminatorKind::BrIf { cond, then, otherwise }) = self.end(from) else { return false };
        let is_on = |edge: &Target| std::ptr::eq(edge, target);
        match self.op(cond) {
            Some((op, [a, b])) if *op == ops::LT => is_on(otherwise) && is_zero(a) && b == len,
            Some((op, [a, b])) if *op == ops::GE => is_on(then) && is_zero(a) && b == len,
            _ => false,
        }
    }

    /// Whether the loop with this header, entered from outside with a vector as the parameter at this position, sets each element
    /// before it ends, and uses the vector for nothing else.
    fn is_overwritten_in(&self, header: Block, at: usize, from: Block, len: &Operand) -> bool {
        let Some(id) = self.loops.innermost(header) else { return false };
        let [latch] = self.loops.get(id).latches[..] else { return false };
        let of = (id, header, latch);
        let is_entry = self.loops.get(id).header == header && !self.loops.contains(id, from);
        let exits_by_test = self.loops.exits(self.cfg, id).iter().all(|(from, _)| *from == latch);
        let index = self.index(of, len);
        is_entry && exits_by_test && index.is_some_and(|index| self.sets_at(of, at, index))
    }

    /// The number that takes each value below a length once before a loop ends by the test at its end.
    fn index(&self, (id, header, latch): (LoopId, Block, Block), len: &Operand) -> Option<Var> {
        let TerminatorKind::BrIf { cond, then, otherwise } = self.end(latch)? else { return None };
        let continues = then.block == header;
        if continues == (otherwise.block == header) {
            return None;
        }
        let (op, [a, b]) = self.op(cond)? else { return None };
        let (low, high) = match continues {
            true if *op == ops::LT => (a, b),
            true if *op == ops::GT => (b, a),
            false if *op == ops::GE => (a, b),
            false if *op == ops::LE => (b, a),
            _ => return None,
        };
        // Up from zero: the round uses the number before the step. Down to zero: the one after it.
        let (next, steps, first, goes_up) = match high == len {
            true => (low, [&ops::ADD, &ops::ADD_WRAPPING], None, true),
            false if is_zero(low) => (high, [&ops::SUB, &ops::SUB_WRAPPING], Some(len), false),
            false => return None,
        };
        let (op, [counter, step]) = self.op(next)? else { return None };
        if !steps.contains(&op) || constant(step) != Some(1) {
            return None;
        }
        let (block, at) = self.defs.param(counter.var()?)?;
        let back = if continues { then } else { otherwise };
        let begins = |arg: &Operand| first.map_or_else(|| is_zero(arg), |first| arg == first);
        let entries = self.cfg.preds(header).iter().filter(|pred| !self.loops.contains(id, **pred));
        let mut args = entries
            .flat_map(|pred| self.end(*pred).into_iter().flat_map(TerminatorKind::targets))
            .filter(|target| target.block == header)
            .map(|target| &target.args[at]);
        let is_counted = block == header && back.args[at] == *next && args.all(begins);
        is_counted.then(|| if goes_up { counter.var() } else { next.var() })?
    }

    /// Whether each round of a loop sets the element at `index` of the vector that is the header's parameter at this position, and
    /// passes the vector on, and nothing else uses it.
    fn sets_at(&self, (id, header, latch): (LoopId, Block, Block), at: usize, index: Var) -> bool {
        let mut vector = self.func.block(header).params[at];
        let mut is_set = false;
        loop {
            let uses = &self.uses[vector.index()];
            if let [Use::Inst(block, inst)] = uses[..] {
                let InstKind::Op { op, args } = &inst.kind else { return false };
                let runs_each_round =
                    self.loops.innermost(block) == Some(id) && self.dominators.dominates(block, latch);
                let sets = [&ops::SET, &ops::SET_UNCHECKED].contains(op) && args[0].var() == Some(vector);
                if !sets || !runs_each_round {
                    return false;
                }
                is_set |= args[1].var() == Some(index);
                vector = inst.result;
                continue;
            }
            let is_passed_on = |of: &Use<'_>| match of {
                Use::Edge(from, target, to) => *from == latch && (target.block != header || *to == at),
                Use::Inst(..) | Use::End => false,
            };
            return is_set && uses.iter().all(is_passed_on);
        }
    }

    fn end(&self, block: Block) -> Option<&'f TerminatorKind> {
        self.func.block(block).terminator.as_ref().map(|end| &end.kind)
    }

    fn op(&self, operand: &Operand) -> Option<(&'static ops::OpDef, &'f [Operand])> {
        match self.defs.inst(self.func, operand)? {
            InstKind::Op { op, args } => Some((op, args)),
            _ => None,
        }
    }
}

fn is_zero(operand: &Operand) -> bool {
    constant(operand) == Some(0)
}

fn constant(operand: &Operand) -> Option<usize> {
    operand.constant().and_then(|constant| constant.value().as_index())
}

#[cfg(test)]
mod tests {
    use overdub_context::{Symbol, text};

    use super::*;

    /// The number of vectors that the function overwrites.
    fn overwrites(text: &str) -> usize {
        let module = text::parse(text).expect("it is well formed").module();
        let func = module.func(Symbol::new("f")).expect("nothing is loaded").expect("it is there");
        let cfg = Cfg::new(&func);
        let dominators = Dominators::new(&cfg);
        let loops = LoopNest::new(&cfg, &dominators);
        overwritten(&func, (&cfg, &dominators, &loops), 8).len()
    }

    /// A loop over the elements of a vector of `len`, which begins at a number and ends before a bound, whose round is given.
    fn up(len: &str, from: &str, bound: &str, round: &str) -> usize {
        overwrites(&format!(
            "fn @f(%n: usize, %m: usize, %x: f64) -> [f64] {{
  %a: [f64] = repeat 0.0, {len}
  %some: bool = lt 0_usize, %n
  br_if %some, ^loop({from}, %a), ^done(%a)
^loop(%i: usize, %v: [f64]):
{round}
  %j: usize = add.wrapping %i, 1_usize
  %c: bool = lt %j, {bound}
  br_if %c, ^loop(%j, %w), ^done(%w)
^done(%r: [f64]):
  ret %r
}}"
        ))
    }

    const SETS: &str = "  %w: [f64] = set.unchecked %v, %i, %x";

    #[test]
    fn a_loop_that_sets_each_element_overwrites() {
        assert_eq!(up("%n", "0_usize", "%n", SETS), 1);
        assert_eq!(
            up("%n", "0_usize", "%n", "  %u: [f64] = set %v, %m, %x\n  %w: [f64] = set %u, %i, %x"),
            1
        );
    }

    #[test]
    fn a_loop_that_may_leave_an_element_does_not() {
        assert_eq!(up("%m", "0_usize", "%n", SETS), 0);
        assert_eq!(up("%n", "0_usize", "%m", SETS), 0);
        assert_eq!(up("%n", "%m", "%n", SETS), 0);
        assert_eq!(up("%n", "0_usize", "%n", "  %w: [f64] = set %v, %m, %x"), 0);
        let conditional = "  %b: bool = lt %i, %m
  br_if %b, ^set, ^join(%v)
^set:
  %s: [f64] = set %v, %i, %x
  br ^join(%s)
^join(%w: [f64]):";
        assert_eq!(up("%n", "0_usize", "%n", conditional), 0);
        let breaks = "  %w: [f64] = set %v, %i, %x
  %b: bool = lt %i, %m
  br_if %b, ^next, ^done(%w)
^next:";
        assert_eq!(up("%n", "0_usize", "%n", breaks), 0);
    }

    #[test]
    fn a_loop_that_reads_does_not() {
        let adds = "  %g: f64 = get %v, %i\n  %y: f64 = add %g, %x\n  %w: [f64] = set %v, %i, %y";
        assert_eq!(up("%n", "0_usize", "%n", adds), 0);
        let reads = "  %w: [f64] = set %v, %i, %x\n  %g: f64 = get %w, %m";
        assert_eq!(up("%n", "0_usize", "%n", reads), 0);
    }

    #[test]
    fn so_does_a_loop_down_to_the_first_element() {
        let down = |set_at: &str| {
            overwrites(&format!(
                "fn @f(%n: usize, %x: f64) -> [f64] {{
  %a: [f64] = repeat 0.0, %n
  %some: bool = lt 0_usize, %n
  br_if %some, ^loop(%n, %a), ^done(%a)
^loop(%i: usize, %v: [f64]):
  %j: usize = sub.wrapping %i, 1_usize
  %w: [f64] = set.unchecked %v, {set_at}, %x
  %c: bool = lt 0_usize, %j
  br_if %c, ^loop(%j, %w), ^done(%w)
^done(%r: [f64]):
  ret %r
}}"
            ))
        };
        assert_eq!(down("%j"), 1);
        assert_eq!(down("%i"), 0);
    }
}
