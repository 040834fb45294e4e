//! Expressions, patterns and statements of a body.

use std::sync::Arc;

use overdub_context::{Span, Symbol};

use super::{ConstArg, DefId, ExprId, GenericArg, LocalId, ParamRef, PatId, Prim, TraitRef, Type};

/// A variable.
#[derive(Clone, Debug)]
pub struct Local {
    /// The name.
    pub name: Symbol,
    /// Whether it is declared `mut`.
    pub mutable: bool,
    /// The source location.
    pub span: Span,
    /// Whether the source declares it, rather than a macro or a desugaring.
    pub in_source: bool,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The kind of the expression.
    pub kind: ExprKind,
    /// The source location; for the expansion of a macro, that of the macro call.
    pub span: Span,
}

/// A literal.
#[derive(Clone, PartialEq, Debug)]
pub enum Lit {
    /// An integer, with its suffix (which may be a float's: `1f64`).
    Int(u128, Option<Prim>),
    /// A float as its digits, without underscores and suffix.
    Float(Symbol, Option<Prim>),
    /// A bool.
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
    /// A function, constant, static, or the constructor of a struct or variant. `args` are all the explicit
    /// arguments: for a variant those of its enum (`Option::<f64>::None` or `None::<f64>`), otherwise the
    /// item's own.
    Def(DefId, Vec<GenericArg>),
    /// A const parameter.
    ConstParam(ParamRef),
    /// An item found through a type: `f64::sin`, `T::zero`, `Vec::<f64>::new`, `Self::LAST`, `Shape::Circle`
    /// through `Self` or an alias, `<T as Trait>::f`.
    Assoc {
        /// The type before `::`.
        base: Type,
        /// The trait, if it is explicit.
        of: Option<TraitRef>,
        /// The function or constant.
        name: Symbol,
        /// The item's own arguments.
        args: Vec<GenericArg>,
        /// The traits whose items are in scope here; empty if `of` is explicit.
        traits: Arc<[DefId]>,
    },
    /// A trait's function or constant through the trait: `Default::default`, `Iterator::next`.
    TraitItem {
        /// The trait, with `Self` to be inferred; omitted arguments are also to be inferred.
        of: TraitRef,
        /// The item of the trait.
        item: DefId,
        /// The item's own arguments.
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

/// The kind of an expression.
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
        /// The source location of `f`.
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
        /// `&raw`: a pointer and not a reference.
        raw: bool,
        /// `x`
        place: ExprId,
    },
    /// `x as T`
    Cast(ExprId, Type),
    /// `{ …; x }`
    Block(Block),
    /// `if c { a } else { b }`; the condition may contain [`ExprKind::Let`] under `&&`.
    If(ExprId, ExprId, Option<ExprId>),
    /// `let p = x` as a condition: binds the variables of `p` if it matches.
    Let(PatId, ExprId),
    /// `match x { … }`
    Match(ExprId, Vec<Arm>),
    /// `loop { … }`
    Loop(ExprId),
    /// Leaves the loop or the labelled block `target`.
    Break {
        /// The [`ExprKind::Loop`] or [`ExprKind::Block`].
        target: ExprId,
        /// The value.
        value: Option<ExprId>,
    },
    /// Continues with the next iteration of the loop `target`.
    Continue {
        /// The [`ExprKind::Loop`].
        target: ExprId,
    },
    /// `return x`, from the enclosing closure or function.
    Return(Option<ExprId>),
    /// `|x: T| -> R { … }`
    Closure {
        /// The parameters.
        params: Vec<(PatId, Type)>,
        /// The return type; may be `_`.
        ret: Type,
        /// The body.
        body: ExprId,
        /// `move`
        by_move: bool,
    },
    /// `S { x, ..base }`, `Variant { x }`
    Struct {
        /// The struct or variant.
        path: CtorPath,
        /// The fields, in the order of evaluation.
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
    /// A construct that can never be lowered: inference reports this message as an error when it reaches it.
    Unsupported(Symbol),
}

/// The struct or variant that a literal or a pattern names.
#[derive(Clone, Debug)]
pub enum CtorPath {
    /// A struct or a variant with the explicit arguments (a variant's are its enum's).
    Def(DefId, Vec<GenericArg>),
    /// Through a type: `Self`, an alias, `Self::Variant`, `Alias::Variant`.
    Type(Type, Option<Symbol>),
}

/// A block.
#[derive(Clone, Default, Debug)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// The value.
    pub tail: Option<ExprId>,
    /// Whether the temporaries of its statements live as long as the block, because it is the desugaring of a
    /// `for`.
    pub keeps_temporaries: bool,
    /// Whether it is `const { … }`.
    pub is_const: bool,
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
        /// The diverging expression for values that `p` does not match.
        otherwise: Option<ExprId>,
    },
    /// `x;`
    Expr(ExprId),
}

