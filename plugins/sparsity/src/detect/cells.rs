//! Mutable cells: each path has its own contents.
//!
//! - CELLS1 a cell is an index into the list of the analysis; a reference is that index and a path into its
//!   content.

use std::sync::Arc;

use overdub_context::ir::{IntTy, Ty};
use overdub_context::ops::{self, OpDef};
use overdub_context::value::{Array, CellRef, PathElem, Value};
use overdub_context::{Span, Symbol};

use super::abstract_value::Abstract;
use super::analysis::{Analysis, PathResult};
use super::operation::failed;
use super::outputs::holds_floats;

impl Analysis {
    /// The result of an operation on cells: its own evaluator runs on a cell with the content on this path.
    pub(crate) fn cell_operation(
        &mut self,
        op: &'static OpDef,
        ret: Ty,
        args: &mut [Value<'static>],
        span: Span,
    ) -> PathResult<Value<'static>> {
        self.cell_uses += 1;
        if *op == ops::REF_NULL {
            return Ok(Value::Ref(Box::new(CellRef::null())));
        }
        if *op == ops::REF_IS_NULL {
            return Ok(Value::Bool(matches!(&args[0], Value::Ref(pointer) if pointer.is_null())));
        }
        if *op == ops::REF_DISTANCE {
            return self.distance(args, span);
        }
        if *op == ops::CELL || *op == ops::REF_SHARED || *op == ops::REF_RELOCATED {
            return Ok(self.new_cell(args[0].take()));
        }
        if *op == ops::GLOBAL {
            return self.global(args, span);
        }
        if *op == ops::REF_SAME {
            return self.same_place(args, span);
        }
        let Some((cell, path)) = place(&args[0]) else {
            if let Some(Abstract::OneOf(all)) = Abstract::of(&args[0]) {
                return self.one_of_cells(op, ret, &all.clone(), args, span);
            }
            return Err(self.unsupported("a reference that depends on the inputs", span));
        };
        if args[1..].iter().any(|arg| Abstract::of(arg).is_some()) && *op != ops::REF_SET {
            return Err(self.unsupported("a reference to a place that depends on the inputs", span));
        }
        let Some(content) = self.cells.get(cell).cloned() else {
            return Err(self.unsupported("a static that only some ways have used", span));
        };
        if *op == ops::REF_SET && path.is_empty() {
            let cells = Arc::make_mut(&mut self.cells);
            if let Some(slot) = cells.get_mut(cell) {
                *slot = args[1].take();
            }
            return Ok(Value::Unit);
        }
        if *op == ops::REF_GET && path.is_empty() {
            return Ok(content);
        }
        if Abstract::of(&content).is_some() {
            return self.of_unknown_content(op, ret, cell, args, &content, span);
        }
        // Floats are stored as their dependences, which are not their bits.
        if ![&ops::REF_LEN, &ops::REF_TAG].contains(&op) && path.iter().any(shows_bits) {
            return Err(self.unsupported("the bits of floats behind a pointer", span));
        }
        // A cell of the engine, for the duration of the operation; the path's content keeps what changed.
        Arc::make_mut(&mut self.cells)[cell] = Value::Unit;
        let real = CellRef::new(content);
        let base = real.clone();
        let reference = path.iter().fold(real, |real, step| real.step(*step));
        args[0] = Value::Ref(Box::new(reference));
        let evaluated = self.evaluate(op, ret, args);
        let after = base.with(Value::take);
        Arc::make_mut(&mut self.cells)[cell] = after;
        Ok(match evaluated? {
            Value::Ref(found) => Abstract::Ref { cell, path: found.path().to_vec() }.into_value(),
            value => value,
        })
    }

