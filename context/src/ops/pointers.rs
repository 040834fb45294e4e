//! Raw pointers: references with arithmetic.
//!
//! A raw pointer is a `ref T`, like `&mut T`: a cell and the path from its content to a place. Arithmetic
//! moves the last step of the path among the elements of its array, so a pointer never moves from its
//! allocation to another one: its provenance is part of the value. Pointer arithmetic is not checked, since
//! Rust's `wrapping_add` may leave the array and come back; reads and writes are.
//!
//! - POINTER1 no integer becomes a pointer.
//! - POINTER2 a place reached through a shared reference is read-only.

use super::array::vector_elem;
use super::cells::invalid_access;
use super::host_types::ill_typed;
use super::macros::ops;
use super::type_rules::const_index;
use super::unions::field_ty;
use super::{OpCx, OperandTys, TypeFault};
use crate::failure::{Failure, FailureKind};
use crate::types::{IntTy, Ty, TyKind};
use crate::value::{Array, CellRef, Fill, Layout, PathElem, Value, active_field, nothing_in};

ops! {
    structural;
    /// A read-only pointer to a new cell that holds the operand.
    REF_SHARED = "ref.shared", Exactly(1), shared_ty, ALLOCATES, shared;
    /// A reference to a new cell that holds the operand, which the program did not move: whether its place is that of
    /// another pointer is not known.
    REF_RELOCATED = "ref.relocated", Exactly(1), shared_ty, ALLOCATES, relocated;
    /// A reference as a raw pointer.
    REF_RAW = "ref.raw", Exactly(1), raw_ty, PURE, raw;
    /// A reference to a variable as a raw pointer, through which its memory cannot be freed.
    REF_VARIABLE = "ref.variable", Exactly(1), raw_ty, PURE, of_variable;
    /// A raw pointer as a reference, which may refill its place after a value was moved out of it.
    REF_REBORROW = "ref.reborrow", Exactly(1), raw_ty, PURE, reborrow;
    /// The null pointer.
    REF_NULL = "ref.null", Exactly(0), null_ty, PURE, null;
    /// Whether a pointer is null.
    REF_IS_NULL = "ref.is_null", Exactly(1), is_null_ty, PURE, is_null;
    /// A pointer to the first element of the array that a pointer points to, even if it has none.
    REF_FIRST = "ref.first", Exactly(1), first_ty, WRITES, first;
    /// Pointer arithmetic: the pointer moved by a number of elements. Loads and stores check the bounds, this does not.
    REF_OFFSET = "ref.offset", Exactly(2), offset_ty, FAILS, offset;
    /// A slice of a number of elements that starts at a pointer. Loads and stores check its bounds.
    REF_RANGE = "ref.range", Exactly(2), range_ty, FAILS, range;
    /// A pointer to a field of the union that a pointer points to; the content of another field is converted
    /// to it.
    REF_UNION = "ref.union", Exactly(2), ref_union_ty, WRITES, ref_union;
    /// Ends the life of a variable: what is read or written through a pointer to it later fails.
    REF_END = "ref.end", Exactly(1), end_ty, WRITES, end;
    /// Moves out the content of a whole cell and frees the cell.
    REF_FREE = "ref.free", Exactly(1), free_ty, WRITES, free;
    /// Moves out the first elements of an array, to which a pointer points; the entire array becomes a hole. The second
    /// operand is the capacity that the array has, or the largest number if it is not known.
    REF_TAKE_ARRAY = "ref.take_array", Exactly(2), take_array_ty, WRITES, take_array;
    /// A pointer to new memory of a number of bytes and an alignment, which gets the type of the values in it from
    /// `ref.typed`.
    REF_ALLOC = "ref.alloc", Exactly(2), alloc_ty, CALLS, alloc;
    /// As `ref.alloc`, for memory of zeros.
    REF_ALLOC_ZEROED = "ref.alloc_zeroed", Exactly(2), alloc_ty, CALLS, alloc_zeroed;
    /// A pointer to bytes, cast to the declared type, whose values have a number of bytes: memory without a type
    /// gets this one.
    REF_TYPED = "ref.typed", Exactly(2), typed_ty, WRITES, typed;
    /// Frees the memory that begins at a pointer, of a number of bytes and an alignment.
    REF_DEALLOC = "ref.dealloc", Exactly(3), dealloc_ty, WRITES, dealloc;
    /// Moves the memory that begins at a pointer, of a number of bytes and an alignment, to new memory of another number
    /// of bytes.
    REF_REALLOC = "ref.realloc", Exactly(4), realloc_ty, CALLS, realloc;
    /// Changes the length of a vector without touching its memory, and returns it: elements that are cut off stay
    /// behind the others, and what was written behind them is included, as far as something was.
    REF_SET_LEN = "ref.set_len", Exactly(2), set_len_ty, WRITES, set_len;
    /// A pointer cast to another type with the same layout in memory; the second operand is an empty array of
    /// the target type, the third is true if the two types have the same size.
    REF_VIEW = "ref.view", Exactly(3), view_ty, PURE, view;
    /// A pointer to an array of the given length, as a pointer to its first element. If that array is an
    /// element of an outer array, arithmetic continues into the next row.
    REF_FLAT = "ref.flat", Exactly(2), flat_ty, WRITES, flat;
    /// Whether a number of elements from one pointer on are known to overlap as many from another one on.
    REF_OVERLAP = "ref.overlap", Exactly(3), overlap_ty, READS, overlap;
    /// A pointer that may be read and written through where its address is no multiple of its type's alignment.
    REF_UNALIGNED = "ref.unaligned", Exactly(1), raw_ty, PURE, unaligned;
    /// The distance in elements from the second pointer to the first, both into the same array.
    REF_DISTANCE = "ref.distance", Exactly(2), distance_ty, FAILS, distance;
    /// The number of elements before the one that a pointer points to, in its array; 0 outside of arrays.
    REF_POSITION = "ref.position", Exactly(1), position_ty, FAILS, position;
}

