//! Scalar replacement of arrays: a short array whose elements are only read and stored at constant indices becomes its elements.
//!
//! ```text
//!   %v: [f64] = repeat 0.0, 2_usize                br ^loop(0, 0.0, 0.0)
//!   br ^loop(0, %v)                              ^loop(%i: usize, %0: f64, %1: f64):
//! ^loop(%i: usize, %w: [f64]):             →       %x: f64 = add %1, 1.0
//!   %e: f64 = get %w, 1_usize                      …
//!   %x: f64 = add %e, 1.0                          br_if %c, ^loop(%j, %x, %1), ^done
//!   %u: [f64] = set %w, 0_usize, %x
//!   br_if %c, ^loop(%j, %u), ^done
//! ```
//!
//! - SROAARRAY1 arrays that block parameters and updates connect are replaced together, or not at all: all are made with one
//!   length, of at most [`MOST_ELEMENTS`] scalars, and nothing else uses them than reads, updates and the length.
//! - SROAARRAY2 all indices are constants and in bounds, so that no operation that is removed fails.

use hashbrown::HashMap;
use overdub_context::edit::FuncEditor;
use overdub_context::ir::{Block, Const, Func, Inst, InstKind, Operand, Ty, TyKind, Var};
use overdub_context::ops;

use crate::support::counted_loop::constant;
use crate::support::scope::Scope;

/// The most elements of an array that is replaced.
const MOST_ELEMENTS: usize = 16;

/// Replaces short arrays by their elements.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    if !editor.func.blocks.iter().any(|body| body.insts.iter().any(|inst| made(inst).is_some())) {
        return false;
    }
    editor.clear_unreachable();
    let lengths = Webs::of(&editor.func).lengths(&editor.func);
    if lengths.is_empty() {
        return false;
    }
    replace(editor, &lengths);
    true
}

/// The elements of an array that an instruction makes, if they are few scalars.
fn made(inst: &Inst) -> Option<Vec<Operand>> {
    let elements: Vec<Operand> = match &inst.kind {
        InstKind::Op { op, args } if **op == ops::ARRAY && args.len() <= MOST_ELEMENTS => args.clone(),
        InstKind::Op { op, args } if **op == ops::REPEAT => {
            let count = constant(&args[1]).filter(|count| *count <= MOST_ELEMENTS)?;
            vec![args[0].clone(); count]
        }
        InstKind::Const(constant) => {
            let array = constant.value().as_array()?;
            let shape = array.shape();
            let count = shape.first().copied().filter(|count| shape.len() == 1 && *count <= MOST_ELEMENTS)?;
            let element = |at| array.get(at).and_then(Const::new).map(Operand::Const);
            (0..count).map(element).collect::<Option<_>>()?
        }
        _ => return None,
    };
    Some(elements)
}

/// Whether these are the arrays that may be replaced: vectors of scalars.
fn is_vector_of_scalars(ty: Ty) -> bool {
    ty.as_array().is_some_and(|array| {
        let is_scalar =
            matches!(array.elem.kind(), TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_));
        array.rank == 1 && is_scalar
    })
}

/// Arrays that are connected: sets of variables, each with one of them as its representative (union-find).
struct Webs {
    parents: Vec<u32>,
}

impl Webs {
    /// The arrays of a function, each connected with the array that it is an update of, and with the parameters that it is passed to.
    fn of(func: &Func) -> Webs {
        let mut webs = Webs { parents: (0..func.vars.len() as u32).collect() };
        for body in &func.blocks {
            for inst in &body.insts {
                if let Some((older, _)) = update(inst)
                    && let Some(older) = older.var()
                {
                    webs.join(inst.result, older);
                }
            }
            for target in body.terminator.iter().flat_map(|end| end.kind.targets()) {
                for (&param, arg) in func.block(target.block).params.iter().zip(&target.args) {
                    if is_vector_of_scalars(func.ty(param))
                        && let Some(arg) = arg.var()
                    {
                        webs.join(param, arg);
                    }
                }
            }
        }
        webs
    }

    fn find(&mut self, var: Var) -> Var {
        let (mut at, parents) = (var.index(), &mut self.parents);
        while parents[at] as usize != at {
            parents[at] = parents[parents[at] as usize];
            at = parents[at] as usize;
        }
        Var(at as u32)
    }

    fn join(&mut self, a: Var, b: Var) {
        let (a, b) = (self.find(a), self.find(b));
        self.parents[a.index()] = b.0;
    }