    fn new_cell(&mut self, content: Value<'static>) -> Value<'static> {
        let cells = Arc::make_mut(&mut self.cells);
        cells.push(content);
        Abstract::Ref { cell: cells.len() - 1, path: Vec::new() }.into_value()
    }

    fn distance(&mut self, args: &[Value<'static>], span: Span) -> PathResult<Value<'static>> {
        let (Some((a, to)), Some((b, from))) = (place(&args[0]), place(&args[1])) else {
            return Err(self.unsupported("a reference that depends on the inputs", span));
        };
        let cell = CellRef::new(Value::Unit);
        let pointer = |path: &[PathElem]| path.iter().fold(cell.clone(), |pointer, step| pointer.step(*step));
        match pointer(&to).distance(&pointer(&from)).filter(|_| a == b) {
            Some(elems) => Ok(Value::int(IntTy::Isize, elems as i128)),
            None => Err(failed("two pointers into different allocations have no distance").into()),
        }
    }

    fn global(&mut self, args: &mut [Value<'static>], span: Span) -> PathResult<Value<'static>> {
        let Some(name) = args[0].as_str().map(Symbol::new) else {
            return Err(failed("a static has a name").into());
        };
        if let Some(cell) = self.globals.get(&name) {
            return Ok(Abstract::Ref { cell: *cell, path: Vec::new() }.into_value());
        }
        let content = self.call_value(&args[1].clone(), Vec::new(), span)?;
        let new_cell = self.new_cell(content);
        Arc::make_mut(&mut self.globals).insert(name, self.cells.len() - 1);
        Ok(new_cell)
    }

    fn same_place(&mut self, args: &[Value<'static>], span: Span) -> PathResult<Value<'static>> {
        match (place(&args[0]), place(&args[1])) {
            (Some(a), Some(b)) => Ok(Value::Bool(a == b)),
            // The referents of shared references: equal values may be in two places.
            (None, None) if !matches!(args, [Value::Ref(_), _] | [_, Value::Ref(_)]) => {
                Err(self.unsupported("whether two references are to one place", span))
            }
            _ => self.unknown(Ty::bool(), super::sets::Dep::default()),
        }
    }

    /// Any of several references: a read gives the join, a write may change any of them.
    fn one_of_cells(
        &mut self,
        op: &'static OpDef,
        ret: Ty,
        all: &[Value<'static>],
        args: &[Value<'static>],
        span: Span,
    ) -> PathResult<Value<'static>> {
        let before = self.cells.clone();
        let mut joined = None;
        for one in all {
            self.cells = before.clone();
            let mut args = args.to_vec();
            args[0] = one.clone();
            let value = self.cell_operation(op, ret, &mut args, span)?;
            let state = super::state::State::new(vec![(0, value)], self.cells.clone());
            self.join_into(&mut joined, state)?;
        }
        let Some(state) = joined else { return Ok(Value::Unit) };
        self.cells = state.cells;
        Ok(state.values.into_iter().next().map_or(Value::Unit, |(_, value)| value))
    }

    /// A part of a content of which only the type and the dependences are known.
    fn of_unknown_content(
        &mut self,
        op: &'static OpDef,
        ret: Ty,
        cell: usize,
        args: &mut [Value<'static>],
        content: &Value<'static>,
        span: Span,
    ) -> PathResult<Value<'static>> {
        let mut content = content.clone();
        if let Some(array) = super::state::patched(content.clone()) {
            content = array;
            Arc::make_mut(&mut self.cells)[cell] = content.clone();
            return self.cell_operation(op, ret, args, span);
        }
        let dep = self.dep_of_all(&[content.clone(), args.last().cloned().unwrap_or(Value::Unit)]);
        if *op == ops::REF_SET {
            let ty = super::abstract_value::ty_of(&content).unwrap_or(Ty::unit());
            let changed = self.unknown(ty, dep)?;
            Arc::make_mut(&mut self.cells)[cell] = changed;
            return Ok(Value::Unit);
        }
        if [&ops::REF_GET, &ops::REF_TAKE, &ops::REF_LEN, &ops::REF_TAG].contains(&op) {
            return self.unknown(ret, dep);
        }
        // A reference into it is replaced by one to the whole, which stands for each of its parts.
        Err(self.unsupported("a reference into a value that depends on the inputs", span))
    }
}

/// Whether floats are seen as integers, or integers as floats.
fn shows_bits(step: &PathElem) -> bool {
    matches!(step, PathElem::View { from, to, .. } if holds_floats(*from) != holds_floats(*to))
}

fn place(value: &Value<'static>) -> Option<(usize, Vec<PathElem>)> {
    match Abstract::of(value)? {
        Abstract::Ref { cell, path } => Some((*cell, path.clone())),
        _ => None,
    }
}

/// A value that holds cells of the engine, such as an argument, with cells of the analysis in place of them.
pub(crate) fn adopted(analysis: &mut Analysis, value: Value<'static>) -> Value<'static> {
    match value {
        Value::Ref(real) => match real.get() {
            Ok(content) => {
                let content = adopted(analysis, content);
                analysis.new_cell(content)
            }
            Err(_) => analysis.new_cell(Value::Unit),
        },
        Value::Array(array) if array.as_values().is_some() => {
            let elems: Vec<Value<'static>> = array.iter().map(|elem| adopted(analysis, elem)).collect();
            let flat = Array::from_values(array.elem_ty(), elems);
            flat.and_then(|flat| flat.reshape(array.shape())).map_or(Value::Array(array), Value::from)
        }
        other => other,
    }
}
