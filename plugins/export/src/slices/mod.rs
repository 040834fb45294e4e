//! Loop versioning: an innermost loop over consecutive elements of arrays gets a version over slices of them, which are as
//! long as the loop.
//!
//! ```text
//!                                              let xs_part = span(xs, start, n);
//!                                              if xs_part.len() == n {
//!   for i in 0..n {                                for i in 0..n {
//!       ys[i] = *elem(xs, start + i);    →             ys[i] = xs_part[i];
//!   }                                              }
//!                                              } else {
//!                                                  …as before
//!                                              }
//! ```
//!
//! rustc removes the checks of indices from the version, and vectorises it.
//!
//! - SLICES1 the version runs if all elements exist that the loop can access. An index is a sum of the counter, constants, and
//!   invariant variables and products of two of them. The start of a slice is the same sum in saturating arithmetic, so if the slice
//!   exists, no part of the sum overflows.
//! - SLICES2 where a slice does not exist, the loop runs as it was: it fails at the same place, or does not access the missing elements.
//! - SLICES3 an array that the loop writes has one slice, and the loop does not mention the array otherwise.
//! - SLICES4 versions are for plain products where a function runs by them first (PLAINFIRST1). Its repetition with strong zeros is
//!   rare, and compiling it with versions takes longer than all the rest.
//! - SLICES5 a loop that rustc cannot vectorise has no version, unless that is a sum in eight parts, or for products by
//!   invariant factors (PRODUCTS1).

mod fast_functions;
mod gains;
mod index;
mod products;
mod rewrite;
mod sums;

use overdub_context::Span;
use overdub_context::ir::{Const, Operand, Ty};
use overdub_context::ops::{self, OpDef};

use crate::ast::{Apply, Arg, Callee, Expr, Function, Local, LocalInfo, LoopKind, Stmt, StmtKind};
use crate::options::Arithmetic;
use crate::scopes::constant_index;
use crate::unused::remove_unused;
use fast_functions::replace_functions;
use gains::is_vectorisable;
use index::{Access, Accesses, Counter, Term};
pub(crate) use index::{get_index, set_index};

/// The greatest number of slices of a loop.
const MOST_SLICES: usize = 8;

/// The greatest number of statements of a loop that gets a version.
const MOST_STATEMENTS: usize = 40;

/// Adds versions over slices to the loops of a function; and, if wanted, versions for products with strong zeros whose factors are
/// invariant (PRODUCTS1).
pub(crate) fn slice_loops(function: &mut Function, arithmetic: Arithmetic, has_products: bool) {
    let mut body = std::mem::take(&mut function.body);
    let changed = in_list(&mut body, &mut function.locals, (arithmetic, has_products));
    function.body = body;
    if changed {
        remove_unused(function);
    }
}

/// Returns whether a loop got a version.
fn in_list(list: &mut [Stmt], locals: &mut Vec<LocalInfo>, how: (Arithmetic, bool)) -> bool {
    let mut changed = false;
    for stmt in list {
        for inner in stmt.lists_mut() {
            changed |= in_list(inner, locals, how);
        }
        if let Some(versions) = versions(stmt, locals, how) {
            *stmt = versions;
            changed = true;
        }
    }
    changed
}

/// A slice of an array: the elements that accesses with this sum of invariant terms can reach.
struct Slice {
    local: Local,
    array: Local,
    terms: Vec<Term>,
    /// Whether the counter is a part of the index.
    counts: bool,
    /// The least and the greatest constant part.
    offsets: (i128, i128),
    is_mut: bool,
}

impl Slice {
    fn has(&self, array: Local, access: &Access) -> bool {
        self.array == array && self.terms == access.terms && self.counts == access.counts
    }
}

