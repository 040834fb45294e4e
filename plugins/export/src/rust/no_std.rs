//! Text for crates without the standard library: `core`, `alloc`, and the crate `libm` for the functions of floats that
//! `core` lacks.

use overdub_context::ir::{FloatTy, TyKind};

use super::Printer;
use super::exprs::Text;
use super::literals::Known;
use super::words::words_with_rest;
use crate::ast::Arg;
use crate::error::ExportError;
use crate::options::Library;

/// Methods of floats that `core` lacks, with the functions of `libm` that compute them in double precision; those in single
/// precision end in `f`.
const FUNCTIONS: &[(&str, &str)] = &[
    ("sqrt", "sqrt"),
    ("cbrt", "cbrt"),
    ("sin", "sin"),
    ("cos", "cos"),
    ("tan", "tan"),
    ("asin", "asin"),
    ("acos", "acos"),
    ("atan", "atan"),
    ("atan2", "atan2"),
    ("sinh", "sinh"),
    ("cosh", "cosh"),
    ("tanh", "tanh"),
    ("asinh", "asinh"),
    ("acosh", "acosh"),
    ("atanh", "atanh"),
    ("exp", "exp"),
    ("exp2", "exp2"),
    ("exp_m1", "expm1"),
    ("ln", "log"),
    ("ln_1p", "log1p"),
    ("log2", "log2"),
    ("log10", "log10"),
    ("hypot", "hypot"),
    ("powf", "pow"),
    ("mul_add", "fma"),
    ("floor", "floor"),
    ("ceil", "ceil"),
    ("round", "round"),
    ("round_ties_even", "rint"),
    ("trunc", "trunc"),
    ("sin_cos", "sincos"),
];

/// Methods of floats that `core` lacks, with the helpers that compute them from functions of `libm`.
const HELPERS: &[(&str, &str, &str)] = &[
    ("log", "log", "log_f32"),
    ("fract", "fract", "fract_f32"),
    ("powi", "powi", "powi_f32"),
    ("div_euclid", "div_euclid_f64", "div_euclid_f32"),
    ("rem_euclid", "rem_euclid_f64", "rem_euclid_f32"),
];

/// The names of `alloc` that the prelude of the standard library has.
const PRELUDE: &[(&str, &str)] = &[
    ("borrow::Cow", "Cow"),
    ("borrow::ToOwned", "to_owned"),
    ("boxed::Box", "Box"),
    ("format", "format!"),
    ("rc::Rc", "Rc"),
    ("string::String", "String"),
    ("string::ToString", "to_string"),
    ("vec", "vec!"),
    ("vec::Vec", "Vec"),
];

impl Library {
    /// A path into the standard library, as this library has it.
    pub(super) fn path(self, std: &str) -> String {
        match self {
            Library::Std => std.to_owned(),
            Library::NoStd => std.replace("std::", "core::"),
        }
    }

    /// The imports that a text needs.
    pub(super) fn imports(self, text: &str) -> String {
        let words = words_with_rest(text);
        // A type with arguments has them, or a path, after it; a variant of the same name has not.
        let is_type = |rest: &str| rest.starts_with('<') || rest.starts_with("::");
        let is_used = |name: &str, rest: &str| !["Box", "Cow", "Rc", "Vec"].contains(&name) || is_type(rest);
        let has = |name: &str| words.iter().any(|(word, rest)| *word == name && is_used(word, rest));
        match self {
            Library::Std => {
                let uses = [("borrow::Cow", "Cow"), ("rc::Rc", "Rc")];
                let uses = uses.iter().filter(|(_, name)| has(name));
                uses.map(|(path, _)| format!("use std::{path};\n")).collect()
            }
            Library::NoStd => {
                let uses = PRELUDE.iter().filter(|(_, name)| has(name));
                let uses: String = uses.map(|(path, _)| format!("use alloc::{path};\n")).collect();
                if uses.is_empty() { uses } else { format!("extern crate alloc;\n\n{uses}") }
            }
        }
    }
}

impl Printer<'_> {
    /// A path into the standard library.
    pub(super) fn path(&self, std: &str) -> String {
        self.options.library.path(std)
    }

    /// A method of a float that the library lacks, as a call of a function; none if there is the method.
    pub(super) fn float_function(&mut self, name: &str, args: &[Arg]) -> Result<Option<Text>, ExportError> {
        let TyKind::Float(float) = self.ty(&args[0].expr).kind() else { return Ok(None) };
        if self.options.library == Library::Std {
            return Ok(None);
        }
        let is_single = *float == FloatTy::F32;
        let callee = if let Some((_, function)) = FUNCTIONS.iter().find(|(method, _)| *method == name) {
            format!("libm::{function}{}", if is_single { "f" } else { "" })
        } else if let Some((_, double, single)) = HELPERS.iter().find(|(method, ..)| *method == name) {
            self.helpers.call(if is_single { single } else { double })
        } else {
            return Ok(None);
        };
        let known = Known::Type;
        let texts = args.iter().map(|arg| Ok(self.expr(&arg.expr, known)?.text));
        Ok(Some(Text::call(callee, texts.collect::<Result<Vec<_>, ExportError>>()?)))
    }
}
