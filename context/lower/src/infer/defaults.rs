//! The instance of a function that a user names without type arguments: floats are `f64`, other parameters follow
//! from their bounds.

use super::cx::{Cx, Goal, TraitPredicate};
use super::error::{InferErrorKind, Result};
use super::session::Types;
use super::solve::Verdict;
use super::ty::*;
use crate::hir::{DefId, DefKind, GenericArg, ParamKind, Prim, TraitRef, Type, TypeKind, WhereBound};

/// The candidates for a type parameter: the first that its bounds allow is chosen.
const CANDIDATES: [Prim; 8] =
    [Prim::F64, Prim::F32, Prim::Usize, Prim::I64, Prim::I32, Prim::U64, Prim::U32, Prim::Bool];

/// The shape of an argument whose type is not known yet: the lengths of its lists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ListShape {
    /// A list of these elements.
    List(Vec<ListShape>),
    /// Anything else.
    Other,
}

/// The known parts of a call before its function's type arguments are known.
#[derive(Clone, Copy, Default, Debug)]
pub struct CallHints<'a> {
    /// For a trait's provided method, the impl through whose type it was found.
    pub through: Option<DefId>,
    /// The shapes of the arguments: a list for a `[T; N]` determines `N`.
    pub shapes: &'a [ListShape],
    /// The types of the first parameters, if given.
    pub types: &'a [Type],
    /// The known types of the call's arguments and result.
    pub call: Option<&'a CallTypes>,
}

/// The known types of a call.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CallTypes {
    /// The types of the arguments.
    pub args: Vec<Option<Ty>>,
    /// The type of the result.
    pub ret: Option<Ty>,
}

