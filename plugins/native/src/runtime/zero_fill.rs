//! Code that fills a free buffer with one scalar, for functions that create vectors of zeros.
//!
//! As a function, it preserves every register, as trampolines do, and uses few, since it saves each one that it uses.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, AbiParam, BlockArg, InstBuilder, MemFlagsData, Signature, types};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module as _, ModuleError};

use crate::buffer_pool::{BYTES, COUNT, DATA, FREE, FreeBuffer, HANDLE, KIND, LARGER};
use crate::runtime::run::Run;

/// The size of elements; other sizes are filled by the libcall [`super::libcalls::repeat`].
pub(crate) const ELEM_BYTES: i64 = 8;

/// Takes the run, the kind of buffer, the address for the vector's first two words, the bits of an element,
/// and the number of elements; stores null instead of the first word if no free buffer fits.
pub(crate) fn define(module: &mut JITModule) -> Result<FuncId, Box<ModuleError>> {
    let mut sig = Signature::new(CallConv::PreserveAll);
    sig.params.extend([types::I64, types::I32, types::I64, types::I64, types::I64].map(AbiParam::new));
    let id = module.declare_anonymous_function(&sig)?;
    let mut cx = module.make_context();
    let mut builder_cx = FunctionBuilderContext::new();
    cx.func.signature = sig;
    let mut b = FunctionBuilder::new(&mut cx.func, &mut builder_cx);
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let [run, kind, at, bits, len] = *b.block_params(entry) else { unreachable!("it takes five") };
    let none = b.create_block();
    let zero = b.ins().iconst(types::I64, 0);
    b.ins().store(MemFlagsData::trusted(), zero, at, 0);
    let [handle, data] = take(&mut b, [run, kind, len], none);
    b.ins().store(MemFlagsData::trusted(), handle, at, 0);
    b.ins().store(MemFlagsData::trusted(), data, at, 8);
    fill(&mut b, [data, bits, len]);
    b.ins().return_(&[]);
    b.switch_to_block(none);
    b.ins().return_(&[]);
    b.seal_all_blocks();
    b.finalize(module.isa().frontend_config());
    module.define_function(id, &mut cx)?;
    Ok(id)
}

fn place(field: usize) -> i32 {
    i32::try_from(field).expect("a run is small")
}

/// Takes the last free buffer (POOL2) if it is of this kind and has room for elements of [`ELEM_BYTES`]; returns the first two words of its
/// vector. Otherwise it jumps to `none`.
pub(crate) fn take(
    b: &mut FunctionBuilder<'_>,
    [run, kind, len]: [ir::Value; 3],
    none: ir::Block,
) -> [ir::Value; 2] {
    let flags = MemFlagsData::trusted();
    let buffers = offset_of!(Run, buffers);
    let some = b.create_block();
    let count = b.ins().load(types::I64, flags, run, place(buffers + COUNT));
    b.ins().brif(count, some, &[], none, &[]);
    b.switch_to_block(some);
    let below = b.ins().iadd_imm_s(count, -1);
    let offset = b.ins().imul_imm_s(below, size_of::<FreeBuffer>() as i64);
    let free = b.ins().iadd(run, offset);
    let field = |b: &mut FunctionBuilder<'_>, field: usize| {
        b.ins().load(types::I64, flags, free, place(buffers + FREE + field))
    };
    let (buffer_bytes, buffer_kind) = (field(b, BYTES), field(b, KIND));
    let bytes = b.ins().imul_imm_s(len, ELEM_BYTES);
    let kind = b.ins().uextend(types::I64, kind);
    let is_its = b.ins().icmp(IntCC::Equal, buffer_kind, kind);
    let is_enough = b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, buffer_bytes, bytes);
    let part = b.ins().ushr_imm_u(buffer_bytes, i64::from(LARGER));
    let is_fair = b.ins().icmp(IntCC::UnsignedLessThanOrEqual, part, bytes);
    for fits in [is_its, is_enough, is_fair] {
        let next = b.create_block();
        b.ins().brif(fits, next, &[], none, &[]);
        b.switch_to_block(next);
    }
    b.ins().store(flags, below, run, place(buffers + COUNT));
    [field(b, HANDLE), field(b, DATA)]
}

/// Stores an element everywhere, eight copies at a time while at least eight remain.
fn fill(b: &mut FunctionBuilder<'_>, [data, bits, len]: [ir::Value; 3]) {
    const AT_ONCE: i64 = 8;
    // Elements have their own alignment, not that of SIMD vectors.
    let flags = MemFlagsData::new().with_notrap();
    let pair = b.ins().splat(types::I64X2, bits);
    let bytes = b.ins().imul_imm_s(len, ELEM_BYTES);
    let end = b.ins().iadd(data, bytes);
    let vector_bytes = b.ins().band_imm_s(bytes, -(AT_ONCE * ELEM_BYTES));
    let vector_end = b.ins().iadd(data, vector_bytes);
    let left = emit_loop(b, [data, vector_end, pair], AT_ONCE * ELEM_BYTES, |b, at, pair| {
        for place in (0..AT_ONCE as i32 * 8).step_by(16) {
            b.ins().store(flags, pair, at, place);
        }
    });
    emit_loop(b, [left, end, bits], ELEM_BYTES, |b, at, bits| {
        b.ins().store(flags, bits, at, 0);
    });
}

/// A loop over addresses; returns the one at which it ends. `goes_along` is a block parameter, since
/// Cranelift would rematerialise a splat in each iteration.
fn emit_loop(
    b: &mut FunctionBuilder<'_>,
    [from, to, goes_along]: [ir::Value; 3],
    step: i64,
    emit_body: impl FnOnce(&mut FunctionBuilder<'_>, ir::Value, ir::Value),
) -> ir::Value {
    let (head, body, after) = (b.create_block(), b.create_block(), b.create_block());
    let at = b.append_block_param(head, types::I64);
    let ty = b.func.dfg.value_type(goes_along);
    let same = b.append_block_param(head, ty);
    b.ins().jump(head, &[from, goes_along].map(BlockArg::Value));
    b.switch_to_block(head);
    let continues = b.ins().icmp(IntCC::UnsignedLessThan, at, to);
    b.ins().brif(continues, body, &[], after, &[]);
    b.switch_to_block(body);
    emit_body(b, at, same);
    let next = b.ins().iadd_imm_s(at, step);
    b.ins().jump(head, &[next, same].map(BlockArg::Value));
    b.switch_to_block(after);
    at
}
