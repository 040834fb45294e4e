//! Functions: blocks in the order in which they are printed, and a table of variables.
//!
//! - The first block is the entry; its parameters are the function's.
//! - Ids are indices into the function's tables and never change; a [`crate::ir::Func`] is changed by copying
//!   it through the rewriter.

use std::fmt;

use super::{Callee, DebugInfo, Inst, InstKind, Terminator, Ty, TyKind};
use crate::{Span, Symbol};

/// A variable of a function: defined once, by a block parameter or an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u32);

/// A block of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Block(pub u32);

/// The definition of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VarDef {
    /// The type of the variable.
    pub ty: Ty,
    /// The printed name; without one the variable prints as its number.
    pub name: Option<Symbol>,
}

/// A block: parameters, instructions, and a terminator.
#[derive(Clone, Debug)]
pub struct BlockBody {
    /// The printed name; without one the block prints as its number.
    pub name: Option<Symbol>,
    /// The parameters of the block.
    pub params: Vec<Var>,
    /// The instructions of the block, in order.
    pub insts: Vec<Inst>,
    /// The terminator; `None` only while the block is being built.
    pub terminator: Option<Terminator>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Func {
    /// The name of the function, printed after `@`.
    pub name: Symbol,
    /// The return type.
    pub ret: Ty,
    /// The source location.
    pub span: Span,
    /// The blocks, the entry first.
    pub blocks: Vec<BlockBody>,
    /// The variables.
    pub vars: Vec<VarDef>,
    /// The debug information; none unless requested.
    pub debug: Option<Box<DebugInfo>>,
}

impl Var {
    /// The index in [`Func::vars`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Block {
    /// The first block of every function.
    pub const ENTRY: Block = Block(0);

    /// The index in [`Func::blocks`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Func {
    /// The parameters of the function, which are those of the entry block.
    pub fn params(&self) -> &[Var] {
        self.blocks.first().map_or(&[], |entry| &entry.params)
    }

    /// The functions that it calls, and the code of the closures that it creates, takes or receives, in the
    /// order of the instructions.
    pub fn mentioned(&self) -> impl Iterator<Item = Symbol> + '_ {
        let code = |var: Var| match self.ty(var).kind() {
            TyKind::Closure(closure) => Some(closure.code),
            _ => None,
        };
        let insts = self.blocks.iter().flat_map(|body| &body.insts);
        let by_insts = insts.filter_map(move |inst| match &inst.kind {
            InstKind::Call { callee: Callee::Func(name), .. }
            | InstKind::Overdub { callee: Callee::Func(name), .. } => Some(*name),
            _ => code(inst.result),
        });
        by_insts.chain(self.params().iter().copied().filter_map(code))
    }

    /// The types of the parameters.
    pub fn param_tys(&self) -> impl Iterator<Item = Ty> {
        self.params().iter().map(|&var| self.ty(var))
    }

    /// The type of a variable.
    pub fn ty(&self, var: Var) -> Ty {
        self.vars[var.index()].ty
    }

    /// A block's body.
    pub fn block(&self, block: Block) -> &BlockBody {
        &self.blocks[block.index()]
    }

    /// All blocks with their bodies, in order.
    pub fn iter_blocks(&self) -> impl Iterator<Item = (Block, &BlockBody)> {
        (0..).map(Block).zip(&self.blocks)
    }

    /// The printed form of a variable, without `%`.
    pub fn var_label(&self, var: Var) -> Label {
        Label(self.vars.get(var.index()).and_then(|def| def.name), var.0)
    }

    /// The printed form of a block, without `^`.
    pub fn block_label(&self, block: Block) -> Label {
        Label(self.blocks.get(block.index()).and_then(|body| body.name), block.0)
    }
}

/// The printed name of a variable or block: its own name, or its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Label(Option<Symbol>, u32);

impl Label {
    /// The printed form, a number or a name: labels print alike if their keys are equal.
    pub(crate) fn key(self) -> (Option<u32>, Option<Symbol>) {
        match self.0.map(|name| (printed_number(&name), name)) {
            None => (Some(self.1), None),
            Some((Some(number), _)) => (Some(number), None),
            Some((None, name)) => (None, Some(name)),
        }
    }
}

/// The number whose printed form is this name, if there is one.
pub(super) fn printed_number(name: &str) -> Option<u32> {
    let is_canonical = name == "0" || name.starts_with(|first: char| matches!(first, '1'..='9'));
    if is_canonical { name.parse().ok() } else { None }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(name) => f.write_str(&name),
            None => write!(f, "{}", self.1),
        }
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "^{}", self.0)
    }
}
