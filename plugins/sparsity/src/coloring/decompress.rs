//! Values of entries from compressed matrices.
//!
//! - RECOVER1 the source of each entry is less than the number of compressed values, and what steps name is less than the
//!   number of entries.
//! - RECOVER2 what a step subtracts is final when the step is taken.

use super::analysis::Analysis;
use super::check::analysis;
use super::compress::compressed_len;
use super::{Coloring, ColoringKind, DecompressionError, InvalidColoring, Vertex};
use crate::SparsityPattern;

/// How the entries of a pattern are recovered from products, computed once for all matrices of the pattern.
///
/// Each entry is read from the compressed matrix. For acyclic kinds some are then corrected, from the leaves of
/// two-colored trees to their roots, by what was found before (Gebremedhin, Pothen, Tarafdar, Walther, *Efficient
/// computation of sparse Hessians using coloring and automatic differentiation*, 2009). Sums are not exact for
/// arbitrary numbers, so that corrected entries carry the rounding of those before them.
///
/// ```
/// use overdub_sparsity::coloring::{ColoringKind, Decompression, GreedyColoring, Order, compress};
///
/// let pattern = "[1 1 0 0; 1 1 1 0; 0 1 1 1; 0 0 1 1]".parse()?;
/// let coloring = GreedyColoring::new().color(&pattern, ColoringKind::Acyclic)?;
/// assert_eq!(coloring.len(), 2);
///
/// let hessian = [2.0, -1.0, -1.0, 3.0, 5.0, 5.0, 7.0, 4.0, 4.0, 1.0];
/// let compressed = compress(&pattern, &coloring, &hessian)?;
/// let mut recovered = [0.0; 10];
/// Decompression::prepare(&pattern, &coloring)?.decompress(&compressed, &mut recovered)?;
/// assert_eq!(recovered, hessian);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Decompression {
    compressed_len: usize,
    /// For each entry the compressed value that it is read from.
    sources: Vec<usize>,
    steps: Vec<Step>,
    subtracted: Vec<u32>,
}

/// A correction of what was read.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The entry and its mirror image, or twice the entry.
    entries: [u32; 2],
    /// Where the entries that are subtracted end; they begin where those of the step before end.
    end: usize,
}