impl Types {
    /// The instance of a function for a call of which some parts are known. Other generic arguments have defaults: `f64` for
    /// numbers, `Vec<f64>` or a slice for collections of them.
    pub fn default_instance_for(&self, def: DefId, hints: CallHints<'_>) -> Result<Instance> {
        let CallHints { through, shapes, types, call } = hints;
        let layout = self.layout(def)?;
        let mut cx = Cx::new(self);
        cx.span = self.item_span(def);
        let bounds: Vec<WhereBound> =
            layout.segments.iter().flat_map(|segment| segment.generics.bounds.iter().cloned()).collect();
        let mut args: Vec<Arg> = (0..layout.len).map(|_| Arg::Ty(cx.fresh())).collect();
        for segment in &layout.segments {
            for (i, param) in segment.generics.params.iter().enumerate() {
                if let ParamKind::Const(..) = param.kind {
                    args[segment.start + i] = Arg::Const(cx.table.fresh_const());
                }
            }
        }
        if let Some(call) = call {
            self.bind_to_call(&mut cx, def, &args, call)?;
        }
        if let Some(trait_) = layout.self_trait
            && let Some(Arg::Ty(self_ty)) = args.first().copied()
            && matches!(cx.shallow(self_ty).kind(), TyKind::Infer(_))
        {
            let header = through.map(|impl_| self.program().impl_(impl_)).transpose()?;
            let chosen = match header.filter(|header| header.generics.params.is_empty()) {
                Some(header) => cx.read_ty(&header.self_ty, &self.scope(header.def, &[])?)?,
                None => cx.default_implementor(trait_, shapes)?,
            };
            cx.unify(self_ty, chosen);
        }
        if !types.is_empty() {
            let sig = self.program().fn_sig(def)?;
            let scope = self.scope(def, &args)?;
            if types.len() != sig.params.len() {
                let (expected, found) = (sig.params.len(), types.len());
                return cx.error(InferErrorKind::ArgCount { expected, found });
            }
            for (param, written) in sig.params.iter().zip(types) {
                let (param, written) = (cx.read_ty(param, &scope)?, cx.read_ty(written, &scope)?);
                if !cx.unify(param, written) {
                    let (expected, found) = (self.show(cx.resolve(param)), self.show(written));
                    return cx.error(InferErrorKind::Mismatch { expected, found });
                }
            }
        }
        // Parameters that occur in the bounds of others are chosen first: `T` before
        // `I: IntoIterator<Item = T>`.
        for late in [false, true] {
            for segment in &layout.segments {
                for (i, param) in segment.generics.params.iter().enumerate() {
                    let Arg::Ty(var) = args[segment.start + i] else { continue };
                    let own_bounds: Vec<&WhereBound> = bounds
                        .iter()
                        .filter(|bound| {
                            matches!(bound.ty.kind, TypeKind::Param(found)
                                if found.owner == segment.owner && found.index as usize == i)
                        })
                        .collect();
                    if cx.is_shaped(&own_bounds) != late
                        || !matches!(cx.shallow(var).kind(), TyKind::Infer(_))
                    {
                        continue;
                    }
                    let scope = self.scope(def, &args)?;
                    let default = match &param.kind {
                        ParamKind::Type(Some(default)) => Some(cx.read_ty(default, &scope)?),
                        _ => None,
                    };
                    let chosen = match default {
                        Some(default) => Some(default),
                        None => cx.default_type(var, &own_bounds, &scope)?,
                    };
                    let Some(chosen) = chosen else {
                        let name = self.program().path(def);
                        if own_bounds.iter().flat_map(|bound| &bound.bounds).any(|of| self.lang.is_fn(of.def))
                        {
                            return cx.error(InferErrorKind::TakesFunction { name, param: param.name });
                        }
                        return cx.error(InferErrorKind::NoDefault { name, param: param.name });
                    };
                    cx.unify(var, chosen);
                }
            }
        }
        if let Ok(sig) = self.program().fn_sig(def) {
            let scope = self.scope(def, &args)?;
            for (param, shape) in sig.params.iter().zip(shapes) {
                let ty = cx.read_ty(param, &scope)?;
                cx.bind_lengths(ty, shape);
            }
        }
        let args = cx.table.resolve_args(&args);
        if args.iter().any(|arg| matches!(arg, Arg::Const(Const::Infer(_)))) {
            let name = self.program().path(def);
            let param = layout.segments.iter().flat_map(|segment| &segment.generics.params);
            let param =
                param.filter(|param| matches!(param.kind, ParamKind::Const(..))).map(|p| p.name).next();
            let param = param.unwrap_or_else(|| overdub_context::Symbol::new("_"));
            return cx.error(InferErrorKind::NoDefault { name, param });
        }
        Ok(Instance::new(def, args))
    }
}

impl Types {
    /// Unifies parameters with the known types of a call. References are ignored: lowering both sides shows
    /// whether they fit.
    fn bind_to_call(&self, cx: &mut Cx<'_>, def: DefId, args: &[Arg], call: &CallTypes) -> Result<()> {
        let sig = self.program().fn_sig(def)?;
        if sig.params.len() != call.args.len() {
            return Ok(());
        }
        let scope = self.scope(def, args)?;
        let params = sig.params.iter().zip(call.args.iter().copied());
        for (param, known) in params.chain([(&sig.ret, call.ret)]) {
            let Some(known) = known else { continue };
            let param = cx.read_ty(param, &scope)?;
            cx.unify(cx.resolve(param).peel_refs(), known.peel_refs());
        }
        Ok(())
    }
}

