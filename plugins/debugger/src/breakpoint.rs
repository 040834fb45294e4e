//! Breakpoints: where a run stops, and under which conditions.

use std::fmt;

use overdub_context::Symbol;
use overdub_context::interp::Mark;
use overdub_context::ir::Func;
use overdub_context::value::Value;

use crate::lines;

/// A breakpoint, a watchpoint or a logpoint.
#[derive(Clone, Debug)]
pub struct Breakpoint {
    /// Its number, from 1.
    pub id: usize,
    /// What it stops at.
    pub kind: Kind,
    /// A Rust expression over the variables in scope; the breakpoint stops only where it is true.
    pub condition: Option<String>,
    /// Which of its hits stop the run.
    pub hits: Option<HitCondition>,
    /// Text with expressions in `{}`: the text is logged, and the run continues.
    pub log: Option<String>,
    /// Whether it is deleted when it stops the run.
    pub temporary: bool,
    /// Whether it is enabled.
    pub enabled: bool,
    /// The moments at which it was hit, in order.
    pub(crate) moments: Vec<u64>,
}

/// What a breakpoint stops at.
#[derive(Clone, Debug)]
pub enum Kind {
    /// The start of a function, in all its instances or in the named one.
    Function(String),
    /// Before a line.
    Line {
        /// The file.
        file: Symbol,
        /// The line that was requested.
        requested: u32,
        /// The line that has code, to which it is bound.
        line: u32,
    },
    /// A change of the value of a place.
    Data(Watched),
    /// An operation that computes a NaN from numbers that are not NaN.
    Nan,
    /// An operation that computes an infinity from finite numbers.
    Infinity,
}

/// The place that a data breakpoint watches.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The expression, such as `xs[3]`.
    pub text: String,
    /// The function in whose innermost call it is evaluated.
    pub func: Symbol,
    /// The value at the last evaluation, and the moment of that.
    pub(crate) last: Option<(u64, Value<'static>)>,
}

/// A condition on the number of hits of a breakpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HitCondition {
    /// `== n`
    Equal(u64),
    /// `>= n`
    AtLeast(u64),
    /// `% n == 0`
    Every(u64),
}

impl HitCondition {
    /// Parses `== 3`, `>= 1000`, `% 100 == 0`, or a number alone.
    pub fn parse(text: &str) -> Option<HitCondition> {
        let number = |text: &str| text.trim().parse().ok();
        let text = text.trim();
        if let Some(rest) = text.strip_prefix(">=") {
            return number(rest).map(HitCondition::AtLeast);
        }
        if let Some(rest) = text.strip_prefix('%') {
            let every = number(rest.split("==").next()?).filter(|&n| n > 0)?;
            return Some(HitCondition::Every(every));
        }
        number(text.strip_prefix("==").unwrap_or(text)).map(HitCondition::Equal)
    }

    /// Whether the `hit`th hit counts, from 1.
    pub fn holds(self, hit: u64) -> bool {
        match self {
            HitCondition::Equal(n) => hit == n,
            HitCondition::AtLeast(n) => hit >= n,
            HitCondition::Every(n) => hit.is_multiple_of(n),
        }
    }
}

impl Breakpoint {
    pub(crate) fn new(id: usize, kind: Kind) -> Breakpoint {
        Breakpoint {
            id,
            kind,
            condition: None,
            hits: None,
            log: None,
            temporary: false,
            enabled: true,
            moments: Vec::new(),
        }
    }

    /// The places in a function before which the breakpoint must be checked.
    pub(crate) fn marks(&self, func: &Func) -> Vec<Mark> {
        match &self.kind {
            _ if !self.enabled => Vec::new(),
            Kind::Function(name) if lines::is_function(&lines::source_name(func.name), name) => {
                lines::entry(func).into_iter().collect()
            }
            Kind::Function(_) => Vec::new(),
            Kind::Line { file, line, .. } => lines::on_line(func, *file, *line),
            Kind::Data(_) => lines::statements(func).map(lines::mark).collect(),
            Kind::Nan | Kind::Infinity => crate::machine::after_floats(func),
        }
    }

    /// The number of hits so far.
    pub fn hit_count(&self) -> usize {
        self.moments.len()
    }
}

impl fmt::Display for Breakpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.id)?;
        match &self.kind {
            Kind::Function(name) => write!(f, "function {name}")?,
            Kind::Line { file, line, .. } => write!(f, "{file}:{line}")?,
            Kind::Data(watched) => write!(f, "watch {}", watched.text)?,
            Kind::Nan => f.write_str("catch nan")?,
            Kind::Infinity => f.write_str("catch inf")?,
        }
        if let Some(condition) = &self.condition {
            write!(f, " if {condition}")?;
        }
        write!(f, ", {} hits", self.moments.len())
    }
}

impl Breakpoint {
    /// Stops only where a Rust expression over the variables in scope is true.
    pub fn set_condition(&mut self, text: &str) {
        self.condition = Some(text.to_owned());
    }

    /// Stops only at some of its hits.
    pub fn set_hits(&mut self, hits: HitCondition) {
        self.hits = Some(hits);
    }
}
