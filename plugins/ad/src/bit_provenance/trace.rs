//! Traces the digits of a float built from bits backwards through integer operations, bit by bit.

use hashbrown::{HashMap, HashSet};
use overdub_context::analysis::{Cfg, Dominators};
use overdub_context::ir::{Block, Func, Inst, InstKind, IntTy, Operand, TyKind, Var};
use overdub_context::ops::{self, OpDef};

use super::round::rounds;
use super::{casts, takes_bits};

/// The sources of a float's digits.
#[derive(Clone, Default)]
pub(super) struct Provenance {
    /// The floats.
    pub(super) floats: Vec<Var>,
    /// The floats that were converted to integers, which hold their digits if the floats are large.
    pub(super) cut: Vec<Var>,
    /// Whether the digits are used in a computation, and not only moved.
    pub(super) mixed: bool,
    /// Whether numbers are added to the bits that are traced.
    pub(super) added: bool,
}

impl Provenance {
    pub(super) fn and(mut self, other: Provenance) -> Provenance {
        for (ours, others) in [(&mut self.floats, other.floats), (&mut self.cut, other.cut)] {
            for float in others {
                if !ours.contains(&float) {
                    ours.push(float);
                }
            }
        }
        self.mixed |= other.mixed;
        self.added |= other.added;
        self
    }

    pub(super) fn computed(mut self) -> Provenance {
        self.mixed |= !self.floats.is_empty();
        self
    }
}

pub(super) enum Def<'f> {
    Inst(&'f Inst, Block),
    Param(Block, usize),
}

/// Traces bits through a function.
pub(super) struct Tracer<'f> {
    func: &'f Func,
    pub(super) defs: HashMap<Var, Def<'f>>,
    dominators: Dominators,
}

/// The greatest number of steps of a trace; bits from further away count as computed.
const MAX_STEPS: usize = 2000;

impl<'f> Tracer<'f> {
    pub(super) fn new(func: &'f Func) -> Tracer<'f> {
        let mut defs = HashMap::new();
        for (block, body) in func.iter_blocks() {
            defs.extend(body.params.iter().enumerate().map(|(at, var)| (*var, Def::Param(block, at))));
            defs.extend(body.insts.iter().map(|inst| (inst.result, Def::Inst(inst, block))));
        }
        Tracer { func, defs, dominators: Dominators::new(&Cfg::new(func)) }
    }

    /// The sources of the last `digits` bits of an operand of the instruction that defines `user`.
    pub(super) fn digits(&self, bits: &Operand, digits: u32, user: Var) -> Provenance {
        let mut found = self.walked(bits, (1 << digits) - 1, CarryBits::Count);
        let reaches = |var: &Var| self.reaches(*var, user);
        if !found.floats.iter().all(reaches) {
            found.mixed = true;
            found.floats.retain(reaches);
        }
        found.cut.retain(reaches);
        found
    }

    /// Whether numbers are added to the last digits of an operand, and those not cut off again.
    pub(super) fn is_added_to(&self, bits: &Operand) -> bool {
        self.walked(bits, 1, CarryBits::Count).added
    }

    /// The floats whose last digits are in an integer operand of the instruction that defines `user`: its value changes
    /// wherever they do.
    pub(super) fn counted(&self, bits: &Operand, user: Var) -> Vec<Var> {
        let mut floats = self.walked(bits, u64::MAX, CarryBits::Skipped).floats;
        floats.retain(|var| self.reaches(*var, user));
        floats
    }

    fn reaches(&self, var: Var, user: Var) -> bool {
        let place = |var: Var| match self.defs.get(&var) {
            Some(Def::Inst(_, block) | Def::Param(block, _)) => Some(*block),
            None => None,
        };
        let places = place(var).zip(place(user));
        places.is_some_and(|(from, to)| self.dominators.dominates(from, to))
    }

    fn walked(&self, bits: &Operand, mask: u64, carries: CarryBits) -> Provenance {
        let mut walk =
            Walk { tracer: self, carries, masked: false, open: HashSet::new(), steps: 0, loops: false };
        let mut found = walk.operand(bits, mask);
        found.mixed |= walk.loops && !found.floats.is_empty();
        found
    }
}

/// How carries from lower bits of a sum are treated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CarryBits {
    Count,
    /// Ignored: carries are step functions, and only last digits are traced.
    Skipped,
}

