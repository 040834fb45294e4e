//! Where branches go whose condition is known.

use overdub_context::ir::{Const, InstKind, Operand, Target, TerminatorKind};
use overdub_context::ops;
use overdub_context::value::Value;

use crate::support::consts::int_of;
use crate::support::func_editor::{Defs, FuncEditor};

/// The number by which a `switch` on this operand decides, if it is known.
pub(crate) fn switch_number(editor: &FuncEditor<'_>, defs: &Defs, on: &Operand) -> Option<i128> {
    if let Operand::Const(constant) = on {
        return number(constant.value());
    }
    match defs.inst(&editor.func, on)? {
        InstKind::Op { op, args } if **op == ops::VARIANT => number(args.first()?.constant()?.value()),
        // It fails where it is another variant.
        InstKind::Op { op, args } if **op == ops::WITH_PAYLOAD => number(args.get(1)?.constant()?.value()),
        InstKind::Op { op, args } if **op == ops::FIELD && int_of(args.get(1)?) == Some(1) => {
            // So does what takes a part out, which leaves the rest.
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

fn number(value: &Value<'_>) -> Option<i128> {
    match value {
        Value::Char(c) => Some(i128::from(u32::from(*c))),
        Value::Composite(composite) => Some(i128::from(composite.tag)),
        other => other.as_int().map(|(_, n)| n),
    }
}

/// Where a terminator goes, if that is known.
pub(crate) fn decided(kind: &TerminatorKind, number: impl Fn(&Operand) -> Option<i128>) -> Option<&Target> {
    let mut targets = kind.targets();
    let first = targets.next()?;
    let decides = matches!(kind, TerminatorKind::BrIf { .. } | TerminatorKind::Switch { .. });
    if decides && targets.all(|target| target == first) {
        return Some(first);
    }
    decided_by(kind, kind.operand()?, number)
}

/// Where a terminator goes if this is what it decides by.
pub(crate) fn decided_by<'k>(
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
