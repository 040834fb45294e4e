//! Results that are written into the memory of the caller.

use overdub_context::engine::OutSlot;
use overdub_context::ir::{FloatTy, Ty, TyKind};
use overdub_context::value::Value;
use overdub_export::packed::{Shared, unpack};

/// Writes a packed value of a type into the next slots; none if one of them is for something else.
pub(crate) fn write<'b, 's, 'o: 's>(
    ty: Ty,
    from: &mut &'b [u8],
    memory: &'b dyn Shared,
    outs: &mut impl Iterator<Item = &'s mut OutSlot<'o>>,
) -> Option<()> {
    match ty.kind() {
        TyKind::Unit => return Some(()),
        TyKind::Tuple(parts) => return parts.iter().try_for_each(|part| write(*part, from, memory, outs)),
        TyKind::Struct(nominal) => {
            return nominal.fields()?.iter().try_for_each(|field| write(field.ty, from, memory, outs));
        }
        _ => {}
    }
    match (outs.next()?, ty.kind()) {
        (OutSlot::F64(out), TyKind::Float(FloatTy::F64)) => **out = f64::from_bits(word(from)?),
        (OutSlot::F64s(out), TyKind::Array(of)) if of.elem == Ty::f64() && of.rank == 1 => {
            let (len, address) = (word(from)? as usize, word(from)? as usize);
            if len != out.len() {
                return None;
            }
            let bytes = memory.bytes(address, len * size_of::<f64>());
            for (out, bytes) in out.iter_mut().zip(bytes.chunks_exact(size_of::<f64>())) {
                *out = f64::from_ne_bytes(bytes.try_into().ok()?);
            }
        }
        (OutSlot::Unwanted, _) => {
            unpack(ty, from, Some(memory))?;
        }
        (slot, _) => match (slot, unpack(ty, from, Some(memory))?) {
            (OutSlot::Bool(out), Value::Bool(x)) => **out = x,
            (OutSlot::Int(out), value) => match (ty.kind(), value.as_int()?) {
                // Of 64 bits without a sign, the bits.
                (TyKind::Int(int), (_, x)) if int.bits() <= 64 => **out = x as i64,
                _ => return None,
            },
            _ => return None,
        },
    }
    Some(())
}

fn word(from: &mut &[u8]) -> Option<u64> {
    let (word, rest) = from.split_first_chunk::<8>()?;
    *from = rest;
    Some(u64::from_ne_bytes(*word))
}
