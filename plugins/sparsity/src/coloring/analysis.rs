//! How a coloring of a graph recovers every entry: computed once, for checking and for decompression.

use super::graph::{Edge, Graph};
use super::recovery::only_neighbors;
use super::trees::{RecoveryOrder, two_colored_trees};
use super::{Coloring, ColoringKind, InvalidColoring, Vertex};
use crate::SparsityPattern;

/// A valid coloring of a graph, and how entries are recovered with it.
pub(super) struct Analysis {
    pub(super) graph: Graph,
    /// The colors of the vertices; rows and columns never share a color.
    pub(super) colors: Vec<u32>,
    pub(super) only_neighbor: Vec<[bool; 2]>,
    /// For acyclic kinds, the order of substitution.
    pub(super) steps: Option<RecoveryOrder>,
}

impl Analysis {
    /// Analyses a star or acyclic coloring of the right lengths.
    pub(super) fn new(pattern: &SparsityPattern, coloring: &Coloring) -> Result<Self, InvalidColoring> {
        let kind = coloring.kind();
        let graph = Graph::new(pattern, kind)?;
        let colors = joint_colors(coloring);
        let only_neighbor = only_neighbors(&graph, &colors);
        let mut analysis = Self { graph, colors, only_neighbor, steps: None };
        if kind.is_symmetric() {
            analysis.check_diagonal(pattern)?;
        }
        for (number, edge) in analysis.graph.edges().iter().enumerate() {
            analysis.check_edge(edge, analysis.only_neighbor[number], pattern)?;
        }
        if kind.substitutes() {
            let steps = two_colored_trees(&analysis.graph, &analysis.colors).map_err(|cycle| {
                let cycle = cycle.iter().map(|&vertex| analysis.graph.name(vertex)).collect();
                InvalidColoring::TwoColoredCycle { cycle }
            })?;
            analysis.steps = Some(steps);
        } else {
            analysis.check_paths()?;
        }
        Ok(analysis)
    }

    fn color(&self, vertex: u32) -> u32 {
        self.colors[vertex as usize]
    }

    /// Checks that each entry on the diagonal is in some product: only that of its own column contains it.
    fn check_diagonal(&self, pattern: &SparsityPattern) -> Result<(), InvalidColoring> {
        let lost = (0..pattern.rows()).find(|&row| self.colors[row] == 0 && pattern.contains(row, row));
        lost.map_or(Ok(()), |row| Err(InvalidColoring::NotCovered { row, col: row }))
    }

    /// Checks that the ends of an edge have different colors, and that if one end is neutral, the other is
    /// alone there.
    fn check_edge(
        &self,
        edge: &Edge,
        only: [bool; 2],
        pattern: &SparsityPattern,
    ) -> Result<(), InvalidColoring> {
        match edge.ends.map(|end| self.color(end)) {
            [0, 0] => {
                let (row, col) = self.place(edge, pattern);
                Err(InvalidColoring::NotCovered { row, col })
            }
            [0, _] if !only[0] => Err(self.shared(edge.ends[0], edge.ends[1])),
            [_, 0] if !only[1] => Err(self.shared(edge.ends[1], edge.ends[0])),
            [a, b] if a == b => {
                let columns = edge.ends.map(|end| end as usize);
                Err(InvalidColoring::Adjacent { columns, color: a as usize })
            }
            _ => Ok(()),
        }
    }

    /// Checks that no path of four vertices has two colors: its middle edge would be alone at neither end.
    fn check_paths(&self) -> Result<(), InvalidColoring> {
        let is_colored = |edge: &Edge| edge.ends.iter().all(|&end| self.color(end) != 0);
        let lost = self.graph.edges().iter().zip(&self.only_neighbor);
        let Some((edge, _)) = lost.into_iter().find(|(edge, only)| is_colored(edge) && **only == [false; 2])
        else {
            return Ok(());
        };
        let [a, b] = edge.ends;
        let path = [self.twin(a, b), a, b, self.twin(b, a)].map(|vertex| self.graph.name(vertex));
        Err(InvalidColoring::TwoColoredPath { path })
    }

    /// The fault of two neighbors of a neutral vertex that share a color.
    fn shared(&self, neutral: u32, near: u32) -> InvalidColoring {
        let color =
            self.color(near).div_ceil(if self.graph.columns() == self.graph.len() { 1 } else { 2 }) as usize;
        let mut pair = [near, self.twin(neutral, near)];
        pair.sort_unstable();
        let to_index = |vertex: u32| match self.graph.name(vertex) {
            Vertex::Row(index) | Vertex::Column(index) => index,
        };
        match self.graph.name(near) {
            Vertex::Column(_) => {
                InvalidColoring::SharedRow { columns: pair.map(to_index), color, row: to_index(neutral) }
            }
            Vertex::Row(_) => {
                InvalidColoring::SharedColumn { rows: pair.map(to_index), color, col: to_index(neutral) }
            }
        }
    }

    /// Another neighbor of `of`, with the color of `near`.
    fn twin(&self, of: u32, near: u32) -> u32 {
        let mut others = self.graph.neighbors(of).iter().copied();
        others.find(|&other| other != near && self.color(other) == self.color(near)).unwrap_or(near)
    }

    /// The row and column of an edge's entry.
    fn place(&self, edge: &Edge, pattern: &SparsityPattern) -> (usize, usize) {
        let entry = edge.entries[0] as usize;
        let row = pattern.offsets().partition_point(|&offset| offset <= entry) - 1;
        (row, pattern.columns()[entry] as usize)
    }
}

/// The colors of all vertices of the graph, such that a row and a column never share one: if both have
/// colors, those of columns are odd and those of rows are even.
fn joint_colors(coloring: &Coloring) -> Vec<u32> {
    if coloring.kind().is_symmetric() {
        return coloring.column_colors().to_vec();
    }
    let columns = coloring.column_colors().iter().map(|&color| (2 * color).saturating_sub(1));
    columns.chain(coloring.row_colors().iter().map(|&color| 2 * color)).collect()
}

/// A coloring from the colors of all vertices, renumbered without gaps.
pub(super) fn from_joint_colors(kind: ColoringKind, graph: &Graph, colors: &[u32]) -> Coloring {
    let (columns, rows) = colors.split_at(graph.columns());
    Coloring::trusted(kind, without_gaps(columns), without_gaps(rows))
}

/// The colors, replaced by their ranks.
pub(super) fn without_gaps(colors: &[u32]) -> Vec<u32> {
    let greatest = colors.iter().copied().max().unwrap_or(0) as usize;
    let mut ranks = vec![0; greatest + 1];
    colors.iter().for_each(|&color| ranks[color as usize] = u32::from(color > 0));
    let mut count = 0;
    for rank in &mut ranks {
        count += *rank;
        *rank *= count;
    }
    colors.iter().map(|&color| ranks[color as usize]).collect()
}
