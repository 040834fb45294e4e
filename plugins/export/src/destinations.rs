//! Destination-passing style: vectors of a result are written to slices of the caller, which follow the arguments
//! ([Shaikhha et al., 2017](https://doi.org/10.1145/3122948.3122949)).
//!
//! ```text
//! fn f(x: &[f64]) -> (f64, Vec<f64>) {         fn f(x: &[f64], dx: &mut [f64]) -> f64 {
//!     let mut dx = vec![0.0; n];          →        zero(dx, n);
//!     …                                            …
//!     (y, dx)                                      y
//! }                                            }
//! ```
//!
//! - DEST1 a vector of zeros that the function makes once, changes element by element, and returns at its end is computed in
//!   the slice; others are copied there.
//! - DEST2 a slice of another length than what is written to it is a failure.

use hashbrown::HashSet;
use overdub_context::ir::{Const, Ty, TyKind};
use overdub_context::ops;
use overdub_context::value::Value;
use overdub_context::{Span, Symbol};

use crate::answer::Derived;
use crate::ast::{
    Apply, Arg, Callee, Destination, Expr, Function, Local, LocalInfo, Stmt, StmtKind, Use, mentions,
};
use crate::calls::called_by;
use crate::derivative::Derivative;
use crate::export::Wanted;
use crate::in_place::in_place_uses;
use crate::options::{Options, Results};
use crate::rust::{Role, Signature};

/// Lets the functions that are asked for write vectors to slices, and take a workspace, as the options say. Those that others call
/// are written a second time.
pub(crate) fn pass_destinations(
    all: &mut Vec<(Function, Signature)>,
    asked_for: &[Wanted],
    options: Options,
) {
    let called: HashSet<Symbol> = all.iter().flat_map(|(function, _)| called_by(function)).collect();
    let mut copies = Vec::new();
    for (function, signature) in all.iter_mut() {
        let Some(wanted) = asked_for.iter().find(|wanted| wanted.symbol == function.symbol) else { continue };
        let mut written = function.clone();
        if options.results == Results::IntoSlices {
            write_to_slices(&mut written, &wanted.derived);
        }
        written.has_workspace = options.has_workspace;
        if let (Some(doc), false) = (&mut signature.doc, written.destinations.is_empty()) {
            doc.push_str(
                "\n\nVectors are written to the slices after the arguments, which must have their lengths.",
            );
        }
        if !called.contains(&function.symbol) {
            *function = written;
        } else if written.has_workspace || !written.destinations.is_empty() {
            written.symbol = symbol(function.symbol);
            let (name, doc) = (signature.name.take(), signature.doc.take());
            let refs = signature.refs.clone();
            let signature = Signature { symbol: written.symbol, name, doc, refs, role: Role::None };
            copies.push((written, signature));
        }
    }
    all.splice(0..0, copies);
}

/// The symbol of the second version of a function that others call.
pub(crate) fn symbol(of: Symbol) -> Symbol {
    Symbol::new(&format!("{of}.into"))
}

/// The name of the slice for a part of a result: that of the parameter whose derivative it is after a `d`, or after an `h`
/// for a product with the Hessian. Those of the gradients of several floats have the number of the float, too.
pub(crate) fn part_name(function: &Function, derived: Option<&Derived>, part: usize) -> String {
    let named = |local: &Local| function.locals[local.0 as usize].name.clone();
    let Some(derived) = derived else { return "y".to_owned() };
    let values = usize::from(!derived.lacks_value());
    let Some(number) = part.checked_sub(values) else { return "y".to_owned() };
    if derived.derivative == Derivative::Jvp {
        return "dy".to_owned();
    }
    let params = function.params.iter().zip(&derived.returned).filter(|(_, returned)| **returned);
    let params: Vec<&Local> = params.map(|(param, _)| param).collect();
    let (row, number) = match derived.derivative {
        Derivative::Gradients | Derivative::ValueAndGradients => {
            let count = params.len().max(1);
            (format!("{}", number / count), number % count)
        }
        _ => (String::new(), number),
    };
    let letter = if derived.derivative == Derivative::Hvp { 'h' } else { 'd' };
    let name = params.get(number).and_then(|param| named(param)).map(|name| format!("{letter}{name}{row}"));
    name.unwrap_or_else(|| "derivatives".to_owned())
}

