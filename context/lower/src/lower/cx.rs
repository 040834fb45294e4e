//! The state of the lowering of one body.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use overdub_context::ir::{Block, Const, FuncBuilder, Operand, Target, Ty};
use overdub_context::ops::OpDef;
use overdub_context::ssa::{SsaBuilder, Variable};
use overdub_context::value::Value;
use overdub_context::{Span, Symbol};

use super::abi::Abi;
use super::debug_points::DebugScopes;
use super::drop_scopes::{DropScopes, Path};
use super::error::{LowerError, Lowered, Stop};
use super::or_patterns::Alternatives;
use super::place::{Place, Slot, SlotId, SlotKey};
use super::session::Lowering;
use crate::hir::{BodyRef, Expr, ExprId, LocalId};
use crate::infer::{self, Typed};

/// What a lowering attempt must know beforehand, collected by the attempts before it.
#[derive(Clone, Default, Debug)]
pub(super) struct Plan {
    /// The slots kept in cells, because a reference to them is used as a value.
    pub(super) cells: HashSet<SlotKey>,
    /// The variables of type `&mut` that hold a `ref` value instead of being an alias of a place.
    pub(super) ref_vars: HashSet<LocalId>,
    /// The parts that are moved out of slots.
    pub(super) moved: HashSet<(SlotKey, Path)>,
    /// The slots that must be dropped where only some paths have given them a value.
    pub(super) optional: HashSet<SlotKey>,
}

impl Plan {
    pub(super) fn is_empty(&self) -> bool {
        self.cells.is_empty() && self.ref_vars.is_empty() && self.moved.is_empty() && self.optional.is_empty()
    }

    pub(super) fn extend(&mut self, more: Plan) {
        self.cells.extend(more.cells);
        self.ref_vars.extend(more.ref_vars);
        self.moved.extend(more.moved);
        self.optional.extend(more.optional);
    }
}

/// How a variable of the body is represented.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// A slot of its own.
    Slot(SlotId),
    /// A `&mut` variable or a capture: the place that its name is an alias of.
    Place(Place),
}

/// A field of a variable that a closure captures, and its place in the closure.
pub(super) struct CapturedPart {
    pub(super) local: LocalId,
    pub(super) fields: Vec<u32>,
    pub(super) place: Place,
    /// Its number among the variables in the debug information.
    pub(super) number: Option<usize>,
}

/// An open loop or labelled block.
#[derive(Clone, Copy, Debug)]
pub(super) struct BreakableScope {
    /// The target of `continue`.
    pub(super) header: Option<Block>,
    /// The target of `break`.
    pub(super) exit: Block,
    /// The variable that a `break` with a value writes.
    pub(super) result: Option<Variable>,
    /// The number of drop scopes that stay open at its exit.
    pub(super) depth: usize,
}

/// The lowering of one body.
pub(super) struct FnCx<'l> {
    pub(super) lowering: &'l Lowering,
    pub(super) typed: Arc<Typed>,
    pub(super) body: BodyRef,
    pub(super) build: SsaBuilder,
    pub(super) plan: Plan,
    /// What the plan lacks.
    pub(super) missing_plan: Plan,
    pub(super) slots: Vec<Slot>,
    pub(super) bindings: HashMap<LocalId, Binding>,
    /// The captured fields of the variables that are not captured as a whole.
    pub(super) captured_parts: Vec<CapturedPart>,
    /// The slots of variables bound by several alternatives of a pattern.
    pub(super) shared: HashMap<LocalId, SlotId>,
    /// The alternatives of or-patterns by which a pattern with a guard is matched.
    pub(super) alternatives: Alternatives,
    pub(super) targets: HashMap<ExprId, BreakableScope>,
    /// The slots of the in/out parameters, in order.
    pub(super) outs: Vec<SlotId>,
    /// Their Rust types, without `&mut`.
    pub(super) out_tys: Vec<infer::Ty>,
    pub(super) abi: Abi,
    /// The drop scopes.
    pub(super) drop_scopes: DropScopes,
    /// Whether the temporaries of a block's tail are dropped before its variables, and those of an `if let`
    /// before its `else`: true from edition 2024 on.
    pub(super) early_drops: bool,
    /// State for debug information.
    pub(super) debug: DebugScopes,
    /// The `const` block that this is the function of.
    pub(super) const_block: Option<ExprId>,
}

