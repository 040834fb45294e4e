//! Copies of values together with their cells: two values that share a cell share its copy.

use std::sync::Arc;

use hashbrown::HashMap;

use crate::value::{Array, CellRef, Closure, Composite, Value};

/// If less than this is left of the native stack, a new segment of this size is allocated.
const STACK_LEFT: usize = 256 << 10;
const STACK_PIECE: usize = 4 << 20;

/// The cells copied during one copy of a program's state.
#[derive(Default)]
pub(super) struct CellCopies {
    cells: HashMap<*const (), CellRef>,
    /// For each shared value: its copy, or none if it contains no cells. The addresses are valid as long as
    /// the original is.
    shared: HashMap<*const (), Option<Value<'static>>>,
}

impl CellCopies {
    /// A copy of a value; parts without cells are shared.
    pub(super) fn value(&mut self, value: &Value<'static>) -> Value<'static> {
        self.changed(value).unwrap_or_else(|| value.clone())
    }

    /// The copy of a reference.
    pub(super) fn reference(&mut self, reference: &CellRef) -> CellRef {
        if let Some(copy) = self.cells.get(&reference.address()) {
            return reference.in_cell(copy);
        }
        let copy = CellRef::new(Value::Unit);
        // A cell may contain itself, so its copy is recorded before its content is copied.
        self.cells.insert(reference.address(), copy.clone());
        let content = reference.with(|content| content.clone());
        let content = self.changed(&content).unwrap_or(content);
        copy.with(|place| *place = content);
        reference.in_cell(&copy)
    }

    /// The copy of a value that contains cells; `None` for others.
    fn changed(&mut self, value: &Value<'static>) -> Option<Value<'static>> {
        if matches!(value, Value::Unit | Value::Bool(_) | Value::Char(_) | Value::Int(_) | Value::F64(_)) {
            return None;
        }
        stacker::maybe_grow(STACK_LEFT, STACK_PIECE, || self.changed_shallow(value))
    }

    fn changed_shallow(&mut self, value: &Value<'static>) -> Option<Value<'static>> {
        let at: *const () = match value {
            Value::Ref(reference) => return Some(Value::Ref(Box::new(self.reference(reference)))),
            Value::Composite(composite) => Arc::as_ptr(composite).cast(),
            Value::Closure(closure) => Arc::as_ptr(closure).cast(),
            Value::Stack(elems) => Arc::as_ptr(elems).cast(),
            Value::Array(array) if array.as_values().is_some() => Arc::as_ptr(array).cast(),
            _ => return None,
        };
        if let Some(known) = self.shared.get(&at) {
            return known.clone();
        }
        let copy = match value {
            Value::Composite(composite) => self.parts(&composite.parts).map(|parts| {
                let parts = parts.into_iter().collect();
                Value::Composite(Arc::new(Composite { ty: composite.ty, tag: composite.tag, parts }))
            }),
            Value::Closure(closure) => self.parts(&closure.captures).map(|captures| {
                let captures = captures.into_iter().collect();
                Value::Closure(Arc::new(Closure { code: closure.code.clone(), captures }))
            }),
            Value::Stack(elems) => self.parts(elems).map(|elems| Value::Stack(Arc::new(elems))),
            Value::Array(array) => self.array(array),
            _ => None,
        };
        self.shared.insert(at, copy.clone());
        copy
    }

    fn array(&mut self, array: &Array<'static>) -> Option<Value<'static>> {
        let parts = self.parts(array.as_values()?)?;
        let mut copy = array.clone();
        copy.to_values_mut()?.clone_from_slice(&parts);
        Some(Value::Array(Arc::new(copy)))
    }

    /// The copies of parts, if any of them contains a cell.
    fn parts(&mut self, parts: &[Value<'static>]) -> Option<Vec<Value<'static>>> {
        let mut copies: Option<Vec<Value<'static>>> = None;
        for (at, part) in parts.iter().enumerate() {
            if let Some(copy) = self.changed(part) {
                copies.get_or_insert_with(|| parts.to_vec())[at] = copy;
            }
        }
        copies
    }
}
