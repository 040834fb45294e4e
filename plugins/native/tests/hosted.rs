//! A host method for every call changes nothing, in machine code and in the interpreter: on Rust programs
//! with closures, iterators, erased functions, maps and texts, and on the golden cases.

use std::fs;
use std::path::{Path, PathBuf};

use overdub_context::engine::{
    CallSite, Context, Domain, Engine, HostCall, Interpreting, Key, Lift, Lifted, Method, WithMetadata, ctx,
    ctx_with,
};
use overdub_context::ir::{Field, Nominal, NominalBody, Ty, TyKind};
use overdub_context::text::Parser;
use overdub_context::value::{Composite, Value};
use overdub_context::{Failure, FailureKind, Symbol};
use overdub_lower::Loaded;
use overdub_native::Native;

/// Handles every call by a host method that continues with the given arguments; counts those calls.
#[derive(Clone)]
struct HostAll;

impl Context for HostAll {
    type Metadata = usize;
    type Outcome = WithMetadata;

    fn metadata(&self) -> usize {
        0
    }

    fn method(&self, _: &CallSite) -> Method {
        Method::Host
    }

    fn call<'a>(&self, call: &mut HostCall<'_, '_, 'a, usize>) -> Result<Value<'a>, Failure> {
        *call.metadata() += 1;
        let args = call.take_args();
        call.recurse(args)
    }
}

const PROGRAM: &str = r#"
use std::collections::BTreeMap;
pub fn captured(a: &[f64]) -> f64 { let (k, s) = (a[0], a[1]); let f = |x: f64| k * x + s; f(f(a[2])) }
pub fn chained(a: &[f64]) -> f64 { a.iter().chain(a).map(|x| x * 2.0).filter(|x| *x > 1.0).sum() }
pub fn zipped(a: &[f64]) -> f64 { a.iter().zip(a.iter().skip(1)).map(|(x, y)| x * y).fold(0.0, |s, x| s + x) }
pub fn flat(a: &[f64]) -> f64 { a.iter().flat_map(|x| a.iter().map(move |y| x * y)).sum() }
pub fn sorted(a: &[f64]) -> f64 { let mut v = a.to_vec(); v.sort_by(|x, y| y.total_cmp(x)); v[0] - v[2] }
pub fn erased(a: &[f64]) -> f64 {
    let k = a[0];
    let all: Vec<Box<dyn Fn(f64) -> f64>> = vec![Box::new(|x| x + 1.0), Box::new(move |x| k * x), Box::new(f64::sin)];
    all.iter().fold(a[1], |x, f| f(x))
}
pub fn mutated(a: &[f64]) -> f64 { let mut t = 0.0; let mut add = |x: f64| t += x; add(a[0]); add(a[1]); t }
pub fn mapped(a: &[f64]) -> f64 {
    let mut m: BTreeMap<i64, Vec<f64>> = BTreeMap::new();
    for (i, x) in a.iter().enumerate() { m.entry(i as i64 % 2).or_default().push(*x) }
    m.values().map(|v| v.iter().sum::<f64>() * v.len() as f64).sum()
}
pub fn text(a: &[f64]) -> f64 { let s: Vec<String> = a.iter().map(|x| format!("{x:.1}")).collect(); s.join("+").len() as f64 }
pub fn matched(a: &[f64]) -> f64 {
    let first = a.iter().position(|x| *x < 0.0).map(|i| a[i]).ok_or("none");
    match first { Ok(x) => x, Err(why) => why.len() as f64 }
}
struct P { x: f64, w: Vec<f64> }
pub fn structs(a: &[f64]) -> f64 {
    let mut all: Vec<P> = a.iter().map(|x| P { x: *x, w: vec![*x; 2] }).collect();
    for p in all.iter_mut() { p.w[1] *= p.x; p.x += p.w[1] }
    all.iter().map(|p| p.x * p.w[0]).sum()
}
pub fn fails(a: &[f64]) -> f64 { let f = |i: usize| a[i]; f(1) + f(7) }
"#;

const FUNCTIONS: &[&str] = &[
    "captured", "chained", "zipped", "flat", "sorted", "erased", "mutated", "mapped", "text", "matched",
    "structs", "fails",
];

type Shown = Result<String, (FailureKind, String)>;

fn shown(result: Result<Value<'_>, Failure>) -> Shown {
    let result = result.map(|value| value.to_string());
    result.map_err(|failure| (failure.kind(), failure.report().message.clone()))
}

