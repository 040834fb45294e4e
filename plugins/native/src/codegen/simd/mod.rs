//! SIMD versions of elementwise loops.
//!
//! A loop is preceded by a SIMD loop that runs, four at a time, the iterations that certainly neither fail
//! nor leave the loop. Each lane is computed as by the scalar loop, to the bit. The scalar loop runs the
//! remaining iterations. A loop that counts down is run from the lowest element up, as its iterations are
//! independent (SIMD2).

mod reader;
mod recognize;

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self, BlockArg, InstBuilder, MemFlagsData, types};
use hashbrown::HashMap;
use overdub_context::analysis::{Cfg, LoopNest};
use overdub_context::ir::{Block, Func, Operand};
use overdub_context::ops::{self, OpDef};

use self::recognize::{Bound, Elementwise, Index, Source, Step};
use crate::abi::layout::Elem;
use crate::checks::Access;
use crate::codegen::func_cx::FuncCx;
use crate::codegen::instrument::Accessed;
use crate::codegen::lower::scalar_vectors::{DATA, LEN, UNIQUE};

/// With fewer iterations, the scalar loop is faster.
const FEWEST: i64 = 8;

/// SIMD vectors per iteration of the SIMD loop: two, to overlap their latencies.
const VECTORS: i32 = 2;

/// Scalar iterations per iteration of the SIMD loop.
const AT_ONCE: i64 = 2 * VECTORS as i64;

/// The loops of a function that have a SIMD version.
#[derive(Default)]
pub(in crate::codegen) struct SimdLoops {
    found: HashMap<Block, Elementwise>,
}

impl SimdLoops {
    pub(in crate::codegen) fn of(func: &Func, cfg: &Cfg, nest: &LoopNest) -> SimdLoops {
        SimdLoops { found: recognize::find(func, cfg, nest) }
    }

    /// Whether an edge enters a loop that has a SIMD version.
    pub(in crate::codegen) fn enters(&self, from: Block, to: Block) -> bool {
        self.found.get(&to).is_some_and(|found| !found.blocks.contains(&from))
    }
}

