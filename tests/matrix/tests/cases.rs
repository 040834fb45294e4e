//! The claims of the golden cases hold in every cell of the matrix.

use std::fs;
use std::path::{Path, PathBuf};

use overdub_context::ir::Ty;
use overdub_context::text::Parser;
use overdub_matrix::check::check;
use overdub_matrix::{Subject, Tally, sampled_rows};

/// Each claim is run in every `STEP`-th row, starting at another row for each claim.
const STEP: usize = 40;

/// The case files of the workspace.
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

/// Runs every call that a case claims something of.
fn check_file(path: &Path, calls_before: usize, tally: &mut Tally) -> usize {
    let text = fs::read_to_string(path).expect("a case can be read");
    let head = text.split("// ---").next().unwrap_or_default();
    let (command, rest) = head.split_once('\n').unwrap_or((head, ""));
    let Ok(listing) = Parser::new().file("case").parse(&format!("\n{rest}")) else { return 0 };
    // `parse` cases hold what no verifier has seen.
    if command.contains("parse") {
        return 0;
    }
    let mut calls = 0;
    for line in rest.lines() {
        let Some(claim) = line.strip_prefix("// run: @") else { continue };
        let Some((call, _)) = claim.split_once(") == ").or_else(|| claim.split_once(") fails ")) else {
            continue;
        };
        let Some((name, args)) = call.split_once('(') else { continue };
        let Some(func) = listing.func(name) else { continue };
        let tys: Vec<Ty> = func.param_tys().collect();
        let parser = Parser::new().file("claim").with_types(listing.types.iter().copied());
        let Ok(args) = parser.parse_list(args, &tys) else { continue };
        calls += 1;
        let subject = Subject::of_module(listing.module(), func, args);
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let before = tally.differ.len();
        let rows = sampled_rows(calls_before + calls, STEP);
        check(&subject, &rows, 0, |_, _| {}, |cell, verdict| tally.add(cell, verdict));
        for how in &mut tally.differ[before..] {
            *how = format!("{name}: @{call}): {how}");
        }
    }
    calls
}

#[test]
fn claims_hold_by_every_executor_under_every_context() {
    let (mut paths, mut tally, mut calls) = (Vec::new(), Tally::default(), 0);
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../cases"), &mut paths);
    paths.sort();
    for path in paths {
        calls += check_file(&path, calls, &mut tally);
    }
    assert!(calls > 50, "only {calls} claims were found");
    assert!(tally.differ.is_empty(), "{} differ\n{}", tally.differ.len(), tally.differ.join("\n"));
    assert!(tally.same > calls * 5, "{} cells as their reference", tally.same);
}
