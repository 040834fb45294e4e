//! Errors by the derive macro of `thiserror`: texts, causes and conversions.

use std::error::Error as _;
use std::fmt;

use thiserror::Error;

#[derive(Error, Debug)]
#[error("inner {0}")]
pub struct Inner(i64);

#[derive(Error, Debug)]
#[error("a, b  ;{{0}} {x:>5} {y:?} {}", .x + 1.0)]
pub struct Named {
    x: f64,
    y: String,
}

#[derive(Error, Debug)]
pub struct Own;

impl fmt::Display for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("own")
    }
}

#[derive(Error, Debug)]
pub enum Outer<T: fmt::Debug> {
    #[cfg(any())]
    #[error("off")]
    Off(#[from] fmt::Error),
    #[error("settings {0:?}, {1:?}, {len}", len = .1.len())]
    Bad(T, Vec<f64>),
    #[error(transparent)]
    In(#[from] Inner),
    #[error("named {source} {code}")]
    Named { source: Named, code: u8 },
    #[error("parse: {0}")]
    Parse(#[from] std::num::ParseFloatError),
    #[error("boxed {0}")]
    Boxed(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error(fmt = shown)]
    Shown(f64, u8),
    #[error("{}", larger(.0.0, 7))]
    Larger(Inner),
}

fn larger(a: i64, b: i64) -> i64 {
    a.max(b)
}

fn shown(a: &f64, b: &u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{a}-{b}")
}

fn parsed(text: &str) -> Result<f64, Outer<f64>> {
    Ok(text.parse::<f64>()? + 1.0)
}

fn checked(n: i64) -> Result<i64, Inner> {
    if n > 3 { Err(Inner(n)) } else { Ok(n) }
}

fn converted(n: i64) -> Result<i64, Outer<u8>> {
    let n = checked(n)?;
    Ok(n)
}

fn text<T: fmt::Debug>(error: Outer<T>) -> String
where
    Outer<T>: std::error::Error,
{
    format!("{error} <{}>", error.source().map_or("none".to_owned(), |cause| cause.to_string()))
}

fn number(text: &str) -> f64 {
    text.bytes().fold(0.0, |all, byte| all * 1.000_1 + f64::from(byte))
}

pub fn texts(x: f64) -> f64 {
    let named = |y: &str| Named { x, y: y.to_owned() };
    let all = [
        Inner(7).to_string(),
        named("q").to_string(),
        Own.to_string(),
        text(Outer::Bad(x, vec![x])),
        text(Outer::<f64>::Named { source: named(""), code: 3 }),
        text::<f64>(Outer::Shown(x, 1)),
        text::<f64>(Outer::Larger(Inner(3))),
    ];
    number(&all.join("\n"))
}

pub fn causes(x: f64) -> f64 {
    let all = [
        text::<u8>(Outer::In(Inner(3))),
        text::<f64>(Outer::Boxed("no".into())),
        format!("{:?}", parsed("1")),
        parsed("z").unwrap_err().to_string(),
        format!("{:?}", converted(2)),
        converted(5).unwrap_err().to_string(),
    ];
    number(&all.join("\n")) + x
}
