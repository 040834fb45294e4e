//! How exported functions are written: settings of an export.

use overdub_context::Symbol;
use overdub_context::ir::Nominal;

use crate::export::Export;
use crate::options::{Arithmetic, Failures, Lanes, Library, Results};

impl<'e> Export<'e> {
    /// Says what exported functions do where the program fails.
    ///
    /// ```
    /// # use overdub_export::{Export, Failures};
    /// let source = "pub fn f(x: &[f64], n: usize) -> f64 { x[n] }";
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
    /// let (engine, f) = (loaded.engine(), loaded.function("f")?.symbol);
    /// let text = Export::new(&engine).function(f, "f", "").with_failures(Failures::Result).rust()?;
    /// assert!(text.contains("pub fn f(x: &[f64], n: usize) -> Result<f64, Failure> {"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_failures(mut self, failures: Failures) -> Export<'e> {
        self.options.failures = failures;
        self
    }

    /// Says which library exported functions in Rust use.
    ///
    /// ```
    /// # use overdub_export::{Export, Library};
    /// let source = "pub fn f(x: &[f64]) -> Vec<f64> { x.iter().map(|x| x.sin()).collect() }";
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
    /// let (engine, f) = (loaded.engine(), loaded.function("f")?.symbol);
    /// let text = Export::new(&engine).function(f, "f", "").with_library(Library::NoStd).rust()?;
    /// assert!(text.starts_with("extern crate alloc;\n\nuse alloc::vec::Vec;\n"));
    /// assert!(text.contains("libm::sin("));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_library(mut self, library: Library) -> Export<'e> {
        self.options.library = library;
        self
    }

    /// Says how exported functions compute with floats.
    ///
    /// ```
    /// # use overdub_export::{Arithmetic, Export};
    /// let source = "pub fn f(x: &[f64]) -> f64 { let mut sum = 0.0; for x in x { sum += x * x; } sum }";
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
    /// let (engine, f) = (loaded.engine(), loaded.function("f")?.symbol);
    /// let export = Export::new(&engine).function(f, "f", "").with_arithmetic(Arithmetic::Fast);
    /// assert!(export.rust()?.contains("sum_of("));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_arithmetic(mut self, arithmetic: Arithmetic) -> Export<'e> {
        self.options.arithmetic = arithmetic;
        self
    }

    /// Says how functions in Rust hand over vectors.
    ///
    /// ```
    /// use overdub_export::{Derivative, Export, Results};
    ///
    /// let source = "pub fn square(x: &[f64]) -> f64 { x.iter().map(|x| x * x).sum() }";
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
    /// let (engine, square) = (loaded.engine(), loaded.function("square")?.symbol);
    /// let export = Export::new(&engine).with_results(Results::IntoSlices);
    /// let text = export.derivative(square, Derivative::ValueAndGradient, &[true], "square_gradient_into", "")?.rust()?;
    /// assert!(text.contains("pub fn square_gradient_into(x: &[f64], dx: &mut [f64]) -> f64 {"));
    /// assert!(!text.contains("vec!"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_results(mut self, results: Results) -> Export<'e> {
        self.options.results = results;
        self
    }

    /// Lets functions in Rust take a `workspace: &mut Workspace` as their last argument, from which they take the memory of their
    /// vectors and tapes. The text declares that type; a value of it is used for one call after the other, of any of the functions.
    ///
    /// ```
    /// use overdub_export::{Derivative, Export};
    ///
    /// let source = "pub fn f(x: f64, n: usize) -> f64 { let mut y = x; for _ in 0..n { y = y.sin(); } y }";
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
    /// let (engine, f) = (loaded.engine(), loaded.function("f")?.symbol);
    /// let export = Export::new(&engine).with_workspace();
    /// let text = export.derivative(f, Derivative::Gradient, &[true, false], "slope", "")?.rust()?;
    /// assert!(text.contains("pub fn slope(x: f64, n: usize, workspace: &mut Workspace) -> f64 {"));
    /// assert!(text.contains("let tape = filled(&mut workspace.tape, 0.0, n);"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_workspace(mut self) -> Export<'e> {
        self.options.has_workspace = true;
        self
    }

    /// Adds a function in Rust beside each that is added, for many elements: with `_lanes` after its name, a slice for each scalar
    /// argument, and a slice for each scalar of the result. It computes `width` elements side by side ([`LANES`](crate::LANES)
    /// unless there is a reason for another number), in loops that compilers turn into SIMD instructions, with the bits of one
    /// call after the other; if an element fails, it fails as the first of them does. The parameters in `fixed`, by
    /// name or number from 0, have one argument for all elements, and so have lists.
    ///
    /// ```
    /// use overdub_export::{Export, LANES};
    ///
    /// let source = "pub fn root(x: f64) -> f64 { let mut y = x; while y * y > x { y = 0.5 * (y + x / y); } y }";
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
    /// let (engine, root) = (loaded.engine(), loaded.function("root")?.symbol);
    /// let text = Export::new(&engine).function(root, "root", "").with_lanes(LANES, &[]).rust()?;
    /// assert!(text.contains("pub fn root_lanes(x: &[f64], y: &mut [f64]) {"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_lanes(mut self, width: usize, fixed: &[&str]) -> Export<'e> {
        self.lanes = Some(Lanes { width, fixed: fixed.iter().map(|&name| name.to_owned()).collect() });
        self
    }

    /// Shows the lines of the source in comments: `source` gives the text of a line of a file.
    #[must_use]
    pub fn with_source(mut self, source: impl Fn(Symbol, u32) -> Option<String> + 'e) -> Export<'e> {
        self.source = Box::new(source);
        self
    }

    /// Calls the files of the source by other names in the messages of failures.
    ///
    /// ```
    /// # use overdub_export::Export;
    /// let source = "pub fn f(x: &[f64]) -> f64 { x[0] }";
    /// let loaded = overdub_lower::Loaded::from_source("/home/me/model.rs", source)?;
    /// let (engine, f) = (loaded.engine(), loaded.function("f")?.symbol);
    /// let export = Export::new(&engine).function(f, "f", "").with_file_names(|_| "model.rs".to_owned());
    /// assert!(export.rust()?.contains("\"model.rs:1:30\""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_file_names(mut self, file_name: impl Fn(Symbol) -> String + 'e) -> Export<'e> {
        self.file_name = Box::new(file_name);
        self
    }

    /// Names types by paths instead of declaring copies of them: `path` gives the path, without type arguments, of a
    /// type that exists where the text will be. It must have the fields and variants of its IR type, in plain Rust
    /// (`Vec` for an array, a `Box` only where the type would contain itself), and be `Clone`, or `Copy` if it holds
    /// nothing but scalars.
    ///
    /// ```
    /// # use overdub_export::Export;
    /// let source = "pub struct Point { x: f64, y: f64 } pub fn mirrored(p: Point) -> Point { Point { x: p.y, y: p.x } }";
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
    /// let (engine, mirrored) = (loaded.engine(), loaded.function("mirrored")?.symbol);
    /// let export = Export::new(&engine).function(mirrored, "mirrored", "");
    /// let export = export.with_type_paths(|ty| (&*ty.name() == "Point").then(|| "crate::Point".to_owned()));
    /// assert!(export.rust()?.contains("pub fn mirrored(p: crate::Point) -> crate::Point"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_type_paths(mut self, path: impl Fn(Nominal) -> Option<String> + 'e) -> Export<'e> {
        self.type_path = Box::new(path);
        self
    }
}
