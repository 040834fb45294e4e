//! Arrays, of which each lane has its own.
//!
//! - LANEARRAY1 the elements of all lanes at one index lie in one row. Where lanes are at the same index, which is the rule, a row is read and
//!   written as a register.

use overdub_context::ir::Ty;
use overdub_context::value::Array;

use super::{Stopped, rows, step};
use crate::eval::Registers;
use crate::kernels::{self, LANES, Lane, for_each};
use crate::program::{Compared, Place, Relation};
use crate::words::{list_of, words_of};

/// The most elements of an array in lanes, which then takes 8 MB for all of them: with longer ones, elements run one after the other, within
/// the limits of memory.
const MOST: u64 = 1 << 14;

/// An array of each lane.
#[derive(Clone)]
pub(super) struct OwnArray {
    rows: Vec<Lane>,
    lens: Lane,
}

impl OwnArray {
    pub(super) fn new() -> OwnArray {
        OwnArray { rows: Vec::new(), lens: Lane::of(0) }
    }

    /// The length alone, of an array that all lanes share.
    pub(super) fn shared(array: &Array<'_>) -> OwnArray {
        OwnArray { rows: Vec::new(), lens: Lane::of(array.len() as u64) }
    }

    /// The memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        self.rows.len() * size_of::<Lane>()
    }

    /// The length of the array in each lane.
    pub(super) fn lens(&self) -> &Lane {
        &self.lens
    }

    /// The array of a lane, of elements of a type.
    pub(super) fn list(&self, elem: Ty, lane: usize) -> Option<Array<'static>> {
        let rows = self.rows.get(..self.lens[lane] as usize)?;
        list_of(elem, rows.iter().map(|row| row[lane]).collect())
    }

    /// Makes the array of a lane a copy of another one.
    pub(super) fn load(&mut self, lane: usize, list: &Array<'_>) -> Result<(), Stopped> {
        let words = words_of(list).ok_or(Stopped)?;
        self.begin(|_| words.len() as u64, 1 << lane)?;
        self.rows.iter_mut().zip(words).for_each(|(row, word)| row[lane] = word);
        Ok(())
    }

    /// Gives the arrays of these lanes their lengths.
    fn begin(&mut self, lens: impl Fn(usize) -> u64, lanes: u64) -> Result<(), Stopped> {
        let mut longest = 0;
        for_each(lanes, |lane| {
            self.lens[lane] = lens(lane);
            longest = longest.max(self.lens[lane]);
        });
        if longest > MOST {
            return Err(Stopped);
        }
        if self.rows.len() < longest as usize {
            self.rows.resize(longest as usize, Lane::of(0));
        }
        Ok(())
    }

    /// Makes the arrays of these lanes, each of one element many times; `spread` is their mask unless they are all.
    #[inline(always)]
    pub(super) fn repeat(
        &mut self,
        (len, fill): (u32, Place),
        registers: &Registers<'_>,
        lanes: u64,
        spread: Option<&Lane>,
    ) -> Result<(), Stopped> {
        let lens = &registers.words[len as usize];
        self.begin(|lane| lens[lane], lanes)?;
        let longest = (0..LANES).filter(|lane| lanes >> lane & 1 == 1).map(|lane| lens[lane]).max();
        for row in &mut self.rows[..longest.unwrap_or(0) as usize] {
            copy(row, fill, registers, spread);
        }
        Ok(())
    }

    /// Makes the arrays of these lanes of elements.
    #[inline(always)]
    pub(super) fn make(
        &mut self,
        items: &[Place],
        registers: &Registers<'_>,
        lanes: u64,
        spread: Option<&Lane>,
    ) -> Result<(), Stopped> {
        self.begin(|_| items.len() as u64, lanes)?;
        for (row, item) in self.rows.iter_mut().zip(items) {
            copy(row, *item, registers, spread);
        }
        Ok(())
    }

    /// Replaces an element in each of these lanes.
    #[inline(always)]
    pub(super) fn set(
        &mut self,
        (index, value): (u32, Place),
        registers: &Registers<'_>,
        lanes: u64,
        spread: Option<&Lane>,
    ) -> Result<(), Stopped> {
        let index = &registers.words[index as usize];
        self.check(index, lanes)?;
        match common(index, lanes) {
            Some(at) => copy(&mut self.rows[at], value, registers, spread),
            None => match value {
                Place::Word(word) => {
                    rows::write(&mut self.rows, index, &registers.words[word as usize], lanes)
                }
                Place::Mask(mask) => {
                    rows::write_bits(&mut self.rows, index, registers.masks[mask as usize], lanes);
                }
                Place::Array(_) | Place::Stack(_) => {}
            },
        }
        Ok(())
    }

    /// Reads an element in each of these lanes; registers of other lanes may be written, too, without their mask, `spread`.
    #[inline(always)]
    pub(super) fn get(
        &self,
        (d, index): (Place, u32),
        registers: &mut Registers<'_>,
        lanes: u64,
        spread: Option<&Lane>,
    ) -> Result<(), Stopped> {
        self.check(&registers.words[index as usize], lanes)?;
        match (common(&registers.words[index as usize], lanes), d) {
            (at, Place::Word(word)) => {
                let (d, index) = step::pair(&mut registers.words, word, index)?;
                match at {
                    Some(at) => kernels::copy(d, &self.rows[at], spread),
                    None => rows::read(&self.rows, index, d, lanes),
                }
            }
            (at, Place::Mask(mask)) => {
                let bits = match at {
                    Some(at) => kernels::equal_to(&self.rows[at], 1),
                    None => rows::read_bits(&self.rows, &registers.words[index as usize], lanes),
                };
                let register = &mut registers.masks[mask as usize];
                *register = *register & !lanes | bits & lanes;
            }
            (_, Place::Array(_) | Place::Stack(_)) => {}
        }
        Ok(())
    }

    /// Fails unless the indices of these lanes are in bounds.
    #[inline(always)]
    fn check(&self, index: &Lane, lanes: u64) -> Result<(), Stopped> {
        let within = kernels::compare(Relation::Lt, Compared::Unsigned, index, &self.lens);
        if lanes & !within == 0 { Ok(()) } else { Err(Stopped) }
    }
}

/// The number that these lanes all have.
#[inline(always)]
fn common(words: &Lane, lanes: u64) -> Option<usize> {
    let word = words[lanes.trailing_zeros() as usize % LANES];
    (lanes & !kernels::equal_to(words, word) == 0).then_some(word as usize)
}

/// Writes a register to a row; `spread` is the mask of the lanes unless they are all.
#[inline(always)]
fn copy(row: &mut Lane, from: Place, registers: &Registers<'_>, spread: Option<&Lane>) {
    match from {
        Place::Word(word) => kernels::copy(row, &registers.words[word as usize], spread),
        Place::Mask(mask) => kernels::bits(row, registers.masks[mask as usize], spread),
        Place::Array(_) | Place::Stack(_) => {}
    }
}
