//! Patterns as text, with eight positions in a character.

use std::fmt::Write;

use crate::SparsityPattern;

/// The dots of a braille character, by row and column, as bits of its number.
const DOTS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

/// A pattern as braille characters, at most `width` characters wide, and a line with its size.
///
/// A dot is one position, or, if the matrix is larger, a square of positions at least one of which has an
/// entry.
///
/// ```
/// use overdub_sparsity::{SparsityPattern, picture};
///
/// let picture = picture::braille(&SparsityPattern::diagonal(100)?, 5);
/// let legend = "100 × 100, 100 entries, density 1 %, bandwidth 0, a dot is 10 × 10 places";
/// assert_eq!(picture, format!("⠑⢄⠀⠀⠀\n⠀⠀⠑⢄⠀\n⠀⠀⠀⠀⠑\n{legend}\n"));
/// # Ok::<(), overdub_sparsity::PatternError>(())
/// ```
#[must_use]
pub fn braille(pattern: &SparsityPattern, width: usize) -> String {
    let longest = pattern.rows().max(pattern.cols());
    let side = longest.div_ceil(width.max(1).saturating_mul(2)).max(1);
    let (height, width) =
        (pattern.rows().div_ceil(side).div_ceil(4), pattern.cols().div_ceil(side).div_ceil(2));
    let mut cells = vec![0u8; height * width];
    for (row, col) in pattern.entries() {
        let (row, col) = (row / side, col / side);
        cells[row / 4 * width + col / 2] |= DOTS[row % 4][col % 2];
    }
    let mut text = String::new();
    for line in cells.chunks(width.max(1)) {
        text.extend(line.iter().filter_map(|&dots| char::from_u32(0x2800 + u32::from(dots))));
        text.push('\n');
    }
    // Writing to a string does not fail.
    let _ = writeln!(text, "{}", legend(pattern, side));
    text
}

fn legend(pattern: &SparsityPattern, side: usize) -> String {
    let (rows, cols, entries) = (pattern.rows(), pattern.cols(), pattern.len());
    let (density, bandwidth) = (percent(pattern.density()), pattern.bandwidth());
    let scale = if side > 1 { format!(", a dot is {side} × {side} places") } else { String::new() };
    format!("{rows} × {cols}, {entries} entries, density {density} %, bandwidth {bandwidth}{scale}")
}

/// A fraction as a percentage with three significant digits.
fn percent(part: f64) -> String {
    let percent = part * 100.0;
    if percent == 0.0 || percent >= 100.0 {
        return format!("{percent}");
    }
    let decimals = (2.0 - percent.log10().floor()).max(0.0) as usize;
    format!("{percent:.decimals$}").trim_end_matches('0').trim_end_matches('.').to_owned()
}
