//! Colorings whose colors, or their number, are known: from papers, from other tools, or from theory.

use crate::coloring_support::matrices::{Numbers, arrow, band, frame, laplacian, pattern, permuted};
use crate::coloring_support::round_trip;
use overdub_sparsity::SparsityPattern;
use overdub_sparsity::coloring::{
    Coloring, ColoringError, ColoringKind, GreedyColoring, InvalidColoring, Neutral, Order, check_coloring,
    color, color_optimally, compress,
};

/// Figure 4.1 of Gebremedhin, Manne, Pothen, *What color is your Jacobian?*
const SURVEY_4_1: &str = "[1 1 0 0 0 0; 1 1 1 0 1 1; 0 1 1 1 0 0; 0 0 1 1 0 1; 0 1 0 0 1 0; 0 1 0 1 0 1]";

/// Figures 1 and 4 of Gebremedhin, Pothen, Tarafdar, Walther, *Efficient computation of sparse Hessians using coloring
/// and automatic differentiation*.
const EFFICIENT_1: &str = "[1 1 0 0 0 0 1 0 0 0; 1 1 1 0 1 0 0 0 0 0; 0 1 1 1 0 1 0 0 0 0; 0 0 1 1 0 0 0 0 0 1; \
                           0 1 0 0 1 1 0 1 0 0; 0 0 1 0 1 1 0 0 1 0; 1 0 0 0 0 0 1 1 0 0; 0 0 0 0 1 0 1 1 1 0; \
                           0 0 0 0 0 1 0 1 1 1; 0 0 0 1 0 0 0 0 1 1]";

/// A valid coloring by which values are recovered.
fn colored(pattern: &SparsityPattern, kind: ColoringKind, greedy: &GreedyColoring) -> Coloring {
    let coloring = greedy.color(pattern, kind).expect("the matrix can be colored");
    assert_eq!(check_coloring(pattern, &coloring), Ok(()));
    round_trip(pattern, &coloring);
    coloring
}

/// The number of colors in natural order.
fn len(pattern: &SparsityPattern, kind: ColoringKind) -> usize {
    colored(pattern, kind, &GreedyColoring::new()).len()
}

fn by(order: Order) -> GreedyColoring {
    GreedyColoring::new().orders([order])
}

