//! A function as steps that each run for all lanes.
//!
//! Words are registers with 64 bits for each lane: floats as their bits, integers extended to 64 bits. Masks are registers
//! with one bit for each lane.

use overdub_context::ir::{IntTy, Ty};
use overdub_context::ops::OpDef;
use overdub_context::value::Value;

use crate::layout::Leaf;

/// A part of a value, and where it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Place {
    Word(u32),
    Mask(u32),
    /// The number of an array.
    Array(u32),
    /// The number of a stack.
    Stack(u32),
}

/// Where an array comes from.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// The argument of this number.
    Param(usize),
    Const(Value<'static>),
    /// Each element has its own, of elements of this type, which it changes in place.
    Own(Ty),
}

/// An operation on floats by SIMD instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unary {
    Neg,
    Abs,
    Sqrt,
    /// From a signed, or an unsigned integer.
    FromSigned,
    FromUnsigned,
    /// Those of [`overdub_passes::fast_math`].
    Exp,
    Ln,
    Tanh,
    Sin,
    Cos,
}

/// An operation by SIMD instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    MulZero,
    /// That of [`overdub_passes::fast_math`].
    Powf,
    And,
    Or,
    Xor,
}

/// An operation on integers that may overflow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arith {
    Add,
    Sub,
    Mul,
}

/// A division of integers, which rounds towards zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Division {
    Quotient,
    Remainder,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Compared {
    Floats,
    Signed,
    Unsigned,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Logic {
    And,
    Or,
    Xor,
    Not,
}

/// A function of floats: the operation that it is, and how it is computed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Function<F> {
    pub(crate) op: &'static OpDef,
    pub(crate) run: F,
}

/// A function of one float, and one of two.
pub(crate) type OfOne = fn(f64) -> f64;
pub(crate) type OfTwo = fn(f64, f64) -> f64;

/// What all lanes do, or those that are at the block. Lanes that are not there compute something that nobody reads.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Unary(Unary, u32, u32),
    Binary(Binary, u32, u32, u32),
    /// The lane fails if the result does not fit the type.
    Checked(Arith, IntTy, u32, u32, u32),
    Wrapping(Arith, IntTy, u32, u32, u32),
    Division(Division, IntTy, u32, u32, u32),
    /// An integer modulo the width of a type.
    Wrap(IntTy, u32, u32),
    /// A float as an integer of a type, by a function of the words.
    ToInt(IntTy, fn(u64) -> u64, u32, u32),
    Compare(Relation, Compared, u32, u32, u32),
    Logic(Logic, u32, u32, u32),
    /// The condition, and one word or the other.
    Select(u32, u32, u32, u32),
    SelectMask(u32, u32, u32, u32),
    /// A function of one float, lane by lane.
    Call(Function<OfOne>, u32, u32),
    Call2(Function<OfTwo>, u32, u32, u32),
    /// An element of a shared array of floats; the lane fails if there is none.
    Gather(u32, u32, u32),
    /// The lane fails unless the word is this one.
    Require(u32, u64),
    StackNew(u32),
    Push(u32, Vec<Place>),
    Pop(u32, Vec<Place>),
    Peek(u32, Vec<Place>),
    StackLen(u32, u32),
    /// An array of an element's own: its length, and what all of it is.
    Repeat(u32, u32, Place),
    /// An array of an element's own, of these.
    List(u32, Vec<Place>),
    /// Replaces an element of such an array, at an index; it fails if there is none.
    Set(u32, u32, Place),
    /// An element of such an array, at an index; it fails if there is none.
    Element(Place, u32, u32),
    /// The length of an array: of such a one, or of one that all elements share.
    ArrayLen(u32, u32),
    /// Any operation, lane by lane, by its evaluator.
    Eval(Box<Eval>),
}

/// An operation that is evaluated lane by lane.
#[derive(Clone, Debug)]
pub(crate) struct Eval {
    pub(crate) op: &'static OpDef,
    pub(crate) args: Vec<(Ty, Vec<Place>)>,
    pub(crate) ret: Ty,
    pub(crate) result: Vec<Place>,
}

/// A step, and whether its result is used by other blocks: then it must not change that of lanes that wait in these.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    pub(crate) step: Step,
    pub(crate) is_masked: bool,
}

/// A branch: a block, and the moves to its parameters, in an order in which none overwrites what another reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edge {
    pub(crate) to: u32,
    /// The register that is written, and the one that is read.
    pub(crate) words: Vec<(u32, u32)>,
    pub(crate) masks: Vec<(u32, u32)>,
}

/// How a block ends.
#[derive(Clone, Debug)]
pub(crate) enum Exit {
    Branch(Edge),
    If(u32, Edge, Edge),
    /// The word that is compared, the cases, and the edge of other words.
    Switch(u32, Vec<(u64, Edge)>, Option<Edge>),
    Return(Vec<Place>),
    Fail,
}

#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) steps: Vec<Planned>,
    pub(crate) exit: Exit,
    /// Whether a step needs the mask.
    pub(crate) is_masked: bool,
    /// The number of loops that the block is in.
    pub(crate) depth: u32,
}

/// A function as steps for all lanes. Its blocks are in reverse postorder.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) blocks: Vec<Block>,
    /// The number of registers.
    pub(crate) words: usize,
    /// Those before this one are read in other blocks than the one that writes them, or are of parameters and constants (ASSIGN1).
    pub(crate) shared: usize,
    pub(crate) masks: usize,
    pub(crate) stacks: usize,
    /// Registers that hold the same for all lanes throughout.
    pub(crate) constants: Vec<(u32, u64)>,
    pub(crate) constant_masks: Vec<(u32, u64)>,
    /// What runs once, for all lanes, before the first element (UNIFORM1).
    pub(crate) uniform: Vec<Planned>,
    pub(crate) arrays: Vec<Origin>,
    /// For each parameter, its type, where its parts are, and whether each element has its own.
    pub(crate) params: Vec<(Ty, Vec<Place>, bool)>,
    /// The parts of the result.
    pub(crate) returns: Vec<Leaf>,
}

/// Whether a register is read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    Read,
    Write,
}
