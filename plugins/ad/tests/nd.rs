//! Operations on whole arrays: derivatives in every mode against finite differences of the program itself.

use overdub_ad::dual::jvp;
use overdub_ad::flatten::{floats, with_floats};
use overdub_ad::tape::record;
use overdub_ad::transform::forward::Hvp;
use overdub_ad::transform::reverse::Transformed;
use overdub_context::engine::Engine;
use overdub_context::value::{Array, Value};
use overdub_context::{Symbol, text};

/// Arrays of ordinary numbers, no two of them equal.
fn array(shape: &[usize], from: usize) -> Value<'static> {
    let count = shape.iter().product::<usize>();
    let elems = (0..count).map(|k| 1.1 + 0.4 * ((from + k) as f64 * 1.7).sin() + 0.01 * k as f64).collect();
    Value::from(Array::from_vec(elems).reshape(shape).expect("as many elements as places"))
}

/// The result of operations on `%a` and `%b` of these shapes; its elements are weighted and summed.
struct Case {
    a: &'static [usize],
    b: &'static [usize],
    lines: &'static str,
    ret: &'static str,
}

/// The square of the sum of the sines of the elements, each weighted by its index.
const WEIGHED: &str = "
  %e: [f64] = nd.elems %y
  br ^loop(0, 0.0)
^loop(%i: i64, %acc: f64):
  %len: usize = len %e
  %l: i64 = cast %len
  %go: bool = lt %i, %l
  br_if %go, ^body, ^done
^body:
  %x: f64 = get %e, %i
  %w: f64 = cast %i
  %w1: f64 = add %w, 1.5
  %q: f64 = sin %x
  %t9: f64 = mul %q, %w1
  %acc2: f64 = add %acc, %t9
  %j: i64 = add %i, 1
  br ^loop(%j, %acc2)
^done:
  %s: f64 = mul %acc, %acc
";

fn typed(shape: &[usize]) -> String {
    if shape.is_empty() { "f64".to_owned() } else { format!("[f64; rank {}]", shape.len()) }
}

impl Case {
    fn program(&self) -> String {
        let sum = match self.ret {
            "f64" => "  %s: f64 = sin %y\n",
            _ => WEIGHED,
        };
        let (a, b) = (typed(self.a), typed(self.b));
        format!("fn @f(%a: {a}, %b: {b}) -> f64 {{\n{}\n{sum}  ret %s\n}}\n", self.lines)
    }

    fn args(&self) -> Vec<Value<'static>> {
        let arg = |shape: &[usize], from| if shape.is_empty() { Value::F64(0.8) } else { array(shape, from) };
        vec![arg(self.a, 0), arg(self.b, 50)]
    }
}

