//! The functions that exported code calls where Rust has no expression for an operation.

use hashbrown::{HashMap, HashSet};

/// The helpers that are used.
#[derive(Default)]
pub(super) struct Helpers {
    used: HashSet<&'static str>,
    /// Checked integer arithmetic: the operation and the type.
    checked: Vec<(&'static str, &'static str)>,
    /// Other names for helpers whose name a function was given.
    renamed: HashMap<String, String>,
}

/// A helper: its name, the helpers that it calls, and its text.
struct Helper {
    name: &'static str,
    calls: &'static [&'static str],
    text: &'static str,
}

const HELPERS: &[Helper] = &[
    Helper {
        name: "mul_zero",
        calls: &[],
        text: "/// The product, but zero if a factor is zero, even if the other is infinite or not a number.\n\
               #[inline]\n\
               fn mul_zero(x: f64, y: f64) -> f64 {\n\
               \x20   let product = x * y;\n\
               \x20   if product.is_nan() && (x == 0.0 || y == 0.0) {\n\
               \x20       0.0\n\
               \x20   } else {\n\
               \x20       product\n\
               \x20   }\n\
               }\n",
    },
    Helper {
        name: "mul_zero_f32",
        calls: &[],
        text: "/// The product, but zero if a factor is zero, even if the other is infinite or not a number.\n\
               #[inline]\n\
               fn mul_zero_f32(x: f32, y: f32) -> f32 {\n\
               \x20   let product = x * y;\n\
               \x20   if product.is_nan() && (x == 0.0 || y == 0.0) {\n\
               \x20       0.0\n\
               \x20   } else {\n\
               \x20       product\n\
               \x20   }\n\
               }\n",
    },
    Helper {
        name: "powi",
        calls: &[],
        text: "/// An integer power, multiplied in one order whatever the optimiser prefers.\n\
               #[inline]\n\
               fn powi(mut x: f64, n: i32) -> f64 {\n\
               \x20   let mut rest = n.unsigned_abs();\n\
               \x20   let mut power = 1.0;\n\
               \x20   loop {\n\
               \x20       if rest & 1 == 1 {\n\
               \x20           power *= x;\n\
               \x20       }\n\
               \x20       rest >>= 1;\n\
               \x20       if rest == 0 {\n\
               \x20           break;\n\
               \x20       }\n\
               \x20       x *= x;\n\
               \x20   }\n\
               \x20   if n < 0 { 1.0 / power } else { power }\n\
               }\n",
    },
    Helper {
        name: "fail",
        calls: &[],
        text: "/// Panics with the message of the program that this was made from, and the place there.\n\
               #[cold]\n\
               fn fail(message: &str, at: &str) -> ! {\n\
               \x20   panic!(\"{message}, {at}\")\n\
               }\n",
    },
    Helper {
        name: "elem",
        calls: &["fail"],
        text: "/// An element, by an index that may be out of bounds.\n\
               #[inline]\n\
               fn elem<'a, T>(values: &'a [T], i: usize, at: &str) -> &'a T {\n\
               \x20   let len = values.len();\n\
               \x20   match values.get(i) {\n\
               \x20       Some(value) => value,\n\
               \x20       None => out_of_bounds(len, i, at),\n\
               \x20   }\n\
               }\n\n\
               #[cold]\n\
               fn out_of_bounds(len: usize, i: usize, at: &str) -> ! {\n\
               \x20   let message = format!(\"index out of bounds: the len is {len} but the index is {i}\");\n\
               \x20   fail(&message, at)\n\
               }\n",
    },
    Helper {
        name: "elem_mut",
        calls: &["elem"],
        text: "/// An element to be changed, by an index that may be out of bounds.\n\
               #[inline]\n\
               fn elem_mut<'a, T>(values: &'a mut [T], i: usize, at: &str) -> &'a mut T {\n\
               \x20   let len = values.len();\n\
               \x20   match values.get_mut(i) {\n\
               \x20       Some(value) => value,\n\
               \x20       None => out_of_bounds(len, i, at),\n\
               \x20   }\n\
               }\n",
    },
    Helper {
        name: "part",
        calls: &["fail"],
        text: "/// The elements from one index up to another, which may be out of bounds.\n\
               fn part<'a, T>(values: &'a [T], from: usize, to: usize, at: &str) -> &'a [T] {\n\
               \x20   let len = values.len();\n\
               \x20   let message = if from > len {\n\
               \x20       format!(\"range start index {from} out of range for slice of length {len}\")\n\
               \x20   } else if to > len {\n\
               \x20       format!(\"range end index {to} out of range for slice of length {len}\")\n\
               \x20   } else if from > to {\n\
               \x20       format!(\"slice index starts at {from} but ends at {to}\")\n\
               \x20   } else {\n\
               \x20       return &values[from..to];\n\
               \x20   };\n\
               \x20   fail(&message, at)\n\
               }\n",
    },
    Helper {
        name: "sum",
        calls: &[],
        text: "/// The sum, by eight partial sums.\n\
               fn sum(values: &[f64]) -> f64 {\n\
               \x20   let mut parts = [0.0; 8];\n\
               \x20   let eights = values.chunks_exact(8);\n\
               \x20   let rest = eights.remainder();\n\
               \x20   for eight in eights {\n\
               \x20       for (part, value) in parts.iter_mut().zip(eight) {\n\
               \x20           *part += value;\n\
               \x20       }\n\
               \x20   }\n\
               \x20   let mut total = 0.0;\n\
               \x20   for i in 0..4 {\n\
               \x20       total += parts[i] + parts[i + 4];\n\
               \x20   }\n\
               \x20   for value in rest {\n\
               \x20       total += value;\n\
               \x20   }\n\
               \x20   total\n\
               }\n",
    },
    Helper {
        name: "zip_with",
        calls: &["fail"],
        text: "/// A function of the elements of two vectors; one of length 1 is repeated.\n\
               fn zip_with<T: Copy>(a: &[T], b: &[T], at: &str, f: impl Fn(T, T) -> T) -> Vec<T> {\n\
               \x20   match (a.len(), b.len()) {\n\
               \x20       (n, m) if n == m => a.iter().zip(b).map(|(&x, &y)| f(x, y)).collect(),\n\
               \x20       (1, _) => b.iter().map(|&y| f(a[0], y)).collect(),\n\
               \x20       (_, 1) => a.iter().map(|&x| f(x, b[0])).collect(),\n\
               \x20       (n, m) => {\n\
               \x20           let message = format!(\"could not broadcast array from shape: [{m}] to: [{n}]\");\n\
               \x20           fail(&message, at)\n\
               \x20       }\n\
               \x20   }\n\
               }\n",
    },
    Helper {
        name: "clamped",
        calls: &["fail"],
        text: "/// A number clamped to two bounds, which must be in order.\n\
               #[inline]\n\
               fn clamped(x: f64, min: f64, max: f64, at: &str) -> f64 {\n\
               \x20   if min <= max {\n\
               \x20       x.clamp(min, max)\n\
               \x20   } else {\n\
               \x20       let message = format!(\"min > max, or either was NaN. min = {min:?}, max = {max:?}\");\n\
               \x20       fail(&message, at)\n\
               \x20   }\n\
               }\n",
    },
    Helper {
        name: "clamped_int",
        calls: &["fail"],
        text: "/// A number clamped to two bounds, which must be in order.\n\
               #[inline]\n\
               fn clamped_int<T: Ord>(x: T, min: T, max: T, at: &str) -> T {\n\
               \x20   if min <= max {\n\
               \x20       x.clamp(min, max)\n\
               \x20   } else {\n\
               \x20       fail(\"assertion failed: min <= max\", at)\n\
               \x20   }\n\
               }\n",
    },
    Helper {
        name: "gathered",
        calls: &["elem"],
        text: "/// The elements at the given indices, which may be out of bounds.\n\
               fn gathered<T: Clone>(values: &[T], places: &[usize], at: &str) -> Vec<T> {\n\
               \x20   let at_place = |&i: &usize| elem(values, i, at).clone();\n\
               \x20   places.iter().map(at_place).collect()\n\
               }\n",
    },
    Helper {
        name: "scattered",
        calls: &[],
        text: "/// The elements at the places that an order gives, which has each index once.\n\
               fn scattered<T: Clone>(values: &[T], order: &[usize]) -> Vec<T> {\n\
               \x20   let mut result = values.to_vec();\n\
               \x20   for (value, &place) in values.iter().zip(order) {\n\
               \x20       result[place].clone_from(value);\n\
               \x20   }\n\
               \x20   result\n\
               }\n",
    },
    Helper {
        name: "pad",
        calls: &[],
        text: "/// A text padded to a width in characters: aligned left (0), centred (1) or right (2).\n\
               fn pad(text: &str, fill: char, align: i64, width: usize) -> String {\n\
               \x20   let missing = width.saturating_sub(text.chars().count());\n\
               \x20   let before = match align {\n\
               \x20       0 => 0,\n\
               \x20       1 => missing / 2,\n\
               \x20       _ => missing,\n\
               \x20   };\n\
               \x20   let filling = |count: usize| std::iter::repeat_n(fill, count);\n\
               \x20   let after = missing - before;\n\
               \x20   let mut padded: String = filling(before).collect();\n\
               \x20   padded.push_str(text);\n\
               \x20   padded.extend(filling(after));\n\
               \x20   padded\n\
               }\n",
    },
    Helper {
        name: "removed",
        calls: &["fail"],
        text: "/// Removes an element, by an index that may be out of bounds.\n\
               fn removed<T>(values: &mut Vec<T>, i: usize, at: &str) -> T {\n\
               \x20   let len = values.len();\n\
               \x20   if i >= len {\n\
               \x20       let message = format!(\"removal index (is {i}) should be < len (is {len})\");\n\
               \x20       fail(&message, at)\n\
               \x20   }\n\
               \x20   values.remove(i)\n\
               }\n",
    },
    Helper {
        name: "inserted",
        calls: &["fail"],
        text: "/// Inserts an element, by an index that may be out of bounds.\n\
               fn inserted<T>(values: &mut Vec<T>, i: usize, value: T, at: &str) {\n\
               \x20   let len = values.len();\n\
               \x20   if i > len {\n\
               \x20       let message = format!(\"insertion index (is {i}) should be <= len (is {len})\");\n\
               \x20       fail(&message, at)\n\
               \x20   }\n\
               \x20   values.insert(i, value);\n\
               }\n",
    },
];

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

