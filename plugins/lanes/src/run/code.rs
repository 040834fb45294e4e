//! Blocks by machine code, with the steps that have none in between.

use overdub_context::value::Array;

use super::stacks::Stack;
use super::{Run, Stopped};
use crate::codegen::StackUse;
use crate::kernels::{self, Lane};

/// The most iterations of a loop before the scheduler has its turn.
const ROUNDS: u64 = 4096;

/// The least number of iterations for which there is room on stacks.
const LEAST_ROOM: u64 = 64;

/// A group of lanes leaves a loop when a fraction of its lanes has left, which is this negative power of two: others take their
/// places.
const LEAVING: u64 = 2;

impl Run<'_, '_> {
    /// The addresses and lengths of the arrays of floats that elements share.
    pub(super) fn addresses(&self) -> Vec<[u64; 2]> {
        let floats = |array: &Array<'_>| array.as_f64s().map(|all| [all.as_ptr() as u64, all.len() as u64]);
        self.registers
            .arrays
            .iter()
            .map(|array| array.as_array().and_then(floats).unwrap_or([0, 0]))
            .collect()
    }

    /// Makes room on stacks for a number of iterations, which is returned: about as many as have pushed before.
    fn room(&mut self, uses: &[StackUse]) -> u64 {
        let mut rounds = ROUNDS;
        for of in uses.iter().filter(|of| of.pushes > 0) {
            rounds = rounds.min(self.stacks[of.stack as usize].deepest().max(LEAST_ROOM));
        }
        for of in uses {
            let stack = &mut self.stacks[of.stack as usize];
            // A row that lanes without a value read is there, too.
            let values = stack.deepest() as usize + of.pushes * rounds as usize + 1;
            self.has_grown |= stack.reserve(values * of.width);
        }
        rounds
    }

    /// Runs a block for some lanes, or the loop that begins with it.
    #[inline(always)]
    pub(super) fn by_code(&mut self, block: usize, mask: u64) -> Result<(), Stopped> {
        let body = &self.program.blocks[block];
        let Some((machine, _)) = self.code else { return Err(Stopped) };
        if machine.is_masked[block] && mask != u64::MAX {
            kernels::spread(mask, &mut self.spread);
        }
        // Nothing is gained by leaving a loop, unless lanes then do something else than to wait.
        let is_last = self.next >= self.len && body.depth <= 1;
        let shift = if is_last { 0 } else { LEAVING };
        let mut at = 0;
        for piece in &machine.blocks[block] {
            for planned in &body.steps[at..piece.steps.start] {
                self.step(planned, mask)?;
            }
            at = piece.steps.end;
            let rounds = self.room(&piece.stacks);
            let mut stacks: Vec<[*mut Lane; 2]> = match piece.stacks.is_empty() {
                true => Vec::new(),
                false => self.stacks.iter_mut().map(Stack::addresses).collect(),
            };
            let registers = (&mut self.registers.words[..], &mut self.registers.masks[..]);
            let registers = (registers.0, registers.1, &mut self.waiting[..]);
            let Some((_, frame)) = &mut self.code else { return Err(Stopped) };
            if !machine.run(piece, frame, registers, &mut stacks, (mask, rounds, shift)) {
                return Err(Stopped);
            }
            if piece.has_exit {
                piece.exits.iter().for_each(|block| self.wait(*block as usize, 0));
                return Ok(());
            }
        }
        for planned in &body.steps[at..] {
            self.step(planned, mask)?;
        }
        self.exit(&body.exit, mask)
    }
}
