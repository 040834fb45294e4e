//! Cards of NVIDIA: kernels are compiled by NVRTC and run by the driver, both of which are found when the program runs.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::sys::{CUlimit, CUresult};
use cudarc::driver::{
    CudaContext, CudaFunction, CudaModule, CudaSlice, CudaStream, DevicePtr, DeviceRepr, DriverError,
    LaunchConfig, PushKernelArg,
};
use cudarc::nvrtc::{CompileError, CompileOptions, compile_ptx_with_opts};
use overdub_export::Export;
use overdub_spmd::DeviceError;

use crate::implement::runs_kernels;
use crate::kernels::Kernels;
use crate::launch::{Backend, Column, Data, HEADER, Launch, Launched, Memory, Sums, cuda_text};
use crate::scalar_text::scalar_text;

/// The bytes of stack of each thread.
const STACK: usize = 32 << 10;

/// The bytes of it that calls may use: the last one may need some more.
const STACK_USED: u64 = (STACK - (8 << 10)) as u64;

/// The first line of kernels that take arguments, as those of OpenCL; others have a place for them in their module.
const OF_SCALARS: &str = "// A kernel of scalars.\n";

/// The threads of a block.
const BLOCK: u32 = 128;

/// A card of NVIDIA.
pub struct Cuda {
    kernels: Kernels<Card>,
    name: String,
}

impl Cuda {
    /// The first card.
    ///
    /// # Errors
    /// If there is no card, no driver, or no NVRTC (`libnvrtc`, which comes with the CUDA toolkit).
    pub fn new() -> Result<Cuda, DeviceError> {
        Cuda::numbered(0)
    }

    /// The card of this number, from 0.
    ///
    /// # Errors
    /// As [`Cuda::new`].
    pub fn numbered(number: usize) -> Result<Cuda, DeviceError> {
        let missing = |what: &str| Err(DeviceError::Missing(what.to_owned()));
        // These look for the libraries, and load none of their functions: without them, all else would panic.
        #[allow(unsafe_code)]
        let (has_driver, has_compiler) =
            unsafe { (cudarc::driver::sys::is_culib_present(), cudarc::nvrtc::sys::is_culib_present()) };
        if !has_driver {
            return missing("driver of CUDA (libcuda)");
        }
        if !has_compiler {
            return missing("compiler of CUDA at run time (libnvrtc, of the CUDA toolkit)");
        }
        let count = CudaContext::device_count().map_err(failed)?;
        if number >= usize::try_from(count).unwrap_or(0) {
            return missing(&format!("card of number {number}: there are {count}"));
        }
        let context = CudaContext::new(number).map_err(failed)?;
        let name = context.name().map_err(failed)?;
        let stream = context.new_stream().map_err(failed)?;
        Ok(Cuda { kernels: Kernels::new(Card { context, stream }), name })
    }

    /// The name that the driver gives it.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Debug for Cuda {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cuda").field("name", &self.name).finish_non_exhaustive()
    }
}

runs_kernels!(Cuda);

fn failed(error: DriverError) -> DeviceError {
    match error.0 {
        CUresult::CUDA_ERROR_OUT_OF_MEMORY => DeviceError::Memory(error.to_string()),
        _ => DeviceError::Failed(error.to_string()),
    }
}

fn compiled(context: &Arc<CudaContext>, text: &str) -> Result<Loaded, DeviceError> {
    let (major, minor) = context.compute_capability().map_err(failed)?;
    let options = CompileOptions {
        fmad: Some(false),
        options: [
            format!("--gpu-architecture=compute_{major}{minor}"),
            "--std=c++20".to_owned(),
            "--device-as-default-execution-space".to_owned(),
            "--device-int128".to_owned(),
            // Narrowing in initialisers is an error in C++ only.
            "--diag-suppress=2361".to_owned(),
        ]
        .into(),
        ..CompileOptions::default()
    };
    let refused = |error: CompileError| match error {
        CompileError::CompileError { log, .. } => {
            DeviceError::Failed(format!("NVRTC refuses the kernel: {}", log.to_string_lossy()))
        }
        other => DeviceError::Failed(format!("NVRTC: {other}")),
    };
    let ptx = compile_ptx_with_opts(text, options).map_err(refused)?;
    if text.contains("OverdubFrame overdub_frame;") {
        context.set_limit(CUlimit::CU_LIMIT_STACK_SIZE, STACK).map_err(failed)?;
    }
    let module = context.load_module(ptx).map_err(failed)?;
    let function = |name| module.load_function(name).map_err(failed);
    let (calls, sums) = (function("overdub_kernel")?, function("overdub_sums")?);
    let is_of_scalars = text.starts_with(OF_SCALARS);
    Ok(Loaded { module, calls, sums, is_of_scalars, running: Mutex::new(()) })
}

