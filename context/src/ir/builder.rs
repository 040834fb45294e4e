//! Builds functions by appending.
//!
//! - Blocks are laid out in the order in which the builder first switches to them, the entry first.
//! - Types are checked as instructions are appended; branch arguments when the function is finished, since the
//!   parameters of a block may be added after a branch to it.
//! - [`FuncBuilder::finish`] removes unreachable blocks and makes names unique.

use smallvec::SmallVec;

use super::draft::Draft;
use super::typing::{self, TypeError};
use super::{
    Block, BlockBody, BuildError, BuildFault, Callee, Case, Const, Func, Inst, InstKind, Location, Operand,
    Point, PointKind, SourceVariable, Target, Terminator, TerminatorKind, Ty, Var, VarDef, finish,
};
use crate::ops::OpDef;
use crate::value::Value;
use crate::{Span, Symbol};

/// Builds a function by appending instructions to blocks.
///
/// ```
/// use overdub_context::ir::{FuncBuilder, Ty};
/// let mut build = FuncBuilder::new("zero", Ty::f64());
/// build.param("x", Ty::f64());
/// build.ret(0.0)?;
/// let func = build.finish()?;
/// assert_eq!(func.params().len(), 1);
/// # Ok::<(), overdub_context::ir::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FuncBuilder {
    pub(crate) draft: Draft,
    current: Option<Block>,
    span: Span,
}

impl FuncBuilder {
    /// Starts a function in its entry block.
    pub fn new(name: impl Into<Symbol>, ret: Ty) -> FuncBuilder {
        let func = Func {
            name: name.into(),
            ret,
            span: Span::unknown(),
            blocks: Vec::new(),
            vars: Vec::new(),
            debug: None,
        };
        let draft = Draft::over(&func);
        let mut build = FuncBuilder { draft, current: None, span: Span::unknown() };
        let entry = build.new_block();
        build.lay_out(entry);
        build.current = Some(entry);
        build
    }

    /// A builder with the variables and blocks of `source`, whose blocks have no instructions and are not
    /// open.
    pub(super) fn over(source: &Func) -> FuncBuilder {
        let draft = Draft::over(source);
        let mut build = FuncBuilder { draft, current: None, span: source.span };
        if !build.draft.laid_out.is_empty() {
            build.lay_out(Block::ENTRY);
        }
        build
    }

    /// The function under construction. Branches may lack arguments, and replacements are not applied.
    pub fn func(&self) -> &Func {
        &self.draft.func
    }

    /// Changes the return type.
    pub fn set_ret(&mut self, ret: Ty) {
        self.draft.func.ret = ret;
    }

    /// Sets the source location of the function.
    pub fn set_func_span(&mut self, span: Span) {
        self.draft.func.span = span;
    }

    /// Begins to collect debug information.
    pub fn with_debug_info(&mut self) {
        self.draft.func.debug.get_or_insert_default();
    }

    /// Adds a variable of the source to the debug information, if that is collected; returns its index.
    pub fn source_variable(&mut self, variable: SourceVariable) -> Option<usize> {
        let debug = self.draft.func.debug.as_mut()?;
        debug.variables.push(variable);
        Some(debug.variables.len() - 1)
    }

    /// Adds a point at the end of the open block to the debug information, if that is collected. Entries for
    /// variables that turn out to be undefined here are omitted.
    pub fn point(&mut self, span: Span, kind: PointKind, live_vars: Vec<(usize, Location)>) {
        let Some(block) = self.current else { return };
        let at = self.draft.func.blocks[block.index()].insts.len();
        if let Some(debug) = &mut self.draft.func.debug {
            debug.points.push(Point { block, at, span, kind, live_vars });
        }
    }

    /// Renames the function.
    pub fn set_name(&mut self, name: impl Into<Symbol>) {
        self.draft.func.name = name.into();
    }

    /// Inserts a parameter before all other parameters of the function.
    pub fn first_param(&mut self, name: &str, ty: Ty) -> Var {
        let var = self.new_var(ty);
        self.draft.func.blocks[Block::ENTRY.index()].params.insert(0, var);
        self.name_var(var, name);
        var
    }

