//! Any arguments are answered: with a result, or with an error that states what was expected.

use clap::Parser;
use overdub_cli::args::Cli;
use overdub_cli::{Color, run};
use proptest::collection::vec;
use proptest::prelude::*;

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/takes.rs");

/// JSON, or almost JSON.
fn token() -> impl Strategy<Value = String> {
    let words =
        "null|true|false|NaN|\"NaN\"|\"-inf\"|\"a\\\\u12\"|\"\\\\ud800\"|\"Some\"|\"é\"|\"x\":|\"tag\":";
    let numbers = "-?[0-9]{1,45}(\\.[0-9]{0,3})?(e[-+]?[0-9]{0,4})?";
    let marks = "[\\[\\]{},:\" ]";
    prop_oneof![1 => words, 2 => numbers, 3 => marks]
}

fn value() -> impl Strategy<Value = serde_json::Value> {
    use serde_json::Value;
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        "[a-zé\"\\\\]{0,4}|NaN|inf|Left|Right|None".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        let names = "x|y|Left|Right|Some|0|tag";
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::from),
            vec((names, inner), 0..4).prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

fn check(function: &str, args: &str) {
    for command in ["run", "grad"] {
        let cli = Cli::try_parse_from(["overdub", command, "--json", "--", SOURCE, function, args]);
        let Ok(cli) = cli else { continue };
        let mut out = Vec::new();
        if let Err(failed) = run(&cli, &mut out) {
            assert!(failed.render(Color::Never).starts_with("error: "));
        }
    }
}

/// The functions of the program.
const FUNCTIONS: [&str; 6] = ["numbers", "text", "nested", "either", "points", "table"];

proptest! {
    // Fewer cases than usual, since each loads a program.
    #![proptest_config(overdub_context::testing::cases(32))]

    #[test]
    fn nearly_json_is_answered(at in 0..FUNCTIONS.len(), tokens in vec(token(), 0..20)) {
        check(FUNCTIONS[at], &tokens.concat());
        check(FUNCTIONS[at], &format!("[{}]", tokens.join(",")));
    }

    #[test]
    fn json_of_any_shape_is_answered(at in 0..FUNCTIONS.len(), args in vec(value(), 0..4)) {
        check(FUNCTIONS[at], &serde_json::Value::from(args).to_string());
    }
}

#[test]
fn json_nested_without_end_is_answered() {
    for open in ["[", "{\"x\":"] {
        check("nested", &open.repeat(100_000));
    }
}
