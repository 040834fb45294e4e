//! The command line.

mod derivatives;

use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use overdub_context::limits::Limits;

use crate::context::{NamedContext, ShownContext};
use crate::limits::LimitArgs;

pub use derivatives::*;

/// Run and inspect functions of Rust source, without annotations.
#[derive(Debug, Parser)]
#[command(name = "overdub", version, about, max_term_width = 100)]
pub struct Cli {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The command.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a function and print what it returns.
    Run(RunArgs),
    /// Run a function and print the tree of calls that it makes.
    Trace(Trace),
    /// Run a function and print which calls it makes how often, and the number of floating-point operations.
    Count(Count),
    /// Run a function, and stop at the first call that makes a NaN or an infinity out of finite numbers.
    Nan(RunArgs),
    /// Run a function for each of many lists of arguments, on several threads.
    Map(Map),
    /// Run a function that returns a float, and print its derivative with respect to each argument.
    Grad(Grad),
    /// Run a function, and print how its result changes along a direction of its arguments.
    Jvp(Jvp),
    /// Run a function, and print how a weighted sum of its result changes with each argument.
    Vjp(Vjp),
    /// Run a function, and print the derivative of each float of its result with respect to each of its
    /// arguments.
    Jacobian(Derive),
    /// Run a function that returns a float, and print its first and second derivatives.
    Hessian(Derive),
    /// Run a function that returns a float, and print how many bytes its gradient keeps, by line of the source.
    Tape(Tape),
    /// Find which operations of which lines made a NaN, an infinity, or an entry of the gradient.
    Blame(BlameArgs),
    /// Find which floats of a function's result depend on which of its arguments, and print the pattern.
    Sparsity(Sparsity),
    /// Check a function's derivatives against differences over many inputs; exit with 1 if one is wrong.
    Check(Check),
    /// Run a function under a debugger: breakpoints, steps both ways, variables.
    Debug(Debug),
    /// Let an editor debug functions, by the Debug Adapter Protocol.
    Dap(Dap),
    /// Print the intermediate representation of a function.
    Ir(Ir),
    /// Write a function, or its derivative, as Rust or C that needs nothing of overdub.
    Export(Export),
    /// List the functions of a source with their signatures.
    List(List),
    /// List the contexts that `ir --context` takes.
    Contexts(Contexts),
    /// Explain an error by its code, with an example and what to do; without a code, list all of them.
    Explain(Explain),
    /// Print the script that completes command lines in a shell.
    Completions(Completions),
    /// Write the pages of the manual.
    Man(Man),
}

impl Command {
    /// The source and the file of inputs whose changes make the command run again.
    pub fn watched(&self) -> Option<Vec<&Path>> {
        let run = match self {
            Command::Map(map) => {
                return map.watch.then(|| vec![&*map.which.source, Path::new(&map.inputs)]);
            }
            Command::Run(run) | Command::Nan(run) => run,
            Command::Jacobian(Derive { run, .. })
            | Command::Hessian(Derive { run, .. })
            | Command::Trace(Trace { run, .. })
            | Command::Count(Count { run, .. })
            | Command::Grad(Grad { run, .. })
            | Command::Tape(Tape { run, .. })
            | Command::Blame(BlameArgs { run, .. })
            | Command::Sparsity(Sparsity { run, .. })
            | Command::Jvp(Jvp { run, .. })
            | Command::Vjp(Vjp { run, .. }) => run,
            _ => return None,
        };
        run.watch.then(|| vec![&*run.which.source])
    }

    /// How many bytes may be kept for the reverse sweep, if the user bounds them.
    pub fn tape_memory(&self) -> Option<usize> {
        match self {
            Command::Jacobian(Derive { tape_memory, .. })
            | Command::Hessian(Derive { tape_memory, .. })
            | Command::Grad(Grad { tape_memory, .. })
            | Command::Tape(Tape { tape_memory, .. })
            | Command::Vjp(Vjp { tape_memory, .. }) => tape_memory.memory,
            _ => None,
        }
    }

