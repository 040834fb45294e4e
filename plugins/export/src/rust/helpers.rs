//! The functions that exported code calls where Rust has no expression for an operation.

use hashbrown::{HashMap, HashSet};
use overdub_context::ir::{Ty, TyKind};

use super::elementary;
use super::support::{FAILURE, Section, sections};
use crate::options::{Failures, Options};

/// The helpers that are used.
pub(super) struct Helpers {
    options: Options,
    all: Vec<Section>,
    used: HashSet<&'static str>,
    /// Checked integer arithmetic: the operation and the type.
    checked: Vec<(&'static str, &'static str)>,
    /// The types of integers that are blended.
    blended: Vec<&'static str>,
    /// The elementary functions that are used.
    elementary: HashSet<&'static str>,
    /// Other names for helpers whose name a function was given.
    renamed: HashMap<String, String>,
    /// Whether a message is made where it is needed, besides those of helpers.
    makes_message: bool,
}

/// Checked arithmetic: the operation, the method, and what fails.
const CHECKED: &[(&str, &str, &str)] = &[
    ("add", "checked_add(y)", "attempt to add with overflow"),
    ("sub", "checked_sub(y)", "attempt to subtract with overflow"),
    ("mul", "checked_mul(y)", "attempt to multiply with overflow"),
    ("div", "checked_div(y)", "attempt to divide"),
    ("rem", "checked_rem(y)", "attempt to calculate the remainder"),
    ("div_euclid", "checked_div_euclid(y)", "attempt to divide"),
    ("rem_euclid", "checked_rem_euclid(y)", "attempt to calculate the remainder"),
    ("pow", "checked_pow(y)", "attempt to multiply with overflow"),
    ("shl", "checked_shl(y)", "attempt to shift left with overflow"),
    ("shr", "checked_shr(y)", "attempt to shift right with overflow"),
    ("neg", "checked_neg()", "attempt to negate with overflow"),
    ("abs", "checked_abs()", "attempt to negate with overflow"),
];

/// A call that is too long for one line.
const REMAINDER_BY_ZERO: &str = "fail(
            \"attempt to calculate the remainder with a divisor of zero\",
            at,
        )";

impl Helpers {
    pub(super) fn new(options: Options) -> Helpers {
        Helpers {
            options,
            all: sections(options),
            used: HashSet::new(),
            checked: Vec::new(),
            blended: Vec::new(),
            elementary: HashSet::new(),
            renamed: HashMap::new(),
            makes_message: false,
        }
    }

    /// Calls a helper of this name by another.
    pub(super) fn rename(&mut self, from: &str, to: String) {
        self.renamed.insert(from.to_owned(), to);
    }

    /// What a helper of this name is called.
    fn shown(&self, name: &str) -> String {
        self.renamed.get(name).cloned().unwrap_or_else(|| name.to_owned())
    }

    /// Uses a helper.
    pub(super) fn call(&mut self, name: &'static str) -> String {
        if self.used.insert(name) {
            let section = self.all.iter().find(|section| section.name == name);
            let section = *section.expect("each helper that is called has a section");
            let inner: Vec<_> = section.calls(&self.all).map(|inner| inner.name).collect();
            inner.into_iter().for_each(|inner| {
                self.call(inner);
            });
        }
        self.shown(name)
    }

    /// Notes that the message of a failure is made by the function that fails.
    pub(super) fn makes_message(&mut self) {
        self.makes_message = true;
    }

    /// Uses the checked form of an arithmetic operation on integers of a type; none if there is none.
    pub(super) fn checked(&mut self, op: &str, ty: &'static str) -> Option<String> {
        let (op, ..) = CHECKED.iter().find(|(name, ..)| *name == op)?;
        self.call("fail");
        if !self.checked.contains(&(*op, ty)) {
            self.checked.push((*op, ty));
        }
        Some(self.shown(&format!("{op}_{ty}")))
    }

    /// The function that gives a lane a new value if it runs, and its old one otherwise.
    pub(super) fn blend(&mut self, ty: Ty) -> String {
        let name = match ty.kind() {
            TyKind::Int(int) => {
                if !self.blended.contains(&int.name()) {
                    self.blended.push(int.name());
                }
                return self.shown(&format!("blend_{}", int.name()));
            }
            TyKind::Bool => "blend_bool",
            TyKind::Char => "blend_char",
            _ if ty == Ty::f32() => "blend_f32",
            _ => "blend",
        };
        self.call(name)
    }

