//! Every pass has a golden case.

use std::fs;
use std::path::Path;

use overdub_passes::PASSES;

#[test]
fn every_pass_has_a_golden_case() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases/pass");
    let mut tested: Vec<String> = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder of cases can be read") {
        let text = fs::read_to_string(entry.expect("an entry can be read").path()).expect("a case is text");
        let names = text.lines().next().and_then(|line| line.strip_prefix("test pass "));
        tested.extend(names.into_iter().flat_map(|names| names.split(',')).map(str::to_owned));
    }
    let untested: Vec<&str> = PASSES
        .iter()
        .map(|pass| pass.name)
        .filter(|name| !tested.iter().any(|tested| tested == name))
        .collect();
    assert!(untested.is_empty(), "no case in tests/cases/pass asks for {untested:?}");
}
