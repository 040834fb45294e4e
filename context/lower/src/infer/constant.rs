//! Constants in types: array lengths, const arguments and discriminants.
//!
//! - CONSTEVAL1 arithmetic on integers and on other such constants is evaluated here; everything else by the
//!   evaluator that [`Types::set_evaluator`](super::Types::set_evaluator) sets.

use hashbrown::HashMap;
use overdub_context::{Span, Symbol};

use super::cx::Cx;
use super::error::{InferErrorKind, Result};
use super::scope::GenericScope;
use super::session::{Constant, Types};
use super::ty::*;
use super::typed::Callee;
use crate::hir::{
    BinOp, Block, BodyRef, DefId, DefKind, ExprId, ExprKind, GenericArg, HirBody, Lit, LocalId, PatKind,
    Prim, Stmt, TypeKind, UnOp, ValuePath, Variant,
};

/// The environment of an evaluation.
struct Frame<'b> {
    body: &'b HirBody,
    scope: &'b GenericScope,
    locals: HashMap<LocalId, i128>,
}

impl Types {
    /// The discriminants of the variants of an enum.
    ///
    /// # Errors
    /// If one is not known.
    pub fn discriminants(&self, def: DefId) -> Result<Vec<i128>> {
        let mut cx = Cx::new(self);
        cx.span = self.item_span(def);
        cx.discriminants(def)
    }
}