/// Lets a function write the vectors of its result to slices.
fn write_to_slices(function: &mut Function, derived: &Option<Derived>) {
    let names = |function: &Function, part: usize| part_name(function, derived.as_ref(), part);
    let is_tuple = matches!(function.ret.kind(), TyKind::Tuple(_));
    let parts = match function.ret.kind() {
        TyKind::Tuple(parts) => parts.to_vec(),
        _ => vec![function.ret],
    };
    let floats = Ty::array(Ty::f64(), 1);
    let written: Vec<usize> = (0..parts.len()).filter(|part| parts[*part] == floats).collect();
    if written.is_empty() {
        return;
    }
    let rest: Vec<Ty> =
        (0..parts.len()).filter(|part| !written.contains(part)).map(|part| parts[part]).collect();
    let slice = |part: &usize| {
        let name = names(function, *part);
        if let Some(local) = made_for(function, *part, is_tuple) {
            let info = &mut function.locals[local.0 as usize];
            (info.is_ref, info.is_mut) = (true, false);
            info.name = info.name.take().filter(|_| derived.is_none()).or(Some(name));
            return (Some(local), local);
        }
        let info = LocalInfo { ty: floats, name: Some(name), is_ref: true, is_mut: false };
        (None, add(function, info))
    };
    let slices: Vec<(Option<Local>, Local)> = written.iter().map(slice).collect();
    for local in slices.iter().filter_map(|(made, _)| *made) {
        function.body.iter_mut().for_each(|stmt| zero(stmt, local));
    }
    let to: Vec<(usize, Option<Local>)> = written
        .iter()
        .zip(&slices)
        .map(|(part, (made, slice))| (*part, made.is_none().then_some(*slice)))
        .collect();
    let mut body = std::mem::take(&mut function.body);
    returns(&mut body, function, &parts, &to, is_tuple);
    function.body = body;
    let parts_of_slices = written.iter().zip(&slices);
    function.destinations =
        parts_of_slices.map(|(&part, (_, slice))| Destination { slice: *slice, part }).collect();
    function.ret = match &rest[..] {
        [] => Ty::unit(),
        [one] if is_tuple => *one,
        _ => Ty::tuple(rest),
    };
}

fn add(function: &mut Function, info: LocalInfo) -> Local {
    function.locals.push(info);
    Local((function.locals.len() - 1) as u32)
}

/// The vector that becomes a part of the result, if it is made of zeros for that alone (DEST1).
fn made_for(function: &Function, part: usize, is_tuple: bool) -> Option<Local> {
    let mut all = Vec::new();
    returned_values(&function.body, &mut all);
    let moved = |value: &&Arg| {
        let returned = match &value.expr {
            Expr::Apply(apply) if is_tuple && apply.callee == Callee::Op(&ops::TUPLE) => {
                apply.args.get(part)?
            }
            Expr::Local(_) if !is_tuple => value,
            _ => return None,
        };
        match *returned {
            Arg { expr: Expr::Local(local), how: Use::Move } => Some(local),
            _ => None,
        }
    };
    let local = all.first().and_then(moved)?;
    let is_always_it = all.iter().all(|value| moved(value) == Some(local));
    let declarations = function.body.iter().filter(|stmt| zeros_of(stmt, local).is_some()).count();
    let uses: usize = function.body.iter().map(|stmt| in_place_uses(stmt, local)).sum();
    // The declaration, uses in place, and where it is returned.
    let is_all = mentions(&function.body, local) == 1 + uses + all.len();
    (is_always_it && declarations == 1 && is_all).then_some(local)
}

