//! `#[derivative(…)]`: derivatives beside their functions, against differences.

use overdub_attributes::derivative;

mod model {
    use overdub_attributes::derivative;

    /// A line, whose fields are private.
    #[derive(Clone, Copy)]
    pub(crate) struct Line {
        slope: f64,
        offset: f64,
    }

    impl Line {
        pub(crate) fn new(slope: f64, offset: f64) -> Line {
            Line { slope, offset }
        }

        fn at(&self, x: f64) -> f64 {
            self.slope * x + self.offset
        }
    }

    #[derivative(value_and_gradient)]
    #[derivative(hvp, wrt = "line", name = curvature)]
    pub(crate) fn misfit(line: &Line, xs: &[f64]) -> f64 {
        xs.iter().map(|&x| super::bend(line.at(x))).sum()
    }
}

#[derivative(gradient)]
fn bend(x: f64) -> f64 {
    (x * x).sin()
}

// Only derivatives of it are called.
#[allow(dead_code)]
#[derivative(jvp)]
#[derivative(vjp, wrt = "x")]
#[derivative(gradient, types = "f32, f32", name = single)]
fn product<T: Copy + std::ops::Mul<Output = T>>(x: T, y: T) -> T {
    x * y * y
}

#[derivative(gradient, failures = result)]
fn item(x: &[f64], n: usize) -> f64 {
    x[n] * x[n]
}

#[derivative(gradient, library = no_std, name = steepness)]
fn wave(x: &[f64]) -> f64 {
    x.iter().map(|x| x.sin()).sum()
}

#[test]
fn the_functions_of_floats_are_those_of_libm_if_asked() {
    assert_eq!(steepness(&[0.5, 2.0]), [libm::cos(0.5), libm::cos(2.0)]);
    let difference = (wave(&[0.5 + 1e-6]) - wave(&[0.5 - 1e-6])) / 2e-6;
    assert!((steepness(&[0.5])[0] - difference).abs() < 1e-8);
}

#[test]
fn failures_are_results_if_asked() {
    let item = |n| -> Result<Vec<f64>, ItemGradientFailure> { item_gradient(&[2.0, 3.0], n) };
    assert_eq!(item(1), Ok(vec![0.0, 6.0]));
    let failure = item(2).expect_err("there is no such element");
    assert_eq!(failure.message(), "index out of bounds: the len is 2 but the index is 2");
    assert!(failure.at().contains("tests/derivative.rs:48:"), "{failure}");
}

#[test]
fn derivatives_are_those_of_the_function() {
    let h = 1e-6;
    let difference = (bend(0.7 + h) - bend(0.7 - h)) / (2.0 * h);
    assert!((bend_gradient(0.7) - difference).abs() < 1e-8);
    assert_eq!(product_jvp(2.0, 3.0, 1.0, 0.5), (18.0, 9.0 + 2.0 * 2.0 * 3.0 * 0.5));
    assert_eq!(product_vjp(2.0, 3.0, 2.0), (18.0, 18.0));
    assert_eq!(single(2.0_f32, 3.0_f32), (9.0, 12.0));
}

#[test]
fn types_are_those_of_the_crate() {
    let (xs, h) = ([1.0, -0.5, 2.0], 1e-5);
    let line = |by: f64| model::Line::new(0.3 + by, 0.2 - 2.0 * by);
    let misfit = |by: f64| model::misfit(&line(by), &xs);
    let (value, (dslope, doffset), dxs) = model::misfit_value_and_gradient(line(0.0), &xs);
    assert_eq!(value, misfit(0.0));
    assert_eq!(dxs.len(), 3);
    let difference = (misfit(h) - misfit(-h)) / (2.0 * h);
    assert!((dslope - 2.0 * doffset - difference).abs() < 1e-8);
    let slope = |by: f64| {
        let (_, (dslope, doffset), _) = model::misfit_value_and_gradient(line(by), &xs);
        (dslope, doffset)
    };
    let (before, after) = (slope(-h), slope(h));
    let curved = model::curvature(line(0.0), &xs, (1.0, -2.0));
    assert!(((after.0 - before.0) / (2.0 * h) - curved.0).abs() < 1e-7);
    assert!(((after.1 - before.1) / (2.0 * h) - curved.1).abs() < 1e-7);
}

#[derivative(value_and_gradient, results = into_slices)]
fn length(x: &[f64], scale: f64) -> f64 {
    x.iter().map(|x| x * x * scale).sum()
}

#[test]
fn vectors_are_written_to_slices_if_asked() {
    let mut dx = [1.0; 2];
    assert_eq!(length_value_and_gradient_into(&[3.0, 2.0], 0.5, &mut dx), (length(&[3.0, 2.0], 0.5), 13.0));
    assert_eq!(dx, [3.0, 2.0]);
}
