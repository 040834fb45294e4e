//! The body of a function: its blocks, and the branches between them.
//!
//! - D1 how many calls are open is handed from call to call; the run is told where something else may call back.

use std::collections::BTreeSet;
use std::mem::offset_of;
use std::sync::Arc;

use cranelift_codegen::ir::{self, InstBuilder, MemFlagsData, Signature, StackSlot, types};
use cranelift_codegen::ir::{AbiParam, StackSlotData, StackSlotKind};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa};
use cranelift_frontend::FunctionBuilder;
use hashbrown::{HashMap, HashSet};
use overdub_context::Failure;
use overdub_context::Span;
use overdub_context::analysis::{Cfg, Dominators, LoopNest};
use overdub_context::ir::{Block, BlockBody, Func, Terminator, TerminatorKind, Var};

use super::analysis::last_use::{self, BlockUses};
use super::analysis::{counters, result_placement, uniqueness};
use super::branches::Order;
use super::constant_pool::MemoryOperands;
use super::instrument::OpAtHand;
use super::meter::Meter;
use super::no_code;
use super::operands::{self, Values};
use super::simd::Lanes;
use crate::abi::layout::{Counted, Layout};
use crate::abi::signature::{component_ty, is_direct};
use crate::compiled::SideTables;
use crate::program::Program;
use crate::runtime::libcalls;
use crate::runtime::run::Run;
use crate::runtime::trampolines::Trampoline;

/// The function itself, as its code refers to it, and what enters it from outside.
#[derive(Clone, Copy)]
pub(super) struct SelfRefs {
    pub(super) direct: ir::FuncRef,
    pub(super) thunk: *const u8,
}

/// A block that leaves the function: what it gives up, where the function was.
type CleanupBlock = (ir::Block, Vec<(Counted, ir::Value)>, Span);

/// A function whose code is being made.
pub(super) struct FuncCx<'c> {
    pub(super) isa: &'c OwnedTargetIsa,
    pub(super) program: &'c Program,
    pub(super) func: &'c Func,
    pub(super) tables: &'c mut SideTables,
    pub(super) b: FunctionBuilder<'c>,
    pub(super) refs: SelfRefs,
    pub(super) layouts: Vec<Arc<Layout>>,
    pub(super) ret: Arc<Layout>,
    pub(super) live_sets: last_use::LiveSets,
    alive: last_use::LiveMarks,
    pub(super) vals: Vec<operands::VarComponents>,
    pub(super) owned: BTreeSet<Var>,
    pub(super) shared: HashSet<Var>,
    pub(super) borrowed: HashSet<Var>,
    /// Stacks that nobody else holds.
    pub(super) unique_stacks: HashSet<Var>,
    /// Whether something is pushed to a vector.
    pub(super) pushes: bool,
    /// What is made of one scalar and becomes a vector of the result: its first leaf.
    pub(super) result_vectors: HashMap<Var, usize>,
    /// Variables whose parts are moved out of them.
    pub(super) split: HashSet<Var>,
    /// Values that are null.
    pub(super) nulls: HashSet<ir::Value>,
    pub(super) counters: HashSet<Var>,
    pub(super) memory_operands: MemoryOperands,
    pub(super) floats: HashMap<u64, usize>,
    /// Floats that are in registers since a loop began, by the loop and their bits.
    pub(super) hoisted: HashMap<(u32, u64), ir::Value>,
    loop_floats: last_use::LoopFloats,
    pub(super) order: Order,
    /// The outermost loop around the block at hand.
    pub(super) around: Option<u32>,
    pub(super) failed: HashMap<(Vec<(Counted, ir::Value)>, Span), ir::Block>,
    pub(super) failing: Vec<CleanupBlock>,
    pub(super) run: ir::Value,
    /// 1, one value for all: where nothing else comes, Cranelift sees that.
    pub(super) yes: ir::Value,
    pub(super) results: Option<ir::Value>,
    /// How many calls were open before this one.
    pub(super) depth: ir::Value,
    pub(super) blocks: Vec<ir::Block>,
    /// The block at hand.
    pub(super) at: Block,
    pub(super) lanes: Lanes,
    /// Blocks that come between a loop and what enters it, by the loops' headers.
    pub(super) loop_entries: HashMap<Block, ir::Block>,
    /// What is counted, where the code can be stopped.
    pub(super) meter: Option<Meter>,
    signatures: HashMap<(Vec<ir::Type>, Option<ir::Type>), ir::SigRef>,
    preserving_signatures: HashMap<Vec<ir::Type>, ir::SigRef>,
    /// Why no code can be made.
    pub(super) missing: Option<Failure>,
    scratch: StackSlot,
    scratch_words: usize,
    pub(super) op_at_hand: OpAtHand,
    /// Room on the stack for what checks look at, by its size.
    pub(super) beside: HashMap<u32, StackSlot>,
}

