//! A case file, split into its parts.

use std::path::{Path, PathBuf};

use crate::claim::Claim;
use crate::command::{Command, translated};
use overdub_cli::diff;

/// The separator between the text with its claims and the output.
const SEPARATOR: &str = "// ---";

/// A case.
#[derive(Debug)]
pub struct Case {
    /// Its file.
    pub(crate) path: PathBuf,
    /// The command for its text.
    command: Command,
    /// Everything above the separator.
    head: String,
    /// The expected output.
    pub(crate) golden: String,
    /// The claims about it.
    pub(crate) claims: Vec<Claim>,
}

/// The outcome of a case.
#[derive(Default, Debug)]
pub(crate) struct Outcome {
    /// The output, to be written below the separator.
    pub(crate) output: String,
    /// The failures of the case.
    pub(crate) failures: Vec<String>,
}

impl Case {
    /// Parses the text of a case.
    ///
    /// # Errors
    /// If its first line names no command, or a claim is malformed.
    pub fn new(path: &Path, text: &str) -> Result<Case, String> {
        let mut head = String::new();
        let mut golden = String::new();
        let mut above = true;
        for line in text.lines() {
            if above && line == SEPARATOR {
                above = false;
            } else if above {
                head.push_str(line);
                head.push('\n');
            } else {
                let line = line.strip_prefix("//").unwrap_or(line);
                golden.push_str(line.strip_prefix(' ').unwrap_or(line));
                golden.push('\n');
            }
        }
        let command = Command::of_line(head.lines().next().unwrap_or(""))?;
        let lines = head.lines().zip(1..).filter(|_| !command.is_of_rust());
        let claims = lines.filter_map(|(line, number)| Claim::of_line(line, number).transpose());
        let claims = claims.collect::<Result<_, _>>()?;
        Ok(Case { path: path.to_owned(), command, head, golden, claims })
    }

    /// The text of the case; its lines have the same numbers as in the file.
    pub(crate) fn text(&self) -> String {
        let rest = self.head.split_once('\n').map_or("", |(_, rest)| rest);
        format!("\n{rest}")
    }

    /// The text without comments, blank lines and the command.
    pub(crate) fn bare_text(&self) -> String {
        let lines = self.head.lines().skip(1);
        let lines_kept = lines.filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with("//"));
        lines_kept.map(|line| format!("{line}\n")).collect()
    }

    /// All failures.
    pub fn failures(&self) -> Vec<String> {
        let Outcome { output, mut failures } = self.command.run(self);
        if output != self.golden {
            failures.push(format!(
                "what comes of it is not what stands below `{SEPARATOR}` (BLESS=1 rewrites that):\n{}",
                diff::lines(&self.golden, &output)
            ));
        }
        failures
    }

    /// The run claims that do not hold after some pass alone, or after a pipeline.
    pub fn failures_after_passes(&self) -> Vec<String> {
        translated(self)
    }

    /// The file with its current output below the separator.
    pub fn blessed(&self) -> String {
        let output = self.command.run(self).output;
        if output.is_empty() {
            return self.head.clone();
        }
        let golden = output.lines().map(|line| format!("{}\n", format!("// {line}").trim_end()));
        format!("{}{SEPARATOR}\n{}", self.head, golden.collect::<String>())
    }
}
