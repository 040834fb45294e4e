//! Runs of a kernel over many calls: launches of as many as fit, and what is read from their results.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use overdub_context::ir::{Ty, TyKind};
use overdub_context::value::Value;
use overdub_export::packed::{fixed_bytes, unpack};
use overdub_spmd::{DeviceError, DeviceList, Returned};

use crate::columns::Args;
use crate::launch::{Backend, HEADER, Launch, Launched, Memory, Status};
use crate::parts::in_parts;
use crate::stored::StoredList;

/// The greatest number of calls of a launch.
pub(crate) const MOST: usize = 1 << 22;

/// The memory that a call that allocates gets at first, beyond that for its arguments.
const MEMORY: usize = 4096;

/// The bytes for a list of a call, at least.
const FEW: usize = 256;

/// The most bytes for the calls of a launch whose results are of no known length, such as lists: more of them would not keep a
/// card busier.
const MOST_OF_LISTS: usize = 1 << 30;

/// How much more a call gets that did not fit.
pub(crate) const GROWTH: usize = 8;

/// A function as a kernel.
pub(crate) struct Kernel<B: Backend> {
    pub(crate) program: Arc<Program<B>>,
    pub(crate) memory: Memory,
    pub(crate) ret: Ty,
}

/// A compiled kernel, and the bytes of memory that most of its calls turned out to need.
pub(crate) struct Program<B: Backend> {
    pub(crate) compiled: B::Program,
    memory: AtomicUsize,
}

impl<B: Backend> Program<B> {
    pub(crate) fn new(compiled: B::Program) -> Program<B> {
        Program { compiled, memory: AtomicUsize::new(0) }
    }

    /// Raises the memory that the first launch gives each call to `memory` bytes, if at least half of the `of` calls of a launch
    /// ran out of it.
    pub(crate) fn learn(&self, lacking: usize, of: usize, memory: usize) {
        if 2 * lacking >= of {
            self.memory.fetch_max(memory, Ordering::Relaxed);
        }
    }
}

/// The runs of a kernel for all calls.
pub(crate) struct Runs<'c, B: Backend> {
    pub(crate) backend: &'c Arc<B>,
    pub(crate) kernel: Kernel<B>,
    pub(crate) args: Args<'c, B>,
    pub(crate) len: usize,
}

/// What a call gets on the device.
#[derive(Clone, Copy)]
pub(crate) struct Needs {
    pub(crate) room: usize,
    pub(crate) memory: usize,
}

/// The number of parts of a result that is a float or a tuple of these.
fn float_parts(ty: Ty) -> Option<usize> {
    match ty.kind() {
        TyKind::Tuple(parts) => parts.iter().all(|ty| *ty == Ty::f64()).then_some(parts.len()),
        _ => (ty == Ty::f64()).then_some(1),
    }
}

