//! Pictures of patterns: every entry is visible at every scale.

use overdub_sparsity::SparsityPattern;
use overdub_sparsity::picture::braille;
use proptest::collection::vec;
use proptest::prelude::*;

/// Whether the dot of a position is set.
fn is_seen(picture: &str, side: usize, row: usize, col: usize) -> bool {
    let (row, col) = (row / side, col / side);
    let cell =
        picture.lines().nth(row / 4).and_then(|line| line.chars().nth(col / 2)).expect("the cell is drawn");
    let bit = [[0, 3], [1, 4], [2, 5], [6, 7]][row % 4][col % 2];
    (cell as u32 - 0x2800) >> bit & 1 == 1
}

proptest! {
    #[test]
    fn a_dot_is_seen_where_its_square_has_an_entry(
        places in vec((0usize..30, 0usize..50), 0..20), width in 0usize..40,
    ) {
        let pattern = SparsityPattern::new(30, 50, places)?;
        let picture = braille(&pattern, width);
        let side = 50usize.div_ceil(2 * width.max(1));
        let squares: std::collections::BTreeSet<_> = pattern.entries().map(|(row, col)| (row / side, col / side)).collect();
        for (row, col) in (0..30).flat_map(|row| (0..50).map(move |col| (row, col))) {
            let expected = squares.contains(&(row / side, col / side));
            prop_assert_eq!(is_seen(&picture, side, row, col), expected);
        }
        let lines: Vec<&str> = picture.lines().collect();
        prop_assert!(lines[..lines.len() - 1].iter().all(|line| line.chars().count() <= width.max(1)));
    }
}

#[test]
fn a_legend_says_sizes_in_digits_that_count() {
    let legend = |pattern: &SparsityPattern| braille(pattern, 10).lines().last().map(str::to_owned).unwrap();
    assert_eq!(legend(&SparsityPattern::empty(0, 0).unwrap()), "0 × 0, 0 entries, density 0 %, bandwidth 0");
    assert_eq!(legend(&"[1 1; 1 1]".parse().unwrap()), "2 × 2, 4 entries, density 100 %, bandwidth 1");
    assert_eq!(
        legend(&SparsityPattern::new(1_000_000, 3, [(999_999, 0)]).unwrap()),
        "1000000 × 3, 1 entries, density 0.0000333 %, bandwidth 999999, a dot is 50000 × 50000 places"
    );
}

#[cfg(feature = "png")]
mod images {
    use overdub_sparsity::SparsityPattern;
    use overdub_sparsity::coloring::{ColoringKind, color};
    use overdub_sparsity::picture::png;

    /// Width, height and pixels of an image.
    fn decoded(bytes: &[u8]) -> (u32, u32, Vec<[u8; 3]>) {
        let mut reader = ::png::Decoder::new(bytes).read_info().expect("the header is right");
        let mut pixels = vec![0; reader.output_buffer_size()];
        let frame = reader.next_frame(&mut pixels).expect("the image is right");
        let pixels = pixels.chunks(3).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        (frame.width, frame.height, pixels)
    }

    #[test]
    fn an_image_of_a_large_pattern_stays_small() {
        let pattern = SparsityPattern::diagonal(1_000_000).unwrap();
        let (width, height, pixels) = decoded(&png(&pattern, None).unwrap());
        assert!(width <= 1200 && height <= 1200, "{width} × {height}");
        assert!(pixels.iter().filter(|pixel| **pixel != [255; 3]).count() > 1000);
    }

    #[test]
    fn groups_are_seen_in_colors_of_their_own() {
        let pattern: SparsityPattern = "[1 1 0 0; 1 1 1 0; 0 1 1 1; 0 0 1 1]".parse().unwrap();
        for kind in ColoringKind::ALL {
            let coloring = color(&pattern, kind).unwrap();
            let (_, _, mut pixels) = decoded(&png(&pattern, Some(&coloring)).unwrap());
            pixels.sort_unstable();
            pixels.dedup();
            // And white and black.
            assert_eq!(pixels.len(), 2 + coloring.len(), "{kind}");
        }
    }

    #[test]
    fn every_size_has_an_image() {
        for (rows, cols) in [(0, 0), (0, 5), (5, 0), (1, 1), (1, 3000), (3000, 1)] {
            let pattern = SparsityPattern::empty(rows, cols).unwrap();
            let (width, height, _) = decoded(&png(&pattern, None).unwrap());
            assert!(width <= 1200 && height <= 1200);
        }
    }
}
