//! The run of a loop that measures what its forward sweep would record, and records nothing.
//!
//! - SIZES1 it returns the result of the chunk, the number of its iterations, the most bytes that one of them records,
//!   and the most bytes that its state takes: those that the forward sweep of the same chunk records, by the same plan.
//! - SIZES2 it also returns the most memory that the reverse sweep of a called loop inside needs.

use hashbrown::HashMap;
use overdub_context::Symbol;
use overdub_context::ir::{
    Block, Callee, Func, FuncBuilder, Inst, InstKind, NominalBody, Operand, TerminatorKind, Ty, TyKind, Var,
};
use overdub_context::ops;
use overdub_context::ssa::Variable;

use super::super::forward_sweep::{AugmentedPrimal, ForwardSweepBuilder};
use super::ops::BYTES;
use crate::cotangent_sums::Helpers;
use crate::refusal::Cause;

/// The counters of such a run.
#[derive(Clone)]
pub(in super::super) struct Sizes<'m> {
    /// The header of the loop.
    header: Block,
    /// The bytes of the current iteration.
    record: Variable,
    most: Variable,
    iterations: Variable,
    snapshot: Variable,
    /// The bytes that the header records: once more in a chunk that stops, which is charged to the snapshots.
    stop: Variable,
    /// The most memory that a loop inside needs.
    inner: Variable,
    /// The loops inside that are called, by the names of their forward sweeps.
    loops: &'m HashMap<Symbol, InnerLoop>,
    /// The sizes of their reverse sweeps, and which variables hold these.
    sweeps: HashMap<Var, Operand>,
}

/// A loop inside a loop, which is called.
#[derive(Clone, Debug)]
pub(in super::super) struct InnerLoop {
    /// The function that runs it and returns, beside its result, the least memory that its reverse sweep needs.
    pub(in super::super) least: Symbol,
    pub(in super::super) ret: Ty,
    pub(in super::super) first_of_state: usize,
}

/// The bytes that the reverse sweep of a loop captures besides the arguments.
const CAPTURED: usize = 32;

/// The type of what a measuring run returns for a chunk that returns `ret`.
pub(super) fn measured_ty(ret: Ty) -> Ty {
    Ty::tuple([ret, Ty::usize(), Ty::usize(), Ty::usize(), Ty::usize()])
}

/// Builds the measuring run of a chunk whose state has this many variables.
pub(super) fn measured<'m>(
    augmented: AugmentedPrimal<'m>,
    helpers: &'m mut Helpers,
    name: Symbol,
    state: usize,
    loops: &'m HashMap<Symbol, InnerLoop>,
) -> Result<Func, Cause> {
    let shape = &augmented.primal.shape;
    let mut outermost = shape.loops.iter().filter(|(_, each)| each.parent.is_none());
    let header = outermost.find(|(_, each)| shape.returns[each.header.index()]).map(|(_, each)| each.header);
    let header = header.ok_or(Cause::NeverReturns)?;
    let mut builder = ForwardSweepBuilder::new(augmented, helpers, name);
    builder.params();
    let mut counters = Vec::new();
    for name in ["record", "most", "iterations", "snapshot", "stop", "inner"] {
        let counter = builder.build.declare_variable(Ty::usize(), Some(name));
        builder.build.write_variable(counter, 0_usize)?;
        counters.push(counter);
    }
    let [record, most, iterations, snapshot, stop, inner] = counters[..] else {
        unreachable!("there are six")
    };
    let sweeps = HashMap::new();
    builder.sizes = Some(Sizes { header, record, most, iterations, snapshot, stop, inner, loops, sweeps });
    for &block in shape.cfg.reverse_postorder() {
        builder.block(block)?;
        if block == header {
            builder.begin_iteration(state)?;
        }
        builder.finish_block(block)?;
        if block == shape.exit {
            builder.end_measured()?;
        }
    }
    Ok(builder.build.finish()?)
}

