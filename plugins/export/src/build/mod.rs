//! Statements from SSA: structured control flow from the dominator tree, expressions from nodes with one use.
//!
//! - BUILD1 the control flow follows Ramsey, *Beyond Relooper* (ICFP 2022): a block that several branches join in
//!   follows the labelled block that they leave; a loop has a label to continue. Blocks that leave a loop follow it.
//! - BUILD2 a pure node whose only use is in its block becomes part of the expression that uses it. It is evaluated
//!   there, so it is written out before a statement that changes or moves a local that it reads.
//! - BUILD3 nodes that may fail, and those with effects, are statements in the order of the IR.

mod control;
mod nodes;
mod shape;
mod values;

use std::rc::Rc;

use hashbrown::{HashMap, HashSet};
use overdub_context::analysis::{Cfg, Dominators, LoopNest};
use overdub_context::ir::{Block, Operand, TyKind, Var};
use overdub_context::ops;
use overdub_context::{Span, Symbol};

use self::shape::Shape;
use crate::ast::{Arg, Function, Label, Local, Stmt, StmtKind};
use crate::body::{Body, NodeKind, index};
use crate::coalesce::{Locals, borrows};
use crate::counted::{Counted, counted};
use crate::liveness::{Borrows, Liveness, with_owners};
use crate::sites::Sites;

/// What the statements of a function depend on besides its body.
pub(crate) struct Calls<'c> {
    /// Whether a function wants the argument of this number as a value of its own.
    pub(crate) owns: &'c dyn Fn(Symbol, usize) -> bool,
}

/// The control flow has two entries into a loop.
#[derive(Debug)]
pub(crate) struct Irreducible(pub(crate) Span);

/// The statements of a function; `is_ref` tells which parameters are references.
pub(crate) fn build(
    body: &Body,
    cfg: &Cfg,
    calls: &Calls<'_>,
    refs: &[bool],
) -> Result<Function, Irreducible> {
    let dominators = Dominators::new(cfg);
    let loops = LoopNest::new(cfg, &dominators);
    if let Some((from, _)) = loops.irreducible().first() {
        return Err(Irreducible(body.block(*from).terminator.span));
    }
    let is_ref = |var: Var| body.params().iter().position(|&param| param == var).is_some_and(|at| refs[at]);
    let shape = Shape { body, cfg, dominators: &dominators, loops: &loops };
    let placed = shape.placed();
    // The end of a `for` loop leads to what follows it.
    let ends_there = |header: Block, counted: &Counted| {
        placed.get(&(header, true)).and_then(|follow| follow.first()) == Some(&counted.exit)
    };
    let sites = Sites::new(body);
    let counted_loops: HashMap<Block, Counted> = loops
        .iter()
        .filter_map(|(_, l)| Some((l.header, counted(body, &sites, cfg, &loops, l.header)?)))
        .filter(|(header, found)| ends_there(*header, found))
        .collect();
    let mut fixed = HashSet::new();
    let mut skipped = HashSet::new();
    let mut extra: HashMap<Block, Vec<Var>> = HashMap::new();
    for (header, found) in &counted_loops {
        fixed.extend([found.counter, found.param]);
        // The range is evaluated after the parameters of the loop are assigned.
        let range = [&found.from, &found.to].into_iter().filter_map(|operand| operand.var());
        extra.entry(*header).or_default().extend(range);
        skipped.extend(body.block(*header).nodes[0].result());
        skipped.extend(found.computed.iter().copied());
    }
    let borrowed = borrows(body, cfg, &is_ref);
    let live = Liveness::with_extra(body, cfg, &borrowed, extra);
    let locals = Locals::new(body, cfg, &loops, (&live, &borrowed), &|var| fixed.contains(&var), &is_ref);
    let owners = Rc::new(owners(body, &borrowed, &locals));
    let taken_apart = taken_apart(body, &loops, &borrowed, &locals);
    let mut builder = Builder {
        owners,
        taken_apart,
        shape,
        calls,
        counted: counted_loops,
        skipped,
        sites,
        live: &live,
        borrows: &borrowed,
        locals,
        pending: Vec::new(),
        last: Vec::new(),
        frames: Vec::new(),
        labels: 0,
        placed,
    };
    let mut list = Vec::new();
    builder.tree(Block::ENTRY, Next::End, &mut list);
    let params = body.params().iter().map(|&var| builder.locals.of[var.index()]).collect();
    let Locals { infos, .. } = builder.locals;
    Ok(Function {
        symbol: body.name,
        span: body.span,
        params,
        destinations: Vec::new(),
        has_workspace: false,
        ret: body.ret,
        locals: infos,
        body: list,
        depth: depth(&dominators),
    })
}

