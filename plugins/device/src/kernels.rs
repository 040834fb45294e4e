//! The kernels of functions, and their runs over many elements: packing, launches of as many elements as fit, unpacking.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashMap;
use overdub_ad::transform::reverse::all_shaped;
use overdub_context::ir::Ty;
use overdub_context::value::Value;
use overdub_export::{Derivative, Export, ExportError};
use overdub_spmd::{DeviceCalls, DeviceError, ValueAndGradient};

use crate::columns::{bytes_of_first, columns, shared};
use crate::launch::{Compiled, Launch, Launched, Status};
use crate::packed::{fixed_bytes, unpack};
use crate::parts::in_parts;

/// The greatest number of elements of a launch.
const MOST: usize = 1 << 22;

/// The memory that a call that allocates gets at first, beyond that for its arguments.
const MEMORY: usize = 4096;

/// The number of kernels that are kept.
const KEPT: usize = 256;

/// How much more a call gets that did not fit.
const GROWTH: usize = 8;

type Compile = dyn Fn(&str) -> Result<Box<dyn Compiled>, DeviceError> + Send + Sync;

/// The kernels of a device, by their text.
pub(crate) struct Kernels {
    compile: Box<Compile>,
    known: Mutex<HashMap<String, Arc<dyn Compiled>>>,
}

/// A function as a kernel.
struct Kernel {
    compiled: Arc<dyn Compiled>,
    allocates: bool,
    ret: Ty,
}

impl Kernels {
    pub(crate) fn new(compile: Box<Compile>) -> Kernels {
        Kernels { compile, known: Mutex::default() }
    }

    /// What the function returns for each call, where the device finishes it.
    pub(crate) fn values(&self, calls: &DeviceCalls<'_>) -> Result<Vec<Option<Value<'static>>>, DeviceError> {
        let export = Export::new(calls.engine).function(calls.func, "of_element", "");
        let kernel = self.kernel(&export)?;
        run(&kernel, calls, &|_, value| Some(value))
    }

    /// The value and the derivatives for each call, where the device finishes it.
    pub(crate) fn values_and_gradients(
        &self,
        calls: &DeviceCalls<'_>,
        wrt: &[bool],
    ) -> Result<Vec<Option<ValueAndGradient>>, DeviceError> {
        let export = Export::new(calls.engine);
        let export = export.derivative(calls.func, Derivative::ValueAndGradient, wrt, "of_element", "");
        let export = export.map_err(|error| unsupported(&error))?;
        let active = export.differentiated("of_element").unwrap_or_default().to_vec();
        let kernel = self.kernel(&export)?;
        run(&kernel, calls, &|call, both| {
            let Value::Composite(both) = both else { return None };
            let mut parts = Arc::unwrap_or_clone(both).parts.into_iter();
            let value = parts.next()?;
            let mut shaped = None;
            calls.args(call, &mut |args| {
                shaped = all_shaped(args, &active, Value::tuple(parts.by_ref())).ok();
            });
            Some((value, shaped?))
        })
    }

    fn kernel(&self, export: &Export<'_>) -> Result<Kernel, DeviceError> {
        let ret = export.ret("of_element").map_err(|error| unsupported(&error))?;
        let text = export.kernel().map_err(|error| unsupported(&error))?;
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known().get(&text.text).cloned();
        let compiled = match found {
            Some(compiled) => compiled,
            None => {
                let compiled: Arc<dyn Compiled> = (self.compile)(&text.text)?.into();
                let mut known = known();
                if known.len() >= KEPT {
                    known.clear();
                }
                known.entry(text.text).or_insert(compiled).clone()
            }
        };
        Ok(Kernel { compiled, allocates: text.allocates, ret })
    }
}

/// Makes a type with a field `kernels` a device that runs them.
macro_rules! runs_kernels {
    ($device:ty) => {
        impl overdub_spmd::Device for $device {
            fn values(
                &self,
                calls: &overdub_spmd::DeviceCalls<'_>,
            ) -> Result<Vec<Option<overdub_context::value::Value<'static>>>, overdub_spmd::DeviceError> {
                self.kernels.values(calls)
            }

            fn values_and_gradients(
                &self,
                calls: &overdub_spmd::DeviceCalls<'_>,
                wrt: &[bool],
            ) -> Result<Vec<Option<overdub_spmd::ValueAndGradient>>, overdub_spmd::DeviceError> {
                self.kernels.values_and_gradients(calls, wrt)
            }
        }
    };
}
pub(crate) use runs_kernels;

