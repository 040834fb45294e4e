//! The texts of exported functions.

use hashbrown::{HashMap, HashSet};
use overdub_context::ops::{self, OpDef};
use overdub_context::{Span, Symbol};

use crate::ast::Callee;
use crate::calls::{contains_itself, each_apply, recursive};
use crate::destinations::{self, pass_destinations};
use crate::error::ExportError;
use crate::export::{Export, Main, Printed};
use crate::gemm::call_matrix_kernels;
use crate::lanes::{LaneFunction, in_lanes};
use crate::options::{Arithmetic, Failures, Library, MOST_LANES, Options, Room};
use crate::overwritten::remove_overwritten_zeros;
#[cfg(doc)]
use crate::packed;
use crate::plain_first::set_roles;
use crate::program::Purpose;
use crate::rust::Role;
use crate::slices::slice_loops;
use crate::stack_arrays::use_stack_arrays;
use crate::tables::PublicTable;
use crate::tape_records::place_records;
use crate::tape_room::make_room;
use crate::tape_vectors::make_vectors;
use crate::workspace::use_workspace;
use crate::{answer, ast, c, program, rust};

/// The documentation of the function that returns what `main` prints.
const ANSWER: &str = "What `overdub` prints with `--json`.";

/// A function that a device calls for many elements, one thread each: see [`Export::kernel`].
///
/// The kernel is `extern "C" __global__ void overdub_kernel()`. What it works on is in the global variable
/// `overdub_launch`, which the host sets before; where `OVERDUB_ON_HOST` is defined, the text is a program that reads launches
/// from its standard input. `overdub_launch` and its protocol are described in the text.
///
/// Arguments and results are [packed](crate::packed), inline.
///
/// - KERNEL1 a call that fails leaves a status and no message: the host calls the function for this element to know why.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The text.
    pub text: String,
    /// Whether calls allocate memory, and so need some.
    pub allocates: bool,
}

/// A function as statements, and how it is called.
type Structured = (ast::Function, rust::Signature);

