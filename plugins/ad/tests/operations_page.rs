//! `docs/operations.md` lists every operation of the engine with its declaration and its derivative rule.
//!
//! `BLESS=1` writes the page.

use std::fmt::Write as _;
use std::path::Path;

use overdub_ad::rules::{ArrayOpKind, Rule, rule};
use overdub_context::ops::{self, Arity, Effects, OpDef};

const HEAD: &str = "# Operations

Every operation of the engine, in the order of their files in `context/src/ops`. This page is generated from the
declarations and from the derivative rules in `plugins/ad/src/rules`; a test holds it to them, and
`BLESS=1 cargo test -p overdub-ad --test operations_page` writes it.

- *Operands*: how many an operation takes; `2+` is two or more.
- *Effects*: what it does besides computing its result. `fails`: it may fail; `reads`, `writes`: it reads or changes cells
  or the output; `allocates`: each result has a separate identity. An operation without effects is removed,
  shared and moved freely by the optimiser.
- *Derivative*: the partial derivative in each operand, of operands `x` (or `x1`, `x2`, …) and result `y`; `zero`: the result
  is constant in the operands except at jumps, or contains no float; `moves`: tangents and cotangents are moved
  like the values; `array`: a rule on whole arrays; `array, in Rust`: one that is a function in
  `plugins/ad/src/nd/factors.rs`; `array, as a loop`: expanded into a loop over elements, which is differentiated; `cast`: a
  conversion between floats, or from or to one; `none`: a derivative that depends on it is an error with this reason.

| operation | result | operands | effects | derivative |
|---|---|---|---|---|
";

fn arity(op: &OpDef) -> String {
    match op.arity {
        Arity::Exactly(count) => count.to_string(),
        Arity::AtLeast(count) => format!("{count}+"),
    }
}

fn effects(Effects { fails, total_on, reads, writes, allocates }: Effects) -> String {
    let fails_on = match total_on {
        ops::TotalOn::Nothing => "fails",
        ops::TotalOn::Floats => "fails, but not on floats",
        ops::TotalOn::Scalars => "fails, but not on scalars",
    };
    let named = [(fails, fails_on), (reads, "reads"), (writes, "writes"), (allocates, "allocates")];
    named.into_iter().filter_map(|(has, name)| has.then_some(name)).collect::<Vec<_>>().join(", ")
}

fn derivative(op: &'static OpDef) -> String {
    let operands = match op.arity {
        Arity::Exactly(count) | Arity::AtLeast(count) => count,
    };
    match rule(op) {
        None => panic!("`{}` has no derivative rule", op.name),
        Some(Rule::Partials(partials)) => {
            let formulas = partials.of(operands).into_iter();
            formulas.map(|formula| format!("`{}`", formula.shown(operands))).collect::<Vec<_>>().join(", ")
        }
        Some(Rule::Parts(parts)) => {
            let operand = overdub_ad::Expr::operand;
            let parts = parts(&(0..operands).map(operand).collect::<Vec<_>>()).into_iter();
            let formulas = parts.map(|part| {
                let shown = part.partials.iter().map(|partial| format!("`{}`", partial.shown(operands)));
                shown.collect::<Vec<_>>().join(", ")
            });
            format!("of each part: {}", formulas.collect::<Vec<_>>().join("; "))
        }
        Some(Rule::Zero) => "zero".to_owned(),
        Some(Rule::Moves(_)) => "moves".to_owned(),
        Some(Rule::Cast) => "cast".to_owned(),
        Some(Rule::ArrayOp(whole)) => match whole.kind() {
            ArrayOpKind::Array => "array".to_owned(),
            ArrayOpKind::InRust => "array, in Rust".to_owned(),
            ArrayOpKind::Loop => "array, as a loop".to_owned(),
        },
        Some(Rule::Refuse(reason)) => format!("none: {reason}"),
    }
}

/// Text in a cell of a table.
fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    for op in ops::ALL.iter().copied().flatten().copied() {
        let row = [&format!("`{}`", op.name), op.doc, &arity(op), &effects(op.effects), &derivative(op)];
        let cells: Vec<String> = row.into_iter().map(cell).collect();
        writeln!(page, "| {} |", cells.join(" | ")).expect("writing to a text does not fail");
    }
    page
}

#[test]
fn the_page_of_operations_is_what_their_declarations_and_rules_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operations.md");
    let page = page();
    if std::env::var_os("BLESS").is_some_and(|bless| bless == "1") {
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "docs/operations.md is not what the operations say: BLESS=1 writes it");
}