fn pointee(ty: Option<&Ty>) -> Option<Ty> {
    match ty?.kind() {
        TyKind::Ref(target) => Some(*target),
        _ => None,
    }
}

fn shared_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    tys.args.first().map(|ty| Ty::reference(*ty)).ok_or_else(|| TypeFault::takes("a value"))
}

fn raw_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let reference = tys.args.first().filter(|ty| pointee(Some(ty)).is_some());
    reference.copied().ok_or_else(|| TypeFault::takes("a reference"))
}

fn null_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.declared {
        Some(ty) if matches!(ty.kind(), TyKind::Ref(_)) => Ok(ty),
        _ => Err(TypeFault::takes("no operand, and its result is declared as a reference")),
    }
}

fn is_null_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    pointee(tys.args.first()).map(|_| Ty::bool()).ok_or_else(|| TypeFault::takes("a pointer"))
}

fn first_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    vector_elem(pointee(tys.args.first()).as_ref())
        .map(Ty::reference)
        .ok_or_else(|| TypeFault::takes("a pointer to a vector"))
}

fn offset_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [pointer, by] if pointee(Some(pointer)).is_some() && *by == Ty::int(IntTy::Isize) => Ok(*pointer),
        _ => Err(TypeFault::takes("a pointer, and a number of elements (`isize`)")),
    }
}

fn range_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [pointer, len] if *len == Ty::usize() => pointee(Some(pointer)),
        _ => None,
    }
    .map(|elem| Ty::reference(Ty::array(elem, 1)))
    .ok_or_else(|| TypeFault::takes("a pointer, and a number of elements (`usize`)"))
}

fn distance_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [a, b] if a == b && pointee(Some(a)).is_some() => Ok(Ty::int(IntTy::Isize)),
        _ => Err(TypeFault::takes("two pointers of one type")),
    }
}

fn position_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    pointee(tys.args.first()).map(|_| Ty::usize()).ok_or_else(|| TypeFault::takes("a pointer"))
}

