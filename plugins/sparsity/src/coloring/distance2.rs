//! Greedy partial distance-2 coloring of columns or rows.
//!
//! Algorithm 3.2 of Gebremedhin, Manne, Pothen, *What color is your Jacobian?*, SIAM Review 47, 2005; columns of one
//! color have no row in common (Curtis, Powell, Reid, *On the estimation of sparse Jacobian matrices*, 1974).
//!
//! - DIST1 in each row, all colors up to its prefix are used, and its list holds those beyond, each once.
//!
//! The prefix makes a dense row cheap: its colors are mostly the first ones, which need not be visited again
//! for each of its columns.

use super::color_lists::Forbidden;
use crate::SparsityPattern;

/// Colors the rows of a pattern in the given order, such that those of one color have no column in common.
/// `transposed` is the transpose of the pattern.
pub(super) fn partial_distance2_coloring(
    pattern: &SparsityPattern,
    transposed: &SparsityPattern,
    order: &[u32],
) -> Vec<u32> {
    let mut colors = vec![0; pattern.rows()];
    let mut used = UsedColors {
        prefixes: vec![0; pattern.cols()],
        lens: vec![0; pattern.cols()],
        colors: vec![0; pattern.len()],
        offsets: transposed.offsets(),
    };
    let mut forbidden = Forbidden::new(pattern.rows() + 1);
    for &vertex in order {
        let through = pattern.row(vertex as usize);
        let mut color = 1;
        for &near in through {
            color = color.max(used.prefixes[near as usize] + 1);
            used.of(near).iter().for_each(|&color| forbidden.forbid(vertex, color));
        }
        while forbidden.is_forbidden(vertex, color) {
            color += 1;
        }
        colors[vertex as usize] = color;
        through.iter().for_each(|&near| used.take(near, color));
    }
    colors
}

/// The colors that are used in each row.
struct UsedColors<'a> {
    prefixes: Vec<u32>,
    lens: Vec<u32>,
    colors: Vec<u32>,
    offsets: &'a [usize],
}

impl UsedColors<'_> {
    fn of(&mut self, row: u32) -> &mut [u32] {
        let start = self.offsets[row as usize];
        &mut self.colors[start..start + self.lens[row as usize] as usize]
    }

    fn take(&mut self, row: u32, color: u32) {
        if self.prefixes[row as usize] + 1 != color {
            self.lens[row as usize] += 1;
            if let Some(last) = self.of(row).last_mut() {
                *last = color;
            }
            return;
        }
        let mut prefix = color;
        while let Some(at) = self.of(row).iter().position(|&color| color == prefix + 1) {
            let last = self.lens[row as usize] as usize - 1;
            self.of(row).swap(at, last);
            self.lens[row as usize] -= 1;
            prefix += 1;
        }
        self.prefixes[row as usize] = prefix;
    }
}