impl Cx<'_> {
    /// Binds the lengths of arrays to those of the corresponding lists.
    fn bind_lengths(&mut self, ty: Ty, shape: &ListShape) {
        let ListShape::List(parts) = shape else { return };
        match self.resolve(ty).kind() {
            TyKind::Ref(inner) | TyKind::RefMut(inner) => self.bind_lengths(*inner, shape),
            TyKind::Array(elem, length) => {
                if let (Const::Infer(var), Ok(length)) =
                    (self.table.shallow_const(*length), parts.len().try_into())
                {
                    self.table.bind_const(var, Const::Value(length));
                }
                parts.iter().for_each(|part| self.bind_lengths(*elem, part));
            }
            TyKind::Slice(elem) => parts.iter().for_each(|part| self.bind_lengths(*elem, part)),
            TyKind::Tuple(elems) => {
                elems.iter().zip(parts).for_each(|(elem, part)| self.bind_lengths(*elem, part));
            }
            _ => {}
        }
    }

    /// Whether bounds determine the shape of a type, beyond its capabilities.
    fn is_shaped(&self, bounds: &[&WhereBound]) -> bool {
        bounds.iter().flat_map(|bound| &bound.bounds).any(|bound| {
            let name = self.types.item_name(bound.def);
            self.types.lang.is_fn(bound.def)
                || self.is_array_data(bound.def)
                || ["Iterator", "IntoIterator", "AsRef", "Borrow", "Deref", "Index", "DoubleEndedIterator"]
                    .contains(&&*name)
        })
    }

    /// Whether the trait describes the storage of an ndarray array.
    fn is_array_data(&self, trait_: DefId) -> bool {
        let lang = self.types.program().head(trait_).lang;
        lang.is_some_and(|lang| ["nd_data", "nd_data_mut", "nd_data_owned"].contains(&&*lang))
    }

    fn default_type(
        &mut self,
        var: Ty,
        bounds: &[&WhereBound],
        scope: &super::scope::GenericScope,
    ) -> Result<Option<Ty>> {
        let f64 = Ty::prim(Prim::F64);
        let mut predicates: Vec<TraitPredicate> = vec![];
        let mut others: Vec<&TraitRef> = vec![];
        for bound in bounds.iter().flat_map(|bound| &bound.bounds) {
            let name = self.types.item_name(bound.def);
            let item = match bound.bindings.iter().find(|of| &*of.name == "Item") {
                Some(of) => Some(self.read_ty(&of.ty, scope)?),
                None => None,
            };
            match (&*name, item) {
                ("IntoIterator", item) => return self.collection_of(item.unwrap_or(f64)).map(Some),
                ("Iterator" | "DoubleEndedIterator" | "ExactSizeIterator", item) => {
                    let vec = self.collection_of(item.unwrap_or(f64))?;
                    let predicate = TraitPredicate::new(self.lang("into_iterator")?, [Arg::Ty(vec)]);
                    let name = overdub_context::Symbol::new("IntoIter");
                    let span = self.span;
                    return self.normalize(predicate, name, vec![], span).map(Some);
                }
                ("AsRef" | "Borrow" | "Deref", _) => {
                    let Some(GenericArg::Type(target)) = bound.args.first() else { return Ok(None) };
                    let target = self.read_ty(target, scope)?;
                    return match self.resolve(target).kind() {
                        TyKind::Slice(elem) => self.collection_of(*elem).map(Some),
                        TyKind::Prim(Prim::Str) => self.lang_adt("string", &[]).map(Some),
                        _ => Ok(Some(target)),
                    };
                }
                _ if self.types.lang.is_fn(bound.def) => return Ok(None),
                _ if self.is_array_data(bound.def) => {
                    let elem = match bound.bindings.iter().find(|of| &*of.name == "Elem") {
                        Some(of) => self.read_ty(&of.ty, scope)?,
                        None => f64,
                    };
                    let owned = self.types.program().lang("nd_owned");
                    return Ok(owned.map(|owned| Ty::adt(owned, [Arg::Ty(elem)])));
                }
                _ => {
                    others.push(bound);
                    predicates.push(TraitPredicate::new(bound.def, [Arg::Ty(f64)]));
                }
            }
        }
        for prim in CANDIDATES {
            let candidate = Ty::prim(prim);
            let fits = self.probe(|cx| {
                let mut goals = vec![];
                cx.unify(var, candidate)
                    && others.iter().all(|bound| cx.bound_goals(candidate, bound, scope, &mut goals).is_ok())
                    && cx.evaluate(&goals) != Verdict::No
            });
            if fits {
                return Ok(Some(candidate));
            }
        }
        if let Some(into_type) = self.target_of_into(&others, scope)? {
            return Ok(Some(into_type));
        }
        self.only_implementor(&predicates)
    }

    /// The type into which a parameter must be convertible, which is chosen for it.
    fn target_of_into(
        &mut self,
        bounds: &[&TraitRef],
        scope: &super::scope::GenericScope,
    ) -> Result<Option<Ty>> {
        let into = bounds.iter().find(|bound| &*self.types.item_name(bound.def) == "Into");
        match into.and_then(|into| into.args.first()) {
            Some(GenericArg::Type(target)) => self.read_ty(target, scope).map(Some),
            _ => Ok(None),
        }
    }

    /// `Vec<T>` for items of type `T`, `&Vec<T>` for items of type `&T`.
    fn collection_of(&mut self, item: Ty) -> Result<Ty> {
        match self.resolve(item).kind() {
            TyKind::Ref(inner) => Ok(Ty::shared(self.lang_adt("vec", &[*inner])?)),
            _ => self.lang_adt("vec", &[item]),
        }
    }

    /// The type for which a trait's provided method is run: a number if it implements the trait, otherwise
    /// the first implementor.
    fn default_implementor(&mut self, trait_: DefId, shapes: &[ListShape]) -> Result<Ty> {
        let layout = self.types.layout(trait_)?;
        for prim in [Prim::F64, Prim::F32, Prim::I64, Prim::I32, Prim::Usize] {
            let span = self.span;
            let args = self.fill_defaults(trait_, vec![Arg::Ty(Ty::prim(prim))], span)?;
            if args.len() == layout.len && self.holds(trait_, args) {
                return Ok(Ty::prim(prim));
            }
        }
        let predicate = TraitPredicate::new(trait_, [Arg::Ty(Ty::unit())]);
        let listed = match shapes.first() {
            Some(ListShape::List(_)) => self.listed_implementor(trait_)?,
            _ => None,
        };
        let found = match listed {
            Some(listed) => Some(listed),
            None => self.only_implementor(&[predicate])?,
        };
        match found {
            Some(found) => Ok(found),
            None => {
                let (name, param) = (self.types.program().path(trait_), overdub_context::Symbol::new("Self"));
                self.error(InferErrorKind::NoDefault { name, param })
            }
        }
    }

    /// `Vec<f64>`, if that implements the trait.
    fn listed_implementor(&mut self, trait_: DefId) -> Result<Option<Ty>> {
        let vec = self.collection_of(Ty::prim(Prim::F64))?;
        let (len, span) = (self.types.layout(trait_)?.len, self.span);
        let holds = self.probe(|cx| {
            let args = cx.fill_fresh(trait_, vec![Arg::Ty(vec)], len, span);
            args.is_ok_and(|args| {
                cx.evaluate(&[Goal::Trait(TraitPredicate::new(trait_, args))]) != Verdict::No
            })
        });
        Ok(holds.then_some(vec))
    }

    /// A type without parameters that implements the first of the traits that is not a marker.
    fn only_implementor(&mut self, predicates: &[TraitPredicate]) -> Result<Option<Ty>> {
        let Some(predicate) =
            predicates.iter().find(|predicate| !self.types.lang.is_marker(predicate.trait_))
        else {
            return Ok(None);
        };
        let program = self.types.program().clone();
        for &impl_ in program.impls_of(predicate.trait_).iter() {
            let header = program.impl_(impl_)?;
            if !header.generics.params.is_empty() || !is_named(&header.self_ty) {
                continue;
            }
            let scope = self.types.scope(impl_, &[])?;
            let ty = self.read_ty(&header.self_ty, &scope)?;
            let holds = predicates.iter().all(|predicate| {
                let mut args = predicate.args.to_vec();
                args[0] = Arg::Ty(ty);
                self.holds(predicate.trait_, args)
            });
            if holds {
                return Ok(Some(ty));
            }
        }
        Ok(None)
    }
}

fn is_named(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Def(..) | TypeKind::Prim(_))
}

impl Types {
    /// Whether an item has generic parameters, its own or its parent's.
    pub fn is_generic(&self, def: DefId) -> Result<bool> {
        Ok(self.layout(def)?.len > 0 && self.kind(def) != DefKind::Mod)
    }
}
