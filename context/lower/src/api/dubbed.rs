//! The closures created by `dub!`: Rust closures with known source and captures.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::interp::Interpreter;
use overdub_context::value::{Code, IntoValue, Value};

use super::seal::Seal;
use super::{Callable, Error, Target};
use crate::infer::{Arg, Instance};
use crate::loaded::Function;
use crate::lower::LowerError;
use crate::registry;

/// A closure of type `C` whose source is known. It is called like `C`, and passed to `run` like a function.
#[derive(Clone)]
pub struct Dubbed<C> {
    closure: C,
    place: (&'static str, &'static str),
    captures: Vec<Capture>,
}

/// A variable that a closure captured.
#[derive(Clone, Debug)]
pub struct Capture {
    ty: &'static str,
    value: Value<'static>,
}

impl Capture {
    /// A copy of a variable.
    pub fn of<'a, T: IntoValue<'a> + Clone>(variable: &T) -> Capture {
        Capture { ty: std::any::type_name::<T>(), value: variable.clone().into_value().into_owned() }
    }
}

impl<C> Dubbed<C> {
    /// The closure that the function at `place` (the name of its enclosing function, its own name) constructs
    /// from `captures`.
    pub fn new(closure: C, place: (&'static str, &'static str), captures: Vec<Capture>) -> Dubbed<C> {
        Dubbed { closure, place, captures }
    }

    fn target(&self) -> Result<Target, Error> {
        let program = registry::program();
        let (scope, name) = self.place;
        let def = registry::item_in(scope.trim_end_matches("::__here"), name)?;
        let args = self.captures.iter().map(|capture| Ok(Arg::Ty(registry::rust_ty_named(capture.ty)?)));
        let constructor = Instance::new(def, args.collect::<Result<Vec<Arg>, LowerError>>()?);
        let values = self.captures.iter().map(|capture| capture.value.clone()).collect();
        let value = Interpreter::new(program.module()).run(program.lowering().symbol(constructor), values)?;
        let Value::Closure(closure) = value else { return Err(no_closure(name)) };
        let Code::Func(symbol) = closure.code else { return Err(no_closure(name)) };
        let function = Function { symbol, ..program.closure_returned_by(constructor)? };
        Ok(Target::new(Arc::new(function), closure.captures.to_vec()))
    }
}

fn no_closure(name: &str) -> Error {
    Error::new(format!("`{name}` does not make a closure of the program"))
}

impl<C> Deref for Dubbed<C> {
    type Target = C;

    fn deref(&self) -> &C {
        &self.closure
    }
}

impl<C> fmt::Debug for Dubbed<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scope, name) = self.place;
        f.debug_struct("Dubbed")
            .field("place", &Symbol::new(scope))
            .field("name", &name)
            .finish_non_exhaustive()
    }
}

macro_rules! callables {
    ($($($arg:ident $at:tt)*;)*) => {$(
        impl<Func, Ret, $($arg),*> Callable<($($arg,)*)> for Dubbed<Func>
        where
            Func: Fn($($arg),*) -> Ret,
        {
            type Output = Ret;

            fn target(&self) -> Result<Target, Error> {
                Dubbed::target(self)
            }

            #[allow(non_snake_case)]
            fn call_compiled(&self, ($($arg,)*): ($($arg,)*)) -> Option<Ret> {
                Some((self.closure)($($arg),*))
            }

            fn sealed(_: Seal) {}
        }
    )*};
}

callables! { ; }
overdub_context::for_each_tuple!(callables);
