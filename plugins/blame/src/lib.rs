//! Where did this number come from? Finds the operations and lines behind a NaN, an infinity, or an entry of
//! a gradient.
//!
//! A program runs under a context in which every float carries the number of the operation that computed it.
//! A gradient is a program like any other, whose operations have the lines of the primal that they
//! differentiate: the same context around it tells where its entries come from.
//!
//! ```
//! use overdub_blame::Blame;
//! use overdub_context::value::Value;
//!
//! let source = "pub fn f(x: &[f64]) -> f64 {
//!     let roots: Vec<f64> = x.iter().map(|x| x.sqrt()).collect();
//!     roots.iter().map(|r| r * 0.0).sum()
//! }";
//! let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
//! let (engine, f) = (loaded.engine(), loaded.function("f")?.symbol);
//! let x = || vec![Value::floats(vec![4.0, -1.0])];
//!
//! // The value is NaN: line 2 took the square root of -1.
//! let value = Blame::new(&engine).value(f, x())?;
//! let chain = value.trace().origin(value.float("value").unwrap().id);
//! let first = value.trace().step(*chain.last().unwrap()).unwrap();
//! assert_eq!((first.op.name, first.span.line, first.operands[0].value), ("sqrt", 2, -1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blame;
mod context;
mod history;
mod origins;
mod places;
mod report;
mod trace;

pub use blame::{Blame, BlameError, HISTORY_LIMIT};
pub use history::{LineSum, Step, Term};
pub use origins::Origins;
pub use report::{Report, TreeLine};
pub use trace::{Entry, EntryId, Operand, Trace};
