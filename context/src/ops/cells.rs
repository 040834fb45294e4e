//! Cells: mutable values, and references into them.

use super::array::{index, is_index, range_within, vector_elem};
use super::composite::{field_ty, other_variant, payload_ty};
use super::host_types::ill_typed;
use super::macros::ops;
use super::nd_linear::result_of;
use super::{OpCx, OperandTys, TypeFault};
use crate::Symbol;
use crate::failure::{Failure, FailureKind};
use crate::types::{FloatTy, Ty, TyKind};
use crate::value::{CellRef, PathElem, Value, changed_variant, is_uninitialised_read, new_spare_bytes};

ops! {
    structural;
    /// A reference to a new cell that holds the operand.
    CELL = "cell", Exactly(1), cell_ty, ALLOCATES, cell;
    /// A reference to the cell of this name, which exists once per run; a new one is initialised with the
    /// result of the function.
    GLOBAL = "global", Exactly(2), global_ty, CALLS, global;
    /// The value that a reference points to.
    REF_GET = "ref.get", Exactly(1), target_ty, READS, get;
    /// As `ref.get`, but the second operand where the memory was not initialised.
    REF_GET_OR = "ref.get_or", Exactly(2), target_or_ty, READS, get_or;
    /// Replaces the value that a reference points to; a slice keeps its length.
    REF_SET = "ref.set", Exactly(2), set_ty, WRITES, set;
    /// Moves out the value that a reference points to, leaving a hole until it is set again.
    REF_TAKE = "ref.take", Exactly(1), target_ty, WRITES, take;
    /// A reference to a field, by its number, of the tuple or struct that a reference points to.
    REF_FIELD = "ref.field", Exactly(2), ref_field_ty, FAILS, ref_field;
    /// A reference to a field, by the numbers of variant and field, of the enum that a reference points to.
    REF_PAYLOAD = "ref.payload", Exactly(3), ref_payload_ty, READS, ref_payload;
    /// A reference to an element of the array that a reference points to.
    REF_ELEM = "ref.elem", Exactly(2), ref_elem_ty, READS, ref_elem;
    /// A reference to a range of the elements of the array that a reference points to.
    REF_SLICE = "ref.slice", Exactly(3), ref_slice_ty, READS, ref_slice;
    /// A reference to all elements, in row-major order, of the array of any number of axes that a reference points to.
    REF_ELEMS = "ref.elems", Exactly(1), ref_elems_ty, READS, ref_elems;
    /// The number of elements of the array that a reference points to.
    REF_LEN = "ref.len", Exactly(1), ref_len_ty, READS, ref_len;
    /// The number of the variant that a reference points to.
    REF_TAG = "ref.tag", Exactly(1), ref_tag_ty, READS, ref_tag;
    /// Whether two references point to the same place. For the referents of two shared references, which are
    /// values: false if they differ, and a failure if they are the same, since equal values may be in two places.
    REF_SAME = "ref.same", Exactly(2), ref_same_ty, FAILS, ref_same;
}

/// The referent type of a reference type.
fn target(ty: Option<&Ty>) -> Option<Ty> {
    match ty?.kind() {
        TyKind::Ref(target) => Some(*target),
        _ => None,
    }
}

fn cell_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    tys.args.first().map(|ty| Ty::reference(*ty)).ok_or_else(|| TypeFault::takes("a value"))
}

fn global_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let [name, init] = tys.args else { return Err(TypeFault::takes("a name and a function")) };
    match result_of(*init, &[], None) {
        Some(content) if *name == Ty::str() => Ok(Ty::reference(content)),
        _ => Err(TypeFault::takes("a name and a function without parameters")),
    }
}

fn target_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    target(tys.args.first()).ok_or_else(|| TypeFault::takes("a reference"))
}

fn target_or_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [reference, default] if target(Some(reference)) == Some(*default) => Ok(*default),
        _ => Err(TypeFault::takes("a reference, and a value of the type that it points to")),
    }
}

fn set_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [reference, value] if target(Some(reference)) == Some(*value) => Ok(Ty::unit()),
        _ => Err(TypeFault::takes("a reference, and a value of the type that it points to")),
    }
}

fn ref_field_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    field_ty(tys, target(tys.args.first()).as_ref())
        .map(Ty::reference)
        .map_err(|fault| TypeFault::takes(format!("a reference to {}", fault.takes)))
}

fn ref_payload_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    payload_ty(tys, target(tys.args.first()).as_ref())
        .map(Ty::reference)
        .map_err(|fault| TypeFault::takes(format!("a reference to {}", fault.takes)))
}

