//! A function in the form from which statements are made: SSA whose nodes may define several variables.
//!
//! - SPLIT1 an operation that returns a part and the rest of its operand (`pop`, `take.elem`) defines two variables,
//!   and a call whose result is only taken apart defines one for each part; the `field` instructions are gone.
//! - SPLIT2 pure instructions without uses are left out.

use hashbrown::HashMap;
use overdub_context::ir::{Block, Callee, Const, Func, Inst, InstKind, Operand, Terminator, Ty, TyKind, Var};
use overdub_context::ops::{self, OpDef};
use overdub_context::{Span, Symbol};

use crate::ownership::{Update, update_of};

/// A function.
pub(crate) struct Body {
    pub(crate) name: Symbol,
    pub(crate) span: Span,
    pub(crate) ret: Ty,
    pub(crate) vars: Vec<VarInfo>,
    pub(crate) blocks: Vec<BasicBlock>,
}

/// A variable.
#[derive(Clone, Copy)]
pub(crate) struct VarInfo {
    pub(crate) ty: Ty,
    pub(crate) name: Option<Symbol>,
}

/// A block.
pub(crate) struct BasicBlock {
    pub(crate) params: Vec<Var>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) terminator: Terminator,
}

/// An instruction that defines any number of variables.
pub(crate) struct Node {
    /// A variable for each part of the result, or one for all of it; none where it is not used.
    pub(crate) results: Vec<Option<Var>>,
    /// Whether the results are the parts of a tuple.
    pub(crate) is_split: bool,
    /// The type of the whole result.
    pub(crate) ty: Ty,
    pub(crate) kind: NodeKind,
    pub(crate) args: Vec<Operand>,
    pub(crate) span: Span,
    /// Whether integer arithmetic is known to fit its type.
    pub(crate) is_exact: bool,
}

/// What a node does.
#[derive(Clone)]
pub(crate) enum NodeKind {
    Const(Const),
    Op(&'static OpDef),
    /// A call of a function by name.
    Call(Symbol),
    /// A call of the function value that is the first operand.
    CallValue,
}

impl Body {
    /// The parameters of the function.
    pub(crate) fn params(&self) -> &[Var] {
        self.blocks.first().map_or(&[], |entry| &entry.params)
    }

    pub(crate) fn block(&self, block: Block) -> &BasicBlock {
        &self.blocks[block.index()]
    }

    /// The type of an operand.
    pub(crate) fn ty(&self, operand: &Operand) -> Ty {
        match operand {
            Operand::Var(var) => self.vars[var.index()].ty,
            Operand::Const(constant) => constant.value().ty(),
        }
    }

    /// The body of a function whose calls are all by name or by value; `None` if it contains `overdub` calls, which
    /// only a context can give a meaning.
    pub(crate) fn new(func: &Func, is_exact: &dyn Fn(Var) -> bool) -> Result<Body, Span> {
        let mut vars: Vec<VarInfo> =
            func.vars.iter().map(|def| VarInfo { ty: def.ty, name: def.name }).collect();
        let parts = Parts::of(func);
        let mut blocks = Vec::new();
        for body in &func.blocks {
            let mut nodes = Vec::new();
            for inst in &body.insts {
                lower(inst, &parts, is_exact(inst.result), &mut vars, &mut nodes)?;
            }
            for node in &mut nodes {
                node.args.iter_mut().for_each(|arg| parts.rename(arg));
            }
            let mut terminator = body.terminator.clone().ok_or(func.span)?;
            terminator
                .kind
                .targets_mut()
                .flat_map(|target| &mut target.args)
                .for_each(|arg| parts.rename(arg));
            if let Some(operand) = terminator.kind.operand_mut() {
                parts.rename(operand);
            }
            blocks.push(BasicBlock { params: body.params.clone(), nodes, terminator });
        }
        let mut made = Body { name: func.name, span: func.span, ret: func.ret, vars, blocks };
        made.remove_unused();
        Ok(made)
    }

    /// How often each variable is used.
    fn use_counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.vars.len()];
        for block in &self.blocks {
            let args = block.nodes.iter().flat_map(|node| &node.args);
            for var in args.chain(block.terminator.kind.operands()).filter_map(Operand::var) {
                counts[var.index()] += 1;
            }
        }
        counts
    }

    /// SPLIT2
    fn remove_unused(&mut self) {
        let mut counts = self.use_counts();
        for block in self.blocks.iter_mut().rev() {
            for node in block.nodes.iter_mut().rev() {
                for result in &mut node.results {
                    if result.is_some_and(|var| counts[var.index()] == 0) {
                        *result = None;
                    }
                }
                if node.results.iter().all(Option::is_none) && node.is_removable() {
                    for var in node.args.drain(..).filter_map(|arg| arg.var()) {
                        counts[var.index()] -= 1;
                    }
                }
            }
            block.nodes.retain(|node| node.results.iter().any(Option::is_some) || !node.is_removable());
        }
    }
}

impl Node {
    /// Whether nothing is lost if the results are not used.
    fn is_removable(&self) -> bool {
        match self.kind {
            NodeKind::Const(_) => true,
            NodeKind::Op(op) => {
                let is_proved = [&ops::GET_UNCHECKED, &ops::SET_UNCHECKED].contains(&op);
                !op.effects.writes && !op.effects.fails || is_proved || self.is_exact
            }
            NodeKind::Call(_) | NodeKind::CallValue => false,
        }
    }

