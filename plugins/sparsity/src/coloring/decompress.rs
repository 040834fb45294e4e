//! Recovers the values of entries from compressed matrices.
//!
//! - RECOVER1 the source of each entry is less than the number of compressed values, and the entries that
//!   steps name are less than the number of entries.
//! - RECOVER2 the values that a step subtracts are final when the step is executed.

use super::analysis::Analysis;
use super::check::analysis;
use super::compress::compressed_len;
use super::{Coloring, ColoringKind, DecompressionError, InvalidColoring, Vertex};
use crate::SparsityPattern;

/// How the entries of a pattern are recovered from products, computed once for all matrices of the pattern.
///
/// Each entry is read from the compressed matrix. For acyclic kinds some are then corrected, from the leaves
/// of two-colored trees to their roots, by entries recovered before (Gebremedhin, Pothen, Tarafdar, Walther,
/// *Efficient computation of sparse Hessians using coloring and automatic differentiation*, 2009). The sums
/// are rounded, so corrected entries accumulate the rounding errors of those before them.
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
    /// For each entry, the compressed value that it is read from.
    sources: Vec<usize>,
    steps: Vec<Correction>,
    subtracted: Vec<u32>,
}

/// A correction of an entry that was read.
#[derive(Clone, Copy, Debug)]
struct Correction {
    /// The entry and its mirror image, or the same entry twice.
    entries: [u32; 2],
    /// The end of the entries that are subtracted; they begin where those of the previous step end.
    end: usize,
}

impl Decompression {
    /// Plans how a coloring recovers the entries of a pattern.
    ///
    /// # Errors
    /// If it does not recover them: the reason given by [`check_coloring`](super::check_coloring).
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

    /// The number of values of a compressed matrix, over all products.
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

    /// For each entry, the position of its value in a compressed matrix; none if entries are corrected by others, as those of
    /// acyclic kinds may be.
    ///
    /// ```
    /// use overdub_sparsity::coloring::{Coloring, ColoringKind, Decompression};
    ///
    /// let coloring = Coloring::new(ColoringKind::Column, vec![1, 1, 2], vec![])?;
    /// let plan = Decompression::prepare(&"[1 0 1; 0 1 0]".parse()?, &coloring)?;
    /// assert_eq!(plan.sources(), Some(&[0, 2, 1][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn sources(&self) -> Option<&[usize]> {
        self.steps.is_empty().then_some(&self.sources)
    }

    /// Computes the values of a pattern's entries from a compressed matrix, laid out as by
    /// [`compress`](super::compress). It does not allocate.
    ///
    /// # Errors
    /// If a slice has the wrong length.
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
        for (edge, only) in analysis.graph.edges().iter().zip(&analysis.only_neighbor) {
            let Some(side) = only.iter().position(|&only| only) else { continue };
            let source = places.of_edge(analysis, edge.ends[side], edge.ends[1 - side]);
            edge.entries.iter().for_each(|&entry| self.sources[entry as usize] = source);
        }
    }

    /// Reads the edges of two-colored trees at their leaves; those at vertices that became leaves later are
    /// corrected.
    fn correct_edges(&mut self, analysis: &Analysis, places: &Places<'_>) {
        for (step, subtracted) in analysis.steps.iter().flat_map(|steps| steps.iter()) {
            let edge = analysis.graph.edges()[step.edge as usize];
            let source = places.of_edge(analysis, step.leaf, edge.other(step.leaf));
            edge.entries.iter().for_each(|&entry| self.sources[entry as usize] = source);
            if !subtracted.is_empty() {
                let entries = subtracted.iter().map(|&edge| analysis.graph.edges()[edge as usize].entries[0]);
                self.subtracted.extend(entries);
                self.steps.push(Correction { entries: edge.entries, end: self.subtracted.len() });
            }
        }
    }
}

/// The positions of products in a compressed matrix.
struct Places<'a> {
    pattern: &'a SparsityPattern,
    coloring: &'a Coloring,
}

impl Places<'_> {
    /// The position of an entry in the product with its column, or with its row if columns have no colors.
    /// For graphs this is final only on the diagonal.
    fn of_entry(&self, row: usize, col: usize) -> usize {
        match self.coloring.kind() {
            ColoringKind::Row => self.by_row(row, col),
            _ => self.by_column(row, col),
        }
    }

    /// The position of an edge in the product with the group of the end `of`, at the end `at`.
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
