//! Laws of the source loader that hold for every text.
//!
//! It is given Rust with parts deleted, duplicated, exchanged and overwritten. It answers all of it: with
//! functions that verify, or with errors located in the text. Nothing is run.

mod changes;

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use overdub::lower::Loaded;
use overdub_context::verify::verify;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use changes::{change, changed};

/// Sources of all kinds, each with functions that can be called.
static SOURCES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in ["examples", "guide", "tests/lower/tests/run"] {
        let entries = fs::read_dir(root.join(folder)).expect("a folder of sources can be read");
        let paths = entries.map(|entry| entry.expect("a source can be listed").path());
        files.extend(paths.filter(|path| path.extension().is_some_and(|extension| extension == "rs")));
    }
    files.sort();
    let short = |file: &std::path::PathBuf| fs::metadata(file).is_ok_and(|file| file.len() < 6_000);
    let files = files.iter().filter(|file| short(file));
    files.map(|file| fs::read_to_string(file).expect("a source can be read")).collect()
});

fn token() -> impl Strategy<Value = String> {
    let words = "fn|pub|struct|enum|impl|trait|for|in|while|loop|if|else|match|let|mut|ref|move|return|break|\
                 continue|const|static|mod|use|self|Self|super|crate|where|as|dyn|type|unsafe|macro_rules!";
    let names = "x|f|n|T|Vec|Option|Some|None|i32|f64|usize|str|String|iter|map|sum|unwrap|len|println!|'a|_";
    let marks = "::<|[(){}\\[\\]<>,:;=!&|*+/%^?#.-]|->|=>|\\.\\.=?|&&|\\|\\||'|\"|//|/\\*|\\*/|\n";
    let numbers =
        "[0-9]{1,40}(\\.[0-9]{0,3})?(e[-+]?[0-9]{0,4})?_?(f32|u8|i128|x)?|0x[0-9a-f]{0,40}|'\\\\?.'";
    prop_oneof![2 => words, 2 => names, 4 => marks, 1 => numbers].prop_map(|token| format!(" {token} "))
}

/// Checks the law for one text.
fn check(text: &str) {
    let lines = text.split('\n').count() as u32;
    let loaded = match Loaded::from_source("f.rs", text) {
        Ok(loaded) => loaded,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            assert!(error.span.line <= lines, "{error} in a text of {lines} lines");
            return;
        }
    };
    let program = loaded.program();
    for def in program.functions() {
        let Ok(function) = loaded.function(&program.path(def)) else { continue };
        if let Ok(Some(func)) = loaded.module().func(function.symbol) {
            verify(&func).unwrap_or_else(|errors| panic!("{errors:?}\nin\n{func}"));
        }
    }
}

proptest! {
    // Fewer cases than usual, since lowering is slow.
    #![proptest_config(overdub_context::testing::cases(32))]

    #[test]
    fn a_soup_of_tokens_is_answered(tokens in vec(token(), 0..60)) {
        check(&tokens.concat());
    }

    #[test]
    fn changed_sources_are_answered(source in any::<Index>(), changes in vec(change(token()), 1..4)) {
        check(&changed(&SOURCES[source.index(SOURCES.len())], &changes));
    }

    #[test]
    fn nesting_is_answered(
        open in select(vec!["(", "[", "{", "-", "!", "&", "|x|", "if x {", "Box<", "x + ", "if c {} else "]),
        depth in 1usize..3_000,
    ) {
        check(&format!("fn f(x: f64, c: bool) -> f64 {{ {} x", open.repeat(depth)));
        check(&format!("fn f(x: f64, c: bool) -> f64 {{ {} {{ x }} }}", open.repeat(depth)));
        check(&format!("fn f(x: {}f64) {{ }}", open.repeat(depth)));
    }
}
