//! The measured gradients, with one function each.

mod small;

use std::hint::black_box;

use super::exported;
use super::hand;
use super::inputs::{Adjustment, Lstm, Mixture, Numbers};
use super::measure::{
    EXPORTED, Fallible, GRADIENT_ALONE, GradientPlace, In, Kind, Program, Row, check, fastest, seen,
};
use super::objectives::{adjustment, lstm, mixture, perceptron};
use super::peers::programs::observation;
use super::peers::{several, with_peers};

pub(crate) const SMALL: &str = include_str!("../../../kernels/objectives/small.rs");
pub(crate) const MIXTURE: &str = include_str!("../../../kernels/objectives/mixture.rs");
const ADJUSTMENT: &str = include_str!("../../../kernels/objectives/adjustment.rs");
const LSTM: &str = include_str!("../../../kernels/objectives/lstm.rs");
const PERCEPTRON: &str = include_str!("../../../kernels/objectives/perceptron.rs");

/// A row of the table: its name, and the function that measures it.
pub(crate) type Measured = (&'static str, fn(&str) -> Fallible<Row>);

/// All rows, in the order in which they are printed.
pub(crate) const ROWS: &[Measured] = &[
    ("rosenbrock 10", |name| small::rosenbrock(name, 10)),
    ("rosenbrock 1000", |name| small::rosenbrock(name, 1_000)),
    ("rosenbrock 1000000", |name| small::rosenbrock(name, 1_000_000)),
    ("rosenbrock by windows 1000", small::windows),
    ("path through 1000 points", small::path),
    ("sine recurrence 1000000", small::sines),
    ("loop sum 1000", small::total),
    ("trace of a product 30", |name| small::trace(name, 30)),
    ("trace of a product 300", |name| small::trace(name, 300)),
    ("recursion", small::tree),
    ("mixture d2 K5", |name| mixture_row(name, Dimension::Argument(2), 5)),
    ("mixture d10 K5", |name| mixture_row(name, Dimension::Argument(10), 5)),
    ("mixture d10 K25", |name| mixture_row(name, Dimension::Argument(10), 25)),
    ("mixture d10 K25, d constant", |name| mixture_row(name, Dimension::Ten, 25)),
    ("bundle adjustment", bundle),
    ("lstm l2 c1024", recurrent),
    ("perceptron 784-128-10", perceptron_row),
    ("rosenbrock hvp 1000", super::curvature::row),
];

/// Points of the valley.
pub(crate) fn valley(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.5 + (i % 7) as f64 * 0.1).collect()
}

/// A row with the time of the exported value and gradient, after its result is checked: what it returns, then slices of these
/// lengths that it writes.
fn with_exported<T>(
    row: Row,
    expected: &[f64],
    lengths: &[usize],
    run: impl FnMut(&mut [Vec<f64>]) -> T,
    numbers: impl FnOnce(T) -> Vec<f64>,
) -> Fallible<Row> {
    with_text((row, EXPORTED), expected, lengths, run, numbers)
}

/// A row with the time of the exported gradient without the value, as most tools compute it.
fn with_gradient_alone(
    row: Row,
    expected: &[f64],
    lengths: &[usize],
    run: impl FnMut(&mut [Vec<f64>]),
) -> Fallible<Row> {
    with_text((row, GRADIENT_ALONE), &expected[1..], lengths, run, |()| Vec::new())
}

fn with_text<T>(
    (mut row, name): (Row, &'static str),
    expected: &[f64],
    lengths: &[usize],
    mut run: impl FnMut(&mut [Vec<f64>]) -> T,
    numbers: impl FnOnce(T) -> Vec<f64>,
) -> Fallible<Row> {
    let mut slices: Vec<Vec<f64>> = lengths.iter().map(|len| vec![0.0; *len]).collect();
    let mut found = numbers(run(&mut slices));
    found.extend(slices.concat());
    check(&row.name, &found, expected)?;
    let [time] = fastest([&mut || seen(run(black_box(&mut slices)))]);
    row.peers.push((name, time));
    Ok(row)
}

fn with_value(value: f64, gradient: &[f64]) -> Vec<f64> {
    [&[value], gradient].concat()
}

/// The arguments of the mixture.
pub(crate) fn mixture_args(input: &Mixture) -> [In<'_>; 6] {
    let Mixture { d, k, params, points, gamma, m } = input;
    let (shape, prior) = ([*d, *k].map(In::Count), [*gamma, *m].map(In::Float));
    [In::Floats(params), In::Floats(points), shape[0], shape[1], prior[0], prior[1]]
}

/// Whether the number of dimensions is an argument of the program, or a constant of it; it is an argument of the gradient by hand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dimension {
    Argument(usize),
    Ten,
}