    /// Uses a function of `elementary`.
    pub(super) fn elementary(&mut self, name: &'static str) -> String {
        self.elementary.insert(name);
        self.shown(name)
    }

    /// The names that the helpers take.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.all.iter().map(|section| section.name).chain(elementary::names())
    }

    /// The type of the message of a failure.
    fn message_ty(&self) -> &'static str {
        let mut used = self.all.iter().filter(|section| self.used.contains(section.name));
        match self.makes_message || used.any(Section::makes_message) {
            true => "Cow<'static, str>",
            false => "&'static str",
        }
    }

    /// The type of failures, if there is one.
    pub(super) fn failure(&self) -> Option<String> {
        let text = FAILURE.split_once('\n').map(|(_, text)| text)?;
        let ty = self.message_ty();
        let text = text.replace("MESSAGE", ty);
        let text = if ty.starts_with('&') { text.replace("&self.message", "self.message") } else { text };
        (self.options.failures == Failures::Result).then(|| self.options.library.path(&text))
    }

    /// The text of the helpers that are used.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let mut checked = self.checked.clone();
        checked.sort_unstable();
        checked.iter().for_each(|(op, ty)| text.push_str(&self.arithmetic(op, ty)));
        let mut blended = self.blended.clone();
        blended.sort_unstable();
        for ty in blended {
            text.push_str(&format!(
                "\n/// The new value in a lane that runs, the old one otherwise.\n#[inline]\n\
                 fn blend_{ty}(runs: u64, new: {ty}, old: {ty}) -> {ty} {{\n    \
                 (new & runs as {ty}) | (old & !runs as {ty})\n}}\n"
            ));
        }
        for section in self.all.iter().filter(|section| self.used.contains(section.name)) {
            text.push('\n');
            let section = self.options.library.path(section.text);
            text.push_str(&section.replace("MESSAGE", self.message_ty()));
        }
        text.push_str(&self.options.library.path(&elementary::text(&self.elementary)));
        if self.renamed.is_empty() { text } else { self.with_names(&text) }
    }

    /// The checked form of an arithmetic operation.
    fn arithmetic(&self, op: &str, ty: &str) -> String {
        let Some((_, method, message)) = CHECKED.iter().find(|(name, ..)| *name == op) else {
            return String::new();
        };
        let second = match (method.contains('y'), op) {
            (false, _) => String::new(),
            (true, "pow" | "shl" | "shr") => "y: u32, ".to_owned(),
            (true, _) => format!("y: {ty}, "),
        };
        let by_zero = match op {
            "div" | "div_euclid" => Some("fail(\"attempt to divide by zero\", at)"),
            "rem" | "rem_euclid" => Some(REMAINDER_BY_ZERO),
            _ => None,
        };
        let none = match by_zero {
            Some(zero) => format!(
                "        None if y == 0 => {zero},\n        None => fail(\"{message} with overflow\", at),\n"
            ),
            None => format!("        None => fail(\"{message}\", at),\n"),
        };
        let (place, ret, result) = match self.options.failures {
            Failures::Panic => ("&str", ty.to_owned(), "result"),
            Failures::Result => ("&'static str", format!("Result<{ty}, Failure>"), "Ok(result)"),
        };
        format!(
            "\n/// `{op}`, which fails where the result does not fit.\n#[inline]\nfn {op}_{ty}(x: {ty}, {second}at: {place}) \
             -> {ret} {{\n    match x.{method} {{\n        Some(result) => {result},\n{none}    }}\n}}\n"
        )
    }

    /// The text of helpers, with those renamed that are called or defined.
    fn with_names(&self, text: &str) -> String {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (mut renamed, mut rest) = (String::new(), text);
        while let Some(first) = rest.chars().next() {
            let len = match rest.find(|c: char| !is_letter(c)).unwrap_or(rest.len()) {
                0 => first.len_utf8(),
                len => len,
            };
            let (token, after) = rest.split_at(len);
            let is_called = after.starts_with(['(', '<']) || after.starts_with("::<");
            let is_function = is_called && !renamed.ends_with('.');
            renamed.push_str(&if is_function { self.shown(token) } else { token.to_owned() });
            rest = after;
        }
        renamed
    }
}
