//! Entries: the functions that compiled code calls, by name and signature.

use std::sync::atomic::AtomicPtr;
use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashMap;
use overdub_context::ir::Ty;
use overdub_context::{Failure, FailureKind, Symbol};

use crate::abi::layout::Layout;

/// A function that compiled code calls, and the address of its code, which is null until the first call.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: Symbol,
    pub(crate) params: Box<[Ty]>,
    pub(crate) ret: Ty,
    pub(crate) code: AtomicPtr<u8>,
}

impl Entry {
    /// Checks that the function has the signature that its callers assume.
    pub(crate) fn check(&self, params: &[Arc<Layout>], ret: &Layout) -> Result<(), Failure> {
        let wrong = |message| Err(Failure::new(FailureKind::Type, message));
        let takes: Vec<Ty> = params.iter().map(|layout| layout.ty).collect();
        if takes.len() != self.params.len() {
            return wrong(format!(
                "`@{}` takes {} arguments, got {}",
                self.name,
                takes.len(),
                self.params.len()
            ));
        }
        if *takes != *self.params || ret.ty != self.ret {
            return wrong(format!(
                "`@{}` takes {takes:?} and gives {:?}, but is called with {:?} for a {:?}",
                self.name, ret.ty, self.params, self.ret
            ));
        }
        Ok(())
    }
}

type Key = (Symbol, Box<[Ty]>, Ty);

/// The entries of a program. They are boxed: code refers to them by address (CODE2).
#[derive(Default)]
pub(crate) struct Entries(Mutex<HashMap<Key, Box<Entry>>>);

impl Entries {
    /// The entry for calls of a function with this signature.
    pub(crate) fn of(&self, name: Symbol, params: Vec<Ty>, ret: Ty) -> *const Entry {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (name, params.clone().into_boxed_slice(), ret);
        let entry = entries.entry(key).or_insert_with(|| {
            Box::new(Entry {
                name,
                params: params.into_boxed_slice(),
                ret,
                code: AtomicPtr::new(std::ptr::null_mut()),
            })
        });
        &raw const **entry
    }
}
