//! Changing a function by copying it.
//!
//! Like IRTools' `Pipe`: the source is read instruction by instruction, and the instructions of the copy are
//! appended.
//!
//! - Variables and blocks of the source keep their ids during the copy, and their labels afterwards, so the
//!   results of an analysis of the source stay valid.
//! - An instruction that is not kept is absent from the copy. A remaining use of its result is an error when
//!   the copy is finished.
//! - Unreachable blocks are absent from the copy.

use std::ops::{Deref, DerefMut};

use hashbrown::HashMap;

use super::{
    Block, BlockBody, BuildError, Func, FuncBuilder, Inst, InstKind, Operand, TerminatorKind, Ty, Var,
};

/// Copies a function while changing it. It dereferences to the [`FuncBuilder`] of the copy.
#[derive(Clone, Debug)]
pub struct Rewriter<'f> {
    source: &'f Func,
    build: FuncBuilder,
    /// For source blocks that lose parameters: whether each parameter is kept.
    kept_params: HashMap<Block, Vec<bool>>,
    /// The points of the source by position, if they are carried over.
    points: HashMap<(Block, usize), Vec<usize>>,
}

/// The treatment of an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Edit {
    /// It is kept.
    Keep,
    /// It is removed, and its result is unused.
    Drop,
    /// It is removed, and this operand replaces its result.
    Replace(Operand),
}

impl<'f> Rewriter<'f> {
    /// Starts a copy of `source`; no block is open.
    pub fn new(source: &'f Func) -> Rewriter<'f> {
        Rewriter {
            source,
            build: FuncBuilder::over(source),
            kept_params: HashMap::new(),
            points: HashMap::new(),
        }
    }

    /// Copies `source`, treating each instruction as `edit` returns. Instructions that `edit` appends precede
    /// the instruction, at its source location; if `edit` ends the block, the rest of the block is omitted.
    ///
    /// # Errors
    /// If `edit` fails, and as for [`Rewriter::finish`].
    pub fn edit(
        source: &Func,
        mut edit: impl FnMut(&mut Rewriter<'_>, &Inst) -> Result<Edit, BuildError>,
    ) -> Result<Func, BuildError> {
        let mut rewriter = Rewriter::new(source);
        rewriter.keep_debug_info();
        for (block, body) in source.iter_blocks() {
            rewriter.begin(block)?;
            for (at, inst) in body.insts.iter().enumerate() {
                rewriter.keep_points(block, at);
                rewriter.set_span(inst.span);
                match edit(&mut rewriter, inst)? {
                    _ if rewriter.current().is_none() => break,
                    Edit::Keep => rewriter.keep(inst)?,
                    Edit::Drop => {}
                    Edit::Replace(operand) => rewriter.replace(inst.result, operand)?,
                }
            }
            if rewriter.current().is_some() {
                rewriter.keep_points(block, body.insts.len());
                rewriter.keep_terminator(block)?;
            }
        }
        rewriter.finish()
    }

    /// Begins to carry over the debug information of the source, if it has any: at each position in the
    /// source, [`Rewriter::keep_points`] carries over the points there.
    pub fn keep_debug_info(&mut self) {
        let Some(debug) = &self.source.debug else { return };
        self.build.with_debug_info();
        for variable in &debug.variables {
            self.build.source_variable(*variable);
        }
        for (number, point) in debug.points.iter().enumerate() {
            self.points.entry((point.block, point.at)).or_default().push(number);
        }
    }

    /// Carries over the points before an instruction of a source block, or before its terminator, to the
    /// current position of the copy.
    ///
    /// ```
    /// use overdub_context::Span;
    /// use overdub_context::ir::{FuncBuilder, PointKind, Rewriter, Ty};
    /// use overdub_context::ops;
    /// let mut build = FuncBuilder::new("f", Ty::f64());
    /// let x = build.param("x", Ty::f64());
    /// build.with_debug_info();
    /// let y = build.op(&ops::SIN, [x])?;
    /// build.point(Span::unknown(), PointKind::Statement, Vec::new());
    /// build.ret(y)?;
    /// let source = build.finish()?;
    /// let mut copy = Rewriter::new(&source);
    /// copy.keep_debug_info();
    /// for (block, body) in source.iter_blocks() {
    ///     copy.begin(block)?;
    ///     for (at, inst) in body.insts.iter().enumerate() {
    ///         copy.keep_points(block, at);
    ///         copy.op(&ops::COS, [x])?;
    ///         copy.keep(inst)?;
    ///     }
    ///     copy.keep_points(block, body.insts.len());
    ///     copy.keep_terminator(block)?;
    /// }
    /// let points = copy.finish()?.debug.unwrap().points;
    /// assert_eq!((points.len(), points[0].at), (1, 2));
    /// # Ok::<(), overdub_context::ir::BuildError>(())
    /// ```
    pub fn keep_points(&mut self, block: Block, at: usize) {
        let Some(debug) = &self.source.debug else { return };
        for number in self.points.get(&(block, at)).into_iter().flatten() {
            let point = &debug.points[*number];
            self.build.point(point.span, point.kind, point.live_vars.clone());
        }
    }

    /// The function being copied.
    pub fn source(&self) -> &'f Func {
        self.source
    }

    /// Continues in a block of the source, and returns the body of the block in the source.
    ///
    /// # Errors
    /// If the block has been ended.
    pub fn begin(&mut self, block: Block) -> Result<&'f BlockBody, BuildError> {
        self.build.switch_to(block)?;
        Ok(self.source.block(block))
    }

