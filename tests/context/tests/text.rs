//! The text form: what is parsed prints as it was, and what is wrong is said.

use overdub_context::Span;
use overdub_context::ir::{Callee, FuncBuilder, InstKind, Operand, Ty};
use overdub_context::text::{self, Parser, Printer};
use overdub_context::value::Value;

const POW: &str = "fn @pow(%x: f64, %n: i64) -> f64 {
  br ^loop(%n, 1.0)
^loop(%i: i64, %acc: f64):
  %go: bool = gt %i, 0
  br_if %go, ^body, ^done
^body:
  %j: i64 = sub %i, 1
  %p: f64 = mul %acc, %x
  br ^loop(%j, %p)
^done:
  ret %acc
}";

fn reprint(text: &str) -> String {
    let listing = text::parse_unverified(text).unwrap_or_else(|errors| panic!("{errors}"));
    let printed = listing.to_string();
    let again = text::parse_unverified(&printed).unwrap_or_else(|errors| panic!("{errors}\nin\n{printed}"));
    assert_eq!(again.funcs, listing.funcs, "parse(print(f)) is another function");
    assert_eq!(again.types, listing.types, "the same declarations are other types");
    assert_eq!(again.to_string(), printed);
    printed
}

#[test]
fn the_example_of_the_design_prints_as_it_is_written() {
    assert_eq!(reprint(POW), format!("{POW}\n"));
}

#[test]
fn every_form_prints_as_it_is_written() {
    let text = r#"struct Point { x: f64, y: f64 }
enum Shape { Circle(f64), Square { side: f64 }, Empty }
enum List<i64> { Nil, Cons(i64, List<i64>) }
struct "odd name" { "a b": Option<Shape> }

fn @"odd name"(%"a b": [f64], %0: [[u8]; rank 3]) -> unit {
  %1: Ordering = const Less
  %2: fn(f64, (i64,)) -> ref stack<f64> = const @f
  %3: closure @f() = const @f
  %4: List<i64> = const Cons(1, Cons(2, Nil))
  %5: "odd name" = const "odd name" { "a b": Some(Square { side: 1.0 }) }
  %6: [f64; rank 2] = const [1.0, 2.0; shape [1, 2]]
  %7: [(u8, str)] = const [(1_u8, "a\n\"\u{1}")]
  %8: stack<Option<unit>> = const stack [None, Some(())]
  %9: (f32, char, bool) = const (-0.0_f32, '\'', false)
  %10: opaque Handle = call %2(nan, -inf, inf_f32, nan:0x7ff8000000000001, -128_i8)
  %11: never = overdub @Vec<f64>::push(340282366920938463463374607431768211455_u128)
  switch %1, -1: ^"odd block"(%1), 7: ^x, else ^x
^"odd block"(%12: closure @"g h"(f64, i64)):
  fail "no"
^x:
  switch 3
}
"#;
    assert_eq!(reprint(text), text);
}

#[test]
fn a_type_that_follows_need_not_be_written() {
    let text = "fn @f(%x: f64, %g: fn(f64) -> bool) -> f64 {
  br ^b
^c:
  %z: _ = mul %y, 2.0
  %i: _ = const [1_u8, 2_u8]
  %k: _ = call %g(%z)
  %r: _ = call @h(%z)
  ret %z
^b:
  %y: _ = add %x, 1.0
  br ^c
}
fn @h(%x: f64) -> (f64, bool) { fail \"\" }";
    let printed = reprint(text);
    for line in ["%z: f64 =", "%i: [u8] =", "%k: bool =", "%r: (f64, bool) =", "%y: f64 ="] {
        assert!(printed.contains(line), "{line} in\n{printed}");
    }
}

#[test]
fn a_literal_takes_its_type_from_where_it_stands() {
    let parser = Parser::new();
    let matrix = parser.parse_value("[[1, 2], [3, 4], [5, 6]]", Ty::array(Ty::u8(), 2));
    let matrix = matrix.expect("rows of one length");
    assert_eq!(matrix.as_array().map(|array| array.shape().to_vec()), Some(vec![3, 2]));
    assert_eq!(matrix.to_string(), "[1_u8, 2_u8, 3_u8, 4_u8, 5_u8, 6_u8; shape [3, 2]]");
    assert!(parser.parse_value("[[1, 2], [3]]", Ty::array(Ty::u8(), 2)).is_err());
    let args = parser.parse_list("2.5, (1, 'x')", &[Ty::f32(), Ty::tuple([Ty::i64(), Ty::char()])]);
    let args: Vec<String> = args.expect("two values").iter().map(Value::to_string).collect();
    assert_eq!(args, ["2.5_f32", "(1, 'x')"]);
}

#[test]
fn floats_print_in_the_fewest_digits_that_mean_the_same() {
    for (x, text) in [(0.1, "0.1"), (1e300, "1e300"), (5e-324, "5e-324"), (-0.0, "-0.0"), (1e16, "1e16")] {
        assert_eq!(Value::F64(x).to_string(), text);
        assert!(Parser::new().parse_value(text, Ty::f64()).is_ok_and(|value| value.same(&Value::F64(x))));
    }
    for bits in [f64::NAN.to_bits(), 0xfff8_0000_0000_0000, 0x7ff0_0000_0000_0001] {
        let value = Value::F64(f64::from_bits(bits));
        let back = Parser::new().parse_value(&value.to_string(), Ty::f64()).expect("a NaN");
        assert!(back.same(&value), "{value} came back as {back}");
    }
}

#[test]
fn spans_are_those_of_the_text_or_those_that_are_written() {
    let func = Parser::new().file("f.ir").parse_unverified(POW).expect("a function").funcs[0].clone();
    assert_eq!(func.blocks[1].insts[0].span, Span::new("f.ir".into(), 4, 3, 20));
    let printed = Printer::new().with_spans().func(&func);
    let again = text::parse_func(&printed).expect("printed with spans");
    assert_eq!(again.blocks[1].insts[0].span, func.blocks[1].insts[0].span);
    assert_eq!(Printer::new().with_spans().func(&again), printed);
    let commented = func.to_string().replace("sub %i, 1", "sub %i, 1  // less");
    assert_eq!(text::parse_func(&commented).expect("comments are skipped"), *func);
}

#[test]
fn a_built_function_without_names_equals_its_text() {
    let mut build = FuncBuilder::new("f", Ty::f64());
    let x = build.param("x", Ty::f64());
    let exit = build.new_block();
    let y = build.block_param(exit, Ty::f64());
    let sum = build
        .inst(InstKind::Call { callee: Callee::Func("g".into()), args: vec![Operand::Var(x)] }, Ty::f64());
    build.br(exit, [sum.expect("a call of an unknown function")]).expect("one argument");
    build.switch_to(exit).expect("an open block");
    build.ret(y).expect("a float");
    let func = build.finish().expect("a whole function");
    let again = text::parse_func(&func.to_string()).expect("a printed function");
    assert_eq!(again, func);
    let other = text::parse_func(&func.to_string().replace("@g", "@h")).expect("another function");
    assert_ne!(other, func);
}

#[test]
fn deep_nesting_is_an_error() {
    for (open, close) in [("[", "]"), ("(", ")"), ("ref ", ""), ("Option<", ">")] {
        let ty = format!("{}f64{}", open.repeat(100_000), close.repeat(100_000));
        let errors = text::parse_unverified(&format!("fn @f(%x: {ty}) -> unit {{\n ret ()\n}}"));
        assert!(errors.is_err_and(|errors| errors.to_string().contains("nested more than 100 deep")));
    }
}
