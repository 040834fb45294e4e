//! Jacobians and Hessians: a loop over unit vectors, or over colors, each of which is pushed forward, pulled back or multiplied
//! by the Hessian.

mod entries;
mod floats;
mod loops;
mod rows;
mod same_shape;
mod shape_words;
mod sparse;

use std::sync::atomic::{AtomicUsize, Ordering};

use overdub_ad::flatten::count_floats_by_type;
use overdub_ad::transform::reverse::few_floats;
use overdub_context::Symbol;
use overdub_context::engine::Engine;
use overdub_context::ir::{BuildError, Func, Module, Ty, TyKind};

use self::rows::Rows;
use crate::compression::{Compression, Side};
use crate::derivative::{Derivative, Made, derive};
use crate::error::ExportError;

/// Defines the Jacobian of a function as a function that returns its rows: one for each float of the result, with one
/// number for each float of the arguments in `wrt`.
///
/// It pushes tangents forward if the number of floats of the arguments is known and not larger than that of the result,
/// and otherwise pulls cotangents back: all in one sweep if the type of the result tells that they are few.
pub(crate) fn jacobian(engine: &Engine, of: Symbol, wrt: &[bool]) -> Result<Made, ExportError> {
    let forward = derive(engine, of, Derivative::Jvp, wrt);
    let prefers_forward =
        forward.as_ref().is_ok_and(|made| is_narrow(&engine.module(), made.symbol, wrt.len()));
    let made = match (forward, prefers_forward) {
        (Ok(forward), true) => (forward, Derivative::Jvp),
        (forward, _) => match (by_pullbacks(engine, of, wrt), forward) {
            (Ok(reverse), _) => reverse,
            (Err(_), Ok(forward)) => (forward, Derivative::Jvp),
            (Err(error), Err(_)) => return Err(error),
        },
    };
    let (made, by) = made;
    matrix(engine, of, made, Derivative::Jacobian, |rows| match by {
        Derivative::Jvp => rows.by_columns(wrt),
        Derivative::Gradients => rows.of_gradients(),
        _ => rows.by_rows(),
    })
}

/// The function that pulls cotangents back, and which derivative it is.
fn by_pullbacks(engine: &Engine, of: Symbol, wrt: &[bool]) -> Result<(Made, Derivative), ExportError> {
    let primal = engine.module().func(of).ok().flatten();
    let has_few = primal.and_then(|primal| few_floats(primal.ret)).is_some_and(|count| count > 1);
    if has_few && let Ok(made) = derive(engine, of, Derivative::Gradients, wrt) {
        return Ok((made, Derivative::Gradients));
    }
    Ok((derive(engine, of, Derivative::Vjp, wrt)?, Derivative::Vjp))
}

/// Defines the Hessian of a function that returns a float as a function that returns its rows, with a number for each float
/// of the arguments in `wrt`: products of the Hessian with unit vectors, as `overdub_ad::hessian` computes them.
pub(crate) fn hessian(engine: &Engine, of: Symbol, wrt: &[bool]) -> Result<Made, ExportError> {
    let product = derive(engine, of, Derivative::Hvp, wrt)?;
    let mut made = matrix(engine, of, product, Derivative::Hessian, |rows| rows.of_products(wrt))?;
    let gradient = derive(engine, of, Derivative::Gradient, wrt)?;
    let row = matrix(engine, of, gradient, Derivative::Gradient, |rows| rows.gradient())?;
    made.gradient = Some(row.symbol);
    made.kept = Box::new((made.kept, row.kept));
    Ok(made)
}