fn overlap_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [a, b, count] if a == b && pointee(Some(a)).is_some() && *count == Ty::usize() => Ok(Ty::bool()),
        _ => Err(TypeFault::takes("two pointers of one type, and a number of elements (`usize`)")),
    }
}

fn ref_union_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [union, _] => pointee(Some(union)).and_then(|union| field_ty(union, const_index(tys, 1))),
        _ => None,
    }
    .map(Ty::reference)
    .ok_or_else(|| TypeFault::takes("a pointer to a union, and the constant number of a field"))
}

fn free_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    pointee(tys.args.first()).ok_or_else(|| TypeFault::takes("a pointer"))
}

fn end_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    pointee(tys.args.first()).map(|_| Ty::unit()).ok_or_else(|| TypeFault::takes("a reference"))
}

fn take_array_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    pointee(tys.args.first())
        .filter(|array| vector_elem(Some(array)).is_some() && tys.args[1..] == [Ty::usize()])
        .ok_or_else(|| TypeFault::takes("a pointer to a vector, and a capacity (`usize`)"))
}

fn set_len_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [pointer, len] if *len == Ty::usize() && vector_elem(pointee(Some(pointer)).as_ref()).is_some() => {
            Ok(Ty::usize())
        }
        _ => Err(TypeFault::takes("a pointer to a vector, and a length (`usize`)")),
    }
}

fn byte_pointer() -> Ty {
    Ty::reference(Ty::int(IntTy::U8))
}

fn alloc_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [bytes, align] if *bytes == Ty::usize() && *align == Ty::usize() => Ok(byte_pointer()),
        _ => Err(TypeFault::takes("a number of bytes and an alignment (`usize`)")),
    }
}

fn typed_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (tys.args, tys.declared) {
        ([pointer, size], Some(to))
            if *pointer == byte_pointer() && *size == Ty::usize() && pointee(Some(&to)).is_some() =>
        {
            Ok(to)
        }
        _ => Err(TypeFault::takes("a pointer to bytes, and a number of bytes (`usize`)")),
    }
}

fn dealloc_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [pointer, layout @ ..] if *pointer == byte_pointer() && layout == [Ty::usize(); 2] => Ok(Ty::unit()),
        _ => Err(TypeFault::takes("a pointer to bytes, a number of bytes and an alignment (`usize`)")),
    }
}

fn realloc_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [pointer, layouts @ ..] if *pointer == byte_pointer() && layouts == [Ty::usize(); 3] => Ok(*pointer),
        _ => Err(TypeFault::takes("a pointer to bytes, and bytes, alignment and new bytes (`usize`)")),
    }
}

fn view_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (tys.args, tys.declared) {
        (&[pointer, witness, same_size], Some(to))
            if same_size == Ty::bool()
                && pointee(Some(&pointer)).is_some()
                && vector_elem(Some(&witness)) == pointee(Some(&pointer))
                && matches!(to.kind(), TyKind::Ref(_)) =>
        {
            Ok(to)
        }
        _ => Err(TypeFault::takes("a pointer, an empty array of what it points to, and a `bool`")),
    }
}

fn flat_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [pointer, row] if *row == Ty::usize() => {
            vector_elem(pointee(Some(pointer)).as_ref()).map(Ty::reference)
        }
        _ => None,
    }
    .ok_or_else(|| TypeFault::takes("a pointer to a vector, and its length (`usize`)"))
}

type Evaluated<'a> = Result<Value<'a>, Failure>;

fn pointer<'a>(pointer: CellRef) -> Value<'a> {
    Value::Ref(Box::new(pointer))
}

fn shared<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match args {
        [value] => Ok(pointer(CellRef::read_only(value.take().into_owned()))),
        _ => Err(ill_typed("ref.shared", args)),
    }
}

fn relocated<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match args {
        [value] => Ok(pointer(CellRef::relocated(value.take().into_owned()))),
        _ => Err(ill_typed("ref.relocated", args)),
    }
}

