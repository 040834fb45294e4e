//! Regions from parts of a program.

mod edges;
mod values;

use hashbrown::HashMap;

use super::inst::{Inst, Kind, Mask, Region, Virtual, Word};
use super::parts::{Part, edges};
use super::usage::Usage;
use crate::program::{Access, Program};

/// From how many steps on a block of a loop is skipped if no lane is at it.
const SKIPPED: usize = 6;

/// A region of the blocks of a loop, or of some steps of one block.
pub(super) fn region(program: &Program, usage: &Usage, parts: &[Part], is_loop: bool) -> Region {
    let none = Virtual {
        home: None,
        kind: Kind::Merged,
        is_flushed: false,
        is_read_outside: false,
        uses: 1,
        first: 0,
        last: 0,
    };
    let header = parts[0].block as u32;
    let region = Region {
        words: vec![],
        masks: vec![none],
        insts: vec![],
        live: 0,
        next: None,
        staying: vec![0],
        header,
        exits: vec![],
    };
    let mut builder = Builder {
        program,
        usage,
        parts,
        is_loop,
        region,
        shared: HashMap::new(),
        locals: HashMap::new(),
        masks: HashMap::new(),
        lanes: HashMap::new(),
        accumulated: Vec::new(),
    };
    builder.lanes.insert(header, 0);
    if is_loop {
        builder.begin_iteration();
    }
    for part in parts {
        builder.part(part);
    }
    builder.finish()
}

struct Builder<'p> {
    program: &'p Program,
    usage: &'p Usage,
    parts: &'p [Part],
    is_loop: bool,
    region: Region,
    shared: HashMap<u32, Word>,
    /// The values that are in registers which live within a block.
    locals: HashMap<u32, Word>,
    masks: HashMap<u32, Mask>,
    /// The masks of blocks.
    lanes: HashMap<u32, Mask>,
    /// Those to which several branches add lanes.
    accumulated: Vec<Mask>,
}

impl Builder<'_> {
    /// Puts an instruction that only mentions masks of blocks and conditions.
    fn put(&mut self, inst: Inst) {
        match inst {
            Inst::Clear(mask) | Inst::Fail(mask) | Inst::Skip { unless: mask, .. } => {
                self.touch_mask(mask);
            }
            Inst::Copy { to, from } => {
                self.touch_mask(to);
                self.touch_mask(from);
            }
            Inst::Both { to, a, b } | Inst::Without { to, a, b } | Inst::Either { to, a, b } => {
                [to, a, b].into_iter().for_each(|mask| {
                    self.touch_mask(mask);
                });
            }
            _ => {}
        }
        self.region.insts.push(inst);
    }

    /// The masks of the blocks of a loop; those that several branches add to are empty at first, and those that a skipped
    /// block would have written.
    fn begin_iteration(&mut self) {
        let header = self.region.header;
        for to in self.parts {
            let to = to.block as u32;
            let mut ways = 0;
            for from in self.parts {
                let exit = &self.program.blocks[from.block].exit;
                let count = edges(exit).iter().filter(|edge| edge.to == to).count();
                ways += if self.is_skipped(from.block) { 2 * count } else { count };
            }
            let lanes = self.fresh();
            if to == header {
                self.region.next = Some(lanes);
            } else {
                self.lanes.insert(to, lanes);
            }
            if ways > 1 {
                self.accumulated.push(lanes);
                self.put(Inst::Clear(lanes));
            }
        }
    }

    /// Whether a block is skipped if no lane is at it: one of some length, which lanes that stay in the loop may go around.
    fn is_skipped(&self, block: usize) -> bool {
        self.is_loop && self.program.blocks[block].steps.len() >= SKIPPED && !self.is_on_all_ways(block)
    }

    /// Whether all lanes that stay in the loop come to a block: it dominates the ends of iterations.
    fn is_on_all_ways(&self, block: usize) -> bool {
        let header = self.region.header as usize;
        if block == header {
            return true;
        }
        let (mut seen, mut waiting) = (vec![block], vec![header]);
        while let Some(from) = waiting.pop() {
            if seen.contains(&from) {
                continue;
            }
            seen.push(from);
            for edge in edges(&self.program.blocks[from].exit).into_iter().filter(|edge| self.stays(edge)) {
                if edge.to as usize == header {
                    return false;
                }
                waiting.push(edge.to as usize);
            }
        }
        true
    }

    fn part(&mut self, part: &Part) {
        let block = &self.program.blocks[part.block];
        let lanes = self.lanes[&(part.block as u32)];
        let is_skipped = self.is_skipped(part.block);
        if self.is_loop && self.is_on_all_ways(part.block) {
            self.region.staying.push(lanes);
        }
        self.locals.clear();
        if is_skipped {
            self.put(Inst::Skip { unless: lanes, block: part.block });
        }
        for planned in &block.steps[part.steps.clone()] {
            let mut step = planned.step.clone();
            step.words(&mut |word, access| *word = self.word(*word, access));
            step.masks(&mut |mask, _| *mask = self.mask(*mask));
            self.touch_mask(lanes);
            self.region.insts.push(Inst::Step(step, lanes));
        }
        if part.has_exit {
            self.exit(&block.exit, lanes);
        } else {
            self.flush(part);
        }
        if is_skipped {
            self.put(Inst::End { block: part.block });
        }
    }

    /// Marks the values of this part that the rest of its block reads.
    fn flush(&mut self, part: &Part) {
        let block = &self.program.blocks[part.block];
        let mut first: HashMap<u32, Access> = HashMap::new();
        let mut note = |word: &mut u32, access: Access| {
            first.entry(*word).or_insert(access);
        };
        for planned in &block.steps[part.steps.end..] {
            planned.step.clone().words(&mut note);
        }
        block.exit.clone().words(&mut note);
        for (register, word) in &self.locals {
            let word = &mut self.region.words[*word as usize];
            word.is_flushed = word.kind == Kind::Temporary && first.get(register) == Some(&Access::Read);
        }
    }

    fn finish(mut self) -> Region {
        let end = self.region.insts.len();
        let is_loop = self.is_loop;
        if let Some(next) = self.region.next {
            self.touch_mask(next);
        }
        self.touch_mask(self.region.live);
        for value in self.region.words.iter_mut().chain(&mut self.region.masks) {
            if is_loop && matches!(value.kind, Kind::State | Kind::Invariant) {
                (value.first, value.last) = (0, end);
            }
        }
        self.region
    }
}
