//! Debug information: where the statements of the source begin, and the values of its variables there.
//!
//! - DEBUG1 an operand named by a point is used there: it stays live, in the interpreter too, until control
//!   has passed the point.
//! - DEBUG2 a function built from another one has no debug information, since its instructions are at other
//!   positions; but a copy made instruction by instruction can carry it over
//!   ([`Rewriter::keep_points`](super::Rewriter::keep_points)).

use smallvec::SmallVec;

use super::{Block, Operand, Ty};
use crate::{Span, Symbol};

/// The debug information of a function; absent unless requested.
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
    /// The name of the variable.
    pub name: Symbol,
    /// The type of the variable, as written in the source language.
    pub ty: Symbol,
    /// Whether it is a parameter of the function.
    pub is_param: bool,
}

/// A position between instructions, and the locations of the variables in scope.
#[derive(Clone, Debug)]
pub struct Point {
    /// The block.
    pub block: Block,
    /// The index of the instruction of the block that follows; the number of instructions for the terminator.
    pub at: usize,
    /// The source location of the statement, or of the end of the scope.
    pub span: Span,
    /// The kind of the point.
    pub kind: PointKind,
    /// The variables that have a value here, by their index, the outermost first.
    pub live_vars: Vec<(usize, Location)>,
}

/// The kind of a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointKind {
    /// A statement begins.
    Statement,
    /// A scope ends.
    ScopeEnd,
}

/// The location of a variable's value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The operand that holds the value.
    pub root: Operand,
    /// Whether the root is a reference to the value.
    pub in_cell: bool,
    /// The source type of the root's value. Contexts that map types do not change it.
    pub ty: Ty,
    /// The access path from the root to the variable.
    pub path: SmallVec<[LocationStep; 1]>,
    /// The parts of the variable that were moved out, each given by the field indices that lead to it, in
    /// order. The remaining contents of such parts are meaningless.
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
    /// The operands mentioned in the location.
    pub fn operands(&self) -> impl Iterator<Item = &Operand> {
        let steps = self.path.iter().flat_map(|step| match step {
            LocationStep::Field(_) => [None, None],
            LocationStep::Elem(at) => [Some(at), None],
            LocationStep::Slice(from, to) => [Some(from), Some(to)],
        });
        std::iter::once(&self.root).chain(steps.flatten())
    }

    /// Mutable references to the operands mentioned in the location.
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
    /// The operands mentioned in the step.
    pub fn operands(&self) -> impl Iterator<Item = &Operand> {
        self.live_vars.iter().flat_map(|(_, location)| location.operands())
    }
}
