//! Constants that compiled code reads as words.

use std::sync::Arc;

use overdub_context::value::Value;

use crate::abi::layout::{Component, Layout};
use crate::checks::{Holder, Holding};
use crate::values::{self, Packing, Transfer};

/// A constant as words, which own their counts.
pub(crate) struct Constant {
    layout: Arc<Layout>,
    pub(crate) words: Vec<u64>,
}

impl Constant {
    pub(crate) fn new(value: Value<'static>, layout: Arc<Layout>) -> Option<Constant> {
        let mut words = vec![0; layout.components.len()];
        let _constants = Holding::by(Holder::Constants);
        values::write_with(&layout, value, &mut words, Packing::Pack).ok()?;
        // A write copies the constant first.
        for (component, word) in layout.components.iter().zip(&mut words) {
            if *component == Component::Unique {
                *word = 0;
            }
        }
        Some(Constant { layout, words })
    }
}

impl Drop for Constant {
    fn drop(&mut self) {
        let _constants = Holding::by(Holder::Constants);
        // SAFETY: the words were written from a value of this layout and are not used after this.
        drop(unsafe { values::value_of(&self.layout, &self.words, Transfer::Move) });
    }
}
