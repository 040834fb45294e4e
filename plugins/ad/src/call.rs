//! A function under a domain, with the types that it has there and as it is.

use overdub_context::engine::{Engine, Layers};
use overdub_context::ir::{Func, LoadError, Ty};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind, Symbol};

use crate::whole::{self, Leaf};

/// A function under contexts that map its types and hand no metadata on.
pub(crate) struct Mapped<'e, L> {
    pub(crate) engine: &'e Engine,
    cx: &'e L,
    func: Symbol,
    /// The types of the parameters under the contexts.
    params: Vec<Ty>,
    /// The type of the result outside of them.
    pub(crate) plain_ret: Ty,
}

impl<'e, L: Layers<Of<Value<'static>> = Value<'static>>> Mapped<'e, L> {
    pub(crate) fn new(engine: &'e Engine, cx: &'e L, func: Symbol) -> Result<Self, Failure> {
        let plain = engine.program().func(func).map_err(not_loaded)?;
        let plain_ret = plain
            .map(|plain: std::sync::Arc<Func>| plain.ret)
            .ok_or_else(|| Failure::new(FailureKind::Load, format!("there is no function `@{func}`")))?;
        let made = engine.overdubbed(cx, func).map_err(not_loaded)?;
        Ok(Mapped { engine, cx, func, params: made.param_tys().collect(), plain_ret })
    }

    /// Plain arguments as those of the function under the contexts.
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
        args.into_iter().zip(&self.params).map(|(arg, ty)| whole::lift(arg, *ty, leaf)).collect()
    }

    pub(crate) fn run(&self, args: Vec<Value<'static>>) -> Result<Value<'static>, Failure> {
        self.engine.overdub(self.cx, self.func, args)
    }
}

fn not_loaded(error: LoadError) -> Failure {
    Failure::new(FailureKind::Load, error.message).at(error.span).with_help(error.help)
}

/// Whether there are as many derivatives as floats.
pub(crate) fn checked(floats: usize, given: usize) -> Result<(), Failure> {
    if floats == given {
        return Ok(());
    }
    let message = format!("{floats} floats need as many derivatives, got {given}");
    Err(Failure::new(FailureKind::Type, message))
}