fn all(values: &[Value<'static>]) -> Vec<f64> {
    values.iter().flat_map(floats).collect()
}

fn moved(args: &[Value<'static>], at: usize, by: f64) -> Vec<Value<'static>> {
    let mut next = all(args).into_iter().enumerate().map(|(k, x)| if k == at { x + by } else { x });
    args.iter().map(|arg| with_floats(arg, &mut next).expect("as many floats")).collect()
}

fn quotient(f: impl Fn(f64) -> f64) -> f64 {
    let central = |h: f64| (f(h) - f(-h)) / (2.0 * h);
    (4.0 * central(5e-5) - central(1e-4)) / 3.0
}

fn close(what: &str, lines: &str, ours: &[f64], expected: &[f64]) {
    assert_eq!(ours.len(), expected.len(), "{lines}");
    for (ours, expected) in ours.iter().zip(expected) {
        let near = (ours - expected).abs() <= 2e-7 * expected.abs().max(1.0);
        assert!(near, "{what} of {lines}: {ours}, not {expected}");
    }
}

fn check(case: &Case) {
    let (program, args) = (case.program(), case.args());
    let module = text::parse(&program).unwrap_or_else(|error| panic!("{error}\n{program}")).module();
    let engine = Engine::builder(std::sync::Arc::new(module)).optimizer(overdub_passes::Optimising).build();
    let f = Symbol::new("f");
    let value =
        |args| engine.run(f, args).unwrap_or_else(|e| panic!("{}: {e}", case.lines)).as_f64().unwrap();
    let count = all(&args).len();
    let expected: Vec<f64> = (0..count).map(|at| quotient(|h| value(moved(&args, at, h)))).collect();
    let recorded = record(&engine, f, args.clone()).unwrap_or_else(|e| panic!("{}: {e}", case.lines));
    assert_eq!(recorded.value.as_f64(), Some(value(args.clone())), "{}", case.lines);
    close("recording", case.lines, &all(&recorded.pullback.pull(&[1.0]).unwrap()), &expected);
    let transformed =
        Transformed::gradient(&engine, f, &|_| true).unwrap_or_else(|e| panic!("{}: {e}", case.lines));
    let (y, gradient) = transformed.run(args.clone()).unwrap_or_else(|e| panic!("{}: {e}", case.lines));
    assert_eq!(y.as_f64(), Some(value(args.clone())), "{}", case.lines);
    close("transformation", case.lines, &all(&gradient), &expected);
    let along: Vec<f64> = (0..count).map(|k| (k as f64 * 2.3).cos()).collect();
    let mut next = along.iter().copied();
    let tangents = args.iter().map(|arg| with_floats(arg, &mut next).expect("as many")).collect();
    let (_, dy) = jvp(&engine, f, args.clone(), tangents).unwrap_or_else(|e| panic!("{}: {e}", case.lines));
    let expected_dy = along.iter().zip(&expected).map(|(v, g)| v * g).sum::<f64>();
    close("forward", case.lines, &floats(&dy), &[expected_dy]);
    let curved = Hvp::new(&engine, f, &|_| true).unwrap_or_else(|e| panic!("{}: {e}", case.lines));
    let product = curved
        .run(args.clone(), &mut along.iter().copied())
        .unwrap_or_else(|e| panic!("{}: {e}", case.lines));
    let shifted = |t: f64| {
        let mut next = all(&args).into_iter().zip(&along).map(|(x, v)| x + t * v);
        let moved = args.iter().map(|arg| with_floats(arg, &mut next).expect("as many")).collect();
        all(&transformed.run(moved).expect("it runs").1)
    };
    let [far, near] = [1e-4, 5e-5].map(|h| (h, shifted(h), shifted(-h)));
    let central = |(h, up, down): &(f64, Vec<f64>, Vec<f64>), k: usize| (up[k] - down[k]) / (2.0 * h);
    let expected: Vec<f64> = (0..count).map(|k| (4.0 * central(&near, k) - central(&far, k)) / 3.0).collect();
    close("forward over reverse", case.lines, &all(&product), &expected);
}

macro_rules! cases {
    ($($name:ident: [$(($a:expr, $b:expr, $lines:expr, $ret:literal)),* $(,)?])*) => {$(
        #[test]
        fn $name() {
            for case in [$(Case { a: &$a, b: &$b, lines: $lines, ret: $ret }),*] {
                check(&case);
            }
        }
    )*};
}

cases! {
    elementwise_operations_broadcast: [
        ([2, 3], [2, 3], "  %y: [f64; rank 2] = mul %a, %b", "a"),
        ([2, 3], [3], "  %y: [f64; rank 2] = div %a, %b", "a"),
        ([1, 3], [2, 1], "  %y: [f64; rank 2] = sub %a, %b", "a"),
        ([2, 2, 2], [2, 1], "  %y: [f64; rank 3] = atan2 %a, %b", "a"),
        ([4], [4], "  %m: [f64] = max %a, %b\n  %x0: [f64] = exp %m\n  %y: [f64] = neg %x0", "a"),
    ]
    arrays_are_reduced: [
        ([2, 3], [], "  %s0: f64 = nd.sum %a\n  %y: f64 = mul %s0, %b", "f64"),
        ([2, 3], [], "  %s0: f64 = nd.product %a\n  %y: f64 = mul %s0, %b", "f64"),
        ([2, 3], [3], "  %s0: f64 = nd.min %a\n  %s1: f64 = nd.max %b\n  %y: f64 = mul %s0, %s1", "f64"),
        ([2, 3], [3], "  %s0: f64 = nd.norm_l1 %a\n  %s1: f64 = nd.norm_l2 %b\n  %y: f64 = mul %s0, %s1", "f64"),
        ([2, 3], [3, 3], "  %s0: f64 = nd.norm_max %a\n  %s1: f64 = nd.trace %b\n  %y: f64 = mul %s0, %s1", "f64"),
    ]
    arrays_are_reduced_along_axes: [
        ([2, 3], [2], "  %y: [f64] = nd.sum_axis %a, 1", "a"),
        ([2, 3, 2], [2, 2], "  %y: [f64; rank 2] = nd.mean_axis %a, 1", "a"),
        ([2, 3], [3], "  %y: [f64] = nd.min_axis %a, 0", "a"),
        ([2, 3], [3], "  %y: [f64; rank 2] = nd.cumsum %a, 1", "a"),
    ]
    products_of_vectors_and_matrices: [
        ([3], [3], "  %y: f64 = nd.dot %a, %b", "f64"),
        ([2, 3], [3], "  %y: [f64] = nd.dot %a, %b", "a"),
        ([2], [2, 3], "  %y: [f64] = nd.dot %a, %b", "a"),
        ([2, 3], [3, 2], "  %y: [f64; rank 2] = nd.dot %a, %b", "a"),
        ([2], [3], "  %y: [f64; rank 2] = nd.outer %a, %b", "a"),
    ]
    elements_are_moved_about: [
        ([2, 3], [], "  %y: [f64; rank 2] = nd.transpose %a", "a"),
        ([2, 3, 2], [2, 3], "  %y: [f64; rank 3] = nd.permute %a, 2, 0, 1", "a"),
        ([2, 4], [2, 2], "  %y: [f64; rank 2] = nd.slice_axis %a, 1, 0, 4, -2", "a"),
        ([2, 4], [2, 2], "  %y: [f64; rank 2] = nd.slice_axis %a, 1, 1, 4, 2", "a"),
        ([2, 3], [3], "  %y: [f64] = nd.index_axis %a, 0, 1", "a"),
        ([2, 3], [2], "  %sq: [f64] = mul %b, %b\n  %y: [f64; rank 2] = nd.set_axis %a, 1, 2, %sq", "a"),
        ([2, 3], [], "  %sq: f64 = mul %b, %b\n  %y: [f64; rank 2] = nd.set %a, 1, 2, %sq", "a"),
        ([2, 3], [], "  %x0: f64 = nd.get %a, 1, 2\n  %y: f64 = mul %x0, %b", "f64"),
        ([3], [3], "  %y: [f64; rank 2] = nd.stack 1, %a, %b", "a"),
        ([2, 3], [2, 1], "  %y: [f64; rank 2] = nd.concat 1, %a, %b, %a", "a"),
        ([2, 3], [2], "  %y: [f64] = nd.diag %a", "a"),
        ([3], [3, 3], "  %y: [f64; rank 2] = nd.from_diag %a", "a"),
        ([3], [], "  %sh: [usize] = const [2, 3]\n  %y: [f64; rank 2] = nd.broadcast %a, %sh", "a"),
        ([2, 3], [3, 2], "  %sh: [usize] = const [3, 2]\n  %y: [f64; rank 2] = nd.reshape %a, %sh", "a"),
        ([3], [], "  %sh: [usize] = const [2, 3]\n  %y: [f64; rank 2] = nd.full %sh, %b", "a"),
    ]
    matrices_are_inverted_solved_and_factored: [
        ([3, 3], [3], "  %y: [f64; rank 2] = nd.inv %a", "a"),
        ([3, 3], [3], "  %y: [f64] = nd.solve %a, %b", "a"),
        ([3, 3], [3, 2], "  %y: [f64; rank 2] = nd.solve %a, %b", "a"),
        ([3, 3], [], "  %s0: f64 = nd.det %a\n  %y: f64 = mul %s0, %b", "f64"),
        ([1, 1], [], "  %s0: f64 = nd.det %a\n  %y: f64 = mul %s0, %b", "f64"),
        ([3, 3], [], "  %s0: f64 = nd.ln_det %a\n  %y: f64 = mul %s0, %b", "f64"),
        ([3, 4], [], "  %t: [f64; rank 2] = nd.transpose %a
  %sq: [f64; rank 2] = nd.dot %a, %t
  %eye: [f64; rank 2] = nd.eye 3
  %more: [f64; rank 2] = add %sq, %eye
  %y: [f64; rank 2] = nd.cholesky %more", "a"),
    ]
}

/// The determinant of a matrix without an inverse.
fn singular(elems: &[f64], n: usize) {
    let module = text::parse("fn @f(%a: [f64; rank 2]) -> f64 {\n  %y: f64 = nd.det %a\n  ret %y\n}")
        .expect("it is one");
    let engine = Engine::builder(std::sync::Arc::new(module.module())).build();
    let a = Value::from(Array::from_vec(elems.to_vec()).reshape(&[n, n]).expect("as many"));
    let value = |at: usize, by: f64| {
        let args = moved(std::slice::from_ref(&a), at, by);
        engine.run(Symbol::new("f"), args).expect("it has one").as_f64().expect("a float")
    };
    let expected: Vec<f64> = (0..n * n).map(|at| quotient(|h| value(at, h))).collect();
    let recorded = record(&engine, "f", vec![a.clone()]).expect("it has one");
    assert_eq!(recorded.value.as_f64(), Some(0.0));
    close("recording", "nd.det", &all(&recorded.pullback.pull(&[1.0]).expect("one cotangent")), &expected);
    let made = Transformed::gradient(&engine, Symbol::new("f"), &|_| true).expect("it has one");
    close("transformation", "nd.det", &all(&made.run(vec![a]).expect("it runs").1), &expected);
}

#[test]
fn a_determinant_has_its_gradient_where_the_matrix_is_singular() {
    singular(&[0.0], 1);
    singular(&[1.0, 2.0, 2.0, 4.0], 2);
    singular(&[1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 1.0, -1.0, 0.5], 3);
    singular(&[0.0, 1.0, 3.0, 0.0, 4.0, 6.0, 0.0, -1.0, 0.5], 3);
    singular(&[0.0; 9], 3);
}
