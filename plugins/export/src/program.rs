//! The functions to export: those that are asked for, and all that they call, optimised for reading.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use overdub_ad::transform::with_plain_products;
use overdub_context::Symbol;
use overdub_context::analysis::{Cfg, Dominators, LoopNest};
use overdub_context::ir::{
    Block, BlockBody, BuildError, Const, Func, InstKind, Module, Operand, Target, Terminator, TerminatorKind,
    Var,
};
use overdub_context::ops::{self, OpDef};
use overdub_passes::{FuncEditor, Limits, Pipeline, Scope, by_name, callees};

use crate::ast::Function;
use crate::body::{Body, NodeKind};
use crate::build::{Calls, Irreducible, build, depth};
use crate::constants::{functions_in, read_in_place};
use crate::error::ExportError;
use crate::ownership::{consumes, is_copied};
use crate::reducible::{is_reducible, reducible};
use crate::scopes::declare;
use crate::silent::silent;
use crate::tidy::tidy;
use crate::unused::remove_unused;

/// What functions are exported for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// To be read, and to say why they fail.
    Text,
    /// To be called by a host that finds out elsewhere why one fails: without messages.
    Host,
    /// To run in lanes: without messages, and without calls, if there are not very many.
    Lanes,
}

/// The most instructions of a function in lanes with everything that it calls.
const MOST_INSTRUCTIONS: usize = 20_000;

/// A function, and for each of its parameters whether it is a reference.
pub(crate) type Exported = (Function, Vec<bool>);

/// The functions with these names and all that they call. The first of `callers` comes after the functions that are asked
/// for; nothing is inlined into the callers. In those that are `plain`, zero times infinity is NaN.
pub(crate) fn program(
    module: &Module,
    roots: &[Symbol],
    callers: &[Symbol],
    (purpose, is_plain): (Purpose, &dyn Fn(Symbol) -> bool),
) -> Result<Vec<Exported>, ExportError> {
    let mut bodies: Vec<Body> = Vec::new();
    let mut cfgs: Vec<Cfg> = Vec::new();
    let roots: Vec<Symbol> = roots.iter().copied().chain(callers.first().copied()).collect();
    let mut known: HashSet<Symbol> = roots.iter().copied().collect();
    let mut waiting: Vec<Symbol> = roots.clone();
    let all = callees(module);
    let mut at = 0;
    while let Some(&name) = waiting.get(at) {
        at += 1;
        let callee = |callee: Symbol| if callers.contains(&name) { None } else { all(callee) };
        let func = module.func(name).map_err(|cause| ExportError::Load { func: name, cause })?;
        let func = func.ok_or(ExportError::Missing(name))?;
        let span = func.span;
        let unsupported = |construct: String| ExportError::Unsupported { func: name, construct, span };
        let scope = || match purpose {
            Purpose::Text | Purpose::Host => Scope::new(&callee),
            Purpose::Lanes => Scope::new(&callee)
                .with_limits(Limits { callee: MOST_INSTRUCTIONS, total: MOST_INSTRUCTIONS }),
        };
        let func = optimised(&func, &scope());
        let func = if is_plain(name) { with_plain_products(func) } else { func };
        let func = if purpose == Purpose::Text { func } else { silenced(func, &scope()) };
        let func = structured(func, &scope())
            .map_err(|error| unsupported(format!("its control flow cannot be structured: {error}")))?
            .ok_or_else(|| unsupported("its loops are entered at too many places".to_owned()))?;
        // A context that changes nothing leaves a function its name.
        let func = Func { name, ..func };
        let exact = exact(&func);
        let func = with_landing_blocks(func);
        let body =
            Body::new(&func, &|var| exact.contains(&var)).map_err(|span| ExportError::Unsupported {
                func: name,
                construct: "it contains a call that only a context can give a meaning".to_owned(),
                span,
            })?;
        waiting.extend(func.mentioned().filter(|name| known.insert(*name)));
        for_each_constant(&body, &mut |constant| {
            functions_in(constant.value(), &mut |name| waiting.extend(known.insert(name).then_some(name)));
        });
        cfgs.push(Cfg::new(&func));
        bodies.push(body);
    }
    let refs = reference_params(&bodies, &roots);
    let owns = |name: Symbol, number: usize| {
        refs.get(&name).and_then(|refs| refs.get(number)).is_none_or(|is_ref| !is_ref)
    };
    bodies.iter_mut().for_each(|body| read_in_place(body, &owns));
    let mut functions = Vec::new();
    for ((body, cfg), name) in bodies.iter().zip(&cfgs).zip(&waiting) {
        let refs = refs[name].clone();
        let levels = depth(&Dominators::new(cfg));
        let function = with_stack_for(levels, || -> Result<Function, Irreducible> {
            let mut function = build(body, cfg, &Calls { owns: &owns }, &refs)?;
            // What is tidied away may have been the only use.
            for _ in 0..3 {
                tidy(&mut function.body);
                remove_unused(&mut function);
            }
            tidy(&mut function.body);
            declare(&mut function);
            Ok(function)
        });
        let function = function.map_err(|irreducible| ExportError::Unsupported {
            func: *name,
            construct: "it jumps into a loop".to_owned(),
            span: irreducible.0,
        })?;
        functions.push((function, refs));
    }
    Ok(functions)
}

