//! Recognizes elementwise loops: iterations access different elements, and pass nothing on except indices.
//!
//! - SIMD1 the loop is a chain of blocks, each of which continues or leaves the loop by comparing an index
//!   with a bound. In each iteration all indices rise by one, or all fall by one.
//! - SIMD2 an array that is written is read and written at one index; other arrays are only read.
//! - SIMD3 each step is exact by itself, so that iterations may be computed in any order.

use hashbrown::HashMap;
use overdub_context::analysis::{Cfg, LoopId, LoopNest};
use overdub_context::ir::{Block, Func, Operand, Target, TerminatorKind, Var};
use overdub_context::ops::OpDef;

use super::reader::LoopReader;

/// A longer loop has no SIMD version: its values would not stay in registers.
const LONGEST: usize = 48;

/// A parameter of the loop's header that counts, plus an offset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::codegen) struct Index {
    /// The position of the parameter.
    pub(in crate::codegen) param: usize,
    pub(in crate::codegen) plus: i64,
    /// A loop-invariant integer that is added.
    pub(in crate::codegen) base: Option<Var>,
}

/// A bound of an index during the loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::codegen) enum Bound {
    /// A loop-invariant integer.
    Of(Operand),
    /// The length of an array.
    Length(LoopArray),
    /// The integer at which a falling index ends the loop.
    Last(Operand),
}

/// An array that is read or written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::codegen) enum LoopArray {
    /// A loop-invariant array.
    Before(Var),
    /// A parameter of the header.
    Param(usize),
}

/// A step of an iteration, in program order.
#[derive(Clone, Debug)]
pub(in crate::codegen) enum LoopOp {
    Load(LoopArray, Index),
    /// A loop-invariant float.
    Splat(Operand),
    Unary(&'static OpDef, usize),
    Binary(&'static OpDef, usize, usize),
    /// Stores the result of a step.
    Store(usize, Index, usize),
}

/// An elementwise loop.
#[derive(Default, Debug)]
pub(in crate::codegen) struct Elementwise {
    pub(in crate::codegen) steps: Vec<LoopOp>,
    pub(in crate::codegen) bounds: Vec<(Bound, Index)>,
    /// The parameters that are counters.
    pub(in crate::codegen) counters: Vec<usize>,
    /// Whether they count down.
    pub(in crate::codegen) falls: bool,
    /// The parameters whose elements are written.
    pub(in crate::codegen) written: Vec<usize>,
    /// The blocks of the loop.
    pub(in crate::codegen) blocks: Vec<Block>,
}

/// The elementwise loops of a function, by header.
pub(in crate::codegen) fn find(func: &Func, cfg: &Cfg, nest: &LoopNest) -> HashMap<Block, Elementwise> {
    if nest.iter().next().is_none() {
        return HashMap::new();
    }
    let places = func.definitions();
    let sizes = sizes(cfg, nest);
    let found = nest.iter().filter_map(|(id, found)| {
        let blocks = chain(func, cfg, nest, id, sizes[id.0 as usize])?;
        let reader = LoopReader::new(func, &places, found.header, &blocks)?;
        Some((found.header, reader.read()?))
    });
    found.collect()
}

/// The number of blocks of each loop, including nested loops.
fn sizes(cfg: &Cfg, nest: &LoopNest) -> Vec<usize> {
    let mut sizes = vec![0; nest.iter().count()];
    for LoopId(id) in cfg.reverse_postorder().iter().filter_map(|block| nest.innermost(*block)) {
        sizes[id as usize] += 1;
    }
    for (LoopId(id), this) in nest.iter() {
        if let Some(LoopId(parent)) = this.parent {
            sizes[parent as usize] += sizes[id as usize];
        }
    }
    sizes
}

/// The blocks of a loop in order, if they are a chain (SIMD1); `inside` is their number.
fn chain(func: &Func, cfg: &Cfg, nest: &LoopNest, id: LoopId, inside: usize) -> Option<Vec<Block>> {
    let header = nest.get(id).header;
    let (mut blocks, mut at, mut insts) = (Vec::new(), header, 0);
    loop {
        blocks.push(at);
        insts += func.block(at).insts.len();
        let next = only_target_inside(func, nest, id, at)?.block;
        if next == header {
            return (blocks.len() == inside && header != Block::ENTRY).then_some(blocks);
        }
        if insts > LONGEST || blocks.len() == inside || cfg.preds(next).len() != 1 {
            return None;
        }
        at = next;
    }
}

/// The only target of a block that is inside the loop.
fn only_target_inside<'f>(func: &'f Func, nest: &LoopNest, id: LoopId, block: Block) -> Option<&'f Target> {
    let kind = &func.block(block).terminator.as_ref()?.kind;
    if !matches!(kind, TerminatorKind::Br(_) | TerminatorKind::BrIf { .. }) {
        return None;
    }
    let mut inside = kind.targets().filter(|target| nest.contains(id, target.block));
    let first = inside.next()?;
    inside.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use overdub_context::Symbol;
    use overdub_context::analysis::Dominators;
    use overdub_context::text;

