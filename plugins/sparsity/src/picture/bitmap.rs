//! Pixels, and the rectangles and digits that are drawn with them.

/// Red, green, blue.
pub(super) type Rgb = [u8; 3];

pub(super) const WHITE: Rgb = [255; 3];
pub(super) const BLACK: Rgb = [32; 3];
pub(super) const GRAY: Rgb = [150; 3];

/// The size of a point of a digit in pixels, and that of a digit with the gap after it.
const POINT: usize = 2;
pub(super) const DIGIT_WIDTH: usize = 4 * POINT;
pub(super) const DIGIT_HEIGHT: usize = 5 * POINT;

/// The digits, five rows of three points each from the top; the left point is the highest bit.
const DIGITS: [[u8; 5]; 10] = [
    [0b111, 0b101, 0b101, 0b101, 0b111],
    [0b010, 0b110, 0b010, 0b010, 0b111],
    [0b111, 0b001, 0b111, 0b100, 0b111],
    [0b111, 0b001, 0b111, 0b001, 0b111],
    [0b101, 0b101, 0b111, 0b001, 0b001],
    [0b111, 0b100, 0b111, 0b001, 0b111],
    [0b111, 0b100, 0b111, 0b101, 0b111],
    [0b111, 0b001, 0b010, 0b010, 0b010],
    [0b111, 0b101, 0b111, 0b101, 0b111],
    [0b111, 0b101, 0b111, 0b001, 0b111],
];

/// An image; drawing outside of it has no effect.
pub(super) struct Bitmap {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) bytes: Vec<u8>,
}

impl Bitmap {
    /// A white image.
    pub(super) fn new(width: usize, height: usize) -> Self {
        Self { width, height, bytes: vec![255; width * height * 3] }
    }

    /// Fills a rectangle, given by its corner and its size.
    pub(super) fn fill(&mut self, (x, y): (usize, usize), (width, height): (usize, usize), color: Rgb) {
        let end = (x + width).min(self.width);
        for y in y..(y + height).min(self.height) {
            let row = &mut self.bytes[3 * y * self.width..][..3 * end];
            row[3 * x.min(end)..].chunks_exact_mut(3).for_each(|pixel| pixel.copy_from_slice(&color));
        }
    }

    /// Draws a number, whose upper left corner is given.
    pub(super) fn number(&mut self, (x, y): (usize, usize), number: usize) {
        for (at, digit) in number.to_string().bytes().map(|byte| usize::from(byte - b'0')).enumerate() {
            for (line, points) in DIGITS[digit].iter().enumerate() {
                for point in (0..3).filter(|point| points >> (2 - point) & 1 == 1) {
                    let corner = (x + at * DIGIT_WIDTH + point * POINT, y + line * POINT);
                    self.fill(corner, (POINT, POINT), BLACK);
                }
            }
        }
    }
}

/// The width of a number as drawn.
pub(super) fn number_width(number: usize) -> usize {
    number.to_string().len() * DIGIT_WIDTH
}

/// A color for a group: hues are apart by a golden section of the circle, so the first ones differ most.
pub(super) fn hue(group: usize) -> Rgb {
    let hue = (group as f64 * 0.618_033_988_749_895).fract() * 6.0;
    let channel = |shift: f64| {
        let distance = ((hue + shift) % 6.0 - 3.0).abs();
        (40.0 + 180.0 * (distance - 1.0).clamp(0.0, 1.0)) as u8
    };
    [channel(0.0), channel(4.0), channel(2.0)]
}
