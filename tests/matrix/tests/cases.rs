//! The claims of the golden cases hold in every cell of the matrix.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

use overdub_context::ir::Ty;
use overdub_context::text::Parser;
use overdub_matrix::check::check;
use overdub_matrix::executor::QUICK;
use overdub_matrix::{Subject, Tally, sampled_rows};

/// Each claim is checked in every `STEP`-th row, starting at a different row for each claim.
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

/// A call for which a case makes a claim.
struct Claim {
    /// The text of the case up to its expected part.
    text: Arc<str>,
    /// The file's name.
    file: Arc<str>,
    /// The called function and its arguments.
    call: String,
}

/// The calls for which a case makes a claim.
fn claims(path: &Path) -> Vec<Claim> {
    let text = fs::read_to_string(path).expect("a case can be read");
    let head = text.split("// ---").next().unwrap_or_default();
    let (command, rest) = head.split_once('\n').unwrap_or((head, ""));
    // `parse` cases hold functions that were not verified.
    if command.contains("parse") {
        return Vec::new();
    }
    let (text, file) = (format!("\n{rest}").into(), path.file_stem().unwrap_or_default().to_string_lossy());
    let file = Arc::from(&*file);
    let claim = |line: &str| {
        let claim = line.strip_prefix("// run: @")?;
        let (call, _) = claim.split_once(") == ").or_else(|| claim.split_once(") fails "))?;
        Some(Claim { text: Arc::clone(&text), file: Arc::clone(&file), call: call.to_owned() })
    };
    rest.lines().filter_map(claim).collect()
}

/// Runs a call in its rows, which the number of the call determines.
fn run(number: usize, claim: &Claim, tally: &mut Tally) -> Option<()> {
    let listing = Parser::new().file("case").parse(&claim.text).ok()?;
    let (name, args) = claim.call.split_once('(')?;
    let func = listing.func(name)?;
    let tys: Vec<Ty> = func.param_tys().collect();
    let parser = Parser::new().file("claim").with_types(listing.types.iter().copied());
    let args = parser.parse_list(args, &tys).ok()?;
    let subject = Subject::of_module(listing.module(), func, args);
    let before = tally.differ.len();
    check(
        &subject,
        &sampled_rows(number, STEP),
        &QUICK,
        0,
        |_, _| {},
        |cell, verdict| tally.add(cell, verdict),
    );
    for how in &mut tally.differ[before..] {
        *how = format!("{}: @{}): {how}", claim.file, claim.call);
    }
    Some(())
}

#[test]
fn claims_hold_by_every_executor_under_every_context() {
    let mut paths = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../cases"), &mut paths);
    paths.sort();
    let claims: Vec<Claim> = paths.iter().flat_map(|path| claims(path)).collect();
    // Each thread takes the next claim.
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut tally, mut calls) = (Tally::default(), 0);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(claim) = claims.get(number) else { return (tally, calls) };
            calls += usize::from(run(number, claim, &mut tally).is_some());
        }
    };
    let (mut same, mut calls, mut differ) = (0, 0, Vec::new());
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for thread in running {
            let (tally, ran) = thread.join().expect("no cell panics");
            same += tally.same;
            calls += ran;
            differ.extend(tally.differ);
        }
    });
    assert!(calls > 50, "only {calls} claims were found");
    assert!(differ.is_empty(), "{} differ\n{}", differ.len(), differ.join("\n"));
    assert!(same > calls * 5, "{same} cells as their reference");
}

#[test]
fn a_matrix_that_goes_on_runs_no_row_that_it_is_done_with() {
    let listing =
        Parser::new().file("case").parse("fn @f(%x: f64) -> f64 {\n  ret %x\n}\n").expect("it is a program");
    let func = listing.func("f").expect("it is there");
    let subject = Subject::of_module(listing.module(), func, vec![1.0.into()]);
    let rows = sampled_rows(0, STEP);
    let (mut run, mut compared) = (Vec::new(), 0);
    // From the third cell of the second row on.
    let from = QUICK.len() + 2;
    check(&subject, &rows[..2], &QUICK, from, |cell, _| run.push(cell), |_, _| compared += 1);
    // Its reference comes first.
    let expected: Vec<usize> = [QUICK.len()].into_iter().chain(from..2 * QUICK.len()).collect();
    assert_eq!((run, compared), (expected.clone(), expected.len() - 1));
}
