//! Nothing that values carry is dropped without a word: by casts, by bits, by hooks and host methods of inner contexts.

use overdub_context::engine::{CallSite, Called, Domain, Engine, Key, Lift, Lifted, ctx, ctx_with};
use overdub_context::ir::{Field, Nominal, NominalBody, Ty, TyKind};
use overdub_context::value::{Composite, Value};
use overdub_context::{Failure, FailureKind, Symbol, text};

use crate::programs::float;

/// A float and whether it comes from the argument.
fn tainted_ty() -> Ty {
    let nominal = Nominal::new(Nominal::universe(Symbol::new("tainted floats")), Symbol::new("Tainted"), []);
    let field = |name: &str, ty| Field { name: Symbol::new(name), ty };
    nominal.define(NominalBody::Struct(vec![field("x", Ty::f64()), field("tainted", Ty::bool())]));
    Ty::new(TyKind::Struct(nominal))
}

fn tainted(x: f64) -> Value<'static> {
    let parts = [Value::F64(x), Value::Bool(true)].into_iter().collect();
    Value::Composite(Composite { ty: Some(tainted_ty()), tag: 0, parts }.into())
}

/// Sums, products and sines carry taint; the domain says nothing of other operations, unless it gives up on them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Taint {
    Strict,
    DropsInCasts,
    RefusesLess,
}

impl Domain for Taint {
    fn name(&self) -> String {
        "Taint".to_owned()
    }

    fn key(&self) -> Key {
        Key::of::<Taint>().with(self)
    }

    fn map(&self, ty: Ty) -> Option<Ty> {
        (ty == Ty::f64()).then(tainted_ty)
    }

    fn lift(&self, of: Ty) -> Option<Lifted> {
        (of == Ty::f64()).then(|| Lifted::Func(Symbol::new("clean")))
    }

    fn untag(&self, of: Ty, call: &CallSite) -> Option<Lifted> {
        let wanted = *self != Taint::RefusesLess || !call.calls("lt");
        (of == Ty::f64() && wanted).then(|| Lifted::Func(Symbol::new("number")))
    }

    fn lifted(&self, call: &CallSite) -> Option<Lifted> {
        let Called::Op(op) = call.callee else { return None };
        match op.name {
            "add" | "mul" | "sin" if call.ret == Ty::f64() => {
                Some(Lifted::Func(Symbol::new(&format!("T.{}", op.name))))
            }
            "cast" if *self == Taint::DropsInCasts => Some(Lifted::Untagged),
            _ => None,
        }
    }
}

const TAINT: &str = "
fn @clean(%x: f64) -> Tainted {
  %t: Tainted = struct %x, false
  ret %t
}
fn @number(%t: Tainted) -> f64 {
  %x: f64 = field %t, 0
  ret %x
}
fn @T.sin(%a: Tainted) -> Tainted {
  %x: f64 = field %a, 0
  %t: bool = field %a, 1
  %y: f64 = sin %x
  %r: Tainted = struct %y, %t
  ret %r
}
fn @T.mul(%a: Tainted, %b: Tainted) -> Tainted {
  %x: f64 = field %a, 0
  %y: f64 = field %b, 0
  %s: bool = field %a, 1
  %t: bool = field %b, 1
  %z: f64 = mul %x, %y
  %e: bool = or %s, %t
  %r: Tainted = struct %z, %e
  ret %r
}
";

/// The engine of `@f` from a float to a float, whose instructions these are; `%x` is the argument, `%r` the result.
fn engine(insts: &str) -> Engine {
    let text = format!("{TAINT}\nfn @f(%x: f64) -> f64 {{\n{insts}\n  ret %r\n}}");
    let parsed = text::Parser::new().file("t.ir").with_types([tainted_ty()]).parse(&text);
    Engine::new(parsed.unwrap_or_else(|errors| panic!("{errors}")).module())
}

fn parts(value: &Value<'_>) -> (f64, bool) {
    match value {
        Value::Composite(composite) => {
            (float(&composite.parts[0]), composite.parts[1].same(&Value::Bool(true)))
        }
        _ => panic!("expected a tainted float, found {value:?}"),
    }
}

fn run(insts: &str, domain: Taint) -> Result<(f64, bool), Failure> {
    engine(insts).overdub(&Lift::new(domain), "f", vec![tainted(2.5)]).map(|value| parts(&value))
}

fn refused(insts: &str, op: &str) {
    let failure = run(insts, Taint::Strict).expect_err("it would drop what the value carries");
    let message = format!("the domain of the context `Taint#0` has no meaning for `{op}`");
    assert_eq!((failure.kind(), &failure.report().message), (FailureKind::Load, &message));
    assert!(failure.report().span.is_known(), "it names the line");
}

#[test]
fn what_a_value_carries_is_not_dropped_by_a_cast_to_f32_and_back() {
    refused("  %y: f32 = cast %x\n  %r: f64 = cast %y", "cast");
}

#[test]
fn what_a_value_carries_is_not_dropped_by_its_bits() {
    refused("  %b: u64 = to_bits %x\n  %r: f64 = from_bits %b", "to_bits");
}

