//! The lines that have code, by file: where breakpoints bind.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::engine::FuncKey;
use overdub_context::interp::Mark;
use overdub_context::ir::{Func, Point, PointKind};

/// The lines of all functions that the debugged function reaches.
#[derive(Default, Debug)]
pub(crate) struct Lines {
    lines: BTreeMap<Symbol, BTreeSet<u32>>,
    funcs: Vec<Symbol>,
}

impl Lines {
    /// The lines of these functions.
    pub(crate) fn of(funcs: &[Arc<Func>]) -> Lines {
        let mut found = Lines::default();
        for func in funcs {
            if func.debug.is_some() {
                found.funcs.push(func.name);
            }
            for point in statements(func) {
                found.lines.entry(point.span.file).or_default().insert(point.span.line);
            }
        }
        found
    }

    /// The file that a user names, and the first line from `line` on that has code.
    pub(crate) fn bind(&self, file: &str, line: u32) -> Option<(Symbol, u32)> {
        let (file, lines) = self.lines.iter().find(|(name, _)| is_file(name, file))?;
        Some((*file, *lines.range(line..).next()?))
    }

    /// The names of functions, without type arguments, and of files.
    pub(crate) fn places(&self) -> impl Iterator<Item = String> + '_ {
        let funcs = self.funcs.iter().map(|func| without_args(func));
        funcs.chain(self.lines.keys().map(|file| file.to_string()))
    }

    /// The files.
    pub(crate) fn files(&self) -> impl Iterator<Item = Symbol> {
        self.lines.keys().copied()
    }

    /// The functions.
    pub(crate) fn functions(&self) -> &[Symbol] {
        &self.funcs
    }

    /// The instance with exactly this name.
    pub(crate) fn function(&self, name: &str) -> Option<Symbol> {
        self.funcs.iter().copied().find(|func| &**func == name)
    }

    /// Whether some function has this name.
    pub(crate) fn has_function(&self, name: &str) -> bool {
        self.funcs.iter().any(|func| is_function(func, name))
    }
}

/// Whether a path ends with the path that a user wrote.
fn is_file(path: &str, written: &str) -> bool {
    path == written || path.strip_suffix(written).is_some_and(|before| before.ends_with('/'))
}

/// The function of the source from which a function under contexts was made.
pub(crate) fn source_name(func: Symbol) -> Symbol {
    let mut name = func;
    while let Some(key) = FuncKey::of(name) {
        name = key.source;
    }
    name
}

/// Whether the name of an instance is the one that a user wrote: with type arguments this instance, without
/// them any.
pub(crate) fn is_function(symbol: &str, written: &str) -> bool {
    let is = |name: &str| name == written || name.strip_suffix(written).is_some_and(|p| p.ends_with("::"));
    is(symbol) || is(&without_args(symbol))
}

/// A name without its type arguments in `<>`.
pub(crate) fn without_args(symbol: &str) -> String {
    let mut depth = 0;
    let mut out = String::new();
    for c in symbol.chars() {
        match c {
            '<' => depth += 1,
            '>' if depth > 0 => depth -= 1,
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

/// The points where statements begin.
pub(crate) fn statements(func: &Func) -> impl Iterator<Item = &Point> {
    let points = func.debug.iter().flat_map(|debug| &debug.points);
    points.filter(|point| point.kind == PointKind::Statement)
}

/// The place of a point.
pub(crate) fn mark(point: &Point) -> Mark {
    Mark { block: point.block, at: point.at }
}

/// The points of a line in a function: the first statement that begins on it.
pub(crate) fn on_line(func: &Func, file: Symbol, line: u32) -> Vec<Mark> {
    let on_line = || statements(func).filter(move |point| point.span.file == file && point.span.line == line);
    let first = on_line().map(|point| point.span.column).min();
    on_line().filter(|point| Some(point.span.column) == first).map(mark).collect()
}

/// The start of a function: its first statement.
pub(crate) fn entry(func: &Func) -> Option<Mark> {
    statements(func).next().map(mark)
}
