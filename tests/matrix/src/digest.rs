//! A digest of what hooks and host methods see, so that two runs can be compared without storing it.

use std::hash::{DefaultHasher, Hash, Hasher};

use overdub_blame::Trace as BlameTrace;
use overdub_context::engine::CallSite;
use overdub_context::value::{Code, Value};
use overdub_count::Counts;
use overdub_memoize::Table;
use overdub_trace::Tree;

/// The number of elements of an array that are hashed; a hook that reads all of them at every call is
/// quadratic.
const ELEMENTS: usize = 8;
/// The number of levels of nesting that are hashed: trees may be deep.
const DEPTH: usize = 6;

/// What was seen: the number of calls, and a hash of all of them in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Observed {
    /// The number of calls.
    pub calls: u64,
    /// The hash of names, values and order.
    pub hash: u64,
}

impl Observed {
    /// Adds a call with its values: arguments or a result.
    pub fn note<'v, 'a: 'v>(&mut self, call: &CallSite, values: impl IntoIterator<Item = &'v Value<'a>>) {
        let mut hasher = DefaultHasher::new();
        (self.hash, call.name()).hash(&mut hasher);
        // The numbers and labels by which programs refer to contexts depend on the order in which the engine
        // met them.
        let is_of_context = call.name().starts_with("cx.");
        for value in values.into_iter().filter(|_| !is_of_context) {
            hash_value(value, DEPTH, &mut hasher);
        }
        self.calls += 1;
        self.hash = hasher.finish();
    }
}

/// Hashes the data of a value; of a NaN only that it is one, of a cell or host value only its kind.
fn hash_value(value: &Value<'_>, depth: usize, hasher: &mut impl Hasher) {
    std::mem::discriminant(value).hash(hasher);
    let Some(depth) = depth.checked_sub(1) else { return };
    match value {
        Value::F64(x) if x.is_nan() => f64::NAN.to_bits().hash(hasher),
        Value::F32(x) if x.is_nan() => f32::NAN.to_bits().hash(hasher),
        Value::Composite(composite) => {
            (composite.tag, composite.parts.len()).hash(hasher);
            composite.parts.iter().for_each(|part| hash_value(part, depth, hasher));
        }
        Value::Array(array) => {
            array.shape().hash(hasher);
            array.iter().take(ELEMENTS).for_each(|elem| hash_value(&elem, depth, hasher));
            array.iter().next_back().iter().for_each(|elem| hash_value(elem, depth, hasher));
        }
        Value::Stack(elems) => {
            elems.len().hash(hasher);
            elems.iter().take(ELEMENTS).for_each(|elem| hash_value(elem, depth, hasher));
        }
        Value::Closure(closure) => {
            matches!(closure.code, Code::Func(_)).hash(hasher);
            closure.captures.len().hash(hasher);
            closure.captures.iter().for_each(|part| hash_value(part, depth, hasher));
        }
        scalar if scalar.is_scalar() => scalar.hash_bits(hasher),
        _ => {}
    }
}

/// The text of metadata in a digest.
pub(crate) trait Digest {
    fn digest(&self) -> String;
}

impl Digest for () {
    fn digest(&self) -> String {
        String::new()
    }
}

impl Digest for Observed {
    fn digest(&self) -> String {
        format!("{} calls, {:016x}", self.calls, self.hash)
    }
}

impl Digest for Counts {
    fn digest(&self) -> String {
        self.to_string()
    }
}

impl Digest for Tree {
    fn digest(&self) -> String {
        self.to_string()
    }
}

impl Digest for Table {
    fn digest(&self) -> String {
        self.len().to_string()
    }
}

impl<A: Digest, B: Digest> Digest for (A, B) {
    fn digest(&self) -> String {
        format!("{} | {}", self.0.digest(), self.1.digest())
    }
}

impl Digest for BlameTrace {
    fn digest(&self) -> String {
        let mut hash = DefaultHasher::new();
        for entry in self.entries() {
            let operands = entry.operands.iter().map(|operand| operand.id);
            // Only that it is a NaN: its bits are not part of a value.
            let value = if entry.value.is_nan() { f64::NAN } else { entry.value };
            (entry.op.name, value.to_bits(), operands.collect::<Vec<_>>()).hash(&mut hash);
        }
        format!("{} entries, {:016x}", self.len(), hash.finish())
    }
}
