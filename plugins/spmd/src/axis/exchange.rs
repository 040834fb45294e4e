//! Collectives on values: what each rank gives, and what it gets.

use std::rc::Rc;
use std::sync::Arc;

use hashbrown::HashSet;
use overdub_ad::flatten::{floats, with_floats};
use overdub_context::ir::{Ty, TyKind};
use overdub_context::value::{Array, Composite, Value};
use overdub_context::{Failure, FailureKind};

use super::bind::bound;
use super::communicator::{Alone, CommError, Communicator};
use super::wire::{decode, encode};

/// The ranks of an axis, as a collective sees them.
pub(super) struct Exchange {
    ranks: Rc<dyn Communicator>,
    what: &'static str,
}

pub(super) fn failure(message: impl Into<String>) -> Failure {
    Failure::new(FailureKind::Host, message.into())
}

impl Exchange {
    /// On the axis of this name. A collective that no context has seen is not typed, and fails on a bound axis (AXIS3).
    pub(super) fn on(axis: &str, is_typed: bool, what: &'static str) -> Result<Exchange, Failure> {
        match bound(axis)? {
            Some(ranks) if is_typed => Ok(Exchange { ranks, what }),
            Some(_) => Err(failure(format!(
                "`{what}` on the bound axis `{axis}` runs outside of `OnAxis::new({axis:?})`, or where that context \
                 does not see it: behind a function value whose code is not known, or in a function that calls itself"
            ))),
            None => Ok(Exchange { ranks: Rc::new(Alone), what }),
        }
    }

    pub(super) fn index(&self) -> usize {
        self.ranks.index()
    }

    pub(super) fn size(&self) -> usize {
        self.ranks.size()
    }