    /// The limits of the command as a whole, and the output format, if it runs something.
    pub fn runs(&self) -> Option<(Limits, OutputFormat)> {
        let run = match self {
            Command::Run(run) | Command::Nan(run) => run,
            Command::Jacobian(Derive { run, .. }) | Command::Hessian(Derive { run, .. }) => run,
            Command::Trace(Trace { run, .. })
            | Command::Count(Count { run, .. })
            | Command::Grad(Grad { run, .. })
            | Command::Tape(Tape { run, .. })
            | Command::Blame(BlameArgs { run, .. })
            | Command::Sparsity(Sparsity { run, .. }) => run,
            Command::Jvp(Jvp { run, .. }) | Command::Vjp(Vjp { run, .. }) => run,
            // Steps are limited for each element.
            Command::Map(map) => {
                let limits = Limits { steps: None, ..map.limits.limits_by(map.backend) };
                return Some((limits, OutputFormat::of(map.json)));
            }
            Command::Check(check) => return Some((check.limits.limits(), OutputFormat::of(check.json))),
            Command::Debug(debug) => return Some((debug.limits.limits(), OutputFormat::of(debug.json))),
            // The limits of `dap` apply to each connection.
            Command::Dap(_)
            | Command::Ir(_)
            | Command::Export(_)
            | Command::List(_)
            | Command::Contexts(_)
            | Command::Explain(_)
            | Command::Completions(_)
            | Command::Man(_) => return None,
        };
        Some((run.limits.limits_by(run.backend), OutputFormat::of(run.json)))
    }
}

/// The output format of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputFormat {
    /// Text for people.
    AsText,
    /// One JSON object on the last line.
    AsJson,
}

impl OutputFormat {
    fn of(json: bool) -> OutputFormat {
        if json { OutputFormat::AsJson } else { OutputFormat::AsText }
    }
}

/// The function to use, and its source.
#[derive(Debug, Args)]
pub struct FunctionArgs {
    /// A `.rs` file, or the folder of a crate.
    #[arg(index = 1)]
    pub source: PathBuf,
    /// A path such as `function::gamma::ln_gamma`; a method is `Type::name` or `Trait::name`.
    #[arg(index = 2)]
    pub function: String,
}

/// Run a function and print what it returns.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The function.
    #[command(flatten)]
    pub which: FunctionArgs,
    /// The arguments, each as JSON; or all of them as one JSON array with an entry for each parameter. `@FILE` holds one or the
    /// other, `-` reads it from the standard input. "@FILE.npy", "@FILE.csv" and "@FILE.json" stand for the content of the file.
    #[arg(index = 3, allow_negative_numbers = true)]
    pub args: Vec<String>,
    /// Print one JSON object on the last line.
    #[arg(long)]
    pub json: bool,
    /// How to run it.
    #[arg(long, value_enum, default_value_t)]
    pub backend: Backend,
    /// Run it again whenever a file of the source changes, until Ctrl-C.
    #[arg(long)]
    pub watch: bool,
    /// The limits of the run.
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// How a function is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Backend {
    /// The interpreter.
    #[cfg_attr(not(has_native), default)]
    Interp,
    /// Machine code, compiled when a function is first called.
    #[cfg(has_native)]
    Native,
    /// Machine code if a run takes longer than compiling, else the interpreter.
    #[cfg(has_native)]
    #[default]
    Auto,
    /// As the installed rustc compiles it, or clang or gcc if there is none, before the first run; libraries are kept for the
    /// next process. What has no counterpart in Rust or C is run as by default.
    #[cfg(feature = "rustc")]
    Rustc,
}

/// Explain an error by its code.
#[derive(Debug, Args)]
pub struct Explain {
    /// The code, as an error shows it: `OD0103`.
    pub code: Option<String>,
}

