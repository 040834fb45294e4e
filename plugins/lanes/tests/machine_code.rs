//! Random structured programs by machine code give what interpreted steps give, and fail as they do.

use std::fmt::Write;

use overdub_context::ir::Func;
use overdub_context::testing::{alike, cases};
use overdub_context::text;
use overdub_context::value::{Array, Value};
use overdub_lanes::{Argument, Lanes, inlined};
use overdub_passes::InstructionSet;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

const FLOATS: usize = 4;
const LONGS: usize = 3;
const SHORTS: usize = 2;

/// Text of a program with nested branches and loops over a few variables, which each block has as parameters.
struct Writer<'b> {
    bytes: std::slice::Iter<'b, u8>,
    text: String,
    /// The current names of the variables.
    now: Vec<String>,
    next: usize,
    blocks: usize,
    depth: usize,
}

fn ty(at: usize) -> &'static str {
    match at {
        _ if at < FLOATS => "f64",
        _ if at < FLOATS + LONGS => "i64",
        _ => "u32",
    }
}

impl Writer<'_> {
    fn byte(&mut self, of: usize) -> usize {
        usize::from(*self.bytes.next().unwrap_or(&0)) % of
    }

    fn float(&mut self) -> String {
        let at = self.byte(FLOATS + 2);
        match at {
            _ if at < FLOATS => self.now[at].clone(),
            _ => ["0.5", "-1.5", "0.0", "3.0"][self.byte(4)].to_owned(),
        }
    }

    fn long(&mut self) -> String {
        let at = self.byte(LONGS + 1);
        if at < LONGS { self.now[FLOATS + at].clone() } else { format!("{}_i64", self.byte(5) as i64 - 2) }
    }

    fn short(&mut self) -> String {
        let at = self.byte(SHORTS + 1);
        if at < SHORTS { self.now[FLOATS + LONGS + at].clone() } else { format!("{}_u32", self.byte(4)) }
    }

    fn value(&mut self, ty: &str, what: &str) -> String {
        self.next += 1;
        let name = format!("%v{}", self.next);
        writeln!(self.text, "  {name}: {ty} = {what}").expect("text is written");
        name
    }

    fn condition(&mut self) -> String {
        let relation = ["lt", "le", "gt", "ge", "eq", "ne"][self.byte(6)];
        let first = match self.byte(3) {
            0 => (self.float(), self.float()),
            1 => (self.long(), self.long()),
            _ => (self.short(), self.short()),
        };
        let one = self.value("bool", &format!("{relation} {}, {}", first.0, first.1));
        if self.byte(3) != 0 {
            return one;
        }
        let (a, b) = (self.float(), self.float());
        let two = self.value("bool", &format!("gt {a}, {b}"));
        let logic = ["and", "or", "xor"][self.byte(3)];
        let both = self.value("bool", &format!("{logic} {one}, {two}"));
        self.value("bool", &format!("not {both}"))
    }

    fn assignment(&mut self) {
        let at = self.byte(FLOATS + LONGS + SHORTS);
        let what = match ty(at) {
            "f64" => match self.byte(9) {
                0 | 1 => {
                    let op = ["add", "sub", "mul", "div", "mul.zero", "min", "max"][self.byte(7)];
                    format!("{op} {}, {}", self.float(), self.float())
                }
                2 => {
                    let op = ["neg", "abs", "sqrt", "floor", "ceil", "trunc", "recip"][self.byte(7)];
                    format!("{op} {}", self.float())
                }
                3 => format!("cast {}", self.long()),
                4 => {
                    let on = self.condition();
                    format!("select {on}, {}, {}", self.float(), self.float())
                }
                5 => {
                    let low = self.value("i64", &format!("and {}, 7_i64", self.now[FLOATS].clone()));
                    let index = self.value("usize", &format!("cast {low}"));
                    format!("get %all, {index}")
                }
                // Steps for which code calls functions.
                6 => match self.byte(3) {
                    0 => format!("sin {}", self.float()),
                    1 => format!("exp {}", self.float()),
                    _ => format!("hypot {}, {}", self.float(), self.float()),
                },
                _ => format!("mul {}, 0.5", self.float()),
            },
            "i64" => match self.byte(9) {
                0 => format!("add {}, {}", self.long(), self.long()),
                1 => format!("sub {}, {}", self.long(), self.long()),
                2 => format!("mul.wrapping {}, {}", self.long(), self.long()),
                3 => format!("cast {}", self.float()),
                4 => format!("xor {}, {}", self.long(), self.long()),
                5 => format!("div {}, {}", self.long(), ["3_i64", "-2_i64", "7_i64"][self.byte(3)]),
                6 => format!("rem {}, {}", self.long(), self.long()),
                7 => format!("mul {}, {}", self.long(), self.long()),
                _ => format!("cast {}", self.short()),
            },
            _ => match self.byte(6) {
                0 => format!("add {}, {}", self.short(), self.short()),
                1 => format!("sub.wrapping {}, {}", self.short(), self.short()),
                2 => format!("mul {}, {}", self.short(), self.short()),
                3 => format!("cast {}", self.float()),
                4 => format!("cast {}", self.long()),
                _ => format!("add.wrapping {}, 1_u32", self.short()),
            },
        };
        self.now[at] = self.value(ty(at), &what);
    }

    fn block(&mut self) -> usize {
        self.blocks += 1;
        self.blocks
    }

    fn jump(&mut self, to: usize) {
        writeln!(self.text, "  br ^b{to}({})", self.now.join(", ")).expect("text is written");
    }

    fn branch(&mut self, on: &str, then: usize, otherwise: usize) {
        let all = self.now.join(", ");
        writeln!(self.text, "  br_if {on}, ^b{then}({all}), ^b{otherwise}({all})").expect("text is written");
    }

    fn begin(&mut self, block: usize) {
        let count = self.now.len();
        self.now = (0..count).map(|at| format!("%b{block}x{at}")).collect();
        let params: Vec<String> =
            self.now.iter().enumerate().map(|(at, name)| format!("{name}: {}", ty(at))).collect();
        writeln!(self.text, "^b{block}({}):", params.join(", ")).expect("text is written");
    }

    fn statements(&mut self) {
        for _ in 0..=self.byte(5) {
            match self.byte(8) {
                0 | 1 if self.depth < 3 => {
                    let (on, then, otherwise, after) =
                        (self.condition(), self.block(), self.block(), self.block());
                    self.branch(&on, then, otherwise);
                    self.depth += 1;
                    for arm in [then, otherwise] {
                        self.begin(arm);
                        self.statements();
                        self.jump(after);
                    }
                    self.depth -= 1;
                    self.begin(after);
                }
                2 | 3 if self.depth < 3 => self.repeated(),
                _ => self.assignment(),
            }
        }
    }

    /// A loop of a few rounds, by its own counter, the last variable; a condition may end it before.
    fn repeated(&mut self) {
        let (head, body, next, after) = (self.block(), self.block(), self.block(), self.block());
        let counter = self.now.len() - 1;
        let (saved, rounds) = (self.now[counter].clone(), self.byte(20));
        let low = self.value("u32", &format!("and {saved}, 3_u32"));
        self.now[counter] = low;
        self.jump(head);
        self.begin(head);
        let on = self.value("bool", &format!("lt {}, {}_u32", self.now[counter].clone(), rounds));
        self.branch(&on, body, after);
        self.begin(body);
        let count = self.now[counter].clone();
        self.depth += 1;
        self.statements();
        self.depth -= 1;
        self.now[counter] = self.value("u32", &format!("add.wrapping {count}, 1_u32"));
        let ends = self.condition();
        self.branch(&ends, after, next);
        self.begin(next);
        self.jump(head);
        self.begin(after);
    }
}

