//! Amounts on a grid, as colors.

use std::error::Error;
use std::path::Path;

use plotters::prelude::*;

/// Writes a PNG.
pub(crate) fn draw(path: &Path, amounts: &[f64], side: usize) -> Result<(), Box<dyn Error>> {
    let root = BitMapBackend::new(path, (640, 640)).into_drawing_area();
    let least = amounts.iter().copied().fold(f64::INFINITY, f64::min);
    let most = amounts.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for (cell, amount) in root.split_evenly((side, side)).iter().zip(amounts) {
        let part = (amount - least) / (most - least).max(f64::MIN_POSITIVE);
        cell.fill(&HSLColor(0.66 * (1.0 - part), 0.8, 0.5))?;
    }
    root.present()?;
    Ok(())
}
