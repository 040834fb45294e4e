//! Instructions, terminators and what they refer to.

use std::hash::Hash;

use super::{Block, Var};
use crate::ops::OpDef;
use crate::value::Value;
use crate::value::constant::Const;
use crate::{Span, Symbol};

/// What an instruction computes with: a variable, or a scalar constant in place.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// `%x`
    Var(Var),
    /// `1.0`, `true`, `3_u8`, `"text"`, `()`
    Const(Const),
}

impl Operand {
    /// `()`
    pub fn unit() -> Operand {
        Operand::Const(Const::of_data(Value::Unit))
    }

    /// The variable, if it is one.
    pub fn var(&self) -> Option<Var> {
        match self {
            Operand::Var(var) => Some(*var),
            Operand::Const(_) => None,
        }
    }

    /// The constant, if it is one.
    pub fn constant(&self) -> Option<&Const> {
        match self {
            Operand::Var(_) => None,
            Operand::Const(constant) => Some(constant),
        }
    }
}

impl From<Var> for Operand {
    fn from(var: Var) -> Operand {
        Operand::Var(var)
    }
}

macro_rules! operand_from {
    ($($ty:ty => $variant:expr;)*) => {$(
        impl From<$ty> for Operand {
            fn from(scalar: $ty) -> Operand {
                Operand::Const(Const::of_data($variant(scalar)))
            }
        }
    )*};
}

operand_from! {
    bool => Value::Bool;
    char => Value::Char;
    f64 => Value::F64;
    f32 => Value::F32;
    i64 => Value::from;
    i32 => Value::from;
    u8 => Value::from;
    u32 => Value::from;
    u64 => Value::from;
    usize => Value::from;
    &str => Value::from;
}

/// What is called.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    /// `@f`: a function of the module, by name.
    Func(Symbol),
    /// `%f`: a closure or function value.
    Value(Operand),
}

/// An instruction: it defines one variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inst {
    /// What it defines.
    pub result: Var,
    /// What it does.
    pub kind: InstKind,
    /// Where it comes from.
    pub span: Span,
}

/// The forms of instructions. This list is closed; operations are open.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum InstKind {
    /// `const [1.0, 2.0]`
    Const(Const),
    /// `add %x, 1.0`
    Op {
        /// The operation.
        op: &'static OpDef,
        /// Its operands.
        args: Vec<Operand>,
    },
    /// `call @f(%x)`, `call %f(%x)`
    Call {
        /// What is called.
        callee: Callee,
        /// With what.
        args: Vec<Operand>,
    },
    /// `overdub @f(%x)`: a call that a context still has to give its meaning.
    Overdub {
        /// What is called.
        callee: Callee,
        /// With what.
        args: Vec<Operand>,
    },
}

/// Where a branch goes, and what it hands to the block's parameters.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Target {
    /// The block.
    pub block: Block,
    /// One for each of its parameters; all are read before any is written.
    pub args: Vec<Operand>,
}

/// How a block ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terminator {
    /// What it does.
    pub kind: TerminatorKind,
    /// Where it comes from.
    pub span: Span,
}

/// The forms of terminators.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TerminatorKind {
    /// `br ^b(%x)`
    Br(Target),
    /// `br_if %c, ^then, ^else`
    BrIf {
        /// A bool.
        cond: Operand,
        /// Where it is true.
        then: Target,
        /// Where it is false.
        otherwise: Target,
    },
    /// `switch %n, 0: ^a, 1: ^b(%x), else ^c`
    Switch {
        /// An integer, a char, or an enum, whose tag counts.
        on: Operand,
        /// Each with its number, all different.
        cases: Vec<Case>,
        /// Where no case fits; may be missing where the cases name every variant of an enum.
        otherwise: Option<Target>,
    },
    /// `ret %x`
    Ret(Operand),
    /// `fail "message"`: a panic with this text.
    Fail(Operand),
}

