//! What a write becomes: the entries of the element, added to those before it.

use overdub_context::ir::{Inst, InstKind, Operand, Ty, Var};
use overdub_context::ops;
use smallvec::SmallVec;

use super::Writing;
use super::build::{Builder, State, Tangents, float, places};
use super::places::{ADDED, STORED};
use crate::refusal::Cause;

impl Builder<'_> {
    pub(super) fn state_tys(&self) -> Vec<Ty> {
        let mut tys = match self.writing {
            Writing::Places => vec![places(), places()],
            Writing::Set | Writing::Add => vec![Ty::array(Ty::f64(), 1), Ty::usize()],
        };
        tys.extend(self.checks().then(Ty::f64));
        tys
    }

    /// Appends the entries of an element that is written to those before it.
    pub(super) fn write(&mut self, inst: &Inst) -> Result<State, Cause> {
        let InstKind::Op { op, args } = &inst.kind else { return Err(Cause::Call) };
        if *op == &ops::TUPLE {
            let part = args.iter().find(|arg| self.is_output(arg)).ok_or(Cause::NoRule(op.name))?;
            return self.state_of(&part.clone());
        }
        if *op == &ops::ARRAY {
            let mut state = self.state_of(&Operand::unit())?;
            for (row, value) in args.iter().enumerate() {
                state = self.element(state, row.into(), value)?;
            }
            return Ok(state);
        }
        let state = self.state_of(&args[0])?;
        if *op == &ops::WITH_ROOM {
            return Ok(state);
        }
        let row = match (self.writing, *op == &ops::PUSH) {
            (Writing::Places, true) => self.build.op(&ops::LEN, [self.mapped(&args[0])])?.into(),
            (_, true) => Operand::unit(),
            (_, false) => self.mapped(&args[1]),
        };
        self.element(state, row, args.last().ok_or(Cause::NoRule(op.name))?)
    }

    /// Appends the entries of the element in this row.
    fn element(&mut self, state: State, row: Operand, value: &Operand) -> Result<State, Cause> {
        let found = self.resolved(value, None)?;
        // The same entries in the same order, independently of how they are computed.
        let entry = |site| (site, found.get(&site).cloned().unwrap_or(Operand::from(0.0)));
        let mut entries: Tangents = self.sites.floats(value).into_iter().map(entry).collect();
        let mut is_added = false;
        for site in self.sites.before.keys() {
            let Some(factor) = entries.remove(site) else { continue };
            if is_added || float(&factor) != Some(1.0) {
                return Err(Cause::Entries(
                    "an element that was written is changed by more than an addition",
                ));
            }
            is_added = true;
        }
        match self.writing {
            Writing::Places => self.report(state, row, if is_added { ADDED } else { STORED }, entries),
            Writing::Set | Writing::Add => self.put(state, entries),
        }
    }

    /// Reports a write, then the places of its entries (LOCALENTRY3).
    fn report(&mut self, state: State, row: Operand, how: usize, entries: Tangents) -> Result<State, Cause> {
        let [mut rows, mut cols] = [state[0].clone(), state[1].clone()];
        let mut found = vec![Operand::from(how)];
        for site in entries.keys() {
            let (_, param, from) = &self.sites.reads[site];
            let mut col = self.columns[param].clone();
            for index in from {
                col = self.build.op(&ops::ADD, [col, self.mapped(index)])?.into();
            }
            found.push(col);
        }
        for col in found {
            rows = self.build.op(&ops::PUSH, [rows, row.clone()])?.into();
            cols = self.build.op(&ops::PUSH, [cols, col])?.into();
        }
        Ok(SmallVec::from_iter([rows, cols]))
    }

    fn put(&mut self, state: State, entries: Tangents) -> Result<State, Cause> {
        let [mut values, position] = [state[0].clone(), state[1].clone()];
        let check = match state.get(2) {
            Some(check) => Some(self.checked(check.clone(), entries.values().cloned().collect())?),
            None => None,
        };
        let [slots, _] = self.slots.clone().expect("values are written to slots");
        let count = entries.len();
        for (at, (_, entry)) in entries.into_iter().enumerate() {
            let at: Operand = match at {
                0 => position.clone(),
                at => self.build.op(&ops::ADD_WRAPPING, [position.clone(), at.into()])?.into(),
            };
            let slot = self.build.op(&ops::GET, [slots.clone(), at])?;
            let slot: Operand = self.build.op_as(&ops::CAST, [slot], Ty::usize())?.into();
            let entry = match self.writing {
                Writing::Add => {
                    let before = self.build.op(&ops::GET, [values.clone(), slot.clone()])?;
                    self.build.op(&ops::ADD, [before.into(), entry])?.into()
                }
                _ => entry,
            };
            values = self.build.op(&ops::SET, [values, slot, entry])?.into();
        }
        let next = match count {
            0 => position,
            count => self.build.op(&ops::ADD_WRAPPING, [position, count.into()])?.into(),
        };
        Ok([values, next].into_iter().chain(check).collect())
    }

    /// Zero, unless `check` is not zero or an entry is not finite. Adds in pairs, which shortens the chain of
    /// dependencies.
    fn checked(&mut self, check: Operand, mut entries: Vec<Operand>) -> Result<Operand, Cause> {
        entries.retain(|entry| float(entry).is_none_or(|known| !known.is_finite()));
        while entries.len() > 1 {
            let mut sums = Vec::new();
            for pair in entries.chunks(2) {
                sums.push(match pair {
                    [a, b] => self.build.op(&ops::ADD, [a.clone(), b.clone()])?.into(),
                    _ => pair[0].clone(),
                });
            }
            entries = sums;
        }
        let Some(sum) = entries.pop() else { return Ok(check) };
        let zero = self.build.op(&ops::MUL, [sum, 0.0.into()])?;
        Ok(self.build.op(&ops::ADD, [check, zero.into()])?.into())
    }

    fn is_output(&self, operand: &Operand) -> bool {
        operand.var().is_some_and(|var| self.states.contains_key(&var))
    }

    /// The entries of an array: none if it does not vary.
    pub(super) fn state_of(&mut self, operand: &Operand) -> Result<State, Cause> {
        let created = |var| self.states.get(&var).or_else(|| self.initial_states.get(&var));
        match operand.var().and_then(created) {
            Some(state) => Ok(state.clone()),
            None => self.initial_state(),
        }
    }

    pub(super) fn create_initial_state(&mut self, array: Var) -> Result<(), Cause> {
        if self.without_entries.contains(&array) {
            let state = self.initial_state()?;
            self.initial_states.insert(array, state);
        }
        Ok(())
    }

    fn initial_state(&mut self) -> Result<State, Cause> {
        Ok(match &self.slots {
            None => {
                let mut none = || self.build.op_as(&ops::ARRAY, Vec::<Operand>::new(), places());
                SmallVec::from_iter([none()?.into(), none()?.into()])
            }
            Some([_, count]) => {
                let values = self.build.op(&ops::REPEAT, [Operand::from(0.0), count.clone()])?;
                let zero = self.checks().then(|| Operand::from(0.0));
                [values.into(), 0_usize.into()].into_iter().chain(zero).collect()
            }
        })
    }
}
