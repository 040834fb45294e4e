//! Stores are sunk unless their places are read.

use overdub_context::interp::Interpreter;
use overdub_context::text;
use overdub_context::value::Value;

use super::sunk_stores::with_sunk_stores;
use super::*;

/// A loop that stores `%v` where the next round stores `%c`, which is the same.
fn func(read: &str) -> Func {
    let text = format!(
        "fn @f(%n: usize) -> ([f64], f64) {{
           %m: usize = sub.wrapping %n, 1_usize
           %dx: [f64] = repeat 0.0, %n
           br ^head(0_usize, %dx, 0.0, 0.0)
         ^head(%i: usize, %a: [f64], %c: f64, %s: f64):
           %goes_on: bool = lt %i, %m
           br_if %goes_on, ^body, ^done
         ^body:
           %j: usize = add.wrapping %i, 1_usize
           %v: f64 = add 1.0, %s
           %before: f64 = get %a, %{}
           %a1: [f64] = set.unchecked %a, %i, %c
           %between: f64 = get %a1, %{}
           %a2: [f64] = set.unchecked %a1, %j, %v
           %after: f64 = get %a2, %{}
           %some: f64 = add %before, %between
           %more: f64 = add %some, %after
           %s2: f64 = add %s, %more
           br ^head(%j, %a2, %v, %s2)
         ^done:
           %all: ([f64], f64) = tuple %a, %s
           ret %all
         }}",
        if read == "before" { "i" } else { "j" },
        if read == "between" { "j" } else { "i" },
        if read == "after" { "j" } else { "i" },
    );
    let module = text::parse(&text).expect("it is well formed").module();
    Func::clone(&module.func("f".into()).expect("it loads").expect("it is there"))
}

fn stores(func: &Func) -> usize {
    let insts = func.blocks.iter().flat_map(|body| &body.insts);
    insts.filter(|inst| matches!(&inst.kind, InstKind::Op { op, .. } if *op == &ops::SET_UNCHECKED)).count()
}

fn run(func: &Func, n: usize) -> String {
    let module = overdub_context::ir::Module::default();
    module.define(std::sync::Arc::new(func.clone()));
    Interpreter::new(&module).run("f", vec![Value::from(n)]).expect("it runs").to_string()
}

#[test]
fn a_store_is_sunk_unless_its_place_is_read() {
    // The element before the store of the same round, and of the next round.
    for (read, is_sunk) in [("none", true), ("before", false), ("between", true), ("after", false)] {
        let func = func(read);
        let mut sunk = func.clone();
        with_sunk_stores(&mut sunk);
        assert_eq!(sunk.blocks.len() > func.blocks.len(), is_sunk, "{read}");
        assert_eq!(stores(&sunk), stores(&func));
        for n in [1, 2, 3, 7] {
            assert_eq!(run(&sunk, n), run(&func, n), "{read}");
        }
    }
}
