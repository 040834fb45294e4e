//! The derivatives that a build script asks for, and the file that they are written to.

use std::path::{Path, PathBuf};

use hashbrown::HashSet;
use overdub_context::Symbol;
use overdub_export::{Arithmetic, Export, ExportError, Failures, Library, Results, result_doc};

use crate::error::{Cause, Error};
use crate::function::Function;
use crate::output::write_if_changed;
use crate::package::Package;
use crate::types::TypePaths;

/// The name of the file, if no other is chosen.
const FILE: &str = "derivatives.rs";

/// Functions and derivatives, to be written as one file of plain Rust.
#[derive(Clone, Default, Debug)]
pub struct Derivatives {
    source: Option<PathBuf>,
    file: Option<PathBuf>,
    functions: Vec<Function>,
    /// The module in which the types of the crate are named by their paths.
    types_in: Option<String>,
    failures: Failures,
    library: Library,
    arithmetic: Arithmetic,
    results: Results,
    has_workspace: bool,
    /// The number of lanes, and the parameters that elements share.
    lanes: Option<(usize, Vec<String>)>,
}

impl Derivatives {
    /// Derivatives of functions of the package that is built, in the file `derivatives.rs` of the folder `OUT_DIR`.
    pub fn new() -> Derivatives {
        Derivatives::default()
    }

    /// Takes the functions from another crate, whose folder this is, with its default features, or from a `.rs` file.
    /// Paths are relative to the folder of the package that is built.
    #[must_use]
    pub fn of(mut self, source: impl Into<PathBuf>) -> Derivatives {
        self.source = Some(source.into());
        self
    }

    /// Writes another file; the path is relative to `OUT_DIR`.
    #[must_use]
    pub fn to(mut self, file: impl Into<PathBuf>) -> Derivatives {
        self.file = Some(file.into());
        self
    }

    /// Names structs and enums of the crate by their paths, `crate::model::Point`, instead of declaring copies of them.
    /// For the text in the root of the crate, or in a module there.
    ///
    /// A type that appears in a signature must be visible there with all its fields, hold owned plain data (`Vec` and
    /// `String`, not references, arrays of a length, or types of other crates), and be `Clone`, or `Copy` if it holds
    /// scalars only. Otherwise it is an error that says why. What does not appear in a signature is copied instead.
    #[must_use]
    pub fn types_by_path(self) -> Derivatives {
        self.types_by_path_in("")
    }

    /// As [`Derivatives::types_by_path`], for the text in a module, which sees what is private in the modules around it:
    /// `"model::derivatives"`.
    #[must_use]
    pub fn types_by_path_in(mut self, module: impl Into<String>) -> Derivatives {
        self.types_in = Some(module.into());
        self
    }

    /// Says what the functions do where the program fails: with `Failures::Result` they return an `Err` of the type `Failure`,
    /// which the file declares, and never panic.
    #[must_use]
    pub fn failures(mut self, failures: Failures) -> Derivatives {
        self.failures = failures;
        self
    }

    /// Says which library the functions use: with `Library::NoStd` they compile in crates with `#![no_std]` that depend on
    /// `libm`.
    #[must_use]
    pub fn library(mut self, library: Library) -> Derivatives {
        self.library = library;
        self
    }

    /// Says how the functions compute with floats: `Arithmetic::Fast` adds in any order.
    #[must_use]
    pub fn arithmetic(mut self, arithmetic: Arithmetic) -> Derivatives {
        self.arithmetic = arithmetic;
        self
    }

    /// Says how the functions hand over vectors: with `Results::IntoSlices` they write them to slices of the caller, which
    /// follow the arguments, and have names that end in `_into`, unless others are given.
    #[must_use]
    pub fn results(mut self, results: Results) -> Derivatives {
        self.results = results;
        self
    }

    /// Lets the functions take the memory of their vectors and tapes from a `Workspace`, a type that the file declares, which is
    /// their last argument.
    #[must_use]
    pub fn workspace(mut self) -> Derivatives {
        self.has_workspace = true;
        self
    }

    /// Adds a function for the elements of slices beside each, `width` of them side by side (`LANES` unless there is a reason for
    /// another number): with `_lanes` after its name, a slice for each scalar argument and for each scalar of the result. The
    /// parameters in `fixed` have one argument for all elements.
    #[must_use]
    pub fn lanes(mut self, width: usize, fixed: &[&str]) -> Derivatives {
        self.lanes = Some((width, fixed.iter().map(|&name| name.to_owned()).collect()));
        self
    }

    /// Adds what is asked of a function.
    #[must_use]
    pub fn function(mut self, function: Function) -> Derivatives {
        self.functions.push(function);
        self
    }

    /// Adds [`Function::value`].
    #[must_use]
    pub fn value(self, path: impl Into<String>) -> Derivatives {
        self.function(Function::value(path))
    }

    /// Adds [`Function::gradient`].
    #[must_use]
    pub fn gradient(self, path: impl Into<String>) -> Derivatives {
        self.function(Function::gradient(path))
    }

    /// Adds [`Function::value_and_gradient`].
    #[must_use]
    pub fn value_and_gradient(self, path: impl Into<String>) -> Derivatives {
        self.function(Function::value_and_gradient(path))
    }