impl FuncCx<'_> {
    /// Emits the SIMD version of a loop, if it has one. It is entered with the header's parameters in
    /// `words`, and ends in a jump to `to` with their values for the remaining iterations.
    pub(in crate::codegen) fn simd_loop(&mut self, header: Block, words: &[ir::Value], to: ir::Block) {
        let plain: Vec<BlockArg> = words.iter().map(|word| BlockArg::Value(*word)).collect();
        let Some(found) = self.control.simd.found.remove(&header) else {
            self.b.ins().jump(to, &plain);
            return;
        };
        let mut given = Vec::new();
        let mut next = 0;
        for &param in &self.func.block(header).params {
            let count = self.layouts[param.index()].components.len();
            given.push(words[next..next + count].to_vec());
            next += count;
        }
        let (rounds, is_worth_it) = self.rounds(&found, &given);
        let simd_loop = self.b.create_block();
        self.b.ins().brif(is_worth_it, simd_loop, &[], to, &plain);
        self.b.switch_to_block(simd_loop);
        self.meter_simd(header, rounds);
        self.simd_iterations(&found, &given, rounds);
        for &counter in &found.counters {
            given[counter][0] = match found.falls {
                true => self.b.ins().isub(given[counter][0], rounds),
                false => self.b.ins().iadd(given[counter][0], rounds),
            };
        }
        let args: Vec<BlockArg> = given.into_iter().flatten().map(BlockArg::Value).collect();
        self.b.ins().jump(to, &args);
    }

    /// The number of iterations that the SIMD loop runs, and whether it is worth running.
    fn rounds(&mut self, found: &Elementwise, given: &[Vec<ir::Value>]) -> (ir::Value, ir::Value) {
        let mut fewest = self.b.ins().iconst(types::I64, i64::MAX);
        for (bound, index) in &found.bounds {
            let at = self.index_of(*index, given);
            let none = self.b.ins().iconst(types::I64, 0);
            let (is_left, left) = match bound {
                Bound::Last(last) => {
                    let last = self.scalar(last);
                    let before = self.b.ins().isub(at, last);
                    let left = self.b.ins().iadd_imm_s(before, 1);
                    (self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, at, last), left)
                }
                Bound::Of(_) | Bound::Length(_) => {
                    let bound = match bound {
                        Bound::Length(source) => self.source(*source, given)[LEN],
                        Bound::Of(bound) | Bound::Last(bound) => self.scalar(bound),
                    };
                    // The counter falls, and stays below the bound.
                    let left = if found.falls { fewest } else { self.b.ins().isub(bound, at) };
                    (self.b.ins().icmp(IntCC::UnsignedLessThan, at, bound), left)
                }
            };
            // Beyond the bound there are no iterations.
            let left = self.b.ins().select(is_left, left, none);
            let is_less = self.b.ins().icmp(IntCC::UnsignedLessThan, left, fewest);
            fewest = self.b.ins().select(is_less, left, fewest);
        }
        // The last iteration is left to the scalar loop, which must be entered for at least one.
        let mut is_worth_it = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, fewest, FEWEST);
        for &param in &found.written {
            let owns = self.b.ins().icmp_imm_s(IntCC::NotEqual, given[param][UNIQUE], 0);
            is_worth_it = self.b.ins().band(is_worth_it, owns);
        }
        let before_last = self.b.ins().iadd_imm_s(fewest, -1);
        (self.b.ins().band_imm_s(before_last, -AT_ONCE), is_worth_it)
    }

    fn source(&mut self, source: Source, given: &[Vec<ir::Value>]) -> Vec<ir::Value> {
        match source {
            Source::Before(var) => self.read(&Operand::Var(var)).to_vec(),
            Source::Param(param) => given[param].clone(),
        }
    }

    /// An index in the first iteration.
    fn index_of(&mut self, index: Index, given: &[Vec<ir::Value>]) -> ir::Value {
        let from = match index.base {
            None => given[index.param][0],
            Some(base) => {
                let base = self.scalar(&base.into());
                self.b.ins().iadd(given[index.param][0], base)
            }
        };
        match index.plus {
            0 => from,
            plus => self.b.ins().iadd_imm_s(from, plus),
        }
    }

    fn simd_iterations(&mut self, found: &Elementwise, given: &[Vec<ir::Value>], rounds: ir::Value) {
        let places = self.places(found, given, rounds);
        let same = self.splats(found);
        let bytes = self.b.ins().ishl_imm_s(rounds, 3);
        let (again, after) = (self.b.create_block(), self.b.create_block());
        let at = self.b.append_block_param(again, types::I64);
        let zero = self.b.ins().iconst(types::I64, 0);
        self.b.ins().jump(again, &[BlockArg::Value(zero)]);
        self.b.switch_to_block(again);
        for vector in 0..VECTORS {
            self.vector_steps(found, &places, &same, at, vector * 16);
        }
        let next = self.b.ins().iadd_imm_s(at, 8 * AT_ONCE);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, next, bytes);
        self.b.ins().brif(more, again, &[BlockArg::Value(next)], after, &[]);
        self.b.switch_to_block(after);
    }

    /// The address of the lowest element of each array at each index, in this many iterations.
    fn places(
        &mut self,
        found: &Elementwise,
        given: &[Vec<ir::Value>],
        rounds: ir::Value,
    ) -> HashMap<(Source, Index), ir::Value> {
        let mut places = HashMap::new();
        for step in &found.steps {
            let (source, index, access) = match step {
                Step::Load(source, index) => (*source, *index, Access::Read),
                Step::Store(param, index, _) => (Source::Param(*param), *index, Access::Write),
                Step::Splat(_) | Step::Unary(..) | Step::Binary(..) => continue,
            };
            let is_new = !places.contains_key(&(source, index));
            if is_new || access == Access::Write && self.is_instrumented() {
                let words = self.source(source, given);
                let mut at = self.index_of(index, given);
                if found.falls {
                    let behind = self.b.ins().isub(at, rounds);
                    at = self.b.ins().iadd_imm_s(behind, 1);
                }
                let all = Accessed { count: Some(rounds), ..Accessed::one(&words, at) };
                self.check_vector(Elem::F64, all, access);
                let offset = self.b.ins().ishl_imm_s(at, 3);
                places.insert((source, index), self.b.ins().iadd(words[DATA], offset));
            }
        }
        places
    }

    /// The steps that are loop-invariant, as SIMD vectors.
    fn splats(&mut self, found: &Elementwise) -> HashMap<usize, ir::Value> {
        let mut same = HashMap::new();
        for (k, step) in found.steps.iter().enumerate() {
            if let Step::Splat(operand) = step {
                let x = self.scalar(operand);
                same.insert(k, self.b.ins().splat(types::F64X2, x));
            }
        }
        same
    }

    /// Emits every step for one SIMD vector.
    fn vector_steps(
        &mut self,
        found: &Elementwise,
        places: &HashMap<(Source, Index), ir::Value>,
        same: &HashMap<usize, ir::Value>,
        at: ir::Value,
        offset: i32,
    ) {
        // Elements have the alignment of floats, and are in bounds, as the number of iterations was computed
        // from the bounds.
        let flags = MemFlagsData::new().with_notrap();
        let mut made: Vec<ir::Value> = Vec::with_capacity(found.steps.len());
        for (k, step) in found.steps.iter().enumerate() {
            let value = match step {
                Step::Splat(_) => same[&k],
                Step::Load(source, index) => {
                    let place = self.b.ins().iadd(places[&(*source, *index)], at);
                    self.b.ins().load(types::F64X2, flags, place, offset)
                }
                Step::Unary(op, x) if **op == ops::NEG => self.b.ins().fneg(made[*x]),
                Step::Unary(op, x) if **op == ops::ABS => self.b.ins().fabs(made[*x]),
                Step::Unary(_, x) => self.b.ins().sqrt(made[*x]),
                Step::Binary(op, x, y) => self.lanes_binary(op, made[*x], made[*y]),
                Step::Store(param, index, value) => {
                    let place = self.b.ins().iadd(places[&(Source::Param(*param), *index)], at);
                    self.b.ins().store(flags, made[*value], place, offset);
                    made[*value]
                }
            };
            made.push(value);
        }
    }

    fn lanes_binary(&mut self, op: &OpDef, x: ir::Value, y: ir::Value) -> ir::Value {
        match () {
            () if *op == ops::ADD => self.b.ins().fadd(x, y),
            () if *op == ops::SUB => self.b.ins().fsub(x, y),
            () if *op == ops::MUL => self.b.ins().fmul(x, y),
            () if *op == ops::DIV => self.b.ins().fdiv(x, y),
            () => self.lanes_or_zero(x, y),
        }
    }

    /// The products, with 0 for those that are NaN and have a factor 0.
    fn lanes_or_zero(&mut self, x: ir::Value, y: ir::Value) -> ir::Value {
        let flags = MemFlagsData::new().with_endianness(ir::Endianness::Little);
        let zero = self.b.ins().f64const(0.0);
        let zeros = self.b.ins().splat(types::F64X2, zero);
        let [x_is_not, y_is_not] = [x, y].map(|factor| self.b.ins().fcmp(FloatCC::NotEqual, factor, zeros));
        let neither = self.b.ins().band(x_is_not, y_is_not);
        let product = self.b.ins().fmul(x, y);
        let is_number = self.b.ins().fcmp(FloatCC::Ordered, product, product);
        let kept = self.b.ins().bor(neither, is_number);
        let product = self.b.ins().bitcast(types::I64X2, flags, product);
        let product = self.b.ins().band(product, kept);
        self.b.ins().bitcast(types::F64X2, flags, product)
    }
}
