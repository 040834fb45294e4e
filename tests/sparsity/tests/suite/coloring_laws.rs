//! Laws of colorings that hold for every matrix, kind and order.

use crate::coloring_support::oracle::{is_by_definition, recovers};
use crate::coloring_support::round_trip;
use overdub_sparsity::SparsityPattern;
use overdub_sparsity::coloring::{
    Coloring, ColoringKind, Decompression, GreedyColoring, InvalidColoring, Neutral, Order, Vertex,
    check_coloring,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

const NEUTRAL: [Neutral; 3] = [Neutral::Never, Neutral::Dropped, Neutral::Covered];

prop_compose! {
    fn matrix(most: usize)(rows in 1..most, cols in 1..most)(
        places in vec((0..rows, 0..cols), 0..=rows * cols / 2 + 1), rows in Just(rows), cols in Just(cols),
    ) -> SparsityPattern {
        SparsityPattern::new(rows, cols, places).expect("the entries lie inside")
    }
}

prop_compose! {
    fn symmetric(most: usize)(size in 1..most)(
        places in vec((0..size, 0..size), 0..=size * size / 3 + 1), size in Just(size),
    ) -> SparsityPattern {
        let pattern = SparsityPattern::new(size, size, places).expect("the entries lie inside");
        pattern.symmetrized().expect("the matrix is square")
    }
}

/// A matrix, and a kind that can color it.
fn colored(most: usize) -> impl Strategy<Value = (SparsityPattern, ColoringKind)> {
    (matrix(most), symmetric(most), select(ColoringKind::ALL.to_vec()))
        .prop_map(|(any, symmetric, kind)| (if kind.is_symmetric() { symmetric } else { any }, kind))
}

fn order() -> impl Strategy<Value = Order> {
    prop_oneof![select(Order::ALL.to_vec()), any::<u64>().prop_map(|seed| Order::Random { seed })]
}

/// Whether a step of a path or a cycle is an entry.
fn is_edge(pattern: &SparsityPattern, a: Vertex, b: Vertex) -> bool {
    match (a, b) {
        (Vertex::Row(row), Vertex::Column(col)) | (Vertex::Column(col), Vertex::Row(row)) => {
            pattern.contains(row, col)
        }
        (Vertex::Column(a), Vertex::Column(b)) => pattern.contains(a, b),
        (Vertex::Row(_), Vertex::Row(_)) => false,
    }
}

fn color_of(coloring: &Coloring, vertex: Vertex) -> (bool, u32) {
    match vertex {
        Vertex::Row(row) => (true, coloring.row_colors()[row]),
        Vertex::Column(col) => (false, coloring.column_colors()[col]),
    }
}

/// Whether the error about a coloring is justified.
fn is_true(pattern: &SparsityPattern, coloring: &Coloring, error: &InvalidColoring) -> bool {
    match error {
        InvalidColoring::SharedRow { columns: [a, b], color, row } => {
            let has = |&col: &usize| {
                pattern.contains(*row, col) && coloring.column_colors()[col] as usize == *color
            };
            a != b && [a, b].into_iter().all(has)
        }
        InvalidColoring::SharedColumn { rows: [a, b], color, col } => {
            let has =
                |&row: &usize| pattern.contains(row, *col) && coloring.row_colors()[row] as usize == *color;
            a != b && [a, b].into_iter().all(has)
        }
        InvalidColoring::NotCovered { row, col } => {
            let is_neutral = |colors: &[u32], at: usize| colors.get(at).is_none_or(|&color| color == 0);
            let mirrored = coloring.kind().is_symmetric() && !is_neutral(coloring.column_colors(), *row);
            let found =
                !is_neutral(coloring.column_colors(), *col) || !is_neutral(coloring.row_colors(), *row);
            pattern.contains(*row, *col) && !found && !mirrored
        }
        InvalidColoring::Adjacent { columns: [a, b], color } => {
            let has = |&col: &usize| coloring.column_colors()[col] as usize == *color;
            a != b && pattern.contains(*a, *b) && [a, b].into_iter().all(has)
        }
        InvalidColoring::TwoColoredPath { path } => {
            let mut distinct = path.to_vec();
            distinct.sort_unstable();
            distinct.dedup();
            let edges = path.windows(2).all(|pair| is_edge(pattern, pair[0], pair[1]));
            let colors = path.map(|vertex| color_of(coloring, vertex));
            distinct.len() == 4 && edges && colors[0] == colors[2] && colors[1] == colors[3]
        }
        InvalidColoring::TwoColoredCycle { cycle } => {
            let next = |at: usize| cycle[(at + 1) % cycle.len()];
            let mut distinct = cycle.clone();
            distinct.sort_unstable();
            distinct.dedup();
            let colors: Vec<_> = cycle.iter().map(|&vertex| color_of(coloring, vertex)).collect();
            let two = (0..cycle.len()).all(|at| colors[at] == colors[at % 2]);
            let edges = (0..cycle.len()).all(|at| is_edge(pattern, cycle[at], next(at)));
            distinct.len() == cycle.len() && cycle.len() > 3 && two && edges
        }
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn a_greedy_coloring_recovers_the_matrix(
        (pattern, kind) in colored(12), order in order(), neutral in select(NEUTRAL.to_vec()),
    ) {
        let coloring = GreedyColoring::new().orders([order]).neutral(neutral).color(&pattern, kind)?;
        prop_assert!(recovers(&pattern, &coloring), "{kind} {order:?} {neutral:?} {pattern} {coloring:?}");
        prop_assert_eq!(check_coloring(&pattern, &coloring), Ok(()));
        round_trip(&pattern, &coloring);
        let groups = [coloring.column_groups(), coloring.row_groups()];
        prop_assert!(groups.iter().all(|groups| groups.iter().all(|group| !group.is_empty())));
    }

    #[test]
    fn a_coloring_without_neutral_vertices_is_one_by_definition((pattern, kind) in colored(9), order in order()) {
        let greedy = GreedyColoring::new().orders([order]).neutral(Neutral::Never);
        let coloring = greedy.color(&pattern, kind)?;
        let mut colors = coloring.column_colors().iter().chain(coloring.row_colors());
        prop_assert!(colors.all(|&color| color > 0));
        prop_assert!(is_by_definition(&pattern, &coloring), "{kind} {order:?} {pattern} {coloring:?}");
    }

    #[test]
    fn dropping_colors_never_adds_any((pattern, kind) in colored(12), order in order()) {
        let greedy = GreedyColoring::new().orders([order]);
        let len = |neutral| greedy.clone().neutral(neutral).color(&pattern, kind).map(|coloring| coloring.len());
        let (never, dropped, covered) = (len(Neutral::Never)?, len(Neutral::Dropped)?, len(Neutral::Covered)?);
        prop_assert!(covered <= dropped && dropped <= never);
    }

    #[test]
    fn the_best_of_all_orders_is_returned((pattern, kind) in colored(12)) {
        let len = |orders: &[Order]| {
            GreedyColoring::new().orders(orders.iter().copied()).color(&pattern, kind).map(|coloring| coloring.len())
        };
        let each = Order::ALL.iter().map(|&order| len(&[order])).collect::<Result<Vec<_>, _>>()?;
        prop_assert_eq!(Some(len(&Order::ALL)?), each.into_iter().min());
    }

    #[test]
    fn a_check_accepts_what_recovers_by_definition_and_its_errors_are_true(
        (pattern, kind) in colored(7), columns in vec(0u32..5, 7), rows in vec(0u32..5, 7),
    ) {
        let of = |is_colored: bool, colors: &[u32], len: usize| {
            let colors = colors[..if is_colored { len } else { 0 }].iter();
            colors.map(|&color| color.min(len as u32)).collect::<Vec<_>>()
        };
        let columns = of(kind.colors_columns(), &columns, pattern.cols());
        let coloring = Coloring::new(kind, columns, of(kind.colors_rows(), &rows, pattern.rows()))?;
        let has_neutral = coloring.column_colors().iter().chain(coloring.row_colors()).any(|&color| color == 0);
        match check_coloring(&pattern, &coloring) {
            Ok(()) => {
                prop_assert!(recovers(&pattern, &coloring), "{pattern} {coloring:?}");
                prop_assert!(has_neutral || is_by_definition(&pattern, &coloring));
                round_trip(&pattern, &coloring);
            }
            Err(error) => {
                prop_assert!(is_true(&pattern, &coloring, &error), "{error} {pattern} {coloring:?}");
                prop_assert!(has_neutral || !is_by_definition(&pattern, &coloring));
                prop_assert!(Decompression::prepare(&pattern, &coloring).is_err());
            }
        }
    }
}
