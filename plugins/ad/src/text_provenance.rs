//! Text provenance: floats that are formatted and parsed again, so that no derivative is lost silently.
//!
//! - DIGITS1 the digits of a float with a derivative that is formatted are remembered for the rest of the run.
//! - DIGITS2 a text with those digits must not become a float that derivatives flow through: parsing it is
//!   refused. Text that is printed, compared or measured loses nothing, nor does text with other digits.
//! - DIGITS3 text with fewer decimals than distinguish all floats is a step function: its derivative is zero.
//! - DIGITS4 digits are compared without sign, point, exponent and surrounding zeros, which slicing and joining of text
//!   change first.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashSet;
use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops::{self, Arity, Effects, OpCx, OpDef, TypeFault};
use overdub_context::value::{CellRef, Opaque, Value};
use overdub_context::{Failure, FailureKind, Symbol};

/// The text of a float at a precision (-1 for none); its digits are remembered if the float's attachment, the
/// third operand, is not zero.
pub(crate) static FORMATTED: OpDef = OpDef {
    name: "ad.format",
    arity: Arity::Exactly(3),
    ty: |tys| {
        tys.args
            .first()
            .copied()
            .ok_or_else(|| TypeFault::takes("a text, a precision, and what its float carries"))
    },
    effects: Effects::WRITES,
    eval: formatted,
    doc: "The text of a float; its digits are recorded if the float has a nonzero derivative.",
};

/// Parses a float as `str.parse_float` does; fails if the text has remembered digits.
pub(crate) static PARSED: OpDef = OpDef {
    name: "ad.parse",
    arity: Arity::Exactly(1),
    ty: |tys| (ops::STR_PARSE_FLOAT.ty)(tys),
    effects: Effects::READS,
    eval: parsed,
    doc: "Parses a float; fails if the text has recorded digits.",
};

/// The name of the cell that holds the digits during a run.
const DIGITS: &str = "ad.digits of texts";

/// A set of the digits of formatted floats with derivatives, with insertion in constant time. A clone shares
/// the set.
#[derive(Clone, Debug, Default)]
struct Remembered(Arc<Mutex<Digits>>);

#[derive(Debug, Default)]
struct Digits {
    all: HashSet<String>,
    /// The lengths of the digits in `all`: few, since floats have at most about 17 digits.
    lengths: BTreeSet<usize>,
}

impl Remembered {
    fn insert(&self, digits: String) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.lengths.insert(digits.len());
        known.all.insert(digits);
    }

    /// Whether any of the digits occur in `read`; the empty digits of zero match only an empty text.
    fn occur_in(&self, read: &str) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.lengths.iter().any(|&len| match len {
            0 => read.is_empty(),
            // Digits are one byte each.
            len => (len..=read.len()).any(|end| known.all.contains(&read[end - len..end])),
        })
    }
}

/// The digits that this run remembers.
fn remembered(cx: &mut OpCx<'_, '_>) -> Result<Remembered, Failure> {
    let name = Symbol::new(DIGITS);
    let globals = cx.machine.globals().ok_or_else(lost)?;
    if let Some((_, cell)) = globals.get(name) {
        let known = cell.read(|value| match value {
            Value::Opaque(opaque) => opaque.get::<Remembered>().cloned(),
            _ => None,
        })?;
        return known.ok_or_else(lost);
    }
    let new = Remembered::default();
    let value = Opaque { name, value: Box::new(new.clone()) };
    let ty = Ty::reference(Ty::new(TyKind::Opaque(name)));
    globals.insert(name, ty, CellRef::new(Value::Opaque(Box::new(value))));
    Ok(new)
}

/// The digits of a number from the first to the last non-zero one; empty for a text without digits.
fn digits(text: &str) -> Option<String> {
    let mantissa = text.split(['e', 'E']).next().unwrap_or(text);
    let all: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    (!all.is_empty()).then(|| all.trim_matches('0').to_owned())
}

fn formatted<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    /// The number of decimals from which on a text is taken to distinguish floats; fewer make it a step
    /// function (DIGITS3).
    const ALL: i128 = 15;
    let [text, precision, carried] = args else { return Err(lost()) };
    let is_step = precision.as_int().is_some_and(|(_, places)| (0..ALL).contains(&places));
    if !is_step
        && !crate::bit_provenance::is_zero(carried)
        && let Some(digits) = text.as_str().and_then(digits)
    {
        remembered(cx)?.insert(digits);
    }
    Ok(text.take())
}

fn parsed<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    // A machine without cells remembers none; reading them fails there.
    if cx.machine.globals().is_some()
        && let Some(digits) = args[0].as_str().and_then(digits)
        && remembered(cx)?.occur_in(&digits)
    {
        return Err(lost());
    }
    (ops::STR_PARSE_FLOAT.eval)(cx, args)
}

#[cold]
fn lost() -> Failure {
    let message = "a derivative is lost where a float that was made text is read from it";
    let help = "compute with the float itself, or write a rule for the function that reads it";
    Failure::new(FailureKind::Domain, message).with_help(Some(help.to_owned()))
}
