//! Constants and statics: folded if they are data built from literals, otherwise computed where they are
//! used. A static that may change is a cell of the run.

use hashbrown::HashSet;
use overdub_context::ir::{Operand, Ty, TyKind as IrKind};
use overdub_context::ops;
use overdub_context::value::{Array, Composite, Value};

use super::cx::FnCx;
use super::error::Lowered;
use super::literal;
use super::place::{Place, Root};
use super::session::Lowering;
use crate::hir::*;
use crate::infer::{self, Callee, Instance, TyKind, Typed};

/// The maximal depth of constants that refer to constants; deeper ones are computed where they are used.
const MAX_DEPTH: usize = 64;

impl FnCx<'_> {
    /// The value of a constant or static.
    pub(super) fn const_value(&mut self, instance: Instance, ty: infer::Ty) -> Lowered<Operand> {
        let ir_ty = self.lowering.ty(ty)?;
        if let Some(value) = self.lowering.folded(instance) {
            return self.constant(value, ir_ty);
        }
        let symbol = self.lowering.symbol(instance);
        Ok(self.build.call(symbol, [] as [Operand; 0], ir_ty)?.into())
    }

    /// The place of a static: an immutable one is a constant, a mutable one is a cell of the run.
    pub(super) fn static_place(&mut self, def: DefId, ty: infer::Ty) -> Lowered<Place> {
        let ir_ty = self.lowering.ty(ty)?;
        let instance = Instance::new(def, []);
        if !holds_cell(ir_ty) && !self.lowering.program.is_static_mut(def) {
            return Ok(Place::new(Root::Static(self.const_value(instance, ty)?), ty));
        }
        let symbol = self.lowering.symbol(instance);
        let init = self.op_as(&ops::CLOSURE, vec![], Ty::closure(symbol, []))?;
        let init = self.op_as(&ops::ERASE, vec![init], Ty::func([], ir_ty))?;
        let cell = self.op(&ops::GLOBAL, vec![Operand::from(&*symbol), init])?;
        Ok(Place::new(Root::Ref(cell), ty))
    }

    /// `const { … }`: what has no statements is computed where it stands.
    pub(super) fn const_block(&mut self, id: ExprId, block: &Block, ty: infer::Ty) -> Lowered<Operand> {
        if self.const_block != Some(id)
            && self.has_statements(block)
            && let Some(value) = self.lowering.evaluate_block(&self.typed, id)
        {
            let ty = self.lowering.ty(ty)?;
            return self.constant(value, ty);
        }
        self.block(id, block, ty)
    }

    /// Whether a block, or the one that is its value, has statements.
    fn has_statements(&self, block: &Block) -> bool {
        let tail = block.tail.map(|tail| &self.body.exprs[tail.index()].kind);
        !block.stmts.is_empty() || matches!(tail, Some(ExprKind::Block(inner)) if self.has_statements(inner))
    }

    /// The value of an array of literals.
    pub(super) fn fold_array(&self, elems: &[ExprId], ty: Ty) -> Option<Value<'static>> {
        Folder { lowering: self.lowering, typed: &self.typed, depth: 0 }.array(elems, ty)
    }
}

impl Lowering {
    /// The value of a constant, if it can be folded.
    pub(super) fn folded(&self, instance: Instance) -> Option<Value<'static>> {
        if let Some(known) = self.lock_folded().get(&instance) {
            return known.clone();
        }
        let value = self.fold(instance, 0);
        self.lock_folded().insert(instance, value.clone());
        value
    }

    fn fold(&self, instance: Instance, depth: usize) -> Option<Value<'static>> {
        if depth > MAX_DEPTH {
            return None;
        }
        let typed = self.types.infer(instance).ok()?;
        let value = typed.body.value;
        let folded = Folder { lowering: self, typed: &typed, depth }.value(value);
        folded.or_else(|| self.evaluate(instance))
    }
}

/// Folds expressions that consist of literals only. Float arithmetic is IEEE, so the result is the same here
/// as at run time.
struct Folder<'f> {
    lowering: &'f Lowering,
    typed: &'f Typed,
    depth: usize,
}

