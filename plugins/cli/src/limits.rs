//! The limits of a command's runs, from the command line.

use std::time::Duration;

use clap::Args;
use overdub_context::limits::Limits;

use crate::args::Backend;

/// The default memory limit: a program that exceeds it is stopped with an error before the machine runs out
/// of memory.
pub(crate) const MEMORY: usize = 8 << 30;

/// What the program may use; if it hits a limit, the exit status is 3.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// Stop after this long, compiling included: 5s, 500ms, 2m.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time_limit: Option<Duration>,
    /// Stop if values would take more than this: 64MB, 2GiB; the default is 8GiB.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory_limit: Option<usize>,
    /// Stop after this number of steps.
    #[arg(long, value_name = "N")]
    pub step_limit: Option<u64>,
    /// Stop if more calls are open than this; the default is 200000.
    #[arg(long, value_name = "N")]
    pub depth_limit: Option<usize>,
}

impl LimitArgs {
    /// The limits of a run on this backend.
    pub fn limits_by(&self, backend: Backend) -> Limits {
        match backend {
            // What rustc compiled counts nothing: the default would keep everything from it.
            #[cfg(feature = "rustc")]
            Backend::Rustc => Limits { memory: self.memory_limit, ..self.limits() },
            _ => self.limits(),
        }
    }

    /// The limits as a value.
    pub fn limits(&self) -> Limits {
        let limits = Limits {
            time: self.time_limit,
            steps: self.step_limit,
            memory: Some(self.memory_limit.unwrap_or(MEMORY)),
            ..Limits::default()
        };
        match self.depth_limit {
            Some(calls) => limits.with_depth(calls),
            None => limits,
        }
    }
}

/// A number, and the unit that follows it.
fn parts(text: &str) -> Result<(f64, &str), String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number = number.parse().map_err(|_| format!("`{text}` does not begin with a number"))?;
    Ok((number, unit.trim()))
}

fn time(text: &str) -> Result<Duration, String> {
    let (number, unit) = parts(text)?;
    let seconds = match unit {
        "us" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{text}` is no time such as 5s, 500ms, 2m, 1h")),
    };
    Duration::try_from_secs_f64(number * seconds).map_err(|error| error.to_string())
}

pub(crate) fn bytes(text: &str) -> Result<usize, String> {
    let (number, unit) = parts(text)?;
    let size = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "kib" => 1024.0,
        "mib" => f64::from(1 << 20),
        "gib" => f64::from(1 << 30),
        _ => return Err(format!("`{text}` is no amount of memory such as 64MB, 2GiB, 100000")),
    };
    Ok((number * size) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_amounts_of_memory_have_units() {
        assert_eq!(time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(time("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(time("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(bytes("64MB"), Ok(64_000_000));
        assert_eq!(bytes("2GiB"), Ok(2 << 30));
        assert_eq!(bytes("4096"), Ok(4096));
        for wrong in ["", "5", "s", "-1s", "5 lightyears", "1e400s"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "MB", "-1", "5 apples"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }
}
