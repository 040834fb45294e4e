//! The interpreter of steps.

use overdub_context::value::{Array, Value};

use super::{Run, Stopped, fails};
use crate::kernels::{self, Lane, for_each};
use crate::program::{Origin, Planned, Step};

/// A register to write, and one to read: another one (ASSIGN3).
#[inline(always)]
pub(super) fn pair(words: &mut [Lane], d: u32, a: u32) -> Result<(&mut Lane, &Lane), Stopped> {
    let [d, a] = words.get_disjoint_mut([d as usize, a as usize]).map_err(|_| Stopped)?;
    Ok((d, a))
}

/// A register to write, and two to read, which may be one.
#[inline(always)]
fn triple(words: &mut [Lane], d: u32, a: u32, b: u32) -> Result<(&mut Lane, &Lane, &Lane), Stopped> {
    if a == b {
        let (d, a) = pair(words, d, a)?;
        return Ok((d, a, a));
    }
    let all = words.get_disjoint_mut([d as usize, a as usize, b as usize]);
    let [d, a, b] = all.map_err(|_| Stopped)?;
    Ok((d, a, b))
}

impl Run<'_, '_> {
    #[inline(always)]
    pub(super) fn step(&mut self, planned: &Planned, mask: u64) -> Result<(), Stopped> {
        let spread = (mask != u64::MAX).then_some(&*self.spread);
        let partly = spread.filter(|_| planned.is_masked);
        let words = &mut self.registers.words[..];
        match &planned.step {
            Step::Unary(op, d, a) => {
                let (d, a) = pair(words, *d, *a)?;
                kernels::unary(*op, d, a, partly);
            }
            Step::Binary(op, d, a, b) => {
                let (d, a, b) = triple(words, *d, *a, *b)?;
                kernels::binary(*op, d, a, b, partly);
            }
            Step::Checked(op, int, d, a, b) => {
                let (d, a, b) = triple(words, *d, *a, *b)?;
                fails(kernels::checked(*op, *int, d, a, b, partly) & mask)?;
            }
            Step::Wrapping(op, int, d, a, b) => {
                let (d, a, b) = triple(words, *d, *a, *b)?;
                kernels::wrapping(*op, *int, d, a, b, partly);
            }
            Step::Wrap(int, d, a) => {
                let (d, a) = pair(words, *d, *a)?;
                kernels::wrap(*int, d, a, partly);
            }
            Step::Division(op, int, d, a, b) => {
                let (d, a, b) = triple(words, *d, *a, *b)?;
                let mut left = mask;
                while left != 0 {
                    let i = left.trailing_zeros() as usize;
                    left &= left - 1;
                    d[i] = kernels::divided(*op, *int, a[i], b[i]).ok_or(Stopped)?;
                }
            }
            Step::ToInt(_, function, d, a) => {
                let (d, a) = pair(words, *d, *a)?;
                for_each(mask, |i| d[i] = function(a[i]));
            }
            Step::Compare(relation, of, d, a, b) => {
                let bits = kernels::compare(*relation, *of, &words[*a as usize], &words[*b as usize]);
                self.write_mask(*d, mask, bits);
            }
            Step::Logic(op, d, a, b) => {
                let masks = &self.registers.masks;
                let bits = kernels::logic(*op, masks[*a as usize], masks[*b as usize]);
                self.write_mask(*d, mask, bits);
            }
            Step::Select(d, on, a, b) => {
                let (d, a, b) = triple(words, *d, *a, *b)?;
                kernels::select(d, self.registers.masks[*on as usize], a, b, partly);
            }
            Step::SelectMask(d, on, a, b) => {
                let masks = &self.registers.masks;
                let (on, a, b) = (masks[*on as usize], masks[*a as usize], masks[*b as usize]);
                self.write_mask(*d, mask, on & a | !on & b);
            }
            Step::Call(function, d, a) => {
                let (d, a) = pair(words, *d, *a)?;
                for_each(mask, |i| d[i] = (function.run)(f64::from_bits(a[i])).to_bits());
            }
            Step::Call2(function, d, a, b) => {
                let (d, a, b) = triple(words, *d, *a, *b)?;
                for_each(mask, |i| {
                    d[i] = (function.run)(f64::from_bits(a[i]), f64::from_bits(b[i])).to_bits()
                });
            }
            Step::Gather(d, array, index) => self.gather(*d, *array, *index, mask)?,
            Step::Require(a, word) => {
                fails(mask & !kernels::equal_to(&self.registers.words[*a as usize], *word))?;
            }
            Step::StackNew(stack) => self.stacks[*stack as usize].clear(mask),
            Step::Push(stack, items) => {
                self.stacks[*stack as usize].push(items, &self.registers, mask, spread);
            }
            Step::Pop(stack, items) | Step::Peek(stack, items) => {
                let how = (matches!(planned.step, Step::Pop(..)), planned.is_masked);
                self.stacks[*stack as usize].top(items, &mut self.registers, mask, spread, how)?;
            }
            Step::StackLen(d, stack) => {
                kernels::copy(&mut words[*d as usize], self.stacks[*stack as usize].depths(), partly);
            }
            Step::Repeat(array, len, fill) => {
                self.own[*array as usize].repeat((*len, *fill), &self.registers, mask, spread)?;
            }
            Step::List(array, items) => {
                self.own[*array as usize].make(items, &self.registers, mask, spread)?;
            }
            Step::Set(array, index, value) => {
                self.own[*array as usize].set((*index, *value), &self.registers, mask, spread)?;
            }
            Step::Element(d, array, index) => {
                self.own[*array as usize].get((*d, *index), &mut self.registers, mask, partly)?;
            }
            Step::ArrayLen(d, array) => {
                kernels::copy(&mut words[*d as usize], self.own[*array as usize].lens(), partly);
            }
            Step::Eval(eval) => {
                let (mut is_done, all, own) = (true, &self.program.arrays, &self.own);
                let own = |array: u32, lane: usize| match &all[array as usize] {
                    Origin::Own(elem) => own[array as usize].list(*elem, lane).map(Value::from),
                    Origin::Param(_) | Origin::Const(_) => None,
                };
                for_each(mask, |lane| is_done &= self.registers.eval(eval, lane, &own).is_some());
                if !is_done {
                    return Err(Stopped);
                }
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn gather(&mut self, d: u32, array: u32, index: u32, mask: u64) -> Result<(), Stopped> {
        let Some(elems) = self.registers.arrays[array as usize].as_array().and_then(Array::as_f64s) else {
            return Err(Stopped);
        };
        let (d, index) = (d as usize, index as usize);
        let mut fits = true;
        let mut left = mask;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            let at = self.registers.words[index][lane];
            match usize::try_from(at).ok().and_then(|at| elems.get(at)) {
                Some(x) => self.registers.words[d][lane] = x.to_bits(),
                None => fits = false,
            }
        }
        if fits { Ok(()) } else { Err(Stopped) }
    }
}
