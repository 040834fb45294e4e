//! Expressions, patterns and statements of a body.

use std::sync::Arc;

use overdub_context::{Span, Symbol};

use super::{ConstArg, DefId, ExprId, GenericArg, LocalId, ParamRef, PatId, Prim, TraitRef, Type};

/// A variable.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name.
    pub name: Symbol,
    /// Whether it is declared `mut`.
    pub mutable: bool,
    /// Where.
    pub span: Span,
    /// Whether the source declares it: not a macro, nor what a construct stands for.
    pub is_written: bool,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it is written; for the expansion of a macro, where the macro is called.
    pub span: Span,
}

/// A literal.
#[derive(Clone, PartialEq, Debug)]
pub enum Lit {
    /// An integer, with its suffix (which may be a float's: `1f64`).
    Int(u128, Option<Prim>),
    /// A float as its digits, without underscores and suffix.
    Float(Symbol, Option<Prim>),
    /// A truth value.
    Bool(bool),
    /// A character.
    Char(char),
    /// A string.
    Str(Symbol),
    /// `b'a'`
    Byte(u8),
    /// `b"abc"`
    ByteStr(Arc<[u8]>),
}

/// A path to a value.
#[derive(Clone, Debug)]
pub enum ValuePath {
    /// A variable.
    Local(LocalId),
    /// A function, constant, static, or the constructor of a struct or variant. `args` are all that the path
    /// writes: for a variant those of its enum (`Option::<f64>::None` or `None::<f64>`), else the item's own.
    Def(DefId, Vec<GenericArg>),
    /// A const parameter.
    ConstParam(ParamRef),
    /// Found through a type: `f64::sin`, `T::zero`, `Vec::<f64>::new`, `Self::LAST`, `Shape::Circle` through
    /// `Self` or an alias, `<T as Trait>::f`.
    Assoc {
        /// The type before `::`.
        base: Type,
        /// The trait, where it is written.
        of: Option<TraitRef>,
        /// The function or constant.
        name: Symbol,
        /// Its own arguments.
        args: Vec<GenericArg>,
        /// The traits whose items are in scope here; empty where `of` is written.
        traits: Arc<[DefId]>,
    },
    /// A trait's function or constant through the trait: `Default::default`, `Iterator::next`.
    TraitItem {
        /// The trait, `Self` to be inferred; arguments not written are to be inferred.
        of: TraitRef,
        /// The item in the trait.
        item: DefId,
        /// Its own arguments.
        args: Vec<GenericArg>,
    },
    /// `Self(…)` or `Self` as a value, in this impl.
    SelfCtor(DefId),
}

/// An operator that is not lazy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// A prefix operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum UnOp {
    Neg,
    Not,
    Deref,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `1.0`
    Lit(Lit),
    /// `x`, `f64::sin`, `None`
    Path(ValuePath),
    /// `-x`, `!x`, `*x`
    Unary(UnOp, ExprId),
    /// `a + b`, `a < b`
    Binary(BinOp, ExprId, ExprId),
    /// `a && b`
    And(ExprId, ExprId),
    /// `a || b`
    Or(ExprId, ExprId),
    /// `a = b` (a destructuring assignment is a `let` and assignments).
    Assign(ExprId, ExprId),
    /// `a += b`
    AssignOp(BinOp, ExprId, ExprId),
    /// `f(a, b)`
    Call(ExprId, Vec<ExprId>),
    /// `x.f::<T>(a, b)`
    MethodCall {
        /// `x`
        receiver: ExprId,
        /// `f`
        name: Symbol,
        /// Where `f` is written.
        name_span: Span,
        /// `T`
        generic_args: Vec<GenericArg>,
        /// `a, b`
        args: Vec<ExprId>,
        /// The traits whose methods are in scope here.
        traits: Arc<[DefId]>,
    },
    /// `x.name`, `x.0`
    Field(ExprId, Symbol),
    /// `x[i]`
    Index(ExprId, ExprId),
    /// `&x`, `&mut x`, `&raw const x`, `&raw mut x`
    AddrOf {
        /// `&mut`
        mutable: bool,
        /// `&raw`: a pointer, not a reference.
        raw: bool,
        /// `x`
        place: ExprId,
    },
    /// `x as T`
    Cast(ExprId, Type),
    /// `{ …; x }`
    Block(Block),
    /// `if c { a } else { b }`; the condition may hold [`ExprKind::Let`] under `&&`.
    If(ExprId, ExprId, Option<ExprId>),
    /// `let p = x` as a condition: binds `p` where it is true.
    Let(PatId, ExprId),
    /// `match x { … }`
    Match(ExprId, Vec<Arm>),
    /// `loop { … }`
    Loop(ExprId),
    /// Leaves the loop or the labelled block `target`.
    Break {
        /// The [`ExprKind::Loop`] or [`ExprKind::Block`].
        target: ExprId,
        /// With a value.
        value: Option<ExprId>,
    },
    /// Goes on with the next round of the loop `target`.
    Continue {
        /// The [`ExprKind::Loop`].
        target: ExprId,
    },
    /// `return x`, from the closure or the function around it.
    Return(Option<ExprId>),
    /// `|x: T| -> R { … }`
    Closure {
        /// Its parameters.
        params: Vec<(PatId, Type)>,
        /// What it returns; may be `_`.
        ret: Type,
        /// What it does.
        body: ExprId,
        /// `move`
        by_move: bool,
    },
    /// `S { x, ..base }`, `Variant { x }`
    Struct {
        /// The struct or variant.
        path: CtorPath,
        /// Its fields, in the order of evaluation.
        fields: Vec<(Symbol, ExprId)>,
        /// `..base`
        base: Option<ExprId>,
    },
    /// `()`, `(a, b)`
    Tuple(Vec<ExprId>),
    /// `[a, b]`
    Array(Vec<ExprId>),
    /// `[a; n]`
    Repeat(ExprId, ConstArg),
    /// `x?`
    Try(ExprId),
    /// `format_args!(…)`
    Format(FormatArgs),
    /// A construct that can never be lowered: an error with this message when it is reached by inference.
    Unsupported(Symbol),
}

