//! The laws hold for inputs that once broke them, or that lead where chance does not.

use std::fs;
use std::path::{Path, PathBuf};

use overdub_context::testing::{Program, cases};
use overdub_context::verify::verify_module;
use overdub_fuzz::TARGETS;
use proptest::collection::vec;
use proptest::prelude::*;

fn seeds(target: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
    let entries = fs::read_dir(folder).expect("every target has a folder of seeds");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a seed can be listed").path()).collect();
    paths.sort();
    paths
}

#[test]
fn laws_hold_for_every_seed() {
    for target in TARGETS {
        let seeds = seeds(target.name);
        assert!(!seeds.is_empty(), "{} has no seeds", target.name);
        for path in seeds {
            // If the test fails, its captured output ends with the name of the file.
            println!("{}", path.display());
            (target.check)(&fs::read(path).expect("a seed can be read"));
        }
    }
}

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn any_bytes_are_a_program_that_verifies(bytes in vec(any::<u8>(), 0..200)) {
        let program = Program::of_bytes(&bytes);
        prop_assert!(verify_module(&program.module()).is_ok());
        prop_assert_eq!(format!("{:?}", Program::of_bytes(&bytes)), format!("{program:?}"));
    }

    #[test]
    fn laws_of_programs_hold_for_any_bytes(bytes in vec(any::<u8>(), 0..80)) {
        let names = ["text", "arguments", "programs", "edits"];
        for target in TARGETS.iter().filter(|target| names.contains(&target.name)) {
            (target.check)(&bytes);
        }
    }
}
