//! The declaration of an operation, to which everything else refers.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::failure::Failure;
use crate::types::{Ty, TyKind};
use crate::value::Value;
use crate::value::constant::Const;
use crate::value::machine::OpCx;

/// An operation: declared once as a `static`, identified by its address, named uniquely.
pub struct OpDef {
    /// The name in text.
    pub name: &'static str,
    /// The number of operands.
    pub arity: Arity,
    /// The rule for the type of the result.
    pub ty: TypeRule,
    /// The effects besides computing the result.
    pub effects: Effects,
    /// The evaluator.
    pub eval: Eval,
    /// The documentation, usually one sentence.
    pub doc: &'static str,
}

/// The number of operands that an operation takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arity {
    /// Exactly this number.
    Exactly(usize),
    /// At least this number.
    AtLeast(usize),
}

/// The effects of an operation besides computing its result from its operands.
///
/// `Effects::PURE` has none of them: such an operation may be removed, shared and moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// The operation may fail: it is removed only if it is known not to fail, and not moved before another
    /// effect.
    pub fails: bool,
    /// Operands on which the operation does not fail, though it may on others; see [`OpDef::effects_on`].
    pub total_on: TotalOn,
    /// The operation reads state outside of its operands: cells.
    pub reads: bool,
    /// The operation changes state outside of its operands: cells, the output.
    pub writes: bool,
    /// Each result has a separate identity: the operation may be removed or moved, but not shared.
    pub allocates: bool,
}

/// The operands on which an operation that may fail does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TotalOn {
    /// None: it may fail on all operands.
    #[default]
    Nothing,
    /// Scalar floats.
    Floats,
    /// Scalar numbers.
    Scalars,
}

impl Effects {
    /// No effect.
    pub const PURE: Effects =
        Effects { fails: false, total_on: TotalOn::Nothing, reads: false, writes: false, allocates: false };
    /// May fail and has no other effect.
    pub const FAILS: Effects = Effects { fails: true, ..Effects::PURE };
    /// May fail, but not on scalar floats.
    pub const FAILS_ON_INTS: Effects = Effects { total_on: TotalOn::Floats, ..Effects::FAILS };
    /// May fail, but not on scalars.
    pub const FAILS_ON_ARRAYS: Effects = Effects { total_on: TotalOn::Scalars, ..Effects::FAILS };
    /// Reads cells, and fails if they do not contain a value of the required form.
    pub const READS: Effects = Effects { reads: true, ..Effects::FAILS };
    /// Changes cells, and fails if they do not contain a value of the required form.
    pub const WRITES: Effects = Effects { reads: true, writes: true, ..Effects::FAILS };
    /// Creates a cell.
    pub const ALLOCATES: Effects = Effects { allocates: true, ..Effects::PURE };
    /// Writes to the program's output.
    pub const PRINTS: Effects = Effects { writes: true, ..Effects::PURE };
    /// May have any effect, because it calls a function operand.
    pub const CALLS: Effects = Effects { allocates: true, ..Effects::WRITES };
}

/// Computes the type of an operation's result; it is only called with as many operands as the arity allows.
pub type TypeRule = fn(&OperandTys<'_>) -> Result<Ty, TypeFault>;

/// Evaluates an operation. It owns its operands and may move them out of `args`: an array without another
/// owner is updated in place.
pub type Eval = for<'a> fn(&mut OpCx<'_, 'a>, &mut [Value<'a>]) -> Result<Value<'a>, Failure>;

/// The input of a type rule.
#[derive(Clone, Copy, Debug)]
pub struct OperandTys<'a> {
    /// The types of the operands.
    pub args: &'a [Ty],
    /// The operands that are constants (field numbers, axes).
    pub consts: &'a [Option<&'a Const>],
    /// The declared type of the result, if there is one: used by `cast` and by an empty array, for example.
    pub declared: Option<Ty>,
}

/// The reason why operands do not fit an operation: `takes` describes the expected operands; the verifier
/// adds the given ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeFault {
    /// The expected operands, for example `two numbers of one type`.
    pub takes: String,
}

impl TypeFault {
    /// The fault of an operation that takes other operands.
    pub fn takes(what: impl Into<String>) -> TypeFault {
        TypeFault { takes: what.into() }
    }
}

impl OpDef {
    /// Whether the operation takes this number of operands.
    pub fn takes(&self, operands: usize) -> bool {
        match self.arity {
            Arity::Exactly(n) => operands == n,
            Arity::AtLeast(n) => operands >= n,
        }
    }

    /// The effects on operands of these types, which may be fewer than on others.
    pub fn effects_on(&self, args: &[Ty]) -> Effects {
        let total = match self.effects.total_on {
            TotalOn::Nothing => false,
            TotalOn::Floats => args.iter().all(|ty| matches!(ty.kind(), TyKind::Float(_))),
            TotalOn::Scalars => args.iter().all(|ty| ty.is_number()),
        };
        Effects { fails: self.effects.fails && !total, ..self.effects }
    }
}

impl PartialEq for OpDef {
    fn eq(&self, other: &OpDef) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for OpDef {}

impl Hash for OpDef {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self, state);
    }
}

impl fmt::Debug for OpDef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
