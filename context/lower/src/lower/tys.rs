//! The IR types of Rust types.
//!
//! - LAYOUT1 references, boxes and reference-counted pointers have the type of their referent; `&mut T` is
//!   `ref T`, except that for a `dyn` type it is the object itself, whose methods share its cell.
//! - LAYOUT2 two Rust types with different field types have two nominal types.

use hashbrown::{HashMap, HashSet};
use overdub_context::Symbol;
use overdub_context::ir::{Field, FloatTy, IntTy, Nominal, NominalBody, Ty, TyKind as IrKind, VariantTy};
use overdub_context::ops::UNION_FIELD;

use super::abi::Abi;
use super::error::LowerError;
use super::session::Lowering;
use super::union_fields::{PartlyWritten, partly_written};
use crate::hir::{DefId, Prim};
use crate::infer::{self, Arg, Const, Instance, TyKind};
use crate::program::Program;

/// The prelude types that have an IR type of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lang {
    Option,
    Result,
    Ordering,
    /// `Vec<T>`, `VecDeque<T>`: arrays.
    Array,
    /// `Box<T>`: the value.
    Transparent,
    /// `Rc<T>`: the value, or the value with its owner count.
    Rc,
    String,
    /// `Cell<T>`: a cell.
    Cell,
    /// `*const T`, `*mut T`: a reference with arithmetic.
    Pointer,
    /// `MaybeUninit<T>`
    MaybeUninit,
    /// `ManuallyDrop<T>`: the value, which is never dropped.
    ManuallyDrop,
    Phantom,
    Range,
    RangeInclusive,
    RangeFrom,
    RangeTo,
    RangeToInclusive,
    RangeFull,
}

/// The types of [`Lang`] by their items.
#[derive(Default, Debug)]
pub(super) struct Langs(HashMap<DefId, Lang>);

impl Langs {
    pub(super) fn of(program: &Program) -> Langs {
        let names = [
            ("option", Lang::Option),
            ("result", Lang::Result),
            ("ordering", Lang::Ordering),
            ("vec", Lang::Array),
            ("vec_deque", Lang::Array),
            ("box", Lang::Transparent),
            ("rc", Lang::Rc),
            ("string", Lang::String),
            ("cell", Lang::Cell),
            ("unsafe_cell", Lang::Cell),
            ("manually_drop", Lang::ManuallyDrop),
            ("maybe_uninit", Lang::MaybeUninit),
            ("const_ptr", Lang::Pointer),
            ("mut_ptr", Lang::Pointer),
            ("phantom", Lang::Phantom),
            ("range", Lang::Range),
            ("range_inclusive", Lang::RangeInclusive),
            ("range_from", Lang::RangeFrom),
            ("range_to", Lang::RangeTo),
            ("range_to_inclusive", Lang::RangeToInclusive),
            ("range_full", Lang::RangeFull),
        ];
        Langs(names.into_iter().filter_map(|(name, lang)| Some((program.lang(name)?, lang))).collect())
    }

    pub(super) fn get(&self, def: DefId) -> Option<Lang> {
        self.0.get(&def).copied()
    }
}

impl Lowering {
    /// The IR type of a Rust type.
    pub(super) fn ty(&self, ty: infer::Ty) -> Result<Ty, LowerError> {
        if let Some(known) = self.tys.get(&ty) {
            return Ok(known);
        }
        let lowered = self.lower_ty(ty)?;
        self.tys.insert(ty, lowered);
        Ok(lowered)
    }

    pub(super) fn tys(&self, tys: &[infer::Ty]) -> Result<Vec<Ty>, LowerError> {
        tys.iter().map(|&ty| self.ty(ty)).collect()
    }

