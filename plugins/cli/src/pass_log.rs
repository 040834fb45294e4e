//! `overdub ir --passes`: a function after each pass that changed it, with the changed lines marked.

use std::cell::RefCell;
use std::io::{self, Write};

use overdub_context::ir::Func;
use overdub_context::text::Printer;
use overdub_passes::{Pipeline, Scope};

use crate::diff;

/// Runs the passes; prints the function before them, then after each pass that changes its text.
pub(crate) fn print(
    func: &Func,
    pipeline: Pipeline<'_>,
    scope: &Scope<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let steps: RefCell<Vec<(String, String)>> = RefCell::new(Vec::new());
    let dump = |pass: &str, func: &Func| {
        steps.borrow_mut().push((pass.to_owned(), Printer::new().func(func).to_string()));
    };
    pipeline.dumping(&dump).run(func, scope);
    let mut before = Printer::new().func(func).to_string();
    write!(out, "{before}")?;
    for (pass, after) in steps.into_inner() {
        if after != before {
            write!(out, "\n\nafter {pass}:\n{}", diff::lines(&before, &after).trim_end())?;
            before = after;
        }
    }
    Ok(())
}