    /// Adds [`Function::jvp`].
    #[must_use]
    pub fn jvp(self, path: impl Into<String>) -> Derivatives {
        self.function(Function::jvp(path))
    }

    /// Adds [`Function::vjp`].
    #[must_use]
    pub fn vjp(self, path: impl Into<String>) -> Derivatives {
        self.function(Function::vjp(path))
    }

    /// Adds [`Function::hvp`].
    #[must_use]
    pub fn hvp(self, path: impl Into<String>) -> Derivatives {
        self.function(Function::hvp(path))
    }

    /// Writes the file, and tells cargo to run the build script again when a file changes that was read for it.
    ///
    /// The file is complete or as it was, and left alone if it holds the text already.
    ///
    /// # Errors
    /// If this is no build script, the crate cannot be read, a function cannot be differentiated, or the file cannot be
    /// written. Nothing is written then.
    pub fn write(&self) -> Result<(), Error> {
        let folder = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
        let out = PathBuf::from(variable("OUT_DIR")?);
        let package = match &self.source {
            Some(source) => Package::open(&folder.join(source))?,
            None => Package::with_features(&folder, is_enabled, &out.join("overdub"))?,
        };
        let text = self.text(&package)?;
        let file = out.join(self.file.as_deref().unwrap_or(Path::new(FILE)));
        write_if_changed(&file, &text)?;
        // Not before: a build script that failed runs again anyway, and cargo shows what it printed.
        for file in package.files().iter().filter(|file| !is_build_output(&out, file)) {
            println!("cargo:rerun-if-changed={}", file.display());
        }
        Ok(())
    }

    /// The text of the file.
    ///
    /// ```
    /// use overdub_build::{Derivatives, Package};
    ///
    /// let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    /// let package = Package::open(&folder.join("rosenbrock.rs"))?;
    /// let text = Derivatives::new().gradient("rosenbrock").text(&package)?;
    /// assert!(text.contains("pub fn rosenbrock_gradient(x: &[f64]) -> Vec<f64>"));
    /// # Ok::<(), overdub_build::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a function cannot be differentiated or written as Rust.
    pub fn text(&self, package: &Package) -> Result<String, Error> {
        let loaded = package.loaded();
        let engine = loaded.engine();
        let failed = |error: ExportError| Error::from_export(error, loaded);
        let source_line = |file: Symbol, line: u32| {
            let text = loaded.program().source(file)?;
            text.lines().nth(line.checked_sub(1)? as usize).map(str::to_owned)
        };
        let paths = self.types_in.as_ref().map(|module| TypePaths::in_module(loaded, module));
        let mut export = Export::new(&engine)
            .with_source(source_line)
            .with_file_names(|file| package.file_name(file))
            .with_failures(self.failures)
            .with_library(self.library)
            .with_arithmetic(self.arithmetic)
            .with_results(self.results);
        if self.has_workspace {
            export = export.with_workspace();
        }
        if let Some((width, fixed)) = &self.lanes {
            let fixed: Vec<&str> = fixed.iter().map(String::as_str).collect();
            export = export.with_lanes(*width, &fixed);
        }
        let mut names = HashSet::new();
        for asked in &self.functions {
            let name = asked.name_for(self.results);
            if !names.insert(name.clone()) {
                return Err(Error::new(Cause::Name(name)));
            }
            let mut function = asked.find(package)?;
            let of = function.symbol;
            let symbol = asked.applied(loaded, &engine, &mut function)?;
            let selected = asked.selected(&function)?;
            let wrt = function.params.iter().zip(&selected).filter(|(_, selected)| **selected);
            let doc = result_doc(
                &of,
                &loaded.types().show(function.ret),
                asked.derivative(),
                wrt.map(|(param, _)| param.name.as_str()),
            ) + &asked.static_doc();
            export = match asked.derivative() {
                Some(derivative) => {
                    export.derivative(symbol, derivative, &selected, &name, &doc).map_err(failed)?
                }
                None => export.function(symbol, &name, &doc),
            };
            if let Some(paths) = &paths {
                paths.add_signature(&function);
                for (_, ty) in export.params(&name).map_err(failed)? {
                    paths.check(ty)?;
                }
                paths.check(export.ret(&name).map_err(failed)?)?;
            }
        }
        if let Some(paths) = &paths {
            export = export.with_type_paths(|nominal| paths.path(nominal));
        }
        export.rust().map_err(failed)
    }
}

/// Whether a build script wrote a file: one in `TARGET/PROFILE/build/NAME-HASH/out`, where `out` is too. What this script writes is
/// read with the crate that includes it, and is no reason to write it again.
fn is_build_output(out: &Path, file: &Path) -> bool {
    let target = out.ancestors().nth(4);
    let Some(Ok(within)) = target.map(|target| file.strip_prefix(target)) else { return false };
    let mut folders = within.iter().skip(1);
    folders.next().is_some_and(|name| name == "build") && folders.nth(1).is_some_and(|name| name == "out")
}

fn variable(name: &'static str) -> Result<std::ffi::OsString, Error> {
    std::env::var_os(name).ok_or_else(|| Error::new(Cause::NotInBuildScript(name)))
}

/// Whether cargo builds the package with this feature.
fn is_enabled(feature: &str) -> bool {
    std::env::var_os(format!("CARGO_FEATURE_{}", feature.to_uppercase().replace('-', "_"))).is_some()
}
