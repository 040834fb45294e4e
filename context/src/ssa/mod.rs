//! SSA construction: mutable variables on top of the builder.
//!
//! After Braun et al., *Simple and Efficient Construction of Static Single Assignment Form* (2013), as in
//! Cranelift's frontend.
//!
//! - A block is sealed once every branch to it has been appended; until then a variable read there becomes a
//!   parameter of the block.
//! - Variables read in blocks that are still unsealed when the function is finished get their phis by dominance
//!   frontiers: `phi_placement`.
//! - Redundant block parameters, which have one operand besides themselves, are removed when the function is finished.
//!   For reducible control flow the result is minimal.
//! - No algorithm recurses, so the length of a chain of blocks is not limited by the stack.

mod phi_placement;

use std::ops::{Deref, DerefMut};

use hashbrown::{HashMap, HashSet};
use smallvec::SmallVec;

use self::phi_placement::Webs;
use crate::Symbol;
use crate::ir::typing::TypeError;
use crate::ir::{Block, BuildError, BuildFault, Const, Func, FuncBuilder, Operand, Ty, Var, reachable};

/// A mutable variable of the source program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Variable(pub u32);

/// A builder with mutable variables.
///
/// ```
/// use overdub_context::ir::{FuncBuilder, Target, Ty};
/// use overdub_context::ssa::SsaBuilder;
/// let mut build = SsaBuilder::new(FuncBuilder::new("choose", Ty::f64()));
/// let cond = build.param("cond", Ty::bool());
/// let x = build.declare_variable(Ty::f64(), Some("x"));
/// build.write_variable(x, 1.0)?;
/// let (then, done) = (build.new_block(), build.new_block());
/// build.br_if(cond, then.into(), done.into())?;
/// build.switch_to(then)?;
/// build.seal_block(then);
/// build.write_variable(x, 2.0)?;
/// build.br(done, [] as [f64; 0])?;
/// build.switch_to(done)?;
/// build.seal_block(done);
/// let chosen = build.read_variable(x)?;
/// build.ret(chosen)?;
/// assert_eq!(build.finish()?.blocks[2].params.len(), 1);
/// # Ok::<(), overdub_context::ir::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SsaBuilder {
    build: FuncBuilder,
    variables: Vec<VariableDef>,
    /// The known values of variables at the end of blocks.
    values: HashMap<(Variable, Block), Operand>,
    /// The states of blocks; those after the last one are the default.
    blocks: Vec<BlockState>,
    phis: Vec<Phi>,
}

#[derive(Clone, Debug)]
struct VariableDef {
    ty: Ty,
    name: Option<Symbol>,
}

#[derive(Clone, Debug, Default)]
struct BlockState {
    /// Once the block is sealed, the number of its predecessors.
    sealed: Option<usize>,
    /// The block parameters that represent variables, as indices of `phis`, in order.
    phis: Vec<usize>,
}

fn state_of(blocks: &mut Vec<BlockState>, block: Block) -> &mut BlockState {
    if blocks.len() <= block.index() {
        blocks.resize_with(block.index() + 1, BlockState::default);
    }
    &mut blocks[block.index()]
}

/// A block parameter that represents a variable.
#[derive(Clone, Debug)]
struct Phi {
    var: Var,
    block: Block,
    variable: Variable,
    /// The argument from each predecessor; complete once the block is sealed.
    args: SmallVec<[(Block, Operand); 2]>,
}

impl SsaBuilder {
    /// Adds variables to a builder that has only the entry block.
    pub fn new(build: FuncBuilder) -> SsaBuilder {
        let entry = BlockState { sealed: Some(0), phis: Vec::new() };
        SsaBuilder {
            build,
            variables: Vec::new(),
            values: HashMap::new(),
            blocks: vec![entry],
            phis: Vec::new(),
        }
    }

    /// Declares a variable; the block parameters that represent it print with its name.
    pub fn declare_variable(&mut self, ty: Ty, name: Option<&str>) -> Variable {
        let variable = Variable(u32::try_from(self.variables.len()).expect("fewer than 2^32 variables"));
        self.variables.push(VariableDef { ty, name: name.map(Symbol::new) });
        variable
    }

    /// The type of a variable.
    pub fn variable_ty(&self, variable: Variable) -> Ty {
        self.variables[variable.0 as usize].ty
    }

    /// Assigns a value to the variable.
    ///
    /// # Errors
    /// If the value has another type or no block is open.
    pub fn write_variable(
        &mut self,
        variable: Variable,
        value: impl Into<Operand>,
    ) -> Result<(), BuildError> {
        let value = value.into();
        let (takes, got) = (self.variable_ty(variable), self.build.ty(&value)?);
        if takes != got {
            let callee = format!("the variable `{}`", self.label(variable));
            return Err(self.fault(TypeError::Returned { callee, returns: takes, declared: got }));
        }
        let block = self.open_block()?;
        self.values.insert((variable, block), value);
        Ok(())
    }

