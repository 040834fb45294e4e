//! Sets of inputs and sets of pairs of inputs, shared as nodes of a graph.
//!
//! A set of few inputs is stored sorted, and once; a larger one is the union of two others. So a union costs the same
//! whatever its size: a sum of a million terms has a million nodes, not half a million times a million members.
//!
//! - SETS1 equal unions and products of the same nodes are the same node, so an analysis that repeats itself makes no
//!   new nodes.

use hashbrown::{HashMap, HashSet};

/// The largest set that is stored member by member.
const FEW: usize = 12;

/// A set of inputs, by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Set(u32);

/// A set of unordered pairs of inputs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Pairs(u32);

impl Set {
    pub(crate) const EMPTY: Set = Set(0);
}

impl Pairs {
    pub(crate) const EMPTY: Pairs = Pairs(0);
}

/// What a value depends on: by first and by second derivatives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Dep {
    pub(crate) first: Set,
    pub(crate) second: Pairs,
}

#[derive(Clone, Copy)]
enum SetNode {
    /// A range of `members`.
    Few(u32, u8),
    Union(Set, Set),
}

#[derive(Clone, Copy)]
enum PairsNode {
    Empty,
    Product(Set, Set),
    Union(Pairs, Pairs),
}

/// All sets of one analysis.
pub(crate) struct Sets {
    nodes: Vec<SetNode>,
    members: Vec<u32>,
    few: HashMap<Box<[u32]>, Set>,
    singles: Vec<Set>,
    unions: HashMap<(Set, Set), Set>,
    pairs: Vec<PairsNode>,
    products: HashMap<(Set, Set), Pairs>,
    pair_unions: HashMap<(Pairs, Pairs), Pairs>,
    /// Whether pairs are wanted: without, all are empty.
    pub(crate) second: bool,
}

impl Sets {
    /// The sets of an analysis of this many inputs.
    pub(crate) fn new(inputs: usize, second: bool) -> Sets {
        let mut sets = Sets {
            nodes: vec![SetNode::Few(0, 0)],
            members: Vec::with_capacity(inputs),
            few: HashMap::new(),
            singles: Vec::with_capacity(inputs),
            unions: HashMap::new(),
            pairs: vec![PairsNode::Empty],
            products: HashMap::new(),
            pair_unions: HashMap::new(),
            second,
        };
        for input in 0..inputs {
            let at = sets.members.len() as u32;
            sets.members.push(input as u32);
            sets.singles.push(Set(sets.nodes.len() as u32));
            sets.nodes.push(SetNode::Few(at, 1));
        }
        sets
    }

