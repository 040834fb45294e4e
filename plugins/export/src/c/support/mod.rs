//! The functions in `support/*.c`, of which those that are used are written, after those that they call.
//!
//! A line `//// FAMILY NAME` begins a function. Those of a family are written for each type that needs them:
//!
//! - `vec`: `VEC`, `SLICE` and `ELEM` are the types, `VEC_push` is another function of the family, `CLONE(x)` copies an
//!   element and `DROP(x)` ends one. Lines that begin with `COPIED` or `OWNED` are for elements that do not own memory, and
//!   for those that do.
//! - `int`, or `signed` and `unsigned` where they differ: `INT` is the type, `UINT` the unsigned one of its width, `WIDE` one
//!   in which arithmetic wraps; `add_INT` is another function of the family.
//! - `kernel` and `kernel_real` are those of kernels, instead of those of the same name in other families.
//! - `real`: `REAL` is the type; `sin@` is the function of the C library, `min_REAL` another one of the family.

use std::sync::LazyLock;

use hashbrown::HashMap;
use overdub_context::ir::{IntTy, Ty};

use super::names::snake;
use super::types::constant;
use super::{Dialect, Printer};
use crate::calls::contains_itself;
use crate::error::ExportError;
use crate::ownership::is_copied;

/// The functions, by family and name.
static SECTIONS: LazyLock<HashMap<(&'static str, &'static str), &'static str>> = LazyLock::new(|| {
    let files = [
        include_str!("plain.c"),
        include_str!("text.c"),
        include_str!("int.c"),
        include_str!("real.c"),
        include_str!("vec.c"),
        include_str!("kernel.c"),
    ];
    let sections = files.into_iter().flat_map(|file| file.split("//// ").skip(1));
    sections
        .filter_map(|section| {
            let (head, text) = section.split_once('\n')?;
            Some((head.split_once(' ')?, text))
        })
        .collect()
});

/// For what a function is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum For {
    /// For everything.
    All,
    /// For vectors of an element type.
    Vec(Ty),
    Int(IntTy),
    /// For a float type.
    Real(Ty),
}

/// The functions that are written.
#[derive(Default)]
pub(super) struct Support {
    names: HashMap<(For, String), String>,
    /// Definitions, each after what it calls.
    pub(super) text: String,
    /// Declarations of functions that call each other.
    pub(super) declared: String,
}