/// The memory and the stream of a card: what is put into the stream is done in order.
struct Card {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Card").finish_non_exhaustive()
    }
}

/// A kernel on a card. Its launches follow each other, since the module has one place for what they work on.
struct Loaded {
    module: Arc<CudaModule>,
    calls: CudaFunction,
    sums: CudaFunction,
    is_of_scalars: bool,
    running: Mutex<()>,
}

/// `OverdubColumn` of the kernel's text: addresses on the card.
#[derive(Clone, Copy)]
#[repr(C)]
struct DeviceColumn {
    data: u64,
    offsets: u64,
    stride: u64,
}

// Three words without padding, as in the kernel's text.
#[allow(unsafe_code)]
unsafe impl DeviceRepr for DeviceColumn {}

/// A column that is on the card.
struct Sent {
    data: Option<CudaSlice<u8>>,
    offsets: Option<CudaSlice<u64>>,
}

impl Backend for Card {
    type Buffer = CudaSlice<u8>;
    type Program = Loaded;

    fn text(&self, export: &Export<'_>, name: &str) -> Result<(String, Memory), DeviceError> {
        // The tapes of these are interleaved, so that the accesses of a warp are coalesced.
        match scalar_text(export, name) {
            Ok((text, memory)) => Ok((format!("{OF_SCALARS}{text}"), memory)),
            Err(_) => cuda_text(export),
        }
    }

    fn compile(&self, text: &str) -> Result<Loaded, DeviceError> {
        compiled(&self.context, text)
    }

    fn send(&self, bytes: &[u8]) -> Result<CudaSlice<u8>, DeviceError> {
        self.sent(bytes).map_err(failed)
    }

    fn replace(&self, buffer: &mut CudaSlice<u8>, from: usize, bytes: &[u8]) -> Result<(), DeviceError> {
        let outside = || DeviceError::Failed("a place outside of its memory".to_owned());
        let mut place = buffer.try_slice_mut(from..from + bytes.len()).ok_or_else(outside)?;
        let mut copy = || {
            self.context.bind_to_thread()?;
            self.stream.memcpy_htod(bytes, &mut place)?;
            self.stream.synchronize()
        };
        copy().map_err(failed)
    }

    fn fetch(&self, buffer: &CudaSlice<u8>, range: Range<usize>) -> Result<Vec<u8>, DeviceError> {
        if range.is_empty() {
            return Ok(Vec::new());
        }
        let outside = || DeviceError::Failed("a place outside of its memory".to_owned());
        let place = buffer.try_slice(range).ok_or_else(outside)?;
        let copy = || {
            self.context.bind_to_thread()?;
            let found = self.stream.clone_dtoh(&place)?;
            self.stream.synchronize()?;
            Ok(found)
        };
        copy().map_err(failed)
    }

    fn free_bytes(&self) -> Result<usize, DeviceError> {
        let (free, _) = self.context.mem_get_info().map_err(failed)?;
        Ok(free)
    }

    fn launch(
        &self,
        program: &Loaded,
        launch: &Launch<'_, CudaSlice<u8>>,
    ) -> Result<Launched<CudaSlice<u8>>, DeviceError> {
        let _running = program.running.lock().unwrap_or_else(PoisonError::into_inner);
        self.run(program, launch).map_err(failed)
    }

    fn sums(&self, program: &Loaded, sums: &Sums<'_, CudaSlice<u8>>) -> Result<Vec<f64>, DeviceError> {
        let _running = program.running.lock().unwrap_or_else(PoisonError::into_inner);
        self.add(program, sums).map_err(failed)
    }
}

impl Card {
    /// Copies bytes to the card; no allocation is empty.
    fn sent(&self, bytes: &[u8]) -> Result<CudaSlice<u8>, DriverError> {
        self.context.bind_to_thread()?;
        self.stream.clone_htod(if bytes.is_empty() { &[0][..] } else { bytes })
    }

