//! A context that cuts the effects out of a program, and returns them to be executed later.
//!
//! ```
//! use overdub_slice::Slice;
//!
//! let source = r#"pub fn f(n: u64) -> u64 { for i in 0..n { println!("{i}"); } n * 2 }"#;
//! let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
//! let f = loaded.function("f")?.symbol;
//! let engine = loaded.engine();
//! let (value, later) = engine.overdub(&Slice::new(), f, vec![3_u64.into()])?; // prints nothing
//! assert_eq!(value.as_int().map(|(_, n)| n), Some(6));
//! later.run()?; // prints 0, 1, 2
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod later;

use overdub_context::engine::{CallSite, Called, Context, Ended, HostCall, Key, Method, Named, Outcome};
use overdub_context::ir::Ty;
use overdub_context::ops;
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};

pub use later::{Cut, Later};

/// Cuts effects out of a program: output, and calls of the given functions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Slice {
    functions: Vec<Symbol>,
}

impl Slice {
    /// Cuts out all output.
    pub fn new() -> Slice {
        Slice::default()
    }

    /// Also cuts out calls of this function, which must return nothing; the name is its path or the end of
    /// it.
    #[must_use]
    pub fn and(mut self, name: &str) -> Slice {
        self.functions.push(Symbol::new(name));
        self
    }
}

impl Context for Slice {
    type Metadata = Cut;
    type Outcome = AndLater;

    fn metadata(&self) -> Cut {
        Cut::default()
    }

    fn key(&self) -> Key {
        Key::of::<Slice>().with(&self.functions)
    }

    fn names(&self) -> Vec<Named> {
        self.functions.iter().copied().map(Named::Called).collect()
    }

    fn method(&self, call: &CallSite) -> Method {
        let is_cut = call.ret == Ty::unit()
            && match call.callee {
                Called::Op(op) => *op == ops::PRINT || *op == ops::EPRINT,
                Called::Func(_) => self.functions.iter().any(|name| call.calls(name)),
                Called::Closure(_) | Called::Value => false,
            };
        if is_cut { Method::Host } else { Method::Recurse }
    }

    fn call<'a>(&self, call: &mut HostCall<'_, '_, 'a, Cut>) -> Result<Value<'a>, Failure> {
        let args = call.take_args();
        call.metadata().push(call.site().callee, args);
        Ok(Value::Unit)
    }
}

/// The value, and what was cut out.
#[derive(Clone, Copy, Debug)]
pub struct AndLater;

impl Outcome<Cut> for AndLater {
    type Of<R> = (R, Later);

    fn finish<'a, R>(
        ended: Ended<'a, Cut>,
        read: impl FnOnce(Value<'a>) -> Result<R, Failure>,
    ) -> Result<(R, Later), Failure> {
        Ok((read(ended.value)?, ended.metadata.later(&ended.engine)))
    }
}
