//! Finishes a draft: applies replacements, removes unreachable blocks and unused variables, makes labels unique.
//!
//! - Variables and blocks copied from another function keep their printed labels; new labels avoid those.
//! - Variables are numbered in the order of their definitions.

use hashbrown::{HashMap, HashSet};

use super::draft::Draft;
use super::func::printed_number;
use super::typing;
use super::{
    Block, BuildError, BuildFault, DebugInfo, Func, Operand, Terminator, TerminatorKind, Var, VarDef,
};
use crate::{Span, Symbol};

pub(super) fn finish(mut draft: Draft) -> Result<Func, BuildError> {
    let kept = reachable(&draft)?;
    apply_replacements(&mut draft, &kept);
    let vars = number_vars(&draft, &kept)?;
    check(&draft, &kept, &vars)?;
    Ok(renumber(draft, &kept, &vars))
}

/// The reachable blocks in layout order; each has a terminator.
pub(crate) fn reachable(draft: &Draft) -> Result<Vec<Block>, BuildError> {
    let func = &draft.func;
    let mut seen = vec![false; func.blocks.len()];
    let mut work = vec![Block::ENTRY];
    while let Some(block) = work.pop() {
        if std::mem::replace(&mut seen[block.index()], true) {
            continue;
        }
        let Some(terminator) = &func.block(block).terminator else {
            let cause = BuildFault::Unterminated(func.block_label(block).to_string());
            let span = func.block(block).insts.last().map_or(func.span, |inst| inst.span);
            return Err(BuildError::new(cause, func.name, span));
        };
        work.extend(terminator.kind.targets().map(|target| target.block));
    }
    Ok(draft.layout.iter().copied().filter(|block| seen[block.index()]).collect())
}

/// Applies the replacements to every operand.
fn apply_replacements(draft: &mut Draft, kept: &[Block]) {
    for &block in kept {
        let mut body = std::mem::take(&mut draft.func.blocks[block.index()].insts);
        for operand in body.iter_mut().flat_map(|inst| inst.kind.operands_mut()) {
            *operand = draft.resolve(operand.clone());
        }
        let mut terminator = draft.func.blocks[block.index()].terminator.take();
        if let Some(Terminator { kind, .. }) = &mut terminator {
            if let Some(operand) = kind.operand_mut() {
                *operand = draft.resolve(operand.clone());
            }
            for operand in kind.targets_mut().flat_map(|target| &mut target.args) {
                *operand = draft.resolve(operand.clone());
            }
        }
        let slot = &mut draft.func.blocks[block.index()];
        slot.insts = body;
        slot.terminator = terminator;
    }
    apply_replacements_in_points(draft);
}

/// Applies the replacements to the debug information.
fn apply_replacements_in_points(draft: &mut Draft) {
    let Some(mut debug) = draft.func.debug.take() else { return };
    let live_vars = debug.points.iter_mut().flat_map(|point| &mut point.live_vars);
    for operand in live_vars.flat_map(|(_, location)| location.operands_mut()) {
        *operand = draft.resolve(operand.clone());
    }
    draft.func.debug = Some(debug);
}

/// The new number of each variable that is defined.
fn number_vars(draft: &Draft, kept: &[Block]) -> Result<Vec<Option<Var>>, BuildError> {
    let func = &draft.func;
    let mut numbers = vec![None; func.vars.len()];
    let mut next = 0;
    for &block in kept {
        let body = func.block(block);
        let params = body.params.iter().map(|&param| (param, func.span));
        for (var, span) in params.chain(body.insts.iter().map(|inst| (inst.result, inst.span))) {
            if numbers[var.index()].replace(Var(next)).is_some() {
                let cause = BuildFault::DefinedTwice(func.var_label(var).to_string());
                return Err(BuildError::new(cause, func.name, span));
            }
            next += 1;
        }
    }
    Ok(numbers)
}

fn check(draft: &Draft, kept: &[Block], vars: &[Option<Var>]) -> Result<(), BuildError> {
    let func = &draft.func;
    let fault = |cause: BuildFault, span| Err(BuildError::new(cause, func.name, span));
    let check_operand = |operand: &Operand, span: Span| match operand {
        Operand::Var(var) if vars.get(var.index()).copied().flatten().is_none() => {
            fault(BuildFault::Undefined(func.var_label(*var).to_string()), span)
        }
        Operand::Var(_) | Operand::Const(_) => Ok(()),
    };
    for &block in kept {
        let body = func.block(block);
        for inst in &body.insts {
            inst.kind.operands().try_for_each(|operand| check_operand(operand, inst.span))?;
        }
        let Some(terminator) = &body.terminator else { continue };
        terminator.kind.operands().try_for_each(|operand| check_operand(operand, terminator.span))?;
        for target in terminator.kind.targets() {
            if let Err(error) = typing::check_target(func, target) {
                return fault(error.into(), terminator.span);
            }
        }
    }
    Ok(())
}

