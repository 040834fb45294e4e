//! Selects quick steps for the steps of a function.

use hashbrown::HashMap;

use super::code::{Arg, CodeStep, Edge, Slot, StepKind};
use super::superinstructions::{At, EdgeMoves, MoveKind, One, Quick, QuickCode, SlotMove, Two};
use crate::ir::{Const, FloatTy, Func, Ty, TyKind, Var};
use crate::ops::{self, OpDef};
use crate::value::Value;

/// The quick steps of a function, whose variables have the slots `0..func.vars.len()`.
pub(super) fn quicken(func: &Func, steps: &[CodeStep]) -> QuickCode {
    let mut quickener = Quickener { func, edges: Vec::new(), consts: Vec::new(), known: HashMap::new() };
    let steps = steps.iter().map(|step| quickener.step(step).unwrap_or(Quick::Slow)).collect();
    QuickCode { steps, edges: quickener.edges.into(), consts: quickener.consts.into() }
}

struct Quickener<'f> {
    func: &'f Func,
    edges: Vec<EdgeMoves>,
    consts: Vec<Value<'static>>,
    known: HashMap<Const, At>,
}

impl Quickener<'_> {
    /// The quick step for a step, if there is one.
    fn step(&mut self, step: &CodeStep) -> Option<Quick> {
        match &step.kind {
            StepKind::Const { value } => {
                let from = self.constant(value)?;
                Some(Quick::Copy { from, to: step.result?.0 })
            }
            StepKind::Op { op, args, ret } => self.op(op, args, *ret, step.result?.0),
            StepKind::Br(edge) => Some(Quick::Br(self.branch_edge(edge)?)),
            StepKind::BrIf { cond, then, otherwise } => {
                let cond = self.read(cond)?;
                Some(Quick::BrIf {
                    cond,
                    then: self.branch_edge(then)?,
                    otherwise: self.branch_edge(otherwise)?,
                })
            }
            StepKind::Call { .. } | StepKind::Switch { .. } | StepKind::Ret(_) | StepKind::Fail(_) => None,
        }
    }

    fn op(&mut self, op: &'static OpDef, args: &[Arg], ret: Ty, to: At) -> Option<Quick> {
        match args {
            [a] if *op == ops::LEN => Some(Quick::Len { array: self.read(a)?, to }),
            [a] if *op == ops::TAG => Some(Quick::Tag { composite: self.read(a)?, to }),
            [a] if *op == ops::BLACK_BOX && is_scalar(ret) => Some(Quick::Copy { from: self.read(a)?, to }),
            [a] if *op == ops::CAST => self.cast(a, ret, to),
            [a] => One::of(op, &[self.sample(a)?]).zip(self.read(a)).map(|(op, a)| Quick::One(op, a, to)),
            [composite, k] if *op == ops::FIELD => {
                Some(Quick::Field { composite: self.read(composite)?, k: number(k)?, to })
            }
            [vector, at] if *op == ops::GET || *op == ops::GET_UNCHECKED => {
                Some(Quick::Get { vector: self.read(vector)?, at: self.read(at)?, to })
            }
            [a, b] => {
                let op = Two::of(op, &[self.sample(a)?, self.sample(b)?])?;
                Some(Quick::Two(op, self.read(a)?, self.read(b)?, to))
            }
            [cond, a, b] if *op == ops::SELECT && is_scalar(ret) => {
                Some(Quick::Select { cond: self.read(cond)?, a: self.read(a)?, b: self.read(b)?, to })
            }
            // Only a vector whose last use this is may be updated in place.
            [Arg::Move(vector), at, value] if *op == ops::SET => {
                let _scalar = self.sample(value)?;
                Some(Quick::Set { vector: vector.0, at: self.read(at)?, value: self.read(value)?, to })
            }
            [composite, tag, k] if *op == ops::PAYLOAD => Some(Quick::Payload {
                composite: self.read(composite)?,
                tag: number(tag)?,
                k: number(k)?,
                to,
            }),
            _ => None,
        }
    }

    fn cast(&mut self, from: &Arg, ret: Ty, to: At) -> Option<Quick> {
        let Value::Int(_) = self.sample(from)? else { return None };
        let from = self.read(from)?;
        match ret.kind() {
            TyKind::Float(FloatTy::F64) => Some(Quick::ToF64 { from, to }),
            TyKind::Int(ty) if ty.bits() <= 64 => Some(Quick::ToInt { ty: *ty, from, to }),
            _ => None,
        }
    }

    /// The slot of an operand that does not change: a variable that stays live, a scalar, or a constant.
    fn read(&mut self, arg: &Arg) -> Option<At> {
        match arg {
            Arg::Copy(slot) => Some(slot.0),
            Arg::Move(slot) => is_scalar(self.ty(*slot)).then_some(slot.0),
            Arg::Const(value) => self.constant(value),
        }
    }

    /// The slot of a constant (SUPER2).
    fn constant(&mut self, value: &Value<'static>) -> Option<At> {
        let constant = Const::new(value.clone())?;
        let next = u32::try_from(self.func.vars.len() + self.consts.len()).ok()?;
        Some(*self.known.entry(constant).or_insert_with(|| {
            self.consts.push(value.clone());
            next
        }))
    }

    fn ty(&self, slot: Slot) -> Ty {
        self.func.ty(Var(slot.0))
    }

    /// A representative value of the operand's type, if quick steps support that scalar type.
    fn sample(&self, arg: &Arg) -> Option<Value<'static>> {
        let ty = match arg {
            Arg::Copy(slot) | Arg::Move(slot) => self.ty(*slot),
            Arg::Const(value) => value.ty(),
        };
        match ty.kind() {
            TyKind::Float(FloatTy::F64) => Some(Value::F64(0.0)),
            TyKind::Int(int) if int.bits() <= 64 => Some(Value::int(*int, 0)),
            TyKind::Bool => Some(Value::Bool(false)),
            _ => None,
        }
    }

    /// A branch, if its values can be moved one after the other.
    fn branch_edge(&mut self, edge: &Edge) -> Option<u32> {
        let moved = edge.args.iter().zip(&edge.params).map(|(arg, param)| {
            let how = match arg {
                Arg::Move(slot) if !is_scalar(self.ty(*slot)) => MoveKind::Emptied,
                Arg::Move(_) | Arg::Copy(_) | Arg::Const(_) => MoveKind::Copied,
            };
            let from = match arg {
                Arg::Copy(slot) | Arg::Move(slot) => slot.0,
                Arg::Const(value) => self.constant(value)?,
            };
            Some(SlotMove { from, to: param.0, how })
        });
        let moved = in_order(moved.collect::<Option<Vec<SlotMove>>>()?)?;
        let dead = edge.dead.iter().map(|slot| slot.0).collect();
        self.edges.push(EdgeMoves { target: edge.target, moved: moved.into(), dead });
        u32::try_from(self.edges.len() - 1).ok()
    }
}