    fn lower_ty(&self, ty: infer::Ty) -> Result<Ty, LowerError> {
        Ok(match ty.kind() {
            TyKind::Prim(prim) => prim_ty(*prim),
            TyKind::Never => Ty::never(),
            TyKind::Tuple(elems) => Ty::tuple(self.tys(elems)?),
            TyKind::Adt(def, args) => match self.langs.get(*def) {
                Some(Lang::Option) => Ty::option(self.ty_arg(args, 0)?),
                Some(Lang::Result) => Ty::result(self.ty_arg(args, 0)?, self.ty_arg(args, 1)?),
                Some(Lang::Ordering) => Ty::ordering(),
                Some(Lang::Array) => Ty::array(self.ty_arg(args, 0)?, 1),
                Some(Lang::Transparent | Lang::ManuallyDrop) => self.ty_arg(args, 0)?,
                Some(Lang::Rc) if !self.counts_owners() => self.ty_arg(args, 0)?,
                Some(Lang::String) => Ty::str(),
                // An object shares its cells itself.
                Some(Lang::Cell | Lang::Pointer)
                    if args.first().and_then(|arg| arg.ty()).is_some_and(|ty| self.is_object(ty)) =>
                {
                    self.ty_arg(args, 0)?
                }
                Some(Lang::Cell | Lang::Pointer) => Ty::reference(self.ty_arg(args, 0)?),
                Some(Lang::MaybeUninit) => Ty::maybe_uninit(self.ty_arg(args, 0)?),
                Some(Lang::Phantom) => Ty::unit(),
                _ => match self.array_of_axes(*def, args) {
                    Some((elem, 0)) => self.ty(elem)?,
                    Some((elem, rank)) => Ty::array(self.ty(elem)?, rank),
                    None => return self.nominal(ty, *def, args),
                },
            },
            TyKind::Ref(inner) => self.ty(*inner)?,
            TyKind::RefMut(inner) if self.is_object(*inner) => self.ty(*inner)?,
            TyKind::RefMut(inner) => Ty::reference(self.ty(*inner)?),
            TyKind::Slice(elem) | TyKind::Array(elem, _) => Ty::array(self.ty(*elem)?, 1),
            TyKind::FnDef(instance) => Ty::closure(self.fn_item(*instance, ty)?, []),
            TyKind::Closure(id) => {
                let captures = self.capture_tys(*id)?;
                Ty::closure(self.closure_symbol(*id), captures)
            }
            TyKind::FnPtr(params, ret) => self.fn_ty(params, *ret)?,
            TyKind::Dyn(_) => match self.dyn_fn(ty) {
                Some((params, ret)) => self.fn_object_ty(ty, &params, ret)?,
                None => self.object_ty(ty)?,
            },
            TyKind::Opaque(..) | TyKind::Infer(_) => {
                let message = format!("the type `{}` is not known", self.types.show(ty));
                return Err(LowerError::new(overdub_context::Span::unknown(), message));
            }
        })
    }

    /// The element type and the number of axes of an owned ndarray array, if that number is part of its type.
    fn array_of_axes(&self, def: DefId, args: &[Arg]) -> Option<(infer::Ty, u32)> {
        let [Arg::Ty(data), Arg::Ty(dim)] = args else { return None };
        let TyKind::Adt(data, elem) = data.kind() else { return None };
        if !self.has_lang(def, "nd_array") || !self.has_lang(*data, "nd_owned") {
            return None;
        }
        Some((elem.first()?.ty()?, axes_of(*dim)?))
    }

    fn has_lang(&self, def: DefId, lang: &str) -> bool {
        self.program.head(def).lang.is_some_and(|name| &*name == lang)
    }

    fn ty_arg(&self, args: &[Arg], index: usize) -> Result<Ty, LowerError> {
        match args.get(index).and_then(|arg| arg.ty()) {
            Some(ty) => self.ty(ty),
            None => Ok(Ty::unit()),
        }
    }

    /// The type of a function value with these parameters and this result.
    pub(super) fn fn_ty(&self, params: &[infer::Ty], ret: infer::Ty) -> Result<Ty, LowerError> {
        let abi = Abi::of(self, params, ret)?;
        Ok(Ty::func(abi.params.iter().map(|param| param.ty), abi.full_ret))
    }

