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
    /// Its name in text.
    pub name: &'static str,
    /// How many operands it takes.
    pub arity: Arity,
    /// The type of its result, from its operands.
    pub ty: TypeRule,
    /// What it does besides computing its result.
    pub effects: Effects,
    /// Computes it.
    pub eval: Eval,
    /// What it does, in one sentence.
    pub doc: &'static str,
}

/// How many operands an operation takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arity {
    /// Exactly this number.
    Exactly(usize),
    /// At least this number.
    AtLeast(usize),
}

/// What an operation does besides computing its result from its operands.
///
/// `Effects::PURE` has none of them: such an operation may be removed, shared, moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// It may fail: it is removed only where it is known not to fail, and not moved before another effect.
    pub fails: bool,
    /// What it does not fail on, though it may on others; see [`OpDef::effects_on`].
    pub total_on: TotalOn,
    /// It reads state outside of its operands: cells.
    pub reads: bool,
    /// It changes state outside: cells, the output.
    pub writes: bool,
    /// Each of its results has an identity of its own: it may be removed or moved, but not shared.
    pub makes: bool,
}

/// Operands on which an operation that may fail does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TotalOn {
    /// It may fail on all that it takes.
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
        Effects { fails: false, total_on: TotalOn::Nothing, reads: false, writes: false, makes: false };
    /// May fail and has no other effect.
    pub const FAILS: Effects = Effects { fails: true, ..Effects::PURE };
    /// May fail, but not on scalar floats.
    pub const FAILS_ON_INTS: Effects = Effects { total_on: TotalOn::Floats, ..Effects::FAILS };
    /// May fail, but not on scalars.
    pub const FAILS_ON_ARRAYS: Effects = Effects { total_on: TotalOn::Scalars, ..Effects::FAILS };
    /// Reads cells, and fails where they do not hold what it reads.
    pub const READS: Effects = Effects { reads: true, ..Effects::FAILS };
    /// Changes cells, and fails where they do not hold what it changes.
    pub const WRITES: Effects = Effects { reads: true, writes: true, ..Effects::FAILS };
    /// Makes a cell.
    pub const MAKES: Effects = Effects { makes: true, ..Effects::PURE };
    /// Writes to the program's output.
    pub const PRINTS: Effects = Effects { writes: true, ..Effects::PURE };
    /// May do anything: it calls a function that it is given.
    pub const CALLS: Effects = Effects { makes: true, ..Effects::WRITES };
}

/// Computes the type of an operation's result; it is asked about as many operands as the arity allows.
pub type TypeRule = fn(&OperandTys<'_>) -> Result<Ty, TypeFault>;

/// Evaluates an operation. It owns its operands and may take them out of `args`: an array without another owner is
/// updated in place.
pub type Eval = for<'a> fn(&mut OpCx<'_, 'a>, &mut [Value<'a>]) -> Result<Value<'a>, Failure>;

/// What a type rule sees.
#[derive(Clone, Copy, Debug)]
pub struct OperandTys<'a> {
    /// The types of the operands.
    pub args: &'a [Ty],
    /// The operands that are constants (field numbers, axes).
    pub consts: &'a [Option<&'a Const>],
    /// The type that the result is declared to have, where it is: what `cast` or an empty array goes by.
    pub declared: Option<Ty>,
}

/// Why operands do not fit an operation: `takes` says what it takes; the verifier adds what it got.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeFault {
    /// `two numbers of one type`
    pub takes: String,
}

impl TypeFault {
    /// The fault of an operation that takes something else.
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

    /// Its effects on operands of these types, which may be fewer than on others.
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
