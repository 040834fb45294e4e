//! Pictures of handwritten digits from a file: 64 numbers from 0 to 16 on each line, and the digit.

use std::error::Error;

/// Pictures, and the digits that they show.
#[derive(Default)]
pub(crate) struct Digits {
    /// The shades of each picture, from 0 to 1.
    pub(crate) pictures: Vec<Vec<f64>>,
    /// The digits that they show.
    pub(crate) digits: Vec<usize>,
}

/// Parses the file.
pub(crate) fn read(text: &str) -> Result<Digits, Box<dyn Error>> {
    let mut found = Digits::default();
    for (number, line) in text.lines().enumerate() {
        let (picture, digit) =
            line.rsplit_once(',').ok_or_else(|| format!("line {}: no digit", number + 1))?;
        let shades = picture.split(',').map(|shade| Ok(shade.parse::<f64>()? / 16.0));
        found.pictures.push(shades.collect::<Result<_, Box<dyn Error>>>()?);
        found.digits.push(digit.parse()?);
    }
    Ok(found)
}
