//! The view of a paused run: open calls of the source, and the values of variables.

use std::sync::Arc;

use overdub_ad::tape::plain;
use overdub_context::analysis::{Cfg, Dominators};
use overdub_context::engine::FuncKey;
use overdub_context::interp::{FrameView, Mark, Paused};
use overdub_context::ir::{
    Block, Func, Location, LocationStep, NominalBody, Operand, Point, PointKind, TyKind,
};
use overdub_context::value::{PathElem, Value};
use overdub_context::{Span, Symbol};

use crate::error::DebugError;
use crate::moved;

/// An open call of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FrameInfo {
    /// The function, with its type arguments.
    pub function: Symbol,
    /// Its location: the next statement, or for a caller, its call.
    pub span: Span,
    /// The next instruction, or for a caller, its call.
    pub place: Mark,
}

/// A variable that has a value.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Symbol,
    /// Its type, in Rust syntax.
    pub ty: Symbol,
    /// Whether it is a parameter.
    pub is_param: bool,
    /// Its value. If it was moved, also partly or into the open call of a caller, a host value stands for
    /// what was moved.
    pub value: Value<'static>,
    /// The tangents in place of its floats, if the derivative along a direction is debugged.
    pub tangent: Option<Value<'static>>,
    /// The cotangents in place of its floats, in the reverse sweep of a gradient: those that the statements
    /// from the current one to the last have propagated.
    pub cotangent: Option<Value<'static>>,
    /// Its value under the contexts of the debugged run.
    pub(crate) inside: Value<'static>,
    /// Its location.
    pub(crate) location: Location,
}

/// The open calls of the source, the innermost first, by their numbers among all calls.
pub(crate) fn of_source(state: &Paused) -> impl Iterator<Item = (usize, FrameView<'_, 'static>)> {
    state.frames().enumerate().filter(|(_, frame)| frame.func().debug.is_some())
}

/// The open call of the source with this number.
pub(crate) fn frame(state: &Paused, number: usize) -> Result<(usize, FrameView<'_, 'static>), DebugError> {
    of_source(state).nth(number).ok_or(DebugError::NoFrame(number))
}

/// The statement that a call is in.
pub(crate) fn statement<'f>(frame: &FrameView<'f, 'static>) -> Option<&'f Point> {
    let func = frame.func();
    let mut block = frame.block();
    let mut at = frame.at();
    for _ in 0..=func.blocks.len() {
        if let Some(point) = last_point(func, block, at) {
            return Some(point);
        }
        block = dominator(func, block)?;
        at = usize::MAX;
    }
    None
}

/// The last statement of a block that begins at or before an instruction.
fn last_point(func: &Func, block: Block, at: usize) -> Option<&Point> {
    let points = func.debug.iter().flat_map(|debug| &debug.points);
    let at_position = points.filter(|point| point.block == block && point.at <= at);
    at_position.filter(|point| point.kind == PointKind::Statement).max_by_key(|point| point.at)
}

/// The immediate dominator of a block.
fn dominator(func: &Func, block: Block) -> Option<Block> {
    Dominators::new(&Cfg::new(func)).idom(block)
}

/// The source location at which a call is shown.
pub(crate) fn span(number: usize, frame: &FrameView<'_, 'static>) -> Span {
    match statement(frame) {
        Some(point) if number == 0 && point.block == frame.block() && point.at == frame.at() => point.span,
        Some(point) if !frame.span().is_known() => point.span,
        _ => frame.span(),
    }
}

/// The variables of a call that have a value, the outermost first; of several with one name, the last. Of a
/// variable that a closure captures in part, the captured parts are variables, such as `p.x`.
pub(crate) fn variables(frame: &FrameView<'_, 'static>) -> Vec<Variable> {
    let (Some(debug), Some(point)) = (&frame.func().debug, statement(frame)) else { return Vec::new() };
    let mut found: Vec<Variable> = Vec::new();
    for (number, location) in &point.live_vars {
        let variable = debug.variables[*number];
        found.retain(|known| rest_after(&known.name, &variable.name).is_none());
        if let Some((value, inside)) = read(frame, location) {
            found.push(Variable {
                name: variable.name,
                ty: variable.ty,
                is_param: variable.is_param,
                value,
                tangent: None,
                cotangent: None,
                inside,
                location: location.clone(),
            });
        }
    }
    found
}

/// The value of an operand; `None` if it was moved out.
pub(crate) fn operand(frame: &FrameView<'_, 'static>, operand: &Operand) -> Option<Value<'static>> {
    match operand {
        Operand::Const(constant) => Some(constant.value().clone()),
        Operand::Var(var) => {
            let value = frame.value(*var)?;
            let is_hole =
                matches!(value, Value::Unit) && !matches!(frame.func().ty(*var).kind(), TyKind::Unit);
            (!is_hole).then(|| value.clone())
        }
    }
}

