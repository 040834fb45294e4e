//! Values as bytes: how kernels and dynamic libraries get their arguments and return their results.
//!
//! - BYTES1 values are packed: words of 64 bits, in the byte order of the machine. A number, `bool` or `char` takes one word,
//!   from its lowest bytes on, or two if it has 128 bits. `()` takes none.
//! - BYTES2 a list is its length and its elements. Numbers in lists follow each other without gaps, up to a whole word; text is
//!   a list of bytes.
//! - BYTES3 a tuple, a struct or what a closure captured is its parts; an enum is the number of its variant, and the parts of
//!   that.
//! - BYTES4 in [`Lists::Shared`] form, text or a list of numbers that is not in another list is its length and the address of
//!   its elements, which are valid as long as the value is.

use std::sync::Arc;

use overdub_context::ir::{FloatTy, IntTy, NominalBody, Ty, TyKind};
use overdub_context::value::{Array, Composite, Value};

/// Where the elements of lists of numbers are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lists {
    /// Behind their length.
    Inline,
    /// Where they were: both sides have the same memory (BYTES4).
    Shared,
}

/// Memory that shared lists are read from.
pub trait Shared {
    /// So many bytes from an address on, which the packed value contains.
    fn bytes(&self, address: usize, len: usize) -> &[u8];
}

/// The bytes of a word.
const WORD: usize = 8;

/// Appends a value of a type; none if it has no packed form.
///
/// ```
/// use overdub_context::ir::Ty;
/// use overdub_context::value::Value;
/// use overdub_export::packed::{Lists, pack, unpack};
///
/// let (list, ty) = (Value::floats(vec![0.5, 2.0]), Ty::array(Ty::f64(), 1));
/// let mut bytes = Vec::new();
/// assert!(pack(&list, ty, Lists::Inline, &mut bytes).is_some());
/// assert_eq!(bytes.len(), 3 * 8);
/// assert!(unpack(ty, &mut &bytes[..], None).is_some_and(|read| read.same(&list)));
/// ```
pub fn pack(value: &Value<'_>, ty: Ty, lists: Lists, out: &mut Vec<u8>) -> Option<()> {
    match (value, ty.kind()) {
        (Value::Unit, TyKind::Unit) => {}
        (Value::F64(x), TyKind::Float(FloatTy::F64)) => out.extend(x.to_ne_bytes()),
        (Value::Bool(x), TyKind::Bool) => word(out, &[u8::from(*x)]),
        (Value::Char(c), TyKind::Char) => word(out, &u32::from(*c).to_ne_bytes()),
        (Value::F32(x), TyKind::Float(FloatTy::F32)) => word(out, &x.to_ne_bytes()),
        (Value::I128(x), TyKind::Int(IntTy::I128)) => out.extend(x.to_ne_bytes()),
        (Value::U128(x), TyKind::Int(IntTy::U128)) => out.extend(x.to_ne_bytes()),
        (Value::Int(_), TyKind::Int(int)) => {
            let (of, x) = value.as_int()?;
            if of != *int {
                return None;
            }
            word(out, &x.to_ne_bytes()[..int.bits() as usize / 8]);
        }
        (Value::Str(text), TyKind::Str) => list(out, text.len(), text.as_bytes(), lists),
        (Value::Array(array), TyKind::Array(of)) if of.rank == 1 => pack_list(array, of.elem, lists, out)?,
        (Value::Composite(composite), _) => {
            let (parts, is_enum) = parts_of(ty, composite.tag as usize)?;
            if is_enum {
                word(out, &u64::from(composite.tag).to_ne_bytes());
            }
            if parts.len() != composite.parts.len() {
                return None;
            }
            composite.parts.iter().zip(parts).try_for_each(|(part, ty)| pack(part, ty, lists, out))?;
        }
        (Value::Closure(closure), TyKind::Closure(of)) => {
            closure
                .captures
                .iter()
                .zip(&of.captures)
                .try_for_each(|(part, ty)| pack(part, *ty, lists, out))?;
        }
        _ => return None,
    }
    Some(())
}

/// Appends bytes, and zeros up to a whole word.
fn word(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend(bytes);
    out.resize(out.len().next_multiple_of(WORD), 0);
}

fn list(out: &mut Vec<u8>, len: usize, bytes: &[u8], lists: Lists) {
    out.extend((len as u64).to_ne_bytes());
    match lists {
        Lists::Inline => word(out, bytes),
        Lists::Shared => word(out, &(bytes.as_ptr() as usize).to_ne_bytes()),
    }
}

/// Calls a macro with each type of numbers of an array.
macro_rules! numbers {
    ($call:ident) => {
        $call!(f64 f32 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize)
    };
}

