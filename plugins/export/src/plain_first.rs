//! Derivatives by plain products first, and again with strong zeros where one is NaN.
//!
//! - PLAINFIRST1 zero times infinity is zero in derivatives, which costs a test for each product and keeps loops from being
//!   vectorised. Plain products differ from that only by NaN (`overdub_ad::transform`, ZEROS2), so that a derivative runs by plain
//!   products, and again with strong zeros if one of its floats is NaN.
//! - PLAINFIRST2 both are one text: functions with such products have the constant parameter `STRONG`.
//! - PLAINFIRST3 derivatives without products in loops are as they were: testing them costs no less.

use hashbrown::{HashMap, HashSet};
use overdub_context::Symbol;
use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops;

use crate::ast::{Callee, Destination, Function, Local, Stmt, StmtKind};
use crate::calls::{called_by, each_apply, recursive};
use crate::rust::{Role, Signature};

/// Expressions of the result `found`, and slices of the caller, which tell whether a derivative is NaN.
struct Tests {
    tests: Vec<String>,
    slices: Vec<Local>,
}

/// Sets the roles of functions, among which those in `derivatives` may be computed by plain products first; for each of them,
/// the number of parts of its result that come before derivatives. A program calls `main`.
pub(crate) fn set_roles(
    functions: &mut [(Function, Signature)],
    derivatives: &HashMap<Symbol, usize>,
    main: Option<Symbol>,
) {
    let recursive = recursive(functions.iter().map(|(function, _)| function));
    let tests = functions.iter().filter_map(|(function, _)| {
        let values = derivatives.get(&function.symbol).filter(|_| !recursive.contains(&function.symbol))?;
        Some((function.symbol, tests(function, *values)?))
    });
    let mut tests: HashMap<Symbol, Tests> = tests.collect();
    let is_affected = |function: &Function, generic: &HashSet<Symbol>| {
        has_strong(&function.body) || called_by(function).iter().any(|name| generic.contains(name))
    };
    let mut generic: HashSet<Symbol> = HashSet::new();
    loop {
        let before = generic.len();
        for (function, signature) in &*functions {
            // Others call these, without the parameter.
            let is_entry = signature.name.is_some() || main == Some(function.symbol);
            if !is_entry && is_affected(function, &generic) {
                generic.insert(function.symbol);
            }
        }
        if generic.len() == before {
            break;
        }
    }
    let repeats = |function: &Function| {
        recursive.contains(&function.symbol) && generic.contains(&function.symbol)
            || in_loops(&function.body, &generic)
    };
    if !functions.iter().any(|(function, _)| repeats(function)) {
        return;
    }
    for (function, _) in functions.iter().filter(|(function, _)| !is_affected(function, &generic)) {
        tests.remove(&function.symbol);
    }
    if tests.is_empty() {
        return;
    }
    for (function, signature) in functions {
        signature.role = match tests.remove(&function.symbol) {
            Some(Tests { tests, slices }) => Role::Chooses { tests, slices },
            None if generic.contains(&function.symbol) => Role::Generic,
            None => Role::None,
        };
    }
}

/// Whether statements, not those of functions that they call, have products with strong zeros.
fn has_strong(list: &[Stmt]) -> bool {
    let mut found = false;
    each_apply(list, &mut |apply| found |= apply.callee == Callee::Op(&ops::MUL_ZERO));
    found
}

/// Whether statements in loops have such products, or call functions that have.
fn in_loops(list: &[Stmt], generic: &HashSet<Symbol>) -> bool {
    list.iter().any(|stmt| {
        if !matches!(stmt.kind, StmtKind::Loop { .. }) {
            return stmt.lists().into_iter().any(|inner| in_loops(inner, generic));
        }
        let mut found = false;
        each_apply(std::slice::from_ref(stmt), &mut |apply| {
            found |= match apply.callee {
                Callee::Op(op) => op == &ops::MUL_ZERO,
                Callee::Func(name) => generic.contains(&name),
                Callee::Value => false,
            };
        });
        found
    })
}

/// How to find out whether derivatives are NaN, which follow some parts of the result; none if there is no simple way.
fn tests(function: &Function, values: usize) -> Option<Tests> {
    let (of_values, derivatives): (Vec<&Destination>, Vec<&Destination>) =
        function.destinations.iter().partition(|to| to.part < values);
    let slices: Vec<Local> = derivatives.into_iter().map(|to| to.slice).collect();
    // The parts that are returned.
    let values = values - of_values.len();
    let mut tests = Vec::new();
    match function.ret.kind() {
        TyKind::Unit if !slices.is_empty() => {}
        TyKind::Tuple(parts) => {
            for (number, part) in parts.iter().enumerate().skip(values) {
                tests.extend(test(&format!("found.{number}"), *part)?);
            }
        }
        _ if values == 0 => tests.extend(test("found", function.ret)?),
        _ if !slices.is_empty() => {}
        _ => return None,
    }
    (!slices.is_empty() || !tests.is_empty()).then_some(Tests { tests, slices })
}

fn test(place: &str, ty: Ty) -> Option<Vec<String>> {
    match ty.kind() {
        _ if ty == Ty::f64() || ty == Ty::f32() => Some(vec![format!("{place}.is_nan()")]),
        TyKind::Array(array) if array.rank == 1 && array.elem == Ty::f64() => {
            Some(vec![format!("any_nan(&{place})")])
        }
        TyKind::Array(array) if array.rank == 1 => match array.elem.kind() {
            TyKind::Array(inner) if inner.rank == 1 && inner.elem == Ty::f64() => {
                Some(vec![format!("{place}.iter().any(|row| any_nan(row))")])
            }
            _ => None,
        },
        TyKind::Tuple(parts) => {
            let tests =
                parts.iter().enumerate().map(|(number, part)| test(&format!("{place}.{number}"), *part));
            Some(tests.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
        }
        _ => None,
    }
}