impl Helpers {
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
            let helper = HELPERS.iter().find(|helper| helper.name == name);
            for inner in helper.map_or(&[][..], |helper| helper.calls) {
                self.call(inner);
            }
        }
        self.shown(name)
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

    /// The names that the helpers take.
    pub(super) fn names() -> impl Iterator<Item = &'static str> {
        HELPERS.iter().map(|helper| helper.name).chain(["out_of_bounds"])
    }

    /// The text of the helpers that are used.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let mut checked = self.checked.clone();
        checked.sort_unstable();
        for (op, ty) in checked {
            let Some((_, method, message)) = CHECKED.iter().find(|(name, ..)| *name == op) else { continue };
            let second = match (method.contains('y'), op) {
                (false, _) => String::new(),
                (true, "pow" | "shl" | "shr") => "y: u32, ".to_owned(),
                (true, _) => format!("y: {ty}, "),
            };
            let by_zero = match op {
                "div" | "div_euclid" => Some("attempt to divide by zero"),
                "rem" | "rem_euclid" => Some("attempt to calculate the remainder with a divisor of zero"),
                _ => None,
            };
            let none = match by_zero {
                Some(zero) => format!(
                    "        None if y == 0 => fail(\"{zero}\", at),\n        None => fail(\"{message} with overflow\", at),\n"
                ),
                None => format!("        None => fail(\"{message}\", at),\n"),
            };
            text.push_str(&format!(
                "\n/// `{op}`, which fails where the result does not fit.\n#[inline]\nfn {op}_{ty}(x: {ty}, {second}at: &str) -> {ty} \
                 {{\n    match x.{method} {{\n        Some(result) => result,\n{none}    }}\n}}\n"
            ));
        }
        for helper in HELPERS.iter().filter(|helper| self.used.contains(helper.name)) {
            text.push('\n');
            text.push_str(helper.text);
        }
        if self.renamed.is_empty() { text } else { self.with_names(&text) }
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
            let is_function = after.starts_with(['(', '<']) && !renamed.ends_with('.');
            renamed.push_str(&if is_function { self.shown(token) } else { token.to_owned() });
            rest = after;
        }
        renamed
    }
}
