//! Names in C.

pub(super) use crate::names::{Names, function_name};

/// Keywords of C99 and C++, and macros of the headers that are included.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "auto", "bool", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
    "extern", "false", "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict",
    "return", "short", "signed", "sizeof", "static", "struct", "switch", "true", "typedef", "union",
    "unsigned", "void", "volatile", "while", "_Bool", "_Complex", "_Imaginary", "asm", "typeof", "class",
    "delete", "new", "this", "template", "private", "public", "protected", "virtual", "operator", "namespace",
    "friend", "try", "catch", "throw", "using", "explicit", "export", "mutable", "and", "or", "not", "xor",
    "NULL", "EOF", "INFINITY", "NAN", "HUGE_VAL", "I", "errno", "stdin", "stdout", "stderr", "assert",
    "isnan", "isinf", "isfinite", "isnormal", "signbit", "fpclassify", "linux", "unix",
];

/// Functions and types of the headers that are included, and functions that compilers know.
#[rustfmt::skip]
const LIBRARY: &[&str] = &[
    "main", "abs", "labs", "llabs", "div", "exit", "abort", "malloc", "calloc", "realloc", "free", "qsort",
    "bsearch", "rand", "srand", "random", "atof", "atoi", "strtod", "strtof", "system", "getenv", "atexit",
    "memcpy", "memmove", "memset", "memcmp", "memchr", "strlen", "strcpy", "strcat", "strcmp", "strchr",
    "strstr", "index", "rindex", "printf", "fprintf", "sprintf", "snprintf", "scanf", "puts", "putchar",
    "fputs", "fputc", "fwrite", "fread", "fopen", "fclose", "remove", "rename", "tmpfile", "acos", "asin",
    "atan", "atan2", "cos", "sin", "tan", "acosh", "asinh", "atanh", "cosh", "sinh", "tanh", "exp", "exp2",
    "exp10", "expm1", "frexp", "ilogb", "ldexp", "log", "log10", "log1p", "log2", "logb", "modf", "scalbn",
    "cbrt", "fabs", "hypot", "pow", "sqrt", "erf", "erfc", "lgamma", "tgamma", "gamma", "ceil", "floor",
    "nearbyint", "rint", "lrint", "round", "lround", "trunc", "fmod", "remainder", "remquo", "copysign",
    "nan", "nextafter", "fdim", "fmax", "fmin", "fma", "drem", "significand", "signgam", "j0", "j1", "jn",
    "y0", "y1", "yn", "acosf", "asinf", "atanf", "atan2f", "cosf", "sinf", "tanf", "acoshf", "asinhf",
    "atanhf", "coshf", "sinhf", "tanhf", "expf", "exp2f", "expm1f", "logf", "log10f", "log1pf", "log2f",
    "cbrtf", "fabsf", "hypotf", "powf", "sqrtf", "ceilf", "floorf", "rintf", "roundf", "truncf", "fmodf",
    "copysignf", "fmaf", "size_t", "ptrdiff_t", "wchar_t", "time", "clock", "read", "write", "open", "close",
    "link", "pipe", "select", "access", "signal", "wait", "sleep", "pause", "stat", "div_t", "string",
    "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "Unit", "Text",
    "TextView", "Int128", "Uint128",
];

/// A scope in which the names of the standard library are taken.
pub(super) fn library() -> Names {
    Names::new(KEYWORDS, LIBRARY)
}

/// A name as an identifier.
pub(super) fn identifier(name: &str) -> String {
    crate::names::identifier(name, KEYWORDS)
}

/// A type's name as the beginning of a function's name.
pub(super) fn snake(name: &str) -> String {
    let mut text = String::new();
    let mut follows_lower = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() && follows_lower {
            text.push('_');
        }
        follows_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        text.push(c.to_ascii_lowercase());
    }
    text
}
