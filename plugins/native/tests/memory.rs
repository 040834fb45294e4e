//! Gradients within a memory: of random programs with loops, by the interpreter and as machine code, equal to those with
//! everything stored to the bit.

use std::fmt::Write;

use overdub::lower::Loaded;
use overdub_ad::{GradientRoute, Strategy, TapeBound};
use overdub_context::engine::Engine;
use overdub_context::testing::cases;
use overdub_context::value::Value;
use overdub_native::Native;
use proptest::prelude::*;

/// A program written from bytes; bytes that are missing are zero, which is the simplest choice everywhere.
struct Writer<'b> {
    bytes: std::slice::Iter<'b, u8>,
    text: String,
    /// The loops around, and the number of loops so far.
    depth: usize,
    loops: usize,
}

impl Writer<'_> {
    fn choose(&mut self, of: u8) -> u8 {
        self.bytes.next().map_or(0, |byte| byte % of)
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "    {line}").expect("a string takes text");
    }

    fn place(&mut self) -> String {
        let index = match self.choose(4) {
            0 => "1".to_owned(),
            1 => "count % 3".to_owned(),
            2 => "(count + 1) % 3".to_owned(),
            _ => format!("{} % 3", self.index()),
        };
        match self.choose(4) {
            0 => "a".to_owned(),
            1 => format!("u[{index}]"),
            2 => "s.p".to_owned(),
            _ => format!("rows[{}][{index}]", ["0", "count % 2"][usize::from(self.choose(2))]),
        }
    }

    fn index(&mut self) -> String {
        match self.depth {
            0 => "n".to_owned(),
            depth => format!("i{}", depth - 1),
        }
    }

    fn leaf(&mut self) -> String {
        match self.choose(9) {
            0 => "a".to_owned(),
            1 => "b".to_owned(),
            2 => "k".to_owned(),
            3 => format!("x[{} % 4]", self.index()),
            4 => self.place(),
            5 => "s.q.0".to_owned(),
            6 => "last.unwrap_or(0.25)".to_owned(),
            7 => "v[v.len() - 1]".to_owned(),
            _ => format!("{:?}", [0.5, -0.75, 1.25, 0.0][usize::from(self.choose(4))]),
        }
    }

    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.leaf();
        }
        let (one, other) = (self.expr(depth - 1), self.leaf());
        match self.choose(8) {
            0 => format!("({one} * {other})"),
            1 => format!("({one} + {other})"),
            2 => format!("({one} - {other})"),
            3 => format!("({one}).sin()"),
            4 => format!("({one}).cos() * {other}"),
            5 => format!("({one} / (1.5 + {other} * {other}))"),
            6 => format!("({one}).max({other})"),
            _ => format!("(-({one}).abs()).exp()"),
        }
    }

    fn condition(&mut self) -> String {
        match self.choose(3) {
            0 => format!("{} > 0.3", self.leaf()),
            1 => format!("{} < {}", self.leaf(), self.leaf()),
            _ => format!("{} % 3 == 1", self.index()),
        }
    }

    fn block(&mut self, budget: usize) {
        for _ in 0..=self.choose(3) {
            self.statement(budget);
        }
    }

    fn statement(&mut self, budget: usize) {
        match if budget == 0 { self.choose(5) } else { self.choose(12) } {
            0 => {
                let value = self.expr(2);
                self.line(&format!("a = ({value}).sin();"));
            }
            1 => {
                let (place, value) = (self.place(), self.expr(1));
                self.line(&format!("let new = ({value}).cos();"));
                self.line(&format!("{place} = new;"));
            }
            2 => {
                let value = self.expr(1);
                self.line(&format!("s = S {{ p: ({value}).sin(), q: (s.p, s.q.0) }};"));
            }
            3 => {
                let value = self.leaf();
                self.line(&format!("last = if {value} > 0.1 {{ Some({value} * b) }} else {{ None }};"));
            }
            4 => {
                let value = self.expr(1);
                self.line(&format!(
                    "if v.len() < 12 {{ v.push(({value}).sin()); }} else {{ v.truncate(2); }}"
                ));
            }
            5 => {
                let value = self.expr(1);
                self.line(&format!("(a, b) = (b, ({value}).sin());"));
            }
            6 => {
                let condition = self.condition();
                self.line(&format!("if {condition} {{"));
                self.block(budget - 1);
                self.line("} else {");
                self.block(budget - 1);
                self.line("}");
            }
            7 if self.depth > 0 => {
                let (condition, end) = (self.condition(), self.choose(4));
                let end = ["break", "continue", "return a * b + k", "break 'outer"][usize::from(end)];
                self.line(&format!("if {condition} && count > 4 {{ {end}; }}"));
            }
            8 if self.depth < 3 => {
                let (index, most) = (self.depth, 2 + self.choose(9));
                let condition = self.condition();
                self.label();
                self.line(&format!("while {condition} {{"));
                self.line(&format!("let i{index} = count; if count > {} {{ break; }}", 20 * most));
                self.in_loop(budget);
            }
            9..=11 if self.depth < 3 => {
                let (index, most) = (self.depth, 2 + self.choose(12));
                let most =
                    if self.depth == 0 && self.choose(2) == 0 { "n".to_owned() } else { most.to_string() };
                self.label();
                self.line(&format!("for i{index} in 0..{most} {{"));
                self.in_loop(budget);
            }
            _ => {
                let (one, other) = (self.leaf(), self.leaf());
                self.line(&format!("b = b * 0.5 + ({one} * {other}).sin();"));
            }
        }
    }

    fn label(&mut self) {
        if self.depth == 0 {
            self.line("'outer:");
        }
    }

    fn in_loop(&mut self, budget: usize) {
        self.depth += 1;
        self.loops += 1;
        self.line("count += 1;");
        self.block(budget - 1);
        self.depth -= 1;
        self.line("}");
    }
}

