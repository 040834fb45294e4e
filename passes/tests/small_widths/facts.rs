//! What passes conclude from branches holds for all 8-bit integers: a comparison, and in both of its arms another one of the
//! same integers, take the arms that Rust's comparisons take.

use overdub_context::interp::{Interpreter, Output};
use overdub_context::ir::{Func, Module};
use overdub_context::text::{Parser, Printer};
use overdub_context::value::Value;
use overdub_passes::{Pipeline, Scope, by_name};

/// The name of a comparison, and Rust's.
type Comparison = (&'static str, fn(i16, i16) -> bool);

const COMPARISONS: [Comparison; 6] = [
    ("lt", |a, b| a < b),
    ("le", |a, b| a <= b),
    ("gt", |a, b| a > b),
    ("ge", |a, b| a >= b),
    ("eq", |a, b| a == b),
    ("ne", |a, b| a != b),
];

/// A branch on `first`, perhaps negated, then in both arms one on `second`, perhaps of the operands in the other order.
/// The operands are `x`, and `y` or a constant.
#[derive(Clone, Copy)]
struct Branches {
    first: Comparison,
    is_negated: bool,
    second: Comparison,
    is_swapped: bool,
    constant: Option<i16>,
}

impl Branches {
    fn text(&self, ty: &str) -> String {
        let y = self.constant.map_or("%y".to_owned(), |constant| format!("{constant}_{ty}"));
        let (first, second) = (self.first.0, self.second.0);
        let (left, right) = if self.is_swapped { (&*y, "%x") } else { ("%x", &*y) };
        let condition = if self.is_negated { "%n" } else { "%c" };
        format!(
            "fn @f(%x: {ty}, %y: {ty}) -> i64 {{
  %c: bool = {first} %x, {y}
  %n: bool = not %c
  br_if {condition}, ^then, ^else
^then:
  %d: bool = {second} {left}, {right}
  br_if %d, ^both, ^one
^else:
  %e: bool = {second} {left}, {right}
  br_if %e, ^other, ^none
^both:
  ret 3
^one:
  ret 1
^other:
  ret 2
^none:
  ret 0
}}
"
        )
    }

    /// What `f` returns according to Rust.
    fn result(&self, x: i16, y: i16) -> i64 {
        let y = self.constant.unwrap_or(y);
        let first = (self.first.1)(x, y) != self.is_negated;
        let second = if self.is_swapped { (self.second.1)(y, x) } else { (self.second.1)(x, y) };
        i64::from(first) + 2 * i64::from(second)
    }
}

/// All pairs of comparisons of integers in a range.
fn branches(constants: &[i16]) -> Vec<Branches> {
    let mut all = Vec::new();
    for first in COMPARISONS {
        for second in COMPARISONS {
            for (is_negated, is_swapped) in [(false, false), (false, true), (true, false), (true, true)] {
                for constant in constants.iter().copied().map(Some).chain([None]) {
                    all.push(Branches { first, is_negated, second, is_swapped, constant });
                }
            }
        }
    }
    all
}

/// Runs a function on each pair of integers, and compares it with Rust.
fn check(
    func: &Func,
    branches: &Branches,
    pairs: &[(i16, i16)],
    value: fn(i16) -> Value<'static>,
    before: &str,
) {
    let shown = Printer::new().func(func).to_string();
    let module = Module::new();
    module.define(func.clone());
    let mut interpreter = Interpreter::new(&module).with_output(Output::Discard);
    for &(x, y) in pairs {
        let ours = interpreter.run("f", vec![value(x), value(y)]);
        let rust = Value::from(branches.result(x, y));
        assert!(
            ours.as_ref().is_ok_and(|ours| ours.same(&rust)),
            "{before}became\n{shown}which gives {ours:?} for {x} and {y}, and Rust {rust:?}"
        );
    }
}

/// Tries corner cases in the place of `x`, all numbers in that of `y`; with `EXHAUSTIVE` in the environment, all pairs.
fn facts_hold(ty: &str, range: std::ops::RangeInclusive<i16>, value: fn(i16) -> Value<'static>) {
    let (least, greatest) = (*range.start(), *range.end());
    let is_exhaustive = std::env::var_os("EXHAUSTIVE").is_some();
    let corners = [least, least + 1, least + 127, least + 128, greatest];
    let pairs: Vec<(i16, i16)> = range
        .clone()
        .filter(|x| is_exhaustive || corners.contains(x))
        .flat_map(|x| range.clone().map(move |y| (x, y)))
        .collect();
    let of_constants: Vec<(i16, i16)> = range.clone().map(|x| (x, least)).collect();
    let passes = ["gvn", "simplify"].map(|name| Pipeline::once(by_name(name)));
    let pipelines = passes.into_iter().chain([Pipeline::compiling()]).collect::<Vec<_>>();
    let mut decided = 0;
    for branches in branches(&[least, least + 1, greatest - 1, greatest, 5]) {
        let text = branches.text(ty);
        let listing = Parser::new().file("branches").parse(&text).unwrap_or_else(|errors| panic!("{errors}"));
        let func = &listing.funcs[0];
        let pairs = if branches.constant.is_some() { &of_constants } else { &pairs };
        check(func, &branches, pairs, value, &text);
        for pipeline in &pipelines {
            let after = pipeline.run(func, &Scope::none());
            if after == **func {
                continue;
            }
            decided += usize::from(after.blocks.len() < func.blocks.len());
            check(&after, &branches, pairs, value, &text);
        }
    }
    // Otherwise nothing was concluded, and the test shows nothing.
    assert!(decided > 50, "{decided}");
}

#[test]
fn what_branches_imply_holds_for_unsigned_integers() {
    facts_hold("u8", 0..=255, |n| Value::from(u8::try_from(n).expect("it is in the range")));
}

#[test]
fn what_branches_imply_holds_for_signed_integers() {
    facts_hold("i8", -128..=127, |n| Value::from(i8::try_from(n).expect("it is in the range")));
}
