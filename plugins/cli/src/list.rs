//! `overdub list`: the functions of a source with their signatures.

use std::io::Write;

use overdub_lower::Loaded;
use overdub_lower::hir::DefId;
use serde_json::json;

use crate::args::List;
use crate::load;
use crate::report::Failed;

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
    Ok(())
}

fn signature(loaded: &Loaded, def: DefId) -> String {
    match loaded.program().fn_sig(def) {
        Ok(sig) => overdub_lower::signature(loaded.program(), &sig),
        Err(error) => format!("  // cannot be read: {error}"),
    }
}
