//! Kernels as programs on the processor, compiled by the C++ compiler of the system: for tests, and to look into a kernel.

use std::io::{self, BufWriter, Read, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::process::{ChildStdin, Command, Stdio};

use overdub_export::Export;
use overdub_spmd::DeviceError;
use tempfile::TempDir;

use crate::implement::runs_kernels;
use crate::kernels::Kernels;
use crate::launch::{Backend, Data, HEADER, Launch, Launched, Memory, Sums, cuda_text};
use crate::scalar_text::scalar_text;

/// Runs kernels on the processor, one call after the other: the very text that a card would run, as a program that `c++`
/// compiles. The environment variable `CXX` names another compiler.
#[derive(Debug)]
pub struct Emulator {
    kernels: Kernels<Processor>,
}

impl Emulator {
    /// The emulator.
    ///
    /// # Errors
    /// If there is no C++ compiler.
    pub fn new() -> Result<Emulator, DeviceError> {
        Emulator::of(Language::Cuda)
    }

    /// The emulator for the text of OpenCL C that [`OpenCl`](crate::OpenCl) runs.
    ///
    /// # Errors
    /// If there is no C++ compiler.
    pub fn of_opencl() -> Result<Emulator, DeviceError> {
        Emulator::of(Language::OpenCl)
    }

    fn of(language: Language) -> Result<Emulator, DeviceError> {
        let compiler = std::env::var_os("CXX").map_or_else(|| PathBuf::from("c++"), PathBuf::from);
        let version = Command::new(&compiler).arg("--version").stdin(Stdio::null()).output();
        if !version.is_ok_and(|output| output.status.success()) {
            return Err(DeviceError::Missing(format!("C++ compiler `{}`", compiler.display())));
        }
        Ok(Emulator { kernels: Kernels::new(Processor { compiler, language, free: FREE }) })
    }

    /// An emulator of a card with this many bytes of memory that launches may use.
    #[must_use]
    pub fn with_memory(self, bytes: usize) -> Emulator {
        Emulator {
            kernels: self.kernels.in_backend(|processor| Processor { free: bytes, ..processor.clone() }),
        }
    }
}

runs_kernels!(Emulator);

/// The bytes of stack that calls may use: half of what a program has on most systems.
const STACK: usize = 4 << 20;

/// The bytes that launches may use, as those of a small card.
const FREE: usize = 1 << 30;

/// What a program is sent in place of the number of columns, before results that it shall add.
const ADD: u64 = u64::MAX;

/// The processor in place of a card: memory is that of the host.
#[derive(Clone, Debug)]
struct Processor {
    compiler: PathBuf,
    language: Language,
    /// The bytes that launches may use.
    free: usize,
}

/// The language of kernels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Language {
    Cuda,
    OpenCl,
}

/// A compiled kernel, and the folder that is removed with it.
struct Program {
    folder: TempDir,
}

fn failed(what: &str, error: &dyn std::fmt::Display) -> DeviceError {
    DeviceError::Failed(format!("{what}: {error}"))
}

impl Backend for Processor {
    type Buffer = Vec<u8>;
    type Program = Program;

    fn text(&self, export: &Export<'_>, name: &str) -> Result<(String, Memory), DeviceError> {
        match self.language {
            Language::Cuda => cuda_text(export),
            Language::OpenCl => scalar_text(export, name),
        }
    }