#[test]
fn columns_without_a_row_in_common_share_a_color() {
    let pattern = pattern("[1 0 2; 0 3 4; 5 0 0]");
    let coloring = color(&pattern, ColoringKind::Column).unwrap();
    assert_eq!(coloring.column_colors(), [1, 1, 2]);
    let compressed = compress(&pattern, &coloring, &[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
    assert_eq!(compressed, [1.0, 3.0, 5.0, 2.0, 4.0, 0.0]);
    round_trip(&pattern, &coloring);
}

#[test]
fn rows_without_a_column_in_common_share_a_color() {
    let pattern = pattern("[1 0 3; 0 2 0; 4 5 0]");
    let coloring = color(&pattern, ColoringKind::Row).unwrap();
    assert_eq!(coloring.row_colors(), [1, 1, 2]);
    let compressed = compress(&pattern, &coloring, &[1.0, 3.0, 2.0, 4.0, 5.0]).unwrap();
    assert_eq!(compressed, [1.0, 2.0, 3.0, 4.0, 5.0, 0.0]);
    round_trip(&pattern, &coloring);
}

#[test]
fn figure_4_1_of_the_survey_has_a_star_coloring_of_three_colors() {
    let coloring = colored(&pattern(SURVEY_4_1), ColoringKind::Star, &GreedyColoring::new());
    assert_eq!(coloring.column_colors(), [1, 2, 1, 3, 1, 1]);
}

#[test]
fn figure_1_of_the_paper_on_hessians_has_its_star_coloring() {
    let coloring = colored(&pattern(EFFICIENT_1), ColoringKind::Star, &GreedyColoring::new());
    assert_eq!(coloring.column_colors(), [1, 2, 1, 3, 1, 4, 3, 5, 1, 2]);
}

#[test]
fn figure_4_of_the_paper_on_hessians_has_an_acyclic_coloring_of_three_colors() {
    let coloring = colored(&pattern(EFFICIENT_1), ColoringKind::Acyclic, &GreedyColoring::new());
    assert_eq!(coloring.column_colors(), [1, 2, 1, 2, 1, 3, 2, 3, 2, 1]);
}

#[test]
fn a_symmetric_band_takes_its_width_in_stars_and_half_of_it_in_trees() {
    // What the literature calls the width, 10 and 20, is the number of bands on both sides of the diagonal.
    for size in [5_000, 10_000, 20_000] {
        for (half_width, star, acyclic) in [(5, 11, 6), (10, 21, 11)] {
            let band = band(size, half_width);
            assert_eq!(len(&band, ColoringKind::Star), star);
            assert_eq!(len(&band, ColoringKind::Acyclic), acyclic);
        }
    }
}

#[test]
fn perfect_elimination_takes_one_more_than_the_half_width_of_a_permuted_band() {
    let mut numbers = Numbers(1);
    for (size, half_width) in [(100, 10), (200, 20), (400, 40), (800, 80)] {
        let band = permuted(&band(size, half_width), &numbers.permutation(size));
        let coloring = colored(&band, ColoringKind::Acyclic, &by(Order::PerfectElimination));
        assert_eq!(coloring.len(), half_width + 1);
    }
}

#[test]
fn an_anti_diagonal_takes_two_colors_on_both_sides_and_needs_one() {
    let pattern = pattern("[0 0 0 1; 0 0 1 0; 0 1 0 0; 1 0 0 0]");
    for kind in [ColoringKind::StarBidirectional, ColoringKind::AcyclicBidirectional] {
        let len = |neutral| colored(&pattern, kind, &GreedyColoring::new().neutral(neutral)).len();
        assert_eq!((len(Neutral::Never), len(Neutral::Dropped), len(Neutral::Covered)), (2, 1, 1));
    }
}

#[test]
fn a_hexagon_of_rows_and_columns_takes_three_colors_on_both_sides() {
    let pattern = pattern("[1 1 0; 0 1 1; 1 0 1]");
    assert_eq!(len(&pattern, ColoringKind::StarBidirectional), 3);
    assert_eq!(len(&pattern, ColoringKind::AcyclicBidirectional), 3);
}

#[test]
fn a_frame_needs_four_colors_on_both_sides() {
    // With a shared palette this takes six before dropping colors; with separate palettes it takes five.
    let frame = frame(10, 20);
    let len = |kind, neutral| colored(&frame, kind, &by(Order::Random { seed: 0 }).neutral(neutral)).len();
    let all = |kind| [Neutral::Never, Neutral::Dropped, Neutral::Covered].map(|neutral| len(kind, neutral));
    assert_eq!(all(ColoringKind::StarBidirectional), [5, 4, 4]);
    assert_eq!(all(ColoringKind::AcyclicBidirectional), [4, 4, 4]);
    assert_eq!(len(ColoringKind::Column, Neutral::Dropped), 20);
    assert_eq!(len(ColoringKind::Row, Neutral::Dropped), 10);
}

#[test]
fn an_arrow_head_takes_all_columns_but_two_stars_and_three_products_on_both_sides() {
    for size in [4, 10, 50] {
        let arrow = arrow(size);
        assert_eq!(len(&arrow, ColoringKind::Column), size);
        assert_eq!(len(&arrow, ColoringKind::Star), 2);
        assert_eq!(len(&arrow, ColoringKind::StarBidirectional), 3);
        assert_eq!(len(&arrow, ColoringKind::AcyclicBidirectional), 3);
    }
}

#[test]
fn substitution_takes_fewer_colors_than_direct_recovery_on_both_sides_of_an_arrow_head() {
    // If a cover is chosen first, three products are enough for either kind.
    for order in [Order::Natural, Order::LargestFirst, Order::SmallestLast, Order::IncidenceDegree] {
        for neutral in [Neutral::Never, Neutral::Dropped] {
            let len = |kind| colored(&arrow(10), kind, &by(order).neutral(neutral)).len();
            let (direct, substituted) =
                (len(ColoringKind::StarBidirectional), len(ColoringKind::AcyclicBidirectional));
            assert!(direct >= 10 && substituted <= 4, "{substituted} and {direct} in {order:?} order");
        }
    }
}

#[test]
fn a_tridiagonal_matrix_takes_three_columns_and_three_stars() {
    let tridiagonal = band(50, 1);
    assert_eq!(len(&tridiagonal, ColoringKind::Column), 3);
    assert_eq!(len(&tridiagonal, ColoringKind::Star), 3);
    assert_eq!(len(&tridiagonal, ColoringKind::Acyclic), 2);
    assert_eq!(len(&band(50, 5), ColoringKind::Column), 11);
}

#[test]
fn the_laplacian_on_a_grid_takes_seven_columns_and_five_stars() {
    let laplacian = laplacian(8);
    assert_eq!(laplacian.len(), 288);
    assert_eq!(len(&laplacian, ColoringKind::Column), 7);
    assert_eq!(len(&laplacian, ColoringKind::Star), 5);
}

#[test]
fn figure_3_1_of_the_survey_has_its_column_coloring() {
    let pattern = pattern("[1 0 0 0 0 1 1 1; 0 1 0 0 1 0 1 1; 0 0 1 0 1 1 0 1; 0 0 0 1 1 1 1 0]");
    let coloring = colored(&pattern, ColoringKind::Column, &GreedyColoring::new());
    assert_eq!(coloring.column_colors(), [1, 1, 1, 1, 2, 3, 4, 5]);
}

#[test]
fn of_several_orders_the_best_is_returned() {
    let cases = [
        (ColoringKind::Column, "[0 0 1 1; 0 1 0 1; 0 0 1 1; 1 1 0 0]"),
        (ColoringKind::Row, "[1 0 0 0; 0 0 1 0; 0 1 1 1; 1 0 0 1]"),
        (ColoringKind::Star, "[0 1 0 1 1; 1 1 0 1 0; 0 0 1 0 1; 1 1 0 1 0; 1 0 1 0 0]"),
        (
            ColoringKind::Acyclic,
            "[1 0 0 0 0 1 0; 0 0 0 1 0 0 0; 0 0 0 1 0 0 0; 0 1 1 1 0 1 1; 0 0 0 0 0 0 1; 1 0 0 1 0 0 1; \
             0 0 0 1 1 1 1]",
        ),
    ];
    for (kind, text) in cases {
        let len = |orders: &[Order]| {
            let greedy = GreedyColoring::new().neutral(Neutral::Never).orders(orders.iter().copied());
            colored(&pattern(text), kind, &greedy).len()
        };
        assert!(len(&[Order::Natural, Order::LargestFirst]) < len(&[Order::Natural]), "{kind}");
    }
    let none = GreedyColoring::new().orders([]);
    assert_eq!(none.color(&band(3, 1), ColoringKind::Star), Err(ColoringError::NoOrder));
}

#[test]
fn an_optimal_coloring_is_never_worse_than_a_greedy_one() {
    let mut numbers = Numbers(2);
    let mut better = 0;
    for (rows, cols) in [(10, 20), (20, 10)] {
        for tenths in 0..6 {
            let pattern = numbers.matrix(rows, cols, tenths * 100);
            for kind in [ColoringKind::Column, ColoringKind::Row] {
                let optimal = color_optimally(&pattern, kind, 1_000_000).unwrap();
                assert_eq!(check_coloring(&pattern, &optimal), Ok(()));
                assert!(optimal.len() <= len(&pattern, kind));
                better += usize::from(optimal.len() < len(&pattern, kind));
            }
        }
    }
    assert!(better > 0);
}

#[test]
fn an_optimal_coloring_needs_as_many_colors_as_all_colorings_of_fewer_fail() {
    // The columns form a cycle of five: each row has two entries, but three colors are needed.
    let cycle = pattern("[1 1 0 0 0; 0 1 1 0 0; 0 0 1 1 0; 0 0 0 1 1; 1 0 0 0 1]");
    assert_eq!(color_optimally(&cycle, ColoringKind::Column, 1000).unwrap().len(), 3);
    // Seven columns, each pair of which shares a row of three: the Fano plane.
    let fano = pattern(
        "[1 1 1 0 0 0 0; 1 0 0 1 1 0 0; 1 0 0 0 0 1 1; 0 1 0 1 0 1 0; 0 1 0 0 1 0 1; 0 0 1 1 0 0 1; 0 0 1 0 1 1 0]",
    );
    assert_eq!(color_optimally(&fano, ColoringKind::Row, 100_000).unwrap().len(), 7);
}

#[test]
fn what_cannot_be_colored_optimally_is_said() {
    let error = color_optimally(&band(3, 1), ColoringKind::Star, 10).unwrap_err();
    assert_eq!(error.to_string(), "an optimal star coloring is not supported, only of columns or rows");
    let dense = Numbers(3).matrix(100, 100, 100);
    let error = color_optimally(&dense, ColoringKind::Column, 100).unwrap_err();
    assert!(matches!(error, ColoringError::Limit { limit: 100, least, found } if least < found), "{error}");
}

#[test]
fn every_coloring_of_a_random_matrix_gives_it_back() {
    let mut numbers = Numbers(4);
    let sizes = [(10, 20), (20, 10), (100, 200), (200, 100)];
    for (rows, cols) in sizes {
        for step in 0..6 {
            let density = if rows < 100 && cols < 100 { 100 * step } else { 10 * step };
            let pattern = numbers.matrix(rows, cols, density);
            for kind in ColoringKind::ALL {
                let square = numbers.matrix(rows, rows, density).symmetrized().unwrap();
                let pattern = if kind.is_symmetric() { &square } else { &pattern };
                for neutral in [Neutral::Never, Neutral::Dropped, Neutral::Covered] {
                    for order in Order::ALL {
                        colored(pattern, kind, &by(order).neutral(neutral));
                    }
                }
            }
        }
    }
}

#[test]
fn a_wrong_coloring_by_hand_names_two_columns_and_their_row() {
    let coloring = Coloring::new(ColoringKind::Column, vec![1, 2, 1], vec![]).unwrap();
    let error = check_coloring(&pattern("[1 0 0; 0 1 0; 1 0 1]"), &coloring).unwrap_err();
    assert_eq!(error, InvalidColoring::SharedRow { columns: [0, 2], color: 1, row: 2 });
    assert_eq!(error.to_string(), "columns 0 and 2 have color 1, and both have entries in row 2");
}

#[test]
fn what_is_wrong_with_a_coloring_by_hand_is_said() {
    let ring = "[1 1 0 1; 1 1 1 0; 0 1 1 1; 1 0 1 1]";
    let cases = [
        (
            ColoringKind::Row,
            ring,
            &[][..],
            &[1, 2, 3, 1][..],
            "rows 0 and 3 have color 1, and both have entries in column 0",
        ),
        (
            ColoringKind::Column,
            ring,
            &[1, 2, 0, 3],
            &[],
            "no product contains the entry (1, 2): what it could be read from is neutral",
        ),
        (ColoringKind::Star, ring, &[1, 1, 2, 3], &[], "columns 0 and 1 are adjacent, and both have color 1"),
        (
            ColoringKind::Star,
            ring,
            &[1, 2, 1, 2],
            &[],
            "the path column 3, column 0, column 1, column 2 has two colors",
        ),
        (
            ColoringKind::Acyclic,
            ring,
            &[1, 2, 1, 2],
            &[],
            "the cycle column 0, column 1, column 2, column 3 has two colors",
        ),
        (ColoringKind::Star, ring, &[1, 2, 3], &[], "3 columns are colored where a star coloring has 4"),
        (
            ColoringKind::Star,
            "[1 0; 1 1]",
            &[1, 2],
            &[],
            "the matrix is not symmetric: (1, 0) has no mirror image",
        ),
        (ColoringKind::Star, "[1 0]", &[1, 2], &[], "a matrix of 1 rows and 2 columns is not symmetric"),
        (
            ColoringKind::Star,
            "[0 1 1; 1 1 0; 1 0 1]",
            &[0, 1, 1],
            &[],
            "columns 1 and 2 have color 1, and both have entries in row 0",
        ),
        (
            ColoringKind::StarBidirectional,
            "[1 1; 1 1]",
            &[1, 1],
            &[1, 1],
            "the path row 1, column 0, row 0, column 1 has two colors",
        ),
        (
            ColoringKind::AcyclicBidirectional,
            "[1 1; 1 1]",
            &[1, 1],
            &[1, 1],
            "the cycle column 0, row 0, column 1, row 1 has two colors",
        ),
        (
            ColoringKind::StarBidirectional,
            "[1 1; 1 1]",
            &[1, 1],
            &[0, 0],
            "columns 0 and 1 have color 1, and both have entries in row 0",
        ),
        (
            ColoringKind::StarBidirectional,
            "[1 1; 1 1]",
            &[0, 1],
            &[0, 1],
            "no product contains the entry (0, 0): what it could be read from is neutral",
        ),
    ];
    for (kind, text, columns, rows, expected) in cases {
        let coloring = Coloring::new(kind, columns.to_vec(), rows.to_vec()).unwrap();
        let error = check_coloring(&pattern(text), &coloring).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    let error = Coloring::new(ColoringKind::Column, vec![1, 3], vec![]).unwrap_err();
    assert_eq!(error.to_string(), "color 3 is greater than the number 2 of what is colored");
}