impl fmt::Debug for Kernels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernels").finish_non_exhaustive()
    }
}

fn unsupported(error: &ExportError) -> DeviceError {
    let span = error.span();
    DeviceError::Unsupported(if span.is_known() { format!("{error}, at {span}") } else { error.to_string() })
}

/// What a call gets on the device.
#[derive(Clone, Copy)]
struct Needs {
    room: usize,
    memory: usize,
}

/// Runs all calls, and reads the result of each that finishes.
fn run<T: Send + Clone>(
    kernel: &Kernel,
    calls: &DeviceCalls<'_>,
    read: &(dyn Fn(usize, Value<'static>) -> Option<T> + Sync),
) -> Result<Vec<Option<T>>, DeviceError> {
    let mut results: Vec<Option<T>> = vec![None; calls.len];
    let shared = shared(calls)?;
    let budget = kernel.compiled.free_bytes()? / 2;
    let of_args = bytes_of_first(calls);
    let fixed = fixed_bytes(kernel.ret);
    let first = Needs {
        room: fixed.unwrap_or(64 + 2 * of_args),
        memory: if kernel.allocates { (MEMORY + 4 * of_args).next_multiple_of(16) } else { 0 },
    };
    let mut waiting: Vec<(Vec<usize>, Needs)> = Vec::new();
    let mut next = 0;
    // The needs of the next chunk: what the last one took.
    let mut needs = first;
    loop {
        let (batch, of_batch) = match waiting.pop() {
            Some(batch) => batch,
            None if next < calls.len => {
                let end = calls.len.min(next + MOST);
                let batch = (next..end).collect();
                next = end;
                (batch, needs)
            }
            None => return Ok(results),
        };
        let each = of_batch.room + of_batch.memory + of_args + 9;
        let fits = budget / each;
        if fits == 0 {
            // Not even one fits: the host runs them.
            continue;
        }
        if batch.len() > fits {
            waiting.extend(batch.rchunks(fits).map(|part| (part.to_vec(), of_batch)));
            continue;
        }
        let columns = columns(calls, &shared, &batch)?;
        let launch =
            Launch { columns: &columns, len: batch.len(), room: of_batch.room, memory: of_batch.memory };
        let launched = match kernel.compiled.launch(&launch) {
            Ok(launched) => launched,
            // Its arguments were larger than those of the first call.
            Err(DeviceError::Memory(_)) if batch.len() > 1 => {
                waiting.extend(batch.chunks(batch.len().div_ceil(2)).map(|part| (part.to_vec(), of_batch)));
                continue;
            }
            Err(DeviceError::Memory(_)) => continue,
            Err(error) => return Err(error),
        };
        let found = unpacked(kernel.ret, &launched, &batch, of_batch.room, read);
        let mut more = [(Status::NoRoom, Vec::new()), (Status::NoMemory, Vec::new())];
        for ((&call, found), status) in batch.iter().zip(found).zip(&launched.status) {
            results[call] = found;
            let status = Status::of(*status);
            more.iter_mut().filter(|(of, _)| Some(*of) == status).for_each(|(_, all)| all.push(call));
        }
        let [(_, no_room), (_, no_memory)] = more;
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
    ret: Ty,
    launched: &Launched,
    batch: &[usize],
    room: usize,
    read: &(dyn Fn(usize, Value<'static>) -> Option<T> + Sync),
) -> Vec<Option<T>> {
    let parts = in_parts(batch.len(), |range| {
        let of = |at: usize| {
            if Status::of(launched.status[at]) != Some(Status::Done) {
                return None;
            }
            let value = unpack(ret, &mut &launched.results[at * room..(at + 1) * room])?;
            read(batch[at], value)
        };
        range.map(of).collect::<Vec<_>>()
    });
    parts.into_iter().flatten().collect()
}
