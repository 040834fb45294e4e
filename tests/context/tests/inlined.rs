//! Places that came into a function by inlining: call stacks are told as if nothing had been inlined.

use overdub_context::interp::Interpreter;
use overdub_context::ir::{Callee, Edit, InstKind, Module, Rewriter};
use overdub_context::text::{self, Printer};
use overdub_context::value::Value;
use overdub_context::{Report, Span, Symbol};

const PROGRAM: &str = "
fn @f(%x: i64) -> i64 {
  %y: i64 = call @g(%x)
  %z: i64 = add %y, 1
  ret %z
}
fn @g(%x: i64) -> i64 {
  %y: i64 = call @h(%x)
  ret %y
}
fn @h(%x: i64) -> i64 {
  %bad: bool = lt %x, 0
  br_if %bad, ^no, ^yes
^no:
  fail \"negative\"
^yes:
  %y: i64 = div 100, %x
  ret %y
}
";

/// The function with calls of `callee` inlined, in a module of its own.
fn inlined(module: &Module, func: &str, callee: &str) {
    let body = module.defined(callee.into()).expect("there is a callee");
    let func = module.defined(func.into()).expect("there is a function");
    let inlined = Rewriter::edit(&func, |rewriter, inst| match &inst.kind {
        InstKind::Call { callee: Callee::Func(name), args } if **name == *callee => {
            Ok(rewriter.inline(&body, args)?.map_or(Edit::Drop, Edit::Replace))
        }
        _ => Ok(Edit::Keep),
    });
    module.define(inlined.expect("it can be inlined"));
}

fn failure(module: &Module, x: i64) -> Report {
    let result = Interpreter::new(module).run("f", vec![Value::from(x)]);
    result.expect_err("it fails").report().clone()
}

#[test]
fn a_failure_has_the_same_call_stack_however_calls_were_inlined() {
    let orders: [&[(&str, &str)]; 3] = [&[("f", "g")], &[("f", "g"), ("f", "h")], &[("g", "h"), ("f", "g")]];
    for order in orders {
        let module = text::parse(PROGRAM).expect("it is a program").module();
        for x in [0, -1] {
            let before = failure(&text::parse(PROGRAM).expect("it is a program").module(), x);
            assert_eq!(before.stack.len(), 3);
            if x == 0 {
                order.iter().for_each(|(func, callee)| inlined(&module, func, callee));
            }
            assert_eq!(failure(&module, x), before);
        }
    }
}

#[test]
fn a_deep_stack_keeps_the_same_entries_however_calls_were_inlined() {
    let program = "
fn @f(%n: i64) -> i64 {
  %m: i64 = call @g(%n)
  ret %m
}
fn @g(%n: i64) -> i64 {
  %rest: i64 = div 1000, %n
  %m: i64 = sub %n, 1
  %y: i64 = call @f(%m)
  ret %y
}
";
    let module = || text::parse(program).expect("it is a program").module();
    let (plain, after) = (module(), module());
    inlined(&after, "f", "g");
    let before = failure(&plain, 100);
    assert_eq!(before.stack.len(), 80, "the middle of a deep stack is left out");
    assert_eq!(failure(&after, 100), before);
}

#[test]
fn a_place_that_was_inlined_is_read_as_it_is_printed() {
    let text = r#"fn @f(%x: i64) -> i64 !"f.rs":1:4:1 {
  %y: i64 = div 1, %x !"f.rs":2:5:7 in @h !"f.rs":6:5:4 in @"g 1" !"f.rs":10:5:4
  ret %y !_ in @h !"f.rs":6:5:4
}"#;
    let func = text::parse_func(text).expect("it is a function");
    assert_eq!(Printer::new().with_spans().func(&func), text);
    let at = |line, len| Span::new(Symbol::new("f.rs"), line, 5, len);
    let [f, g, h] = ["f", "g 1", "h"].map(Symbol::new);
    let place = func.blocks[0].insts[0].span;
    assert_eq!(place.open_calls(f).collect::<Vec<_>>(), [(h, at(2, 7)), (g, at(6, 4)), (f, at(10, 4))]);
}

#[test]
fn places_are_equal_where_what_they_stand_for_is() {
    let at = |line| Span::new(Symbol::new("f.rs"), line, 1, 1);
    let [g, h] = ["g", "h"].map(Symbol::new);
    assert_eq!(at(1).inlined_for(g, at(2)), at(1).inlined_for(g, at(2)));
    assert_ne!(at(1).inlined_for(g, at(2)), at(1).inlined_for(h, at(2)));
    assert_ne!(at(1).inlined_for(g, at(2)), at(1));
    assert_eq!(at(1).inlined_for(g, at(2)).as_written(), at(1));
}
