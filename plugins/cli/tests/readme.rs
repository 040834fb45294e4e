//! What the README shows of the command line is what the command line prints.

use clap::Parser;
use overdub_cli::args::Cli;
use overdub_cli::{Color, run};

/// The commands of the README's `console` blocks, each with the lines that follow it.
fn shown(readme: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for block in readme.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap_or_default();
        for line in block.lines() {
            match (line.strip_prefix("$ overdub "), found.last_mut()) {
                (Some(command), _) => found.push((command.to_string(), String::new())),
                (None, Some((_, output))) => {
                    output.push_str(line);
                    output.push('\n');
                }
                (None, None) => panic!("the README shows output before a command: {line}"),
            }
        }
    }
    found
}

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

#[test]
fn the_readme_shows_what_the_command_prints() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    std::env::set_current_dir(root).expect("the repository is there");
    let readme = std::fs::read_to_string("README.md").expect("there is a README");
    let shown = shown(&readme);
    assert!(shown.len() >= 4, "the README shows fewer commands than it should: {shown:?}");
    for (command, output) in shown {
        let cli = Cli::try_parse_from(words(&command)).unwrap_or_else(|error| panic!("{command}: {error}"));
        let mut out = Vec::new();
        let printed = match run(&cli, &mut out) {
            Ok(()) => String::from_utf8(out).expect("the output is text"),
            Err(failed) => format!("{}\n", failed.render(Color::Never)),
        };
        assert_eq!(printed.trim_end(), output.trim_end(), "{command}");
    }
}