    /// Appends an instruction of the source.
    ///
    /// # Errors
    /// If no block is open.
    pub fn keep(&mut self, inst: &Inst) -> Result<(), BuildError> {
        self.build.set_span(inst.span);
        self.build.define(inst.result, inst.kind.clone())
    }

    /// Appends an instruction that defines a variable of the source instead of its original definition.
    ///
    /// # Errors
    /// If no block is open.
    pub fn define(&mut self, result: Var, kind: InstKind) -> Result<(), BuildError> {
        self.build.define(result, kind)
    }

    /// Appends an instruction of the source with a new result variable, so that the old one can be replaced
    /// by a value computed from it.
    ///
    /// # Errors
    /// If no block is open.
    pub fn keep_with_new_result(&mut self, inst: &Inst) -> Result<Var, BuildError> {
        self.build.set_span(inst.span);
        self.build.inst(inst.kind.clone(), self.source.ty(inst.result))
    }

    /// Ends the block like `block` in the source, without the arguments for dropped parameters.
    ///
    /// # Errors
    /// If no block is open, or the source block has no terminator.
    pub fn keep_terminator(&mut self, block: Block) -> Result<(), BuildError> {
        let Some(end) = &self.source.block(block).terminator else { return Ok(()) };
        self.build.set_span(end.span);
        let mut kind = end.kind.clone();
        self.drop_args(&mut kind);
        self.build.terminate(kind)
    }

    /// Changes the type of a variable of the source in the copy.
    pub fn retype(&mut self, var: Var, ty: Ty) {
        self.build.draft.func.vars[var.index()].ty = ty;
    }

    /// Drops the parameters of a source block for which `is_kept` is false, in the block and in the branches to it that
    /// are kept from now on.
    pub fn retain_params(&mut self, block: Block, mut is_kept: impl FnMut(Var) -> bool) {
        let kept: Vec<bool> = self.source.block(block).params.iter().map(|&param| is_kept(param)).collect();
        let mut which = kept.iter();
        self.build.draft.func.blocks[block.index()].params.retain(|_| *which.next().unwrap_or(&true));
        self.kept_params.insert(block, kept);
    }

    /// Appends a variable of the source, which is not otherwise defined in the copy, to the parameters of a
    /// block.
    pub fn restore_param(&mut self, block: Block, param: Var) {
        self.build.draft.func.blocks[block.index()].params.push(param);
    }

    /// Creates a block at the end of the current layout, for the second half of a block that is split.
    ///
    /// The open block has to be terminated; the remaining instructions of the source block go to the new one.
    pub fn split(&mut self) -> Block {
        let rest = self.build.new_block();
        self.build.lay_out(rest);
        rest
    }

    /// Finishes the copy.
    ///
    /// # Errors
    /// If something is used that was not kept, a block was not terminated, or a branch passes the wrong
    /// arguments.
    pub fn finish(self) -> Result<Func, BuildError> {
        self.build.finish()
    }

    fn drop_args(&self, kind: &mut TerminatorKind) {
        if self.kept_params.is_empty() {
            return;
        }
        for target in kind.targets_mut() {
            if let Some(kept) = self.kept_params.get(&target.block) {
                let mut which = kept.iter();
                target.args.retain(|_| *which.next().unwrap_or(&true));
            }
        }
    }
}

impl Deref for Rewriter<'_> {
    type Target = FuncBuilder;

    fn deref(&self) -> &FuncBuilder {
        &self.build
    }
}

impl DerefMut for Rewriter<'_> {
    fn deref_mut(&mut self) -> &mut FuncBuilder {
        &mut self.build
    }
}
