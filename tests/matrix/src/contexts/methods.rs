//! Contexts that make calls themselves, by each method that a context can choose, and change nothing.

use std::sync::Arc;

use overdub_context::engine::{CallSite, Called, Context, HostCall, Key, Method, WithMetadata};
use overdub_context::ir::{Func, FuncBuilder, Ty};
use overdub_context::ops;
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};

use super::Calls;
use crate::digest::Observed;

/// Chooses a method for calls.
#[derive(Clone, Copy, Debug)]
pub struct CallMethod {
    /// The calls.
    pub calls: Calls,
    /// The method.
    pub kind: MethodKind,
}

/// A method for a call that does not change its result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MethodKind {
    /// A host method that continues under the context.
    HostRecurse,
    /// A host method that continues outside the context.
    HostFallback,
    /// A host method that continues under the context with metadata of its own.
    HostSimilar,
    /// Outside the context.
    Fallback,
    /// The same function or operation by its name, under the context.
    Inside,
    /// The same function or operation by its name, outside the context.
    Outside,
    /// The same operation.
    Operation,
    /// A function of ours that does the same: for products and sums of floats.
    Function,
}

impl Context for CallMethod {
    type Metadata = Observed;
    type Outcome = WithMetadata;

    fn metadata(&self) -> Observed {
        Observed::default()
    }

    fn key(&self) -> Key {
        Key::of::<CallMethod>().with(&self.calls).with(&self.kind)
    }

    fn method(&self, call: &CallSite) -> Method {
        // Inside our own functions, calls are not replaced by them.
        if !self.calls.hold(call) || call.caller.starts_with(OURS) {
            return Method::Recurse;
        }
        match (self.kind, call.callee) {
            (MethodKind::HostRecurse | MethodKind::HostFallback | MethodKind::HostSimilar, _) => Method::Host,
            (MethodKind::Fallback, _) => Method::Fallback,
            // A closure with captures is not a function that a name stands for.
            (MethodKind::Inside, Called::Op(_)) => Method::Inside(call.name),
            (MethodKind::Outside, Called::Op(_)) => Method::Outside(call.name),
            (MethodKind::Operation, Called::Op(op)) => Method::Op(op),
            (MethodKind::Function, Called::Op(op))
                if *call.args == [Ty::f64(), Ty::f64()] && call.ret == Ty::f64() =>
            {
                arithmetic(op).map_or(Method::Recurse, |func| Method::Ir(Arc::new(func)))
            }
            _ => Method::Recurse,
        }
    }

    fn call<'a>(&self, call: &mut HostCall<'_, '_, 'a, Observed>) -> Result<Value<'a>, Failure> {
        let args = call.take_args();
        let site = call.site().clone();
        call.metadata().note(&site, &args);
        let result = match self.kind {
            MethodKind::HostFallback => call.fallback(args)?,
            MethodKind::HostSimilar => {
                let (result, inner) = call.similar_context(Observed::default(), args)?;
                call.metadata().calls += inner.calls;
                result
            }
            _ => call.recurse(args)?,
        };
        call.metadata().note(&site, [&result]);
        Ok(result)
    }
}

/// The prefix of the names of our functions.
const OURS: &str = "matrix.";

/// A function that applies an operation to two floats.
fn arithmetic(op: &'static ops::OpDef) -> Option<Func> {
    if ![&ops::ADD, &ops::SUB, &ops::MUL, &ops::DIV].contains(&op) {
        return None;
    }
    let mut build = FuncBuilder::new(Symbol::new(&format!("{OURS}{}", op.name)), Ty::f64());
    let (x, y) = (build.param("x", Ty::f64()), build.param("y", Ty::f64()));
    let result = build.op(op, [x, y]).ok()?;
    build.ret(result).ok()?;
    build.finish().ok()
}
