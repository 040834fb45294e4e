//! Sums of bits and numbers, whose carries reach higher digits.

use overdub_context::ir::{Inst, InstKind, Operand};
use overdub_context::ops;

use super::trace::{CarryBits, Def, Provenance, Walk, constant};

/// All bits up to the highest of the mask: those that the masked bits of a sum depend on.
fn below(mask: u64) -> u64 {
    u64::MAX.checked_shr(mask.leading_zeros()).unwrap_or(0)
}

impl Walk<'_, '_> {
    pub(super) fn sum(&mut self, args: &[Operand], mask: u64) -> Provenance {
        let reaching = if self.carries == CarryBits::Count { below(mask) } else { mask };
        let (a, b) = (self.operand(&args[0], reaching), self.operand(&args[1], reaching));
        let both = !a.floats.is_empty() && !b.floats.is_empty();
        let mut found = a.and(b);
        self.add(&mut found, args, mask);
        if both { found.computed() } else { found }
    }

    /// Notes that these operands are added, unless the last bits are cut off afterwards or nothing is added to these and
    /// the digits above.
    pub(super) fn add(&self, found: &mut Provenance, args: &[Operand], mask: u64) {
        let digits = ((1 << 52) - 1) << mask.trailing_zeros();
        let is_added = !self.masked && !args.iter().any(|arg| self.is_zero(arg, digits));
        found.added |= is_added && !found.floats.is_empty();
    }

    /// Whether the masked bits are known to be zero.
    pub(super) fn is_zero(&self, operand: &Operand, mask: u64) -> bool {
        if let Some(bits) = constant(operand) {
            return bits & mask == 0;
        }
        let def = operand.var().and_then(|var| self.tracer.defs.get(&var));
        let Some(Def::Inst(Inst { kind: InstKind::Op { op, args }, .. }, _)) = def else { return false };
        if **op == ops::AND {
            return args.iter().filter_map(constant).any(|bits| bits & mask == 0);
        }
        let is_shift = **op == ops::SHL || **op == ops::SHL_WRAPPING;
        let by = args.get(1).filter(|_| is_shift).and_then(constant).and_then(|by| u32::try_from(by).ok());
        by.is_some_and(|by| mask.checked_shr(by).is_none_or(|mask| mask == 0))
    }
}