/// The source of a program with loops.
fn source(bytes: &[u8]) -> String {
    let mut writer = Writer { bytes: bytes.iter(), text: String::new(), depth: 0, loops: 0 };
    for _ in 0..=writer.choose(2) {
        writer.statement(3);
        writer.line("'outer: for i0 in 0..n {");
        writer.in_loop(3);
    }
    let body = writer.text;
    format!(
        "#![allow(warnings)]
pub struct S {{ pub p: f64, pub q: (f64, f64) }}
pub fn f(x: &[f64], k: f64, n: usize) -> f64 {{
    let mut a = x[0];
    let mut b = k;
    let mut u = x.to_vec();
    let mut v = vec![k, x[1]];
    let mut s = S {{ p: x[2], q: (k, 0.5) }};
    let mut rows = vec![x.to_vec(), vec![0.1, k, 0.3]];
    let mut last: Option<f64> = None;
    let mut count = 0_usize;
{body}
    a + b * u[1] - u[2] * s.p + s.q.0 + rows[0][1] * rows[1][2] + last.unwrap_or(k) + v[v.len() - 1]
}}"
    )
}

/// The value and the gradient, with their bits visible; or the message of the failure.
fn shown(route: &GradientRoute, args: &[Value<'static>]) -> Result<String, String> {
    let found = route.run(args.to_vec()).map_err(|failure| failure.to_string())?;
    Ok(format!("{found:?}"))
}

/// The least number of bytes that a gradient says it needs.
fn least(message: &str) -> Option<usize> {
    let (_, rest) = message.split_once("needs at least ")?;
    rest.split(' ').next()?.parse().ok()
}

/// Checks a program with several memories, from one that it says is enough on.
fn check(engine: &Engine, source: &str, loaded: &Loaded) -> Result<usize, TestCaseError> {
    let f = loaded.function("f").expect("it has the function");
    let args = [Value::floats(vec![0.3, -0.2, 0.7, 0.1]), Value::F64(0.6), Value::from(17_usize)];
    let stored = GradientRoute::new(engine, f.symbol, f.ir_ret, &|_| true);
    if *stored.strategy() != Strategy::Transformation {
        return Ok(0);
    }
    let Ok(expected) = shown(&stored, &args) else { return Ok(0) };
    let within =
        |bytes| GradientRoute::within(engine, f.symbol, f.ir_ret, &|_| true, TapeBound::Memory(bytes));
    let mut memory = 1;
    let mut rounds = 0;
    loop {
        match shown(&within(memory), &args) {
            Ok(found) => {
                prop_assert_eq!(&found, &expected, "within {} bytes\n{}", memory, source);
                break;
            }
            Err(message) => {
                let needed = least(&message);
                prop_assert!(needed.is_some_and(|least| least > memory), "{}\n{}", message, source);
                memory = needed.unwrap_or_default();
            }
        }
        rounds += 1;
        prop_assert!(rounds < 1000, "{}", source);
    }
    for memory in [memory + 40, 3 * memory, 1 << 30] {
        let found = shown(&within(memory), &args).map_err(TestCaseError::fail)?;
        prop_assert_eq!(&found, &expected, "within {} bytes\n{}", memory, source);
    }
    let report = within(memory).tape_report(args.to_vec()).expect("it has a gradient");
    prop_assert!(report.peak <= memory, "{} bytes within {}\n{}", report.peak, memory, source);
    Ok(1)
}

/// A program by random bytes. Values without a derivative leave the chunks of its nested loops together with others that
/// have one.
const VALUES_WITHOUT_DERIVATIVES: &str = "#![allow(warnings)]
pub struct S { pub p: f64, pub q: (f64, f64) }
pub fn f(x: &[f64], k: f64, n: usize) -> f64 {
    let mut a = x[0];
    let mut b = k;
    let mut u = x.to_vec();
    let mut v = vec![k, x[1]];
    let mut s = S { p: x[2], q: (k, 0.5) };
    let mut rows = vec![x.to_vec(), vec![0.1, k, 0.3]];
    let mut last: Option<f64> = None;
    let mut count = 0_usize;
    let new = ((b * b)).cos();
    a = new;
    'outer: for i0 in 0..n {
        count += 1;
        (a, b) = (b, ((x[i0 % 4] - last.unwrap_or(0.25))).sin());
        while x[i0 % 4] > 0.3 {
            let i1 = count; if count > 160 { break; }
            count += 1;
            if s.p > 0.3 && count > 4 { continue; }
        }
        while -0.75 < v[v.len() - 1] {
            let i1 = count; if count > 140 { break; }
            count += 1;
            (a, b) = (b, ((rows[count % 2][1] * a)).sin());
            while i1 % 3 == 1 {
                let i2 = count; if count > 40 { break; }
                count += 1;
                last = if b > 0.1 { Some(b * b) } else { None };
                a = ((-((v[v.len() - 1]).max(b)).abs()).exp()).sin();
            }
        }
    }
    'outer:
    while s.q.0 < last.unwrap_or(0.25) {
        let i0 = count; if count > 40 { break; }
        count += 1;
        a = (((a).max(x[i0 % 4]) - k)).sin();
        last = if s.q.0 > 0.1 { Some(s.q.0 * b) } else { None };
        (a, b) = (b, ((a + x[i0 % 4])).sin());
    }
    'outer: for i0 in 0..n {
        count += 1;
        let new = ((a * a)).cos();
        a = new;
    }
    a + b * u[1] - u[2] * s.p + s.q.0 + rows[0][1] * rows[1][2] + last.unwrap_or(k) + v[v.len() - 1]
}
";

