//! The context of a function's lowering: it emits the blocks in reverse postorder.
//!
//! - CALLDEPTH1 the number of open calls is passed from call to call; it is stored in the run before host code runs,
//!   which may call back.

use std::sync::Arc;

use cranelift_codegen::ir::{self, InstBuilder, MemFlagsData, types};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_frontend::FunctionBuilder;
use hashbrown::HashSet;
use overdub_context::Failure;
use overdub_context::analysis::{Cfg, Dominators, LoopNest};
use overdub_context::ir::{Block, BlockBody, Func, TerminatorKind, Var};

use super::analysis::{counters, overwritten};
use super::frame::Frame;
use super::instrument::CurrentOp;
use super::meter::Meter;
use super::operands::Values;
use super::state::{Constants, Control, Ownership};
use super::support_calls::Signatures;
use super::symbols::Symbols;
use super::{CodegenCx, no_code};
use crate::abi::layout::Layout;
use crate::abi::signature::{component_ty, is_direct};
use crate::runtime::zero_fill;
use crate::side_tables::SideTables;

/// The function itself, for recursive calls, and its entry thunk.
#[derive(Clone, Copy)]
pub(super) struct SelfRefs {
    pub(super) direct: ir::FuncRef,
    pub(super) thunk: *const u8,
}

/// A function during lowering, and the state of its lowering.
pub(super) struct FuncCx<'c> {
    pub(super) isa: &'c OwnedTargetIsa,
    pub(super) program: CodegenCx<'c>,
    pub(super) func: &'c Func,
    pub(super) tables: &'c mut SideTables,
    pub(super) b: FunctionBuilder<'c>,
    pub(super) refs: SelfRefs,
    /// The layouts of the variables, and that of the result.
    pub(super) layouts: Vec<Arc<Layout>>,
    pub(super) ret: Arc<Layout>,
    pub(super) ownership: Ownership,
    pub(super) constants: Constants,
    pub(super) control: Control,
    pub(super) frame: Frame,
    pub(super) signatures: Signatures,
    /// The run, which is the first parameter (RUN1).
    pub(super) run: ir::Value,
    /// The number of calls that were open before this one (CALLDEPTH1).
    pub(super) depth: ir::Value,
    /// The address for the words of the result, unless it is returned in registers (GEN1).
    pub(super) results: Option<ir::Value>,
    /// The constant 1, as one value, so that Cranelift folds the flags of vectors that are always unique.
    pub(super) yes: ir::Value,
    /// Integers below 2^63.
    pub(super) counters: HashSet<Var>,
    /// The fuel metering, in code with interrupt checks.
    pub(super) meter: Option<Meter>,
    pub(super) current_op: CurrentOp,
    /// The names of addresses, if a listing is being made.
    pub(super) symbols: Option<Symbols>,
    /// The reason why the function cannot be compiled.
    pub(super) missing: Option<Failure>,
}

