//! The pages of error codes: each code has one, and its example gives the code.

use std::path::Path;
use std::process::{Command, Output};

use overdub_cli::codes::{Page, all, page};
use overdub_context::{Code, codes};
use serde_json::Value as Json;

/// Errors that no program shows.
const WITHOUT_EXAMPLE: [Code; 2] = [codes::INTERNAL, codes::CANCELLED];

fn overdub(folder: &Path, args: &[String]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_overdub"));
    command.current_dir(folder).args(args).output().expect("the command starts")
}

/// The first block of a page in a language.
fn block(page: Page, language: &str) -> Option<&'static str> {
    let start = page.text.find(&format!("```{language}\n"))? + language.len() + 4;
    page.text[start..].split("```").next()
}

/// The words of a command line, of which those in single quotes are one.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(at, part)| match at % 2 {
        1 => vec![part.to_owned()],
        _ => part.split_whitespace().map(str::to_owned).collect(),
    });
    words.skip(1).collect()
}

#[test]
fn every_code_has_a_page_with_an_example() {
    for code in all() {
        let page = page(code).unwrap_or_else(|| panic!("there is no page `## {code} …`"));
        assert!(!page.title.is_empty() && page.text.len() > 40, "{code} is not explained");
        let is_documentation_test = page.text.contains("```\nuse ");
        let is_shown = block(page, "text").is_some() || is_documentation_test;
        assert_ne!(is_shown, WITHOUT_EXAMPLE.contains(&code), "the example of {code}");
    }
    let mut once = all();
    once.dedup();
    assert_eq!(once, all(), "two errors have one code");
}

#[test]
fn the_example_of_each_page_gives_its_code() {
    let folder = std::env::temp_dir().join(format!("overdub-explain-{}", std::process::id()));
    let mut wrong = Vec::new();
    for code in all() {
        let Some((page, line)) = page(code).and_then(|page| Some((page, block(page, "text")?))) else {
            continue;
        };
        let folder = folder.join(code.to_string());
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        let files = [("ignore", "example.rs"), ("toml", "Cargo.toml")];
        for (text, name) in files.iter().filter_map(|(language, name)| Some((block(page, language)?, name))) {
            std::fs::write(folder.join(name), text).expect("it is written");
        }
        let is_listing = line.starts_with("overdub ir") || line.starts_with("overdub export");
        let mut args = words(line);
        args.extend((!is_listing).then(|| "--json".to_owned()));
        let output = overdub(&folder, &args);
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        if !err.starts_with("error: ") || !err.contains(&format!(" [{code}]\n")) {
            wrong.push(format!("{code}: {err}{out}"));
        }
        let last: Json =
            out.lines().last().and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default();
        let found = if line.starts_with("overdub check") { &last["code"] } else { &last["error"]["code"] };
        if !is_listing && *found != code.to_string() {
            wrong.push(format!("{code}, as JSON: {found}"));
        }
    }
    drop(std::fs::remove_dir_all(&folder));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_page_is_printed_by_its_code_in_any_form() {
    let here = Path::new(".");
    let printed = overdub(here, &["explain".to_owned(), "OD0103".to_owned()]);
    let text = String::from_utf8_lossy(&printed.stdout);
    assert!(text.starts_with("OD0103: an index is out of bounds\n\n"), "{text}");
    assert!(text.contains("\n    pub fn last(xs: &[f64]) -> f64 {\n") && !text.contains("```"), "{text}");
    assert_eq!(overdub(here, &["explain".to_owned(), "od103".to_owned()]).stdout, printed.stdout);
    let listed = overdub(here, &["explain".to_owned()]);
    assert_eq!(String::from_utf8_lossy(&listed.stdout).lines().count(), all().len());
    let unknown = overdub(here, &["explain".to_owned(), "OD9999".to_owned()]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("no error has the code `OD9999`"));
}
