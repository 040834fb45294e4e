//! Vertices that need no color, because no entry is read from a product with their group.
//!
//! - NEUTRAL1 each edge keeps an end that is not neutral; if the other end is neutral, it is alone there.

use super::degree_queue::DegreeQueue;
use super::graph::Graph;
use super::recovery::only_neighbors;
use super::trees::two_colored_trees;
use super::{ColoringKind, Order};
use crate::SparsityPattern;

/// Which vertices are made neutral.
///
/// ```
/// use overdub_sparsity::coloring::{ColoringKind, GreedyColoring, Neutral};
///
/// let diagonal = "[0 0 1; 0 1 0; 1 0 0]".parse()?;
/// let len = |neutral| {
///     let greedy = GreedyColoring::new().neutral(neutral);
///     greedy.color(&diagonal, ColoringKind::StarBidirectional).map(|coloring| coloring.len())
/// };
/// assert_eq!((len(Neutral::Never)?, len(Neutral::Dropped)?), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Neutral {
    /// None: each vertex has a color.
    Never,
    /// Those whose color turns out to be unnecessary (Montoison, Dalle, Gebremedhin, *Revisiting sparse
    /// matrix coloring and bicoloring*, 2025).
    Dropped,
    /// Like [`Dropped`](Self::Dropped), and for bidirectional kinds also those outside of a set of rows and
    /// columns that cover all entries, chosen before coloring (Coleman, Verma, *The efficient computation of
    /// sparse Jacobian matrices using automatic differentiation*, 1998). The better of both colorings is
    /// returned.
    #[default]
    Covered,
}

/// The vertices outside of an edge cover, which is found greedily by taking vertices with the most uncovered
/// edges.
pub(super) fn outside_of_cover(graph: &Graph) -> Vec<bool> {
    let degrees: Vec<u32> = (0..graph.len() as u32).map(|vertex| graph.degree(vertex) as u32).collect();
    let greatest = degrees.iter().copied().max().unwrap_or(0);
    let mut queue = DegreeQueue::new(degrees, greatest as usize);
    let mut outside = vec![true; graph.len()];
    while let Some((vertex, 1..)) = queue.pop_greatest() {
        outside[vertex as usize] = false;
        graph.neighbors(vertex).iter().for_each(|&near| queue.lower(near));
    }
    outside
}

/// The vertices of an order that are not neutral.
pub(super) fn colored_in_order(graph: &Graph, order: Order, is_neutral: &[bool]) -> Vec<u32> {
    let mut vertices = order.vertices(&mut &*graph);
    vertices.retain(|&vertex| !is_neutral[vertex as usize]);
    vertices
}

/// Makes vertices neutral whose color is not needed to read any entry.
pub(super) fn drop_unneeded(
    graph: &Graph,
    pattern: &SparsityPattern,
    kind: ColoringKind,
    colors: &mut [u32],
) {
    let greatest = colors.iter().copied().max().unwrap_or(0) as usize;
    let mut demand = Demand { needed: vec![false; greatest + 1], choices: Vec::new() };
    if kind.is_symmetric() {
        let diagonal = (0..pattern.rows()).filter(|&row| pattern.contains(row, row));
        diagonal.for_each(|row| demand.needed[colors[row] as usize] = true);
    }
    if kind.substitutes() {
        demand.read_by_substitution(graph, colors);
    } else {
        demand.read_directly(graph, colors);
    }
    let is_kept = demand.into_kept();
    colors.iter_mut().filter(|color| !is_kept[**color as usize]).for_each(|color| *color = 0);
}

/// The colors that are needed to read entries.
struct Demand {
    needed: Vec<bool>,
    /// Pairs of colors of which one is needed.
    choices: Vec<[u32; 2]>,
}

impl Demand {
    /// An edge that is alone at one end needs the color of the other.
    fn read_directly(&mut self, graph: &Graph, colors: &[u32]) {
        for (edge, only) in graph.edges().iter().zip(only_neighbors(graph, colors)) {
            let [a, b] = edge.ends.map(|end| colors[end as usize]);
            match only {
                [true, true] => self.choices.push([a.min(b), a.max(b)]),
                [true, false] => self.needed[b as usize] = true,
                _ => self.needed[a as usize] = true,
            }
        }
    }

    /// A step of substitution needs the color of the parent, and a tree with a single edge needs that of
    /// either end.
    fn read_by_substitution(&mut self, graph: &Graph, colors: &[u32]) {
        for edge in graph.edges() {
            if let [0, color] | [color, 0] = edge.ends.map(|end| colors[end as usize]) {
                self.needed[color as usize] = true;
            }
        }
        let Ok(steps) = two_colored_trees(graph, colors) else {
            self.needed.fill(true);
            return;
        };
        for (step, _) in steps.iter() {
            let edge = graph.edges()[step.edge as usize];
            let [a, b] = edge.ends.map(|end| colors[end as usize]);
            if step.is_single {
                self.choices.push([a.min(b), a.max(b)]);
            } else {
                self.needed[colors[edge.other(step.leaf) as usize] as usize] = true;
            }
        }
    }

    /// The needed colors, with one of each pair: colors are dropped greedily, those with the fewest partners
    /// first.
    fn into_kept(mut self) -> Vec<bool> {
        let is_open = |pair: &[u32; 2]| pair.iter().all(|&color| !self.needed[color as usize]);
        self.choices.retain(is_open);
        self.choices.sort_unstable();
        self.choices.dedup();
        let mut partners = vec![Vec::new(); self.needed.len()];
        for [a, b] in self.choices {
            partners[a as usize].push(b);
            partners[b as usize].push(a);
        }
        let mut candidates: Vec<usize> =
            (1..self.needed.len()).filter(|&color| !self.needed[color]).collect();
        candidates.sort_by_key(|&color| partners[color].len());
        for color in candidates {
            if !self.needed[color] {
                partners[color].iter().for_each(|&partner| self.needed[partner as usize] = true);
            }
        }
        self.needed
    }
}
