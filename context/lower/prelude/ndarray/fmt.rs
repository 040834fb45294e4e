//! Arrays as text, in the format of ndarray: the middle of long arrays is omitted.

use crate::dim::*;
use crate::{ArrayBase, ArrayView, Data};
use std::fmt;

/// The number of elements shown along an axis; axes are counted from the last one.
fn limit(elems: usize, from_last: usize, f: &fmt::Formatter<'_>) -> usize {
    if elems < 500 || f.alternate() {
        return usize::MAX;
    }
    match from_last {
        0 | 1 => 11,
        _ => 6,
    }
}

fn written<A, F: Fn(&A, &mut fmt::Formatter<'_>) -> fmt::Result>(
    view: ArrayView<'_, A, IxDyn>,
    f: &mut fmt::Formatter<'_>,
    depth: usize,
    elems: usize,
    write: &F,
) -> fmt::Result {
    let n = view.lens.len();
    if view.is_empty() {
        return write!(f, "{}{}", "[".repeat(n), "]".repeat(n));
    }
    if n == 0 {
        return write(&view.data.elems[view.first], f);
    }
    let (len, most) = (view.lens[0], limit(elems, n - 1, f));
    let separator =
        if n == 1 { ", ".to_string() } else { format!(",\n{}{}", "\n".repeat(n - 2), " ".repeat(depth + 1)) };
    f.write_str("[")?;
    for i in 0..len {
        let hidden = len > most && i >= most / 2 && i < len - most / 2;
        if hidden && i > most / 2 {
            continue;
        }
        if i > 0 {
            f.write_str(&separator)?;
        }
        if hidden {
            f.write_str("...")?;
        } else if n == 1 {
            write(&view.data.elems[(view.first as isize + i as isize * view.steps[0]) as usize], f)?;
        } else {
            written(view.index_axis(Axis(0), i), f, depth + 1, elems, write)?;
        }
    }
    f.write_str("]")
}

macro_rules! formats {
    ($($Trait:ident)*) => {$(
        impl<A: fmt::$Trait, S: Data<Elem = A>, D: Dimension> fmt::$Trait for ArrayBase<S, D> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let elems = self.len();
                written(self.view().into_dyn(), f, 0, elems, &|x: &A, f: &mut fmt::Formatter<'_>| x.fmt(f))
            }
        }
    )*};
}

formats! { Display LowerExp UpperExp LowerHex Binary }

impl<A: fmt::Debug, S: Data<Elem = A>, D: Dimension> fmt::Debug for ArrayBase<S, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let elems = self.len();
        written(self.view().into_dyn(), f, 0, elems, &|x: &A, f: &mut fmt::Formatter<'_>| x.fmt(f))?;
        let view = self.view();
        write!(f, ", shape={:?}, strides={:?}, layout=", view.lens, view.steps)?;
        layout(&view.lens, &view.steps, f)?;
        match D::NDIM {
            Some(n) => write!(f, ", const ndim={}", n),
            None => write!(f, ", dynamic ndim={}", view.lens.len()),
        }
    }
}

/// The memory layouts of the elements: C, F, and contiguous along the last or the first axis (c, f).
fn layout(lens: &[usize], steps: &[isize], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let n = lens.len();
    let (back_lens, back_steps): (Vec<usize>, Vec<isize>) =
        (lens.iter().rev().copied().collect(), steps.iter().rev().copied().collect());
    let c = crate::places::is_standard(lens, steps);
    let turned = crate::places::is_standard(&back_lens, &back_steps);
    let bits: u32 = if n <= 1 {
        if c { 15 } else { 0 }
    } else if c {
        if turned || lens.iter().filter(|len| **len > 1).count() <= 1 { 15 } else { 5 }
    } else if turned {
        10
    } else if lens[n - 1] == 1 || steps[n - 1] == 1 {
        4
    } else if lens[0] == 1 || steps[0] == 1 {
        8
    } else {
        0
    };
    if bits == 0 {
        f.write_str("Custom")?;
    } else {
        for (bit, name) in [(1, "C"), (2, "F"), (4, "c"), (8, "f")] {
            if bits & bit != 0 {
                f.write_str(name)?;
            }
        }
    }
    write!(f, " (0x{:x})", bits)
}
