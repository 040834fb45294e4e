//! Sets of inputs and sets of pairs of inputs, shared as nodes of a graph.
//!
//! A set of few inputs is stored once, as a sorted list; a larger one is the union of two others. A union
//! thus has the same cost regardless of size: a sum of a million terms has a million nodes, instead of half a
//! million times a million members.
//!
//! - SETS1 products of the same nodes are the same node, and so are unions while a branch is undecided: a
//!   loop that is repeated up to a fixed point eventually creates no new nodes.

use std::hash::{BuildHasher, Hash};

use hashbrown::{DefaultHashBuilder, HashMap, HashSet, HashTable};
use smallvec::SmallVec;

/// The largest set that is stored member by member.
const FEW: usize = 12;

/// The number of recent unions whose results are remembered, a power of two.
const LATEST: usize = 1 << 12;

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

/// The dependences of a value: by first and by second derivatives.
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

/// The results of unions or products: of the recent ones, and of all while a fixed point may be computed
/// (SETS1).
struct Memo<K, V> {
    latest: Vec<(K, K, V)>,
    all: HashMap<(K, K), V>,
    remembers_all: bool,
}

impl<K: Copy + Default + Eq + Hash + Into<u32>, V: Copy + Default> Memo<K, V> {
    fn new() -> Memo<K, V> {
        let nothing = (K::default(), K::default(), V::default());
        Memo { latest: vec![nothing; LATEST], all: HashMap::new(), remembers_all: false }
    }

    fn place(a: K, b: K) -> usize {
        let (a, b): (u32, u32) = (a.into(), b.into());
        (a.wrapping_mul(0x9E37_79B1) ^ b.wrapping_mul(0x85EB_CA77)) as usize >> 7 & (LATEST - 1)
    }

    #[inline]
    fn get(&self, a: K, b: K) -> Option<V> {
        let (x, y, result) = self.latest[Memo::<K, V>::place(a, b)];
        if (x, y) == (a, b) {
            return Some(result);
        }
        if self.remembers_all { self.all.get(&(a, b)).copied() } else { None }
    }

    #[inline]
    fn insert(&mut self, a: K, b: K, result: V) {
        self.latest[Memo::<K, V>::place(a, b)] = (a, b, result);
        if self.remembers_all {
            self.all.insert((a, b), result);
        }
    }
}

impl From<Set> for u32 {
    fn from(set: Set) -> u32 {
        set.0
    }
}

impl From<Pairs> for u32 {
    fn from(pairs: Pairs) -> u32 {
        pairs.0
    }
}

/// The nodes that a walk has visited.
#[derive(Default)]
struct VisitMarks {
    walk: u32,
    last: Vec<u32>,
}

impl VisitMarks {
    /// Begins a walk among this many nodes.
    fn begin(&mut self, nodes: usize) {
        if self.walk == u32::MAX {
            self.last.clear();
            self.walk = 0;
        }
        self.walk += 1;
        if self.last.len() < nodes {
            self.last.resize(nodes, 0);
        }
    }

    /// Returns whether the walk visits a node for the first time.
    fn insert(&mut self, node: u32) -> bool {
        std::mem::replace(&mut self.last[node as usize], self.walk) != self.walk
    }
}

/// All sets of one analysis.
pub(crate) struct Sets {
    nodes: Vec<SetNode>,
    members: Vec<u32>,
    /// The sets with few members, by their members.
    few: HashTable<Set>,
    hasher: DefaultHashBuilder,
    singles: Vec<Set>,
    unions: Memo<Set, Set>,
    pairs: Vec<PairsNode>,
    products: Memo<Set, Pairs>,
    pair_unions: Memo<Pairs, Pairs>,
    seen: VisitMarks,
    /// Whether pairs are needed; if not, all sets of pairs are empty.
    pub(crate) second: bool,
}