    use super::*;

    fn found(body: &str) -> usize {
        let text = format!(
            "fn @f(%a: f64, %x: [f64], %n: usize, %y: [f64]) -> [f64] {{
  br ^loop(0_usize, %y)
^loop(%i: usize, %z: [f64]):
{body}
  %j: usize = add.wrapping %i, 1_usize
  %c: bool = lt %j, %n
  br_if %c, ^loop(%j, %w), ^done
^done:
  ret %w
}}"
        );
        found_in(&text)
    }

    fn found_in(text: &str) -> usize {
        let module = text::parse(text).expect("it is well formed").module();
        let func = module.func(Symbol::new("f")).expect("nothing is loaded").expect("it is there");
        let cfg = Cfg::new(&func);
        find(&func, &cfg, &LoopNest::new(&cfg, &Dominators::new(&cfg))).len()
    }

    #[test]
    fn a_loop_that_writes_where_it_reads_goes_by_lanes() {
        let body = "  %p: f64 = get %x, %i\n  %q: f64 = mul %a, %p\n  %o: f64 = get %z, %i
  %s: f64 = add %o, %q\n  %w: [f64] = set %z, %i, %s";
        assert_eq!(found(body), 1);
    }

    #[test]
    fn a_loop_that_reads_what_an_earlier_round_wrote_does_not() {
        let body = "  %k: usize = add.wrapping %i, 1_usize\n  %o: f64 = get %z, %i
  %w: [f64] = set %z, %k, %o";
        assert_eq!(found(body), 0);
        assert_eq!(found("  %o: f64 = sin %a\n  %w: [f64] = set %z, %i, %o"), 0);
    }

    #[test]
    fn what_has_a_base_goes_by_lanes_where_it_is_proven_to_be_within() {
        let body = "  %k: usize = add.wrapping %n, %i\n  %p: f64 = get.unchecked %x, %k
  %w: [f64] = set.unchecked %z, %k, %p";
        assert_eq!(found(body), 1);
        assert_eq!(found(&body.replace("get.unchecked", "get")), 0);
        assert_eq!(found(&body.replace("%z, %k", "%z, %i")), 1);
    }

    fn found_falling(body: &str, last: &str) -> usize {
        let text = format!(
            "fn @f(%a: f64, %x: [f64], %n: usize, %y: [f64]) -> [f64] {{
  br ^loop(%n, %y)
^loop(%i: usize, %z: [f64]):
  %k: usize = sub.wrapping %i, 1_usize
{body}
  %c: bool = {last}
  br_if %c, ^done, ^loop(%k, %w)
^done:
  ret %w
}}"
        );
        found_in(&text)
    }

    #[test]
    fn a_loop_that_falls_to_a_number_goes_by_lanes() {
        let body = "  %p: f64 = get %x, %k\n  %o: f64 = get %z, %k\n  %s: f64 = add %o, %p
  %w: [f64] = set %z, %k, %s";
        assert_eq!(found_falling(body, "eq %k, 0_usize"), 1);
        assert_eq!(found_falling(body, "eq %k, %n"), 1);
        assert_eq!(found_falling(body, "lt %k, %n"), 0);
        assert_eq!(found_falling(&body.replace("get %z, %k", "get %z, %i"), "eq %k, 0_usize"), 0);
    }
}
