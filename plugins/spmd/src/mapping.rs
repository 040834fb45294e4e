//! A function and the inputs of its elements in the types of Rust, run in an engine.

use std::marker::PhantomData;
use std::ops::Range;

use overdub_context::engine::Engine;
use overdub_context::ir::Ty;
use overdub_context::value::{Floats, FromValue, Value};
use overdub_lower::api::{Arguments, Error, Target, finish};

use crate::block::InLanes;
use crate::call::Calls;
use crate::device::Collected;
use crate::each::{Failures, Run};
use crate::elements::{Elements, TypedElements};
use crate::error::{Input, MapError};
use crate::inputs::{Derivative, Inputs, len};
use crate::prepared::Ready;
use crate::products::{Jvps, Vjps};
use crate::pulled::{Pulled, Pulling, VjpInLanes};
use crate::pushed::{JvpInLanes, Pushed};
use crate::settings::Settings;
use crate::sum;

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

    /// # Errors
    /// If its products do something that lanes do not.
    pub(crate) fn check_lanes_of_vjps<'a>(&self, wrt: Vec<bool>) -> Result<(), MapError>
    where
        Args: Arguments<'a>,
    {
        let of = (self.engine, self.target.function.symbol);
        let (ret, width) = (self.target.function.ir_ret, self.run.settings.width());
        let lanes = VjpInLanes::new(of, (&wrt, ret), &self.elements().mapped(), width);
        lanes.map(drop).map_err(|failure| MapError::Function(failure.into()))
    }

    /// # Errors
    /// If its products do something that lanes do not.
    pub(crate) fn check_lanes_of_jvps<'a>(&self, wrt: &[bool]) -> Result<(), MapError>
    where
        Args: Arguments<'a>,
    {
        let of = (self.engine, self.target.function.symbol);
        let lanes = JvpInLanes::new(of, wrt, &self.elements().mapped(), self.run.settings.width());
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
        let read = |(y, dy)| {
            let (dy, _) = target.function.split(dy);
            let dy = R::floats_of(dy).map_err(|error| Error::new(error.to_string()))?;
            Ok::<_, Error>((finish(&target.function, y, Vec::new())?, dy))
        };
        let blocks = jvps.blocks(&elements, run.settings.smallest_block, &tangents);
        let block = |range| {
            let Pushed { values, tangents } = blocks(range)?;
            // What `&mut` parameters are left with follows the result of the others.
            if values.elem_ty() != target.function.ir_ret {
                let all = values.into_values().into_iter().zip(tangents.into_values());
                return all.map(|(y, dy)| read((y.into_owned(), dy.into_owned())).ok()).collect();
            }
            let values = R::vec_from_array(values).ok()?.into_iter();
            Some(values.zip(R::floats_of_each(tangents).ok()?).collect())
        };
        H::run_blocks(
            run,
            || (),
            block,
            |(), at| {
                let args = elements.values(at)?.into_iter().map(Value::into_owned).collect();
                read(jvps.of(at, args, tangents(at))?)
            },
        )
    }

    /// For a cotangent of the result of each element, the result and the cotangents of the arguments.
    pub(crate) fn vjps<'a, H, R>(&self, wrt: Vec<bool>, cotangents: &[R::Of]) -> Results<H, (R, Args::Of)>
    where
        H: Failures,
        R: FromValue + Floats + Send,
        R::Of: Clone + Sync,
        Args: Arguments<'a> + Floats,
        Args::Of: Send,
    {
        let wanted = all_of(self.target);
        let (elements, smallest) = (self.elements(), self.run.settings.smallest_block);
        self.pulled_by::<R, _>(&elements, wrt, cotangents, |vjps, cotangent| {
            let blocks = vjps.blocks(&elements, smallest, Pulling { cotangent, wanted: &wanted });
            let block = |range: Range<usize>| {
                let Pulled { values, slopes } = blocks(range)?;
                let slopes = slopes.into_iter().flatten().collect();
                let values = R::vec_from_array(values).ok()?.into_iter();
                Some(values.zip(Args::floats_of_lists(slopes).ok()?).collect())
            };
            H::run_blocks(
                &self.run,
                || (),
                block,
                |(), at| {
                    let (y, all) = self.pulled_at(vjps, &elements, at, &cotangent(at))?;
                    Ok((finish(&self.target.function, y, Vec::new())?, typed::<Args>(self.target, all)?))
                },
            )
        })
    }

    /// For a cotangent of the result of each element, the derivatives that are collected over all elements.
    pub(crate) fn pullback<'a, R>(
        &self,
        wrt: Vec<bool>,
        cotangents: &[R::Of],
        (collected, shared): (&[Collected], &[Option<Value<'static>>]),
    ) -> Result<Vec<Derivative>, MapError>
    where
        R: FromValue + Floats,
        R::Of: Clone + Sync,
        Args: Arguments<'a>,
    {
        let wanted: Vec<bool> = collected.iter().map(|how| *how == Collected::Listed).collect();
        let (elements, Run { settings, len }) = (self.elements(), &self.run);
        self.pulled_by::<R, _>(&elements, wrt, cotangents, |vjps, cotangent| {
            let pulling = Pulling { cotangent, wanted: &wanted };
            let block = vjps.blocks(&elements, settings.smallest_block, pulling);
            let each = |at| Ok::<_, Error>(self.pulled_at(vjps, &elements, at, &cotangent(at))?.1);
            sum::pullback((settings, *len), block, each, (collected, shared))
        })
    }

    /// Lets `run` run the products, if there are as many cotangents as elements.
    fn pulled_by<'a, R, X>(
        &self,
        elements: &TypedElements<'m, I, Args>,
        wrt: Vec<bool>,
        cotangents: &[R::Of],
        run: impl FnOnce(&Vjps<'m>, &(dyn Fn(usize) -> Value<'static> + Sync)) -> Result<X, MapError>,
    ) -> Result<X, MapError>
    where
        R: FromValue + Floats,
        R::Of: Clone + Sync,
        Args: Arguments<'a>,
    {
        if cotangents.len() != self.run.len {
            return Err(self.other_length(Input::Cotangent, cotangents.len()));
        }
        let of = (self.engine, self.target.function.symbol, params(self.target));
        let cotangent = |at: usize| R::value_of(cotangents[at].clone());
        let of_ret = (wrt, self.target.function.ir_ret);
        run(&Vjps::new(self.run.settings, of, (elements, self.run.len), of_ret, cotangent)?, &cotangent)
    }

    /// The result of an element, and the cotangents of all that the function takes.
    fn pulled_at<'a>(
        &self,
        vjps: &Vjps<'m>,
        elements: &TypedElements<'m, I, Args>,
        at: usize,
        cotangent: &Value<'static>,
    ) -> Result<(Value<'static>, Vec<Value<'static>>), Error>
    where
        Args: Arguments<'a>,
    {
        let args = elements.values(at)?.into_iter().map(Value::into_owned).collect();
        Ok(vjps.of(at, args, cotangent, |value| self.target.function.split(value).0)?)
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

/// Which of all values that a function takes are its arguments; captured ones are not.
pub(crate) fn all_of(target: &Target) -> Vec<bool> {
    let (captured, own) = (target.captures.len(), target.function.params.len());
    std::iter::repeat_n(false, captured).chain(std::iter::repeat_n(true, own)).collect()
}

/// The derivatives of the arguments in their types, without those of captures.
pub(crate) fn typed<Args: Floats>(target: &Target, mut all: Vec<Value<'static>>) -> Result<Args::Of, Error> {
    let own = all.split_off(target.captures.len().min(all.len()));
    Args::floats_of(Value::tuple(own)).map_err(|error| Error::new(error.to_string()))
}
