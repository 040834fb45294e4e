//! Reports for people: the origin of a non-finite value and its path to the result, or the terms of a sum, by
//! source line.

use std::fmt::{self, Write as _};

use overdub_context::{Span, Symbol};

use crate::history::{LineSum, Step, Term};
use crate::origins::Origins;
use crate::trace::{EntryId, Operand, Trace};

/// The depth to which the finite operands of a float are followed.
const TREE_DEPTH: usize = 4;
/// The greatest number of operands of an operation, and of lines of a chain or of a sum, that are shown.
const SHOWN_OPERANDS: usize = 4;
const SHOWN_LINES: usize = 12;
/// The number of characters of a full bar.
const BAR: usize = 20;

/// Where a float of a result comes from.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The place of the float.
    pub place: String,
    /// Its value.
    pub value: f64,
    /// If it is NaN or infinite, the operations through which it came, starting with the float's own; the
    /// last one computed it from finite numbers.
    pub chain: Vec<Step>,
    /// If it is finite, its terms.
    pub terms: Vec<Term>,
    /// These terms, grouped by line.
    pub lines: Vec<LineSum>,
    /// The operands of the operation where it originated, or of the largest term.
    pub tree: Vec<TreeLine>,
}

/// A float in the tree of operands.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct TreeLine {
    /// Its distance from the root.
    pub depth: usize,
    /// Its value.
    pub value: f64,
    /// The operation that computed it.
    pub step: Option<Step>,
    /// Its place in the arguments, if it is one of their floats.
    pub argument: Option<String>,
}

impl Origins {
    /// The report on the float at a place of the result; `None` if there is no such place.
    pub fn report(&self, place: &str) -> Option<Report> {
        let Operand { id, value } = self.float(place)?;
        let trace = self.trace();
        if !value.is_finite() {
            let chain = trace.origin(id);
            let root = chain.last().copied().unwrap_or(id);
            let chain = chain.iter().filter_map(|id| self.step(*id)).collect();
            let (terms, lines) = (Vec::new(), Vec::new());
            return Some(Report {
                place: place.to_owned(),
                value,
                chain,
                terms,
                lines,
                tree: self.tree(root, value),
            });
        }
        let mut terms = trace.terms(id, value);
        terms.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
        for step in terms.iter_mut().filter_map(|term| term.step.as_mut()) {
            step.func = self.engine.root(step.func);
        }
        let lines = Trace::lines(&terms);
        let largest = terms.first().map_or((id, value), |term| (term.id, term.value));
        let tree = self.tree(largest.0, largest.1);
        Some(Report { place: place.to_owned(), value, chain: Vec::new(), terms, lines, tree })
    }

    /// The operation that computed a float, with the name of the program's function that it belongs to.
    fn step(&self, id: EntryId) -> Option<Step> {
        let step = self.trace().step(id)?;
        Some(Step { func: self.engine.root(step.func), ..step })
    }

    /// The operation that computed a float, those that computed its operands, and so on.
    fn tree(&self, root: EntryId, value: f64) -> Vec<TreeLine> {
        let mut lines = Vec::new();
        let mut left = vec![(0, Operand { id: root, value })];
        while let Some((depth, Operand { id, value })) = left.pop() {
            let step = self.step(id);
            if let Some(step) = step.as_ref().filter(|_| depth < TREE_DEPTH) {
                let known = step.operands.iter().filter(|operand| operand.id != 0).take(SHOWN_OPERANDS);
                let known: Vec<Operand> = known.copied().collect();
                left.extend(known.into_iter().rev().map(|operand| (depth + 1, operand)));
            }
            let value = step.as_ref().map_or(value, |step| step.value);
            lines.push(TreeLine { depth, value, step, argument: self.argument(id) });
        }
        lines
    }
}

/// `mul(2.0, x)`.
struct ShownStep<'s>(&'s Step);

impl fmt::Display for ShownStep<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operands = &self.0.operands;
        let values = operands.iter().take(SHOWN_OPERANDS).map(|operand| format!("{:?}", operand.value));
        let mut values: Vec<String> = values.collect();
        if operands.len() > SHOWN_OPERANDS {
            values.push(format!("… {} in all", operands.len()));
        }
        write!(f, "{}({}) = {:?}", self.0.op.name, values.join(", "), self.0.value)
    }
}

/// `f.rs:3:9`; for code that the engine generated, only the function.
fn place_of(span: Span, func: Symbol) -> String {
    if span.is_known() { span.to_string() } else { format!("`{func}`") }
}

