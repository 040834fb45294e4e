//! Functions of loaded programs that are mapped over elements, called with values of the IR.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use overdub_ad::flatten::floats;
use overdub_context::engine::{Engine, Layers};
use overdub_context::ir::{LoadError, Ty, TyKind};
use overdub_context::limits::Cancel;
use overdub_context::value::{Array, Value};
use overdub_context::{Failure, Symbol};
use overdub_lower::Function;

use crate::block::InLanes;
use crate::call::Calls;
use crate::column::{Column, Columns};
use crate::device::{Collected, Device, ValueAndGradient};
use crate::each::{EachFailure, Failures, FirstFailure, Run};
use crate::elements::Elements;
use crate::error::{Input, MapError};
use crate::gradient::{Constants, Gradients, Scratch};
use crate::inputs::Derivative;
use crate::map::selected;
use crate::prepared::Ready;
use crate::products::{Jvps, Vjps};
use crate::pulled::Pulling;
use crate::pushed::Pushed;
use crate::settings::{Progress, Settings};
use crate::sum;

/// A function of a loaded program that is mapped over elements: [`map`](crate::map()) for values of the IR.
///
/// It runs in the engine that it is given, by the executor of that, and within its limits, which apply to each element.
///
/// ```
/// use overdub_context::value::Value;
/// use overdub_spmd::{Column, LoadedMap};
///
/// let source = "pub fn drag(speed: f64, area: f64) -> f64 { 0.6 * area * speed * speed }";
/// let loaded = overdub_lower::Loaded::from_source("drag.rs", source)?;
/// let map = LoadedMap::new(&loaded.engine(), &loaded.function("drag")?)?.threads(2);
/// let cars = map.over(vec![Column::floats([10.0, 20.0]), Column::Fixed(Value::F64(2.0))])?;
/// let drags = cars.values()?;
/// assert_eq!(drags.iter().map(Value::as_f64).collect::<Vec<_>>(), [Some(120.0), Some(480.0)]);
/// assert_eq!(cars.sum()?, 600.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LoadedMap {
    engine: Engine,
    func: Symbol,
    /// The names and types of the parameters.
    params: Vec<(String, Ty)>,
    /// The type of the result, which the last values of `&mut` parameters may follow.
    returns: Ty,
    /// As its caller sees it; none for a function of the IR.
    function: Option<Function>,
    settings: Settings,
    wrt: Option<Vec<String>>,
}

impl LoadedMap {
    /// Maps a function of a program, in an engine for the functions of that program.
    ///
    /// # Errors
    /// If it cannot be lowered.
    pub fn new(engine: &Engine, function: &Function) -> Result<LoadedMap, MapError<Failure>> {
        let map = LoadedMap::by_name(engine, function.symbol)?;
        let names = function.params.iter().map(|param| param.name.to_string());
        let params = names.zip(&map.params).map(|(name, (_, ty))| (name, *ty)).collect();
        Ok(LoadedMap { params, function: Some(function.clone()), ..map })
    }

    /// Maps a function of an engine's module, all of whose result is its own.
    ///
    /// # Errors
    /// If there is no such function, or it cannot be lowered.
    pub fn by_name(engine: &Engine, func: impl Into<Symbol>) -> Result<LoadedMap, MapError<Failure>> {
        let func = func.into();
        let missing = || LoadError::missing(func);
        let found = engine.module().func(func).and_then(|found| found.ok_or_else(missing));
        let found = found.map_err(|error| MapError::Function(error.into()))?;
        let named = found.params().iter().map(|&param| (found.var_label(param).to_string(), found.ty(param)));
        Ok(LoadedMap {
            engine: engine.clone(),
            func,
            params: named.collect(),
            returns: found.ret,
            function: None,
            settings: Settings::default(),
            wrt: None,
        })
    }

    /// Runs elements on this number of threads, as [`Map::threads`](crate::Map::threads).
    #[must_use]
    pub fn threads(mut self, threads: usize) -> LoadedMap {
        self.settings.set_threads(threads);
        self
    }

    /// Runs elements in lanes, as [`Map::lanes`](crate::Map::lanes).
    #[must_use]
    pub fn lanes(mut self, lanes: usize) -> LoadedMap {
        self.settings.lanes = Some(lanes);
        self
    }

