//! The target of a branch whose condition or switch value is known.

use overdub_context::ir::{Const, InstKind, Operand, Target, TerminatorKind};
use overdub_context::ops;
use overdub_context::value::Value;

use crate::support::consts::int_of;
use overdub_context::analysis::Defs;
use overdub_context::edit::FuncEditor;

/// The value that a `switch` on this operand compares with its cases, if it is known: an integer, the code of
/// a character, or the tag of an enum.
pub(crate) fn known_switch_value(editor: &FuncEditor<'_>, defs: &Defs, on: &Operand) -> Option<i128> {
    if let Operand::Const(constant) = on {
        return number(constant.value());
    }
    match defs.inst(&editor.func, on)? {
        InstKind::Op { op, args } if **op == ops::VARIANT => number(args.first()?.constant()?.value()),
        // `with_payload` fails on any other variant.
        InstKind::Op { op, args } if **op == ops::WITH_PAYLOAD => number(args.get(1)?.constant()?.value()),
        InstKind::Op { op, args } if **op == ops::FIELD && int_of(args.get(1)?) == Some(1) => {
            // `take.payload` also fails on any other variant; its second result is the remainder of the enum.
            match defs.inst(&editor.func, &editor.resolve(args.first()?))? {
                InstKind::Op { op, args } if **op == ops::TAKE_PAYLOAD => {
                    number(args.get(1)?.constant()?.value())
                }
                _ => None,
            }
        }
        InstKind::Const(constant) => number(constant.value()),
        InstKind::Op { .. } | InstKind::Call { .. } | InstKind::Overdub { .. } => None,
    }
}

/// The number by which a `switch` compares a value.
fn number(value: &Value<'_>) -> Option<i128> {
    match value {
        Value::Char(c) => Some(i128::from(u32::from(*c))),
        Value::Composite(composite) => Some(i128::from(composite.tag)),
        other => other.as_int().map(|(_, n)| n),
    }
}

/// The target that a branch takes, if its condition is known or all its targets are equal.
pub(crate) fn known_target(
    kind: &TerminatorKind,
    number: impl Fn(&Operand) -> Option<i128>,
) -> Option<&Target> {
    let mut targets = kind.targets();
    let first = targets.next()?;
    let is_branch = matches!(kind, TerminatorKind::BrIf { .. } | TerminatorKind::Switch { .. });
    if is_branch && targets.all(|target| target == first) {
        return Some(first);
    }
    target_for(kind, kind.operand()?, number)
}

/// The target that a branch takes if `on` is its condition or switch value.
pub(crate) fn target_for<'k>(
    kind: &'k TerminatorKind,
    on: &Operand,
    number: impl Fn(&Operand) -> Option<i128>,
) -> Option<&'k Target> {
    match kind {
        TerminatorKind::BrIf { then, otherwise, .. } => {
            let cond = on.constant().map(Const::value).and_then(Value::as_bool)?;
            Some(if cond { then } else { otherwise })
        }
        TerminatorKind::Switch { cases, otherwise, .. } => {
            let number = number(on)?;
            let case = cases.iter().find(|case| case.value == number).map(|case| &case.target);
            case.or(otherwise.as_ref())
        }
        TerminatorKind::Br(_) | TerminatorKind::Ret(_) | TerminatorKind::Fail(_) => None,
    }
}
