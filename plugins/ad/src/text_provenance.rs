//! Floats that go through text and back, so that no derivative is lost on the way.
//!
//! - T1 what a float that carries a derivative looks like as text is remembered as long as the program runs.
//! - T2 a text that has those digits may not become a float that derivatives flow through: that is refused where it is
//!   read. Text that is shown, compared or counted loses nothing, nor does one with other digits.
//! - T3 text that is rounded to fewer decimals than tell all floats apart is a step: its derivative is zero.
//! - T4 digits are compared without sign, point, exponent and zeros around them, which text that is cut apart and joined
//!   changes first.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashSet;
use overdub_context::ir::{Edit, Func, InstKind, LoadError, Rewriter, Ty, TyKind};
use overdub_context::ops::{self, Arity, Effects, OpCx, OpDef, TypeFault};
use overdub_context::value::{CellRef, Opaque, Value};
use overdub_context::{Failure, FailureKind, Symbol};

use crate::transform::reverse::Activity;

/// A text that a float was made to a precision (-1 for none), which is remembered if what the float carries, the third
/// operand, is not zero.
pub(crate) static TOLD: OpDef = OpDef {
    name: "ad.told",
    arity: Arity::Exactly(3),
    ty: |tys| {
        tys.args
            .first()
            .copied()
            .ok_or_else(|| TypeFault::takes("a text, a precision, and what its float carries"))
    },
    effects: Effects::WRITES,
    eval: told,
    doc: "A text that a float was made, which is remembered if what the float carries is not zero.",
};

/// The float that a text is, as `str.parse_float` has it; a failure where the text has digits that were remembered.
pub(crate) static READ: OpDef = OpDef {
    name: "ad.read",
    arity: Arity::Exactly(1),
    ty: |tys| (ops::STR_PARSE_FLOAT.ty)(tys),
    effects: Effects::READS,
    eval: read,
    doc: "The float that a text is; a failure where the text has digits that were remembered.",
};

/// The name of the cell that keeps the digits while the program runs.
const DIGITS: &str = "ad.digits of texts";

/// The digits of the texts that floats with a derivative were made, in a set: remembering one takes constant time, however
/// many there are. A clone is the same set.
#[derive(Clone, Debug, Default)]
struct Remembered(Arc<Mutex<Digits>>);

#[derive(Debug, Default)]
struct Digits {
    all: HashSet<String>,
    /// The lengths of those in `all`: few, for floats have some 17 digits.
    lengths: BTreeSet<usize>,
}

impl Remembered {
    fn insert(&self, digits: String) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.lengths.insert(digits.len());
        known.all.insert(digits);
    }

    /// Whether any of them stand in `read`; those of zero, which are none, only where there are none.
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

/// The digits of a number from the first to the last that is not zero; none of what has no digits at all.
fn digits(text: &str) -> Option<String> {
    let mantissa = text.split(['e', 'E']).next().unwrap_or(text);
    let all: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    (!all.is_empty()).then(|| all.trim_matches('0').to_owned())
}

fn told<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    /// Decimals from which on a text is taken to tell floats apart; fewer make it a step (T3).
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

fn read<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    // A machine that keeps no cells remembers none: there `told` fails.
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

/// The function in which floats are read from text so that nothing is lost (T2); nothing where none are.
pub(crate) fn reading(func: &Func) -> Result<Option<Func>, LoadError> {
    let reads = |kind: &InstKind| matches!(kind, InstKind::Op { op, args } if **op == ops::STR_PARSE_FLOAT && args[0].var().is_some());
    if !func.blocks.iter().flat_map(|block| &block.insts).any(|inst| reads(&inst.kind)) {
        return Ok(None);
    }
    let activity = Activity::returned(func);
    let edited = Rewriter::edit(func, |rewriter, inst| match &inst.kind {
        InstKind::Op { args, .. } if reads(&inst.kind) && activity.is_useful(inst.result) => {
            Ok(Edit::Replace(rewriter.op_as(&READ, args.clone(), func.ty(inst.result))?.into()))
        }
        _ => Ok(Edit::Keep),
    });
    edited.map(Some).map_err(|error| LoadError { message: error.to_string(), span: error.span, help: None })
}