/// Another one. No derivative flows through the inner loop in the last chunk, which is called nevertheless.
const A_LOOP_WITHOUT_DERIVATIVES: &str = "#![allow(warnings)]
pub struct S { pub p: f64, pub q: (f64, f64) }
pub fn f(x: &[f64], k: f64, n: usize) -> f64 {
    let mut a = x[0];
    let mut b = k;
    let mut u = x.to_vec();
    let mut v = vec![k, x[1]];
    let mut s = S { p: x[2], q: (k, 0.5) };
    let mut rows = vec![x.to_vec(), vec![0.1, k, 0.3]];
    let mut last: Option<f64> = None;
    let mut count = 0_usize;
    'outer:
    for i0 in 0..n {
        count += 1;
        if v.len() < 12 { v.push(((a * s.q.0)).sin()); } else { v.truncate(2); }
    }
    'outer: for i0 in 0..n {
        count += 1;
        while a < a {
            let i1 = count; if count > 40 { break; }
            count += 1;
            if v.len() < 12 { v.push(((a * a)).sin()); } else { v.truncate(2); }
            while a > 0.3 {
                let i2 = count; if count > 40 { break; }
                count += 1;
                last = if a > 0.1 { Some(a * b) } else { None };
                s = S { p: ((a * s.q.0)).sin(), q: (s.p, s.q.0) };
            }
        }
        for i1 in 0..2 {
            count += 1;
            if i1 % 3 == 1 && count > 4 { return a * b + k; }
        }
    }
    a + b * u[1] - u[2] * s.p + s.q.0 + rows[0][1] * rows[1][2] + last.unwrap_or(k) + v[v.len() - 1]
}
";

#[test]
fn programs_found_by_random_bytes_have_the_gradient_of_the_stored_ones() {
    for source in [VALUES_WITHOUT_DERIVATIVES, A_LOOP_WITHOUT_DERIVATIVES] {
        let loaded = Loaded::from_source("f.rs", source).expect("it is well formed");
        for engine in [loaded.engine(), loaded.engine_builder().executor(Native::new()).build()] {
            let checked = check(&engine, source, &loaded).expect("both gradients are the same");
            assert_eq!(checked, 1, "its gradient is transformed");
        }
    }
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn random_loops_within_a_memory_have_the_gradient_of_the_stored_ones(
        bytes in prop::collection::vec(any::<u8>(), 0..80)
    ) {
        let source = source(&bytes);
        let loaded = Loaded::from_source("f.rs", &source).unwrap_or_else(|error| panic!("{error}\n{source}"));
        let engines = [
            loaded.engine(),
            loaded.engine_builder().executor(Native::new()).build(),
        ];
        for engine in &engines {
            check(engine, &source, &loaded)?;
        }
    }
}
