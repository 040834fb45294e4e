//! How tangents and cotangents are multiplied by partial derivatives.
//!
//! - ZEROS1 a tangent or cotangent of zero contributes zero, even where the partial derivative is infinite or NaN: a
//!   strong zero, as Enzyme calls it.
//! - ZEROS2 a plain product differs from one with strong zeros only by being NaN. Derivatives are linear in their
//!   seeds, so that a NaN that reaches a result stays one: results by plain products that are not NaN are those with
//!   strong zeros, to the bit. If one is NaN, the function with strong zeros has the answer.
//! - ZEROS3 plain products are refused where that does not hold, or where running twice would show: in functions
//!   that have effects, in those whose derivatives pass through code of the user (custom rules), and in those that
//!   have products with strong zeros of their own, whose results may decide about branches. They are refused, too,
//!   where no product is left that they would replace.

use std::cell::Cell;
use std::sync::Arc;

use hashbrown::HashSet;
use overdub_context::Symbol;
use overdub_context::analysis::is_pure;
use overdub_context::engine::{Body, Pass, PassError};
use overdub_context::ir::{Func, InstKind};
use overdub_context::ops;

use super::{Names, Transform};
use crate::codes;
use crate::custom;
use crate::refusal::Refusal;

/// How derivatives are multiplied.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) enum Products {
    /// Zero times anything is zero (ZEROS1).
    #[default]
    StrongZero,
    /// As floats are multiplied (ZEROS2).
    Plain,
}

impl Products {
    /// The pass of a context that transforms by `transform`, with these products.
    pub(super) fn pass(
        self,
        body: &Body<'_>,
        requested: Option<&Vec<bool>>,
        transform: &Transform<'_>,
        otherwise: &str,
    ) -> Result<Pass, PassError> {
        if self == Products::StrongZero {
            return super::pass(body, requested, transform, otherwise);
        }
        let func = body.func();
        let refused = |message: &str| PassError {
            code: codes::NO_DERIVATIVE,
            message: message.to_owned(),
            span: func.span,
            help: None,
        };
        let lookup = |name: Symbol| match name == func.name {
            true => Some(func.clone()),
            false => body.callee(name).ok().flatten(),
        };
        if !allows_plain_products(&lookup, func.name) {
            return Err(refused("plain products are for functions without effects and custom rules"));
        }
        let replaced = Cell::new(0);
        let plain = |names: Names<'_>, func: &Arc<Func>, wrt: &[bool]| -> Result<_, Refusal> {
            let (name, funcs) = transform(names, func, wrt)?;
            replaced.set(reached(name, &funcs).map(strong_products).sum());
            let plain =
                funcs.into_iter().map(|func| Arc::new(with_plain_products(Arc::unwrap_or_clone(func))));
            Ok((name, plain.collect()))
        };
        let pass = super::pass(body, requested, &plain, otherwise)?;
        if replaced.get() == 0 { Err(refused("no product has a strong zero")) } else { Ok(pass) }
    }
}

/// Whether derivatives of a function may be computed by plain products first, and again with strong zeros where one is NaN: it has no
/// effects, no custom rules, and no products with strong zeros of its own (ZEROS2, ZEROS3). `lookup` finds what it calls.
///
/// ```
/// use overdub_ad::transform::allows_plain_products;
/// use overdub_context::text;
///
/// let listing = text::parse("fn @f(%x: f64) -> f64 {\n %y: f64 = sin %x\n ret %y\n}")?;
/// let module = listing.module();
/// assert!(allows_plain_products(&|name| module.func(name).ok().flatten(), "f".into()));
/// # Ok::<(), text::ParseErrors>(())
/// ```
pub fn allows_plain_products(lookup: &dyn Fn(Symbol) -> Option<Arc<Func>>, func: Symbol) -> bool {
    let allowed = |name: Symbol| {
        let found = if custom::has_rule(name) { None } else { lookup(name) };
        found.filter(|func| strong_products(func) == 0)
    };
    is_pure(&allowed, func)
}

/// The functions among these that one of them reaches.
fn reached(root: Symbol, funcs: &[Arc<Func>]) -> impl Iterator<Item = &Func> {
    let (mut seen, mut waiting) = (HashSet::new(), vec![root]);
    while let Some(name) = waiting.pop() {
        if seen.insert(name) {
            waiting.extend(funcs.iter().filter(|func| func.name == name).flat_map(|func| func.mentioned()));
        }
    }
    funcs.iter().map(|func| &**func).filter(move |func| seen.contains(&func.name))
}

/// The number of products with strong zeros in a function.
fn strong_products(func: &Func) -> usize {
    let insts = func.blocks.iter().flat_map(|body| &body.insts);
    insts.filter(|inst| matches!(&inst.kind, InstKind::Op { op, .. } if **op == ops::MUL_ZERO)).count()
}

/// The function with plain products in place of those with strong zeros.
///
/// ```
/// use overdub_ad::transform::with_plain_products;
/// use overdub_context::text;
///
/// let listing = text::parse("fn @f(%x: f64, %y: f64) -> f64 {\n %z: f64 = mul.zero %x, %y\n ret %z\n}")?;
/// let func = listing.module().func("f".into()).ok().flatten().expect("it is there");
/// assert!(with_plain_products((*func).clone()).to_string().contains("= mul %x, %y"));
/// # Ok::<(), text::ParseErrors>(())
/// ```
pub fn with_plain_products(mut func: Func) -> Func {
    for inst in func.blocks.iter_mut().flat_map(|body| &mut body.insts) {
        match &mut inst.kind {
            InstKind::Op { op, .. } if **op == ops::MUL_ZERO => *op = &ops::MUL,
            _ => {}
        }
    }
    func
}
