//! The Cranelift signatures of compiled functions.

use std::sync::Arc;

use cranelift_codegen::ir::{self, AbiParam, Signature, types};
use cranelift_codegen::isa::TargetIsa;

use crate::abi::layout::{Layout, Leaf};

/// The Cranelift type of a leaf.
pub(crate) fn leaf_ty(leaf: Leaf) -> ir::Type {
    match leaf {
        Leaf::Int(8) | Leaf::Own => types::I8,
        Leaf::Int(16) => types::I16,
        Leaf::Int(32) => types::I32,
        Leaf::Int(_) | Leaf::Counted(_) => types::I64,
        Leaf::F32 => types::F32,
        Leaf::F64 => types::F64,
    }
}

/// Whether a result comes back in registers beside the status: as many as every calling convention has.
pub(crate) fn is_direct(ret: &Layout) -> bool {
    let floats = ret.leaves.iter().filter(|leaf| matches!(leaf, Leaf::F32 | Leaf::F64)).count();
    floats <= 2 && ret.leaves.len() - floats <= 1
}

/// The signature of a function with these parameters and this result (G1).
pub(crate) fn signature(isa: &dyn TargetIsa, params: &[Arc<Layout>], ret: &Layout) -> Signature {
    let mut sig = Signature::new(isa.default_call_conv());
    sig.params.extend([AbiParam::new(types::I64); 2]);
    let leaves = params.iter().flat_map(|layout| &layout.leaves);
    sig.params.extend(leaves.map(|leaf| AbiParam::new(leaf_ty(*leaf))));
    sig.returns.push(AbiParam::new(types::I32));
    if is_direct(ret) {
        sig.returns.extend(ret.leaves.iter().map(|leaf| AbiParam::new(leaf_ty(*leaf))));
    } else {
        sig.params.push(AbiParam::new(types::I64));
    }
    sig
}
