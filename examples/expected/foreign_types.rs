//! Are values of faer, glam, nalgebra, ndarray 0.16, num-complex and ordered-float, and maps, taken and returned as they are, and are
//! derivatives by them right? The functions are not annotated.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use glam::{DAffine2, DAffine3, DMat2, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, Mat3, Vec2, Vec3};
use nalgebra::{DMatrix, DVector, Matrix2x3, Point2, Point3, Quaternion, Vector2, Vector3};
use num_complex::Complex;
use ordered_float::OrderedFloat;
use overdub::ad::proptest::collection::vec;
use overdub::ad::proptest::prelude::*;
use overdub::ad::{check_gradient, hvp, jvp};
use overdub::context::value::{FromValue, HasTy, IntoValue, Lend, Mismatch, Value};
use overdub::prelude::*;
use overdub_count::Count;
use smallvec::{SmallVec, smallvec};

overdub::source!(crate);

fn same<T>(x: T) -> T {
    x
}

/// Moves a value into a program, lends it to one, and takes both back.
fn assert_kept<T>(x: T)
where
    T: for<'a> IntoValue<'a> + Lend + FromValue + Clone + PartialEq + Debug + 'static,
{
    assert_eq!(overdub::run(same::<T>, (x.clone(),)).as_ref(), Ok(&x));
    assert_eq!(T::from_value(x.lend()).as_ref(), Ok(&x));
    assert_eq!(overdub::run(same::<Vec<T>>, (vec![x.clone(); 2],)), Ok(vec![x; 2]));
}

#[test]
fn values_of_glam_are_kept() {
    let at = |k: usize| 0.5 + k as f64;
    let (rows, flat) = ([[0.5, 1.5], [2.5, 3.5]], std::array::from_fn::<f64, 9, _>(at));
    assert_kept(DVec2::new(0.5, 1.5));
    assert_kept(DVec3::new(0.5, 1.5, 2.5));
    assert_kept(DVec4::new(0.5, 1.5, 2.5, 3.5));
    assert_kept(DQuat::from_xyzw(0.5, 1.5, 2.5, 3.5));
    assert_kept(DMat2::from_cols_array_2d(&rows));
    assert_kept(DMat3::from_cols_array(&flat));
    assert_kept(DMat4::from_cols_array(&std::array::from_fn(at)));
    assert_kept(DAffine2::from_cols_array(&std::array::from_fn(at)));
    assert_kept(DAffine3::from_cols_array(&std::array::from_fn(at)));
    assert_kept(Vec2::new(0.5, 1.5));
    assert_kept(Vec3::new(0.5, 1.5, 2.5));
    assert_kept(Mat3::from_cols_array(&flat.map(|x| x as f32)));
}

#[test]
fn values_of_nalgebra_are_kept() {
    assert_kept(Vector3::new(0.5, 1.5, 2.5));
    assert_kept(Vector3::new(1_u32, 2, 3));
    assert_kept(Matrix2x3::new(0.5_f32, 1.5, 2.5, 3.5, 4.5, 5.5));
    assert_kept(Point3::new(0.5, 1.5, 2.5));
    assert_kept(Quaternion::new(0.5, 1.5, 2.5, 3.5));
    assert_kept(DVector::from_column_slice(&[0.5, 1.5, 2.5]));
    assert_kept(DMatrix::from_fn(3, 2, |row, column| row as f64 + 0.5 * column as f64));
    assert_kept(DMatrix::<f64>::zeros(0, 2));
    assert_kept(DVector::<f64>::zeros(0));
}

#[test]
fn arrays_of_ndarray_016_are_kept() {
    use ndarray_016::{ArcArray, Array1, Array2, Array3, ArrayView2, Ix1, array};

    assert_kept::<Array1<f64>>(array![0.5, 1.5, 2.5]);
    assert_kept::<Array2<f32>>(array![[0.5, 1.5, 2.5], [3.5, 4.5, 5.5]]);
    assert_kept::<Array2<f64>>(array![[0.5, 1.5, 2.5], [3.5, 4.5, 5.5]].reversed_axes());
    assert_kept::<Array3<u32>>(Array3::zeros((2, 0, 3)));
    assert_kept::<ArcArray<bool, Ix1>>(array![true, false].into_shared());
    fn row_sums(xs: ArrayView2<f64>) -> Array1<f64> {
        xs.sum_axis(ndarray_016::Axis(1))
    }
    let xs = Array2::from_shape_fn((3, 4), |(i, k)| i as f64 + 0.1 * k as f64);
    assert_eq!(overdub::run(row_sums, (xs.view(),)), Ok(row_sums(xs.view())));
    // Lent, and moved out again, without a copy.
    let place = xs.as_ptr();
    assert_eq!(xs.lend().as_array().and_then(|array| Some(array.as_f64s()?.as_ptr())), Some(place));
    assert_eq!(Array2::from_value(xs.into_value()).map(|xs: Array2<f64>| xs.as_ptr()), Ok(place));
}

