//! `overdub list`: the functions of a source with their signatures.

use std::io::Write;
use std::path::Path;

use overdub_lower::Loaded;
use overdub_lower::hir::DefId;
use serde_json::json;

use crate::args::List;
use crate::load;
use crate::report::{Diagnostic, Failed};

/// Prints the functions of a source in its order.
pub(crate) fn print(args: &List, out: &mut dyn Write) -> Result<(), Failed> {
    let loaded = load::open(&args.source)?;
    let program = loaded.program();
    let mut listed = Vec::new();
    for def in program.functions() {
        let head = program.head(def);
        listed.push((program.path(def), signature(&loaded, def), head.span));
    }
    if args.json {
        let functions: Vec<_> = listed
            .iter()
            .map(|(path, signature, span)| {
                json!({"function": path, "signature": signature, "file": span.file.as_str(), "line": span.line})
            })
            .collect();
        writeln!(out, "{}", json!({ "functions": functions }))?;
    } else {
        for (path, signature, _) in &listed {
            writeln!(out, "{path}{signature}")?;
        }
    }
    if listed.is_empty() && !args.json {
        return Err(Failed::program(nothing(&args.source)));
    }
    Ok(())
}

/// Why a source that was loaded has no functions to list.
fn nothing(source: &Path) -> Diagnostic {
    let message = format!("`{}` declares no function", source.display());
    let help = if source.is_dir() {
        "the functions of its library are listed, and of its modules: is there a `src/lib.rs`, and is what it declares \
         switched on by the default features?"
    } else {
        "functions and methods are listed, generic ones included: types, constants and `macro_rules!` are not, and neither \
         is what a macro makes only where it is used"
    };
    Diagnostic::new(message).with_help(help)
}

fn signature(loaded: &Loaded, def: DefId) -> String {
    match loaded.program().fn_sig(def) {
        Ok(sig) => overdub_lower::signature(loaded.program(), &sig),
        Err(error) => format!("  // cannot be read: {error}"),
    }
}