impl Sets {
    /// The sets of an analysis of this many inputs.
    pub(crate) fn new(inputs: usize, second: bool) -> Sets {
        let mut sets = Sets {
            nodes: vec![SetNode::Few(0, 0)],
            members: Vec::with_capacity(inputs),
            few: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            singles: Vec::with_capacity(inputs),
            unions: Memo::new(),
            pairs: vec![PairsNode::Empty],
            products: Memo::new(),
            pair_unions: Memo::new(),
            seen: VisitMarks::default(),
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

    /// The number of nodes, to which the memory is proportional.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len() + self.pairs.len()
    }

    /// The dependences of an input: itself.
    pub(crate) fn input(&self, input: usize) -> Dep {
        Dep { first: self.singles[input], second: Pairs::EMPTY }
    }

    fn few_members(&self, set: Set) -> Option<&[u32]> {
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
        if let Some(known) = self.unions.get(a, b) {
            return known;
        }
        let union = match (self.few_members(a), self.few_members(b)) {
            (Some(x), Some(y)) if x == y => a,
            (Some(x), Some(y)) if x.len() + y.len() <= FEW => {
                let merged = merged(x, y);
                self.intern(&merged)
            }
            _ if self.has_child(a, b) => a,
            _ if self.has_child(b, a) => b,
            _ => self.push(SetNode::Union(a, b)),
        };
        self.unions.insert(a, b, union);
        union
    }

    fn has_child(&self, of: Set, child: Set) -> bool {
        matches!(self.nodes[of.0 as usize], SetNode::Union(x, y) if x == child || y == child)
    }

    fn push(&mut self, node: SetNode) -> Set {
        self.nodes.push(node);
        Set(self.nodes.len() as u32 - 1)
    }

    fn intern(&mut self, members: &[u32]) -> Set {
        if let [single] = *members {
            return self.singles[single as usize];
        }
        if !self.unions.remembers_all {
            return self.push_few(members);
        }
        let hash = self.hasher.hash_one(members);
        if let Some(known) = self.few.find(hash, |known| self.few_members(*known) == Some(members)) {
            return *known;
        }
        let new_set = self.push_few(members);
        let Sets { few, nodes, members, hasher, .. } = self;
        few.insert_unique(hash, new_set, |set| match nodes[set.0 as usize] {
            SetNode::Few(start, len) => hasher.hash_one(&members[start as usize..][..usize::from(len)]),
            SetNode::Union(..) => 0,
        });
        new_set
    }

    fn push_few(&mut self, members: &[u32]) -> Set {
        let (start, len) = (self.members.len() as u32, members.len() as u8);
        self.members.extend(members);
        self.push(SetNode::Few(start, len))
    }

    /// The union of two sets of pairs.
    pub(crate) fn union_pairs(&mut self, a: Pairs, b: Pairs) -> Pairs {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == b || a == Pairs::EMPTY {
            return b;
        }
        if let Some(known) = self.pair_unions.get(a, b) {
            return known;
        }
        self.pairs.push(PairsNode::Union(a, b));
        let pairs = Pairs(self.pairs.len() as u32 - 1);
        self.pair_unions.insert(a, b, pairs);
        pairs
    }

    /// All pairs of a member of one set and a member of another.
    pub(crate) fn product(&mut self, a: Set, b: Set) -> Pairs {
        if !self.second || a == Set::EMPTY || b == Set::EMPTY {
            return Pairs::EMPTY;
        }
        let key = if a <= b { (a, b) } else { (b, a) };
        if let Some(known) = self.products.get(key.0, key.1) {
            return known;
        }
        self.pairs.push(PairsNode::Product(key.0, key.1));
        let pairs = Pairs(self.pairs.len() as u32 - 1);
        self.products.insert(key.0, key.1, pairs);
        pairs
    }

    /// The dependences of a value that depends on what either depends on.
    pub(crate) fn join(&mut self, a: Dep, b: Dep) -> Dep {
        Dep { first: self.union(a.first, b.first), second: self.union_pairs(a.second, b.second) }
    }

    /// The same inputs, and each pair of them.
    pub(crate) fn nonlinear(&mut self, dep: Dep) -> Dep {
        let all = self.product(dep.first, dep.first);
        Dep { second: self.union_pairs(dep.second, all), ..dep }
    }

    /// Whether everything in `a` is also in `b`.
    pub(crate) fn is_within(&mut self, a: Dep, b: Dep) -> bool {
        self.is_subset(a.first, b.first) && self.are_pairs_within(a.second, b.second)
    }

    fn is_subset(&mut self, a: Set, b: Set) -> bool {
        if a == b || a == Set::EMPTY {
            return true;
        }
        let all: HashSet<u32> = self.members_of([b]).into_iter().collect();
        self.members_of([a]).iter().all(|member| all.contains(member))
    }

    fn are_pairs_within(&mut self, a: Pairs, b: Pairs) -> bool {
        if a == b || a == Pairs::EMPTY {
            return true;
        }
        let all: HashSet<(Set, Set)> = self.products_of(b).into_iter().collect();
        let missing: Vec<_> = self.products_of(a).into_iter().filter(|one| !all.contains(one)).collect();
        if missing.is_empty() {
            return true;
        }
        let (offsets, columns) = self.rows_of_pairs(b, self.singles.len());
        missing.iter().all(|&(x, y)| {
            let (xs, ys) = (self.members_of([x]), self.members_of([y]));
            xs.iter().all(|row| {
                let row = *row as usize;
                let row = &columns[offsets[row]..offsets[row + 1]];
                ys.iter().all(|col| row.binary_search(col).is_ok())
            })
        })
    }

    /// The members of the union of sets, in order.
    pub(crate) fn members_of(&mut self, sets: impl IntoIterator<Item = Set>) -> Vec<u32> {
        let mut pending: SmallVec<[Set; 16]> = sets.into_iter().collect();
        if let [single] = *pending
            && let Some(few) = self.few_members(single)
        {
            return few.to_vec();
        }
        let mut found = Vec::new();
        self.seen.begin(self.nodes.len());
        while let Some(set) = pending.pop() {
            match self.nodes[set.0 as usize] {
                SetNode::Few(start, len) => {
                    found.extend(&self.members[start as usize..][..usize::from(len)]);
                }
                SetNode::Union(a, b) => {
                    if self.seen.insert(set.0) {
                        pending.extend([a, b]);
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn products_of(&mut self, pairs: Pairs) -> Vec<(Set, Set)> {
        let (mut found, mut pending) = (Vec::new(), vec![pairs]);
        self.seen.begin(self.pairs.len());
        while let Some(pairs) = pending.pop() {
            match self.pairs[pairs.0 as usize] {
                PairsNode::Empty => {}
                PairsNode::Product(a, b) => {
                    if self.seen.insert(pairs.0) {
                        found.push((a, b));
                    }
                }
                PairsNode::Union(a, b) => {
                    if self.seen.insert(pairs.0) {
                        pending.extend([a, b]);
                    }
                }
            }
        }
        found
    }

    /// The symmetric matrix of all pairs, of this many rows, as compressed rows: offsets and columns.
    pub(crate) fn rows_of_pairs(&mut self, pairs: Pairs, rows: usize) -> (Vec<usize>, Vec<u32>) {
        let mut partners: Vec<(u32, Set)> = Vec::new();
        for (a, b) in self.products_of(pairs) {
            partners.extend(self.members_of([a]).into_iter().map(|row| (row, b)));
            if a != b {
                partners.extend(self.members_of([b]).into_iter().map(|row| (row, a)));
            }
        }
        partners.sort_unstable();
        partners.dedup();
        let (mut offsets, mut columns) = (Vec::with_capacity(rows + 1), Vec::with_capacity(partners.len()));
        offsets.push(0);
        let mut rest = partners.as_slice();
        for row in 0..rows as u32 {
            let (of_row, others) = rest.split_at(rest.iter().take_while(|(of, _)| *of == row).count());
            columns.append(&mut self.members_of(of_row.iter().map(|(_, set)| *set)));
            offsets.push(columns.len());
            rest = others;
        }
        (offsets, columns)
    }

    /// Remembers all unions from here on, or only the recent ones (SETS1).
    pub(crate) fn remember_all(&mut self, all: bool) {
        self.unions.remembers_all = all;
        self.products.remembers_all = all;
        self.pair_unions.remembers_all = all;
    }
}

/// The union of two sorted lists.
fn merged(mut x: &[u32], mut y: &[u32]) -> SmallVec<[u32; FEW]> {
    let mut all = SmallVec::new();
    while let (Some((a, more)), Some((b, rest))) = (x.split_first(), y.split_first()) {
        all.push(*a.min(b));
        if a <= b {
            x = more;
        }
        if b <= a {
            y = rest;
        }
    }
    all.extend_from_slice(x);
    all.extend_from_slice(y);
    all
}
