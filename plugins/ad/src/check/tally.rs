//! The counts of what a check compared.

use super::Mismatch;

/// How many derivatives were compared, and with what outcome.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tally {
    /// The number of points.
    pub cases: usize,
    /// Points where the function fails or is not finite.
    pub passed_over: usize,
    /// Why the first of them was passed over.
    pub reason: Option<String>,
    /// Derivatives that agree with finite differences.
    pub agreed: usize,
    /// Derivatives at kinks, with a value between the slopes of both sides.
    pub kinks: usize,
    /// Derivatives for which the differences are inconclusive.
    pub unsettled: usize,
    /// Points where the differences are those of the compiled function; elsewhere they are those of overdub's run.
    pub compiled: usize,
    /// Points where the reverse transformation was compared with the tape.
    pub cross_checked: usize,
    /// The greatest deviation of a derivative from the differences, relative to them.
    pub worst: f64,
    /// The most allocations of a pullback, if they were [counted](super::Over::counting).
    pub allocations: Option<usize>,
}

impl Tally {
    /// Adds another tally to this one.
    pub(super) fn add(&mut self, other: Tally) {
        self.cases += other.cases;
        self.passed_over += other.passed_over;
        self.reason = self.reason.take().or(other.reason);
        self.agreed += other.agreed;
        self.kinks += other.kinks;
        self.unsettled += other.unsettled;
        self.compiled += other.compiled;
        self.cross_checked += other.cross_checked;
        self.worst = self.worst.max(other.worst);
        self.allocations = self.allocations.max(other.allocations);
    }

    /// GRADCHECK3: fails if nothing was compared.
    pub(super) fn check(&self) -> Result<(), Mismatch> {
        if self.agreed + self.kinks > 0 {
            return Ok(());
        }
        let reason = self.reason.clone().unwrap_or_else(|| "differences do not settle".to_owned());
        Err(Mismatch::Nothing { cases: self.cases, reason })
    }

    pub(super) fn passed_over(reason: String) -> Tally {
        Tally { cases: 1, passed_over: 1, reason: Some(reason), ..Tally::default() }
    }
}
