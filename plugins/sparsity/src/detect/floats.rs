//! Floats that depend on inputs, encoded as floats: their bits are those of a NaN that no computation
//! produces.
//!
//! An array of such floats is therefore an ordinary array, and every operation that only moves values moves
//! them.
//!
//! - FLOATS1 an `f64` whose upper 14 bits are set, and an `f32` whose upper 11 bits are, is the index of an
//!   entry of the table; a NaN of the program with such bits is replaced by the ordinary NaN.

use hashbrown::HashMap;
use overdub_context::Span;
use overdub_context::value::Value;

use super::sets::Dep;

const TAG64: u64 = 0xFFFC_0000_0000_0000;
const TAG32: u32 = 0xFFE0_0000;

/// The greatest number of different `f32` that depend on inputs.
pub(crate) const MAX_F32: usize = 1 << 21;

/// Whether floats that depend on inputs have known values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Knowledge {
    /// For every input: the values are not known.
    Global,
    /// For one input: the values are known.
    Local,
}

/// A float: what it depends on, and its value if that is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Float {
    pub(crate) dep: Dep,
    pub(crate) value: Option<f64>,
}

impl Float {
    /// A float that depends on no input.
    pub(crate) fn constant(value: f64) -> Float {
        Float { dep: Dep::default(), value: Some(value) }
    }
}

/// The source locations of entries.
struct Origins {
    current: Span,
    all: Vec<Span>,
}

/// The floats of an analysis that depend on inputs.
#[derive(Default)]
pub(crate) struct Floats {
    deps: Vec<Dep>,
    /// The values, if they are known.
    values: Vec<f64>,
    /// The entries of `f32`, by what they depend on and their values; their indices are scarce.
    singles: Vec<Float>,
    known_singles: HashMap<(Dep, Option<u32>), u32>,
    /// The source location of each `f64` entry, if requested.
    origins: Option<Origins>,
}

pub(crate) fn is_entry64(x: f64) -> bool {
    x.to_bits() & TAG64 == TAG64
}

pub(crate) fn is_entry32(x: f32) -> bool {
    x.to_bits() & TAG32 == TAG32
}

/// Whether a value is a float that depends on inputs or is not known.
pub(crate) fn is_entry(value: &Value<'_>) -> bool {
    match value {
        Value::F64(x) => is_entry64(*x),
        Value::F32(x) => is_entry32(*x),
        _ => false,
    }
}

impl Floats {
    /// Records the source locations of entries from here on.
    pub(crate) fn record_origins(&mut self) {
        self.origins =
            Some(Origins { current: Span::unknown(), all: vec![Span::unknown(); self.deps.len()] });
    }

    /// Sets the source location of new entries.
    #[inline]
    pub(crate) fn at(&mut self, span: Span) {
        if let Some(origins) = &mut self.origins {
            origins.current = span;
        }
    }

    /// The source location of an entry; unknown for an input, and if locations are not recorded.
    pub(crate) fn origin(&self, value: &Value<'_>) -> Span {
        match (value, &self.origins) {
            (Value::F64(x), Some(origins)) if is_entry64(*x) => {
                let at = (x.to_bits() & !TAG64) as usize;
                origins.all.get(at).copied().unwrap_or(Span::unknown())
            }
            _ => Span::unknown(),
        }
    }

    /// What entries depend on and their source locations, in the order of creation.
    pub(crate) fn origins(&self) -> Vec<(Dep, Span)> {
        let all = self.origins.as_ref().map(|origins| origins.all.as_slice()).unwrap_or_default();
        self.deps.iter().copied().zip(all.iter().copied()).collect()
    }

    /// The number of entries.
    pub(crate) fn len(&self) -> usize {
        self.deps.len()
    }

    /// The float that a value of the analysed program stands for.
    #[inline]
    pub(crate) fn get(&self, value: &Value<'_>) -> Option<Float> {
        match value {
            Value::F64(x) => Some(self.get64(*x)),
            Value::F32(x) if is_entry32(*x) => self.singles.get((x.to_bits() & !TAG32) as usize).copied(),
            Value::F32(x) => Some(Float::constant(f64::from(*x))),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn get64(&self, x: f64) -> Float {
        if !is_entry64(x) {
            return Float::constant(x);
        }
        let at = (x.to_bits() & !TAG64) as usize;
        let value = self.values.get(at).copied().filter(|value| !is_entry64(*value));
        let dep = self.deps.get(at).copied().unwrap_or_default();
        Float { dep, value }
    }

    /// The `f64` that stands for this float.
    #[inline]
    pub(crate) fn put64(&mut self, float: Float, scope: Knowledge) -> f64 {
        match float.value {
            Some(x) if float.dep == Dep::default() => return ordinary64(x),
            Some(x) if scope == Knowledge::Local => self.values.push(ordinary64(x)),
            // An unknown value is marked by bits that no float has.
            None if scope == Knowledge::Local => self.values.push(f64::from_bits(TAG64)),
            Some(_) | None => {}
        }
        self.deps.push(float.dep);
        if let Some(origins) = &mut self.origins {
            origins.all.push(origins.current);
        }
        f64::from_bits(TAG64 | (self.deps.len() - 1) as u64)
    }

    /// The `f32` that stands for this float; `None` if there are too many.
    pub(crate) fn put32(&mut self, float: Float) -> Option<f32> {
        if let Some(x) = float.value.filter(|_| float.dep == Dep::default()) {
            return Some(ordinary32(x as f32));
        }
        let key = (float.dep, float.value.map(|x| (x as f32).to_bits()));
        let next = self.singles.len();
        let at = *self.known_singles.entry(key).or_insert(next as u32);
        if at as usize == next {
            if next >= MAX_F32 {
                return None;
            }
            self.singles.push(float);
        }
        Some(f32::from_bits(TAG32 | at))
    }
}

/// Replaces a NaN that looks like an entry (FLOATS1).
pub(crate) fn ordinary64(x: f64) -> f64 {
    if is_entry64(x) { f64::NAN } else { x }
}

/// Replaces a NaN that looks like an entry (FLOATS1).
pub(crate) fn ordinary32(x: f32) -> f32 {
    if is_entry32(x) { f32::NAN } else { x }
}
