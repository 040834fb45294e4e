//! Outlining of a loop: its iterations become a function, the *chunk*, from a state of the loop to a later one.
//!
//! ```text
//!   br ^loop(x0)                         %y = call @chunk(MAX, 0, k, x0)
//! ^loop(x):                        =>    %z = field %y, 2
//!   .. k .. br_if c, ^loop(x2), ^out     br ^out
//! ^out: .. z ..                        ^out: .. z ..
//! ```
//!
//! - CHUNK1 it takes the number of iterations after which it stops, the memory left for the loops inside, the
//!   invariants, and the state: the parameters of the loop's header.
//! - CHUNK2 it returns the number of the exit, 0 if it stopped; the state, if it stopped; and what the code after the
//!   loop uses of it, if it did not. The other parts are placeholders.
//! - CHUNK3 a part that no derivative flows through in the function does not let one through the chunk either: the
//!   same variables are active in both.
//! - CHUNK4 a view that is read before the loop is read again in the chunk, and one that is read in the loop is read
//!   again behind it, so that its cotangent is accumulated at its place in the whole, as in the function itself.

use hashbrown::HashMap;
use overdub_context::Symbol;
use overdub_context::ir::{Block, Func, FuncBuilder, Inst, Operand, Target, Ty, Var};
use overdub_context::ops;

use super::super::default_value::{has_placeholder, placeholder};
use super::super::forward_sweep::span_of;
use super::super::primal::Primal;
use super::region::Region;
use crate::annotations::STOP;
use crate::cotangent::cotangent;
use crate::normalize_cfg::{Edge, NormalizedCfg};
use crate::refusal::Cause;

/// The function of a loop's iterations.
#[derive(Debug)]
pub(in super::super) struct Chunk {
    pub(in super::super) func: Func,
    /// The number of invariants.
    pub(in super::super) invariants: usize,
    /// The number of variables of the state.
    pub(in super::super) state: usize,
    /// Which of its parameters are active.
    pub(in super::super) wrt: Vec<bool>,
}

impl Chunk {
    /// The number of the first parameter of the state (CHUNK1).
    pub(in super::super) fn first_of_state(&self) -> usize {
        2 + self.invariants
    }
}

/// A function under construction from the blocks of a loop.
struct ChunkBuilder<'c> {
    shape: &'c NormalizedCfg,
    primal: &'c Primal,
    region: &'c Region,
    build: FuncBuilder,
    vars: HashMap<Var, Operand>,
    blocks: HashMap<Block, Block>,
    left: Operand,
}

/// Whether the parts that a chunk returns have placeholders.
pub(super) fn is_supported(shape: &NormalizedCfg, primal: &Primal, region: &Region) -> bool {
    let header = &shape.func.block(region.header).params;
    let returned = region.returned(shape, primal).into_iter().flatten();
    header.iter().copied().chain(returned).all(|var| has_placeholder(shape.func.ty(var)))
}

/// Builds the chunk of a loop.
pub(super) fn chunk(
    shape: &NormalizedCfg,
    primal: &Primal,
    region: &Region,
    name: Symbol,
) -> Result<Chunk, Cause> {
    let func = &shape.func;
    let mut build = FuncBuilder::new(name, Ty::unit());
    build.set_func_span(span_of(func, region.header));
    let count = build.param("left", Ty::usize());
    build.param("memory", Ty::usize());
    let mut builder = ChunkBuilder {
        shape,
        primal,
        region,
        build,
        vars: HashMap::new(),
        blocks: HashMap::new(),
        left: count.into(),
    };
    let mut wrt = vec![false, false];
    for var in &region.invariants {
        let param = builder.build.param(&func.var_label(*var).to_string(), func.ty(*var));
        builder.vars.insert(*var, param.into());
        wrt.push(primal.is_active(*var));
    }
    let state = func.block(region.header).params.clone();
    let mut first = Vec::new();
    for var in &state {
        first.push(builder.build.param(&func.var_label(*var).to_string(), func.ty(*var)).into());
        wrt.push(primal.is_active(*var));
    }
    builder.all(&state, first)?;
    let func = builder.build.finish()?;
    Ok(Chunk { func, invariants: region.invariants.len(), state: state.len(), wrt })
}

