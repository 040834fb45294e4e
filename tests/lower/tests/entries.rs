//! Values that only a program can make are passed as arrays: matrices whose memory is behind pointers, alone, in other types and
//! by `&mut`, and views. The crate with the matrices stands in for faer, which takes minutes to build; `.ci/foreign` tests that.

use std::path::PathBuf;

use overdub_context::interp::Interpreter;
use overdub_context::value::Value;
use overdub_lower::Loaded;

const STAND_IN: &str = r#"
use std::ops::{Index, IndexMut};

macro_rules! matrices {
    ($($Owned:ident $Ref:ident $Place:ty, $place:ident => $at:expr, [$($len:ident)*];)*) => {$(
        pub struct $Owned<T> { start: *mut T, $($len: usize),* }

        #[derive(Clone, Copy)]
        pub struct $Ref<'a, T> { of: &'a $Owned<T> }

        impl<T> $Owned<T> {
            pub fn as_ref(&self) -> $Ref<'_, T> { $Ref { of: self } }
            $(pub fn $len(&self) -> usize { self.$len })*
        }

        impl<T> $Ref<'_, T> {
            $(pub fn $len(&self) -> usize { self.of.$len })*
        }

        impl<T> Index<$Place> for $Owned<T> {
            type Output = T;
            fn index(&self, $place: $Place) -> &T { unsafe { &*self.start.add($at) } }
        }

        impl<T> IndexMut<$Place> for $Owned<T> {
            fn index_mut(&mut self, $place: $Place) -> &mut T { unsafe { &mut *self.start.add($at) } }
        }

        impl<T> Index<$Place> for $Ref<'_, T> {
            type Output = T;
            fn index(&self, $place: $Place) -> &T { &self.of[$place] }
        }
    )*};
}

matrices! {
    Mat MatRef (usize, usize), place => place.0 + 8 * place.1, [nrows ncols];
    Col ColRef usize, place => place, [nrows];
    Row RowRef usize, place => place, [ncols];
}

fn memory<T>(elems: Vec<T>) -> *mut T { Box::leak(elems.into_boxed_slice()).as_mut_ptr() }

impl<T: Default> Mat<T> {
    pub fn from_fn(nrows: usize, ncols: usize, mut f: impl FnMut(usize, usize) -> T) -> Mat<T> {
        let mut elems = Vec::new();
        for k in 0..ncols {
            elems.extend((0..8).map(|i| if i < nrows { f(i, k) } else { T::default() }));
        }
        Mat { start: memory(elems), nrows, ncols }
    }
}

impl<T> Col<T> {
    pub fn from_fn(nrows: usize, f: impl FnMut(usize) -> T) -> Col<T> { Col { start: memory((0..nrows).map(f).collect()), nrows } }
}

impl<T> Row<T> {
    pub fn from_fn(ncols: usize, f: impl FnMut(usize) -> T) -> Row<T> { Row { start: memory((0..ncols).map(f).collect()), ncols } }
}
"#;

const USER: &str = r#"
use faer::{Col, ColRef, Mat, MatRef, Row};

pub fn corner(m: &Mat<f64>, by: f64) -> f64 { m[(0, m.ncols() - 1)] * by }
pub fn product(m: MatRef<'_, f64>, c: ColRef<'_, f64>) -> Col<f64> {
    Col::from_fn(m.nrows(), |i| (0..m.ncols()).map(|k| m[(i, k)] * c[k]).sum())
}
pub fn turned(m: Mat<f64>) -> Mat<f64> { Mat::from_fn(m.ncols(), m.nrows(), |i, k| m[(k, i)]) }
pub fn double(m: &mut Mat<f64>, rows: usize) -> usize {
    for i in 0..rows {
        for k in 0..m.ncols() {
            m[(i, k)] *= 2.0;
        }
    }
    m.ncols()
}
pub fn parts(ms: &[Mat<f64>], of: Option<(Row<f64>, usize)>) -> (f64, Vec<Row<f64>>) {
    let rows = ms.iter().map(|m| Row::from_fn(m.ncols(), |k| m[(0, k)])).collect();
    (of.map_or(0.0, |(row, k)| row[k]), rows)
}
pub fn checked(m: &Mat<f64>) -> Result<Mat<f64>, String> {
    if m.nrows() > 1 { Err("too long".to_string()) } else { Ok(Mat::from_fn(1, 1, |_, _| m[(0, 0)])) }
}
pub fn first(v: ndarray::ArrayView1<'_, f64>, more: (ndarray::ArrayView2<'_, f64>, f64)) -> f64 { v[0] + more.0[(1, 0)] * more.1 }
"#;

