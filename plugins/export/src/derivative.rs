//! Derivatives as functions of the IR, in the form in which people call them.

use overdub_ad::flatten::count_floats;
use overdub_ad::transform::forward::ForwardTransform;
use overdub_ad::transform::reverse::{ReverseOutput, ReverseTransform, active, few_floats};
use overdub_context::engine::{Engine, Layers, Prepared};
use overdub_context::ir::{
    BlockBody, BuildError, Func, FuncBuilder, LoadError, Operand, Terminator, TerminatorKind, Ty, TyKind, Var,
};
use overdub_context::ops;
use overdub_context::{Span, Symbol};

use crate::compression::Compression;
use crate::error::ExportError;
use crate::matrix;

/// A derivative of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Derivative {
    /// The derivatives of its result, a float, with respect to its arguments.
    Gradient,
    /// Its result and its gradient.
    ValueAndGradient,
    /// The derivatives of each float of its result with respect to its arguments, one float after the other, by one reverse sweep
    /// for all of them: for results of up to 16 floats in tuples and structs.
    Gradients,
    /// Its result and these.
    ValueAndGradients,
    /// Its result, and how that changes along a direction: the tangents of the arguments follow the arguments.
    Jvp,
    /// Its result, and the cotangents of its arguments for a cotangent of the result, which follows the arguments.
    Vjp,
    /// The product of its Hessian with a direction: the tangents of the arguments follow the arguments.
    Hvp,
    /// The derivatives of each float of its result with respect to each float of its arguments: a row for each float of
    /// the result, followed by rows for the last values of `&mut` parameters.
    Jacobian,
    /// The second derivatives of its result, a float: a row for each float of the arguments.
    Hessian,
    /// The entries of its Jacobian that are in a sparsity pattern, row by row: see [`Export::sparse`](crate::Export::sparse).
    SparseJacobian,
    /// The entries of its Hessian that are in a sparsity pattern, row by row.
    SparseHessian,
}

/// A function that computes a derivative, and what keeps the functions that it calls.
pub(crate) struct Made {
    pub(crate) symbol: Symbol,
    /// For each argument, whether its derivative is returned.
    pub(crate) returned: Vec<bool>,
    /// Of a Hessian, the function that computes the gradient as one list.
    pub(crate) gradient: Option<Symbol>,
    pub(crate) kept: Box<dyn std::any::Any>,
}

/// Defines the derivative of a function, with respect to the arguments in `wrt`, as a function of the engine's module.
pub(crate) fn derive(
    engine: &Engine,
    func: Symbol,
    derivative: Derivative,
    wrt: &[bool],
) -> Result<Made, ExportError> {
    let primal = engine.module().func(func).map_err(|cause| ExportError::Load { func, cause })?;
    let primal = primal.ok_or(ExportError::Missing(func))?;
    let wrt = &*active(&primal, &|at| wrt.get(at).copied().unwrap_or(false));
    if !wrt.contains(&true) {
        return Err(no_floats(func, primal.span));
    }
    let reverse = |output| ReverseTransform::new(output).with_respect_to(wrt.to_vec());
    let forward = || ForwardTransform::new().with_respect_to(wrt.to_vec());
    let of = (func, derivative, wrt);
    match derivative {
        Derivative::Gradient | Derivative::ValueAndGradient => {
            wrapped(engine, of, engine.prepare(&reverse(ReverseOutput::Gradient), func))
        }
        Derivative::Gradients | Derivative::ValueAndGradients => {
            wrapped(engine, of, engine.prepare(&reverse(ReverseOutput::Gradients), func))
        }
        Derivative::Vjp => wrapped(engine, of, engine.prepare(&reverse(ReverseOutput::Vjp), func)),
        Derivative::Jvp => wrapped(engine, of, engine.prepare(&forward(), func)),
        Derivative::Jacobian => matrix::jacobian(engine, func, wrt),
        Derivative::Hessian => matrix::hessian(engine, func, wrt),
        Derivative::SparseJacobian | Derivative::SparseHessian => {
            Err(ExportError::NoPattern { func, span: primal.span })
        }
        Derivative::Hvp => {
            let nested = (forward(), reverse(ReverseOutput::Gradient));
            wrapped(engine, of, engine.prepare(&nested, func))
        }
    }
}

/// As [`derive`], for the entries of a sparse matrix.
pub(crate) fn derive_sparse(
    engine: &Engine,
    func: Symbol,
    derivative: Derivative,
    wrt: &[bool],
    compression: &Compression,
) -> Result<Made, ExportError> {
    if !matches!(derivative, Derivative::SparseJacobian | Derivative::SparseHessian) {
        return Err(ExportError::NotSparse(func));
    }
    let primal = engine.module().func(func).map_err(|cause| ExportError::Load { func, cause })?;
    let primal = primal.ok_or(ExportError::Missing(func))?;
    let (example, expected) = (compression.example(), primal.params().len());
    if example.len() != expected {
        return Err(ExportError::Arguments { func, found: example.len(), expected });
    }
    let chosen = example.iter().zip(wrt).filter(|(_, is_chosen)| **is_chosen);
    let expected = chosen.map(|(value, _)| count_floats(value)).sum();
    if compression.cols() != expected {
        return Err(ExportError::Columns { func, found: compression.cols(), expected });
    }
    let wrt = active(&primal, &|at| wrt.get(at).copied().unwrap_or(false));
    matrix::sparse(engine, func, derivative, &wrt, compression)
}

