//! Draws the points, and each fitted Gaussian as the ellipse of its bulk, with a cross at its start.

use std::error::Error;
use std::path::Path;

use plotters::prelude::*;

use super::data::Mixture;

/// Writes a PNG.
pub(crate) fn draw(path: &Path, start: &Mixture, fitted: &[f64]) -> Result<(), Box<dyn Error>> {
    let root = BitMapBackend::new(path, (900, 900)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root).margin(20).build_cartesian_2d(-4.0..4.0, -4.0..4.0)?;
    let points =
        start.points.chunks(2).map(|point| Circle::new((point[0], point[1]), 2, BLACK.mix(0.35).filled()));
    chart.draw_series(points)?;
    for j in 0..start.k {
        let colour = Palette99::pick(j).stroke_width(3);
        let mean = &start.params[start.k + 2 * j..][..2];
        chart.draw_series([Cross::new((mean[0], mean[1]), 8, colour)])?;
        chart.draw_series(LineSeries::new(ellipse(fitted, start.k, j), colour))?;
    }
    root.present()?;
    Ok(())
}

/// The points of the plane at which `|Q (x - mean)|` is 2.
fn ellipse(params: &[f64], k: usize, j: usize) -> Vec<(f64, f64)> {
    let mean = &params[k + 2 * j..][..2];
    let factor = &params[3 * k + 3 * j..][..3];
    let (a, c, below) = (factor[0].exp(), factor[1].exp(), factor[2]);
    (0..=90)
        .map(|step| {
            let angle = f64::from(step) * std::f64::consts::TAU / 90.0;
            // Q y = 2 (cos, sin), by forward substitution.
            let x = 2.0 * angle.cos() / a;
            let y = (2.0 * angle.sin() - below * x) / c;
            (mean[0] + x, mean[1] + y)
        })
        .collect()
}
