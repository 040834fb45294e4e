//! Functions that have no body of their own: operations, intrinsics, constructors.

use hashbrown::HashSet;
use overdub_context::Symbol;
use overdub_context::ir::{self, Func, FuncBuilder, Operand, Ty};
use overdub_context::ops::{self, OpDef};
use overdub_context::ssa::SsaBuilder;
use overdub_context::value::{Array, Value};

use super::default_memory::{self, Fill};
use super::error::{LowerError, Lowered, Stop};
use super::place::index;
use super::session::{Code, Lowering};
use super::transmute::transmutation;
use super::tys::Lang;
use super::{layout, object};
use crate::hir::{DefId, ItemHead, Operation};
use crate::infer::{self, Instance, TyKind};

/// Appends the code of an item: an operation, an intrinsic, or a call.
pub(super) fn emit(
    lowering: &Lowering,
    build: &mut SsaBuilder,
    instance: Instance,
    args: Vec<Operand>,
    ret: Ty,
) -> Lowered<Operand> {
    let head = lowering.program.head(instance.def());
    if let Some(operation) = head.op {
        if let Some(counted) = counted(lowering, &head) {
            let counted = Instance::new(counted, instance.args());
            return Ok(build.call(lowering.symbol(counted), args, ret)?.into());
        }
        if let Some(with_drops) = dropping(lowering, build, &head, operation, instance)? {
            return Ok(build.call(lowering.symbol(with_drops), args, ret)?.into());
        }
        if head.lang.is_some_and(|name| &*name == "same_referent") {
            let ty = instance.args().first().and_then(|arg| arg.ty()).unwrap_or_else(infer::Ty::unit);
            if let Some(path) = cell_within(lowering, ty, 0) {
                let mut cells = Vec::with_capacity(args.len());
                for arg in args {
                    let field = |value: Operand, &at: &u32| {
                        build.op(&ops::FIELD, [value, index(at)]).map(Operand::from)
                    };
                    cells.push(path.iter().try_fold(arg, field)?);
                }
                return emit_operation(build, operation, cells, ret);
            }
            check_identity(lowering, build, ty, &args)?;
        }
        return emit_operation(build, operation, args, ret);
    }
    if is_intrinsic(lowering, instance) {
        let name = head.lang.unwrap_or(head.name);
        return emit_intrinsic(lowering, build, &name, instance, args, ret);
    }
    Ok(build.call(lowering.symbol(instance), args, ret)?.into())
}

/// The functions that replace those creating and reading a shared value if `Rc` keeps an owner count.
const COUNTED: &[(&str, &str)] = &[
    ("rc_new", "rc_new_counted"),
    ("rc_from", "rc_new_counted"),
    ("rc_from_box", "rc_new_counted"),
    ("rc_from_vec", "rc_from_vec_counted"),
    ("rc_from_str", "rc_from_str_counted"),
    ("rc_from_string", "rc_from_str_counted"),
    ("rc_clone", "rc_clone_counted"),
    ("rc_deref", "rc_deref_counted"),
    ("rc_as_ref", "rc_deref_counted"),
];

fn counted(lowering: &Lowering, head: &ItemHead) -> Option<DefId> {
    let lang = head.lang?;
    let (_, counted) = COUNTED.iter().find(|(name, _)| *name == &*lang)?;
    lowering.program.lang(counted).filter(|_| lowering.counts_owners())
}

/// Operations that discard elements without dropping them, and the prelude functions that drop them first.
const FORGETTING: &[(&OpDef, &str)] = &[(&ops::TRUNCATE, "vec_truncate"), (&ops::REF_SET, "cell_set")];

/// Operations that move all their operands into the result, and whose result contains nothing else that needs
/// drop.
const MOVING: &[&OpDef] = &[
    &ops::ARRAY,
    &ops::PUSH,
    &ops::POP,
    &ops::INSERT,
    &ops::REMOVE,
    &ops::SWAP_REMOVE,
    &ops::CELL,
    &ops::REF_SHARED,
];

