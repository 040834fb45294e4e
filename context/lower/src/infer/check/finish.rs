//! The end of inference: literals get their fallback types, everything its final type, and every callee its
//! final instance.
//!
//! - WRITEBACK1 closures are published as soon as their signatures are known, because the types behind
//!   `impl Trait` may depend on them.

use overdub_context::{Span, Symbol};

use super::operator::is_comparison;
use super::*;
use crate::hir::{ExprKind, FormatPiece, Prim};
use crate::infer::cx::is_int;
use crate::lang;

impl Check<'_> {
    /// Resolves the remaining unknowns and builds the result.
    pub(super) fn finish(mut self, params: Vec<Ty>, ret: Ty, hidden: Vec<Ty>) -> Result<Typed> {
        self.apply_fallbacks()?;
        self.draft_signatures()?;
        let body = self.body.clone();
        let owner = self.cx.types.item_span(self.instance.def());
        let mut typed = Typed {
            instance: self.instance,
            body: body.clone(),
            params: self.finish_all(&params, owner)?,
            ret: Ty::unit(),
            hidden: self.finish_all(&hidden, owner)?,
            exprs: vec![Ty::unit(); body.exprs.len()],
            pats: vec![Ty::unit(); body.pats.len()],
            locals: vec![Ty::unit(); body.locals.len()],
            adjustments: HashMap::new(),
            callees: HashMap::new(),
            fields: std::mem::take(&mut self.fields),
            tries: HashMap::new(),
            formats: HashMap::new(),
            closures: HashMap::new(),
            lengths: HashMap::new(),
            pat_derefs: std::mem::take(&mut self.pat_derefs),
            bindings: std::mem::take(&mut self.bindings),
            pat_paths: HashMap::new(),
        };
        typed.ret = self.finish_ty(ret, owner, "result")?;
        for i in 0..body.locals.len() {
            if let Some(ty) = self.locals[i] {
                typed.locals[i] = self.finish_ty(ty, body.locals[i].span, "variable")?;
            }
        }
        for i in 0..body.exprs.len() {
            if let Some(ty) = self.exprs[i] {
                typed.exprs[i] = self.finish_ty(ty, body.exprs[i].span, "expression")?;
            }
        }
        for i in 0..body.pats.len() {
            if let Some(ty) = self.pats[i] {
                typed.pats[i] = self.finish_ty(ty, body.pats[i].span, "pattern")?;
            }
        }
        self.finish_adjustments(&mut typed)?;
        self.finish_targets(&mut typed)?;
        self.finish_rest(&mut typed)?;
        self.finish_closures(&mut typed)?;
        Ok(typed)
    }

    fn apply_fallbacks(&mut self) -> Result<()> {
        self.cx.select_guided()?;
        while self.cx.table.fall_back_literals() || self.cx.table.fall_back_diverging() {
            self.cx.select_guided()?;
        }
        for (operand, from, to) in std::mem::take(&mut self.casts) {
            self.cx.span = self.expr(operand).span;
            self.check_primitive_cast(operand, from, to)?;
        }
        self.resolve_tries()
    }

    /// For `?` in a closure whose result type is otherwise unknown, the error type is that of the operand.
    fn resolve_tries(&mut self) -> Result<()> {
        let open: Vec<(Ty, Ty)> = self
            .tries
            .values()
            .filter(|found| found.kind == TryKind::Result)
            .map(|found| (found.error, found.ret))
            .collect();
        for (error, ret) in open {
            if let Some(args) = self.cx.as_lang(self.cx.shallow(ret), "result")
                && let Some(Arg::Ty(target)) = args.get(1)
                && matches!(self.cx.shallow(*target).kind(), TyKind::Infer(_))
            {
                self.cx.unify(*target, error);
            }
        }
        self.cx.select()
    }

    fn check_primitive_cast(&mut self, operand: ExprId, from: Ty, to: Ty) -> Result<()> {
        let found = self.cx.shallow(from);
        if self.cx.raw_pointee(to).is_some() {
            return self.cast_pointer(operand, found, to);
        }
        let Some(target) = self.cx.shallow(to).as_prim() else { return self.coerce(operand, found, to) };
        let from_fits = match found.kind() {
            TyKind::Prim(prim) => is_cast(*prim, target),
            TyKind::Adt(def, _) => is_int(target) && self.cx.types.kind(*def) == DefKind::Enum,
            TyKind::Never => return self.coerce(operand, found, to),
            TyKind::Ref(referent) | TyKind::RefMut(referent) => {
                self.cx.shallow(*referent).as_prim().is_none_or(|prim| is_cast(prim, target))
            }
            TyKind::FnDef(_) | TyKind::FnPtr(..) => is_int(target),
            TyKind::Infer(_) => return self.coerce(operand, found, to),
            _ => false,
        };
        if from_fits {
            return Ok(());
        }
        self.cx.error(InferErrorKind::Cast { from: self.cx.show(from), to: self.cx.show(to) })
    }

    fn draft_signatures(&mut self) -> Result<()> {
        for &id in &self.closures.clone() {
            let closure = ClosureId { owner: self.instance, expr: id };
            let Some(open) = self.cx.closures.get(&closure).cloned() else { continue };
            let params: Vec<Ty> = open.params.iter().map(|&ty| self.cx.resolve(ty).unmarked()).collect();
            let ret = self.cx.resolve(open.ret).unmarked();
            if let Some(&unknown) = params.iter().chain([&ret]).find(|ty| ty.is_open()) {
                self.cx.span = self.expr(id).span;
                let kind = InferErrorKind::Unknown { what: "closure", ty: self.cx.show(unknown) };
                return self.cx.error(kind);
            }
            let ty = Ty::new(TyKind::Closure(closure));
            let known = Closure { ty, kind: ClosureKind::Fn, params, ret, captures: vec![] };
            self.cx.types.draft(closure, known);
        }
        Ok(())
    }

    fn finish_ty(&mut self, ty: Ty, span: Span, what: &'static str) -> Result<Ty> {
        let ty = self.cx.resolve(ty);
        if ty.is_open() {
            self.cx.span = span;
            return self.cx.error(InferErrorKind::Unknown { what, ty: self.cx.show(ty) });
        }
        self.cx.reveal_all(ty)
    }

    fn finish_all(&mut self, tys: &[Ty], span: Span) -> Result<Vec<Ty>> {
        tys.iter().map(|&ty| self.finish_ty(ty, span, "parameter")).collect()
    }

    fn finish_adjustments(&mut self, typed: &mut Typed) -> Result<()> {
        let mut all: Vec<(ExprId, Vec<OpenAdjustment>)> =
            std::mem::take(&mut self.adjustments).into_iter().collect();
        all.sort_by_key(|(expr, _)| *expr);
        for (expr, steps) in all {
            let span = self.expr(expr).span;
            let mut from = typed.exprs[expr.index()];
            let mut list = vec![];
            for step in steps {
                let ty = self.finish_ty(step.ty, span, "expression")?;
                list.push(Adjustment { kind: self.finish_adjust(&step.kind, from, ty, span)?, ty });
                from = ty;
            }
            typed.adjustments.insert(expr, list);
        }
        Ok(())
    }

    fn finish_adjust(&mut self, kind: &OpenAdjust, from: Ty, to: Ty, span: Span) -> Result<Adjust> {
        Ok(match kind {
            OpenAdjust::NeverToAny => Adjust::NeverToAny,
            OpenAdjust::Deref => Adjust::Deref,
            OpenAdjust::Overloaded(mutability) => match self.deref_method(from, *mutability, span)? {
                Some(method) => Adjust::OverloadedDeref(method),
                None => Adjust::Deref,
            },
            OpenAdjust::Borrow(mutability) => Adjust::Borrow(*mutability),
            OpenAdjust::UnsizeArray => Adjust::UnsizeArray,
            OpenAdjust::UnsizeDyn => {
                let (mut object, mut target) = (pointee(from), pointee(to));
                while !matches!(target.kind(), TyKind::Dyn(_)) && pointee(target) != target {
                    (object, target) = (pointee(object), pointee(target));
                }
                Adjust::UnsizeDyn(self.cx.vtable(object, target, span)?)
            }
            OpenAdjust::FnToPointer => match from.kind() {
                TyKind::FnDef(item) => Adjust::FnToPointer(self.cx.callee(*item, span)?),
                _ => return self.cx.mismatch(to, from),
            },
            OpenAdjust::ClosureToPointer => match from.kind() {
                TyKind::Closure(id) => Adjust::ClosureToPointer(*id),
                _ => return self.cx.mismatch(to, from),
            },
            OpenAdjust::MutToShared => Adjust::MutToShared,
            OpenAdjust::RefToPointer => Adjust::RefToPointer,
            OpenAdjust::PointerToPointer => Adjust::PointerToPointer,
        })
    }

    /// `deref` or, if the place is mutated and the type allows it, `deref_mut`; none if the dereference is
    /// built in.
    fn deref_method(&mut self, ty: Ty, mutability: Mutability, span: Span) -> Result<Option<Instance>> {
        if self.is_builtin_deref(ty)? {
            return Ok(None);
        }
        if mutability == Mutability::Mut
            && let Ok(Callee::Fn(found)) = self.method("deref_mut", "deref_mut", &[ty], span)
        {
            return Ok(Some(found));
        }
        match self.method("deref", "deref", &[ty], span)? {
            Callee::Fn(found) => Ok(Some(found)),
            _ => Ok(None),
        }
    }

    /// The method of a trait known by name, for these arguments (`Self` first).
    fn method(&mut self, trait_: &'static str, name: &str, tys: &[Ty], span: Span) -> Result<Callee> {
        self.cx.span = span;
        let def = self.cx.lang(trait_)?;
        let Some(item) = self.cx.types.program().child(def, Symbol::new(name)) else {
            return self.cx.error(InferErrorKind::NoLang(trait_));
        };
        let args: Vec<Arg> = tys.iter().map(|&ty| Arg::Ty(ty)).collect();
        self.cx.callee(Instance::new(item, args), span)
    }

    fn finish_targets(&mut self, typed: &mut Typed) -> Result<()> {
        let mut all: Vec<(ExprId, Target)> = std::mem::take(&mut self.targets).into_iter().collect();
        all.sort_by_key(|(expr, _)| *expr);
        for (expr, target) in all {
            let span = self.expr(expr).span;
            let callee = self.finish_target(&target, span)?;
            typed.callees.insert(expr, callee);
        }
        Ok(())
    }

    fn finish_target(&mut self, target: &Target, span: Span) -> Result<Callee> {
        match *target {
            Target::Item(item) => {
                let args = self.cx.table.resolve_args(item.args());
                if args.iter().any(|arg| arg.ty().is_some_and(Ty::is_open)) {
                    self.cx.span = span;
                    let name = super::super::show::instance(self.cx.types, Instance::new(item.def(), args));
                    return self.cx.error(InferErrorKind::Unknown { what: "item's arguments", ty: name });
                }
                self.cx.callee(Instance::new(item.def(), args), span)
            }
            Target::Value => Ok(Callee::Value),
            Target::ConstParam(value) => Ok(Callee::ConstParam(value)),
            Target::Binary { op, lhs, rhs } => {
                let (lhs, rhs) = self.operands(lhs, rhs, span)?;
                if is_primitive(lhs) && is_primitive(rhs) {
                    return Ok(Callee::Builtin);
                }
                let (trait_, method) = lang::bin_op(op);
                let (mut lhs, mut rhs) = (lhs, rhs);
                if is_comparison(op) {
                    while let (Some((_, a)), Some((_, b))) = (lhs.referent(), rhs.referent()) {
                        (lhs, rhs) = (a, b);
                    }
                }
                if is_comparison(op) && lhs.is_unit() && rhs.is_unit() {
                    return Ok(Callee::Builtin);
                }
                self.method(trait_, method, &[lhs, rhs], span)
            }
            Target::Assign { op, lhs, rhs } => {
                let (lhs, rhs) = self.operands(lhs, rhs, span)?;
                if lhs.referent().is_none() && is_primitive(lhs) && is_primitive(rhs) {
                    return Ok(Callee::Builtin);
                }
                match lang::assign_op(op) {
                    Some((trait_, method)) => self.method(trait_, method, &[lhs, rhs], span),
                    None => Ok(Callee::Builtin),
                }
            }
            Target::Unary { op, operand } => {
                let operand = self.finish_ty(operand, span, "operand")?;
                if is_primitive(operand) || operand.is_never() {
                    return Ok(Callee::Builtin);
                }
                let name = if op == UnOp::Neg { "neg" } else { "not" };
                self.method(name, name, &[operand], span)
            }
            Target::Deref { operand, mutability } => {
                let operand = self.finish_ty(operand, span, "operand")?;
                Ok(self.deref_method(operand, mutability, span)?.map_or(Callee::Builtin, Callee::Fn))
            }
            Target::Index { base, index, mutability } => {
                let (base, index) = self.operands(base, index, span)?;
                let is_builtin =
                    matches!(base.kind(), TyKind::Array(..) | TyKind::Slice(_) | TyKind::Prim(_));
                if is_builtin && !self.is_own_index(index) {
                    return Ok(Callee::Builtin);
                }
                let name = if mutability == Mutability::Mut { "index_mut" } else { "index" };
                self.method(name, name, &[base, index], span)
            }
        }
    }

    fn operands(&mut self, lhs: Ty, rhs: Ty, span: Span) -> Result<(Ty, Ty)> {
        Ok((self.finish_ty(lhs, span, "operand")?, self.finish_ty(rhs, span, "operand")?))
    }

    fn finish_rest(&mut self, typed: &mut Typed) -> Result<()> {
        for (expr, found) in std::mem::take(&mut self.tries) {
            let span = self.expr(expr).span;
            let ret = self.finish_ty(found.ret, span, "result")?;
            let convert = match found.kind {
                TryKind::Option | TryKind::ControlFlow => None,
                TryKind::Result => {
                    let error = self.finish_ty(found.error, span, "error")?;
                    let Some([_, Arg::Ty(target)]) = self.cx.as_lang(ret, "result") else {
                        return self.cx.error(InferErrorKind::NotTry { ty: self.cx.show(ret) });
                    };
                    match self.method("from", "from", &[*target, error], span)? {
                        Callee::Fn(from) => Some(from),
                        _ => None,
                    }
                }
            };
            typed.tries.insert(expr, Try { kind: found.kind, convert, ret });
        }
        for (expr, len) in std::mem::take(&mut self.lengths) {
            match self.cx.table.shallow_const(len) {
                Const::Value(len) => typed.lengths.insert(expr, len as u64),
                Const::Infer(_) => {
                    self.cx.span = self.expr(expr).span;
                    return self.cx.error(InferErrorKind::Const("this length".into()));
                }
            };
        }
        for (pat, path) in std::mem::take(&mut self.pat_paths) {
            let span = self.body.pats[pat.index()].span;
            typed.pat_paths.insert(pat, self.cx.finish_pat_path(&path, span)?);
        }
        self.finish_formats(typed)
    }

    fn finish_formats(&mut self, typed: &mut Typed) -> Result<()> {
        let body = self.body.clone();
        for (i, expr) in body.exprs.iter().enumerate() {
            let ExprKind::Format(format) = &expr.kind else { continue };
            if self.exprs[i].is_none() {
                continue;
            }
            let mut methods = vec![];
            for piece in &format.pieces {
                if let FormatPiece::Arg { index, spec } = piece {
                    let ty =
                        format.args.get(*index).map_or(Ty::unit(), |arg| typed.adjusted(*arg).peel_refs());
                    methods.push(self.method(format_trait(&spec.style), "fmt", &[ty], expr.span)?);
                }
            }
            typed.formats.insert(ExprId(i as u32), methods);
        }
        Ok(())
    }

    fn finish_closures(&mut self, typed: &mut Typed) -> Result<()> {
        // Inner closures are processed before the outer ones, whose captures depend on theirs.
        for &id in self.closures.clone().iter().rev() {
            let closure = ClosureId { owner: self.instance, expr: id };
            let Some(open) = self.cx.closures.get(&closure).cloned() else { continue };
            let span = self.expr(id).span;
            let params = self.finish_all(&open.params, span)?;
            let ret = self.finish_ty(open.ret, span, "result")?;
            let (kind, captures) = capture::captures(self.cx.types, typed, id);
            let found = Closure { ty: Ty::new(TyKind::Closure(closure)), kind, params, ret, captures };
            self.cx.types.draft(closure, found.clone());
            typed.closures.insert(id, found);
        }
        Ok(())
    }
}

