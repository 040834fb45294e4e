//! Checks the law of a target on files, without libFuzzer: `replay TARGET FILE…`.

use std::process::ExitCode;

use overdub_fuzz::{TARGETS, target};

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let Some(target) = args.next().and_then(|name| target(&name)) else {
        let names = TARGETS.map(|target| target.name).join(", ");
        eprintln!("usage: replay TARGET FILE…; targets are {names}");
        return ExitCode::from(2);
    };
    for path in args {
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                eprintln!("{path}: {error}");
                return ExitCode::from(2);
            }
        };
        (target.check)(&bytes);
        println!("{path}: the law holds");
    }
    ExitCode::SUCCESS
}
