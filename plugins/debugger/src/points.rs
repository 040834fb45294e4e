//! Where a run is checked for breakpoints, and the outcome of that.

use std::sync::{Arc, PoisonError};

use hashbrown::HashMap;
use overdub_context::Symbol;
use overdub_context::engine::Sink;
use overdub_context::interp::{FrameView, Mark, Paused};
use overdub_context::ir::{Func, InstKind};
use overdub_context::value::Value;

use crate::breakpoint::{Breakpoint, Kind};
use crate::evaluate::{Evaluator, UseOfValue};
use crate::frames;
use crate::lines;
use crate::show::show;
use crate::source::Source;
use crate::stop::Reason;

/// The breakpoints, and the evaluator of their conditions.
pub(crate) struct Points {
    pub(crate) list: Vec<Breakpoint>,
    pub(crate) evaluator: Evaluator,
    pub(crate) places: HashMap<(Symbol, usize), Vec<Mark>>,
    /// The breakpoints that stop the run at its current position.
    pub(crate) hits: Vec<usize>,
}

/// The output of logpoints: kept until it is queried, or sent on.
#[derive(Default)]
pub(crate) struct Logs {
    pending: Vec<String>,
    sink: Option<Sink>,
}

impl Logs {
    fn add(&mut self, text: String) {
        match &self.sink {
            Some(sink) => (sink.lock().unwrap_or_else(PoisonError::into_inner))(&text),
            None => self.pending.push(text),
        }
    }

    pub(crate) fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.pending)
    }

    pub(crate) fn send_to(&mut self, sink: Sink) {
        self.sink = Some(sink);
    }
}

/// Places to check besides those of breakpoints.
#[derive(Clone, Debug)]
pub(crate) enum Extra {
    /// All statements of these modules and functions; of all, if none is named.
    Focus(Arc<[String]>),
    /// The statements of functions that are open when the run begins.
    OpenCalls,
    /// The statements of these functions.
    In(Vec<Symbol>),
    /// A place.
    Place(Symbol, Mark),
}

impl Extra {
    pub(crate) fn for_calls(&self, state: &Paused) -> Extra {
        match self {
            Extra::OpenCalls => {
                Extra::In(frames::of_source(state).map(|(_, frame)| frame.func().name).collect())
            }
            other => other.clone(),
        }
    }

    pub(crate) fn marks(&self, func: &Func) -> Vec<Mark> {
        match self {
            Extra::Focus(focus) if in_focus(focus, &lines::source_name(func.name)) => {
                lines::statements(func).map(lines::mark).collect()
            }
            Extra::In(funcs) if funcs.contains(&func.name) => {
                lines::statements(func).map(lines::mark).collect()
            }
            Extra::Place(name, mark) if *name == func.name => vec![*mark],
            Extra::Focus(_) | Extra::OpenCalls | Extra::In(_) | Extra::Place(..) => Vec::new(),
        }
    }

    pub(crate) fn is_at_position(&self, state: &Paused) -> bool {
        state.frames().next().is_some_and(|frame| {
            let position = Mark { block: frame.block(), at: frame.at() };
            self.marks(frame.func()).contains(&position)
        })
    }
}

