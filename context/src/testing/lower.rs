//! Lowers trees to functions.
//!
//! A function calls only functions defined before it, and the cost of a call is known, so programs terminate.

use std::sync::Arc;

use super::Program;
use super::body::{BodyBuilder, Loops};
use super::tree::{Expr, FuncTree};
use super::universe::Focus;
use crate::Symbol;
use crate::ir::{BuildError, Func, Operand, Ty};

/// The signature and cost of a finished function.
#[derive(Clone)]
pub(super) struct CallableFunc {
    pub(super) name: Symbol,
    pub(super) params: Vec<Ty>,
    pub(super) ret: Ty,
    pub(super) cost: u64,
}

/// The finished functions.
#[derive(Default)]
pub(super) struct FinishedFuncs {
    pub(super) funcs: Vec<Arc<Func>>,
    pub(super) callable: Vec<CallableFunc>,
    closures: usize,
    pub(super) focus: Focus,
}

/// The program of these trees: the first is `@main`, the others are its possible callees.
pub(super) fn program(focus: Focus, trees: &[FuncTree], args: &[u8]) -> Program {
    let mut finished = FinishedFuncs { focus, ..FinishedFuncs::default() };
    for (number, tree) in trees.iter().enumerate().rev() {
        let built = finished.func(number, tree);
        let func = built.expect("whatever the tree, the builder is handed what it takes");
        finished.funcs.push(Arc::new(func));
    }
    let params: Vec<Ty> = finished.funcs.last().map(|main| main.param_tys().collect()).unwrap_or_default();
    let choices = args.iter().copied().chain(std::iter::repeat(0));
    let args = params.into_iter().zip(choices).map(|(ty, choice)| focus.any_value(ty, choice)).collect();
    Program { funcs: finished.funcs, args }
}

impl FinishedFuncs {
    fn func(&mut self, number: usize, tree: &FuncTree) -> Result<Func, BuildError> {
        let main = number == 0;
        let name = if main { Symbol::new("main") } else { Symbol::new(&format!("f{number}")) };
        let focus = self.focus;
        let ty = |&choice: &u8| if main { focus.any_param_ty(choice) } else { focus.any_local_ty(choice) };
        let params: Vec<Ty> = tree.params.iter().map(ty).collect();
        let sums = main && focus == Focus::Floats;
        let ret = if sums { Ty::f64() } else { ty(&tree.ret) };
        let mut body = BodyBuilder::new(self, name, &params, ret, Loops::Allowed)?;
        body.stmts(&tree.body)?;
        if body.is_open() {
            let result = if sums { body.sum_of_variables()? } else { body.expr(&tree.result, ret)? };
            body.ret(result)?;
        }
        let (func, cost) = body.finish()?;
        self.callable.push(CallableFunc { name, params, ret, cost });
        Ok(func)
    }

    /// Defines the function of a closure with captures and parameters of these types.
    pub(super) fn closure(
        &mut self,
        captures: &[Ty],
        params: &[Ty],
        ret: Ty,
        result: &Expr,
    ) -> Result<CallableFunc, BuildError> {
        self.closures += 1;
        let name = Symbol::new(&format!("closure{}", self.closures));
        let all: Vec<Ty> = captures.iter().chain(params).copied().collect();
        let mut body = BodyBuilder::new(self, name, &all, ret, Loops::Refused)?;
        let result: Operand = body.expr(result, ret)?;
        body.ret(result)?;
        let (func, cost) = body.finish()?;
        self.funcs.push(Arc::new(func));
        Ok(CallableFunc { name, params: all, ret, cost })
    }
}