    /// The number of nodes, to which the memory that they take is proportional.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len() + self.pairs.len()
    }

    /// What an input depends on: itself.
    pub(crate) fn input(&self, input: usize) -> Dep {
        Dep { first: self.singles[input], second: Pairs::EMPTY }
    }

    fn few(&self, set: Set) -> Option<&[u32]> {
        match self.nodes[set.0 as usize] {
            SetNode::Few(start, len) => Some(&self.members[start as usize..][..usize::from(len)]),
            SetNode::Union(..) => None,
        }
    }

    /// The union of two sets.
    pub(crate) fn union(&mut self, a: Set, b: Set) -> Set {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == b || a == Set::EMPTY {
            return b;
        }
        if let Some(known) = self.unions.get(&(a, b)) {
            return *known;
        }
        let made = match (self.few(a), self.few(b)) {
            (Some(x), Some(y)) if x.len() + y.len() <= FEW => {
                let merged = merged(x, y);
                self.intern(merged)
            }
            _ if self.has_child(a, b) => a,
            _ if self.has_child(b, a) => b,
            _ => self.push(SetNode::Union(a, b)),
        };
        self.unions.insert((a, b), made);
        made
    }

    fn has_child(&self, of: Set, child: Set) -> bool {
        matches!(self.nodes[of.0 as usize], SetNode::Union(x, y) if x == child || y == child)
    }

    fn push(&mut self, node: SetNode) -> Set {
        self.nodes.push(node);
        Set(self.nodes.len() as u32 - 1)
    }

    fn intern(&mut self, members: Vec<u32>) -> Set {
        if let [single] = *members {
            return self.singles[single as usize];
        }
        if let Some(known) = self.few.get(&*members) {
            return *known;
        }
        let (start, len) = (self.members.len() as u32, members.len() as u8);
        self.members.extend(&members);
        let made = self.push(SetNode::Few(start, len));
        self.few.insert(members.into(), made);
        made
    }

    /// The union of two sets of pairs.
    pub(crate) fn union_pairs(&mut self, a: Pairs, b: Pairs) -> Pairs {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == b || a == Pairs::EMPTY {
            return b;
        }
        if let Some(known) = self.pair_unions.get(&(a, b)) {
            return *known;
        }
        self.pairs.push(PairsNode::Union(a, b));
        let made = Pairs(self.pairs.len() as u32 - 1);
        self.pair_unions.insert((a, b), made);
        made
    }

    /// All pairs of a member of one set and a member of another.
    pub(crate) fn product(&mut self, a: Set, b: Set) -> Pairs {
        if !self.second || a == Set::EMPTY || b == Set::EMPTY {
            return Pairs::EMPTY;
        }
        let key = if a <= b { (a, b) } else { (b, a) };
        if let Some(known) = self.products.get(&key) {
            return *known;
        }
        self.pairs.push(PairsNode::Product(key.0, key.1));
        let made = Pairs(self.pairs.len() as u32 - 1);
        self.products.insert(key, made);
        made
    }

    /// What depends on what either depends on.
    pub(crate) fn join(&mut self, a: Dep, b: Dep) -> Dep {
        Dep { first: self.union(a.first, b.first), second: self.union_pairs(a.second, b.second) }
    }

    /// The same inputs, and each pair of them.
    pub(crate) fn nonlinear(&mut self, dep: Dep) -> Dep {
        let all = self.product(dep.first, dep.first);
        Dep { second: self.union_pairs(dep.second, all), ..dep }
    }

    /// Whether everything in `a` is in `b`.
    pub(crate) fn is_within(&self, a: Dep, b: Dep) -> bool {
        self.is_subset(a.first, b.first) && self.are_pairs_within(a.second, b.second)
    }

    fn is_subset(&self, a: Set, b: Set) -> bool {
        if a == b || a == Set::EMPTY {
            return true;
        }
        let all: HashSet<u32> = self.members_of([b]).into_iter().collect();
        self.members_of([a]).iter().all(|member| all.contains(member))
    }

    fn are_pairs_within(&self, a: Pairs, b: Pairs) -> bool {
        if a == b || a == Pairs::EMPTY {
            return true;
        }
        let all: HashSet<(Set, Set)> = self.products_of(b).into_iter().collect();
        let missing: Vec<_> = self.products_of(a).into_iter().filter(|one| !all.contains(one)).collect();
        if missing.is_empty() {
            return true;
        }
        let rows = self.rows_of_pairs(b);
        missing.iter().all(|&(x, y)| {
            let (xs, ys) = (self.members_of([x]), self.members_of([y]));
            xs.iter().all(|row| {
                rows.get(row).is_some_and(|row| ys.iter().all(|col| row.binary_search(col).is_ok()))
            })
        })
    }

    /// The members of the union of sets, in order.
    pub(crate) fn members_of(&self, sets: impl IntoIterator<Item = Set>) -> Vec<u32> {
        let (mut seen, mut found) = (HashSet::new(), Vec::new());
        let mut pending: Vec<Set> = sets.into_iter().collect();
        while let Some(set) = pending.pop() {
            match self.nodes[set.0 as usize] {
                SetNode::Few(start, len) => {
                    found.extend(&self.members[start as usize..][..usize::from(len)]);
                }
                SetNode::Union(a, b) => {
                    if seen.insert(set) {
                        pending.extend([a, b]);
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn products_of(&self, pairs: Pairs) -> Vec<(Set, Set)> {
        let (mut seen, mut found, mut pending) = (HashSet::new(), Vec::new(), vec![pairs]);
        while let Some(pairs) = pending.pop() {
            match self.pairs[pairs.0 as usize] {
                PairsNode::Empty => {}
                PairsNode::Product(a, b) => {
                    if seen.insert(pairs) {
                        found.push((a, b));
                    }
                }
                PairsNode::Union(a, b) => {
                    if seen.insert(pairs) {
                        pending.extend([a, b]);
                    }
                }
            }
        }
        found
    }

    /// The rows of the symmetric matrix of all pairs, those without entries left out.
    pub(crate) fn rows_of_pairs(&self, pairs: Pairs) -> HashMap<u32, Vec<u32>> {
        let mut partners: HashMap<u32, Vec<Set>> = HashMap::new();
        for (a, b) in self.products_of(pairs) {
            for (rows, cols) in [(a, b), (b, a)] {
                for row in self.members_of([rows]) {
                    partners.entry(row).or_default().push(cols);
                }
                if a == b {
                    break;
                }
            }
        }
        let members = |(row, mut sets): (u32, Vec<Set>)| {
            sets.sort_unstable();
            sets.dedup();
            (row, self.members_of(sets))
        };
        partners.into_iter().map(members).collect()
    }
}

/// The union of two sorted lists.
fn merged(x: &[u32], y: &[u32]) -> Vec<u32> {
    let mut all: Vec<u32> = x.iter().chain(y).copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}
