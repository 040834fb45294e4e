//! The function with two loops fused.

use hashbrown::HashSet;
use overdub_context::Symbol;
use overdub_context::edit::for_each_operand;
use overdub_context::ir::{Block, Func, Inst, Operand, Target, Terminator, TerminatorKind, Ty, Var};

use super::tape::replace_tapes;
use super::{LoopPair, select};

impl LoopPair<'_> {
    /// The function with the loop pair fused.
    pub(super) fn fused(&self, func: &Func) -> Func {
        let mut func = func.clone();
        let (up, down) = (self.up, self.down);
        let arrays: Vec<Var> = select(&self.arrays, &func.block(down.header).params);
        let counter = func.block(up.header).params[up.at];
        self.move_up(&mut func);
        func.block_mut(up.header).params.extend(&arrays);
        edge(&mut func, up.entry, up.header).args.extend(self.begin.iter().cloned());
        // A forward iteration branches to its reverse iteration, which branches to the next forward iteration.
        let next = self.redirect_latches(&mut func, arrays.len());
        for latch in &down.latches {
            let back_edge = edge(&mut func, *latch, down.header);
            let added = select(&self.arrays, &back_edge.args);
            *back_edge = Target { block: up.header, args: next.iter().cloned().chain(added).collect() };
        }
        edge(&mut func, self.between.unwrap_or(up.header), down.header).args.clear();
        let header = func.block_mut(down.header);
        header.params.clear();
        header.insts.clear();
        if let Some(end) = &mut header.terminator {
            end.kind = TerminatorKind::Br(down.exit.clone());
        }
        replace(&mut func, self.iteration, counter);
        if self.tapes.is_empty() {
            return func;
        }
        let records: Vec<Operand> = self.tapes.iter().map(|tape| next[tape.at.0].clone()).collect();
        replace_tapes(func, &self.tapes, &records, up.entry)
    }

    /// Redirects the forward latches to the reverse loop; returns the arguments that they pass to the next
    /// iteration.
    fn redirect_latches(&self, func: &mut Func, arrays: usize) -> Vec<Operand> {
        let (up, enters) = (self.up, self.down.enters.clone());
        if let [latch] = up.latches[..] {
            return std::mem::replace(edge(func, latch, up.header), enters).args;
        }
        let header = func.block(up.header);
        let tys: Vec<Ty> =
            header.params[..header.params.len() - arrays].iter().map(|var| func.ty(*var)).collect();
        let params: Vec<Var> = tys.into_iter().map(|ty| func.new_var(ty)).collect();
        let merge_block = func.new_block(params.clone());
        for latch in &up.latches {
            edge(func, *latch, up.header).block = merge_block;
        }
        let end = Terminator { kind: TerminatorKind::Br(enters), span: func.span };
        func.block_mut(merge_block).terminator = Some(end);
        params.into_iter().map(Operand::Var).collect()
    }

    fn move_up(&self, func: &mut Func) {
        let Some(between) = self.between else { return };
        let mut at = 0;
        let (moved, kept): (Vec<Inst>, Vec<Inst>) =
            std::mem::take(&mut func.block_mut(between).insts).into_iter().partition(|_| {
                at += 1;
                self.moved.contains(&(at - 1))
            });
        func.block_mut(between).insts = kept;
        func.block_mut(self.up.entry).insts.extend(moved);
    }
}

/// Names the variables from this number on, where their numbers are what older ones are called (V13).
pub(super) fn label_new_vars(func: &mut Func, from: usize) {
    let label = |func: &Func, var: usize| func.var_label(Var(var as u32)).to_string();
    let mut taken: HashSet<String> = (0..from).map(|var| label(func, var)).collect();
    for var in from..func.vars.len() {
        let number = label(func, var);
        let suffixed = (1..).map(|suffix| format!("{number}.{suffix}"));
        let free = std::iter::once(number.clone()).chain(suffixed).find(|name| taken.insert(name.clone()));
        func.vars[var].name = free.filter(|name| *name != number).map(|name| Symbol::new(&name));
    }
}

/// The only branch from a block to another one.
fn edge(func: &mut Func, from: Block, to: Block) -> &mut Target {
    let target = func.terminator_mut(from).kind.targets_mut().find(|target| target.block == to);
    target.expect("a loop was found by its edges")
}

/// Replaces the uses of a variable that no longer has a definition.
fn replace(func: &mut Func, old: Var, new: Var) {
    let put = |operand: &mut Operand| {
        if operand.var() == Some(old) {
            *operand = new.into();
        }
    };
    for body in &mut func.blocks {
        body.insts.retain(|inst| inst.result != old);
        for_each_operand(body, put);
    }
}
