//! Texts of Matrix Market: what was written can be read again, and errors name their line.

use overdub_sparsity::SparsityPattern;
use overdub_sparsity::pattern::matrix_market::{read, write};
use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    #[test]
    fn what_was_written_is_read_again(places in vec((0usize..9, 0usize..7), 0..30)) {
        let pattern = SparsityPattern::new(9, 7, places)?;
        prop_assert_eq!(read(&write(&pattern))?, pattern);
    }

    #[test]
    fn arbitrary_lines_are_answered(
        header in prop_oneof![
            3 => Just("%%MatrixMarket matrix coordinate pattern general"),
            2 => Just("%%MatrixMarket matrix coordinate real symmetric"),
            1 => Just("%%MatrixMarket"),
        ],
        lines in vec("([0-9]{0,2} ?){0,4}|%x|[0-9] [0-9] -?[0-9.e]{0,3}", 0..6),
    ) {
        let text = format!("{header}\n{}", lines.join("\n"));
        match read(&text) {
            Ok(pattern) => prop_assert!(pattern.len() <= 2 * lines.len()),
            Err(error) => prop_assert!((1..=lines.len() + 1).contains(&error.line), "{error}"),
        }
    }
}

#[test]
fn symmetric_texts_give_both_halves() {
    for symmetry in ["symmetric", "skew-symmetric"] {
        let text = format!("%%MatrixMarket matrix coordinate integer {symmetry}\n3 3 2\n2 1 5\n3 3 0\n");
        assert_eq!(read(&text).unwrap().to_string(), "[0 1 0; 1 0 0; 0 0 1]");
    }
    let text = "%%matrixmarket MATRIX Coordinate Complex Hermitian\n\n% x\n2 2 1\n\n2 1 1.5 -2\n";
    assert_eq!(read(text).unwrap().to_string(), "[0 1; 1 0]");
}

#[test]
fn what_is_wrong_with_a_text_is_said_with_its_line() {
    let header = "%%MatrixMarket matrix coordinate pattern general";
    let cases = [
        ("hello".to_owned(), "line 1: `hello` does not announce a matrix of the coordinate format"),
        (
            "%%MatrixMarket matrix array real general".to_owned(),
            "line 1: `%%MatrixMarket matrix array real general` does not announce a matrix of the coordinate format",
        ),
        (header.replace("pattern", "quaternion"), "line 1: `quaternion` is no kind of number or of symmetry"),
        (format!("{header}\n% x\n"), "line 1: there are no sizes"),
        (format!("{header}\n2 2\n"), "line 2: 2 words where there are 3"),
        (format!("{header}\n2 two 1\n"), "line 2: `two` is not the number that stands here"),
        (
            format!("{header}\n2 2 1\n1 0\n"),
            "line 3: the entry (1, 0) lies outside of a matrix of 2 rows and 2 columns",
        ),
        (format!("{header}\n2 2 1\n1 1 1.0\n"), "line 3: 3 words where there are 2"),
        (format!("{header}\n2 2 1\n1 1\n% x\n2 2\n"), "line 5: 2 entries where 1 are announced"),
        (
            format!("{header}\n1 9999999999 0\n"),
            "line 2: a matrix of 1 rows and 9999999999 columns is larger than a pattern can be",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(read(&text).unwrap_err().to_string(), expected);
    }
}
