//! Resolves an item of a trait to the one that is called: an impl's, the trait's default, or a method of a
//! `dyn` object.

use overdub_context::Span;

use super::cx::{Cx, TraitPredicate};
use super::error::{InferErrorKind, Result};
use super::select::{Choice, ImplSource};
use super::ty::*;
use super::typed::{Callee, Vtable};
use crate::hir::{DefId, DefKind, FnSig, TypeKind};

impl Cx<'_> {
    /// The final item for these arguments, which contain no variables.
    pub(super) fn callee(&mut self, item: Instance, span: Span) -> Result<Callee> {
        self.span = span;
        let def = item.def();
        let kind = self.types.kind(def);
        let instance = Instance::new(def, self.reveal_args(item.args())?);
        let wrap = |instance: Instance| match kind {
            DefKind::AssocConst | DefKind::Const => Callee::Const(instance),
            DefKind::Static => Callee::Static(instance.def()),
            DefKind::Struct | DefKind::Variant => Callee::Ctor(instance.def()),
            _ => Callee::Fn(instance),
        };
        let layout = self.types.layout(def)?;
        let Some(trait_) = layout.self_trait.filter(|&trait_| trait_ != def) else {
            return Ok(wrap(instance));
        };
        let trait_len = layout.parent_len();
        let predicate = TraitPredicate::new(trait_, &instance.args()[..trait_len.min(instance.args().len())]);
        let source = match self.choose(&predicate)? {
            Choice::One(source) => source,
            Choice::None => return self.unsatisfied(&predicate),
            Choice::Open => {
                let ty = self.show(predicate.self_ty());
                return self.error(InferErrorKind::Unknown { what: "implementor", ty });
            }
        };
        match source {
            ImplSource::Impl { def: impl_, args } => {
                let Some(found) = self.types.program().child(impl_, self.types.item_name(def)) else {
                    return Ok(wrap(instance));
                };
                let args = self.infer_impl_args(&predicate, impl_, args)?;
                let all: Vec<Arg> = args.iter().chain(&instance.args()[trait_len..]).copied().collect();
                Ok(wrap(Instance::new(found, all)))
            }
            ImplSource::Callable { .. } => Ok(Callee::CallValue(predicate.self_ty())),
            ImplSource::Bound { .. } => {
                match self.dyn_methods(predicate.self_ty())?.iter().position(|&m| m == def) {
                    Some(index) => Ok(Callee::Dyn(def, index)),
                    None => Ok(wrap(instance)),
                }
            }
            ImplSource::Builtin(_) if self.types.lang.is(trait_, "clone") => {
                Ok(Callee::Clone(predicate.self_ty()))
            }
            ImplSource::Builtin(_) => Ok(wrap(instance)),
        }
    }

    /// An impl's arguments, including those determined only by its where clauses.
    fn infer_impl_args(
        &mut self,
        predicate: &TraitPredicate,
        def: DefId,
        args: Box<[Arg]>,
    ) -> Result<Box<[Arg]>> {
        let open = |cx: &Self, args: &[Arg]| {
            cx.table.resolve_args(args).iter().any(|arg| match arg {
                Arg::Ty(ty) => ty.is_open(),
                Arg::Const(value) => matches!(value, Const::Infer(_)),
            })
        };
        if open(self, &args) {
            let source = ImplSource::Impl { def, args: args.clone() };
            // What an opaque type hides, or a constant in a type is, may be asked for while obligations are processed.
            self.select_apart(|cx| {
                let goals = cx.nested_goals(predicate, &source)?;
                cx.require_all(goals);
                Ok(())
            })?;
            if open(self, &args) {
                return self.unsatisfied(predicate);
            }
        }
        let args = self.table.resolve_args(&args);
        self.reveal_args(&args)
    }

    /// The methods that can be called on an object of a `dyn` type, in order.
    pub(super) fn dyn_methods(&mut self, ty: Ty) -> Result<Vec<DefId>> {
        Ok(self.object_methods(ty)?.into_iter().map(Instance::def).collect())
    }

    /// Like [`Cx::dyn_methods`], each with the `dyn` type as `Self`.
    pub(super) fn object_methods(&mut self, ty: Ty) -> Result<Vec<Instance>> {
        let program = self.types.program().clone();
        let mut methods: Vec<Instance> = vec![];
        for bound in self.bounds_of(ty)? {
            if self.types.lang.is_fn(bound.def) {
                continue;
            }
            for predicate in self.elaborate(bound.predicate(ty))? {
                if self.types.lang.is_fn(predicate.trait_) {
                    continue;
                }
                for &item in program.children(predicate.trait_).iter() {
                    if program.head(item).kind != DefKind::AssocFn
                        || methods.iter().any(|known| known.def() == item)
                    {
                        continue;
                    }
                    let sig = program.fn_sig(item)?;
                    if sig.has_self && sig.generics.params.is_empty() && self.is_dispatched(&sig) {
                        methods.push(Instance::new(item, predicate.args.clone()));
                    }
                }
            }
        }
        Ok(methods)
    }

    /// Whether a method is dispatched on objects: it takes the object behind a pointer, and does not require
    /// a sized type.
    fn is_dispatched(&self, sig: &FnSig) -> bool {
        let by_value =
            sig.params.first().is_none_or(|self_param| matches!(self_param.kind, TypeKind::SelfType(_)));
        let sized = sig.generics.bounds.iter().any(|bound| {
            matches!(bound.ty.kind, TypeKind::SelfType(_))
                && bound.bounds.iter().any(|bound| self.types.lang.is(bound.def, "sized"))
        });
        !by_value && !sized
    }

    /// The vtable of a type for a `dyn` type.
    pub(super) fn vtable(&mut self, object: Ty, target: Ty, span: Span) -> Result<Vtable> {
        let mut methods = vec![];
        for item in self.dyn_methods(target)? {
            let layout = self.types.layout(item)?;
            let trait_ = layout.self_trait.unwrap_or(item);
            let mut found = None;
            for bound in self.bounds_of(target)? {
                let all = self.elaborate(bound.predicate(object))?;
                found = found.or(all.into_iter().find(|predicate| predicate.trait_ == trait_));
            }
            let Some(predicate) = found else { continue };
            let args = self.table.resolve_args(&predicate.args);
            // A method that requires a sized type is not dispatched.
            if let Ok(callee) = self.callee(Instance::new(item, args), span) {
                methods.push((item, callee));
            }
        }
        Ok(Vtable { object, target, methods })
    }
}
