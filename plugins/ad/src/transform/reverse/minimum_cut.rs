//! A minimum cut of a network, from a maximum flow (Dinic, *Algorithm for solution of a problem of maximum flow in a network with
//! power estimation*, 1970).

use std::collections::VecDeque;

/// The capacity of an edge that no cut crosses.
pub(super) const UNBOUNDED: u64 = 1 << 62;

/// A node of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NodeId(usize);

impl NodeId {
    pub(super) fn index(self) -> usize {
        self.0
    }
}

/// An edge, or the reverse of one, with what it can take yet.
#[derive(Clone, Copy, Debug)]
struct Arc {
    to: usize,
    left: u64,
}

/// A network of edges with capacities.
#[derive(Clone, Default, Debug)]
pub(super) struct Network {
    /// Each edge, followed by its reverse.
    arcs: Vec<Arc>,
    /// The edges that leave each node.
    leaving: Vec<Vec<usize>>,
}

impl Network {
    pub(super) fn node(&mut self) -> NodeId {
        self.leaving.push(Vec::new());
        NodeId(self.leaving.len() - 1)
    }

    pub(super) fn edge(&mut self, from: NodeId, to: NodeId, capacity: u64) {
        for (from, to, left) in [(from, to, capacity.min(UNBOUNDED)), (to, from, 0)] {
            self.leaving[from.0].push(self.arcs.len());
            self.arcs.push(Arc { to: to.0, left });
        }
    }

    /// For each node, whether it is on the sink's side of a minimum cut: the one with the fewest nodes there.
    pub(super) fn sink_side(mut self, source: NodeId, sink: NodeId) -> Vec<bool> {
        while let Some(levels) = self.levels(source, sink) {
            let mut next = vec![0; self.leaving.len()];
            while self.augment(source.0, sink.0, &levels, &mut next) {}
        }
        let mut reaches = vec![false; self.leaving.len()];
        reaches[sink.0] = true;
        let mut pending = vec![sink.0];
        while let Some(node) = pending.pop() {
            for arc in &self.leaving[node] {
                // What leads to the node is the reverse of an arc that leaves it.
                let from = self.arcs[*arc].to;
                if self.arcs[arc ^ 1].left > 0 && !std::mem::replace(&mut reaches[from], true) {
                    pending.push(from);
                }
            }
        }
        reaches
    }

    /// The distance of each node from the source along edges that can take more, if the sink is reached.
    fn levels(&self, source: NodeId, sink: NodeId) -> Option<Vec<Option<u32>>> {
        let mut levels = vec![None; self.leaving.len()];
        levels[source.0] = Some(0);
        let mut pending = VecDeque::from([(source.0, 0)]);
        while let Some((node, level)) = pending.pop_front() {
            for arc in self.leaving[node].iter().map(|arc| self.arcs[*arc]) {
                if arc.left > 0 && levels[arc.to].is_none() {
                    levels[arc.to] = Some(level + 1);
                    pending.push_back((arc.to, level + 1));
                }
            }
        }
        levels[sink.0].is_some().then_some(levels)
    }

    /// Sends flow along a shortest path, if there is one; `next` is the first edge of each node that is not known to lead nowhere.
    fn augment(&mut self, source: usize, sink: usize, levels: &[Option<u32>], next: &mut [usize]) -> bool {
        let mut path: Vec<usize> = Vec::new();
        let mut node = source;
        while node != sink {
            let arc = self.leaving[node].get(next[node]).copied();
            match (arc, path.last()) {
                (Some(arc), _) if self.leads_on(node, self.arcs[arc], levels) => {
                    path.push(arc);
                    node = self.arcs[arc].to;
                }
                (Some(_), _) => next[node] += 1,
                (None, Some(last)) => {
                    node = self.arcs[last ^ 1].to;
                    next[node] += 1;
                    path.pop();
                }
                (None, None) => return false,
            }
        }
        let flow = path.iter().map(|arc| self.arcs[*arc].left).min().unwrap_or(0);
        for arc in path {
            self.arcs[arc].left -= flow;
            self.arcs[arc ^ 1].left += flow;
        }
        true
    }

    fn leads_on(&self, from: usize, arc: Arc, levels: &[Option<u32>]) -> bool {
        arc.left > 0 && levels[from].is_some_and(|level| levels[arc.to] == Some(level + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The capacity of the edges from the nodes outside a set to those in it.
    fn crossing(edges: &[(usize, usize, u64)], in_sink_side: impl Fn(usize) -> bool) -> u64 {
        let crosses = |(from, to, _): &&(usize, usize, u64)| !in_sink_side(*from) && in_sink_side(*to);
        edges.iter().filter(crosses).map(|(_, _, capacity)| capacity).sum()
    }

    fn network(count: usize, edges: &[(usize, usize, u64)]) -> (Network, Vec<NodeId>) {
        let mut network = Network::default();
        let nodes: Vec<NodeId> = (0..count).map(|_| network.node()).collect();
        for (from, to, capacity) in edges {
            network.edge(nodes[*from], nodes[*to], *capacity);
        }
        (network, nodes)
    }

    proptest! {
        #[test]
        fn no_other_cut_is_smaller(
            count in 2..8_usize,
            edges in prop::collection::vec((0..8_usize, 0..8_usize, 0..20_u64), 0..24),
        ) {
            let edges: Vec<_> = edges.into_iter().map(|(from, to, c)| (from % count, to % count, c)).collect();
            let (network, nodes) = network(count, &edges);
            let side = network.sink_side(nodes[0], nodes[1]);
            prop_assert!(!side[0] && side[1]);
            let found = crossing(&edges, |node| side[node]);
            let size = side.iter().filter(|sink| **sink).count();
            for bits in (0..1_u32 << count).filter(|bits| bits & 3 == 2) {
                let other = crossing(&edges, |node| bits >> node & 1 == 1);
                prop_assert!(found < other || found == other && size <= bits.count_ones() as usize);
            }
        }
    }

    #[test]
    fn a_common_ancestor_is_cut_where_it_takes_less_than_its_descendants() {
        let edges =
            [(0, 2, UNBOUNDED), (2, 3, 8), (3, 4, UNBOUNDED), (3, 5, UNBOUNDED), (4, 1, 8), (5, 1, 8)];
        let (network, nodes) = network(6, &edges);
        assert_eq!(network.sink_side(nodes[0], nodes[1]), [false, true, false, true, true, true]);
    }
}