impl Cx<'_> {
    fn discriminants(&mut self, def: DefId) -> Result<Vec<i128>> {
        let span = self.span;
        let adt = self.types.program().adt(def)?;
        let args = self.fill_fresh(def, vec![], self.types.layout(def)?.len, span)?;
        let scope = self.types.scope(def, &args)?;
        let tag = self.types.program().head(def).repr.tag.unwrap_or(Prim::Isize);
        let mut numbers = vec![];
        for Variant { name, discriminant, .. } in &adt.variants {
            match self.read_const(&discriminant.base, &scope, span, Some(tag))? {
                Const::Value(base) => numbers.push(base.saturating_add(discriminant.after)),
                Const::Infer(_) => {
                    return self.error(InferErrorKind::Const(format!("the discriminant of `{name}`")));
                }
            }
        }
        Ok(numbers)
    }

    /// The value of a constant expression in a scope.
    pub(super) fn const_expr(
        &mut self,
        body: &BodyRef,
        expr: ExprId,
        scope: &GenericScope,
        ty: Option<Prim>,
    ) -> Result<i128> {
        let span = body.exprs[expr.index()].span;
        let mut frame = Frame { body, scope, locals: HashMap::new() };
        let known = self.nested(|cx| cx.eval(&mut frame, expr))?;
        match known.map_or_else(|| self.anonymous(body, scope, ty), |known| Ok(Some(known)))? {
            Some(value) => Ok(value),
            None => {
                self.span = span;
                let name = match &body.exprs[expr.index()].kind {
                    ExprKind::Path(ValuePath::Def(def, _)) => self.types.name(Instance::new(*def, [])),
                    _ => "it fails, or is not computed from constants".to_owned(),
                };
                self.error(InferErrorKind::Const(name))
            }
        }
    }

    /// The value of a constant item.
    pub(super) fn const_item(&mut self, item: Instance, span: Span) -> Result<i128> {
        match self.number_of_item(item, span)? {
            Some(value) => Ok(value),
            None => self.error(InferErrorKind::Const(self.types.name(item))),
        }
    }

    /// The number that a constant item is; none if it is no number, or cannot be computed.
    fn number_of_item(&mut self, item: Instance, span: Span) -> Result<Option<i128>> {
        self.span = span;
        let callee = self.callee(item, span)?;
        let item = match callee {
            Callee::Const(item) => item,
            _ => item,
        };
        let body = self.types.program().body(item.def())?;
        if let Some(body) = body {
            let scope = self.types.scope(item.def(), item.args())?;
            let mut frame = Frame { body: &body, scope: &scope, locals: HashMap::new() };
            if let Some(value) = self.nested(|cx| cx.eval(&mut frame, body.value))? {
                return Ok(Some(value));
            }
        }
        Ok(self.types.evaluate(Constant::Item(item)))
    }

    fn eval(&mut self, frame: &mut Frame<'_>, expr: ExprId) -> Result<Option<i128>> {
        let expr = &frame.body.exprs[expr.index()];
        match &expr.kind {
            ExprKind::Lit(lit) => Ok(literal(lit)),
            ExprKind::Path(path) => self.eval_path(frame, path, expr.span),
            ExprKind::Unary(op, operand) => {
                let Some(value) = self.eval(frame, *operand)? else { return Ok(None) };
                Ok(match op {
                    UnOp::Neg => value.checked_neg(),
                    UnOp::Not | UnOp::Deref => None,
                })
            }
            ExprKind::Binary(op, a, b) => {
                let (Some(a), Some(b)) = (self.eval(frame, *a)?, self.eval(frame, *b)?) else {
                    return Ok(None);
                };
                Ok(binary(*op, a, b))
            }
            ExprKind::Cast(operand, ty) => match &ty.kind {
                TypeKind::Prim(prim) => Ok(self.eval(frame, *operand)?.and_then(|value| cast(value, *prim))),
                _ => Ok(None),
            },
            ExprKind::Block(block) => self.eval_block(frame, block),
            ExprKind::If(condition, then, otherwise) => match (self.eval(frame, *condition)?, otherwise) {
                (Some(0), Some(otherwise)) => self.eval(frame, *otherwise),
                (Some(1), _) => self.eval(frame, *then),
                _ => Ok(None),
            },
            ExprKind::Call(func, args) => self.eval_call(frame, *func, args),
            ExprKind::MethodCall { receiver, name, args, .. } => {
                self.eval_method(frame, *receiver, *name, args)
            }
            _ => Ok(None),
        }
    }

    fn eval_block(&mut self, frame: &mut Frame<'_>, block: &Block) -> Result<Option<i128>> {
        for stmt in &block.stmts {
            let Stmt::Let { pat, init: Some(init), .. } = stmt else { return Ok(None) };
            let PatKind::Bind { local, sub: None, .. } = frame.body.pats[pat.index()].kind else {
                return Ok(None);
            };
            let Some(value) = self.eval(frame, *init)? else { return Ok(None) };
            frame.locals.insert(local, value);
        }
        match block.tail {
            Some(tail) => self.eval(frame, tail),
            None => Ok(None),
        }
    }

    fn eval_path(&mut self, frame: &mut Frame<'_>, path: &ValuePath, span: Span) -> Result<Option<i128>> {
        match path {
            ValuePath::Local(local) => Ok(frame.locals.get(local).copied()),
            ValuePath::ConstParam(param) => match frame.scope.param(*param) {
                Some(Arg::Const(value)) => match self.table.shallow_const(value) {
                    Const::Value(value) => Ok(Some(value)),
                    Const::Infer(_) => Ok(None),
                },
                Some(Arg::Ty(_)) | None => Ok(None),
            },
            ValuePath::Def(def, _) if self.types.kind(*def) == DefKind::Variant => {
                let Some(of) = self.types.program().container(*def) else { return Ok(None) };
                let at = self.types.program().children(of).iter().position(|child| child == def);
                let numbers = self.nested(|cx| cx.discriminants(of))?;
                Ok(at.and_then(|at| numbers.get(at).copied()))
            }
            ValuePath::Def(def, args) if self.types.kind(*def) == DefKind::Const => {
                let args = self.read_args(args, frame.scope, span)?;
                self.number_of_item(Instance::new(*def, args), span)
            }
            _ => match self.eval_item(frame, path, span)? {
                Some(item) if self.types.kind(item.def()) == DefKind::AssocConst => {
                    self.number_of_item(item, span)
                }
                _ => Ok(None),
            },
        }
    }

    /// The item named by a path through a type or a trait.
    fn eval_item(&mut self, frame: &Frame<'_>, path: &ValuePath, span: Span) -> Result<Option<Instance>> {
        match path {
            ValuePath::Def(def, args) => {
                let args = self.read_args(args, frame.scope, span)?;
                Ok(Some(Instance::new(*def, args)))
            }
            ValuePath::Assoc { base, of, name, args, traits } => {
                let found = self.select_apart(|cx| {
                    cx.assoc_path(base, of.as_ref(), *name, args, traits, frame.scope, span)
                })?;
                Ok(Some(Instance::new(found.def, self.table.resolve_args(&found.args))))
            }
            ValuePath::Local(_)
            | ValuePath::ConstParam(_)
            | ValuePath::TraitItem { .. }
            | ValuePath::SelfCtor(_) => Ok(None),
        }
    }

    fn eval_call(&mut self, frame: &mut Frame<'_>, func: ExprId, args: &[ExprId]) -> Result<Option<i128>> {
        let callee = &frame.body.exprs[func.index()];
        let ExprKind::Path(path) = &callee.kind else { return Ok(None) };
        if let ValuePath::Def(def, written) = path
            && self.types.lang.is(*def, "size_of")
            && let [GenericArg::Type(ty)] = &written[..]
        {
            let ty = self.read_ty(ty, frame.scope)?;
            if let Some(size) = size_of(ty) {
                return Ok(Some(size));
            }
        }
        let Some(item) = self.eval_item(frame, path, callee.span)? else { return Ok(None) };
        let Callee::Fn(item) = self.callee(item, callee.span)? else { return Ok(None) };
        let found = self.eval_body(frame, item, args)?;
        // A function of nothing is a constant.
        let evaluate = || args.is_empty().then(|| self.types.evaluate(Constant::Item(item))).flatten();
        Ok(found.or_else(evaluate))
    }

    /// The value that a function returns for these arguments.
    fn eval_body(&mut self, frame: &mut Frame<'_>, item: Instance, args: &[ExprId]) -> Result<Option<i128>> {
        let Some(body) = self.types.program().body(item.def())? else { return Ok(None) };
        let scope = self.types.scope(item.def(), item.args())?;
        let mut inner = Frame { body: &body, scope: &scope, locals: HashMap::new() };
        for (&param, &arg) in body.params.iter().zip(args) {
            let PatKind::Bind { local, .. } = body.pats[param.index()].kind else { return Ok(None) };
            let Some(value) = self.eval(frame, arg)? else { return Ok(None) };
            inner.locals.insert(local, value);
        }
        self.nested(|cx| cx.eval(&mut inner, body.value))
    }

    fn eval_method(
        &mut self,
        frame: &mut Frame<'_>,
        receiver: ExprId,
        name: Symbol,
        args: &[ExprId],
    ) -> Result<Option<i128>> {
        let expr = &frame.body.exprs[receiver.index()];
        if &*name == "len"
            && args.is_empty()
            && let ExprKind::Path(path) = &expr.kind
            && let Some(item) = self.eval_item(frame, path, expr.span)?
            && matches!(self.types.kind(item.def()), DefKind::Const | DefKind::Static | DefKind::AssocConst)
        {
            let ty = self.types.const_type(item)?.peel_refs();
            if let TyKind::Array(_, Const::Value(len)) = ty.kind() {
                return Ok(Some(*len));
            }
        }
        let Some(value) = self.eval(frame, receiver)? else { return Ok(None) };
        let mut values = vec![];
        for &arg in args {
            values.push(self.eval(frame, arg)?);
        }
        Ok(match (&*name, &values[..]) {
            ("pow", [Some(exponent)]) => {
                u32::try_from(*exponent).ok().and_then(|exponent| value.checked_pow(exponent))
            }
            ("min", [Some(other)]) => Some(value.min(*other)),
            ("max", [Some(other)]) => Some(value.max(*other)),
            ("div_ceil", [Some(other)]) if *other > 0 => Some((value + other - 1).div_euclid(*other)),
            _ => None,
        })
    }
}

