//! `array!`, `s!`, `azip!`, `stack!`, `concatenate!`.

#[macro_export]
macro_rules! array {
    ($([$([$($x:expr),* $(,)?]),+ $(,)?]),+ $(,)?) => {
        $crate::Array3::from(vec![$([$([$($x,)*],)*],)*])
    };
    ($([$($x:expr),* $(,)?]),+ $(,)?) => {
        $crate::Array2::from(vec![$([$($x,)*],)*])
    };
    ($($x:expr),* $(,)?) => {
        $crate::Array1::from(vec![$($x,)*])
    };
}

#[macro_export]
macro_rules! s {
    (@parse $info:expr,) => { $info };
    (@parse $info:expr, $r:expr; $by:expr) => { $info.with_step($r, $by as isize) };
    (@parse $info:expr, $r:expr) => { $info.with($r) };
    (@parse $info:expr, $r:expr; $by:expr, $($rest:tt)*) => {
        $crate::s!(@parse $info.with_step($r, $by as isize), $($rest)*)
    };
    (@parse $info:expr, $r:expr, $($rest:tt)*) => { $crate::s!(@parse $info.with($r), $($rest)*) };
    ($($parts:tt)*) => { $crate::s!(@parse $crate::slice::nothing(), $($parts)*) };
}

#[macro_export]
macro_rules! azip {
    (($first:pat in $e1:expr) $body:expr) => {
        $crate::Zip::from($e1).for_each(|$first| $body)
    };
    (($p1:pat in $e1:expr, $p2:pat in $e2:expr $(,)?) $body:expr) => {
        $crate::Zip::from($e1).and($e2).for_each(|$p1, $p2| $body)
    };
    (($p1:pat in $e1:expr, $p2:pat in $e2:expr, $p3:pat in $e3:expr $(,)?) $body:expr) => {
        $crate::Zip::from($e1).and($e2).and($e3).for_each(|$p1, $p2, $p3| $body)
    };
    (($p1:pat in $e1:expr, $p2:pat in $e2:expr, $p3:pat in $e3:expr, $p4:pat in $e4:expr $(,)?) $body:expr) => {
        $crate::Zip::from($e1).and($e2).and($e3).and($e4).for_each(|$p1, $p2, $p3, $p4| $body)
    };
    ((index $at:pat, $p1:pat in $e1:expr $(,)?) $body:expr) => {
        $crate::Zip::indexed($e1).for_each(|$at, $p1| $body)
    };
    ((index $at:pat, $p1:pat in $e1:expr, $p2:pat in $e2:expr $(,)?) $body:expr) => {
        $crate::Zip::indexed($e1).and($e2).for_each(|$at, $p1, $p2| $body)
    };
    ((index $at:pat, $p1:pat in $e1:expr, $p2:pat in $e2:expr, $p3:pat in $e3:expr $(,)?) $body:expr) => {
        $crate::Zip::indexed($e1).and($e2).and($e3).for_each(|$at, $p1, $p2, $p3| $body)
    };
}

#[macro_export]
macro_rules! stack {
    ($axis:expr, $($array:expr),+ $(,)?) => {
        $crate::stack($axis, &[$($crate::ArrayView::from(&$array)),*]).unwrap()
    };
}

#[macro_export]
macro_rules! concatenate {
    ($axis:expr, $($array:expr),+ $(,)?) => {
        $crate::concatenate($axis, &[$($crate::ArrayView::from(&$array)),*]).unwrap()
    };
}
