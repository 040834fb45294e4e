//! The two-colored trees of an acyclic coloring, and the order in which substitution recovers their edges.
//!
//! After Gebremedhin, Pothen, Tarafdar, Walther, *Efficient computation of sparse Hessians using coloring and
//! automatic differentiation*, INFORMS J. Computing 21, 2009: the product at a leaf contains the leaf's edge
//! and edges that were recovered before, so leaves are removed one after another.
//!
//! - TREE1 the edges that a step subtracts were recovered by earlier steps.

use super::graph::Graph;

const NONE: u32 = u32::MAX;

/// Edges in an order in which each can be recovered.
pub(super) struct RecoveryOrder {
    steps: Vec<Recovery>,
    subtracted: Vec<u32>,
}

/// An edge that is recovered from the product at one of its ends.
pub(super) struct Recovery {
    pub(super) edge: u32,
    /// The end at which the product with the color of the other end is read.
    pub(super) leaf: u32,
    /// Whether the edge is a tree by itself, and could equally be read at the other end.
    pub(super) is_single: bool,
    /// The end of the edges that are subtracted; they begin where those of the previous step end.
    end: usize,
}

impl RecoveryOrder {
    /// Each step with the edges that it subtracts.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Recovery, &[u32])> {
        let starts = std::iter::once(0).chain(self.steps.iter().map(|step| step.end));
        self.steps.iter().zip(starts).map(|(step, start)| (step, &self.subtracted[start..step.end]))
    }
}

/// The edges both of whose ends have a color, or the vertices of a two-colored cycle. The coloring is proper.
pub(super) fn two_colored_trees(graph: &Graph, colors: &[u32]) -> Result<RecoveryOrder, Vec<u32>> {
    let mut peeling = Peeling {
        graph,
        degrees: vec![0; graph.len()],
        incident: vec![0; graph.len()],
        last_found: vec![NONE; graph.len()],
        found_before: vec![NONE; graph.edges().len()],
        queue: Vec::new(),
        steps: RecoveryOrder { steps: Vec::new(), subtracted: Vec::new() },
    };
    for group in edges_by_colors(graph, colors).chunk_by(|a, b| a.0 == b.0) {
        if !peeling.peel(group) {
            return Err(peeling.cycle(group));
        }
    }
    Ok(peeling.steps)
}

/// The edges both of whose ends have a color, with the two colors, sorted.
fn edges_by_colors(graph: &Graph, colors: &[u32]) -> Vec<(u64, u32)> {
    let colored = graph.edges().iter().zip(0..).filter_map(|(edge, number)| {
        let [a, b] = edge.ends.map(|end| u64::from(colors[end as usize]));
        (a != 0 && b != 0).then(|| (a.min(b) << 32 | a.max(b), number))
    });
    let mut keyed: Vec<(u64, u32)> = colored.collect();
    keyed.sort_unstable();
    keyed
}

struct Peeling<'a> {
    graph: &'a Graph,
    /// The number of edges of the current group that have not been recovered, by vertex.
    degrees: Vec<u32>,
    /// The exclusive or of the numbers of those edges: for a leaf, the number of its only edge.
    incident: Vec<u32>,
    /// The edge of the current group last recovered from the other end, by vertex, and the previous one, by
    /// edge.
    last_found: Vec<u32>,
    found_before: Vec<u32>,
    queue: Vec<u32>,
    steps: RecoveryOrder,
}

impl Peeling<'_> {
    /// Recovers the edges of one pair of colors; `false` if they contain a cycle.
    fn peel(&mut self, group: &[(u64, u32)]) -> bool {
        let ends = |graph: &Graph, edge: u32| graph.edges()[edge as usize].ends;
        for &(_, edge) in group {
            for end in ends(self.graph, edge) {
                self.degrees[end as usize] += 1;
                self.incident[end as usize] ^= edge;
            }
        }
        self.queue.clear();
        let all = group.iter().flat_map(|&(_, edge)| ends(self.graph, edge));
        self.queue.extend(all.filter(|&end| self.degrees[end as usize] == 1));
        let found = self.steps.steps.len();
        let mut at = 0;
        while let Some(&leaf) = self.queue.get(at) {
            at += 1;
            if self.degrees[leaf as usize] == 1 {
                self.take(leaf);
            }
        }
        if self.steps.steps.len() - found != group.len() {
            return false;
        }
        for end in group.iter().flat_map(|&(_, edge)| ends(self.graph, edge)) {
            (self.degrees[end as usize], self.incident[end as usize]) = (0, 0);
            self.last_found[end as usize] = NONE;
        }
        true
    }

    /// Recovers the only edge of a leaf.
    fn take(&mut self, leaf: u32) {
        let edge = self.incident[leaf as usize];
        let parent = self.graph.edges()[edge as usize].other(leaf);
        self.degrees[leaf as usize] = 0;
        self.degrees[parent as usize] -= 1;
        self.incident[parent as usize] ^= edge;
        let is_first = self.last_found[leaf as usize] == NONE && self.last_found[parent as usize] == NONE;
        let is_single = is_first && self.degrees[parent as usize] == 0;
        let mut child = self.last_found[leaf as usize];
        while child != NONE {
            self.steps.subtracted.push(child);
            child = self.found_before[child as usize];
        }
        self.found_before[edge as usize] = self.last_found[parent as usize];
        self.last_found[parent as usize] = edge;
        self.steps.steps.push(Recovery { edge, leaf, is_single, end: self.steps.subtracted.len() });
        if self.degrees[parent as usize] == 1 {
            self.queue.push(parent);
        }
    }

    /// A cycle of the current group: each vertex that could not be peeled has at least two edges, so a walk
    /// continues until it meets itself.
    fn cycle(&self, group: &[(u64, u32)]) -> Vec<u32> {
        let is_left = |vertex: u32| self.degrees[vertex as usize] > 0;
        let left = group
            .iter()
            .find(|&&(_, edge)| self.graph.edges()[edge as usize].ends.iter().all(|&end| is_left(end)));
        let mut in_group: Vec<u32> = group.iter().map(|&(_, edge)| edge).collect();
        in_group.sort_unstable();
        let mut walk: Vec<u32> = Vec::new();
        let mut place = vec![NONE; self.graph.len()];
        let mut next = left.map(|&(_, edge)| self.graph.edges()[edge as usize].ends[0]);
        let mut last_edge = NONE;
        while let Some(vertex) = next {
            if place[vertex as usize] != NONE {
                walk.drain(..place[vertex as usize] as usize);
                break;
            }
            place[vertex as usize] = walk.len() as u32;
            walk.push(vertex);
            let onward = self.graph.incident(vertex).find(|&(near, edge)| {
                edge != last_edge && is_left(near) && in_group.binary_search(&edge).is_ok()
            });
            last_edge = onward.map_or(NONE, |(_, edge)| edge);
            next = onward.map(|(near, _)| near);
        }
        walk
    }
}