fn literal(lit: &Lit) -> Option<i128> {
    match lit {
        Lit::Int(value, suffix) if !matches!(suffix, Some(Prim::F32 | Prim::F64)) => {
            i128::try_from(*value).ok()
        }
        Lit::Bool(value) => Some(i128::from(*value)),
        Lit::Char(value) => Some(i128::from(u32::from(*value))),
        Lit::Byte(value) => Some(i128::from(*value)),
        Lit::Int(..) | Lit::Float(..) | Lit::Str(_) | Lit::ByteStr(_) => None,
    }
}

fn binary(op: BinOp, a: i128, b: i128) -> Option<i128> {
    let shift = || u32::try_from(b).ok();
    match op {
        BinOp::Add => a.checked_add(b),
        BinOp::Sub => a.checked_sub(b),
        BinOp::Mul => a.checked_mul(b),
        BinOp::Div => a.checked_div(b),
        BinOp::Rem => a.checked_rem(b),
        BinOp::BitAnd => Some(a & b),
        BinOp::BitOr => Some(a | b),
        BinOp::BitXor => Some(a ^ b),
        BinOp::Shl => shift().and_then(|b| a.checked_shl(b)),
        BinOp::Shr => shift().and_then(|b| a.checked_shr(b)),
        BinOp::Eq => Some(i128::from(a == b)),
        BinOp::Ne => Some(i128::from(a != b)),
        BinOp::Lt => Some(i128::from(a < b)),
        BinOp::Le => Some(i128::from(a <= b)),
        BinOp::Gt => Some(i128::from(a > b)),
        BinOp::Ge => Some(i128::from(a >= b)),
    }
}

fn cast(value: i128, to: Prim) -> Option<i128> {
    Some(match to {
        Prim::I8 => i128::from(value as i8),
        Prim::I16 => i128::from(value as i16),
        Prim::I32 => i128::from(value as i32),
        Prim::I64 | Prim::Isize => i128::from(value as i64),
        Prim::U8 => i128::from(value as u8),
        Prim::U16 => i128::from(value as u16),
        Prim::U32 => i128::from(value as u32),
        Prim::U64 | Prim::Usize => i128::from(value as u64),
        Prim::I128 => value,
        Prim::U128 | Prim::Bool | Prim::Char | Prim::Str | Prim::F32 | Prim::F64 => return None,
    })
}

fn size_of(ty: Ty) -> Option<i128> {
    match ty.kind() {
        TyKind::Prim(prim) => match prim {
            Prim::Bool | Prim::I8 | Prim::U8 => Some(1),
            Prim::I16 | Prim::U16 => Some(2),
            Prim::I32 | Prim::U32 | Prim::F32 | Prim::Char => Some(4),
            Prim::I64 | Prim::U64 | Prim::F64 | Prim::Isize | Prim::Usize => Some(8),
            Prim::I128 | Prim::U128 => Some(16),
            Prim::Str => None,
        },
        TyKind::Array(elem, Const::Value(len)) => size_of(*elem).and_then(|size| size.checked_mul(*len)),
        _ => None,
    }
}
