//! Arrays of any rank: reductions, written as loops.

use overdub_context::ops::*;

use super::Row;
use super::adjoint::{Cot, Cotangents};
use super::array_op::{Applied, by_array_rule, by_loop};
use super::moves::Application;
use super::pushforward::same_op;
use crate::refusal::Cause;

pub(super) fn rows() -> Vec<Row> {
    vec![
        (&ND_SUM, by_array_rule(same_op, sum_adjoint, Some(|_| "a.sum()".to_owned()))),
        (&ND_PRODUCT, by_loop(|_| "a.product()".to_owned())),
        (&ND_MEAN, by_loop(|_| "a.mean().expect(\"`nd.mean` of no elements\")".to_owned())),
        (&ND_MIN, by_loop(|_| extreme("min"))),
        (&ND_MAX, by_loop(|_| extreme("max"))),
        (&ND_SUM_AXIS, by_loop(|a| reduced_source(a, "sum"))),
        (&ND_PRODUCT_AXIS, by_loop(|a| reduced_source(a, "product"))),
        (
            &ND_MEAN_AXIS,
            by_loop(|a| reduced_source(a, "mean") + ".expect(\"`nd.mean_axis` of no elements\")"),
        ),
        (&ND_MIN_AXIS, by_loop(|a| extreme_source(a, "min"))),
        (&ND_MAX_AXIS, by_loop(|a| extreme_source(a, "max"))),
        (&ND_CUMSUM, by_loop(cumulated)),
        (
            &ND_TRACE,
            by_loop(|a| {
                let float = a.float();
                format!(
                    "assert!(a.nrows() == a.ncols(), \"a matrix of shape {{:?}} has no trace\", a.shape());
    let mut sum: {float} = 0.0;
    for at in 0..a.nrows() {{ sum += a[[at, at]]; }}
    sum"
                )
            }),
        ),
        (&ND_NORM_L1, by_loop(|a| format!("a.iter().fold(0.0, |sum: {}, x| sum + x.abs())", a.float()))),
        (&ND_NORM_L2, by_loop(|a| format!("a.iter().fold(0.0, |sum: {}, x| sum + x * x).sqrt()", a.float()))),
        (
            &ND_NORM_MAX,
            by_loop(|a| {
                let float = a.float();
                format!("a.iter().fold(0.0, |m: {float}, x| if m > x.abs() {{ m }} else {{ x.abs() }})")
            }),
        ),
    ]
}

fn sum_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let dy = cx.value_of(of.y, cot)?;
    let dty = cx.dty(&of.args[0])?;
    let dx = if dty.as_array().is_some_and(|array| array.rank == 1) {
        let len = cx.len_of(&of.args[0])?;
        cx.op(&REPEAT, [dy, len])?
    } else {
        let shape = cx.shape_of(&of.args[0])?;
        cx.op_as(&ND_FULL, [shape, dy], dty)?
    };
    cx.add(&of.args[0], dx)
}

/// A reduction along an axis; along the only axis of a vector it is a reduction of all elements.
fn reduced_source(applied: &Applied, which: &str) -> String {
    match applied.rank() {
        Some(1) => format!("a.{which}()"),
        _ => format!("a.{which}_axis(Axis({}))", applied.axis()),
    }
}

fn extreme(which: &str) -> String {
    format!(
        "let mut m = *a.iter().next().expect(\"`nd.{which}` of no elements\");\n    for x in a.iter() {{ m = m.{which}(*x); }}\n    m"
    )
}

fn extreme_source(applied: &Applied, which: &str) -> String {
    let (rank, axis) = (applied.rank().unwrap_or(0), applied.axis());
    if rank == 1 {
        return extreme(which);
    }
    let mut lens: Vec<String> = (0..rank as usize).map(|k| format!("lens[{k}]")).collect();
    lens.remove(axis);
    format!(
        "{}let mut extremes = Vec::new();
    for o in 0..outer {{ for i in 0..inner {{
        let mut m = xs[o * len * inner + i];
        for k in 1..len {{ m = m.{which}(xs[(o * len + k) * inner + i]); }}
        extremes.push(m);
    }} }}
    Array::from_shape_vec(({}), extremes).unwrap()",
        flat(axis, rank),
        if rank == 2 { lens[0].clone() } else { lens.join(", ") },
    )
}

fn cumulated(applied: &Applied) -> String {
    let (rank, axis) = (applied.rank().unwrap_or(0), applied.axis());
    let lens: Vec<String> = (0..rank).map(|k| format!("lens[{k}]")).collect();
    format!(
        "{}for o in 0..outer {{ for k in 1..len {{ for i in 0..inner {{
        let before = xs[(o * len + k - 1) * inner + i];
        xs[(o * len + k) * inner + i] = before + xs[(o * len + k) * inner + i];
    }} }} }}
    Array::from_shape_vec(({}), xs).unwrap()",
        flat(axis, rank).replace("let xs", "let mut xs"),
        lens.join(", "),
    )
}

/// The elements in order, and their layout with respect to an axis.
fn flat(axis: usize, rank: u32) -> String {
    let product = |axes: std::ops::Range<usize>| {
        axes.map(|k| format!("lens[{k}]")).chain(["1".to_owned()]).collect::<Vec<_>>().join(" * ")
    };
    let (outer, inner) = (product(0..axis), product(axis + 1..rank as usize));
    format!(
        "let lens = a.shape().to_vec();
    let xs: Vec<_> = a.iter().cloned().collect();
    let (outer, len, inner) = ({outer}, lens[{axis}], {inner});
    "
    )
}
