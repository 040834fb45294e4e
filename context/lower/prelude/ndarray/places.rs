//! The positions of elements in logical order, row by row.

/// Whether elements with these strides are in row-major order and contiguous.
pub fn is_standard(lens: &[usize], steps: &[isize]) -> bool {
    if crate::shape::size(lens) == 0 {
        return true;
    }
    let n = lens.len();
    let mut step: isize = 1;
    for back in 0..n {
        let k = n - 1 - back;
        if lens[k] != 1 {
            if steps[k] != step {
                return false;
            }
            step *= lens[k] as isize;
        }
    }
    true
}

#[derive(Clone)]
pub struct Places {
    at: isize,
    step: isize,
    /// The number of elements left in this row, and of rows after it.
    left: usize,
    rows: usize,
    width: usize,
    /// The start of this row, and its index among the rows.
    row: isize,
    index: Vec<usize>,
    lens: Vec<usize>,
    steps: Vec<isize>,
}

pub fn places(first: usize, lens: &[usize], steps: &[isize]) -> Places {
    let n = lens.len();
    let total = crate::shape::size(lens);
    let first = first as isize;
    let whole = n == 0 || is_standard(lens, steps);
    let width = if whole { total } else { lens[n - 1] };
    let step = if whole { 1 } else { steps[n - 1] };
    let rows = if whole || total == 0 { 0 } else { total / width - 1 };
    let index = if rows == 0 { Vec::new() } else { vec![0; n - 1] };
    let left = if total == 0 { 0 } else { width };
    Places { at: first, step, left, rows, width, row: first, index, lens: lens.to_vec(), steps: steps.to_vec() }
}

impl Places {
    pub fn count(&self) -> usize {
        self.left + self.rows * self.width
    }

    pub fn next(&mut self) -> Option<usize> {
        if self.left == 0 {
            if self.rows == 0 {
                return None;
            }
            self.next_row();
        }
        let at = self.at;
        self.at = at.wrapping_add(self.step);
        self.left = self.left.wrapping_sub(1);
        Some(at as usize)
    }

    /// The last position, if there is a single row.
    pub fn next_back(&mut self) -> Option<usize> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        Some((self.at + self.left as isize * self.step) as usize)
    }

    fn next_row(&mut self) {
        self.rows -= 1;
        let mut k = self.index.len();
        while k > 0 {
            k -= 1;
            self.index[k] += 1;
            self.row += self.steps[k];
            if self.index[k] < self.lens[k] {
                break;
            }
            self.row -= self.steps[k] * self.lens[k] as isize;
            self.index[k] = 0;
        }
        self.at = self.row;
        self.left = self.width;
    }
}

/// Advances to the next index in logical order; `false` after the last one.
pub fn advance(index: &mut Vec<usize>, lens: &[usize]) -> bool {
    let mut k = lens.len();
    while k > 0 {
        k -= 1;
        index[k] += 1;
        if index[k] < lens[k] {
            return true;
        }
        index[k] = 0;
    }
    false
}
