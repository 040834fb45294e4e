//! The program that is edited.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use overdub_context::Symbol;
use overdub_context::ir::{Func, InstKind, Ty};
use overdub_context::ops;
use overdub_context::testing::Program;
use overdub_context::text::{Listing, Parser};
use overdub_context::value::Value;

use crate::ring::chosen;

/// Functions, and the call that runs them.
#[derive(Clone)]
pub(super) struct Base {
    pub(super) listing: Listing,
    pub(super) func: Symbol,
    pub(super) args: Vec<Value<'static>>,
}

/// A call for which a golden case makes a claim.
struct Claimed {
    name: String,
    base: Base,
}

/// The folder of the golden cases.
const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/cases");

thread_local! {
    static CLAIMED: LazyLock<Vec<Claimed>> = LazyLock::new(all_claimed);
}

impl Base {
    /// The first byte selects a generated program or a golden case.
    pub(super) fn of_bytes(bytes: &[u8]) -> Option<Base> {
        match bytes {
            [kind, rest @ ..] if kind % 2 == 0 => {
                let program = Program::of_bytes(rest);
                let (listing, args) = (program.listing(), program.args());
                Some(Base { listing, func: Symbol::new("main"), args })
            }
            [_, first, second, ..] => CLAIMED.with(|claimed| {
                chosen(claimed, |claimed| &claimed.name, [*first, *second])
                    .map(|claimed| claimed.base.clone())
            }),
            _ => None,
        }
    }
}

/// Formats as the text of the functions, with the call.
impl std::fmt::Display for Base {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}// run: @{}(", self.listing, self.func)?;
        for (i, arg) in self.args.iter().enumerate() {
            write!(f, "{}{arg}", if i > 0 { ", " } else { "" })?;
        }
        f.write_str(")\n")
    }
}

fn all_claimed() -> Vec<Claimed> {
    let mut paths = Vec::new();
    files(Path::new(CASES), &mut paths);
    paths.sort();
    paths.iter().flat_map(|path| claimed_in(path)).collect()
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the workspace has its cases") {
        let path = entry.expect("a folder can be read").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "ir") {
            found.push(path);
        }
    }
}

/// The calls for which a case makes a claim.
fn claimed_in(path: &Path) -> Vec<Claimed> {
    let text = fs::read_to_string(path).expect("a case can be read");
    let head = text.split("// ---").next().unwrap_or_default();
    let (command, rest) = head.split_once('\n').unwrap_or((head, ""));
    let Ok(listing) = Parser::new().parse(&format!("\n{rest}")) else { return Vec::new() };
    // `parse` cases hold functions that were not verified.
    if command.contains("parse") || listing.funcs.iter().any(|func| has_conditions(func)) {
        return Vec::new();
    }
    let file = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let calls = rest.lines().filter_map(|line| {
        let claim = line.strip_prefix("// run: @")?;
        let (call, _) = claim.split_once(") == ").or_else(|| claim.split_once(") fails "))?;
        let (func, args) = call.split_once('(')?;
        let func = listing.func(func)?;
        let tys: Vec<Ty> = func.param_tys().collect();
        let args = Parser::new().with_types(listing.types.iter().copied()).parse_list(args, &tys).ok()?;
        let base = Base { listing: listing.clone(), func: func.name, args };
        Some(Claimed { name: format!("{file} {call}"), base })
    });
    calls.collect()
}

/// Whether a function has accesses that were proven to be in bounds, or takes parts that must be put back:
/// edits invalidate what these rely on, and the verifier does not notice.
pub(super) fn has_conditions(func: &Func) -> bool {
    let conditional =
        [&ops::GET_UNCHECKED, &ops::SET_UNCHECKED, &ops::TAKE_FIELD, &ops::TAKE_PAYLOAD, &ops::TAKE_ELEM];
    func.blocks.iter().flat_map(|body| &body.insts).any(|inst| match &inst.kind {
        InstKind::Op { op, .. } => conditional.contains(op),
        _ => false,
    })
}
