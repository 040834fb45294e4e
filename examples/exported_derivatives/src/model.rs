//! The model: a damped wave, and how far it is from measurements.

/// A damped wave.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Wave {
    /// The height at the beginning.
    pub height: f64,
    /// How fast it decays.
    pub decay: f64,
    /// The angular frequency.
    pub frequency: f64,
}

impl Wave {
    /// The elongation at a time.
    pub fn at(&self, time: f64) -> f64 {
        self.height * (-self.decay * time).exp() * (self.frequency * time).cos()
    }
}

/// The mean of the squared distances from measured values.
pub fn misfit(wave: &Wave, times: &[f64], values: &[f64]) -> f64 {
    let squares = times.iter().zip(values).map(|(&time, value)| (wave.at(time) - value).powi(2));
    squares.sum::<f64>() / times.len() as f64
}
