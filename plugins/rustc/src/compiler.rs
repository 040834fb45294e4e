//! The installed compilers.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::options::{self, Language};

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

/// A compiler that may be there.
#[derive(Clone, Debug)]
struct Candidate {
    program: PathBuf,
    language: Language,
}

/// A compiler that is there.
#[derive(Debug)]
pub(crate) struct Known {
    program: PathBuf,
    pub(crate) language: Language,
    options: Vec<&'static str>,
    /// What distinguishes compiled libraries besides their text: the version, the options, and the processor that they are
    /// compiled for.
    pub(crate) identity: String,
}

/// rustc, clang or gcc, and how it is called. Clones are the same: what the compiler says of itself is asked once.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// The first one that can be started is the compiler.
    candidates: Arc<[Candidate]>,
    optimises: bool,
    known: Arc<OnceLock<Result<Known, CompileError>>>,
}

impl Compiler {
    /// The rustc that the variable `OVERDUB_RUSTC` names, or the compiler of C that `OVERDUB_CC` names, or the rustc that
    /// `RUSTC` names; or else the first of `rustc`, `clang` and `gcc` that can be started.
    pub fn installed() -> Compiler {
        let named = |variable, make: fn(PathBuf) -> Compiler| {
            let name = std::env::var_os(variable).filter(|name| !name.is_empty());
            name.map(|name| make(name.into()))
        };
        named("OVERDUB_RUSTC", Compiler::at)
            .or_else(|| named("OVERDUB_CC", Compiler::of_c))
            .or_else(|| named("RUSTC", Compiler::at))
            .unwrap_or_else(|| {
                Compiler::first_of([
                    ("rustc".into(), Language::Rust),
                    ("clang".into(), Language::C),
                    ("gcc".into(), Language::C),
                ])
            })
    }

    /// This rustc.
    pub fn at(program: impl Into<PathBuf>) -> Compiler {
        Compiler::first_of([(program.into(), Language::Rust)])
    }

    /// This compiler of C, which has the options that clang and gcc have in common.
    pub fn of_c(program: impl Into<PathBuf>) -> Compiler {
        Compiler::first_of([(program.into(), Language::C)])
    }

    fn first_of<const N: usize>(candidates: [(PathBuf, Language); N]) -> Compiler {
        let candidates = candidates.map(|(program, language)| Candidate { program, language });
        Compiler { candidates: Arc::new(candidates), optimises: true, known: Arc::default() }
    }

    /// Compiles in half of the time, to slow code: for tests.
    #[must_use]
    pub fn without_optimising(self) -> Compiler {
        Compiler { optimises: false, known: Arc::default(), ..self }
    }

    /// The language of the compiler that is there.
    ///
    /// # Errors
    /// If none can be started, or it does not say what it is.
    pub fn language(&self) -> Result<Language, CompileError> {
        Ok(self.known()?.language)
    }

    /// The compiler that is there.
    ///
    /// # Errors
    /// If none can be started, that of the first; or if it does not say what it is.
    pub(crate) fn known(&self) -> Result<&Known, CompileError> {
        let found = self.known.get_or_init(|| {
            let mut first = None;
            for candidate in &*self.candidates {
                match candidate.ask(self.optimises) {
                    Err(missing @ CompileError::Missing { .. }) => {
                        first.get_or_insert(missing);
                    }
                    found => return found,
                }
            }
            Err(first.expect("there is a candidate"))
        });
        found.as_ref().map_err(Clone::clone)
    }
}

impl Candidate {
    /// Asks the compiler what it is.
    fn ask(&self, optimises: bool) -> Result<Known, CompileError> {
        let Candidate { program, language } = self.clone();
        let (options, said) = match language {
            Language::Rust => {
                // Each takes as long as starting a compiler through rustup: both at once.
                let processor = self.asked(&["--print", "cfg", "-C", "target-cpu=native"])?;
                let version = self.said(self.asked(&["-vV"])?)?;
                (options::of_rustc(optimises), version + &self.said(processor)?)
            }
            Language::C => {
                // The macros that it defines tell its version and the instructions that it uses.
                let of = |native| [native, "-dM", "-E", "-x", "c", "-"];
                let said = self.asked(&of(options::NATIVE_OF_C)).and_then(|asked| self.said(asked));
                match said {
                    Err(CompileError::Failed { .. }) => {
                        let said = self.said(self.asked(&of("-DOVERDUB_ANY_PROCESSOR"))?)?;
                        (options::of_c(optimises, None), said)
                    }
                    said => (options::of_c(optimises, Some(options::NATIVE_OF_C)), said?),
                }
            }
        };
        let identity = format!("{said}{}\n", options.join(" "));
        Ok(Known { program, language, options, identity })
    }

    fn asked(&self, args: &[&str]) -> Result<Child, CompileError> {
        let mut command = Command::new(&self.program);
        command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().map_err(|cause| missing(&self.program, cause))
    }

    /// What the compiler answers.
    fn said(&self, asked: Child) -> Result<String, CompileError> {
        let output = asked.wait_with_output().map_err(|cause| missing(&self.program, cause))?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => Err(failed(&self.program, &output.stderr)),
        }
    }
}

impl Known {
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
        command.args(&self.options).arg("-o").arg(library).arg(text);
        command.args(options::after_text(self.language));
        let log = library.with_extension("log");
        let file = |cause: io::Error| CompileError::File { path: log.clone(), cause: Arc::new(cause) };
        let said = std::fs::File::create(&log).map_err(file)?;
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(said);
        let missing = |cause| missing(&self.program, cause);
        let child = command.spawn().map_err(missing)?;
        *running.lock().unwrap_or_else(PoisonError::into_inner) = Some(child);
        let status = loop {
            // It is waited for in steps, so that it can be ended meanwhile.
            let mut child = running.lock().unwrap_or_else(PoisonError::into_inner);
            let ended = child.as_mut().ok_or(CompileError::Cancelled)?.try_wait();
            if let Some(status) = ended.map_err(missing)? {
                child.take();
                break status;
            }
            drop(child);
            std::thread::sleep(std::time::Duration::from_millis(5));
        };
        match status.success() {
            true => Ok(()),
            false => Err(failed(&self.program, &std::fs::read(&log).unwrap_or_default())),
        }
    }
}

fn missing(program: &Path, cause: io::Error) -> CompileError {
    CompileError::Missing { program: program.to_owned(), cause: Arc::new(cause) }
}

fn failed(program: &Path, said: &[u8]) -> CompileError {
    const MOST: usize = 2000;
    let said = String::from_utf8_lossy(said).trim().chars().take(MOST).collect();
    CompileError::Failed { program: program.to_owned(), said }
}
