//! `{:?}` and `{:#?}` of structs, tuples, lists, sets and maps.

use super::{Debug, Formatter, Result, Spec};

/// `value` formatted according to `spec`.
fn format_debug<T: Debug + ?Sized>(spec: &Spec, value: &T) -> (Result, String) {
    let mut inner = Formatter { out: String::new(), spec: spec.clone(), failed: false };
    let result = Debug::fmt(value, &mut inner);
    (result, inner.out)
}

/// `text` indented by one level.
fn indented(text: &str) -> String {
    let mut out = String::new();
    let mut at_start = true;
    for c in text.chars() {
        if at_start {
            out.push_str("    ");
        }
        out.push(c);
        at_start = c == '\n';
    }
    out
}

/// Writes `label` and `value` as the next part: after `open` or a comma, or on a line of its own.
fn part<T: Debug + ?Sized>(f: &mut Formatter<'_>, first: bool, open: &str, label: &str, value: &T) -> Result {
    let (result, text) = format_debug(&f.spec, value);
    result?;
    if f.spec.alternate {
        if first {
            f.out.push_str(open);
            f.out.push_str("\n");
        }
        f.out.push_str(&indented(&(label.to_string() + &text + ",\n")));
    } else {
        f.out.push_str(if first { open } else { ", " });
        if first && open == " {" {
            f.out.push_str(" ");
        }
        f.out.push_str(label);
        f.out.push_str(&text);
    }
    Ok(())
}

pub struct DebugStruct<'a, 'b> {
    fmt: &'a mut Formatter<'b>,
    result: Result,
    has_fields: bool,
}

pub fn debug_struct<'a, 'b>(fmt: &'a mut Formatter<'b>, name: &str) -> DebugStruct<'a, 'b> {
    fmt.out.push_str(name);
    DebugStruct { fmt, result: Ok(()), has_fields: false }
}

impl<'a, 'b> DebugStruct<'a, 'b> {
    pub fn field<T: Debug + ?Sized>(&mut self, name: &str, value: &T) -> &mut Self {
        if self.result.is_ok() {
            self.result = part(self.fmt, !self.has_fields, " {", &(name.to_string() + ": "), value);
        }
        self.has_fields = true;
        self
    }

    pub fn finish_non_exhaustive(&mut self) -> Result {
        if self.result.is_ok() {
            let end = match (self.has_fields, self.fmt.spec.alternate) {
                (true, true) => "    ..\n}",
                (true, false) => ", .. }",
                (false, _) => " { .. }",
            };
            self.fmt.out.push_str(end);
        }
        self.result
    }

    pub fn finish(&mut self) -> Result {
        if self.has_fields && self.result.is_ok() {
            self.fmt.out.push_str(if self.fmt.spec.alternate { "}" } else { " }" });
        }
        self.result
    }
}

pub struct DebugTuple<'a, 'b> {
    fmt: &'a mut Formatter<'b>,
    result: Result,
    fields: usize,
    empty_name: bool,
}

pub fn debug_tuple<'a, 'b>(fmt: &'a mut Formatter<'b>, name: &str) -> DebugTuple<'a, 'b> {
    fmt.out.push_str(name);
    DebugTuple { fmt, result: Ok(()), fields: 0, empty_name: name.is_empty() }
}

impl<'a, 'b> DebugTuple<'a, 'b> {
    pub fn field<T: Debug + ?Sized>(&mut self, value: &T) -> &mut Self {
        if self.result.is_ok() {
            self.result = part(self.fmt, self.fields == 0, "(", "", value);
        }
        self.fields += 1;
        self
    }

    pub fn finish_non_exhaustive(&mut self) -> Result {
        if self.result.is_ok() {
            let end = match (self.fields > 0, self.fmt.spec.alternate) {
                (true, true) => "    ..\n)",
                (true, false) => ", ..)",
                (false, _) => "(..)",
            };
            self.fmt.out.push_str(end);
        }
        self.result
    }

    pub fn finish(&mut self) -> Result {
        if self.fields > 0 && self.result.is_ok() {
            if self.fields == 1 && self.empty_name && !self.fmt.spec.alternate {
                self.fmt.out.push_str(",");
            }
            self.fmt.out.push_str(")");
        }
        self.result
    }
}

