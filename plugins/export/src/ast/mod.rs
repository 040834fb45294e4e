//! Statements and expressions, before they are printed in a language.

mod stmts;

use overdub_context::ir::{Const, Ty};
use overdub_context::ops::OpDef;
use overdub_context::{Span, Symbol};

pub(crate) use stmts::{diverge, each_local, mentions};

/// A variable of the exported function, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Local(pub(crate) u32);

/// A loop or block, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Label(pub(crate) u32);

/// The properties of a local variable.
#[derive(Clone, Debug)]
pub(crate) struct LocalInfo {
    pub(crate) ty: Ty,
    /// The name, if the source has one.
    pub(crate) name: Option<String>,
    /// Whether it holds a reference to a value rather than the value.
    pub(crate) is_ref: bool,
    /// Whether it is assigned or changed after its first assignment.
    pub(crate) is_mut: bool,
}

/// A slice of the caller to which a part of the result is written, by its number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Destination {
    pub(crate) slice: Local,
    pub(crate) part: usize,
}

/// A function.
#[derive(Clone)]
pub(crate) struct Function {
    pub(crate) symbol: Symbol,
    pub(crate) span: Span,
    pub(crate) params: Vec<Local>,
    /// The slices of the caller to which it writes vectors of its result; they follow the parameters.
    pub(crate) destinations: Vec<Destination>,
    /// Whether it takes a workspace, after these.
    pub(crate) has_workspace: bool,
    pub(crate) ret: Ty,
    pub(crate) locals: Vec<LocalInfo>,
    pub(crate) body: Vec<Stmt>,
    /// The depth of its dominator tree, which bounds the nesting of statements.
    pub(crate) depth: usize,
}

/// How an operand is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// It is read, or copied if its type is one of those that are.
    Read,
    /// Its value is moved; it is not used again.
    Move,
    /// Its value is cloned.
    Clone,
}

/// An operand.
#[derive(Clone, Debug)]
pub(crate) struct Arg {
    pub(crate) expr: Expr,
    pub(crate) how: Use,
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) enum Expr {
    /// A constant of this type.
    Const(Const, Ty),
    /// A local variable.
    Local(Local),
    /// An operation or a call.
    Apply(Box<Apply>),
}

/// An operation or a call with its operands.
#[derive(Clone, Debug)]
pub(crate) struct Apply {
    pub(crate) callee: Callee,
    pub(crate) args: Vec<Arg>,
    /// The types of the operands.
    pub(crate) tys: Vec<Ty>,
    /// The type of the result.
    pub(crate) ty: Ty,
    pub(crate) span: Span,
    /// Whether integer arithmetic is known to fit its type; of a sine or cosine without branches, whether it may be the one for small
    /// angles.
    pub(crate) is_exact: bool,
}

/// What is applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Callee {
    Op(&'static OpDef),
    Func(Symbol),
    /// The function value that is the first operand.
    Value,
}

/// A statement with its place in the source.
#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    pub(crate) kind: StmtKind,
    pub(crate) span: Span,
}

