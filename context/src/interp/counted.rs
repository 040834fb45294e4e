//! Functions that count the steps that the interpreter would take for them, on any executor.
//!
//! - COUNTED1 a function of a counted module has the name, type, results and failures of its original, so that closures and
//!   function values mean the same in both.

use std::sync::Arc;

use crate::ir::{Func, FuncSource, Inst, InstKind, LoadError, Module, Operand, Ty, Var, VarDef};
use crate::value::HostFn;
use crate::{Symbol, ops};

/// The functions of a module, extended to count their steps by `steps.add`, once per block: for a run that
/// does not fail, [`counting`](crate::limits::counting) returns the number of steps that the interpreter
/// takes for the same run of the module.
///
/// ```
/// use overdub_context::engine::{Executor, Interpreting};
/// use overdub_context::interp::{Interpreter, counted};
/// use overdub_context::limits::counting;
/// use overdub_context::{Symbol, text, value::Value};
/// use std::sync::Arc;
/// let program = text::parse("fn @f(%x: f64) -> f64 {\n  %y: f64 = mul %x, %x\n  ret %y\n}")?;
/// let module = Arc::new(program.module());
/// let args = || vec![Value::F64(2.0)];
/// let counting_module = Arc::new(counted(module.clone()));
/// let (_, steps) = counting(|| Interpreting::new().run(&counting_module, Symbol::new("f"), args()));
/// assert_eq!(steps, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn counted(module: Arc<Module>) -> Module {
    let mut counted = Module::new();
    counted.add_source(Box::new(Counted(module)));
    counted
}

struct Counted(Arc<Module>);

impl FuncSource for Counted {
    fn func(&self, name: Symbol) -> Result<Option<Arc<Func>>, LoadError> {
        Ok(self.0.func(name)?.map(|func| Arc::new(with_counts(&func))))
    }

    fn host(&self, name: Symbol) -> Option<Box<dyn HostFn>> {
        self.0.host(name)
    }
}

/// The function with a count at the start of each block.
fn with_counts(func: &Func) -> Func {
    // Debug points refer to the positions of the original instructions.
    let mut counted = Func { debug: None, ..func.clone() };
    for body in &mut counted.blocks {
        let result = Var(u32::try_from(counted.vars.len()).unwrap_or(u32::MAX));
        counted.vars.push(VarDef { ty: Ty::unit(), name: None });
        let args = vec![Operand::from(body.insts.len() as u64 + 1)];
        let span = body.insts.first().map(|inst| inst.span);
        let span = span.or(body.terminator.as_ref().map(|end| end.span)).unwrap_or(func.span);
        body.insts.insert(0, Inst { result, kind: InstKind::Op { op: &ops::STEPS_ADD, args }, span });
    }
    counted
}
