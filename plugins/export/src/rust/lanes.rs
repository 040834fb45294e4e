//! Functions in lanes, in Rust.

use overdub_context::ir::{Ty, TyKind};

use super::Printer;
use super::exprs::Text;
use super::lane_names::{lane_names, pattern};
use super::layout::MAX_WIDTH;
use crate::ast::Local;
use crate::error::ExportError;
use crate::lanes::{InLanes, LaneFunction, LaneParam};
use crate::options::Room;
use crate::ownership::is_copied;

/// The names of the frame.
const FRAME: &[&str] = &[
    "lane",
    "element",
    "is_taken",
    "next_element",
    "element_count",
    "first_element",
    "end_element",
    "any_failed",
    "few_lanes",
    "is_last_round",
    "holds",
];

impl Printer<'_> {
    /// The function for the elements of slices, beside the one for an element, which is called `name`; and its name.
    pub(super) fn lane_function(
        &mut self,
        function: &LaneFunction,
        name: &str,
        ret: Ty,
    ) -> Result<String, ExportError> {
        self.func = function.symbol;
        self.func_span = function.span;
        self.is_generic = false;
        self.span = function.span;
        self.fails = false;
        self.commented = None;
        self.locals.clone_from(&function.locals);
        self.lengths.clear();
        let mut names = self.names.clone();
        FRAME.iter().for_each(|name| {
            names.unique(name);
        });
        self.local_names = lane_names(function, &mut names);
        let mut params = Vec::new();
        for param in &function.params {
            let local = match param {
                LaneParam::Each(each) => each.slice,
                LaneParam::Fixed(local) => *local,
            };
            let info = self.locals[local.0 as usize].clone();
            let ty = match info.is_ref {
                true => self.types.borrowed(info.ty, &mut self.names),
                false => self.types.owned(info.ty, &mut self.names),
            };
            let ty = ty.map_err(self.no_type(function.span))?;
            params.push(format!("{}: {ty}", self.name(local)));
        }
        for result in &function.results {
            let elem = self.locals[result.lanes.0 as usize].ty;
            let elem = self.owned(elem, function.span)?;
            params.push(format!("{}: &mut [{elem}]", self.name(result.slice)));
        }
        let public = self.names.unique(&format!("{name}_lanes"));
        let fails = self.returns_failures();
        let ret_text = if fails { " -> Result<(), Failure>" } else { "" };
        let doc = format!(
            "\n/// `{name}` for each element of the slices, which have the same length, {} of them at a time.",
            function.width
        );
        self.line(&doc);
        let start = self.out.len();
        self.head(&format!("pub fn {public}"), &params, ret_text);
        self.indent += 1;
        self.line(&format!("let element_count = {}.len();", self.name(function.results[0].slice)));
        let each = function.params.iter().filter_map(|param| match param {
            LaneParam::Each(each) => Some(each.slice),
            LaneParam::Fixed(_) => None,
        });
        for slice in each.chain(function.results[1..].iter().map(|result| result.slice)) {
            let args = vec![self.name(slice), "element_count".to_owned()];
            self.written("same_length", args, function.span)?;
        }
        if function.may_fail {
            let inner = self.names.unique(&format!("{name}_in_lanes"));
            // It takes what it reads.
            let unread: Vec<String> =
                function.params.iter().filter_map(|param| self.unread(*param, function)).collect();
            let all = params.iter().filter_map(|param| Some((param.split_once(':')?.0, param)));
            let read = all.filter(|(name, _)| !unread.iter().any(|unread| unread == name));
            let shared = |name: &str| {
                let fixed = function.params.iter().find_map(|param| match param {
                    LaneParam::Fixed(local) if self.name(*local) == name => Some(*local),
                    _ => None,
                });
                fixed.map_or_else(|| name.to_owned(), |local| self.shared(local))
            };
            let (args, params): (Vec<String>, Vec<String>) =
                read.map(|(name, param)| (shared(name), param.clone())).unzip();
            self.line(&format!("if !{inner}({}) {{", args.join(", ")));
            self.indent += 1;
            match self.options.room {
                Room::Taken => self.one_by_one(function, name, ret),
                // The host finds out which, and why.
                Room::Checked => self.line("panic!();"),
            }
            self.indent -= 1;
            self.line("}");
            self.alone(function, name, ret);
            if fails {
                self.line("Ok(())");
            }
            self.indent -= 1;
            self.line("}");
            self.allow(start, params.len());
            self.line("\n/// In lanes, unless an element fails.");
            let head = self.out.len();
            self.head(&format!("fn {inner}"), &params, " -> bool");
            self.indent += 1;
            self.line(&format!("let element_count = {}.len();", self.name(function.results[0].slice)));
            let start = self.out.len();
            self.frame(function)?;
            if self.out[start..].contains("any_failed") {
                let body = self.out.split_off(start);
                self.line("let mut any_failed = 0;");
                self.out.push_str(&body);
            }
            self.line("true");
            self.indent -= 1;
            self.line("}");
            self.allow(head, params.len());
            return Ok(public);
        }
        self.frame(function)?;
        self.alone(function, name, ret);
        if fails {
            self.line("Ok(())");
        }
        self.indent -= 1;
        self.line("}");
        self.allow(start, params.len());
        Ok(public)
    }

    /// An argument that is given for one element after the other.
    fn shared(&self, local: Local) -> String {
        let (name, info) = (self.name(local), &self.locals[local.0 as usize]);
        if info.is_ref || is_copied(info.ty) { name } else { format!("{name}.clone()") }
    }

    /// The name of a parameter that lanes do not read.
    fn unread(&self, param: LaneParam, function: &LaneFunction) -> Option<String> {
        match param {
            LaneParam::Each(each) => (!function.arrays.contains(&each.lanes)).then(|| self.name(each.slice)),
            LaneParam::Fixed(local) => Some(self.name(local)).filter(|name| name.starts_with('_')),
        }
    }

    /// All elements, by the function for one.
    fn one_by_one(&mut self, function: &LaneFunction, name: &str, ret: Ty) {
        self.line("// An element fails: one by one, the first of them does.");
        self.line("for element in 0..element_count {");
        self.indent += 1;
        self.one(function, name, ret);
        self.indent -= 1;
        self.line("}");
    }

    /// The elements of which a derivative by plain products is no number (LANEFN6).
    fn alone(&mut self, function: &LaneFunction, name: &str, ret: Ty) {
        let Some(values) = function.plain_from else { return };
        let is_float =
            |result: &&InLanes| matches!(self.locals[result.lanes.0 as usize].ty.kind(), TyKind::Float(_));
        let derivatives = function.results[values.min(function.results.len())..].iter().filter(is_float);
        let tests = derivatives.map(|result| format!("{}[element].is_nan()", self.name(result.slice)));
        let tests: Vec<String> = tests.collect();
        if tests.is_empty() {
            return;
        }
        self.line("// Plain products are NaN where zero meets infinity; such a product is zero.");
        self.line("for element in 0..element_count {");
        self.indent += 1;
        let line = format!("if {} {{", tests.join(" || "));
        if self.indent * 4 + line.len() <= MAX_WIDTH {
            self.line(&line);
        } else {
            self.line(&format!("if {}", tests[0]));
            tests[1..].iter().for_each(|test| self.line(&format!("    || {test}")));
            self.line("{");
        }
        self.indent += 1;
        self.one(function, name, ret);
        self.indent -= 1;
        self.line("}");
        self.indent -= 1;
        self.line("}");
    }

    /// An element by the function for one.
    fn one(&mut self, function: &LaneFunction, name: &str, ret: Ty) {
        let args = function.params.iter().map(|param| match param {
            LaneParam::Each(each) => format!("{}[element]", self.name(each.slice)),
            LaneParam::Fixed(local) => self.shared(*local),
        });
        let args: Vec<String> = args.collect();
        let mut results =
            function.results.iter().map(|result| format!("{}[element]", self.name(result.slice)));
        let pattern = pattern(ret, &mut results);
        let call = self.tried(Text::call(name, args));
        self.put(&format!("{pattern} = "), call, ";");
    }
}
