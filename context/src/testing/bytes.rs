//! Programs decoded from bytes, so that a fuzzer that mutates bytes mutates programs.
//!
//! Any bytes decode to a program. At their end every choice is the first one, which is a leaf, so decoding
//! terminates. Expressions and statements are nested no deeper than those that proptest draws.

use super::tree::{Expr, FuncTree, Stmt};
use super::universe::Focus;
use super::{Program, lower};

/// The maximum nesting of expressions.
const EXPRS: u8 = 4;
/// The maximum nesting of statements.
const STMTS: u8 = 3;

/// The remaining bytes.
struct Bytes<'b>(&'b [u8]);

impl Bytes<'_> {
    /// The next byte, zero at the end.
    fn next(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    /// Reads a list of fewer than `below` items.
    fn list<T>(&mut self, below: u8, read: impl Fn(&mut Self) -> T) -> Vec<T> {
        (0..self.next() % below).map(|_| read(self)).collect()
    }

    fn func(&mut self) -> FuncTree {
        let params = self.list(4, Bytes::next);
        let ret = self.next();
        let body = self.list(6, |bytes| bytes.stmt(STMTS));
        FuncTree { params, ret, body, result: self.expr(EXPRS) }
    }

    fn expr(&mut self, depth: u8) -> Expr {
        let choice = self.next();
        let parts = match depth.checked_sub(1) {
            Some(depth) => self.list(4, |bytes| bytes.expr(depth)),
            None => Vec::new(),
        };
        Expr { choice, parts }
    }

    fn whole_expr(&mut self) -> Expr {
        self.expr(EXPRS)
    }

    fn stmt(&mut self, depth: u8) -> Stmt {
        let form = self.next();
        match depth.checked_sub(1) {
            Some(depth) if form % 9 >= 6 => self.nested(form % 9, depth),
            _ => self.leaf(form % 6),
        }
    }

    fn leaf(&mut self, form: u8) -> Stmt {
        match form {
            0 => Stmt::Let(self.next(), self.whole_expr()),
            1 => Stmt::Assign(self.next(), self.whole_expr()),
            2 => Stmt::Update(self.next(), self.whole_expr()),
            3 => Stmt::Print(self.whole_expr()),
            4 => Stmt::LeaveLoop(self.next(), self.whole_expr()),
            _ => Stmt::Return(self.next(), self.whole_expr(), self.whole_expr()),
        }
    }

    fn nested(&mut self, form: u8, depth: u8) -> Stmt {
        let stmts = |bytes: &mut Self| bytes.list(4, |bytes| bytes.stmt(depth));
        match form {
            6 => Stmt::If(self.whole_expr(), stmts(self), stmts(self)),
            7 => Stmt::Loop(self.next(), stmts(self)),
            _ => {
                let (choice, on, first) = (self.next(), self.whole_expr(), stmts(self));
                let others = self.list(3, stmts);
                Stmt::Switch(choice, on, std::iter::once(first).chain(others).collect())
            }
        }
    }
}

impl Program {
    /// The program encoded by these bytes; every program that [`super::programs`] draws has an encoding.
    pub fn of_bytes(bytes: &[u8]) -> Program {
        let mut bytes = Bytes(bytes);
        let focus = if bytes.next() % 2 == 0 { Focus::Everything } else { Focus::Floats };
        let args = [(); 4].map(|()| bytes.next());
        let first = bytes.func();
        let others = bytes.list(4, Bytes::func);
        let trees: Vec<FuncTree> = std::iter::once(first).chain(others).collect();
        lower::program(focus, &trees, &args)
    }
}