    /// A struct or enum. It is entered before its fields are lowered, since it may be recursive.
    fn nominal(&self, ty: infer::Ty, def: DefId, args: &[Arg]) -> Result<Ty, LowerError> {
        let adt = self.program.adt(def)?;
        let (is_enum, is_union) = (adt.is_enum, adt.is_union);
        let mut name = self.program.path(def);
        let mut ir_args = Vec::new();
        for arg in args {
            match arg {
                Arg::Ty(ty) => ir_args.push(self.ty(*ty)?),
                Arg::Const(Const::Value(n)) => name.push_str(&format!("#{n}")),
                Arg::Const(Const::Infer(_)) => {}
            }
        }
        let kind = if is_enum || is_union { IrKind::Enum } else { IrKind::Struct };
        self.named(ty, name, &ir_args, kind, || match is_union {
            true => self.union_body(ty),
            false => self.nominal_body(ty, is_enum),
        })
    }

    /// A union is an enum of its fields: the variant records which of them was written.
    fn union_body(&self, ty: infer::Ty) -> Result<NominalBody, LowerError> {
        let fields: Vec<_> = self.types.variants(ty)?.into_iter().flat_map(|(_, fields)| fields).collect();
        let variant =
            |name, ty| VariantTy { name, fields: vec![Field { name: Symbol::new(UNION_FIELD), ty }] };
        let mut variants = Vec::with_capacity(fields.len());
        for &(name, ty) in &fields {
            variants.push(variant(name, self.ty(ty)?));
        }
        for PartlyWritten { small, whole } in partly_written(self, ty) {
            let [(small, small_ty), (whole, whole_ty)] = [fields[small], fields[whole]];
            let name = Symbol::new(&format!("{small}_in_{whole}"));
            variants.push(variant(name, Ty::tuple([self.ty(small_ty)?, self.ty(whole_ty)?])));
        }
        Ok(NominalBody::Enum(variants))
    }

    /// Whether the type is a union.
    pub(super) fn is_union(&self, ty: infer::Ty) -> bool {
        matches!(ty.kind(), TyKind::Adt(def, _) if self.program.adt(*def).is_ok_and(|adt| adt.is_union))
    }

    /// The nominal type of this name, or of the next free one: type arguments such as `Vec<f64>` and
    /// `[f64; 3]` are the same IR type, but the fields derived from them may differ (LAYOUT2).
    pub(super) fn named(
        &self,
        ty: infer::Ty,
        base_name: String,
        args: &[Ty],
        kind: fn(Nominal) -> IrKind,
        body: impl Fn() -> Result<NominalBody, LowerError>,
    ) -> Result<Ty, LowerError> {
        let mut name = base_name.clone();
        for copy in 1.. {
            let nominal = Nominal::new(self.universe, Symbol::new(&name), args.iter().copied());
            let lowered = Ty::new(kind(nominal));
            // `None` if the name is already taken by another type; types derived from it in the meantime are
            // then discarded.
            let define = || match nominal.define(body().map_err(Some)?) {
                true => Ok(lowered),
                false => Err(None),
            };
            match self.tys.draft(ty, lowered, define) {
                Ok(lowered) => return Ok(lowered),
                Err(Some(error)) => return Err(error),
                Err(None) => name = format!("{base_name}#{copy}'"),
            }
        }
        unreachable!("the loop ends with a name that is free")
    }

    fn nominal_body(&self, ty: infer::Ty, is_enum: bool) -> Result<NominalBody, LowerError> {
        let mut variants = Vec::new();
        for (variant, fields) in self.types.variants(ty)? {
            let fields = fields
                .into_iter()
                .map(|(name, ty)| Ok(Field { name, ty: self.ty(ty)? }))
                .collect::<Result<Vec<_>, LowerError>>()?;
            variants.push(VariantTy { name: self.program.head(variant).name, fields });
        }
        if is_enum {
            return Ok(NominalBody::Enum(variants));
        }
        Ok(NominalBody::Struct(variants.pop().map(|variant| variant.fields).unwrap_or_default()))
    }

    /// Whether `&mut` to it is the object itself: `dyn Trait`, `dyn Fn`.
    pub(super) fn is_object(&self, ty: infer::Ty) -> bool {
        matches!(ty.kind(), TyKind::Dyn(_))
    }

