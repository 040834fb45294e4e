//! Golden cases of code generation: `tests/cases/native/<claim>.ir` shows the Cranelift IR of its first function.
//!
//! Claim lines of a case are about that IR, and are never rewritten:
//!
//! - `// hot: TEXT` a block that is not cold contains the text;
//! - `// not hot: TEXT` no such block does;
//! - `// nowhere: TEXT` no block does.
//!
//! `BLESS=1` rewrites what is below `// ---`. `overdub-tests` checks the claims about the program itself.
#![cfg(all(target_arch = "x86_64", unix))]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use overdub_context::text::Parser;
use overdub_native::Native;

const SEPARATOR: &str = "// ---\n";

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/native");
    let entries = fs::read_dir(folder).expect("the workspace has its cases");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder can be read").path()).collect();
    paths.sort();
    paths
}

/// The Cranelift IR of the first function of a case.
fn listing(head: &str) -> String {
    let text = head.split_once('\n').map_or("", |(_, rest)| rest);
    let program = Parser::new().file("case").parse(&format!("\n{text}")).expect("a case is well formed");
    let first = program.funcs.first().expect("a case has a function").name;
    Native::new().listing(&Arc::new(program.module()), first).expect("every function can be compiled")
}

/// The lines of blocks that are not cold.
fn hot(listing: &str) -> String {
    let mut is_cold = false;
    let lines = listing.lines().filter(|line| {
        if line.starts_with("block") {
            is_cold = line.ends_with("cold:");
        }
        !is_cold
    });
    lines.map(|line| format!("{line}\n")).collect()
}

/// The claims of a case that do not hold for its IR.
fn broken_claims(head: &str, listing: &str) -> Vec<String> {
    let hot = hot(listing);
    let broken = |line: &&str| {
        let holds = if let Some(text) = line.strip_prefix("// hot: ") {
            hot.contains(text)
        } else if let Some(text) = line.strip_prefix("// not hot: ") {
            !hot.contains(text)
        } else if let Some(text) = line.strip_prefix("// nowhere: ") {
            !listing.contains(text)
        } else {
            true
        };
        !holds
    };
    head.lines().filter(broken).map(str::to_owned).collect()
}

#[test]
fn functions_compile_to_the_cranelift_ir_that_cases_show() {
    let bless = env::var_os("BLESS").is_some_and(|bless| bless == "1");
    let mut report = String::new();
    for path in cases() {
        let text = fs::read_to_string(&path).expect("a case can be read");
        let (head, golden) = text.split_once(SEPARATOR).unwrap_or((&text, ""));
        let listing = listing(head);
        for claim in broken_claims(head, &listing) {
            writeln!(report, "{}: this does not hold: {claim}", path.display()).expect("a string takes all");
        }
        let shown: String =
            listing.lines().map(|line| format!("{}\n", format!("// {line}").trim_end())).collect();
        if shown == golden {
            continue;
        }
        if bless {
            fs::write(&path, format!("{head}{SEPARATOR}{shown}")).expect("a case can be written");
        } else {
            writeln!(report, "{}: the IR is now\n{listing}", path.display()).expect("a string takes all");
        }
    }
    assert!(report.is_empty(), "{report}");
}
