//! Programs and values that the tests share.

use overdub_context::engine::Engine;
use overdub_context::text;
use overdub_context::value::Value;

/// An engine for the functions of a text.
pub(crate) fn engine(text: &str) -> Engine {
    Engine::new(text::parse(text).unwrap_or_else(|errors| panic!("{errors}")).module())
}

pub(crate) fn ints<const N: usize>(ns: [i64; N]) -> Vec<Value<'static>> {
    ns.map(Value::from).into()
}

pub(crate) fn floats<const N: usize>(xs: [f64; N]) -> Vec<Value<'static>> {
    xs.map(Value::F64).into()
}

pub(crate) fn int(value: &Value<'_>) -> i128 {
    value.as_int().map(|(_, n)| n).unwrap_or_else(|| panic!("expected an integer, found {value:?}"))
}

pub(crate) fn float(value: &Value<'_>) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("expected a float, found {value:?}"))
}

/// What a log says of values.
pub(crate) fn show(values: &[Value<'_>]) -> String {
    let shown = values.iter().map(|value| match (value.as_int(), value.as_f64(), value.as_str()) {
        (Some((_, n)), ..) => n.to_string(),
        (_, Some(x), _) => format!("{x:?}"),
        (.., Some(text)) => format!("{text:?}"),
        _ => "?".to_owned(),
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// `x1 + x2 * x3` by operations.
pub(crate) const F: &str = "
fn @f(%x1: i64, %x2: i64, %x3: i64) -> i64 {
  %p: i64 = mul %x2, %x3
  %s: i64 = add %x1, %p
  ret %s
}
";

/// The same, the product by a function of the program.
pub(crate) const F_BY_TIMES: &str = "
fn @times(%a: i64, %b: i64) -> i64 {
  %p: i64 = mul %a, %b
  ret %p
}
fn @f(%x1: i64, %x2: i64, %x3: i64) -> i64 {
  %p: i64 = call @times(%x2, %x3)
  %s: i64 = add %x1, %p
  ret %s
}
";

pub(crate) const ROSENBROCK: &str = "
fn @rosenbrock(%xs: [f64]) -> f64 {
  %n: usize = len %xs
  %last: usize = sub %n, 1_usize
  br ^loop(0_usize, 0.0)
^loop(%i: usize, %sum: f64):
  %go: bool = lt %i, %last
  br_if %go, ^body, ^done
^body:
  %j: usize = add %i, 1_usize
  %x: f64 = get %xs, %i
  %y: f64 = get %xs, %j
  %xx: f64 = mul %x, %x
  %d: f64 = sub %y, %xx
  %dd: f64 = mul %d, %d
  %a: f64 = mul 100.0, %dd
  %e: f64 = sub 1.0, %x
  %ee: f64 = mul %e, %e
  %term: f64 = add %a, %ee
  %next: f64 = add %sum, %term
  br ^loop(%j, %next)
^done:
  ret %sum
}
";
