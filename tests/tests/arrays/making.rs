//! Arrays: construction, shapes, indexing and slicing.

use ndarray::prelude::*;
use ndarray::{Order, Slice, arr3};

pub fn constructors() -> String {
    let a = array![1.0, 2.5, -3.0];
    let b = array![[1, 2, 3], [4, 5, 6]];
    let c = array![[[1u8, 2], [3, 4]], [[5, 6], [7, 8]]];
    let z = Array2::<f64>::zeros((2, 3));
    let o: Array1<f32> = Array::ones(4);
    let e = Array::from_elem((2, 2), 7i64);
    let eye: Array2<f64> = Array2::eye(3);
    let lin = Array::linspace(0.0, 1.0, 5);
    let ran = Array::range(0.0, 1.0, 0.3);
    let log: Array1<f64> = Array1::logspace(10.0, 0.0, 2.0, 3);
    let f = Array::from_shape_fn((2, 3), |(i, j)| i * 10 + j);
    let v = Array::from_vec(vec![1.5, 2.5]);
    let s = Array::from_shape_vec((3, 2), vec![1, 2, 3, 4, 5, 6]).unwrap();
    let t = Array::from_shape_vec((3, 2).f(), vec![1, 2, 3, 4, 5, 6]).unwrap();
    let it = Array1::from_iter((0..4).map(|x| x * x));
    let d = Array2::from_diag(&array![1.0, 2.0]);
    let col: Array1<f64> = vec![1.0, 2.0].into();
    let collected: Array1<i32> = (1..5).collect();
    let three = arr3(&[[[1, 2], [3, 4]]]);
    let dy = ArrayD::<f64>::zeros(vec![2, 2, 1]);
    format!(
        "{a} {b} {c} {z} {o} {e} {eye} {lin} {ran} {log} {f} {v} {s} {t} {it} {d} {col} {collected} {three} {dy} {}",
        arr1(&[1, 2]) + arr1(&[3, 4])
    )
}

pub fn shapes_are_changed() -> String {
    let a = Array2::<f64>::ones((1, 4));
    let mut shape = a.raw_dim();
    shape[0] = 3;
    let mut dynamic = a.clone().into_dyn().raw_dim();
    dynamic[1] -= 2;
    format!("{shape:?} {} {}", a.broadcast(shape).unwrap().sum(), dynamic[1])
}

pub fn shapes() -> String {
    let a = Array2::<f64>::zeros((3, 4));
    let (r, c) = a.dim();
    let v = array![1, 2, 3];
    let n = v.dim();
    let d = a.clone().into_dyn();
    format!(
        "{r} {c} {n} {:?} {} {} {} {:?} {} {} {} {:?} {} {:?}",
        a.shape(),
        a.len(),
        a.ndim(),
        a.nrows() + a.ncols(),
        a.strides(),
        a.is_square(),
        a.len_of(Axis(1)),
        v.is_empty(),
        d.shape(),
        d.ndim(),
        a.raw_dim()[1],
    )
}

pub fn indexing() -> String {
    let mut a = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    a[[0, 1]] = 20.0;
    a[(1, 2)] += 0.5;
    a[[1, 0]] *= a[[0, 1]];
    let mut v = Array1::zeros(4);
    for i in 0..v.len() {
        v[i] = (i * i) as f64;
    }
    v[2] -= 1.0;
    let got = a.get((5, 5)).is_none() && a.get([1, 1]) == Some(&5.0);
    if let Some(x) = a.get_mut((0, 0)) {
        *x = -1.0;
    }
    let t = Array3::from_shape_fn((2, 2, 2), |(i, j, k)| i * 4 + j * 2 + k);
    let mut d = ArrayD::zeros(vec![2, 2]);
    d[[1, 0]] = 3.5;
    d[IxDyn(&[0, 1])] = 1.5;
    format!("{a} {v} {got} {} {d} {:?} {:?} {}", t[[1, 0, 1]], a.first(), a.last(), v[3])
}

