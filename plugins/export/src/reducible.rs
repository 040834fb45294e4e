//! Node splitting: a loop that is entered at several blocks becomes one that is entered at one.
//!
//! The blocks between another entry and the header are cloned for those who enter there (Muchnick, *Advanced Compiler
//! Design and Implementation*, 7.4). The reverse sweep of a loop that is left in its middle is such a loop.

use hashbrown::{HashMap, HashSet};
use overdub_context::analysis::{Cfg, Dominators, LoopNest};
use overdub_context::ir::{
    Block, BuildError, Case, Func, FuncBuilder, InstKind, Operand, Target, TerminatorKind, Var,
};
use overdub_context::ssa::{SsaBuilder, Variable};

/// The largest number of blocks, as a multiple of the original one.
const MAX_GROWTH: usize = 8;

/// Whether each loop is entered at one block.
pub(crate) fn is_reducible(func: &Func) -> bool {
    let cfg = Cfg::new(func);
    LoopNest::new(&cfg, &Dominators::new(&cfg)).irreducible().is_empty()
}

/// The function with reducible control flow; none if that would take too many clones.
pub(crate) fn reducible(func: Func) -> Result<Option<Func>, BuildError> {
    let most = func.blocks.len() * MAX_GROWTH;
    let mut func = func;
    let mut cloned = 0;
    loop {
        let cfg = Cfg::new(&func);
        if is_reducible(&func) {
            return Ok(Some(func));
        }
        let all: HashSet<Block> = cfg.reverse_postorder().iter().copied().collect();
        let Some(Split { component, region }) = several_entries(&cfg, &all) else { return Ok(None) };
        cloned += region.len();
        if cloned > most {
            return Ok(None);
        }
        func = split(&func, &component, &region)?;
    }
}

/// A loop with several entries, and its blocks to clone, after which one entry is left.
struct Split {
    component: HashSet<Block>,
    region: HashSet<Block>,
}

fn several_entries(cfg: &Cfg, within: &HashSet<Block>) -> Option<Split> {
    for component in components(cfg, within) {
        let is_entry = |block: &&Block| {
            **block == Block::ENTRY || cfg.preds(**block).iter().any(|pred| !component.contains(pred))
        };
        let mut entries: Vec<Block> = component.iter().filter(is_entry).copied().collect();
        entries.sort();
        if let [header] = entries[..] {
            let inner: HashSet<Block> = component.iter().copied().filter(|block| *block != header).collect();
            if let Some(found) = several_entries(cfg, &inner) {
                return Some(found);
            }
            continue;
        }
        let splits = entries.iter().map(|&header| {
            let mut region: HashSet<Block> = HashSet::new();
            let mut waiting: Vec<Block> = entries.iter().copied().filter(|entry| *entry != header).collect();
            while let Some(block) = waiting.pop() {
                if region.insert(block) {
                    let inside = |succ: &&Block| **succ != header && component.contains(*succ);
                    waiting.extend(cfg.succs(block).iter().filter(inside));
                }
            }
            (header, region)
        });
        let (_, region) = splits.min_by_key(|(header, region)| (region.len(), *header))?;
        return Some(Split { component, region });
    }
    None
}

/// The strongly connected components that contain a cycle (Tarjan, by an explicit stack).
fn components(cfg: &Cfg, within: &HashSet<Block>) -> Vec<HashSet<Block>> {
    let mut found = Vec::new();
    let mut number: HashMap<Block, usize> = HashMap::new();
    let mut low: HashMap<Block, usize> = HashMap::new();
    let (mut open, mut is_open): (Vec<Block>, HashSet<Block>) = (Vec::new(), HashSet::new());
    let mut roots: Vec<Block> = within.iter().copied().collect();
    roots.sort();
    for root in roots {
        if number.contains_key(&root) {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some((block, at)) = path.last().copied() {
            if at == 0 {
                number.insert(block, number.len());
                low.insert(block, number[&block]);
                open.push(block);
                is_open.insert(block);
            }
            let succ = cfg.succs(block).iter().filter(|succ| within.contains(*succ)).nth(at).copied();
            if let Some(succ) = succ {
                path.last_mut().expect("it is not empty").1 += 1;
                if !number.contains_key(&succ) {
                    path.push((succ, 0));
                } else if is_open.contains(&succ) {
                    let least = low[&block].min(number[&succ]);
                    low.insert(block, least);
                }
                continue;
            }
            path.pop();
            if let Some((above, _)) = path.last() {
                let least = low[above].min(low[&block]);
                low.insert(*above, least);
            }
            if low[&block] == number[&block] {
                let from = open.iter().rposition(|other| *other == block).expect("it is open");
                let component: HashSet<Block> = open.drain(from..).collect();
                component.iter().for_each(|block| {
                    is_open.remove(block);
                });
                if component.len() > 1 || cfg.succs(block).contains(&block) {
                    found.push(component);
                }
            }
        }
    }
    found
}

/// A block of the new function: a block of the old one, or its clone.
type Copied = (Block, bool);

/// Clones the blocks of `region`: who enters it from outside of the loop enters the clone.
fn split(func: &Func, inside: &HashSet<Block>, region: &HashSet<Block>) -> Result<Func, BuildError> {
    let cfg = Cfg::new(func);
    let copied = |from: Copied, to: Block| -> Copied {
        let (block, is_clone) = from;
        (to, region.contains(&to) && (is_clone || !inside.contains(&block)))
    };
    let mut rebuilt = Rebuilt::new(func)?;
    let order = cfg.reverse_postorder().iter();
    let all: Vec<Copied> = order
        .flat_map(|&block| {
            let clone = region.contains(&block).then_some((block, true));
            std::iter::once((block, false)).chain(clone)
        })
        .collect();
    for &copy in &all {
        rebuilt.open(copy);
    }
    for &copy in &all {
        rebuilt.fill(copy, &|to| copied(copy, to))?;
    }
    rebuilt.build.finish()
}

/// A function that is built again, with a mutable variable for each of its variables.
struct Rebuilt<'f> {
    func: &'f Func,
    build: SsaBuilder,
    variables: Vec<Variable>,
    blocks: HashMap<Copied, Block>,
}

