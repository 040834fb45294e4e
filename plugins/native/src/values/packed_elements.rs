//! Packed elements: an array of non-scalar elements stored as rows of words, one word for each component, which
//! compiled code reads and writes itself.
//!
//! - PACKED1 two words precede the first row: the number of rows, and the capacity in rows.
//! - PACKED2 the uniqueness flag of a vector in a row is 1 only while that vector has no other owner: code that
//!   shares the vector clears the flag by an atomic store, since several threads may do so.
//! - PACKED3 rows with one owner, all of them visible to its array, may grow in compiled code, which updates PACKED1
//!   only. The length in the array may then be stale; the words of the vector are authoritative (VEC1).

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use overdub_context::value::{Array, Pack, Value};

use crate::checks::{self, Holder, Holding};
use crate::values::packed_layout::PackedLayout;
use crate::values::{self, Packing, Transfer};

/// The words before the first row (PACKED1).
pub(crate) const HEAD: usize = 2;

/// The smallest capacity of rows that grow.
const FEWEST: usize = 4;

/// Packed elements.
pub(crate) struct PackedElements {
    pub(crate) record: Arc<PackedLayout>,
    /// The words of PACKED1, then the rows, allocated as a boxed slice.
    base: *mut u64,
}

// SAFETY: the words own what the values that they encode own, and those are `Send`.
unsafe impl Send for PackedElements {}
// SAFETY: only the sole owner writes them, but for the flags, which are written atomically (PACKED2).
unsafe impl Sync for PackedElements {}

impl PackedElements {
    /// An empty allocation with this capacity.
    pub(crate) fn with_capacity(record: Arc<PackedLayout>, capacity: usize) -> PackedElements {
        let mut words = vec![0; HEAD + capacity * record.width()].into_boxed_slice();
        words[1] = capacity as u64;
        let bytes = size_of_val(&*words);
        let base: *mut u64 = Box::into_raw(words).cast();
        checks::buffer_allocated(base as usize, bytes);
        PackedElements { record, base }
    }

    /// Packs values; `None` if one of them is not of the element type.
    pub(crate) fn of_values(
        record: &Arc<PackedLayout>,
        values: Vec<Value<'static>>,
    ) -> Option<PackedElements> {
        let mut rows = PackedElements::with_capacity(record.clone(), values.len());
        for value in values {
            rows.add(value)?;
        }
        Some(rows)
    }

    fn head(&self, at: usize) -> usize {
        // SAFETY: PACKED1.
        unsafe { *self.base.add(at) as usize }
    }

    fn capacity(&self) -> usize {
        self.head(1)
    }

    fn set_len(&mut self, len: usize) {
        // SAFETY: PACKED1.
        unsafe { *self.base = len as u64 }
    }

    /// The address of a row, up to one past the capacity.
    pub(crate) fn place(&self, at: usize) -> *mut u64 {
        debug_assert!(at <= self.capacity(), "a place lies in the room");
        // SAFETY: a row within the allocation, or one past its end.
        unsafe { self.base.add(HEAD + at * self.record.width()) }
    }

    /// The words of a row.
    fn row(&self, at: usize) -> &[u64] {
        assert!(at < self.len(), "there is such a row");
        // SAFETY: the row exists.
        unsafe { std::slice::from_raw_parts(self.place(at), self.record.width()) }
    }

    /// A guard: while it lives, the ledger attributes counts to these rows.
    fn holding(&self) -> Holding {
        Holding::by(Holder::Packed(self.base as usize))
    }

    /// The addresses of the allocation's rows.
    fn places(&self) -> Range<usize> {
        self.place(0) as usize..self.place(self.capacity()) as usize
    }

    /// Releases all rows and overwrites the allocation; returns the number of rows, 0.
    pub(crate) fn poison(&mut self) -> usize {
        // SAFETY: they are overwritten.
        unsafe { self.release(0..self.len()) };
        self.set_len(0);
        for at in 0..self.capacity() * self.record.width() {
            // SAFETY: the word is within the allocation.
            unsafe { self.place(0).add(at).write(checks::POISON) };
        }
        0
    }

    /// Whether the allocation is unchanged since [`PackedElements::poison`].
    pub(crate) fn is_poisoned(&self) -> bool {
        // SAFETY: PACKED1: the words were written.
        let word = |at| unsafe { self.place(0).add(at).read() };
        self.len() == 0 && (0..self.capacity() * self.record.width()).all(|at| word(at) == checks::POISON)
    }