/// The value at a location, and the same under the contexts of the function.
fn read(frame: &FrameView<'_, 'static>, location: &Location) -> Option<(Value<'static>, Value<'static>)> {
    let mut value = match (operand(frame, &location.root), &location.root) {
        (Some(value), _) => value,
        (None, Operand::Var(var)) => {
            let moved = moved::since_statement(frame, *var);
            return Some((moved.clone(), moved));
        }
        (None, Operand::Const(_)) => return None,
    };
    if location.in_cell {
        let Value::Ref(reference) = value else { return None };
        value = reference.get().ok()?;
    }
    for step in steps(frame, location)? {
        value = part(&value, step)?;
    }
    match FuncKey::of(frame.func().name) {
        Some(_) => Some((moved::without(plain(&value, location.ty).ok()?, &location.moved), value)),
        None => Some((moved::without(value.clone(), &location.moved), value)),
    }
}

/// The steps from the root to the variable, with the current values of indices.
pub(crate) fn steps(frame: &FrameView<'_, 'static>, location: &Location) -> Option<Vec<PathElem>> {
    let index = |at: &Operand| operand(frame, at)?.as_index();
    let step = |step: &LocationStep| {
        Some(match step {
            LocationStep::Field(k) => PathElem::Field(*k),
            LocationStep::Elem(at) => PathElem::Elem(index(at)?),
            LocationStep::Slice(from, to) => PathElem::Slice(index(from)?, index(to)?),
        })
    };
    location.path.iter().map(step).collect()
}

/// A part of a value.
pub(crate) fn part(value: &Value<'static>, step: PathElem) -> Option<Value<'static>> {
    match (step, value) {
        (PathElem::Field(k), Value::Composite(composite)) => composite.parts.get(k as usize).cloned(),
        (PathElem::Elem(at), Value::Array(array)) => array.get(at),
        (PathElem::Slice(from, to), Value::Array(array)) => {
            array.slice(from, to).map(|part| Value::Array(Arc::new(part)))
        }
        (step, Value::Ref(reference)) => part(&reference.get().ok()?, step),
        _ => None,
    }
}

/// Replaces a part of a value.
pub(crate) fn put(
    value_at_root: &mut Value<'static>,
    steps: &[PathElem],
    value: Value<'static>,
) -> Option<()> {
    let Some((step, rest)) = steps.split_first() else {
        *value_at_root = value;
        return Some(());
    };
    match (*step, value_at_root) {
        (PathElem::Field(k), Value::Composite(composite)) => {
            put(Arc::make_mut(composite).parts.get_mut(k as usize)?, rest, value)
        }
        (PathElem::Elem(at), Value::Array(array)) => {
            let mut elem = array.get(at)?;
            put(&mut elem, rest, value)?;
            Arc::make_mut(array).set(at, elem)
        }
        _ => None,
    }
}

/// The value of `name`, `name[3]`, `name.field`, `name[1].field[2]` in a call.
pub(crate) fn path_value(frame: &FrameView<'_, 'static>, path: &str) -> Option<Value<'static>> {
    let variables = variables(frame);
    let (variable, mut rest) = named(&variables, path)?;
    let mut value = variable.value.clone();
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('[') {
            let (at, after) = inner.split_once(']')?;
            value = part(&value, PathElem::Elem(at.trim().parse().ok()?))?;
            rest = after;
        } else {
            let (field, after) = split_name(rest.strip_prefix('.')?);
            let k = field_number(&value, field)?;
            value = part(&value, PathElem::Field(k))?;
            rest = after;
        }
    }
    match value {
        Value::Ref(reference) => reference.get().ok(),
        value if moved::is_moved(&value) => None,
        value => Some(value),
    }
}

/// The variable that a path such as `p.x[3]` starts with, and what follows it.
pub(crate) fn named<'a, 'p>(variables: &'a [Variable], path: &'p str) -> Option<(&'a Variable, &'p str)> {
    let path = path.trim();
    variables.iter().rev().find_map(|variable| Some((variable, rest_after(path, &variable.name)?)))
}

/// Why there is no value at a path such as `p.x[3]`.
pub(crate) fn missing(variables: &[Variable], path: &str) -> DebugError {
    let (name, _) = split_name(path);
    let parts = variables.iter().map(|variable| &*variable.name);
    let parts: Vec<String> = parts
        .filter(|part| part.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
        .map(|part| format!("`{part}`"))
        .collect();
    if name.is_empty() || parts.is_empty() {
        return DebugError::NoVariable(path.to_owned());
    }
    DebugError::OnlyParts { name: name.to_owned(), parts: parts.join(" and ") }
}

/// What follows the name of a variable in a path that starts with it.
fn rest_after<'p>(path: &'p str, name: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(name)?;
    let is_longer = rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    (!is_longer).then(|| rest.trim())
}

/// A name, and the text that follows it.
fn split_name(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

fn field_number(value: &Value<'static>, name: &str) -> Option<u32> {
    if let Ok(number) = name.parse() {
        return Some(number);
    }
    let value = match value {
        Value::Ref(reference) => reference.get().ok()?,
        value => value.clone(),
    };
    let composite = value.as_composite()?;
    match composite.ty?.as_nominal()?.body()? {
        NominalBody::Struct(fields) => {
            let at = fields.iter().position(|field| &*field.name == name)?;
            u32::try_from(at).ok()
        }
        NominalBody::Enum(_) => None,
    }
}
