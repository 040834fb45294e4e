//! The orders in which greedy colorings visit vertices.

use super::degree_queue::DegreeQueue;
use super::graph::Graph;
use crate::SparsityPattern;

/// An order of vertices. A vertex gets the first color that the previous ones allow, so the order determines
/// how many colors are needed.
///
/// For colorings of columns, columns are adjacent if they have a row in common, and the degree counts
/// adjacent columns: all orders by degree then take time in the sum of the squared lengths of rows. For all
/// other kinds the time is linear in the entries. Of equal vertices the first is taken, except where degrees
/// change on the way.
///
/// ```
/// use overdub_sparsity::coloring::{ColoringKind, GreedyColoring, Order};
///
/// let arrow = "[1 0 0 1; 0 1 0 1; 0 0 1 1; 1 1 1 1]".parse()?;
/// let coloring = GreedyColoring::new().orders([Order::SmallestLast]).color(&arrow, ColoringKind::Acyclic)?;
/// assert_eq!(coloring.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Order {
    /// As they are numbered; columns before rows.
    #[default]
    Natural,
    /// Random, the same for the same seed.
    Random {
        /// The seed of the random numbers.
        seed: u64,
    },
    /// By decreasing degree (Welsh, Powell, 1967).
    LargestFirst,
    /// The last is a vertex of least degree, the one before it has the least degree without the last, and so
    /// on (Matula, Beck, 1983).
    SmallestLast,
    /// The next is a vertex with the most neighbors already taken (Coleman, Moré, 1983).
    IncidenceDegree,
    /// The next is a vertex with the most neighbors not yet taken (Gebremedhin and others, *ColPack*, 2013).
    DynamicLargestFirst,
    /// Maximum cardinality search, whose reverse is a perfect elimination order of a chordal graph (Tarjan,
    /// Yannakakis, 1984).
    ///
    /// Acyclic coloring of such a graph, banded or not, permuted or not, then needs as few colors as any
    /// coloring can. It is the same rule as incidence degree, under the name of this purpose.
    PerfectElimination,
}

impl Order {
    /// Every order, the random one with seed zero.
    ///
    /// ```
    /// use overdub_sparsity::coloring::{ColoringKind, GreedyColoring, Order};
    ///
    /// let pattern = "[1 1 0; 0 1 1; 1 0 1]".parse()?;
    /// let best = GreedyColoring::new().orders(Order::ALL).color(&pattern, ColoringKind::Column)?;
    /// assert_eq!(best.len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const ALL: [Self; 7] = [
        Self::Natural,
        Self::Random { seed: 0 },
        Self::LargestFirst,
        Self::SmallestLast,
        Self::IncidenceDegree,
        Self::DynamicLargestFirst,
        Self::PerfectElimination,
    ];

    /// All vertices of a graph in this order.
    pub(super) fn vertices(self, of: &mut impl Neighborhoods) -> Vec<u32> {
        let natural = 0..of.len() as u32;
        match self {
            Self::Natural => natural.collect(),
            Self::Random { seed } => shuffled(natural.collect(), seed),
            Self::LargestFirst => {
                let degrees: Vec<u32> = natural.clone().map(|vertex| of.degree(vertex)).collect();
                let mut vertices: Vec<u32> = natural.collect();
                vertices.sort_by_key(|&vertex| std::cmp::Reverse(degrees[vertex as usize]));
                vertices
            }
            Self::SmallestLast => {
                let mut queue = by_degree(of);
                let mut vertices = Vec::with_capacity(of.len());
                while let Some((vertex, _)) = queue.pop_least() {
                    of.for_each(vertex, |near| queue.lower(near));
                    vertices.push(vertex);
                }
                vertices.reverse();
                vertices
            }
            Self::DynamicLargestFirst => {
                let mut queue = by_degree(of);
                let mut vertices = Vec::with_capacity(of.len());
                while let Some((vertex, _)) = queue.pop_greatest() {
                    of.for_each(vertex, |near| queue.lower(near));
                    vertices.push(vertex);
                }
                vertices
            }
            Self::IncidenceDegree | Self::PerfectElimination => {
                let mut queue = DegreeQueue::new(vec![0; of.len()], of.len());
                let mut vertices = Vec::with_capacity(of.len());
                while let Some((vertex, _)) = queue.pop_greatest() {
                    of.for_each(vertex, |near| queue.raise(near));
                    vertices.push(vertex);
                }
                vertices
            }
        }
    }
}

/// A graph: its vertices, and which of them are adjacent.
pub(super) trait Neighborhoods {
    /// The number of vertices.
    fn len(&self) -> usize;

    /// Calls `call` once with each neighbor of a vertex.
    fn for_each(&mut self, vertex: u32, call: impl FnMut(u32));

    /// The number of neighbors of a vertex.
    fn degree(&mut self, vertex: u32) -> u32 {
        let mut degree = 0;
        self.for_each(vertex, |_| degree += 1);
        degree
    }
}

impl Neighborhoods for &Graph {
    fn len(&self) -> usize {
        Graph::len(self)
    }

    fn for_each(&mut self, vertex: u32, call: impl FnMut(u32)) {
        self.neighbors(vertex).iter().copied().for_each(call);
    }
}

/// The rows of a pattern, which are adjacent if they have a column in common.
pub(super) struct Distance2<'a> {
    pattern: &'a SparsityPattern,
    transposed: &'a SparsityPattern,
    /// The call in which each vertex was last seen.
    last_call: Vec<u32>,
    call: u32,
}

impl<'a> Distance2<'a> {
    pub(super) fn new(pattern: &'a SparsityPattern, transposed: &'a SparsityPattern) -> Self {
        Self { pattern, transposed, last_call: vec![0; pattern.rows()], call: 0 }
    }
}

impl Neighborhoods for Distance2<'_> {
    fn len(&self) -> usize {
        self.pattern.rows()
    }

    fn for_each(&mut self, vertex: u32, mut call: impl FnMut(u32)) {
        if self.call == u32::MAX {
            (self.last_call, self.call) = (vec![0; self.last_call.len()], 0);
        }
        self.call += 1;
        self.last_call[vertex as usize] = self.call;
        for &through in self.pattern.row(vertex as usize) {
            for &near in self.transposed.row(through as usize) {
                if self.last_call[near as usize] != self.call {
                    self.last_call[near as usize] = self.call;
                    call(near);
                }
            }
        }
    }
}

fn by_degree(of: &mut impl Neighborhoods) -> DegreeQueue {
    let degrees: Vec<u32> = (0..of.len() as u32).map(|vertex| of.degree(vertex)).collect();
    let greatest = degrees.iter().copied().max().unwrap_or(0);
    DegreeQueue::new(degrees, greatest as usize)
}

/// The vertices shuffled (Fisher, Yates; Durstenfeld, 1964) by the numbers of SplitMix64 (Steele, Lea, Flood, 2014).
fn shuffled(mut vertices: Vec<u32>, seed: u64) -> Vec<u32> {
    let mut state = seed;
    for last in (1..vertices.len()).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = state;
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^= number >> 31;
        vertices.swap(last, (number % (last as u64 + 1)) as usize);
    }
    vertices
}
