//! Laws of patterns, checked against sets of positions.

use std::collections::BTreeSet;

use overdub_sparsity::{PatternError, SparsityPattern};
use proptest::collection::vec;
use proptest::prelude::*;

type Places = BTreeSet<(usize, usize)>;

const ROWS: usize = 9;
const COLS: usize = 7;

fn places(rows: usize, cols: usize) -> impl Strategy<Value = Vec<(usize, usize)>> {
    vec((0..rows, 0..cols), 0..40)
}

fn pattern(places: &[(usize, usize)]) -> SparsityPattern {
    SparsityPattern::new(ROWS, COLS, places.iter().copied()).expect("the places lie in the matrix")
}

fn set(pattern: &SparsityPattern) -> Places {
    pattern.entries().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_pattern_is_the_set_of_its_places(given in places(ROWS, COLS)) {
        let built = pattern(&given);
        let expected: Places = given.iter().copied().collect();
        prop_assert_eq!(built.len(), expected.len());
        prop_assert!(built.entries().eq(expected.iter().copied()));
        for (row, col) in (0..=ROWS).flat_map(|row| (0..=COLS).map(move |col| (row, col))) {
            prop_assert_eq!(built.contains(row, col), expected.contains(&(row, col)));
        }
        for (index, (row, col)) in built.entries().enumerate() {
            prop_assert_eq!(built.index_of(row, col), Some(index));
            prop_assert!(built.row_range(row).contains(&index));
        }
        let rows = (0..ROWS).map(|row| given.iter().filter(move |place| place.0 == row).map(|place| place.1));
        prop_assert_eq!(&SparsityPattern::from_rows(COLS, rows)?, &built);
        let again = SparsityPattern::from_offsets(COLS, built.offsets().to_vec(), built.columns().to_vec())?;
        prop_assert_eq!(&again, &built);
        prop_assert_eq!(&built.to_string().parse::<SparsityPattern>()?, &built);
    }

    #[test]
    fn transposing_exchanges_rows_and_columns_and_twice_does_nothing(given in places(ROWS, COLS)) {
        let made = pattern(&given);
        let transposed = made.transpose();
        let expected: Places = given.iter().map(|&(row, col)| (col, row)).collect();
        prop_assert_eq!(set(&transposed), expected);
        prop_assert_eq!((transposed.rows(), transposed.cols()), (COLS, ROWS));
        prop_assert_eq!(transposed.transpose(), made);
    }

    #[test]
    fn a_union_is_that_of_the_places(left in places(ROWS, COLS), right in places(ROWS, COLS)) {
        let (left, right) = (pattern(&left), pattern(&right));
        let union = left.union(&right)?;
        let expected: Places = set(&left).union(&set(&right)).copied().collect();
        prop_assert_eq!(set(&union), expected);
        prop_assert_eq!(&union, &right.union(&left)?);
        prop_assert_eq!(&union, &union.union(&left)?);
        prop_assert!(left.is_subset_of(&union) && right.is_subset_of(&union));
        prop_assert_eq!(union.transpose(), left.transpose().union(&right.transpose())?);
    }

    #[test]
    fn a_subset_lacks_nothing(left in places(ROWS, COLS), right in places(ROWS, COLS)) {
        let (left, right) = (pattern(&left), pattern(&right));
        let missing = set(&left).difference(&set(&right)).next().copied();
        prop_assert_eq!(left.first_missing(&right), missing);
        prop_assert_eq!(left.is_subset_of(&right), missing.is_none());
    }

    #[test]
    fn symmetrizing_makes_symmetric_and_is_least(given in places(8, 8)) {
        let made = SparsityPattern::new(8, 8, given.iter().copied())?;
        let symmetrized = made.symmetrized()?;
        prop_assert!(symmetrized.is_symmetric() && made.is_subset_of(&symmetrized));
        let mirrored = |place: (usize, usize)| made.contains(place.0, place.1) || made.contains(place.1, place.0);
        prop_assert!(symmetrized.entries().all(mirrored));
        prop_assert_eq!(made.is_symmetric(), made == symmetrized);
        let farthest = given.iter().map(|&(row, col)| row.abs_diff(col)).max();
        prop_assert_eq!(made.bandwidth(), farthest.unwrap_or(0));
    }

    #[test]
    fn arbitrary_offsets_are_answered(offsets in vec(0usize..9, 0..6), columns in vec(0u32..5, 0..9)) {
        if let Ok(made) = SparsityPattern::from_offsets(4, offsets.clone(), columns.clone()) {
            prop_assert_eq!(SparsityPattern::new(made.rows(), 4, made.entries())?, made);
        }
    }

    #[test]
    fn arbitrary_text_is_answered(text in "[\\[\\]; 01.x-]{0,20}") {
        if let Ok(made) = text.parse::<SparsityPattern>() {
            prop_assert!(made.len() <= text.len());
        }
    }
}

#[test]
fn what_is_wrong_with_a_pattern_is_said() {
    let size = SparsityPattern::MAX_SIZE + 1;
    let said = |result: Result<SparsityPattern, PatternError>| {
        result.map_err(|error| error.to_string()).unwrap_err()
    };
    assert_eq!(
        said(SparsityPattern::from_rows(2, [vec![0], vec![1, 2]])),
        "the entry (1, 2) lies outside of a matrix of 2 rows and 2 columns"
    );
    assert_eq!(
        said(SparsityPattern::new(1, size, [])),
        format!("a matrix of 1 rows and {size} columns is larger than a pattern can be")
    );
    assert_eq!(
        said(SparsityPattern::from_offsets(2, vec![0, 2, 1], vec![0, 1])),
        "the offset at 2 does not delimit a row of 2 entries"
    );
    assert_eq!(
        said(SparsityPattern::from_offsets(2, vec![], vec![])),
        "the offset at 0 does not delimit a row of 0 entries"
    );
    assert_eq!(
        said(SparsityPattern::from_offsets(2, vec![0, 2], vec![1, 1])),
        "the columns of row 0 do not rise: 1 follows 1"
    );
    assert_eq!(
        said(SparsityPattern::from_offsets(2, vec![0, 1], vec![7])),
        "the entry (0, 7) lies outside of a matrix of 1 rows and 2 columns"
    );
    assert_eq!(said("[1 0; 1]".parse()), "row 1 of the matrix has `1 numbers` where 2 is expected");
    assert_eq!(said("[1 z]".parse()), "row 0 of the matrix has `z` where a number is expected");
    let (wide, tall) = (SparsityPattern::empty(2, 3).unwrap(), SparsityPattern::empty(3, 2).unwrap());
    assert_eq!(said(wide.union(&tall)), "a pattern of 2 by 3 and one of 3 by 2 are to be of one size");
    assert_eq!(said(wide.symmetrized()), "a matrix of 2 rows and 3 columns is not square");
    assert!(!wide.is_subset_of(&tall) && !wide.is_symmetric());
}
