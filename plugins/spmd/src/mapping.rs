//! A function and the inputs of its elements in the types of Rust, run in an engine.

use std::marker::PhantomData;

use overdub_context::engine::Engine;
use overdub_context::ir::Ty;
use overdub_context::value::{Floats, FromValue, Value};
use overdub_lower::api::{Arguments, Error, Target, finish};

use crate::block::InLanes;
use crate::call::Calls;
use crate::each::{Failures, Run};
use crate::elements::{Elements, TypedElements};
use crate::error::{Input, MapError};
use crate::inputs::{Inputs, len};
use crate::prepared::Ready;
use crate::products::{Jvps, Vjps};
use crate::settings::Settings;

/// The results of a function mapped over inputs: of all elements, or the error of one.
pub(crate) type Results<H, T> = Result<<H as Failures>::Results<T, Error>, MapError>;

/// A function of an engine, and the inputs of all elements.
pub(crate) struct Mapping<'m, I, Args> {
    pub(crate) run: Run<'m>,
    pub(crate) engine: &'m Engine,
    pub(crate) target: &'m Target,
    inputs: &'m I,
    args: PhantomData<fn() -> Args>,
}

impl<'m, I: Inputs<Args>, Args> Mapping<'m, I, Args> {
    /// # Errors
    /// If lengths differ, or nothing is mapped over.
    pub(crate) fn new(
        settings: &'m Settings,
        engine: &'m Engine,
        target: &'m Target,
        inputs: &'m I,
    ) -> Result<Mapping<'m, I, Args>, MapError> {
        let run = Run { settings, len: len(&inputs.lengths())? };
        Ok(Mapping { run, engine, target, inputs, args: PhantomData })
    }

    /// The arguments of each element.
    pub(crate) fn elements(&self) -> TypedElements<'m, I, Args> {
        TypedElements::new(self.inputs, self.target)
    }

    /// The calls for elements.
    ///
    /// # Errors
    /// If the function does not run in the way that is set.
    pub(crate) fn calls<'a, L: Elements<'a, Error = Error>>(
        &self,
        elements: &L,
    ) -> Result<Calls<'m>, MapError> {
        let function = &self.target.function;
        let of = (self.engine, function.symbol, params(self.target), function.ir_ret);
        Calls::new(self.run.settings, of, (elements, self.run.len))
    }

    /// # Errors
    /// If the function does something that lanes do not.
    pub(crate) fn check_lanes<'a>(&self) -> Result<(), MapError>
    where
        Args: Arguments<'a>,
    {
        let of = (self.engine, self.target.function.symbol);
        let lanes = InLanes::new(of.0, of.1, &self.elements().mapped(), self.run.settings.width());
        lanes.map(drop).map_err(|failure| MapError::Function(failure.into()))
    }

    /// What the function, which returns an `R`, returns for each element.
    pub(crate) fn values<'a, H: Failures, R: FromValue + Send>(&self) -> Results<H, R>
    where
        Args: Arguments<'a>,
    {
        let elements = self.elements();
        let calls = self.calls(&elements)?;
        let values = calls.blocks(&elements, self.run.settings.smallest_block);
        let block = |range| R::vec_from_array(values(range)?).ok();
        H::run_blocks(&self.run, Ready::new, block, |ready, at| {
            finish(&self.target.function, calls.value(ready, &elements, at)?, Vec::new())
        })
    }

    /// What the function returns for each element, and its tangent along tangents of those arguments that are differentiated.
    pub(crate) fn jvps<'a, H, R, J>(&self, wrt: Vec<bool>, tangents: &J) -> Results<H, (R, R::Of)>
    where
        H: Failures,
        R: FromValue + Floats + Send,
        R::Of: Send,
        Args: Arguments<'a>,
        J: Inputs<Args>,
    {
        let (run, target) = (&self.run, self.target);
        let mut of_tangents = tangents.lengths().into_iter().enumerate();
        let differs =
            |(at, found): (usize, Option<usize>)| Some((at, found.filter(|found| *found != run.len)?));
        if let Some((at, other_len)) = of_tangents.find_map(differs) {
            return Err(self.other_length(Input::Tangent(at), other_len));
        }
        let elements = self.elements();
        let of = (self.engine, target.function.symbol, params(target));
        let tangents = |at: usize| -> Vec<Value<'static>> {
            tangents.at(at).transfer().values.into_iter().map(Value::into_owned).collect()
        };
        let wrt = (wrt, target.captures.len());
        let jvps = Jvps::new(run.settings, of, (&elements, run.len), wrt, tangents)?;
        H::run(
            run,
            || (),
            |(), at| {
                let args = elements.values(at)?.into_iter().map(Value::into_owned).collect();
                let (y, dy) = jvps.of(at, args, tangents(at), target.captures.len())?;
                let (dy, _) = target.function.split(dy);
                let dy = R::floats_of(dy).map_err(|error| Error::new(error.to_string()))?;
                Ok((finish(&target.function, y, Vec::new())?, dy))
            },
        )
    }

    /// For a cotangent of the result of each element, what `read` makes of the result and the cotangents of all that the
    /// function takes.
    pub(crate) fn vjps<'a, H, R, T>(
        &self,
        wrt: Vec<bool>,
        cotangents: &[R::Of],
        read: impl Fn(Value<'static>, Vec<Value<'static>>) -> Result<T, Error> + Sync,
    ) -> Results<H, T>
    where
        H: Failures,
        R: FromValue + Floats,
        R::Of: Clone + Sync,
        Args: Arguments<'a>,
        T: Send,
    {
        let (run, target) = (&self.run, self.target);
        if cotangents.len() != run.len {
            return Err(self.other_length(Input::Cotangent, cotangents.len()));
        }
        let elements = self.elements();
        let of = (self.engine, target.function.symbol, params(target));
        let cotangent = |at: usize| R::value_of(cotangents[at].clone());
        let ret = target.function.ir_ret;
        let vjps = Vjps::new(run.settings, of, (&elements, run.len), (wrt, ret), cotangent)?;
        H::run(
            run,
            || (),
            |(), at| {
                let args = elements.values(at)?.into_iter().map(Value::into_owned).collect();
                let (y, all) = vjps.of(at, args, &cotangent(at), |value| target.function.split(value).0)?;
                read(y, all)
            },
        )
    }

    /// The error of an input whose length is not that of the arguments.
    fn other_length(&self, what: Input, other_len: usize) -> MapError {
        let first = self.inputs.lengths().iter().position(Option::is_some).unwrap_or(0);
        MapError::Lengths { first, len: self.run.len, what, other_len }
    }
}

/// The types of all values that the function takes, those that it captured first.
pub(crate) fn params(target: &Target) -> Vec<Ty> {
    let captured = target.captures.iter().map(Value::ty);
    captured.chain(target.function.params.iter().map(|param| param.ir_ty)).collect()
}
