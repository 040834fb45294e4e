//! The numbers by which a client refers to frames and values while the program is stopped.
//!
//! - REF1 a number is never reused: those of an earlier stop are recognised as stale.

use std::collections::HashMap;

use overdub_context::Symbol;
use overdub_context::value::Value;

use crate::refusal::Refusal;

/// The greatest number of references of one stop.
const MOST: usize = 1 << 20;

/// What a reference stands for.
#[derive(Clone, Debug)]
pub(crate) enum Referent {
    /// An open call, counted from the innermost.
    Frame(usize),
    /// The variables of an open call.
    Scope(usize, VariableScope),
    /// A value that has parts.
    Value(VariablePart),
    /// Elements of such a value.
    Range(VariablePart, usize, usize),
    /// A moment to go to.
    Moment(u64),
}

/// The kind of variables of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum VariableScope {
    /// Its parameters.
    Arguments,
    /// The others.
    Locals,
    /// The tangents of all.
    Tangents,
    /// The cotangents of all.
    Cotangents,
}

/// A variable, or the result of an expression, or a part of one of them.
#[derive(Clone, Debug)]
pub(crate) struct VariablePart {
    pub(crate) root: Root,
    /// The path from there, by the positions of parts.
    pub(crate) steps: Vec<usize>,
    /// The expression that names the part, if there is one.
    pub(crate) path: Option<String>,
}

/// Where a value can be found.
#[derive(Clone, Debug)]
pub(crate) enum Root {
    /// A variable of an open call.
    Variable(usize, Symbol),
    /// The result of an expression.
    Result(Value<'static>),
}

/// The numbers of one stop.
#[derive(Debug)]
pub(crate) struct References {
    /// The number of the first one.
    first: u64,
    all: Vec<Referent>,
    frames: HashMap<usize, u64>,
}

impl References {
    pub(crate) fn new() -> References {
        References { first: 1, all: Vec::new(), frames: HashMap::new() }
    }

    /// Invalidates all references: the program continues.
    pub(crate) fn forget(&mut self) {
        self.first += self.all.len() as u64;
        self.all.clear();
        self.frames.clear();
    }

    /// Creates a reference.
    pub(crate) fn add(&mut self, referent: Referent) -> Result<u32, Refusal> {
        if self.all.len() >= MOST {
            return Err(Refusal::TooMany);
        }
        let number = u32::try_from(self.first + self.all.len() as u64).map_err(|_| Refusal::TooMany)?;
        self.all.push(referent);
        Ok(number)
    }

    /// The number of an open call.
    pub(crate) fn frame(&mut self, frame: usize) -> Result<u64, Refusal> {
        if let Some(&number) = self.frames.get(&frame) {
            return Ok(number);
        }
        let number = self.add(Referent::Frame(frame))?.into();
        self.frames.insert(frame, number);
        Ok(number)
    }

    fn get(&self, number: u64, what: &'static str) -> Result<&Referent, Refusal> {
        match number.checked_sub(self.first) {
            None if number == 0 => Err(Refusal::NoReference { what, id: number }),
            None => Err(Refusal::Stale(number)),
            Some(at) => {
                let found = usize::try_from(at).ok().and_then(|at| self.all.get(at));
                found.ok_or(Refusal::NoReference { what, id: number })
            }
        }
    }

    /// The open call of a reference, from the innermost.
    pub(crate) fn frame_of(&self, number: u64) -> Result<usize, Refusal> {
        match self.get(number, "frame")? {
            Referent::Frame(frame) => Ok(*frame),
            _ => Err(Refusal::NoReference { what: "frame", id: number }),
        }
    }

    /// As [`References::frame_of`]; without a reference, the innermost call.
    pub(crate) fn frame_or_innermost(&self, number: Option<u64>) -> Result<usize, Refusal> {
        number.map_or(Ok(0), |number| self.frame_of(number))
    }

    /// The referent of a reference that has variables.
    pub(crate) fn variables_of(&self, number: u32) -> Result<Referent, Refusal> {
        match self.get(number.into(), "list of variables")? {
            Referent::Frame(_) | Referent::Moment(_) => {
                Err(Refusal::NoReference { what: "list of variables", id: number.into() })
            }
            found => Ok(found.clone()),
        }
    }

    /// The moment of a reference.
    pub(crate) fn moment_of(&self, number: u64) -> Result<u64, Refusal> {
        match self.get(number, "target")? {
            Referent::Moment(moment) => Ok(*moment),
            _ => Err(Refusal::NoReference { what: "target", id: number }),
        }
    }
}
