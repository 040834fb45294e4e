//! The functions of floats that compiled code calls; they compute what the evaluators compute. The engine has
//! those of operations on floats alone ([`ops::FLOAT_FUNCTIONS`]), this file has those of operations that
//! also take integers.

use std::sync::LazyLock;

use hashbrown::HashMap;
use overdub_context::ir::FloatTy;
use overdub_context::ops::{self, Arity, OpDef};
use overdub_passes::fast_math::{functions, powers};

use crate::runtime::libcalls::Libcall;

/// A C function that takes `arity` floats and returns one.
pub(crate) struct Callable {
    pub(crate) libcall: Libcall,
    pub(crate) arity: usize,
}

/// A function in the requested width.
pub(crate) type FloatFunction = fn(FloatTy) -> Callable;

macro_rules! float_functions {
    ($($name:ident ($($x:ident),+) $body:expr;)*) => {$(
        pub(crate) fn $name(float: FloatTy) -> Callable {
            extern "C" fn narrow($($x: f32),+) -> f32 { $body }
            extern "C" fn wide($($x: f64),+) -> f64 { $body }
            let address = match float {
                FloatTy::F32 => narrow as *const u8,
                FloatTy::F64 => wide as *const u8,
            };
            let libcall = Libcall { name: stringify!($name), address };
            Callable { libcall, arity: [$(stringify!($x)),+].len() }
        }
    )*};
}

float_functions! {
    signum (x) x.signum();
    rem (x, y) x % y;
    rem_euclid (x, y) x.rem_euclid(y);
    div_euclid (x, y) x.div_euclid(y);
}

/// The function of an operation of the engine, if the operation only takes floats of one type.
pub(crate) fn of_op(op: &'static OpDef, float: FloatTy) -> Option<Callable> {
    static BY_OP: LazyLock<HashMap<&'static OpDef, ops::FloatFunction>> =
        LazyLock::new(|| ops::FLOAT_FUNCTIONS.iter().map(|function| (function.op, *function)).collect());
    let Arity::Exactly(arity) = op.arity else { return None };
    let address = (BY_OP.get(op)?.address)(float);
    Some(Callable { libcall: Libcall { name: op.name, address }, arity })
}

/// The functions of [`overdub_passes::fast_math`], which compute an `f32` through `f64`.
macro_rules! fast_functions {
    ($($name:ident $of:path, ($($x:ident),+);)*) => {$(
        pub(crate) fn $name(float: FloatTy) -> Callable {
            extern "C" fn narrow($($x: f32),+) -> f32 {
                $of($(f64::from($x)),+) as f32
            }
            extern "C" fn wide($($x: f64),+) -> f64 {
                $of($($x),+)
            }
            let address = match float {
                FloatTy::F32 => narrow as *const u8,
                FloatTy::F64 => wide as *const u8,
            };
            let libcall = Libcall { name: stringify!($name), address };
            Callable { libcall, arity: [$(stringify!($x)),+].len() }
        }
    )*};
}

fast_functions! {
    exp_fast functions::exp, (x);
    ln_fast functions::ln, (x);
    tanh_fast functions::tanh, (x);
    sin_fast functions::sin, (x);
    cos_fast functions::cos, (x);
    powf_fast powers::powf, (x, y);
}

/// An `f64` to the power of an integer.
pub(crate) extern "C" fn powi64(x: f64, n: i32) -> f64 {
    x.powi(n)
}

/// An `f32` to the power of an integer.
pub(crate) extern "C" fn powi32(x: f32, n: i32) -> f32 {
    x.powi(n)
}
