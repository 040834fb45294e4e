//! What memcheck has to see in compiled code, for `.ci/memory`.

use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Signature, types};
use cranelift_codegen::isa::CallConv;
use cranelift_codegen::settings;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::Module as _;

/// Compiles a function that says whether the number at an address is not zero, by a branch.
fn compile(module: &mut JITModule) -> extern "C" fn(*const u64) -> u64 {
    let mut sig = Signature::new(CallConv::triple_default(module.isa().triple()));
    sig.params.push(AbiParam::new(types::I64));
    sig.returns.push(AbiParam::new(types::I64));
    let id = module.declare_anonymous_function(&sig).expect("it has no name to clash");
    let mut cx = module.make_context();
    let mut builder_cx = FunctionBuilderContext::new();
    cx.func.signature = sig;
    let mut b = FunctionBuilder::new(&mut cx.func, &mut builder_cx);
    let (entry, some, none) = (b.create_block(), b.create_block(), b.create_block());
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let address = b.block_params(entry)[0];
    let number = b.ins().load(types::I64, MemFlagsData::trusted(), address, 0);
    b.ins().brif(number, some, &[], none, &[]);
    for (block, result) in [(some, 1), (none, 0)] {
        b.switch_to_block(block);
        let result = b.ins().iconst(types::I64, result);
        b.ins().return_(&[result]);
    }
    b.seal_all_blocks();
    b.finalize(module.isa().frontend_config());
    module.define_function(id, &mut cx).expect("it is well formed");
    module.finalize_definitions().expect("it calls nothing");
    let code = module.get_finalized_function(id);
    // SAFETY: the code has this signature.
    unsafe { std::mem::transmute::<*const u8, extern "C" fn(*const u64) -> u64>(code) }
}

#[test]
#[ignore = "it reads memory that nobody wrote, for memcheck to report"]
fn memcheck_sees_conditions_on_memory_that_nobody_wrote() {
    let isa = cranelift_native::builder().expect("this machine is supported");
    let isa = isa.finish(settings::Flags::new(settings::builder())).expect("the settings are right");
    let mut module = JITModule::new(JITBuilder::with_isa(isa, cranelift_module::default_libcall_names()));
    let is_some = compile(&mut module);
    assert_eq!([is_some(&0), is_some(&7)], [0, 1]);
    let unwritten: Vec<u64> = Vec::with_capacity(1);
    assert!(is_some(unwritten.as_ptr()) < 2);
}