#[test]
fn matrices_of_faer_are_kept() {
    use faer::{Col, ColRef, Mat, MatRef, Row, RowRef};

    let at = |i: usize, k: usize| i as f64 + 0.1 * k as f64;
    assert_kept::<Mat<f64>>(Mat::from_fn(3, 2, at));
    assert_kept::<Mat<f32>>(Mat::from_fn(2, 3, |i, k| at(i, k) as f32));
    assert_kept::<Mat<f64>>(Mat::zeros(0, 2));
    assert_kept::<Col<f64>>(Col::from_fn(3, |i| at(i, 1)));
    assert_kept::<Row<f64>>(Row::from_fn(3, |k| at(1, k)));
    assert_kept::<Col<f64>>(Col::zeros(0));
    fn sum(x: MatRef<'_, f64>, y: ColRef<'_, f64>, z: RowRef<'_, f64>) -> f64 {
        x[(0, 1)] + y[1] + z[2]
    }
    // Borrowed ones, with steps between their elements.
    let x = Mat::from_fn(3, 4, at);
    assert_eq!(overdub::run(sum, (x.transpose(), x.col(1), x.row(2))), Ok(at(1, 0) + at(1, 1) + at(2, 2)));
    // Changed in place.
    fn scale(x: &mut Mat<f64>, by: f64) -> usize {
        for k in 0..x.ncols() {
            x.col_mut(k).iter_mut().for_each(|x| *x *= by);
        }
        x.ncols()
    }
    let (mut here, mut there) = (x.clone(), x);
    assert_eq!(overdub::run(scale, (&mut there, 3.0)), Ok(scale(&mut here, 3.0)));
    assert_eq!(here, there);
}

/// Larger products are computed by crates of their own (`gemm`, `matrixmultiply`).
#[test]
fn large_products_are_those_of_compiled_code() {
    fn in_faer(n: usize, x: f64) -> f64 {
        let a = faer::Mat::from_fn(n, n, |i, k| (x * (i as f64 + 1.0) - k as f64) / n as f64);
        let b = faer::Mat::from_fn(n, n, |i, k| ((i * k) as f64 * x).sin());
        (&a * &b).sum()
    }
    fn in_nalgebra(n: usize, x: f64) -> f64 {
        let a = DMatrix::from_fn(n, n, |i, k| (x * (i as f64 + 1.0) - k as f64) / n as f64);
        let b = DMatrix::from_fn(n, n, |i, k| ((i * k) as f64 * x).sin());
        (&a * &b).sum()
    }
    let got = [overdub::run(in_faer, (40, 0.7)), overdub::run(in_nalgebra, (40, 0.7))];
    for (got, want) in got.into_iter().zip([in_faer(40, 0.7), in_nalgebra(40, 0.7)]) {
        let got = got.expect("it runs");
        assert!((got - want).abs() <= 1e-12 * want.abs(), "{got} {want}");
    }
    let pointer: fn(usize, f64) -> f64 = in_faer;
    let unknown = overdub::run(pointer, (2, 0.7)).expect_err("it has no name");
    assert!(unknown.help().unwrap_or_default().contains("pass the function itself"), "{unknown}");
    check_gradient(in_faer).over((Just(20usize), 0.5..1.0)).cases(4).run();
    check_gradient(in_nalgebra).over((Just(20usize), 0.5..1.0)).cases(4).run();
}

#[test]
fn a_struct_with_a_matrix_of_faer_is_refused() {
    #[derive(Clone, Dub)]
    struct Layer {
        weights: faer::Mat<f64>,
    }
    fn first_weight(layer: &Layer) -> f64 {
        layer.weights[(0, 0)]
    }
    let layer = Layer { weights: faer::Mat::zeros(1, 1) };
    let error = overdub::run(first_weight, (&layer,)).expect_err("its fields are pointers");
    assert_eq!(error.kind(), overdub::ErrorKind::Argument);
    let help = error.help().unwrap_or_default();
    assert!(help.contains("which is passed as an array: pass it as an argument of its own"), "{error}");
}