/// Run a function for each of many lists of arguments.
///
/// The exit status is 0 if no element failed. Otherwise all results are written, and it is that of `run` for the first
/// element that failed: 1, or 3 if it hit a limit.
#[derive(Debug, Args)]
pub struct Map {
    /// The function.
    #[command(flatten)]
    pub which: FunctionArgs,
    /// The arguments of all elements: a `.json` file with a list of lists of arguments, a `.jsonl` file with a list of
    /// arguments on each line, a `.npy` or `.csv` file with a row for each element; `-` reads JSON from the standard input.
    #[arg(long, value_name = "FILE", allow_hyphen_values = true)]
    pub inputs: String,
    /// Run it again whenever a file of the source or the inputs change, until Ctrl-C.
    #[arg(long)]
    pub watch: bool,
    /// Also the gradient of each element, for a function that returns a float.
    #[arg(long)]
    pub gradient: bool,
    /// Only with respect to these arguments, by their names, or by their numbers from 0.
    #[arg(long, value_delimiter = ',', value_name = "x,rate", requires = "gradient")]
    pub wrt: Option<Vec<String>>,
    /// The number of threads; by default one for each core. Results do not depend on it.
    #[arg(long, value_name = "N")]
    pub threads: Option<std::num::NonZero<usize>>,
    /// Run this many elements side by side, by SIMD instructions: at most 64. Results do not depend on it; a note tells why
    /// a function does not run so. With `--backend rustc`, as rustc compiles the function in lanes.
    #[arg(long, value_name = "N", conflicts_with = "device")]
    pub lanes: Option<std::num::NonZero<usize>>,
    /// Run the elements on a device. What it does not finish runs here; the limits of steps and memory do not apply to it.
    #[arg(long, value_enum)]
    pub device: Option<DeviceKind>,
    /// Write the results to this file: `.json`, `.jsonl`, `.csv`, `.npy`, or lines of text.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The types of its parameters, if it is generic: "&[f32], f32".
    #[arg(long)]
    pub types: Option<String>,
    /// Print one JSON object on the last line.
    #[arg(long)]
    pub json: bool,
    /// How to run it.
    #[arg(long, value_enum, default_value_t)]
    pub backend: Backend,
    /// The limits: of time for all elements together, the others for each element.
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Run a function and print the tree of calls that it makes.
#[derive(Debug, Args)]
pub struct Trace {
    /// The call.
    #[command(flatten)]
    pub run: RunArgs,
    /// The greatest depth of nested calls.
    #[arg(long)]
    pub depth: Option<usize>,
    /// Also operations, such as additions and reads of elements.
    #[arg(long)]
    pub operations: bool,
    /// Also calls of the standard library, and those inside of it.
    #[arg(long)]
    pub std: bool,
    /// Write a flame graph to this file.
    #[arg(long, value_name = "FILE.svg")]
    pub flame: Option<PathBuf>,
}

/// Run a function and print which calls it makes how often.
#[derive(Debug, Args)]
pub struct Count {
    /// The call.
    #[command(flatten)]
    pub run: RunArgs,
    /// Also operations, and functions of the standard library.
    #[arg(long)]
    pub std: bool,
}

/// The derivative that is computed while a program is debugged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DebuggedDerivative {
    /// The gradient of a function that returns a float.
    Gradient,
    /// The derivative along a direction.
    Jvp,
}