/// The values that statements return.
fn returned_values<'s>(list: &'s [Stmt], found: &mut Vec<&'s Arg>) {
    for stmt in list {
        if let StmtKind::Return(value) = &stmt.kind {
            found.push(value);
        }
        stmt.lists().into_iter().for_each(|inner| returned_values(inner, found));
    }
}

/// The length of the vector of zeros that a statement declares a local to be.
fn zeros_of(stmt: &Stmt, local: Local) -> Option<&Expr> {
    let StmtKind::Assign { targets, splits: false, value, declares: true } = &stmt.kind else { return None };
    let Expr::Apply(apply) = &value.expr else { return None };
    let [Arg { expr: Expr::Const(zero, _), .. }, len] = &apply.args[..] else { return None };
    let is_zero = matches!(zero.value(), Value::F64(x) if x.to_bits() == 0);
    let makes = targets[..] == [Some(local)] && apply.callee == Callee::Op(&ops::REPEAT) && is_zero;
    makes.then_some(&len.expr)
}

/// Zeros a slice where its vector was made.
fn zero(stmt: &mut Stmt, local: Local) {
    if let Some(len) = zeros_of(stmt, local).cloned() {
        stmt.kind = StmtKind::Zero { slice: local, len };
    }
}

/// Writes parts of the result to slices where a list returns it, unless they are there.
fn returns(
    list: &mut Vec<Stmt>,
    function: &mut Function,
    parts: &[Ty],
    to: &[(usize, Option<Local>)],
    is_tuple: bool,
) {
    let mut at = 0;
    while at < list.len() {
        list[at].lists_mut().into_iter().for_each(|inner| returns(inner, function, parts, to, is_tuple));
        if let StmtKind::Return(value) = &list[at].kind {
            let (value, span) = (value.clone(), list[at].span);
            let made = returned(value, span, function, parts, to, is_tuple);
            let count = made.len();
            list.splice(at..=at, made);
            at += count;
        } else {
            at += 1;
        }
    }
}

/// The statements that return a value in parts.
fn returned(
    value: Arg,
    span: Span,
    function: &mut Function,
    parts: &[Ty],
    to: &[(usize, Option<Local>)],
    is_tuple: bool,
) -> Vec<Stmt> {
    let mut made = Vec::new();
    let args = match value {
        Arg { expr: Expr::Apply(apply), .. } if is_tuple && apply.callee == Callee::Op(&ops::TUPLE) => {
            apply.args
        }
        value if !is_tuple => vec![value],
        value => {
            let locals: Vec<Local> = parts
                .iter()
                .map(|ty| add(function, LocalInfo { ty: *ty, name: None, is_ref: false, is_mut: false }))
                .collect();
            let targets = locals.iter().copied().map(Some).collect();
            made.push(Stmt { kind: StmtKind::Assign { targets, splits: true, value, declares: true }, span });
            let moved = |local| Arg { expr: Expr::Local(local), how: Use::Move };
            locals.into_iter().map(moved).collect()
        }
    };
    let mut rest = Vec::new();
    for (number, arg) in args.into_iter().enumerate() {
        match to.iter().find(|(part, _)| *part == number) {
            Some((_, Some(slice))) => {
                made.push(Stmt { kind: StmtKind::Copy { slice: *slice, from: arg.expr }, span });
            }
            Some((_, None)) => {}
            None => rest.push((arg, parts[number])),
        }
    }
    let value = match (rest.pop(), rest.is_empty()) {
        (None, _) => Arg::read(Expr::Const(Const::new(Value::Unit).expect("it is data"), Ty::unit())),
        (Some((one, _)), true) => one,
        (Some(last), false) => {
            rest.push(last);
            let (args, tys): (Vec<Arg>, Vec<Ty>) = rest.into_iter().unzip();
            let ty = Ty::tuple(tys.clone());
            let callee = Callee::Op(&ops::TUPLE);
            Arg::read(Expr::Apply(Box::new(Apply { callee, args, tys, ty, span, is_exact: true })))
        }
    };
    made.push(Stmt { kind: StmtKind::Return(value), span });
    made
}
