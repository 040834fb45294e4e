//! `--memory` bounds what the command takes of the system, not only what it counts.

#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Command, Stdio};

/// The most memory that a command has of the system at a time, in bytes.
fn peak(args: &[&str]) -> u64 {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/relaxation.rs");
    let mut child = Command::new(env!("CARGO_BIN_EXE_overdub"))
        .args(["grad", &program.display().to_string(), "relax"])
        .args(args)
        .stdout(Stdio::null())
        .spawn()
        .expect("the command starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        let lines = std::fs::read_to_string(&status).unwrap_or_default();
        let kilobytes = lines
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:")?.strip_suffix("kB")?.trim().parse().ok());
        peak = peak.max(kilobytes.unwrap_or(0) * 1024);
        if let Some(status) = child.try_wait().expect("the command ends") {
            assert!(status.success(), "{status}");
            return peak;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

#[test]
fn a_bounded_tape_takes_little_more_of_the_system() {
    let nothing = peak(&["[0.000001, 1]", "--memory", "8MB"]);
    let bounded = peak(&["[0.000001, 3000]", "--memory", "8MB"]);
    assert!(bounded < nothing + (16 << 20), "{bounded} bytes, of which {nothing} without a tape");
    let unbounded = peak(&["[0.000001, 3000]"]);
    assert!(unbounded > bounded + (16 << 20), "{unbounded} bytes, and {bounded} within 8 MB");
}
