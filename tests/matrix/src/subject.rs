//! A function with its arguments, and an engine for each executor.

use std::sync::Arc;

use overdub_cli::json;
use overdub_context::Symbol;
use overdub_context::engine::{Engine, EngineBuilder};
use overdub_context::ir::{Func, Module, Ty};
use overdub_context::value::Value;
use overdub_lower::Loaded;
use overdub_lower::lower::PassedBy;
use overdub_passes::Optimising;
use serde_json::Value as Json;

use crate::executor::{self, EXECUTORS, Printed};

/// A function with its arguments.
pub struct Subject {
    /// The function.
    pub func: Symbol,
    /// The types of its parameters without contexts.
    pub params: Vec<Ty>,
    /// The type of its result without contexts.
    pub ret: Ty,
    engines: Vec<(Engine, Printed)>,
    args: Box<dyn Fn() -> Vec<Value<'static>>>,
}

impl std::fmt::Debug for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Subject").field("func", &self.func).finish_non_exhaustive()
    }
}

impl Subject {
    /// A function of a module.
    pub fn of_module(module: Module, func: &Func, args: Vec<Value<'static>>) -> Subject {
        let module = Arc::new(module);
        let build = || Engine::builder(module.clone()).optimizer(Optimising);
        Subject::new(build, func, Box::new(move || args.clone()))
    }

    /// A function of a loaded source, with arguments as a JSON list.
    ///
    /// # Errors
    /// If there is no such function, or the arguments do not fit: the error as text.
    pub fn of_source(loaded: &Loaded, path: &str, parts: &[Json]) -> Result<Subject, String> {
        let shapes: Vec<_> = parts.iter().map(json::shape).collect();
        let function = loaded.function_for(path, &shapes).map_err(|error| format!("{error:?}"))?;
        let func = loaded.module().func(function.symbol).map_err(|error| error.message)?;
        let func = func.ok_or_else(|| format!("there is no function `{path}`"))?;
        let read: Vec<(Json, Ty, PassedBy)> = function
            .params
            .iter()
            .zip(parts)
            .map(|(param, part)| (part.clone(), param.ir_ty, param.by))
            .collect();
        if read.len() != function.params.len() {
            return Err(format!("`{path}` takes {} arguments", function.params.len()));
        }
        for (part, ty, _) in &read {
            json::read(part, *ty, "argument").map_err(|error| error.to_string())?;
        }
        // Each run has its own cells.
        let args = move || {
            let args = read.iter().map(|(part, ty, by)| {
                let value = json::read(part, *ty, "argument").unwrap_or(Value::Unit);
                match by {
                    PassedBy::Reference => json::in_a_cell(value),
                    PassedBy::Value | PassedBy::InOut => value,
                }
            });
            args.collect()
        };
        Ok(Subject::new(|| loaded.engine_builder(), &func, Box::new(args)))
    }

    fn new(
        build: impl Fn() -> EngineBuilder,
        func: &Func,
        args: Box<dyn Fn() -> Vec<Value<'static>>>,
    ) -> Subject {
        let engines = (0..EXECUTORS.len()).map(|at| executor::engine(build(), at)).collect();
        Subject { func: func.name, params: func.param_tys().collect(), ret: func.ret, engines, args }
    }

    /// The engine with the executor of this number.
    pub fn engine(&self, executor: usize) -> &Engine {
        &self.engines[executor].0
    }

    /// The output of an executor's runs since the last query.
    pub fn printed(&self, executor: usize) -> String {
        self.engines[executor].1.take()
    }

    /// The arguments, newly created.
    pub fn args(&self) -> Vec<Value<'static>> {
        (self.args)()
    }
}