fn ref_elem_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [reference, at] if is_index(*at) => vector_elem(target(Some(reference)).as_ref()).map(Ty::reference),
        _ => None,
    }
    .ok_or_else(|| TypeFault::takes("a reference to a vector, and an index (`usize` or `i64`)"))
}

fn ref_slice_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [reference, from, to] if is_index(*from) && is_index(*to) => {
            vector_elem(target(Some(reference)).as_ref()).map(|_| *reference)
        }
        _ => None,
    }
    .ok_or_else(|| TypeFault::takes("a reference to a vector, and two indices (`usize` or `i64`)"))
}

fn ref_elems_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match target(tys.args.first()).and_then(Ty::as_array) {
        Some(array) => Ok(Ty::reference(Ty::array(array.elem, 1))),
        None => Err(TypeFault::takes("a reference to an array")),
    }
}

fn ref_len_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    vector_elem(target(tys.args.first()).as_ref())
        .map(|_| Ty::usize())
        .ok_or_else(|| TypeFault::takes("a reference to a vector"))
}

fn ref_tag_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match target(tys.args.first()).map(|ty| ty.kind()) {
        Some(TyKind::Enum(_)) => Ok(Ty::i64()),
        _ => Err(TypeFault::takes("a reference to an enum")),
    }
}

fn ref_same_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [a, b] if a == b => Ok(Ty::bool()),
        _ => Err(TypeFault::takes("two references or values of one type")),
    }
}

type Evaluated<'a> = Result<Value<'a>, Failure>;

fn cell<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match args {
        [value] => Ok(reference(CellRef::new(value.take().into_owned()))),
        _ => Err(ill_typed("cell", args)),
    }
}

fn reference<'a>(reference: CellRef) -> Value<'a> {
    Value::Ref(Box::new(reference))
}

fn global<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [name, init] = args else { return Err(ill_typed("global", args)) };
    let Some(name) = name.as_str().map(Symbol::new) else { return Err(ill_typed("global", args)) };
    let known = match cx.machine.globals() {
        Some(globals) => globals.get(name).map(|(ty, cell)| (ty, cell.clone())),
        None => {
            let message = format!("the static `{name}` changes, which this executor has no place for");
            return Err(Failure::new(FailureKind::Host, message));
        }
    };
    if let Some((ty, known)) = known {
        return if ty == cx.ret { Ok(reference(known)) } else { Err(of_two_types(name, ty, cx.ret)) };
    }
    let content = cx.machine.call(init, Vec::new())?;
    let new_cell = CellRef::new(content.into_owned());
    if let Some(globals) = cx.machine.globals() {
        globals.insert(name, cx.ret, new_cell.clone());
    }
    Ok(reference(new_cell))
}

/// The failure for a static whose type differs under a domain: a run has one cell for it, but domains map
/// types.
fn of_two_types(name: Symbol, first: Ty, second: Ty) -> Failure {
    let message = format!(
        "the static `{name}` is a `{first}` where the run reached it first, and a `{second}` here: code under a domain and \
         code outside of it cannot share it"
    );
    let help = "let only one of them use the static, or pass what it holds as a parameter";
    Failure::new(FailureKind::Domain, message).with_help(Some(help.to_owned()))
}

fn get<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match args {
        [Value::Ref(reference)] => match reference.get()? {
            Value::Unit if *cx.ret.kind() != TyKind::Unit => Err(invalid_access(reference)),
            value if is_of_other_type(&value, cx.ret) => Err(changed_variant(cx.ret, value.ty())),
            value => Ok(value),
        },
        _ => Err(ill_typed("ref.get", args)),
    }
}

fn get_or<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let [Value::Ref(reference), default] = args else { return Err(ill_typed("ref.get_or", args)) };
    match reference.get() {
        Ok(Value::Unit) if reference.is_from_null() => Err(invalid_access(reference)),
        Ok(Value::Unit) => Ok(default.take()),
        Err(failure) if is_uninitialised_read(&failure) => Ok(default.take()),
        Ok(value) if is_of_other_type(&value, cx.ret) => Err(changed_variant(cx.ret, value.ty())),
        other => Ok(other?),
    }
}

/// Whether a value is a scalar, text or array, and its type is another one of these. Values of the host and composites
/// may stand for others.
fn is_of_other_type(value: &Value<'_>, ty: Ty) -> bool {
    let is_it = match (value, ty.kind()) {
        (Value::F64(_), kind) => *kind == TyKind::Float(FloatTy::F64),
        (Value::F32(_), kind) => *kind == TyKind::Float(FloatTy::F32),
        (Value::Int(int), kind) => *kind == TyKind::Int(int.ty()),
        (Value::Bool(_), kind) => *kind == TyKind::Bool,
        (Value::Char(_), kind) => *kind == TyKind::Char,
        (Value::Str(_), kind) => *kind == TyKind::Str,
        (Value::Array(_), kind) => matches!(kind, TyKind::Array(_)),
        _ => true,
    };
    let is_known = matches!(
        ty.kind(),
        TyKind::Float(_) | TyKind::Int(_) | TyKind::Bool | TyKind::Char | TyKind::Str | TyKind::Array(_)
    );
    is_known && !is_it
}

