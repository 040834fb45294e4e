//! Elements that go to free lanes.

use super::{Run, Stopped};
use crate::kernels::{LANES, for_each};
use crate::program::Place;

impl Run<'_, '_> {
    /// Gives free lanes the next elements.
    pub(super) fn refill(&mut self) -> Result<(), Stopped> {
        let (begin, mut taken, mut free) = (self.next, 0, self.free);
        while free != 0 && self.next < self.len {
            let lane = free.trailing_zeros() as usize;
            free &= free - 1;
            taken |= 1 << lane;
            self.element[lane] = self.order.as_ref().map_or(self.next, |order| order[self.next] as usize);
            self.next += 1;
        }
        let is_row = taken == u64::MAX && self.order.is_none();
        for (place, words) in &self.inputs {
            match place {
                Place::Word(number) => {
                    let register = &mut self.registers.words[*number as usize];
                    match words.get(begin..begin + LANES).filter(|_| is_row) {
                        Some(row) => register.0.copy_from_slice(row),
                        None => for_each(taken, |lane| register[lane] = words[self.element[lane]]),
                    }
                }
                place => for_each(taken, |lane| self.registers.set(*place, lane, words[self.element[lane]])),
            }
        }
        for (array, lists) in &self.lists {
            let mut left = taken;
            while left != 0 {
                let lane = left.trailing_zeros() as usize;
                left &= left - 1;
                let list = lists.get(self.element[lane]).ok_or(Stopped)?;
                self.own[*array as usize].load(lane, list.as_array().ok_or(Stopped)?)?;
            }
        }
        self.free &= !taken;
        self.wait(0, taken);
        Ok(())
    }
}
