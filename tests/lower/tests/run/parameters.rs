//! Methods of type parameters that have the names of methods of the types that the parameters are bound to.

#[path = "parameters/associated.rs"]
pub mod associated;
#[path = "parameters/blanket.rs"]
pub mod blanket;
#[path = "parameters/calls.rs"]
pub mod calls;
#[path = "parameters/items.rs"]
pub mod items;
#[path = "parameters/iterated.rs"]
pub mod iterated;
#[path = "parameters/mixed.rs"]
pub mod mixed;
#[path = "parameters/operators.rs"]
pub mod operators;
#[path = "parameters/paths.rs"]
pub mod paths;
#[path = "parameters/projections.rs"]
pub mod projections;
#[path = "parameters/references.rs"]
pub mod references;
#[path = "parameters/written.rs"]
pub mod written;

/// A float that differs if one of the numbers does.
fn digest(all: &[i64]) -> f64 {
    all.iter().fold(0.0, |sum, x| sum * 0.7 + *x as f64)
}

pub fn associated_methods(x: f64) -> f64 {
    digest(&associated::f(x as i64))
}

pub fn written_methods(x: f64) -> f64 {
    digest(&written::f(x as i64))
}

pub fn mixed_methods(x: f64) -> f64 {
    digest(&mixed::f(x as i64))
}

pub fn blanket_methods(x: f64) -> f64 {
    digest(&blanket::f(x as i64))
}

pub fn paths_methods(x: f64) -> f64 {
    digest(&paths::f(x as i64))
}

pub fn iterated_methods(x: f64) -> f64 {
    iterated::nums(x as i64).bytes().fold(0.0, |sum, byte| sum * 0.7 + byte as f64)
        + iterated::firsts(x as i64)
}

pub fn called_methods(x: f64) -> f64 {
    let texts = calls::f(x as i64).concat();
    texts.bytes().fold(0.0, |sum, byte| sum * 0.7 + byte as f64) + calls::by_ref(x)
}

pub fn referred_methods(x: f64) -> f64 {
    references::f(x as i64).concat().bytes().fold(0.0, |sum, byte| sum * 0.7 + byte as f64)
}

pub fn methods_of_items(x: f64) -> f64 {
    items::f(x).iter().fold(0.0, |sum, item| sum * 0.7 + item)
}

pub fn operators_of_copies(x: f64) -> f64 {
    operators::product(x)
}

pub fn generic_projections(x: f64) -> f64 {
    projections::f(x).iter().fold(0.0, |sum, item| sum * 0.7 + item)
}
