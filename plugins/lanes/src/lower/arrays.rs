//! Arrays that each element has for itself.
//!
//! - LOCAL1 such an array is one place, made at one instruction and changed in place, as a stack is (STEPS2): whatever changes it,
//!   passes it on or makes it a part of a value is the last use of the variable that it had, so that it always has one name.
//! - LOCAL2 where it is made again, around a loop, the array of the last time has no name any more: its maker dominates all its names.

use overdub_context::ir::{Inst, Operand, Ty, TyKind, Var};
use overdub_context::ops::{self, OpDef};

use super::Lowering;
use crate::layout::{is_scalar, leaves};
use crate::program::{Origin, Place, Step};

impl Lowering<'_> {
    /// Whether a place is an array of an element's own.
    pub(super) fn is_own(&self, place: &Place) -> bool {
        matches!(place, Place::Array(array) if matches!(self.program.arrays[*array as usize], Origin::Own(_)))
    }

    /// The place of a new array of a type; none if its elements are no scalars.
    pub(super) fn own_array(&mut self, ty: Ty) -> Option<Vec<Place>> {
        let TyKind::Array(of) = ty.kind() else { return None };
        if of.rank != 1 || !is_scalar(of.elem) {
            return None;
        }
        self.program.arrays.push(Origin::Own(of.elem));
        Some(vec![Place::Array(self.program.arrays.len() as u32 - 1)])
    }

    /// The places of the result of an operation that makes an array, takes its length, or has one of an element's own; none if it
    /// cannot be done. None if the operation is none of these.
    pub(super) fn on_own_arrays(
        &mut self,
        op: &OpDef,
        args: &[Operand],
        places: &[Vec<Place>],
        (inst, at): (&Inst, usize),
    ) -> Option<Option<Vec<Place>>> {
        if *op == ops::REPEAT || *op == ops::ARRAY {
            return Some(self.made(op, places, inst.result));
        }
        if let (true, [of]) = (*op == ops::LEN, places)
            && let &[Place::Array(array)] = &of[..]
        {
            let word = self.word();
            self.steps.push(Step::ArrayLen(word, array));
            return Some(Some(vec![Place::Word(word)]));
        }
        if !places.iter().flatten().any(|place| self.is_own(place)) {
            return None;
        }
        let owns: Vec<Option<Var>> = args
            .iter()
            .zip(places)
            .filter(|(_, places)| places.iter().any(|place| self.is_own(place)))
            .map(|(arg, _)| arg.var())
            .collect();
        let is_last = |var: &Option<Var>| {
            let count = owns.iter().filter(|other| *other == var).count();
            count == 1 && var.is_some_and(|var| self.is_last_use(var, at))
        };
        match op {
            _ if *op == ops::GET || *op == ops::GET_UNCHECKED => {
                let (&[Place::Array(array)], &[Place::Word(index)]) = (&places[0][..], &places[1][..]) else {
                    return Some(None);
                };
                let result = leaves(self.func.ty(inst.result)).and_then(|parts| self.fresh(&parts))?;
                let [place] = result[..] else { return Some(None) };
                self.steps.push(Step::Element(place, array, index));
                Some(Some(result))
            }
            _ if *op == ops::TUPLE || *op == ops::STRUCT => {
                Some(owns.iter().all(is_last).then(|| places.concat()))
            }
            _ if *op == ops::SET || *op == ops::SET_UNCHECKED => {
                let is_last = owns.iter().all(is_last);
                Some(match (&places[0][..], &places[1][..], &places[2][..]) {
                    (&[Place::Array(array)], &[Place::Word(index)], &[value]) if is_last => {
                        self.steps.push(Step::Set(array, index, value));
                        Some(vec![Place::Array(array)])
                    }
                    _ => None,
                })
            }
            // What reads the whole array is evaluated lane by lane. A result that holds an array would be another name of it (LOCAL1).
            _ => match leaves(self.func.ty(inst.result)) {
                Some(parts) if parts.iter().all(|part| part.is_scalar()) => None,
                _ => Some(None),
            },
        }
    }

    fn made(&mut self, op: &OpDef, places: &[Vec<Place>], result: Var) -> Option<Vec<Place>> {
        let place = self.same(result, &mut Vec::new())?;
        let &[Place::Array(array)] = &place[..] else { return None };
        self.steps.push(if *op == ops::REPEAT {
            let (&[fill], &[Place::Word(len)]) = (&places[0][..], &places[1][..]) else { return None };
            Step::Repeat(array, len, fill)
        } else {
            Step::List(array, places.concat())
        });
        Some(place)
    }
}