/// Appends a list of elements of a type; none if it has other elements, or they have no packed form.
pub fn pack_list(array: &Array<'_>, elem: Ty, lists: Lists, out: &mut Vec<u8>) -> Option<()> {
    if array.rank() != 1 || array.elem_ty() != elem {
        return None;
    }
    macro_rules! pack_numbers {
        ($($ty:ty)*) => {$(
            if let Some(all) = array.as_slice::<$ty>() {
                out.extend((all.len() as u64).to_ne_bytes());
                if lists == Lists::Shared {
                    word(out, &(all.as_ptr() as usize).to_ne_bytes());
                    return Some(());
                }
                out.reserve(size_of_val(all) + WORD);
                all.iter().for_each(|x| out.extend(x.to_ne_bytes()));
                out.resize(out.len().next_multiple_of(WORD), 0);
                return Some(());
            }
        )*};
    }
    numbers!(pack_numbers);
    if elem == Ty::bool() || elem == Ty::char() {
        let mut bytes = Vec::new();
        for value in array.iter() {
            match value {
                Value::Bool(x) => bytes.push(u8::from(x)),
                Value::Char(c) => bytes.extend(u32::from(c).to_ne_bytes()),
                _ => return None,
            }
        }
        list(out, array.len(), &bytes, Lists::Inline);
        return Some(());
    }
    out.extend((array.len() as u64).to_ne_bytes());
    // An element may be made for this loop alone: nothing of it is shared.
    array.iter().try_for_each(|value| pack(&value, elem, Lists::Inline, out))
}

/// Appends all elements of a list, each as a value of its own; none if they have no packed form.
pub fn pack_each(list: &Array<'_>, elem: Ty, out: &mut Vec<u8>) -> Option<()> {
    macro_rules! pack_words {
        ($($ty:ty)*) => {$(
            if let Some(all) = list.as_slice::<$ty>() {
                all.iter().for_each(|x| out.extend(x.to_ne_bytes()));
                return Some(());
            }
        )*};
    }
    pack_words!(f64 i64 u64 isize usize);
    list.iter().try_for_each(|value| pack(&value, elem, Lists::Inline, out))
}

/// Reads values of a type that follow each other; none if they are no such values.
pub fn unpack_all(elem: Ty, len: usize, mut from: &[u8]) -> Option<Array<'static>> {
    if elem == Ty::f64() {
        return unpack_list(elem, len, &mut from, None);
    }
    let values = (0..len).map(|_| unpack(elem, &mut from, None)).collect::<Option<Vec<_>>>()?;
    Array::from_values(elem, values)
}

/// The types of the parts of a value with this tag, and whether it has one.
fn parts_of(ty: Ty, tag: usize) -> Option<(Vec<Ty>, bool)> {
    Some(match ty.kind() {
        TyKind::Tuple(parts) => (parts.to_vec(), false),
        TyKind::Struct(nominal) | TyKind::Enum(nominal) => match nominal.body()? {
            NominalBody::Struct(fields) => (fields.iter().map(|field| field.ty).collect(), false),
            NominalBody::Enum(variants) => {
                (variants.get(tag)?.fields.iter().map(|field| field.ty).collect(), true)
            }
        },
        _ => return None,
    })
}

/// Reads a value of a type from the beginning of bytes, which it moves behind it; none if they are no such value.
/// With memory, lists are shared ([`Lists::Shared`]).
pub fn unpack<'b>(ty: Ty, from: &mut &'b [u8], memory: Option<&'b dyn Shared>) -> Option<Value<'static>> {
    Some(match ty.kind() {
        TyKind::Unit => Value::Unit,
        TyKind::Bool => Value::Bool(take(from, 1)?[0] != 0),
        TyKind::Char => Value::Char(char::from_u32(u32::from_ne_bytes(take(from, 4)?.try_into().ok()?))?),
        TyKind::Float(_) if ty == Ty::f32() => {
            Value::F32(f32::from_ne_bytes(take(from, 4)?.try_into().ok()?))
        }
        TyKind::Float(_) => Value::F64(f64::from_ne_bytes(take(from, 8)?.try_into().ok()?)),
        TyKind::Int(int) => unpack_int(*int, take(from, int.bits() as usize / 8)?)?,
        TyKind::Str => {
            let len = len(from)?;
            Value::str(String::from_utf8(elements(from, len, memory)?.to_vec()).ok()?)
        }
        TyKind::Array(of) if of.rank == 1 => Value::from(unpack_array(of.elem, from, memory)?),
        TyKind::Tuple(parts) => {
            Value::tuple(parts.iter().map(|ty| unpack(*ty, from, memory)).collect::<Option<Vec<_>>>()?)
        }
        TyKind::Struct(_) => composite(ty, 0, from, memory)?,
        TyKind::Enum(_) => {
            let tag = len(from)?;
            composite(ty, tag, from, memory)?
        }
        _ => return None,
    })
}

