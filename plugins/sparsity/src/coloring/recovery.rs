//! Which entries are alone in a product.
//!
//! - ALONE1 an entry can be read from a product at a vertex if it is the only entry of the vertex in a column
//!   (or row) of the group; entries on the diagonal never interfere, since a coloring of a graph is proper.

use super::graph::Graph;

/// For each edge and each of its ends: whether the other end is the only neighbor there with its color, which
/// is not the neutral one.
pub(super) fn only_neighbors(graph: &Graph, colors: &[u32]) -> Vec<[bool; 2]> {
    let mut only = vec![[false; 2]; graph.edges().len()];
    let mut counts = vec![(u32::MAX, 0u32); graph.greatest_color() + 1];
    for vertex in 0..graph.len() as u32 {
        for &near in graph.neighbors(vertex) {
            let count = &mut counts[colors[near as usize] as usize];
            *count = if count.0 == vertex { (vertex, count.1 + 1) } else { (vertex, 1) };
        }
        for (near, edge) in graph.incident(vertex) {
            let color = colors[near as usize];
            let side = usize::from(graph.edges()[edge as usize].ends[0] != vertex);
            only[edge as usize][side] = color != 0 && counts[color as usize].1 == 1;
        }
    }
    only
}
