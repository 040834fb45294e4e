//! The Cranelift signatures of compiled functions.

use std::sync::Arc;

use cranelift_codegen::ir::{self, AbiParam, Signature, types};
use cranelift_codegen::isa::TargetIsa;

use crate::abi::layout::{Component, Layout};

/// The Cranelift type of a component.
pub(crate) fn component_ty(component: Component) -> ir::Type {
    match component {
        Component::Int(8) | Component::Unique => types::I8,
        Component::Int(16) => types::I16,
        Component::Int(32) => types::I32,
        Component::Int(_) | Component::Counted(_) => types::I64,
        Component::F32 => types::F32,
        Component::F64 => types::F64,
    }
}

/// Whether a result is returned in registers together with the status: at most as many as every calling
/// convention has.
pub(crate) fn is_direct(ret: &Layout) -> bool {
    let floats = ret
        .components
        .iter()
        .filter(|component| matches!(component, Component::F32 | Component::F64))
        .count();
    floats <= 2 && ret.components.len() - floats <= 1
}

/// The signature of a function with these parameters and this result (GEN1).
pub(crate) fn signature(isa: &dyn TargetIsa, params: &[Arc<Layout>], ret: &Layout) -> Signature {
    let mut sig = Signature::new(isa.default_call_conv());
    sig.params.extend([AbiParam::new(types::I64); 2]);
    let components = params.iter().flat_map(|layout| &layout.components);
    sig.params.extend(components.map(|component| AbiParam::new(component_ty(*component))));
    sig.returns.push(AbiParam::new(types::I32));
    if is_direct(ret) {
        sig.returns.extend(ret.components.iter().map(|component| AbiParam::new(component_ty(*component))));
    } else {
        sig.params.push(AbiParam::new(types::I64));
    }
    sig
}