impl<'c> FuncCx<'c> {
    pub(super) fn new(
        isa: &'c OwnedTargetIsa,
        program: CodegenCx<'c>,
        func: &'c Func,
        tables: &'c mut SideTables,
        mut b: FunctionBuilder<'c>,
        refs: SelfRefs,
    ) -> Result<FuncCx<'c>, Failure> {
        if func.blocks.is_empty() {
            return Err(no_code(&format!("`@{}` has no blocks", func.name)));
        }
        let control = Control::of(func, &mut b);
        let frame = Frame::of(&mut b);
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let (run, depth, ret) = (b.block_params(entry)[0], b.block_params(entry)[1], Layout::of(func.ret));
        let yes = b.ins().iconst(types::I8, 1);
        let layouts: Vec<Arc<Layout>> = func.vars.iter().map(|var| Layout::of(var.ty)).collect();
        let ownership = Ownership::of(func, &layouts, &ret);
        tables.created_vectors = ownership.result_vectors.values().copied().collect();
        Ok(FuncCx {
            isa,
            program,
            func,
            tables,
            refs,
            layouts,
            results: (!is_direct(&ret)).then(|| *b.block_params(entry).last().expect("GEN1: it is the last")),
            ret,
            ownership,
            constants: Constants::of(func, isa),
            control,
            frame,
            signatures: Signatures::default(),
            run,
            depth,
            yes,
            counters: counters::counters(func),
            meter: None,
            current_op: CurrentOp::beginning(),
            symbols: None,
            missing: None,
            b,
        })
    }

    /// Emits the function for a listing, without instrumentation; returns the names of its addresses.
    pub(super) fn build_for_listing(mut self) -> Result<Symbols, Failure> {
        self.symbols = Some(Symbols::new());
        self.build()
    }

    /// Emits the function; returns the names of its addresses for a listing.
    pub(super) fn build(mut self) -> Result<Symbols, Failure> {
        self.open();
        self.begin_frame();
        let cfg = Cfg::new(self.func);
        let dominators = Dominators::new(&cfg);
        let nest = LoopNest::new(&cfg, &dominators);
        self.ownership.find_unique_stacks(self.func, &self.layouts, &cfg);
        self.ownership.overwritten =
            overwritten::overwritten(self.func, (&cfg, &dominators, &nest), zero_fill::ELEM_BYTES);
        self.constants.find_loops(self.func, &dominators, &nest);
        self.control.find_loops(self.func, &cfg, &nest);
        self.meter =
            self.program.stops.then(|| Meter::of(self.func, (&cfg, &dominators, &nest), &mut self.b));
        self.meter_call();
        self.enter(&cfg);
        self.append_block_params(&cfg);
        for block in cfg.reverse_postorder() {
            self.block(*block)?;
        }
        self.constants.exit_loops();
        self.emit_cleanups();
        self.frame.finish(&mut self.b);
        self.b.seal_all_blocks();
        self.b.finalize(self.isa.frontend_config());
        match self.missing {
            Some(failure) => Err(failure),
            None => Ok(self.symbols.unwrap_or_default()),
        }
    }

    /// Appends the components of the parameters of each block to its Cranelift block.
    fn append_block_params(&mut self, cfg: &Cfg) {
        for &block in cfg.reverse_postorder() {
            if self.is_current(block) {
                continue;
            }
            for param in &self.func.block(block).params {
                for component in &self.layouts[param.index()].components {
                    self.b.append_block_param(self.control.blocks[block.index()], component_ty(*component));
                }
            }
        }
    }

    fn block(&mut self, block: Block) -> Result<(), Failure> {
        let body = self.func.block(block);
        let uses = self.ownership.block_uses(body, block);
        self.constants.enter_block(block);
        self.enter_loop(block);
        self.control.at = block;
        let words = self.begin(block, body);
        self.define_params(block, &words);
        for param in &uses.dead_params {
            self.release_var(*param);
        }
        self.meter_block(block);
        for (inst, of_inst) in body.insts.iter().zip(&uses.insts) {
            self.inst(inst, of_inst);
        }
        self.hoist_floats(block);
        match &body.terminator {
            Some(end) => self.terminator(end, &uses),
            None => return Err(no_code(&format!("`@{}` has a block without a terminator", self.func.name))),
        }
        Ok(())
    }

    /// Defines the parameters of a block; the variables that are live into it are owned there (OWN1).
    pub(super) fn define_params(&mut self, block: Block, words: &[ir::Value]) {
        self.ownership.begin_block(block, &self.layouts);
        let mut next = 0;
        for &param in &self.func.block(block).params {
            let count = self.layouts[param.index()].components.len();
            self.define(param, &words[next..next + count]);
            next += count;
        }
    }

    /// Switches to the Cranelift block of a block; returns the components of its parameters.
    fn begin(&mut self, block: Block, body: &BlockBody) -> Values {
        if self.is_current(block) {
            return self.param_words().into();
        }
        let block_start = self.control.blocks[block.index()];
        self.b.switch_to_block(block_start);
        if body.terminator.as_ref().is_some_and(|end| matches!(end.kind, TerminatorKind::Fail(_))) {
            self.b.set_cold_block(block_start);
        }
        Values::from_slice(self.b.block_params(block_start))
    }

    /// Loads the float constants of the loops that follow a block.
    fn hoist_floats(&mut self, block: Block) {
        for (id, floats) in self.constants.before_loops(block) {
            for x in floats {
                let value = self.float_at(x, MemFlagsData::trusted());
                self.constants.hoist(id, x, value);
            }
        }
    }

    pub(super) fn is_counted(&self, var: Var) -> bool {
        self.layouts[var.index()].is_counted()
    }
}
