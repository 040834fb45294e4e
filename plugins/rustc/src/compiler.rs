//! The installed compiler.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Why text is not compiled.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// The compiler cannot be started.
    #[error("`{}` cannot be started: {cause}", program.display())]
    Missing {
        /// Its path.
        program: PathBuf,
        /// What the system says.
        cause: Arc<io::Error>,
    },
    /// The compiler does not compile the text.
    #[error("`{}` fails: {said}", program.display())]
    Failed {
        /// Its path.
        program: PathBuf,
        /// The beginning of what it says.
        said: String,
    },
    /// A file cannot be written or read.
    #[error("a library cannot be kept in `{}`: {cause}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        cause: Arc<io::Error>,
    },
    /// What was compiled cannot be loaded.
    #[error("a compiled library cannot be loaded: {0}")]
    Load(String),
    /// Compiling was given up since nobody waits for it.
    #[error("nobody waits for the library any more")]
    Cancelled,
}

/// rustc, and how it is called. Clones are the same: what the compiler says of itself is asked once.
#[derive(Clone, Debug)]
pub struct Compiler {
    program: PathBuf,
    optimises: bool,
    identity: Arc<OnceLock<Result<String, CompileError>>>,
}

impl Compiler {
    /// The compiler that the variable `OVERDUB_RUSTC` names, or else `RUSTC`, or else `rustc`.
    pub fn installed() -> Compiler {
        let named = |variable| std::env::var_os(variable).filter(|name| !name.is_empty());
        let program = named("OVERDUB_RUSTC").or_else(|| named("RUSTC")).unwrap_or_else(|| "rustc".into());
        Compiler::at(program)
    }

    /// This one.
    pub fn at(program: impl Into<PathBuf>) -> Compiler {
        Compiler { program: program.into(), optimises: true, identity: Arc::default() }
    }

    /// Compiles in half of the time, to slow code: for tests.
    #[must_use]
    pub fn without_optimising(self) -> Compiler {
        Compiler { optimises: false, identity: Arc::default(), ..self }
    }

    /// What distinguishes compiled libraries besides their text: the version, the options, and the processor that they are
    /// compiled for.
    ///
    /// # Errors
    /// If the compiler cannot be asked.
    pub(crate) fn identity(&self) -> Result<&str, CompileError> {
        let found = self.identity.get_or_init(|| {
            // Each takes as long as starting a compiler through rustup: both at once.
            let processor = self.asked(&["--print", "cfg", "-C", "target-cpu=native"])?;
            let version = self.said(self.asked(&["-vV"])?)?;
            let processor = self.said(processor)?;
            let options = self.options().join(" ");
            Ok(format!("{version}{processor}{options}\n"))
        });
        found.as_deref().map_err(Clone::clone)
    }

    fn options(&self) -> Vec<&'static str> {
        let level = if self.optimises { "opt-level=3" } else { "opt-level=0" };
        vec![
            "--edition=2024",
            "--crate-name=overdub_compiled",
            "--crate-type=cdylib",
            "--cap-lints=allow",
            "-C",
            level,
            "-C",
            "target-cpu=native",
            "-C",
            "codegen-units=1",
            "-C",
            "strip=symbols",
        ]
    }

    /// Compiles the text in a file to a library. `running` gets the process for as long as it runs, for others to end.
    ///
    /// # Errors
    /// If the compiler cannot be started, or fails.
    pub(crate) fn compile(
        &self,
        text: &Path,
        library: &Path,
        running: &Mutex<Option<Child>>,
    ) -> Result<(), CompileError> {
        let mut command = Command::new(&self.program);
        command.args(self.options()).arg("-o").arg(library).arg(text);
        let log = library.with_extension("log");
        let file = |cause: io::Error| CompileError::File { path: log.clone(), cause: Arc::new(cause) };
        let said = std::fs::File::create(&log).map_err(file)?;
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(said);
        let child = command.spawn().map_err(|cause| self.missing(cause))?;
        *running.lock().unwrap_or_else(PoisonError::into_inner) = Some(child);
        let status = loop {
            // It is waited for in steps, so that it can be ended meanwhile.
            let mut child = running.lock().unwrap_or_else(PoisonError::into_inner);
            let ended = child.as_mut().ok_or(CompileError::Cancelled)?.try_wait();
            if let Some(status) = ended.map_err(|cause| self.missing(cause))? {
                child.take();
                break status;
            }
            drop(child);
            std::thread::sleep(std::time::Duration::from_millis(5));
        };
        match status.success() {
            true => Ok(()),
            false => Err(self.failed(&std::fs::read(&log).unwrap_or_default())),
        }
    }

    /// The compiler, which is asked about itself.
    fn asked(&self, args: &[&str]) -> Result<Child, CompileError> {
        let mut command = Command::new(&self.program);
        command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().map_err(|cause| self.missing(cause))
    }

    /// What the compiler answers.
    fn said(&self, asked: Child) -> Result<String, CompileError> {
        let output = asked.wait_with_output().map_err(|cause| self.missing(cause))?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => Err(self.failed(&output.stderr)),
        }
    }

    fn missing(&self, cause: io::Error) -> CompileError {
        CompileError::Missing { program: self.program.clone(), cause: Arc::new(cause) }
    }

    fn failed(&self, said: &[u8]) -> CompileError {
        const MOST: usize = 2000;
        let said = String::from_utf8_lossy(said).trim().chars().take(MOST).collect();
        CompileError::Failed { program: self.program.clone(), said }
    }
}