/// An arm of a `match`.
#[derive(Clone, Debug)]
pub struct Arm {
    /// The pattern.
    pub pat: PatId,
    /// `if …`, which may contain [`ExprKind::Let`].
    pub guard: Option<ExprId>,
    /// The body.
    pub body: ExprId,
}

/// A pattern.
#[derive(Clone, Debug)]
pub struct Pat {
    /// The kind of the pattern.
    pub kind: PatKind,
    /// The source location.
    pub span: Span,
}

/// The kind of a pattern.
#[derive(Clone, Debug)]
pub enum PatKind {
    /// `_`
    Wild,
    /// A binding: `x`, `ref mut x`, `x @ p`. (`..` among the parts of a slice is in [`PatKind::Slice`];
    /// elsewhere it is a position.)
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
        /// The lower bound.
        low: Option<ExprId>,
        /// The upper bound.
        high: Option<ExprId>,
        /// Whether `high` is included.
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
        /// The patterns before `..`; all, if there is none.
        before: Vec<PatId>,
        /// The pattern for the remaining elements (`..`), as a slice.
        rest: Option<PatId>,
        /// The patterns after `..`.
        after: Vec<PatId>,
    },
    /// `&p`
    Ref(PatId),
    /// `a | b`
    Or(Vec<PatId>),
}

impl PatKind {
    /// The patterns in the pattern, in their order.
    pub fn parts(&self) -> Vec<PatId> {
        match self {
            PatKind::Bind { sub, .. } => sub.iter().copied().collect(),
            PatKind::TupleStruct(_, pats, _) | PatKind::Tuple(pats, _) | PatKind::Or(pats) => pats.clone(),
            PatKind::Struct(_, fields) => fields.iter().map(|&(_, pat)| pat).collect(),
            PatKind::Slice { before, rest, after } => {
                before.iter().chain(rest).chain(after).copied().collect()
            }
            PatKind::Ref(pat) => vec![*pat],
            PatKind::Wild | PatKind::Lit(_) | PatKind::Range { .. } | PatKind::Path(_) => vec![],
        }
    }
}

/// The index of the field that each pattern of a tuple of `len` fields matches; the tuple may contain `..`.
pub fn positions(pats: &[PatId], rest: Option<usize>, len: usize) -> Vec<(PatId, usize)> {
    let before = rest.unwrap_or(pats.len());
    let skipped = len.saturating_sub(pats.len());
    pats.iter().enumerate().map(|(at, &pat)| (pat, if at < before { at } else { at + skipped })).collect()
}

/// `format_args!("{x:>8.3} {}", y)`: the pieces in order.
#[derive(Clone, Debug)]
pub struct FormatArgs {
    /// The texts and placeholders.
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
        /// The index in [`FormatArgs::args`].
        index: usize,
        /// The format specification.
        spec: FormatSpec,
    },
}

/// The format specification of an argument.
#[derive(Clone, Debug)]
pub struct FormatSpec {
    /// The trait: `Display`, `Debug`, `LowerExp`, `UpperExp`, `LowerHex`, `UpperHex`, `Binary`, `Octal`.
    pub style: Symbol,
    /// `#`
    pub alternate: bool,
    /// `+`
    pub plus: bool,
    /// `-`: means nothing to the types of the library.
    pub minus: bool,
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
    /// The index of an argument: `w$`, `.*`.
    Arg(usize),
}
