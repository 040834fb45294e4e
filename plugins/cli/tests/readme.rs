//! The output shown in the README and the guide is what the command line prints.
//!
//! `BLESS=1` writes the output into them.

use std::path::PathBuf;

use clap::Parser;
use overdub_cli::args::Cli;
use overdub_cli::{Color, run};

/// The words of a command as a shell splits them, with single quotes.
fn words(command: &str) -> Vec<String> {
    let mut words = vec!["overdub".to_string()];
    for (i, part) in command.split('\'').enumerate() {
        if i % 2 == 1 {
            words.push(part.to_string());
        } else {
            words.extend(part.split_whitespace().map(str::to_string));
        }
    }
    words
}

/// The output of a command.
fn printed(command: &str) -> String {
    let cli = Cli::try_parse_from(words(command)).unwrap_or_else(|error| panic!("{command}: {error}"));
    let mut out = Vec::new();
    let text = match run(&cli, &mut out) {
        Ok(()) => String::from_utf8(out).expect("the output is text"),
        Err(failed) => failed.render(Color::Never).to_string(),
    };
    format!("{}\n", text.trim_end())
}

/// A document with the current output of its commands, and their number: `console` blocks hold commands after
/// `$`, and below each command its output.
fn with_output(document: &str) -> (String, usize) {
    let (mut text, mut commands, mut is_console) = (String::new(), 0, false);
    for line in document.lines() {
        let command = line.strip_prefix("$ overdub ").filter(|_| is_console);
        if line.starts_with("```") {
            is_console = line == "```console";
        }
        if !is_console || line.starts_with("```") || command.is_some() {
            text.push_str(line);
            text.push('\n');
        }
        if let Some(command) = command {
            commands += 1;
            text.push_str(&printed(command));
        }
    }
    (text, commands)
}

#[test]
fn the_documents_show_what_the_command_prints() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    std::env::set_current_dir(root).expect("the repository is there");
    let guide = std::fs::read_dir("guide").expect("there is a guide");
    let chapters = guide.map(|entry| entry.expect("it can be read").path());
    let chapters = chapters.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let mut commands = 0;
    for path in ["README.md", "docs/derivatives.md"].map(PathBuf::from).into_iter().chain(chapters) {
        let document = std::fs::read_to_string(&path).expect("it can be read");
        let (text, count) = with_output(&document);
        commands += count;
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &text).expect("it can be written");
        } else {
            assert_eq!(text, document, "{}: BLESS=1 writes it anew", path.display());
        }
    }
    assert!(commands >= 10, "the documents show fewer commands than they should: {commands}");
}

/// docs.rs shows the README as the front page of the library, where the files of the repository are not.
#[test]
fn links_of_the_readme_have_targets_in_the_documentation() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |name: &str| std::fs::read_to_string(root.join(name)).expect("the file is there");
    let (readme, library) = (read("README.md"), read("lib.rs"));
    for link in readme.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        assert!(link.starts_with("https://"), "`{link}` is written where it is used, not at the end");
    }
    let mut links = 0;
    for (label, path) in readme.lines().filter_map(|line| line.strip_prefix('[')?.split_once("]: ")) {
        assert!(root.join(path).exists(), "there is no `{path}`");
        assert!(library.contains(&format!("\"[{label}]: crate::")), "`{label}` has no target in lib.rs");
        links += 1;
    }
    assert!(links > 10, "{links} links");
}
