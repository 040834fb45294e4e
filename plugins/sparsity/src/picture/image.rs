//! Patterns as images, with rows and columns in the colors of a coloring.

use super::bitmap::{BLACK, Bitmap, DIGIT_HEIGHT, GRAY, Rgb, WHITE, hue, number_width};
use crate::SparsityPattern;
use crate::coloring::{Coloring, InvalidColoring, check_lengths};

/// The greatest number of pixels for the longer side of the matrix.
const LONGEST: usize = 1080;
/// The greatest number of pixels for the side of a position.
const LARGEST_PLACE: usize = 16;
/// The width of the band that shows the color of each row or column.
const BAND: usize = 8;
const GAP: usize = 4;

/// Why an image cannot be made.
///
/// ```
/// use overdub_sparsity::coloring::{Coloring, ColoringKind};
/// use overdub_sparsity::picture::png;
///
/// let coloring = Coloring::new(ColoringKind::Column, vec![1], vec![])?;
/// let error = png(&"[1 0; 0 1]".parse()?, Some(&coloring)).unwrap_err();
/// assert_eq!(error.to_string(), "1 columns are colored where a column coloring has 2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The coloring does not fit the matrix.
    #[error(transparent)]
    Coloring(#[from] InvalidColoring),
    /// The image cannot be encoded.
    #[error("the image was not encoded")]
    Encoding(#[from] png::EncodingError),
}

/// A pattern as a PNG image of at most 1200 pixels a side, with numbers along its frame.
///
/// An entry is dark, or has the color of its group: that of its column, or, if the column has none, that of
/// its row; gray if it is in no group. Bands along the frame show the colors of all columns and rows. In a
/// matrix with more positions than pixels, a pixel shows the first entry in its square.
///
/// ```
/// use overdub_sparsity::coloring::{ColoringKind, color};
/// use overdub_sparsity::picture::png;
///
/// let pattern = "[1 1 0 0; 1 1 1 0; 0 1 1 1; 0 0 1 1]".parse()?;
/// let image = png(&pattern, Some(&color(&pattern, ColoringKind::Star)?))?;
/// assert!(image.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the coloring has not a color for each row or column.
pub fn png(pattern: &SparsityPattern, coloring: Option<&Coloring>) -> Result<Vec<u8>, PictureError> {
    if let Some(coloring) = coloring {
        check_lengths(pattern, coloring)?;
    }
    let bitmap = Drawing::new(pattern, coloring).draw();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, bitmap.width as u32, bitmap.height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&bitmap.bytes)?;
    writer.finish()?;
    Ok(bytes)
}

struct Drawing<'a> {
    pattern: &'a SparsityPattern,
    columns: &'a [u32],
    rows: &'a [u32],
    is_colored: bool,
    /// The number of groups of columns, after which those of rows are numbered.
    column_count: usize,
    /// The number of rows or columns that share a pixel, and the number of pixels of a position; one of both
    /// is 1.
    shrink: usize,
    enlarge: usize,
    corner: (usize, usize),
}

impl<'a> Drawing<'a> {
    fn new(pattern: &'a SparsityPattern, coloring: Option<&'a Coloring>) -> Self {
        let longest = pattern.rows().max(pattern.cols()).max(1);
        Self {
            pattern,
            columns: coloring.map_or(&[], Coloring::column_colors),
            rows: coloring.map_or(&[], Coloring::row_colors),
            is_colored: coloring.is_some(),
            column_count: coloring.map_or(0, Coloring::column_count),
            shrink: longest.div_ceil(LONGEST),
            enlarge: (LONGEST / longest).clamp(1, LARGEST_PLACE),
            corner: (number_width(pattern.rows()) + BAND + 3 * GAP, DIGIT_HEIGHT + BAND + 3 * GAP),
        }
    }

    fn draw(&self) -> Bitmap {
        let (x, y) = self.corner;
        let (width, height) = (self.pixels(self.pattern.cols()), self.pixels(self.pattern.rows()));
        let mut bitmap =
            Bitmap::new(x + width.max(number_width(self.pattern.cols())) + 3 * GAP, y + height + 2 * GAP);
        bitmap.fill((x - 1, y - 1), (width + 2, height + 2), BLACK);
        bitmap.fill((x, y), (width, height), WHITE);
        // From the last to the first, so that the first entry in a square of positions is visible.
        for row in (0..self.pattern.rows()).rev() {
            for &col in self.pattern.row(row).iter().rev() {
                let corner = (x + self.at(col as usize), y + self.at(row));
                bitmap.fill(corner, (self.enlarge, self.enlarge), self.color(row, col as usize));
            }
        }
        self.draw_bands(&mut bitmap);
        self.draw_numbers(&mut bitmap);
        bitmap
    }

    fn color(&self, row: usize, col: usize) -> Rgb {
        let of_column = self.columns.get(col).copied().unwrap_or(0);
        let of_row = self.rows.get(row).copied().unwrap_or(0);
        match (of_column, of_row) {
            _ if !self.is_colored => BLACK,
            (0, 0) => GRAY,
            (0, group) => hue(self.column_count + group as usize),
            (group, _) => hue(group as usize),
        }
    }

    /// Draws the colors of columns above the frame, and those of rows left of it.
    fn draw_bands(&self, bitmap: &mut Bitmap) {
        let (x, y) = self.corner;
        for (col, &group) in self.columns.iter().enumerate().filter(|(_, group)| **group != 0).rev() {
            bitmap.fill((x + self.at(col), y - BAND - 2), (self.enlarge, BAND), hue(group as usize));
        }
        for (row, &group) in self.rows.iter().enumerate().filter(|(_, group)| **group != 0).rev() {
            let color = hue(self.column_count + group as usize);
            bitmap.fill((x - BAND - 2, y + self.at(row)), (BAND, self.enlarge), color);
        }
    }

    /// Draws numbers and ticks of columns above the frame, and those of rows left of it.
    fn draw_numbers(&self, bitmap: &mut Bitmap) {
        let (x, y) = self.corner;
        let wide = number_width(self.pattern.rows().max(self.pattern.cols())) + 4 * GAP;
        let step = self.step(wide);
        for col in (0..self.pattern.cols()).step_by(step) {
            bitmap.fill((x + self.at(col), y - GAP), (1, GAP), BLACK);
            bitmap.number((x + self.at(col), GAP), col);
        }
        for row in (0..self.pattern.rows()).step_by(step) {
            bitmap.fill((x - GAP, y + self.at(row)), (GAP, 1), BLACK);
            bitmap.number((x - BAND - 2 * GAP - number_width(row), y + self.at(row)), row);
        }
    }

    /// The distance of numbers that leaves at least `pixels` pixels between them: one, two or five, times a
    /// power of ten.
    fn step(&self, pixels: usize) -> usize {
        let width = (pixels * self.shrink).div_ceil(self.enlarge);
        let mut steps =
            (0..).map_while(|power| 10usize.checked_pow(power)).flat_map(|ten| [ten, 2 * ten, 5 * ten]);
        steps.find(|&step| step >= width).unwrap_or(width)
    }

    fn at(&self, index: usize) -> usize {
        index / self.shrink * self.enlarge
    }

    fn pixels(&self, count: usize) -> usize {
        count.div_ceil(self.shrink) * self.enlarge
    }
}