/// Whether an item takes `&mut T` as a reference, as functions of the prelude do.
pub(super) fn takes_references(operation: Operation) -> bool {
    match operation {
        Operation::Identity => true,
        // The operands that initialise a cell are values.
        Operation::Is(op) => ops::is_on_cells(op) && *op != ops::CELL && *op != ops::GLOBAL,
    }
}

/// Whether the result is the operand, or a copy of its referent.
fn returns_operand(operation: Operation) -> bool {
    match operation {
        Operation::Identity => true,
        Operation::Is(op) => *op == ops::REF_GET,
    }
}

/// The function to call instead of an operation that discards values that need drop.
fn dropping(
    lowering: &Lowering,
    build: &SsaBuilder,
    head: &ItemHead,
    operation: Operation,
    instance: Instance,
) -> Lowered<Option<Instance>> {
    let args = instance.args();
    if head.moves || !args.iter().filter_map(|arg| arg.ty()).any(|ty| lowering.needs_drop(ty)) {
        return Ok(None);
    }
    let forgets = FORGETTING.iter().find(|(op, _)| operation == Operation::Is(op));
    if let Some((_, with_drops)) = forgets {
        return Ok(lowering.program.lang(with_drops).map(|def| Instance::new(def, args)));
    }
    let (params, ret) = lowering.types.signature(instance)?;
    let takes_droppable = params.iter().any(|&param| lowering.needs_drop(param));
    let moves = match operation {
        _ if returns_operand(operation) => takes_droppable,
        Operation::Is(op) => MOVING.contains(&op),
        Operation::Identity => true,
    };
    if (takes_droppable || lowering.needs_drop(ret)) && !moves {
        let message =
            format!("`{}` of what has to be dropped is not supported", lowering.types.name(instance));
        return Err(LowerError::new(build.span(), message).into());
    }
    Ok(None)
}

/// Appends the operation that an item of the prelude is declared as.
fn emit_operation(
    build: &mut SsaBuilder,
    operation: Operation,
    args: Vec<Operand>,
    ret: Ty,
) -> Lowered<Operand> {
    // The result is the operand itself, so nothing is computed. An object is its own cell, and is not freed.
    let is_on_cell = matches!(operation, Operation::Is(op) if *op == ops::CELL || *op == ops::REF_FREE);
    if (returns_operand(operation) || is_on_cell)
        && let [value] = &args[..]
        && build.ty(value)? == ret
    {
        return Ok(value.clone());
    }
    let Operation::Is(op) = operation else {
        let message = format!("internal: `id` takes one operand and returns it, not a `{ret}`");
        return Err(LowerError::new(build.span(), message).into());
    };
    // An element of type `()` is no result, so that the array alone is.
    if (*op == ops::REMOVE || *op == ops::SWAP_REMOVE) && ret.as_array().is_some() {
        let both = build.op(op, args)?;
        return Ok(build.op(&ops::FIELD, [Operand::from(both), index(1)])?.into());
    }
    Ok(build.op_as(op, args, ret)?.into())
}

/// The path of fields to a cell in values of a type: two values with one and the same cell there are in one place.
fn cell_within(lowering: &Lowering, ty: infer::Ty, depth: usize) -> Option<Vec<u32>> {
    /// The maximal nesting depth that is examined.
    const DEEPEST: usize = 16;
    let TyKind::Adt(def, _) = ty.kind() else { return None };
    match lowering.langs.get(*def) {
        _ if depth > DEEPEST => None,
        Some(Lang::Cell) => Some(Vec::new()),
        None if !lowering.program.adt(*def).ok()?.is_enum && !lowering.is_union(ty) => {
            let (_, fields) = lowering.types.variants(ty).ok()?.pop()?;
            (0..).zip(fields).find_map(|(at, (_, field))| {
                let rest = cell_within(lowering, field, depth + 1)?;
                Some([at].into_iter().chain(rest).collect())
            })
        }
        _ => None,
    }
}

