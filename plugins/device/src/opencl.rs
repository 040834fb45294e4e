//! Devices of OpenCL: kernels are compiled and run by the driver, which is found when the program runs.

use std::fmt;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_GPU, Device as Found, get_all_devices};
use opencl3::error_codes::{
    CL_INVALID_BUFFER_SIZE, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES,
    ClError,
};
use opencl3::kernel::Kernel;
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE, ClMem};
use opencl3::program::Program;
use opencl3::types::{CL_BLOCKING, cl_device_id, cl_ulong};
use overdub_export::Export;
use overdub_spmd::DeviceError;

use crate::implement::runs_kernels;
use crate::kernels::Kernels;
use crate::launch::{self, Backend, Column, Data, HEADER, Launch, Launched, Sums};
use crate::scalar_text::scalar_text;

/// A device of OpenCL: a card, or a processor.
///
/// It runs functions of scalars, of tuples, structs and enums of them, of lists that they read, and of arrays whose length does not
/// change; all calls have to be inlined. They take memory for these arrays and for the tapes of derivatives. What else a function does is an error that names the place:
/// [`Cuda`](crate::Cuda) runs more.
pub struct OpenCl {
    kernels: Kernels<Queue>,
    name: String,
}

impl OpenCl {
    /// The first device with 64-bit floats: a card, if there is one.
    ///
    /// # Errors
    /// If there is none, or no driver for OpenCL.
    pub fn new() -> Result<OpenCl, DeviceError> {
        OpenCl::numbered(0)
    }

    /// The device of this number, from 0, of those with 64-bit floats: cards before processors.
    ///
    /// # Errors
    /// As [`OpenCl::new`].
    pub fn numbered(number: usize) -> Result<OpenCl, DeviceError> {
        // Drivers begin when they are first asked, which some of them, such as PoCL 3, do not do twice at once.
        static BEGINS: Mutex<()> = Mutex::new(());
        let _begins = BEGINS.lock().unwrap_or_else(PoisonError::into_inner);
        let missing = |what: String| DeviceError::Missing(what);
        let of = |kind| get_all_devices(kind).unwrap_or_default();
        let mut all: Vec<cl_device_id> = of(CL_DEVICE_TYPE_GPU);
        let others: Vec<_> = of(CL_DEVICE_TYPE_ALL).into_iter().filter(|id| !all.contains(id)).collect();
        all.extend(others);
        if all.is_empty() {
            return Err(missing("device of OpenCL, or no driver for one (an ICD)".to_owned()));
        }
        let found = all.into_iter().map(Found::new);
        let mut able = found.filter(|device| {
            device.available().unwrap_or(false) && device.double_fp_config().is_ok_and(|config| config != 0)
        });
        let device = able.nth(number);
        let device = device
            .ok_or_else(|| missing(format!("device of OpenCL of number {number} with 64-bit floats")))?;
        let name = device.name().map_err(failed)?;
        let (whole, most) = (device.global_mem_size(), device.max_mem_alloc_size());
        let (whole, most): (cl_ulong, cl_ulong) = (whole.map_err(failed)?, most.map_err(failed)?);
        let bytes = usize::try_from(whole.min(most.saturating_mul(2))).unwrap_or(usize::MAX);
        let context = Context::from_device(&device).map_err(failed)?;
        #[allow(deprecated, reason = "the function for it since version 2.0 is missing in drivers of 1.2")]
        let queue = CommandQueue::create_default(&context, 0).map_err(failed)?;
        let queue = Queue { context, queue: Mutex::new(queue), bytes };
        Ok(OpenCl { kernels: Kernels::new(queue), name: name.trim().to_owned() })
    }

    /// The name that the driver gives it.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Debug for OpenCl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenCl").field("name", &self.name).finish_non_exhaustive()
    }
}

runs_kernels!(OpenCl);

fn failed(error: ClError) -> DeviceError {
    match error.0 {
        CL_MEM_OBJECT_ALLOCATION_FAILURE
        | CL_OUT_OF_RESOURCES
        | CL_OUT_OF_HOST_MEMORY
        | CL_INVALID_BUFFER_SIZE => DeviceError::Memory(error.to_string()),
        _ => DeviceError::Failed(error.to_string()),
    }
}

