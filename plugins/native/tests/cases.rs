//! The claims of golden cases hold for compiled code, and failing runs fail as in the interpreter.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use overdub_context::FailureKind;
use overdub_context::engine::{Executor, Interpreting};
use overdub_context::ir::Ty;
use overdub_context::text::{Listing, Parser};
use overdub_context::value::Value;
use overdub_native::Native;

/// The case files of the workspace.
fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    let mut found = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the workspace has its cases") {
            let path = entry.expect("a folder can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "ir") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The calls for which a case makes a claim: function and arguments.
fn runs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(|line| {
        let claim = line.strip_prefix("// run: @")?;
        let call = claim.split_once(") == ").or_else(|| claim.split_once(") fails "))?.0;
        call.split_once('(')
    })
}

/// The difference between compiled code and the interpreter in one call, if there is one.
fn difference(
    listing: &Listing,
    name: &str,
    args: &str,
    (native, native_optimises): (&Native, bool),
) -> Option<String> {
    let func = listing.func(name)?;
    let parser = Parser::new().file("claim").with_types(listing.types.iter().copied());
    let tys: Vec<Ty> = func.param_tys().collect();
    let args: Vec<Value<'static>> = parser.parse_list(args, &tys).ok()?;
    let module = Arc::new(listing.module());
    let expected = Interpreting::new().run(&module, func.name, args.clone());
    let got = native.run(&module, func.name, args);
    let agree = match (&expected, &got) {
        (Ok(a), Ok(b)) => a.same(b),
        (Err(a), Err(b)) => a == b,
        // With optimising, a value of a wrong type is not noticed if nothing depends on it.
        (Err(a), Ok(_)) => a.kind() == FailureKind::Type && native_optimises,
        _ => false,
    };
    (!agree).then(|| format!("@{name}: interpreted {expected:?}, native {got:?}"))
}

fn check(native: (&Native, bool)) {
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for path in cases() {
        let text = fs::read_to_string(&path).expect("a case can be read");
        let head = text.split("// ---").next().unwrap_or_default();
        let (command, rest) = head.split_once('\n').unwrap_or((head, ""));
        if command.contains("parse") {
            continue;
        }
        let Ok(listing) = Parser::new().file("case").parse(&format!("\n{rest}")) else { continue };
        for (name, args) in runs(rest) {
            checked += 1;
            wrong.extend(
                difference(&listing, name, args, native).map(|what| format!("{}: {what}", path.display())),
            );
        }
    }
    assert!(checked > 50, "only {checked} claims were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn compiled_code_gives_what_the_cases_claim_and_fails_with_the_same_call_stack() {
    check((&Native::new().without_optimising(), false));
}

#[test]
fn optimised_compiled_code_gives_what_the_cases_claim_and_fails_with_the_same_call_stack() {
    check((&Native::new(), true));
}
