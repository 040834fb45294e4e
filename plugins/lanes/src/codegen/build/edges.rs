//! The ends of blocks: masks of branches, and moves.

use super::super::inst::{Inst, Kind, Leave, Mask, Word};
use super::Builder;
use super::values::touch;
use crate::program::{Access, Edge, Exit, Step};

impl Builder<'_> {
    pub(super) fn exit(&mut self, exit: &Exit, lanes: Mask) {
        match exit {
            Exit::Branch(edge) => self.follow(vec![(edge, lanes)], lanes),
            Exit::If(on, then, otherwise) => {
                let (some, others) = (self.lanes_of(then), self.lanes_of(otherwise));
                if !self.compared(*on, some, lanes) {
                    let on = self.mask(*on);
                    self.put(Inst::Both { to: some, a: lanes, b: on });
                }
                self.put(Inst::Without { to: others, a: lanes, b: some });
                self.follow(vec![(then, some), (otherwise, others)], lanes);
            }
            Exit::Switch(on, cases, otherwise) => {
                let left = self.fresh();
                self.put(Inst::Copy { to: left, from: lanes });
                let mut all = Vec::new();
                for (is, edge) in cases {
                    let to = self.lanes_of(edge);
                    let word = self.word(*on, Access::Read);
                    self.touch_mask(left);
                    self.touch_mask(to);
                    self.region.insts.push(Inst::Case { to, lanes: left, word, is: *is });
                    self.put(Inst::Without { to: left, a: left, b: to });
                    all.push((edge, to));
                }
                match otherwise {
                    Some(edge) => {
                        let to = self.lanes_of(edge);
                        self.put(Inst::Copy { to, from: left });
                        all.push((edge, to));
                    }
                    None => self.put(Inst::Fail(left)),
                }
                self.follow(all, lanes);
            }
            Exit::Fail => self.put(Inst::Fail(lanes)),
            Exit::Return(_) => {}
        }
    }

    /// Computes the mask of a branch by the comparison before it, if that is the last step and only for the branch.
    pub(super) fn compared(&mut self, on: u32, to: Mask, lanes: Mask) -> bool {
        let Some(Inst::Step(Step::Compare(relation, of, d, a, b), here)) = self.region.insts.last().cloned()
        else {
            return false;
        };
        let condition = &self.region.masks[d as usize];
        let is_alone = self.usage.masks[on as usize].reads.len() == 1;
        if here != lanes || self.masks.get(&on) != Some(&d) || condition.kind != Kind::Temporary || !is_alone
        {
            return false;
        }
        self.region.insts.pop();
        self.touch_mask(to);
        self.region.insts.push(Inst::Where { to, lanes, relation, of, a, b });
        true
    }

    /// Lets a step write what a branch would move, if nothing else reads what it wrote, and nothing after it what it writes then.
    pub(super) fn coalesces(
        &mut self,
        edge: &Edge,
        (register, to, from): (u32, Word, Word),
        lanes: Mask,
    ) -> bool {
        let value = &self.region.words[from as usize];
        let reads = |of: Option<u32>| edge.words.iter().filter(|(_, from)| Some(*from) == of).count();
        // Written, read before by nobody, and read now.
        let is_alone = value.uses == 2 && reads(value.home) == 1;
        if value.kind != Kind::Temporary || !is_alone || reads(Some(register)) > 0 {
            return false;
        }
        let written = value.first;
        let is_mentioned = |inst: &Inst| match inst {
            Inst::Step(step, _) => {
                let mut is_mentioned = false;
                step.clone().words(&mut |word, _| is_mentioned |= *word == to);
                is_mentioned
            }
            Inst::Move { to: moved, from, .. } => *moved == to || *from == to,
            Inst::Where { a, b, .. } => *a == to || *b == to,
            Inst::Case { word, .. } => *word == to,
            Inst::Leave(leave) => leave.words.iter().any(|(moved, from)| *moved == to || *from == to),
            Inst::Skip { .. } | Inst::End { .. } => true,
            _ => false,
        };
        if self.region.insts[written + 1..].iter().any(is_mentioned) {
            return false;
        }
        let Inst::Step(step, of) = &mut self.region.insts[written] else { return false };
        if *of != lanes {
            return false;
        }
        step.words(&mut |word, access| {
            if access == Access::Write && *word == from {
                *word = to;
            }
        });
        let end = self.region.insts.len();
        for at in [written, end] {
            touch(&mut self.region.words[to as usize], at);
        }
        self.region.words[from as usize].last = written;
        true
    }

    /// The mask of the block that an edge goes to, if it is written there alone.
    pub(super) fn target(&self, edge: &Edge) -> Option<Mask> {
        if !self.stays(edge) {
            return None;
        }
        if edge.to == self.region.header { self.region.next } else { self.lanes.get(&edge.to).copied() }
    }

    /// The mask for the lanes of an edge.
    pub(super) fn lanes_of(&mut self, edge: &Edge) -> Mask {
        match self.target(edge) {
            Some(mask) if !self.accumulated.contains(&mask) => mask,
            _ => self.fresh(),
        }
    }

    /// Moves lanes along edges. The masks are computed before any of them is moved, since a move may change the condition; what
    /// leaves goes first, with the values that it has.
    pub(super) fn follow(&mut self, all: Vec<(&Edge, Mask)>, lanes: Mask) {
        let (staying, leaving): (Vec<_>, Vec<_>) = all.into_iter().partition(|(edge, _)| self.stays(edge));
        leaving.into_iter().for_each(|(edge, lanes)| self.leave(edge, lanes));
        if let ([(_, only)], true) = (&staying[..], self.region.staying.contains(&lanes)) {
            self.region.staying.push(*only);
        }
        for (edge, lanes) in staying {
            for (register, from) in &edge.words {
                let from = self.word(*from, Access::Read);
                let to = self.word(*register, Access::Write);
                if self.coalesces(edge, (*register, to, from), lanes) {
                    continue;
                }
                self.touch_mask(lanes);
                self.region.insts.push(Inst::Move { to, from, lanes });
            }
            for (to, from) in &edge.masks {
                let (from, to) = (self.mask(*from), self.mask(*to));
                self.touch_mask(lanes);
                self.region.insts.push(Inst::MoveMask { to, from, lanes });
            }
            match self.target(edge) {
                Some(to) if self.accumulated.contains(&to) => self.put(Inst::Either { to, a: to, b: lanes }),
                // The only lanes of the next iteration.
                Some(to) if Some(to) == self.region.next => self.region.next = Some(lanes),
                Some(to) if to != lanes => self.put(Inst::Copy { to, from: lanes }),
                _ => {}
            }
        }
    }

    pub(super) fn leave(&mut self, edge: &Edge, lanes: Mask) {
        let mut leave = Leave { lanes, to: edge.to, words: Vec::new(), masks: Vec::new() };
        for (to, from) in &edge.words {
            let from = self.word(*from, Access::Read);
            leave.words.push((self.word(*to, Access::Write), from));
        }
        for (to, from) in &edge.masks {
            let (from, to) = (self.mask(*from), self.mask(*to));
            leave.masks.push((to, from));
        }
        self.touch_mask(lanes);
        self.region.insts.push(Inst::Leave(leave));
        if !self.region.exits.contains(&edge.to) {
            self.region.exits.push(edge.to);
        }
    }
}