fn mixture_row(name: &str, dimension: Dimension, k: usize) -> Fallible<Row> {
    let (d, function) = match dimension {
        Dimension::Argument(d) => (d, "mixture"),
        Dimension::Ten => (10, "mixture_in_ten"),
    };
    let input = Mixture::new(d, k);
    let Mixture { params, points, gamma, m, .. } = &input;
    let (gamma, m) = (*gamma, *m);
    let (mut work, mut grad) = (hand::mixture::Work::new(d, k), vec![0.0; params.len()]);
    let value = hand::mixture::mixture(params, points, (d, k), (gamma, m), &mut work, &mut grad);
    let expected = with_value(value, &grad);
    let mut args = mixture_args(&input).to_vec();
    if dimension == Dimension::Ten {
        args.remove(2);
    }
    let row =
        Program::new("mixture.rs", MIXTURE)?.gradient(function, [GradientPlace::floats(params.len())])?.row(
            (name, Kind::Program),
            &args,
            &expected,
            || {
                let (params, shape) = (black_box(&params[..]), (black_box(d), k));
                seen(hand::mixture::mixture(params, points, shape, (gamma, m), &mut work, &mut grad));
            },
            || {
                let params = black_box(&params[..]);
                seen(match dimension {
                    Dimension::Argument(d) => mixture::mixture(params, points, d, k, gamma, m),
                    Dimension::Ten => mixture::mixture_in_ten(params, points, k, gamma, m),
                });
            },
        )?;
    let run = |to: &mut [Vec<f64>]| {
        let (params, to) = (black_box(&params[..]), &mut to[0]);
        match dimension {
            Dimension::Argument(d) => {
                exported::mixture::mixture_value_and_gradient_into(params, points, d, k, gamma, m, to)
            }
            Dimension::Ten => exported::mixture_in_ten::mixture_in_ten_value_and_gradient_into(
                params, points, k, gamma, m, to,
            ),
        }
    };
    let row = with_exported(row, &expected, &[params.len()], run, |value| vec![value])?;
    match dimension {
        Dimension::Argument(_) => with_peers(row, &input, params, &expected),
        Dimension::Ten => Ok(row),
    }
}

fn bundle(name: &str) -> Fallible<Row> {
    let input = Adjustment::new();
    let Adjustment { cameras, points, weights, features } = &input;
    let mut rows = vec![[0.0; 15]; 2 * weights.len()];
    let values = hand::adjustment::jacobian(cameras, points, weights, features, &mut rows);
    let program = Program::new("adjustment.rs", ADJUSTMENT)?;
    let lengths = [cameras.len(), points.len(), weights.len()];
    let mut both = program.gradients("residuals", 2, || lengths.map(GradientPlace::floats))?;
    let args = [cameras, points, weights, features].map(|part| In::Floats(part));
    let mut expected = vec![values.0, values.1];
    for k in 0..2 {
        let rows = || rows.iter().skip(k).step_by(2);
        expected.extend(rows().flat_map(|row| &row[..11]));
        expected.extend(rows().flat_map(|row| &row[11..14]));
        expected.extend(rows().map(|row| row[14]));
    }
    both.run(&args)?;
    check(name, &both.found(), &expected)?;
    let [ours, hand_gradient, hand_primal] = fastest([
        &mut || seen(both.run(&args).is_ok()),
        &mut || {
            let cameras = black_box(cameras);
            seen(hand::adjustment::jacobian(cameras, points, weights, features, &mut rows));
        },
        &mut || seen(adjustment::residuals(black_box(cameras), points, weights, features)),
    ]);
    let peers = Vec::new();
    let row = Row { name: name.to_owned(), kind: Kind::Program, ours, hand_gradient, hand_primal, peers };
    let gradients = exported::residuals::residuals_value_and_gradients_into;
    let run = |to: &mut [Vec<f64>]| {
        let [a, b, c, d, e, f] = to else { return [f64::NAN; 2] };
        let (first, second) = gradients(black_box(cameras), points, weights, features, a, b, c, d, e, f);
        [first, second]
    };
    let row = with_exported(row, &expected, &[lengths, lengths].concat(), run, Vec::from)?;
    let observed: Vec<_> = (0..weights.len()).map(|i| observation(&input, i)).collect();
    let work: Vec<_> = observed.iter().map(|(input, program)| (&input[..], program)).collect();
    // A residual is its weight times its derivative with respect to the weight.
    let weighted = |row: &[f64; 15], weight: f64| with_value(weight * row[14], row);
    let expected: Vec<_> = rows
        .chunks_exact(2)
        .zip(weights)
        .map(|(pair, &weight)| [0, 1].map(|k| weighted(&pair[k], weight)))
        .collect();
    several(row, &work, &expected)
}