#[test]
fn derivatives_by_matrices_of_faer_are_those_of_differences() {
    use faer::{Col, Mat, Row};

    fn form(x: &Mat<f64>, y: &Col<f64>, z: &Row<f64>) -> f64 {
        (z * (x * y)) * x[(0, 1)]
    }
    let square = vec(number(), 9).prop_map(|elems| Mat::from_fn(3, 3, |i, k| elems[3 * i + k]));
    let column = vec(number(), 3).prop_map(|elems| Col::from_fn(3, |i| elems[i]));
    let row = vec(number(), 3).prop_map(|elems| Row::from_fn(3, |k| elems[k]));
    check_gradient(form).over((square, column, row)).cases(16).run();

    /// The inverse, by the factors of a positive definite matrix.
    fn inverse(x: &Mat<f64>) -> Mat<f64> {
        use faer::linalg::solvers::DenseSolveCore;
        (x * x.transpose() + Mat::<f64>::identity(2, 2)).llt(faer::Side::Lower).expect("it is").inverse()
    }
    let x = Mat::from_fn(2, 2, |i, k| 0.5 + i as f64 - 0.3 * k as f64);
    let (y, pullback) = overdub(Reverse, inverse, (&x,)).expect("it has a derivative");
    assert_eq!(y, inverse(&x));
    let (direction, cotangent) =
        (Mat::from_fn(2, 2, |i, _| 1.0 - i as f64), Mat::from_fn(2, 2, |_, k| k as f64));
    let (_, tangent) = jvp(inverse, (&x,), (direction.clone(),)).expect("it has a derivative");
    let (adjoint,) = pullback.call(cotangent.clone()).expect("a matrix of the result's shape");
    let dot = |a: &Mat<f64>, b: &Mat<f64>| -> f64 {
        (0..2).flat_map(|i| (0..2).map(move |k| (i, k))).map(|at| a[at] * b[at]).sum()
    };
    assert!((dot(&tangent, &cotangent) - dot(&direction, &adjoint)).abs() < 1e-12);
    let step = 1e-6;
    let moved = |by: f64| inverse(&(&x + faer::Scale(by) * &direction));
    let difference = faer::Scale(0.5 / step) * (moved(step) - moved(-step));
    assert!((difference - tangent).norm_max() < 1e-8);
}

#[test]
fn values_of_num_complex_are_kept() {
    assert_kept(Complex::new(0.5, -1.5));
    assert_kept(Complex::new(0.5_f32, -1.5));
}

#[test]
fn values_of_ordered_float_are_kept() {
    assert_kept(OrderedFloat(0.5));
    assert_kept(OrderedFloat(0.5_f32));
}

#[test]
fn vectors_of_smallvec_are_kept_inline_or_not() {
    let inline: SmallVec<[f64; 4]> = smallvec![0.5, 1.5];
    assert_kept(inline);
    let spilled: SmallVec<[u32; 2]> = smallvec![1, 2, 3];
    assert_kept(spilled);
    assert_kept(SmallVec::<[f64; 2]>::new());
}

#[test]
fn derivatives_by_vectors_of_smallvec_are_those_of_differences() {
    fn squares(xs: &SmallVec<[f64; 2]>, mut ys: SmallVec<[f64; 3]>) -> f64 {
        ys.push(xs.iter().sum());
        ys.iter().map(|y| y * y).sum::<f64>() * xs.len() as f64
    }
    let xs = vec(number(), 0..4).prop_map(SmallVec::from_vec);
    check_gradient(squares).over((xs, vec(number(), 0..5).prop_map(SmallVec::from_vec))).cases(16).run();
}

#[test]
fn maps_are_kept() {
    assert_kept(BTreeMap::from([(3_u32, 0.5), (1, 1.5), (2, 2.5)]));
    assert_kept(BTreeMap::<(bool, char), Vec<f64>>::from([((true, 'b'), vec![0.5]), ((false, 'z'), vec![])]));
    assert_kept(HashMap::from([(-3_i64, 0.5), (1, 1.5), (-2, 2.5)]));
    assert_kept(HashMap::from(["b", "é", "", "ab", "Z"].map(|key| (key.to_owned(), key.len()))));
    assert_kept(HashMap::<u8, f64>::new());
}