    /// Clears the uniqueness flags of a row whose counts are shared (PACKED2).
    fn mark_shared(&self, at: usize) {
        for &component in &self.record.unique_flags {
            // SAFETY: a word of a row; other threads write it atomically as well.
            unsafe { AtomicU64::from_ptr(self.place(at).add(component)) }.store(0, Ordering::Relaxed);
        }
    }

    /// Appends an element.
    fn add(&mut self, value: Value<'static>) -> Option<()> {
        let len = self.len();
        self.reserve(1);
        // SAFETY: the row is within the capacity, and has no other reader.
        let words = unsafe { std::slice::from_raw_parts_mut(self.place(len), self.record.width()) };
        let _rows = self.holding();
        if values::write_with(&self.record.layout, value, words, Packing::Pack).is_err() {
            words.fill(0);
            return None;
        }
        self.mark_shared(len);
        self.set_len(len + 1);
        Some(())
    }

    /// Reserves capacity for additional rows.
    fn reserve(&mut self, more: usize) {
        let (len, capacity) = (self.len(), self.capacity());
        if capacity - len >= more {
            return;
        }
        let capacity = (len + more).max(2 * capacity).max(FEWEST).next_power_of_two();
        let grown = PackedElements::with_capacity(self.record.clone(), capacity);
        // SAFETY: both allocations have room for these rows, whose counts move; the old rows are not used again.
        unsafe { std::ptr::copy_nonoverlapping(self.place(0), grown.place(0), len * self.record.width()) };
        checks::buffer_moved(self.base as usize, grown.base as usize);
        self.set_len(0);
        *self = grown;
        self.set_len(len);
    }

    /// Releases the counts of a range of rows.
    ///
    /// # Safety
    /// They are not used again.
    unsafe fn release(&mut self, range: Range<usize>) {
        if self.record.counted.is_empty() {
            return;
        }
        let _rows = self.holding();
        for at in range {
            if self.record.nests {
                // Only `Value` drops deeply nested values without recursion.
                // SAFETY: passed on.
                let value = unsafe { values::value_of(&self.record.layout, self.row(at), Transfer::Move) };
                drop(Value::tuple([value]));
                continue;
            }
            for &(component, counted) in &self.record.counted {
                // SAFETY: passed on.
                unsafe { values::release(counted, self.row(at)[component]) };
            }
        }
    }
}

impl Pack for PackedElements {
    fn len(&self) -> usize {
        self.head(0)
    }

    fn bytes(&self) -> usize {
        (HEAD + self.capacity() * self.record.width()) * size_of::<u64>()
    }

    fn get(&self, at: usize) -> Value<'static> {
        self.mark_shared(at);
        // SAFETY: the words are those of a value of the element type.
        unsafe { values::value_of(&self.record.layout, self.row(at), Transfer::Share) }
    }

    fn fits(&self, value: &Value<'static>) -> bool {
        values::fits(&self.record.layout, value)
    }

    fn splice(&mut self, range: Range<usize>, with: Vec<Value<'static>>) {
        let len = self.len();
        assert!(range.start <= range.end && range.end <= len, "the range is one of rows");
        let Some(new) = PackedElements::of_values(&self.record, with) else { return };
        self.reserve(new.len());
        // SAFETY: these rows are overwritten, or are after the new end.
        unsafe { self.release(range.clone()) };
        let (width, after) = (self.record.width(), range.start + new.len());
        // SAFETY: there is room for the rows after the range, and for the new ones; counts move.
        unsafe {
            std::ptr::copy(self.place(range.end), self.place(after), (len - range.end) * width);
            std::ptr::copy_nonoverlapping(new.place(0), self.place(range.start), new.len() * width);
        }
        self.set_len(after + len - range.end);
        checks::buffer_moved(new.base as usize, self.base as usize);
        let mut moved = new;
        moved.set_len(0);
    }

    fn swap(&mut self, i: usize, j: usize) {
        assert!(i < self.len() && j < self.len(), "there are such rows");
        if i != j {
            // SAFETY: two rows that do not overlap.
            unsafe { std::ptr::swap_nonoverlapping(self.place(i), self.place(j), self.record.width()) }
        }
    }

    fn copy(&self, range: Range<usize>) -> Box<dyn Pack> {
        Box::new(self.part(range))
    }
}

impl PackedElements {
    /// A copy of a range of the elements.
    pub(crate) fn part(&self, range: Range<usize>) -> PackedElements {
        let mut copy = PackedElements::with_capacity(self.record.clone(), range.len());
        let _copy = copy.holding();
        for (to, from) in range.enumerate() {
            self.mark_shared(from);
            let row = self.row(from);
            // SAFETY: the row is within the capacity.
            let row_words = unsafe { std::slice::from_raw_parts_mut(copy.place(to), row.len()) };
            row_words.copy_from_slice(row);
            for &(component, counted) in &self.record.counted {
                // SAFETY: WORD1: the row holds a count.
                row_words[component] = unsafe { values::share(counted, row[component]) };
            }
            copy.set_len(to + 1);
        }
        copy
    }
}