fn wrapped<L: Layers + 'static>(
    engine: &Engine,
    (func, derivative, wrt): (Symbol, Derivative, &[bool]),
    prepared: Prepared<L>,
) -> Result<Made, ExportError> {
    let failed = |cause: LoadError| ExportError::Load { func, cause };
    let transformed = prepared.func().map_err(failed)?;
    let unsupported =
        |construct: String| ExportError::Unsupported { func, construct, span: transformed.span };
    // Derivatives with respect to other arguments are other functions.
    let digits: String = wrt.iter().map(|is_active| if *is_active { '1' } else { '0' }).collect();
    let symbol = Symbol::new(&format!("{func}.{derivative:?}{digits}"));
    let (wrapper, returned) = wrapper(&transformed, wrt, symbol, derivative)
        .map_err(|error| unsupported(format!("its derivative has an unexpected form: {error}")))?
        .ok_or_else(|| no_floats(func, transformed.span))?;
    engine.module().define(wrapper);
    Ok(Made { symbol, returned, gradient: None, kept: Box::new(prepared) })
}

fn no_floats(func: Symbol, span: Span) -> ExportError {
    ExportError::Unsupported { func, construct: "none of these arguments holds floats".to_owned(), span }
}

/// The transformed function, which takes the arguments before tangents and cotangents, with the parts of its result that are
/// asked for side by side; and for which arguments it returns derivatives. None if there are none.
fn wrapper(
    transformed: &Func,
    wrt: &[bool],
    name: Symbol,
    derivative: Derivative,
) -> Result<Option<(Func, Vec<bool>)>, BuildError> {
    let mut build = FuncBuilder::new(name, Ty::unit());
    build.set_func_span(transformed.span);
    build.set_span(transformed.span);
    let mut args: Vec<Operand> = Vec::new();
    for (number, &param) in transformed.params().iter().enumerate() {
        // What holds no floats has no tangent.
        if number >= wrt.len() && transformed.ty(param) == Ty::unit() {
            args.push(Operand::unit());
            continue;
        }
        let name = transformed.var_label(param).to_string();
        args.push(build.param(&name, transformed.ty(param)).into());
    }
    // One function instead of two, unless it calls itself.
    let calls_itself = transformed.mentioned().any(|name| name == transformed.name);
    let is_return =
        |block: &BlockBody| matches!(block.terminator, Some(Terminator { kind: TerminatorKind::Ret(_), .. }));
    let result = match !calls_itself && transformed.blocks.iter().any(is_return) {
        true => build.inline(transformed, &args)?,
        false => Some(build.call(transformed.name, args, transformed.ret)?.into()),
    };
    let result = match result {
        Some(Operand::Var(result)) => result,
        Some(constant) => build.op(&ops::DUP, [constant])?,
        None => return Ok(None),
    };
    let mut parts = Parts { build, found: Vec::new() };
    let both = parts.of(result)?;
    match (derivative, &both[..]) {
        (Derivative::Jvp, [_, tangent]) if parts.build.func().ty(*tangent) != Ty::unit() => {
            parts.found = both
        }
        (Derivative::Gradient, [_, cotangents]) => {
            parts.found = parts.of(*cotangents)?;
        }
        (Derivative::ValueAndGradient | Derivative::Vjp, [value, cotangents]) => {
            let mut found = vec![*value];
            found.extend(parts.of(*cotangents)?);
            parts.found = found;
        }
        (Derivative::Gradients | Derivative::ValueAndGradients, [value, rows]) => {
            let is_one = few_floats(parts.build.func().ty(*value)) == Some(1);
            let mut found = Vec::new();
            found.extend((derivative == Derivative::ValueAndGradients).then_some(*value));
            for row in if is_one { vec![*rows] } else { parts.of(*rows)? } {
                found.extend(parts.of(row)?);
            }
            parts.found = found;
        }
        (Derivative::Hvp, [_, change]) => {
            let change = parts.of(*change)?;
            parts.found = match change.last() {
                Some(&products) => parts.of(products)?,
                None => Vec::new(),
            };
        }
        // A result without cotangents or tangents.
        _ => return Ok(None),
    }
    let Parts { mut build, mut found } = parts;
    // What holds no floats has no derivative.
    let has_value = matches!(
        derivative,
        Derivative::Jvp | Derivative::ValueAndGradient | Derivative::ValueAndGradients | Derivative::Vjp
    );
    let mut of_chosen = found.iter().skip(usize::from(has_value));
    let mut is_returned = || of_chosen.next().is_some_and(|&part| build.func().ty(part) != Ty::unit());
    let returned = wrt.iter().map(|is_chosen| *is_chosen && is_returned()).collect();
    found.retain(|&part| build.func().ty(part) != Ty::unit());
    let is_value_alone = derivative != Derivative::Jvp && has_value && found.len() == 1;
    if found.is_empty() || is_value_alone {
        return Ok(None);
    }
    let result = match found[..] {
        [one] => one,
        _ => build.op(&ops::TUPLE, found.iter().copied())?,
    };
    let ty = build.func().ty(result);
    build.set_ret(ty);
    build.ret(result)?;
    Ok(Some((build.finish()?, returned)))
}

struct Parts {
    build: FuncBuilder,
    found: Vec<Var>,
}

impl Parts {
    /// The parts of a tuple; none of `()`.
    fn of(&mut self, whole: Var) -> Result<Vec<Var>, BuildError> {
        match self.build.func().ty(whole).kind() {
            TyKind::Tuple(parts) => (0..parts.len() as i64)
                .map(|number| self.build.op(&ops::FIELD, [Operand::from(whole), Operand::from(number)]))
                .collect(),
            TyKind::Unit => Ok(Vec::new()),
            _ => Ok(vec![whole]),
        }
    }
}