/// Calls `visit` with each constant of a body.
fn for_each_constant(body: &Body, visit: &mut dyn FnMut(&Const)) {
    for block in &body.blocks {
        for node in &block.nodes {
            if let NodeKind::Const(constant) = &node.kind {
                visit(constant);
            }
            node.args.iter().filter_map(Operand::constant).for_each(&mut *visit);
        }
        block.terminator.kind.operands().filter_map(Operand::constant).for_each(&mut *visit);
    }
}

/// Runs a recursion over statements that nest this deeply on a sufficiently large stack.
pub(crate) fn with_stack_for<R>(levels: usize, run: impl FnOnce() -> R) -> R {
    /// The frames of one level, where they are not optimised.
    const LEVEL_BYTES: usize = 64 << 10;
    let needed = (1 << 20) + levels * LEVEL_BYTES;
    stacker::maybe_grow(needed, needed, run)
}

/// The function as it is exported: optimised, with its loops as they are written.
fn optimised(func: &Arc<Func>, scope: &Scope<'_>) -> Func {
    let optimised = Pipeline::optimising().run(func, scope);
    let counted = Pipeline::once(by_name("exit_values")).run(&optimised, scope);
    let mut editor = FuncEditor::new(&counted);
    let changes = by_name("predictive_commoning").is_some_and(|pass| (pass.run)(&mut editor, scope));
    if !changes {
        return counted;
    }
    // The loops keep their single entries, by which the facts about their counters are found.
    Pipeline::once(["simplify", "dce"].into_iter().filter_map(by_name)).run(&editor.finish(), scope)
}

/// The function without messages of failures, and without what they were made of.
fn silenced(func: Func, scope: &Scope<'_>) -> Func {
    let passes = ["simplify_cfg", "simplify", "dce"].into_iter().filter_map(by_name);
    Pipeline::once(passes).run(&silent(func), scope)
}

/// The function with reducible control flow; the passes after it change no control flow.
fn structured(func: Func, scope: &Scope<'_>) -> Result<Option<Func>, BuildError> {
    let blocks = func.blocks.len();
    let Some(split) = reducible(func)? else { return Ok(None) };
    if split.blocks.len() == blocks {
        return Ok(Some(split));
    }
    let cleaned = Pipeline::once(["simplify_cfg", "simplify", "dce"].into_iter().filter_map(by_name))
        .run(&split, scope);
    Ok(Some(if is_reducible(&cleaned) { cleaned } else { split }))
}

