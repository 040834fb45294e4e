//! Golden cases of type inference.
//!
//! - A line of `tests/infer/*.rs` that ends in `// x: Vec<f64>` says what the variable `x`, declared on it, is.
//! - Every function of a case is inferred, and everything that it calls.

use std::collections::{HashSet, VecDeque};
use std::path::Path;
use std::sync::Arc;

use overdub_lower::Program;
use overdub_lower::infer::{Adjust, CallHints, Callee, InferErrorKind, Instance, ListShape, Typed, Types};

/// What a line claims of a variable.
struct Claim {
    line: u32,
    name: String,
    ty: String,
}

fn claims(text: &str) -> Vec<Claim> {
    let mut claims = vec![];
    for (i, line) in text.lines().enumerate() {
        let Some((_, comment)) = line.split_once("// ") else { continue };
        for part in comment.split(" | ") {
            let Some((name, ty)) = part.split_once(": ") else { continue };
            if name.chars().all(|c| c.is_alphanumeric() || c == '_') {
                let claim = Claim { line: i as u32 + 1, name: name.into(), ty: ty.trim().into() };
                claims.push(claim);
            }
        }
    }
    claims
}

/// All that a body calls.
fn called(typed: &Typed) -> Vec<Instance> {
    let mut found = vec![];
    let mut add = |callee: &Callee| match callee {
        Callee::Fn(instance) | Callee::Const(instance) => found.push(*instance),
        _ => {}
    };
    typed.callees.values().for_each(&mut add);
    typed.formats.values().flatten().for_each(&mut add);
    for adjustment in typed.adjustments.values().flatten() {
        match &adjustment.kind {
            Adjust::OverloadedDeref(instance) => add(&Callee::Fn(*instance)),
            Adjust::UnsizeDyn(vtable) => vtable.methods.iter().for_each(|(_, callee)| add(callee)),
            Adjust::FnToPointer(callee) => add(callee),
            _ => {}
        }
    }
    found.extend(typed.tries.values().filter_map(|found| found.convert));
    found
}

/// Whether a function cannot be chosen an instance of: somebody else must say what it is for.
fn is_for_callers(kind: &InferErrorKind) -> bool {
    matches!(kind, InferErrorKind::NoDefault { .. } | InferErrorKind::TakesFunction { .. })
}

fn check(path: &Path, failures: &mut Vec<String>) {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let text = std::fs::read_to_string(path).expect("a case is readable");
    let program = match Program::from_source(name, &text) {
        Ok(program) => Arc::new(program),
        Err(error) => {
            failures.push(format!("{}: {error}", error.span));
            return;
        }
    };
    let types = Types::new(program.clone());
    let mut open = claims(&text);
    let mut seen: HashSet<Instance> = HashSet::new();
    let mut waiting = VecDeque::new();
    for def in program.functions() {
        match types.default_instance_for(def, CallHints::default()) {
            Ok(instance) => waiting.push_back(instance),
            // A case's other functions call it with what it needs.
            Err(error) if is_for_callers(&error.kind) => {}
            Err(error) => failures.push(format!("{}: {error}", error.span)),
        }
    }
    while let Some(instance) = waiting.pop_front() {
        if !seen.insert(instance) || program.body(instance.def()).is_ok_and(|body| body.is_none()) {
            continue;
        }
        let typed = match types.infer(instance) {
            Ok(typed) => typed,
            Err(error) => {
                failures.push(format!("{}: {error} (in {})", error.span, types.name(instance)));
                continue;
            }
        };
        waiting.extend(called(&typed));
        for (local, ty) in typed.body.locals.iter().zip(&typed.locals) {
            let here = |claim: &Claim| {
                &*local.span.file == name && claim.line == local.span.line && claim.name == *local.name
            };
            let Some(at) = open.iter().position(here) else { continue };
            let claim = open.remove(at);
            let found = types.show(*ty);
            if found != claim.ty {
                failures.push(format!("{}: `{}` is `{found}`, not `{}`", local.span, claim.name, claim.ty));
            }
        }
    }
    for claim in open {
        failures.push(format!("{name}:{}: no variable `{}` there", claim.line, claim.name));
    }
}