/// Defines a sparse Jacobian or Hessian as a function that returns the values of its entries, row by row: as the function writes
/// them, or else by the first products that can be computed.
pub(crate) fn sparse(
    engine: &Engine,
    of: Symbol,
    derivative: Derivative,
    wrt: &[bool],
    compression: &Compression,
) -> Result<Made, ExportError> {
    /// Distinguishes the functions of one pattern from those of others.
    static PATTERNS: AtomicUsize = AtomicUsize::new(0);
    let number = PATTERNS.fetch_add(1, Ordering::Relaxed);
    if let Some(written) = compression.written_entries()
        && let Some((transforms, made)) = entries::transforms(engine, of, (derivative, wrt), written)
    {
        let symbol = Symbol::new(&format!("{}.sparse{number}", made.symbol));
        let build = |rows: &mut Rows<'_>| rows.written(compression, written, &transforms);
        return named(engine, (of, symbol), made, derivative, build);
    }
    let mut refused = None;
    for products in compression.products() {
        let product = match (derivative, products.side()) {
            (Derivative::SparseHessian, _) => Derivative::Hvp,
            (_, Side::Columns) => Derivative::Jvp,
            (_, Side::Rows) => Derivative::Vjp,
        };
        let made = derive(engine, of, product, wrt).and_then(|made| {
            let symbol = Symbol::new(&format!("{}.sparse{number}", made.symbol));
            let build = |rows: &mut Rows<'_>| rows.sparse(compression, products, (derivative, wrt));
            named(engine, (of, symbol), made, derivative, build)
        });
        match made {
            Ok(made) => return Ok(made),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    Err(refused.expect("COMPRESSION3: there is a way to compute the values"))
}

/// Defines the function that makes rows of what `made` computes.
fn matrix(
    engine: &Engine,
    of: Symbol,
    made: Made,
    what: Derivative,
    build: impl FnOnce(&mut Rows<'_>) -> Result<Func, Unsupported>,
) -> Result<Made, ExportError> {
    let symbol = Symbol::new(&format!("{}.rows", made.symbol));
    named(engine, (of, symbol), made, what, build)
}

/// As [`matrix`], for a function of this symbol.
fn named(
    engine: &Engine,
    (of, symbol): (Symbol, Symbol),
    made: Made,
    what: Derivative,
    build: impl FnOnce(&mut Rows<'_>) -> Result<Func, Unsupported>,
) -> Result<Made, ExportError> {
    let module = engine.module();
    let load = |name: Symbol| {
        let func = module.func(name).map_err(|cause| ExportError::Load { func: name, cause })?;
        func.ok_or(ExportError::Missing(name))
    };
    let (primal, product) = (load(of)?, load(made.symbol)?);
    let built = build(&mut Rows::new(&module, symbol, &primal, &product));
    module.define(built.map_err(|why| ExportError::Unsupported {
        func: of,
        construct: match why {
            Unsupported::Type(ty) => format!("a {} with derivatives of type `{ty}`", word(what)),
            Unsupported::Shape(ty) => format!("a sparsity pattern for arguments of type `{ty}`"),
            Unsupported::Build(error) => format!("its {} has an unexpected form: {error}", word(what)),
        },
        span: primal.span,
    })?);
    Ok(Made { symbol, ..made })
}

/// A matrix of derivatives in a message.
fn word(what: Derivative) -> &'static str {
    match what {
        Derivative::Jacobian | Derivative::SparseJacobian => "Jacobian",
        Derivative::Hessian | Derivative::SparseHessian => "Hessian",
        _ => "gradient",
    }
}

/// Whether a function has no more floats in its arguments than in its result, by the types of tangents.
fn is_narrow(module: &Module, jvp: Symbol, own: usize) -> bool {
    let Ok(Some(func)) = module.func(jvp) else { return false };
    let args: Option<usize> =
        func.params().iter().skip(own).map(|param| count_floats_by_type(func.ty(*param))).sum();
    let result = match func.ret.kind() {
        TyKind::Tuple(parts) => parts.get(1).copied().and_then(count_floats_by_type),
        _ => None,
    };
    args.is_some_and(|args| result.is_none_or(|result| args <= result))
}

/// Why there is no matrix.
enum Unsupported {
    /// Derivatives of this type are not a list of floats.
    Type(Ty),
    /// Values of this type have no shape that can be compared.
    Shape(Ty),
    Build(BuildError),
}

impl From<BuildError> for Unsupported {
    fn from(error: BuildError) -> Unsupported {
        Unsupported::Build(error)
    }
}
