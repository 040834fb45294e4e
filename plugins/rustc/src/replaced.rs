//! The functions that an executor runs in place of those of a module.

use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::engine::Executor;
use overdub_context::ir::{Func, FuncSource, LoadError, Module};
use overdub_context::value::HostFn;

/// The module with the functions that an executor runs in place of its own.
pub(crate) fn replaced(module: Arc<Module>, by: Arc<dyn Executor>) -> Arc<Module> {
    let mut replaced = Module::new();
    replaced.add_source(Box::new(Replaced { module, by }));
    Arc::new(replaced)
}

struct Replaced {
    module: Arc<Module>,
    by: Arc<dyn Executor>,
}

impl FuncSource for Replaced {
    fn func(&self, name: Symbol) -> Result<Option<Arc<Func>>, LoadError> {
        let func = self.module.func(name)?;
        Ok(func.map(|func| self.by.replaced(&func).map_or(func, Arc::new)))
    }

    fn host(&self, name: Symbol) -> Option<Box<dyn HostFn>> {
        self.module.host(name)
    }
}