impl<B: Backend> Runs<'_, B> {
    /// Runs all calls, and reads the result of each that finishes; in lists of floats, if that is asked for and all of them are.
    pub(crate) fn all<T: Send + Clone>(
        &self,
        as_floats: bool,
        read: &(dyn Fn(usize, Value<'static>) -> Option<T> + Sync),
    ) -> Result<Returned<T>, DeviceError> {
        let Some(parts) = float_parts(self.kernel.ret).filter(|_| as_floats) else {
            let mut results: Vec<Option<T>> = vec![None; self.len];
            self.launches(|batch, launched, room| {
                for (call, found) in batch.iter().zip(self.unpacked(batch, launched, room, read)?) {
                    results[*call] = found;
                }
                Ok(())
            })?;
            return Ok(Returned::Each(results));
        };
        let mut lists = vec![vec![0.0; self.len]; parts];
        let mut is_done = vec![false; self.len];
        self.launches(|batch, launched, room| {
            let bytes = self.backend.fetch(&launched.results, HEADER..HEADER + batch.len() * room)?;
            for ((call, result), status) in batch.iter().zip(bytes.chunks_exact(room)).zip(&launched.status) {
                if Status::of(*status) == Some(Status::Done) {
                    is_done[*call] = true;
                    lists.iter_mut().zip(words(result)).for_each(|(list, x)| list[*call] = x);
                }
            }
            Ok(())
        })?;
        if is_done.iter().all(|done| *done) {
            return Ok(Returned::Floats(lists));
        }
        let of = |call: usize| {
            let mut parts = lists.iter().map(|list| Value::F64(list[call]));
            let value = if lists.len() == 1 { parts.next()? } else { Value::tuple(parts) };
            is_done[call].then(|| read(call, value))?
        };
        Ok(Returned::Each((0..self.len).map(of).collect()))
    }

    /// The results of all calls, as a list that stays on the device; none if it cannot, or a call is not finished.
    pub(crate) fn stored(&self) -> Result<Option<DeviceList>, DeviceError> {
        let needs = self.needs();
        if fixed_bytes(self.kernel.ret) != Some(needs.room) || self.bytes(needs) > self.budget()? / self.len {
            return Ok(None);
        }
        let batch: Vec<usize> = (0..self.len).collect();
        let launched = match self.launch(&batch, needs) {
            Ok(launched) => launched,
            Err(DeviceError::Memory(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        if !launched.status.iter().all(|status| Status::of(*status) == Some(Status::Done)) {
            return Ok(None);
        }
        let of = (HEADER, needs.room, self.len);
        StoredList::of_results(self.backend, launched.results, of, self.kernel.ret).map(Some)
    }

    pub(crate) fn launch(&self, batch: &[usize], needs: Needs) -> Result<Launched<B::Buffer>, DeviceError> {
        let columns = self.args.columns(batch)?;
        let launch = Launch { columns: &columns, len: batch.len(), room: needs.room, memory: needs.memory };
        self.backend.launch(&self.kernel.program.compiled, &launch)
    }

    /// What calls get at first.
    pub(crate) fn needs(&self) -> Needs {
        let of_args = self.args.bytes;
        let room = fixed_bytes(self.kernel.ret).unwrap_or(64 + 2 * of_args);
        let known = self.kernel.program.memory.load(Ordering::Relaxed);
        let memory = match self.kernel.memory {
            Memory::Nothing => return Needs { room, memory: 0 },
            Memory::Lists(lists) => lists * of_args.max(FEW),
            Memory::Unknown => MEMORY + 4 * of_args,
        };
        Needs { room, memory: memory.next_multiple_of(16).max(known) }
    }

    /// The bytes for each call.
    pub(crate) fn bytes(&self, needs: Needs) -> usize {
        needs.room + needs.memory + self.args.bytes + 9
    }

    pub(crate) fn budget(&self) -> Result<usize, DeviceError> {
        let half = self.backend.free_bytes()? / 2;
        Ok(if fixed_bytes(self.kernel.ret).is_some() { half } else { half.min(MOST_OF_LISTS) })
    }

    /// Launches all calls, some of them more than once, and lets `take` read each launch.
    fn launches(
        &self,
        mut take: impl FnMut(&[usize], &Launched<B::Buffer>, usize) -> Result<(), DeviceError>,
    ) -> Result<(), DeviceError> {
        let budget = self.budget()?;
        let mut waiting: Vec<(Vec<usize>, Needs)> = Vec::new();
        let mut next = 0;
        // The needs of the next chunk: what the last one took.
        let mut needs = self.needs();
        loop {
            let (batch, of_batch) = match waiting.pop() {
                Some(batch) => batch,
                None if next < self.len => {
                    let end = self.len.min(next + MOST);
                    let batch = (next..end).collect();
                    next = end;
                    (batch, needs)
                }
                None => return Ok(()),
            };
            let fits = budget / self.bytes(of_batch);
            if fits == 0 {
                // Not even one fits: the host runs them.
                continue;
            }
            if batch.len() > fits {
                waiting.extend(batch.rchunks(fits).map(|part| (part.to_vec(), of_batch)));
                continue;
            }
            let launched = match self.launch(&batch, of_batch) {
                Ok(launched) => launched,
                // Its arguments were larger than those of the first call.
                Err(DeviceError::Memory(_)) if batch.len() > 1 => {
                    let parts = batch.chunks(batch.len().div_ceil(2));
                    waiting.extend(parts.map(|part| (part.to_vec(), of_batch)));
                    continue;
                }
                Err(DeviceError::Memory(_)) => continue,
                Err(error) => return Err(error),
            };
            take(&batch, &launched, of_batch.room)?;
            let mut more = [(Status::NoRoom, Vec::new()), (Status::NoMemory, Vec::new())];
            for (&call, status) in batch.iter().zip(&launched.status) {
                let status = Status::of(*status);
                more.iter_mut().filter(|(of, _)| Some(*of) == status).for_each(|(_, all)| all.push(call));
            }
            let [(_, no_room), (_, no_memory)] = more;
            self.kernel.program.learn(no_memory.len(), batch.len(), of_batch.memory * GROWTH);
            for (calls, room, memory) in [(no_room, GROWTH, 1), (no_memory, 1, GROWTH)] {
                if !calls.is_empty() {
                    needs = Needs { room: of_batch.room * room, memory: of_batch.memory * memory };
                    waiting.push((calls, needs));
                }
            }
        }
    }

    /// The results of the calls that are done.
    fn unpacked<T: Send>(
        &self,
        batch: &[usize],
        launched: &Launched<B::Buffer>,
        room: usize,
        read: &(dyn Fn(usize, Value<'static>) -> Option<T> + Sync),
    ) -> Result<Vec<Option<T>>, DeviceError> {
        let bytes = self.backend.fetch(&launched.results, HEADER..HEADER + batch.len() * room)?;
        let parts = in_parts(batch.len(), |range| {
            let of = |at: usize| {
                if Status::of(launched.status[at]) != Some(Status::Done) {
                    return None;
                }
                let value = unpack(self.kernel.ret, &mut &bytes[at * room..(at + 1) * room], None)?;
                read(batch[at], value)
            };
            range.map(of).collect::<Vec<_>>()
        });
        Ok(parts.into_iter().flatten().collect())
    }
}

/// The numbers of packed bytes.
pub(crate) fn words(bytes: &[u8]) -> impl Iterator<Item = f64> {
    bytes.chunks_exact(8).filter_map(|word| Some(f64::from_ne_bytes(word.try_into().ok()?)))
}
