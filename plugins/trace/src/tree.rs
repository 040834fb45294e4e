//! The calls of a run, in the order in which they began.
//!
//! - T3 the calls made by a call are those that follow it with a greater depth, up to the first without.

use std::fmt;
use std::time::{Duration, Instant};

use overdub_context::engine::CallSite;
use overdub_context::value::Value;
use overdub_context::{Span, Symbol};

use crate::shown::ShownValue;

/// A call that was recorded.
#[derive(Clone, PartialEq, Debug)]
pub struct TracedCall {
    /// The function or operation.
    pub function: Symbol,
    /// The arguments before the call.
    pub args: Vec<ShownValue>,
    /// The result; `None` for a call in which the program failed.
    pub result: Option<ShownValue>,
    /// The location of the call in the source.
    pub span: Span,
    /// The duration of the call, including the recording.
    pub time: Duration,
    /// The number of recorded calls that contain it.
    pub depth: usize,
}

/// The calls of a run.
#[derive(Clone, Debug)]
pub struct Tree {
    calls: Vec<TracedCall>,
    /// The calls that have not ended: their index in `calls`, if they are recorded, and when they began.
    open: Vec<(Option<usize>, Instant)>,
    not_recorded: usize,
    depth: usize,
    most: usize,
    chars: usize,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree::new(usize::MAX, usize::MAX, usize::MAX)
    }
}

impl Tree {
    pub(crate) fn new(depth: usize, most: usize, chars: usize) -> Tree {
        Tree { calls: Vec::new(), open: Vec::new(), not_recorded: 0, depth, most, chars }
    }

    pub(crate) fn open(&mut self, site: &CallSite, args: &[Value<'_>]) {
        let depth = self.open.len();
        let place = (depth < self.depth && self.calls.len() < self.most).then_some(self.calls.len());
        if place.is_some() {
            self.calls.push(TracedCall {
                function: Symbol::new(site.name()),
                args: args.iter().map(|arg| ShownValue::of(arg, self.chars)).collect(),
                result: None,
                span: site.span,
                time: Duration::ZERO,
                depth,
            });
        } else {
            self.not_recorded += 1;
        }
        self.open.push((place, Instant::now()));
    }

    pub(crate) fn close(&mut self, result: &Value<'_>) {
        let Some((place, start)) = self.open.pop() else { return };
        if let Some(call) = place.and_then(|place| self.calls.get_mut(place)) {
            call.time = start.elapsed();
            call.result = Some(ShownValue::of(result, self.chars));
        }
    }

    /// The calls in the order in which they began.
    pub fn calls(&self) -> &[TracedCall] {
        &self.calls
    }

    /// Removes the calls for which `keep` does not hold; the calls that they made become those of their callers.
    ///
    /// ```
    /// use overdub_context::{engine::Engine, text, value::Value};
    /// use overdub_trace::Trace;
    ///
    /// let program = text::parse("
    ///     fn @half(%x: f64) -> f64 {\n %y: f64 = mul %x, 0.5\n ret %y\n}
    ///     fn @f(%x: f64) -> f64 {\n %y: f64 = call @half(%x)\n ret %y\n}")?;
    /// let (_, mut tree) = Engine::new(program.module()).overdub(&Trace::new(), "f", vec![Value::F64(3.0)])?;
    /// tree.retain(|call| &*call.function != "half");
    /// assert_eq!(tree.to_string(), "mul(3.0, 0.5) = 1.5\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn retain(&mut self, keep: impl Fn(&TracedCall) -> bool) {
        // Whether each enclosing call is kept, and how many of them are.
        let mut enclosing: Vec<bool> = Vec::new();
        let mut kept = 0;
        self.calls.retain_mut(|call| {
            while enclosing.len() > call.depth {
                kept -= usize::from(enclosing.pop() == Some(true));
            }
            let is_kept = keep(call);
            call.depth = kept;
            enclosing.push(is_kept);
            kept += usize::from(is_kept);
            is_kept
        });
    }

    /// The tree below a call that was not recorded because nothing calls it: that of the function that was run.
    #[must_use]
    pub fn below(mut self, mut root: TracedCall) -> Tree {
        root.depth = 0;
        self.calls.iter_mut().for_each(|call| call.depth += 1);
        self.calls.insert(0, root);
        self
    }

    /// The number of calls that are not in the tree: beyond the limits of number or depth.
    pub fn not_recorded(&self) -> usize {
        self.not_recorded
    }
}

impl fmt::Display for TracedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.function)?;
        for (i, arg) in self.args.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{arg}")?;
        }
        f.write_str(")")?;
        match &self.result {
            Some(result) => write!(f, " = {result}"),
            None => f.write_str(" did not return"),
        }
    }
}

/// A line for each call; `{:#}` adds places and times.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.last_children();
        // For each depth, whether the call there is the last of its caller.
        let mut is_last: Vec<bool> = Vec::new();
        for (call, last) in self.calls.iter().zip(last) {
            is_last.truncate(call.depth);
            for &last in is_last.iter().skip(1) {
                f.write_str(if last { "   " } else { "│  " })?;
            }
            if call.depth > 0 {
                f.write_str(if last { "└─ " } else { "├─ " })?;
            }
            is_last.push(last);
            write!(f, "{call}")?;
            if f.alternate() {
                write!(f, "  [{}, {:?}]", call.span, call.time)?;
            }
            f.write_str("\n")?;
        }
        if self.not_recorded > 0 {
            writeln!(f, "and {} calls that were not recorded", self.not_recorded)?;
        }
        Ok(())
    }
}

impl Tree {
    /// For each call, whether its caller made no other call after it.
    fn last_children(&self) -> Vec<bool> {
        let mut followed: Vec<bool> = Vec::new();
        let mut is_last = Vec::with_capacity(self.calls.len());
        for call in self.calls.iter().rev() {
            followed.resize((call.depth + 1).max(followed.len()), false);
            is_last.push(!followed[call.depth]);
            followed[call.depth] = true;
            followed.truncate(call.depth + 1);
        }
        is_last.reverse();
        is_last
    }
}