impl Drop for PackedElements {
    fn drop(&mut self) {
        // SAFETY: there is no other reader of the rows.
        unsafe { self.release(0..self.len()) };
        checks::buffer_freed(self.base as usize);
        let words = HEAD + self.capacity() * self.record.width();
        let words = std::ptr::slice_from_raw_parts_mut(self.base, words);
        // SAFETY: the words came from a boxed slice of this length.
        drop(unsafe { Box::from_raw(words) });
    }
}

impl fmt::Debug for PackedElements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rows").field("ty", &self.record.layout.ty).field("len", &self.len()).finish()
    }
}

/// The addresses of the rows of an array, if its elements are packed.
pub(crate) fn places(array: &Array<'_>) -> Option<Range<usize>> {
    array.as_packed::<PackedElements>().map(|(rows, _)| rows.places())
}

/// The array with its elements packed, if they are not scalars and can be packed.
pub(crate) fn packed(array: Arc<Array<'static>>) -> Arc<Array<'static>> {
    if array.rank() != 1 || array.as_packed::<PackedElements>().is_some() {
        return array;
    }
    let elem = array.elem_ty();
    let Some(record) = PackedLayout::of(elem) else { return array };
    if !array.iter().all(|value| values::fits(&record.layout, &value)) {
        return array;
    }
    match PackedElements::of_values(&record, array.iter().collect()) {
        Some(rows) => Arc::new(Array::packed(elem, rows)),
        None => array,
    }
}

#[cfg(test)]
mod tests {
    use overdub_context::ir::{NominalBody, Ty, TyKind};

    use super::*;

    fn pair(k: i64) -> Value<'static> {
        Value::tuple([Value::from(k), Value::floats(vec![k as f64; 3])])
    }

    fn pair_ty() -> Ty {
        Ty::tuple([Ty::i64(), Ty::array(Ty::f64(), 1)])
    }

    #[test]
    fn packed_arrays_are_edited_as_others_are() {
        let boxed = Array::from_values(pair_ty(), (0..10).map(pair)).expect("they are pairs");
        let packed = packed(Arc::new(boxed.clone()));
        let edits: [fn(&mut Array<'static>); 9] = [
            |a| a.push(pair(77)).expect("it is a vector"),
            |a| a.insert(3, pair(99)).expect("it is a vector"),
            |a| assert!(a.remove(2).is_some()),
            |a| assert!(a.pop().is_some()),
            |a| a.swap(0, 4).expect("both are there"),
            |a| a.set(1, pair(5)).expect("it is there"),
            |a| a.truncate(4).expect("it is a vector"),
            |a| a.resize(12, pair(-1)).expect("it is a vector"),
            |a| *a = a.slice(2, 5).expect("it is within"),
        ];
        let (mut a, mut b) = (boxed.clone(), (*packed).clone());
        for edit in edits {
            edit(&mut a);
            edit(&mut b);
            assert!(b.as_packed::<PackedElements>().is_some(), "it stays packed");
            assert!(a.same(&b), "{a:?} became {b:?}");
        }
        b.push(pair(1)).expect("it is a vector");
        assert!(packed.same(&boxed), "whoever shared it keeps his own");
        assert_eq!(b.len(), 4);
    }

    #[test]
    fn what_nests_a_hundred_thousand_deep_is_dropped() {
        use overdub_context::Symbol;
        use overdub_context::ir::{Field, Nominal};
        let nominal = Nominal::shared("NodeForRows", []);
        let node = Ty::new(TyKind::Struct(nominal));
        let field = |name, ty| Field { name: Symbol::new(name), ty };
        nominal.define(NominalBody::Struct(vec![field("x", Ty::f64()), field("next", Ty::array(node, 1))]));
        let mut last = Arc::new(Array::empty(node));
        for _ in 0..100_000 {
            let parts = vec![Value::F64(1.0), Value::Array(last)];
            let composite = overdub_context::value::Composite { ty: Some(node), tag: 0, parts: parts.into() };
            let value = Value::Composite(Arc::new(composite));
            last = packed(Arc::new(Array::from_values(node, [value]).expect("it is a node")));
        }
        assert!(last.as_packed::<PackedElements>().is_some());
    }
}
