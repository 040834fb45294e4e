//! A loaded program, ready to run: its functions by path, each with its signature, and the module that holds their IR.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use overdub_context::engine::{Engine, EngineBuilder};
use overdub_context::ir::{Func, Module, Ty as IrTy};
use overdub_context::value::Value;
use overdub_context::{Report, Span, Symbol};
use overdub_passes::Optimising;
use thiserror::Error;

use crate::error::{Cause, LookupError, ResolveError};
use crate::hir::DefId;
use crate::infer::{Callee, Given, Instance, ListShape, Ty, Types};
use crate::lower::{LowerError, LoweredFuncs, Lowering, PassedBy, Signature};
use crate::program::Program;
use crate::source::PRELUDE;
use crate::source::cargo::folder_of_dependency;

/// A program whose functions can be called by name.
pub struct Loaded {
    lowering: Arc<Lowering>,
    module: Arc<Module>,
}

impl fmt::Debug for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loaded").finish_non_exhaustive()
    }
}

/// A function of a program with its parameters bound to types, as a caller sees it.
#[derive(Clone, Debug)]
pub struct Function {
    /// The item and its type arguments.
    pub instance: Instance,
    /// The name of its IR function.
    pub symbol: Symbol,
    /// Its parameters.
    pub params: Vec<Param>,
    /// What it returns in Rust.
    pub ret: Ty,
    /// The type of the result in the IR, without what `&mut` parameters hold at last.
    pub ir_ret: IrTy,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: Symbol,
    /// Its type in Rust.
    pub ty: Ty,
    /// The type in the IR of what is passed.
    pub ir_ty: IrTy,
    /// Whether its final value comes back.
    pub by: PassedBy,
}

