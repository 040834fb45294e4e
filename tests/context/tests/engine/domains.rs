//! Domains: values that carry something along, here the dual part of a dual number.

use overdub_context::engine::{CallSite, Domain, Engine, Key, Lift, Lifted};
use overdub_context::ir::Ty;
use overdub_context::text::{self, Listing};
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};

use crate::programs::float;

/// Dual numbers, their arithmetic, and what takes the dual part of a function: `f{Dual#0}` is `f` on dual numbers.
const DUAL: &str = "
struct D { v: f64, d: f64 }
fn @lift(%x: f64) -> D {
  %y: D = struct %x, 0.0
  ret %y
}
fn @untag(%x: D) -> f64 {
  %v: f64 = field %x, 0
  ret %v
}
fn @D.add(%a: D, %b: D) -> D {
  %av: f64 = field %a, 0
  %bv: f64 = field %b, 0
  %ad: f64 = field %a, 1
  %bd: f64 = field %b, 1
  %v: f64 = add %av, %bv
  %d: f64 = add %ad, %bd
  %r: D = struct %v, %d
  ret %r
}
fn @D.mul(%a: D, %b: D) -> D {
  %av: f64 = field %a, 0
  %bv: f64 = field %b, 0
  %ad: f64 = field %a, 1
  %bd: f64 = field %b, 1
  %v: f64 = mul %av, %bv
  %l: f64 = mul %ad, %bv
  %r: f64 = mul %av, %bd
  %d: f64 = add %l, %r
  %y: D = struct %v, %d
  ret %y
}
fn @D.neg(%a: D) -> D {
  %av: f64 = field %a, 0
  %ad: f64 = field %a, 1
  %v: f64 = neg %av
  %d: f64 = neg %ad
  %r: D = struct %v, %d
  ret %r
}
fn @D.sin(%a: D) -> D {
  %av: f64 = field %a, 0
  %ad: f64 = field %a, 1
  %v: f64 = sin %av
  %c: f64 = cos %av
  %d: f64 = mul %c, %ad
  %r: D = struct %v, %d
  ret %r
}
fn @D.cos(%a: D) -> D {
  %av: f64 = field %a, 0
  %ad: f64 = field %a, 1
  %v: f64 = cos %av
  %s: f64 = sin %av
  %n: f64 = neg %s
  %d: f64 = mul %n, %ad
  %r: D = struct %v, %d
  ret %r
}
";

struct Dual(Ty);

impl Domain for Dual {
    fn name(&self) -> String {
        "Dual".to_owned()
    }

    fn key(&self) -> Key {
        Key::of::<Dual>()
    }

    fn map(&self, ty: Ty) -> Option<Ty> {
        (ty == Ty::f64()).then_some(self.0)
    }

    fn lift(&self, of: Ty) -> Option<Lifted> {
        (of == Ty::f64()).then(|| Lifted::Func(Symbol::new("lift")))
    }

    fn untag(&self, of: Ty, _: &CallSite) -> Option<Lifted> {
        (of == Ty::f64()).then(|| Lifted::Func(Symbol::new("untag")))
    }

    fn lifted(&self, call: &CallSite) -> Option<Lifted> {
        let known = ["add", "mul", "neg", "sin", "cos"].contains(&call.name());
        (known && call.ret == Ty::f64()).then(|| Lifted::Func(Symbol::new(&format!("D.{}", call.name()))))
    }
}

/// The engine of a program with dual numbers, and their context, which has the label `Dual#0`.
fn dual(text: &str) -> (Engine, Lift, Ty) {
    let listing: Listing = text::parse(&format!("{DUAL}{text}")).unwrap_or_else(|errors| panic!("{errors}"));
    let (ty, engine) = (listing.types[0], Engine::new(listing.module()));
    let cx = Lift::new(Dual(ty));
    assert_eq!(engine.nested(&cx, "f").as_str(), "f{run Dual#0}");
    (engine, cx, ty)
}

/// `@name`: the derivative of `@of` in its last parameter, at the parameters; the others are held.
fn derivative(name: &str, of: &str, held: &[&str]) -> String {
    let params: String = held.iter().map(|held| format!("%{held}: f64, ")).collect();
    let lifted: String = held.iter().map(|held| format!("  %{held}d: D = struct %{held}, 0.0\n")).collect();
    let args: String = held.iter().map(|held| format!("%{held}d, ")).collect();
    format!(
        "fn @{name}({params}%at: f64) -> f64 {{
{lifted}  %atd: D = struct %at, 1.0
  %y: D = call @\"{of}{{Dual#0}}\"({args}%atd)
  %d: f64 = field %y, 1
  ret %d
}}
"
    )
}

fn run(text: &str, func: &str, x: f64) -> Result<f64, Failure> {
    dual(text).0.run(func, vec![Value::F64(x)]).map(|y| float(&y))
}

const SINE: &str = "
fn @sine(%x: f64) -> f64 {
  %y: f64 = sin %x
  ret %y
}
";

