//! For each vertex, the distinct colors of its neighbors.
//!
//! A dense row has many neighbors but few colors. Code that needs the colors of neighbors then need not visit
//! all of them, which makes greedy star and acyclic coloring of an arrowhead matrix linear, where the usual
//! loops are quadratic.
//!
//! - LIST1 the colors of a list are strictly increasing, so a prefix without gaps is skipped at once.

use super::graph::Graph;

/// A list of colors for each vertex, with a value stored for each color.
pub(super) struct ColorLists<T> {
    lens: Vec<u32>,
    slots: Vec<(u32, T)>,
}

impl<T: Copy> ColorLists<T> {
    /// Empty lists, each with room for as many colors as the vertex has neighbors.
    pub(super) fn new(graph: &Graph, unused: T) -> Self {
        Self { lens: vec![0; graph.len()], slots: vec![(0, unused); 2 * graph.edges().len()] }
    }

    /// The positions of the colors of a vertex.
    pub(super) fn places(&self, graph: &Graph, vertex: u32) -> std::ops::Range<usize> {
        let start = graph.range(vertex).start;
        start..start + self.lens[vertex as usize] as usize
    }

    /// The colors of the neighbors of a vertex.
    pub(super) fn of(&self, graph: &Graph, vertex: u32) -> &[(u32, T)] {
        &self.slots[self.places(graph, vertex)]
    }

    /// The color at a position.
    pub(super) fn color(&self, place: usize) -> u32 {
        self.slots[place].0
    }

    /// The value stored at a position.
    pub(super) fn at(&mut self, place: usize) -> &mut T {
        &mut self.slots[place].1
    }

    /// The position of a color in the list of a vertex.
    pub(super) fn find(&self, graph: &Graph, vertex: u32, color: u32) -> Option<usize> {
        let found = self.of(graph, vertex).binary_search_by_key(&color, |slot| slot.0);
        found.ok().map(|at| graph.range(vertex).start + at)
    }

    /// Inserts a color that is not in the list of a vertex.
    pub(super) fn insert(&mut self, graph: &Graph, vertex: u32, color: u32, value: T) {
        let std::ops::Range { start, end } = self.places(graph, vertex);
        let at = start + self.slots[start..end].partition_point(|slot| slot.0 < color);
        self.slots.copy_within(at..end, at + 1);
        self.slots[at] = (color, value);
        self.lens[vertex as usize] += 1;
    }

    /// The length of the prefix of a vertex's list that contains the colors of a palette without gaps.
    pub(super) fn prefix(&self, graph: &Graph, vertex: u32, (first, step): (u32, u32)) -> usize {
        let list = self.of(graph, vertex);
        let (mut low, mut high) = (0, list.len());
        while low < high {
            let middle = low.midpoint(high);
            if list[middle].0 == first + step * middle as u32 {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// Colors that the current vertex must not have; they are cleared implicitly when the next vertex is visited.
pub(super) struct Forbidden {
    marks: Vec<u32>,
}

impl Forbidden {
    /// With room for colors up to `greatest`.
    pub(super) fn new(greatest: usize) -> Self {
        Self { marks: vec![u32::MAX; greatest + 1] }
    }

    pub(super) fn forbid(&mut self, vertex: u32, color: u32) {
        self.marks[color as usize] = vertex;
    }

    pub(super) fn is_forbidden(&self, vertex: u32, color: u32) -> bool {
        self.marks[color as usize] == vertex
    }

    /// The least allowed color for a vertex among `first`, `first + step`, and so on.
    pub(super) fn least_allowed(&self, vertex: u32, (first, step): (u32, u32)) -> u32 {
        let mut color = first;
        while self.is_forbidden(vertex, color) {
            color += step;
        }
        color
    }
}