    /// Runs also blocks of this many elements by loops, as only large ones are otherwise: for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn loops_from(mut self, elements: usize) -> LoadedMap {
        self.settings.smallest_block = elements;
        self
    }

    /// Runs all elements on a device, as [`Map::on`](crate::Map::on).
    #[must_use]
    pub fn on(mut self, device: Arc<dyn Device>) -> LoadedMap {
        self.settings.device = Some(device);
        self
    }

    /// Reports progress, as [`Map::progress`](crate::Map::progress).
    #[must_use]
    pub fn progress(mut self, report: impl FnMut(Progress) + Send + 'static) -> LoadedMap {
        self.settings.set_progress(report);
        self
    }

    /// Lets a switch stop all elements, as [`Map::cancelled_by`](crate::Map::cancelled_by).
    #[must_use]
    pub fn cancelled_by(mut self, cancel: &Cancel) -> LoadedMap {
        self.settings.cancel = Some(cancel.clone());
        self
    }

    /// Differentiates with respect to these arguments only, as [`Map::with_respect_to`](crate::Map::with_respect_to).
    #[must_use]
    pub fn with_respect_to<N: Into<String>>(mut self, arguments: impl IntoIterator<Item = N>) -> LoadedMap {
        self.wrt.get_or_insert_default().extend(arguments.into_iter().map(N::into));
        self
    }

    /// The inputs of all elements, a column for each argument.
    ///
    /// # Errors
    /// If their number, a length or a type is wrong, or what elements share holds a mutable cell.
    pub fn over(&self, columns: Vec<Column>) -> Result<OverColumns, MapError<Failure>> {
        let columns = Columns::new(columns, &self.param_tys())?;
        Ok(OverColumns { map: self.clone(), columns, marker: PhantomData })
    }

    /// The inputs of all elements, a row for each element. A function without parameters is mapped over empty rows.
    ///
    /// ```
    /// use overdub_context::value::Value;
    /// use overdub_spmd::LoadedMap;
    ///
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", "pub fn f(x: f64, y: f64) -> f64 { x - y }")?;
    /// let map = LoadedMap::new(&loaded.engine(), &loaded.function("f")?)?;
    /// let rows = vec![[3.0, 1.0].map(Value::F64).to_vec(), [0.5, 0.25].map(Value::F64).to_vec()];
    /// assert_eq!(map.over_rows(rows)?.sum()?, 2.25);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the number of arguments or a type is wrong.
    pub fn over_rows(&self, rows: Vec<Vec<Value<'static>>>) -> Result<OverColumns, MapError<Failure>> {
        let columns = Columns::of_rows(rows, &self.param_tys())?;
        Ok(OverColumns { map: self.clone(), columns, marker: PhantomData })
    }

    fn param_tys(&self) -> Vec<Ty> {
        self.params.iter().map(|(_, ty)| *ty).collect()
    }

    fn wrt(&self) -> Result<Vec<bool>, MapError<Failure>> {
        let names: Vec<String> = self.params.iter().map(|(name, _)| name.clone()).collect();
        selected(&names, self.wrt.as_deref())
    }

    /// The type of the function's own result.
    fn ret(&self) -> Ty {
        self.function.as_ref().map_or(self.returns, |function| function.ir_ret)
    }

    /// The function's own result.
    fn result(&self, value: Value<'static>) -> Value<'static> {
        match &self.function {
            Some(function) => function.split(value).0,
            None => value,
        }
    }

    fn gradients(&self) -> Result<Gradients, MapError<Failure>> {
        Ok(Gradients::new(&self.engine, (self.func, &self.param_tys(), self.ret()), self.wrt()?))
    }

    fn calls(&self, columns: &Columns) -> Result<Calls<'_>, MapError<Failure>> {
        let of = (&self.engine, self.func, self.param_tys(), self.returns);
        Calls::new(&self.settings, of, (columns, columns.len))
    }
}

/// The results of all elements, or the error of one.
type Results<H, T> = Result<<H as Failures>::Results<T, Failure>, MapError<Failure>>;

/// A function mapped over columns: see [`LoadedMap::over`]. Its methods are those of [`Over`](crate::Over).
#[derive(Clone, Debug)]
pub struct OverColumns<H = FirstFailure> {
    map: LoadedMap,
    columns: Columns,
    marker: PhantomData<fn() -> H>,
}

impl OverColumns {
    /// Gives each element its own result, as [`Over::each`](crate::Over::each).
    pub fn each(self) -> OverColumns<EachFailure> {
        OverColumns { map: self.map, columns: self.columns, marker: PhantomData }
    }

