//// failure
/// Why a call failed: the message of the program that this was made from, and the place there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    message: MESSAGE,
    at: &'static str,
}

impl Failure {
    /// The message.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The place in the source: the file, the line and the column.
    pub fn at(&self) -> &'static str {
        self.at
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, {}", self.message, self.at)
    }
}

impl std::error::Error for Failure {}
