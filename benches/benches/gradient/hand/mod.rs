//! Gradients written by hand: what ours are measured against, and checked by.

pub(crate) mod adjustment;
pub(crate) mod lstm;
pub(crate) mod mixture;
pub(crate) mod perceptron;
pub(crate) mod small;
