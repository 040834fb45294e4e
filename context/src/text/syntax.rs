//! The syntax tree of the text form, before names, types and literals are resolved.

use super::error::ByteRange;
use crate::ir::{FloatTy, IntTy};
use crate::{Span, Symbol};

/// A node with its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct At<T> {
    pub(super) node: T,
    pub(super) at: ByteRange,
}

pub(super) type Name = At<Symbol>;
pub(super) type TypeSyntax = At<TypeKind>;
pub(super) type Literal<'t> = At<LiteralKind<'t>>;

#[derive(Clone, Debug)]
pub(super) enum TypeKind {
    /// An omitted type: `_`.
    Infer,
    /// `f64`, `Point`, `Option<f64>`
    Named(Symbol, Vec<TypeSyntax>),
    Tuple(Vec<TypeSyntax>),
    Array(Box<TypeSyntax>, u32),
    Fn(Vec<TypeSyntax>, Box<TypeSyntax>),
    Closure(Symbol, Vec<TypeSyntax>),
    Stack(Box<TypeSyntax>),
    Ref(Box<TypeSyntax>),
    Opaque(Symbol),
}

#[derive(Clone, Debug)]
pub(super) enum LiteralKind<'t> {
    Bool(bool),
    Char(char),
    Str(String),
    Int {
        negative: bool,
        magnitude: u128,
        suffix: Option<IntTy>,
    },
    Float {
        number: FloatSyntax<'t>,
        suffix: Option<FloatTy>,
    },
    /// `(a, b)`, `()`
    Tuple(Vec<Literal<'t>>),
    /// `[a, b]`, `[a, b, c, d; shape [2, 2]]`
    List(Vec<Literal<'t>>, Option<Vec<usize>>),
    /// `stack [a, b]`
    Stack(Vec<Literal<'t>>),
    /// `Point { x: 1.0 }`, `Some(1.0)`, `None`
    Named(Symbol, FieldsSyntax<'t>),
    /// `@f`
    Func(Symbol),
}

#[derive(Clone, Debug)]
pub(super) enum FloatSyntax<'t> {
    Decimal(&'t str),
    /// `nan`, or `nan:0x…` with these bits
    Nan(Option<u64>),
    /// `inf`, `-inf`
    Inf {
        negative: bool,
    },
}

#[derive(Clone, Debug)]
pub(super) enum FieldsSyntax<'t> {
    None,
    Positional(Vec<Literal<'t>>),
    Named(Vec<(Name, Literal<'t>)>),
}

#[derive(Clone, Debug)]
pub(super) enum OperandSyntax<'t> {
    Var(Name),
    /// A scalar.
    Literal(Literal<'t>),
}

#[derive(Debug)]
pub(super) enum CalleeSyntax {
    Func(Name),
    Value(Name),
}

#[derive(Debug)]
pub(super) struct DeclSyntax {
    pub(super) name: Name,
    pub(super) args: Vec<TypeSyntax>,
    pub(super) body: DeclBody,
}

impl DeclSyntax {
    pub(super) fn is_struct(&self) -> bool {
        matches!(self.body, DeclBody::Struct(_))
    }
}

#[derive(Debug)]
pub(super) enum DeclBody {
    Struct(Vec<(Name, TypeSyntax)>),
    Enum(Vec<(Name, Vec<(Name, TypeSyntax)>)>),
}

#[derive(Debug)]
pub(super) struct FuncSyntax<'t> {
    pub(super) name: Name,
    pub(super) ret: TypeSyntax,
    pub(super) span: Option<Span>,
    pub(super) blocks: Vec<BlockSyntax<'t>>,
    /// The names that malformed lines would have defined.
    pub(super) broken: Vec<Broken>,
}

/// A name defined by a malformed line.
#[derive(PartialEq, Debug)]
pub(super) enum Broken {
    Var(Symbol),
    Block(Symbol),
}

#[derive(Debug)]
pub(super) struct BlockSyntax<'t> {
    /// The label of the block; the entry has none.
    pub(super) name: Option<Name>,
    pub(super) params: Vec<(Name, TypeSyntax)>,
    pub(super) insts: Vec<InstSyntax<'t>>,
    pub(super) terminator: Option<At<TerminatorSyntax<'t>>>,
    /// The position at which a missing terminator is reported.
    pub(super) end: ByteRange,
    /// Whether the block has a malformed line.
    pub(super) broken: bool,
}

#[derive(Debug)]
pub(super) struct InstSyntax<'t> {
    pub(super) result: Name,
    pub(super) ty: TypeSyntax,
    pub(super) body: InstBody<'t>,
    pub(super) at: ByteRange,
    pub(super) span: Option<Span>,
}

#[derive(Debug)]
pub(super) enum InstBody<'t> {
    Const(Literal<'t>),
    Op(Name, Vec<OperandSyntax<'t>>),
    Call(CalleeSyntax, Vec<OperandSyntax<'t>>),
    Overdub(CalleeSyntax, Vec<OperandSyntax<'t>>),
}

#[derive(Debug)]
pub(super) struct TerminatorSyntax<'t> {
    pub(super) kind: TerminatorBody<'t>,
    pub(super) span: Option<Span>,
}

#[derive(Debug)]
pub(super) enum TerminatorBody<'t> {
    Br(TargetSyntax<'t>),
    BrIf(OperandSyntax<'t>, TargetSyntax<'t>, TargetSyntax<'t>),
    Switch(OperandSyntax<'t>, Vec<(i128, TargetSyntax<'t>)>, Option<TargetSyntax<'t>>),
    Ret(OperandSyntax<'t>),
    Fail(OperandSyntax<'t>),
}

#[derive(Debug)]
pub(super) struct TargetSyntax<'t> {
    pub(super) block: Name,
    pub(super) args: Vec<OperandSyntax<'t>>,
}