impl Folder<'_> {
    fn value(&self, id: ExprId) -> Option<Value<'static>> {
        let ty = self.lowering.ty(self.typed.adjusted(id)).ok()?;
        let rust_ty = self.typed.exprs[id.index()];
        let before = self.lowering.ty(rust_ty).ok()?;
        // Only adjustments that are no-ops in the IR are skipped.
        if before != ty || matches!(self.typed.adjusted(id).kind(), TyKind::RefMut(_)) {
            return None;
        }
        match &self.typed.body.exprs[id.index()].kind {
            ExprKind::Lit(lit) => literal::value(lit, ty, false),
            ExprKind::Unary(UnOp::Neg, inner) => match &self.typed.body.exprs[inner.index()].kind {
                ExprKind::Lit(lit @ (Lit::Int(..) | Lit::Float(..))) if is_number(ty) => {
                    literal::value(lit, ty, true)
                }
                _ => match self.value(*inner)? {
                    Value::F64(x) => Some(Value::F64(-x)),
                    Value::F32(x) => Some(Value::F32(-x)),
                    _ => None,
                },
            },
            ExprKind::AddrOf { mutable: false, raw: false, place } => self.value(*place),
            ExprKind::Block(block) if block.stmts.is_empty() => self.value(block.tail?),
            ExprKind::Tuple(elems) if !elems.is_empty() => {
                let parts: Option<Vec<_>> = elems.iter().map(|&elem| self.value(elem)).collect();
                Some(Value::tuple(parts?))
            }
            ExprKind::Array(elems) => self.array(elems, ty),
            ExprKind::Path(_) => self.path(id, ty),
            ExprKind::Binary(op, lhs, rhs) => self.binary(*op, *lhs, *rhs),
            ExprKind::Struct { fields, base: None, .. } => {
                let Some(Callee::Ctor(def)) = self.typed.callees.get(&id) else { return None };
                let IrKind::Struct(_) = ty.kind() else { return None };
                let declared = self.lowering.types.fields(rust_ty, *def).ok()?;
                let mut parts = Vec::with_capacity(declared.len());
                for (name, _) in &declared {
                    let (_, value) = fields.iter().find(|(field, _)| field == name)?;
                    parts.push(self.value(*value)?);
                }
                Some(Value::Composite(Composite { ty: Some(ty), tag: 0, parts: parts.into() }.into()))
            }
            _ => None,
        }
    }

    fn path(&self, id: ExprId, ty: Ty) -> Option<Value<'static>> {
        match self.typed.callees.get(&id)? {
            Callee::Const(instance) => self.lowering.fold(*instance, self.depth + 1),
            Callee::ConstParam(n) => literal::of_number(*n, ty),
            _ => None,
        }
    }

    fn array(&self, elems: &[ExprId], ty: Ty) -> Option<Value<'static>> {
        let elem = ty.as_array()?.elem;
        let values: Option<Vec<_>> = elems.iter().map(|&elem| self.value(elem)).collect();
        Some(Value::Array(Array::from_values(elem, values?)?.into()))
    }

    fn binary(&self, op: BinOp, lhs: ExprId, rhs: ExprId) -> Option<Value<'static>> {
        match (self.value(lhs)?, self.value(rhs)?) {
            (Value::F64(a), Value::F64(b)) => float(op, a, b).map(Value::F64),
            (Value::F32(a), Value::F32(b)) => match op {
                BinOp::Add => Some(Value::F32(a + b)),
                BinOp::Sub => Some(Value::F32(a - b)),
                BinOp::Mul => Some(Value::F32(a * b)),
                BinOp::Div => Some(Value::F32(a / b)),
                _ => None,
            },
            _ => None,
        }
    }
}

fn float(op: BinOp, a: f64, b: f64) -> Option<f64> {
    match op {
        BinOp::Add => Some(a + b),
        BinOp::Sub => Some(a - b),
        BinOp::Mul => Some(a * b),
        BinOp::Div => Some(a / b),
        _ => None,
    }
}

fn is_number(ty: Ty) -> bool {
    ty.is_number()
}

/// Whether a value of this type can be changed through any copy of it.
pub(super) fn holds_cell(ty: Ty) -> bool {
    let (mut seen, mut open) = (HashSet::new(), vec![ty]);
    while let Some(ty) = open.pop() {
        match ty.kind() {
            IrKind::Ref(_) => return true,
            IrKind::Tuple(_) | IrKind::Array(_) | IrKind::Struct(_) | IrKind::Enum(_) if seen.insert(ty) => {
                open.extend(ty.parts_of_values());
            }
            _ => {}
        }
    }
    false
}
