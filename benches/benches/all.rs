//! All benchmarks, one after the other, and a table of their results.
//!
//! `cargo bench -p overdub-benches --bench all`; the output of each bench, including growth and first
//! derivatives, is above the table. `-- --json FILE` writes the rows to a file as well.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// The benches, and what ours is compared with in each.
const BENCHES: [(&str, &str); 10] = [
    ("interpreter", "Rust"),
    ("engine", "without a context"),
    ("native", "Rust"),
    ("limits", "without limits"),
    ("gradient", "gradient by hand"),
    ("sparse", "Jacobian by hand"),
    ("map", "a loop, or one thread"),
    ("device", "a loop"),
    ("rustc", "gradient by hand"),
    ("debugger", "not debugged"),
];

/// Keys of a row other than the times of peers.
const KNOWN: [&str; 5] = ["name", "ours_ns", "hand_ns", "hand_gradient_ns", "hand_primal_ns"];

/// Runs one bench and returns its rows.
fn measured(bench: &str, folder: &Path) -> Fallible<Vec<Value>> {
    let file = folder.join(format!("{bench}.json"));
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let features: &[_] = if cfg!(feature = "ad_trait") { &["--features", "ad_trait"] } else { &[] };
    let status = Command::new(cargo)
        .args(["bench", "--quiet", "-p", "overdub-benches", "--bench", bench])
        .args(features)
        .args(["--", "--json"])
        .arg(&file)
        .status()?;
    if !status.success() {
        return Err(format!("the bench `{bench}` fails").into());
    }
    let report: Value = serde_json::from_str(&std::fs::read_to_string(&file)?)?;
    Ok(report["rows"].as_array().cloned().unwrap_or_default())
}

/// A time in a suitable unit.
fn time(ns: Option<f64>) -> String {
    match ns {
        None => String::new(),
        Some(ns) if ns < 1e3 => format!("{ns:.1} ns"),
        Some(ns) if ns < 1e6 => format!("{:.2} µs", ns / 1e3),
        Some(ns) if ns < 1e9 => format!("{:.2} ms", ns / 1e6),
        Some(ns) => format!("{:.2} s", ns / 1e9),
    }
}

fn ratio(ours: Option<f64>, other: Option<f64>) -> String {
    ours.zip(other).map_or_else(String::new, |(ours, other)| format!("{:.2}", ours / other))
}

/// Prints a row, and below it the peers that did the same work, each on its own line.
fn print(row: &Value) {
    let ns = |key: &str| row[key].as_f64();
    let (ours, primal) = (ns("ours_ns"), ns("hand_primal_ns"));
    let hand = ns("hand_ns").or_else(|| ns("hand_gradient_ns"));
    let line = |name: &str, ours: Option<f64>| {
        let (of_hand, of_primal) = (ratio(ours, hand), ratio(ours, primal));
        println!("{name:<48}{:>12}{:>12}{of_hand:>9}{of_primal:>10}", time(ours), time(hand));
    };
    line(row["name"].as_str().unwrap_or_default(), ours);
    let peers = row.as_object().into_iter().flatten().filter(|(key, _)| !KNOWN.contains(&key.as_str()));
    for (key, value) in peers {
        line(&format!("    {}", key.trim_end_matches("_ns")), value.as_f64());
    }
}

fn main() -> Fallible<()> {
    let folder = std::env::temp_dir().join(format!("overdub-benches-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let mut found = Vec::new();
    for (at, (bench, baseline)) in BENCHES.into_iter().enumerate() {
        eprintln!("[{} of {}] {bench}", at + 1, BENCHES.len());
        found.push((bench, baseline, measured(bench, &folder)?));
    }
    std::fs::remove_dir_all(&folder)?;
    println!("\n{:<48}{:>12}{:>12}{:>9}{:>10}", "", "ours", "by hand", "of hand", "of primal");
    for (bench, baseline, rows) in &found {
        println!("-- {bench}, beside {baseline}");
        rows.iter().for_each(print);
    }
    let mut args = std::env::args().skip_while(|arg| arg != "--json").skip(1);
    if let Some(path) = args.next().map(PathBuf::from) {
        let rows: serde_json::Map<_, _> =
            found.into_iter().map(|(bench, _, rows)| (bench.to_owned(), rows.into())).collect();
        std::fs::write(path, Value::from(rows).to_string())?;
    }
    Ok(())
}
