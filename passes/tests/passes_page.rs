//! `docs/passes.md` is generated from the list of passes and from the head of each pass; `BLESS=1` writes it.

use std::fs;
use std::path::{Path, PathBuf};

use overdub_passes::{PASSES, Pass, Phase, in_phase};

const HEAD: &str = "\
# Passes

Every pass of the optimiser, with the picture at the head of its file in `passes/src/pass`. This page is generated from the
list `PASSES` and from those heads; a test holds it to them, and `BLESS=1 cargo test -p overdub-passes --test passes_page`
writes it. `overdub ir FILE.rs FUNCTION --passes` shows the effect of each pass on a function.

A pass changes neither what a function returns, to the bit, nor how it fails; the few exceptions are listed at the head of
`passes/src/lib.rs`. Each pass has golden cases in `tests/cases/pass`, and numbered invariants at the head of its file.

## The pipeline

";

/// The phases, each with its name and description.
const PHASES: [(Phase, &str, &str); 4] = [
    (
        Phase::Fixpoint,
        "fixpoint",
        "repeated until no pass changes the function; a pass that changed nothing is skipped until another one makes a \
         change for which it runs again",
    ),
    (Phase::PreCodegen, "pre-codegen", "once after the fixpoint, where machine code is generated"),
    (Phase::PostRotate, "post-rotate", "once after the previous phase, for rotated loops"),
    (Phase::Cleanup, "clean-up", "once after each of the two previous phases, if it changed something"),
];

/// The first sentence and the picture at the head of a pass.
struct Description {
    sentence: String,
    picture: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn description(pass: &Pass) -> Description {
    let folder = root().join("passes/src/pass");
    let file = folder.join(format!("{}.rs", pass.name));
    let file = if file.exists() { file } else { folder.join(pass.name).join("mod.rs") };
    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let head: Vec<&str> = text
        .lines()
        .map_while(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    let sentence: Vec<&str> = head.iter().copied().take_while(|line| !line.is_empty()).collect();
    let picture: Vec<&str> = head
        .iter()
        .copied()
        .skip_while(|line| *line != "```text")
        .skip(1)
        .take_while(|line| *line != "```")
        .collect();
    assert!(!picture.is_empty(), "the head of `{}` has no picture", pass.name);
    Description { sentence: sentence.join(" "), picture: picture.join("\n") }
}

/// The places of a pass in the pipeline.
fn places(pass: &Pass) -> String {
    let phases = PHASES.iter().filter(|(phase, ..)| pass.runs_in(*phase));
    let places: Vec<String> = phases
        .map(|(phase, name, _)| {
            let places =
                pass.slots.iter().filter(|(other, _)| other == phase).map(|(_, place)| place.to_string());
            format!("{name} {}", places.collect::<Vec<_>>().join(", "))
        })
        .collect();
    if places.is_empty() { "on request only".to_owned() } else { places.join("; ") }
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    for (phase, name, when) in PHASES {
        let passes: Vec<String> = in_phase(phase).iter().map(|pass| format!("`{}`", pass.name)).collect();
        page += &format!("- *{name}*, {when}: {}.\n", passes.join(", "));
    }
    page += "\n| pass | place in the pipeline | what it does |\n|---|---|---|\n";
    for pass in PASSES {
        page +=
            &format!("| [`{0}`](#{0}) | {1} | {2} |\n", pass.name, places(pass), description(pass).sentence);
    }
    for pass in PASSES {
        let Description { sentence, picture } = description(pass);
        page += &format!("\n## {}\n\n{sentence}\n\n```text\n{picture}\n```\n", pass.name);
    }
    page
}

#[test]
fn the_page_of_passes_says_what_their_heads_say() {
    let (path, expected) = (root().join("docs/passes.md"), page());
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, expected).expect("the page can be written");
        return;
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == expected, "docs/passes.md is not up to date: BLESS=1 writes it");
}
