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

use self::recognize::{Bound, Elementwise, Index, LoopArray, LoopOp};
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
        let args_unchanged: Vec<BlockArg> = words.iter().map(|word| BlockArg::Value(*word)).collect();
        let Some(found) = self.control.simd.found.remove(&header) else {
            self.b.ins().jump(to, &args_unchanged);
            return;
        };
        let mut param_words = Vec::new();
        let mut next = 0;
        for &param in &self.func.block(header).params {
            let count = self.layouts[param.index()].components.len();
            param_words.push(words[next..next + count].to_vec());
            next += count;
        }
        let (iterations, is_worth_it) = self.iterations(&found, &param_words);
        let simd_loop = self.b.create_block();
        self.b.ins().brif(is_worth_it, simd_loop, &[], to, &args_unchanged);
        self.b.switch_to_block(simd_loop);
        self.meter_simd(header, iterations);
        self.simd_iterations(&found, &param_words, iterations);
        for &counter in &found.counters {
            param_words[counter][0] = match found.falls {
                true => self.b.ins().isub(param_words[counter][0], iterations),
                false => self.b.ins().iadd(param_words[counter][0], iterations),
            };
        }
        let args: Vec<BlockArg> = param_words.into_iter().flatten().map(BlockArg::Value).collect();
        self.b.ins().jump(to, &args);
    }

    /// The number of iterations that the SIMD loop runs, and whether it is worth running.
    fn iterations(&mut self, found: &Elementwise, param_words: &[Vec<ir::Value>]) -> (ir::Value, ir::Value) {
        let mut fewest = self.b.ins().iconst(types::I64, i64::MAX);
        for (bound, index) in &found.bounds {
            let at = self.index_of(*index, param_words);
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
                        Bound::Length(source) => self.array_words(*source, param_words)[LEN],
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
            let is_unique = self.b.ins().icmp_imm_s(IntCC::NotEqual, param_words[param][UNIQUE], 0);
            is_worth_it = self.b.ins().band(is_worth_it, is_unique);
        }
        let before_last = self.b.ins().iadd_imm_s(fewest, -1);
        (self.b.ins().band_imm_s(before_last, -AT_ONCE), is_worth_it)
    }

    fn array_words(&mut self, source: LoopArray, param_words: &[Vec<ir::Value>]) -> Vec<ir::Value> {
        match source {
            LoopArray::Before(var) => self.read(&Operand::Var(var)).to_vec(),
            LoopArray::Param(param) => param_words[param].clone(),
        }
    }

    /// An index in the first iteration.
    fn index_of(&mut self, index: Index, param_words: &[Vec<ir::Value>]) -> ir::Value {
        let from = match index.base {
            None => param_words[index.param][0],
            Some(base) => {
                let base = self.scalar(&base.into());
                self.b.ins().iadd(param_words[index.param][0], base)
            }
        };
        match index.plus {
            0 => from,
            plus => self.b.ins().iadd_imm_s(from, plus),
        }
    }

    fn simd_iterations(
        &mut self,
        found: &Elementwise,
        param_words: &[Vec<ir::Value>],
        iterations: ir::Value,
    ) {
        let places = self.places(found, param_words, iterations);
        let same = self.splats(found);
        let bytes = self.b.ins().ishl_imm_s(iterations, 3);
        let (body, after) = (self.b.create_block(), self.b.create_block());
        let at = self.b.append_block_param(body, types::I64);
        let zero = self.b.ins().iconst(types::I64, 0);
        self.b.ins().jump(body, &[BlockArg::Value(zero)]);
        self.b.switch_to_block(body);
        for vector in 0..VECTORS {
            self.vector_steps(found, &places, &same, at, vector * 16);
        }
        let next = self.b.ins().iadd_imm_s(at, 8 * AT_ONCE);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, next, bytes);
        self.b.ins().brif(more, body, &[BlockArg::Value(next)], after, &[]);
        self.b.switch_to_block(after);
    }

    /// The address of the lowest element of each array at each index, in this many iterations.
    fn places(
        &mut self,
        found: &Elementwise,
        param_words: &[Vec<ir::Value>],
        iterations: ir::Value,
    ) -> HashMap<(LoopArray, Index), ir::Value> {
        let mut places = HashMap::new();
        for step in &found.steps {
            let (source, index, access) = match step {
                LoopOp::Load(source, index) => (*source, *index, Access::Read),
                LoopOp::Store(param, index, _) => (LoopArray::Param(*param), *index, Access::Write),
                LoopOp::Splat(_) | LoopOp::Unary(..) | LoopOp::Binary(..) => continue,
            };
            let is_new = !places.contains_key(&(source, index));
            if is_new || access == Access::Write && self.is_instrumented() {
                let words = self.array_words(source, param_words);
                let mut at = self.index_of(index, param_words);
                if found.falls {
                    let after_last = self.b.ins().isub(at, iterations);
                    at = self.b.ins().iadd_imm_s(after_last, 1);
                }
                let all = Accessed { count: Some(iterations), ..Accessed::one(&words, at) };
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
            if let LoopOp::Splat(operand) = step {
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
        places: &HashMap<(LoopArray, Index), ir::Value>,
        same: &HashMap<usize, ir::Value>,
        at: ir::Value,
        offset: i32,
    ) {
        // Elements have the alignment of floats, and are in bounds, as the number of iterations was computed
        // from the bounds.
        let flags = MemFlagsData::new().with_notrap();
        let mut results: Vec<ir::Value> = Vec::with_capacity(found.steps.len());
        for (k, step) in found.steps.iter().enumerate() {
            let value = match step {
                LoopOp::Splat(_) => same[&k],
                LoopOp::Load(source, index) => {
                    let place = self.b.ins().iadd(places[&(*source, *index)], at);
                    self.b.ins().load(types::F64X2, flags, place, offset)
                }
                LoopOp::Unary(op, x) if **op == ops::NEG => self.b.ins().fneg(results[*x]),
                LoopOp::Unary(op, x) if **op == ops::ABS => self.b.ins().fabs(results[*x]),
                LoopOp::Unary(_, x) => self.b.ins().sqrt(results[*x]),
                LoopOp::Binary(op, x, y) => self.lanes_binary(op, results[*x], results[*y]),
                LoopOp::Store(param, index, value) => {
                    let place = self.b.ins().iadd(places[&(LoopArray::Param(*param), *index)], at);
                    self.b.ins().store(flags, results[*value], place, offset);
                    results[*value]
                }
            };
            results.push(value);
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
        let mask = self.b.ins().bor(neither, is_number);
        let product = self.b.ins().bitcast(types::I64X2, flags, product);
        let product = self.b.ins().band(product, mask);
        self.b.ins().bitcast(types::F64X2, flags, product)
    }
}