/// The forms of statements.
#[derive(Clone, Debug)]
pub(crate) enum StmtKind {
    /// The declaration of a local that is assigned later.
    Declare(Local),
    /// The assignment of a value, or of the parts of a tuple if it `splits`; `declares` if it is also the declaration.
    Assign {
        targets: Vec<Option<Local>>,
        splits: bool,
        value: Arg,
        declares: bool,
    },
    /// An operation that changes a local in place, and may take a part out of it. The operands are the others.
    Update {
        local: Local,
        apply: Apply,
        part: Option<Local>,
        declares: bool,
    },
    /// A local is the elements of an array from `start`, or none if there are not `len` of them.
    Slice {
        local: Local,
        array: Local,
        start: Expr,
        len: Expr,
        is_mut: bool,
    },
    /// What runs over slices if all exist, and what runs otherwise; they are made first, among what their bounds are computed from.
    Sliced {
        slices: Vec<Stmt>,
        over: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    /// A list gets room for more elements, if there is memory for them.
    Reserve {
        list: Local,
        room: Expr,
    },
    /// A local is the last `count` records of a tape, which gets them first if they are new.
    Records {
        local: Local,
        tape: Local,
        count: Expr,
        is_new: bool,
    },
    /// The last `count` records of a tape are removed.
    DropRecords {
        tape: Local,
        count: Expr,
    },
    /// The elements of a slice of the caller become zero; it fails if there are not `len` of them.
    Zero {
        slice: Local,
        len: Expr,
    },
    /// The declaration of a local that is an array on the stack: copies of a constant, whose number is a constant, too.
    StackArray {
        local: Local,
        element: Expr,
        len: Expr,
    },
    /// It fails if there are not `len` elements in a slice of the caller.
    Fit {
        slice: Local,
        len: Expr,
    },
    /// The elements of a slice of the caller from a place on become zero.
    ZeroFrom {
        slice: Local,
        from: Expr,
    },
    /// The elements of a vector are copied to a slice of the caller; it fails if there are more or less of them.
    Copy {
        slice: Local,
        from: Expr,
    },
    /// A local is a vector in the workspace, which is filled with a number of copies of a constant, or is empty.
    Reuse {
        local: Local,
        fill: Option<(Expr, Expr)>,
    },
    /// The sum of a value for each number below `count`, in any order, is added to a local, or subtracted from it.
    Sum {
        total: Local,
        subtracts: bool,
        counter: Local,
        count: Expr,
        body: Vec<Stmt>,
        value: Expr,
    },
    /// Products of matrices are added to others by kernels, or else by a nest of loops.
    MatrixProducts {
        products: Vec<MatrixProduct>,
        /// What follows after the kernels.
        resets: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    /// A call or operation for its effect.
    Effect(Expr),
    If {
        cond: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    /// A multiway branch by number; the last arm may be for all others.
    Switch {
        on: Expr,
        ty: Ty,
        arms: Vec<Arm>,
        otherwise: Option<Vec<Stmt>>,
    },
    Loop {
        label: Label,
        kind: LoopKind,
        body: Vec<Stmt>,
    },
    Block {
        label: Label,
        body: Vec<Stmt>,
    },
    Break(Label),
    Continue(Label),
    Return(Arg),
    /// The end of the program, with this message.
    Fail(Expr),
    /// The end of the value that a local owns, where the language does not end it by itself.
    Drop(Local),
    /// A local gets an empty value, which may be dropped: its own was moved.
    Clear(Local),
}

/// What becomes of the products of a matrix product.
#[derive(Clone, Debug)]
pub(crate) enum Reduction {
    /// Each is added to an element.
    InPlace,
    /// Their sum, which begins with this constant, is added to an element, or is stored in it.
    Sum { first: Expr, is_added: bool },
}

/// `to[i, j] += a[i, k] * b[k, j]` for all `i`, `j` and `k`, each element in the order of `k`. The elements of `to` that follow each
/// other in `j` are adjacent.
#[derive(Clone, Debug)]
pub(crate) struct MatrixProduct {
    /// A new local: whether a kernel can add it.
    pub(crate) fits: Local,
    pub(crate) to: Local,
    pub(crate) a: Local,
    pub(crate) b: Local,
    /// The index of the first element, and the distance of the next in `i`.
    pub(crate) to_at: [Expr; 2],
    /// The same, in `i` and in `k`.
    pub(crate) a_at: [Expr; 3],
    /// The same, in `k` and in `j`.
    pub(crate) b_at: [Expr; 3],
    /// The numbers of `i`, `j` and `k`.
    pub(crate) sizes: [Expr; 3],
    pub(crate) reduction: Reduction,
    /// Whether products are zero if a factor is.
    pub(crate) is_strong: bool,
    /// Whether `k` counts downwards.
    pub(crate) is_reversed: bool,
}

/// An arm of a multiway branch.
#[derive(Clone, Debug)]
pub(crate) struct Arm {
    /// The numbers for which it is taken.
    pub(crate) values: Vec<i128>,
    /// The fields of the variant that are bound to locals, by number.
    pub(crate) bound: Vec<(usize, Local)>,
    pub(crate) body: Vec<Stmt>,
}

/// The forms of loops.
#[derive(Clone, Debug)]
pub(crate) enum LoopKind {
    /// Until it is left.
    Forever,
    /// While a condition holds.
    While(Expr),
    /// For each number of a range, downwards if `is_reversed`.
    For { counter: Local, from: Expr, to: Expr, is_reversed: bool },
}

impl MatrixProduct {
    /// The places and sizes.
    pub(crate) fn exprs(&self) -> Vec<&Expr> {
        self.to_at.iter().chain(&self.a_at).chain(&self.b_at).chain(&self.sizes).collect()
    }

    /// The places and sizes.
    pub(crate) fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        let MatrixProduct { to_at, a_at, b_at, sizes, .. } = self;
        to_at.iter_mut().chain(a_at).chain(b_at).chain(sizes).collect()
    }
}

impl Expr {
    /// Calls `visit` with every local of the expression, and whether it is moved.
    pub(crate) fn for_each_local(&self, visit: &mut impl FnMut(Local, bool)) {
        match self {
            Expr::Const(..) => {}
            Expr::Local(local) => visit(*local, false),
            Expr::Apply(apply) => apply.args.iter().for_each(|arg| arg.for_each_local(visit)),
        }
    }

    /// Whether it is this local.
    pub(crate) fn is_local(&self, local: Local) -> bool {
        matches!(self, Expr::Local(other) if *other == local)
    }

    /// Whether two expressions are written alike, and only read their operands.
    pub(crate) fn is_same(&self, other: &Expr) -> bool {
        match (self, other) {
            (Expr::Const(a, _), Expr::Const(b, _)) => a == b,
            (Expr::Local(a), Expr::Local(b)) => a == b,
            (Expr::Apply(a), Expr::Apply(b)) => {
                let is_same = |(a, b): (&Arg, &Arg)| a.how == Use::Read && a.expr.is_same(&b.expr);
                a.callee == b.callee
                    && a.args.len() == b.args.len()
                    && a.args.iter().zip(&b.args).all(is_same)
            }
            _ => false,
        }
    }

    /// Whether it denotes a part of a local rather than a new value.
    pub(crate) fn is_place(&self) -> bool {
        match self {
            Expr::Const(..) => false,
            Expr::Local(_) => true,
            Expr::Apply(apply) => {
                matches!(apply.callee, Callee::Op(op) if crate::ownership::is_projection(op))
                    && apply.args[0].how == Use::Read
                    && apply.args[0].expr.is_place()
            }
        }
    }
}

impl Expr {
    /// Whether it denotes a part of another value, so that it is a value of its own only once it is cloned.
    pub(crate) fn is_part(&self) -> bool {
        let Expr::Apply(apply) = self else { return self.is_place() };
        let Callee::Op(op) = apply.callee else { return false };
        let of_value = [&overdub_context::ops::FIELD, &overdub_context::ops::CAPTURED].contains(&op);
        crate::ownership::is_projection(op) && !of_value || self.is_place()
    }
}

impl Arg {
    pub(crate) fn read(expr: Expr) -> Arg {
        Arg { expr, how: Use::Read }
    }

    /// Calls `visit` with every local of the operand, and whether it is moved.
    pub(crate) fn for_each_local(&self, visit: &mut impl FnMut(Local, bool)) {
        match self {
            Arg { expr: Expr::Local(local), how } => visit(*local, *how == Use::Move),
            Arg { expr, .. } => expr.for_each_local(visit),
        }
    }
}
