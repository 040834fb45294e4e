//! Reads a mixture and its points from a file of ADBench.

use std::error::Error;
use std::path::Path;
use std::str::FromStr;

/// An initial mixture, and the points to fit it to.
pub(crate) struct Mixture {
    /// The dimension.
    pub(crate) d: usize,
    /// The number of Gaussians.
    pub(crate) k: usize,
    /// Weights, means, factors of the inverse covariances.
    pub(crate) params: Vec<f64>,
    /// The points, one after the other.
    pub(crate) points: Vec<f64>,
    /// The prior: gamma and m.
    pub(crate) prior: (f64, i32),
}

impl Mixture {
    /// Parses the file.
    pub(crate) fn read(path: &Path) -> Result<Mixture, Box<dyn Error>> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut words = text.split_whitespace();
        let mut next = || words.next().ok_or_else(|| format!("{} ends too early", path.display()));
        let (d, k, n): (usize, usize, usize) = (number(next()?)?, number(next()?)?, number(next()?)?);
        let sizes = k * (1 + d + d + d * (d - 1) / 2);
        let params = (0..sizes).map(|_| number(next()?)).collect::<Result<_, Box<dyn Error>>>()?;
        let points = (0..n * d).map(|_| number(next()?)).collect::<Result<_, Box<dyn Error>>>()?;
        let prior = (number(next()?)?, number(next()?)?);
        Ok(Mixture { d, k, params, points, prior })
    }
}

fn number<T: FromStr<Err: Error + 'static>>(word: &str) -> Result<T, Box<dyn Error>> {
    word.parse().map_err(|error| format!("`{word}`: {error}").into())
}
