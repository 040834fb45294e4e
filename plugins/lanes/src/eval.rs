//! Operations that are evaluated lane by lane, by the evaluators that the interpreter uses.

use overdub_context::ir::Ty;
use overdub_context::ops::{NoMachine, OpCx};
use overdub_context::value::Value;

use crate::kernels::Lane;
use crate::layout::leaves;
use crate::program::{Eval, Place};
use crate::words::{compose, decompose, value_of};

/// The registers of a run.
pub(crate) struct Registers<'a> {
    pub(crate) words: Vec<Lane>,
    pub(crate) masks: Vec<u64>,
    pub(crate) arrays: Vec<Value<'a>>,
}

impl<'a> Registers<'a> {
    /// The word of a scalar in a lane.
    pub(crate) fn get(&self, place: Place, lane: usize) -> u64 {
        match place {
            Place::Word(word) => self.words[word as usize][lane],
            Place::Mask(mask) => self.masks[mask as usize] >> lane & 1,
            Place::Array(_) | Place::Stack(_) => 0,
        }
    }

    pub(crate) fn set(&mut self, place: Place, lane: usize, word: u64) {
        match place {
            Place::Word(number) => self.words[number as usize][lane] = word,
            Place::Mask(number) => {
                let mask = &mut self.masks[number as usize];
                *mask = *mask & !(1 << lane) | (word & 1) << lane;
            }
            Place::Array(_) | Place::Stack(_) => {}
        }
    }

    fn value(
        &self,
        ty: Ty,
        places: &[Place],
        (lane, own): (usize, &impl Fn(u32, usize) -> Option<Value<'static>>),
    ) -> Option<Value<'a>> {
        compose(ty, 0, &|at, ty| match places.get(at)? {
            Place::Array(array) => own(*array, lane).or_else(|| self.arrays.get(*array as usize).cloned()),
            place => Some(value_of(ty, self.get(*place, lane))),
        })
    }

    /// Evaluates an operation for a lane; none if it fails. `own` gives the array of this number that a lane has for itself, if it does.
    pub(crate) fn eval(
        &mut self,
        eval: &Eval,
        lane: usize,
        own: &impl Fn(u32, usize) -> Option<Value<'static>>,
    ) -> Option<()> {
        debug_assert_eq!(leaves(eval.ret).map(|all| all.len()), Some(eval.result.len()));
        let mut args = Vec::with_capacity(eval.args.len());
        for (ty, places) in &eval.args {
            args.push(self.value(*ty, places, (lane, own))?);
        }
        let mut cx = OpCx { ret: eval.ret, machine: &mut NoMachine };
        let value = (eval.op.eval)(&mut cx, &mut args).ok()?;
        decompose(eval.ret, &value, 0, &mut |at, word| self.set(eval.result[at], lane, word))
    }
}