/// Rejects comparing the places of two pointers that share their referent: the identity of a shared cell is not
/// that of the pointers to it.
fn check_identity(lowering: &Lowering, build: &SsaBuilder, ty: infer::Ty, args: &[Operand]) -> Lowered<()> {
    let [value, ..] = args else { return Ok(()) };
    if !matches!(build.ty(value)?.kind(), ir::TyKind::Ref(_)) {
        return Ok(());
    }
    let message = format!(
        "whether two references are to one `{}` is not known, since both may share what it points to",
        lowering.types.show(ty)
    );
    Err(LowerError::new(build.span(), message).into())
}

/// Whether the item is declared in the prelude without a body and without an operation.
pub(super) fn is_intrinsic(lowering: &Lowering, instance: Instance) -> bool {
    let head = lowering.program.head(instance.def());
    head.lang.is_some()
        && head.op.is_none()
        && lowering.program.fn_sig(instance.def()).is_ok_and(|sig| !sig.has_body)
}

fn emit_intrinsic(
    lowering: &Lowering,
    build: &mut SsaBuilder,
    name: &str,
    instance: Instance,
    args: Vec<Operand>,
    ret: Ty,
) -> Lowered<Operand> {
    let ty = instance.args().first().and_then(|arg| arg.ty());
    let of = |ty: Option<infer::Ty>| ty.unwrap_or_else(infer::Ty::unit);
    match (name, &args[..]) {
        ("fail", [message]) => {
            build.fail(message.clone())?;
            Err(Stop::Diverges)
        }
        ("type_name", _) => {
            let name = Value::from(&*lowering.types.type_name(of(ty)));
            Ok(build.constant(name, ret)?)
        }
        ("type_id", _) => {
            let number = fnv(format!("{:?}", of(ty).kind()).as_bytes());
            Ok(build.constant(Value::from(number), ret)?)
        }
        ("size_of" | "align_of", _) => match layout::size_of(lowering, of(ty)) {
            Some((size, align)) => {
                let bytes = if name == "size_of" { size } else { align };
                Ok(build.constant(Value::from(bytes as usize), ret)?)
            }
            None => Err(unknown_size(lowering, build, of(ty))),
        },
        ("align_of_val", [_]) => {
            let elem = match of(ty).kind() {
                TyKind::Slice(elem) => *elem,
                TyKind::Prim(crate::hir::Prim::Str) => infer::Ty::prim(crate::hir::Prim::U8),
                _ => of(ty),
            };
            match layout::size_of(lowering, elem) {
                Some((_, align)) => Ok(build.constant(Value::from(align as usize), ret)?),
                None => Err(unknown_size(lowering, build, elem)),
            }
        }
        ("size_of_val", [value]) => {
            // The size of a slice depends on its length.
            let (elem, count) = match of(ty).kind() {
                TyKind::Slice(elem) => (*elem, build.op_as(&ops::LEN, [value.clone()], ret)?.into()),
                TyKind::Prim(crate::hir::Prim::Str) => {
                    return Ok(build.op_as(&ops::STR_LEN, [value.clone()], ret)?.into());
                }
                _ => (of(ty), Operand::from(1_usize)),
            };
            match layout::size_of(lowering, elem) {
                Some((size, _)) => {
                    Ok(build.op_as(&ops::MUL, [count, Operand::from(size as usize)], ret)?.into())
                }
                None => Err(unknown_size(lowering, build, elem)),
            }
        }
        ("sort_plan", _) => Ok(build.constant(Value::from(layout::sort_plan(lowering, of(ty))), ret)?),
        ("likely_size_of", _) => {
            let size = layout::likely_size_of(lowering, of(ty));
            Ok(build.constant(Value::from(size), ret)?)
        }
        ("has_hole", [value]) => {
            let ir = build.ty(value)?;
            if ir.is_number() || matches!(ir.kind(), ir::TyKind::Bool | ir::TyKind::Char | ir::TyKind::Ref(_))
            {
                return Ok(build.constant(Value::Bool(false), ret)?);
            }
            let witness = build.constant(Value::Array(Array::empty(ir).into()), Ty::array(ir, 1))?;
            Ok(build.op_as(&ops::HAS_HOLE, [value.clone(), witness], ret)?.into())
        }
        ("asks_capacity", _) if !lowering.keeps_capacity() => {
            let message =
                "the capacity of a vector is known only where a file of the program itself asks for it";
            Err(LowerError::new(build.span(), message).into())
        }
        ("asks_capacity", _) => Ok(super::cx::unit()),
        ("numbers_threads", _) => Ok(build.constant(Value::Bool(lowering.numbers_threads()), ret)?),
        ("keeps_capacity", _) => Ok(build.constant(Value::Bool(lowering.keeps_capacity()), ret)?),
        ("needs_drop", _) => Ok(build.constant(Value::Bool(lowering.has_drop_glue(of(ty))), ret)?),
        ("drop_has_effect", _) => Ok(build.constant(Value::Bool(lowering.needs_drop(of(ty))), ret)?),
        ("drop_value", [value]) => {
            let ty = of(ty);
            if lowering.needs_drop(ty) {
                build.call(lowering.symbol_of(Code::Drop(ty)), [value.clone()], Ty::unit())?;
            }
            Ok(super::cx::unit())
        }
        ("rc_owners", [rc]) => {
            if !lowering.counts_owners() {
                let message =
                    "who shares an `Rc` is counted only where a file of the program itself asks for it";
                return Err(LowerError::new(build.span(), message).into());
            }
            Ok(build.op_as(&ops::FIELD, [rc.clone(), index(0)], ret)?.into())
        }
        ("any_is" | "any_downcast" | "any_downcast_mut", [any]) => {
            object::downcast(lowering, build, name, any.clone(), of(ty))
        }
        ("eq_is_structural", _) => {
            let is_structural = eq_is_structural(lowering, of(ty), &mut HashSet::new());
            Ok(build.constant(Value::Bool(is_structural), ret)?)
        }
        ("is_plain", _) => Ok(build.constant(Value::Bool(is_bitwise_copy(lowering, of(ty))), ret)?),
        ("uninit_value", _) => default_memory::value(lowering, build, of(ty), Fill::Nothing),
        ("has_elements", _) => {
            Ok(build.constant(Value::Bool(default_memory::has_elements(lowering, of(ty))), ret)?)
        }
        ("uninit_elements", _) => default_memory::value(lowering, build, of(ty), Fill::Elements),
        ("zeroed", _) => default_memory::value(lowering, build, of(ty), Fill::Zero),
        ("transmutes_directly", _) => {
            let to = of(instance.args().get(1).and_then(|arg| arg.ty()));
            let directly = transmutation(lowering, of(ty), to).is_some();
            Ok(build.constant(Value::Bool(directly), Ty::bool())?)
        }
        ("transmute_directly", [value]) => {
            let to = of(instance.args().get(1).and_then(|arg| arg.ty()));
            if let Some(found) = transmutation(lowering, of(ty), to) {
                return found.emit(lowering, build, value, ret);
            }
            build.fail("internal: a branch that is not taken")?;
            Err(Stop::Diverges)
        }
        _ => {
            let message = format!("`{}` has no meaning here", lowering.types.name(instance));
            Err(LowerError::new(build.span(), message).into())
        }
    }
}

