//! Effects that were cut out of a run, to be executed later.

use std::sync::Arc;

use overdub_context::engine::{Called, Engine};
use overdub_context::ir::Ty;
use overdub_context::ops::OpCx;
use overdub_context::value::{Closure, Code, HostFn, Parts, Value};
use overdub_context::{Failure, Symbol};

/// The calls that were cut out, in order.
#[derive(Clone, Debug, Default)]
pub struct Cut {
    calls: Vec<(Called, Vec<Value<'static>>)>,
}

impl Cut {
    pub(crate) fn push(&mut self, callee: Called, args: Vec<Value<'_>>) {
        self.calls.push((callee, args.into_iter().map(Value::into_owned).collect()));
    }

    /// These calls, to be made by an engine. For a run that failed, [`Engine::watch`] returns what was cut
    /// out before the failure.
    pub fn later(self, engine: &Engine) -> Later {
        Later { engine: engine.clone(), cut: Arc::new(self) }
    }
}

/// Effects that were cut out of a run, to be executed later, any number of times; the engine determines the
/// output.
#[derive(Clone, Debug)]
pub struct Later {
    engine: Engine,
    cut: Arc<Cut>,
}

impl Later {
    /// The number of calls that were cut out.
    pub fn len(&self) -> usize {
        self.cut.calls.len()
    }

    /// Whether nothing was cut out.
    pub fn is_empty(&self) -> bool {
        self.cut.calls.is_empty()
    }

    /// Makes the calls in the order in which the program would have made them.
    ///
    /// # Errors
    /// If one of them fails; those after it are not made.
    pub fn run(&self) -> Result<(), Failure> {
        self.engine.call(&self.closure(), Vec::new()).map(drop)
    }

    /// The calls as a function value of the program, without parameters.
    pub fn closure(&self) -> Value<'static> {
        let code = Code::Host(Box::new(Replay(self.cut.clone())));
        Value::Closure(Arc::new(Closure { code, captures: Parts::default() }))
    }
}

#[derive(Clone)]
struct Replay(Arc<Cut>);

impl HostFn for Replay {
    fn name(&self) -> Symbol {
        Symbol::new("later")
    }

    fn params(&self) -> Vec<Ty> {
        Vec::new()
    }

    fn ret(&self) -> Ty {
        Ty::unit()
    }

    fn call<'a>(&self, cx: &mut OpCx<'_, 'a>, _: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
        for (callee, args) in &self.0.calls {
            let mut args: Vec<Value<'a>> = args.clone();
            match callee {
                Called::Op(op) => (op.eval)(cx, &mut args)?,
                Called::Func(name) | Called::Closure(name) => {
                    let code = Code::Func(*name);
                    cx.machine
                        .call(&Value::Closure(Arc::new(Closure { code, captures: Parts::default() })), args)?
                }
                // Only operations and functions are cut out.
                Called::Value => Value::Unit,
            };
        }
        Ok(Value::Unit)
    }
}
