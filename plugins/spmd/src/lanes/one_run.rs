//! One run of contexts that many runs of functions are part of.
//!
//! - ONERUN1 the first function that is run opens the run of the contexts. The others are given its handles, so that the
//!   contexts see them in the same run.
//! - ONERUN2 arguments are values of Rust, which hold no functions of the program, in which there were other handles.

use std::cell::RefCell;

use overdub_context::engine::{Engine, Layers};
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};

/// One run of contexts.
pub(super) struct OneRun<'o, O: Layers> {
    enclosing: &'o O,
    /// The handles of the run, and the run.
    open: RefCell<Option<(Vec<Value<'static>>, O::Open)>>,
}

/// The contexts of one run, as layers of each function that is part of it.
pub(super) struct PartOf<'r, 'o, O: Layers>(&'r OneRun<'o, O>);

impl<'o, O: Layers> OneRun<'o, O> {
    pub(super) fn new(enclosing: &'o O) -> OneRun<'o, O> {
        OneRun { enclosing, open: RefCell::new(None) }
    }

    pub(super) fn part(&self) -> PartOf<'_, 'o, O> {
        PartOf(self)
    }

    /// Ends the run, which has this result; `func` stands for the functions if none was run.
    ///
    /// # Errors
    /// If the contexts do not give the result.
    pub(super) fn close<R>(self, engine: &Engine, func: Symbol, result: R) -> Result<O::Of<R>, Failure> {
        let open = match self.open.into_inner() {
            Some((_, open)) => open,
            None => {
                let (_, specialized) = self.enclosing.specialize(engine, func);
                self.enclosing.open(&specialized, Vec::new()).1
            }
        };
        self.enclosing.close(open, engine, Value::Unit, |_| Ok(result))
    }
}

impl<O: Layers> Clone for PartOf<'_, '_, O> {
    fn clone(&self) -> Self {
        PartOf(self.0)
    }
}

impl<O: Layers> Layers for PartOf<'_, '_, O> {
    type Of<R> = R;
    type Metadata = ();
    type Specialized = O::Specialized;
    type Open = ();

    fn specialize(&self, engine: &Engine, func: Symbol) -> (Symbol, O::Specialized) {
        self.0.enclosing.specialize(engine, func)
    }

    fn open<'a>(&self, specialized: &O::Specialized, args: Vec<Value<'a>>) -> (Vec<Value<'a>>, ()) {
        let count = args.len();
        let (mut args, open) = self.0.enclosing.open(specialized, args);
        // Handles come before the arguments.
        let handles = args.len().saturating_sub(count);
        let mut kept = self.0.open.borrow_mut();
        match &*kept {
            Some((own, _)) => drop(args.splice(..handles, own.iter().cloned())),
            None => {
                let own = args[..handles].iter().map(|handle| handle.clone().into_owned()).collect();
                *kept = Some((own, open));
            }
        }
        (args, ())
    }

    fn finish(&self, (): ()) {}

    fn close<'a, R>(
        &self,
        (): (),
        _: &Engine,
        value: Value<'a>,
        read: impl FnOnce(Value<'a>) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        read(value)
    }

    fn domain_name(&self) -> Option<String> {
        self.0.enclosing.domain_name()
    }
}
