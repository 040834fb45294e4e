//! Lists the files of the prelude, so that new files need not be registered, and splits them into items, so that this is
//! not done at startup.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use impl_header::ImplHeader;
use scan::{ItemSpans, NodeKind, scan};

#[allow(dead_code, reason = "the library uses the rest")]
#[path = "src/source/item_tree/impl_header.rs"]
mod impl_header;
#[allow(dead_code, reason = "the library uses the rest")]
#[path = "src/source/lexer.rs"]
mod lexer;
#[path = "src/source/item_tree/scan.rs"]
mod scan;

fn files(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files(&path, found)?;
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
    Ok(())
}

/// The start of a range of a text, its items, and its inner attributes.
type Block = (usize, Vec<ItemSpans>, Vec<(u32, u32)>);

/// The items of a range of a text, and those of the modules in it.
fn blocks(text: &str, lo: usize, hi: usize, found: &mut Vec<Block>) {
    let (items, inner) = scan(text, lo, hi);
    let modules = items.iter().filter(|item| item.kind == NodeKind::Mod);
    for (lo, hi) in modules.filter_map(|module| module.body) {
        blocks(text, lo as usize, hi as usize, found);
    }
    found.push((lo, items, inner));
}

/// The blocks as source text, of the types that `src/prelude.rs` declares.
fn written(blocks: &[Block]) -> String {
    let mut out = String::new();
    for (lo, items, inner) in blocks {
        write!(out, "Block {{ lo: {lo}, inner: &{inner:?}, items: &[").expect("a string takes it");
        for ItemSpans { kind, name, attrs, public, lo, hi, body, impl_header } in items {
            let impl_header = match impl_header {
                Some(ImplHeader { of, shape }) => {
                    format!("Some(ImplHeader {{ of: {of:?}, shape: SelfTyShape::{shape:?} }})")
                }
                None => "None".to_owned(),
            };
            let place = format!("({lo}, {hi}), {body:?}");
            writeln!(
                out,
                "item(NodeKind::{kind:?}, {name:?}, &{attrs:?}, {public}, {place}, {impl_header}),"
            )
            .expect("a string takes it");
        }
        out.push_str("]},\n");
    }
    out
}

/// The options of conditional compilation that describe the target, one in each line: `unix`, `target_os=linux`.
fn target_cfg() -> String {
    let mut lines = Vec::new();
    for flag in ["unix", "windows"] {
        lines.extend(env::var_os(format!("CARGO_CFG_{}", flag.to_uppercase())).map(|_| flag.to_owned()));
    }
    for name in ["target_os", "target_arch", "target_env", "target_family", "target_vendor", "target_abi"] {
        let values = env::var(format!("CARGO_CFG_{}", name.to_uppercase())).unwrap_or_default();
        lines.extend(values.split(',').map(|value| format!("{name}={value}")));
    }
    lines.join("\n")
}

fn main() -> io::Result<()> {
    for used in [
        "prelude",
        "src/source/lexer.rs",
        "src/source/item_tree/impl_header.rs",
        "src/source/item_tree/scan.rs",
    ] {
        println!("cargo:rerun-if-changed={used}");
    }
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    let root = package.join("prelude");
    let mut found = Vec::new();
    files(&root, &mut found)?;
    let name = |path: &Path| path.strip_prefix(&root).unwrap_or(path).to_string_lossy().replace('\\', "/");
    found.sort_by_key(|path| name(path));
    let mut rows = String::new();
    for path in found {
        let text = fs::read_to_string(&path)?;
        let mut cut = Vec::new();
        blocks(&text, 0, text.len(), &mut cut);
        cut.sort_by_key(|(lo, ..)| *lo);
        let (name, blocks) = (name(&path), written(&cut));
        // The text itself, not its path: clones that share a target folder share what is written here.
        writeln!(rows, "File {{ path: {name:?}, text: {text:?}, blocks: &[{blocks}] }},")
            .expect("a string takes it");
    }
    println!("cargo:rustc-env=OVERDUB_TARGET={}", env::var("TARGET").unwrap_or_default());
    let out = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    fs::write(out.join("target_cfg.txt"), target_cfg())?;
    fs::write(out.join("prelude.rs"), format!("&[{rows}]"))
}