impl Export<'_> {
    /// The functions as Rust.
    ///
    /// # Errors
    /// If a function cannot be loaded or has no counterpart in Rust.
    pub fn rust(&self) -> Result<String, ExportError> {
        let in_lanes = self.in_lanes()?;
        let (mut all, calls) = self.structured(Purpose::Text)?;
        if self.options.uses_memory_of_caller() {
            if self.main.is_some() {
                return Err(ExportError::MemoryOfCaller("programs"));
            }
            pass_destinations(&mut all, &self.functions, self.options);
        }
        set_roles(&mut all, &self.plain_first(), calls);
        for (function, signature) in &mut all {
            remove_overwritten_zeros(function);
            make_room(function);
            place_records(function);
            make_vectors(function);
            use_stack_arrays(function);
            if function.has_workspace {
                use_workspace(function);
            }
            let has_products = signature.role == Role::None;
            call_matrix_kernels(function, !has_products);
            slice_loops(function, self.options.arithmetic, has_products);
        }
        let surroundings = rust::Surroundings {
            source: &self.source,
            file_name: &self.file_name,
            type_path: &self.type_path,
            tables: &self.tables(),
        };
        let main = self.calling(calls).map(rust::Entry::Main);
        let print = || rust::print(&all, &in_lanes, main, surroundings, self.options);
        program::with_stack_for(deepest(&all), print)
    }

    /// The functions in lanes.
    fn in_lanes(&self) -> Result<Vec<LaneFunction>, ExportError> {
        let Some(lanes) = &self.lanes else { return Ok(Vec::new()) };
        let width = lanes.width;
        if self.main.is_some() {
            return Err(ExportError::LanesIn("programs"));
        }
        if self.options.uses_memory_of_caller() {
            return Err(ExportError::LanesIn("memory of their callers"));
        }
        if !(1..=MOST_LANES).contains(&width) {
            return Err(ExportError::LaneCount { found: width });
        }
        let is_fast = self.options.arithmetic == Arithmetic::Fast;
        let (all, _) = self.structured(Purpose::Lanes)?;
        let plain = self.plain_first();
        let (mut found, mut known) = (Vec::new(), HashSet::new());
        for wanted in &self.functions {
            let Some((function, _)) = all.iter().find(|(function, _)| function.symbol == wanted.symbol)
            else {
                continue;
            };
            let name_of = |param: &ast::Local| function.locals[param.0 as usize].name.as_deref();
            let names: Vec<_> = function.params.iter().map(name_of).collect();
            known.extend(names.iter().flatten().map(|name| (*name).to_owned()));
            known.extend((0..names.len()).map(|number| number.to_string()));
            let fixes = |(number, name): (usize, &Option<&str>)| lanes.fixes(number, *name);
            let is_fixed: Vec<bool> = names.iter().enumerate().map(fixes).collect();
            let part_name = |part: usize| destinations::part_name(function, wanted.derived.as_ref(), part);
            let build = || in_lanes(function, (width, is_fast), &is_fixed, &part_name);
            let made = program::with_stack_for(function.depth, build);
            let mut made =
                made.map_err(|error| error.of(wanted.derived.as_ref().map(|derived| derived.of)))?;
            made.plain_from = plain.get(&wanted.symbol).copied().filter(|_| !is_fast);
            found.push(made);
        }
        match lanes.fixed.iter().find(|name| !known.contains(*name)) {
            Some(name) => Err(ExportError::NoParameter(name.clone())),
            None => Ok(found),
        }
    }

    /// The first function as the text of a dynamic library, in Rust.
    ///
    /// The host calls `overdub_begin()` once, and then `overdub_call(args, send, host)`, where `args` points to the
    /// [packed](packed) arguments and `send(host, bytes, len)` gets the packed result, which is gone when it returns; in both,
    /// lists are [shared](packed::Lists::Shared). A call that fails returns 1 and sends nothing, and one fails that makes a list or text
    /// of more than 8 GiB, or for which there is no memory: to know why, the host calls
    /// the function in another way, which it can since the function has no effects.
    ///
    /// In lanes ([`Export::with_lanes`]), the host calls it for many elements: there is a list for each parameter that is not fixed,
    /// and instead of the result a list for each number of it, in order. Such a call fails if an element does, or if a tape of
    /// all lanes has more than 256 MiB.
    ///
    /// # Errors
    /// If a function cannot be loaded or has no counterpart in Rust, or none in lanes if there are some, if it calls itself or values contain values of the same
    /// type (nothing counts how deeply they nest), if it prints, reads a clock, or counts steps, or if an argument or the
    /// result has no packed form.
    pub fn dynamic_library(&self) -> Result<String, ExportError> {
        let in_lanes = self.in_lanes()?;
        let (mut all, _) = self.structured(Purpose::Host)?;
        for (function, _) in &mut all {
            place_records(function);
            make_vectors(function);
            call_matrix_kernels(function, false);
            slice_loops(function, Arithmetic::Exact, true);
        }
        check_isolated(&all)?;
        let (source, type_path) = (&|_, _| None, &|_| None);
        let surroundings = rust::Surroundings { source, file_name: &self.file_name, type_path, tables: &[] };
        let options = Options { room: Room::Checked, ..Options::default() };
        let print = || rust::print(&all, &in_lanes, Some(rust::Entry::DynamicLibrary), surroundings, options);
        program::with_stack_for(deepest(&all), print)
    }

    /// As [`dynamic_library`](Export::dynamic_library), in C99 with the extensions that gcc and clang have in common. Failures of a call free its
    /// memory.
    ///
    /// # Errors
    /// As for Rust, if the function has no counterpart in C, or is to run in lanes.
    pub fn dynamic_library_in_c(&self) -> Result<String, ExportError> {
        self.check_options_of_c()?;
        let (mut all, _) = self.structured(Purpose::Host)?;
        check_isolated(&all)?;
        program::with_stack_for(deepest(&all), || c::dynamic_library(&mut all, &|_, _| None))
    }

    /// The functions as C99.
    ///
    /// # Errors
    /// If a function cannot be loaded or has no counterpart in C, failures are to be returned, or another library used.
    pub fn c(&self) -> Result<String, ExportError> {
        self.check_options_of_c()?;
        let (mut all, calls) = self.structured(Purpose::Text)?;
        let main = self.calling(calls);
        program::with_stack_for(deepest(&all), || c::print(&mut all, main, &self.source, &self.tables()))
    }

    /// The first function as a kernel of CUDA C++, which calls it for many elements.
    ///
    /// # Errors
    /// If a function cannot be loaded, has no counterpart in C, calls itself, prints, or makes text of numbers, failures are to
    /// be returned, or another library used.
    pub fn kernel(&self) -> Result<Kernel, ExportError> {
        self.check_options_of_c()?;
        let (mut all, _) = self.structured(Purpose::Host)?;
        let (text, allocates) = program::with_stack_for(deepest(&all), || c::kernel(&mut all, &self.source))?;
        Ok(Kernel { text, allocates })
    }

    /// The tables beside functions, each with the name of its function.
    fn tables(&self) -> Vec<(&str, &PublicTable)> {
        let functions = self.functions.iter();
        functions.flat_map(|wanted| wanted.tables.iter().map(|table| (wanted.name.as_str(), table))).collect()
    }

    /// Refuses options that text in C does not have.
    fn check_options_of_c(&self) -> Result<(), ExportError> {
        if self.options.uses_memory_of_caller() {
            return Err(ExportError::MemoryOfCaller("C"));
        }
        if self.lanes.is_some() {
            return Err(ExportError::LanesIn("C"));
        }
        match self.options {
            Options { failures: Failures::Result, .. } => Err(ExportError::FailuresInC),
            Options { library: Library::NoStd, .. } => Err(ExportError::LibraryInC),
            Options { failures: Failures::Panic, library: Library::Std, .. } => Ok(()),
        }
    }

    /// The functions and all that they call, as statements; and the function that `main` calls.
    fn structured(&self, purpose: Purpose) -> Result<(Vec<Structured>, Option<Symbol>), ExportError> {
        let mut roots: Vec<Symbol> = self.functions.iter().map(|wanted| wanted.symbol).collect();
        if let Some((_, twice)) = (1..).zip(&roots).find(|(from, symbol)| roots[*from..].contains(symbol)) {
            return Err(ExportError::Twice(*twice));
        }
        let module = self.engine.module();
        let answer = self.answer()?;
        if let (Some(_), Some(first)) = (answer.first(), self.functions.first()) {
            let of = first.derived.as_ref().filter(|derived| derived.lacks_value());
            roots.extend(of.map(|derived| derived.of).filter(|of| !roots.contains(of)));
        }
        // In lanes, elements are computed alone where that matters.
        let in_lanes = if purpose == Purpose::Lanes { self.plain_first() } else { HashMap::new() };
        let is_plain =
            |name: Symbol| self.options.arithmetic == Arithmetic::Fast || in_lanes.contains_key(&name);
        let functions = program::program(&module, &roots, &answer, (purpose, &is_plain))?;
        let signatures = functions.into_iter().map(|(function, refs)| {
            let wanted = self.functions.iter().find(|wanted| wanted.symbol == function.symbol);
            let doc = match answer.first() {
                Some(answer) if *answer == function.symbol => Some(ANSWER.to_owned()),
                _ => wanted.map(|wanted| wanted.doc.clone()),
            };
            let signature = rust::Signature {
                symbol: function.symbol,
                name: wanted.map(|wanted| wanted.name.clone()),
                doc: doc.filter(|doc| !doc.is_empty()),
                refs,
                role: Role::default(),
            };
            (function, signature)
        });
        let all = signatures.collect();
        Ok((all, answer.first().or(roots.first()).copied()))
    }

    /// The derivatives that may be computed by plain products first, with the numbers of values that they return before these.
    fn plain_first(&self) -> HashMap<Symbol, usize> {
        let derived =
            self.functions.iter().filter_map(|wanted| Some((wanted.symbol, wanted.derived.as_ref()?)));
        let allowed = derived.filter(|(_, derived)| derived.allows_plain_products);
        let values = allowed.map(|(symbol, derived)| (symbol, usize::from(!derived.lacks_value())));
        values.flat_map(|(symbol, count)| [(symbol, count), (destinations::symbol(symbol), count)]).collect()
    }

    /// What `main` does.
    fn calling(&self, calls: Option<Symbol>) -> Option<rust::Main<'_>> {
        let (main, calls) = self.main.as_ref().zip(calls)?;
        let is_text = matches!(main.printed, Printed::Json(_));
        Some(rust::Main { args: &main.args, calls, is_text })
    }

    /// The function that returns what `main` prints, and those that it calls for the parts.
    fn answer(&self) -> Result<Vec<Symbol>, ExportError> {
        let (Some(Main { printed: Printed::Json(interface), .. }), Some(wanted)) =
            (&self.main, self.functions.first())
        else {
            return Ok(Vec::new());
        };
        let called = answer::Called { symbol: wanted.symbol, derived: wanted.derived.as_ref() };
        answer::define(&self.engine.module(), &called, interface)
    }
}