/// The text of a function of two floats, an integer, and a list and a float that all elements share.
fn function(bytes: &[u8]) -> String {
    let mut writer = Writer {
        bytes: bytes.iter(),
        text: "fn @main(%x: f64, %y: f64, %n: i64, %all: [f64], %k: f64) -> (f64, f64, i64, u32) {\n"
            .to_owned(),
        now: ["%x", "%y", "1.0", "%k", "%n", "3_i64", "0_i64", "1_u32", "0_u32"].map(str::to_owned).to_vec(),
        next: 0,
        blocks: 0,
        depth: 0,
    };
    writer.statements();
    writer.repeated();
    writer.statements();
    let now = writer.now.clone();
    let result = format!("tuple {}, {}, {}, {}", now[0], now[2], now[4], now[7]);
    let result = writer.value("(f64, f64, i64, u32)", &result);
    writer.text + &format!("  ret {result}\n}}")
}

fn prepared(text: &str) -> Func {
    let program = text::parse(text).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    let module = program.module();
    inlined(&module, &module.func("main".into()).expect("it loads").expect("it is there"))
}

fn arguments(bytes: &[u8], len: usize) -> Vec<Argument<'static>> {
    let odd = [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e-300, 1e10, -2.5, 0.5];
    let byte = |at: usize| usize::from(bytes[at % bytes.len()]);
    let float = |at: usize| if byte(at) < 40 { odd[byte(at) % 10] } else { byte(at) as f64 / 16.0 - 8.0 };
    let whole = |at: usize| if byte(at) < 8 { i64::MAX - byte(at) as i64 } else { byte(at) as i64 - 100 };
    vec![
        Argument::Each(Array::from_vec((0..len).map(float).collect())),
        Argument::Each(Array::from_vec((0..len).map(|at| float(at * 7 + 3)).collect())),
        Argument::Each(Array::from_vec((0..len).map(|at| whole(at * 5 + 1)).collect())),
        Argument::Shared(Value::from(Array::from_vec(vec![1.0, -2.0, 0.5, 4.0, -0.25, 8.0, 1e3, -0.0]))),
        Argument::Shared(Value::F64(float(2))),
    ]
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn machine_code_gives_and_fails_as_interpreted_steps(
        program in prop::collection::vec(any::<u8>(), 20..400),
        elements in prop::collection::vec(any::<u8>(), 1..100),
        len in 1_usize..300,
        width in prop_oneof![Just(64_usize), 1_usize..64],
    ) {
        let text = function(&program);
        let func = prepared(&text);
        // One element that fails leaves the others without a result: elements run in small groups, too.
        for (from, to) in [(0, len), (len / 2, len / 2 + 1), (len / 3, len.min(len / 3 + 5))] {
            let args: Vec<_> = arguments(&elements, len).into_iter().map(|arg| match arg {
                Argument::Each(list) => {
                    let own = list.iter().skip(from).take(to - from);
                    Argument::Each(Array::from_values(list.elem_ty(), own).expect("they are of one type"))
                }
                shared @ Argument::Shared(_) => shared,
            }).collect();
            for set in InstructionSet::all() {
                let lanes = Lanes::for_instruction_set(&func, &[true, true, true, false, false], set);
                let lanes = lanes.expect("scalars and shared lists run in lanes").with_width(width);
                let compiled = lanes.run(&args, to - from, &mut |_| false);
                let interpreted = lanes.clone().interpreted().run(&args, to - from, &mut |_| false);
                prop_assert_eq!(compiled.is_some(), interpreted.is_some(), "{:?}\n{}", set, text);
                for (found, expected) in compiled.into_iter().flatten().zip(interpreted.into_iter().flatten()) {
                    for (at, (found, expected)) in found.iter().zip(expected.iter()).enumerate() {
                        prop_assert!(
                            alike(&found, &expected),
                            "{set:?}, element {at}: {found:?}, not {expected:?}\n{text}\n{lanes}"
                        );
                    }
                }
            }
        }
    }
}

