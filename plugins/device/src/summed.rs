//! Sums of what a function returns over its calls, and of its derivatives.

use overdub_context::ir::{Ty, TyKind};
use overdub_context::value::Value;
use overdub_export::Derivative;
use overdub_spmd::{Collected, DeviceCalls, DeviceError, Leaves};

use crate::kernels::{ENTRY, Kernels, derivative};
use crate::launch::{Backend, unsupported};
use crate::leaves::Leaf;
use crate::stored::{LENGTH, StoredList};

impl<B: Backend> Kernels<B> {
    pub(crate) fn sums(
        &self,
        calls: &DeviceCalls<'_>,
        leaf: usize,
    ) -> Result<Option<Leaves<f64>>, DeviceError> {
        let kernel = self.of_function(calls)?;
        let Some(place) = place_of(kernel.ret, 0) else { return Ok(None) };
        let leaves = self.runs(kernel, calls, calls.params.clone(), None)?.sums(leaf, &[place], &[])?;
        Ok(Some(leaves.into_iter().map(|leaf| leaf?.sums.first().copied()).collect()))
    }

    pub(crate) fn sums_and_gradients(
        &self,
        calls: &DeviceCalls<'_>,
        collected: &[Collected],
        leaf: usize,
    ) -> Result<Option<Leaves<Vec<Value<'static>>>>, DeviceError> {
        let vector = Ty::array(Ty::f64(), 1);
        let is_added = |(how, ty): (&Collected, &Ty)| match how {
            Collected::Not => true,
            Collected::Added => *ty == Ty::f64() || *ty == vector,
            Collected::Listed => *ty == Ty::f64(),
        };
        if !collected.iter().zip(&calls.params).all(is_added) {
            return Ok(None);
        }
        let wrt: Vec<bool> = collected.iter().map(|how| *how != Collected::Not).collect();
        let export =
            derivative(calls, Derivative::ValueAndGradient, &wrt).map_err(|error| unsupported(&error))?;
        let kernel = self.kernel(&export)?;
        let TyKind::Tuple(found) = kernel.ret.kind() else { return Ok(None) };
        let first = found.first().and_then(|ty| place_of(*ty, 0));
        let (Some(first), true) = (first, export.differentiated(ENTRY) == Some(&wrt[..])) else {
            return Ok(None);
        };
        // Where the derivatives are in a packed result, which is that of all calls: the value, and each part after the other.
        let (mut added, mut listed, mut at) = (vec![first], Vec::new(), 8);
        let Some(lengths) = self.lengths(calls) else { return Ok(None) };
        for ((how, ty), len) in collected.iter().zip(&calls.params).zip(&lengths) {
            match how {
                Collected::Not => continue,
                Collected::Listed => listed.push(at),
                Collected::Added if *ty == vector => {
                    at += LENGTH as u64;
                    added.extend((0..*len as u64).map(|number| at + 8 * number));
                    at += 8 * *len as u64;
                    continue;
                }
                Collected::Added => added.push(at),
            }
            at += 8;
        }
        let leaves = self.runs(kernel, calls, calls.params.clone(), None)?.sums(leaf, &added, &listed)?;
        let of_leaf = |leaf: Leaf| {
            let (mut sums, mut lists) = (leaf.sums.into_iter(), leaf.lists.into_iter());
            let mut all = vec![Value::F64(sums.next()?)];
            for ((how, ty), len) in collected.iter().zip(&calls.params).zip(&lengths) {
                match how {
                    Collected::Not => {}
                    Collected::Listed => all.push(Value::floats(lists.next()?)),
                    Collected::Added if *ty == vector => {
                        all.push(Value::floats(sums.by_ref().take(*len).collect::<Vec<_>>()));
                    }
                    Collected::Added => all.push(Value::F64(sums.next()?)),
                }
            }
            Some(all)
        };
        Ok(Some(leaves.into_iter().map(|leaf| leaf.and_then(of_leaf)).collect()))
    }

    /// The lengths of the arguments of the first call that are lists.
    fn lengths(&self, calls: &DeviceCalls<'_>) -> Option<Vec<usize>> {
        let mut lengths = None;
        calls.unstored_args(0, &mut |args| {
            let len = |arg: &Value<'_>| match arg {
                Value::Array(array) => array.len(),
                _ => 0,
            };
            lengths = Some(args.iter().map(len).collect::<Vec<_>>());
        });
        let mut lengths = lengths?;
        for (len, list) in lengths.iter_mut().zip(&calls.stored) {
            if let Some(list) = list {
                *len = StoredList::of(list, &self.backend)?.len();
            }
        }
        Some(lengths)
    }
}

/// The place of a float at these bytes, as [`Sums`](crate::launch::Sums) numbers it; none if it is no float.
fn place_of(ty: Ty, at: u64) -> Option<u64> {
    match ty.kind() {
        TyKind::Float(_) => Some(at + u64::from(ty == Ty::f32())),
        _ => None,
    }
}
