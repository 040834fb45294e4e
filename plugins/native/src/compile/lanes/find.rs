//! Which loops go element by element: each round reads and writes elements of its own, and nothing else goes from one
//! round to the next than indices.
//!
//! - E1 such a loop is a chain of blocks, each of which goes on or leaves the loop, by comparing an index with a bound.
//! - E2 an array that is written is read and written at one and the same index; others are only read.
//! - E3 what a round computes is exact by itself, so that rounds may be computed side by side.

use hashbrown::HashMap;
use overdub_context::analysis::{Cfg, LoopId, LoopNest};
use overdub_context::ir::{Block, Func, Inst, InstKind, Operand, Place, Target, TerminatorKind, Ty, Var};
use overdub_context::ops;

/// A longer round is compiled one after the other only: its lanes would not stay in registers.
const LONGEST: usize = 48;

/// A parameter of the loop's header that counts, and what is added to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Index {
    /// Which parameter of the header.
    pub(super) param: usize,
    pub(super) plus: i64,
}

/// What an index stays below while rounds go on as they do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// An integer from before the loop.
    Of(Operand),
    /// The length of an array.
    Length(Source),
}

/// An array whose elements are read or written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Source {
    /// From before the loop.
    Before(Var),
    /// This parameter of the header.
    Param(usize),
}

/// What a round computes, in the order of the program.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Load(Source, Index),
    /// A float from before the loop, for all rounds.
    Same(Operand),
    One(&'static str, usize),
    Two(&'static str, usize, usize),
    /// Writes what a step computed.
    Store(usize, Index, usize),
}

/// A loop that goes element by element.
#[derive(Default, Debug)]
pub(super) struct Elementwise {
    pub(super) steps: Vec<Step>,
    pub(super) bounds: Vec<(Bound, Index)>,
    /// The parameters that count.
    pub(super) counters: Vec<usize>,
    /// The parameters whose elements are written.
    pub(super) written: Vec<usize>,
    /// The blocks of the loop.
    pub(super) blocks: Vec<Block>,
}

/// The loops of a function that go element by element, by their headers.
pub(super) fn find(func: &Func, cfg: &Cfg, nest: &LoopNest) -> HashMap<Block, Elementwise> {
    if nest.iter().next().is_none() {
        return HashMap::new();
    }
    let places = func.definitions();
    let sizes = sizes(cfg, nest);
    let found = nest.iter().filter_map(|(id, found)| {
        let blocks = chain(func, cfg, nest, id, sizes[id.0 as usize])?;
        let reader = Reader::new(func, &places, found.header, &blocks)?;
        Some((found.header, reader.read()?))
    });
    found.collect()
}

/// How many blocks there are in each loop, those of the loops in it counted.
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

/// The blocks of a loop with so many `inside` in their order, if they are a chain (E1).
fn chain(func: &Func, cfg: &Cfg, nest: &LoopNest, id: LoopId, inside: usize) -> Option<Vec<Block>> {
    let header = nest.get(id).header;
    let (mut blocks, mut at, mut insts) = (Vec::new(), header, 0);
    loop {
        blocks.push(at);
        insts += func.block(at).insts.len();
        let next = stays(func, nest, id, at)?.block;
        if next == header {
            return (blocks.len() == inside && header != Block::ENTRY).then_some(blocks);
        }
        if insts > LONGEST || blocks.len() == inside || cfg.preds(next).len() != 1 {
            return None;
        }
        at = next;
    }
}

/// The one target of a block that is in the loop.
fn stays<'f>(func: &'f Func, nest: &LoopNest, id: LoopId, block: Block) -> Option<&'f Target> {
    let kind = &func.block(block).terminator.as_ref()?.kind;
    if !matches!(kind, TerminatorKind::Br(_) | TerminatorKind::BrIf { .. }) {
        return None;
    }
    let mut inside = kind.targets().filter(|target| nest.contains(id, target.block));
    let first = inside.next()?;
    inside.next().is_none().then_some(first)
}