/// Pushes numbers and conditions, as many as each element says, and takes them off again.
const STACKS: &str = "fn @main(%x: f64, %n: i64) -> (f64, i64) {
  %s: stack<(f64, bool)> = stack.new
  br ^push(%s, %x, 0_i64)
^push(%s.1: stack<(f64, bool)>, %y: f64, %i: i64):
  %more: bool = lt %i, %n
  br_if %more, ^step, ^pop(%s.1, 0.0, 0_i64)
^step:
  %z: f64 = mul %y, 0.75
  %large: bool = gt %z, 0.25
  %pair: (f64, bool) = tuple %z, %large
  %s.2: stack<(f64, bool)> = stack.push %s.1, %pair
  %j: i64 = add.wrapping %i, 1_i64
  br ^push(%s.2, %z, %j)
^pop(%s.3: stack<(f64, bool)>, %sum: f64, %count: i64):
  %len: usize = stack.len %s.3
  %none: bool = eq %len, 0_usize
  br_if %none, ^end, ^take
^take:
  %top: (f64, bool) = stack.peek %s.3
  %both: ((f64, bool), stack<(f64, bool)>) = stack.pop %s.3
  %value: (f64, bool) = field %both, 0
  %s.4: stack<(f64, bool)> = field %both, 1
  %v: f64 = field %value, 0
  %w: f64 = field %top, 0
  %is: bool = field %value, 1
  %t: f64 = mul %sum, 0.5
  %u: f64 = add %t, %v
  %half: f64 = sub %u, %w
  %all: f64 = select %is, %u, %half
  %more.1: i64 = add.wrapping %count, 1_i64
  br ^pop(%s.4, %all, %more.1)
