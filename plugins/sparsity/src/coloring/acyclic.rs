//! Greedy acyclic coloring.
//!
//! After algorithm 3.1 of Gebremedhin, Tarafdar, Manne, Pothen, *New acyclic and star coloring algorithms
//! with application to computing Hessians*, SIAM J. Sci. Comput. 29, 2007. All edges from a vertex to
//! neighbors of one color are in one tree, so one edge represents them all when trees beyond a neighbor are
//! examined.
//!
//! - ACYCLIC1 two edges are in one set if a two-colored path joins them.
//! - ACYCLIC2 all neighbors of a neutral vertex have different colors.

use super::color_lists::{ColorLists, Forbidden};
use super::graph::Graph;

/// Colors the listed vertices in order; the others have no color, and each of them is neutral.
pub(super) fn acyclic_coloring(graph: &Graph, order: &[u32], is_neutral: &[bool]) -> Vec<u32> {
    let mut colors = vec![0; graph.len()];
    let mut lists = ColorLists::new(graph, 0);
    let mut forbidden = Forbidden::new(graph.greatest_color());
    let mut trees = DisjointSets::new(graph.edges().len());
    // For each tree, the vertex from which, and the neighbor through which, it was last reached.
    let mut visits = vec![(u32::MAX, 0); graph.edges().len()];
    let mut edge_to = vec![0; graph.greatest_color() + 1];
    for &vertex in order {
        for &(color, edge) in lists.of(graph, vertex) {
            forbidden.forbid(vertex, color);
            edge_to[color as usize] = edge;
        }
        for &near in graph.neighbors(vertex) {
            let is_neutral = is_neutral[near as usize];
            if colors[near as usize] == 0 && !is_neutral {
                continue;
            }
            for &(color, edge) in lists.of(graph, near) {
                if is_neutral {
                    forbidden.forbid(vertex, color);
                } else if !forbidden.is_forbidden(vertex, color) {
                    let visit = &mut visits[trees.find(edge) as usize];
                    if visit.0 != vertex {
                        *visit = (vertex, near);
                    } else if visit.1 != near {
                        forbidden.forbid(vertex, color);
                    }
                }
            }
        }
        let color = forbidden.least_allowed(vertex, graph.palette(vertex));
        colors[vertex as usize] = color;
        for (near, edge) in graph.incident(vertex) {
            let near_color = colors[near as usize];
            let list_of_near = lists.find(graph, near, color);
            if near_color != 0 {
                trees.unite(edge, edge_to[near_color as usize]);
                if let Some(place) = list_of_near {
                    trees.unite(edge, *lists.at(place));
                }
            }
            if list_of_near.is_none() {
                lists.insert(graph, near, color, edge);
            }
        }
    }
    colors
}

/// Disjoint sets by rank with path halving (Tarjan, *Efficiency of a good but not linear set union algorithm*, 1975).
struct DisjointSets {
    parents: Vec<u32>,
    ranks: Vec<u8>,
}

impl DisjointSets {
    fn new(len: usize) -> Self {
        Self { parents: (0..len as u32).collect(), ranks: vec![0; len] }
    }

    fn find(&mut self, mut of: u32) -> u32 {
        while self.parents[of as usize] != of {
            let above = self.parents[self.parents[of as usize] as usize];
            self.parents[of as usize] = above;
            of = above;
        }
        of
    }

    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        let (low, high) = if self.ranks[a as usize] < self.ranks[b as usize] { (a, b) } else { (b, a) };
        if self.ranks[low as usize] == self.ranks[high as usize] {
            self.ranks[high as usize] += 1;
        }
        self.parents[low as usize] = high;
    }
}