    /// The current value of the variable.
    ///
    /// If no path to here assigns the variable, the value is undefined, which is an error when the function
    /// is finished unless it is used only in unreachable blocks.
    ///
    /// # Errors
    /// If no block is open.
    pub fn read_variable(&mut self, variable: Variable) -> Result<Operand, BuildError> {
        let block = self.open_block()?;
        let mut unfilled = Vec::new();
        let value = self.look_up(variable, block, &mut unfilled);
        self.fill(unfilled);
        Ok(value)
    }

    /// Whether every known path to here assigns the variable.
    pub fn is_assigned(&self, variable: Variable) -> bool {
        let mut seen: HashSet<Block> = HashSet::new();
        let mut todo: Vec<Block> = self.build.current().into_iter().collect();
        while let Some(block) = todo.pop() {
            if self.values.contains_key(&(variable, block)) || !seen.insert(block) {
                continue;
            }
            let preds = self.build.preds(block);
            if preds.is_empty() {
                return false;
            }
            todo.extend(preds);
        }
        !seen.is_empty() || self.build.current().is_some()
    }

    /// The constant value of an operand, if it is the same on every known path to here; block parameters are
    /// resolved.
    pub fn known_constant(&self, operand: &Operand) -> Option<Const> {
        let mut known: Option<Const> = None;
        let mut seen: Vec<Var> = Vec::new();
        let mut todo = vec![operand.clone()];
        while let Some(operand) = todo.pop() {
            let var = match operand {
                Operand::Const(constant) => {
                    if known.as_ref().is_some_and(|known| *known != constant) {
                        return None;
                    }
                    known = Some(constant);
                    continue;
                }
                Operand::Var(var) => var,
            };
            if seen.contains(&var) {
                continue;
            }
            seen.push(var);
            let phi = self.phis.iter().rev().find(|phi| phi.var == var)?;
            if !self.is_sealed(phi.block) {
                return None;
            }
            todo.extend(phi.args.iter().map(|(_, arg)| arg.clone()));
        }
        known
    }

    /// Continues in `block`, whose predecessors are all known, and seals it.
    ///
    /// If `block` has one predecessor that jumps to it, that predecessor continues and `block` stays empty.
    ///
    /// ```
    /// use overdub_context::ir::{FuncBuilder, Ty};
    /// use overdub_context::ssa::SsaBuilder;
    /// let mut build = SsaBuilder::new(FuncBuilder::new("one", Ty::f64()));
    /// let done = build.new_block();
    /// build.br(done, [] as [f64; 0])?;
    /// build.enter(done)?;
    /// build.ret(1.0)?;
    /// assert_eq!(build.finish()?.blocks.len(), 1);
    /// # Ok::<(), overdub_context::ir::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// If it has a terminator.
    pub fn enter(&mut self, block: Block) -> Result<(), BuildError> {
        let reads_nothing = self.blocks.get(block.index()).is_none_or(|state| state.phis.is_empty());
        if reads_nothing && self.build.current().is_none() && self.build.remove_jump_to(block).is_some() {
            return Ok(());
        }
        self.build.switch_to(block)?;
        self.seal_block(block);
        Ok(())
    }

    /// Declares that all branches to `block` have been appended; a later one is an error when the function is finished.
    pub fn seal_block(&mut self, block: Block) {
        let preds = self.build.preds(block).len();
        let state = state_of(&mut self.blocks, block);
        if state.sealed.is_none() {
            state.sealed = Some(preds);
            let phis = state.phis.clone();
            self.fill(phis);
        }
    }

    /// Whether the block is sealed.
    pub fn is_sealed(&self, block: Block) -> bool {
        self.blocks.get(block.index()).is_some_and(|state| state.sealed.is_some())
    }

    /// Finishes the function; blocks that are not sealed yet are sealed.
    ///
    /// # Errors
    /// As for [`FuncBuilder::finish`], and if a sealed block got another branch, or a variable is read that
    /// is not assigned on some path.
    pub fn finish(mut self) -> Result<Func, BuildError> {
        let mut open = Vec::new();
        for block in (0..).map(Block).take(self.build.func().blocks.len()) {
            let preds = self.build.preds(block).len();
            let state = state_of(&mut self.blocks, block);
            match state.sealed {
                None => {
                    state.sealed = Some(preds);
                    open.extend(state.phis.iter().rev());
                }
                Some(sealed) if sealed == preds => {}
                Some(_) => {
                    let label = self.build.func().block_label(block).to_string();
                    return Err(self.fault(BuildFault::Sealed(label)));
                }
            }
        }
        let reached = self.reached()?;
        Webs::new(&mut self).fill(open);
        self.phis.iter_mut().for_each(|phi| phi.args.retain(|(pred, _)| reached[pred.index()]));
        self.remove_trivial(&reached);
        self.add_block_params(&reached);
        self.build.finish()
    }

    fn open_block(&self) -> Result<Block, BuildError> {
        self.build.current().ok_or_else(|| self.fault(BuildFault::NoOpenBlock))
    }

    fn label(&self, variable: Variable) -> Symbol {
        self.variables[variable.0 as usize].name.unwrap_or_else(|| Symbol::new("_"))
    }