#[test]
fn variables_have_the_types_that_rustc_gives_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/infer");
    let mut cases: Vec<_> =
        std::fs::read_dir(folder).expect("the cases are there").flatten().map(|entry| entry.path()).collect();
    cases.sort();
    assert!(!cases.is_empty());
    let mut failures = vec![];
    for case in &cases {
        check(case, &mut failures);
    }
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn an_expression_may_nest_as_deep_as_it_likes() {
    let text = format!("fn f(x: f64) -> f64 {{ {}x }}", "x * 2.0 + ".repeat(3000));
    let program = Arc::new(Program::from_source("deep.rs", &text).expect("it resolves"));
    let types = Types::new(program.clone());
    let typed = types.infer(
        types
            .default_instance_for(program.functions()[0], CallHints::default())
            .expect("it has no parameters"),
    );
    assert_eq!(types.show(typed.expect("it has types").ret), "f64");
}

#[test]
fn what_nobody_says_is_chosen_by_bounds_and_by_the_arguments() {
    let text = "pub trait Spread { fn spread(self) -> f64; }\n\
        impl<T: IntoIterator> Spread for T where T::Item: Into<f64> {\n\
            fn spread(self) -> f64 { self.into_iter().map(Into::into).sum() }\n\
        }\n\
        #[derive(Clone, Copy)] pub struct Point { x: f64 }\n\
        pub fn moved<P: Into<Point>>(to: P) -> f64 { to.into().x }\n\
        pub fn integral<F: Fn(f64) -> f64>(f: F, to: f64) -> f64 { f(to) }\n\
        pub trait Norm { fn norm(&self) -> f64; }\n\
        impl<T: Copy + Into<f64>> Norm for [T] { fn norm(&self) -> f64 { self[0].into() } }";
    let program = Arc::new(Program::from_source("chosen.rs", text).expect("it loads"));
    let types = Types::new(program.clone());
    let chosen = |path: &str, shapes: &[ListShape]| {
        let (def, through) = program.lookup_through(path).expect("it is there");
        let given = CallHints { through, shapes, ..CallHints::default() };
        types.default_instance_for(def, given).map(|instance| types.name(instance))
    };
    let list = [ListShape::List(vec![ListShape::Other, ListShape::Other])];
    assert_eq!(chosen("Spread::spread", &list).expect("lists spread"), "Spread::spread<Vec<f64>>");
    assert_eq!(chosen("moved", &[]).expect("a point is a point"), "moved<Point>");
    assert_eq!(chosen("<[T] as Norm>::norm", &list).expect("as it is listed"), "<[T] as Norm>::norm<f64>");
    let error = chosen("integral", &[]).expect_err("no argument is a function");
    assert!(error.to_string().starts_with("`integral` takes a function"), "{error}");
}

#[test]
fn casts_that_rustc_refuses_are_errors_that_name_the_types() {
    let cases = [
        ("x: i32", "bool", "`i32` cannot be cast to `bool`"),
        ("x: f64", "char", "`f64` cannot be cast to `char`"),
        ("x: u32", "char", "`u32` cannot be cast to `char`"),
        ("x: bool", "f64", "`bool` cannot be cast to `f64`"),
        ("x: char", "f32", "`char` cannot be cast to `f32`"),
        ("x: &str", "f64", "`&str` cannot be cast to `f64`"),
    ];
    for (param, to, expected) in cases {
        let text = format!("fn f({param}) -> {to} {{ x as {to} }}");
        let program = Arc::new(Program::from_source("cast.rs", &text).expect("it resolves"));
        let types = Types::new(program.clone());
        let instance = types.default_instance_for(program.functions()[0], CallHints::default());
        let error = types.infer(instance.expect("it is not generic")).expect_err("rustc refuses it");
        assert_eq!(error.to_string(), expected);
    }
    for (param, to) in
        [("x: u8", "char"), ("x: char", "u64"), ("x: bool", "i8"), ("x: bool", "bool"), ("x: f32", "u8")]
    {
        let text = format!("fn f({param}) -> {to} {{ x as {to} }}");
        let program = Arc::new(Program::from_source("cast.rs", &text).expect("it resolves"));
        let types = Types::new(program.clone());
        let instance = types.default_instance_for(program.functions()[0], CallHints::default());
        types.infer(instance.expect("it is not generic")).expect("rustc takes it");
    }
}
