//! Times two ways of doing the same work in one run, and prints a table that compares them.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A measured pair: ours, and the same work written by hand.
#[derive(Clone, Debug)]
pub struct Row {
    /// What was measured.
    pub name: String,
    /// The number of units of work in one run, by which the times are divided.
    pub units: f64,
    /// The fastest run of ours.
    pub ours: Duration,
    /// The fastest run of the one by hand.
    pub hand: Duration,
}

impl Row {
    /// The ratio of our time to theirs.
    pub fn ratio(&self) -> f64 {
        self.ours.as_secs_f64() / self.hand.as_secs_f64()
    }
}

/// Runs both in turns for about half a second and keeps the fastest run of each: what disturbs one run also
/// disturbs its neighbour, and the minimum is closest to the cost of the work itself.
pub fn compare<A, B>(
    name: &str,
    units: f64,
    mut ours: impl FnMut() -> A,
    mut hand: impl FnMut() -> B,
) -> Row {
    let mut row = Row { name: name.to_string(), units, ours: Duration::MAX, hand: Duration::MAX };
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_millis(500) || row.ours == Duration::MAX {
        row.ours = row.ours.min(once(&mut ours));
        for _ in 0..4 {
            row.hand = row.hand.min(once(&mut hand));
        }
    }
    row
}

fn once<T>(f: &mut impl FnMut() -> T) -> Duration {
    let begin = Instant::now();
    black_box(f());
    begin.elapsed()
}

/// Prints the rows as a table: time per unit, and the ratio.
pub fn print(title: &str, unit: &str, rows: &[Row]) {
    println!("{title}");
    println!("{:<44} {:>14} {:>14} {:>9}", "", format!("ours ns/{unit}"), format!("hand ns/{unit}"), "ratio");
    for row in rows {
        let per = |time: Duration| time.as_secs_f64() * 1e9 / row.units;
        println!("{:<44} {:>14.2} {:>14.3} {:>9.2}", row.name, per(row.ours), per(row.hand), row.ratio());
    }
}

/// Writes the rows as `{"rows": [{"name", "ours_ns", "hand_ns"}]}` to the file after `--json` on the command
/// line, if it is given.
///
/// # Errors
/// If the file cannot be written.
pub fn write_json(rows: &[Row]) -> std::io::Result<()> {
    let mut args = std::env::args().skip_while(|arg| arg != "--json").skip(1);
    let Some(path) = args.next().map(PathBuf::from) else { return Ok(()) };
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            serde_json::json!({
                "name": row.name,
                "ours_ns": row.ours.as_secs_f64() * 1e9,
                "hand_ns": row.hand.as_secs_f64() * 1e9,
            })
        })
        .collect();
    std::fs::write(path, serde_json::json!({ "rows": rows }).to_string())
}