fn raw<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match &*args {
        [Value::Ref(reference)] => Ok(pointer(reference.raw())),
        _ => Err(ill_typed("ref.raw", args)),
    }
}

fn of_variable<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match &*args {
        [Value::Ref(reference)] => Ok(pointer(reference.of_variable())),
        _ => Err(ill_typed("ref.variable", args)),
    }
}

fn reborrow<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match &*args {
        [Value::Ref(raw)] => Ok(pointer(raw.reborrow())),
        _ => Err(ill_typed("ref.reborrow", args)),
    }
}

fn null<'a>(_: &mut OpCx<'_, 'a>, _: &mut [Value<'a>]) -> Evaluated<'a> {
    Ok(pointer(CellRef::null()))
}

fn is_null<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match &*args {
        [Value::Ref(pointer)] => Ok(Value::Bool(pointer.is_null())),
        _ => Err(ill_typed("ref.is_null", args)),
    }
}

fn first<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match &*args {
        [Value::Ref(array)] => Ok(pointer(array.first())),
        _ => Err(ill_typed("ref.first", args)),
    }
}

fn offset<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [Value::Ref(from), by] = &*args
        && let Some(by) = by.as_int().and_then(|(_, by)| isize::try_from(by).ok())
    {
        return match from.offset(by) {
            Some(moved) => Ok(pointer(moved)),
            None => Err(undefined(
                "a pointer to something of another size is moved: cast it to what it points to first",
            )),
        };
    }
    Err(ill_typed("ref.offset", args))
}

fn range<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [Value::Ref(from), len] = &*args
        && let Some(len) = len.as_index()
    {
        // An address that is no place in memory is enough for no elements.
        if len == 0
            && from.is_from_null()
            && !from.is_null()
            && let TyKind::Ref(slice) = cx.ret.kind()
            && let Some(elem) = vector_elem(Some(slice))
        {
            return Ok(pointer(CellRef::new(Value::from(Array::empty(elem)))));
        }
        return match from.range(len) {
            Some(elems) => Ok(pointer(elems)),
            None => Err(undefined(format!("a slice of {len} elements leaves what its pointer points into"))),
        };
    }
    Err(ill_typed("ref.range", args))
}

fn ref_union<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [Value::Ref(union), field] = &*args
        && let Some(field) = field.as_index().and_then(|field| u32::try_from(field).ok())
    {
        let content = match (union.get_partly()?, union.seen_as()) {
            (None, Some(ty)) => {
                union.set(nothing_in(ty, field))?;
                return Ok(pointer(union.step(PathElem::Field(0))));
            }
            (content, _) => content.unwrap_or(Value::Unit),
        };
        if content.as_composite().is_some_and(|composite| composite.tag == field) {
            return Ok(pointer(union.step(PathElem::Field(0))));
        }
        let active = active_field(content, field)?;
        if union.is_read_only() {
            return Ok(pointer(CellRef::read_only(active).step(PathElem::Field(0))));
        }
        union.set(active)?;
        return Ok(pointer(union.step(PathElem::Field(0))));
    }
    Err(ill_typed("ref.union", args))
}

fn free<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match &*args {
        [Value::Ref(cell)] => match cell.free()? {
            Value::Unit if *cx.ret.kind() != TyKind::Unit => Err(invalid_access(cell)),
            value => Ok(value),
        },
        _ => Err(ill_typed("ref.free", args)),
    }
}

fn end<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match &*args {
        [Value::Ref(variable)] => {
            variable.end();
            Ok(Value::Unit)
        }
        _ => Err(ill_typed("ref.end", args)),
    }
}

fn take_array<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match &*args {
        [Value::Ref(array), capacity] if let Some(capacity) = capacity.as_index() => {
            array.take_array((capacity != usize::MAX).then_some(capacity))
        }
        _ => Err(ill_typed("ref.take_array", args)),
    }
}

