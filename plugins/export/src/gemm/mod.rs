//! Matrix products: a nest of three loops that adds the products of two matrices' elements to those of a third becomes a call of a
//! kernel, which keeps tiles of the third in registers (Goto and van de Geijn, *Anatomy of high-performance matrix
//! multiplication*, ACM Transactions on Mathematical Software 34, 2008).
//!
//! ```text
//!   for i in 0..m {                                                if is_matrix_product(…) {
//!       for k in 0..inner {                                            add_matrix_product(
//!           for j in 0..n {                                  →             c, [0, n], a, [0, inner, 1], b, [0, n, 1], [m, n, inner]);
//!               c[i * n + j] += a[i * inner + k] * b[k * n + j];   } else {
//!           }                                                          …as before
//!       }                                                          }
//!   }
//! ```
//!
//! - GEMM1 each element gets its products in the order of the nest, so its bits are the same.
//! - GEMM2 the kernel runs if all elements exist that the nest accesses, and no element of the third matrix is two: so nothing in
//!   the nest fails. Otherwise the nest runs as it was.
//! - GEMM3 a nest may add several products to matrices that it does not read otherwise, and reset elements that it has read, as adjoints
//!   of products and stores do (loop distribution): the products are added one after the other, and resets come last.

mod affine;
mod nest;
mod reductions;

use overdub_context::Span;
use overdub_context::ir::Ty;
use overdub_context::ops::OpDef;

use crate::ast::{Expr, Function, Local, LocalInfo, MatrixProduct, Reduction, Stmt, StmtKind};
use crate::slices::apply;
use affine::{Index, Sum};
use nest::Nest;
use reductions::Update;

/// Calls kernels for the matrix products of a function. Those with strong zeros are among them if the function runs by plain
/// products first (PLAINFIRST1).
pub(crate) fn call_matrix_kernels(function: &mut Function, is_plain_first: bool) {
    let mut body = std::mem::take(&mut function.body);
    in_list(&mut body, &mut function.locals, is_plain_first);
    function.body = body;
}

fn in_list(list: &mut [Stmt], locals: &mut Vec<LocalInfo>, is_plain_first: bool) {
    for stmt in list {
        match products(stmt, locals, is_plain_first) {
            Some((products, resets)) => {
                for _ in &products {
                    locals.push(LocalInfo { ty: Ty::bool(), name: None, is_ref: false, is_mut: false });
                }
                let otherwise = vec![stmt.clone()];
                stmt.kind = StmtKind::MatrixProducts { products, resets, otherwise };
            }
            None => stmt.lists_mut().into_iter().for_each(|inner| in_list(inner, locals, is_plain_first)),
        }
    }
}

/// The products that a nest of loops adds, and what it resets, if it does nothing else.
fn products(
    stmt: &Stmt,
    locals: &[LocalInfo],
    is_plain_first: bool,
) -> Option<(Vec<MatrixProduct>, Vec<Stmt>)> {
    let nest = Nest::of(stmt, locals)?;
    let updates = nest.updates()?;
    let numbered = updates.iter().enumerate();
    let products = numbered.map(|(number, update)| {
        let fits = Local(u32::try_from(locals.len() + number).ok()?);
        product(update, &nest, (fits, stmt.span))
    });
    let products: Vec<MatrixProduct> = products.collect::<Option<_>>()?;
    let are_kernels = products.iter().all(|product| !product.is_strong || is_plain_first);
    are_kernels.then(|| (products, nest.of_resets().into_iter().collect()))
}

fn product(update: &Update, nest: &Nest, (fits, span): (Local, Span)) -> Option<MatrixProduct> {
    let Update { to, reduction, factors: [x, y], is_strong } = update;
    // What is reduced does not depend on the order of the sum, and its columns are adjacent.
    let inner = (0..3).find(|&of| to.index.stride(of).is_zero())?;
    let columns = (0..3).find(|&of| to.index.stride(of).is_one())?;
    let rows = (0..3).find(|of| ![columns, inner].contains(of))?;
    let is_of_columns = |factor: &Index| !factor.stride(columns).is_zero();
    let (a, b) = if is_of_columns(&x.index) { (y, x) } else { (x, y) };
    let is_product = is_of_columns(&b.index)
        && b.index.stride(rows).is_zero()
        && !is_of_columns(&a.index)
        && !to.index.stride(rows).is_zero()
        && !to.index.stride(rows).is_one()
        && (matches!(reduction, Reduction::InPlace) || inner == 2);
    let at = |sum: Sum| sum.expr(span);
    is_product.then(|| MatrixProduct {
        fits,
        to: to.array,
        a: a.array,
        b: b.array,
        to_at: [to.index.base(), to.index.stride(rows)].map(at),
        a_at: [a.index.base(), a.index.stride(rows), a.index.stride(inner)].map(at),
        b_at: [b.index.base(), b.index.stride(inner), b.index.stride(columns)].map(at),
        sizes: [rows, columns, inner].map(|of| nest.loops[of].to.clone()),
        reduction: reduction.clone(),
        is_strong: *is_strong,
        is_reversed: nest.loops[inner].is_reversed,
    })
}

/// A sum or product that is the greatest number where it does not fit.
fn saturating(op: &'static OpDef, args: [Expr; 2], span: Span) -> Expr {
    apply(op, Ty::usize(), args, span)
}
