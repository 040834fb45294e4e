//! New variables and blocks of a function of the IR, under names that are not taken: a number may be the name of another one.

use overdub_context::Symbol;
use overdub_context::ir::{Block, BlockBody, Func, Ty, Var, VarDef};

/// A new variable, called by this word and a number.
pub(crate) fn new_var(func: &mut Func, ty: Ty, word: &str) -> Var {
    let var = Var(func.vars.len() as u32);
    func.vars.push(VarDef { ty, name: Some(Symbol::new(&format!("{word}.{}", var.0))) });
    var
}

/// A new block without a terminator, called by this word and a number.
pub(crate) fn new_block(func: &mut Func, params: Vec<Var>, word: &str) -> Block {
    let block = Block(func.blocks.len() as u32);
    let name = Some(Symbol::new(&format!("{word}.{}", block.0)));
    func.blocks.push(BlockBody { name, params, insts: Vec::new(), terminator: None });
    block
}