/// The struct or variant that a literal or a pattern names.
#[derive(Clone, Debug)]
pub enum CtorPath {
    /// A struct or a variant with the arguments written (a variant's are its enum's).
    Def(DefId, Vec<GenericArg>),
    /// Through a type: `Self`, an alias, `Self::Variant`, `Alias::Variant`.
    Type(Type, Option<Symbol>),
}

/// A block.
#[derive(Clone, Default, Debug)]
pub struct Block {
    /// Its statements.
    pub stmts: Vec<Stmt>,
    /// Its value.
    pub tail: Option<ExprId>,
    /// Whether the temporaries of its statements live as long as it does: it is what a `for` stands for.
    pub keeps_temporaries: bool,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// `let p: T = x else { … };`
    Let {
        /// `p`
        pat: PatId,
        /// `T`, or `_`
        ty: Type,
        /// `x`
        init: Option<ExprId>,
        /// What diverges where `p` does not match.
        otherwise: Option<ExprId>,
    },
    /// `x;`
    Expr(ExprId),
}

/// An arm of a `match`.
#[derive(Clone, Debug)]
pub struct Arm {
    /// What it matches.
    pub pat: PatId,
    /// `if …`, which may hold [`ExprKind::Let`].
    pub guard: Option<ExprId>,
    /// What it does.
    pub body: ExprId,
}

/// A pattern.
#[derive(Clone, Debug)]
pub struct Pat {
    /// What it is.
    pub kind: PatKind,
    /// Where it is written.
    pub span: Span,
}

/// What a pattern is.
#[derive(Clone, Debug)]
pub enum PatKind {
    /// `_`
    Wild,
    /// `..` among the parts of a slice is in [`PatKind::Slice`]; elsewhere it is a position.
    /// `x`, `ref mut x`, `x @ p`
    Bind {
        /// The variable (in an or-pattern all alternatives bind the same one).
        local: LocalId,
        /// `ref`, `ref mut`
        by_ref: Option<bool>,
        /// `p`
        sub: Option<PatId>,
    },
    /// `1`, `-2.0`, `"a"`
    Lit(ExprId),
    /// `1..=9`, `..0`: literals or paths to constants.
    Range {
        /// The least.
        low: Option<ExprId>,
        /// The greatest.
        high: Option<ExprId>,
        /// Whether `high` belongs to it.
        inclusive: bool,
    },
    /// `None`, `f64::MAX`, `Self::A`: a unit variant, unit struct or constant.
    Path(ValuePath),
    /// `Some(x)`, with the position of `..`.
    TupleStruct(CtorPath, Vec<PatId>, Option<usize>),
    /// `Point { x, y: p, .. }`
    Struct(CtorPath, Vec<(Symbol, PatId)>),
    /// `(a, b)`, with the position of `..`.
    Tuple(Vec<PatId>, Option<usize>),
    /// `[first, .., last]`, `[head, rest @ ..]`
    Slice {
        /// Before `..`; all, where there is none.
        before: Vec<PatId>,
        /// `..`: the pattern that its elements match, as a slice.
        rest: Option<PatId>,
        /// After `..`.
        after: Vec<PatId>,
    },
    /// `&p`
    Ref(PatId),
    /// `a | b`
    Or(Vec<PatId>),
}

/// `format_args!("{x:>8.3} {}", y)`: pieces in order.
#[derive(Clone, Debug)]
pub struct FormatArgs {
    /// Text and places.
    pub pieces: Vec<FormatPiece>,
    /// The arguments, each evaluated once, by reference.
    pub args: Vec<ExprId>,
}

/// A piece of a format string.
#[derive(Clone, Debug)]
pub enum FormatPiece {
    /// Text.
    Text(Symbol),
    /// An argument.
    Arg {
        /// Which of [`FormatArgs::args`].
        index: usize,
        /// How.
        spec: FormatSpec,
    },
}

/// How an argument is formatted.
#[derive(Clone, Debug)]
pub struct FormatSpec {
    /// The trait: `Display`, `Debug`, `LowerExp`, `UpperExp`, `LowerHex`, `UpperHex`, `Binary`, `Octal`.
    pub style: Symbol,
    /// `#`
    pub alternate: bool,
    /// `+`
    pub plus: bool,
    /// `0`
    pub zero: bool,
    /// The fill character.
    pub fill: char,
    /// `<`, `^`, `>`
    pub align: Option<char>,
    /// Integers in `{:x?}` and `{:X?}`: `x`, `X`.
    pub hex: Option<char>,
    /// The width.
    pub width: Option<FormatCount>,
    /// The precision.
    pub precision: Option<FormatCount>,
}

/// A width or a precision.
#[derive(Clone, Debug)]
pub enum FormatCount {
    /// `8`
    Value(usize),
    /// `w$`, `.*`: which argument.
    Arg(usize),
}
