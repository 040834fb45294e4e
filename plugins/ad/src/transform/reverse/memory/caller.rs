//! A function whose long loops are calls of their chunks.

use std::collections::BTreeSet;

use hashbrown::HashMap;
use overdub_context::Symbol;
use overdub_context::analysis::Cfg;
use overdub_context::edit::{FuncEditor, for_each_operand};
use overdub_context::ir::{
    Block, Callee, Case, Func, Inst, InstKind, Operand, Terminator, TerminatorKind, Ty, Var,
};
use overdub_context::ops::{self, OpDef};

use super::super::primal::Primal;
use super::outline::{Chunk, chunk, hides_derivatives, is_supported};
use super::region::{Region, reads};
use crate::annotations::STOP;
use crate::normalize_cfg::{NormalizedCfg, target};
use crate::refusal::Cause;

/// A function with calls of chunks.
pub(in super::super) struct Outlined {
    pub(in super::super) func: Func,
    pub(in super::super) chunks: Vec<Chunk>,
}

struct Caller<'c> {
    shape: &'c NormalizedCfg,
    primal: &'c Primal,
    /// What the loops may use of the memory, a variable or zero.
    memory: Operand,
    func: Func,
    replaced: HashMap<Var, Operand>,
}

/// Outlines the loops of these regions; `None` if none of them can be.
pub(super) fn outlined(
    shape: &NormalizedCfg,
    primal: &Primal,
    mut regions: Vec<Region>,
    memory: Operand,
    name: &dyn Fn(usize) -> Symbol,
) -> Result<Option<Outlined>, Cause> {
    let mut views = find_uses(shape, primal, &mut regions);
    let supported: Vec<bool> = regions.iter().map(|region| is_supported(shape, primal, region)).collect();
    if supported.contains(&false) {
        // Without the others, what is used outside of a loop is different.
        let mut each = supported.into_iter();
        regions.retain(|_| each.next().unwrap_or(false));
        regions.iter_mut().for_each(|region| region.used_outside.clear());
        views = find_uses(shape, primal, &mut regions);
    }
    if regions.is_empty() {
        return Ok(None);
    }
    let mut caller = Caller { shape, primal, memory, func: shape.func.clone(), replaced: HashMap::new() };
    let mut chunks = Vec::new();
    for (number, (region, views)) in regions.iter().zip(&views).enumerate() {
        let chunk = chunk(shape, primal, region, name(number))?;
        caller.call(region, views, &chunk);
        chunks.push(chunk);
    }
    Ok(Some(Outlined { func: caller.finish(), chunks }))
}

/// Finds which variables of each region are used outside, and the views that are read again there (CHUNK4).
fn find_uses(shape: &NormalizedCfg, primal: &Primal, regions: &mut [Region]) -> Vec<BTreeSet<Var>> {
    let mut vars: Vec<Var> = Vec::new();
    for block in reached(shape, regions) {
        let body = shape.func.block(block);
        let operands = body.insts.iter().flat_map(|inst| inst.kind.operands());
        let operands = operands.chain(body.terminator.iter().flat_map(|end| end.kind.operands()));
        vars.extend(operands.filter_map(Operand::var));
    }
    for region in regions.iter() {
        vars.extend(&region.invariants);
        vars.extend(target(&shape.func, region.entry).args.iter().filter_map(Operand::var));
        for exit in &region.exits {
            // A value of another loop that this one passes on.
            let args = target(&shape.func, *exit).args.iter().filter_map(Operand::var);
            vars.extend(args.filter(|var| !region.defines(primal, *var)));
        }
    }
    let mut views = vec![BTreeSet::new(); regions.len()];
    // A view that is read again outside may be of a value of an earlier loop.
    let position = |region: &Region| shape.cfg.position(region.header);
    let mut order: Vec<usize> = (0..regions.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(position(&regions[*at])));
    for at in order {
        views[at] = regions[at].use_outside(shape, primal, vars.iter().copied());
        let operands = reads(shape, &views[at]).into_iter().flat_map(|inst| inst.kind.operands());
        vars.extend(operands.filter_map(Operand::var));
    }
    views
}

/// The blocks outside of the loops that are reached if they are skipped.
fn reached(shape: &NormalizedCfg, regions: &[Region]) -> BTreeSet<Block> {
    let (mut reached, mut pending) = (BTreeSet::new(), vec![Block::ENTRY]);
    let mut skipped = BTreeSet::new();
    while let Some(block) = pending.pop() {
        match regions.iter().find(|region| region.header == block) {
            Some(region) if skipped.insert(block) => {
                pending.extend(region.exits.iter().map(|exit| target(&shape.func, *exit).block));
            }
            None if reached.insert(block) => pending.extend(shape.cfg.succs(block)),
            _ => {}
        }
    }
    reached
}

