//! The Rust source of array operations: what `ndarray` computes, in the same order.

use overdub_context::ir::{FloatTy, IntTy, Ty, TyKind};

use crate::float_pair::is_float;

/// An operation with the types of its operands, and its constant operands.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Applied {
    pub(super) name: &'static str,
    pub(super) args: Vec<Ty>,
    pub(super) consts: Vec<Option<usize>>,
    pub(super) ret: Ty,
}

/// The source of a function `f` that computes the operation, without the constant operands.
pub(super) fn text(applied: &Applied) -> Option<String> {
    let body = reduced(applied)?;
    let mut params = Vec::new();
    for (k, (ty, number)) in applied.args.iter().zip(&applied.consts).enumerate() {
        if number.is_none() {
            params.push(format!("{}: {}", NAMES.get(k)?, written(*ty, true)?));
        }
    }
    let (params, ret) = (params.join(", "), written(applied.ret, false)?);
    Some(format!("use ndarray::*;\npub fn f({params}) -> {ret} {{\n    {body}\n}}\n"))
}

/// The names of the operands.
const NAMES: [&str; 4] = ["a", "b", "c", "d"];

fn rank(ty: &Ty) -> Option<u32> {
    ty.as_array().filter(|array| is_float(array.elem)).map(|array| array.rank)
}

pub(super) fn written(ty: Ty, is_param: bool) -> Option<String> {
    let reference = if is_param { "&" } else { "" };
    match ty.kind() {
        TyKind::Float(FloatTy::F64) => Some("f64".to_owned()),
        TyKind::Float(FloatTy::F32) => Some("f32".to_owned()),
        TyKind::Int(IntTy::I32) => Some("i32".to_owned()),
        TyKind::Int(IntTy::I64) => Some("i64".to_owned()),
        TyKind::Int(IntTy::Usize) => Some("usize".to_owned()),
        TyKind::Array(array) if array.rank <= 6 && is_float(array.elem) => {
            Some(format!("{reference}Array{}<{}>", array.rank, written(array.elem, false)?))
        }
        _ => None,
    }
}

/// The source of reductions, and of operations along an axis.
fn reduced(applied: &Applied) -> Option<String> {
    let rank = rank(applied.args.first()?)?;
    let axis = applied.consts.get(1).copied().flatten().unwrap_or(0);
    let float = written(applied.args[0].as_array()?.elem, false)?;
    Some(match applied.name {
        "nd.sum" => "a.sum()".to_owned(),
        "nd.product" => "a.product()".to_owned(),
        "nd.mean" => "a.mean().expect(\"`nd.mean` of no elements\")".to_owned(),
        "nd.min" | "nd.max" => extreme(&applied.name[3..]),
        "nd.min_axis" | "nd.max_axis" if rank == 1 => extreme(&applied.name[3..6]),
        "nd.sum_axis" if rank == 1 => "a.sum()".to_owned(),
        "nd.product_axis" if rank == 1 => "a.product()".to_owned(),
        "nd.mean_axis" if rank == 1 => "a.mean().expect(\"`nd.mean_axis` of no elements\")".to_owned(),
        "nd.sum_axis" => format!("a.sum_axis(Axis({axis}))"),
        "nd.product_axis" => format!("a.product_axis(Axis({axis}))"),
        "nd.mean_axis" => {
            format!("a.mean_axis(Axis({axis})).expect(\"`nd.mean_axis` of no elements\")")
        }
        "nd.min_axis" | "nd.max_axis" => {
            let mut lens: Vec<String> = (0..rank as usize).map(|k| format!("lens[{k}]")).collect();
            lens.remove(axis);
            format!(
                "{}let mut made = Vec::new();
    for o in 0..outer {{ for i in 0..inner {{
        let mut m = xs[o * len * inner + i];
        for k in 1..len {{ m = m.{}(xs[(o * len + k) * inner + i]); }}
        made.push(m);
    }} }}
    Array::from_shape_vec(({}), made).unwrap()",
                flat(axis, rank),
                &applied.name[3..6],
                if rank == 2 { lens[0].clone() } else { lens.join(", ") },
            )
        }
        "nd.cumsum" => {
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
        "nd.trace" => format!(
            "assert!(a.nrows() == a.ncols(), \"a matrix of shape {{:?}} has no trace\", a.shape());
    let mut sum: {float} = 0.0;
    for at in 0..a.nrows() {{ sum += a[[at, at]]; }}
    sum"
        ),
        "nd.norm_l1" => format!("a.iter().fold(0.0, |sum: {float}, x| sum + x.abs())"),
        "nd.norm_l2" => format!("a.iter().fold(0.0, |sum: {float}, x| sum + x * x).sqrt()"),
        "nd.norm_max" => {
            format!("a.iter().fold(0.0, |m: {float}, x| if m > x.abs() {{ m }} else {{ x.abs() }})")
        }
        "nd.outer" => "Array2::from_shape_fn((a.len(), b.len()), |(i, j)| a[i] * b[j])".to_owned(),
        "nd.dot" => "a.dot(b)".to_owned(),
        "nd.from_diag" => {
            "let mut m = Array2::zeros((a.len(), a.len()));
    for at in 0..a.len() { m[[at, at]] = a[at]; }
    m"
        }
        .to_owned(),
        _ => return None,
    })
}

/// The elements in order, and their layout along an axis.
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

fn extreme(which: &str) -> String {
    format!(
        "let mut m = *a.iter().next().expect(\"`nd.{which}` of no elements\");\n    for x in a.iter() {{ m = m.{which}(*x); }}\n    m"
    )
}