    fn gathered(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, Failure> {
        self.ranks.all_gather(own).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &CommError) -> Failure {
        failure(format!("`{}`: {error}", self.what))
    }

    /// Fails unless all ranks call the same collective with operands of this description (AXIS4).
    fn agree(&self, operands: &str) -> Result<(), Failure> {
        if self.size() == 1 {
            return Ok(());
        }
        let own = format!("`{}` of {operands}", self.what);
        let all = self.gathered(own.as_bytes())?;
        match all.iter().position(|other| *other != own.as_bytes()) {
            None => Ok(()),
            Some(other) => {
                let theirs = String::from_utf8_lossy(&all[other]);
                let rank = self.index();
                Err(failure(format!(
                    "ranks call different collectives: rank {rank} {own}, rank {other} {theirs}"
                )))
            }
        }
    }

    /// The sum of the values of all ranks, number by number.
    pub(super) fn sum(&self, x: Value<'static>, ty: Ty) -> Result<Value<'static>, Failure> {
        let mut numbers = floats(&x);
        let mut ints = Vec::new();
        let x = map_ints(x, &mut |n| {
            ints.push(n);
            n
        })?;
        self.agree(&format!("{} floats and {} integers in `{ty}`", numbers.len(), ints.len()))?;
        let mut sum = x;
        if !numbers.is_empty() {
            self.ranks.sum(&mut numbers).map_err(|error| self.failed(&error))?;
            sum = with_floats(&sum, &mut numbers.into_iter())?;
        }
        if !ints.is_empty() {
            let own: Vec<u8> = ints.iter().flat_map(|n| n.to_le_bytes()).collect();
            let all = self.gathered(&own)?;
            let mut sums = Vec::with_capacity(ints.len());
            for at in 0..ints.len() {
                let terms = all.iter().map(|part| {
                    let bytes = part.get(16 * at..16 * at + 16).and_then(|bytes| bytes.try_into().ok());
                    i128::from_le_bytes(bytes.unwrap_or_default())
                });
                let total = terms.into_iter().try_fold(0_i128, i128::checked_add);
                sums.push(total.ok_or_else(overflow)?);
            }
            let mut sums = sums.into_iter();
            sum = map_ints(sum, &mut |n| sums.next().unwrap_or(n))?;
        }
        Ok(sum)
    }

    /// The number of the first rank whose value no other exceeds; `is_before` says whether its first operand does. What is
    /// no number exceeds nothing.
    pub(super) fn winner(
        &self,
        x: &Value<'_>,
        ty: Ty,
        is_before: impl Fn(&Value<'_>, &Value<'_>) -> bool,
    ) -> Result<usize, Failure> {
        self.agree(&format!("`{ty}`"))?;
        let all = self.all(x, ty)?;
        let mut first = 0;
        for (rank, other) in all.iter().enumerate().skip(1) {
            let first_is_nan = all[first].as_f64().is_some_and(f64::is_nan);
            if is_before(other, &all[first]) || (first_is_nan && !other.as_f64().is_some_and(f64::is_nan)) {
                first = rank;
            }
        }
        Ok(first)
    }

    fn all(&self, x: &Value<'_>, ty: Ty) -> Result<Vec<Value<'static>>, Failure> {
        let mut own = Vec::new();
        encode(x, &mut own)?;
        self.gathered(&own)?.iter().map(|bytes| decode(bytes, ty)).collect()
    }

    /// The values of all ranks in order.
    pub(super) fn gather(&self, x: &Value<'_>, ty: Ty) -> Result<Vec<Value<'static>>, Failure> {
        self.agree(&format!("`{ty}`"))?;
        self.all(x, ty)
    }

    /// The value of one rank.
    pub(super) fn broadcast(&self, x: &Value<'_>, root: usize, ty: Ty) -> Result<Value<'static>, Failure> {
        self.is_rank(root)?;
        self.agree(&format!("`{ty}` from rank {root}"))?;
        let mut own = Vec::new();
        if self.index() == root {
            encode(x, &mut own)?;
        }
        let all = self.gathered(&own)?;
        decode(all.get(root).map_or(&[][..], Vec::as_slice), ty)
    }

    pub(super) fn is_rank(&self, rank: usize) -> Result<(), Failure> {
        let size = self.size();
        if rank < size {
            return Ok(());
        }
        Err(failure(format!("`{}`: there is no rank {rank}, the axis has {size}", self.what)))
    }

    /// The value of the rank that sends to this one by these moves from rank to rank; zeros if none does.
    pub(super) fn permute(
        &self,
        x: &Value<'static>,
        moves: &[(usize, usize)],
        ty: Ty,
    ) -> Result<Value<'static>, Failure> {
        let (mut sources, mut targets) = (HashSet::new(), HashSet::new());
        for &(from, to) in moves {
            self.is_rank(from)?;
            self.is_rank(to)?;
            if !sources.insert(from) || !targets.insert(to) {
                let message = format!("`{}`: a rank sends twice, or is sent to twice: {moves:?}", self.what);
                return Err(failure(message));
            }
        }
        self.agree(&format!("`{ty}` by {moves:?}"))?;
        let own = self.index();
        let to = moves.iter().find(|(from, _)| *from == own).map(|(_, to)| *to);
        let from = moves.iter().find(|(_, to)| *to == own).map(|(from, _)| *from);
        let mut bytes = Vec::new();
        encode(x, &mut bytes)?;
        match self.ranks.permute(to, bytes, from).map_err(|error| self.failed(&error))? {
            Some(bytes) => decode(&bytes, ty),
            None => zero(x),
        }
    }

    /// What each rank has for this one.
    pub(super) fn transpose(
        &self,
        parts: Vec<Value<'static>>,
        ty: Ty,
    ) -> Result<Vec<Value<'static>>, Failure> {
        let size = self.size();
        if parts.len() != size {
            return Err(failure(format!(
                "`{}` takes one value for each of {size} ranks, got {}",
                self.what,
                parts.len()
            )));
        }
        self.agree(&format!("`{ty}`"))?;
        let encoded = parts.iter().map(|part| {
            let mut bytes = Vec::new();
            encode(part, &mut bytes).map(|()| bytes)
        });
        let sent = encoded.collect::<Result<Vec<_>, _>>()?;
        let received = self.ranks.all_to_all(sent).map_err(|error| self.failed(&error))?;
        received.iter().map(|bytes| decode(bytes, ty)).collect()
    }

    /// Fails unless the value is the same on all ranks, to the bit.
    pub(super) fn check_replicated(&self, x: &Value<'_>, name: &str) -> Result<(), Failure> {
        let mut own = Vec::new();
        encode(x, &mut own)?;
        // A hash is sent instead of the value.
        let hash = fnv(&own).to_le_bytes();
        let all = self.gathered(&hash)?;
        match all.iter().position(|other| *other != hash) {
            None => Ok(()),
            Some(other) => Err(failure(format!(
                "`{name}` is said to be replicated, but rank {} and rank {other} have different values",
                self.index()
            ))),
        }
    }
}

/// The hash of Fowler, Noll and Vo (FNV-1a, <http://www.isthe.com/chongo/tech/comp/fnv/>), the same on all machines.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The value with zeros for its numbers.
pub(super) fn zero(x: &Value<'static>) -> Result<Value<'static>, Failure> {
    map_ints(with_floats(x, &mut std::iter::repeat(0.0))?, &mut |_| 0)
}

#[cold]
fn overflow() -> Failure {
    Failure::new(FailureKind::Overflow, "attempt to add with overflow")
}

/// The value with each of its integers replaced, in order.
fn map_ints(x: Value<'static>, new: &mut dyn FnMut(i128) -> i128) -> Result<Value<'static>, Failure> {
    Ok(match x {
        Value::Int(_) | Value::I128(_) | Value::U128(_) => {
            let (int, n) = x.as_int().ok_or_else(overflow)?;
            let n = new(n);
            let value = Value::int(int, n);
            if value.as_int() == Some((int, n)) { value } else { return Err(overflow()) }
        }
        Value::Array(array) if !matches!(array.elem_ty().kind(), TyKind::Float(_)) => {
            let elems = array.iter().map(|elem| map_ints(elem, new)).collect::<Result<Vec<_>, _>>()?;
            let flat = Array::from_values(array.elem_ty(), elems);
            flat.and_then(|flat| flat.reshape(array.shape())).map(Value::from).ok_or_else(overflow)?
        }
        Value::Composite(composite) => {
            let Composite { ty, tag, parts } = Arc::unwrap_or_clone(composite);
            let parts = parts.into_iter().map(|part| map_ints(part, new)).collect::<Result<_, _>>()?;
            Value::Composite(Arc::new(Composite { ty, tag, parts }))
        }
        other => other,
    })
}
