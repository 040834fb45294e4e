//! Expressions, one kind after the other.

use overdub_context::Symbol;

use super::super::cx::{is_float, is_int};
use super::*;
use crate::hir::{
    ConstArg, CtorPath, ExprKind, FormatArgs, FormatCount, FormatPiece, GenericArg, Lit, Prim, TypeKind,
    ValuePath,
};

impl Check<'_> {
    pub(super) fn check_kind(&mut self, id: ExprId, kind: &ExprKind, expect: Expect) -> Result<Ty> {
        match kind {
            ExprKind::Lit(lit) => self.check_lit(lit, expect),
            ExprKind::Path(path) => self.check_path(id, path),
            ExprKind::Unary(UnOp::Deref, operand) => self.check_deref(id, *operand),
            ExprKind::Unary(op, operand) => self.check_unary(id, *op, *operand, expect),
            ExprKind::Binary(op, a, b) => self.check_binary(id, *op, *a, *b, expect),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.check_coerce(*a, Ty::bool())?;
                let after_first = self.diverges;
                self.check_coerce(*b, Ty::bool())?;
                self.diverges = after_first;
                Ok(Ty::bool())
            }
            ExprKind::Assign(place, value) => {
                let ty = self.check(*place, Expect::Nothing)?;
                self.make_mutable(*place);
                self.check_coerce(*value, ty)?;
                Ok(Ty::unit())
            }
            ExprKind::AssignOp(op, place, value) => self.check_assign_op(id, *op, *place, *value),
            ExprKind::Call(func, args) => self.check_call(id, *func, args, expect),
            ExprKind::MethodCall { receiver, name, name_span, generic_args, args, traits } => {
                let call = call::MethodCall { name: *name, span: *name_span, generic_args, args, traits };
                self.check_method_call(id, *receiver, call, expect)
            }
            ExprKind::Field(base, name) => self.check_field(id, *base, *name),
            ExprKind::Index(base, index) => self.check_index(id, *base, *index),
            ExprKind::AddrOf { mutable, raw, place } => self.check_addr_of(*mutable, *raw, *place, expect),
            ExprKind::Cast(operand, ty) => self.check_cast(*operand, ty),
            ExprKind::Block(block) => self.check_block(id, block, expect),
            ExprKind::If(condition, then, otherwise) => self.check_if(*condition, *then, *otherwise, expect),
            ExprKind::Let(pat, init) => {
                let ty = self.check(*init, Expect::Nothing)?;
                self.check_pat(*pat, ty)?;
                if self.pat_mutates(*pat) {
                    self.make_mutable(*init);
                }
                Ok(Ty::bool())
            }
            ExprKind::Match(scrutinee, arms) => self.check_match(*scrutinee, arms, expect),
            ExprKind::Loop(body) => self.check_loop(id, *body, expect),
            ExprKind::Break { target, value } => self.check_break(*target, *value),
            ExprKind::Continue { .. } => Ok(Ty::never()),
            ExprKind::Return(value) => self.check_return(*value),
            ExprKind::Closure { params, ret, body, .. } => self.check_closure(id, params, ret, *body, expect),
            ExprKind::Struct { path, fields, base } => self.check_struct(id, path, fields, *base, expect),
            ExprKind::Tuple(elems) => self.check_tuple(elems, expect),
            ExprKind::Array(elems) => self.check_array(elems, expect),
            ExprKind::Repeat(elem, len) => self.check_repeat(id, *elem, len, expect),
            ExprKind::Try(operand) => self.check_try(id, *operand),
            ExprKind::Format(format) => self.check_format(format),
            ExprKind::Unsupported(message) => self.cx.error(InferErrorKind::Unsupported(*message)),
        }
    }

    pub(super) fn check_lit(&mut self, lit: &Lit, expect: Expect) -> Result<Ty> {
        let expected = expect.any().map(|ty| self.cx.shallow(ty));
        let prim = expected.and_then(Ty::as_prim);
        Ok(match lit {
            Lit::Int(_, Some(suffix)) | Lit::Float(_, Some(suffix)) => Ty::prim(*suffix),
            Lit::Int(_, None) => match prim.filter(|&prim| is_int(prim)) {
                Some(prim) => Ty::prim(prim),
                None => self.cx.table.fresh_int(),
            },
            Lit::Float(_, None) => match prim.filter(|&prim| is_float(prim)) {
                Some(prim) => Ty::prim(prim),
                None => self.cx.table.fresh_float(),
            },
            Lit::Bool(_) => Ty::bool(),
            Lit::Char(_) => Ty::prim(Prim::Char),
            Lit::Str(_) => Ty::shared(Ty::prim(Prim::Str)),
            Lit::Byte(_) => Ty::prim(Prim::U8),
            Lit::ByteStr(bytes) => {
                let len = Const::Value(bytes.len() as i128);
                Ty::shared(Ty::new(TyKind::Array(Ty::prim(Prim::U8), len)))
            }
        })
    }

    fn check_path(&mut self, id: ExprId, path: &ValuePath) -> Result<Ty> {
        let scope = self.scope.clone();
        let item = match path {
            ValuePath::Local(local) => return Ok(self.local(*local)),
            ValuePath::ConstParam(param) => {
                return match scope.param(*param) {
                    Some(Arg::Const(Const::Value(value))) => {
                        self.targets.insert(id, Target::ConstParam(value));
                        self.const_param_ty(*param)
                    }
                    _ => self.cx.error(InferErrorKind::Const("a parameter that is not bound".into())),
                };
            }
            _ => self.path_item(path)?,
        };
        self.targets.insert(id, Target::Item(item));
        self.item_ty(item)
    }

    fn const_param_ty(&mut self, param: crate::hir::ParamRef) -> Result<Ty> {
        let generics = self.cx.types.program().generics(param.owner)?;
        match generics.params.get(param.index as usize).map(|param| &param.kind) {
            Some(crate::hir::ParamKind::Const(ty, _)) => {
                let scope = self.scope.clone();
                self.cx.read_ty(ty, &scope)
            }
            _ => Ok(Ty::usize()),
        }
    }

    /// The item that a path names, with variables for omitted arguments.
    pub(super) fn path_item(&mut self, path: &ValuePath) -> Result<Instance> {
        let span = self.cx.span;
        let scope = self.scope.clone();
        let found = match path {
            ValuePath::Def(def, args) => self.cx.complete_def(*def, args, &scope, span)?,
            ValuePath::Assoc { base, of, name, args, traits } => {
                self.cx.assoc_path(base, of.as_ref(), *name, args, traits, &scope, span)?
            }
            ValuePath::TraitItem { of, item, args } => {
                let self_ty = self.cx.fresh();
                let mut prefix = vec![Arg::Ty(self_ty)];
                prefix.extend(self.cx.read_args(&of.args, &scope, span)?);
                let len = self.cx.types.layout(of.def)?.len;
                let prefix = self.cx.fill_fresh(of.def, prefix, len, span)?;
                self.cx.complete(*item, prefix, args, &scope, span)?
            }
            ValuePath::SelfCtor(impl_) => {
                let program = self.cx.types.program().clone();
                let ty = self.cx.read_ty(&program.impl_(*impl_)?.self_ty, &scope)?;
                let TyKind::Adt(def, args) = ty.kind() else {
                    return self.cx.error(InferErrorKind::NotCtor { name: self.cx.show(ty) });
                };
                return Ok(Instance::new(*def, args.clone()));
            }
            ValuePath::Local(_) | ValuePath::ConstParam(_) => {
                return self.cx.error(InferErrorKind::NotCtor { name: "a variable".into() });
            }
        };
        Ok(Instance::new(found.def, found.args))
    }

    /// The type of a named item as a value.
    pub(super) fn item_ty(&mut self, item: Instance) -> Result<Ty> {
        let program = self.cx.types.program().clone();
        match self.cx.types.kind(item.def()) {
            DefKind::Const | DefKind::Static | DefKind::AssocConst => {
                let written = program.const_type(item.def())?;
                let scope = self.cx.types.scope(item.def(), item.args())?;
                self.cx.read_ty(&written, &scope)
            }
            DefKind::Struct | DefKind::Variant => {
                let (adt, index) = program.variant_of(item.def()).unwrap_or((item.def(), 0));
                match program.adt(adt)?.variants.get(index).map(|variant| variant.shape) {
                    Some(crate::hir::StructKind::Unit) => Ok(Ty::adt(adt, item.args())),
                    _ => Ok(Ty::new(TyKind::FnDef(item))),
                }
            }
            DefKind::Fn | DefKind::AssocFn => Ok(Ty::new(TyKind::FnDef(item))),
            _ => self.cx.error(InferErrorKind::NotCtor { name: program.path(item.def()) }),
        }
    }

    fn check_addr_of(&mut self, mutable: bool, raw: bool, place: ExprId, expect: Expect) -> Result<Ty> {
        if raw {
            let ty = self.check(place, Expect::Nothing)?;
            if mutable {
                self.make_mutable(place);
            }
            return self.cx.raw_pointer(super::super::lower_ty::mutability(mutable), ty);
        }
        let inner = expect.any().and_then(|ty| {
            let ty = self.cx.shallow(ty);
            ty.referent().or_else(|| self.cx.raw_pointee(ty)).map(|(_, inner)| inner)
        });
        let expect = match inner {
            Some(inner) if self.is_unsized(inner) => Expect::Hint(inner),
            Some(inner) => Expect::Type(inner),
            None => Expect::Nothing,
        };
        let ty = self.check(place, expect)?;
        if mutable {
            self.make_mutable(place);
        }
        Ok(Ty::reference(super::super::lower_ty::mutability(mutable), ty))
    }

    /// Whether values of the type occur only behind a pointer.
    pub(super) fn is_unsized(&self, ty: Ty) -> bool {
        let ty = self.cx.shallow(ty);
        match ty.kind() {
            TyKind::Slice(_) | TyKind::Dyn(_) | TyKind::Prim(Prim::Str) => true,
            // `Named<A, dyn Trait>`, but not `Box<dyn Trait>`, whose last field is no object.
            TyKind::Adt(def, args) => {
                let last = args.last().and_then(|arg| arg.ty());
                last.is_some_and(|last| self.is_unsized(last)) && self.ends_with_param(*def, 0)
            }
            _ => false,
        }
    }

    /// Whether the last field of a struct is of the type of a parameter, or of a struct of which this holds.
    fn ends_with_param(&self, def: DefId, depth: usize) -> bool {
        // Structs that contain each other are no types, but may be written.
        const DEEPEST: usize = 32;
        // Of the library's structs, most have a pointer there.
        let wraps = ["manually_drop", "unsafe_cell"].iter().any(|name| self.cx.types.lang.is(def, name));
        let holds = !self.cx.types.program().is_of_prelude(def) || wraps || self.holds_last(def);
        if self.cx.types.kind(def) != DefKind::Struct || !holds || depth > DEEPEST {
            return false;
        }
        let adt = self.cx.types.program().adt(def);
        let Ok(Some((_, last))) =
            adt.as_ref().map(|adt| adt.variants.first().and_then(|of| of.fields.last()))
        else {
            return false;
        };
        match &last.kind {
            TypeKind::Param(_) => true,
            TypeKind::Def(inner, _) => self.ends_with_param(*inner, depth + 1),
            _ => false,
        }
    }

    fn check_cast(&mut self, operand: ExprId, written: &Type) -> Result<Ty> {
        let scope = self.scope.clone();
        let to = self.cx.read_ty(written, &scope)?;
        // The type of a branch is that of the others.
        let expect = match self.expr(operand).kind {
            ExprKind::If(..) | ExprKind::Match(..) => Expect::Nothing,
            _ => Expect::Hint(to),
        };
        let from = self.check(operand, expect)?;
        match self.cx.shallow(to).kind() {
            // `as _`: the target type is determined later.
            TyKind::Prim(_) | TyKind::Infer(_) => self.casts.push((operand, from, to)),
            // `as *mut _`, and what is cast on from there: the pointee type may be determined later.
            _ if self.has_open_pointee(to)
                || self.cx.raw_pointee(to).is_some() && self.has_open_pointee(from) =>
            {
                self.casts.push((operand, from, to));
            }
            _ if self.cx.raw_pointee(to).is_some() => self.cast_pointer(operand, from, to)?,
            _ => self.coerce(operand, from, to)?,
        }
        Ok(to)
    }

    fn has_open_pointee(&self, ty: Ty) -> bool {
        self.cx.raw_pointee(ty).is_some_and(|(_, pointee)| self.cx.resolve(pointee).is_open())
    }

    fn check_return(&mut self, value: Option<ExprId>) -> Result<Ty> {
        let ret = self.rets.last().copied().unwrap_or_else(Ty::unit);
        match value {
            Some(value) => self.check_coerce(value, ret)?,
            None if self.cx.unify(ret, Ty::unit()) => {}
            None => return self.cx.mismatch(ret, Ty::unit()),
        }
        Ok(Ty::never())
    }

    /// The struct or variant that a literal or pattern names, and the type of its values.
    pub(super) fn ctor(&mut self, path: &CtorPath) -> Result<(crate::hir::DefId, Ty)> {
        let program = self.cx.types.program().clone();
        let scope = self.scope.clone();
        let span = self.cx.span;
        match path {
            CtorPath::Def(def, args) => {
                let adt = program.variant_of(*def).map_or(*def, |(adt, _)| adt);
                if self.cx.types.kind(adt) == DefKind::TypeAlias {
                    let args = self.cx.read_args(args, &scope, span)?;
                    let len = self.cx.types.layout(adt)?.len;
                    let args = self.cx.fill_fresh(adt, args, len, span)?;
                    let ty = self.cx.def_with(adt, args, span)?;
                    return Ok((self.adt_of(ty)?, ty));
                }
                let found = self.cx.complete_def(*def, args, &scope, span)?;
                Ok((*def, Ty::adt(adt, found.args)))
            }
            CtorPath::Type(written, variant) => {
                let ty = self.cx.read_base(written, &scope)?;
                let Some(name) = variant else { return Ok((self.adt_of(ty)?, ty)) };
                let found = self.adt_of(ty).ok().and_then(|def| program.child(def, *name));
                if let Some(variant) = found {
                    return Ok((variant, ty));
                }
                // `Self::IntoIter { … }`: the last segment is not a variant, but an associated type.
                let base = Box::new(written.clone());
                let kind = crate::hir::TypeKind::Assoc { base, of: None, name: *name, args: vec![] };
                let ty = self.cx.read_ty(&Type { kind, span: written.span }, &scope)?;
                Ok((self.adt_of(ty)?, ty))
            }
        }
    }

    fn adt_of(&mut self, ty: Ty) -> Result<crate::hir::DefId> {
        match self.cx.shallow(ty).kind() {
            TyKind::Adt(def, _) => Ok(*def),
            _ => self.cx.error(InferErrorKind::NotCtor { name: self.cx.show(ty) }),
        }
    }

    fn check_struct(
        &mut self,
        id: ExprId,
        path: &CtorPath,
        fields: &[(Symbol, ExprId)],
        base: Option<ExprId>,
        expect: Expect,
    ) -> Result<Ty> {
        let (variant, ty) = self.ctor(path)?;
        if let Some(expected) = expect.target() {
            self.cx.unify(expected, ty);
        }
        let TyKind::Adt(_, args) = ty.kind() else { return self.cx.mismatch(ty, ty) };
        self.targets.insert(id, Target::Item(Instance::new(variant, args.clone())));
        let span = self.cx.span;
        let declared = self.cx.fields_of(ty, variant, span)?;
        for (name, value) in fields {
            match declared.iter().find(|(declared, _)| declared == name) {
                Some((_, field)) => self.check_coerce(*value, *field)?,
                None => {
                    return self.cx.error(InferErrorKind::NoField { name: *name, ty: self.cx.show(ty) });
                }
            }
        }
        if let Some(base) = base {
            self.check_coerce(base, ty)?;
        }
        Ok(ty)
    }

    fn check_tuple(&mut self, elems: &[ExprId], expect: Expect) -> Result<Ty> {
        let expected = expect.any().and_then(|ty| match self.cx.shallow(ty).kind() {
            TyKind::Tuple(expected) if expected.len() == elems.len() => Some(expected),
            _ => None,
        });
        let mut tys = vec![];
        for (i, &elem) in elems.iter().enumerate() {
            tys.push(match expected {
                Some(expected) => {
                    let ty = self.check(elem, Expect::Type(expected[i]))?;
                    if self.try_coerce(elem, ty, expected[i])? { expected[i] } else { ty }
                }
                None => self.check(elem, Expect::Nothing)?,
            });
        }
        Ok(Ty::tuple(tys))
    }

    /// The expected type of the elements of an array.
    fn element(&mut self, expect: Expect) -> Expect {
        match expect.any().map(|ty| self.cx.shallow(ty).kind()) {
            Some(TyKind::Array(elem, _) | TyKind::Slice(elem)) => Expect::Type(*elem),
            _ => Expect::Nothing,
        }
    }

    fn check_array(&mut self, elems: &[ExprId], expect: Expect) -> Result<Ty> {
        let expect = self.element(expect);
        let mut join = self.join_for(expect);
        let target = join.target();
        for &elem in elems {
            // The type of the first elements is likely that of the others; an expected type is the one to
            // coerce to.
            let ty = match expect {
                Expect::Type(ty) => self.check(elem, Expect::Type(ty))?,
                Expect::Hint(_) | Expect::Nothing => self.check(elem, Expect::Hint(join.target()))?,
            };
            self.join(&mut join, elem, ty)?;
        }
        let elem = if elems.is_empty() { target } else { join.finish() };
        Ok(Ty::new(TyKind::Array(elem, Const::Value(elems.len() as i128))))
    }

    fn check_repeat(&mut self, id: ExprId, elem: ExprId, len: &ConstArg, expect: Expect) -> Result<Ty> {
        let scope = self.scope.clone();
        let span = self.cx.span;
        let len = self.cx.read_const(len, &scope, span, Some(Prim::Usize))?;
        let ty = match self.element(expect) {
            Expect::Type(ty) | Expect::Hint(ty) => {
                self.check_coerce(elem, ty)?;
                ty
            }
            Expect::Nothing => self.check(elem, Expect::Nothing)?,
        };
        self.lengths.insert(id, len);
        Ok(Ty::new(TyKind::Array(ty, len)))
    }

    fn check_try(&mut self, id: ExprId, operand: ExprId) -> Result<Ty> {
        let ty = self.check(operand, Expect::Nothing)?;
        let ty = self.known(ty)?;
        let ret = self.rets.last().copied().unwrap_or_else(Ty::unit);
        if let Some([Arg::Ty(inner)]) = self.cx.as_lang(ty, "option") {
            if let TyKind::Infer(_) = self.cx.shallow(ret).kind() {
                let some = self.cx.fresh();
                let option = self.cx.lang_adt("option", &[some])?;
                self.cx.unify(ret, option);
            }
            self.tries.insert(id, OpenTry { kind: TryKind::Option, error: Ty::unit(), ret });
            return Ok(self.or_left(*inner));
        }
        if let Some([Arg::Ty(inner), Arg::Ty(error)]) = self.cx.as_lang(ty, "result") {
            self.cx.require(Goal::Try { error: *error, ret });
            self.tries.insert(id, OpenTry { kind: TryKind::Result, error: *error, ret });
            return Ok(self.or_left(*inner));
        }
        if let Some([Arg::Ty(broken), Arg::Ty(inner)]) = self.cx.as_lang(ty, "control_flow") {
            let continued = self.cx.fresh();
            let flow = self.cx.lang_adt("control_flow", &[*broken, continued])?;
            self.cx.unify(ret, flow);
            self.tries.insert(id, OpenTry { kind: TryKind::ControlFlow, error: Ty::unit(), ret });
            return Ok(self.or_left(*inner));
        }
        self.cx.error(InferErrorKind::NotTry { ty: self.cx.show(ty) })
    }

    /// The type of an expression that has this one, or else leaves the function: of `Err(error)?`, where nothing
    /// determines it.
    fn or_left(&mut self, ty: Ty) -> Ty {
        let ty = self.cx.shallow(ty);
        if matches!(ty.kind(), TyKind::Infer(InferVar::Any(_))) {
            let left = self.cx.table.fresh_diverging();
            self.cx.unify(left, ty);
        }
        ty
    }

    fn check_format(&mut self, format: &FormatArgs) -> Result<Ty> {
        let mut tys = vec![];
        for &arg in &format.args {
            tys.push(self.check(arg, Expect::Nothing)?);
        }
        for piece in &format.pieces {
            if let FormatPiece::Arg { spec, .. } = piece {
                for count in [&spec.width, &spec.precision] {
                    if let Some(FormatCount::Arg(index)) = count
                        && let Some(&ty) = tys.get(*index)
                    {
                        let ty = self.cx.shallow(ty).peel_refs();
                        self.cx.unify(ty, Ty::usize());
                    }
                }
            }
        }
        self.cx.lang_adt("arguments", &[])
    }
}

impl Cx<'_> {
    /// An item that a path names directly. The explicit arguments are complete; for an associated item, those
    /// of its parent come first.
    pub(super) fn complete_def(
        &mut self,
        def: crate::hir::DefId,
        written: &[GenericArg],
        scope: &GenericScope,
        span: overdub_context::Span,
    ) -> Result<super::super::path::AssocItem> {
        let layout = self.types.layout(def)?;
        if layout.parent_len() == 0 {
            return self.complete(def, vec![], written, scope, span);
        }
        let prefix = self.fill_fresh(def, vec![], layout.parent_len(), span)?;
        self.complete(def, prefix, written, scope, span)
    }
}
