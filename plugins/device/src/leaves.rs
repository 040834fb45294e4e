//! Sums over the calls of a kernel, leaf by leaf.

use overdub_spmd::{DeviceError, Leaves};

use crate::launch::{Backend, Launched, Status, Sums};
use crate::run::{GROWTH, MOST, Needs, Runs};

/// How often a launch for sums gets more.
const GROWTHS: usize = 4;

/// What is added up over the calls of a leaf, and listed for each of them.
pub(crate) struct Leaf {
    pub(crate) sums: Vec<f64>,
    pub(crate) lists: Vec<Vec<f64>>,
}

/// Where numbers are in the results of calls, as [`Sums`] numbers their places.
#[derive(Clone, Copy)]
struct Places<'p> {
    added: &'p [u64],
    listed: &'p [u64],
}

impl<B: Backend> Runs<'_, B> {
    /// The sums of the numbers at these places of the results, for each `leaf` calls, and the numbers at others in lists.
    ///
    /// A launch has as many leaves as fit. Where not even one does, it has a part of a leaf, whose calls are added here.
    pub(crate) fn sums(
        &self,
        leaf: usize,
        added: &[u64],
        listed: &[u64],
    ) -> Result<Leaves<Leaf>, DeviceError> {
        let (budget, places) = (self.budget()?, Places { added, listed });
        // All places are within what a call writes.
        let end_of_places =
            added.iter().chain(listed).map(|place| *place as usize / 8 * 8 + 8).max().unwrap_or(0);
        let mut first = self.needs();
        first.room = first.room.max(end_of_places);
        let mut leaves: Leaves<Leaf> = Vec::with_capacity(self.len.div_ceil(leaf));
        let (mut needs, mut growths, mut most) = (first, 0, MOST);
        // The part of the next leaf that is done.
        let mut part: Option<(usize, Leaf)> = None;
        while leaves.len() * leaf < self.len {
            let begin = leaves.len() * leaf + part.as_ref().map_or(0, |(done, _)| *done);
            let end_of_leaf = (leaves.len() * leaf + leaf).min(self.len);
            let fit = (budget / self.bytes(needs)).min(most);
            let is_whole = part.is_none() && begin + fit >= end_of_leaf;
            let end = match is_whole {
                true => (begin + (fit / leaf * leaf).max(end_of_leaf - begin)).min(self.len),
                false => (begin + fit).min(end_of_leaf),
            };
            if end == begin {
                // Not even one fits: the host runs the leaf.
                leaves.push(None);
                (needs, growths, part) = (first, 0, None);
                continue;
            }
            let batch: Vec<usize> = (begin..end).collect();
            let launched = match self.launch(&batch, needs) {
                Ok(launched) => launched,
                Err(DeviceError::Memory(_)) => {
                    most = batch.len() / 2;
                    continue;
                }
                Err(error) => return Err(error),
            };
            let lacking = |what: Status| {
                launched.status.iter().filter(|status| Status::of(**status) == Some(what)).count()
            };
            let (room, memory) = (lacking(Status::NoRoom), lacking(Status::NoMemory));
            if room + memory > 0 && growths < GROWTHS {
                growths += 1;
                let growth = |lacking: usize| if lacking > 0 { GROWTH } else { 1 };
                needs = Needs { room: needs.room * growth(room), memory: needs.memory * growth(memory) };
                self.kernel.program.learn(memory, batch.len(), needs.memory);
                continue;
            }
            growths = 0;
            if is_whole {
                self.whole_leaves(&launched, needs, leaf, places, &mut leaves)?;
                continue;
            }
            let next = self.part_of_leaf(&launched, needs, places, part.take().map(|(_, found)| found))?;
            match next {
                None => leaves.push(None),
                Some(found) if end == end_of_leaf => leaves.push(Some(found)),
                Some(found) => part = Some((end - leaves.len() * leaf, found)),
            }
        }
        Ok(leaves)
    }

    /// Adds the calls of a launch of whole leaves on the device.
    fn whole_leaves(
        &self,
        launched: &Launched<B::Buffer>,
        needs: Needs,
        leaf: usize,
        places: Places<'_>,
        leaves: &mut Leaves<Leaf>,
    ) -> Result<(), DeviceError> {
        let sums = self.added(launched, needs, leaf, places.added)?;
        let (each, count) = (self.added(launched, needs, 1, places.listed)?, places.listed.len());
        for (number, status) in launched.status.chunks(leaf).enumerate() {
            let is_done = status.iter().all(|status| Status::of(*status) == Some(Status::Done));
            let list = |at: usize| {
                let calls = each.get(number * leaf * count..).unwrap_or(&[]).chunks_exact(count);
                calls.take(status.len()).map(|call| call[at]).collect()
            };
            let sums = sums.chunks_exact(places.added.len()).nth(number).unwrap_or(&[]);
            leaves.push(is_done.then(|| Leaf { sums: sums.to_vec(), lists: (0..count).map(list).collect() }));
        }
        Ok(())
    }

    /// Adds the calls of a launch to those before of the same leaf, in order; none if one is not done.
    fn part_of_leaf(
        &self,
        launched: &Launched<B::Buffer>,
        needs: Needs,
        places: Places<'_>,
        before: Option<Leaf>,
    ) -> Result<Option<Leaf>, DeviceError> {
        if !launched.status.iter().all(|status| Status::of(*status) == Some(Status::Done)) {
            return Ok(None);
        }
        let all: Vec<u64> = places.added.iter().chain(places.listed).copied().collect();
        let numbers = self.added(launched, needs, 1, &all)?;
        let mut found = before;
        for call in numbers.chunks_exact(all.len()) {
            let (added, listed) = call.split_at(places.added.len());
            let so_far = found.get_or_insert_with(|| Leaf {
                // Any number is added to it unchanged.
                sums: vec![-0.0; added.len()],
                lists: vec![Vec::new(); listed.len()],
            });
            so_far.sums.iter_mut().zip(added).for_each(|(sum, x)| *sum += x);
            so_far.lists.iter_mut().zip(listed).for_each(|(list, x)| list.push(*x));
        }
        Ok(found)
    }

    /// The sums of each `leaf` calls of a launch, at these places.
    fn added(
        &self,
        launched: &Launched<B::Buffer>,
        needs: Needs,
        leaf: usize,
        places: &[u64],
    ) -> Result<Vec<f64>, DeviceError> {
        if places.is_empty() {
            return Ok(Vec::new());
        }
        let (results, len) = (&launched.results, launched.status.len());
        self.backend
            .sums(&self.kernel.program.compiled, &Sums { results, len, room: needs.room, leaf, places })
    }
}