/// A case of a `switch`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Case {
    /// The integer, code point or tag.
    pub value: i128,
    /// Where it goes.
    pub target: Target,
}

impl InstKind {
    /// Its operands in order, the callee's value first.
    pub fn operands(&self) -> impl Iterator<Item = &Operand> {
        let (callee, args): (Option<&Operand>, &[Operand]) = match self {
            InstKind::Const(_) => (None, &[]),
            InstKind::Op { args, .. } => (None, args),
            InstKind::Call { callee, args } | InstKind::Overdub { callee, args } => (callee.operand(), args),
        };
        callee.into_iter().chain(args)
    }

    /// Its operands, to be changed in place.
    pub fn operands_mut(&mut self) -> impl Iterator<Item = &mut Operand> {
        let (callee, args): (Option<&mut Operand>, &mut [Operand]) = match self {
            InstKind::Const(_) => (None, &mut []),
            InstKind::Op { args, .. } => (None, args),
            InstKind::Call { callee, args } | InstKind::Overdub { callee, args } => {
                (if let Callee::Value(value) = callee { Some(value) } else { None }, args)
            }
        };
        callee.into_iter().chain(args)
    }
}

impl Callee {
    /// The operand of a call through a value.
    pub fn operand(&self) -> Option<&Operand> {
        match self {
            Callee::Func(_) => None,
            Callee::Value(value) => Some(value),
        }
    }
}

impl TerminatorKind {
    /// Where it may go, in order.
    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        let (first, cases, last): (Option<&Target>, &[Case], Option<&Target>) = match self {
            TerminatorKind::Br(target) => (Some(target), &[], None),
            TerminatorKind::BrIf { then, otherwise, .. } => (Some(then), &[], Some(otherwise)),
            TerminatorKind::Switch { cases, otherwise, .. } => (None, cases, otherwise.as_ref()),
            TerminatorKind::Ret(_) | TerminatorKind::Fail(_) => (None, &[], None),
        };
        first.into_iter().chain(cases.iter().map(|case| &case.target)).chain(last)
    }

    /// Where it may go, to be changed in place.
    pub fn targets_mut(&mut self) -> impl Iterator<Item = &mut Target> {
        let (first, cases, last): (Option<&mut Target>, &mut [Case], Option<&mut Target>) = match self {
            TerminatorKind::Br(target) => (Some(target), &mut [], None),
            TerminatorKind::BrIf { then, otherwise, .. } => (Some(then), &mut [], Some(otherwise)),
            TerminatorKind::Switch { cases, otherwise, .. } => (None, cases, otherwise.as_mut()),
            TerminatorKind::Ret(_) | TerminatorKind::Fail(_) => (None, &mut [], None),
        };
        first.into_iter().chain(cases.iter_mut().map(|case| &mut case.target)).chain(last)
    }

    /// What it decides by, returns or fails with; block arguments are in [`TerminatorKind::targets`].
    pub fn operand(&self) -> Option<&Operand> {
        match self {
            TerminatorKind::Br(_) => None,
            TerminatorKind::BrIf { cond: operand, .. }
            | TerminatorKind::Switch { on: operand, .. }
            | TerminatorKind::Ret(operand)
            | TerminatorKind::Fail(operand) => Some(operand),
        }
    }

    /// That operand, to be changed in place.
    pub fn operand_mut(&mut self) -> Option<&mut Operand> {
        match self {
            TerminatorKind::Br(_) => None,
            TerminatorKind::BrIf { cond: operand, .. }
            | TerminatorKind::Switch { on: operand, .. }
            | TerminatorKind::Ret(operand)
            | TerminatorKind::Fail(operand) => Some(operand),
        }
    }

    /// Every operand: the one it decides by, then all block arguments.
    pub fn operands(&self) -> impl Iterator<Item = &Operand> {
        self.operand().into_iter().chain(self.targets().flat_map(|target| &target.args))
    }
}
