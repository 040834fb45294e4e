//! Loops around loops: each iteration takes the same steps, whether it runs an inner loop or avoids it.

use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::engine::{Executor, Interpreting};
use overdub_context::ir::Module;
use overdub_context::limits::{Limit, Limits};
use overdub_context::text;
use overdub_context::value::Value;
use overdub_native::Native;

/// An outer loop of `%n` iterations, every third of which runs an inner loop of `%m`; how both count and end differs.
struct Nested {
    name: &'static str,
    /// The type of the outer induction variable, and its first value.
    ty: &'static str,
    first: &'static str,
    /// What the outer header does before it decides about the inner loop, its next value, and the end of the last block.
    test: &'static str,
    next: &'static str,
    end: &'static str,
    /// The end of the inner loop.
    inner: &'static str,
}

impl Nested {
    fn module(&self) -> Arc<Module> {
        let Nested { ty, first, test, next, end, inner, .. } = self;
        let program = format!(
            "fn @f(%n: {ty}, %m: usize) -> usize {{
  br ^outer({first}, 0_usize)
^outer(%i: {ty}, %s: usize):
  {test}
^body:
  %k: {ty} = rem %i, 3_{ty}
  %avoids: bool = ne %k, 0_{ty}
  br_if %avoids, ^next(%s), ^inner(0_usize, %s)
^inner(%j: usize, %t: usize):
  %a: usize = mul.wrapping %t, 31_usize
  %u: usize = xor %a, %j
  {inner}
^next(%v: usize):
  {next}
  {end}
^done(%w: usize):
  ret %w
}}

fn @g(%x: usize, %y: usize) -> usize {{
  %big: bool = gt %y, 1000000_usize
  br_if %big, ^more, ^done
^more:
  %z: usize = call @g(%x, 10_usize)
  ret %z
^done:
  %w: usize = mul.wrapping %x, 7_usize
  ret %w
}}
"
        );
        Arc::new(text::parse(&program).unwrap_or_else(|error| panic!("{program}{error:?}")).module())
    }

    fn args(&self, n: usize, m: usize) -> Vec<Value<'static>> {
        let narrow = || i32::try_from(n).expect("it is small");
        let first = if self.ty == "i32" { Value::from(narrow()) } else { Value::from(n) };
        vec![first, Value::from(m)]
    }
}

const AT_LATCH: &str = "%d: usize = add.wrapping %j, 1_usize
  %more: bool = lt %d, %m
  br_if %more, ^inner(%d, %u), ^next(%u)";
const CALLS: &str = "%d: usize = add.wrapping %j, 1_usize
  %x: usize = call @g(%u, %j)
  %more: bool = lt %d, %m
  br_if %more, ^inner(%d, %x), ^next(%x)";
const LEAVES_BOTH: &str = "%d: usize = add.wrapping %j, 1_usize
  %most: bool = eq %u, 12345678901_usize
  br_if %most, ^done(%u), ^on
^on:
  %more: bool = lt %d, %m
  br_if %more, ^inner(%d, %u), ^next(%u)";
const TWO_DEEP: &str = "%d: usize = add.wrapping %j, 1_usize
  %odd: usize = rem %j, 2_usize
  %is_odd: bool = eq %odd, 0_usize
  br_if %is_odd, ^deep(0_usize, %u), ^on(%u)
^deep(%q: usize, %x: usize):
  %y: usize = xor %x, %q
  %z: usize = mul.wrapping %y, 5_usize
  %p: usize = add.wrapping %q, 1_usize
  %again: bool = lt %p, 5_usize
  br_if %again, ^deep(%p, %z), ^on(%z)
^on(%l: usize):
  %more: bool = lt %d, %m
  br_if %more, ^inner(%d, %l), ^next(%l)";