    /// The sum of what the function returns, as [`Over::sum`](crate::Over::sum).
    ///
    /// # Errors
    /// If an element fails, or the function returns no float.
    pub fn sum(&self) -> Result<f64, MapError<Failure>> {
        self.is_float()?;
        let settings = &self.map.settings;
        let of = (&self.map.engine, self.map.func, self.map.param_tys(), self.map.returns);
        let elements = (&self.columns, self.columns.len);
        let calls = Calls::summed(settings, of, elements)?;
        let blocks = calls.block_sums(elements, settings.smallest_block);
        sum::sum(settings, self.columns.len, Ready::new, blocks, |ready, at| {
            let y = self.map.result(calls.value(ready, &self.columns, at)?);
            Ok::<_, Failure>(floats(&y).first().copied().unwrap_or(0.0))
        })
    }

    /// The sum of what the function returns, and its derivative with respect to each argument, as
    /// [`Over::sum_and_gradient`](crate::Over::sum_and_gradient).
    ///
    /// # Errors
    /// As [`OverColumns::sum`], or if the function has no derivative.
    pub fn sum_and_gradient(&self) -> Result<(f64, Vec<Derivative>), MapError<Failure>> {
        self.is_float()?;
        let collected = self.map.wrt()?.into_iter().zip(&self.columns.columns);
        let collected: Vec<_> = collected
            .map(|(wrt, column)| match (wrt, column) {
                (false, _) => Collected::Not,
                (true, Column::Fixed(_)) => Collected::Added,
                (true, Column::Each(_)) => Collected::Listed,
            })
            .collect();
        let shared = self.columns.columns.iter().map(|column| match column {
            Column::Fixed(value) => Some(value.clone()),
            Column::Each(_) => None,
        });
        let of = (&self.columns, self.columns.len);
        let gradients = self.map.gradients()?.summed(&self.map.settings, of, &collected)?;
        sum::sum_and_gradient(&self.map.settings, of, &gradients, &collected, &shared.collect::<Vec<_>>())
    }

    fn is_float(&self) -> Result<(), MapError<Failure>> {
        let ty = self.map.ret();
        match ty.kind() {
            TyKind::Float(_) => Ok(()),
            _ => Err(MapError::NotAFloat { ty }),
        }
    }
}

impl<H: Failures> OverColumns<H> {
    /// The number of elements.
    pub fn elements(&self) -> usize {
        self.columns.len
    }

    /// Whether what the function returns is computed in lanes, as [`Over::check_lanes`](crate::Over::check_lanes).
    ///
    /// # Errors
    /// If it does something that lanes do not, which the error names.
    pub fn check_lanes(&self) -> Result<(), MapError<Failure>> {
        let (map, mapped) = (&self.map, self.columns.mapped());
        let lanes = InLanes::new(&map.engine, map.func, &mapped, map.settings.width());
        lanes.map(drop).map_err(MapError::Function)
    }

    /// Whether its gradients are, as [`Over::check_lanes_of_gradients`](crate::Over::check_lanes_of_gradients).
    ///
    /// # Errors
    /// As [`OverColumns::check_lanes`].
    pub fn check_lanes_of_gradients(&self) -> Result<(), MapError<Failure>> {
        let lanes = self.map.gradients()?.in_lanes(&self.columns.mapped(), self.map.settings.width());
        lanes.map(drop).map_err(MapError::Function)
    }