/// Why a reference has nothing to be read.
#[cold]
pub(super) fn invalid_access(reference: &CellRef) -> Failure {
    if reference.is_from_null() {
        return Failure::new(FailureKind::Undefined, "a null pointer is read or written through");
    }
    Failure::new(
        FailureKind::Undefined,
        "memory is read that nothing was written to, or out of which its value was moved",
    )
}

fn set<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match args {
        [Value::Ref(reference), value] => {
            reference.set(value.take().into_owned())?;
            match new_spare_bytes() {
                0 => {}
                bytes => cx.machine.reserve(bytes)?,
            }
            Ok(Value::Unit)
        }
        _ => Err(ill_typed("ref.set", args)),
    }
}

fn take<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match args {
        [Value::Ref(reference)] => reference.take(),
        _ => Err(ill_typed("ref.take", args)),
    }
}

fn ref_field<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [Value::Ref(target), k] = &*args
        && let Some(k) = small(k)
    {
        return Ok(reference(target.step(PathElem::Field(k))));
    }
    Err(ill_typed("ref.field", args))
}

fn small(k: &Value<'_>) -> Option<u32> {
    k.as_index().and_then(|k| u32::try_from(k).ok())
}

fn ref_payload<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [Value::Ref(target), tag, k] = &*args
        && let (Some(tag), Some(k)) = (small(tag), small(k))
        && let Some((ty, is)) =
            target.read(|part| part.as_composite().map(|composite| (composite.ty, composite.tag)))?
    {
        return if is == tag {
            Ok(reference(target.step(PathElem::Field(k))))
        } else {
            Err(other_variant(ty, tag, is))
        };
    }
    Err(ill_typed("ref.payload", args))
}

/// The length of the array that a reference points to.
fn len(reference: &CellRef) -> Result<Option<usize>, Failure> {
    // The length of a slice is in its path; reading it would create a view.
    match reference.slice_len() {
        Some(len) => Ok(Some(len)),
        None => reference.read(|part| part.as_array().map(|array| array.declared_len())),
    }
}

fn ref_elem<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [Value::Ref(target), at] = &*args
        && let Some(len) = len(target)?
    {
        return Ok(reference(target.step(PathElem::Elem(index("ref.elem", at, len)?))));
    }
    Err(ill_typed("ref.elem", args))
}

fn ref_slice<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [Value::Ref(target), from, to] = &*args
        && let Some(len) = len(target)?
    {
        let (from, to) = range_within("ref.slice", from, to, len)?;
        return Ok(reference(target.step(PathElem::Slice(from, to))));
    }
    Err(ill_typed("ref.slice", args))
}

fn ref_elems<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [Value::Ref(target)] = &*args
        && let Some(len) = len(target)?
    {
        return Ok(reference(target.step(PathElem::Slice(0, len))));
    }
    Err(ill_typed("ref.elems", args))
}

fn ref_len<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [Value::Ref(reference)] = &*args
        && let Some(len) = len(reference)?
    {
        return Ok(Value::from(len));
    }
    Err(ill_typed("ref.len", args))
}

fn ref_tag<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [Value::Ref(reference)] = &*args
        && let Some(tag) = reference.read(|part| part.as_composite().map(|composite| composite.tag))?
    {
        return Ok(Value::from(i64::from(tag)));
    }
    Err(ill_typed("ref.tag", args))
}

#[cold]
fn places_unknown(message: &str) -> Failure {
    let help = "make both pointers of places (`&raw const place`), or compare what they point to";
    Failure::new(FailureKind::Domain, message).with_help(Some(help.to_owned()))
}

fn ref_same<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match &*args {
        [Value::Ref(a), Value::Ref(b)] => match a.same_place(b) {
            Some(same) => Ok(Value::Bool(same)),
            None if a.same_cell(b) => {
                let message =
                    "whether two raw pointers are equal is not known: it depends on the layout in memory";
                Err(places_unknown(message))
            }
            None => {
                let message = "whether two raw pointers are equal is not known: one was made from a shared reference, \
                               or points to a value that is dropped";
                Err(places_unknown(message))
            }
        },
        [a, b] if a.differs(b) => Ok(Value::Bool(false)),
        [_, _] => {
            let message = "whether two references are to one place is not known: what they refer to is equal";
            Err(places_unknown(message))
        }
        _ => Err(ill_typed("ref.same", args)),
    }
}