#[cold]
fn unknown_size(lowering: &Lowering, build: &SsaBuilder, ty: infer::Ty) -> Stop {
    let message = format!("the size of `{}` is not known", lowering.types.show(ty));
    LowerError::new(build.span(), message).into()
}

/// Whether `==` of the type compares all parts: no part has an `Eq` written in the program.
fn eq_is_structural(lowering: &Lowering, ty: infer::Ty, seen: &mut HashSet<infer::Ty>) -> bool {
    if !seen.insert(ty) {
        return true;
    }
    let mut all = |tys: &[infer::Ty]| tys.iter().all(|&ty| eq_is_structural(lowering, ty, seen));
    match ty.kind() {
        TyKind::Prim(_) | TyKind::Never => true,
        TyKind::Ref(inner) | TyKind::RefMut(inner) | TyKind::Slice(inner) | TyKind::Array(inner, _) => {
            all(&[*inner])
        }
        TyKind::Tuple(elems) => all(elems),
        TyKind::Adt(def, args) => {
            let Ok(adt) = lowering.program.adt(*def) else { return false };
            let derived = lowering.program.lang("partial_eq").is_some_and(|eq| adt.derives.contains(&eq));
            match lowering.langs.get(*def) {
                Some(super::tys::Lang::Rc) if lowering.counts_owners() => false,
                Some(_) => all(&args.iter().filter_map(|arg| arg.ty()).collect::<Vec<_>>()),
                None if !derived => false,
                None => {
                    let variants = lowering.types.variants(ty).unwrap_or_default();
                    variants.iter().flat_map(|(_, fields)| fields).all(|&(_, ty)| all(&[ty]))
                }
            }
        }
        _ => false,
    }
}