/// The result of a function under host methods for every call.
fn hosted(engine: &Engine, func: Symbol, args: &[Value<'static>]) -> Shown {
    shown(engine.overdub(&HostAll, func, args.to_vec()).map(|(value, _)| value))
}

/// As [`hosted`], with contexts around and inside.
fn hosted_in_layers(engine: &Engine, func: Symbol, args: &[Value<'static>]) -> Vec<Shown> {
    let count = ctx_with::<usize>().before(|count, _, _| *count += 1);
    let args = || args.to_vec();
    vec![
        shown(engine.overdub(&(HostAll, HostAll), func, args()).map(|((value, _), _)| value)),
        shown(engine.overdub(&(count.clone(), HostAll), func, args()).map(|((value, _), _)| value)),
        shown(engine.overdub(&(HostAll, count), func, args()).map(|((value, _), _)| value)),
    ]
}

#[test]
fn a_host_method_for_every_call_runs_any_rust_program() -> Result<(), Box<dyn std::error::Error>> {
    let loaded = Loaded::from_source("hosted.rs", PROGRAM)?;
    let args = [Value::floats(vec![1.5, -0.5, 2.25])];
    let interpreted = loaded.engine();
    let native = loaded.engine_builder().executor(Native::new()).build();
    for name in FUNCTIONS {
        let func = loaded.function(name)?.symbol;
        let plain = shown(interpreted.run(func, args.to_vec()));
        assert_eq!(plain.is_err(), *name == "fails", "{name}: {plain:?}");
        for (engine, by) in [(&interpreted, "the interpreter"), (&native, "machine code")] {
            assert_eq!(hosted(engine, func, &args), plain, "{name} by {by}");
            // Compiling a function for each layer is slow.
            if by == "machine code" && !["captured", "fails"].contains(name) {
                continue;
            }
            for (way, hosted) in hosted_in_layers(engine, func, &args).into_iter().enumerate() {
                assert_eq!(hosted, plain, "{name} by {by}, way {way}");
            }
        }
    }
    Ok(())
}

/// The case files of the workspace.
fn cases() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the workspace has its cases") {
            let path = entry.expect("a folder can be read").path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(ext) if ext == "ir" => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_host_method_for_every_call_runs_the_golden_cases() {
    let mut checked = 0;
    for path in cases() {
        let text = fs::read_to_string(&path).expect("a case can be read");
        let head = text.split("// ---").next().unwrap_or_default();
        let (command, rest) = head.split_once('\n').unwrap_or((head, ""));
        // The depth of host methods that call each other has a limit of its own.
        if command.contains("parse") || rest.contains("stack overflow") {
            continue;
        }
        let Ok(listing) = Parser::new().file("case").parse(&format!("\n{rest}")) else { continue };
        let engines = [
            Engine::builder(listing.module()).executor(Interpreting::new()).build(),
            Engine::builder(listing.module()).executor(Native::new()).build(),
        ];
        for claim in rest.lines().filter_map(|line| line.strip_prefix("// run: @")) {
            let Some((call, _)) = claim.split_once(") == ").or_else(|| claim.split_once(") fails ")) else {
                continue;
            };
            let Some((name, args)) = call.split_once('(') else { continue };
            let Some(func) = listing.func(name) else { continue };
            let parser = Parser::new().file("claim").with_types(listing.types.iter().copied());
            let tys: Vec<Ty> = func.param_tys().collect();
            let Ok(args) = parser.parse_list(args, &tys) else { continue };
            let plain = shown(engines[0].run(func.name, args.clone()));
            // Functions have other names under the context.
            if plain.as_ref().is_ok_and(|value| value.contains('@')) {
                continue;
            }
            checked += 1;
            for engine in &engines {
                let hosted = hosted(engine, func.name, &args);
                // A host method that passes on a hole fails, before the hole is used.
                if let (Err((FailureKind::Type, _)), Err((FailureKind::Type, _))) = (&plain, &hosted) {
                    continue;
                }
                assert_eq!(hosted, plain, "{} in {}, {engine:?}", func.name, path.display());
            }
        }
    }
    assert!(checked > 100, "{checked}");
}

/// Floats in a struct, each with a mark; sums and products keep the mark of either operand.
struct Marked;

fn marked_ty() -> Ty {
    let nominal = Nominal::new(Nominal::universe(Symbol::new("marked floats")), Symbol::new("Marked"), []);
    let field = |name: &str, ty| Field { name: Symbol::new(name), ty };
    nominal.define(NominalBody::Struct(vec![field("x", Ty::f64()), field("mark", Ty::bool())]));
    Ty::new(TyKind::Struct(nominal))
}

impl Domain for Marked {
    fn name(&self) -> String {
        "Marked".to_owned()
    }

    fn key(&self) -> Key {
        Key::of::<Marked>()
    }

    fn map(&self, ty: Ty) -> Option<Ty> {
        (ty == Ty::f64()).then(marked_ty)
    }

    fn lift(&self, of: Ty) -> Option<Lifted> {
        (of == Ty::f64()).then(|| Lifted::Func(Symbol::new("plain")))
    }

    fn untag(&self, of: Ty, _: &CallSite) -> Option<Lifted> {
        (of == Ty::f64()).then(|| Lifted::Func(Symbol::new("number")))
    }

    fn lifted(&self, call: &CallSite) -> Option<Lifted> {
        let func = if call.calls("mul") { "M.mul" } else { "M.add" };
        (call.calls("mul") || call.calls("add")).then(|| Lifted::Func(Symbol::new(func)))
    }
}

const MARKS: &str = r#"
fn @plain(%x: f64) -> Marked {
  %m: Marked = struct %x, false
  ret %m
}
fn @number(%m: Marked) -> f64 {
  %x: f64 = field %m, 0
  ret %x
}
fn @M.mul(%a: Marked, %b: Marked) -> Marked {
  %x: f64 = field %a, 0
  %y: f64 = field %b, 0
  %s: bool = field %a, 1
  %t: bool = field %b, 1
  %z: f64 = mul %x, %y
  %e: bool = or %s, %t
  %r: Marked = struct %z, %e
  ret %r
}
fn @f(%x: f64) -> f64 {
  %y: f64 = mul %x, 3.0
  %less: bool = lt %y, 100.0
  %r: f64 = select %less, %y, %x
  ret %r
}
fn @dropped(%x: f64) -> f64 {
  %b: u64 = to_bits %x
  %r: f64 = from_bits %b
  ret %r
}
fn @start() -> f64 {
  ret 1.0
}
fn @M.add(%a: Marked, %b: Marked) -> Marked {
  %start: fn() -> f64 = const @start
  %cell: ref f64 = global "TOTAL", %start
  %x: f64 = ref.get %cell
  %m: Marked = struct %x, false
  ret %m
}
fn @total(%x: f64) -> f64 {
  %start: fn() -> f64 = const @start
  %cell: ref f64 = global "TOTAL", %start
  %t: f64 = ref.get %cell
  %r: f64 = add %t, %x
  ret %r
}
"#;

#[test]
fn a_domain_around_host_methods_and_hooks_is_the_same_by_machine_code() -> Result<(), Failure> {
    let listing = Parser::new().file("marks").with_types([marked_ty()]).parse(MARKS);
    let listing = listing.unwrap_or_else(|errors| panic!("{errors}"));
    let marked = |x: f64, mark: bool| {
        let parts = [Value::F64(x), Value::Bool(mark)].into_iter().collect();
        Value::Composite(Composite { ty: Some(marked_ty()), tag: 0, parts }.into())
    };
    let engines = [
        Engine::builder(listing.module()).executor(Interpreting::new()).build(),
        Engine::builder(listing.module()).executor(Native::new()).build(),
    ];
    for engine in &engines {
        let args = || vec![marked(2.0, true)];
        let (value, calls) = engine.overdub(&(Lift::new(Marked), HostAll), "f", args())?;
        assert!(value.same(&marked(6.0, true)) && calls == 3, "{value:?} after {calls} calls");

        let seen = ctx_with::<Vec<f64>>().before(|seen, call, args| {
            seen.extend(args.iter().filter(|_| call.calls("mul")).filter_map(Value::as_f64));
        });
        let (value, seen) = engine.overdub(&(Lift::new(Marked), seen), "f", args())?;
        assert!(value.same(&marked(6.0, true)));
        assert_eq!(seen, [2.0, 3.0], "hooks of inner contexts see plain numbers");

        let own = ctx().method("mul", |_| Ok(Value::F64(f64::NAN)));
        let failure = engine.overdub(&(Lift::new(Marked), own), "f", args()).expect_err("it is not marked");
        let message = "the host method for `mul` gives a value of type `f64`, not `Marked`";
        assert_eq!((failure.kind(), failure.report().message.as_str()), (FailureKind::Type, message));
        assert!(failure.report().span.is_known(), "{failure:?}");

        let failure = engine.overdub(&Lift::new(Marked), "dropped", args()).expect_err("bits carry no mark");
        let message = "the domain of the context `Marked#0` has no meaning for `to_bits`";
        assert_eq!((failure.kind(), failure.report().message.as_str()), (FailureKind::Load, message));

        let failure =
            engine.overdub(&Lift::new(Marked), "total", args()).expect_err("one cell has two types");
        assert_eq!(failure.kind(), FailureKind::Domain);
        let message = &failure.report().message;
        assert!(message.starts_with("the static `TOTAL` is a `ref Marked`"), "{failure}");
        assert_eq!(failure.report().stack[0].func.as_str(), "M.add");
    }
    Ok(())
}
