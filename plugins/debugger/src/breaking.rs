//! Setting, listing, changing and deleting the breakpoints of a session.

use crate::breakpoint::{Breakpoint, Kind, Watched};
use crate::error::DebugError;
use crate::frames;
use crate::session::Session;

impl Session {
    /// Sets a breakpoint at the start of a function: in all its instances, or, with type arguments, in one.
    ///
    /// # Errors
    /// If the debugged program reaches no function of this name.
    pub fn break_at_function(&mut self, name: &str) -> Result<usize, DebugError> {
        if !self.lines.has_function(name) {
            return Err(DebugError::NoFunction(name.to_owned()));
        }
        Ok(self.add(Kind::Function(name.to_owned())))
    }

    /// Sets a breakpoint before a line; if the line has no code, before the next one that has, which the
    /// breakpoint reports.
    ///
    /// # Errors
    /// If there is no code at the line or after it.
    pub fn break_at_line(&mut self, file: &str, line: u32) -> Result<usize, DebugError> {
        let none = || DebugError::NoCode { file: file.to_owned(), line };
        let (file, bound) = self.lines.bind(file, line).ok_or_else(none)?;
        Ok(self.add(Kind::Line { file, requested: line, line: bound }))
    }

    /// Sets a watchpoint on a variable, element or field of this call: `x`, `xs[3]`, `point.x`.
    ///
    /// # Errors
    /// If there is no such variable, element or field.
    pub fn watch(&mut self, frame: usize, path: &str) -> Result<usize, DebugError> {
        let (_, view) = frames::frame(&self.state, frame)?;
        let value = self.place(frame, path)?;
        let func = view.func().name;
        let last = Some((self.moment, value));
        Ok(self.add(Kind::Data(Watched { text: path.to_owned(), func, last })))
    }

    /// As [`Session::watch`], for the innermost call of a function, which need not be open yet.
    ///
    /// # Errors
    /// If the debugged program reaches no function of this name.
    pub fn watch_in(&mut self, func: &str, path: &str) -> Result<usize, DebugError> {
        let none = || DebugError::NoFunction(func.to_owned());
        let func = self.lines.function(func).ok_or_else(none)?;
        let open = self.open_calls().find(|(_, frame)| frame.func().name == func);
        let current = open.and_then(|(_, frame)| frames::path_value(&frame, path));
        let last = current.map(|value| (self.moment, value));
        Ok(self.add(Kind::Data(Watched { text: path.to_owned(), func, last })))
    }

    /// Stops where an operation computes a NaN from numbers that are not NaN.
    pub fn catch_nan(&mut self) -> usize {
        self.add(Kind::Nan)
    }

    /// Stops where an operation computes an infinity from finite numbers.
    pub fn catch_infinity(&mut self) -> usize {
        self.add(Kind::Infinity)
    }

    fn add(&mut self, kind: Kind) -> usize {
        self.last_id += 1;
        self.points.list.push(Breakpoint::new(self.last_id, kind));
        self.last_id
    }

    /// Where breakpoints can be set: the names of functions, without type arguments, and of files.
    pub fn places(&self) -> impl Iterator<Item = String> + '_ {
        self.lines.places()
    }

    /// The breakpoints.
    pub fn breakpoints(&self) -> &[Breakpoint] {
        &self.points.list
    }

    /// A breakpoint, for changing it.
    ///
    /// # Errors
    /// If there is no breakpoint of this number.
    pub fn breakpoint_mut(&mut self, id: usize) -> Result<&mut Breakpoint, DebugError> {
        self.points.places.clear();
        self.points.list.iter_mut().find(|point| point.id == id).ok_or(DebugError::NoBreakpoint(id))
    }

    /// Deletes a breakpoint.
    ///
    /// # Errors
    /// If there is no breakpoint of this number.
    pub fn delete(&mut self, id: usize) -> Result<(), DebugError> {
        let before = self.points.list.len();
        self.points.list.retain(|point| point.id != id);
        self.points.places.clear();
        if self.points.list.len() == before { Err(DebugError::NoBreakpoint(id)) } else { Ok(()) }
    }
}
