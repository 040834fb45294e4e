//! The trees that programs are drawn as; their numbers are choices, taken modulo what there is to choose from.

use proptest::collection::vec;
use proptest::prelude::*;

use super::{Program, lower};

/// Any expression: what it computes depends on the type that is wanted in its place.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) choice: u8,
    pub(super) parts: Vec<Expr>,
}

/// Any statement.
#[derive(Clone, Debug)]
pub(super) enum Stmt {
    /// A new variable of this type.
    Let(u8, Expr),
    /// Another value for a variable.
    Assign(u8, Expr),
    /// A part of a variable changed: an element, a field, the content of a cell.
    Update(u8, Expr),
    /// Text on the output.
    Print(Expr),
    /// Two ways.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// A bounded loop.
    Loop(u8, Vec<Stmt>),
    /// A way for each variant of an enum, or for some integers.
    Switch(u8, Expr, Vec<Vec<Stmt>>),
    /// Out of the innermost loop, or on to its next round.
    Leave(u8, Expr),
    /// Out of the function, by a result or a failure.
    Return(u8, Expr, Expr),
}

/// Any function.
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
    (vec(func, 1..5), vec(any::<u8>(), 0..4)).prop_map(|(funcs, args)| lower::program(&funcs, &args))
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
        1 => (any::<u8>(), expr()).prop_map(|(way, cond)| Stmt::Leave(way, cond)),
        1 => (any::<u8>(), expr(), expr()).prop_map(|(way, cond, value)| Stmt::Return(way, cond, value)),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        let stmts = || vec(inner.clone(), 0..4);
        prop_oneof![
            (expr(), stmts(), stmts()).prop_map(|(cond, then, other)| Stmt::If(cond, then, other)),
            (any::<u8>(), stmts()).prop_map(|(rounds, body)| Stmt::Loop(rounds, body)),
            (any::<u8>(), expr(), vec(stmts(), 1..4)).prop_map(|(ty, on, arms)| Stmt::Switch(ty, on, arms)),
        ]
    })
}