impl Decompression {
    /// Plans how a coloring recovers the entries of a pattern.
    ///
    /// # Errors
    /// Where it does not: what [`check_coloring`](super::check_coloring) says.
    ///
    /// ```
    /// use overdub_sparsity::coloring::{Coloring, ColoringKind, Decompression};
    ///
    /// let coloring = Coloring::new(ColoringKind::Column, vec![1, 1], vec![])?;
    /// assert!(Decompression::prepare(&"[1 0; 0 1]".parse()?, &coloring).is_ok());
    /// assert!(Decompression::prepare(&"[1 1; 0 1]".parse()?, &coloring).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prepare(pattern: &SparsityPattern, coloring: &Coloring) -> Result<Self, InvalidColoring> {
        let analysis = analysis(pattern, coloring)?;
        let places = Places { pattern, coloring };
        let mut plan = Self {
            compressed_len: compressed_len(pattern, coloring),
            sources: pattern.entries().map(|(row, col)| places.of_entry(row, col)).collect(),
            steps: Vec::new(),
            subtracted: Vec::new(),
        };
        if let Some(analysis) = &analysis {
            plan.read_edges(analysis, &places);
            plan.correct_edges(analysis, &places);
        }
        Ok(plan)
    }

    /// The number of values of a compressed matrix: those of all products, one after another.
    ///
    /// ```
    /// use overdub_sparsity::coloring::{Coloring, ColoringKind, Decompression};
    ///
    /// let coloring = Coloring::new(ColoringKind::Column, vec![1, 1, 2], vec![])?;
    /// let plan = Decompression::prepare(&"[1 0 1; 0 1 0]".parse()?, &coloring)?;
    /// assert_eq!(plan.compressed_len(), 2 * 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn compressed_len(&self) -> usize {
        self.compressed_len
    }

    /// The values of a pattern's entries from a compressed matrix, laid out as by [`compress`](super::compress).
    /// Nothing is allocated.
    ///
    /// # Errors
    /// Where a slice is not of the length it ought to have.
    ///
    /// ```
    /// use overdub_sparsity::coloring::{Coloring, ColoringKind, Decompression};
    ///
    /// let coloring = Coloring::new(ColoringKind::Column, vec![1, 1, 2], vec![])?;
    /// let plan = Decompression::prepare(&"[1 0 2; 0 3 4; 5 0 0]".parse()?, &coloring)?;
    /// let mut values = [0.0; 5];
    /// plan.decompress(&[1.0, 3.0, 5.0, 2.0, 4.0, 0.0], &mut values)?;
    /// assert_eq!(values, [1.0, 2.0, 3.0, 4.0, 5.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decompress(&self, compressed: &[f64], values: &mut [f64]) -> Result<(), DecompressionError> {
        let lengths = [
            ("compressed", compressed.len(), self.compressed_len),
            ("entries'", values.len(), self.sources.len()),
        ];
        for (of, found, expected) in lengths {
            if found != expected {
                return Err(DecompressionError::Length { of, found, expected });
            }
        }
        for (value, &source) in values.iter_mut().zip(&self.sources) {
            *value = compressed[source];
        }
        let mut start = 0;
        for step in &self.steps {
            let found = self.subtracted[start..step.end].iter().map(|&entry| values[entry as usize]);
            let value = values[step.entries[0] as usize] - found.sum::<f64>();
            step.entries.iter().for_each(|&entry| values[entry as usize] = value);
            start = step.end;
        }
        Ok(())
    }

    /// Reads each edge at an end where it is alone.
    fn read_edges(&mut self, analysis: &Analysis, places: &Places<'_>) {
        for (edge, alone) in analysis.graph.edges().iter().zip(&analysis.alone) {
            let Some(side) = alone.iter().position(|&alone| alone) else { continue };
            let source = places.of_edge(analysis, edge.ends[side], edge.ends[1 - side]);
            edge.entries.iter().for_each(|&entry| self.sources[entry as usize] = source);
        }
    }

    /// Reads the edges of two-colored trees at their leaves, and corrects those at leaves that once were none.
    fn correct_edges(&mut self, analysis: &Analysis, places: &Places<'_>) {
        for (step, subtracted) in analysis.steps.iter().flat_map(|steps| steps.iter()) {
            let edge = analysis.graph.edges()[step.edge as usize];
            let source = places.of_edge(analysis, step.leaf, edge.other(step.leaf));
            edge.entries.iter().for_each(|&entry| self.sources[entry as usize] = source);
            if !subtracted.is_empty() {
                let entries = subtracted.iter().map(|&edge| analysis.graph.edges()[edge as usize].entries[0]);
                self.subtracted.extend(entries);
                self.steps.push(Step { entries: edge.entries, end: self.subtracted.len() });
            }
        }
    }
}

/// Where products are in a compressed matrix.
struct Places<'a> {
    pattern: &'a SparsityPattern,
    coloring: &'a Coloring,
}

impl Places<'_> {
    /// The place of an entry in the product with its column, or where columns have no colors, its row. For graphs this is
    /// final on the diagonal alone.
    fn of_entry(&self, row: usize, col: usize) -> usize {
        match self.coloring.kind() {
            ColoringKind::Row => self.by_row(row, col),
            _ => self.by_column(row, col),
        }
    }

    /// The place of an edge in the product at one of its ends with the group of the other.
    fn of_edge(&self, analysis: &Analysis, at: u32, of: u32) -> usize {
        match (analysis.graph.name(at), analysis.graph.name(of)) {
            (Vertex::Row(row) | Vertex::Column(row), Vertex::Column(col)) => self.by_column(row, col),
            (Vertex::Column(col) | Vertex::Row(col), Vertex::Row(row)) => self.by_row(row, col),
        }
    }

    fn by_column(&self, row: usize, col: usize) -> usize {
        (self.coloring.column_colors()[col] as usize).saturating_sub(1) * self.pattern.rows() + row
    }

    fn by_row(&self, row: usize, col: usize) -> usize {
        let before = self.coloring.column_count() * self.pattern.rows();
        before + (self.coloring.row_colors()[row] as usize).saturating_sub(1) * self.pattern.cols() + col
    }
}
