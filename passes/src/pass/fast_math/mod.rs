//! Fast math: replaces elementary functions of std by faster ones, on request.
//!
//! ```text
//!   %y: f64 = exp %x                       →       %y: f64 = exp.fast %x
//! ```
//!
//! `exp`, `ln`, `tanh`, `sin` and `cos` of [`functions`] and `powf` of [`powers`] are less than one unit in the last
//! place from the exact result, as std's mostly are, but differ from std's in the last bit for a few percent of the
//! arguments. They are faster for angles, and where many are computed in vector registers; `powf` of one number at
//! a time is slower. Every executor computes the same bits:
//! the interpreter and machine code, for scalars and arrays. No pipeline runs this pass:
//! [`crate::Optimised::with_fast_functions`] and `Native::with_fast_functions` request it.

pub mod functions;
pub mod powers;

use std::sync::Arc;

use overdub_context::ir::{Func, InstKind, Ty};
use overdub_context::ops::{self, Arity, Effects, OpCx, OpDef};
use overdub_context::value::{Array, Value};
use overdub_context::{Failure, FailureKind};

use crate::support::scope::Scope;
use overdub_context::edit::FuncEditor;

/// The text of [`functions`] and [`powers`], for exporters: items with an empty line between them, each of which computes with those before and
/// after it and `std` alone.
pub const FUNCTIONS: &str = concat!(include_str!("functions.rs"), "\n", include_str!("powers.rs"));

/// A row: the operation, its name, the operation of std that it replaces, and the function.
macro_rules! fast {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal for $slow:ident => $f:path;)*) => {
        $(
            $(#[doc = $doc])+
            pub static $name: OpDef = OpDef {
                name: $text,
                arity: Arity::Exactly(1),
                ty: |tys| (ops::$slow.ty)(tys),
                effects: Effects::PURE,
                eval: |cx, args| eval($text, cx, args, |x| $f(x)),
                doc: concat!($($doc),+).trim_ascii(),
            };
        )*

        /// The fast operations, each with the one that it replaces.
        pub static OPS: &[(&OpDef, &OpDef)] = &[$((&$name, &ops::$slow),)* (&POWF_FAST, &ops::POWF)];
    };
}

fast! {
    /// `e` to this power, less than one unit in the last place from it.
    EXP_FAST = "exp.fast" for EXP => functions::exp;
    /// The natural logarithm, less than one unit in the last place from it.
    LN_FAST = "ln.fast" for LN => functions::ln;
    /// The hyperbolic tangent, less than one unit in the last place from it.
    TANH_FAST = "tanh.fast" for TANH => functions::tanh;
    /// The sine of an angle in radians, less than one unit in the last place from it.
    SIN_FAST = "sin.fast" for SIN => functions::sin;
    /// The cosine of an angle in radians, less than one unit in the last place from it.
    COS_FAST = "cos.fast" for COS => functions::cos;
}

/// The first float to the power of the second, less than one unit in the last place from it.
pub static POWF_FAST: OpDef = OpDef {
    name: "powf.fast",
    arity: Arity::Exactly(2),
    ty: |tys| (ops::POWF.ty)(tys),
    effects: Effects::FAILS_ON_ARRAYS,
    eval: |cx, args| {
        let narrow = |x, y| powers::powf(f64::from(x), f64::from(y)) as f32;
        ops::eval_two(&POWF_FAST, (powers::powf, narrow), cx, args)
    },
    doc: "The first float to the power of the second, less than one unit in the last place from it.",
};

/// Replaces operations by the fast ones.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let mut changed = false;
    for inst in editor.func.blocks.iter_mut().flat_map(|body| &mut body.insts) {
        if let InstKind::Op { op, .. } = &mut inst.kind
            && let Some((fast, _)) = OPS.iter().find(|(_, slow)| **slow == **op)
        {
            *op = fast;
            changed = true;
        }
    }
    changed
}

/// The function with the fast operations instead of std's.
pub fn in_place_of_std(func: &Func) -> Func {
    let mut editor = FuncEditor::new(func);
    if run(&mut editor, &Scope::none()) { editor.finish() } else { func.clone() }
}

/// Evaluates a function of floats on a float, or on each element of an array.
fn eval<'a>(
    name: &str,
    cx: &mut OpCx<'_, 'a>,
    args: &mut [Value<'a>],
    f: impl Fn(f64) -> f64,
) -> Result<Value<'a>, Failure> {
    match args {
        [Value::F64(x)] => Ok(Value::F64(f(*x))),
        [Value::F32(x)] => Ok(Value::F32(f(f64::from(*x)) as f32)),
        [array @ Value::Array(_)] => {
            let Value::Array(elems) = array else { return Err(mistyped(name, array.ty())) };
            let own: &mut Array<'a> = Arc::make_mut(elems);
            cx.machine.reserve(own.bytes_to_write())?;
            if own.elem_ty() == Ty::f64() {
                own.to_mut::<f64>().into_iter().flatten().for_each(|x| *x = f(*x));
            } else if own.elem_ty() == Ty::f32() {
                own.to_mut::<f32>().into_iter().flatten().for_each(|x| *x = f(f64::from(*x)) as f32);
            } else {
                return Err(mistyped(name, array.ty()));
            }
            Ok(array.take())
        }
        [other] => Err(mistyped(name, other.ty())),
        _ => Err(mistyped(name, Ty::unit())),
    }
}

/// The failure for an operand of the wrong type.
fn mistyped(name: &str, ty: Ty) -> Failure {
    Failure::new(FailureKind::Type, format!("`{name}` does not take ({ty})"))
}