    /// Sets the source location of subsequent instructions and terminators.
    pub fn set_span(&mut self, span: Span) {
        self.span = span;
    }

    /// The source location of the next instruction.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Appends a parameter of the function.
    pub fn param(&mut self, name: &str, ty: Ty) -> Var {
        let var = self.block_param(Block::ENTRY, ty);
        self.name_var(var, name);
        var
    }

    /// Creates a block without a name.
    pub fn new_block(&mut self) -> Block {
        let draft = &mut self.draft;
        let block = Block(u32::try_from(draft.func.blocks.len()).expect("fewer than 2^32 blocks"));
        let body = BlockBody { name: None, params: Vec::new(), insts: Vec::new(), terminator: None };
        draft.func.blocks.push(body);
        draft.laid_out.push(false);
        draft.preds.push(SmallVec::new());
        block
    }

    /// Creates a block with this printed name; a suffix distinguishes blocks of equal names.
    pub fn named_block(&mut self, name: &str) -> Block {
        let block = self.new_block();
        self.draft.func.blocks[block.index()].name = Some(Symbol::new(name));
        block
    }

    /// Appends a parameter to a block.
    pub fn block_param(&mut self, block: Block, ty: Ty) -> Var {
        let var = self.new_var(ty);
        self.draft.func.blocks[block.index()].params.push(var);
        var
    }

    /// Sets the printed name of a variable; a suffix distinguishes variables of equal names.
    pub fn name_var(&mut self, var: Var, name: &str) {
        self.draft.func.vars[var.index()].name = Some(Symbol::new(name));
    }

    /// Continues at the end of `block`, which has no terminator yet.
    ///
    /// # Errors
    /// If it has one.
    pub fn switch_to(&mut self, block: Block) -> Result<(), BuildError> {
        if self.draft.func.block(block).terminator.is_some() {
            return Err(self.fault(BuildFault::Terminated(self.func().block_label(block).to_string())));
        }
        self.lay_out(block);
        self.current = Some(block);
        Ok(())
    }

    /// The open block; none after a terminator.
    pub fn current(&self) -> Option<Block> {
        self.current
    }

    /// The type of an operand.
    ///
    /// # Errors
    /// If it is a constant that is no scalar.
    pub fn ty(&self, operand: &Operand) -> Result<Ty, BuildError> {
        typing::operand_ty(self.func(), operand).map_err(|error| self.fault(error))
    }

    /// Appends an operation; the operands determine the type of its result.
    ///
    /// # Errors
    /// If it does not take these operands.
    pub fn op(
        &mut self,
        op: &'static OpDef,
        args: impl IntoIterator<Item: Into<Operand>>,
    ) -> Result<Var, BuildError> {
        self.append_op(op, operands(args), None)
    }

    /// Appends an operation whose result is declared to have type `ty` (a cast, an empty array).
    ///
    /// # Errors
    /// If it does not accept these operands or produces another type.
    pub fn op_as(
        &mut self,
        op: &'static OpDef,
        args: impl IntoIterator<Item: Into<Operand>>,
        ty: Ty,
    ) -> Result<Var, BuildError> {
        self.append_op(op, operands(args), Some(ty))
    }

    fn append_op(
        &mut self,
        op: &'static OpDef,
        args: Vec<Operand>,
        declared: Option<Ty>,
    ) -> Result<Var, BuildError> {
        let ty = typing::op_ty(self.func(), op, &args, declared).map_err(|error| self.fault(error))?;
        self.inst(InstKind::Op { op, args }, ty)
    }

    /// Appends `call @callee(args)`, which returns `ret`.
    ///
    /// # Errors
    /// If an operand is a constant that is no scalar.
    pub fn call(
        &mut self,
        callee: impl Into<Symbol>,
        args: impl IntoIterator<Item: Into<Operand>>,
        ret: Ty,
    ) -> Result<Var, BuildError> {
        let (callee, args) = (Callee::Func(callee.into()), operands(args));
        self.check_call(&callee, &args, ret)?;
        self.inst(InstKind::Call { callee, args }, ret)
    }

