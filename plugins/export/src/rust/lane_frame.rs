//! What gives elements to the lanes and takes their results, in Rust.

use super::Printer;
use super::lane_names::{whole, zero};
use crate::ast::Local;
use crate::error::ExportError;
use crate::lanes::{Form, InLanes, LaneFunction, LaneParam, Refilled, Step};
use crate::options::Room;

type Done = Result<(), ExportError>;

impl Printer<'_> {
    /// The arrays, and the loop over all elements.
    pub(super) fn frame(&mut self, function: &LaneFunction) -> Done {
        let width = function.width;
        for rows in &function.tape_rows {
            let elem = self.owned(self.locals[rows.0 as usize].ty, function.span)?;
            self.line(&format!("let mut {}: Vec<[{elem}; {width}]> = Vec::new();", self.name(*rows)));
        }
        for depth in &function.uniform_depths {
            self.line(&format!("let mut {}: usize;", self.name(*depth)));
        }
        let is_place = |local: &&Local| !function.borrowed.contains(*local);
        let mut arrays: Vec<Local> = function.arrays.iter().filter(is_place).copied().collect();
        arrays.sort_unstable();
        for local in arrays {
            let name = self.name(local);
            let name = whole(&name);
            self.line(&format!("let mut {name} = [{}; {width}];", zero(self.locals[local.0 as usize].ty)));
        }
        match &function.form {
            Form::Chunks(steps) => self.chunks(steps, function),
            Form::Refilled(of) => self.refilled(of, function),
        }
    }

    /// Fails if a tape cannot have another row, in a library whose host can do without lanes.
    pub(super) fn check_rows(&mut self, rows: &str) {
        if self.options.room == Room::Checked {
            self.line(&format!("overdub_grow_rows(&mut {rows});"));
        }
    }

    /// Each lane gets its elements: an argument of each.
    fn given(&mut self, function: &LaneFunction, element: &str) {
        let each = function.params.iter().filter_map(|param| match param {
            LaneParam::Each(each) if function.arrays.contains(&each.lanes) => Some(*each),
            _ => None,
        });
        for InLanes { slice, lanes } in each.collect::<Vec<_>>() {
            self.line(&format!("{} = {}[{element}];", self.name(lanes), self.name(slice)));
        }
    }

    fn chunks(&mut self, steps: &[Step], function: &LaneFunction) -> Done {
        let width = function.width;
        self.line("let mut first_element = 0;");
        self.line("while first_element < element_count {");
        self.indent += 1;
        let start = self.out.len();
        self.line("// Lanes without an element have the last one.");
        self.line(&format!("for lane in 0..{width} {{"));
        self.indent += 1;
        self.line("let element = (first_element + lane).min(element_count - 1);");
        let before = self.out.len();
        self.given(function, "element");
        let is_empty = self.out.len() == before;
        self.indent -= 1;
        self.line("}");
        if is_empty {
            self.out.truncate(start);
        }
        self.steps(steps, function)?;
        self.line(&format!("let end_element = element_count.min(first_element + {width});"));
        for result in &function.results {
            let name = self.name(result.lanes);
            let name = whole(&name);
            let slice = self.name(result.slice);
            self.line(&format!(
                "{slice}[first_element..end_element].copy_from_slice(&{name}[..end_element - first_element]);"
            ));
        }
        self.line("first_element = end_element;");
        self.indent -= 1;
        self.line("}");
        Ok(())
    }

    fn refilled(&mut self, of: &Refilled, function: &LaneFunction) -> Done {
        let width = function.width;
        let [starts, runs, ends] = [of.starts, of.runs, of.ends].map(|mask| self.name(mask));
        let lives = of.lives.map(|mask| self.name(mask));
        self.line(&format!("let mut is_taken = [0; {width}];"));
        self.line(&format!("let mut element = [0; {width}];"));
        self.line("let mut next_element = 0;");
        self.line("loop {");
        self.indent += 1;
        self.line("// Free lanes get the next elements.");
        self.line(&format!("for lane in 0..{width} {{"));
        self.indent += 1;
        self.line(&format!("{starts} = 0;"));
        self.line("if is_taken[lane] == 0 && next_element < element_count {");
        self.indent += 1;
        self.given(function, "next_element");
        self.line("element[lane] = next_element;");
        self.line("next_element += 1;");
        self.line("is_taken[lane] = u64::MAX;");
        self.line(&format!("{starts} = u64::MAX;"));
        if let Some(lives) = &lives {
            self.line(&format!("{lives} = u64::MAX;"));
        }
        self.indent -= 1;
        self.line("}");
        self.indent -= 1;
        self.line("}");
        self.steps(&of.before, function)?;
        self.line(&format!("for lane in 0..{width} {{"));
        self.line(&format!("    {runs} |= {starts};"));
        self.line("}");
        self.line("// Few lanes go on alone only if no element is left.");
        self.line("let is_last_round = next_element == element_count;");
        self.line(&format!("let few_lanes = if is_last_round {{ 0 }} else {{ {} }};", width / 2));
        self.steps(&of.looped, function)?;
        if function.arrays.contains(&of.ends) {
            self.line(&format!("for lane in 0..{width} {{"));
            let lives = lives.map(|lives| format!(" & {lives}")).unwrap_or_default();
            self.line(&format!("    {ends} = is_taken[lane] & !{runs}{lives};"));
            self.line("}");
        }
        self.steps(&of.after, function)?;
        self.line(&format!("for lane in 0..{width} {{"));
        self.indent += 1;
        self.line(&format!("if is_taken[lane] & !{runs} != 0 {{"));
        self.indent += 1;
        for result in &function.results {
            let (slice, lanes) = (self.name(result.slice), self.name(result.lanes));
            self.line(&format!("{slice}[element[lane]] = {lanes};"));
        }
        self.line("is_taken[lane] = 0;");
        self.indent -= 1;
        self.line("}");
        self.indent -= 1;
        self.line("}");
        self.line("if is_last_round {");
        self.line("    break;");
        self.line("}");
        self.indent -= 1;
        self.line("}");
        Ok(())
    }
}