    /// What the function returns for each element, followed by the last values of `&mut` parameters
    /// ([`Function::split`](overdub_lower::Function::split)).
    ///
    /// # Errors
    /// If an element fails.
    pub fn values(&self) -> Results<H, Value<'static>> {
        let calls = self.map.calls(&self.columns)?;
        let blocks = calls.blocks(&self.columns, self.map.settings.smallest_block);
        let block = |range| Some(blocks(range)?.into_values());
        H::run_blocks(&self.run(), Ready::new, block, |ready, at| calls.value(ready, &self.columns, at))
    }

    /// What the function returns for each element, and its derivative with respect to each argument.
    ///
    /// # Errors
    /// If an element fails, or the function returns no float or has no derivative.
    pub fn values_and_gradients(&self) -> Results<H, ValueAndGradient> {
        let gradients =
            self.map.gradients()?.of_elements(&self.map.settings, (&self.columns, self.columns.len))?;
        let blocks = gradients.blocks(&self.columns, self.map.settings.smallest_block);
        let block = |range| {
            let (values, slopes) = blocks(range)?;
            let slope = |at, list: &Array<'static>| list.get(at).map(Value::into_owned);
            let of = |(at, value)| {
                Some((value, slopes.iter().map(|list| slope(at, list)).collect::<Option<_>>()?))
            };
            values.into_values().into_iter().enumerate().map(of).collect()
        };
        H::run_blocks(&self.run(), Scratch::new, block, |scratch, at| {
            gradients.of(scratch, Constants::AsZeros, &self.columns, at)
        })
    }

    /// What the function returns for each element, and its tangent along tangents of its arguments: columns of the same form,
    /// with any value for an argument without floats.
    ///
    /// # Errors
    /// If an element fails, the number, a length or the shape of a tangent is wrong, or the function has no derivative.
    pub fn jvps(&self, tangents: &[Column]) -> Results<H, (Value<'static>, Value<'static>)> {
        let (len, expected) = (self.columns.len, self.map.params.len());
        if tangents.len() != expected {
            return Err(MapError::Arguments { expected, found: tangents.len() });
        }
        for (at, tangent) in tangents.iter().enumerate() {
            if let Some(other_len) = tangent.elements().filter(|found| *found != len) {
                return Err(self.other_length(Input::Tangent(at), other_len));
            }
        }
        let of = (&self.map.engine, self.map.func, self.map.param_tys());
        let tangents = |at: usize| {
            tangents.iter().map(|column| column.value(at).clone()).collect::<Vec<Value<'static>>>()
        };
        let elements = (&self.columns, self.columns.len);
        let jvps = Jvps::new(&self.map.settings, of, elements, (self.map.wrt()?, 0), tangents)?;
        let read = |(y, dy)| (y, self.map.result(dy));
        let blocks = jvps.blocks(&self.columns, self.map.settings.smallest_block, &tangents);
        let block = |range| {
            let Pushed { values, tangents } = blocks(range)?;
            Some(values.into_values().into_iter().zip(tangents.into_values()).map(read).collect())
        };
        H::run_blocks(
            &self.run(),
            || (),
            block,
            |(), at| Ok(read(jvps.of(at, self.columns.values(at)?, tangents(at))?)),
        )
    }

    /// What the function returns for each element, and the cotangent of each argument for a cotangent of the result of each
    /// element.
    ///
    /// # Errors
    /// If an element fails, the number or the shape of a cotangent is wrong, or the function has no derivative.
    pub fn vjps(&self, cotangents: &[Value<'static>]) -> Results<H, ValueAndGradient> {
        if cotangents.len() != self.columns.len {
            return Err(self.other_length(Input::Cotangent, cotangents.len()));
        }
        let of = (&self.map.engine, self.map.func, self.map.param_tys());
        let elements = (&self.columns, self.columns.len);
        let cotangent = |at: usize| cotangents[at].clone();
        let vjps = Vjps::new(&self.map.settings, of, elements, (self.map.wrt()?, self.map.ret()), cotangent)?;
        let wanted = vec![true; self.map.params.len()];
        let pulling = Pulling { cotangent: &cotangent, wanted: &wanted };
        let blocks = vjps.blocks(&self.columns, self.map.settings.smallest_block, pulling);
        let block = |range: Range<usize>| {
            let pulled = blocks(range.clone())?;
            (0..range.len()).map(|number| pulled.of(number)).collect()
        };
        H::run_blocks(
            &self.run(),
            || (),
            block,
            |(), at| vjps.of(at, self.columns.values(at)?, &cotangents[at], |value| self.map.result(value)),
        )
    }

    /// What running the function under contexts gives for each element, with their metadata of that element if they return
    /// them, as [`Over::under`](crate::Over::under).
    ///
    /// # Errors
    /// If an element fails, or the contexts refuse the function.
    pub fn under<L>(&self, cx: &L) -> Results<H, L::Of<Value<'static>>>
    where
        L: Layers + Sync,
        L::Of<Value<'static>>: Send,
    {
        let (engine, func) = (&self.map.engine, self.map.func);
        H::run(&self.run(), || (), |(), at| engine.overdub(cx, func, self.columns.values(at)?))
    }

    fn run(&self) -> Run<'_> {
        Run { settings: &self.map.settings, len: self.columns.len }
    }

    /// The error of an input whose length is not that of the columns.
    fn other_length(&self, what: Input, other_len: usize) -> MapError<Failure> {
        let first = self.columns.columns.iter().position(|column| column.elements().is_some()).unwrap_or(0);
        MapError::Lengths { first, len: self.columns.len, what, other_len }
    }
}
