//! Lines as rustfmt breaks them.

use overdub_context::ops;

use super::Printer;
use super::exprs::{Call, Text};
use super::literals::Known;
use crate::ast::{Callee, Expr};
use crate::error::ExportError;
use crate::nominal::fields;
use crate::scopes::constant_index;

type Done = Result<(), ExportError>;

/// The widths by which rustfmt breaks lines.
pub(super) const MAX_WIDTH: usize = 100;
pub(super) const CALL_WIDTH: usize = 60;
pub(super) const IF_ELSE_WIDTH: usize = 50;
pub(super) const LET_ELSE_WIDTH: usize = 50;
pub(super) const ATTRIBUTE_WIDTH: usize = 70;
pub(super) const SHORT_ELEMENT_WIDTH: usize = 10;
pub(super) const STRUCT_WIDTH: usize = 18;

impl Printer<'_> {
    pub(super) fn line(&mut self, text: &str) {
        if text.is_empty() {
            self.out.push('\n');
            return;
        }
        for line in text.lines() {
            for _ in 0..self.indent {
                self.out.push_str("    ");
            }
            self.out.push_str(line);
            self.out.push('\n');
        }
    }

    /// Writes a statement, with a line for each argument of its call if they are long.
    pub(super) fn put(&mut self, before: &str, text: Text, after: &str) {
        let line = format!("{before}{}{after}", text.text);
        // What comes before may be a call on several lines.
        let last = &line[before.rfind('\n').map_or(0, |end| end + 1)..];
        let is_long = self.indent * 4 + last.chars().count() > MAX_WIDTH;
        let next_line = (self.indent + 1) * 4 + text.text.chars().count() + after.len();
        if is_long
            && before.ends_with("= ")
            && next_line <= MAX_WIDTH
            && text.call.as_ref().is_none_or(|call| call.args.join(", ").chars().count() <= CALL_WIDTH)
        {
            self.line(before.trim_end());
            self.line(&format!("    {}{after}", text.text));
            return;
        }
        if let Some(Call { callee, args, is_tried }) = &text.call
            && !args.is_empty()
            && (is_long || args.join(", ").chars().count() > CALL_WIDTH)
        {
            let star = if text.text.starts_with('*') { "*" } else { "" };
            let (open, close) = if callee.ends_with('!') { ('[', ']') } else { ('(', ')') };
            self.line(&format!("{before}{star}{callee}{open}"));
            self.indent += 1;
            if args.iter().all(|arg| is_short(arg)) {
                self.filled_lines(args);
            } else {
                args.iter().for_each(|arg| self.line(&format!("{arg},")));
            }
            self.indent -= 1;
            self.line(&format!("{close}{}{after}", if *is_tried { "?" } else { "" }));
            return;
        }
        self.line(&line);
    }

    /// Writes items one after the other, as many on a line as fit.
    fn filled_lines(&mut self, items: &[String]) {
        let mut line = String::new();
        for item in items {
            let width = self.indent * 4 + line.chars().count() + item.chars().count() + " ,".len();
            if !line.is_empty() && width > MAX_WIDTH {
                self.line(&std::mem::take(&mut line));
            }
            line.push_str(if line.is_empty() { "" } else { " " });
            line.push_str(&format!("{item},"));
        }
        self.line(&line);
    }

    /// As [`Printer::put`], for expressions with a layout of their own.
    pub(super) fn put_value(&mut self, before: &str, expr: &Expr, text: Text, after: &str) -> Done {
        let Expr::Apply(apply) = expr else {
            self.put(before, text, after);
            return Ok(());
        };
        let width = text.text.chars().count();
        if apply.callee == Callee::Op(&ops::SELECT) && width > IF_ELSE_WIDTH {
            let cond = self.expr(&apply.args[0].expr, Known::Type)?.text;
            let (then, otherwise) = (
                self.value(&apply.args[1], Known::Type)?.text,
                self.value(&apply.args[2], Known::Type)?.text,
            );
            self.line(&format!("{before}if {cond} {{"));
            self.line(&format!("    {then}"));
            self.line("} else {");
            self.line(&format!("    {otherwise}"));
            self.line(&format!("}}{after}"));
            return Ok(());
        }
        let is_literal =
            apply.callee == Callee::Op(&ops::STRUCT) || apply.callee == Callee::Op(&ops::VARIANT);
        if is_literal && text.text.contains(" { ") {
            let Some((name, inner)) = text.text.split_once(" { ") else { return Ok(()) };
            let inner = inner.strip_suffix(" }").unwrap_or(inner);
            let is_whole = !name.contains('(');
            let is_long =
                inner.chars().count() > STRUCT_WIDTH || self.indent * 4 + before.len() + width > MAX_WIDTH;
            if is_whole && is_long {
                let tag = match apply.callee == Callee::Op(&ops::VARIANT) {
                    true => constant_index(&apply.args[0].expr).unwrap_or(0),
                    false => 0,
                };
                let number = fields(apply.ty, tag).len();
                let parts = split_fields(inner);
                if parts.len() == number {
                    self.line(&format!("{before}{name} {{"));
                    for part in parts {
                        self.line(&format!("    {part},"));
                    }
                    self.line(&format!("}}{after}"));
                    return Ok(());
                }
            }
        }
        self.put(before, text, after);
        Ok(())
    }
}

/// The call of a place that is assigned to, with a line for each argument if they are long.
pub(super) fn broken_place(place: &Text) -> String {
    match &place.call {
        Some(Call { callee, args, is_tried }) if args.join(", ").chars().count() > CALL_WIDTH => {
            let args: String = args.iter().map(|arg| format!("    {arg},\n")).collect();
            format!("*{callee}(\n{args}){}", if *is_tried { "?" } else { "" })
        }
        _ => format!("*{}", place.text),
    }
}

/// Whether an argument is a short name or number, of which rustfmt writes several on a line.
fn is_short(arg: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_.&*-".contains(c);
    arg.chars().count() <= SHORT_ELEMENT_WIDTH && arg.chars().all(is_part)
}

/// Splits at the commas outside of brackets.
pub(super) fn split_fields(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let (mut depth, mut in_text, mut escaped) = (0, false, false);
    for c in text.chars() {
        let is_split = c == ',' && depth == 0 && !in_text;
        match c {
            _ if escaped => escaped = false,
            '\\' if in_text => escaped = true,
            '"' => in_text = !in_text,
            '(' | '[' | '{' if !in_text => depth += 1,
            ')' | ']' | '}' if !in_text => depth -= 1,
            _ => {}
        }
        if is_split {
            parts.push(String::new());
        } else if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    parts.into_iter().map(|part| part.trim().to_owned()).collect()
}