    /// The lengths of the arrays that can be replaced (SROAARRAY1, SROAARRAY2).
    fn lengths(mut self, func: &Func) -> HashMap<Var, usize> {
        // The length of each set; none if it cannot be replaced.
        let mut lengths: HashMap<Var, Option<usize>> = HashMap::new();
        let mut highest: HashMap<Var, usize> = HashMap::new();
        for inst in func.blocks.iter().flat_map(|body| &body.insts) {
            if let Some(elements) = made(inst).filter(|_| is_vector_of_scalars(func.ty(inst.result))) {
                let length = lengths.entry(self.find(inst.result)).or_insert(Some(elements.len()));
                *length = length.filter(|length| *length == elements.len());
            }
        }
        let mut refuse = |webs: &mut Webs, var: Var| {
            lengths.insert(webs.find(var), None);
        };
        func.params().iter().for_each(|&param| refuse(&mut self, param));
        for body in &func.blocks {
            for inst in &body.insts {
                let is_array = is_vector_of_scalars(func.ty(inst.result));
                if is_array && made(inst).is_none() && update(inst).is_none() {
                    refuse(&mut self, inst.result);
                }
                let accessed = access(inst);
                if let Some((Operand::Var(array), Some(at))) = accessed {
                    let highest = highest.entry(self.find(*array)).or_default();
                    *highest = at.max(*highest);
                }
                // The array is the first operand of an access.
                let others = inst.kind.operands().skip(usize::from(accessed.is_some()));
                others.filter_map(Operand::var).for_each(|var| refuse(&mut self, var));
            }
            if let Some(end) = &body.terminator {
                end.kind.operand().and_then(Operand::var).into_iter().for_each(|var| refuse(&mut self, var));
                for target in end.kind.targets() {
                    let params = &func.block(target.block).params;
                    let others = params
                        .iter()
                        .zip(&target.args)
                        .filter(|(param, _)| !is_vector_of_scalars(func.ty(**param)));
                    others.filter_map(|(_, arg)| arg.var()).for_each(|var| refuse(&mut self, var));
                }
            }
        }
        (0..func.vars.len() as u32)
            .map(Var)
            .filter(|var| is_vector_of_scalars(func.ty(*var)))
            .filter_map(|var| {
                let web = self.find(var);
                let length = lengths.get(&web).copied().flatten()?;
                let is_in_bounds = highest.get(&web).is_none_or(|highest| *highest < length);
                is_in_bounds.then_some((var, length))
            })
            .collect()
    }
}

/// The array that an instruction updates, and the constant index.
fn update(inst: &Inst) -> Option<(&Operand, usize)> {
    match &inst.kind {
        InstKind::Op { op, args } if **op == ops::SET || **op == ops::SET_UNCHECKED => {
            Some((&args[0], constant(&args[1])?))
        }
        _ => None,
    }
}

/// The array that an instruction reads, updates or measures, and the constant index if it has one.
fn access(inst: &Inst) -> Option<(&Operand, Option<usize>)> {
    match &inst.kind {
        InstKind::Op { op, args } if **op == ops::GET || **op == ops::GET_UNCHECKED => {
            Some((&args[0], Some(constant(&args[1])?)))
        }
        InstKind::Op { op, args } if **op == ops::LEN => Some((&args[0], None)),
        _ => update(inst).map(|(array, at)| (array, Some(at))),
    }
}

/// Replaces arrays of these lengths.
fn replace(editor: &mut FuncEditor<'_>, lengths: &HashMap<Var, usize>) {
    let analyses = editor.cfg_analyses();
    let order: Vec<Block> = analyses.cfg.reverse_postorder().to_vec();
    let mut elements: HashMap<Var, Vec<Operand>> = HashMap::new();
    for &block in &order {
        let params = std::mem::take(&mut editor.body(block).params);
        let mut new = Vec::with_capacity(params.len());
        for param in params {
            let Some(&length) = lengths.get(&param) else {
                new.push(param);
                continue;
            };
            let elem = editor.func.ty(param).as_array().expect("it is an array").elem;
            let parts: Vec<Var> = (0..length).map(|_| editor.new_var(elem)).collect();
            new.extend(&parts);
            elements.insert(param, parts.into_iter().map(Operand::Var).collect());
        }
        editor.body(block).params = new;
    }
    let mut removed = vec![false; editor.func.vars.len()];
    for &block in &order {
        for at in 0..editor.func.block(block).insts.len() {
            let inst = &editor.func.block(block).insts[at];
            let result = inst.result;
            let replaced = |array: &Operand| array.var().filter(|var| lengths.contains_key(var));
            if lengths.contains_key(&result) {
                let parts = match (made(inst), update(inst)) {
                    (Some(parts), _) => parts,
                    (None, Some((older, at))) => {
                        let InstKind::Op { args, .. } = &inst.kind else { continue };
                        let mut parts =
                            replaced(older).map(|older| elements[&older].clone()).unwrap_or_default();
                        parts[at] = args[2].clone();
                        parts
                    }
                    (None, None) => continue,
                };
                let parts = parts.iter().map(|part| editor.resolve(part)).collect();
                elements.insert(result, parts);
                removed[result.index()] = true;
            } else if let Some((array, at)) = access(inst)
                && let Some(array) = replaced(array)
            {
                let new = match at {
                    Some(at) => elements[&array][at].clone(),
                    None => lengths[&array].into(),
                };
                editor.replace(result, new);
                removed[result.index()] = true;
            }
        }
        let mut end = editor.terminator(block).clone();
        for target in end.kind.targets_mut() {
            let args = std::mem::take(&mut target.args);
            for arg in args {
                match arg.var().and_then(|var| elements.get(&var)) {
                    Some(parts) => target.args.extend(parts.iter().cloned()),
                    None => target.args.push(arg),
                }
            }
        }
        *editor.terminator_mut(block) = end;
    }
    editor.remove_insts(&removed);
    editor.apply_replacements();
}
