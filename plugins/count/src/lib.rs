//! A context that counts all calls that a function makes, directly or indirectly, by function and argument
//! types.
//!
//! ```
//! use overdub_context::engine::Engine;
//! use overdub_context::{text, value::Value};
//! use overdub_count::Count;
//!
//! let program = text::parse("fn @f(%x: f64) -> f64 {\n %p: f64 = mul %x, %x\n %y: f64 = add %p, %x\n ret %y\n}")?;
//! let engine = Engine::new(program.module());
//! let (value, counts) = engine.overdub(&Count, "f", vec![Value::F64(3.0)])?;
//! assert_eq!(value.as_f64(), Some(12.0));
//! assert_eq!((counts.of("mul"), counts.flops()), (1, 2));
//! assert_eq!(counts.to_string(), "1  add(f64, f64)\n1  mul(f64, f64)\n2 floating-point operations\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cost;
mod counts;
mod flops;

use overdub_context::Failure;
use overdub_context::engine::{CallSite, Context, Hooks, Post, Pre, WithMetadata};
use overdub_context::value::Value;

pub use counts::{Counts, Row};

/// Counts calls, and the floating-point operations in them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count;

impl Context for Count {
    type Metadata = Counts;
    type Outcome = WithMetadata;

    fn metadata(&self) -> Counts {
        Counts::default()
    }

    fn hooks(&self, call: &CallSite) -> Hooks {
        // The number of elements that an operation on arrays computes is only known from its result.
        let post = if flops::by_result(call) { Post::Result } else { Post::No };
        Hooks { pre: Pre::Yes, post }
    }

    fn prehook(&self, counts: &mut Counts, call: &CallSite, args: &[Value<'_>]) -> Result<(), Failure> {
        counts.count(call);
        match flops::is_unknown(call) {
            true => counts.add_unknown(call),
            false => counts.add_flops(flops::of_args(call, args)),
        }
        Ok(())
    }

    fn posthook(
        &self,
        counts: &mut Counts,
        call: &CallSite,
        result: &Value<'_>,
        _: &[Value<'_>],
    ) -> Result<(), Failure> {
        counts.add_flops(flops::of_result(call, result));
        Ok(())
    }
}