/// The statement that replaces a loop, if it is one over consecutive elements.
fn versions(
    stmt: &Stmt,
    locals: &mut Vec<LocalInfo>,
    (arithmetic, has_products): (Arithmetic, bool),
) -> Option<Stmt> {
    let StmtKind::Loop { kind: LoopKind::For { counter, from, to, .. }, body, .. } = &stmt.kind else {
        return None;
    };
    let is_simple = |expr: &Expr| matches!(expr, Expr::Const(..) | Expr::Local(_));
    let is_index = locals[counter.0 as usize].ty == Ty::usize();
    if !is_simple(from) || !is_simple(to) || !is_index || body.len() > MOST_STATEMENTS {
        return None;
    }
    let counter = Counter { local: *counter, from: from.clone(), to: to.clone() };
    let accesses = Accesses::of(body, &counter, locals)?;
    let slices = slices(&accesses, locals)?;
    let chained = accesses.chained();
    let total = match arithmetic {
        Arithmetic::Exact => None,
        Arithmetic::Fast => sums::total(body, &counter, &chained, locals),
    };
    if !slices.iter().any(|slice| slice.counts) || !chained.is_empty() && total.is_none() {
        return None;
    }
    let span = stmt.span;
    let mut out = Vec::new();
    let rounds = match constant_index(from) {
        Some(0) => to.clone(),
        _ => bound(
            &mut out,
            locals,
            apply(&ops::SUB_SATURATING, Ty::usize(), [to.clone(), from.clone()], span),
            span,
        ),
    };
    for slice in &slices {
        let (least, greatest) = slice.offsets;
        let more = usize::try_from(greatest.checked_sub(least)?).ok()?;
        let (start, len) = if slice.counts {
            (counter.first(least, span)?, plus(rounds.clone(), more, span))
        } else {
            (number(usize::try_from(least).ok()?), number(more.checked_add(1)?))
        };
        let start = added(start, &slice.terms, (&mut out, locals), span);
        let kind =
            StmtKind::Slice { local: slice.local, array: slice.array, start, len, is_mut: slice.is_mut };
        out.push(Stmt { kind, span });
    }
    let mut fast = rewrite::over_slices(stmt, &counter, &accesses, &slices, locals)?;
    if arithmetic == Arithmetic::Fast {
        replace_functions(std::slice::from_mut(&mut fast));
    }
    let gains = total.is_some() || is_vectorisable(&fast, &slices);
    let fast = match total {
        Some(total) => sums::sum(fast, total)?,
        None if has_products => products::versions(fast, &slices, locals),
        None => fast,
    };
    // A branch is for products by invariant factors, of which each test costs more than a check.
    if !gains && !matches!(fast.kind, StmtKind::If { .. }) {
        return None;
    }
    let kind = StmtKind::Sliced { slices: out, over: vec![fast], otherwise: vec![stmt.clone()] };
    Some(Stmt { kind, span })
}

/// The slices of a loop (SLICES3), each with a local of its own.
fn slices(accesses: &Accesses, locals: &mut Vec<LocalInfo>) -> Option<Vec<Slice>> {
    let mut slices: Vec<Slice> = Vec::new();
    for (array, access) in &accesses.all {
        let offset = access.offset;
        match slices.iter_mut().find(|slice| slice.has(*array, access)) {
            Some(slice) => {
                slice.offsets = (slice.offsets.0.min(offset), slice.offsets.1.max(offset));
            }
            None => slices.push(Slice {
                local: Local(u32::try_from(locals.len() + slices.len()).ok()?),
                array: *array,
                terms: access.terms.clone(),
                counts: access.counts,
                offsets: (offset, offset),
                is_mut: accesses.written.contains(array),
            }),
        }
    }
    let is_alone = |slice: &Slice| slices.iter().filter(|other| other.array == slice.array).count() == 1;
    if slices.len() > MOST_SLICES || !slices.iter().all(|slice| !slice.is_mut || is_alone(slice)) {
        return None;
    }
    for slice in &slices {
        let info = &locals[slice.array.0 as usize];
        let name = info.name.as_ref().map_or("part".to_owned(), |name| format!("{name}_part"));
        locals.push(LocalInfo { ty: info.ty, name: Some(name), is_ref: true, is_mut: false });
    }
    Some(slices)
}

