//! Golden cases of name resolution: `tests/resolve/<claim>.rs`.
//!
//! A line `// names F: …` says what the body of `F` names, in the order of its expressions: variables as
//! `name@line`, items by their paths, what hangs on a type as `_::name`. A line `// error F: …` says how `F` fails.
//! `BLESS=1` rewrites the lines of names, never those of errors.

use std::fmt::Write;
use std::path::Path;

use overdub_lower::hir::{CtorPath, ExprKind, HirBody, PatKind, TypeKind, ValuePath};
use overdub_lower::{Loaded, Program};

fn value(program: &Program, body: &HirBody, path: &ValuePath) -> String {
    match path {
        ValuePath::Local(local) => {
            let local = &body.locals[local.index()];
            format!("{}@{}", local.name, local.span.line)
        }
        ValuePath::Def(def, _) => program.path(*def),
        ValuePath::ConstParam(param) => {
            let generics = program.generics(param.owner).expect("its own parameters");
            generics.params[param.index as usize].name.to_string()
        }
        ValuePath::Assoc { base, name, .. } => match &base.kind {
            TypeKind::Def(def, _) => format!("<{}>::{name}", program.path(*def)),
            TypeKind::Prim(prim) => format!("<{}>::{name}", prim.name()),
            _ => format!("_::{name}"),
        },
        ValuePath::TraitItem { item, .. } => program.path(*item),
        ValuePath::SelfCtor(_) => "Self".to_owned(),
    }
}

fn ctor(program: &Program, path: &CtorPath) -> String {
    match path {
        CtorPath::Def(def, _) => program.path(*def),
        CtorPath::Type(_, None) => "Self".to_owned(),
        CtorPath::Type(_, Some(name)) => format!("_::{name}"),
    }
}

/// All that a body names.
fn names(program: &Program, body: &HirBody) -> String {
    let mut out = Vec::new();
    for expr in &body.exprs {
        match &expr.kind {
            ExprKind::Path(path) => out.push(value(program, body, path)),
            ExprKind::Struct { path, .. } => out.push(ctor(program, path)),
            ExprKind::MethodCall { name, .. } => out.push(format!(".{name}")),
            ExprKind::Unsupported(what) => out.push(format!("!{what}")),
            _ => {}
        }
    }
    for pat in &body.pats {
        match &pat.kind {
            PatKind::Path(path) => out.push(format!("{}?", value(program, body, path))),
            PatKind::TupleStruct(path, ..) | PatKind::Struct(path, _) => {
                out.push(format!("{}?", ctor(program, path)));
            }
            _ => {}
        }
    }
    // What loops and ranges are made of would drown the rest.
    out.retain(|name| !name.starts_with("std::") || name.contains("f64"));
    out.join(" ")
}

fn found(program: &Program, function: &str) -> Result<String, String> {
    let def = program.lookup(function).map_err(|e| e.to_string())?;
    program.fn_sig(def).map_err(|e| format!("{} {e}", e.span))?;
    match program.body(def) {
        Ok(Some(body)) => Ok(names(program, &body)),
        Ok(None) => Ok("no body".to_owned()),
        Err(error) => Err(format!("{}:{} {error}", error.span.line, error.span.column)),
    }
}

fn check(path: &Path, failures: &mut String) {
    let name = path.file_name().expect("a file").to_string_lossy().into_owned();
    let text = std::fs::read_to_string(path).expect("a readable case");
    let program = Program::from_source(&name, &text).expect("a text loads");
    let mut blessed = String::new();
    let mut claims = 0;
    for line in text.lines() {
        let claim = line.trim().strip_prefix("// ").and_then(|l| l.split_once(": "));
        let mut kept = line.to_owned();
        if let Some((head, wanted)) = claim
            && let Some((kind @ ("names" | "error"), function)) = head.split_once(' ')
        {
            claims += 1;
            let got = found(&program, function);
            let same = match (&got, kind) {
                (Ok(got), "names") => got == wanted,
                (Err(got), "error") => got == wanted,
                _ => false,
            };
            if let (Ok(got), "names") = (&got, kind) {
                kept = format!("// names {function}: {got}");
            }
            if !same {
                let _ = writeln!(failures, "{name}: {function}\n  wanted {kind} {wanted}\n  got    {got:?}");
            }
        }
        blessed.push_str(&kept);
        blessed.push('\n');
    }
    if claims == 0 {
        let _ = writeln!(failures, "{name} claims nothing");
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, blessed).expect("a writable case");
    }
}

#[test]
fn every_case_resolves_as_it_claims() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/resolve");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of cases")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .collect();
    paths.sort();
    let mut failures = String::new();
    for path in &paths {
        check(path, &mut failures);
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn a_crate_folder_loads_with_its_modules_and_its_path_dependency() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/resolve/crates/user");
    let program = Program::load(&folder).expect("the crate loads");
    assert!(program.faults().is_empty(), "{:?}", program.faults());
    let paths: Vec<String> = program.functions().into_iter().map(|def| program.path(def)).collect();
    let expected = [
        "deep::inner::twice",
        "deep::outer",
        "placed::moved",
        "uses_the_dependency",
        "included",
        "uses_what_is_included",
    ];
    assert_eq!(paths, expected);
    let included = found(&program, "uses_what_is_included");
    assert_eq!(included.as_deref(), Ok("included x@20 table@21 .len <f64>::from"));
    assert_eq!(
        found(&program, "uses_the_dependency").as_deref(),
        Ok("helper_lib::enabled x@11 deep::inner::twice placed::moved")
    );
    assert_eq!(found(&program, "helper_lib::called").as_deref(), Ok("g@10 g@11 f@10"));
    assert_eq!(found(&program, "user::deep::outer").as_deref(), Ok("deep::inner::twice x@5"));
}