impl<'c> FuncCx<'c> {
    pub(super) fn new(
        isa: &'c OwnedTargetIsa,
        program: &'c Program,
        func: &'c Func,
        tables: &'c mut SideTables,
        mut b: FunctionBuilder<'c>,
        refs: SelfRefs,
    ) -> Result<FuncCx<'c>, Failure> {
        if func.blocks.is_empty() {
            return Err(no_code(&format!("`@{}` has no blocks", func.name)));
        }
        let blocks = func.blocks.iter().map(|_| b.create_block()).collect();
        let scratch = b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, 8, 3));
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let (run, depth, ret) = (b.block_params(entry)[0], b.block_params(entry)[1], Layout::of(func.ret));
        let yes = b.ins().iconst(types::I8, 1);
        let layouts: Vec<Arc<Layout>> = func.vars.iter().map(|var| Layout::of(var.ty)).collect();
        let live_sets = last_use::LiveSets::of(func, &layouts);
        let result_vectors = result_placement::result_vectors(func, &ret);
        tables.made = result_vectors.values().copied().collect();
        let shared = last_use::shared(func, &layouts);
        Ok(FuncCx {
            isa,
            program,
            func,
            tables,
            refs,
            borrowed: live_sets.borrowed(func, &layouts),
            split: last_use::split(func, &layouts),
            unique_stacks: HashSet::new(),
            pushes: last_use::pushes(func),
            result_vectors,
            layouts,
            results: (!is_direct(&ret)).then(|| *b.block_params(entry).last().expect("G1: it is the last")),
            ret,
            live_sets,
            alive: last_use::LiveMarks::of(func),
            vals: vec![operands::VarComponents::new(); func.vars.len()],
            owned: BTreeSet::new(),
            shared,
            nulls: HashSet::new(),
            counters: counters::counters(func),
            memory_operands: MemoryOperands::of(func, isa),
            floats: HashMap::new(),
            hoisted: HashMap::new(),
            loop_floats: last_use::LoopFloats::default(),
            order: Order::default(),
            around: None,
            failed: HashMap::new(),
            failing: Vec::new(),
            run,
            yes,
            depth,
            blocks,
            at: Block::ENTRY,
            lanes: Lanes::default(),
            loop_entries: HashMap::new(),
            meter: None,
            signatures: HashMap::new(),
            preserving_signatures: HashMap::new(),
            missing: None,
            scratch,
            scratch_words: 0,
            op_at_hand: OpAtHand::beginning(),
            beside: HashMap::new(),
            b,
        })
    }

    /// Makes the code.
    pub(super) fn build(mut self) -> Result<(), Failure> {
        self.open();
        self.begin_frame();
        let cfg = Cfg::new(self.func);
        self.unique_stacks = uniqueness::unique_stacks(&self, &cfg);
        let dominators = Dominators::new(&cfg);
        let nest = LoopNest::new(&cfg, &dominators);
        self.lanes = Lanes::of(self.func, &cfg, &nest);
        self.loop_floats = last_use::LoopFloats::of(self.func, self.memory_operands, &dominators, &nest);
        self.order = Order::of(self.func, &cfg, &nest);
        self.meter = self.program.stops.then(|| Meter::of(self.func, &cfg, &nest, &mut self.b));
        self.meter_call();
        self.enter(&cfg);
        for block in cfg.reverse_postorder() {
            if self.is_here(*block) {
                continue;
            }
            let params = &self.func.block(*block).params;
            for var in params {
                for component in self.layouts[var.index()].components.clone() {
                    self.b.append_block_param(self.blocks[block.index()], component_ty(component));
                }
            }
        }
        for block in cfg.reverse_postorder() {
            self.block(*block)?;
        }
        self.around = None;
        self.finish_failing();
        self.b.func.sized_stack_slots[self.scratch].size = (self.scratch_words.max(1) * 8) as u32;
        self.b.seal_all_blocks();
        self.b.finalize(self.isa.frontend_config());
        self.missing.map_or(Ok(()), Err)
    }

    /// How many calls are open within this one (D1).
    pub(super) fn deeper(&mut self) -> ir::Value {
        self.b.ins().iadd_imm_s(self.depth, 1)
    }

    /// Tells the run how many calls are open, for what calls back.
    pub(super) fn tell_depth(&mut self, depth: ir::Value) {
        let at = i32::try_from(offset_of!(Run, depth)).expect("a run is small");
        self.b.ins().store(MemFlagsData::trusted(), depth, self.run, at);
    }

    /// Writes words to the stack, where there is room for so many at least; gives the address.
    pub(super) fn spill(&mut self, words: &[ir::Value], room: usize) -> ir::Value {
        self.scratch_words = self.scratch_words.max(words.len()).max(room);
        let at = self.b.ins().stack_addr(types::I64, self.scratch, 0);
        for (k, word) in words.iter().enumerate() {
            let offset = i32::try_from(k * 8).expect("fewer words than 2^28");
            // Nobody reads what is beside a narrow leaf.
            self.b.ins().store(MemFlagsData::trusted(), *word, at, offset);
        }
        at
    }

    /// The leaves that were written to an address.
    pub(super) fn reload(&mut self, at: ir::Value, layout: &Layout) -> Values {
        let components = layout.components.iter().enumerate();
        components
            .map(|(k, component)| {
                let offset = i32::try_from(k * 8).expect("fewer words than 2^28");
                self.b.ins().load(component_ty(*component), MemFlagsData::trusted(), at, offset)
            })
            .collect()
    }

    /// Calls a helper by a trampoline that keeps every register.
    pub(super) fn preserving_call(&mut self, to: Trampoline, args: &[ir::Value]) {
        let tys: Vec<ir::Type> = args.iter().map(|arg| self.b.func.dfg.value_type(*arg)).collect();
        let sig = match self.preserving_signatures.get(&tys) {
            Some(sig) => *sig,
            None => {
                let mut sig = Signature::new(CallConv::PreserveAll);
                sig.params.extend(tys.iter().map(|ty| AbiParam::new(*ty)));
                let sig = self.b.import_signature(sig);
                self.preserving_signatures.insert(tys, sig);
                sig
            }
        };
        let at = to.address(self.isa).unwrap_or_else(|message| {
            self.missing = Some(no_code(&message));
            std::ptr::null()
        });
        self.mark();
        let address = self.address(at);
        self.b.ins().call_indirect(sig, address, args);
    }

    /// Calls a helper.
    pub(super) fn libcall(
        &mut self,
        at: *const u8,
        args: &[ir::Value],
        result: Option<ir::Type>,
    ) -> Option<ir::Value> {
        let tys: Vec<ir::Type> = args.iter().map(|arg| self.b.func.dfg.value_type(*arg)).collect();
        let key = (tys, result);
        let sig = match self.signatures.get(&key) {
            Some(sig) => *sig,
            None => {
                let mut sig = Signature::new(self.isa.default_call_conv());
                sig.params.extend(key.0.iter().map(|ty| AbiParam::new(*ty)));
                sig.returns.extend(result.map(AbiParam::new));
                let sig = self.b.import_signature(sig);
                self.signatures.insert(key, sig);
                sig
            }
        };
        self.mark();
        let address = self.address(at);
        let call = self.b.ins().call_indirect(sig, address, args);
        self.b.inst_results(call).first().copied()
    }

    fn block(&mut self, block: Block) -> Result<(), Failure> {
        let body = self.func.block(block);
        let plan = last_use::block_uses(body, block, &self.live_sets, &mut self.alive);
        self.around = self.loop_floats.around(block);
        self.enter_loop(block);
        self.at = block;
        let words = self.begin(block, body);
        self.define_params(block, &words);
        for param in &plan.dead_params {
            self.release_var(*param);
        }
        self.meter_round(block);
        for (inst, uses) in body.insts.iter().zip(&plan.insts) {
            self.inst(inst, uses);
        }
        self.read_floats(block);
        match &body.terminator {
            Some(end) => self.end(end, &plan),
            None => return Err(no_code(&format!("`@{}` has a block without a terminator", self.func.name))),
        }
        Ok(())
    }

    /// Defines the parameters of a block: what is owned is what is live there.
    pub(super) fn define_params(&mut self, block: Block, words: &[ir::Value]) {
        let is_owned = |var: &Var| self.is_counted(*var) && !self.borrowed.contains(var);
        self.owned = self.live_sets.live_in(block).iter().copied().filter(is_owned).collect();
        let mut next = 0;
        for &param in &self.func.block(block).params {
            let count = self.layouts[param.index()].components.len();
            self.define(param, &words[next..next + count]);
            next += count;
        }
    }

    /// Goes to where the code of a block is; gives the leaves of its parameters.
    fn begin(&mut self, block: Block, body: &BlockBody) -> Values {
        if self.is_here(block) {
            return self.param_words().into();
        }
        let here = self.blocks[block.index()];
        self.b.switch_to_block(here);
        if body.terminator.as_ref().is_some_and(|end| matches!(end.kind, TerminatorKind::Fail(_))) {
            self.b.set_cold_block(here);
        }
        Values::from_slice(self.b.block_params(here))
    }

    /// Reads what the loops use that are entered from the end of a block.
    fn read_floats(&mut self, block: Block) {
        for (id, floats) in self.loop_floats.before(block) {
            for x in floats {
                let value = self.float_at(x, MemFlagsData::trusted());
                self.hoisted.insert((id, x.to_bits()), value);
            }
        }
    }

    pub(super) fn is_counted(&self, var: Var) -> bool {
        self.layouts[var.index()].is_counted()
    }

    fn end(&mut self, end: &Terminator, plan: &BlockUses) {
        self.begin_op("the end of the block", end.span);
        match &end.kind {
            TerminatorKind::Br(target) => {
                let args = self.edge(target);
                let to = self.way_to(target.block);
                self.b.ins().jump(to, &args);
            }
            TerminatorKind::BrIf { then, otherwise, .. } if self.branch_merged(then, otherwise) => {}
            TerminatorKind::BrIf { cond, then, otherwise } => {
                let cond = self.scalar(cond);
                self.branch(cond, then, otherwise);
            }
            TerminatorKind::Switch { on, cases, otherwise } => {
                let cases = cases.iter().map(|case| (case.value, &case.target));
                self.switch(on, cases.collect(), otherwise.as_ref(), plan.ends, end.span);
            }
            TerminatorKind::Ret(value) => {
                let words = self.take(value, plan.ends);
                self.give_up_rest();
                self.ret(&words);
            }
            TerminatorKind::Fail(message) => {
                let message = self.scalar(message);
                self.libcall(libcalls::fail as *const u8, &[self.run, message], Some(types::I32));
                let failed = self.failed(end.span);
                self.b.ins().jump(failed, &[]);
            }
        }
    }

    fn give_up_rest(&mut self) {
        for var in self.owned.clone() {
            self.release_var(var);
        }
    }

    fn ret(&mut self, words: &[ir::Value]) {
        self.end_frame(words);
        self.lend_fuel();
        let mut answers = vec![self.b.ins().iconst(types::I32, 0)];
        match self.results {
            None => answers.extend(words),
            Some(results) => {
                for (k, word) in words.iter().enumerate() {
                    let offset = i32::try_from(k * 8).expect("fewer words than 2^28");
                    self.b.ins().store(MemFlagsData::trusted(), *word, results, offset);
                }
            }
        }
        self.b.ins().return_(&answers);
    }
}
