//! A loaded program, ready to run: its functions by path, each with its signature, and the module that
//! contains their IR.

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
use crate::infer::{CallHints, Callee, Instance, ListShape, Ty, Types};
use crate::lower::{LowerError, LoweredFuncs, Lowering, PassedBy, Signature, without_entry};
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

/// A function of a program with its generic parameters bound, as seen by a caller.
#[derive(Clone, Debug)]
pub struct Function {
    /// The item and its type arguments.
    pub instance: Instance,
    /// The name of its IR function.
    pub symbol: Symbol,
    /// The parameters.
    pub params: Vec<Param>,
    /// The return type in Rust.
    pub ret: Ty,
    /// The type of the result in the IR, without the final values of `&mut` parameters.
    pub ir_ret: IrTy,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub struct Param {
    /// The name.
    pub name: Symbol,
    /// The type in Rust.
    pub ty: Ty,
    /// The type in the IR of the passed value.
    pub ir_ty: IrTy,
    /// Whether the final value is returned.
    pub by: PassedBy,
}

/// The reason why a function is not available.
#[derive(Clone, Debug, Error)]
pub enum FunctionError {
    /// There is no item of this name.
    #[error(transparent)]
    Lookup(#[from] LookupError),
    /// The function cannot be lowered.
    #[error(transparent)]
    Lower(#[from] LowerError),
}

impl Loaded {
    /// Loads a `.rs` file or the folder of a crate.
    ///
    /// # Errors
    /// If it cannot be read or is not Rust.
    pub fn open(path: &Path) -> Result<Loaded, ResolveError> {
        Ok(Loaded::new(Program::load(path)?))
    }

    /// Loads a dependency of the package in a folder, from where cargo keeps its source on this machine, in
    /// the version of `Cargo.lock`.
    ///
    /// ```
    /// # use overdub_lower::Loaded;
    /// let smallvec = Loaded::open_dependency(env!("CARGO_MANIFEST_DIR").as_ref(), "smallvec")?;
    /// assert!(smallvec.program().functions().len() > 50);
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

    /// Loads a single text; `name` is its file name in spans.
    ///
    /// # Errors
    /// If it is not Rust.
    pub fn from_source(name: &str, text: &str) -> Result<Loaded, ResolveError> {
        Ok(Loaded::new(Program::from_source(name, text)?))
    }

    /// Creates the lowering of a program.
    pub fn new(program: Program) -> Loaded {
        Loaded::by(Lowering::new, program)
    }

    /// Creates the lowering of a program with debug information ([`overdub_context::ir::DebugInfo`]): where
    /// statements begin, and the values of the variables in scope there.
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

    /// The types of the program.
    pub fn types(&self) -> &Arc<Types> {
        self.lowering.types()
    }

    /// The lowering of the program.
    pub fn lowering(&self) -> &Arc<Lowering> {
        &self.lowering
    }

    /// The IR functions of the program, lowered on demand.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// An engine for the functions of the program, run by the interpreter. Redefinitions in its program also
    /// take effect here.
    pub fn engine(&self) -> Engine {
        self.engine_builder().build()
    }

    /// A builder of an engine for the functions of the program, in which the passes of contexts can request
    /// inlined and optimised bodies.
    pub fn engine_builder(&self) -> EngineBuilder {
        Engine::builder(self.module.clone()).optimizer(Optimising)
    }

    /// The module, shared.
    pub fn shared_module(&self) -> Arc<Module> {
        self.module.clone()
    }

    /// The function that a path names, with default type arguments (floats are `f64`).
    ///
    /// # Errors
    /// If there is no such function, or its signature cannot be lowered.
    pub fn function(&self, path: &str) -> Result<Function, FunctionError> {
        self.function_for(path, &[])
    }

    /// Like [`Loaded::function`], for arguments of these shapes, which determine the lengths of generic
    /// arrays.
    ///
    /// # Errors
    /// As for [`Loaded::function`].
    pub fn function_for(&self, path: &str, shapes: &[ListShape]) -> Result<Function, FunctionError> {
        let (def, through) = self.program().lookup_through(path)?;
        Ok(self.function_with_hints(def, CallHints { through, shapes, ..CallHints::default() })?)
    }

    /// The function that a path names, for parameters of these types in Rust syntax: `&[f32], f32`.
    ///
    /// # Errors
    /// As for [`Loaded::function`], and if the types are not Rust or do not fit.
    pub fn function_with(&self, path: &str, types: &str) -> Result<Function, FunctionError> {
        let (def, through) = self.program().lookup_through(path)?;
        let types = self.program().read_types(def, types).map_err(LowerError::from)?;
        Ok(self.function_with_hints(def, CallHints { through, types: &types, ..CallHints::default() })?)
    }

    /// The function of an item, with default type arguments.
    ///
    /// # Errors
    /// If its signature cannot be lowered.
    pub fn function_of(&self, def: DefId) -> Result<Function, LowerError> {
        self.function_with_hints(def, CallHints::default())
    }

    fn function_with_hints(&self, def: DefId, hints: CallHints<'_>) -> Result<Function, LowerError> {
        let instance = self.types().default_instance_for(def, hints)?;
        // A trait's method without a body is resolved to that of the implementor.
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

    /// The closure that a function returns, as seen by its caller; its instance and symbol are those of the
    /// function.
    ///
    /// # Errors
    /// If the function cannot be lowered, or returns a value that cannot be called.
    pub fn closure_returned_by(&self, constructor: Instance) -> Result<Function, LowerError> {
        let (_, ret) = self.types().signature(constructor)?;
        let Signature { params, ret, ir_params, ir_ret } = self.lowering.signature_of_value(ret)?;
        let params = params.into_iter().zip(ir_params).enumerate().map(|(at, (ty, (ir_ty, by)))| {
            let name = Symbol::new(&at.to_string());
            Param { name, ty, ir_ty, by }
        });
        Ok(Function {
            instance: constructor,
            symbol: self.lowering.symbol(constructor),
            params: params.collect(),
            ret,
            ir_ret,
        })
    }

    /// The IR of a function and of everything it calls, in the order of first mention.
    ///
    /// # Errors
    /// If the function itself cannot be lowered; callees that cannot be lowered are omitted.
    pub fn closure_of(&self, instance: Instance) -> Result<Vec<Arc<Func>>, LowerError> {
        self.lowering.closure_of(instance)
    }

    /// The location in the user's files at which a failure is reported: a failure inside the prelude is
    /// reported at the user's call.
    pub fn user_span(&self, report: &Report) -> Span {
        user_span(report)
    }
}

impl Function {
    /// The name in the source, with the path.
    pub fn name(&self) -> &str {
        without_entry(&self.symbol)
    }

    /// Splits the value of a call into the result and the final value of each `&mut` parameter.
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

/// The innermost location of a failure outside of the prelude.
pub fn user_span(report: &Report) -> Span {
    let is_users = |span: &Span| span.is_known() && !span.file.starts_with(PRELUDE);
    let stack = report.stack.iter().map(|entry| entry.span);
    std::iter::once(report.span).chain(stack).find(is_users).unwrap_or(report.span)
}
