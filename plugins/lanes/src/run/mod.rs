//! The scheduler of lanes, and the interpreter of their steps.

mod arrays;
mod code;
mod order;
mod output;
mod refill;
mod rows;
mod stacks;
mod step;

use overdub_context::value::{Array, Value};
use overdub_passes::InstructionSet;

use self::arrays::OwnArray;
use self::output::Output;
use self::stacks::Stack;
use crate::codegen::{Frame, Machine};
use crate::eval::Registers;
use crate::isa::execute;
use crate::kernels::{self, LANES, Lane};
use crate::program::{Edge, Exit, Origin, Place, Program};
use crate::words::{decompose, words_of_parts};

/// An argument of a run.
#[derive(Clone, Debug)]
pub enum Argument<'a> {
    /// A value for each element.
    Each(Array<'a>),
    /// What all elements share.
    Shared(Value<'a>),
}

/// The part of the lanes, in eighths, that are free before they take the next elements: the first blocks of the function then
/// run for them alone.
const REFILL: u32 = 1;

/// The number of blocks between two questions whether the run is interrupted. Then another block than the first also runs once:
/// a lane whose loop never ends does not keep the failure of another from being found.
const PERIOD: u32 = 1024;

/// What runs a program for some elements.
pub(crate) struct Run<'r, 'a> {
    program: &'r Program,
    registers: Registers<'a>,
    stacks: Vec<Stack>,
    /// The arrays that each lane has for itself, by their numbers (LOCAL1), and the lengths of others.
    own: Vec<OwnArray>,
    /// For each block, the lanes that wait for it.
    waiting: Vec<u64>,
    /// One bit for each block for which lanes wait.
    ready: Vec<u64>,
    /// The element in each lane.
    element: [usize; LANES],
    /// The lanes without an element.
    free: u64,
    /// The number of free lanes from which on they take the next elements.
    refill: u32,
    next: usize,
    len: usize,
    /// The elements in the order in which they are taken, if it is another one (ORDER1).
    order: Option<Vec<u32>>,
    inputs: Vec<(Place, Vec<u64>)>,
    /// The arrays that are arguments of the elements, by the numbers of those that lanes have for themselves.
    lists: Vec<(u32, Array<'a>)>,
    outputs: Vec<Output>,
    /// The mask of a block, or of a branch, if it is not that of all lanes.
    spread: Box<Lane>,
    /// Whether a stack has grown since the run was asked whether it goes on.
    has_grown: bool,
    /// Machine code, and its frame.
    code: Option<(&'r Machine, Frame)>,
}

/// An element failed, or the run was interrupted.
pub(crate) struct Stopped;

/// The results for all elements.
pub(crate) fn run(
    (program, machine, set): (&Program, Option<&Machine>, InstructionSet),
    args: &[Argument<'_>],
    (len, width): (usize, usize),
    is_interrupted: &mut dyn FnMut(usize) -> bool,
) -> Option<Vec<Array<'static>>> {
    let mut run = Run::new(program, args, len)?;
    let arrays = run.addresses();
    run.code = machine.map(|machine| (machine, machine.frame(&arrays)));
    run.free = u64::MAX >> (LANES - width);
    run.refill = (REFILL * run.free.count_ones() / 8).max(1);
    execute(&mut run, set, is_interrupted).ok()?;
    let outputs = std::mem::take(&mut run.outputs).into_iter().zip(&program.returns);
    outputs.map(|(output, leaf)| output.list(leaf)).collect()
}

impl<'r, 'a> Run<'r, 'a> {
    fn new(program: &'r Program, args: &[Argument<'a>], len: usize) -> Option<Run<'r, 'a>> {
        if args.len() != program.params.len() {
            return None;
        }
        let mut words = vec![Lane::of(0); program.words];
        let mut masks = vec![0; program.masks];
        for (word, bits) in &program.constants {
            words[*word as usize] = Lane::of(*bits);
        }
        for (mask, bits) in &program.constant_masks {
            masks[*mask as usize] = *bits;
        }
        let (mut inputs, mut lists) = (Vec::new(), Vec::new());
        for (arg, (ty, places, is_mapped)) in args.iter().zip(&program.params) {
            match (arg, is_mapped, &places[..]) {
                (Argument::Each(list), true, [Place::Array(array)])
                    if list.elem_ty() == *ty && list.len() == len =>
                {
                    lists.push((*array, list.clone()));
                }
                (Argument::Each(list), true, _) if list.elem_ty() == *ty && list.len() == len => {
                    inputs.extend(places.iter().copied().zip(words_of_parts(list, places.len())?));
                }
                (Argument::Shared(value), false, [Place::Array(_)]) if value.ty() == *ty => {}
                (Argument::Shared(value), false, _) if value.ty() == *ty => {
                    decompose(*ty, value, 0, &mut |at, word| match places[at] {
                        Place::Word(number) => words[number as usize] = Lane::of(word),
                        Place::Mask(number) => masks[number as usize] = word.wrapping_neg(),
                        Place::Array(_) | Place::Stack(_) => {}
                    })?;
                }
                _ => return None,
            }
        }
        let array = |array: &Origin| match array {
            Origin::Const(value) => Some(value.clone()),
            // It is in `own`.
            Origin::Own(_) => Some(Value::Unit),
            Origin::Param(at) => match args.get(*at)? {
                Argument::Shared(value) => Some(value.clone()),
                Argument::Each(_) => None,
            },
        };
        let arrays = program.arrays.iter().map(array).collect::<Option<Vec<_>>>()?;
        let own = arrays.iter().map(|array| array.as_array().map_or_else(OwnArray::new, OwnArray::shared));
        let own = own.collect();
        Some(Run {
            program,
            registers: Registers { words, masks, arrays },
            stacks: vec![Stack::new(); program.stacks],
            own,
            waiting: vec![0; program.blocks.len()],
            ready: vec![0; program.blocks.len().div_ceil(64)],
            element: [0; LANES],
            free: u64::MAX,
            refill: 1,
            next: 0,
            len,
            order: order::order(program, &inputs, &lists, len),
            inputs,
            lists,
            outputs: program.returns.iter().map(|leaf| Output::of(leaf, len)).collect(),
            spread: Box::new(Lane::of(0)),
            has_grown: false,
            code: None,
        })
    }

    /// Runs all elements, by the instructions for which the caller is compiled.
    #[inline(always)]
    pub(crate) fn execute(&mut self, is_interrupted: &mut dyn FnMut(usize) -> bool) -> Result<(), Stopped> {
        let program = self.program;
        self.uniform()?;
        let (mut count, mut periods) = (0, 0);
        loop {
            if self.next < self.len && self.free.count_ones() >= self.refill {
                self.refill()?;
            }
            // LANES2
            let in_turn = if count == 0 && periods > 0 { self.in_turn(periods) } else { None };
            let Some(block) = in_turn.or_else(|| self.choose()) else {
                if self.next >= self.len {
                    return Ok(());
                }
                self.refill()?;
                continue;
            };
            let mask = std::mem::take(&mut self.waiting[block]);
            self.ready[block / 64] &= !(1 << (block % 64));
            if self.code.is_some() {
                self.by_code(block, mask)?;
            } else {
                let body = &program.blocks[block];
                if body.is_masked && mask != u64::MAX {
                    kernels::spread(mask, &mut self.spread);
                }
                for planned in &body.steps {
                    self.step(planned, mask)?;
                }
                self.exit(&body.exit, mask)?;
            }
            count += 1;
            if count == PERIOD || std::mem::take(&mut self.has_grown) {
                if count == PERIOD {
                    (count, periods) = (0, periods + 1);
                }
                let own: usize = self.own.iter().map(OwnArray::bytes).sum();
                if is_interrupted(own + self.stacks.iter().map(Stack::bytes).sum::<usize>()) {
                    return Err(Stopped);
                }
            }
        }
    }

    /// Runs the steps whose results all elements share (UNIFORM1).
    #[inline(never)]
    fn uniform(&mut self) -> Result<(), Stopped> {
        let program = self.program;
        program.uniform.iter().try_for_each(|planned| self.step(planned, u64::MAX))
    }

    /// The block that runs next: the first one for which lanes wait, unless many have left the loop that it is in.
    #[inline(always)]
    fn choose(&self) -> Option<usize> {
        let mut first = None;
        for (at, ready) in self.ready.iter().enumerate() {
            let mut left = *ready;
            while left != 0 {
                let block = at * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                let depth = self.program.blocks[block].depth;
                match first {
                    None => first = Some((block, depth)),
                    Some((_, deeper))
                        if depth < deeper && self.waiting[block].count_ones() >= self.refill =>
                    {
                        return Some(block);
                    }
                    Some(_) => {}
                }
            }
        }
        first.map(|(block, _)| block)
    }

    /// One of the blocks for which lanes wait, another one for each turn.
    fn in_turn(&self, turn: usize) -> Option<usize> {
        let ready = || (0..self.waiting.len()).filter(|block| self.waiting[*block] != 0);
        ready().nth(turn % ready().count().max(1))
    }

    #[inline(always)]
    fn wait(&mut self, block: usize, lanes: u64) {
        self.waiting[block] |= lanes;
        if self.waiting[block] != 0 {
            self.ready[block / 64] |= 1 << (block % 64);
        }
    }

    #[inline(always)]
    fn write_mask(&mut self, d: u32, mask: u64, bits: u64) {
        let register = &mut self.registers.masks[d as usize];
        *register = *register & !mask | bits & mask;
    }

    #[inline(always)]
    fn exit(&mut self, exit: &Exit, mask: u64) -> Result<(), Stopped> {
        match exit {
            Exit::Branch(edge) => self.follow(edge, mask)?,
            Exit::If(on, then, otherwise) => {
                let on = self.registers.masks[*on as usize];
                self.follow(then, mask & on)?;
                self.follow(otherwise, mask & !on)?;
            }
            Exit::Switch(on, cases, otherwise) => {
                let mut left = mask;
                for (word, edge) in cases {
                    let here = left & kernels::equal_to(&self.registers.words[*on as usize], *word);
                    left &= !here;
                    self.follow(edge, here)?;
                }
                match otherwise {
                    Some(edge) => self.follow(edge, left)?,
                    None => fails(left)?,
                }
            }
            Exit::Return(places) => {
                for (number, place) in places.iter().enumerate() {
                    self.put(number, *place, mask)?;
                }
                self.free |= mask;
            }
            Exit::Fail => fails(mask)?,
        }
        Ok(())
    }

    /// Moves lanes to another block.
    #[inline(always)]
    fn follow(&mut self, edge: &Edge, mask: u64) -> Result<(), Stopped> {
        if mask == 0 {
            return Ok(());
        }
        if mask != u64::MAX && !edge.words.is_empty() {
            kernels::spread(mask, &mut self.spread);
        }
        let partly = (mask != u64::MAX).then_some(&*self.spread);
        for (to, from) in &edge.words {
            let (d, a) = step::pair(&mut self.registers.words, *to, *from)?;
            kernels::copy(d, a, partly);
        }
        for (to, from) in &edge.masks {
            let bits = self.registers.masks[*from as usize];
            self.write_mask(*to, mask, bits);
        }
        self.wait(edge.to as usize, mask);
        Ok(())
    }
}

/// Fails if any lane does (LANES4).
#[inline(always)]
fn fails(lanes: u64) -> Result<(), Stopped> {
    if lanes == 0 { Ok(()) } else { Err(Stopped) }
}