/// The layout that two operands are: a number of bytes and an alignment.
fn layout(size: &Value<'_>, align: &Value<'_>) -> Option<Layout> {
    Some(Layout { size: size.as_index()?, align: align.as_index()? })
}

fn alloc<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match &*args {
        [size, align] if let Some(layout) = layout(size, align) => {
            CellRef::alloc(layout, Fill::Nothing).map(pointer)
        }
        _ => Err(ill_typed("ref.alloc", args)),
    }
}

fn alloc_zeroed<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match &*args {
        [size, align] if let Some(layout) = layout(size, align) => {
            CellRef::alloc(layout, Fill::Zeros).map(pointer)
        }
        _ => Err(ill_typed("ref.alloc_zeroed", args)),
    }
}

fn typed<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [Value::Ref(bytes), size] = &*args
        && let (Some(size), Some(to)) = (size.as_index(), pointee(Some(&cx.ret)))
    {
        return bytes.typed(to, size).map(pointer);
    }
    Err(ill_typed("ref.typed", args))
}

fn dealloc<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match &*args {
        [Value::Ref(memory), size, align] if let Some(layout) = layout(size, align) => {
            memory.dealloc(layout).map(|()| Value::Unit)
        }
        _ => Err(ill_typed("ref.dealloc", args)),
    }
}

fn realloc<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [Value::Ref(memory), size, align, new] = &*args
        && let (Some(old), Some(new)) = (layout(size, align), new.as_index())
    {
        return memory.realloc(old, new).map(pointer);
    }
    Err(ill_typed("ref.realloc", args))
}

fn set_len<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [Value::Ref(vector), len] = &*args
        && let Some(len) = len.as_index()
    {
        let elem = vector.read(|part| part.as_array().map(|array| array.elem_ty()))?;
        let declares =
            elem.is_some_and(|elem| elem.maybe_uninit_of().is_none() && !crate::ops::leaves_hole(elem));
        return vector.set_len(len, declares && elem != Some(Ty::unit())).map(Value::from);
    }
    Err(ill_typed("ref.set_len", args))
}

fn view<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [Value::Ref(from), Value::Array(witness), Value::Bool(same_size)] = &*args
        && let Some(to) = pointee(Some(&cx.ret))
    {
        return Ok(pointer(from.view(witness.elem_ty(), to, *same_size)));
    }
    Err(ill_typed("ref.view", args))
}

fn flat<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [Value::Ref(array), row] = &*args
        && let Some(row) = row.as_index()
    {
        return Ok(pointer(array.flat(row)));
    }
    Err(ill_typed("ref.flat", args))
}

fn distance<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match &*args {
        [Value::Ref(to), Value::Ref(from)] => match to.distance(from) {
            Some(elems) => Ok(Value::int(IntTy::Isize, elems as i128)),
            None => Err(undefined("the distance of two pointers into different allocations has no meaning")),
        },
        _ => Err(ill_typed("ref.distance", args)),
    }
}

fn position<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match &*args {
        [Value::Ref(pointer)] => match pointer.position() {
            Some(at) => Ok(Value::from(at)),
            None => Err(undefined("where a pointer points to within its memory is not known")),
        },
        _ => Err(ill_typed("ref.position", args)),
    }
}

fn overlap<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match &*args {
        [Value::Ref(a), Value::Ref(b), count] if let Some(count) = count.as_index() => {
            let apart = if a.same_cell(b) { a.distance(b) } else { None };
            Ok(Value::Bool(apart.is_some_and(|apart| apart.unsigned_abs() < count)))
        }
        _ => Err(ill_typed("ref.overlap", args)),
    }
}

fn unaligned<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match &*args {
        [Value::Ref(reference)] => Ok(pointer(reference.unaligned())),
        _ => Err(ill_typed("ref.unaligned", args)),
    }
}

/// The failure for undefined behaviour in Rust.
#[cold]
fn undefined(message: impl Into<String>) -> Failure {
    Failure::new(FailureKind::Undefined, message)
}
