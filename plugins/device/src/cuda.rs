//! Cards of NVIDIA: kernels are compiled by NVRTC and run by the driver, both of which are found when the program runs.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::sys::{CUlimit, CUresult};
use cudarc::driver::{
    CudaContext, CudaFunction, CudaModule, CudaSlice, CudaStream, DevicePtr, DeviceRepr, DriverError,
    LaunchConfig,
};
use cudarc::nvrtc::{CompileError, CompileOptions, compile_ptx_with_opts};
use overdub_spmd::DeviceError;

use crate::kernels::{Kernels, runs_kernels};
use crate::launch::{Column, Compiled, Launch, Launched};

/// The bytes of stack of each thread.
const STACK: usize = 32 << 10;

/// The bytes of it that calls may use: the last one may need some more.
const STACK_USED: u64 = (STACK - (8 << 10)) as u64;

/// The threads of a block.
const BLOCK: u32 = 128;

/// A card of NVIDIA.
pub struct Cuda {
    kernels: Kernels,
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
        let compile = move |text: &str| compiled(&context, text);
        Ok(Cuda { kernels: Kernels::new(Box::new(compile)), name })
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

fn compiled(context: &Arc<CudaContext>, text: &str) -> Result<Box<dyn Compiled>, DeviceError> {
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
    let function = module.load_function("overdub_kernel").map_err(failed)?;
    let stream = context.new_stream().map_err(failed)?;
    Ok(Box::new(Loaded { context: context.clone(), module, function, stream: Mutex::new(stream) }))
}

/// A kernel on a card. Launches follow each other, since the module has one place for what they work on.
struct Loaded {
    context: Arc<CudaContext>,
    module: Arc<CudaModule>,
    function: CudaFunction,
    stream: Mutex<Arc<CudaStream>>,
}

impl fmt::Debug for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loaded").finish_non_exhaustive()
    }
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

/// A column that is copied to the card.
struct Sent {
    data: CudaSlice<u8>,
    offsets: Option<CudaSlice<u64>>,
}

impl Compiled for Loaded {
    fn launch(&self, launch: &Launch<'_>) -> Result<Launched, DeviceError> {
        let stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        self.run(&stream, launch).map_err(failed)
    }

    fn free_bytes(&self) -> Result<usize, DeviceError> {
        let (free, _) = self.context.mem_get_info().map_err(failed)?;
        Ok(free)
    }
}

impl Loaded {
    fn run(&self, stream: &Arc<CudaStream>, launch: &Launch<'_>) -> Result<Launched, DriverError> {
        self.context.bind_to_thread()?;
        let send = |column: &Column| -> Result<Sent, DriverError> {
            // No allocation is empty.
            let data = if column.data.is_empty() { &[0][..] } else { &column.data };
            let offsets = match column.offsets.is_empty() {
                true => None,
                false => Some(stream.clone_htod(&column.offsets)?),
            };
            Ok(Sent { data: stream.clone_htod(data)?, offsets })
        };
        let sent = launch.columns.iter().map(send).collect::<Result<Vec<_>, _>>()?;
        let address = |column: &Sent, of: &Column| DeviceColumn {
            data: column.data.device_ptr(stream).0,
            offsets: column.offsets.as_ref().map_or(0, |offsets| offsets.device_ptr(stream).0),
            stride: of.stride,
        };
        let mut addresses: Vec<DeviceColumn> =
            sent.iter().zip(launch.columns).map(|(sent, column)| address(sent, column)).collect();
        addresses.push(DeviceColumn { data: 0, offsets: 0, stride: 0 });
        let columns = stream.clone_htod(&addresses)?;
        // The kernel writes before the host reads, and a call writes its memory before it reads that.
        #[allow(unsafe_code)]
        let (results, memory) = unsafe {
            (
                stream.alloc::<u8>((launch.len * launch.room).max(1))?,
                stream.alloc::<u8>((launch.len * launch.memory).max(1))?,
            )
        };
        // What a thread does not write has failed.
        let status = stream.clone_htod(&vec![1_u8; launch.len.max(1)])?;
        let words = [
            columns.device_ptr(stream).0,
            launch.len as u64,
            results.device_ptr(stream).0,
            launch.room as u64,
            status.device_ptr(stream).0,
            memory.device_ptr(stream).0,
            launch.memory as u64,
            STACK_USED,
        ];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let mut place = self.module.get_global("overdub_launch", stream)?;
        stream.memcpy_htod(&bytes, &mut place)?;
        let blocks = u32::try_from(launch.len.div_ceil(BLOCK as usize)).unwrap_or(u32::MAX);
        let config = LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (BLOCK, 1, 1), shared_mem_bytes: 0 };
        // The kernel takes no arguments. It reads and writes what `overdub_launch` names, which lives until it has ended,
        // within the lengths given there.
        #[allow(unsafe_code)]
        unsafe {
            stream.launch_builder(&self.function).launch(config)?;
        }
        stream.synchronize()?;
        let mut found = stream.clone_dtoh(&results)?;
        found.truncate(launch.len * launch.room);
        let mut ended = stream.clone_dtoh(&status)?;
        ended.truncate(launch.len);
        stream.synchronize()?;
        Ok(Launched { status: ended, results: found })
    }
}