#[test]
fn programs_find_the_keys_of_maps() {
    fn sum(
        hashed: &HashMap<(i32, String), f64>,
        ordered: &BTreeMap<String, f64>,
        keys: &[(i32, String)],
    ) -> f64 {
        keys.iter().map(|key| hashed[key] * ordered[&key.1]).sum()
    }
    let texts = ["b", "é", "", "ab", "Z"].map(str::to_owned);
    let keys: Vec<(i32, String)> =
        texts.iter().flat_map(|text| [-1, 7, -300].map(|number| (number, text.clone()))).collect();
    let hashed: HashMap<_, _> = keys.iter().cloned().zip((1..).map(f64::from)).collect();
    let ordered: BTreeMap<_, _> = texts.iter().cloned().zip([0.5, -1.0, 2.0, 3.0, 4.0]).collect();
    let (y, (dhashed, dordered, _)) =
        value_and_gradient(sum, (&hashed, &ordered, &keys[..])).expect("it has a gradient");
    assert_eq!(y, sum(&hashed, &ordered, &keys));
    assert!(keys.iter().all(|key| dhashed[key] == ordered[&key.1]));
    for text in &texts {
        let by_hand: f64 = keys.iter().filter(|key| key.1 == *text).map(|key| hashed[key]).sum();
        assert_eq!(dordered[text], by_hand);
    }
}

#[test]
fn vectors_of_dynamic_size_are_moved_and_lent_without_a_copy() {
    fn elems(value: &Value<'_>) -> Option<*const f64> {
        let storage = value.as_composite()?.parts[0].as_composite()?;
        Some(storage.parts[0].as_array()?.as_f64s()?.as_ptr())
    }
    overdub::run(same::<DMatrix<f64>>, (DMatrix::zeros(1, 1),)).expect("the program is there");
    let matrix = DMatrix::from_element(30, 20, 0.5);
    let place = matrix.as_slice().as_ptr();
    assert_eq!(elems(&matrix.lend()), Some(place));
    let value = matrix.into_value();
    assert_eq!(elems(&value), Some(place));
    let matrix = DMatrix::<f64>::from_value(value).expect("it is one");
    assert_eq!(matrix.as_slice().as_ptr(), place);
}

#[test]
fn values_of_another_type_are_refused() {
    overdub::run(same::<DVec3>, (DVec3::ONE,)).expect("the program is there");
    let refused = DVec3::from_value((1.0, 2.0, 3.0).into_value());
    assert_eq!(refused, Err(Mismatch::Type { expected: DVec3::ty(), found: <(f64, f64, f64)>::ty() }));
    assert!(matches!(DMat3::from_value(DVec3::ONE.into_value()), Err(Mismatch::Type { .. })));
    // Of a static size, elements of another number.
    let value = Vector3::new(1.0, 2.0, 3.0).into_value();
    assert!(matches!(Vector2::<f64>::from_value(value), Err(Mismatch::Type { .. })));
}

fn turned(rotation: DQuat, by: DMat3, x: DVec3, others: &[DVec3]) -> f64 {
    let x = rotation.normalize() * (by.transpose() * x);
    others.iter().map(|other| x.cross(*other).length_squared() + (x - *other).length()).sum()
}

fn mapped(by: DAffine3, x: DVec4) -> DVec3 {
    by.inverse().transform_point3(x.truncate()) * x.w
}

fn of_matrices(a: &DMatrix<f64>, x: &DVector<f64>, b: Matrix2x3<f64>, at: Point2<f64>) -> f64 {
    let y: Vector2<f64> = b * Vector3::new(x[0], x[1], 1.0);
    (a * x).norm_squared() + nalgebra::distance(&Point2::from(y), &at) * a.sum().sin()
}

fn of_complex(z: Complex<f64>, w: &[Complex<f64>]) -> f64 {
    w.iter().map(|w| (z * w + z.exp() / (w + 3.0)).norm_sqr()).sum()
}

fn number() -> impl Strategy<Value = f64> {
    0.2..2.0_f64
}

fn vector() -> impl Strategy<Value = DVec3> {
    [number(), number(), number()].prop_map(DVec3::from_array)
}

fn complex() -> impl Strategy<Value = Complex<f64>> {
    (-1.0..1.0, -1.0..1.0).prop_map(|(re, im)| Complex::new(re, im))
}

#[test]
fn derivatives_by_values_of_glam_are_those_of_differences() {
    let rotation = [number(), number(), number(), number()].prop_map(DQuat::from_array);
    let matrix = vec(number(), 9).prop_map(|x| DMat3::from_cols_slice(&x));
    check_gradient(turned).over((rotation, matrix, vector(), vec(vector(), 0..3))).cases(16).run();
    let affine = vec(-0.2..0.2, 12).prop_map(|x| {
        let by = DAffine3::from_cols_slice(&x);
        DAffine3::from_mat3_translation(by.matrix3 + DMat3::IDENTITY, by.translation)
    });
    let x = vec(number(), 4).prop_map(|x| DVec4::from_slice(&x));
    check_gradient(mapped).over((affine, x)).cases(16).run();
}