#[test]
fn c5_the_first_three_derivatives_of_sin() -> Result<(), Failure> {
    let text = format!(
        "{SINE}{}{}{}",
        derivative("first", "sine", &[]),
        derivative("second", "first", &[]),
        derivative("third", "second", &[])
    );
    assert_eq!(run(&text, "first", 1.0)?, 1.0_f64.cos());
    assert_eq!(run(&text, "second", 1.0)?, -1.0_f64.sin());
    assert_eq!(run(&text, "third", 1.0)?, -1.0_f64.cos());
    Ok(())
}

/// `D(x → x · D(y → inner(x, y))(at))(x)`, where `inner` is these instructions, which define `%r`.
fn nested(inner: &str, at: f64, x: f64) -> Result<f64, Failure> {
    let text = format!(
        "fn @inner(%x: f64, %y: f64) -> f64 {{
{inner}
  ret %r
}}
fn @outer(%x: f64) -> f64 {{
  %d: f64 = call @in_y(%x, {at:?})
  %p: f64 = mul %x, %d
  ret %p
}}
{}{}",
        derivative("in_y", "inner", &["x"]),
        derivative("in_x", "outer", &[])
    );
    run(&text, "in_x", x)
}

#[test]
fn c5_nested_derivatives_do_not_confuse_their_perturbations() -> Result<(), Failure> {
    let product = "  %r: f64 = mul %x, %y";
    assert_eq!(nested(product, 1.0, 2.0)?, 4.0);
    assert_eq!(nested(product, 2.0, 1.0)?, 2.0);
    assert_eq!(nested("  %p: f64 = mul %x, %y\n  %r: f64 = mul 5.0, %p", 3.0, 2.0)?, 20.0);
    assert_eq!(nested("  %r: f64 = add %x, %y", 1.0, 1.0)?, 1.0);
    Ok(())
}

#[test]
fn c5_a_closure_that_captures_the_outer_variable_is_differentiated_apart_from_it() -> Result<(), Failure> {
    let text = format!(
        "fn @inner(%x: f64, %y: f64) -> f64 {{
  %r: f64 = mul %x, %y
  ret %r
}}
{}
fn @at_one(%f: closure @inner(f64)) -> f64 {{
  %x: f64 = captured %f, 0
  %d: f64 = call @in_y(%x, 1.0)
  ret %d
}}
fn @outer(%x: f64) -> f64 {{
  %f: closure @inner(f64) = closure %x
  %d: f64 = call @at_one(%f)
  %p: f64 = mul %x, %d
  ret %p
}}
{}",
        derivative("in_y", "inner", &["x"]),
        derivative("in_x", "outer", &[])
    );
    assert_eq!(run(&text, "in_x", 2.0)?, 4.0);
    Ok(())
}

/// The value and the dual part of `@f` at `x`, whose dual part is 1.
fn tagged(text: &str, x: f64) -> Result<(f64, f64), Failure> {
    let (engine, cx, ty) = dual(text);
    let parts = [Value::F64(x), Value::F64(1.0)].into_iter().collect();
    let composite = overdub_context::value::Composite { ty: Some(ty), tag: 0, parts };
    let value = engine.overdub(&cx, "f", vec![Value::Composite(composite.into())])?;
    let parts = &value.as_composite().expect("a dual number").parts;
    Ok((float(&parts[0]), float(&parts[1])))
}

#[test]
fn c6_a_tag_survives_an_array() -> Result<(), Failure> {
    let text = "
fn @f(%x: f64) -> f64 {
  %a: [f64] = array 1.0, %x, 2.0
  %b: [f64] = set %a, 0, %x
  %c: [f64] = push %b, 7.0
  %l: f64 = get %c, 0
  %r: f64 = get %c, 1
  %y: f64 = add %l, %r
  ret %y
}
";
    assert_eq!(tagged(text, 3.0)?, (6.0, 2.0));
    Ok(())
}

