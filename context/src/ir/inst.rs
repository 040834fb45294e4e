//! Instructions, terminators, operands and branch targets.

use std::hash::Hash;

use super::{Block, Var};
use crate::ops::OpDef;
use crate::value::Value;
use crate::value::constant::Const;
use crate::{Span, Symbol};

/// An operand of an instruction: a variable, or an immediate scalar constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A variable: `%x`.
    Var(Var),
    /// A constant: `1.0`, `true`, `3_u8`, `"text"`, `()`.
    Const(Const),
}

impl Operand {
    /// The constant `()`.
    pub fn unit() -> Operand {
        Operand::Const(Const::of_data(Value::Unit))
    }

    /// The variable, if the operand is one.
    pub fn var(&self) -> Option<Var> {
        match self {
            Operand::Var(var) => Some(*var),
            Operand::Const(_) => None,
        }
    }

    /// The constant, if the operand is one.
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

/// The callee of a call.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    /// A function of the module, by name: `@f`.
    Func(Symbol),
    /// A closure or function value: `%f`.
    Value(Operand),
}

/// An instruction: it defines one variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inst {
    /// The defined variable.
    pub result: Var,
    /// The form of the instruction.
    pub kind: InstKind,
    /// The source location.
    pub span: Span,
}

/// The forms of instructions. This list is closed, the set of operations is open.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum InstKind {
    /// A constant: `const [1.0, 2.0]`.
    Const(Const),
    /// An operation: `add %x, 1.0`.
    Op {
        /// The operation.
        op: &'static OpDef,
        /// The operands.
        args: Vec<Operand>,
    },
    /// A call: `call @f(%x)`, `call %f(%x)`.
    Call {
        /// The callee.
        callee: Callee,
        /// The arguments.
        args: Vec<Operand>,
    },
    /// `overdub @f(%x)`: a call that a context has to implement.
    Overdub {
        /// The callee.
        callee: Callee,
        /// The arguments.
        args: Vec<Operand>,
    },
}

/// The target of a branch, with the arguments for the block's parameters.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Target {
    /// The block.
    pub block: Block,
    /// An argument for each parameter of the block; all are read before any parameter is written.
    pub args: Vec<Operand>,
}

/// The terminator of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terminator {
    /// The form of the terminator.
    pub kind: TerminatorKind,
    /// The source location.
    pub span: Span,
}

/// The forms of terminators.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TerminatorKind {
    /// `br ^b(%x)`
    Br(Target),
    /// A conditional branch: `br_if %c, ^then, ^else`.
    BrIf {
        /// The condition, a bool.
        cond: Operand,
        /// The target if the condition is true.
        then: Target,
        /// The target if the condition is false.
        otherwise: Target,
    },
    /// A multiway branch: `switch %n, 0: ^a, 1: ^b(%x), else ^c`.
    Switch {
        /// The switch value: an integer, a char, or an enum, of which the tag is compared.
        on: Operand,
        /// The cases, each with a distinct number.
        cases: Vec<Case>,
        /// The default target; may be absent if the cases cover every variant of an enum.
        otherwise: Option<Target>,
    },
    /// A return: `ret %x`.
    Ret(Operand),
    /// `fail "message"`: a panic with this text.
    Fail(Operand),
}

/// A case of a `switch`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Case {
    /// The integer, code point or tag.
    pub value: i128,
    /// The target.
    pub target: Target,
}

impl InstKind {
    /// The operands in order, the callee's value first.
    pub fn operands(&self) -> impl Iterator<Item = &Operand> {
        let (callee, args): (Option<&Operand>, &[Operand]) = match self {
            InstKind::Const(_) => (None, &[]),
            InstKind::Op { args, .. } => (None, args),
            InstKind::Call { callee, args } | InstKind::Overdub { callee, args } => (callee.operand(), args),
        };
        callee.into_iter().chain(args)
    }

    /// Mutable references to the operands.
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
    /// The targets, in order.
    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        let (first, cases, last): (Option<&Target>, &[Case], Option<&Target>) = match self {
            TerminatorKind::Br(target) => (Some(target), &[], None),
            TerminatorKind::BrIf { then, otherwise, .. } => (Some(then), &[], Some(otherwise)),
            TerminatorKind::Switch { cases, otherwise, .. } => (None, cases, otherwise.as_ref()),
            TerminatorKind::Ret(_) | TerminatorKind::Fail(_) => (None, &[], None),
        };
        first.into_iter().chain(cases.iter().map(|case| &case.target)).chain(last)
    }

    /// Mutable references to the targets.
    pub fn targets_mut(&mut self) -> impl Iterator<Item = &mut Target> {
        let (first, cases, last): (Option<&mut Target>, &mut [Case], Option<&mut Target>) = match self {
            TerminatorKind::Br(target) => (Some(target), &mut [], None),
            TerminatorKind::BrIf { then, otherwise, .. } => (Some(then), &mut [], Some(otherwise)),
            TerminatorKind::Switch { cases, otherwise, .. } => (None, cases, otherwise.as_mut()),
            TerminatorKind::Ret(_) | TerminatorKind::Fail(_) => (None, &mut [], None),
        };
        first.into_iter().chain(cases.iter_mut().map(|case| &mut case.target)).chain(last)
    }

    /// The condition, switch value, returned value or message; block arguments are in
    /// [`TerminatorKind::targets`].
    pub fn operand(&self) -> Option<&Operand> {
        match self {
            TerminatorKind::Br(_) => None,
            TerminatorKind::BrIf { cond: operand, .. }
            | TerminatorKind::Switch { on: operand, .. }
            | TerminatorKind::Ret(operand)
            | TerminatorKind::Fail(operand) => Some(operand),
        }
    }

    /// A mutable reference to that operand.
    pub fn operand_mut(&mut self) -> Option<&mut Operand> {
        match self {
            TerminatorKind::Br(_) => None,
            TerminatorKind::BrIf { cond: operand, .. }
            | TerminatorKind::Switch { on: operand, .. }
            | TerminatorKind::Ret(operand)
            | TerminatorKind::Fail(operand) => Some(operand),
        }
    }

    /// All operands: the one of [`TerminatorKind::operand`], then all block arguments.
    pub fn operands(&self) -> impl Iterator<Item = &Operand> {
        self.operand().into_iter().chain(self.targets().flat_map(|target| &target.args))
    }
}
