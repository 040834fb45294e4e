//! Kernels as programs on the processor, compiled by the C++ compiler of the system: for tests, and to look into a kernel.

use std::io::{BufWriter, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use overdub_spmd::DeviceError;
use tempfile::TempDir;

use crate::kernels::{Kernels, runs_kernels};
use crate::launch::{Compiled, Launch, Launched};

/// Runs kernels on the processor, one call after the other: the very text that a card would run, as a program that `c++`
/// compiles. The environment variable `CXX` names another compiler.
#[derive(Debug)]
pub struct Emulator {
    kernels: Kernels,
}

impl Emulator {
    /// The emulator.
    ///
    /// # Errors
    /// If there is no C++ compiler.
    pub fn new() -> Result<Emulator, DeviceError> {
        let compiler = std::env::var_os("CXX").map_or_else(|| PathBuf::from("c++"), PathBuf::from);
        let version = Command::new(&compiler).arg("--version").stdin(Stdio::null()).output();
        if !version.is_ok_and(|output| output.status.success()) {
            return Err(DeviceError::Missing(format!("C++ compiler `{}`", compiler.display())));
        }
        Ok(Emulator { kernels: Kernels::new(Box::new(move |text| compiled(&compiler, text))) })
    }
}

runs_kernels!(Emulator);

/// The bytes of stack that calls may use: half of what a program has on most systems.
const STACK: usize = 4 << 20;

/// The bytes that a launch may use, as those of a small card.
const FREE: usize = 1 << 30;

/// A program in a folder of its own.
#[derive(Debug)]
struct Program {
    folder: TempDir,
}

fn compiled(compiler: &PathBuf, text: &str) -> Result<Box<dyn Compiled>, DeviceError> {
    let failed = |what: &str, error: &dyn std::fmt::Display| DeviceError::Failed(format!("{what}: {error}"));
    let folder = tempfile::tempdir().map_err(|error| failed("no folder for the kernel", &error))?;
    let source = folder.path().join("kernel.cpp");
    std::fs::write(&source, text).map_err(|error| failed("the kernel cannot be written", &error))?;
    let output = Command::new(compiler)
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
    Ok(Box::new(Program { folder }))
}

impl Compiled for Program {
    fn launch(&self, launch: &Launch<'_>) -> Result<Launched, DeviceError> {
        let failed = |error: std::io::Error| DeviceError::Failed(format!("the kernel's program: {error}"));
        let mut child = Command::new(self.folder.path().join("kernel"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let mut input =
            BufWriter::new(child.stdin.take().ok_or_else(|| failed(std::io::ErrorKind::BrokenPipe.into()))?);
        let number = |input: &mut BufWriter<_>, x: usize| input.write_all(&(x as u64).to_ne_bytes());
        let send = |input: &mut BufWriter<_>| -> std::io::Result<()> {
            number(input, launch.columns.len())?;
            for column in launch.columns {
                number(input, column.data.len())?;
                input.write_all(&column.data)?;
                number(input, column.offsets.len())?;
                column.offsets.iter().try_for_each(|offset| input.write_all(&offset.to_ne_bytes()))?;
                input.write_all(&column.stride.to_ne_bytes())?;
            }
            number(input, launch.len)?;
            number(input, launch.room)?;
            number(input, launch.memory)?;
            number(input, STACK)?;
            input.flush()
        };
        // It reads all of its input before it answers. If it stops before, its status says so.
        let sent = send(&mut input);
        drop(input);
        let mut answer = Vec::new();
        if let Some(mut output) = child.stdout.take() {
            output.read_to_end(&mut answer).map_err(failed)?;
        }
        let status = child.wait().map_err(failed)?;
        if !status.success() || answer.len() != launch.len * (1 + launch.room) {
            return Err(DeviceError::Failed(format!("the kernel's program ended with {status}")));
        }
        sent.map_err(failed)?;
        let results = answer.split_off(launch.len);
        Ok(Launched { status: answer, results })
    }

    fn free_bytes(&self) -> Result<usize, DeviceError> {
        Ok(FREE)
    }
}