    /// Appends `call %callee(args)`, a call of a closure or function value, which returns `ret`.
    ///
    /// # Errors
    /// If `callee` is neither, or is known to take or return something else.
    pub fn call_value(
        &mut self,
        callee: impl Into<Operand>,
        args: impl IntoIterator<Item: Into<Operand>>,
        ret: Ty,
    ) -> Result<Var, BuildError> {
        let (callee, args) = (Callee::Value(callee.into()), operands(args));
        self.check_call(&callee, &args, ret)?;
        self.inst(InstKind::Call { callee, args }, ret)
    }

    /// Appends an `overdub` call, which a context has to implement.
    ///
    /// # Errors
    /// As for [`FuncBuilder::call`] and [`FuncBuilder::call_value`].
    pub fn overdub(
        &mut self,
        callee: Callee,
        args: impl IntoIterator<Item: Into<Operand>>,
        ret: Ty,
    ) -> Result<Var, BuildError> {
        let args = operands(args);
        self.check_call(&callee, &args, ret)?;
        self.inst(InstKind::Overdub { callee, args }, ret)
    }

    /// A constant of type `ty`: an immediate if it is a scalar, otherwise a `const` instruction is appended.
    ///
    /// # Errors
    /// If it is not only data.
    pub fn constant(&mut self, value: Value<'static>, ty: Ty) -> Result<Operand, BuildError> {
        let text = format!("{value:?}");
        let Some(constant) = Const::new(value) else { return Err(self.fault(BuildFault::NotData(text))) };
        if constant.scalar_ty() == Some(ty) {
            return Ok(Operand::Const(constant));
        }
        self.inst(InstKind::Const(constant), ty).map(Operand::Var)
    }

    /// Appends an instruction whose result has type `ty` without checking types, for instructions that were checked
    /// before, such as those of another function.
    ///
    /// # Errors
    /// If no block is open.
    pub fn inst(&mut self, kind: InstKind, ty: Ty) -> Result<Var, BuildError> {
        let result = self.new_var(ty);
        self.define(result, kind)?;
        Ok(result)
    }

    /// Appends the instruction that defines `result`, a variable that has no definition yet.
    pub(super) fn define(&mut self, result: Var, kind: InstKind) -> Result<(), BuildError> {
        let block = self.current.ok_or_else(|| self.fault(BuildFault::NoOpenBlock))?;
        let inst = Inst { result, kind, span: self.span };
        self.draft.func.blocks[block.index()].insts.push(inst);
        Ok(())
    }

    /// Terminates the block with `br block(args)`.
    ///
    /// # Errors
    /// If no block is open.
    pub fn br(
        &mut self,
        block: Block,
        args: impl IntoIterator<Item: Into<Operand>>,
    ) -> Result<(), BuildError> {
        self.terminate(TerminatorKind::Br(Target::new(block, args)))
    }

    /// Terminates the block with `br_if cond, then, otherwise`.
    ///
    /// # Errors
    /// If `cond` is no bool or no block is open.
    pub fn br_if(
        &mut self,
        cond: impl Into<Operand>,
        then: Target,
        otherwise: Target,
    ) -> Result<(), BuildError> {
        self.terminate(TerminatorKind::BrIf { cond: cond.into(), then, otherwise })
    }

    /// Terminates the block with a `switch`.
    ///
    /// # Errors
    /// If `on` is neither integer, char nor enum, or no block is open.
    pub fn switch(
        &mut self,
        on: impl Into<Operand>,
        cases: Vec<Case>,
        otherwise: Option<Target>,
    ) -> Result<(), BuildError> {
        self.terminate(TerminatorKind::Switch { on: on.into(), cases, otherwise })
    }

    /// Terminates the block with `ret value`.
    ///
    /// # Errors
    /// If the function returns another type or no block is open.
    pub fn ret(&mut self, value: impl Into<Operand>) -> Result<(), BuildError> {
        self.terminate(TerminatorKind::Ret(value.into()))
    }

    /// Terminates the block with `fail message`.
    ///
    /// # Errors
    /// If `message` is no text or no block is open.
    pub fn fail(&mut self, message: impl Into<Operand>) -> Result<(), BuildError> {
        self.terminate(TerminatorKind::Fail(message.into()))
    }