#[test]
fn c6_a_tag_survives_a_struct_in_an_array() -> Result<(), Failure> {
    let text = "
struct P { name: str, x: f64 }
fn @f(%x: f64) -> f64 {
  %p: P = struct \"p\", %x
  %q: P = const P { name: \"q\", x: 10.0 }
  %a: [P] = array %q, %p
  %r: P = get %a, 1
  %s: P = get %a, 0
  %y: f64 = field %r, 1
  %z: f64 = field %s, 1
  %w: f64 = mul %y, %z
  ret %w
}
";
    assert_eq!(tagged(text, 3.0)?, (30.0, 10.0));
    Ok(())
}

#[test]
fn c6_a_tag_survives_a_tuple_and_an_enum() -> Result<(), Failure> {
    let text = "
enum Shape { Circle(f64), Empty }
fn @f(%x: f64) -> f64 {
  %s: Shape = variant 0, %x
  %t: (Shape, f64) = tuple %s, 2.0
  %u: Shape = field %t, 0
  switch %u, 0: ^circle, 1: ^empty
^circle:
  %r: f64 = payload %u, 0, 0
  %o: Option<f64> = variant 1, %r
  %i: f64 = payload %o, 1, 0
  ret %i
^empty:
  ret 0.0
}
";
    assert_eq!(tagged(text, 3.0)?, (3.0, 1.0));
    Ok(())
}

#[test]
fn c6_a_tag_survives_a_mutable_capture() -> Result<(), Failure> {
    let text = "
fn @bump(%c: ref f64, %by: f64) -> unit {
  %x: f64 = ref.get %c
  %y: f64 = mul %x, %by
  %u: unit = ref.set %c, %y
  ret %u
}
fn @f(%x: f64) -> f64 {
  %c: ref f64 = cell %x
  %g: closure @bump(ref f64) = closure %c
  %u: unit = call %g(2.0)
  %v: unit = call %g(%x)
  %y: f64 = ref.get %c
  ret %y
}
";
    assert_eq!(tagged(text, 3.0)?, (18.0, 12.0));
    Ok(())
}

#[test]
fn c6_a_tag_survives_a_swap_loop_over_two_cells() -> Result<(), Failure> {
    let text = "
fn @f(%x: f64) -> f64 {
  %a: ref f64 = cell %x
  %b: ref f64 = cell 5.0
  br ^loop(3)
^loop(%n: i64):
  %go: bool = gt %n, 0
  br_if %go, ^body, ^done
^body:
  %l: f64 = ref.get %a
  %r: f64 = ref.get %b
  %u: unit = ref.set %a, %r
  %v: unit = ref.set %b, %l
  %m: i64 = sub %n, 1
  br ^loop(%m)
^done:
  %y: f64 = ref.get %b
  ret %y
}
";
    assert_eq!(tagged(text, 3.0)?, (3.0, 1.0));
    Ok(())
}

#[test]
fn c6_a_tag_survives_a_sort() -> Result<(), Failure> {
    let text = "
fn @by(%a: f64, %b: f64) -> Ordering {
  %o: Ordering = total_cmp %a, %b
  ret %o
}
fn @f(%x: f64) -> f64 {
  %a: [f64] = array 9.0, %x, 1.0
  %by: closure @by() = closure
  %s: [f64] = sort_by %a, %by
  %y: f64 = get %s, 1
  ret %y
}
";
    assert_eq!(tagged(text, 3.0)?, (3.0, 1.0));
    Ok(())
}

#[test]
fn c6_a_branch_on_a_tagged_value_takes_the_branch_of_the_value() -> Result<(), Failure> {
    let text = "
fn @f(%x: f64) -> f64 {
  %big: bool = gt %x, 1.0
  br_if %big, ^square, ^same
^square:
  %y: f64 = mul %x, %x
  ret %y
^same:
  ret %x
}
";
    assert_eq!(tagged(text, 3.0)?, (9.0, 6.0));
    assert_eq!(tagged(text, 0.5)?, (0.5, 1.0));
    Ok(())
}

#[test]
fn c6_untag_takes_away_the_tag_of_its_own_context_only() -> Result<(), Failure> {
    // The inner run untags its own tag of x; the outer one is still there.
    let text = format!(
        "fn @plain(%x: f64) -> f64 {{
  %d: D = struct %x, 7.0
  %y: f64 = call @untag(%d)
  ret %y
}}
{}",
        derivative("outer", "plain", &[])
    );
    assert_eq!(run(&text, "outer", 3.0)?, 1.0);
    Ok(())
}

#[test]
fn c7_a_product_through_arrays_and_structs_has_its_derivative() -> Result<(), Failure> {
    let text = "
struct Factor { terms: [f64] }
fn @sum(%f: Factor) -> f64 {
  %terms: [f64] = field %f, 0
  %a: f64 = get %terms, 0
  %b: f64 = get %terms, 1
  %s: f64 = add %a, %b
  ret %s
}
fn @f(%x: f64) -> f64 {
  %ls: [f64] = array %x, 2.0
  %rs: [f64] = array 3.0, %x
  %l: Factor = struct %ls
  %r: Factor = struct %rs
  %a: f64 = call @sum(%l)
  %b: f64 = call @sum(%r)
  %y: f64 = mul %a, %b
  ret %y
}
";
    for x in [0.0, 1.0, -4.0] {
        assert_eq!(tagged(text, x)?, ((x + 2.0) * (3.0 + x), 2.0 * x + 5.0));
    }
    Ok(())
}

#[test]
fn an_operation_without_a_meaning_is_named_with_its_place() {
    let text = "
fn @f(%x: f64) -> f64 {
  %y: f64 = tanh %x
  ret %y
}
";
    let failure = tagged(text, 1.0).expect_err("nobody said what it means");
    assert!(failure.to_string().contains("`tanh`") && failure.report().span.is_known(), "{failure}");
}
