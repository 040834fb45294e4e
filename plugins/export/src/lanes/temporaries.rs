//! Which locals need a place for each lane: those that more than one loop over the lanes mentions.

use hashbrown::{HashMap, HashSet};

use super::{Form, Lane, LaneFunction, LaneParam, Step};
use crate::ast::{Expr, Local};

/// What mentions a local.
#[derive(Default)]
struct Mentions {
    /// Loops over the lanes, and statements outside of them.
    places: HashSet<usize>,
    /// How often it gets a value there for all lanes, and otherwise, and how often it is read.
    sets: usize,
    others: usize,
    reads: usize,
}

/// Makes temporaries of the locals that one loop over the lanes sets and reads.
pub(super) fn make_temporaries(function: &mut LaneFunction) {
    let mut found = Found::default();
    found.function(function);
    for (local, mentions) in &found.mentions {
        if mentions.places.len() == 1 && mentions.sets == 1 && mentions.others == 0 {
            function.arrays.remove(local);
        }
    }
}

/// Removes values that nothing reads.
pub(super) fn remove_unread(function: &mut LaneFunction) {
    loop {
        let mut found = Found::default();
        found.function(function);
        let is_unread = |local: &Local| {
            found.mentions.get(local).is_some_and(|mentions| mentions.reads == 0 && mentions.others == 0)
        };
        let mut removed = false;
        let mut in_lanes = |lanes: &mut Vec<Lane>| {
            let before = lanes.len();
            lanes.retain(|lane| {
                !matches!(lane, Lane::Set { local, .. } | Lane::Read { local, .. } | Lane::Record { local, .. } if is_unread(local))
            });
            removed |= lanes.len() < before;
        };
        match &mut function.form {
            Form::Chunks(steps) => each_group(steps, &mut in_lanes),
            Form::Refilled(of) => {
                let all = [&mut of.before, &mut of.looped, &mut of.after];
                all.into_iter().for_each(|steps| each_group(steps, &mut in_lanes));
            }
        }
        if !removed {
            return;
        }
    }
}

/// Calls `visit` with the statements of each loop over the lanes, and removes the loops that have none.
fn each_group(steps: &mut Vec<Step>, visit: &mut dyn FnMut(&mut Vec<Lane>)) {
    for step in steps.iter_mut() {
        match step {
            Step::Lanes(lanes) => visit(lanes),
            Step::IfAny { body, .. }
            | Step::Loop(body)
            | Step::While { body, .. }
            | Step::For { body, .. } => {
                each_group(body, visit);
            }
            Step::If { then, otherwise, .. } => {
                each_group(then, visit);
                each_group(otherwise, visit);
            }
            _ => {}
        }
    }
    steps.retain(|step| !matches!(step, Step::Lanes(lanes) if lanes.is_empty()));
}

/// The locals that statements mention.
pub(super) fn used(function: &LaneFunction) -> HashSet<Local> {
    let mut found = Found::default();
    found.function(function);
    found.mentions.retain(|_, mentions| !mentions.places.is_empty());
    found.mentions.into_keys().collect()
}

#[derive(Default)]
struct Found {
    mentions: HashMap<Local, Mentions>,
    place: usize,
}

impl Found {
    fn function(&mut self, function: &LaneFunction) {
        // What the frame of the function reads and writes.
        for param in &function.params {
            if let LaneParam::Each(each) = param {
                self.frame(each.lanes);
            }
        }
        function.results.iter().for_each(|result| self.frame(result.lanes));
        match &function.form {
            Form::Chunks(steps) => self.steps(steps),
            Form::Refilled(of) => {
                [Some(of.starts), Some(of.runs), Some(of.ends), of.lives]
                    .into_iter()
                    .flatten()
                    .for_each(|mask| self.frame(mask));
                [&of.before, &of.looped, &of.after].into_iter().for_each(|steps| self.steps(steps));
            }
        }
    }

