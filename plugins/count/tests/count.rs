//! Which calls are counted, and with which cost.

use overdub_context::engine::Engine;
use overdub_context::ir::Ty;
use overdub_context::text;
use overdub_context::value::Value;
use overdub_count::{Count, Counts};

fn counted(text: &str, args: Vec<Value<'static>>) -> Counts {
    let program = text::parse(text).expect("the text is a program");
    Engine::new(program.module()).overdub(&Count, "f", args).expect("the program runs").1
}

#[test]
fn products_of_floats_and_of_integers_are_counted_apart() {
    let text = "\
fn @f(%x: f64, %n: i64) -> f64 {
  %a: f64 = mul %x, %x
  %b: i64 = mul %n, %n
  %c: f64 = mul %a, %x
  ret %c
}
";
    let counts = counted(text, vec![Value::F64(2.0), Value::from(3_i64)]);
    assert_eq!(counts.of_types("mul", &[Ty::f64(), Ty::f64()]), 2);
    assert_eq!(counts.of_types("mul", &[Ty::i64(), Ty::i64()]), 1);
    assert_eq!((counts.of("mul"), counts.total(), counts.flops()), (3, 3, 2));
    assert_eq!(counts.to_string(), "2  mul(f64, f64)\n1  mul(i64, i64)\n2 floating-point operations\n");
}

#[test]
fn calls_in_callees_are_counted_and_so_is_each_turn_of_a_loop() {
    let text = "\
fn @square(%x: f64) -> f64 {
  %p: f64 = mul %x, %x
  ret %p
}
fn @f(%n: i64) -> f64 {
  br ^head(0, 2.0)
^head(%i: i64, %x: f64):
  %go: bool = lt %i, %n
  br_if %go, ^body, ^done
^body:
  %s: f64 = call @square(%x)
  %j: i64 = add %i, 1
  br ^head(%j, %s)
^done:
  ret %x
}
";
    let counts = counted(text, vec![Value::from(5_i64)]);
    let each = ["square", "mul", "add", "lt"].map(|name| counts.of(name));
    assert_eq!(each, [5, 5, 5, 6]);
    assert_eq!(counts.flops(), 5);
}

#[test]
fn a_fused_product_and_sum_is_two_operations_and_a_sign_is_none() {
    let text = "\
fn @f(%x: f64) -> f64 {
  %a: f64 = mul_add %x, %x, 1.0
  %b: f64 = neg %a
  %c: f64 = abs %b
  %d: f64 = sqrt %c
  ret %d
}
";
    assert_eq!(counted(text, vec![Value::F64(2.0)]).flops(), 3);
}

#[test]
fn operations_on_arrays_count_by_element() {
    let text = "\
fn @f(%xs: [f64]) -> f64 {
  %a: [f64] = mul %xs, 2.0
  %b: [f64] = add %a, %xs
  %s: f64 = nd.sum %b
  %d: f64 = nd.dot %xs, %b
  %y: f64 = add %s, %d
  ret %y
}
";
    // 10 products, 10 sums, a sum of 10, a dot product of 10 products and 10 sums, and one sum.
    assert_eq!(counted(text, vec![Value::floats(vec![1.0; 10])]).flops(), 10 + 10 + 10 + 20 + 1);
}

#[test]
fn the_json_holds_the_rows() {
    let text = "fn @f(%x: f64) -> f64 {\n  %p: f64 = mul %x, %x\n  ret %p\n}";
    let json = counted(text, vec![Value::F64(2.0)]).to_json();
    let row = serde_json::json!({ "function": "mul", "args": ["f64", "f64"], "calls": 1 });
    assert_eq!(json, serde_json::json!({ "flops": 1, "unknown": [], "calls": [row] }));
}

#[test]
fn counting_a_rust_program_does_not_change_its_value() {
    let source = "pub fn f(n: u64) -> f64 { (1..=n).map(|i| 1.0 / (i * i) as f64).sum() }";
    let loaded = overdub_lower::Loaded::from_source("basel.rs", source).expect("it is Rust");
    let symbol = loaded.function("f").expect("there is an `f`").symbol;
    let engine = loaded.engine();
    let args = || vec![Value::from(30_u64)];
    let plain = engine.run(symbol, args()).expect("it runs").as_f64();
    let (value, counts) = engine.overdub(&Count, symbol, args()).expect("it runs");
    assert_eq!(value.as_f64().map(f64::to_bits), plain.map(f64::to_bits));
    assert_eq!(counts.of_types("div", &[Ty::f64(), Ty::f64()]), 30);
    assert_eq!(counts.of_types("mul", &[Ty::u64(), Ty::u64()]), 30);
}