/// Whether a copy of the type is the same value: it contains no cell and no `Clone` written in the program.
pub(super) fn is_bitwise_copy(lowering: &Lowering, ty: infer::Ty) -> bool {
    match ty.kind() {
        TyKind::Prim(_) | TyKind::Never | TyKind::Ref(_) | TyKind::FnDef(_) | TyKind::FnPtr(..) => true,
        TyKind::Tuple(elems) => elems.iter().all(|&elem| is_bitwise_copy(lowering, elem)),
        TyKind::Array(elem, _) | TyKind::Slice(elem) => is_bitwise_copy(lowering, *elem),
        _ => matches!(lowering.ty(ty), Ok(ty) if ty == Ty::str() || ty == Ty::unit() || ty == Ty::ordering()),
    }
}

fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// The function of an operation that is used as a value.
pub(super) fn op(lowering: &Lowering, name: Symbol, instance: Instance) -> Result<Func, LowerError> {
    wrapper(lowering, name, instance)
}

/// The function of an intrinsic that is used as a value.
pub(super) fn intrinsic(lowering: &Lowering, name: Symbol, instance: Instance) -> Result<Func, LowerError> {
    wrapper(lowering, name, instance)
}

fn wrapper(lowering: &Lowering, name: Symbol, instance: Instance) -> Result<Func, LowerError> {
    let abi = lowering.abi(instance)?;
    let span = lowering.program.head(instance.def()).span;
    let mut build = SsaBuilder::new(FuncBuilder::new(name, abi.full_ret));
    build.set_func_span(span);
    build.set_span(span);
    let names = lowering.program.fn_sig(instance.def())?.param_names.clone();
    let mut args = Vec::with_capacity(abi.params.len());
    for (at, param) in abi.params.iter().enumerate() {
        let name = names.get(at).map_or("x", |name| name.as_str());
        args.push(build.param(name, param.ty).into());
    }
    match emit(lowering, &mut build, instance, args, abi.full_ret) {
        Ok(value) => build.ret(value)?,
        Err(Stop::Diverges) => {}
        Err(Stop::Error(error)) => return Err(*error),
    }
    Ok(build.finish()?)
}

/// The constructor function of a tuple struct or variant.
pub(super) fn ctor(lowering: &Lowering, name: Symbol, instance: Instance) -> Result<Func, LowerError> {
    let span = lowering.program.head(instance.def()).span;
    let Some((adt, variant)) = lowering.program.variant_of(instance.def()) else {
        return Err(LowerError::new(span, format!("`{name}` constructs nothing")));
    };
    let rust_ty = infer::Ty::adt(adt, instance.args());
    let ty = lowering.ty(rust_ty)?;
    let mut build = FuncBuilder::new(name, ty);
    build.set_func_span(span);
    build.set_span(span);
    let mut args: Vec<Operand> = Vec::new();
    let is_enum = lowering.program.adt(adt)?.is_enum;
    if is_enum {
        args.push(Operand::from(i64::try_from(variant).unwrap_or(i64::MAX)));
    }
    for (field, field_ty) in lowering.types.fields(rust_ty, instance.def())? {
        args.push(build.param(&format!("x{field}"), lowering.ty(field_ty)?).into());
    }
    let op = if is_enum { &ops::VARIANT } else { &ops::STRUCT };
    let result = build.op_as(op, args, ty)?;
    build.ret(result)?;
    Ok(build.finish()?)
}