/// The function with a block of its own for each branch by which the header of a loop leaves it, so that what follows
/// the loop follows it in the text too.
fn with_landing_blocks(mut func: Func) -> Func {
    let cfg = Cfg::new(&func);
    let loops = LoopNest::new(&cfg, &Dominators::new(&cfg));
    for (id, found) in loops.iter() {
        let count = func.blocks.len();
        let Some(terminator) = &mut func.blocks[found.header.index()].terminator else { continue };
        let span = terminator.span;
        let mut landings = Vec::new();
        let exits = terminator.kind.targets_mut().filter(|target| !loops.contains(id, target.block));
        for target in exits.filter(|target| !target.args.is_empty() || cfg.preds(target.block).len() > 1) {
            let landing = Block((count + landings.len()) as u32);
            landings.push(std::mem::replace(target, Target { block: landing, args: Vec::new() }));
        }
        func.blocks.extend(landings.into_iter().map(|target| BlockBody {
            name: None,
            params: Vec::new(),
            insts: Vec::new(),
            terminator: Some(Terminator { kind: TerminatorKind::Br(target), span }),
        }));
    }
    func
}

/// Integer arithmetic and what it is without its check.
const WRAPPING: [(&OpDef, &OpDef); 3] =
    [(&ops::ADD, &ops::ADD_WRAPPING), (&ops::SUB, &ops::SUB_WRAPPING), (&ops::MUL, &ops::MUL_WRAPPING)];

/// The variables that integer arithmetic defines which always fits its type.
///
/// All of it is made checked, and the optimiser removes the checks that cannot fail.
fn exact(func: &Func) -> HashSet<Var> {
    let mut probe = func.clone();
    for inst in probe.blocks.iter_mut().flat_map(|body| &mut body.insts) {
        if let InstKind::Op { op, .. } = &mut inst.kind
            && let Some((checked, _)) = WRAPPING.iter().find(|(_, wrapping)| wrapping == op)
        {
            *op = checked;
        }
    }
    let pass = by_name("overflow_check_elim").expect("it is a pass");
    let probed = pass.apply(&probe, &Scope::none());
    let mut found = HashSet::new();
    for (before, after) in func.blocks.iter().zip(&probed.blocks) {
        if before.insts.len() != after.insts.len() {
            return HashSet::new();
        }
        for (before, after) in before.insts.iter().zip(&after.insts) {
            if let InstKind::Op { op, .. } = after.kind
                && WRAPPING.iter().any(|(_, wrapping)| *wrapping == op)
            {
                found.insert(before.result);
            }
        }
    }
    found
}

/// For each function, which parameters are references: those that it only reads, and all of the functions that are
/// asked for.
fn reference_params(bodies: &[Body], roots: &[Symbol]) -> HashMap<Symbol, Vec<bool>> {
    let is_reference = |body: &Body, var: &Var| !is_copied(body.vars[var.index()].ty);
    let mut refs: HashMap<Symbol, Vec<bool>> = bodies
        .iter()
        .map(|body| (body.name, body.params().iter().map(|var| is_reference(body, var)).collect()))
        .collect();
    loop {
        let mut changed = false;
        for body in bodies.iter().filter(|body| !roots.contains(&body.name)) {
            let mut consumed: HashSet<Var> = HashSet::new();
            for block in &body.blocks {
                for node in &block.nodes {
                    for (number, arg) in node.args.iter().enumerate() {
                        let is_consumed = match node.kind {
                            NodeKind::Op(op) => consumes(op, number),
                            NodeKind::Call(name) => {
                                let known = refs.get(&name).and_then(|refs| refs.get(number));
                                known.is_none_or(|is_ref| !is_ref)
                            }
                            NodeKind::CallValue => number > 0,
                            NodeKind::Const(_) => false,
                        };
                        consumed.extend(arg.var().filter(|_| is_consumed));
                    }
                }
                let terminator = &block.terminator.kind;
                consumed
                    .extend(terminator.targets().flat_map(|target| &target.args).filter_map(Operand::var));
                if let TerminatorKind::Ret(value) = terminator {
                    consumed.extend(value.var());
                }
            }
            let refs = refs.get_mut(&body.name).expect("it is one of the bodies");
            for (var, is_ref) in body.params().iter().zip(refs) {
                if *is_ref && consumed.contains(var) {
                    *is_ref = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return refs;
        }
    }
}