impl Caller<'_> {
    /// Calls a chunk in place of its loop.
    fn call(&mut self, region: &Region, views: &BTreeSet<Var>, chunk: &Chunk) {
        let shape = self.shape;
        let entry = target(&shape.func, region.entry);
        let span = shape.func.terminator(region.exits.first().map_or(region.header, |exit| exit.from)).span;
        let mut insts = Vec::new();
        let args = [Operand::from(usize::MAX), self.memory.clone()].into_iter();
        let args = args.chain(region.invariants.iter().map(|var| Operand::from(*var)));
        let args = args.chain(entry.args.iter().cloned()).collect();
        let result = self.func.new_var(chunk.func.ret);
        let kind = InstKind::Call { callee: Callee::Func(chunk.func.name), args };
        insts.push(Inst { result, kind, span });
        let mut part = 1 + chunk.state as i64;
        let mut passed = Vec::new();
        for (exit, vars) in region.returned(shape, self.primal).into_iter().enumerate() {
            let mut of_exit = HashMap::new();
            for var in vars {
                let new = self.field(&mut insts, (result, part), var, span);
                part += 1;
                match exit {
                    0 => drop(self.replaced.insert(var, new)),
                    // Each edge passes a variable on in a part of its own.
                    _ => of_exit.entry(var).or_insert_with(Vec::new).push(new),
                }
            }
            if exit > 0 {
                passed.push(of_exit);
            }
        }
        for inst in reads(shape, views) {
            let new = self.func.new_var(shape.func.ty(inst.result));
            insts.push(Inst { result: new, ..inst.clone() });
            self.replaced.insert(inst.result, new.into());
        }
        let targets = region.exits.iter().zip(passed).map(|(exit, mut of_exit)| {
            let mut target = target(&shape.func, *exit).clone();
            for arg in &mut target.args {
                let new = arg.var().and_then(|var| of_exit.get_mut(&var)).map(|parts| parts.remove(0));
                *arg = new.unwrap_or_else(|| arg.clone());
            }
            target
        });
        let mut targets: Vec<_> = targets.collect();
        let last = targets.pop().expect("the loop of a region has an exit");
        let kind = if targets.is_empty() {
            TerminatorKind::Br(last)
        } else {
            let on = self.op(&mut insts, &ops::FIELD, vec![result.into(), 0_i64.into()], Ty::usize(), span);
            let cases = (1..).zip(targets).map(|(value, target)| Case { value, target }).collect();
            TerminatorKind::Switch { on, cases, otherwise: Some(last) }
        };
        let block = self.func.new_block(Vec::new());
        let body = self.func.block_mut(block);
        (body.insts, body.terminator) = (insts, Some(Terminator { kind, span }));
        let end = self.func.terminator_mut(region.entry.from);
        let edge = end.kind.targets_mut().nth(region.entry.at);
        *edge.expect("an edge is a target of its terminator") = block.into();
    }

    fn op(
        &mut self,
        insts: &mut Vec<Inst>,
        op: &'static OpDef,
        args: Vec<Operand>,
        ty: Ty,
        span: overdub_context::Span,
    ) -> Operand {
        self.func.push_op(insts, op, args, ty, span).into()
    }

    /// The part of a chunk's result that is a variable of its loop.
    fn field(
        &mut self,
        insts: &mut Vec<Inst>,
        (result, part): (Var, i64),
        var: Var,
        span: overdub_context::Span,
    ) -> Operand {
        let ty = self.shape.func.ty(var);
        let field = self.op(insts, &ops::FIELD, vec![result.into(), part.into()], ty, span);
        if hides_derivatives(self.primal, ty, var) {
            return self.op(insts, &STOP, vec![field], ty, span);
        }
        field
    }

    /// The function, without the blocks of the loops.
    fn finish(mut self) -> Func {
        let cfg = Cfg::new(&self.func);
        let replaced = self.replaced;
        let resolved = |operand: &mut Operand| {
            while let Some(new) = operand.var().and_then(|var| replaced.get(&var)) {
                *operand = new.clone();
            }
        };
        for at in 0..self.func.blocks.len() {
            let body = &mut self.func.blocks[at];
            if cfg.is_reachable(Block(at as u32)) {
                for_each_operand(body, resolved);
            } else {
                (body.params, body.insts, body.terminator) = (Vec::new(), Vec::new(), None);
            }
        }
        let mut editor = FuncEditor::new(&self.shape.func);
        editor.func = self.func;
        editor.finish()
    }
}
