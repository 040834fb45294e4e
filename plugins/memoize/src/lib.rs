//! A context that computes each function once for each list of arguments.
//!
//! ```
//! use overdub_context::value::Value;
//! use overdub_memoize::Memoize;
//!
//! let source = "pub fn fib(n: u64) -> u64 { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } }";
//! let loaded = overdub_lower::Loaded::from_source("fib.rs", source)?;
//! let fib = loaded.function("fib")?.symbol;
//! let engine = loaded.engine();
//! let (value, table) = engine.overdub(&Memoize::function("fib"), fib, vec![Value::from(80_u64)])?;
//! assert_eq!(value.as_int().map(|(_, n)| n), Some(23_416_728_348_467_685));
//! // The call of `fib(80)` is the run itself; inside it each of 0 to 79 is called, and computed once.
//! assert_eq!(table.len(), 80);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - M1 arguments are equal if they are equal to the bit, so the value is the same as without the context.
//! - M2 only results for pure data are remembered, since a cell may hold something else the next time;
//!   functions that print do so once.

mod table;

use overdub_context::engine::{CallSite, Called, Context, HostCall, Key, Method, Named, WithMetadata};
use overdub_context::ir::{Ty, TyKind};
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};

pub use table::Table;

/// Remembers the results of functions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memoize {
    functions: Vec<Symbol>,
}

impl Memoize {
    /// Remembers the results of this function; the name is its path or the end of it.
    pub fn function(name: &str) -> Memoize {
        Memoize { functions: vec![Symbol::new(name)] }
    }

    /// Also remembers the results of this function.
    #[must_use]
    pub fn and(mut self, name: &str) -> Memoize {
        self.functions.push(Symbol::new(name));
        self
    }
}

impl Context for Memoize {
    type Metadata = Table;
    type Outcome = WithMetadata;

    fn metadata(&self) -> Table {
        Table::default()
    }

    fn key(&self) -> Key {
        Key::of::<Memoize>().with(&self.functions)
    }

    fn names(&self) -> Vec<Named> {
        self.functions.iter().copied().map(Named::Called).collect()
    }

    fn method(&self, call: &CallSite) -> Method {
        let is_selected = matches!(call.callee, Called::Func(_))
            && self.functions.iter().any(|name| call.calls(name))
            && call.args.iter().chain([&call.ret]).all(|ty| is_data(*ty));
        if is_selected { Method::Host } else { Method::Recurse }
    }

    fn call<'a>(&self, call: &mut HostCall<'_, '_, 'a, Table>) -> Result<Value<'a>, Failure> {
        let function = Symbol::new(call.site().name());
        let args = call.take_args();
        if let Some(known) = call.metadata().get(function, &args) {
            return Ok(known);
        }
        let result = call.recurse(args.clone())?;
        call.metadata().insert(function, args, result.clone());
        Ok(result)
    }
}

/// Whether values of a type are pure data, which never change.
fn is_data(ty: Ty) -> bool {
    !ty.contains(|part| match part.kind() {
        TyKind::Ref(_) | TyKind::Closure(_) | TyKind::Fn(_) | TyKind::Opaque(_) => true,
        _ => part.as_nominal().is_some_and(|nominal| nominal.body().is_none()),
    })
}