#[test]
fn derivatives_by_values_of_nalgebra_are_those_of_differences() {
    let a = vec(number(), 6).prop_map(|x| DMatrix::from_column_slice(3, 2, &x));
    let x = vec(number(), 2).prop_map(DVector::from_vec);
    let b = vec(number(), 6).prop_map(|x| Matrix2x3::from_column_slice(&x));
    let at = (-2.0..-1.0, -2.0..-1.0).prop_map(|(x, y)| Point2::new(x, y));
    check_gradient(of_matrices).over((a, x, b, at)).cases(16).run();
}

#[test]
fn derivatives_by_arrays_of_ndarray_016_are_those_of_differences() {
    use ndarray_016::{Array1, Array2};

    fn projected(a: &Array2<f64>, x: Array1<f64>) -> f64 {
        let y = a.dot(&x).mapv(f64::sin);
        y.dot(&y) + a.diag().sum().ln()
    }
    let a = vec(number(), 6).prop_map(|x| Array2::from_shape_vec((2, 3), x).expect("there are six"));
    check_gradient(projected).over((a, vec(number(), 3).prop_map(Array1::from_vec))).cases(16).run();
    let (da, dx): (Array2<f64>, Array1<f64>) =
        gradient(projected, (&Array2::ones((2, 3)), Array1::zeros(3))).expect("it has a gradient");
    assert_eq!((da.dim(), dx.dim()), ((2, 3), 3));
}

#[test]
fn derivatives_by_complex_numbers_are_those_of_differences() {
    check_gradient(of_complex).over((complex(), vec(complex(), 0..3))).cases(16).run();
}

#[test]
fn derivatives_by_ordered_floats_and_maps_are_those_of_differences() {
    fn of_ordered(x: OrderedFloat<f64>, others: &[OrderedFloat<f64>]) -> f64 {
        let most = others.iter().copied().max().unwrap_or(x);
        (x * most).sin() + *x
    }
    fn of_maps(weights: &BTreeMap<u32, f64>, amounts: &HashMap<u32, f64>) -> f64 {
        amounts.iter().map(|(key, amount)| weights.get(key).map_or(1.0, |weight| weight * amount.sin())).sum()
    }
    let ordered = || number().prop_map(OrderedFloat);
    check_gradient(of_ordered).over((ordered(), vec(ordered(), 0..3))).cases(16).run();
    let pairs = || vec((0..4_u32, number()), 0..5);
    let (weights, amounts) = (pairs().prop_map(BTreeMap::from_iter), pairs().prop_map(HashMap::from_iter));
    check_gradient(of_maps).over((weights, amounts)).cases(16).run();
}

#[test]
fn derivatives_have_the_types_of_the_arguments() {
    fn squared(x: &DVector<f64>, z: Complex<f64>, v: DVec2) -> f64 {
        x.norm_squared() + z.norm_sqr() + v.length_squared()
    }
    let (x, z, v) = (DVector::from_vec(vec![1.0, -2.0]), Complex::new(3.0, -4.0), DVec2::new(5.0, -6.0));
    let derivatives: (DVector<f64>, Complex<f64>, DVec2) =
        gradient(squared, (&x, z, v)).expect("it has a gradient");
    assert_eq!(derivatives, (2.0 * &x, 2.0 * z, 2.0 * v));
    let second = hvp(squared, (&x, z, v), (x.clone(), z, v)).expect("it has second derivatives");
    assert_eq!(second, derivatives);
}

#[test]
fn other_contexts_see_into_methods() {
    fn dot(a: DVec3, b: DVec3) -> f64 {
        a.dot(b)
    }
    let (y, counts) = overdub(Count, dot, (DVec3::ONE, DVec3::X)).expect("it runs");
    assert_eq!((y, counts.of("mul"), counts.of("add")), (1.0, 3, 2));
    let (derivatives, counts) = overdub((Count, Reverse), dot, (DVec3::ONE, DVec3::X)).expect("it runs");
    assert!(counts.flops() >= 5, "{derivatives:?}");
    let (y, counts) = overdub(Count, <DVec3 as std::ops::Mul<f64>>::mul, (DVec3::ONE, 2.0)).expect("it runs");
    assert_eq!((y, counts.flops()), (DVec3::splat(2.0), 3));
}

#[test]
fn what_a_reference_changes_is_stored_back() {
    fn scale(x: &mut DVector<f64>, v: &mut DVec2, by: f64) {
        *x *= by;
        *v *= by;
    }
    let (mut x, mut v) = (DVector::from_vec(vec![1.0, 2.0]), DVec2::ONE);
    overdub::run(scale, (&mut x, &mut v, 3.0)).expect("it runs");
    assert_eq!((x, v), (DVector::from_vec(vec![3.0, 6.0]), DVec2::splat(3.0)));
}
