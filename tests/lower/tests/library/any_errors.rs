//! Errors of any type (`anyhow`), by the crate itself.

use std::error::Error as _;
use std::fmt;

use anyhow::{Context, Error, Result, anyhow, bail, ensure};

#[derive(Debug, Clone, PartialEq)]
struct TooLarge(f64);

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is too large", self.0)
    }
}

impl std::error::Error for TooLarge {}

/// What `Debug` shows, without the backtrace that rustc's program adds where the environment asks for one.
fn shown(error: &Error) -> String {
    let text = format!("{error:?}");
    text.split("\n\nStack backtrace").next().unwrap_or_default().to_string()
}

fn checked(x: f64) -> Result<f64> {
    ensure!(x > 0.0);
    ensure!(x < 100.0, "beyond {}: {x}", 100);
    ensure!(x != 7.0 && x != 8.0);
    ensure!(x as i64 != 9 || x < 0.0, TooLarge(x));
    ensure!([x, 2.0] != [5.0, 2.0]);
    if x > 50.0 {
        bail!(TooLarge(x));
    }
    if x > 40.0 {
        return Err(anyhow!(TooLarge(x)).context("in the check").context(format!("outside\nof {x}")));
    }
    if x == 12.0 {
        bail!("a dozen");
    }
    let parsed: f64 = if x == 11.0 { "eleven" } else { "1.5" }.parse()?;
    Ok(x * parsed)
}

pub fn errors_as_texts() -> String {
    let shown = [-1.0, 200.0, 7.0, 9.0, 5.0, 60.0, 45.0, 12.0, 11.0, 2.0].map(|x| match checked(x) {
        Ok(y) => format!("{y}"),
        Err(error) => format!("{error} / {error:#} / {} / {error:#?} / {}", shown(&error), error.root_cause()),
    });
    shown.join("\n")
}

pub fn errors_by_type() -> String {
    let error = checked(45.0).unwrap_err();
    let chain: Vec<String> = error.chain().map(|cause| cause.to_string()).collect();
    let (large, text) = (error.downcast_ref::<TooLarge>().cloned(), error.downcast_ref::<String>().cloned());
    let kinds = (error.is::<&str>(), error.is::<fmt::Error>(), error.source().map(|source| source.to_string()));
    let owned = checked(60.0).unwrap_err().downcast::<TooLarge>().unwrap();
    let kept = checked(60.0).unwrap_err().downcast::<String>().unwrap_err();
    let mut changed = Error::new(TooLarge(1.0));
    changed.downcast_mut::<TooLarge>().unwrap().0 = 2.0;
    format!("{chain:?} {large:?} {text:?} {kinds:?} {owned:?} {kept} {changed}")
}

pub fn contexts() -> String {
    let nothing: Option<f64> = None;
    let missing = nothing.context("nothing there").unwrap_err();
    let parsed = "x".parse::<i32>().with_context(|| format!("line {}", 3));
    let twice = parsed.context(TooLarge(3.0)).map_err(Error::from).unwrap_err();
    let boxed: Box<dyn std::error::Error + Send + Sync> = twice.into();
    let again = anyhow!(boxed);
    let message = Error::msg("a message").context(4);
    let all: Result<Vec<f64>> = [1.0, 2.0].iter().map(|x| checked(*x)).collect();
    format!("{} {again:#} {message:#} {:?} {:?}", shown(&missing), message.downcast_ref::<i32>(), all.unwrap())
}