/// Whether operators on the type are built in: for a primitive type, or references to one.
fn is_primitive(ty: Ty) -> bool {
    ty.peel_refs().as_prim().is_some()
}

/// The pointee type.
fn pointee(ty: Ty) -> Ty {
    match ty.kind() {
        TyKind::Ref(inner) | TyKind::RefMut(inner) => *inner,
        TyKind::Adt(_, args) => args.last().and_then(|arg| arg.ty()).unwrap_or(ty),
        _ => ty,
    }
}

/// The lang name of a formatting trait.
fn format_trait(style: &str) -> &'static str {
    match style {
        "Debug" => "debug",
        "LowerExp" => "lower_exp",
        "UpperExp" => "upper_exp",
        "LowerHex" => "lower_hex",
        "UpperHex" => "upper_hex",
        "Binary" => "binary",
        "Octal" => "octal",
        "Pointer" => "pointer",
        _ => "display",
    }
}

/// Whether `as` converts between these types.
fn is_cast(from: Prim, to: Prim) -> bool {
    match (from, to) {
        (Prim::Str, _) | (_, Prim::Str) => false,
        (Prim::U8, Prim::Char) => true,
        (Prim::Bool | Prim::Char, _) => from == to || is_int(to),
        (_, Prim::Bool | Prim::Char) => false,
        _ => true,
    }
}