impl<'l> FnCx<'l> {
    pub(super) fn new(
        lowering: &'l Lowering,
        name: Symbol,
        typed: Arc<Typed>,
        abi: Abi,
        plan: Plan,
    ) -> FnCx<'l> {
        FnCx {
            lowering,
            early_drops: lowering.program.edition_of(typed.body.owner) >= 2024,
            body: typed.body.clone(),
            typed,
            build: SsaBuilder::new(FuncBuilder::new(name, abi.full_ret)),
            plan,
            missing_plan: Plan::default(),
            slots: Vec::new(),
            bindings: HashMap::new(),
            captured_parts: Vec::new(),
            shared: HashMap::new(),
            alternatives: Alternatives::new(),
            targets: HashMap::new(),
            outs: Vec::new(),
            out_tys: Vec::new(),
            abi,
            drop_scopes: DropScopes::default(),
            debug: DebugScopes::default(),
            const_block: None,
        }
    }

    pub(super) fn expr(&self, id: ExprId) -> &Expr {
        &self.body.exprs[id.index()]
    }

    pub(super) fn span(&self, id: ExprId) -> Span {
        self.expr(id).span
    }

    /// Sets the location of the code that follows to that of an expression.
    pub(super) fn at(&mut self, id: ExprId) {
        let span = self.span(id);
        self.build.set_span(span);
    }

    /// The type of an expression after its adjustments.
    pub(super) fn adjusted(&self, id: ExprId) -> infer::Ty {
        self.typed.adjusted(id)
    }

    pub(super) fn error(&self, span: Span, message: impl Into<String>) -> Stop {
        LowerError::new(span, message).into()
    }

    /// Appends an operation whose result type follows from its operands.
    pub(super) fn op(&mut self, op: &'static OpDef, args: Vec<Operand>) -> Lowered<Operand> {
        Ok(self.build.op(op, args)?.into())
    }

    /// Appends an operation with an explicit result type.
    pub(super) fn op_as(&mut self, op: &'static OpDef, args: Vec<Operand>, ty: Ty) -> Lowered<Operand> {
        Ok(self.build.op_as(op, args, ty)?.into())
    }

    pub(super) fn constant(&mut self, value: Value<'static>, ty: Ty) -> Lowered<Operand> {
        Ok(self.build.constant(value, ty)?)
    }

    /// Opens a block that has all its predecessors.
    pub(super) fn enter(&mut self, block: Block) -> Lowered<()> {
        Ok(self.build.enter(block)?)
    }

    pub(super) fn jump(&mut self, block: Block) -> Lowered<()> {
        Ok(self.build.br(block, [] as [Operand; 0])?)
    }

    pub(super) fn branch(&mut self, cond: Operand, then: Block, otherwise: Block) -> Lowered<()> {
        if let Some(known) = cond.constant().and_then(|constant| constant.value().as_bool()) {
            return self.jump(if known { then } else { otherwise });
        }
        Ok(self.build.br_if(cond, Target::from(then), Target::from(otherwise))?)
    }

    /// Ends the block with a failure.
    pub(super) fn fail<T>(&mut self, message: &str) -> Lowered<T> {
        self.build.fail(message)?;
        Err(Stop::Diverges)
    }

    /// `Some` of the result, or `None` if it diverges.
    pub(super) fn unless_diverges<T>(result: Lowered<T>) -> Lowered<Option<T>> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(Stop::Diverges) => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(super) fn operand_ty(&self, operand: &Operand) -> Lowered<Ty> {
        Ok(self.build.ty(operand)?)
    }
}

/// `()`
pub(super) fn unit() -> Operand {
    Operand::Const(Const::new(Value::Unit).expect("`()` is only data"))
}