impl ChunkBuilder<'_> {
    fn all(&mut self, state: &[Var], mut first: Vec<Operand>) -> Result<(), Cause> {
        let (func, region) = (&self.shape.func, self.region);
        for inst in region.views(self.shape) {
            self.inst(inst)?;
        }
        let head = self.build.new_block();
        for var in state {
            let param = self.build.block_param(head, func.ty(*var));
            self.name(*var, param);
            self.vars.insert(*var, param.into());
        }
        let count = std::mem::replace(&mut self.left, self.build.block_param(head, Ty::usize()).into());
        first.push(count);
        self.build.br(head, first)?;
        self.blocks.insert(region.header, head);
        let order = self.shape.cfg.reverse_postorder();
        let blocks: Vec<Block> =
            order.iter().copied().filter(|block| region.blocks.contains(block)).collect();
        for block in blocks.iter().filter(|block| **block != region.header) {
            let new = self.build.new_block();
            self.blocks.insert(*block, new);
            for var in &func.block(*block).params {
                let param = self.build.block_param(new, func.ty(*var));
                self.name(*var, param);
                self.vars.insert(*var, param.into());
            }
        }
        let (stop, body) = (self.build.new_block(), self.build.new_block());
        self.build.switch_to(head)?;
        self.build.set_span(span_of(func, region.header));
        let stops = self.build.op(&ops::EQ, [self.left.clone(), 0_usize.into()])?;
        self.build.br_if(stops, stop.into(), body.into())?;
        let mut exits = Vec::new();
        for block in blocks {
            self.build.switch_to(if block == region.header { body } else { self.blocks[&block] })?;
            for inst in &func.block(block).insts {
                self.inst(inst)?;
            }
            self.terminate(block, &mut exits)?;
        }
        self.build.switch_to(stop)?;
        self.end(0, state)?;
        for (block, number) in exits {
            self.build.switch_to(block)?;
            self.end(number, state)?;
        }
        Ok(())
    }

    fn name(&mut self, var: Var, new: Var) {
        if let Some(name) = self.shape.func.vars[var.index()].name {
            self.build.name_var(new, &name);
        }
    }

    fn inst(&mut self, inst: &Inst) -> Result<(), Cause> {
        self.build.set_span(inst.span);
        let mut kind = inst.kind.clone();
        kind.operands_mut().for_each(|operand| *operand = self.mapped(operand));
        let result = self.build.inst(kind, self.shape.func.ty(inst.result))?;
        self.name(inst.result, result);
        self.vars.insert(inst.result, result.into());
        Ok(())
    }

    fn mapped(&self, operand: &Operand) -> Operand {
        match operand.var() {
            Some(var) => self.vars[&var].clone(),
            None => operand.clone(),
        }
    }

    /// Copies a terminator: the back edge counts, and an edge out of the loop leads to a new block.
    fn terminate(&mut self, block: Block, exits: &mut Vec<(Block, usize)>) -> Result<(), Cause> {
        let end = self.shape.func.terminator(block);
        self.build.set_span(end.span);
        let mut kind = end.kind.clone();
        if let Some(operand) = kind.operand_mut() {
            *operand = self.mapped(operand);
        }
        for (at, target) in kind.targets_mut().enumerate() {
            let exit = self.region.exits.iter().position(|exit| *exit == Edge { from: block, at });
            if let Some(number) = exit {
                let new = self.build.new_block();
                exits.push((new, number + 1));
                *target = new.into();
                continue;
            }
            let mut args: Vec<Operand> = target.args.iter().map(|arg| self.mapped(arg)).collect();
            if target.block == self.region.header {
                args.push(self.build.op(&ops::SUB_WRAPPING, [self.left.clone(), 1_usize.into()])?.into());
            }
            *target = Target { block: self.blocks[&target.block], args };
        }
        Ok(self.build.terminate(kind)?)
    }

    /// Returns from the exit with this number, or as stopped (CHUNK2).
    fn end(&mut self, number: usize, state: &[Var]) -> Result<(), Cause> {
        let shape = self.shape;
        let mut parts = vec![Operand::from(number)];
        for var in state {
            parts.push(self.part(*var, number == 0)?);
        }
        let is_defined = |var: Var, exit: usize| {
            shape.dominators.dominates(self.primal.block_of(var), self.region.exits[exit].from)
        };
        for (exit, vars) in self.region.returned(shape, self.primal).into_iter().enumerate() {
            for var in vars {
                // The first are those that are used behind any exit.
                let is_here = match exit {
                    0 => number > 0 && is_defined(var, number - 1),
                    _ => number == exit,
                };
                parts.push(self.part(var, is_here)?);
            }
        }
        let result = self.build.op(&ops::TUPLE, parts)?;
        let ty = self.build.ty(&result.into())?;
        self.build.set_ret(ty);
        Ok(self.build.ret(result)?)
    }

    /// A returned part: the variable, if it is defined here, or a placeholder.
    fn part(&mut self, var: Var, is_here: bool) -> Result<Operand, Cause> {
        let ty = self.shape.func.ty(var);
        if !is_here {
            return placeholder(&mut self.build, ty);
        }
        let value = self.mapped(&var.into());
        if hides_derivatives(self.primal, ty, var) {
            return Ok(self.build.op(&STOP, [value])?.into());
        }
        Ok(value)
    }
}

/// Whether derivatives could flow through a variable by its type, and do not (CHUNK3).
pub(super) fn hides_derivatives(primal: &Primal, ty: Ty, var: Var) -> bool {
    cotangent(ty).map_or(true, |dty| dty != Ty::unit()) && !primal.is_active(var)
}