/// Whether a function is one of these functions, or in one of these modules and types.
fn in_focus(focus: &[String], func: &str) -> bool {
    let func = lines::without_args(func);
    let is_inside = |path: &String| {
        func.strip_prefix(path.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    focus.is_empty() || focus.iter().any(is_inside)
}

impl Points {
    pub(crate) fn new(source: &Source) -> Points {
        Points {
            list: Vec::new(),
            evaluator: Evaluator::new(source.clone()),
            places: HashMap::new(),
            hits: Vec::new(),
        }
    }

    /// The first breakpoint that is hit at the current position; runs its logpoints.
    pub(crate) fn hit(&mut self, state: &Paused, logs: &mut Logs) -> Option<Reason> {
        let mut found = None;
        self.hits.clear();
        for at in 0..self.list.len() {
            let Some(reason) = self.hit_of(at, state) else { continue };
            let moment = state.steps();
            let point = &mut self.list[at];
            if point.moments.last().is_none_or(|&last| last < moment) {
                point.moments.push(moment);
            }
            let number = point.moments.partition_point(|&hit| hit <= moment) as u64;
            if point.hits.is_some_and(|hits| !hits.holds(number)) {
                continue;
            }
            let id = point.id;
            match point.log.clone() {
                Some(text) => logs.add(self.logged(state, &text)),
                None => {
                    self.hits.push(id);
                    found = found.or(Some(reason));
                }
            }
        }
        found
    }

    /// The reason why a breakpoint stops here, if it does; the number of its hits is not checked.
    pub(crate) fn hit_of(&mut self, at: usize, state: &Paused) -> Option<Reason> {
        let frame = state.frames().next()?;
        let position = Mark { block: frame.block(), at: frame.at() };
        let point = &mut self.list[at];
        let places =
            self.places.entry((frame.func().name, point.id)).or_insert_with(|| point.marks(frame.func()));
        if !point.enabled || !places.contains(&position) {
            return None;
        }
        let id = point.id;
        let reason = match &mut point.kind {
            Kind::Function(_) | Kind::Line { .. } => Reason::Breakpoint(id),
            Kind::Data(watched) => {
                let (_, frame) =
                    frames::of_source(state).find(|(_, frame)| frame.func().name == watched.func)?;
                let new = frames::path_value(&frame, &watched.text)?;
                let (_, old) = watched.last.replace((state.steps(), new.clone()))?;
                if old.same(&new) {
                    return None;
                }
                Reason::Changed { id, old, new }
            }
            Kind::Nan => not_finite(&frame, id, f64::is_nan)?,
            Kind::Infinity => not_finite(&frame, id, f64::is_infinite)?,
        };
        let Some(condition) = point.condition.clone() else { return Some(reason) };
        let (_, frame) = frames::of_source(state).next()?;
        match self.evaluator.evaluate(&frames::variables(&frame), &condition, UseOfValue::Condition) {
            Ok(value) => value.as_bool().unwrap_or(false).then_some(reason),
            Err(error) => Some(Reason::Condition { id, message: error.to_string() }),
        }
    }

    /// The text of a logpoint.
    fn logged(&mut self, state: &Paused, text: &str) -> String {
        let variables = frames::of_source(state).next().map(|(_, frame)| frames::variables(&frame));
        let variables = variables.unwrap_or_default();
        let (mut out, mut rest) = (String::new(), text);
        while let Some((before, inner)) = rest.split_once('{') {
            out.push_str(before);
            let Some((expression, after)) = inner.split_once('}') else {
                out.push('{');
                rest = inner;
                break;
            };
            match self.evaluator.evaluate(&variables, expression, UseOfValue::Value) {
                Ok(value) => out.push_str(&show(&value)),
                Err(error) => out.push_str(&format!("<{error}>")),
            }
            rest = after;
        }
        out + rest
    }
}

/// Whether the preceding instruction computed such a number from operands without one.
fn not_finite(frame: &FrameView<'_, 'static>, id: usize, is: fn(f64) -> bool) -> Option<Reason> {
    let func = frame.func();
    let inst = func.block(frame.block()).insts.get(frame.at().checked_sub(1)?)?;
    let InstKind::Op { op, args } = &inst.kind else { return None };
    let result = frame.value(inst.result)?.clone();
    let operands: Vec<Value<'static>> = args.iter().filter_map(|arg| frames::operand(frame, arg)).collect();
    // The number originates here only if no operand contains one.
    if !holds(&result, is) || operands.iter().any(|operand| holds(operand, is)) {
        return None;
    }
    // An operation that only moves a number did not compute it.
    (!op.is_structural()).then_some(Reason::NotFinite { id, operation: op.name, operands, result })
}

/// Whether a float, or an element of an array of floats, is such a number.
fn holds(value: &Value<'static>, is: fn(f64) -> bool) -> bool {
    match value {
        Value::F64(x) => is(*x),
        Value::F32(x) => is(f64::from(*x)),
        Value::Array(array) => match array.as_f64s() {
            Some(elems) => elems.iter().any(|x| is(*x)),
            None => array.as_slice::<f32>().is_some_and(|elems| elems.iter().any(|x| is(f64::from(*x)))),
        },
        _ => false,
    }
}
