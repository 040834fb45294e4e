//! Blocks by machine code, with the steps that have none in between.

use overdub_context::value::Array;

use super::{Run, Stopped};
use crate::kernels;

/// The most iterations of a loop before the scheduler has its turn.
const ROUNDS: u64 = 4096;

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
            let registers = (&mut self.registers.words[..], &mut self.registers.masks[..]);
            let registers = (registers.0, registers.1, &mut self.waiting[..]);
            let Some((_, frame)) = &mut self.code else { return Err(Stopped) };
            if !machine.run(piece, frame, registers, (mask, ROUNDS, shift)) {
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
