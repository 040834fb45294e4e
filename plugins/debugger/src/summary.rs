//! Short summaries of arrays of numbers: shape, range, mean, non-finite elements; and a histogram.

use std::fmt;

use overdub_context::ir::Ty;
use overdub_context::value::Value;

/// The summary of an array of numbers.
///
/// ```
/// use overdub_context::value::Value;
/// use overdub_debugger::Summary;
/// let array = Value::floats(vec![1.0, f64::NAN, 4.0]);
/// let summary = Summary::of(&array).unwrap();
/// assert_eq!((summary.min, summary.mean, summary.nans), (1.0, 2.5, 1));
/// assert_eq!(summary.to_string(), "[f64; 3] from 1.0 to 4.0, mean 2.5, 1 NaN");
/// assert!(Summary::of(&Value::F64(1.0)).is_none());
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// The number of elements along each axis.
    pub shape: Vec<usize>,
    /// The type of an element.
    pub elem: Ty,
    /// The least finite element; infinite if there is none.
    pub min: f64,
    /// The greatest finite element; infinite if there is none.
    pub max: f64,
    /// The mean of the finite elements; NaN if there is none.
    pub mean: f64,
    /// The number of elements that are NaN.
    pub nans: usize,
    /// The number of elements that are infinite.
    pub infinities: usize,
}

impl Summary {
    /// The summary of an array of numbers; `None` for any other value.
    pub fn of(value: &Value<'_>) -> Option<Summary> {
        let Numbers { shape, elem, numbers } = Numbers::of(value)?;
        let finite = || numbers.iter().copied().filter(|x| x.is_finite());
        let count = finite().count();
        // Elements are divided first: the sum of large numbers may not be finite.
        let mean = if count == 0 { f64::NAN } else { finite().map(|x| x / count as f64).sum() };
        Some(Summary {
            shape,
            elem,
            min: finite().fold(f64::INFINITY, f64::min),
            max: finite().fold(f64::NEG_INFINITY, f64::max),
            mean,
            nans: numbers.iter().filter(|x| x.is_nan()).count(),
            infinities: numbers.iter().filter(|x| x.is_infinite()).count(),
        })
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape: Vec<String> = self.shape.iter().map(usize::to_string).collect();
        write!(f, "[{}; {}]", self.elem, shape.join("×"))?;
        let separator = |is_first: bool| if is_first { " " } else { ", " };
        if self.min <= self.max {
            write!(f, " from {:?} to {:?}, mean {:?}", self.min, self.max, self.mean)?;
        }
        if self.nans > 0 {
            write!(f, "{}{} NaN", separator(self.min > self.max), self.nans)?;
        }
        if self.infinities > 0 {
            let is_first = self.min > self.max && self.nans == 0;
            write!(f, "{}{} infinite", separator(is_first), self.infinities)?;
        }
        Ok(())
    }
}

/// The number of finite elements of an array in each of several ranges of equal width.
///
/// ```
/// use overdub_context::value::Value;
/// use overdub_debugger::Histogram;
/// let array = Value::floats(vec![0.0, 0.5, 1.0, 4.0]);
/// let histogram = Histogram::of(&array, 4).unwrap();
/// assert_eq!(histogram.counts, [2, 1, 0, 1]);
/// assert_eq!(histogram.to_string(), "0.0 █▄▁▄ 4.0, 4 numbers");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Histogram {
    /// The start of the first range.
    pub min: f64,
    /// The end of the last range, which is inclusive.
    pub max: f64,
    /// The number of elements in each range.
    pub counts: Vec<usize>,
}

impl Histogram {
    /// The histogram of an array that holds a finite number, with this number of ranges, at least 1.
    pub fn of(value: &Value<'_>, ranges: usize) -> Option<Histogram> {
        let Summary { min, max, .. } = Summary::of(value)?;
        let Numbers { numbers, .. } = Numbers::of(value)?;
        if min > max {
            return None;
        }
        let mut counts = vec![0; ranges.max(1)];
        let last = counts.len() - 1;
        // Halved first, so that the width is finite.
        let width = max / 2.0 - min / 2.0;
        for x in numbers.into_iter().filter(|x| x.is_finite()) {
            let part = if width > 0.0 { (x / 2.0 - min / 2.0) / width } else { 0.0 };
            counts[((part * (last + 1) as f64) as usize).min(last)] += 1;
        }
        Some(Histogram { min, max, counts })
    }
}

impl fmt::Display for Histogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
        let most = self.counts.iter().copied().max().unwrap_or(0).max(1);
        write!(f, "{:?} ", self.min)?;
        for count in &self.counts {
            // An empty range has the lowest bar, any other range a higher one.
            let bar = if *count == 0 { 0 } else { (count * 8 / most).clamp(2, 8) - 1 };
            write!(f, "{}", BARS[bar])?;
        }
        write!(f, " {:?}, {} numbers", self.max, self.counts.iter().sum::<usize>())
    }
}

/// The elements of an array of numbers.
struct Numbers {
    shape: Vec<usize>,
    elem: Ty,
    numbers: Vec<f64>,
}

impl Numbers {
    fn of(value: &Value<'_>) -> Option<Numbers> {
        let number = |value: &Value<'_>| value.as_f64().or_else(|| Some(value.as_int()?.1 as f64));
        match value {
            Value::Array(array) => {
                let numbers = array.iter().map(|elem| number(&elem)).collect::<Option<Vec<f64>>>()?;
                Some(Numbers { shape: array.shape().to_vec(), elem: array.elem_ty(), numbers })
            }
            Value::Ref(reference) => Numbers::of(&reference.get().ok()?),
            _ => None,
        }
    }
}
