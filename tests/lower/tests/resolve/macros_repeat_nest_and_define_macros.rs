macro_rules! sum {
    () => { 0.0 };
    ($x:expr $(, $rest:expr)* $(,)?) => { $x + sum!($($rest),*) };
}
macro_rules! functions {
    ($($name:ident => [$($arg:ident: $value:expr),*]);* $(;)?) => {
        $(fn $name() -> f64 { let ($($arg,)*) = ($($value,)*); sum!($($arg),*) })*
    };
}
functions! {
    pair => [a: 1.0, b: 2.0];
    single => [c: 3.0];
}
macro_rules! define {
    ($name:ident, $value:expr) => {
        macro_rules! $name {
            ($e:expr) => { $e * $value };
        }
    };
}
define!(thrice, 3.0);

// names uses: pair single x@24
fn uses(x: f64) -> f64 {
    sum!(pair(), single(), thrice!(x),)
}

// names pair: a@11 b@11
// names single: c@12

macro_rules! muncher {
    ($acc:expr;) => { $acc };
    ($acc:expr; + $x:ident $($rest:tt)*) => { muncher!($acc + $x; $($rest)*) };
    ($acc:expr; - $x:ident $($rest:tt)*) => { muncher!($acc - $x; $($rest)*) };
}

// names munches: a@38 b@38
fn munches(a: f64, b: f64) -> f64 {
    muncher!(0.0; + a - b)
}

macro_rules! endless {
    ($e:expr) => { endless!($e + 1) };
}

// error too_deep: 48:5 macro `endless!`: recursion goes too deep
fn too_deep() -> i32 {
    endless!(0)
}

// error no_rule: 53:5 macro `muncher!`: no rule matches these arguments
fn no_rule() {
    muncher!(1, 2)
}
