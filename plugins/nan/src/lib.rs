//! A context that stops a program at the first call that makes a NaN or an infinity out of finite numbers.
//!
//! ```
//! use overdub_context::engine::Engine;
//! use overdub_context::{text, value::Value};
//! use overdub_nan::Nan;
//!
//! let text = "fn @f(%x: f64) -> f64 {\n %l: f64 = ln %x\n %y: f64 = add %l, 1.0\n ret %y\n}";
//! let engine = Engine::new(text::Parser::new().file("f.ir").parse(text)?.module());
//! let run = |x| engine.overdub(&Nan::new(), "f", vec![Value::F64(x)]);
//! assert_eq!(run(1.0)?.as_f64(), Some(1.0));
//! let failure = run(-1.0).unwrap_err();
//! assert_eq!(failure.report().message, "`ln(-1.0)` makes NaN out of finite numbers");
//! assert_eq!(failure.report().span.line, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The failure has the location of the call, and the call stack. A NaN or infinity that a program is given,
//! or writes as a constant, is allowed: the program is only stopped where such a number is computed.

use overdub_context::engine::{CallSite, Called, Context, Hooks, Key, ValueOnly};
use overdub_context::ir::{Ty, TyKind};
use overdub_context::value::{Array, Value};
use overdub_context::{Failure, FailureKind};

/// The greatest number of characters of an argument that are shown.
const SHOWN_CHARS: usize = 200;

/// Stops at the first call that computes a NaN, or optionally an infinity, from finite numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nan {
    infinities: bool,
}

impl Nan {
    /// Stops at NaNs and at infinities.
    pub fn new() -> Nan {
        Nan { infinities: true }
    }

    /// Stops at NaNs; infinities are allowed.
    pub fn without_infinities() -> Nan {
        Nan { infinities: false }
    }

    fn is_fine(self, x: f64) -> bool {
        if self.infinities { x.is_finite() } else { !x.is_nan() }
    }

    /// The first number that is not allowed.
    fn fault(self, value: &Value<'_>) -> Option<f64> {
        let fault = |x: f64| (!self.is_fine(x)).then_some(x);
        match value {
            Value::F64(x) => fault(*x),
            Value::F32(x) => fault(f64::from(*x)),
            Value::Array(array) => self.fault_in(array),
            Value::Composite(composite) => composite.parts.iter().find_map(|part| self.fault(part)),
            _ => None,
        }
    }

    fn fault_in(self, array: &Array<'_>) -> Option<f64> {
        array.iter().find_map(|elem| self.fault(&elem))
    }
}

impl Default for Nan {
    fn default() -> Nan {
        Nan::new()
    }
}

impl Context for Nan {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn metadata(&self) {}

    fn key(&self) -> Key {
        Key::of::<Nan>().with(&self.infinities)
    }

    fn hooks(&self, call: &CallSite) -> Hooks {
        if returns_floats(call) { Hooks::POST } else { Hooks::NONE }
    }

    fn posthook(
        &self,
        (): &mut (),
        call: &CallSite,
        result: &Value<'_>,
        args: &[Value<'_>],
    ) -> Result<(), Failure> {
        let Some(fault) = self.fault(result) else { return Ok(()) };
        if args.iter().any(|arg| self.fault(arg).is_some()) {
            return Ok(());
        }
        let args: Vec<String> = args.iter().map(shown).collect();
        let message =
            format!("`{}({})` makes {fault} out of {} numbers", call.name(), args.join(", "), self.fine());
        Err(Failure::new(FailureKind::Domain, message))
    }
}

impl Nan {
    fn fine(self) -> &'static str {
        if self.infinities { "finite" } else { "other" }
    }
}

/// Whether a call computes floats from floats. An operation that only moves floats does not, and checking a
/// whole array for each element that is taken out of it would take long.
fn returns_floats(call: &CallSite) -> bool {
    let Called::Op(op) = call.callee else { return false };
    let is_float = |ty: &Ty| matches!(ty.kind(), TyKind::Float(_));
    let is_array = |ty: &Ty| matches!(ty.kind(), TyKind::Array(array) if is_float(&array.elem));
    let floats = match call.ret.kind() {
        TyKind::Tuple(parts) => parts.iter().all(is_float),
        _ => is_float(&call.ret) || is_array(&call.ret),
    };
    let on_scalars = call.args.iter().any(is_float) && !call.args.iter().any(is_array);
    floats && (on_scalars || (call.args.iter().any(is_array) && !op.is_structural()))
}

fn shown(arg: &Value<'_>) -> String {
    let text = arg.to_string();
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