    fn frame(&mut self, local: Local) {
        self.mentions.entry(local).or_default().others += 1;
    }

    fn read(&mut self, expr: &Expr) {
        let place = self.place;
        expr.for_each_local(&mut |local, _| {
            let mentions = self.mentions.entry(local).or_default();
            mentions.places.insert(place);
            mentions.reads += 1;
        });
    }

    fn changed(&mut self, local: Local) {
        self.read(&Expr::Local(local));
        self.frame(local);
    }

    fn set(&mut self, local: Local) {
        let mentions = self.mentions.entry(local).or_default();
        mentions.places.insert(self.place);
        mentions.sets += 1;
    }

    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            self.place += 1;
            match step {
                Step::Lanes(lanes) => lanes.iter().for_each(|lane| self.lane(lane)),
                Step::Let(local, value, _) | Step::Assign(local, value, _) => {
                    self.read(value);
                    self.changed(*local);
                }
                Step::Read { local, list, at, .. } => {
                    [list, at].into_iter().for_each(|expr| self.read(expr));
                    self.changed(*local);
                }
                Step::NoLane(count) | Step::LeaveUnless { count, .. } => self.changed(*count),
                Step::IfAny { count, body } => {
                    self.changed(*count);
                    self.steps(body);
                }
                Step::If { cond, then, otherwise, .. } => {
                    self.read(cond);
                    self.steps(then);
                    self.steps(otherwise);
                }
                Step::MakeRow { rows, depth } => {
                    [*rows, *depth].into_iter().for_each(|local| self.changed(local))
                }
                Step::Row { row, rows, at, .. } => {
                    self.read(at);
                    [*rows, *row].into_iter().for_each(|local| self.changed(local));
                }
                Step::Loop(body) => self.steps(body),
                Step::While { cond, body, .. } => {
                    self.read(cond);
                    self.steps(body);
                }
                Step::For { counter, from, to, body, .. } => {
                    [from, to].into_iter().for_each(|expr| self.read(expr));
                    self.changed(*counter);
                    self.steps(body);
                }
                Step::StopIfFailed => {}
            }
        }
    }

    fn lane(&mut self, lane: &Lane) {
        match lane {
            Lane::Set { local, value, .. } => {
                self.read(value);
                self.set(*local);
            }
            Lane::SetIf { local, value, runs, .. } => {
                self.read(value);
                runs.iter().for_each(|mask| self.read(&Expr::Local(*mask)));
                self.changed(*local);
            }
            Lane::Blend { local, value, runs, .. } => {
                self.read(value);
                self.read(&Expr::Local(*runs));
                self.changed(*local);
            }
            Lane::Push { rows, depth, value, .. } => {
                self.read(value);
                [*rows, *depth].into_iter().for_each(|local| self.changed(local));
            }
            Lane::Record { local, rows, at, .. } => {
                self.read(at);
                self.changed(*rows);
                self.set(*local);
            }
            Lane::Read { local, list, at, .. } => {
                [list, at].into_iter().for_each(|expr| self.read(expr));
                self.set(*local);
            }
            Lane::Mask { mask, cond, runs, .. } => {
                self.read(cond);
                runs.iter().for_each(|mask| self.read(&Expr::Local(*mask)));
                self.changed(*mask);
            }
            Lane::Copy { mask, from } => {
                from.iter().for_each(|mask| self.read(&Expr::Local(*mask)));
                self.changed(*mask);
            }
            Lane::Clear { mask, by } => {
                self.read(&Expr::Local(*by));
                self.changed(*mask);
            }
            Lane::Count { count, mask } => {
                self.read(&Expr::Local(*mask));
                self.changed(*count);
            }
            Lane::Fail { cond, runs } => {
                cond.iter().for_each(|cond| self.read(cond));
                runs.iter().for_each(|mask| self.read(&Expr::Local(*mask)));
            }
        }
    }
}