    /// The only variable that it defines.
    pub(crate) fn result(&self) -> Option<Var> {
        match self.results[..] {
            [result] if !self.is_split => result,
            _ => None,
        }
    }
}

/// The variables of the parts of tuples that are only taken apart.
struct Parts {
    /// For a tuple, the variable of each part.
    of: HashMap<Var, Vec<Option<Var>>>,
    /// Further variables of the same part.
    same: HashMap<Var, Var>,
}

impl Parts {
    fn of(func: &Func) -> Parts {
        let mut of: HashMap<Var, Vec<Option<Var>>> = HashMap::new();
        let insts = || func.blocks.iter().flat_map(|body| &body.insts);
        for inst in insts() {
            let is_split = match &inst.kind {
                InstKind::Call { .. } => true,
                InstKind::Op { op, .. } => update_of(op) == Some(Update::PartAndWhole),
                _ => false,
            };
            if let (true, TyKind::Tuple(parts)) = (is_split, func.ty(inst.result).kind()) {
                of.insert(inst.result, vec![None; parts.len()]);
            }
        }
        let mut same = HashMap::new();
        for inst in insts() {
            match field(inst) {
                Some((tuple, index)) if of.get(&tuple).is_some_and(|parts| index < parts.len()) => {
                    match &mut of.get_mut(&tuple).expect("it was just seen")[index] {
                        Some(first) => {
                            same.insert(inst.result, *first);
                        }
                        none => *none = Some(inst.result),
                    }
                }
                _ => inst.kind.operands().filter_map(Operand::var).for_each(|var| {
                    of.remove(&var);
                }),
            }
        }
        for var in func
            .blocks
            .iter()
            .filter_map(|body| body.terminator.as_ref())
            .flat_map(|terminator| terminator.kind.operands().filter_map(Operand::var))
        {
            of.remove(&var);
        }
        // A tuple that turned out to be used as a whole keeps all its `field` instructions.
        let insts: HashMap<Var, Var> =
            insts().filter_map(|inst| Some((inst.result, field(inst)?.0))).collect();
        same.retain(|part, _| insts.get(part).is_some_and(|tuple| of.contains_key(tuple)));
        Parts { of, same }
    }

    fn rename(&self, operand: &mut Operand) {
        if let Some(first) = operand.var().and_then(|var| self.same.get(&var)) {
            *operand = Operand::Var(*first);
        }
    }
}

/// The tuple and the number of the part that a `field` instruction reads.
fn field(inst: &Inst) -> Option<(Var, usize)> {
    match &inst.kind {
        InstKind::Op { op, args } if *op == &ops::FIELD => Some((args[0].var()?, index(&args[1])?)),
        _ => None,
    }
}

/// The number that an operand is, if it is constant.
pub(crate) fn index(operand: &Operand) -> Option<usize> {
    operand.constant()?.value().as_index()
}

fn lower(
    inst: &Inst,
    parts: &Parts,
    is_exact: bool,
    vars: &mut Vec<VarInfo>,
    nodes: &mut Vec<Node>,
) -> Result<(), Span> {
    let whole = vec![Some(inst.result)];
    let is_split = parts.of.contains_key(&inst.result);
    let ty = vars[inst.result.index()].ty;
    let (kind, args, results) = match &inst.kind {
        InstKind::Const(constant) => (NodeKind::Const(constant.clone()), Vec::new(), whole),
        InstKind::Op { op, args } => {
            if field(inst).is_some_and(|(tuple, _)| parts.of.contains_key(&tuple)) {
                return Ok(());
            }
            let of_update = update_of(op) == Some(Update::PartAndWhole);
            let results = match parts.of.get(&inst.result) {
                Some(results) => results.clone(),
                None if of_update => {
                    let TyKind::Tuple(types) = vars[inst.result.index()].ty.kind() else {
                        return Err(inst.span);
                    };
                    let fresh = types.iter().map(|&ty| {
                        vars.push(VarInfo { ty, name: None });
                        Some(Var(vars.len() as u32 - 1))
                    });
                    let results: Vec<_> = fresh.collect();
                    let args = args.clone();
                    let (kind, span) = (NodeKind::Op(op), inst.span);
                    nodes.push(Node {
                        results: results.clone(),
                        is_split: true,
                        ty,
                        kind,
                        args,
                        span,
                        is_exact,
                    });
                    let args = results.into_iter().flatten().map(Operand::Var).collect();
                    let kind = NodeKind::Op(&ops::TUPLE);
                    nodes.push(Node { results: whole, is_split: false, ty, kind, args, span, is_exact });
                    return Ok(());
                }
                None => whole,
            };
            (NodeKind::Op(op), args.clone(), results)
        }
        InstKind::Call { callee, args } => {
            let results = parts.of.get(&inst.result).cloned().unwrap_or(whole);
            match callee {
                Callee::Func(name) => (NodeKind::Call(*name), args.clone(), results),
                Callee::Value(value) => {
                    let args = std::iter::once(value).chain(args).cloned().collect();
                    (NodeKind::CallValue, args, results)
                }
            }
        }
        InstKind::Overdub { .. } => return Err(inst.span),
    };
    nodes.push(Node { results, is_split, ty, kind, args, span: inst.span, is_exact });
    Ok(())
}