    /// The parameters and the result of a `dyn Fn(A) -> B`.
    pub(super) fn dyn_fn(&self, ty: infer::Ty) -> Option<(Vec<infer::Ty>, infer::Ty)> {
        let TyKind::Dyn(bounds) = ty.kind() else { return None };
        let bound = bounds.first()?;
        if !self.fn_traits.contains(&bound.def) {
            return None;
        }
        let params = match bound.args.first()?.ty()?.kind() {
            TyKind::Tuple(params) => params.to_vec(),
            _ => return None,
        };
        let ret = bound.bindings.iter().find(|(name, _)| &**name == "Output").map(|&(_, ty)| ty);
        Some((params, ret.unwrap_or_else(infer::Ty::unit)))
    }

    /// The parameters and the result of a callable value of this type; `None` if it is not callable.
    pub(super) fn callable(&self, ty: infer::Ty) -> Result<Option<(Vec<infer::Ty>, infer::Ty)>, LowerError> {
        Ok(match self.peel(ty).kind() {
            TyKind::FnPtr(params, ret) => Some((params.to_vec(), *ret)),
            TyKind::Closure(id) => {
                let closure = self.types.closure(*id)?;
                Some((closure.params.clone(), closure.ret))
            }
            TyKind::FnDef(instance) => Some(self.signature_of_item(*instance, self.peel(ty))?),
            TyKind::Dyn(_) => match self.dyn_fn(self.peel(ty)) {
                Some(found) => Some(found),
                None => self.types.object_call(self.peel(ty))?,
            },
            _ => None,
        })
    }

    /// The parameters and the result of a function item or constructor.
    pub(super) fn signature_of_item(
        &self,
        instance: Instance,
        _ty: infer::Ty,
    ) -> Result<(Vec<infer::Ty>, infer::Ty), LowerError> {
        if let Some((adt, _)) = self.program.variant_of(instance.def()) {
            let ret = infer::Ty::adt(adt, instance.args());
            let fields = self.types.fields(ret, instance.def())?;
            return Ok((fields.into_iter().map(|(_, ty)| ty).collect(), ret));
        }
        Ok(self.types.signature(instance)?)
    }

    /// The type without enclosing references, boxes and reference-counted pointers.
    pub(super) fn peel(&self, ty: infer::Ty) -> infer::Ty {
        let mut ty = ty;
        loop {
            ty = match ty.kind() {
                TyKind::Ref(inner) | TyKind::RefMut(inner) => *inner,
                TyKind::Adt(def, args)
                    if matches!(self.langs.get(*def), Some(Lang::Transparent | Lang::Rc)) =>
                {
                    match args.first().and_then(|arg| arg.ty()) {
                        Some(inner) => inner,
                        None => return ty,
                    }
                }
                _ => return ty,
            }
        }
    }

    /// Whether a value of this type may contain a `&mut` at any depth.
    pub(super) fn holds_mut(&self, ty: infer::Ty) -> bool {
        self.holds_mut_within(ty, true, &mut HashSet::new())
    }

    /// Whether a `&mut` may be stored in a value of this type: captures of functions do not change.
    pub(super) fn keeps_mut(&self, ty: infer::Ty) -> bool {
        self.holds_mut_within(ty, false, &mut HashSet::new())
    }

    /// Whether a value of this type may contain a raw pointer at any depth.
    pub(super) fn holds_pointer(&self, ty: infer::Ty) -> bool {
        self.holds_pointer_within(ty, &mut HashSet::new())
    }