#[test]
fn what_a_value_carries_is_not_dropped_by_a_cast_to_an_integer_and_back() {
    refused("  %n: i64 = cast %x\n  %r: f64 = cast %n", "cast");
}

#[test]
fn what_a_value_carries_is_not_dropped_by_its_text() {
    refused(
        "  %s: str = fmt.float %x, 0, -1, false\n  %n: usize = str.len %s\n  %r: f64 = cast %n",
        "fmt.float",
    );
}

#[test]
fn a_domain_may_say_that_an_operation_drops_what_values_carry() -> Result<(), Failure> {
    let insts = "  %n: i64 = cast %x\n  %r: f64 = cast %n";
    assert_eq!(run(insts, Taint::DropsInCasts)?, (2.0, false));
    Ok(())
}

#[test]
fn comparisons_see_plain_values_and_what_is_made_of_plain_ones_is_lifted() -> Result<(), Failure> {
    let insts = "
  %less: bool = lt %x, 3.0
  %nan: bool = is_nan %x
  %either: bool = or %less, %nan
  %n: f64 = cast 4_i64
  %p: f64 = mul %n, %x
  %r: f64 = select %either, %p, 0.0";
    assert_eq!(run(insts, Taint::Strict)?, (10.0, true));
    Ok(())
}

#[test]
fn a_domain_may_refuse_a_comparison() {
    let insts = "  %less: bool = lt %x, 3.0\n  %r: f64 = select %less, %x, 0.0";
    let failure = run(insts, Taint::RefusesLess).expect_err("`untag` has nothing for it");
    assert!(failure.report().message.contains("no meaning for `lt`"), "{failure}");
}

const SINE: &str = "  %s: f64 = sin %x\n  %r: f64 = mul %s, 2.0";

#[test]
fn a_domain_around_a_host_method_lifts_what_the_method_goes_on_to() -> Result<(), Failure> {
    let engine = engine(SINE);
    let inner = ctx().method("sin", |call| {
        let args = call.take_args();
        call.recurse(args)
    });
    let all = (Lift::new(Taint::Strict), inner);
    assert_eq!(parts(&engine.overdub(&all, "f", vec![tainted(2.5)])?), (2.0 * 2.5_f64.sin(), true));
    let inner = ctx().method("mul", |call| {
        let args = call.take_args();
        call.fallback(args)
    });
    let all = (Lift::new(Taint::Strict), inner);
    assert_eq!(parts(&engine.overdub(&all, "f", vec![tainted(2.5)])?), (2.0 * 2.5_f64.sin(), true));
    Ok(())
}

#[test]
fn a_host_method_inside_a_domain_may_not_give_a_plain_value() {
    let inner = ctx().method("sin", |_| Ok(Value::F64(f64::NAN)));
    let all = (Lift::new(Taint::Strict), inner);
    let failure = engine(SINE).overdub(&all, "f", vec![tainted(2.5)]).expect_err("it is not of the domain");
    assert_eq!(failure.kind(), FailureKind::Type);
    let message = "the host method for `sin` gives a value of type `f64`, not `Tainted`";
    assert_eq!(failure.report().message, message);
    assert!(failure.report().span.is_known(), "it names the line");
}

#[test]
fn a_hook_inside_a_domain_sees_plain_numbers() -> Result<(), Failure> {
    let engine = engine(SINE);
    let inner =
        ctx_with::<Vec<f64>>().before(|seen, _, args| seen.extend(args.iter().filter_map(Value::as_f64)));
    let ((value, _), seen) = {
        let (value, seen) = engine.overdub(&(Lift::new(Taint::Strict), inner), "f", vec![tainted(2.5)])?;
        ((value, ()), seen)
    };
    assert_eq!(parts(&value), (2.0 * 2.5_f64.sin(), true));
    assert_eq!(seen, [2.5, 2.5_f64.sin(), 2.0]);
    Ok(())
}

#[test]
fn a_static_that_a_domain_and_plain_code_share_is_refused_where_they_meet() {
    let text = format!(
        "{TAINT}
fn @start() -> f64 {{
  ret 1.0
}}
fn @T.add(%a: Tainted, %b: Tainted) -> Tainted {{
  %start: fn() -> f64 = const @start
  %cell: ref f64 = global \"TOTAL\", %start
  %x: f64 = ref.get %cell
  %t: Tainted = struct %x, false
  ret %t
}}
fn @f(%x: f64) -> f64 {{
  %start: fn() -> f64 = const @start
  %cell: ref f64 = global \"TOTAL\", %start
  %t: f64 = ref.get %cell
  %r: f64 = add %t, %x
  ret %r
}}"
    );
    let parsed = text::Parser::new().file("t.ir").with_types([tainted_ty()]).parse(&text);
    let engine = Engine::new(parsed.unwrap_or_else(|errors| panic!("{errors}")).module());
    let failure = engine.overdub(&Lift::new(Taint::Strict), "f", vec![tainted(2.5)]).expect_err("one cell");
    assert_eq!(failure.kind(), FailureKind::Domain);
    assert!(failure.report().message.starts_with("the static `TOTAL` is a `ref Tainted`"), "{failure}");
    assert_eq!(failure.report().stack[0].func.as_str(), "T.add");
}
