//! A reduction by a fixed tree, whose leaves arrive in any order.
//!
//! - REDUCE1 the tree depends on the number of leaves alone: node `at` of a level joins nodes `2 at` and `2 at + 1` of the
//!   level below, in this order; the last one goes up alone if it has no neighbour.
//!
//! ```text
//! leaves   0   1   2   3   4
//!           \ /     \ /    |
//!            ·       ·     ·
//!             \     /      |
//!                ·         ·
//!                  \      /
//!                    root
//! ```

use std::sync::{Mutex, PoisonError};

use hashbrown::HashMap;

/// The greatest number of elements of a leaf.
const LEAF: usize = 256;

/// The number of leaves below which leaves have one element.
const LEAVES: usize = 256;

/// The number of elements of a leaf, of all elements of a sum.
pub(crate) fn leaf(len: usize) -> usize {
    (len / LEAVES).clamp(1, LEAF)
}

/// The nodes whose neighbours have not arrived yet; at most one for each thread and level if leaves begin in order.
pub(crate) struct Tree<T> {
    leaves: usize,
    nodes: Mutex<Nodes<T>>,
}

struct Nodes<T> {
    waiting: HashMap<(u32, usize), T>,
    root: Option<T>,
}

impl<T> Tree<T> {
    pub(crate) fn new(leaves: usize) -> Tree<T> {
        Tree { leaves, nodes: Mutex::new(Nodes { waiting: HashMap::new(), root: None }) }
    }

    /// Adds a leaf, and joins the nodes that it completes.
    pub(crate) fn put(&self, leaf: usize, mut value: T, join: impl Fn(T, T) -> T) {
        let mut at = leaf;
        for level in 0.. {
            let mut nodes = self.nodes.lock().unwrap_or_else(PoisonError::into_inner);
            let width = self.leaves.div_ceil(1 << level);
            if width <= 1 {
                nodes.root = Some(value);
                return;
            }
            let neighbour = at ^ 1;
            if neighbour < width {
                let Some(other) = nodes.waiting.remove(&(level, neighbour)) else {
                    nodes.waiting.insert((level, at), value);
                    return;
                };
                drop(nodes);
                value = if at < neighbour { join(value, other) } else { join(other, value) };
            }
            at /= 2;
        }
    }

    /// The root, once all leaves have arrived; none if there are no leaves.
    pub(crate) fn root(self) -> Option<T> {
        self.nodes.into_inner().unwrap_or_else(PoisonError::into_inner).root
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The tree by its definition.
    fn expected(names: Vec<String>) -> String {
        if names.len() == 1 {
            return names.into_iter().next().expect("there is one");
        }
        let pairs = names.chunks(2).map(|pair| match pair {
            [left, right] => format!("({left} {right})"),
            alone => alone.concat(),
        });
        expected(pairs.collect())
    }

    proptest! {
        #[test]
        fn the_tree_is_the_same_in_whichever_order_leaves_arrive(
            order in (1_usize..40).prop_flat_map(|count| Just((0..count).collect::<Vec<_>>()).prop_shuffle()),
        ) {
            let tree = Tree::new(order.len());
            for &leaf in &order {
                tree.put(leaf, leaf.to_string(), |left, right| format!("({left} {right})"));
            }
            let names = (0..order.len()).map(|leaf| leaf.to_string()).collect();
            prop_assert_eq!(tree.root(), Some(expected(names)));
        }
    }
}
