//! Programs with mutable variables, run as trees and as the SSA form that the builder makes of them.

use overdub_context::interp::Interpreter;
use overdub_context::ir::{Block, BuildError, Func, FuncBuilder, Module, Operand, Ty};
use overdub_context::ops;
use overdub_context::ssa::{SsaBuilder, Variable};
use overdub_context::verify::verify;
use proptest::prelude::*;

const VARIABLES: usize = 4;

#[derive(Clone, Debug)]
enum Stmt {
    /// `to = a * 3 + b`, wrapping.
    Set(usize, usize, usize),
    Swap(usize, usize),
    /// If the variable is even.
    If(usize, Vec<Stmt>, Vec<Stmt>),
    Loop(i64, Vec<Stmt>),
    /// Out of the innermost loop (or on to its next round) if the variable is even.
    Leave(Leave, usize),
    Return(usize, usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Leave {
    Break,
    Continue,
}

fn stmts() -> impl Strategy<Value = Vec<Stmt>> {
    let var = || 0..VARIABLES;
    let leave = prop_oneof![Just(Leave::Break), Just(Leave::Continue)];
    let leaf = prop_oneof![
        4 => (var(), var(), var()).prop_map(|(to, a, b)| Stmt::Set(to, a, b)),
        2 => (var(), var()).prop_map(|(a, b)| Stmt::Swap(a, b)),
        2 => (leave, var()).prop_map(|(leave, var)| Stmt::Leave(leave, var)),
        1 => (var(), var()).prop_map(|(cond, var)| Stmt::Return(cond, var)),
    ];
    let stmt = leaf.prop_recursive(4, 30, 5, move |inner| {
        let list = || prop::collection::vec(inner.clone(), 0..5);
        prop_oneof![
            (var(), list(), list()).prop_map(|(cond, then, other)| Stmt::If(cond, then, other)),
            (0_i64..4, list()).prop_map(|(rounds, body)| Stmt::Loop(rounds, body)),
        ]
    });
    prop::collection::vec(stmt, 0..8)
}

/// Why statements stopped before their end.
enum Stop {
    Leave(Leave),
    Return(i64),
}

/// Runs the tree on variables in memory.
fn walk(stmts: &[Stmt], vars: &mut [i64; VARIABLES]) -> Option<Stop> {
    for stmt in stmts {
        match stmt {
            Stmt::Set(to, a, b) => vars[*to] = vars[*a].wrapping_mul(3).wrapping_add(vars[*b]),
            Stmt::Swap(a, b) => vars.swap(*a, *b),
            Stmt::If(cond, then, other) => {
                if let Some(stop) = walk(if vars[*cond] & 1 == 0 { then } else { other }, vars) {
                    return Some(stop);
                }
            }
            Stmt::Loop(rounds, body) => {
                for _ in 0..*rounds {
                    match walk(body, vars) {
                        Some(Stop::Leave(Leave::Break)) => break,
                        Some(Stop::Return(value)) => return Some(Stop::Return(value)),
                        Some(Stop::Leave(Leave::Continue)) | None => {}
                    }
                }
            }
            Stmt::Leave(leave, cond) if vars[*cond] & 1 == 0 => return Some(Stop::Leave(*leave)),
            Stmt::Return(cond, var) if vars[*cond] & 1 == 0 => return Some(Stop::Return(vars[*var])),
            Stmt::Leave(..) | Stmt::Return(..) => {}
        }
    }
    None
}

struct Lowering {
    build: SsaBuilder,
    /// Which blocks are sealed as soon as they can be, by the bits, again and again; others when the function is
    /// finished.
    sealed: u64,
    vars: [Variable; VARIABLES],
    loops: Vec<(Block, Block)>,
}

impl Lowering {
    fn is_even(&mut self, var: usize) -> Result<Operand, BuildError> {
        let value = self.build.read_variable(self.vars[var])?;
        let bit = self.build.op(&ops::AND, [value, 1_i64.into()])?;
        Ok(self.build.op(&ops::EQ, [bit.into(), Operand::from(0_i64)])?.into())
    }

    fn go_on(&mut self, block: Block) -> Result<(), BuildError> {
        self.build.switch_to(block)?;
        self.seal(block);
        Ok(())
    }

    fn seal(&mut self, block: Block) {
        if self.sealed >> (block.0 % u64::BITS) & 1 == 1 {
            self.build.seal_block(block);
        }
    }

    fn br(&mut self, block: Block) -> Result<(), BuildError> {
        self.build.br(block, [] as [Operand; 0])
    }

    fn stmts(&mut self, stmts: &[Stmt]) -> Result<(), BuildError> {
        stmts.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), BuildError> {
        match stmt {
            Stmt::Set(to, a, b) => {
                let [a, b] = [*a, *b].map(|var| self.build.read_variable(self.vars[var]));
                let product = self.build.op(&ops::MUL_WRAPPING, [a?, 3_i64.into()])?;
                let sum = self.build.op(&ops::ADD_WRAPPING, [product.into(), b?])?;
                self.build.write_variable(self.vars[*to], sum)
            }
            Stmt::Swap(a, b) => {
                let [x, y] = [*a, *b].map(|var| self.build.read_variable(self.vars[var]));
                self.build.write_variable(self.vars[*a], y?)?;
                self.build.write_variable(self.vars[*b], x?)
            }
            Stmt::If(cond, then, other) => {
                let cond = self.is_even(*cond)?;
                let [yes, no, join] = [(); 3].map(|()| self.build.new_block());
                self.build.br_if(cond, yes.into(), no.into())?;
                for (block, stmts) in [(yes, then), (no, other)] {
                    self.go_on(block)?;
                    self.stmts(stmts)?;
                    self.br(join)?;
                }
                self.go_on(join)
            }
            Stmt::Loop(rounds, body) => {
                let counter = self.build.declare_variable(Ty::i64(), None);
                self.build.write_variable(counter, *rounds)?;
                let [head, inside, next, done] = [(); 4].map(|()| self.build.new_block());
                self.br(head)?;
                self.build.switch_to(head)?;
                let left = self.build.read_variable(counter)?;
                let go = self.build.op(&ops::GT, [left, 0_i64.into()])?;
                self.build.br_if(go, inside.into(), done.into())?;
                self.go_on(inside)?;
                self.loops.push((next, done));
                self.stmts(body)?;
                self.loops.pop();
                self.br(next)?;
                self.go_on(next)?;
                let left = self.build.read_variable(counter)?;
                let left = self.build.op(&ops::SUB, [left, 1_i64.into()])?;
                self.build.write_variable(counter, left)?;
                self.br(head)?;
                self.seal(head);
                self.go_on(done)
            }
            Stmt::Leave(leave, cond) => {
                let cond = self.is_even(*cond)?;
                let stay = self.build.new_block();
                let to = match (self.loops.last(), leave) {
                    (Some(&(_, done)), Leave::Break) => done,
                    (Some(&(next, _)), Leave::Continue) => next,
                    (None, _) => {
                        let out = self.build.new_block();
                        self.build.br_if(cond, out.into(), stay.into())?;
                        self.go_on(out)?;
                        self.build.ret(-1_i64)?;
                        return self.go_on(stay);
                    }
                };
                self.build.br_if(cond, to.into(), stay.into())?;
                self.go_on(stay)
            }
            Stmt::Return(cond, var) => {
                let cond = self.is_even(*cond)?;
                let [out, stay] = [(); 2].map(|()| self.build.new_block());
                self.build.br_if(cond, out.into(), stay.into())?;
                self.go_on(out)?;
                let value = self.build.read_variable(self.vars[*var])?;
                self.build.ret(value)?;
                self.go_on(stay)
            }
        }
    }
}

fn lower(stmts: &[Stmt], sealed: u64) -> Result<Func, BuildError> {
    let mut build = SsaBuilder::new(FuncBuilder::new("f", Ty::i64()));
    let vars = [0_i64, 1, 2, 3].map(|n| {
        let param = build.param(&format!("p{n}"), Ty::i64());
        let variable = build.declare_variable(Ty::i64(), Some(&format!("x{n}")));
        build.write_variable(variable, param).map(|()| variable)
    });
    let vars = match vars {
        [Ok(a), Ok(b), Ok(c), Ok(d)] => [a, b, c, d],
        _ => unreachable!("a parameter has its own type"),
    };
    let mut lowering = Lowering { build, sealed, vars, loops: Vec::new() };
    lowering.stmts(stmts)?;
    let result = lowering.build.read_variable(vars[0])?;
    lowering.build.ret(result)?;
    lowering.build.finish()
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(256))]

    #[test]
    fn ssa_form_computes_what_the_variables_would(
        stmts in stmts(),
        start in any::<[i64; VARIABLES]>(),
        sealed in any::<u64>(),
    ) {
        let mut vars = start;
        let expected = match walk(&stmts, &mut vars) {
            None => vars[0],
            Some(Stop::Return(value)) => value,
            Some(Stop::Leave(_)) => -1,
        };
        let lowered = |sealed| lower(&stmts, sealed).map_err(|error| TestCaseError::fail(error.to_string()));
        let func = lowered(sealed)?;
        verify(&func).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let module = Module::new();
        module.define(func.clone());
        let args = start.into_iter().map(Into::into).collect();
        let found = Interpreter::new(&module).run("f", args).map_err(|failure| TestCaseError::fail(failure.to_string()))?;
        prop_assert_eq!(found.as_int().map(|(_, n)| n), Some(i128::from(expected)), "{}", func);
        // When blocks are sealed makes no difference to where values meet.
        let params = |func: &Func| func.blocks.iter().map(|body| body.params.len()).collect::<Vec<_>>();
        for other in [0, u64::MAX] {
            let other = lowered(other)?;
            prop_assert_eq!(params(&func), params(&other), "{}{}", func, other);
        }
    }
}