/// A float's last digits: a number that holds these has steps as fine as the float's.
const LAST: u64 = 0xff;

pub(super) struct Walk<'t, 'f> {
    pub(super) tracer: &'t Tracer<'f>,
    pub(super) carries: CarryBits,
    /// Whether a mask that is not constant is applied to the bits, which may cut off the last ones.
    pub(super) masked: bool,
    open: HashSet<(Var, u64)>,
    steps: usize,
    loops: bool,
}

pub(super) fn constant(operand: &Operand) -> Option<u64> {
    let (_, n) = operand.constant()?.value().as_int()?;
    // The bits of the two's complement.
    Some(n as u64)
}

impl Walk<'_, '_> {
    pub(super) fn operand(&mut self, operand: &Operand, mask: u64) -> Provenance {
        let Some(var) = operand.var().filter(|_| mask != 0) else { return Provenance::default() };
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return Provenance { mixed: true, ..Provenance::default() };
        }
        if !self.open.insert((var, mask)) {
            self.loops = true;
            return Provenance::default();
        }
        let found = match self.tracer.defs.get(&var) {
            Some(Def::Inst(inst, _)) => self.inst(inst, mask),
            Some(Def::Param(block, at)) if *block != Block::ENTRY => self.param(*block, *at, mask),
            Some(Def::Param(..)) | None => Provenance::default(),
        };
        self.open.remove(&(var, mask));
        found
    }

    fn param(&mut self, block: Block, at: usize, mask: u64) -> Provenance {
        let ends = self.tracer.func.blocks.iter().filter_map(|body| body.terminator.as_ref());
        let targets = ends.flat_map(|end| end.kind.targets()).filter(|target| target.block == block);
        let args: Vec<&Operand> = targets.filter_map(|target| target.args.get(at)).collect();
        args.into_iter().fold(Provenance::default(), |found, arg| found.and(self.operand(arg, mask)))
    }

    fn all(&mut self, args: &[Operand], mask: u64) -> Provenance {
        args.iter().fold(Provenance::default(), |found, arg| found.and(self.operand(arg, mask)))
    }

    fn inst(&mut self, inst: &Inst, mask: u64) -> Provenance {
        let func = self.tracer.func;
        let is_float =
            |arg: &Operand| arg.var().is_some_and(|var| matches!(func.ty(var).kind(), TyKind::Float(_)));
        match &inst.kind {
            InstKind::Const(_) => Provenance::default(),
            InstKind::Op { op, args } => self.op(op, args, mask),
            InstKind::Call { args, .. } | InstKind::Overdub { args, .. } => {
                let mut found = self.all(args, u64::MAX).computed();
                found.mixed |= args.iter().any(is_float);
                found
            }
        }
    }

    fn op(&mut self, op: &'static OpDef, args: &[Operand], mask: u64) -> Provenance {
        let is = |other: &OpDef| *op == *other;
        if takes_bits(op) {
            return self.to_bits(&args[0], mask);
        }
        if is(&ops::AND) || is(&ops::OR) || is(&ops::XOR) {
            return self.bitwise(op, args, mask);
        }
        if is(&ops::SHL) || is(&ops::SHR) || is(&ops::SHL_WRAPPING) || is(&ops::SHR_WRAPPING) {
            return self.shift(op, args, mask);
        }
        if casts(op) {
            return self.cast(&args[0], mask);
        }
        if is(&ops::SELECT) {
            return self.all(&args[1..], mask);
        }
        if is(&ops::NOT) || is(&ops::DUP) || is(&ops::BLACK_BOX) {
            return self.all(args, mask);
        }
        if [&ops::ADD, &ops::SUB, &ops::ADD_WRAPPING, &ops::SUB_WRAPPING].into_iter().any(is) {
            return self.sum(args, mask);
        }
        if is(&ops::GET) || is(&ops::GET_UNCHECKED) {
            // The elements of a constant table are constants, whatever selects them.
            let table = args[0].var().and_then(|var| self.tracer.defs.get(&var));
            let is_table = matches!(table, Some(Def::Inst(Inst { kind: InstKind::Const(_), .. }, _)));
            return Provenance { mixed: !is_table, ..Provenance::default() };
        }
        self.other(args)
    }

    /// Any other operation: on integers it is a computation with bits; the origin of other bits is unknown.
    fn other(&mut self, args: &[Operand]) -> Provenance {
        let func = self.tracer.func;
        let holds_bits = |arg: &&Operand| {
            arg.var().is_some_and(|var| {
                !matches!(
                    func.ty(var).kind(),
                    TyKind::Int(_) | TyKind::Float(_) | TyKind::Bool | TyKind::Char | TyKind::Str
                )
            })
        };
        let mut found = self.all(args, u64::MAX).computed();
        found.mixed |= args.iter().any(|arg| holds_bits(&arg));
        found
    }

    fn to_bits(&self, float: &Operand, mask: u64) -> Provenance {
        let Some(var) = float.var() else { return Provenance::default() };
        let digits = if self.tracer.func.ty(var) == overdub_context::ir::Ty::f32() { 23 } else { 52 };
        // BITS2.
        if self.carries == CarryBits::Skipped && self.is_rounded(var) {
            return Provenance::default();
        }
        let digits = if self.carries == CarryBits::Count { (1 << digits) - 1 } else { LAST };
        let floats = if mask & digits == 0 { Vec::new() } else { vec![var] };
        Provenance { floats, ..Provenance::default() }
    }

    /// Whether a float is a sum that rounds.
    fn is_rounded(&self, float: Var) -> bool {
        let Some(Def::Inst(Inst { kind: InstKind::Op { op, args }, .. }, _)) = self.tracer.defs.get(&float)
        else {
            return false;
        };
        let is_sum = *op == &ops::ADD || *op == &ops::SUB;
        is_sum && args.iter().filter_map(Operand::constant).any(|number| rounds(number.value()))
    }

    fn bitwise(&mut self, op: &'static OpDef, args: &[Operand], mask: u64) -> Provenance {
        let kept_bits = |other: &Operand| match constant(other) {
            Some(bits) if *op == ops::AND => mask & bits,
            Some(bits) if *op == ops::OR => mask & !bits,
            _ => mask,
        };
        let (a, b) = (kept_bits(&args[1]), kept_bits(&args[0]));
        let is_unknown = args.iter().all(|arg| constant(arg).is_none());
        let is_masked = is_unknown
            && (*op == ops::AND || *op == ops::OR && !args.iter().any(|arg| self.is_zero(arg, mask)));
        let outer = self.masked;
        self.masked |= is_masked;
        let mut found = self.operand(&args[0], a).and(self.operand(&args[1], b));
        self.masked = outer;
        if *op == ops::XOR {
            self.add(&mut found, args, mask);
        }
        found
    }

    fn shift(&mut self, op: &'static OpDef, args: &[Operand], mask: u64) -> Provenance {
        let Some(by) = constant(&args[1]).and_then(|by| u32::try_from(by).ok()) else {
            return self.all(args, u64::MAX).computed();
        };
        let is_left = *op == ops::SHL || *op == ops::SHL_WRAPPING;
        let moved = if is_left { mask.checked_shr(by) } else { mask.checked_shl(by) };
        let sign = args[0].var().filter(|_| !is_left).map_or(0, |var| self.sign_bit(var));
        self.operand(&args[0], moved.unwrap_or(0) | sign)
    }

    /// The bit of a signed integer that is replicated when it is sign-extended.
    fn sign_bit(&self, var: Var) -> u64 {
        match self.tracer.func.ty(var).kind() {
            TyKind::Int(int) if int.is_signed() => 1_u64.checked_shl(int.bits() - 1).unwrap_or(0),
            _ => 0,
        }
    }

    fn cast(&mut self, arg: &Operand, mask: u64) -> Provenance {
        let Some(var) = arg.var() else { return Provenance::default() };
        let int = match self.tracer.func.ty(var).kind() {
            TyKind::Int(int) => int,
            TyKind::Float(_) => return Provenance { cut: vec![var], ..Provenance::default() },
            _ => return Provenance::default(),
        };
        let width = if int.bits() >= 64 || *int == IntTy::U64 { u64::MAX } else { (1 << int.bits()) - 1 };
        let extended = if mask & !width == 0 { 0 } else { self.sign_bit(var) };
        self.operand(arg, (mask & width) | extended)
    }
}