pub fn slicing() -> String {
    let a = Array::from_shape_fn((4, 5), |(i, j)| (i * 10 + j) as i32);
    let b = a.slice(s![1..3, ..]);
    let c = a.slice(s![.., 2]);
    let d = a.slice(s![..;2, 1..;2]);
    let e = a.slice(s![-1, ..]);
    let f = a.slice(s![..;-1, ..3]);
    let g = a.slice(s![1..=2, -2..]);
    let h = a.slice(s![2, 3]);
    let mut m = a.clone();
    m.slice_mut(s![1.., ..2]).fill(0);
    m.slice_mut(s![0, ..]).assign(&array![9, 8, 7, 6, 5]);
    let k = a.slice_axis(Axis(1), Slice::from(1..4));
    let n = a.slice(s![.., ndarray::NewAxis, 0]);
    let row = 2usize;
    let x = a.slice(s![row, 1..row + 1]).sum();
    format!("{b} {c} {d} {e} {f} {g} {h} {m} {k} {n} {x}")
}

pub fn parts() -> String {
    let mut a = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let sums: Vec<f64> = a.rows().into_iter().map(|row| row.sum()).collect();
    let columns: Vec<f64> = a.columns().into_iter().map(|c| c[0] * c[1]).collect();
    a.row_mut(0)[1] = 9.0;
    a.column_mut(2).fill(7.0);
    for mut row in a.outer_iter_mut() {
        row[0] += 100.0;
    }
    for mut row in a.rows_mut() {
        row *= 2.0;
    }
    for mut col in a.axis_iter_mut(Axis(1)) {
        let first = col[0];
        col[1] -= first;
    }
    let diag = a.diag().to_owned();
    let chunks: Vec<String> = a.axis_chunks_iter(Axis(1), 2).map(|c| format!("{c}")).collect();
    let windows: Vec<f64> = array![1.0, 2.0, 3.0, 5.0].windows(2).into_iter().map(|w| w[1] - w[0]).collect();
    let (left, right) = a.view().split_at(Axis(1), 1);
    format!(
        "{sums:?} {columns:?} {a} {} {} {diag} {chunks:?} {windows:?} {left} {right} {}",
        a.row(1),
        a.column(0),
        a.select(Axis(1), &[2, 0]),
    )
}

pub fn reshaped() -> String {
    let a = Array::from_iter(0..6);
    let b = a.clone().into_shape_with_order((2, 3)).unwrap();
    let c = b.t();
    let d = b.clone().reversed_axes();
    let e = b.clone().insert_axis(Axis(1));
    let f = b.to_shape(((3, 2), Order::ColumnMajor)).unwrap().to_owned();
    let g = b.broadcast((2, 2, 3)).unwrap().to_owned();
    let bad = a.clone().into_shape_with_order((4, 2));
    let h = Array3::from_shape_fn((1, 2, 3), |(i, j, k)| i + j * 3 + k).permuted_axes([2, 0, 1]);
    let mut w = b.clone();
    w.swap_axes(0, 1);
    let flat = b.flatten();
    let fixed: Array2<i32> = b.clone().into_dyn().into_dimensionality().unwrap();
    format!("{b} {c} {d} {e} {f} {g} {bad:?} {h} {w} {flat} {fixed} {:?}", e.shape())
}

pub fn joined() -> String {
    let a = array![[1, 2], [3, 4]];
    let b = array![[5, 6]];
    let rows = ndarray::concatenate(Axis(0), &[a.view(), b.view()]).unwrap();
    let cols = ndarray::concatenate![Axis(1), a, array![[7], [8]]];
    let v = array![1, 2];
    let st = ndarray::stack(Axis(0), &[v.view(), v.view()]).unwrap();
    let sk = ndarray::stack![Axis(1), v, v];
    let mut g = a.clone();
    g.push_row(array![9, 9].view()).unwrap();
    g.push_column(array![0, 1, 2].view()).unwrap();
    let bad = ndarray::concatenate(Axis(1), &[a.view(), b.view()]);
    format!("{rows} {cols} {st} {sk} {g} {bad:?}")
}
