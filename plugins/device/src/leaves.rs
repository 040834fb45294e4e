//! Sums over the calls of a kernel, leaf by leaf.

use overdub_spmd::{DeviceError, Leaves};

use crate::launch::{Backend, HEADER, Status, Sums};
use crate::run::{GROWTH, MOST, Needs, Runs, words};

/// How often a launch for sums gets more.
const GROWTHS: usize = 4;

/// What is added up over the calls of a leaf, and listed for each of them.
pub(crate) struct Leaf {
    pub(crate) sums: Vec<f64>,
    pub(crate) lists: Vec<Vec<f64>>,
}

impl<B: Backend> Runs<'_, B> {
    /// The sums of the numbers at these places of the results, for each `leaf` calls, and the numbers at others in lists.
    pub(crate) fn sums(
        &self,
        leaf: usize,
        added: &[u64],
        listed: &[u64],
    ) -> Result<Leaves<Leaf>, DeviceError> {
        let budget = self.budget()?;
        // All places are within what a call writes.
        let end_of_places =
            added.iter().chain(listed).map(|place| *place as usize / 8 * 8 + 8).max().unwrap_or(0);
        let mut first = self.needs();
        first.room = first.room.max(end_of_places);
        let mut leaves: Leaves<Leaf> = Vec::with_capacity(self.len.div_ceil(leaf));
        let (mut needs, mut growths, mut most) = (first, 0, MOST);
        while leaves.len() * leaf < self.len {
            let begin = leaves.len() * leaf;
            let fit = (budget / self.bytes(needs)).min(most);
            let end = (begin + fit / leaf * leaf).min(self.len);
            let too_much = |leaves: &mut Leaves<Leaf>| leaves.push(None);
            if end == begin {
                too_much(&mut leaves);
                (needs, growths) = (first, 0);
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
            let sums =
                Sums { results: &launched.results, len: batch.len(), room: needs.room, leaf, places: added };
            let sums = self.backend.sums(&self.kernel.program.compiled, &sums)?;
            let bytes = match listed.is_empty() {
                true => Vec::new(),
                false => self.backend.fetch(&launched.results, HEADER..HEADER + batch.len() * needs.room)?,
            };
            for (number, (status, sums)) in
                launched.status.chunks(leaf).zip(sums.chunks_exact(added.len())).enumerate()
            {
                let is_done = status.iter().all(|status| Status::of(*status) == Some(Status::Done));
                let list = |at: &u64| {
                    let results = bytes[number * leaf * needs.room..].chunks_exact(needs.room);
                    results
                        .take(status.len())
                        .filter_map(|result| words(&result[*at as usize..]).next())
                        .collect()
                };
                leaves.push(
                    is_done.then(|| Leaf { sums: sums.to_vec(), lists: listed.iter().map(list).collect() }),
                );
            }
            growths = 0;
        }
        Ok(leaves)
    }
}
