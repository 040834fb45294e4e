//! The cost of a gradient compared with a hand-written one, and with the program that is differentiated.
//!
//! `-- --json FILE` writes the rows to a file, `-- --only TEXT` measures those whose names contain it.
//! `ADBENCH_DATA` names the folder of ADBench's data; without it, inputs of the same shape are generated.

mod curvature;
#[allow(unreachable_pub, clippy::all, reason = "they are as they are exported")]
mod exported;
mod growth;
#[allow(clippy::needless_range_loop, reason = "several arrays are indexed alike")]
mod hand;
mod inputs;
mod measure;
mod memory;
#[allow(
    dead_code,
    unreachable_pub,
    clippy::all,
    reason = "they are written as whoever differentiates them would: loaded from source"
)]
mod objectives;
mod peers;
mod rows;

use measure::{Fallible, Kind, Row, geometric_mean, ratio};

/// The argument after a word on the command line.
fn option(word: &str) -> Option<String> {
    std::env::args().skip_while(|arg| arg != word).nth(1)
}

fn print(row: &Row) {
    println!(
        "{:<28}{:>14.0}{:>16.0}{:>14.0}{:>12.2}{:>12.2}",
        row.name,
        row.ours.as_secs_f64() * 1e9,
        row.hand_gradient.as_secs_f64() * 1e9,
        row.hand_primal.as_secs_f64() * 1e9,
        ratio(row.ours, row.hand_gradient),
        ratio(row.ours, row.hand_primal),
    );
    for (peer, time) in &row.peers {
        println!(
            "    {peer:<26}{:>12.0}{:>30}{:>12.2}{:>12.2}",
            time.as_secs_f64() * 1e9,
            "",
            ratio(*time, row.hand_gradient),
            ratio(*time, row.hand_primal),
        );
    }
}

fn write(path: &str, rows: &[Row]) -> std::io::Result<()> {
    let nanoseconds = |time: std::time::Duration| time.as_secs_f64() * 1e9;
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            let mut report = serde_json::json!({
                "name": row.name,
                "ours_ns": nanoseconds(row.ours),
                "hand_gradient_ns": nanoseconds(row.hand_gradient),
                "hand_primal_ns": nanoseconds(row.hand_primal),
            });
            for (peer, time) in &row.peers {
                report[format!("{peer}_ns")] = nanoseconds(*time).into();
            }
            report
        })
        .collect();
    std::fs::write(path, serde_json::json!({ "rows": rows }).to_string())
}

fn main() -> Fallible<()> {
    if let Some(what) = option("--first") {
        return growth::first_of(&what);
    }
    let only = option("--only").unwrap_or_default();
    println!(
        "{:<28}{:>14}{:>16}{:>14}{:>12}{:>12}",
        "ns", "ours", "hand gradient", "hand primal", "/ gradient", "/ primal"
    );
    let mut rows = Vec::new();
    for (name, measured) in rows::ROWS.iter().filter(|(name, _)| name.contains(&only)) {
        let row = measured(name)?;
        print(&row);
        rows.push(row);
    }
    let of_hand = geometric_mean(rows.iter().map(|row| ratio(row.ours, row.hand_gradient)));
    let loops = rows.iter().filter(|row| row.kind == Kind::ScalarLoop);
    let worst = loops.map(|row| ratio(row.ours, row.hand_primal)).fold(0.0, f64::max);
    println!("geometric mean of ours / hand gradient: {of_hand:.2}");
    for name in [measure::EXPORTED, measure::GRADIENT_ALONE] {
        let times = rows.iter().filter_map(|row| {
            let (_, time) = row.peers.iter().find(|(peer, _)| *peer == name)?;
            Some(ratio(*time, row.hand_gradient))
        });
        println!("geometric mean of {name} / hand gradient, where measured: {:.2}", geometric_mean(times));
    }
    println!("worst of ours / hand primal on scalar loops: {worst:.2}");
    if let Some(path) = option("--json") {
        write(&path, &rows)?;
    }
    if only.is_empty() {
        growth::with_length()?;
        growth::of_tape()?;
        growth::with_branches()?;
        growth::with_depth()?;
        memory::within()?;
        growth::first()?;
    }
    Ok(())
}