    /// Runs a kernel in this many threads: with these words as its arguments, or once they are at a place of its module.
    fn start(
        &self,
        program: &Loaded,
        (function, threads): (&CudaFunction, usize),
        place: Option<&str>,
        words: &[u64],
    ) -> Result<(), DriverError> {
        if let Some(place) = place {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
            let mut place = program.module.get_global(place, &self.stream)?;
            self.stream.memcpy_htod(&bytes, &mut place)?;
        }
        let blocks = u32::try_from(threads.div_ceil(BLOCK as usize)).unwrap_or(u32::MAX);
        let config = LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (BLOCK, 1, 1), shared_mem_bytes: 0 };
        let mut launch = self.stream.launch_builder(function);
        if place.is_none() {
            words.iter().for_each(|word| {
                launch.arg(word);
            });
        }
        // The kernels read and write what the words name, which lives until they have ended, within the lengths given there.
        #[allow(unsafe_code)]
        unsafe {
            launch.launch(config)?;
        }
        self.stream.synchronize()
    }

    fn run(
        &self,
        program: &Loaded,
        launch: &Launch<'_, CudaSlice<u8>>,
    ) -> Result<Launched<CudaSlice<u8>>, DriverError> {
        let stream = &self.stream;
        self.context.bind_to_thread()?;
        let send = |column: &Column<CudaSlice<u8>>| -> Result<Sent, DriverError> {
            let data = match &column.data {
                Data::Host(bytes) => Some(self.sent(bytes)?),
                Data::Device(_) => None,
            };
            let offsets = match column.offsets.is_empty() {
                true => None,
                false => Some(stream.clone_htod(&column.offsets)?),
            };
            Ok(Sent { data, offsets })
        };
        let sent = launch.columns.iter().map(send).collect::<Result<Vec<_>, _>>()?;
        let address = |sent: &Sent, of: &Column<CudaSlice<u8>>| {
            let data = match (&sent.data, &of.data) {
                (Some(sent), _) => sent.device_ptr(stream).0,
                (None, Data::Device(stored)) => stored.device_ptr(stream).0,
                (None, Data::Host(_)) => 0,
            };
            let offsets = sent.offsets.as_ref().map_or(0, |offsets| offsets.device_ptr(stream).0);
            DeviceColumn { data: data + of.begin, offsets, stride: of.stride }
        };
        let mut addresses: Vec<DeviceColumn> =
            sent.iter().zip(launch.columns).map(|(sent, column)| address(sent, column)).collect();
        // The kernel writes before the host reads, and a call writes its memory before it reads that.
        #[allow(unsafe_code)]
        let (results, memory) = unsafe {
            (stream.alloc::<u8>(launch.results())?, stream.alloc::<u8>((launch.len * launch.memory).max(1))?)
        };
        // What a thread does not write has failed.
        let status = stream.clone_htod(&vec![1_u8; launch.len.max(1)])?;
        let (of_results, of_status, of_memory) =
            (results.device_ptr(stream).0, status.device_ptr(stream).0, memory.device_ptr(stream).0);
        let (len, room) = (launch.len as u64, launch.room as u64);
        if program.is_of_scalars {
            let words = [len, room, HEADER as u64, of_results, of_status, of_memory, launch.memory as u64];
            let columns = addresses.iter().flat_map(|column| {
                let stride = if column.offsets == 0 { column.stride } else { u64::MAX };
                [column.data, 0, column.offsets, stride]
            });
            let words: Vec<u64> = words.into_iter().chain(columns).collect();
            self.start(program, (&program.calls, launch.len), None, &words)?;
        } else {
            addresses.push(DeviceColumn { data: 0, offsets: 0, stride: 0 });
            let columns = stream.clone_htod(&addresses)?;
            let of_columns = columns.device_ptr(stream).0;
            let of_results = of_results + HEADER as u64;
            let memory = launch.memory as u64;
            let words = [of_columns, len, of_results, room, of_status, of_memory, memory, STACK_USED];
            self.start(program, (&program.calls, launch.len), Some("overdub_launch"), &words)?;
        }
        let mut ended = stream.clone_dtoh(&status)?;
        ended.truncate(launch.len);
        stream.synchronize()?;
        Ok(Launched { status: ended, results })
    }

    fn add(&self, program: &Loaded, of: &Sums<'_, CudaSlice<u8>>) -> Result<Vec<f64>, DriverError> {
        let stream = &self.stream;
        self.context.bind_to_thread()?;
        let places = stream.clone_htod(of.places)?;
        // The kernel writes all of them.
        #[allow(unsafe_code)]
        let sums = unsafe { stream.alloc::<f64>(of.count().max(1))? };
        let results = of.results.device_ptr(stream).0;
        let (len, room, leaf) = (of.len as u64, of.room as u64, of.leaf as u64);
        let (of_places, count) = (places.device_ptr(stream).0, of.places.len() as u64);
        let (of_sums, total) = (sums.device_ptr(stream).0, of.count() as u64);
        let threads = (&program.sums, of.count());
        if program.is_of_scalars {
            let words = [results, HEADER as u64, len, room, leaf, of_places, count, of_sums, total];
            self.start(program, threads, None, &words)?;
        } else {
            let results = results + HEADER as u64;
            let words = [results, len, room, leaf, of_places, count, of_sums, total];
            self.start(program, threads, Some("overdub_summed"), &words)?;
        }
        let mut found = stream.clone_dtoh(&sums)?;
        found.truncate(of.count());
        stream.synchronize()?;
        Ok(found)
    }
}
