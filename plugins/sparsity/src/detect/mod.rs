//! Finds which outputs of a function depend on which inputs, and which pairs of inputs meet in a second derivative.

mod abstract_value;
mod analysis;
mod arrays;
mod calls;
mod cells;
mod code;
mod contents;
mod error;
mod floats;
mod moves;
mod operation;
mod origin;
mod outputs;
mod paths;
mod repeated_calls;
mod sets;
mod state;

use std::sync::Arc;

use overdub_ad::custom::ActiveRules;
use overdub_context::Symbol;
use overdub_context::engine::Engine;
use overdub_context::ir::Ty;
use overdub_context::value::{Array, Composite, Value};

use crate::SparsityPattern;
use analysis::Analysis;
pub use error::DetectError;
use floats::{Float, Knowledge};

/// Finds sparsity patterns of the functions of an engine.
///
/// A *global* pattern holds for every input of the same shape: the arms of branches that depend on the inputs
/// are joined, and loops run to a fixed point. A *local* pattern holds at the given input: for the path that
/// is taken there. No entry is ever missing; there may be an extra entry where a derivative happens to
/// vanish.
///
/// ```
/// use overdub_context::value::Value;
/// use overdub_sparsity::Detector;
///
/// let source = "pub fn f(x: &[f64]) -> Vec<f64> { x.windows(2).map(|w| w[1] - w[0]).collect() }";
/// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
/// let engine = loaded.engine();
/// let x = Value::floats(vec![1.0, 2.0, 4.0]);
/// let pattern = Detector::new(&engine).jacobian(loaded.function("f")?.symbol, vec![x])?;
/// assert_eq!(pattern.to_string(), "[1 1 0; 0 1 1]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The patterns are those of *SparseConnectivityTracer.jl* (Hill and Dalle, *Sparser, Better, Faster,
/// Stronger: Efficient Automatic Differentiation for Sparse Jacobians and Hessians*, 2025), found by abstract
/// interpretation of the function instead of a run with overloaded numbers, so that branches need not be
/// rewritten.
#[derive(Clone, Debug)]
pub struct Detector<'e> {
    engine: &'e Engine,
    knowledge: Knowledge,
    wrt: Option<Vec<usize>>,
    /// Whether the source locations of entries are recorded.
    records_origins: bool,
    /// Those in whose scope it was made.
    rules: ActiveRules,
}

impl<'e> Detector<'e> {
    /// Finds global patterns, with respect to all floats of all arguments.
    pub fn new(engine: &'e Engine) -> Detector<'e> {
        let rules = ActiveRules::current();
        Detector { engine, knowledge: Knowledge::Global, wrt: None, records_origins: false, rules }
    }

    /// Finds patterns at the given arguments.
    #[must_use]
    pub fn local(self) -> Detector<'e> {
        Detector { knowledge: Knowledge::Local, ..self }
    }