/// A list or a set: parts between brackets.
pub struct DebugList<'a, 'b> {
    fmt: &'a mut Formatter<'b>,
    result: Result,
    has_fields: bool,
    end: &'static str,
}

pub use DebugList as DebugSet;

pub fn debug_list<'a, 'b>(fmt: &'a mut Formatter<'b>) -> DebugList<'a, 'b> {
    fmt.out.push_str("[");
    DebugList { fmt, result: Ok(()), has_fields: false, end: "]" }
}

pub fn debug_set<'a, 'b>(fmt: &'a mut Formatter<'b>) -> DebugList<'a, 'b> {
    fmt.out.push_str("{");
    DebugList { fmt, result: Ok(()), has_fields: false, end: "}" }
}

impl<'a, 'b> DebugList<'a, 'b> {
    pub fn entry<T: Debug + ?Sized>(&mut self, value: &T) -> &mut Self {
        if self.result.is_ok() {
            self.result = part(self.fmt, !self.has_fields, "", "", value);
        }
        self.has_fields = true;
        self
    }

    pub fn entries<D: Debug, I: IntoIterator<Item = D>>(&mut self, entries: I) -> &mut Self {
        for entry in entries {
            self.entry(&entry);
        }
        self
    }

    pub fn finish_non_exhaustive(&mut self) -> Result {
        if self.result.is_ok() {
            let dots = match (self.has_fields, self.fmt.spec.alternate) {
                (true, true) => "    ..\n",
                (true, false) => ", ..",
                (false, _) => "..",
            };
            self.fmt.out.push_str(dots);
            self.fmt.out.push_str(self.end);
        }
        self.result
    }

    pub fn finish(&mut self) -> Result {
        if self.result.is_ok() {
            self.fmt.out.push_str(self.end);
        }
        self.result
    }
}

pub struct DebugMap<'a, 'b> {
    fmt: &'a mut Formatter<'b>,
    result: Result,
    has_fields: bool,
    /// A key without its value.
    key: Option<String>,
}

pub fn debug_map<'a, 'b>(fmt: &'a mut Formatter<'b>) -> DebugMap<'a, 'b> {
    fmt.out.push_str("{");
    DebugMap { fmt, result: Ok(()), has_fields: false, key: None }
}

impl<'a, 'b> DebugMap<'a, 'b> {
    pub fn entry<K: Debug + ?Sized, V: Debug + ?Sized>(&mut self, key: &K, value: &V) -> &mut Self {
        self.key(key).value(value)
    }

    pub fn key<K: Debug + ?Sized>(&mut self, key: &K) -> &mut Self {
        if self.result.is_ok() {
            if self.key.is_some() {
                crate::macros::fail(
                    "attempted to begin a new map entry without completing the previous one",
                );
            }
            let (result, text) = format_debug(&self.fmt.spec, key);
            self.result = result;
            self.key = Some(text);
        }
        self
    }

    pub fn value<V: Debug + ?Sized>(&mut self, value: &V) -> &mut Self {
        if self.result.is_ok() {
            let Some(key) = self.key.take() else {
                crate::macros::fail("attempted to format a map value before its key")
            };
            self.result = part(self.fmt, !self.has_fields, "", &(key + ": "), value);
        }
        self.has_fields = true;
        self
    }

    pub fn finish_non_exhaustive(&mut self) -> Result {
        if self.result.is_ok() {
            let end = match (self.has_fields, self.fmt.spec.alternate) {
                (true, true) => "    ..\n}",
                (true, false) => ", ..}",
                (false, _) => "..}",
            };
            self.fmt.out.push_str(end);
        }
        self.result
    }

    pub fn entries<K: Debug, V: Debug, I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) -> &mut Self {
        for (key, value) in entries {
            self.entry(&key, &value);
        }
        self
    }

    pub fn finish(&mut self) -> Result {
        if self.result.is_ok() {
            if self.key.is_some() {
                crate::macros::fail("attempted to finish a map with a partial entry");
            }
            self.fmt.out.push_str("}");
        }
        self.result
    }
}