/// The commands of a device: each waits for the one before.
struct Queue {
    context: Context,
    queue: Mutex<CommandQueue>,
    /// The bytes that launches may use.
    bytes: usize,
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue").finish_non_exhaustive()
    }
}

/// The kernels of a text. The arguments of a kernel are set one by one, so its launches follow each other.
struct Compiled {
    calls: Mutex<Kernel>,
    sums: Mutex<Kernel>,
    _program: Program,
}

/// Memory of a device, and its length, since no buffer is empty.
struct Memory {
    buffer: Buffer<u8>,
    len: usize,
}

/// An argument of a kernel.
enum Argument<'a> {
    Number(u64),
    Memory(&'a Buffer<u8>),
}

impl Backend for Queue {
    type Buffer = Memory;
    type Program = Compiled;

    fn text(&self, export: &Export<'_>, name: &str) -> Result<(String, launch::Memory), DeviceError> {
        scalar_text(export, name)
    }

    fn compile(&self, text: &str) -> Result<Compiled, DeviceError> {
        let refused = |log: String| DeviceError::Failed(format!("the driver refuses the kernel: {log}"));
        let program = Program::create_and_build_from_source(&self.context, text, "").map_err(refused)?;
        let kernel = |name: &str| Kernel::create(&program, name).map(Mutex::new).map_err(failed);
        let (calls, sums) = (kernel("overdub_kernel")?, kernel("overdub_sums")?);
        Ok(Compiled { calls, sums, _program: program })
    }

    fn send(&self, bytes: &[u8]) -> Result<Memory, DeviceError> {
        let mut memory = self.allocate(bytes.len())?;
        self.replace(&mut memory, 0, bytes)?;
        Ok(memory)
    }

    fn replace(&self, memory: &mut Memory, from: usize, bytes: &[u8]) -> Result<(), DeviceError> {
        if bytes.is_empty() {
            return Ok(());
        }
        inside(memory, from..from + bytes.len())?;
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        // The place is inside of the buffer, and the call waits until the bytes are copied.
        #[allow(unsafe_code)]
        let written =
            unsafe { queue.enqueue_write_buffer(&mut memory.buffer, CL_BLOCKING, from, bytes, &[]) };
        written.map(|_| ()).map_err(failed)
    }

    fn fetch(&self, memory: &Memory, range: Range<usize>) -> Result<Vec<u8>, DeviceError> {
        let mut bytes = vec![0; range.len()];
        if bytes.is_empty() {
            return Ok(bytes);
        }
        inside(memory, range.clone())?;
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        // As above.
        #[allow(unsafe_code)]
        let read =
            unsafe { queue.enqueue_read_buffer(&memory.buffer, CL_BLOCKING, range.start, &mut bytes, &[]) };
        read.map_err(failed)?;
        Ok(bytes)
    }

    fn free_bytes(&self) -> Result<usize, DeviceError> {
        Ok(self.bytes)
    }

