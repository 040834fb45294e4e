//! The counts of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use overdub_context::Symbol;
use overdub_context::engine::CallSite;
use overdub_context::ir::Ty;
use serde_json::{Value as Json, json};

/// The number of calls of each function.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Counts {
    /// The calls by function; few functions are called with many lists of types.
    calls: BTreeMap<&'static str, Vec<ByTypes>>,
    flops: u64,
    /// Operations whose cost is not known.
    unknown: BTreeSet<&'static str>,
}

/// The types of arguments, and the number of calls with them.
type ByTypes = (Box<[Ty]>, u64);

/// The calls of one function with arguments of one list of types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The function or operation.
    pub function: Symbol,
    /// The types of the arguments.
    pub args: Box<[Ty]>,
    /// The number of calls.
    pub calls: u64,
}

impl Counts {
    pub(crate) fn count(&mut self, call: &CallSite) {
        let by_types = self.calls.entry(call.name()).or_default();
        match by_types.iter_mut().find(|(args, _)| *args == call.args) {
            Some((_, calls)) => *calls += 1,
            None => by_types.push((call.args.clone(), 1)),
        }
    }

    pub(crate) fn add_flops(&mut self, flops: u64) {
        self.flops += flops;
    }

    pub(crate) fn add_unknown(&mut self, call: &CallSite) {
        self.unknown.insert(call.name());
    }

    /// The number of calls of a function or operation, with arguments of any types.
    pub fn of(&self, name: &str) -> u64 {
        self.calls.get(name).map_or(0, |by_types| by_types.iter().map(|(_, calls)| calls).sum())
    }

    /// The number of calls with arguments of these types.
    pub fn of_types(&self, name: &str, args: &[Ty]) -> u64 {
        let by_types = self.calls.get(name).map_or(&[][..], Vec::as_slice);
        by_types.iter().find(|(types, _)| **types == *args).map_or(0, |(_, calls)| *calls)
    }

    /// The number of floating-point operations: arithmetic and elementary functions on floats, with `mul_add`
    /// counting two, and operations on arrays by element. Those of [`Counts::unknown`] are not included.
    pub fn flops(&self) -> u64 {
        self.flops
    }

    /// The names of operations that were called and whose cost is unknown, because they belong to a plugin.
    pub fn unknown(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.unknown.iter().copied()
    }

    /// The total number of calls.
    pub fn total(&self) -> u64 {
        self.calls.values().flatten().map(|(_, calls)| calls).sum()
    }

    /// All counts, the greatest first, then by name and types.
    pub fn rows(&self) -> Vec<Row> {
        let row = |name: &str, (args, calls): &ByTypes| Row {
            function: Symbol::new(name),
            args: args.clone(),
            calls: *calls,
        };
        let mut rows: Vec<Row> =
            self.calls.iter().flat_map(|(name, all)| all.iter().map(|one| row(name, one))).collect();
        rows.sort_by_cached_key(|row| (u64::MAX - row.calls, row.function, row.types()));
        rows
    }

    /// The counts as JSON: `flops`, `unknown` (the names of operations whose cost is not known), and `calls` with
    /// `function`, `args` (types) and `calls` of each row.
    pub fn to_json(&self) -> Json {
        let row = |row: Row| {
            let args: Vec<String> = row.args.iter().map(Ty::to_string).collect();
            json!({ "function": row.function.as_str(), "args": args, "calls": row.calls })
        };
        let calls: Vec<Json> = self.rows().into_iter().map(row).collect();
        json!({ "flops": self.flops, "unknown": self.unknown, "calls": calls })
    }
}

impl Row {
    fn types(&self) -> String {
        self.args.iter().map(Ty::to_string).collect::<Vec<_>>().join(", ")
    }
}

/// The function and the types of its arguments.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.function, self.types())
    }
}

/// A line for each row, then the floating-point operations.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.rows();
        let width = rows.first().map_or(1, |row| row.calls.to_string().len());
        for row in rows {
            writeln!(f, "{:>width$}  {row}", row.calls)?;
        }
        writeln!(f, "{} floating-point operations", self.flops)?;
        if self.unknown.is_empty() {
            return Ok(());
        }
        let names: Vec<&str> = self.unknown().collect();
        writeln!(f, "and those in operations whose cost is not known: {}", names.join(", "))
    }
}