^end:
  %result: (f64, i64) = tuple %sum, %count
  ret %result
}";

#[test]
fn stacks_of_lanes_of_different_depths_have_the_values_of_each() {
    let stacks = |set| Lanes::for_instruction_set(&prepared(STACKS), &[true, true], set);
    let sets = InstructionSet::all().into_iter().map(|set| stacks(set).expect("it runs in lanes"));
    for (lanes, (len, rounds)) in sets.flat_map(|lanes| {
        [(1, 1), (64, 1), (300, 37), (1000, 3), (200, 500)].map(move |shape| (lanes.clone(), shape))
    }) {
        let numbers = Array::from_vec((0..len).map(|at| 1.0 + at as f64 / 8.0).collect());
        let counts = Array::from_vec((0..len as i64).map(|at| at * 7 % rounds).collect());
        let args = [Argument::Each(numbers), Argument::Each(counts)];
        let compiled = lanes.run(&args, len, &mut |_| false).expect("none fails");
        let interpreted = lanes.clone().interpreted().run(&args, len, &mut |_| false).expect("none fails");
        for (found, expected) in compiled.iter().zip(&interpreted) {
            assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{len} elements\n{lanes}");
        }
    }
}

#[test]
fn all_instruction_sets_beyond_the_baseline_have_machine_code() {
    for set in InstructionSet::all() {
        let lanes = Lanes::for_instruction_set(&prepared(STACKS), &[true, true], set);
        let has_code = format!("{:?}", lanes.expect("it runs in lanes")).contains("has_machine_code: true");
        assert_eq!(has_code, set != InstructionSet::Baseline, "{set:?}");
    }
}

#[test]
fn most_random_programs_give_results() {
    let mut runner = TestRunner::deterministic();
    let bytes = prop::collection::vec(any::<u8>(), 20..400);
    let mut count = 0;
    for _ in 0..200 {
        let program = bytes.new_tree(&mut runner).expect("it is drawn").current();
        let lanes = Lanes::new(&prepared(&function(&program)), &[true, true, true, false, false]);
        let lanes = lanes.expect("scalars and shared lists run in lanes");
        let args = arguments(&[100, 120, 131, 7, 200], 5);
        count += usize::from(lanes.run(&args, 5, &mut |_| false).is_some());
    }
    assert!(count >= 100, "{count} of 200");
}