struct Package(PathBuf);

impl Package {
    fn new() -> Package {
        let folder = std::env::temp_dir().join(format!("overdub-entries-{}", std::process::id()));
        let manifest = "[package]\nname = \"user\"\nedition = \"2024\"\n[dependencies]\nfaer = { path = \"faer\" }\nndarray = \"0.17\"\n";
        let faer = "[package]\nname = \"faer\"\nversion = \"0.24.0\"\nedition = \"2024\"\n";
        let files = [
            ("Cargo.toml", manifest),
            ("src/lib.rs", USER),
            ("faer/Cargo.toml", faer),
            ("faer/src/lib.rs", STAND_IN),
        ];
        for (path, text) in files {
            let file = folder.join(path);
            std::fs::create_dir_all(file.parent().expect("it lies in a folder")).expect("a folder");
            std::fs::write(file, text).expect("a file");
        }
        Package(folder)
    }
}

impl Drop for Package {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The matrix with these rows, as callers pass it.
fn matrix<const N: usize>(rows: &[[f64; N]]) -> Value<'static> {
    let elems = ndarray::Array2::from_shape_fn((rows.len(), N), |(i, k)| rows[i][k]);
    overdub_context::value::IntoValue::into_value(elems)
}

fn list(elems: &[f64]) -> Value<'static> {
    Value::floats(elems.to_vec())
}

#[test]
fn matrices_behind_pointers_and_views_are_passed_as_arrays() {
    let package = Package::new();
    let loaded = Loaded::open(&package.0).expect("it is Rust");
    let run = |name: &str, args: Vec<Value<'static>>| {
        let function = loaded.function(name).expect("it is there");
        assert_eq!(function.name(), name);
        let found: Vec<_> = args.iter().map(Value::ty).collect();
        let declared: Vec<_> = function.params.iter().map(|param| param.ir_ty).collect();
        assert_eq!(found, declared, "{name}");
        let value = Interpreter::new(loaded.module()).run(function.symbol, args).expect("it returns");
        function.split(value.into_owned())
    };
    let alone = |name: &str, args| run(name, args).0.to_string();
    let m = || matrix(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    assert_eq!(alone("corner", vec![m(), 0.5.into()]), "1.5");
    assert_eq!(alone("product", vec![m(), list(&[1.0, 0.0, -1.0])]), list(&[-2.0, -2.0]).to_string());
    assert_eq!(alone("turned", vec![m()]), matrix(&[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]).to_string());
    let (columns, outs) = run("double", vec![m(), 1_usize.into()]);
    assert_eq!(columns.as_index(), Some(3));
    assert_eq!(outs[0].to_string(), matrix(&[[2.0, 4.0, 6.0], [4.0, 5.0, 6.0]]).to_string());
    let function = loaded.function("parts").expect("it is there");
    let of = overdub_context::value::variant(
        function.params[1].ir_ty,
        1,
        [Value::tuple([list(&[0.5, 7.0]), 1_usize.into()])].into_iter().collect(),
    );
    let elem = m().ty();
    let ms =
        overdub_context::value::Array::from_values(elem, vec![m(), matrix(&[[8.0]])]).expect("of one type");
    let found = alone("parts", vec![Value::from(ms), of]);
    assert_eq!(found, "(7.0, [[1.0, 2.0, 3.0], [8.0]])");
    assert_eq!(alone("checked", vec![matrix(&[[3.0, 4.0]])]), "Ok([3.0; shape [1, 1]])");
    assert_eq!(alone("checked", vec![m()]), "Err(\"too long\")");
    assert_eq!(alone("first", vec![list(&[0.5]), Value::tuple([m(), 2.0.into()])]), "8.5");
}
