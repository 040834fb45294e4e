//! A module in place of the crate `libm`, and programs compiled without the standard library.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

/// What the functions of the module compute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bodies {
    /// The method of the standard library, which gives the bits of the interpreter.
    Std,
    /// Nothing: for programs that are compiled and not run.
    Zero,
}

/// The functions in double precision, the number of their arguments, and the methods.
const FUNCTIONS: &[(&str, usize, &str)] = &[
    ("sqrt", 1, "sqrt"),
    ("cbrt", 1, "cbrt"),
    ("sin", 1, "sin"),
    ("cos", 1, "cos"),
    ("tan", 1, "tan"),
    ("asin", 1, "asin"),
    ("acos", 1, "acos"),
    ("atan", 1, "atan"),
    ("atan2", 2, "atan2"),
    ("sinh", 1, "sinh"),
    ("cosh", 1, "cosh"),
    ("tanh", 1, "tanh"),
    ("asinh", 1, "asinh"),
    ("acosh", 1, "acosh"),
    ("atanh", 1, "atanh"),
    ("exp", 1, "exp"),
    ("exp2", 1, "exp2"),
    ("expm1", 1, "exp_m1"),
    ("log", 1, "ln"),
    ("log1p", 1, "ln_1p"),
    ("log2", 1, "log2"),
    ("log10", 1, "log10"),
    ("hypot", 2, "hypot"),
    ("pow", 2, "powf"),
    ("fma", 3, "mul_add"),
    ("floor", 1, "floor"),
    ("ceil", 1, "ceil"),
    ("round", 1, "round"),
    ("rint", 1, "round_ties_even"),
    ("trunc", 1, "trunc"),
];

/// A module `libm`.
pub(crate) fn module(bodies: Bodies) -> String {
    let mut text = String::from("#[allow(dead_code)]\nmod libm {\n");
    for (ty, suffix) in [("f64", ""), ("f32", "f")] {
        for (name, count, method) in FUNCTIONS {
            let names = &["x", "y", "z"][..*count];
            let params: Vec<String> = names.iter().map(|name| format!("{name}: {ty}")).collect();
            let body = match bodies {
                // Of constants the compiler would compute it itself, by other functions.
                Bodies::Std => format!("std::hint::black_box(x).{method}({})", names[1..].join(", ")),
                Bodies::Zero => names.join(" * 0.0 + ") + " * 0.0",
            };
            let params = params.join(", ");
            text.push_str(&format!("    pub fn {name}{suffix}({params}) -> {ty} {{ {body} }}\n"));
        }
        let body = if bodies == Bodies::Std { "std::hint::black_box(x).sin_cos()" } else { "(x * 0.0, 0.0)" };
        text.push_str(&format!("    pub fn sincos{suffix}(x: {ty}) -> ({ty}, {ty}) {{ {body} }}\n"));
    }
    text + "}\n"
}

/// Compiles programs without `main` as modules of a library with `#![no_std]`, without warnings.
pub(crate) fn compile_without_std(name: &str, programs: &[String]) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("the folder can be written");
    let mut text = String::from("#![no_std]\n#![deny(warnings)]\n");
    for (number, program) in programs.iter().enumerate() {
        let uses = if program.contains("libm::") { "use super::libm;\n" } else { "" };
        text.push_str(&format!("pub mod program{number} {{\n{uses}{program}}}\n"));
    }
    text.push_str(&module(Bodies::Zero));
    let source = folder.join("lib.rs");
    fs::write(&source, text).expect("the source can be written");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiled = Command::new(rustc)
        .args(["--edition", "2024", "--crate-type", "lib", "--emit", "metadata", "-o"])
        .args([&folder.join("lib.rmeta"), &source])
        .output()
        .expect("rustc can be run");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
}