    fn compile(&self, text: &str) -> Result<Program, DeviceError> {
        let folder = tempfile::tempdir().map_err(|error| failed("no folder for the kernel", &error))?;
        let source = folder.path().join("kernel.cpp");
        std::fs::write(&source, text).map_err(|error| failed("the kernel cannot be written", &error))?;
        let output = Command::new(&self.compiler)
            .args(["-std=c++20", "-O1", "-DOVERDUB_ON_HOST", "-ffp-contract=off", "-fno-builtin"])
            .args(["-fno-strict-aliasing", "-Wno-narrowing", "-w", "-o"])
            .arg(folder.path().join("kernel"))
            .arg(&source)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| failed("the C++ compiler", &error))?;
        if !output.status.success() {
            let log = String::from_utf8_lossy(&output.stderr);
            return Err(failed("the C++ compiler refuses the kernel", &log));
        }
        Ok(Program { folder })
    }

    fn send(&self, bytes: &[u8]) -> Result<Vec<u8>, DeviceError> {
        Ok(bytes.to_vec())
    }

    fn replace(&self, buffer: &mut Vec<u8>, from: usize, bytes: &[u8]) -> Result<(), DeviceError> {
        let place = buffer.get_mut(from..from + bytes.len());
        let outside = || failed("its memory", &"a place outside of it");
        place.ok_or_else(outside)?.copy_from_slice(bytes);
        Ok(())
    }

    fn fetch(&self, buffer: &Vec<u8>, range: Range<usize>) -> Result<Vec<u8>, DeviceError> {
        let found = buffer.get(range);
        Ok(found.ok_or_else(|| failed("its memory", &"a place outside of it"))?.to_vec())
    }

    fn free_bytes(&self) -> Result<usize, DeviceError> {
        Ok(self.free)
    }

    fn launch(
        &self,
        program: &Program,
        launch: &Launch<'_, Vec<u8>>,
    ) -> Result<Launched<Vec<u8>>, DeviceError> {
        let mut answer = program.answer(launch.len * (1 + launch.room), |input| {
            input.number(launch.columns.len())?;
            for column in launch.columns {
                let data = match &column.data {
                    Data::Host(data) => data,
                    Data::Device(data) => &**data,
                };
                let data = data.get(column.begin as usize..).unwrap_or(&[]);
                input.number(data.len())?;
                input.bytes(data)?;
                input.number(column.offsets.len())?;
                column.offsets.iter().try_for_each(|offset| input.bytes(&offset.to_ne_bytes()))?;
                input.bytes(&column.stride.to_ne_bytes())?;
            }
            [launch.len, launch.room, launch.memory, STACK].into_iter().try_for_each(|n| input.number(n))
        })?;
        let found = answer.split_off(launch.len);
        let mut results = Vec::with_capacity(launch.results());
        results.resize(HEADER, 0);
        results.extend(found);
        Ok(Launched { status: answer, results })
    }

    fn sums(&self, program: &Program, sums: &Sums<'_, Vec<u8>>) -> Result<Vec<f64>, DeviceError> {
        let answer = program.answer(8 * sums.count(), |input| {
            input.bytes(&ADD.to_ne_bytes())?;
            let numbers = [sums.len, sums.room, sums.leaf, sums.places.len()];
            numbers.into_iter().try_for_each(|n| input.number(n))?;
            sums.places.iter().try_for_each(|place| input.bytes(&place.to_ne_bytes()))?;
            input.bytes(&sums.results[HEADER..])
        })?;
        let numbers =
            answer.chunks_exact(8).filter_map(|word| Some(f64::from_ne_bytes(word.try_into().ok()?)));
        Ok(numbers.collect())
    }
}

/// The standard input of a program.
struct Input<'i>(BufWriter<&'i mut ChildStdin>);

impl Input<'_> {
    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    fn number(&mut self, x: usize) -> io::Result<()> {
        self.bytes(&(x as u64).to_ne_bytes())
    }
}

impl Program {
    /// What the program answers, this many bytes, to what it is sent.
    fn answer(
        &self,
        bytes: usize,
        send: impl FnOnce(&mut Input<'_>) -> io::Result<()>,
    ) -> Result<Vec<u8>, DeviceError> {
        let failed = |error: io::Error| failed("the kernel's program", &error);
        let mut child = Command::new(self.folder.path().join("kernel"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let mut stdin = child.stdin.take().ok_or_else(|| failed(io::ErrorKind::BrokenPipe.into()))?;
        // It reads all of its input before it answers. If it stops before, its status says so.
        let mut input = Input(BufWriter::new(&mut stdin));
        let sent = send(&mut input).and_then(|()| input.0.flush());
        drop(input);
        drop(stdin);
        let mut answer = Vec::with_capacity(bytes);
        if let Some(mut output) = child.stdout.take() {
            output.read_to_end(&mut answer).map_err(failed)?;
        }
        let status = child.wait().map_err(failed)?;
        if !status.success() || answer.len() != bytes {
            return Err(DeviceError::Failed(format!("the kernel's program ended with {status}")));
        }
        sent.map_err(failed)?;
        Ok(answer)
    }
}
