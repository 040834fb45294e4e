//! The trees as which programs are drawn; their numbers are choices, taken modulo the number of alternatives.

use proptest::collection::vec;
use proptest::prelude::*;

use super::universe::Focus;
use super::{Program, lower};

/// An expression; its meaning depends on the type required in its place.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) choice: u8,
    pub(super) parts: Vec<Expr>,
}

/// A statement.
#[derive(Clone, Debug)]
pub(super) enum Stmt {
    /// Declares a variable of this type.
    Let(u8, Expr),
    /// Assigns to a variable.
    Assign(u8, Expr),
    /// Changes a part of a variable: an element, a field, the content of a cell.
    Update(u8, Expr),
    /// Prints text.
    Print(Expr),
    /// A conditional.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// A bounded loop.
    Loop(u8, Vec<Stmt>),
    /// A switch with a case for each variant of an enum, or for some integers.
    Switch(u8, Expr, Vec<Vec<Stmt>>),
    /// Breaks out of the innermost loop, or continues with its next iteration.
    LeaveLoop(u8, Expr),
    /// Leaves the function with a result or a failure.
    Return(u8, Expr, Expr),
}

/// A function.
#[derive(Clone, Debug)]
pub(super) struct FuncTree {
    pub(super) params: Vec<u8>,
    pub(super) ret: u8,
    pub(super) body: Vec<Stmt>,
    pub(super) result: Expr,
}

/// Programs of up to four functions, with arguments for `@main`.
pub fn programs() -> impl Strategy<Value = Program> {
    let func = (vec(any::<u8>(), 0..4), any::<u8>(), vec(stmt(), 0..6), expr());
    let func = func.prop_map(|(params, ret, body, result)| FuncTree { params, ret, body, result });
    let focus = prop_oneof![Just(Focus::Everything), Just(Focus::Floats)];
    (focus, vec(func, 1..5), vec(any::<u8>(), 0..4))
        .prop_map(|(focus, funcs, args)| lower::program(focus, &funcs, &args))
}

fn expr() -> impl Strategy<Value = Expr> {
    let leaf = any::<u8>().prop_map(|choice| Expr { choice, parts: Vec::new() });
    leaf.prop_recursive(4, 24, 3, |inner| {
        (any::<u8>(), vec(inner, 1..4)).prop_map(|(choice, parts)| Expr { choice, parts })
    })
}

fn stmt() -> impl Strategy<Value = Stmt> {
    let leaf = prop_oneof![
        4 => (any::<u8>(), expr()).prop_map(|(ty, value)| Stmt::Let(ty, value)),
        3 => (any::<u8>(), expr()).prop_map(|(var, value)| Stmt::Assign(var, value)),
        4 => (any::<u8>(), expr()).prop_map(|(var, value)| Stmt::Update(var, value)),
        1 => expr().prop_map(Stmt::Print),
        1 => (any::<u8>(), expr()).prop_map(|(choice, cond)| Stmt::LeaveLoop(choice, cond)),
        1 => (any::<u8>(), expr(), expr()).prop_map(|(choice, cond, value)| Stmt::Return(choice, cond, value)),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        let stmts = || vec(inner.clone(), 0..4);
        prop_oneof![
            (expr(), stmts(), stmts()).prop_map(|(cond, then, other)| Stmt::If(cond, then, other)),
            (any::<u8>(), stmts()).prop_map(|(iterations, body)| Stmt::Loop(iterations, body)),
            (any::<u8>(), expr(), vec(stmts(), 1..4)).prop_map(|(ty, on, arms)| Stmt::Switch(ty, on, arms)),
        ]
    })
}
