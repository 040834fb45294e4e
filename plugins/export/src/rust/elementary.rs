//! Elementary functions without branches, as text: those of [`overdub_passes::fast_math`].

use std::sync::LazyLock;

use hashbrown::HashSet;
use overdub_context::ops::OpDef;
use overdub_passes::fast_math::{COS_FAST, EXP_FAST, FUNCTIONS, LN_FAST, POWF_FAST, SIN_FAST, TANH_FAST};

/// A function or a constant.
struct Item {
    name: String,
    text: String,
}

/// All items, with names that tell them from the functions of `std`.
static ITEMS: LazyLock<Vec<Item>> = LazyLock::new(|| {
    let items = FUNCTIONS.split("\n\n").filter_map(|text| {
        let text = text.trim_end().replace("pub ", "").replace("pub(super) ", "");
        let line = text.lines().find(|line| line.starts_with("fn ") || line.starts_with("const "))?;
        let name: String = line.split(' ').nth(1)?.chars().take_while(|c| is_letter(*c)).collect();
        Some(vec![Item { name, text }])
    });
    let mut all: Vec<Item> = items.flatten().flat_map(single).collect();
    for item in &mut all {
        for name in ["exp", "ln", "tanh", "sin", "cos"] {
            item.text = item.text.replace(&format!("fn {name}("), &format!("fn {name}_fast("));
            if item.name == name {
                item.name = format!("{name}_fast");
            }
        }
    }
    all
});

/// Constants that follow each other, one by one.
fn single(item: Item) -> Vec<Item> {
    let is_constant = |line: &&str| line.starts_with("const ") && line.ends_with(';');
    if !item.text.lines().all(|line| is_constant(&line)) {
        return vec![item];
    }
    let lines = item.text.lines().map(|line| Item {
        name: line["const ".len()..].chars().take_while(|c| is_letter(*c)).collect(),
        text: line.to_owned(),
    });
    lines.collect()
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The function that computes an operation; that of a sine or cosine, if `is_near`, does so for angles that are not too large.
pub(super) fn function(op: &OpDef, is_near: bool) -> Option<&'static str> {
    match () {
        () if op == &EXP_FAST => Some("exp_fast"),
        () if op == &LN_FAST => Some("ln_fast"),
        () if op == &TANH_FAST => Some("tanh_fast"),
        () if op == &POWF_FAST => Some("powf_branchless"),
        () if op == &SIN_FAST => Some(if is_near { "sin_near" } else { "sin_fast" }),
        () if op == &COS_FAST => Some(if is_near { "cos_near" } else { "cos_fast" }),
        () => None,
    }
}

/// The names of all items.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    ITEMS.iter().map(|item| item.name.as_str())
}

/// The text of these functions and of all that they need.
pub(super) fn text(functions: &HashSet<&'static str>) -> String {
    let mut needed: HashSet<&str> = functions.clone();
    let mut waiting: Vec<&str> = functions.iter().copied().collect();
    while let Some(name) = waiting.pop() {
        let Some(item) = ITEMS.iter().find(|item| item.name == name) else { continue };
        let code = item.text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let words: HashSet<&str> = code.flat_map(|line| line.split(|c| !is_letter(c))).collect();
        let more = ITEMS.iter().map(|item| item.name.as_str()).filter(|name| words.contains(name));
        waiting.extend(more.filter(|name| needed.insert(name)));
    }
    let items = ITEMS.iter().filter(|item| needed.contains(item.name.as_str()));
    items.map(|item| format!("\n{}\n", skipped(&item.text))).collect()
}

/// The text as it stands, whatever rustfmt's settings are.
fn skipped(text: &str) -> String {
    if text.contains("#[rustfmt::skip]") {
        return text.to_owned();
    }
    let mut lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| !line.starts_with("///")).unwrap_or(0);
    lines.insert(at, "#[rustfmt::skip]");
    lines.join("\n")
}
