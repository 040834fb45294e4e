//! Stacks, of which each lane has its own.
//!
//! - LANESTACK1 what lanes push at one depth lies in one row, a register for each word. Lanes that are as deep as each other, which is
//!   the rule, push and pop rows; others their own words.

use super::{Stopped, rows};
use crate::eval::Registers;
use crate::kernels::{self, LANES, Lane, for_each};
use crate::program::Place;

/// A stack of each lane.
#[derive(Clone)]
pub(super) struct Stack {
    /// The rows, of as many registers as a value has words.
    rows: Vec<Lane>,
    /// The number of values in each lane.
    depths: Lane,
}

impl Stack {
    pub(super) fn new() -> Stack {
        Stack { rows: Vec::new(), depths: Lane::of(0) }
    }

    /// The memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        self.rows.len() * size_of::<Lane>()
    }

    /// The number of values in the lane that has most.
    pub(super) fn deepest(&self) -> u64 {
        self.depths.0.iter().copied().max().unwrap_or(0)
    }

    /// Makes room for rows; whether it had not been there.
    pub(super) fn reserve(&mut self, rows: usize) -> bool {
        let grows = self.rows.len() < rows;
        if grows {
            self.rows.resize(rows, Lane::of(0));
        }
        grows
    }

    /// Where the rows and the depths are.
    pub(super) fn addresses(&mut self) -> [*mut Lane; 2] {
        [self.rows.as_mut_ptr(), &raw mut self.depths]
    }

    /// Empties the stacks of some lanes.
    pub(super) fn clear(&mut self, lanes: u64) {
        for_each(lanes, |lane| self.depths[lane] = 0);
    }

    /// The number of values in each lane.
    pub(super) fn depths(&self) -> &Lane {
        &self.depths
    }

    /// The row of the value below the depth of each lane by this many, of its word of a number.
    #[inline(always)]
    fn row(&self, below: u64, (width, number): (usize, usize)) -> Lane {
        let mut row = self.depths;
        for lane in 0..LANES {
            row[lane] = row[lane].wrapping_sub(below).wrapping_mul(width as u64).wrapping_add(number as u64);
        }
        row
    }

    /// The depth of all these lanes, if it is one.
    fn common_depth(&self, lanes: u64) -> Option<usize> {
        let depth = self.depths[lanes.trailing_zeros() as usize % LANES];
        (lanes & !kernels::equal_to(&self.depths, depth) == 0).then_some(depth as usize)
    }

    /// Pushes a value in each of these lanes; `spread` is their mask unless they are all.
    #[inline(always)]
    pub(super) fn push(
        &mut self,
        items: &[Place],
        registers: &Registers<'_>,
        lanes: u64,
        spread: Option<&Lane>,
    ) {
        let width = items.len();
        if let Some(depth) = self.common_depth(lanes) {
            let begin = depth * width;
            if self.rows.len() < begin + width {
                self.rows.resize(begin + width, Lane::of(0));
            }
            for (row, item) in self.rows[begin..].iter_mut().zip(items) {
                match item {
                    Place::Word(word) => kernels::copy(row, &registers.words[*word as usize], spread),
                    Place::Mask(mask) => kernels::bits(row, registers.masks[*mask as usize], spread),
                    Place::Array(_) | Place::Stack(_) => {}
                }
            }
        } else {
            let mut deepest = 0;
            for_each(lanes, |lane| deepest = deepest.max(self.depths[lane] as usize));
            if self.rows.len() < (deepest + 1) * width {
                self.rows.resize((deepest + 1) * width, Lane::of(0));
            }
            for (number, item) in items.iter().enumerate() {
                let at = self.row(0, (width, number));
                match item {
                    Place::Word(word) => {
                        rows::write(&mut self.rows, &at, &registers.words[*word as usize], lanes);
                    }
                    Place::Mask(mask) => {
                        rows::write_bits(&mut self.rows, &at, registers.masks[*mask as usize], lanes);
                    }
                    Place::Array(_) | Place::Stack(_) => {}
                }
            }
        }
        kernels::count(&mut self.depths, 1, spread);
    }

    /// Reads the value on top in each of these lanes, and takes it off if `pops`; `spread` is their mask unless they are all.
    /// Registers of other lanes may be written, too, unless `is_masked`.
    #[inline(always)]
    pub(super) fn top(
        &mut self,
        items: &[Place],
        registers: &mut Registers<'_>,
        lanes: u64,
        spread: Option<&Lane>,
        (pops, is_masked): (bool, bool),
    ) -> Result<(), Stopped> {
        let width = items.len();
        if lanes & kernels::equal_to(&self.depths, 0) != 0 {
            return Err(Stopped);
        }
        if let Some(depth) = self.common_depth(lanes) {
            let rows = &self.rows[(depth - 1) * width..depth * width];
            for (row, item) in rows.iter().zip(items) {
                match item {
                    Place::Word(word) => {
                        kernels::copy(
                            &mut registers.words[*word as usize],
                            row,
                            spread.filter(|_| is_masked),
                        );
                    }
                    Place::Mask(mask) => {
                        let register = &mut registers.masks[*mask as usize];
                        *register = *register & !lanes | kernels::equal_to(row, 1) & lanes;
                    }
                    Place::Array(_) | Place::Stack(_) => {}
                }
            }
        } else {
            for (number, item) in items.iter().enumerate() {
                let at = self.row(1, (width, number));
                match item {
                    Place::Word(word) => {
                        rows::read(&self.rows, &at, &mut registers.words[*word as usize], lanes);
                    }
                    Place::Mask(mask) => {
                        let bits = rows::read_bits(&self.rows, &at, lanes);
                        let register = &mut registers.masks[*mask as usize];
                        *register = *register & !lanes | bits;
                    }
                    Place::Array(_) | Place::Stack(_) => {}
                }
            }
        }
        if pops {
            kernels::count(&mut self.depths, u64::MAX, spread);
        }
        Ok(())
    }
}
