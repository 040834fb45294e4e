//! Result placement: finds the vectors that become part of the result, which can be computed in the caller's
//! slot.

use hashbrown::HashMap;
use overdub_context::ir::{Func, Inst, InstKind, Operand, Position, TerminatorKind, Var};
use overdub_context::ops;

use crate::abi::layout::{Layout, LayoutKind};

/// The vectors that are created by `repeat` and may become part of the result, through writes and branches,
/// with the first component of that part.
pub(in crate::codegen) fn result_vectors(func: &Func, ret: &Layout) -> HashMap<Var, usize> {
    let insts = || func.blocks.iter().flat_map(|body| &body.insts);
    let is_repeat = |inst: &&Inst| matches!(&inst.kind, InstKind::Op { op, .. } if **op == ops::REPEAT);
    if !ret.has_array() || !insts().any(|inst| is_repeat(&inst)) {
        return HashMap::new();
    }
    let mut same = Aliases::of(func);
    let mut found =
        ResultVectors { func, places: func.definitions(), same: &mut same, components: HashMap::new() };
    for body in &func.blocks {
        if let Some(TerminatorKind::Ret(operand)) = body.terminator.as_ref().map(|end| &end.kind) {
            found.add(operand, ret, &|component| component);
        }
    }
    let components = found.components;
    insts()
        .filter(is_repeat)
        .filter_map(|inst| Some((inst.result, *components.get(&same.first(inst.result.index()))?)))
        .collect()
}

/// The vectors of the result, by the representative of their alias class.
struct ResultVectors<'f> {
    func: &'f Func,
    places: Vec<Option<Position>>,
    same: &'f mut Aliases,
    components: HashMap<usize, usize>,
}

impl ResultVectors<'_> {
    /// Adds the vectors of an operand that is this part of the result.
    fn add(&mut self, operand: &Operand, layout: &Layout, component: &dyn Fn(usize) -> usize) {
        let Some(var) = operand.var() else { return };
        match &layout.shape {
            LayoutKind::Vector(_) => {
                self.components.entry(self.same.first(var.index())).or_insert(component(0));
            }
            LayoutKind::Aggregate(_, parts) => {
                let Some(Position::Inst(block, at)) = self.places.get(var.index()).copied().flatten() else {
                    return;
                };
                let func = self.func;
                if let InstKind::Op { op, args } = &func.block(block).insts[at].kind
                    && [&ops::TUPLE, &ops::STRUCT].contains(op)
                {
                    for (arg, part) in args.iter().zip(parts) {
                        self.add(arg, &part.layout, &|at| component(part.components[at]));
                    }
                }
            }
            _ => {}
        }
    }
}

/// Alias classes of variables, as a union-find: `set` and branches pass a vector on.
struct Aliases(Vec<usize>);

impl Aliases {
    fn of(func: &Func) -> Aliases {
        let mut same = Aliases((0..func.vars.len()).collect());
        for body in &func.blocks {
            for inst in &body.insts {
                if let InstKind::Op { op, args } = &inst.kind
                    && [&ops::SET, &ops::SET_UNCHECKED].contains(op)
                {
                    same.join(inst.result, args.first().and_then(Operand::var));
                }
            }
            for target in body.terminator.iter().flat_map(|end| end.kind.targets()) {
                for (&param, arg) in func.block(target.block).params.iter().zip(&target.args) {
                    same.join(param, arg.var());
                }
            }
        }
        same
    }

    /// The representative of a class.
    fn first(&mut self, mut var: usize) -> usize {
        while self.0[var] != var {
            self.0[var] = self.0[self.0[var]];
            var = self.0[var];
        }
        var
    }

    fn join(&mut self, a: Var, b: Option<Var>) {
        if let Some(b) = b {
            let (a, b) = (self.first(a.index()), self.first(b.index()));
            self.0[a.max(b)] = a.min(b);
        }
    }
}
