//! The languages of compilers, and their options.

/// The language that a compiler compiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// Rust, by rustc.
    Rust,
    /// C, by clang or gcc.
    C,
}

/// Compiles for the processor of this machine.
pub(crate) const NATIVE_OF_C: &str =
    if cfg!(target_arch = "aarch64") { "-mcpu=native" } else { "-march=native" };

/// The options of rustc.
pub(crate) fn of_rustc(optimises: bool) -> Vec<&'static str> {
    let level = if optimises { "opt-level=3" } else { "opt-level=0" };
    vec![
        "--edition=2024",
        "--crate-name=overdub_compiled",
        "--crate-type=cdylib",
        "--cap-lints=allow",
        "-C",
        level,
        "-C",
        "target-cpu=native",
        "-C",
        "codegen-units=1",
        "-C",
        "strip=symbols",
    ]
}

/// The options of clang and gcc, for the same bits as by other executors: products and sums are not contracted, and functions of
/// constants are called rather than evaluated, since compilers round them correctly and libraries do not.
pub(crate) fn of_c(optimises: bool, native: Option<&'static str>) -> Vec<&'static str> {
    let level = if optimises { "-O3" } else { "-O0" };
    let mut options = vec![
        level,
        "-std=gnu99",
        "-w",
        "-shared",
        "-fPIC",
        "-ffp-contract=off",
        "-fno-math-errno",
        "-x",
        "c",
    ];
    options.extend(native);
    options.extend(NOT_EVALUATED);
    options
}

/// What follows the name of the file.
pub(crate) fn after_text(language: Language) -> &'static [&'static str] {
    match language {
        Language::Rust => &[],
        Language::C => &["-lm"],
    }
}

const NOT_EVALUATED: [&str; 52] = [
    "-fno-builtin-exp",
    "-fno-builtin-exp2",
    "-fno-builtin-expm1",
    "-fno-builtin-log",
    "-fno-builtin-log2",
    "-fno-builtin-log10",
    "-fno-builtin-log1p",
    "-fno-builtin-pow",
    "-fno-builtin-cbrt",
    "-fno-builtin-hypot",
    "-fno-builtin-sin",
    "-fno-builtin-cos",
    "-fno-builtin-tan",
    "-fno-builtin-asin",
    "-fno-builtin-acos",
    "-fno-builtin-atan",
    "-fno-builtin-atan2",
    "-fno-builtin-sinh",
    "-fno-builtin-cosh",
    "-fno-builtin-tanh",
    "-fno-builtin-asinh",
    "-fno-builtin-acosh",
    "-fno-builtin-atanh",
    "-fno-builtin-erf",
    "-fno-builtin-lgamma",
    "-fno-builtin-tgamma",
    "-fno-builtin-expf",
    "-fno-builtin-exp2f",
    "-fno-builtin-expm1f",
    "-fno-builtin-logf",
    "-fno-builtin-log2f",
    "-fno-builtin-log10f",
    "-fno-builtin-log1pf",
    "-fno-builtin-powf",
    "-fno-builtin-cbrtf",
    "-fno-builtin-hypotf",
    "-fno-builtin-sinf",
    "-fno-builtin-cosf",
    "-fno-builtin-tanf",
    "-fno-builtin-asinf",
    "-fno-builtin-acosf",
    "-fno-builtin-atanf",
    "-fno-builtin-atan2f",
    "-fno-builtin-sinhf",
    "-fno-builtin-coshf",
    "-fno-builtin-tanhf",
    "-fno-builtin-asinhf",
    "-fno-builtin-acoshf",
    "-fno-builtin-atanhf",
    "-fno-builtin-erff",
    "-fno-builtin-lgammaf",
    "-fno-builtin-tgammaf",
];
