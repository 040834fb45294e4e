//! The graphs whose vertices are colored: adjacency of a symmetric matrix, or rows against columns of any
//! other.
//!
//! - GRAPH1 there are no self-loops: entries on the diagonal are not edges.
//! - GRAPH2 the neighbors of a vertex are in increasing order, and each edge is in the lists of both its
//!   ends.
//! - GRAPH3 in the graph of rows and columns, columns come first, and each entry is the edge with the same
//!   number.

use super::{ColoringError, ColoringKind, Vertex};
use crate::SparsityPattern;

/// The graph of a star or acyclic coloring.
pub(super) struct Graph {
    offsets: Vec<usize>,
    neighbors: Vec<u32>,
    edge_of: Vec<u32>,
    edges: Vec<Edge>,
    /// The number of vertices that are columns; the others are rows.
    columns: usize,
}

/// Two vertices, and for each the entry that the product with the other's group holds at its position.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) ends: [u32; 2],
    pub(super) entries: [u32; 2],
}

/// The greatest number of vertices and of edges: colors of rows and columns together, and stamps, fit a
/// `u32`.
const MOST: usize = u32::MAX as usize / 2 - 1;

impl Edge {
    /// The other end of the edge.
    pub(super) fn other(&self, vertex: u32) -> u32 {
        self.ends[usize::from(self.ends[0] == vertex)]
    }
}

impl Graph {
    /// The graph for a star or acyclic kind.
    pub(super) fn new(pattern: &SparsityPattern, kind: ColoringKind) -> Result<Self, ColoringError> {
        let vertices = if kind.is_symmetric() { pattern.rows() } else { pattern.rows() + pattern.cols() };
        let most = MOST;
        for (of, found) in [("rows and columns", vertices), ("entries", pattern.len())] {
            if found > most {
                return Err(ColoringError::TooLarge { kind, of, found, most });
            }
        }
        if kind.is_symmetric() { Self::adjacency(pattern) } else { Ok(Self::bipartite(pattern)) }
    }

    /// The adjacency graph of a symmetric matrix.
    fn adjacency(pattern: &SparsityPattern) -> Result<Self, ColoringError> {
        let (rows, cols) = (pattern.rows(), pattern.cols());
        if rows != cols {
            return Err(ColoringError::NotSquare { rows, cols });
        }
        let mirrors = mirrors(pattern)?;
        let mut graph = Self {
            offsets: vec![0],
            neighbors: Vec::with_capacity(pattern.len()),
            edge_of: Vec::with_capacity(pattern.len()),
            edges: Vec::with_capacity(pattern.len() / 2),
            columns: rows,
        };
        let mut edge_of_entry = vec![0; pattern.len()];
        for row in 0..rows {
            for entry in pattern.row_range(row) {
                let col = pattern.columns()[entry];
                if col as usize == row {
                    continue;
                }
                if col as usize > row {
                    edge_of_entry[mirrors[entry] as usize] = graph.edges.len() as u32;
                    edge_of_entry[entry] = graph.edges.len() as u32;
                    graph
                        .edges
                        .push(Edge { ends: [row as u32, col], entries: [entry as u32, mirrors[entry]] });
                }
                graph.neighbors.push(col);
                graph.edge_of.push(edge_of_entry[entry]);
            }
            graph.offsets.push(graph.neighbors.len());
        }
        Ok(graph)
    }

    /// The bipartite graph of columns and rows, with an edge for each entry.
    fn bipartite(pattern: &SparsityPattern) -> Self {
        let columns = pattern.cols();
        let (transposed, origins) = pattern.transpose_with_origins();
        let to_row = |row: u32| row + columns as u32;
        let entries = transposed.len();
        let row_offsets = pattern.offsets()[1..].iter().map(|offset| offset + entries);
        let edges = pattern.entries().enumerate().map(|(entry, (row, col))| Edge {
            ends: [col as u32, to_row(row as u32)],
            entries: [entry as u32; 2],
        });
        Self {
            offsets: transposed.offsets().iter().copied().chain(row_offsets).collect(),
            neighbors: transposed
                .columns()
                .iter()
                .map(|&row| to_row(row))
                .chain(pattern.columns().iter().copied())
                .collect(),
            edge_of: origins.iter().map(|&entry| entry as u32).chain(0..entries as u32).collect(),
            edges: edges.collect(),
            columns,
        }
    }

