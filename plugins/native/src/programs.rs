//! The programs of an executor: the compiled functions of each version of a module.

use std::sync::{Arc, Mutex, PoisonError};

use overdub_context::ir::Module;

use crate::program::{Functions, Optimises, Program};
use crate::runtime::settings::Settings;

/// The number of module versions whose code is kept; if programs alternate between more, they are compiled
/// again.
const MAX_PROGRAMS: usize = 16;

/// What an executor and its prepared functions share. Clones share compiled code.
#[derive(Clone)]
pub(crate) struct Programs {
    pub(crate) settings: Settings,
    optimises: Optimises,
    programs: Arc<Mutex<Vec<Arc<Program>>>>,
}

impl Default for Programs {
    fn default() -> Programs {
        Programs { settings: Settings::default(), optimises: Optimises::Yes, programs: Arc::default() }
    }
}

impl Programs {
    pub(crate) fn with_settings(self, settings: Settings) -> Programs {
        Programs { settings, ..self }
    }

    pub(crate) fn without_optimising(self) -> Programs {
        Programs { optimises: Optimises::No, ..self }
    }

    /// The same settings, without compiled code.
    pub(crate) fn emptied(self) -> Programs {
        Programs { programs: Arc::default(), ..self }
    }

    /// Whether a run that begins now has to check for interrupts.
    pub(crate) fn stops(&self) -> bool {
        self.settings.limits.interrupt_here()
    }

    /// The compiled functions of a module; code with interrupt checks is separate.
    pub(crate) fn of(&self, module: &Arc<Module>, stops: bool) -> Arc<Program> {
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = programs.iter().position(|program| program.is_of(module, self.optimises, stops)) {
            return programs[at].clone();
        }
        programs.retain(|program| !program.is_orphan());
        if programs.len() >= MAX_PROGRAMS {
            programs.remove(0);
        }
        let functions = if self.settings.fast.is_some() { Functions::Fast } else { Functions::Std };
        let program = Arc::new(Program::new(module, self.optimises, functions, stops));
        programs.push(program.clone());
        program
    }

    /// Drops the programs of modules that were dropped.
    pub(crate) fn drop_orphans(&self) {
        self.programs.lock().unwrap_or_else(PoisonError::into_inner).retain(|program| !program.is_orphan());
    }
}