/// Orders the moves so that no slot is written or emptied before it is read; `None` if they form a cycle.
fn in_order(moved: Vec<SlotMove>) -> Option<Vec<SlotMove>> {
    // The number of moves that still have to read each slot.
    let mut readers: HashMap<At, usize> = HashMap::new();
    for one in &moved {
        *readers.entry(one.from).or_insert(0) += 1;
    }
    let mut ordered = Vec::with_capacity(moved.len());
    let mut pending = moved;
    while !pending.is_empty() {
        let before = pending.len();
        let mut postponed = Vec::new();
        for one in pending {
            let self_read = usize::from(one.from == one.to);
            let written = readers.get(&one.to).copied().unwrap_or(0) > self_read;
            let emptied = one.how == MoveKind::Emptied && readers[&one.from] > 1;
            if written || emptied {
                postponed.push(one);
                continue;
            }
            *readers.get_mut(&one.from)? -= 1;
            if one.from != one.to {
                ordered.push(one);
            }
        }
        if postponed.len() == before {
            return None;
        }
        pending = postponed;
    }
    Some(ordered)
}

/// A constant operand that is the index of a part or variant.
fn number(arg: &Arg) -> Option<u32> {
    match arg {
        Arg::Const(value) => u32::try_from(value.as_index()?).ok(),
        Arg::Copy(_) | Arg::Move(_) => None,
    }
}

/// Whether copying a value of this type counts no references.
fn is_scalar(ty: Ty) -> bool {
    match ty.kind() {
        TyKind::Int(int) => int.bits() <= 64,
        TyKind::Unit | TyKind::Bool | TyKind::Char | TyKind::Float(_) => true,
        _ => false,
    }
}
