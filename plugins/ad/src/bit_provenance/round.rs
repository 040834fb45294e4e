//! Rounding by adding a large number and subtracting it again, which drops a float's last digits.

use overdub_context::codes::INTERNAL;
use overdub_context::ir::{Edit, Func, Inst, InstKind, LoadError, Operand, Rewriter, Ty};
use overdub_context::ops::{self, Arity, Effects, OpDef};
use overdub_context::value::Value;

/// A sum minus the number that was added in order to round: a step function, whose derivative is zero.
pub(crate) static ROUNDED: OpDef = OpDef {
    name: "ad.rounded",
    arity: Arity::Exactly(2),
    ty: |tys| (ops::SUB.ty)(tys),
    effects: Effects::PURE,
    eval: |cx, args| (ops::SUB.eval)(cx, args),
    doc: "A sum minus the number that was added in order to round: a step function, whose derivative is zero.",
};

/// Adding a number below this does not round.
const LEAST_F64: f64 = (1_u64 << 40) as f64;
const LEAST_F32: f32 = (1_u32 << 16) as f32;

/// Whether adding this number rounds: a large power of two, or one and a half times such a power.
pub(super) fn rounds(value: &Value<'_>) -> bool {
    match value {
        Value::F64(c) => c.is_finite() && c.abs() >= LEAST_F64 && c.to_bits() << 13 == 0,
        Value::F32(c) => c.is_finite() && c.abs() >= LEAST_F32 && c.to_bits() << 10 == 0,
        _ => false,
    }
}

/// The instructions of a function, by the variable that they define.
struct Defs<'f>(Vec<Option<&'f Inst>>);

impl<'f> Defs<'f> {
    fn new(func: &'f Func) -> Defs<'f> {
        let mut defs = vec![None; func.vars.len()];
        for inst in func.blocks.iter().flat_map(|block| &block.insts) {
            defs[inst.result.index()] = Some(inst);
        }
        Defs(defs)
    }

    fn op(&self, operand: &Operand) -> Option<(&'static OpDef, &'f [Operand])> {
        match &self.0[operand.var()?.index()]?.kind {
            InstKind::Op { op, args } => Some((op, args)),
            _ => None,
        }
    }

    /// The operation that computes the float of an operand, also if the operand is read through the float's
    /// bits.
    fn through_bits(&self, operand: &Operand) -> Option<(&'static OpDef, &'f [Operand])> {
        let (op, args) = self.op(operand)?;
        if *op != ops::FROM_BITS {
            return Some((op, args));
        }
        let (bits, of) = self.op(&args[0])?;
        if super::takes_bits(bits) { self.op(&of[0]) } else { None }
    }

    /// `(x + c) - c`, and the opposite signs.
    fn is_rounded(&self, inst: &Inst) -> bool {
        let InstKind::Op { op, args } = &inst.kind else { return false };
        let [sum, c] = args.as_slice() else { return false };
        let first = match op {
            op if **op == ops::SUB => &ops::ADD,
            op if **op == ops::ADD => &ops::SUB,
            _ => return false,
        };
        let Some(number) = c.constant().map(|c| c.value()).filter(|c| rounds(c)) else { return false };
        let same = |operand: &Operand| {
            operand.constant().is_some_and(|other| match (other.value(), number) {
                (Value::F64(x), Value::F64(y)) => x == y,
                (Value::F32(x), Value::F32(y)) => x == y,
                _ => false,
            })
        };
        match self.through_bits(sum) {
            Some((op, [x, y])) if *op == *first => same(y) || *op == ops::ADD && same(x),
            _ => false,
        }
    }
}

/// Makes rounding by addition explicit; `None` if the function has no such rounding.
pub(crate) fn rounded(func: &Func) -> Result<Option<Func>, LoadError> {
    let defs = Defs::new(func);
    let is_float = |inst: &Inst| [Ty::f64(), Ty::f32()].contains(&func.ty(inst.result));
    let found = |inst: &Inst| is_float(inst) && defs.is_rounded(inst);
    if !func.blocks.iter().flat_map(|block| &block.insts).any(found) {
        return Ok(None);
    }
    let rounded = Rewriter::edit(func, |rewriter, inst| match &inst.kind {
        InstKind::Op { op, args } if found(inst) => {
            let c = if **op == ops::SUB {
                args[1].clone()
            } else {
                rewriter.op(&ops::NEG, [args[1].clone()])?.into()
            };
            let y = rewriter.op(&ROUNDED, [args[0].clone(), c])?;
            Ok(Edit::Replace(y.into()))
        }
        _ => Ok(Edit::Keep),
    });
    rounded.map(Some).map_err(|error| LoadError {
        code: INTERNAL,
        message: error.to_string(),
        span: error.span,
        help: None,
    })
}
