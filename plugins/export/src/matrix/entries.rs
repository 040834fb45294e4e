//! The values of a sparse matrix as the function writes them, each with the number that it is a derivative of.
//!
//! - WRITTEN1 entries are computed by plain products in few operations. If one is not finite, a zero may have met an infinity:
//!   then all are computed again with products that keep zero.

use std::sync::Arc;

use overdub_ad::transform::entries::{EntriesTransform, Writing};
use overdub_context::Symbol;
use overdub_context::engine::Engine;
use overdub_context::ir::{Func, Operand, Target, Ty};
use overdub_context::ops;

use super::Unsupported;
use super::floats::parts;
use super::loops::table;
use super::rows::Rows;
use crate::compression::{Compression, Written};
use crate::derivative::{Derivative, Made};

/// The functions that write entries.
pub(super) struct Transforms {
    /// In few operations; it returns a number, too, that is zero unless an entry may not be finite (WRITTEN1).
    quick: Arc<Func>,
    careful: Arc<Func>,
}

/// The functions that write the entries of a derivative with respect to the arguments in `wrt`, and what keeps them; none if the
/// transformation refuses.
pub(super) fn transforms(
    engine: &Engine,
    func: Symbol,
    (derivative, wrt): (Derivative, &[bool]),
    written: &Written,
) -> Option<(Transforms, Made)> {
    let writing = if written.are_sums { Writing::Add } else { Writing::Set };
    let entries = EntriesTransform::new(writing).with_respect_to(wrt.to_vec());
    let entries = if derivative == Derivative::SparseHessian { entries.of_gradient() } else { entries };
    let quick = engine.prepare(&entries.clone().in_few_operations(), func);
    let careful = engine.prepare(&entries, func);
    let transforms = Transforms { quick: quick.func().ok()?, careful: careful.func().ok()? };
    let (symbol, kept) = (transforms.careful.name, Box::new((quick, careful)));
    Some((transforms, Made { symbol, returned: wrt.to_vec(), gradient: None, kept }))
}

impl Rows<'_> {
    /// A function that returns the values of the entries, row by row, as the function writes them.
    pub(super) fn written(
        &mut self,
        compression: &Compression,
        written: &Written,
        transforms: &Transforms,
    ) -> Result<Func, Unsupported> {
        let (mut build, args) = self.open(Ty::array(Ty::f64(), 1));
        self.check_shapes(&mut build, &args, compression)?;
        let slots = table(&mut build, written.slots.clone())?;
        let all: Vec<Operand> = args.into_iter().chain([slots, compression.columns().len().into()]).collect();
        let Transforms { quick, careful, .. } = transforms;
        let found = build.call(quick.name, all.clone(), quick.ret)?;
        let [values, check] =
            parts(&mut build, found.into())?.try_into().map_err(|_| Unsupported::Type(quick.ret))?;
        let [finite, again] = [(); 2].map(|()| build.new_block());
        let is_finite = build.op(&ops::EQ, [check, 0.0.into()])?;
        build.br_if(is_finite, Target::from(finite), Target::from(again))?;
        build.switch_to(again)?;
        let values_again = build.call(careful.name, all, careful.ret)?;
        build.ret(values_again)?;
        build.switch_to(finite)?;
        build.ret(values)?;
        Ok(build.finish()?)
    }
}