    /// Terminates the block.
    ///
    /// # Errors
    /// If what it decides by has the wrong type or no block is open.
    pub fn terminate(&mut self, kind: TerminatorKind) -> Result<(), BuildError> {
        let block = self.current.ok_or_else(|| self.fault(BuildFault::NoOpenBlock))?;
        let terminator = Terminator { kind, span: self.span };
        typing::check_terminator(self.func(), &terminator).map_err(|error| self.fault(error))?;
        let blocks = self.draft.func.blocks.len();
        if let Some(target) = terminator.kind.targets().find(|target| target.block.index() >= blocks) {
            return Err(self.fault(BuildFault::Foreign(format!("{:?}", target.block))));
        }
        for target in terminator.kind.targets() {
            let preds = &mut self.draft.preds[target.block.index()];
            if !preds.contains(&block) {
                preds.push(block);
            }
        }
        self.draft.func.blocks[block.index()].terminator = Some(terminator);
        self.current = None;
        Ok(())
    }

    /// Replaces all uses of `var` by `operand`, before and after this point.
    ///
    /// # Errors
    /// If it has another type.
    pub fn replace(&mut self, var: Var, operand: impl Into<Operand>) -> Result<(), BuildError> {
        let operand = operand.into();
        let (takes, got) = (self.func().ty(var), self.ty(&operand)?);
        if takes != got {
            let callee = format!("`%{}`", self.func().var_label(var));
            return Err(self.fault(TypeError::Returned { callee, returns: takes, declared: got }));
        }
        self.draft.replace(var, operand);
        Ok(())
    }

    /// The current predecessors of `block`.
    pub fn preds(&self, block: Block) -> &[Block] {
        &self.draft.preds[block.index()]
    }

    /// Removes the jump to the empty block `block` from its only predecessor, which becomes open again.
    pub(crate) fn remove_jump_to(&mut self, block: Block) -> Option<Block> {
        let [pred] = *self.preds(block) else { return None };
        let body = self.draft.func.block(block);
        let is_fresh = body.insts.is_empty() && body.params.is_empty() && body.terminator.is_none();
        let jumps = matches!(
            self.draft.func.block(pred).terminator.as_ref().map(|end| &end.kind),
            Some(TerminatorKind::Br(target)) if target.args.is_empty()
        );
        if !is_fresh || !jumps || pred == block {
            return None;
        }
        self.draft.func.blocks[pred.index()].terminator = None;
        self.draft.preds[block.index()].clear();
        self.current = Some(pred);
        Some(pred)
    }

    /// The function, its blocks in the order in which they were filled, without the unreachable ones.
    ///
    /// # Errors
    /// If a block has no terminator or gets the wrong arguments, or a variable is not defined exactly once.
    pub fn finish(self) -> Result<Func, BuildError> {
        finish::finish(self.draft)
    }

    /// A variable without a definition.
    pub(crate) fn new_var(&mut self, ty: Ty) -> Var {
        let vars = &mut self.draft.func.vars;
        let var = Var(u32::try_from(vars.len()).expect("fewer than 2^32 variables"));
        vars.push(VarDef { ty, name: None });
        self.draft.replaced.push(None);
        var
    }

    pub(crate) fn fault(&self, cause: impl Into<BuildFault>) -> BuildError {
        BuildError::new(cause, self.func().name, self.span)
    }

    fn check_call(&self, callee: &Callee, args: &[Operand], ret: Ty) -> Result<(), BuildError> {
        typing::check_call(self.func(), callee, args, ret, &|_| None).map_err(|error| self.fault(error))
    }

    pub(super) fn lay_out(&mut self, block: Block) {
        if !std::mem::replace(&mut self.draft.laid_out[block.index()], true) {
            self.draft.layout.push(block);
        }
    }
}

impl Target {
    /// The target `block(args)`.
    pub fn new(block: Block, args: impl IntoIterator<Item: Into<Operand>>) -> Target {
        Target { block, args: operands(args) }
    }
}

impl From<Block> for Target {
    fn from(block: Block) -> Target {
        Target { block, args: Vec::new() }
    }
}

pub(super) fn operands(args: impl IntoIterator<Item: Into<Operand>>) -> Vec<Operand> {
    args.into_iter().map(Into::into).collect()
}