impl<'f> Rebuilt<'f> {
    fn new(func: &'f Func) -> Result<Rebuilt<'f>, BuildError> {
        let mut inner = FuncBuilder::new(func.name, func.ret);
        inner.set_func_span(func.span);
        let mut build = SsaBuilder::new(inner);
        let variables: Vec<Variable> =
            func.vars.iter().map(|def| build.declare_variable(def.ty, def.name.as_deref())).collect();
        let mut rebuilt = Rebuilt { func, build, variables, blocks: HashMap::new() };
        rebuilt.blocks.insert((Block::ENTRY, false), Block::ENTRY);
        for &param in func.params() {
            let name = func.var_label(param).to_string();
            let new = rebuilt.build.param(&name, func.ty(param));
            rebuilt.build.write_variable(rebuilt.variables[param.index()], new)?;
        }
        Ok(rebuilt)
    }

    fn open(&mut self, copy: Copied) {
        if copy != (Block::ENTRY, false) {
            let block = self.build.new_block();
            self.blocks.insert(copy, block);
        }
    }

    fn operand(&mut self, operand: &Operand) -> Result<Operand, BuildError> {
        match operand {
            Operand::Var(var) => self.build.read_variable(self.variables[var.index()]),
            constant => Ok(constant.clone()),
        }
    }

    fn fill(&mut self, copy: Copied, copied: &dyn Fn(Block) -> Copied) -> Result<(), BuildError> {
        let func = self.func;
        let body = func.block(copy.0);
        let block = self.blocks[&copy];
        if copy != (Block::ENTRY, false) {
            self.build.switch_to(block)?;
            for &param in &body.params {
                let new = self.build.block_param(block, func.ty(param));
                self.define(param, new)?;
            }
        }
        for inst in &body.insts {
            let mut kind: InstKind = inst.kind.clone();
            for operand in kind.operands_mut() {
                *operand = self.operand(operand)?;
            }
            self.build.set_span(inst.span);
            let new = self.build.inst(kind, func.ty(inst.result))?;
            self.define(inst.result, new)?;
        }
        let Some(terminator) = &body.terminator else { return Ok(()) };
        self.build.set_span(terminator.span);
        let target = |this: &mut Self, target: &Target| -> Result<Target, BuildError> {
            let args: Result<Vec<Operand>, BuildError> =
                target.args.iter().map(|arg| this.operand(arg)).collect();
            Ok(Target { block: this.blocks[&copied(target.block)], args: args? })
        };
        let kind = match &terminator.kind {
            TerminatorKind::Br(to) => TerminatorKind::Br(target(self, to)?),
            TerminatorKind::BrIf { cond, then, otherwise } => TerminatorKind::BrIf {
                cond: self.operand(cond)?,
                then: target(self, then)?,
                otherwise: target(self, otherwise)?,
            },
            TerminatorKind::Switch { on, cases, otherwise } => TerminatorKind::Switch {
                on: self.operand(on)?,
                cases: cases
                    .iter()
                    .map(|case| Ok(Case { value: case.value, target: target(self, &case.target)? }))
                    .collect::<Result<_, BuildError>>()?,
                otherwise: otherwise.as_ref().map(|to| target(self, to)).transpose()?,
            },
            TerminatorKind::Ret(value) => TerminatorKind::Ret(self.operand(value)?),
            TerminatorKind::Fail(message) => TerminatorKind::Fail(self.operand(message)?),
        };
        self.build.terminate(kind)
    }

    fn define(&mut self, var: Var, new: Var) -> Result<(), BuildError> {
        if let Some(name) = self.func.vars[var.index()].name {
            self.build.name_var(new, &name);
        }
        self.build.write_variable(self.variables[var.index()], new)
    }
}
