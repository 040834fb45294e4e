//! Arrays of any rank: products, and functions of each element.

use overdub_context::ir::{Operand, Ty};
use overdub_context::ops::*;

use super::Row;
use super::adjoint;
use super::adjoint::{Cot, Cotangents};
use super::array_op::{by_array_rule, by_loop};
use super::moves::{Application, reads};
use super::pushforward::{self, product};
use crate::array_ops::DOT_ZERO;
use crate::refusal::Cause;

pub(super) fn rows() -> Vec<Row> {
    vec![
        (&ND_DOT, by_array_rule(product, dot_adjoint, Some(|_| "a.dot(b)".to_owned()))),
        (&DOT_ZERO, by_array_rule(product, dot_adjoint, None)),
        (
            &ND_OUTER,
            by_loop(|_| "Array2::from_shape_fn((a.len(), b.len()), |(i, j)| a[i] * b[j])".to_owned()),
        ),
        // A closure of known code is called in a loop; no type shows what other function values do.
        (&ND_MAP, reads(pushforward::none, adjoint::none)),
        (&ND_ZIP_MAP, reads(pushforward::none, adjoint::none)),
    ]
}

/// The adjoint of a product of matrices, of vectors, or of one of each (AD3).
fn dot_adjoint(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let dy = cx.value_of(of.y, cot)?;
    let ranks = [cx.rank_of(&of.args[0]), cx.rank_of(&of.args[1])];
    if cx.is_active(&of.args[0]) {
        let b = cx.primal(&of.args[1])?;
        let dx = match ranks {
            [1, 1] => cx.op(&MUL_ZERO, [b, dy.clone()])?,
            [2, 1] => outer(cx, dy.clone(), b)?,
            [1, _] => cx.op(&DOT_ZERO, [b, dy.clone()])?,
            _ => {
                let transposed = cx.op(&ND_TRANSPOSE, [b])?;
                cx.op(&DOT_ZERO, [dy.clone(), transposed])?
            }
        };
        cx.add(&of.args[0], dx)?;
    }
    if cx.is_active(&of.args[1]) {
        let a = cx.primal(&of.args[0])?;
        let dx = match ranks {
            [1, 1] => cx.op(&MUL_ZERO, [a, dy])?,
            [1, 2] => outer(cx, a, dy)?,
            _ => {
                let transposed = cx.op(&ND_TRANSPOSE, [a])?;
                cx.op(&DOT_ZERO, [transposed, dy])?
            }
        };
        cx.add(&of.args[1], dx)?;
    }
    Ok(())
}

/// The outer product of two vectors, as a product of matrices.
fn outer(cx: &mut dyn Cotangents, column: Operand, row: Operand) -> Result<Operand, Cause> {
    let elem = cx.build().ty(&row)?.as_array().map_or(Ty::f64(), |array| array.elem);
    let lens = [cx.op(&LEN, [column.clone()])?, cx.op(&LEN, [row.clone()])?];
    let [rows, columns] = lens;
    let one = Operand::from(1_usize);
    let tall = cx.op(&ARRAY, [rows, one.clone()])?;
    let wide = cx.op(&ARRAY, [one, columns])?;
    let matrix = Ty::array(elem, 2);
    let column = cx.op_as(&ND_RESHAPE, [column, tall], matrix)?;
    let row = cx.op_as(&ND_RESHAPE, [row, wide], matrix)?;
    cx.op(&DOT_ZERO, [column, row])
}
