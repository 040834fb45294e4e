//! All tests of this crate as one program, which is linked once.

mod coloring_cases;
mod coloring_laws;
mod coloring_support;
mod detection_cases;
mod detection_laws;
mod detection_support;
mod entries_cases;
mod hessian_cases;
mod jacobian_cases;
mod lagrangian_cases;
mod language_cases;
mod local_cases;
mod output_cases;
mod own_derivatives;
mod pattern_laws;
mod pattern_matrix_market;
mod pattern_pictures;
mod program_cases;