/// A new local with a value.
fn bound(out: &mut Vec<Stmt>, locals: &mut Vec<LocalInfo>, value: Expr, span: Span) -> Expr {
    let local = Local(locals.len() as u32);
    locals.push(LocalInfo { ty: Ty::usize(), name: None, is_ref: false, is_mut: false });
    let value = Arg::read(value);
    let kind = StmtKind::Assign { targets: vec![Some(local)], splits: false, value, declares: true };
    out.push(Stmt { kind, span });
    Expr::Local(local)
}

/// The sum of a number and terms, or the greatest number if it is larger; its parts are bound to locals.
fn added(
    first: Expr,
    terms: &[Term],
    (out, locals): (&mut Vec<Stmt>, &mut Vec<LocalInfo>),
    span: Span,
) -> Expr {
    let mut parts: Vec<Expr> = (constant_index(&first) != Some(0)).then_some(first).into_iter().collect();
    parts.extend(terms.iter().map(|term| match term {
        Term::One(local) => Expr::Local(*local),
        Term::Scaled(local, by) => {
            apply(&ops::MUL_SATURATING, Ty::usize(), [Expr::Local(*local), number(*by)], span)
        }
        Term::Product(a, b) => {
            apply(&ops::MUL_SATURATING, Ty::usize(), [Expr::Local(*a), Expr::Local(*b)], span)
        }
    }));
    let mut operand = |part: Expr| match part {
        part @ Expr::Apply(_) => bound(out, locals, part, span),
        part => part,
    };
    let sum = parts.into_iter().reduce(|sum, part| {
        let (sum, part) = (operand(sum), operand(part));
        // A method is not called of a literal.
        let both = if matches!(sum, Expr::Const(..)) { [part, sum] } else { [sum, part] };
        apply(&ops::ADD_SATURATING, Ty::usize(), both, span)
    });
    sum.unwrap_or_else(|| number(0))
}

/// A number and a constant.
fn plus(number_of: Expr, more: usize, span: Span) -> Expr {
    if more == 0 {
        number_of
    } else {
        apply(&ops::ADD_SATURATING, Ty::usize(), [number_of, number(more)], span)
    }
}

pub(crate) fn number(n: usize) -> Expr {
    match Operand::from(n) {
        Operand::Const(constant) => Expr::Const(constant, Ty::usize()),
        Operand::Var(_) => unreachable!("a number is a constant"),
    }
}

/// An operation on operands of a type, which gives a truth value or a number of elements.
pub(crate) fn apply<const N: usize>(op: &'static OpDef, of: Ty, args: [Expr; N], span: Span) -> Expr {
    let is_truth = [&ops::EQ, &ops::NE, &ops::AND, &ops::NOT, &ops::IS_FINITE].contains(&op);
    Expr::Apply(Box::new(Apply {
        callee: Callee::Op(op),
        args: args.into_iter().map(Arg::read).collect(),
        tys: vec![of; N],
        ty: if is_truth { Ty::bool() } else { Ty::usize() },
        span,
        is_exact: true,
    }))
}

impl Counter {
    /// The first value of the counter and a constant; none if the sum may be negative.
    fn first(&self, offset: i128, span: Span) -> Option<Expr> {
        match constant_index(&self.from) {
            Some(from) => {
                Some(number(usize::try_from(i128::try_from(from).ok()?.checked_add(offset)?).ok()?))
            }
            None => Some(plus(self.from.clone(), usize::try_from(offset).ok()?, span)),
        }
    }
}

/// The value of a constant that is one of the numbers of indices.
fn index_of(constant: &Const) -> Option<i128> {
    constant.value().as_index().and_then(|n| i128::try_from(n).ok())
}
