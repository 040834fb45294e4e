//! Draws a loss over the course of training.

use std::error::Error;
use std::path::Path;

use plotters::prelude::*;

/// Writes a PNG.
pub(crate) fn draw(path: &Path, losses: &[f64]) -> Result<(), Box<dyn Error>> {
    let root = BitMapBackend::new(path, (800, 500)).into_drawing_area();
    root.fill(&WHITE)?;
    let highest = losses.iter().copied().fold(0.0, f64::max);
    let mut chart =
        ChartBuilder::on(&root).margin(20).build_cartesian_2d(0.0..losses.len() as f64, 0.0..highest)?;
    chart.configure_mesh().x_labels(0).y_labels(0).draw()?;
    let curve = losses.iter().enumerate().map(|(step, loss)| (step as f64, *loss));
    chart.draw_series(LineSeries::new(curve, BLUE.stroke_width(3)))?;
    root.present()?;
    Ok(())
}