/// What a variable of the loop is.
#[derive(Clone, Copy, Debug)]
enum Known {
    Index(Index),
    /// What a step computes.
    Step(usize),
    /// A parameter's array, written or not.
    Array(usize),
    /// A comparison that is among the bounds.
    Goes,
}

/// A loop while it is read.
struct Reader<'f> {
    func: &'f Func,
    places: &'f [Option<Place>],
    blocks: &'f [Block],
    header: Block,
    known: HashMap<Var, Known>,
    same: HashMap<Operand, usize>,
    /// What reads of written arrays were made at.
    reads: Vec<(usize, Index)>,
    found: Elementwise,
}

impl<'f> Reader<'f> {
    fn new(
        func: &'f Func,
        places: &'f [Option<Place>],
        header: Block,
        blocks: &'f [Block],
    ) -> Option<Reader<'f>> {
        let mut known = HashMap::new();
        for (param, &var) in func.block(header).params.iter().enumerate() {
            let ty = func.ty(var);
            if ty == Ty::usize() {
                known.insert(var, Known::Index(Index { param, plus: 0 }));
            } else if is_floats(ty) {
                known.insert(var, Known::Array(param));
            } else {
                return None;
            }
        }
        let found = Elementwise { blocks: blocks.to_vec(), ..Elementwise::default() };
        let (same, reads) = (HashMap::new(), Vec::new());
        Some(Reader { func, places, blocks, header, known, same, reads, found })
    }

    fn read(mut self) -> Option<Elementwise> {
        let blocks = self.blocks;
        for (k, &block) in blocks.iter().enumerate() {
            for inst in &self.func.block(block).insts {
                let known = self.inst(inst)?;
                self.known.insert(inst.result, known);
            }
            let next = blocks.get(k + 1).copied().unwrap_or(self.header);
            self.end(block, next)?;
        }
        let at_store = |param: usize| {
            self.found.steps.iter().find_map(|step| match step {
                Step::Store(to, at, _) if *to == param => Some(*at),
                _ => None,
            })
        };
        // E2
        let fits = self.reads.iter().all(|(param, at)| at_store(*param).is_none_or(|store| store == *at));
        (fits && !self.found.written.is_empty()).then_some(self.found)
    }

    fn end(&mut self, block: Block, next: Block) -> Option<()> {
        let kind = &self.func.block(block).terminator.as_ref()?.kind;
        if let TerminatorKind::BrIf { cond, then, otherwise } = kind
            && !(matches!(self.known.get(&cond.var()?)?, Known::Goes)
                && then.block == next
                && otherwise.block != next)
        {
            return None;
        }
        let target = kind.targets().find(|target| target.block == next)?;
        let params = &self.func.block(next).params;
        for (at, (arg, &param)) in target.args.iter().zip(params).enumerate() {
            let known = *self.known.get(&arg.var()?)?;
            if next != self.header {
                self.known.insert(param, known);
                continue;
            }
            match known {
                Known::Index(index) if index == (Index { param: at, plus: 1 }) => {
                    self.found.counters.push(at)
                }
                Known::Array(array) if array == at => {}
                _ => return None,
            }
        }
        Some(())
    }

    fn inst(&mut self, inst: &Inst) -> Option<Known> {
        let InstKind::Op { op, args } = &inst.kind else { return None };
        // A plugin's operation may have any name.
        if ops::by_name(op.name) != Some(*op) {
            return None;
        }
        match (op.name, args.as_slice()) {
            ("add" | "add.wrapping", [x, n]) if self.func.ty(inst.result) == Ty::usize() => {
                self.index_sum(op.name, x, n)
            }
            ("lt", [x, bound]) => {
                let Known::Index(index) = *self.known.get(&x.var()?)? else { return None };
                let bound = self.before(bound, Ty::usize())?;
                self.found.bounds.push((Bound::Of(bound), index));
                Some(Known::Goes)
            }
            ("get" | "get.unchecked", [array, at]) => {
                let (source, at) = (self.source(array)?, self.index(at)?);
                if let Source::Param(param) = source {
                    // What was written in this round is not read again.
                    if self.found.written.contains(&param) {
                        return None;
                    }
                    self.reads.push((param, at));
                }
                self.found.bounds.push((Bound::Length(source), at));
                Some(self.step(Step::Load(source, at)))
            }
            ("set" | "set.unchecked", [array, at, value]) => {
                let Source::Param(param) = self.source(array)? else { return None };
                let (at, value) = (self.index(at)?, self.float(value)?);
                if self.found.written.contains(&param) {
                    return None;
                }
                self.found.written.push(param);
                self.found.bounds.push((Bound::Length(Source::Param(param)), at));
                self.step(Step::Store(param, at, value));
                Some(Known::Array(param))
            }
            ("neg" | "abs" | "sqrt", [x]) => {
                let x = self.float(x)?;
                Some(self.step(Step::One(op.name, x)))
            }
            ("add" | "sub" | "mul" | "div" | "mul.zero", [x, y]) => {
                let (x, y) = (self.float(x)?, self.float(y)?);
                Some(self.step(Step::Two(op.name, x, y)))
            }
            _ => None,
        }
    }

    fn index_sum(&mut self, op: &str, x: &Operand, n: &Operand) -> Option<Known> {
        let Known::Index(index) = *self.known.get(&x.var()?)? else { return None };
        let (_, n) = n.constant()?.value().as_int()?;
        let n = i64::try_from(n).ok().filter(|n| (0..1 << 20).contains(n))?;
        let index = Index { plus: index.plus + n, ..index };
        if op == "add" {
            // So far it cannot overflow.
            self.found.bounds.push((Bound::Of((usize::MAX >> 1).into()), index));
        }
        Some(Known::Index(index))
    }

    fn step(&mut self, step: Step) -> Known {
        self.found.steps.push(step);
        Known::Step(self.found.steps.len() - 1)
    }

    fn index(&self, at: &Operand) -> Option<Index> {
        match self.known.get(&at.var()?)? {
            Known::Index(index) => Some(*index),
            _ => None,
        }
    }

    /// The step that computes a float.
    fn float(&mut self, x: &Operand) -> Option<usize> {
        if let Some(Known::Step(step)) = x.var().and_then(|var| self.known.get(&var)) {
            return Some(*step);
        }
        let x = self.before(x, Ty::f64())?;
        if let Some(step) = self.same.get(&x) {
            return Some(*step);
        }
        self.found.steps.push(Step::Same(x.clone()));
        self.same.insert(x, self.found.steps.len() - 1);
        Some(self.found.steps.len() - 1)
    }

    fn source(&self, array: &Operand) -> Option<Source> {
        match self.known.get(&array.var()?) {
            Some(Known::Array(param)) => Some(Source::Param(*param)),
            Some(_) => None,
            None => match self.before(array, Ty::array(Ty::f64(), 1))? {
                Operand::Var(var) => Some(Source::Before(var)),
                Operand::Const(_) => None,
            },
        }
    }

    /// An operand of this type that is there before the loop.
    fn before(&self, operand: &Operand, ty: Ty) -> Option<Operand> {
        let is_before = match operand {
            Operand::Const(constant) => constant.value().ty() == ty,
            Operand::Var(var) => {
                let home = match self.places.get(var.index()).copied().flatten()? {
                    Place::Head => None,
                    Place::Block(block) | Place::Inst(block, _) => Some(block),
                    Place::Terminator(_) => return None,
                };
                self.func.ty(*var) == ty && home.is_none_or(|home| !self.blocks.contains(&home))
            }
        };
        is_before.then(|| operand.clone())
    }
}

fn is_floats(ty: Ty) -> bool {
    ty.as_array().is_some_and(|array| array.rank == 1 && array.elem == Ty::f64())
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
        let module = text::parse(&text).expect("it is well formed").module();
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
}