    /// Treats only the floats of these arguments, by their numbers, as inputs; the others are constants.
    #[must_use]
    pub fn with_respect_to(self, arguments: impl Into<Vec<usize>>) -> Detector<'e> {
        Detector { wrt: Some(arguments.into()), ..self }
    }

    pub(crate) fn engine(&self) -> &'e Engine {
        self.engine
    }

    /// The rules of derivatives with these patterns.
    pub(crate) fn rules(&self) -> &ActiveRules {
        &self.rules
    }

    pub(crate) fn is_local(&self) -> bool {
        self.knowledge == Knowledge::Local
    }

    /// The numbers of the arguments that are inputs, unless all are.
    pub(crate) fn inputs(&self) -> Option<&[usize]> {
        self.wrt.as_deref()
    }

    pub(crate) fn is_input(&self, argument: usize) -> bool {
        self.wrt.as_ref().is_none_or(|wrt| wrt.contains(&argument))
    }

    /// The pattern of the Jacobian: a row for each float of the result, a column for each of the arguments, in the order
    /// of [`overdub_ad::flatten::floats`].
    ///
    /// # Errors
    /// If the program fails at these arguments, there is no float in them or in the result, or the function
    /// does something that the analysis does not support.
    pub fn jacobian(
        &self,
        func: impl Into<Symbol>,
        args: Vec<Value<'static>>,
    ) -> Result<SparsityPattern, DetectError> {
        self.jacobian_of(func, args, &|value| value)
    }

    /// As [`Detector::jacobian`], for a part of what the function's IR returns: `part` extracts it.
    ///
    /// # Errors
    /// As [`Detector::jacobian`].
    pub fn jacobian_of(
        &self,
        func: impl Into<Symbol>,
        args: Vec<Value<'static>>,
        part: &dyn Fn(Value<'static>) -> Value<'static>,
    ) -> Result<SparsityPattern, DetectError> {
        let func = func.into();
        let (mut analysis, result) = self.analysed(func, args.clone(), false)?;
        let deps = self.outputs(&mut analysis, func, args, &part(result), part)?;
        if deps.is_empty() {
            return Err(DetectError::NoOutputs);
        }
        let (mut offsets, mut columns) = (vec![0], Vec::new());
        for dep in deps {
            columns.extend(analysis.sets.members_of([dep.first]));
            offsets.push(columns.len());
        }
        Ok(SparsityPattern::from_offsets(analysis.inputs, offsets, columns)?)
    }

    /// The pattern of the Hessian of a function that returns one float; `ret` is its declared return type.
    ///
    /// # Errors
    /// As [`Detector::jacobian`], or if the result is not one float.
    pub fn hessian(
        &self,
        func: impl Into<Symbol>,
        args: Vec<Value<'static>>,
        ret: Ty,
    ) -> Result<SparsityPattern, DetectError> {
        let func = func.into();
        let part = |value: Value<'static>| result_without_outs(value, ret);
        let (mut analysis, result) = self.analysed(func, args.clone(), true)?;
        let deps = self.outputs(&mut analysis, func, args, &part(result), &part)?;
        let [dep] = deps.as_slice() else {
            return Err(DetectError::NotScalar { outputs: deps.len() });
        };
        let (offsets, columns) = analysis.sets.rows_of_pairs(dep.second, analysis.inputs);
        Ok(SparsityPattern::from_offsets(analysis.inputs, offsets, columns)?)
    }

    /// The pattern of the Hessian of a weighted sum of all floats that the function's IR returns, for every
    /// choice of the weights: the union of the patterns of the individual Hessians, as for a Lagrangian.
    ///
    /// ```
    /// use overdub_context::value::Value;
    /// use overdub_sparsity::Detector;
    ///
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", "pub fn f(x: f64, y: f64) -> (f64, f64) { (x * y, y * y) }")?;
    /// let (engine, f) = (loaded.engine(), loaded.function("f")?.symbol);
    /// let pattern = Detector::new(&engine).lagrangian_hessian(f, [1.0, 2.0].map(Value::F64).to_vec())?;
    /// assert_eq!(pattern.to_string(), "[0 1; 1 1]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Detector::jacobian`].
    pub fn lagrangian_hessian(
        &self,
        func: impl Into<Symbol>,
        args: Vec<Value<'static>>,
    ) -> Result<SparsityPattern, DetectError> {
        self.lagrangian(func.into(), args).map(|(pattern, _)| pattern)
    }

    /// The pattern of the Hessian of a Lagrangian, and the number of its weights.
    pub(crate) fn lagrangian(
        &self,
        func: Symbol,
        args: Vec<Value<'static>>,
    ) -> Result<(SparsityPattern, usize), DetectError> {
        let (mut analysis, result) = self.analysed(func, args.clone(), true)?;
        let deps = self.outputs(&mut analysis, func, args, &result, &|value| value)?;
        if deps.is_empty() {
            return Err(DetectError::NoOutputs);
        }
        let mut all: Vec<_> = deps.iter().map(|dep| dep.second).collect();
        // Joins neighbours pairwise: a union with one output after another would be as deep as there are
        // outputs.
        while all.len() > 1 {
            let union =
                |of: &[sets::Pairs]| of.iter().copied().reduce(|a, b| analysis.sets.union_pairs(a, b));
            all = all.chunks(2).filter_map(union).collect();
        }
        let (offsets, columns) = analysis.sets.rows_of_pairs(all[0], analysis.inputs);
        Ok((SparsityPattern::from_offsets(analysis.inputs, offsets, columns)?, deps.len()))
    }

    fn outputs(
        &self,
        analysis: &mut Analysis,
        func: Symbol,
        args: Vec<Value<'static>>,
        result: &Value<'static>,
        part: &dyn Fn(Value<'static>) -> Value<'static>,
    ) -> Result<Vec<sets::Dep>, DetectError> {
        if let Some(deps) = analysis.outputs(result, None) {
            return Ok(deps);
        }
        // The number of outputs is the one at these arguments.
        let primal = self.engine.run(func, args).map_err(DetectError::Program)?;
        analysis.outputs(result, Some(&part(primal))).ok_or(DetectError::UnknownShape)
    }

    /// The function's result, with its floats encoding what they depend on.
    fn analysed(
        &self,
        func: Symbol,
        args: Vec<Value<'static>>,
        second: bool,
    ) -> Result<(Analysis, Value<'static>), DetectError> {
        let inputs = (args.iter().enumerate())
            .filter(|(at, _)| self.is_input(*at))
            .map(|(_, arg)| overdub_ad::flatten::floats(arg));
        let inputs: Vec<f64> = inputs.flatten().collect();
        if inputs.is_empty() {
            return Err(DetectError::NoInputs);
        }
        if let Some(input) =
            inputs.iter().position(|x| x.is_nan()).filter(|_| self.knowledge == Knowledge::Local)
        {
            return Err(DetectError::NaN { input });
        }
        let mut analysis = Analysis::new(self.engine.module().clone(), inputs.len(), self.knowledge, second);
        if self.records_origins {
            analysis.floats.record_origins();
        }
        let mut next = 0;
        let mut seeded = Vec::with_capacity(args.len());
        for (at, arg) in args.into_iter().enumerate() {
            let arg = if self.is_input(at) {
                seed(&mut analysis, arg, &mut next)?
            } else {
                operation::ordinary(arg)
            };
            seeded.push(cells::adopted(&mut analysis, arg));
        }
        let call = || analysis.call_func(func, seeded, overdub_context::Span::unknown());
        let result = self.rules.during(call)?;
        Ok((analysis, result))
    }
}

/// The value with its floats numbered as inputs, in order.
fn seed(
    analysis: &mut Analysis,
    value: Value<'static>,
    next: &mut usize,
) -> Result<Value<'static>, DetectError> {
    let mut input = |analysis: &mut Analysis, x: f64| {
        let dep = analysis.sets.input(*next);
        *next += 1;
        Float { dep, value: (analysis.scope == Knowledge::Local).then_some(x) }
    };
    Ok(match value {
        Value::F64(x) => {
            let float = input(analysis, x);
            analysis.float(Ty::f64(), float)?
        }
        Value::F32(x) => {
            let float = input(analysis, x.into());
            analysis.float(Ty::f32(), float)?
        }
        Value::Array(array) if array.as_f64s().is_some() => {
            let mut elems = Vec::with_capacity(array.len());
            for x in array.as_f64s().unwrap_or_default() {
                let float = input(analysis, *x);
                elems.push(analysis.floats.put64(float, analysis.scope));
            }
            Array::from_vec(elems).reshape(array.shape()).map_or(Value::Unit, Value::from)
        }
        Value::Array(array) => {
            let mut elems = Vec::with_capacity(array.len());
            for elem in array.iter() {
                elems.push(seed(analysis, elem, next)?);
            }
            operation::shaped(array.elem_ty(), elems, array.shape())
        }
        Value::Composite(composite) => {
            let mut parts = Vec::with_capacity(composite.parts.len());
            for part in composite.parts.iter() {
                parts.push(seed(analysis, part.clone(), next)?);
            }
            Value::Composite(Arc::new(Composite {
                ty: composite.ty,
                tag: composite.tag,
                parts: parts.into(),
            }))
        }
        Value::Stack(elems) => {
            let mut seeded = Vec::with_capacity(elems.len());
            for elem in elems.iter() {
                seeded.push(seed(analysis, elem.clone(), next)?);
            }
            Value::Stack(Arc::new(seeded))
        }
        other => operation::ordinary(other),
    })
}

/// The declared result of a function, from what its IR returns: the last values of `&mut` parameters follow
/// it.
fn result_without_outs(value: Value<'static>, ret: Ty) -> Value<'static> {
    if let Value::Composite(composite) = &value
        && composite.ty.is_none()
        && !matches!(ret.kind(), overdub_context::ir::TyKind::Tuple(_))
    {
        return composite.parts.first().cloned().unwrap_or(Value::Unit);
    }
    value
}