#[test]
fn a_dependency_is_opened_by_its_name_and_one_that_is_missing_is_said_so() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let error = |package: &Path, name: &str| {
        let error = Loaded::open_dependency(package, name).expect_err("there is none");
        (error.to_string(), error.help.is_some())
    };
    // From cargo's folder in the version of `Cargo.lock`, a dependency of tests, and one that is beside the package.
    let root = |name: &str| {
        let loaded =
            Loaded::open_dependency(here, name).expect("its source is on the machine that built this");
        loaded.program().faults().is_empty()
    };
    assert!(root("arrayvec") && root("overdub-context"));
    let names_none = format!("the manifest in `{}` names no dependency `nalgebra`", here.display());
    assert_eq!(error(here, "nalgebra"), (names_none, true));
    let user = here.join("tests/resolve/crates/user");
    let missing = "the source of `no-such-crate` 1.2 is not on this machine".to_owned();
    assert_eq!(error(&user, "no-such-crate"), (missing, true));
}

#[test]
fn an_attribute_macro_that_may_rewrite_a_function_is_refused_where_that_is_called() {
    let text = "struct S;\n\
        #[shop::twice] pub fn bought(x: f64) -> f64 { x }\n\
        #[op(\"add\")] pub fn times(a: f64, b: f64) -> f64 { a * b }\n\
        #[cfg_attr(all(), twice)] impl S { pub fn sold(&self) -> f64 { 1.0 } }\n\
        #[inline(always)] #[must_use] #[clippy::msrv = \"1\"] #[cfg_attr(all(), rustfmt::skip)]\n\
        #[tracing::instrument] #[unsafe(no_mangle)] #[cfg_attr(not(all()), twice)] pub fn plain(x: f64) -> f64 { x }";
    let program = Program::from_source("attributes.rs", text).expect("a text loads");
    let refused = |name: &str, attribute: &str, line: u32| {
        let def = program.lookup(name).expect("it is there");
        let error = program.body(def).expect_err("it is refused");
        let last = name.split("::").last().expect("it has a name");
        let message =
            format!("the attribute macro `#[{attribute}]` may rewrite `{last}`, and is not expanded");
        assert_eq!((error.to_string(), error.span.line, error.help.is_some()), (message, line, true));
    };
    refused("bought", "shop::twice", 2);
    refused("times", "op", 3);
    refused("S::sold", "twice", 4);
    assert_eq!(found(&program, "plain").as_deref(), Ok("x@6"));
}

#[test]
fn a_misspelt_function_is_met_with_its_neighbours() {
    let text = "mod gamma { pub fn ln_gamma(x: f64) -> f64 { x } }";
    let program = Program::from_source("near.rs", text).expect("a text loads");
    let error = program.lookup("gamma::ln_gama").expect_err("there is none");
    assert_eq!(error.similar, ["gamma::ln_gamma"]);
}

#[test]
fn threads_that_ask_at_once_get_the_same_answers() {
    let text = "use std::collections::BTreeMap;\n\
        #[derive(Clone, PartialEq)] struct P { x: f64 }\n\
        fn f(m: &BTreeMap<i32, f64>) -> f64 { m.values().map(|x| x.sin()).sum() }\n\
        fn g(a: &P, b: &P) -> bool { a.clone() == *b && f(&BTreeMap::new()) > 0.0 }";
    let ask = |program: &Program| {
        let each = ["f", "g", "<P as Clone>::clone"];
        each.map(|name| found(program, name).expect("it resolves"))
    };
    let program = Program::from_source("threads.rs", text).expect("a text loads");
    let answers: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| ask(&program))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no thread panics")).collect()
    });
    let alone = ask(&Program::from_source("threads.rs", text).expect("a text loads"));
    assert!(answers.iter().all(|answer| *answer == alone), "{answers:?}");
}

#[test]
fn a_provided_method_is_found_through_the_type_that_takes_it() {
    let text = "trait Shape { fn side(&self) -> f64; fn area(&self) -> f64 { self.side() * self.side() } }\n\
        struct A; struct B;\n\
        impl Shape for A { fn side(&self) -> f64 { 2.0 } }\n\
        impl Shape for B { fn side(&self) -> f64 { 3.0 } }";
    let program = Program::from_source("through.rs", text).expect("a text loads");
    let (def, through) = program.lookup_through("B::area").expect("it is there");
    assert_eq!(program.path(def), "Shape::area");
    assert_eq!(program.head(through.expect("an impl")).span.line, 4);
    assert_eq!(program.lookup_through("Shape::area").expect("it is there"), (def, None));
}