fn nested() -> Vec<Nested> {
    let rises = "%h: usize = add.wrapping %i, 1_usize\n  %go: bool = lt %h, %n";
    let latch = "br_if %go, ^outer(%h, %v), ^done(%v)";
    let (br, none) = ("br ^body", "0_usize");
    let at_latch =
        |name, inner| Nested { name, ty: "usize", first: none, test: br, next: rises, end: latch, inner };
    vec![
        at_latch("rises", AT_LATCH),
        at_latch("around calls", CALLS),
        at_latch("left from the inner loop", LEAVES_BOTH),
        at_latch("three loops", TWO_DEEP),
        Nested {
            next: "%h: usize = add.wrapping %i, 1_usize\n  %go: bool = ne %h, %n",
            ..at_latch("to the bound itself", AT_LATCH)
        },
        Nested {
            next: "%h: usize = add.wrapping %i, 1_usize\n  %go: bool = lt %i, %n",
            ..at_latch("compares the variable itself", AT_LATCH)
        },
        Nested {
            first: "%n",
            next: "%h: usize = sub %i, 1_usize\n  %go: bool = gt %h, 0_usize",
            ..at_latch("falls", AT_LATCH)
        },
        Nested {
            next: "%h: usize = add.wrapping %i, 2_usize\n  %go: bool = lt %h, %n",
            ..at_latch("by two", TWO_DEEP)
        },
        Nested {
            test: "%go: bool = lt %i, %n\n  br_if %go, ^body, ^done(%s)",
            next: "%h: usize = add.wrapping %i, 1_usize",
            end: "br ^outer(%h, %v)",
            ..at_latch("tests in the header", CALLS)
        },
        Nested {
            ty: "i32",
            first: "%n",
            test: "%go: bool = gt %i, 0_i32\n  br_if %go, ^body, ^done(%s)",
            next: "%h: i32 = sub %i, 1_i32",
            end: "br ^outer(%h, %v)",
            ..at_latch("falls in 32 bits, tests in the header", TWO_DEEP)
        },
        Nested {
            test: "%out: bool = ge %i, %n\n  br_if %out, ^done(%s), ^body",
            next: "%h: usize = add.wrapping %i, 1_usize",
            end: "br ^outer(%h, %v)",
            ..at_latch("leaves by the first target", AT_LATCH)
        },
    ]
}

/// The least number of steps with which a run ends.
fn steps_of(executor: &dyn Executor, module: &Arc<Module>, args: &[Value<'static>]) -> u64 {
    let ends = |steps: u64| {
        let run = || executor.run(module, Symbol::new("f"), args.to_vec());
        match Limits::default().with_steps(steps).during(run) {
            Ok(_) => true,
            Err(failure) => {
                assert_eq!(failure.limit(), Some(Limit::Steps(steps)));
                false
            }
        }
    };
    let (mut few, mut enough) = (0, 1 << 26);
    assert!(ends(enough), "that many are enough");
    while enough - few > 1 {
        let middle = few.midpoint(enough);
        if ends(middle) { enough = middle } else { few = middle }
    }
    enough
}

#[test]
fn nested_loops_take_the_same_steps_in_each_iteration() {
    for nested in nested() {
        let module = nested.module();
        let native = Native::new();
        let expected = |n, m| {
            let plain = Interpreting::new();
            let run =
                |executor: &dyn Executor| executor.run(&module, Symbol::new("f"), nested.args(n, m)).ok();
            let unlimited = run(&native).expect("it ends");
            let limited = Limits::default().with_steps(u64::MAX).during(|| run(&native)).expect("it ends");
            assert!(unlimited.same(&limited), "{}: limits change nothing", nested.name);
            assert!(run(&plain).expect("it ends").same(&limited), "{}: {n} {m}", nested.name);
            steps_of(&native, &module, &nested.args(n, m)) as i128
        };
        // In steps of 6 outer and 4 inner iterations, the number of steps is linear in both numbers and their product. Some
        // of them use the fuel that a run is given several times.
        let at = |a: usize, b: usize| expected(6 + 6 * a, 4 + 4 * b);
        let none = at(0, 0);
        let [outer, inner] = [at(1, 0) - none, at(0, 1) - none];
        let both = at(1, 1) - none - outer - inner;
        assert!(outer > 0 && inner > 0 && both > 0, "{}", nested.name);
        for (a, b) in [(3, 0), (0, 7), (5, 3), (40, 30), (2000, 2), (3, 9000), (7000, 0)] {
            let [x, y] = [a, b].map(|number| number as i128);
            let wanted = none + outer * x + inner * y + both * x * y;
            assert_eq!(at(a, b), wanted, "{}: {a} {b}", nested.name);
        }
    }
}