fn recurrent(name: &str) -> Fallible<Row> {
    let input = Lstm::new();
    let Lstm { layers, b, params, state, sequence } = &input;
    let shape = (*layers, *b);
    let (mut work, mut grad) = (hand::lstm::Work::default(), vec![0.0; params.len()]);
    let value = hand::lstm::lstm(params, state, sequence, shape, &mut work, &mut grad);
    let expected = with_value(value, &grad);
    let vectors = [params, state, sequence].map(|part| In::Floats(part));
    let args: Vec<_> = vectors.into_iter().chain([*layers, *b].map(In::Count)).collect();
    let row = Program::new("lstm.rs", LSTM)?.gradient("lstm", [GradientPlace::floats(params.len())])?.row(
        (name, Kind::Program),
        &args,
        &expected,
        || {
            let params = black_box(params);
            seen(hand::lstm::lstm(params, state, sequence, shape, &mut work, &mut grad));
        },
        || seen(lstm::lstm(black_box(params), state, sequence, shape.0, shape.1)),
    )?;
    let gradient = exported::lstm::lstm_value_and_gradient_into;
    let run =
        |to: &mut [Vec<f64>]| gradient(black_box(params), state, sequence, shape.0, shape.1, &mut to[0]);
    let row = with_exported(row, &expected, &[params.len()], run, |value| vec![value])?;
    with_peers(row, &input, params, &expected)
}

/// Without peers: a tape of numbers would take a gigabyte for its matrices.
fn perceptron_row(name: &str) -> Fallible<Row> {
    let (widths, batch) = (hand::perceptron::Widths { pixels: 784, hidden: 128, classes: 10 }, 64);
    let mut numbers = Numbers::new(17);
    let sizes = [784 * 128, 128, 128 * 10, 10];
    let params = sizes.map(|size| numbers.between(-0.05, 0.05, size));
    let x = numbers.between(0.0, 1.0, batch * widths.pixels);
    let labels: Vec<usize> = (0..batch).map(|i| i * 7 % 10).collect();
    let mut grads = sizes.map(|size| vec![0.0; size]);
    let mut work = hand::perceptron::Work::new(widths, batch);
    let mut by_hand = |grads: &mut [Vec<f64>; 4]| {
        let [w1, b1, w2, b2] = black_box(&params);
        let [dw1, db1, dw2, db2] = grads;
        let into = (&mut dw1[..], &mut db1[..], &mut dw2[..], &mut db2[..]);
        hand::perceptron::gradient((w1, b1, w2, b2), &x, &labels, widths, &mut work, into)
    };
    let value = by_hand(&mut grads);
    let expected = with_value(value, &grads.concat());
    let mut args: Vec<In<'_>> = params.iter().map(|part| In::Floats(part)).collect();
    args.extend([In::Floats(&x), In::Counts(&labels)]);
    let [w1, b1, w2, b2] = &params;
    let mut primal = hand::perceptron::Work::new(widths, batch);
    let mut loss = || hand::perceptron::loss((w1, b1, w2, b2), black_box(&x), &labels, widths, &mut primal);
    let (ours, theirs) = (perceptron::perceptron(w1, b1, w2, b2, &x, &labels), loss());
    check("the loss by hand", &[theirs], &[ours])?;
    let gradient = Program::new("perceptron.rs", PERCEPTRON)?;
    let row = gradient.gradient("perceptron", sizes.map(GradientPlace::floats))?.row(
        (name, Kind::Program),
        &args,
        &expected,
        || seen(by_hand(&mut grads)),
        || seen(loss()),
    )?;
    let gradient = exported::perceptron::perceptron_value_and_gradient_into;
    let run = |to: &mut [Vec<f64>]| {
        let [a, b, c, d] = to else { return f64::NAN };
        gradient(black_box(w1), b1, w2, b2, &x, &labels, a, b, c, d)
    };
    with_exported(row, &expected, &sizes, run, |value| vec![value])
}