/// The depth of a dominator tree.
pub(crate) fn depth(dominators: &Dominators) -> usize {
    let mut depths: HashMap<Block, usize> = HashMap::new();
    for &block in dominators.preorder() {
        let above = dominators.idom(block).and_then(|idom| depths.get(&idom)).copied().unwrap_or(0);
        depths.insert(block, above + 1);
    }
    depths.into_values().max().unwrap_or(0)
}

/// Where control passes at the end of a statement list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// Nowhere: the list does not end.
    End,
    Block(Block),
    /// The next round of the loop with this header.
    Round(Block),
}

/// An enclosing loop or labelled block.
struct Frame {
    label: Label,
    /// The header, if it is a loop.
    header: Option<Block>,
    /// The block that follows it.
    follows: Option<Block>,
}

/// A node whose evaluation waits for its use.
struct Pending {
    var: Var,
    arg: Arg,
    span: Span,
}

struct Builder<'b> {
    shape: Shape<'b>,
    calls: &'b Calls<'b>,
    counted: HashMap<Block, Counted>,
    /// Variables that a counted loop defines by itself.
    skipped: HashSet<Var>,
    sites: Sites,
    live: &'b Liveness,
    borrows: &'b Borrows,
    locals: Locals,
    /// For each local that is a reference, the locals that it is borrowed from.
    owners: Rc<HashMap<Local, Vec<Local>>>,
    /// Locals with tuples that are only taken apart, each part once.
    taken_apart: HashSet<Local>,
    pending: Vec<Pending>,
    /// The variables used last by each node of the current block.
    last: Vec<Vec<Var>>,
    frames: Vec<Frame>,
    labels: u32,
    /// The blocks that follow the statements of a block, and those that follow its loop.
    placed: HashMap<(Block, bool), Vec<Block>>,
}

/// The locals with tuples that are only taken apart, each part once and in the loop in which the tuple is made.
fn taken_apart(body: &Body, loops: &LoopNest, borrows: &Borrows, locals: &Locals) -> HashSet<Local> {
    let mut made: HashMap<Var, Block> = HashMap::new();
    for (block, code) in (0..).map(Block).zip(&body.blocks) {
        let results = code.nodes.iter().flat_map(|node| node.results.iter().flatten());
        let tuples = results.filter(|var| matches!(body.vars[var.index()].ty.kind(), TyKind::Tuple(_)));
        made.extend(tuples.map(|&var| (var, block)));
    }
    let mut parts: HashSet<(Var, usize)> = HashSet::new();
    let mut others: HashSet<Var> = HashSet::new();
    for (block, code) in (0..).map(Block).zip(&body.blocks) {
        for node in &code.nodes {
            for (number, var) in
                node.args.iter().enumerate().filter_map(|(number, arg)| Some((number, arg.var()?)))
            {
                let is_field = number == 0 && matches!(node.kind, NodeKind::Op(op) if op == &ops::FIELD);
                let part = node.args.get(1).and_then(index).filter(|_| is_field);
                let is_near = made.get(&var).is_some_and(|at| loops.innermost(*at) == loops.innermost(block));
                if !is_near || part.is_none_or(|part| !parts.insert((var, part))) {
                    others.insert(var);
                }
            }
        }
        others.extend(code.terminator.kind.operands().filter_map(Operand::var));
    }
    let mut members: HashMap<Local, usize> = HashMap::new();
    locals.of.iter().for_each(|local| *members.entry(*local).or_default() += 1);
    let lent: HashSet<Var> = borrows.iter().copied().flatten().collect();
    let is_alone = |var: Var| members[&locals.of[var.index()]] == 1 && borrows[var.index()].is_none();
    made.into_keys()
        .filter(|var| !others.contains(var) && is_alone(*var) && !lent.contains(var))
        .map(|var| locals.of[var.index()])
        .collect()
}

/// For each local that is a reference, the locals that it is borrowed from.
fn owners(body: &Body, borrows: &Borrows, locals: &Locals) -> HashMap<Local, Vec<Local>> {
    let mut owners: HashMap<Local, Vec<Local>> = HashMap::new();
    for var in (0..body.vars.len() as u32).map(Var).filter(|var| borrows[var.index()].is_some()) {
        let found = owners.entry(locals.of[var.index()]).or_default();
        with_owners(var, borrows, |owner| found.push(locals.of[owner.index()]));
    }
    owners
}

fn assign(targets: Vec<Option<Local>>, value: Arg, span: Span) -> Stmt {
    Stmt { kind: StmtKind::Assign { targets, splits: false, value, declares: false }, span }
}
