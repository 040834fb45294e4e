//! A debugger for functions of Rust source, without annotations: breakpoints, stepping both ways, variables
//! by their source names.
//!
//! A [`Session`] is one run that is driven by commands: [`Session::run`] carries one out and returns where
//! the program stopped. There are no threads and no callbacks, so a terminal, a script and an editor's
//! protocol can all be built on it; two sessions share nothing.
//!
//! - TIME1 a moment is the number of instructions that were executed; going back is running again from a
//!   snapshot.
//! - TIME2 what a run got from outside (clocks, host functions) is recorded when it happens and supplied
//!   again when the run is repeated; what it printed is not printed again.
//! - TIME3 a change by the user begins another future: what came after it is forgotten. A run that comes to
//!   its moment again makes the change again.
//! - UNOPTIMISED1 the program is debugged as it is written, not optimised, so that each variable has its
//!   value at each statement.
//!
//! ```
//! use overdub_context::value::Value;
//! use overdub_debugger::{Command, Reason, Session, Source};
//! let source = Source::text("f.rs", "fn f(x: f64) -> f64 {\n    let y = x * x;\n    y + 1.0\n}");
//! let mut session = Session::open(&source, "f", vec![Value::F64(3.0)])?;
//! session.break_at_line("f.rs", 3)?;
//! let stop = session.run(Command::Continue)?;
//! assert!(matches!(stop.reason, Reason::Breakpoint(1)));
//! assert_eq!(session.evaluate(0, "y * 2.0")?.as_f64(), Some(18.0));
//! session.set(0, "y", "5.0")?;
//! let stop = session.run(Command::Continue)?;
//! assert!(matches!(stop.reason, Reason::Exited(Value::F64(6.0))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod breaking;
mod breakpoint;
mod changing;
mod commands;
mod delegation;
mod derivative;
mod edits;
mod error;
mod evaluate;
mod frames;
mod history;
mod inspection;
mod lines;
mod machine;
mod moved;
mod one_piece;
mod points;
mod reach;
mod reverse;
mod script;
mod session;
mod show;
mod source;
mod stepping;
mod stop;
mod summary;
mod sweeps;

pub use answer::Answer;
pub use breakpoint::{Breakpoint, HitCondition, Kind, Watched};
pub use commands::{COMMANDS, CommandHelp};
pub use derivative::{Derivative, Sweep};
pub use error::DebugError;
pub use frames::{FrameInfo, Variable};
pub use history::HistoryInfo;
pub use script::Script;
pub use session::{Command, Session};
pub use show::{short_name, show};
pub use source::Source;
pub use stop::{Reason, Stop};
pub use summary::{Histogram, Summary};
