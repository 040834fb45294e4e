//! Statements for all lanes, in Rust.

use super::Printer;
use super::exprs::Text;
use super::lane_names::{whole, zero};
use super::literals::Known;
use super::rows::binds;
use crate::ast::{Arg, Expr};
use crate::error::ExportError;
use crate::lanes::{Lane, LaneFunction, Step};
use crate::scopes::constant_index;

type Done = Result<(), ExportError>;

/// How long the line of a mask may be: longer conditions have lines of their own.
const MAX_CONDITION: usize = 95;

impl Printer<'_> {
    pub(super) fn steps(&mut self, steps: &[Step], function: &LaneFunction) -> Done {
        steps.iter().try_for_each(|step| self.step(step, function))
    }

    fn step(&mut self, step: &Step, function: &LaneFunction) -> Done {
        match step {
            Step::Lanes(lanes) => {
                let start = self.out.len();
                self.indent += 1;
                lanes.iter().try_for_each(|lane| self.lane(lane, function))?;
                self.indent -= 1;
                let body = self.out.split_off(start);
                // An element may fail whatever its lane.
                let lane = if body.contains("[lane]") { "lane" } else { "_" };
                self.line(&format!("for {lane} in 0..{} {{", function.width));
                self.out.push_str(&body);
                self.line("}");
            }
            Step::Let(local, value, span) => {
                self.comment(*span);
                self.assign(&[Some(*local)], false, &Arg::read(value.clone()), true)?;
            }
            Step::Assign(local, value, span) => {
                self.comment(*span);
                self.assign(&[Some(*local)], false, &Arg::read(value.clone()), false)?;
            }
            Step::MakeRow { rows, depth } => {
                let helper = self.helpers.call("make_row");
                let (rows, depth) = (self.name(*rows), self.name(*depth));
                self.check_rows(&rows);
                self.line(&format!("{helper}(&mut {rows}, &{});", whole(&depth)));
            }
            Step::Row { row, rows, at, is_new } => {
                let zero = zero(self.locals[rows.0 as usize].ty);
                let (row, rows, at) = (self.name(*row), self.name(*rows), self.index(at)?);
                if *is_new {
                    self.line(&format!("if {at} == {rows}.len() {{"));
                    self.indent += 1;
                    self.check_rows(&rows);
                    self.line(&format!("{rows}.push([{zero}; {}]);", function.width));
                    self.indent -= 1;
                    self.line("}");
                }
                let reference = if *is_new { "&mut " } else { "&" };
                self.line(&format!("let {} = {reference}{rows}[{at}];", whole(&row)));
            }
            Step::While { cond, body, span } => {
                self.comment(*span);
                let cond = self.expr(cond, Known::Type)?.text;
                self.line(&format!("while {cond} {{"));
                self.within(body, function)?;
                self.line("}");
            }
            Step::Read { local, list, at, is_checked, span } => {
                self.comment(*span);
                let is_first = constant_index(at) == Some(0);
                let (list, at) = (self.list_of(list)?, self.index(at)?);
                if *is_checked {
                    let is_atom = at.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                    let test = match () {
                        () if is_first => format!("{list}.is_empty()"),
                        () if is_atom => format!("{at} >= {list}.len()"),
                        () => format!("({at}) >= {list}.len()"),
                    };
                    self.line(&format!("if {test} {{"));
                    self.line("    return false;");
                    self.line("}");
                }
                let name = self.name(*local);
                match is_checked {
                    true => self.line(&format!("let {name} = {list}[{at}];")),
                    // It is there if a lane runs.
                    false => {
                        let read = format!("{list}.get({at}).copied().unwrap_or_default()");
                        self.put(&format!("let {name} = "), Text::atom(read), ";");
                    }
                }
            }
            Step::NoLane(count) => self.line(&format!("let mut {} = 0;", self.name(*count))),
            Step::LeaveUnless { count, or_few } => {
                let test = if *or_few { "<= few_lanes" } else { "== 0" };
                self.line(&format!("if {} {test} {{", self.name(*count)));
                self.line("    break;");
                self.line("}");
            }
            Step::IfAny { count, body } => {
                self.line(&format!("if {} > 0 {{", self.name(*count)));
                self.within(body, function)?;
                self.line("}");
            }
            Step::If { cond, then, otherwise, span } => {
                self.comment(*span);
                let cond = self.expr(cond, Known::Type)?.text;
                self.line(&format!("if {cond} {{"));
                self.within(then, function)?;
                if !otherwise.is_empty() {
                    self.line("} else {");
                    self.within(otherwise, function)?;
                }
                self.line("}");
            }
            Step::Loop(body) => {
                self.line("loop {");
                self.within(body, function)?;
                self.line("}");
            }
            Step::For { counter, from, to, is_reversed, body, span } => {
                self.comment(*span);
                let known = match matches!(from, Expr::Const(..)) && matches!(to, Expr::Const(..)) {
                    true => Known::Nothing,
                    false => Known::Type,
                };
                let [from, to] = [from, to].map(|expr| self.expr(expr, known));
                let (from, to) = (from?.tight(binds::UNARY), to?.tight(binds::UNARY));
                let start = self.out.len();
                let name = self.name(*counter);
                self.within(body, function)?;
                // The name is used if the text has it.
                let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let is_used = self.out[start..].split(|c| !is_letter(c)).any(|word| word == name);
                let name = if is_used { name } else { "_".to_owned() };
                let head = match is_reversed {
                    true => format!("for {name} in ({from}..{to}).rev() {{"),
                    false => format!("for {name} in {from}..{to} {{"),
                };
                let body = self.out.split_off(start);
                self.line(&head);
                self.out.push_str(&body);
                self.line("}");
            }
            Step::StopIfFailed => {
                self.line("if any_failed != 0 {");
                self.line("    return false;");
                self.line("}");
            }
        }
        Ok(())
    }

    fn within(&mut self, steps: &[Step], function: &LaneFunction) -> Done {
        self.indent += 1;
        self.steps(steps, function)?;
        self.indent -= 1;
        Ok(())
    }

    /// A list that all lanes read.
    fn list_of(&mut self, list: &Expr) -> Result<String, ExportError> {
        match list {
            Expr::Const(..) => Ok(self.reference(list)?.text.trim_start_matches('&').to_owned()),
            list => Ok(self.expr(list, Known::Nothing)?.tight(binds::ATOM)),
        }
    }

    fn lane(&mut self, lane: &Lane, function: &LaneFunction) -> Done {
        match lane {
            Lane::Set { local, value, span } => {
                self.comment(*span);
                let is_array = function.arrays.contains(local);
                if is_array && let Some(done) = self.compound(*local, &Arg::read(value.clone())) {
                    return done;
                }
                let text = self.expr(value, Known::Type)?;
                let before = match is_array {
                    true => format!("{} = ", self.name(*local)),
                    false => format!("let {}: {} = ", self.name(*local), self.locals[local.0 as usize].ty),
                };
                self.put_value(&before, value, text, ";")
            }
            Lane::SetIf { local, value, runs, span } => {
                self.comment(*span);
                if let Some(runs) = runs {
                    self.line(&format!("if {} != 0 {{", self.name(*runs)));
                    self.indent += 1;
                }
                let text = self.expr(value, Known::Type)?;
                let before = format!("{} = ", self.name(*local));
                self.put_value(&before, value, text, ";")?;
                if runs.is_some() {
                    self.indent -= 1;
                    self.line("}");
                }
                Ok(())
            }
            Lane::Blend { local, value, runs, span } => {
                self.comment(*span);
                let helper = self.helpers.blend(self.locals[local.0 as usize].ty);
                let value = self.expr(value, Known::Type)?.text;
                let (name, runs) = (self.name(*local), self.name(*runs));
                let text = Text::call(helper, vec![runs, value, name.clone()]);
                self.put(&format!("{name} = "), text, ";");
                Ok(())
            }
            Lane::Read { local, list, at, span } => {
                self.comment(*span);
                let is_array = function.arrays.contains(local);
                let (list, at) = (self.list_of(list)?, self.index(at)?);
                let name = self.name(*local);
                let before = if is_array { name } else { format!("let {name}") };
                let read = format!("{list}.get({at}).copied().unwrap_or_default()");
                self.put(&format!("{before} = "), Text::atom(read), ";");
                Ok(())
            }
            Lane::Push { rows, depth, value, span } => {
                self.comment(*span);
                let text = self.expr(value, Known::Type)?;
                let before = format!("{}[{}][lane] = ", self.name(*rows), self.name(*depth));
                self.put_value(&before, value, text, ";")
            }
            Lane::Record { local, rows, at, span } => {
                self.comment(*span);
                let is_array = function.arrays.contains(local);
                let (rows, at, name) = (self.name(*rows), self.index(at)?, self.name(*local));
                let before = if is_array { name } else { format!("let {name}") };
                let none = zero(self.locals[local.0 as usize].ty);
                let read = format!("{rows}.get({at}).map_or({none}, |row| row[lane])");
                self.put(&format!("{before} = "), Text::atom(read), ";");
                Ok(())
            }
            Lane::Mask { mask, cond, is_not, runs, span } => {
                self.comment(*span);
                let cond = self.expr(cond, Known::Type)?;
                let cond = if *is_not { format!("!{}", cond.tight(binds::UNARY)) } else { cond.text };
                let helper = self.helpers.call("mask");
                let runs = runs.map(|runs| format!(" & {}", self.name(runs))).unwrap_or_default();
                let before = format!("{} = ", self.name(*mask));
                let is_long =
                    self.indent * 4 + before.len() + helper.len() + cond.len() + runs.len() > MAX_CONDITION;
                let cond = match is_long {
                    true => {
                        self.put("let holds = ", Text::atom(cond), ";");
                        "holds".to_owned()
                    }
                    false => cond,
                };
                self.line(&format!("{before}{helper}({cond}){runs};"));
                Ok(())
            }
            Lane::Copy { mask, from } => {
                let from = from.map_or_else(|| "u64::MAX".to_owned(), |from| self.name(from));
                self.line(&format!("{} = {from};", self.name(*mask)));
                Ok(())
            }
            Lane::Clear { mask, by } if mask == by => {
                self.line(&format!("{} = 0;", self.name(*mask)));
                Ok(())
            }
            Lane::Clear { mask, by } => {
                self.line(&format!("{} &= !{};", self.name(*mask), self.name(*by)));
                Ok(())
            }
            Lane::Count { count, mask } => {
                self.line(&format!("{} += {} & 1;", self.name(*count), self.name(*mask)));
                Ok(())
            }
            Lane::Fail { cond, runs } => {
                let cond = match cond {
                    Some(cond) => {
                        let cond = self.expr(cond, Known::Type)?.text;
                        Some(format!("{}({cond})", self.helpers.call("mask")))
                    }
                    None => None,
                };
                let runs = runs.map(|runs| self.name(runs));
                let parts: Vec<String> = cond.into_iter().chain(runs).collect();
                let text = if parts.is_empty() { "u64::MAX".to_owned() } else { parts.join(" & ") };
                self.put("any_failed |= ", Text::atom(text), ";");
                Ok(())
            }
        }
    }
}