fn renumber(draft: Draft, kept: &[Block], vars: &[Option<Var>]) -> Func {
    let Draft { func, kept_vars, kept_blocks, .. } = draft;
    let mut blocks = vec![None; func.blocks.len()];
    for (new, old) in (0..).zip(kept) {
        blocks[old.index()] = Some(Block(new));
    }
    let var = |var: Var| vars[var.index()].expect("checked: a variable that is used is defined");
    let mut bodies: Vec<_> = func.blocks.into_iter().map(Some).collect();
    let mut out = Func {
        blocks: Vec::with_capacity(kept.len()),
        vars: vec![VarDef { ty: func.ret, name: None }; vars.iter().flatten().count()],
        ..func
    };
    let names = labels(
        (0..).zip(vars).filter_map(|(old, new)| Some((old, (*new)?.0))),
        out.vars.len(),
        |old| func.vars[old as usize].name,
        kept_vars,
    );
    for (old, new) in vars.iter().enumerate() {
        if let Some(new) = new {
            out.vars[new.index()] = VarDef { ty: func.vars[old].ty, name: names[new.index()] };
        }
    }
    let block_names = labels(
        (0..).zip(kept).map(|(new, old)| (old.0, new)),
        kept.len(),
        |old| bodies[old as usize].as_ref().and_then(|body| body.name),
        kept_blocks,
    );
    for (&old, name) in kept.iter().zip(block_names) {
        let mut body = bodies[old.index()].take().expect("a block is laid out once");
        body.name = name;
        for param in &mut body.params {
            *param = var(*param);
        }
        for inst in &mut body.insts {
            inst.result = var(inst.result);
            inst.kind.operands_mut().for_each(|operand| renumber_operand(operand, &var));
        }
        if let Some(Terminator { kind, .. }) = &mut body.terminator {
            renumber_terminator(kind, &var, &blocks);
        }
        out.blocks.push(body);
    }
    if let Some(debug) = &mut out.debug {
        renumber_points(debug, vars, &blocks);
    }
    out
}

/// Points of unreachable blocks are removed, and so are undefined variables.
fn renumber_points(debug: &mut DebugInfo, vars: &[Option<Var>], blocks: &[Option<Block>]) {
    let is_defined = |operand: &Operand| operand.var().is_none_or(|var| vars[var.index()].is_some());
    let var = |var: Var| vars[var.index()].expect("undefined ones are left out");
    debug.points.retain_mut(|point| match blocks[point.block.index()] {
        None => false,
        Some(block) => {
            point.block = block;
            point.live_vars.retain(|(_, location)| location.operands().all(is_defined));
            let operands = point.live_vars.iter_mut().flat_map(|(_, location)| location.operands_mut());
            operands.for_each(|operand| renumber_operand(operand, &var));
            true
        }
    });
}

fn renumber_operand(operand: &mut Operand, var: &impl Fn(Var) -> Var) {
    if let Operand::Var(old) = operand {
        *old = var(*old);
    }
}

fn renumber_terminator(kind: &mut TerminatorKind, var: &impl Fn(Var) -> Var, blocks: &[Option<Block>]) {
    if let Some(operand) = kind.operand_mut() {
        renumber_operand(operand, var);
    }
    for target in kind.targets_mut() {
        target.block = blocks[target.block.index()].expect("the target of a reachable block is reachable");
        target.args.iter_mut().for_each(|operand| renumber_operand(operand, var));
    }
}

/// The names of the kept variables or blocks, by new number: `pairs` contains (old, new) numbers; old numbers
/// below `copied` keep their printed label.
pub(crate) fn labels(
    pairs: impl Iterator<Item = (u32, u32)>,
    count: usize,
    name: impl Fn(u32) -> Option<Symbol>,
    copied: usize,
) -> Vec<Option<Symbol>> {
    let mut names = vec![None; count];
    // Labels that are no numbers, and numbers below the count that are labels.
    let mut used: HashSet<Symbol> = HashSet::new();
    let mut numbers = vec![false; count];
    let mut take_number = |number: u32| {
        if let Some(is_taken) = numbers.get_mut(number as usize) {
            *is_taken = true;
        }
    };
    let mut olds = vec![0; count];
    pairs.for_each(|(old, new)| olds[new as usize] = old);
    let is_copied = |old: u32| (old as usize) < copied;
    let mut unnamed = Vec::new();
    for (new, &old) in (0..).zip(&olds) {
        if !is_copied(old) {
            continue;
        }
        match name(old) {
            Some(label) => {
                match printed_number(&label) {
                    Some(number) => take_number(number),
                    None => {
                        used.insert(label);
                    }
                }
                names[new as usize] = Some(label);
            }
            None => {
                take_number(old);
                names[new as usize] = (old != new).then(|| Symbol::of_number(old));
            }
        }
    }
    let mut suffixes = HashMap::new();
    for (new, &old) in (0..).zip(&olds).filter(|(_, old)| !is_copied(**old)) {
        match name(old) {
            None => unnamed.push(new),
            Some(base) => {
                let mut label = base;
                while printed_number(&label).is_some() || !used.insert(label) {
                    label = next_name(base, &mut suffixes);
                }
                names[new as usize] = Some(label);
            }
        }
    }
    for new in unnamed {
        if numbers[new as usize] {
            let base = Symbol::of_number(new);
            let mut label = next_name(base, &mut suffixes);
            while !used.insert(label) {
                label = next_name(base, &mut suffixes);
            }
            names[new as usize] = Some(label);
        }
    }
    names
}

/// The next suffixed name: `x.1`, `x.2`, … for both `x` and `x.7`.
fn next_name(base: Symbol, suffixes: &mut HashMap<Symbol, u32>) -> Symbol {
    let stem = match base.rsplit_once('.') {
        Some((stem, number)) if !stem.is_empty() && printed_number(number).is_some() => Symbol::new(stem),
        _ => base,
    };
    let suffix = suffixes.entry(stem).or_insert(0);
    *suffix += 1;
    Symbol::new(&format!("{stem}.{suffix}"))
}
