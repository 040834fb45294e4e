//! The words of the arguments of a prepared call: scalars by value, slices by reference.

use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};

use overdub_context::ir::FloatTy;
use overdub_context::value::{Arg, Array, Slice};
use overdub_context::{Failure, FailureKind};

use crate::abi::layout::{Elem, Layout, LayoutKind};
use crate::compiled::{Compiled, release_args};
use crate::values;
use crate::values::vectors;

/// The words of the arguments of a call, which are written again for each call.
pub(super) struct ArgWords {
    words: Vec<u64>,
    params: Vec<Param>,
    /// Whether slices are lent (WORD5): not if the function passes arrays on, since each receiver would get a copy.
    borrows: bool,
    /// For each parameter, the array that is held during a call.
    held: Vec<Arc<Array<'static>>>,
    /// Whether this call holds slices that it does not lend.
    holds: bool,
}

/// A parameter and its first word.
struct Param {
    kind: ParamKind,
    word: usize,
}

enum ParamKind {
    F64,
    /// A vector of `f64`.
    F64s,
    Vector(Elem),
    Other(Arc<Layout>),
}

impl ParamKind {
    /// The elements of a vector.
    fn elem(&self) -> Option<Elem> {
        match self {
            ParamKind::F64s => Some(Elem::F64),
            ParamKind::Vector(elem) => Some(*elem),
            ParamKind::F64 | ParamKind::Other(_) => None,
        }
    }
}

impl ArgWords {
    pub(super) fn new(compiled: &Compiled) -> ArgWords {
        let mut next = 0;
        let params = compiled.params.iter().map(|layout| {
            let word = next;
            next += layout.components.len();
            let kind = match layout.shape {
                LayoutKind::Float(FloatTy::F64) => ParamKind::F64,
                LayoutKind::Vector(Elem::F64) => ParamKind::F64s,
                LayoutKind::Vector(elem) => ParamKind::Vector(elem),
                _ => ParamKind::Other(layout.clone()),
            };
            Param { kind, word }
        });
        let params = params.collect();
        ArgWords {
            words: vec![0; next.max(1)],
            params,
            borrows: !compiled.tables.shows_arrays,
            held: compiled.params.iter().map(|_| Arc::new(nothing())).collect(),
            holds: false,
        }
    }

    /// Whether slices are lent to the function.
    pub(super) fn borrows(&self) -> bool {
        self.borrows
    }

    pub(super) fn words(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Writes the words of the arguments, which are used once (WORD2).
    #[inline]
    pub(super) fn write(&mut self, compiled: &Compiled, args: &[Arg<'_>]) -> Result<(), Failure> {
        for (at, (param, arg)) in self.params.iter().zip(args).enumerate() {
            let words = &mut self.words[param.word..];
            let written = match (&param.kind, *arg) {
                (ParamKind::F64, Arg::F64(x)) => {
                    words[0] = x.to_bits();
                    Some(())
                }
                // The frequent ones, without a look at the type of elements.
                (ParamKind::F64s, Arg::Slice(Slice::F64(floats))) if self.borrows => {
                    vectors::lend_elems(floats, words)
                }
                (ParamKind::Other(layout), scalar) => {
                    let words = &mut words[..layout.components.len()];
                    values::write(layout, scalar.to_value().into_owned(), words).ok()
                }
                (kind, Arg::Slice(slice)) => kind.elem().and_then(|elem| match self.borrows {
                    true => vectors::lend(elem, slice, words),
                    false => {
                        self.holds = true;
                        hold_vector(slice, elem, &mut self.held[at], words)
                    }
                }),
                _ => None,
            };
            if written.is_none() {
                release_args(&compiled.params[..at], &self.words);
                return Err(mistyped(&compiled.params[at], *arg, at + 1));
            }
        }
        if args.len() == self.params.len() { Ok(()) } else { Err(self.miscounted(compiled, args.len())) }
    }

    #[cold]
    fn miscounted(&self, compiled: &Compiled, found: usize) -> Failure {
        let (takes, name) = (self.params.len(), compiled.func.name);
        release_args(&compiled.params[..found.min(takes)], &self.words);
        Failure::new(FailureKind::Type, format!("`@{name}` takes {takes} arguments, got {found}"))
    }

    /// Releases what was held for a call that has ended (PREP1).
    #[inline]
    pub(super) fn end(&mut self) {
        if std::mem::take(&mut self.holds) {
            self.held.iter_mut().for_each(|slot| hold(slot, nothing()));
        }
    }
}

/// An array without elements or allocation.
fn nothing() -> Array<'static> {
    Array::from_slice::<f64>(&[])
}

/// The words of a vector for a slice, which `slot` holds for the duration of the call.
fn hold_vector(
    slice: Slice<'_>,
    elem: Elem,
    slot: &mut Arc<Array<'static>>,
    words: &mut [u64],
) -> Option<()> {
    // SAFETY: a lifetime does not change the layout of a slice; the slot is emptied before the borrow ends (PREP1).
    let slice = unsafe { std::mem::transmute::<Slice<'_>, Slice<'static>>(slice) };
    hold(slot, Array::from(slice));
    vectors::share_vector(elem, slot, words)
}

/// Replaces the array of a slot, in place, since the slot is its only owner (PREP1).
#[inline]
fn hold(slot: &mut Arc<Array<'static>>, array: Array<'static>) {
    if Arc::strong_count(slot) != 1 {
        *slot = Arc::new(array);
        return;
    }
    fence(Ordering::Acquire);
    // SAFETY: the slot is the only owner, and no weak references to arrays are made; `Arc::get_mut` would lock the
    // weak count at every call.
    unsafe { *Arc::as_ptr(slot).cast_mut() = array };
}

#[cold]
fn mistyped(param: &Layout, arg: Arg<'_>, position: usize) -> Failure {
    let message = match (&param.shape, arg) {
        (LayoutKind::Vector(elem), Arg::Slice(_)) => format!("a slice is not one of {elem:?}"),
        _ => format!("argument {position} is not of its parameter's type"),
    };
    Failure::new(FailureKind::Type, message)
}
