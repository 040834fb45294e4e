//! The programs, as compiled by rustc.

#[path = "../../kernels/objectives/adjustment.rs"]
pub(crate) mod adjustment;
#[path = "../../kernels/objectives/lstm.rs"]
pub(crate) mod lstm;
#[path = "../../kernels/objectives/mixture.rs"]
pub(crate) mod mixture;
#[path = "../../kernels/objectives/perceptron.rs"]
pub(crate) mod perceptron;
#[path = "../../kernels/objectives/small.rs"]
pub(crate) mod small;