/// Run a function under a debugger.
#[derive(Debug, Args)]
pub struct Debug {
    /// The function.
    #[command(flatten)]
    pub which: FunctionArgs,
    /// The arguments, each as JSON; or all of them as one JSON array with an entry for each parameter. `@FILE` holds one or the
    /// other, `-` reads it from the standard input. "@FILE.npy", "@FILE.csv" and "@FILE.json" stand for the content of the file.
    #[arg(index = 3, allow_negative_numbers = true)]
    pub args: Vec<String>,
    /// Read commands from this file, one on each line, in the words of gdb; `-` is the standard input.
    /// Without it they are read from the terminal.
    #[arg(long, value_name = "FILE")]
    pub commands: Option<PathBuf>,
    /// Answer each command with one JSON object on a line.
    #[arg(long)]
    pub json: bool,
    /// Stop at the start of the function.
    #[arg(long)]
    pub break_at_entry: bool,
    /// Debug while this derivative is computed: stops are in its forward and its reverse sweep, and variables
    /// are shown with their tangents or cotangents.
    #[arg(long, value_enum, value_name = "DERIVATIVE")]
    pub derivative: Option<DebuggedDerivative>,
    /// For `--derivative jvp`, a JSON array with the tangent of each argument in its shape, null if it holds
    /// no float; by default all are 1.
    #[arg(long, allow_hyphen_values = true, value_name = "JSON")]
    pub tangents: Option<String>,
    /// The limit of the history, in megabytes.
    #[arg(long, default_value_t = 256, value_name = "MB")]
    pub history: usize,
    /// The limits of the run.
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Let an editor debug functions, by the Debug Adapter Protocol.
#[derive(Debug, Args)]
pub struct Dap {
    /// Listen on this port of this machine, 0 for a free one, and print its number; without it, serve one client on the
    /// standard input and output.
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// The limit of the history of a run, in megabytes.
    #[arg(long, default_value_t = 256, value_name = "MB")]
    pub history: usize,
    /// The limits of the programs of one client.
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Print the intermediate representation of a function.
#[derive(Debug, Args)]
pub struct Ir {
    /// The function.
    #[command(flatten)]
    pub which: FunctionArgs,
    /// The stage at which to print it.
    #[arg(long, value_enum, default_value_t = Stage::Lowered)]
    pub stage: Stage,
    /// Show the function after each pass that changed it, with the changed lines marked: the passes of the stage, or of
    /// `optimized`.
    #[arg(long)]
    pub passes: bool,
    /// Also the functions that it calls.
    #[arg(long)]
    pub callees: bool,
    /// The types of its parameters, if it is generic: "&[f32], f32".
    #[arg(long)]
    pub types: Option<String>,
    /// As rewritten by these contexts, the outermost first: trace, count, nan, slice, forward, reverse,
    /// memoize:FUNCTION, swap:CALLED=INSTEAD. With `lanes` as the first one, the program that lanes run: steps for all
    /// elements, and masks of those that are at a block.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub context: Vec<ShownContext>,
}

/// The stages of the intermediate representation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Stage {
    /// As it is lowered from Rust.
    Lowered,
    /// Inlined and optimised, as contexts and the interpreter get it.
    Optimized,
    /// Optimised further, as machine code is generated from it.
    Codegen,
}

/// Write a function, or its derivative, as Rust or C that needs nothing of overdub.
#[derive(Debug, Args)]
pub struct Export {
    /// The function.
    #[command(flatten)]
    pub which: FunctionArgs,
    /// The language in which it is written.
    #[arg(long, value_enum, default_value_t, hide_default_value = true)]
    pub language: Language,
    /// The derivatives of a function that returns a float, with respect to its arguments.
    #[arg(long, group = "derivative")]
    pub gradient: bool,
    /// The value, and the gradient.
    #[arg(long, group = "derivative")]
    pub value_and_gradient: bool,
    /// The derivatives of each float of a result of several, with respect to the arguments, by one reverse sweep.
    #[arg(long, group = "derivative")]
    pub gradients: bool,
    /// The value, and these.
    #[arg(long, group = "derivative")]
    pub value_and_gradients: bool,
    /// The value, and how it changes along a direction, which follows the arguments.
    #[arg(long, group = "derivative")]
    pub jvp: bool,
    /// The value, and the cotangents of the arguments for one of the result, which follows the arguments.
    #[arg(long, group = "derivative")]
    pub vjp: bool,
    /// The product of the Hessian with a direction, which follows the arguments.
    #[arg(long, group = "derivative")]
    pub hvp: bool,
    /// The derivatives of each float of the result with respect to each float of the arguments.
    #[arg(long, group = "derivative")]
    pub jacobian: bool,
    /// The second derivatives of a float: a row for each float of the arguments.
    #[arg(long, group = "derivative")]
    pub hessian: bool,
    /// Only the entries of the sparsity pattern, row by row, with their positions beside the function, which takes arguments of
    /// the shape of the example.
    #[arg(long, requires = "derivative", conflicts_with_all = ["gradient", "value_and_gradient", "gradients", "value_and_gradients", "jvp", "vjp", "hvp"])]
    pub sparse: bool,
    /// Arguments of the shape for which a sparse derivative is written, a JSON array; by default those of `--main`.
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, requires = "sparse")]
    pub example: Option<String>,
    /// As rewritten by these contexts, the outermost first, instead of a derivative.
    #[arg(long, value_name = "NAME", value_delimiter = ',', conflicts_with = "derivative")]
    pub context: Vec<NamedContext>,
    /// Only with respect to these arguments, by their names, or by their numbers from 0.
    #[arg(long, value_delimiter = ',', value_name = "x,rate", requires = "derivative")]
    pub wrt: Option<Vec<String>>,
    /// These arguments are constants, JSON values, and no parameters: "dims=10". Loops over them are unrolled.
    #[arg(long = "static", value_name = "NAME=VALUE")]
    pub static_args: Vec<String>,
    /// The types of its parameters, if it is generic: "&[f32], f32".
    #[arg(long)]
    pub types: Option<String>,
    /// What it does where the program fails; in Rust.
    #[arg(long, value_enum, default_value_t, hide_default_value = true)]
    pub failures: Failures,
    /// For crates without the standard library: with `core`, `alloc` and the crate `libm`; in Rust.
    #[arg(long)]
    pub no_std: bool,
    /// Add the sums of loops in any order, in Rust, and do not test whether zero meets infinity: faster, with other last digits.
    #[arg(long)]
    pub fast: bool,
    /// Write vectors of floats to slices of the caller, which follow the arguments, instead of returning them; in Rust.
    #[arg(long, conflicts_with = "main")]
    pub into: bool,
    /// Take the memory of vectors and tapes from a `Workspace` of the caller, which is the last argument; in Rust.
    #[arg(long, conflicts_with = "main")]
    pub workspace: bool,
    /// Also write it for the elements of slices, so many side by side by SIMD instructions: a function with `_lanes` after its
    /// name; in Rust.
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "64", conflicts_with_all = ["main", "into", "workspace"])]
    pub lanes: Option<usize>,
    /// These arguments are the same for all elements of `--lanes`.
    #[arg(long, value_name = "rate,years", value_delimiter = ',', requires = "lanes")]
    pub fixed: Vec<String>,
    /// The name of the function that is written; by default its own, followed by the derivative.
    #[arg(long)]
    pub name: Option<String>,
    /// Also write a `main` that calls it with these arguments, a JSON array, and prints the result.
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true)]
    pub main: Option<String>,
    /// Write to this file instead of the standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// A device that runs mapped functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DeviceKind {
    /// The first card of NVIDIA.
    Cuda,
    /// The first device of OpenCL with 64-bit floats, which runs functions of scalars.
    #[value(name = "opencl")]
    OpenCl,
    /// The kernel for CUDA on the processor, by the C++ compiler of the system.
    Emulator,
    /// The kernel for OpenCL on the processor, by that compiler.
    OpenclEmulator,
}

/// A language of exported functions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum Language {
    /// Rust, the default.
    #[default]
    Rust,
    /// C99.
    C,
    /// A kernel of CUDA C++, which calls the function for many elements.
    Cuda,
    /// A kernel of OpenCL C, for functions of scalars and of lists that they read.
    #[value(name = "opencl")]
    OpenCl,
}

/// What an exported function does where the program fails.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum Failures {
    /// Panic with the message and the place, the default.
    #[default]
    Panic,
    /// Return an `Err` with them.
    Result,
}

/// List the functions of a source with their signatures.
#[derive(Debug, Args)]
pub struct List {
    /// A `.rs` file, or the folder of a crate.
    pub source: PathBuf,
    /// Print one JSON object on the last line.
    #[arg(long)]
    pub json: bool,
}

/// List the contexts that `ir --context` takes.
#[derive(Debug, Args)]
pub struct Contexts {
    /// Print one JSON object on the last line.
    #[arg(long)]
    pub json: bool,
}

/// Print the script that completes command lines in a shell.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell.
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Write the pages of the manual.
#[derive(Debug, Args)]
pub struct Man {
    /// The folder for a page of each command; without it, the page of `overdub` is printed.
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
}
