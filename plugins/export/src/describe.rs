//! Names and documentation of what is exported, where nobody chooses others.

use crate::derivative::Derivative;

/// The name of a derivative of a function with this path, or of the function itself: `loss_gradient` for `model::loss`.
///
/// ```
/// use overdub_export::{Derivative, result_name};
///
/// assert_eq!(result_name("model::norm<f64>", Some(Derivative::Jvp)), "norm_jvp");
/// assert_eq!(result_name("<Disc as Area>::area", None), "area");
/// ```
pub fn result_name(path: &str, derivative: Option<Derivative>) -> String {
    let own = own_name(path);
    match derivative {
        None => own.to_owned(),
        Some(Derivative::Gradient) => format!("{own}_gradient"),
        Some(Derivative::ValueAndGradient) => format!("{own}_value_and_gradient"),
        Some(Derivative::Gradients) => format!("{own}_gradients"),
        Some(Derivative::ValueAndGradients) => format!("{own}_value_and_gradients"),
        Some(Derivative::Jvp) => format!("{own}_jvp"),
        Some(Derivative::Vjp) => format!("{own}_vjp"),
        Some(Derivative::Hvp) => format!("{own}_hvp"),
        Some(Derivative::Jacobian) => format!("{own}_jacobian"),
        Some(Derivative::Hessian) => format!("{own}_hessian"),
        Some(Derivative::SparseJacobian) => format!("{own}_sparse_jacobian"),
        Some(Derivative::SparseHessian) => format!("{own}_sparse_hessian"),
    }
}

/// The last name of a path, without type arguments.
fn own_name(path: &str) -> &str {
    let (mut depth, mut from, mut to) = (0, 0, None);
    for (at, c) in path.char_indices() {
        match c {
            '<' => {
                to = to.or((depth == 0).then_some(at));
                depth += 1;
            }
            '>' => depth -= 1,
            ':' if depth == 0 => (from, to) = (at + 1, None),
            _ => {}
        }
    }
    &path[from..to.unwrap_or(path.len())]
}

/// What the documentation says of static arguments, by their names and values.
pub fn static_doc<'p>(values: impl IntoIterator<Item = (&'p str, String)>) -> String {
    const LONGEST: usize = 30;
    let each = values.into_iter().map(|(name, value)| match value.len() {
        ..=LONGEST => format!("`{name}` is {value}"),
        _ => format!("`{name}` is a constant"),
    });
    let each = each.collect::<Vec<_>>().join(", ");
    if each.is_empty() { each } else { format!(" Here {each}.") }
}

/// The documentation of a derivative of `function` with respect to the parameters of these names, or of the function
/// itself, which returns `ret`.
pub fn result_doc<'p>(
    function: &str,
    ret: &str,
    derivative: Option<Derivative>,
    wrt: impl IntoIterator<Item = &'p str>,
) -> String {
    let names: Vec<String> = wrt.into_iter().map(|name| format!("`{name}`")).collect();
    let (of, all) = (format!("`{function}`"), names.join(", "));
    match derivative {
        None => format!("{of}, optimised. Returns `{ret}`."),
        Some(Derivative::Gradient) => format!("The gradient of {of} with respect to {all}."),
        Some(Derivative::ValueAndGradient) => {
            format!("The value of {of} and its gradient with respect to {all}.")
        }
        Some(Derivative::Gradients) => {
            format!(
                "The gradients of each float of the result of {of} with respect to {all}, one after the other."
            )
        }
        Some(Derivative::ValueAndGradients) => {
            format!(
                "The value of {of}, and the gradients of each float of it with respect to {all}, one after the other."
            )
        }
        Some(Derivative::Jvp) => {
            format!("The value of {of}, and its tangent for tangents of {all}, which follow the arguments.")
        }
        Some(Derivative::Vjp) => {
            format!("The value of {of}, and the cotangents of {all} for one of the value, the last argument.")
        }
        Some(Derivative::Jacobian) => {
            format!("The Jacobian of {of} with respect to {all}: a row for each float of the result.")
        }
        Some(Derivative::Hessian) => {
            format!("The Hessian of {of} with respect to {all}: a row for each float of the arguments.")
        }
        Some(Derivative::SparseJacobian) => {
            format!("The entries, row by row, of the sparse Jacobian of {of} with respect to {all}.")
        }
        Some(Derivative::SparseHessian) => {
            format!("The entries, row by row, of the sparse Hessian of {of} with respect to {all}.")
        }
        Some(Derivative::Hvp) => {
            format!(
                "The product of the Hessian of {of} with a direction of {all}, which follows the arguments."
            )
        }
    }
}