    /// The variable's value at the end of `block`; block parameters created on the way are added to
    /// `unfilled`.
    fn look_up(&mut self, variable: Variable, mut block: Block, unfilled: &mut Vec<usize>) -> Operand {
        let mut path = Vec::new();
        let value = loop {
            if let Some(value) = self.values.get(&(variable, block)) {
                break value.clone();
            }
            let sealed = self.is_sealed(block);
            match *self.build.preds(block) {
                [pred] if sealed && path.len() < self.build.func().blocks.len() => {
                    path.push(block);
                    block = pred;
                }
                // No predecessor, or a cycle without an entry: nothing assigns the variable.
                [] | [_] if sealed => break self.new_var(variable).into(),
                _ => break self.new_phi(variable, block, unfilled).into(),
            }
        };
        path.push(block);
        for block in path {
            self.values.insert((variable, block), value.clone());
        }
        value
    }

    fn new_phi(&mut self, variable: Variable, block: Block, unfilled: &mut Vec<usize>) -> Var {
        let var = self.new_var(variable);
        let index = self.phis.len();
        self.phis.push(Phi { var, block, variable, args: SmallVec::new() });
        let state = state_of(&mut self.blocks, block);
        state.phis.push(index);
        if state.sealed.is_some() {
            unfilled.push(index);
        }
        var
    }

    fn new_var(&mut self, variable: Variable) -> Var {
        let VariableDef { ty, name } = self.variables[variable.0 as usize];
        let var = self.build.new_var(ty);
        if let Some(name) = name {
            self.build.name_var(var, &name);
        }
        var
    }

    /// Fills in the arguments of these block parameters, and of those created in the process.
    fn fill(&mut self, mut unfilled: Vec<usize>) {
        while let Some(index) = unfilled.pop() {
            let Phi { block, variable, .. } = self.phis[index];
            for pred in SmallVec::<[Block; 2]>::from_slice(self.build.preds(block)) {
                let value = self.look_up(variable, pred, &mut unfilled);
                self.phis[index].args.push((pred, value));
            }
        }
    }

    fn reached(&self) -> Result<Vec<bool>, BuildError> {
        let mut reached = vec![false; self.build.func().blocks.len()];
        for block in reachable(&self.build.draft)? {
            reached[block.index()] = true;
        }
        Ok(reached)
    }

    /// Removes redundant block parameters until none is left.
    fn remove_trivial(&mut self, reached: &[bool]) {
        let by_var: HashMap<Var, usize> = self.phis.iter().map(|phi| phi.var).zip(0..).collect();
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); self.phis.len()];
        for (index, phi) in self.phis.iter().enumerate() {
            for (_, arg) in &phi.args {
                let arg = self.build.draft.resolve(arg.clone());
                if let Some(&used) = arg.var().and_then(|var| by_var.get(&var)) {
                    users[used].push(index);
                }
            }
        }
        let mut work: Vec<usize> =
            (0..self.phis.len()).filter(|&index| reached[self.phis[index].block.index()]).collect();
        let mut removed = vec![false; self.phis.len()];
        while let Some(index) = work.pop() {
            if removed[index] {
                continue;
            }
            if let Some(value) = self.only_value(index) {
                removed[index] = true;
                self.build.draft.replace(self.phis[index].var, value.clone());
                let of_removed = std::mem::take(&mut users[index]);
                work.extend(&of_removed);
                if let Some(&replacing_phi) = value.var().and_then(|var| by_var.get(&var)) {
                    users[replacing_phi].extend(of_removed);
                }
            }
        }
        for state in &mut self.blocks {
            state.phis.retain(|&index| !removed[index]);
        }
    }

    /// The only operand of a block parameter besides itself, if there is one.
    fn only_value(&mut self, index: usize) -> Option<Operand> {
        let itself = Operand::Var(self.phis[index].var);
        let mut only = None;
        for (_, arg) in &self.phis[index].args {
            let arg = self.build.draft.resolve(arg.clone());
            match &only {
                _ if arg == itself => {}
                Some(known) if *known != arg => return None,
                _ => only = Some(arg),
            }
        }
        only
    }

    /// Adds the remaining φs to the IR as block parameters and branch arguments.
    fn add_block_params(&mut self, reached: &[bool]) {
        for block in (0..).map(Block).take(reached.len()).filter(|block| reached[block.index()]) {
            let phis = self.blocks.get(block.index()).map_or(&[] as &[usize], |state| &state.phis);
            for &index in phis {
                let phi = &self.phis[index];
                let draft = &mut self.build.draft;
                draft.func.blocks[block.index()].params.push(phi.var);
                for (pred, arg) in &phi.args {
                    let terminator = &mut draft.func.blocks[pred.index()].terminator;
                    let targets = terminator.iter_mut().flat_map(|terminator| terminator.kind.targets_mut());
                    for target in targets.filter(|target| target.block == block) {
                        target.args.push(arg.clone());
                    }
                }
            }
        }
    }
}

impl Deref for SsaBuilder {
    type Target = FuncBuilder;

    fn deref(&self) -> &FuncBuilder {
        &self.build
    }
}

impl DerefMut for SsaBuilder {
    fn deref_mut(&mut self) -> &mut FuncBuilder {
        &mut self.build
    }
}
