//! Programs over arrays of ndarray compared with ndarray itself: the same functions, compiled into this test,
//! and loaded with our own text of the crate.

use ndarray::prelude::*;
use overdub::context::interp::Interpreter;
use overdub::lower::Loaded;
use overdub::prelude::*;

#[allow(unreachable_pub)]
#[path = "arrays/making.rs"]
mod making;
#[allow(unreachable_pub)]
#[path = "arrays/reckoning.rs"]
mod reckoning;

type Case = (&'static str, fn() -> String);

fn interpreted(loaded: &Loaded, name: &str) -> Result<String, String> {
    let function = loaded.function(name).map_err(|error| error.to_string())?;
    match Interpreter::new(loaded.module()).run(function.symbol, Vec::new()) {
        Ok(value) => Ok(value.as_str().expect("the function returns a text").to_owned()),
        Err(failure) => Err(failure.report().message.clone()),
    }
}

fn compare(file: &str, text: &str, cases: &[Case]) {
    let loaded = Loaded::from_source(file, text).expect("rustc compiles it");
    let differs = |&(name, compiled): &Case| {
        let (ours, theirs) = (interpreted(&loaded, name), Ok(compiled()));
        (ours != theirs).then(|| format!("{name}:\n  ours    {ours:?}\n  ndarray {theirs:?}"))
    };
    let faults: Vec<String> = cases.iter().filter_map(differs).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

macro_rules! compare {
    ($module:ident: $($case:ident)*) => {
        compare(
            concat!(stringify!($module), ".rs"),
            include_str!(concat!("arrays/", stringify!($module), ".rs")),
            &[$((stringify!($case), $module::$case)),*],
        )
    };
}

#[test]
fn arrays_are_made_and_cut_as_ndarray_does() {
    compare!(making: constructors shapes_are_changed shapes indexing slicing parts reshaped joined);
}

#[test]
fn arrays_reckon_to_the_bit_as_ndarray_does() {
    compare!(reckoning: maps iterators sums products operators zips programs shown);
}

#[dub]
fn layer(w: &Array2<f64>, b: &Array1<f64>, x: &Array1<f64>) -> Array1<f64> {
    (w.dot(x) + b).mapv(f64::tanh)
}

#[dub]
fn loss(w: &Array2<f64>, b: &Array1<f64>, x: &Array1<f64>) -> f64 {
    let y = layer(w, b, x);
    y.dot(&y)
}

#[dub]
fn weighted(x: ArrayView1<f64>, rows: &ArrayView2<f64>) -> f64 {
    rows.outer_iter().zip(x.iter()).map(|(row, k)| k * row.sum()).sum()
}

#[dub]
fn sharpen(x: &mut Array1<f64>, k: f64) {
    x[0] += k;
    x.mapv_inplace(|v| v * k);
}

fn weights() -> (Array2<f64>, Array1<f64>, Array1<f64>) {
    (array![[0.1, -0.2], [0.3, 0.4], [0.0, 0.7]], array![0.5, -0.1, 0.2], array![1.5, -0.5])
}

#[test]
fn annotated_functions_take_arrays_and_return_them() {
    let (w, b, x) = weights();
    assert_eq!(run(layer, (&w, &b, &x)).unwrap(), layer(&w, &b, &x));
    assert_eq!(run(loss, (&w, &b, &x)).unwrap(), loss(&w, &b, &x));
    assert_eq!(run(loss, (&w.t().to_owned().reversed_axes(), &b, &x)).unwrap(), loss(&w, &b, &x));
    let (mut ours, mut theirs) = (x.clone(), x.clone());
    run(sharpen, (&mut ours, 3.0)).unwrap();
    sharpen(&mut theirs, 3.0);
    assert_eq!(ours, theirs);
}

#[test]
fn annotated_functions_take_views() {
    let (w, _, x) = weights();
    assert_eq!(run(weighted, (x.view(), &w.view())).unwrap(), weighted(x.view(), &w.view()));
}

#[test]
fn functions_of_arrays_differentiate() {
    let (w, b, x) = weights();
    let (dw, db, dx) = gradient(loss, (&w, &b, &x)).unwrap();
    let y = layer(&w, &b, &x);
    let dz = (1.0 - &y * &y) * (2.0 * &y);
    let outer = dz.view().insert_axis(Axis(1)).dot(&x.view().insert_axis(Axis(0)));
    let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
    assert!(dw.iter().zip(&outer).all(|(a, b)| close(*a, *b)), "{dw} {outer}");
    assert!(db.iter().zip(&dz).all(|(a, b)| close(*a, *b)), "{db} {dz}");
    assert!(dx.iter().zip(&w.t().dot(&dz)).all(|(a, b)| close(*a, *b)), "{dx}");
}
