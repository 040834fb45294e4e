//! The arguments of the commands that differentiate, or say how derivatives depend on their inputs.

use std::path::PathBuf;

use clap::{Arg, ArgAction, Args};
use overdub_ad::TapeBound;

use super::{FunctionArgs, RunArgs};
use crate::limits::{LimitArgs, bytes};

/// Run a function that returns a float, and print its derivative with respect to each argument.
#[derive(Debug, Args)]
pub struct Grad {
    /// The call.
    #[command(flatten)]
    pub run: RunArgs,
    /// Only with respect to these arguments, by their names, or by their numbers from 0.
    #[arg(long, value_delimiter = ',', value_name = "x,rate")]
    pub wrt: Option<Vec<String>>,
    /// Compare with forward mode and with differences of the function; exit with 1 if they disagree.
    #[arg(long)]
    pub check: bool,
    /// Print how many bytes are kept for the reverse sweep, by line of the source.
    #[arg(long)]
    pub tape: bool,
    /// What the reverse sweep may keep.
    #[command(flatten)]
    pub tape_memory: TapeMemory,
    /// Print which engine computed the derivative, why, and which line of the source prevented a faster one.
    #[arg(long)]
    pub explain: bool,
}

/// What the reverse sweep of a derivative may keep.
#[derive(Clone, Copy, Debug, Args)]
pub struct TapeMemory {
    /// Keep at most this for the reverse sweep, 64MB or 2GiB: long loops are checkpointed, and run again as often as needed.
    /// The derivatives are the same.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<usize>,
}

impl TapeMemory {
    /// The bound on what is kept.
    pub fn bound(self) -> TapeBound {
        self.memory.map_or(TapeBound::Unbounded, TapeBound::Memory)
    }
}

/// Run a function that returns a float, and print how many bytes its gradient keeps, by line of the source.
#[derive(Debug, Args)]
pub struct Tape {
    /// The call.
    #[command(flatten)]
    pub run: RunArgs,
    /// What the reverse sweep may keep.
    #[command(flatten)]
    pub tape_memory: TapeMemory,
    /// Write a flame graph to this file: the loops, each as wide as what is recorded in it.
    #[arg(long, value_name = "FILE.svg")]
    pub flame: Option<PathBuf>,
}

/// Check a function's derivatives against differences over many inputs.
#[derive(Debug, Args)]
pub struct Check {
    /// The function.
    #[command(flatten)]
    pub which: FunctionArgs,
    /// A JSON array with the bounds of each parameter's numbers: "[[-1, 1], [0.1, 10]]".
    #[arg(long, allow_hyphen_values = true)]
    pub domain: String,
    /// The number of inputs.
    #[arg(long, default_value_t = 64)]
    pub cases: u32,
    /// The greatest relative error of a derivative, compared with differences that have converged.
    #[arg(long, default_value_t = 1e-6)]
    pub tolerance: f64,
    /// Print one JSON object on the last line.
    #[arg(long)]
    pub json: bool,
    /// The limits of the runs.
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Run a function and print its derivatives.
#[derive(Debug, Args)]
pub struct Derive {
    /// The call.
    #[command(flatten)]
    pub run: RunArgs,
    /// Print which engine computed the derivatives, why, and which line of the source prevented a faster one.
    #[arg(long)]
    pub explain: bool,
    /// Find the pattern first, compute only its entries, a sweep for each color, and print these with their
    /// positions.
    #[arg(long)]
    pub sparse: bool,
    /// Only with respect to these arguments, by their names, or by their numbers from 0.
    #[arg(long, value_delimiter = ',', value_name = "x,rate")]
    pub wrt: Option<Vec<String>>,
    /// What the reverse sweep may keep.
    #[command(flatten)]
    pub tape_memory: TapeMemory,
}

/// Find which operations of which lines made a NaN, an infinity, or an entry of the gradient.
#[derive(Debug, Args)]
pub struct BlameArgs {
    /// The call.
    #[command(flatten)]
    pub run: RunArgs,
    /// The float to ask about: `value`, `value[2]`, or `x[3]` for the gradient's entry of the parameter `x`. Without it, the
    /// first float of the value or of the gradient that is NaN or infinite, else the largest entry of the gradient.
    #[arg(long, value_name = "x[3]")]
    pub entry: Option<String>,
}

/// Find which floats of a function's result depend on which of its arguments.
#[derive(Debug, Args)]
pub struct Sparsity {
    /// The call.
    #[command(flatten)]
    pub run: RunArgs,
    /// The pattern of the Hessian, of a function that returns a float.
    #[arg(long)]
    pub hessian: bool,
    /// At these arguments: the path that is taken there. Otherwise the pattern holds for every input of this shape.
    #[arg(long)]
    pub local: bool,
    /// Only with respect to these arguments, by their names, or by their numbers from 0.
    #[arg(long, value_delimiter = ',', value_name = "x,rate")]
    pub wrt: Option<Vec<String>>,
    /// Write a picture to this file, rows or columns in the colors of a coloring.
    #[arg(long, value_name = "FILE.png")]
    pub png: Option<PathBuf>,
    /// Write the pattern to this file in the format of Matrix Market.
    #[arg(long, value_name = "FILE.mtx")]
    pub mtx: Option<PathBuf>,
}

/// The arguments as one JSON array, since another array follows.
fn in_one_text(args: Arg) -> Arg {
    args.action(ArgAction::Set)
        .num_args(1)
        .help("The arguments: a JSON array with one entry for each parameter; `@FILE` holds it, `-` reads it from the standard input")
}

/// Run a function, and print how its result changes along a direction of its arguments.
#[derive(Debug, Args)]
#[command(mut_arg("args", in_one_text))]
pub struct Jvp {
    /// The call.
    #[command(flatten)]
    pub run: RunArgs,
    /// A JSON array with the tangent of each argument in its shape, null if it holds no float.
    #[arg(index = 4, allow_hyphen_values = true, default_value = "[]")]
    pub tangents: String,
}

/// Run a function, and print how a weighted sum of its result changes with each argument.
#[derive(Debug, Args)]
#[command(mut_arg("args", in_one_text))]
pub struct Vjp {
    /// The call.
    #[command(flatten)]
    pub run: RunArgs,
    /// The cotangent of the result as JSON, in its shape.
    #[arg(index = 4, allow_hyphen_values = true, default_value = "1")]
    pub cotangent: String,
    /// Print which engine computed the derivative, why, and which line of the source prevented a faster one.
    #[arg(long)]
    pub explain: bool,
    /// Only with respect to these arguments, by their names, or by their numbers from 0.
    #[arg(long, value_delimiter = ',', value_name = "x,rate")]
    pub wrt: Option<Vec<String>>,
    /// What the reverse sweep may keep.
    #[command(flatten)]
    pub tape_memory: TapeMemory,
}
