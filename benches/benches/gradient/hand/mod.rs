//! Hand-written gradients: ours are compared with them, and checked against them.

pub(crate) mod adjustment;
pub(crate) mod lstm;
pub(crate) mod mixture;
pub(crate) mod perceptron;
pub(crate) mod small;
