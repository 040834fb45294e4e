//! `overdub explain`: the page of an error's code.

use std::io::Write;

use overdub_context::Code;

use crate::args::Explain;
use crate::codes::{all, page};
use crate::report::{Diagnostic, Failed};

/// Prints the page of a code, or the titles of all pages.
pub(crate) fn print(args: &Explain, out: &mut dyn Write) -> Result<(), Failed> {
    let Some(text) = &args.code else {
        for code in all() {
            writeln!(out, "{code}  {}", page(code).map_or("", |page| page.title))?;
        }
        return Ok(());
    };
    let unknown = |message: String| {
        Failed::usage(
            Diagnostic::new(message).with_help("`overdub explain` without a code lists all of them"),
        )
    };
    let code: Code = text.parse().map_err(|error: overdub_context::NoCode| unknown(error.to_string()))?;
    let page = page(code).ok_or_else(|| unknown(format!("no error has the code `{code}`")))?;
    writeln!(out, "{code}: {}\n", page.title)?;
    write!(out, "{}", as_text(page.text))?;
    Ok(())
}

/// Markdown as text for a terminal: code is indented, not fenced.
fn as_text(markdown: &str) -> String {
    let mut text = String::new();
    let mut is_code = false;
    for line in markdown.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
            continue;
        }
        // Lines of documentation tests that only rustdoc sees.
        if is_code && (line == "#" || line.starts_with("# ")) {
            continue;
        }
        let indent = if is_code && !line.is_empty() { "    " } else { "" };
        text.extend([indent, line, "\n"]);
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn code_is_indented_and_hidden_lines_are_omitted() {
        let markdown = "Why.\n\n```ignore\nfn f() {\n\n}\n# hidden();\n```\n\nDo `g`.";
        assert_eq!(super::as_text(markdown), "Why.\n\n    fn f() {\n\n    }\n\nDo `g`.\n");
    }
}
