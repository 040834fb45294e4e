//! Calls of functions under a domain, which maps the functions' types.

use std::sync::Arc;

use overdub_context::engine::{Engine, Layers};
use overdub_context::ir::{Func, LoadError, Ty};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind, Symbol};

use crate::flatten::{self, Leaf};

/// A function under contexts, one of which is a domain.
pub(crate) struct DomainCall<'e, L: Layers> {
    pub(crate) engine: &'e Engine,
    cx: &'e L,
    func: Symbol,
    name: Symbol,
    specialized: L::Specialized,
    /// The types of the parameters under the contexts, without handles.
    params: Vec<Ty>,
    /// The type of the result outside the contexts.
    pub(crate) primal_ret: Ty,
}

impl<'e, L: Layers> DomainCall<'e, L> {
    pub(crate) fn new(engine: &'e Engine, cx: &'e L, func: Symbol) -> Result<Self, Failure> {
        let module = engine.module();
        let found = |name: Symbol| module.func(name)?.ok_or_else(|| LoadError::missing(func));
        let primal: Arc<Func> = found(func)?;
        let (name, specialized) = cx.specialize(engine, func);
        let mapped = found(name)?;
        let handles = mapped.param_tys().count().saturating_sub(primal.param_tys().count());
        let params = mapped.param_tys().skip(handles).collect();
        Ok(DomainCall { engine, cx, func, name, specialized, params, primal_ret: primal.ret })
    }

    /// Lifts plain arguments into the domain.
    pub(crate) fn lift(
        &self,
        args: Vec<Value<'static>>,
        leaf: Leaf<'_>,
    ) -> Result<Vec<Value<'static>>, Failure> {
        if args.len() != self.params.len() {
            let message =
                format!("`{}` takes {} arguments, got {}", self.func, self.params.len(), args.len());
            return Err(Failure::new(FailureKind::Type, message));
        }
        args.into_iter().zip(&self.params).map(|(arg, ty)| flatten::lift(arg, *ty, leaf)).collect()
    }

    /// Runs the function: returns the value under the domain, and what [`DomainCall::close`] needs to end the
    /// run.
    pub(crate) fn run(&self, args: Vec<Value<'static>>) -> Result<(Value<'static>, L::Open), Failure> {
        let (args, open) = self.cx.open(&self.specialized, args);
        Ok((self.engine.run(self.name, args)?, open))
    }

    /// The name of the function under the contexts, and the handle that keeps its code alive.
    pub(crate) fn into_specialized(self) -> (Symbol, L::Specialized) {
        (self.name, self.specialized)
    }

    /// Ends a run.
    pub(crate) fn close<R>(
        &self,
        (value, open): (Value<'static>, L::Open),
        read: impl FnOnce(Value<'static>) -> Result<R, Failure>,
    ) -> Result<L::Of<R>, Failure> {
        self.cx.close(open, self.engine, value, read)
    }
}

/// Checks that there are as many derivatives as floats.
pub(crate) fn checked(floats: usize, derivatives: usize) -> Result<(), Failure> {
    if floats == derivatives {
        return Ok(());
    }
    let message = format!("{floats} floats need as many derivatives, got {derivatives}");
    Err(Failure::new(FailureKind::Type, message))
}
