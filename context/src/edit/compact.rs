//! Compaction of an edited function: blocks in reverse postorder, ids without gaps.

use crate::Symbol;
use crate::ir::{Block, BlockBody, Func, Operand, Var, VarDef, labels};

use super::{FuncEditor, for_each_operand};

/// The new numbers of what stays, by old number.
struct Numbers {
    /// The blocks that stay, in their new order.
    order: Vec<Block>,
    blocks: Vec<Option<Block>>,
    /// Variables are numbered in the order of their definitions.
    vars: Vec<Option<Var>>,
    /// How many variables stay.
    defined: usize,
}

impl FuncEditor<'_> {
    /// The edited function. Variables and blocks of the source keep their printed names.
    pub fn finish(mut self) -> Func {
        let numbers = self.numbers();
        let vars = (0..).zip(&numbers.vars).filter_map(|(old, new)| Some((old, (*new)?.0)));
        let var_name = |old: u32| match self.source.vars.get(old as usize) {
            Some(def) => def.name,
            None => self.func.vars[old as usize].name,
        };
        let var_names = labels(vars, numbers.defined, var_name, self.source.vars.len());
        let blocks = (0..).zip(&numbers.order).map(|(new, old)| (old.0, new));
        let block_name = |old: u32| match self.source.blocks.get(old as usize) {
            Some(body) => body.name,
            None => self.func.blocks[old as usize].name,
        };
        let block_names = labels(blocks, numbers.order.len(), block_name, self.source.blocks.len());
        let mut func = self.renumbered(&numbers);
        name_all(func.vars.iter_mut().map(|def| &mut def.name), var_names);
        name_all(func.blocks.iter_mut().map(|body| &mut body.name), block_names);
        func
    }

    /// The edited function without names of variables and blocks.
    pub fn finish_unlabelled(mut self) -> Func {
        let numbers = self.numbers();
        self.renumbered(&numbers)
    }

    fn numbers(&mut self) -> Numbers {
        let order = self.cfg_analyses().cfg.reverse_postorder().to_vec();
        let mut vars = vec![None; self.func.vars.len()];
        let mut blocks = vec![None; self.func.blocks.len()];
        let mut next = 0;
        for (new, old) in (0..).map(Block).zip(&order) {
            blocks[old.index()] = Some(new);
            let body = self.func.block(*old);
            for var in body.params.iter().copied().chain(body.insts.iter().map(|inst| inst.result)) {
                let known = vars[var.index()].replace(Var(next));
                assert!(known.is_none(), "EDIT2: passes leave a well-formed function");
                next += 1;
            }
        }
        Numbers { order, blocks, vars, defined: next as usize }
    }

    /// The function without names.
    fn renumbered(mut self, numbers: &Numbers) -> Func {
        let var = |old: Var| numbers.vars[old.index()].expect("EDIT2: a variable that is used is defined");
        let block =
            |old: Block| numbers.blocks[old.index()].expect("EDIT2: a target of a branch is reachable");
        let unnamed = VarDef { ty: self.func.ret, name: None };
        let mut vars = vec![unnamed; numbers.defined];
        for (old, new) in self.func.vars.iter().zip(&numbers.vars) {
            if let Some(new) = new {
                vars[new.index()].ty = old.ty;
            }
        }
        let mut bodies = Vec::with_capacity(numbers.order.len());
        for old in &numbers.order {
            let mut body = std::mem::replace(
                self.body(*old),
                BlockBody { name: None, params: Vec::new(), insts: Vec::new(), terminator: None },
            );
            body.name = None;
            body.params.iter_mut().for_each(|param| *param = var(*param));
            body.insts.iter_mut().for_each(|inst| inst.result = var(inst.result));
            let targets = body.terminator.iter_mut().flat_map(|end| end.kind.targets_mut());
            targets.for_each(|target| target.block = block(target.block));
            for_each_operand(&mut body, |operand| {
                if let Operand::Var(old) = operand {
                    *old = var(*old);
                }
            });
            bodies.push(body);
        }
        let (name, ret, span) = (self.func.name, self.func.ret, self.func.span);
        Func { blocks: bodies, vars, name, ret, span, debug: None }
    }
}

fn name_all<'n>(places: impl Iterator<Item = &'n mut Option<Symbol>>, names: Vec<Option<Symbol>>) {
    places.zip(names).for_each(|(place, name)| *place = name);
}
