//! The requirements of a coloring, checked independently of the crate's own code.

use overdub_sparsity::SparsityPattern;
use overdub_sparsity::coloring::{Coloring, ColoringKind};

/// Whether all entries can be recovered: those that are alone in a product, and for kinds that substitute,
/// those that are alone once others are known, and so on.
pub(crate) fn recovers(pattern: &SparsityPattern, coloring: &Coloring) -> bool {
    let entries: Vec<(usize, usize)> = pattern.entries().collect();
    // Each number of the compressed matrix is a sum of entries.
    let mut sums: Vec<Vec<usize>> = Vec::new();
    for group in coloring.column_groups().iter() {
        for row in 0..pattern.rows() {
            let is_in = |col: usize| group.contains(&(col as u32));
            sums.push(
                (0..entries.len()).filter(|&at| entries[at].0 == row && is_in(entries[at].1)).collect(),
            );
        }
    }
    for group in coloring.row_groups().iter() {
        for col in 0..pattern.cols() {
            let is_in = |row: usize| group.contains(&(row as u32));
            sums.push(
                (0..entries.len()).filter(|&at| entries[at].1 == col && is_in(entries[at].0)).collect(),
            );
        }
    }
    let mirror = |at: usize| {
        let (row, col) = entries[at];
        entries.iter().position(|&entry| entry == (col, row)).expect("the matrix is symmetric")
    };
    let mut known = vec![false; entries.len()];
    loop {
        let before = known.clone();
        let subtracts = coloring.kind().substitutes();
        for sum in &sums {
            let open: Vec<usize> = sum.iter().copied().filter(|&at| !subtracts || !before[at]).collect();
            if let [alone] = open[..] {
                known[alone] = true;
                if coloring.kind().is_symmetric() {
                    known[mirror(alone)] = true;
                }
            }
        }
        if known == before {
            return known.iter().all(|&known| known);
        }
    }
}

/// Whether a coloring without neutral vertices is one by the definition of its kind.
pub(crate) fn is_by_definition(pattern: &SparsityPattern, coloring: &Coloring) -> bool {
    let (columns, rows) = (coloring.column_colors(), coloring.row_colors());
    let share = |a: usize, b: usize, transposed: bool| {
        let has = |at: usize, of: usize| {
            if transposed { pattern.contains(of, at) } else { pattern.contains(at, of) }
        };
        (0..if transposed { pattern.cols() } else { pattern.rows() }).any(|at| has(at, a) && has(at, b))
    };
    let apart = |colors: &[u32], transposed: bool| {
        let pairs = (0..colors.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        pairs.filter(|&(a, b)| colors[a] == colors[b]).all(|(a, b)| !share(a, b, transposed))
    };
    let offset = columns.len();
    let (colors, edges): (Vec<i64>, Vec<(usize, usize)>) = if coloring.kind().is_symmetric() {
        let colors = columns.iter().map(|&color| i64::from(color)).collect();
        (colors, pattern.entries().filter(|&(row, col)| row < col).collect())
    } else {
        let colors = columns.iter().map(|&color| i64::from(color));
        let colors = colors.chain(rows.iter().map(|&color| -i64::from(color))).collect();
        (colors, pattern.entries().map(|(row, col)| (row + offset, col)).collect())
    };
    match coloring.kind() {
        ColoringKind::Column => apart(columns, false),
        ColoringKind::Row => apart(rows, true),
        _ if edges.iter().any(|&(a, b)| colors[a] == colors[b]) => false,
        ColoringKind::Star | ColoringKind::StarBidirectional => !has_two_colored_path(&colors, &edges),
        _ => !has_two_colored_cycle(&colors, &edges),
    }
}

fn has_two_colored_path(colors: &[i64], edges: &[(usize, usize)]) -> bool {
    let near = |of: usize| {
        edges.iter().filter_map(move |&(a, b)| if a == of { Some(b) } else { (b == of).then_some(a) })
    };
    edges.iter().any(|&(b, c)| {
        let starts = near(b).filter(|&a| a != c && colors[a] == colors[c]);
        starts.into_iter().any(|a| near(c).any(|d| d != b && d != a && colors[d] == colors[b]))
    })
}

fn has_two_colored_cycle(colors: &[i64], edges: &[(usize, usize)]) -> bool {
    let mut trees: std::collections::BTreeMap<(i64, i64), Vec<usize>> = std::collections::BTreeMap::new();
    for &(a, b) in edges {
        let pair = (colors[a].min(colors[b]), colors[a].max(colors[b]));
        let tree = trees.entry(pair).or_insert_with(|| (0..colors.len()).collect());
        let (from, to) = (tree[a], tree[b]);
        if from == to {
            return true;
        }
        tree.iter_mut().filter(|root| **root == from).for_each(|root| *root = to);
    }
    false
}