impl Report {
    /// The report as text. `source` returns the text of a line of a file, which is then shown.
    pub fn render(&self, source: &dyn Fn(Symbol, u32) -> Option<String>) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text, source);
        text
    }

    fn write(&self, text: &mut String, source: &dyn Fn(Symbol, u32) -> Option<String>) -> fmt::Result {
        if self.value.is_finite() {
            self.write_sum(text, source)?;
        } else {
            self.write_chain(text, source)?;
        }
        write_tree(text, &self.tree)
    }

    fn write_chain(&self, text: &mut String, source: &dyn Fn(Symbol, u32) -> Option<String>) -> fmt::Result {
        let Some((first, through)) = self.chain.split_last() else {
            return writeln!(text, "{} is {:?}: it was given or written so", self.place, self.value);
        };
        writeln!(text, "{} is {:?}", self.place, self.value)?;
        let spoilt = first.operands.iter().any(|operand| !operand.value.is_finite());
        let of =
            if spoilt { "made of a number that was given or written so" } else { "made of finite numbers" };
        writeln!(text, "it began at {} in `{}`, {of}", place_of(first.span, first.func), first.func)?;
        write_line(text, first.span, source)?;
        writeln!(text, "    {}", ShownStep(first))?;
        // Operations that a loop repeats are shown as one line.
        let mut groups: Vec<(&Step, usize)> = Vec::new();
        for step in through.iter().rev() {
            match groups.iter_mut().find(|(known, _)| known.op == step.op && known.span == step.span) {
                Some((_, count)) => *count += 1,
                None => groups.push((step, 1)),
            }
        }
        if !groups.is_empty() {
            writeln!(text, "and came here through")?;
        }
        for (step, count) in groups.iter().take(SHOWN_LINES) {
            let times = if *count > 1 { format!("  {count} times") } else { String::new() };
            writeln!(text, "    {}  {}{times}", place_of(step.span, step.func), ShownStep(step))?;
        }
        if groups.len() > SHOWN_LINES {
            writeln!(text, "    … {} places more", groups.len() - SHOWN_LINES)?;
        }
        Ok(())
    }

    fn write_sum(&self, text: &mut String, source: &dyn Fn(Symbol, u32) -> Option<String>) -> fmt::Result {
        if self.lines.is_empty() {
            return writeln!(text, "{} is {:?}: no operation adds to it", self.place, self.value);
        }
        let count = self.terms.len();
        let terms = if count == 1 { "one term".to_owned() } else { format!("the sum of {count} terms") };
        writeln!(text, "{} is {:?}, {terms}", self.place, self.value)?;
        let all: f64 = self.lines.iter().map(|line| line.magnitude).sum();
        for line in self.lines.iter().take(SHOWN_LINES) {
            let share = line.magnitude / all;
            let bar = "█".repeat((share * BAR as f64).round() as usize);
            let sum = format!("{:?}", line.sum);
            let terms = if line.terms == 1 { String::new() } else { format!(" by {} terms", line.terms) };
            let place = place_of(line.span, line.func);
            writeln!(text, "    {bar:<BAR$} {:>4.0} %  {sum} at {place}{terms}", share * 100.0)?;
            write_line(text, line.span, source)?;
        }
        if self.lines.len() > SHOWN_LINES {
            writeln!(text, "    … {} lines more", self.lines.len() - SHOWN_LINES)?;
        }
        Ok(())
    }
}

/// Writes the source line of a location, and a caret below it.
fn write_line(text: &mut String, span: Span, source: &dyn Fn(Symbol, u32) -> Option<String>) -> fmt::Result {
    let Some(line) = source(span.file, span.line).filter(|_| span.is_known()) else { return Ok(()) };
    let number = span.line.to_string();
    let before = " ".repeat(span.column.saturating_sub(1) as usize);
    let carets = "^".repeat(span.len.max(1) as usize);
    writeln!(text, "    {number} | {line}")?;
    writeln!(text, "    {:>width$} | {before}{carets}", "", width = number.len())
}

fn write_tree(text: &mut String, tree: &[TreeLine]) -> fmt::Result {
    if tree.iter().all(|line| line.depth == 0) {
        return Ok(());
    }
    writeln!(text, "made of")?;
    for (at, line) in tree.iter().enumerate().filter(|(_, line)| line.depth > 0) {
        let mut indent = String::new();
        for depth in 1..=line.depth {
            let has_sibling = tree[at + 1..]
                .iter()
                .find(|next| next.depth <= depth)
                .is_some_and(|next| next.depth == depth);
            indent.push_str(match (depth == line.depth, has_sibling) {
                (true, true) => "├─ ",
                (true, false) => "└─ ",
                (false, true) => "│  ",
                (false, false) => "   ",
            });
        }
        match (&line.step, &line.argument) {
            (Some(step), _) => {
                writeln!(text, "    {indent}{}  {}", ShownStep(step), place_of(step.span, step.func))?
            }
            (None, Some(argument)) => writeln!(text, "    {indent}{argument} = {:?}", line.value)?,
            (None, None) => writeln!(text, "    {indent}{:?}", line.value)?,
        }
    }
    Ok(())
}