/// Why there is no such function.
#[derive(Clone, Debug, Error)]
pub enum FunctionError {
    /// Nothing has this name.
    #[error(transparent)]
    Lookup(#[from] LookupError),
    /// It cannot be lowered.
    #[error(transparent)]
    Lower(#[from] LowerError),
}

impl Loaded {
    /// Loads a `.rs` file or a crate's folder.
    ///
    /// # Errors
    /// If it cannot be read or is not Rust.
    pub fn open(path: &Path) -> Result<Loaded, ResolveError> {
        Ok(Loaded::new(Program::load(path)?))
    }

    /// Loads a crate that the package in a folder depends on, from where cargo keeps its source on this machine, in the
    /// version that `Cargo.lock` says.
    ///
    /// ```
    /// # use overdub_lower::Loaded;
    /// let toml = Loaded::open_dependency(env!("CARGO_MANIFEST_DIR").as_ref(), "toml")?;
    /// assert!(toml.program().functions().len() > 100);
    /// # Ok::<(), overdub_lower::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// If the package does not depend on it, its source is not on this machine, or cannot be read.
    pub fn open_dependency(package: &Path, name: &str) -> Result<Loaded, ResolveError> {
        let folder = folder_of_dependency(package, name).map_err(|reason| {
            ResolveError::new(Span::unknown(), Cause::Manifest(reason))
                .with_help("`cargo fetch` brings the sources of all that `Cargo.lock` names")
        })?;
        Loaded::open(&folder)
    }

    /// Loads one text; `name` is what spans call it.
    ///
    /// # Errors
    /// If it is not Rust.
    pub fn from_source(name: &str, text: &str) -> Result<Loaded, ResolveError> {
        Ok(Loaded::new(Program::from_source(name, text)?))
    }

    /// The lowering of a program.
    pub fn new(program: Program) -> Loaded {
        Loaded::by(Lowering::new, program)
    }

    /// The lowering of a program with debug information ([`overdub_context::ir::DebugInfo`]): where statements begin,
    /// and what the variables in scope hold there.
    ///
    /// ```
    /// use overdub_lower::{Loaded, Program};
    /// let program = Program::from_source("f.rs", "fn f(x: f64) -> f64 {\n    let y = x * x;\n    y + 1.0\n}")?;
    /// let loaded = Loaded::with_debug_info(program);
    /// let symbol = loaded.function("f")?.symbol;
    /// let func = loaded.module().func(symbol)?.ok_or("it is there")?;
    /// let debug = func.debug.as_ref().ok_or("it has debug information")?;
    /// let names: Vec<&str> = debug.variables.iter().map(|variable| variable.name.as_str()).collect();
    /// assert_eq!(names, ["x", "y"]);
    /// assert_eq!(debug.points[1].span.line, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_debug_info(program: Program) -> Loaded {
        Loaded::by(Lowering::with_debug_info, program)
    }

    fn by(lowering: fn(Arc<Types>) -> Arc<Lowering>, program: Program) -> Loaded {
        let lowering = lowering(Arc::new(Types::new(Arc::new(program))));
        let mut module = Module::new();
        module.add_source(Box::new(LoweredFuncs(lowering.clone())));
        Loaded { lowering, module: Arc::new(module) }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        self.lowering.types().program()
    }

    /// Its types.
    pub fn types(&self) -> &Arc<Types> {
        self.lowering.types()
    }

    /// Its lowering.
    pub fn lowering(&self) -> &Arc<Lowering> {
        &self.lowering
    }

    /// Its IR functions, made when they are asked for.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// An engine for its functions, run by the interpreter. What is defined in its program again is honoured here too.
    pub fn engine(&self) -> Engine {
        self.engine_builder().build()
    }

    /// Begins to make an engine for its functions, in which the passes of contexts get bodies that are inlined and
    /// optimised where they ask for them.
    pub fn engine_builder(&self) -> EngineBuilder {
        Engine::builder(self.module.clone()).optimizer(Optimising)
    }

    /// The module, shared.
    pub fn shared_module(&self) -> Arc<Module> {
        self.module.clone()
    }

    /// The function that a path names, its type parameters chosen by default (floats are `f64`).
    ///
    /// # Errors
    /// If there is none, or its signature cannot be lowered.
    pub fn function(&self, path: &str) -> Result<Function, FunctionError> {
        self.function_for(path, &[])
    }

    /// The same for arguments of these shapes, which say the lengths of arrays that are generic.
    ///
    /// # Errors
    /// As for [`Loaded::function`].
    pub fn function_for(&self, path: &str, shapes: &[ListShape]) -> Result<Function, FunctionError> {
        let (def, through) = self.program().lookup_through(path)?;
        Ok(self.function_given(def, Given { through, shapes, ..Given::default() })?)
    }

    /// The function that a path names, for parameters of these types, as Rust writes them: `&[f32], f32`.
    ///
    /// # Errors
    /// As for [`Loaded::function`], and if the types are not Rust or do not fit.
    pub fn function_with(&self, path: &str, types: &str) -> Result<Function, FunctionError> {
        let (def, through) = self.program().lookup_through(path)?;
        let types = self.program().read_types(def, types).map_err(LowerError::from)?;
        Ok(self.function_given(def, Given { through, types: &types, ..Given::default() })?)
    }

    /// The function of an item, its type parameters chosen by default.
    ///
    /// # Errors
    /// If its signature cannot be lowered.
    pub fn function_of(&self, def: DefId) -> Result<Function, LowerError> {
        self.function_given(def, Given::default())
    }

    fn function_given(&self, def: DefId, given: Given<'_>) -> Result<Function, LowerError> {
        let instance = self.types().default_instance_for(def, given)?;
        // A trait's method without a body is the implementor's.
        let is_required = !self.program().fn_sig(def)?.has_body;
        let instance = match self.types().resolve_assoc(def, instance.args()) {
            Ok(Callee::Fn(resolved)) if is_required => resolved,
            _ => instance,
        };
        self.function_at(instance)
    }

    /// The function of an instance.
    ///
    /// # Errors
    /// If its signature cannot be lowered.
    pub fn function_at(&self, instance: Instance) -> Result<Function, LowerError> {
        let (symbol, Signature { params, ret, ir_params, ir_ret }) = self.lowering.entry(instance)?;
        let names = self.program().fn_sig(instance.def())?.param_names.clone();
        let params = params
            .into_iter()
            .zip(ir_params)
            .enumerate()
            .map(|(at, (ty, (ir_ty, by)))| {
                let name = names.get(at).copied().unwrap_or_else(|| Symbol::new("_"));
                Param { name, ty, ir_ty, by }
            })
            .collect();
        Ok(Function { instance, symbol, params, ret, ir_ret })
    }

    /// The closure that a function returns, as its caller sees it; its instance and symbol are the function's.
    ///
    /// # Errors
    /// If the function cannot be lowered, or returns nothing that can be called.
    pub fn closure_made_by(&self, make: Instance) -> Result<Function, LowerError> {
        let (_, ret) = self.types().signature(make)?;
        let Signature { params, ret, ir_params, ir_ret } = self.lowering.signature_of_value(ret)?;
        let params = params.into_iter().zip(ir_params).enumerate().map(|(at, (ty, (ir_ty, by)))| {
            let name = Symbol::new(&at.to_string());
            Param { name, ty, ir_ty, by }
        });
        Ok(Function {
            instance: make,
            symbol: self.lowering.symbol(make),
            params: params.collect(),
            ret,
            ir_ret,
        })
    }

    /// The IR of a function and of all that it calls, in the order of first mention.
    ///
    /// # Errors
    /// If the function itself cannot be lowered; callees that cannot are left out.
    pub fn closure_of(&self, instance: Instance) -> Result<Vec<Arc<Func>>, LowerError> {
        self.lowering.closure_of(instance)
    }

    /// The place in the user's files that a failure is reported at: what fails inside the prelude fails where the
    /// user called it.
    pub fn user_span(&self, report: &Report) -> Span {
        user_span(report)
    }
}

impl Function {
    /// What a call gave, apart: the result, and what each `&mut` parameter holds at last.
    pub fn split(&self, value: Value<'static>) -> (Value<'static>, Vec<Value<'static>>) {
        let outs = self.params.iter().filter(|param| param.by == PassedBy::InOut).count();
        let has_result = self.ir_ret != IrTy::unit();
        match (has_result, outs) {
            (_, 0) => (value, vec![]),
            (false, 1) => (Value::Unit, vec![value]),
            _ => {
                let mut parts: Vec<Value<'static>> = match value {
                    Value::Composite(composite) => {
                        Arc::unwrap_or_clone(composite).parts.into_iter().collect()
                    }
                    other => vec![other],
                };
                let result = if has_result { parts.remove(0) } else { Value::Unit };
                (result, parts)
            }
        }
    }
}

/// The innermost place of a failure outside of the prelude.
pub fn user_span(report: &Report) -> Span {
    let is_users = |span: &Span| span.is_known() && !span.file.starts_with(PRELUDE);
    let stack = report.stack.iter().map(|entry| entry.span);
    std::iter::once(report.span).chain(stack).find(is_users).unwrap_or(report.span)
}