    fn launch(
        &self,
        kernels: &Compiled,
        launch: &Launch<'_, Memory>,
    ) -> Result<Launched<Memory>, DeviceError> {
        let send = |column: &Column<Memory>| match &column.data {
            Data::Host(bytes) => self.send(bytes).map(Some),
            Data::Device(_) => Ok(None),
        };
        let sent = launch.columns.iter().map(send).collect::<Result<Vec<_>, _>>()?;
        let offsets = |column: &Column<Memory>| {
            let bytes: Vec<u8> = column.offsets.iter().flat_map(|offset| offset.to_ne_bytes()).collect();
            self.send(&bytes)
        };
        let offsets = launch.columns.iter().map(offsets).collect::<Result<Vec<_>, _>>()?;
        let results = self.allocate(launch.results())?;
        let memory = self.allocate(launch.len * launch.memory)?;
        // What a work item does not write has failed.
        let status = self.send(&vec![1; launch.len])?;
        let mut arguments = vec![
            Argument::Number(launch.len as u64),
            Argument::Number(launch.room as u64),
            Argument::Number(HEADER as u64),
            Argument::Memory(&results.buffer),
            Argument::Memory(&status.buffer),
            Argument::Memory(&memory.buffer),
            Argument::Number(launch.memory as u64),
        ];
        for ((column, sent), offsets) in launch.columns.iter().zip(&sent).zip(&offsets) {
            let data = match (&column.data, sent) {
                (Data::Device(stored), _) => &stored.buffer,
                (Data::Host(_), Some(sent)) => &sent.buffer,
                (Data::Host(_), None) => &offsets.buffer,
            };
            let stride = if column.offsets.is_empty() { column.stride } else { u64::MAX };
            let (begin, stride) = (Argument::Number(column.begin), Argument::Number(stride));
            arguments.extend([Argument::Memory(data), begin, Argument::Memory(&offsets.buffer), stride]);
        }
        self.start(&kernels.calls, &arguments, launch.len)?;
        let ended = self.fetch(&status, 0..launch.len)?;
        Ok(Launched { status: ended, results })
    }

    fn sums(&self, kernels: &Compiled, sums: &Sums<'_, Memory>) -> Result<Vec<f64>, DeviceError> {
        let places: Vec<u8> = sums.places.iter().flat_map(|place| place.to_ne_bytes()).collect();
        let (places, found) = (self.send(&places)?, self.allocate(8 * sums.count())?);
        let number = |n: usize| Argument::Number(n as u64);
        let arguments = [
            Argument::Memory(&sums.results.buffer),
            number(HEADER),
            number(sums.len),
            number(sums.room),
            number(sums.leaf),
            Argument::Memory(&places.buffer),
            number(sums.places.len()),
            Argument::Memory(&found.buffer),
            number(sums.count()),
        ];
        self.start(&kernels.sums, &arguments, sums.count())?;
        let bytes = self.fetch(&found, 0..8 * sums.count())?;
        Ok(bytes.chunks_exact(8).filter_map(|word| Some(f64::from_ne_bytes(word.try_into().ok()?))).collect())
    }
}

/// Whether bytes are inside of a memory.
fn inside(memory: &Memory, range: Range<usize>) -> Result<(), DeviceError> {
    match range.start <= range.end && range.end <= memory.len {
        true => Ok(()),
        false => Err(DeviceError::Failed("a place outside of its memory".to_owned())),
    }
}

impl Queue {
    fn allocate(&self, len: usize) -> Result<Memory, DeviceError> {
        // Memory of the device alone: nothing of the host is lent.
        #[allow(unsafe_code)]
        let buffer =
            unsafe { Buffer::create(&self.context, CL_MEM_READ_WRITE, len.max(8), std::ptr::null_mut()) };
        Ok(Memory { buffer: buffer.map_err(failed)?, len })
    }

    /// Runs a kernel in this many work items, and waits for them.
    fn start(
        &self,
        kernel: &Mutex<Kernel>,
        arguments: &[Argument<'_>],
        items: usize,
    ) -> Result<(), DeviceError> {
        let kernel = kernel.lock().unwrap_or_else(PoisonError::into_inner);
        for (number, argument) in arguments.iter().enumerate() {
            let number = u32::try_from(number).unwrap_or(u32::MAX);
            // The text has these parameters, in this order.
            #[allow(unsafe_code)]
            let set = unsafe {
                match argument {
                    Argument::Number(n) => kernel.set_arg(number, n),
                    Argument::Memory(buffer) => kernel.set_arg(number, &buffer.get()),
                }
            };
            set.map_err(failed)?;
        }
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let (whole, none) = ([items], std::ptr::null());
        // The kernel reads and writes its arguments alone, which live until it has ended, within the lengths given there.
        #[allow(unsafe_code)]
        let started =
            unsafe { queue.enqueue_nd_range_kernel(kernel.get(), 1, none, whole.as_ptr(), none, &[]) };
        started.map_err(failed)?;
        queue.finish().map_err(failed)
    }
}