fn composite<'b>(
    ty: Ty,
    tag: usize,
    from: &mut &'b [u8],
    memory: Option<&'b dyn Shared>,
) -> Option<Value<'static>> {
    let (parts, _) = parts_of(ty, tag)?;
    let parts = parts.into_iter().map(|ty| unpack(ty, from, memory)).collect::<Option<_>>()?;
    Some(Value::Composite(Arc::new(Composite { ty: Some(ty), tag: u32::try_from(tag).ok()?, parts })))
}

/// Takes bytes, and those up to a whole word.
fn take<'b>(from: &mut &'b [u8], bytes: usize) -> Option<&'b [u8]> {
    let (found, rest) = from.split_at_checked(bytes.next_multiple_of(WORD))?;
    *from = rest;
    Some(&found[..bytes])
}

/// The bytes of a list of numbers.
fn elements<'b>(from: &mut &'b [u8], bytes: usize, memory: Option<&'b dyn Shared>) -> Option<&'b [u8]> {
    match memory {
        Some(memory) => Some(memory.bytes(len(from)?, bytes)),
        None => take(from, bytes),
    }
}

fn len(from: &mut &[u8]) -> Option<usize> {
    usize::try_from(u64::from_ne_bytes(take(from, WORD)?.try_into().ok()?)).ok()
}

fn unpack_int(int: IntTy, bytes: &[u8]) -> Option<Value<'static>> {
    let mut wide = [if int.is_signed() && bytes.last()? & 0x80 != 0 { 0xff } else { 0 }; 16];
    wide[..bytes.len()].copy_from_slice(bytes);
    Some(match int {
        IntTy::U128 => Value::U128(Box::new(u128::from_ne_bytes(wide))),
        IntTy::I128 => Value::I128(Box::new(i128::from_ne_bytes(wide))),
        int => Value::int(int, i128::from_ne_bytes(wide)),
    })
}

/// Reads a list of elements of a type, as [`unpack`] reads values.
pub fn unpack_array<'b>(
    elem: Ty,
    from: &mut &'b [u8],
    memory: Option<&'b dyn Shared>,
) -> Option<Array<'static>> {
    let len = len(from)?;
    unpack_list(elem, len, from, memory)
}

fn unpack_list<'b>(
    elem: Ty,
    len: usize,
    from: &mut &'b [u8],
    memory: Option<&'b dyn Shared>,
) -> Option<Array<'static>> {
    macro_rules! unpack_numbers {
        ($($ty:ident)*) => {$(
            if elem == Ty::$ty() {
                let bytes = elements(from, len.checked_mul(size_of::<$ty>())?, memory)?;
                let (all, _) = bytes.as_chunks::<{ size_of::<$ty>() }>();
                return Some(Array::from_vec(all.iter().map(|one| $ty::from_ne_bytes(*one)).collect::<Vec<$ty>>()));
            }
        )*};
    }
    numbers!(unpack_numbers);
    let values = match elem.kind() {
        TyKind::Bool => take(from, len)?.iter().map(|x| Value::Bool(*x != 0)).collect(),
        TyKind::Char => {
            let bytes = take(from, len.checked_mul(4)?)?;
            let chars = bytes.chunks_exact(4).map(|c| char::from_u32(u32::from_ne_bytes(c.try_into().ok()?)));
            chars.map(|c| c.map(Value::Char)).collect::<Option<Vec<_>>>()?
        }
        // Each takes at least a word, or nothing.
        _ if elem != Ty::unit() && len > from.len() => return None,
        _ => (0..len).map(|_| unpack(elem, from, None)).collect::<Option<Vec<_>>>()?,
    };
    Array::from_values(elem, values)
}

/// The bytes of all packed values of a type, if they are as many for each.
pub fn fixed_bytes(ty: Ty) -> Option<usize> {
    match ty.kind() {
        TyKind::Unit => Some(0),
        TyKind::Int(int) => Some((int.bits() as usize / 8).next_multiple_of(8)),
        TyKind::Bool | TyKind::Char | TyKind::Float(_) => Some(8),
        TyKind::Tuple(parts) => parts.iter().map(|ty| fixed_bytes(*ty)).sum(),
        TyKind::Struct(nominal) => nominal.fields()?.iter().map(|field| fixed_bytes(field.ty)).sum(),
        _ => None,
    }
}
