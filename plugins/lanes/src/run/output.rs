//! What a run returns: for each part of the result, what the elements have.

use overdub_context::ir::Ty;
use overdub_context::value::{Array, Value};

use super::{Run, Stopped};
use crate::kernels::{LANES, for_each};
use crate::layout::Leaf;
use crate::program::{Origin, Place};
use crate::words::list_of;

/// One part of the results of all elements.
pub(super) enum Output {
    Words(Vec<u64>),
    /// It is an array; unit until the element is done.
    Arrays(Vec<Value<'static>>),
}

impl Output {
    pub(super) fn of(leaf: &Leaf, len: usize) -> Output {
        match leaf {
            Leaf::Array(_) => Output::Arrays(vec![Value::Unit; len]),
            _ => Output::Words(vec![0; len]),
        }
    }

    /// The list of all elements.
    pub(super) fn list(self, leaf: &Leaf) -> Option<Array<'static>> {
        match (self, leaf) {
            (Output::Words(words), Leaf::Word(ty)) => list_of(*ty, words),
            (Output::Words(words), _) => list_of(Ty::bool(), words),
            (Output::Arrays(arrays), Leaf::Array(ty)) => Array::from_values(*ty, arrays),
            (Output::Arrays(_), _) => None,
        }
    }
}

impl Run<'_, '_> {
    /// Puts a part of the result of the elements in these lanes.
    #[inline(always)]
    pub(super) fn put(&mut self, number: usize, place: Place, lanes: u64) -> Result<(), Stopped> {
        match &mut self.outputs[number] {
            Output::Words(words) => {
                let Place::Word(register) = place else {
                    for_each(lanes, |lane| words[self.element[lane]] = self.registers.get(place, lane));
                    return Ok(());
                };
                let (register, first) = (&self.registers.words[register as usize], self.element[0]);
                let is_row = lanes == u64::MAX && (0..LANES).all(|lane| self.element[lane] == first + lane);
                match words.get_mut(first..first + LANES).filter(|_| is_row) {
                    Some(row) => row.copy_from_slice(&register.0),
                    None => for_each(lanes, |lane| words[self.element[lane]] = register[lane]),
                }
                Ok(())
            }
            Output::Arrays(_) => self.put_array(number, place, lanes),
        }
    }

    #[cold]
    fn put_array(&mut self, number: usize, place: Place, lanes: u64) -> Result<(), Stopped> {
        let (Output::Arrays(all), Place::Array(array)) = (&mut self.outputs[number], place) else {
            return Err(Stopped);
        };
        let mut is_whole = true;
        for_each(lanes, |lane| {
            let found = match &self.program.arrays[array as usize] {
                Origin::Own(elem) => self.own[array as usize].list(*elem, lane).map(Value::from),
                Origin::Param(_) | Origin::Const(_) => {
                    Some(self.registers.arrays[array as usize].clone().into_owned())
                }
            };
            is_whole &= found.is_some();
            all[self.element[lane]] = found.unwrap_or(Value::Unit);
        });
        if is_whole { Ok(()) } else { Err(Stopped) }
    }
}