    /// The number of vertices.
    pub(super) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The number of vertices that are columns.
    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    pub(super) fn edges(&self) -> &[Edge] {
        &self.edges
    }

    pub(super) fn degree(&self, vertex: u32) -> usize {
        self.range(vertex).len()
    }

    /// The range of a vertex's list among the lists of all vertices; it has as many positions as the vertex
    /// has neighbors.
    pub(super) fn range(&self, vertex: u32) -> std::ops::Range<usize> {
        self.offsets[vertex as usize]..self.offsets[vertex as usize + 1]
    }

    pub(super) fn neighbors(&self, vertex: u32) -> &[u32] {
        &self.neighbors[self.range(vertex)]
    }

    /// The neighbors of a vertex, and the edges to them.
    pub(super) fn incident(&self, vertex: u32) -> impl Iterator<Item = (u32, u32)> + Clone + '_ {
        let range = self.range(vertex);
        let edges = self.edge_of[range.clone()].iter().copied();
        self.neighbors[range].iter().copied().zip(edges)
    }

    /// The first color that a vertex can have, and the distance to the next one.
    ///
    /// A row and a column are never in one group, so their colors differ: odd for columns, even for rows.
    pub(super) fn palette(&self, vertex: u32) -> (u32, u32) {
        match self.name(vertex) {
            Vertex::Column(_) if self.columns == self.len() => (1, 1),
            Vertex::Column(_) => (1, 2),
            Vertex::Row(_) => (2, 2),
        }
    }

    /// An upper bound of the colors.
    pub(super) fn greatest_color(&self) -> usize {
        2 * self.len() + 2
    }

    /// The row or column that a vertex is.
    pub(super) fn name(&self, vertex: u32) -> Vertex {
        match (vertex as usize).checked_sub(self.columns) {
            None => Vertex::Column(vertex as usize),
            Some(row) => Vertex::Row(row),
        }
    }
}

/// For each entry of a square matrix, the entry on the other side of the diagonal.
///
/// Rows are visited in order, so the entries left of the diagonal of a row are reached in order: one position
/// for each row records how far it has been matched.
pub(super) fn mirrors(pattern: &SparsityPattern) -> Result<Vec<u32>, ColoringError> {
    let mut mirrors = vec![u32::MAX; pattern.len()];
    let mut next: Vec<usize> = pattern.offsets().to_vec();
    for row in 0..pattern.rows() {
        for entry in pattern.row_range(row) {
            let col = pattern.columns()[entry] as usize;
            if col < row {
                if mirrors[entry] == u32::MAX {
                    return Err(ColoringError::NotSymmetric { row, col });
                }
                continue;
            }
            let mirror = next[col];
            let is_mirror =
                pattern.row_range(col).contains(&mirror) && pattern.columns()[mirror] as usize == row;
            if !is_mirror {
                return Err(asymmetric(pattern, row, col));
            }
            next[col] += 1;
            (mirrors[entry], mirrors[mirror]) = (mirror as u32, entry as u32);
        }
    }
    Ok(mirrors)
}

/// The entry without a mirror image that prevents `(row, col)` from being matched.
fn asymmetric(pattern: &SparsityPattern, row: usize, col: usize) -> ColoringError {
    if !pattern.contains(col, row) {
        return ColoringError::NotSymmetric { row, col };
    }
    let isolated =
        pattern.row(col).iter().map(|&other| other as usize).find(|&other| !pattern.contains(other, col));
    ColoringError::NotSymmetric { row: col, col: isolated.unwrap_or(row) }
}
