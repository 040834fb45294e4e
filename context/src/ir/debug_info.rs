//! Debug information: where the statements of the source begin, and what its variables hold there.
//!
//! - DEBUG1 what a point names is a use: it stays alive, in the interpreter too, until control has passed the point.
//! - DEBUG2 a function that is built from another one has none of it, since its instructions are not at the same places;
//!   but a copy that is made instruction by instruction can carry it over ([`Rewriter::keep_points`](super::Rewriter::keep_points)).

use smallvec::SmallVec;

use super::{Block, Operand, Ty};
use crate::{Span, Symbol};

/// What is known of a function's source; there is none where nobody asked for it.
#[derive(Clone, Debug, Default)]
pub struct DebugInfo {
    /// The variables of the source, in the order of their declarations.
    pub variables: Vec<SourceVariable>,
    /// The points, in the order in which they were lowered.
    pub points: Vec<Point>,
}

/// A variable of the source program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceVariable {
    /// Its name.
    pub name: Symbol,
    /// Its type, as the source language writes it.
    pub ty: Symbol,
    /// Whether it is a parameter of the function.
    pub is_param: bool,
}

/// A place between instructions, and what the variables in scope hold there.
#[derive(Clone, Debug)]
pub struct Point {
    /// The block.
    pub block: Block,
    /// The instruction of the block before which it is; the number of instructions for the terminator.
    pub at: usize,
    /// What begins here.
    pub span: Span,
    /// What it is.
    pub kind: PointKind,
    /// The variables that have a value here, by their index, the outermost first.
    pub held: Vec<(usize, Location)>,
}

/// What a point is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointKind {
    /// A statement begins.
    Statement,
    /// A scope ends.
    ScopeEnd,
}

/// Where a variable's value is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// What holds it.
    pub root: Operand,
    /// Whether the root is a reference to it.
    pub in_cell: bool,
    /// The type of what is there in the source program. Contexts that map types leave it as it is.
    pub ty: Ty,
    /// The way from there to the variable.
    pub path: SmallVec<[LocationStep; 1]>,
    /// The parts of the variable that were moved out, each by the numbers of the fields that lead there, in order. What is
    /// still there has no meaning.
    pub moved: Vec<SmallVec<[u32; 2]>>,
}

/// A step from a value to a part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LocationStep {
    /// A field of a tuple, struct or variant.
    Field(u32),
    /// An element of an array.
    Elem(Operand),
    /// The elements between two indices.
    Slice(Operand, Operand),
}

impl Location {
    /// All operands that it mentions.
    pub fn operands(&self) -> impl Iterator<Item = &Operand> {
        let steps = self.path.iter().flat_map(|step| match step {
            LocationStep::Field(_) => [None, None],
            LocationStep::Elem(at) => [Some(at), None],
            LocationStep::Slice(from, to) => [Some(from), Some(to)],
        });
        std::iter::once(&self.root).chain(steps.flatten())
    }

    /// The same, to be changed.
    pub(crate) fn operands_mut(&mut self) -> impl Iterator<Item = &mut Operand> {
        let steps = self.path.iter_mut().flat_map(|step| match step {
            LocationStep::Field(_) => [None, None],
            LocationStep::Elem(at) => [Some(at), None],
            LocationStep::Slice(from, to) => [Some(from), Some(to)],
        });
        std::iter::once(&mut self.root).chain(steps.flatten())
    }
}

impl Point {
    /// All operands that it mentions.
    pub fn operands(&self) -> impl Iterator<Item = &Operand> {
        self.held.iter().flat_map(|(_, location)| location.operands())
    }
}