    fn holds_pointer_within(&self, ty: infer::Ty, seen: &mut HashSet<infer::Ty>) -> bool {
        if !seen.insert(ty) {
            return false;
        }
        let mut any = |tys: Vec<infer::Ty>| tys.into_iter().any(|ty| self.holds_pointer_within(ty, seen));
        match ty.kind() {
            TyKind::Adt(def, _) if self.langs.get(*def) == Some(Lang::Pointer) => true,
            TyKind::Tuple(elems) => any(elems.to_vec()),
            TyKind::Slice(inner) | TyKind::Array(inner, _) => any(vec![*inner]),
            TyKind::Adt(_, args) => {
                let variants = self.types.variants(ty).unwrap_or_default();
                let fields = variants.into_iter().flat_map(|(_, fields)| fields).map(|(_, ty)| ty);
                any(args.iter().filter_map(|arg| arg.ty()).chain(fields).collect())
            }
            _ => false,
        }
    }

    /// Whether values of this type are cells, or slices of cells.
    fn is_cell(&self, ty: infer::Ty) -> bool {
        match ty.kind() {
            TyKind::Slice(elem) | TyKind::Array(elem, _) => self.is_cell(*elem),
            TyKind::Adt(def, _) => self.langs.get(*def) == Some(Lang::Cell),
            _ => false,
        }
    }

    fn holds_mut_within(&self, ty: infer::Ty, captured: bool, seen: &mut HashSet<infer::Ty>) -> bool {
        if !seen.insert(ty) {
            return false;
        }
        let mut any = |tys: &[infer::Ty]| tys.iter().any(|&ty| self.holds_mut_within(ty, captured, seen));
        match ty.kind() {
            TyKind::RefMut(_) => true,
            TyKind::Ref(inner) if self.is_cell(*inner) && self.makes_cells_of_places() => true,
            TyKind::Dyn(_) => captured,
            TyKind::Closure(_) if !captured => false,
            TyKind::Prim(_)
            | TyKind::Never
            | TyKind::FnDef(_)
            | TyKind::FnPtr(..)
            | TyKind::Opaque(..)
            | TyKind::Infer(_) => false,
            TyKind::Tuple(elems) => any(elems),
            TyKind::Ref(inner) | TyKind::Slice(inner) | TyKind::Array(inner, _) => any(&[*inner]),
            TyKind::Adt(def, _) if self.langs.get(*def) == Some(Lang::Pointer) => true,
            TyKind::Adt(_, args) => {
                let args: Vec<infer::Ty> = args.iter().filter_map(|arg| arg.ty()).collect();
                if any(&args) {
                    return true;
                }
                let variants = self.types.variants(ty).unwrap_or_default();
                variants
                    .iter()
                    .flat_map(|(_, fields)| fields)
                    .any(|&(_, ty)| self.holds_mut_within(ty, captured, seen))
            }
            TyKind::Closure(id) => match self.types.closure(*id) {
                Ok(closure) => closure.captures.iter().any(|capture| {
                    capture.mode == infer::CaptureMode::RefMut
                        || self.holds_mut_within(capture.ty, captured, seen)
                }),
                Err(_) => false,
            },
        }
    }
}

/// The number of axes of an ndarray dimension, if it is part of the type.
fn axes_of(dim: infer::Ty) -> Option<u32> {
    let TyKind::Adt(_, index) = dim.kind() else { return None };
    match index.first()?.ty()?.kind() {
        TyKind::Array(_, Const::Value(rank)) => u32::try_from(*rank).ok(),
        _ => None,
    }
}

/// The IR type of a primitive.
pub(super) fn prim_ty(prim: Prim) -> Ty {
    let int = match prim {
        Prim::Bool => return Ty::bool(),
        Prim::Char => return Ty::char(),
        Prim::Str => return Ty::str(),
        Prim::F32 => return Ty::float(FloatTy::F32),
        Prim::F64 => return Ty::float(FloatTy::F64),
        Prim::I8 => IntTy::I8,
        Prim::I16 => IntTy::I16,
        Prim::I32 => IntTy::I32,
        Prim::I64 => IntTy::I64,
        Prim::I128 => IntTy::I128,
        Prim::Isize => IntTy::Isize,
        Prim::U8 => IntTy::U8,
        Prim::U16 => IntTy::U16,
        Prim::U32 => IntTy::U32,
        Prim::U64 => IntTy::U64,
        Prim::U128 => IntTy::U128,
        Prim::Usize => IntTy::Usize,
    };
    Ty::int(int)
}