/// Refuses functions that have effects, or that may use a stack of any depth.
fn check_isolated(all: &[Structured]) -> Result<(), ExportError> {
    let refused = |function: &ast::Function, construct: String, span: Span| {
        Err(ExportError::Unsupported { func: function.symbol, construct, span })
    };
    let recursive = recursive(all.iter().map(|(function, _)| function));
    for (function, _) in all {
        if recursive.contains(&function.symbol) {
            return refused(function, "it calls itself".to_owned(), function.span);
        }
        if let Some(local) = function.locals.iter().find(|local| contains_itself(local.ty)) {
            let construct = format!("values of type `{}` contain others of that type", local.ty);
            return refused(function, construct, function.span);
        }
        let mut effect = None;
        each_apply(&function.body, &mut |apply| match apply.callee {
            Callee::Op(op) if EFFECTS.contains(&op) => effect = effect.or(Some((op, apply.span))),
            _ => {}
        });
        if let Some((op, span)) = effect {
            return refused(function, format!("it has the effect `{}`", op.name), span);
        }
    }
    Ok(())
}

/// Operations that act on the world, or tell something of it.
const EFFECTS: [&OpDef; 5] =
    [&ops::PRINT, &ops::EPRINT, &ops::STEPS_ADD, &ops::CLOCK_NOW, &ops::CLOCK_SYSTEM];

/// How deeply statements nest.
fn deepest(all: &[Structured]) -> usize {
    all.iter().map(|(function, _)| function.depth).max().unwrap_or(0)
}