impl Printer<'_> {
    /// Uses a function of no family.
    pub(super) fn plain(&mut self, name: &str) -> Result<String, ExportError> {
        self.need(For::All, name)
    }

    /// Uses a function of vectors with such elements.
    pub(super) fn of_vec(&mut self, elem: Ty, name: &str) -> Result<String, ExportError> {
        self.need(For::Vec(super::types::canonical(elem)), name)
    }

    /// Uses a function of integers or floats of a type.
    pub(super) fn of_number(&mut self, ty: Ty, name: &str) -> Result<String, ExportError> {
        match ty.kind() {
            overdub_context::ir::TyKind::Int(int) => self.need(For::Int(*int), name),
            _ => self.need(For::Real(ty), name),
        }
    }

    /// Uses a function; returns its name.
    pub(super) fn need(&mut self, of: For, name: &str) -> Result<String, ExportError> {
        let key = (of, name.to_owned());
        if let Some(name) = self.support.names.get(&key) {
            return Ok(name.clone());
        }
        let own: &[&str] = match (self.dialect, of) {
            (Dialect::Kernel, For::All) => &["kernel"],
            (Dialect::Kernel, For::Real(_)) => &["kernel_real"],
            _ => &[],
        };
        let families: &[&str] = match of {
            For::All => &["plain"],
            For::Vec(_) => &["vec"],
            For::Int(int) if int.is_signed() => &["signed", "int"],
            For::Int(_) => &["unsigned", "int"],
            For::Real(_) => &["real"],
        };
        let found = own.iter().chain(families).find_map(|family| SECTIONS.get(&(*family, name)));
        let Some(section) = found else {
            return Err(self.unsupported(format!("`{name}` has no function in C"), self.span));
        };
        let of_host = ["printf", "fwrite", "fputs", "putchar", "strto@", "strcmp"];
        if self.dialect == Dialect::Kernel && of_host.iter().any(|name| section.contains(name)) {
            let construct =
                "it prints, or makes text of numbers or numbers of text, which a device cannot".to_owned();
            return Err(self.unsupported(construct, self.span));
        }
        let actual = match of {
            For::All => self.global(name),
            For::Vec(elem) => {
                let vec = self.owned(Ty::array(elem, 1), self.span)?;
                self.global(&format!("{}_{name}", snake(&vec)))
            }
            For::Int(int) => self.global(&format!("{name}_{}", int.name())),
            For::Real(ty) => self.global(&format!("{name}_{ty}")),
        };
        self.support.names.insert(key, actual.clone());
        let text = self.instance(of, section)?;
        // A function of a type that contains itself is called before it is complete.
        if matches!(of, For::Vec(elem) if contains_itself(elem))
            && let Some(head) = text.lines().find_map(|line| line.strip_suffix(" {"))
        {
            self.support.declared.push_str(&format!("{head};\n"));
        }
        self.support.text.push('\n');
        self.support.text.push_str(&text);
        Ok(actual)
    }

    /// The text of a function for a type.
    fn instance(&mut self, of: For, section: &str) -> Result<String, ExportError> {
        let owns = matches!(of, For::Vec(elem) if !is_copied(elem));
        let lines = section.lines().filter_map(|line| {
            match (line.strip_prefix("OWNED"), line.strip_prefix("COPIED")) {
                (Some(line), _) => owns.then_some(line),
                (_, Some(line)) => (!owns).then_some(line),
                _ => Some(line),
            }
        });
        let lines: Vec<&str> = lines.collect();
        let text = self.substituted(of, &(lines.join("\n") + "\n"))?;
        Ok(text)
    }

    fn substituted(&mut self, of: For, text: &str) -> Result<String, ExportError> {
        let mut out = String::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if let Some(comment) = rest.strip_prefix("/*").and_then(|_| rest.find("*/")) {
                out.push_str(&rest[..comment + 2]);
                rest = &rest[comment + 2..];
                continue;
            }
            if first == '"' || first == '\'' {
                let end = literal_len(rest, first);
                out.push_str(&rest[..end]);
                rest = &rest[end..];
                continue;
            }
            if !first.is_ascii_alphabetic() && first != '_' {
                out.push(first);
                rest = &rest[first.len_utf8()..];
                continue;
            }
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let word = &rest[..end];
            rest = &rest[end..];
            if let ("CLONE" | "DROP", For::Vec(elem)) = (word, of) {
                let (inner, after) = parenthesised(rest);
                let inner = self.substituted(of, inner)?;
                rest = after;
                match word {
                    "CLONE" => out.push_str(&self.cloned(elem, &inner)?),
                    _ => out.push_str(&self.dropped(elem, &inner)?),
                }
                continue;
            }
            if let (Some(after), For::Real(ty)) = (rest.strip_prefix('@'), of) {
                rest = after;
                let single = ty == Ty::f32();
                out.push_str(&match (word, single) {
                    ("strto", single) => if single { "strtof" } else { "strtod" }.to_owned(),
                    (word, true) => format!("{word}f"),
                    (word, false) => word.to_owned(),
                });
                continue;
            }
            out.push_str(&self.word_of(of, word)?);
        }
        Ok(out)
    }

    fn word_of(&mut self, of: For, word: &str) -> Result<String, ExportError> {
        if SECTIONS.contains_key(&("plain", word)) {
            return self.plain(word);
        }
        match of {
            For::All => {
                if word == "Text" || word == "TextView" {
                    self.types.uses_text = true;
                }
            }
            For::Vec(elem) => {
                let vec = Ty::array(elem, 1);
                match word {
                    "VEC" => return self.owned(vec, self.span),
                    "SLICE" => return self.borrowed_ty(vec, self.span),
                    "ELEM" => return self.owned(elem, self.span),
                    "CELEM" => return Ok(constant(&self.owned(elem, self.span)?)),
                    _ => {}
                }
                if let Some(name) = word.strip_prefix("VEC_") {
                    return self.of_vec(elem, name);
                }
            }
            For::Int(int) => {
                let unsigned = if int.is_signed() { unsigned(int) } else { int };
                match word {
                    "INT" => return self.owned(Ty::int(int), self.span),
                    "UINT" => return self.owned(Ty::int(unsigned), self.span),
                    "WIDE" if int.bits() > 64 => return self.owned(Ty::int(IntTy::U128), self.span),
                    "WIDE" => return Ok("uint64_t".to_owned()),
                    "BITS" => return Ok(format!("{}u", int.bits())),
                    "MIN" | "MAX" => return Ok(bound(int, word)),
                    "Text" | "TextView" => self.types.uses_text = true,
                    _ => {}
                }
                if let Some(name) = word.strip_suffix("_INT") {
                    return self.need(of, name);
                }
            }
            For::Real(ty) => {
                match word {
                    "REAL" => return self.owned(ty, self.span),
                    "BITS_OF" => return Ok(if ty == Ty::f32() { "uint32_t" } else { "uint64_t" }.to_owned()),
                    "Text" | "TextView" => self.types.uses_text = true,
                    _ => {}
                }
                if let Some(name) = word.strip_suffix("_REAL") {
                    return self.need(of, name);
                }
            }
        }
        Ok(word.to_owned())
    }
}

/// The length of the literal between quotes at the start.
fn literal_len(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The text in the parentheses at the start, and what follows.
fn parenthesised(text: &str) -> (&str, &str) {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (text.get(1..at).unwrap_or_default(), &text[at + 1..]);
        }
    }
    ("", text)
}

/// The unsigned type of the same width.
pub(super) fn unsigned(int: IntTy) -> IntTy {
    match int {
        IntTy::I8 => IntTy::U8,
        IntTy::I16 => IntTy::U16,
        IntTy::I32 => IntTy::U32,
        IntTy::I64 => IntTy::U64,
        IntTy::I128 => IntTy::U128,
        IntTy::Isize => IntTy::Usize,
        other => other,
    }
}

/// The macro of the least or the largest number of a type.
pub(super) fn bound(int: IntTy, which: &str) -> String {
    match (int, which) {
        (IntTy::Usize, "MAX") => "SIZE_MAX".to_owned(),
        (IntTy::Isize, _) => format!("PTRDIFF_{which}"),
        (IntTy::U128, "MAX") => "(~(Uint128)0)".to_owned(),
        (IntTy::I128, "MAX") => "((Int128)(~(Uint128)0 >> 1))".to_owned(),
        (IntTy::I128, _) => "(-(Int128)(~(Uint128)0 >> 1) - 1)".to_owned(),
        (int, "MIN") if !int.is_signed() => "0".to_owned(),
        (int, _) => {
            let sign = if int.is_signed() { "" } else { "U" };
            format!("{sign}INT{}_{which}", int.bits())
        }
    }
}
