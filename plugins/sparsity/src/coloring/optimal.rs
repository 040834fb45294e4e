//! Colorings of columns or rows with the least possible number of colors.
//!
//! Branch and bound in the order of saturation (Brélaz, *New methods to color the vertices of a graph*, 1979;
//! Randall- Brown, *Chromatic scheduling and the chromatic number problem*, 1972): the next vertex is one
//! with the most colors around it, and a new color is tried only while fewer colors are used than in the best
//! coloring so far.

use super::{Coloring, ColoringError, ColoringKind, GreedyColoring, Order};
use crate::SparsityPattern;

/// The greatest number of rows or columns that are searched, limited by the memory for the colors around
/// each.
const MOST: usize = 1024;

/// A coloring of columns or of rows with the least possible number of colors.
///
/// If a greedy coloring has as many colors as the longest row has entries, it is returned at once; otherwise
/// a search of at most `limit` steps is made. The problem is NP-hard (Coleman, Moré, 1983), so the search is
/// for small matrices.
///
/// # Errors
/// If the limit is reached, or there are more than 1024 columns to search; also for other kinds.
///
/// ```
/// use overdub_sparsity::coloring::{ColoringError, ColoringKind, color_optimally};
///
/// let pattern = "[1 1 0; 0 1 1; 1 0 1]".parse()?;
/// assert_eq!(color_optimally(&pattern, ColoringKind::Column, 1000)?.len(), 3);
/// let error = color_optimally(&pattern, ColoringKind::Column, 0).unwrap_err();
/// assert_eq!(error, ColoringError::Limit { limit: 0, least: 2, found: 3 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn color_optimally(
    pattern: &SparsityPattern,
    kind: ColoringKind,
    limit: u64,
) -> Result<Coloring, ColoringError> {
    if !matches!(kind, ColoringKind::Column | ColoringKind::Row) {
        return Err(ColoringError::NotSupported { kind });
    }
    let transposed = pattern.transpose();
    let (vertices, through) =
        if kind == ColoringKind::Column { (&transposed, pattern) } else { (pattern, &transposed) };
    let least = (0..through.rows()).map(|row| through.row(row).len()).max().unwrap_or(0);
    let quick = GreedyColoring::new().color(pattern, kind)?;
    if quick.len() == least {
        return Ok(quick);
    }
    let greedy = GreedyColoring::new().orders(Order::ALL).color(pattern, kind)?;
    if greedy.len() == least {
        return Ok(greedy);
    }
    if vertices.rows() > MOST {
        return Err(ColoringError::Limit { limit, least, found: greedy.len() });
    }
    let mut search = Search::new(vertices, through, least, greedy.len());
    search.run(limit)?;
    Ok(match search.best {
        None => greedy,
        Some(colors) if kind == ColoringKind::Column => Coloring::trusted(kind, colors, Vec::new()),
        Some(colors) => Coloring::trusted(kind, Vec::new(), colors),
    })
}

struct Search {
    neighbors: Vec<Vec<u32>>,
    colors: Vec<u32>,
    /// For each vertex, the number of its neighbors with each color: `width` numbers for a vertex.
    color_counts: Vec<u32>,
    saturation: Vec<u32>,
    least: usize,
    /// The best number of colors so far: only colorings with fewer are searched for.
    count: usize,
    width: usize,
    best: Option<Vec<u32>>,
}

/// A vertex whose possible colors are tried in turn.
struct Branch {
    vertex: usize,
    used: usize,
}

impl Search {
    fn new(vertices: &SparsityPattern, through: &SparsityPattern, least: usize, count: usize) -> Self {
        let neighbors = |vertex: usize| {
            let rows = vertices.row(vertex).iter();
            let mut near: Vec<u32> = rows.flat_map(|&row| through.row(row as usize)).copied().collect();
            near.sort_unstable();
            near.dedup();
            near.retain(|&other| other as usize != vertex);
            near
        };
        let len = vertices.rows();
        Self {
            neighbors: (0..len).map(neighbors).collect(),
            colors: vec![0; len],
            color_counts: vec![0; len * (count + 1)],
            saturation: vec![0; len],
            least,
            count,
            width: count + 1,
            best: None,
        }
    }

    fn run(&mut self, limit: u64) -> Result<(), ColoringError> {
        let mut left = limit;
        let mut branches: Vec<Branch> = self.branch(0).into_iter().collect();
        while let Some(&Branch { vertex, used }) = branches.last() {
            let tried = self.uncolor(vertex);
            // Colors up to the first unused one, if that gives fewer colors than the best coloring has.
            let most = if used < self.count { (used + 1).min(self.count - 1) } else { 0 };
            let next = (tried + 1..=most).find(|&color| self.color_counts[vertex * self.width + color] == 0);
            let Some(color) = next else {
                branches.pop();
                continue;
            };
            let Some(rest) = left.checked_sub(1) else {
                return Err(ColoringError::Limit { limit, least: self.least, found: self.count });
            };
            left = rest;
            self.color(vertex, color);
            let used = used.max(color);
            match self.branch(used) {
                Some(branch) => branches.push(branch),
                None => {
                    (self.best, self.count) = (Some(self.colors.clone()), used);
                    if used == self.least {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// The next vertex: one without a color that has the most colors around it, and among these the most
    /// neighbors.
    fn branch(&self, used: usize) -> Option<Branch> {
        let open = (0..self.colors.len()).filter(|&vertex| self.colors[vertex] == 0);
        let vertex = open.max_by_key(|&vertex| (self.saturation[vertex], self.neighbors[vertex].len()))?;
        Some(Branch { vertex, used })
    }

    fn color(&mut self, vertex: usize, color: usize) {
        self.colors[vertex] = color as u32;
        for &near in &self.neighbors[vertex] {
            let count = &mut self.color_counts[near as usize * self.width + color];
            *count += 1;
            self.saturation[near as usize] += u32::from(*count == 1);
        }
    }

    /// Removes the color of a vertex, and returns it.
    fn uncolor(&mut self, vertex: usize) -> usize {
        let color = std::mem::take(&mut self.colors[vertex]) as usize;
        if color != 0 {
            for &near in &self.neighbors[vertex] {
                let count = &mut self.color_counts[near as usize * self.width + color];
                *count -= 1;
                self.saturation[near as usize] -= u32::from(*count == 0);
            }
        }
        color
    }
}