impl<'m> ForwardSweepBuilder<'m> {
    fn sizes(&mut self) -> &mut Sizes<'m> {
        self.sizes.as_mut().expect("the run measures")
    }

    fn begin_iteration(&mut self, state: usize) -> Result<(), Cause> {
        let sizes = self.sizes().clone();
        let params = self.primal.func().block(sizes.header).params[..state].to_vec();
        let mut size = Operand::from(0_usize);
        for var in params {
            let value = self.mapped(&var.into());
            let of_var = size_of(&mut self.build, value, self.primal.func().ty(var))?;
            size = sum(&mut self.build, size, of_var)?;
        }
        self.maximum(sizes.snapshot, size)?;
        let record = self.build.read_variable(sizes.record)?;
        self.maximum(sizes.most, record)?;
        self.build.write_variable(sizes.record, 0_usize)?;
        let iterations = self.build.read_variable(sizes.iterations)?;
        let iterations = sum(&mut self.build, iterations, 1_usize.into())?;
        Ok(self.build.write_variable(sizes.iterations, iterations)?)
    }

    fn maximum(&mut self, variable: Variable, value: Operand) -> Result<(), Cause> {
        let most = self.build.read_variable(variable)?;
        let more = self.build.op(&ops::LT, [most.clone(), value.clone()])?;
        let most = self.build.op(&ops::SELECT, [more.into(), value, most])?;
        Ok(self.build.write_variable(variable, most)?)
    }

    /// Counts a record in place of pushing it.
    pub(in super::super) fn measure(&mut self, block: Block, vars: &[Var]) -> Result<(), Cause> {
        // What is recorded behind the loop is recorded once for each chunk, which has at least one iteration.
        let in_loop = self.primal.shape.loops.innermost(block).is_some();
        let sizes = self.sizes().clone();
        let counter = if in_loop { sizes.record } else { sizes.most };
        let mut size = Operand::from(0_usize);
        for var in vars {
            let of_var = match sizes.sweeps.get(var) {
                Some(size) => size.clone(),
                None => {
                    let value = self.mapped(&(*var).into());
                    size_of(&mut self.build, value, self.primal.func().ty(*var))?
                }
            };
            size = sum(&mut self.build, size, of_var)?;
        }
        if block == sizes.header {
            self.maximum(sizes.stop, size.clone())?;
        }
        let before = self.build.read_variable(counter)?;
        let all = sum(&mut self.build, before, size)?;
        Ok(self.build.write_variable(counter, all)?)
    }

    /// Measures a loop inside, if the instruction calls one or takes its result apart.
    pub(in super::super) fn measure_inner(&mut self, inst: &Inst) -> Result<bool, Cause> {
        match &inst.kind {
            InstKind::Call { callee: Callee::Func(name), args } => {
                let Some(inner) = self.sizes().loops.get(name).cloned() else { return Ok(false) };
                let ret = Ty::tuple([inner.ret, Ty::usize()]);
                let mapped: Vec<Operand> = args.iter().map(|arg| self.mapped(arg)).collect();
                let mut size = Operand::from(CAPTURED);
                for (at, (arg, value)) in args.iter().zip(&mapped).enumerate().skip(2) {
                    // What is captured and later changed is copied; the invariants of the outer loop do not change.
                    let block = arg.var().map(|var| self.primal.block_of(var));
                    let changes = block.is_some_and(|of| self.primal.shape.loops.innermost(of).is_some());
                    if at < inner.first_of_state && !changes {
                        continue;
                    }
                    let of_arg = size_of(&mut self.build, value.clone(), self.primal.ty(arg))?;
                    size = sum(&mut self.build, size, of_arg)?;
                }
                let both = self.build.call(inner.least, mapped, ret)?;
                let least = self.build.op(&ops::FIELD, [Operand::from(both), 1_i64.into()])?;
                let most = self.sizes().inner;
                self.maximum(most, least.into())?;
                self.vars[inst.result.index()] = Some(both.into());
                self.sizes().sweeps.insert(inst.result, size);
                Ok(true)
            }
            InstKind::Op { op, args } if *op == &ops::FIELD && args[1] == Operand::from(1_i64) => {
                let size = args[0].var().and_then(|both| self.sizes().sweeps.get(&both).cloned());
                let Some(size) = size else { return Ok(false) };
                self.sizes().sweeps.insert(inst.result, size);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn end_measured(&mut self) -> Result<(), Cause> {
        let sizes = self.sizes().clone();
        let func = self.primal.func();
        let end = func.terminator(self.primal.shape.exit);
        let TerminatorKind::Ret(result) = &end.kind else { unreachable!("NORM1: the exit returns") };
        let record = self.build.read_variable(sizes.record)?;
        self.maximum(sizes.most, record)?;
        let (snapshot, stop) =
            (self.build.read_variable(sizes.snapshot)?, self.build.read_variable(sizes.stop)?);
        let snapshot = sum(&mut self.build, snapshot, stop)?;
        self.build.write_variable(sizes.snapshot, snapshot)?;
        let mut parts = vec![self.mapped(result)];
        for counter in [sizes.iterations, sizes.most, sizes.snapshot, sizes.inner] {
            parts.push(self.build.read_variable(counter)?);
        }
        let all = self.build.op(&ops::TUPLE, parts)?;
        self.build.set_ret(measured_ty(func.ret));
        Ok(self.build.ret(all)?)
    }
}

fn sum(build: &mut FuncBuilder, a: Operand, b: Operand) -> Result<Operand, Cause> {
    let zero = Operand::from(0_usize);
    if a == zero || b == zero {
        return Ok(if a == zero { b } else { a });
    }
    Ok(build.op(&ops::ADD_WRAPPING, [a, b])?.into())
}

/// Appends the size of a value in bytes, as the limit of the tape counts it.
pub(super) fn size_of(build: &mut FuncBuilder, value: Operand, ty: Ty) -> Result<Operand, Cause> {
    if let Some(bytes) = fixed_bytes(ty) {
        return Ok(bytes.into());
    }
    match ty.kind() {
        TyKind::Array(array) if array.rank == 1 && elem_bytes(array.elem).is_some() => {
            let len = build.op(&ops::LEN, [value])?;
            let bytes = elem_bytes(array.elem).unwrap_or_default();
            Ok(build.op(&ops::MUL_WRAPPING, [Operand::from(len), bytes.into()])?.into())
        }
        TyKind::Tuple(tys) => of_parts(build, &value, tys),
        TyKind::Struct(nominal) => match nominal.body() {
            Some(NominalBody::Struct(fields)) => {
                of_parts(build, &value, &fields.iter().map(|field| field.ty).collect::<Vec<_>>())
            }
            _ => Ok(build.op(&BYTES, [value])?.into()),
        },
        _ => Ok(build.op(&BYTES, [value])?.into()),
    }
}

fn of_parts(build: &mut FuncBuilder, value: &Operand, tys: &[Ty]) -> Result<Operand, Cause> {
    let mut size = Operand::from(0_usize);
    for (k, ty) in (0_i64..).zip(tys) {
        let of_part = match fixed_bytes(*ty) {
            Some(bytes) => bytes.into(),
            None => {
                let part = build.op(&ops::FIELD, [value.clone(), k.into()])?;
                size_of(build, part.into(), *ty)?
            }
        };
        size = sum(build, size, of_part)?;
    }
    Ok(size)
}

/// The size of the values of a type in bytes, if it is the same for all of them.
pub(in super::super) fn fixed_bytes(ty: Ty) -> Option<usize> {
    match ty.kind() {
        TyKind::Unit => Some(0),
        TyKind::Bool => Some(1),
        TyKind::Char => Some(4),
        TyKind::Float(_) => elem_bytes(ty),
        TyKind::Int(_) => Some(8),
        TyKind::Tuple(tys) => tys.iter().map(|ty| fixed_bytes(*ty)).sum(),
        TyKind::Struct(nominal) => match nominal.body() {
            Some(NominalBody::Struct(fields)) => fields.iter().map(|field| fixed_bytes(field.ty)).sum(),
            _ => None,
        },
        _ => None,
    }
}

/// The size of an element of an array of floats in bytes.
fn elem_bytes(ty: Ty) -> Option<usize> {
    if ty == Ty::f64() {
        return Some(8);
    }
    matches!(ty.kind(), TyKind::Float(_)).then_some(4)
}
