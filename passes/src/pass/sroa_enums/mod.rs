//! Scalar replacement of enums: a block parameter of enum type becomes a tag and the fields of all variants.
//!
//! ```text
//!   %s: Option<f64> = variant 1, %x                br ^loop(1, %x)
//!   br ^loop(%s)                                 ^loop(%0: i64, %1: f64):
//! ^loop(%o: Option<f64>):                  →       switch %0, 1: ^some, else ^none
//!   switch %o, 1: ^some, else ^none              ^some:
//! ^some:                                           %m: Option<f64> = variant 1, %1
//!   %y: f64 = payload %o, 1, 0                     %y: f64 = payload %m, 1, 0
//!   …                                              …
//!   br_if %c, ^loop(%o), ^loop(%n)                 br_if %c, ^loop(1, %1), ^loop(0, 0.0)
//! ```
//!
//! - SROAE1 a parameter is split if each argument has a known variant or is also split, and if the variant is
//!   known at every use other than of its tag.
//! - SROAE2 the fields of the other variants are passed as zeros and empty arrays, which are never read.

mod placeholders;

use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::HashMap;
use overdub_context::Span;
use overdub_context::ir::{
    Block, Inst, InstKind, Operand, Target, Terminator, TerminatorKind, Ty, TyKind, Var, VariantTy,
};
use overdub_context::ops;

use self::placeholders::Placeholders;
use crate::support::branch_target::known_switch_value;
use crate::support::scope::Scope;
use overdub_context::analysis::{Defs, for_each_use};
use overdub_context::edit::CfgAnalyses;
use overdub_context::edit::FuncEditor;

/// The largest number of fields, over all variants, of an enum that is split.
const MAX_FIELDS: usize = 16;

/// Splits enum parameters.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let mut split = candidates(editor);
    if split.is_empty() {
        return false;
    }
    let variants = VariantAnalysis::of(editor);
    loop {
        let unsplit = split.keys().copied().filter(|var| !variants.can_split(editor, &split, *var));
        let unsplit: Vec<Var> = unsplit.collect();
        if unsplit.is_empty() {
            break;
        }
        split.retain(|var, _| !unsplit.contains(var));
    }
    if split.is_empty() {
        return false;
    }
    let mut splitter = Splitter { variants, split: BTreeMap::new(), placeholders: Placeholders::default() };
    for (&var, fields) in &split {
        splitter.split.insert(var, SplitParam::new(editor, fields));
    }
    // The analysis describes the unchanged function: all blocks are rewritten before the first one is replaced.
    let has_split = |block: &Block| is_affected(editor, &split, *block);
    let blocks: Vec<Block> = editor.blocks().into_iter().filter(has_split).collect();
    let rewritten: Vec<_> = blocks.iter().map(|&block| splitter.rewrite(editor, block)).collect();
    for (block, (insts, end)) in blocks.into_iter().zip(rewritten) {
        splitter.params(editor, block);
        let body = editor.body(block);
        (body.insts, body.terminator) = (insts, Some(end));
    }
    editor.body(Block::ENTRY).insts.splice(0..0, splitter.placeholders.insts);
    editor.apply_replacements();
    true
}

type Variants = &'static [VariantTy];

/// Whether a block has, uses or passes a split parameter.
fn is_affected(editor: &FuncEditor<'_>, split: &BTreeMap<Var, Variants>, block: Block) -> bool {
    let has = |block: Block| editor.func.block(block).params.iter().any(|param| split.contains_key(param));
    let mut uses = false;
    for_each_use(editor.func.block(block), |var| uses |= split.contains_key(&var));
    uses || has(block) || editor.terminator(block).kind.targets().any(|target| has(target.block))
}

/// The parameters whose types allow a split, with the variants of the enum.
fn candidates(editor: &FuncEditor<'_>) -> BTreeMap<Var, Variants> {
    let blocks =
        editor.func.blocks.iter().enumerate().filter(|(k, body)| *k > 0 && body.terminator.is_some());
    blocks
        .flat_map(|(_, body)| &body.params)
        .filter_map(|&param| {
            let TyKind::Enum(nominal) = editor.func.ty(param).kind() else { return None };
            let variants = nominal.variants()?;
            let fields = || variants.iter().flat_map(|variant| &variant.fields);
            let fits = fields().count() <= MAX_FIELDS && fields().all(|field| Placeholders::have(field.ty));
            fits.then_some((param, variants))
        })
        .collect()
}

/// The points where the variants of enums are known, and the uses of enums.
struct VariantAnalysis {
    defs: Defs,
    analyses: Arc<CfgAnalyses>,
    /// The blocks in which, and in all blocks that they dominate, a variable has a known variant.
    arms: HashMap<Var, Vec<(Block, i128)>>,
    /// The arguments for each parameter, with the block that passes them.
    args_of: HashMap<Var, Vec<(Block, Operand)>>,
    /// The blocks that use a variable other than by its tag.
    reads: HashMap<Var, Vec<Block>>,
    /// The parameters to which a variable is passed, with the block that passes it.
    passed_to: HashMap<Var, Vec<(Block, Var)>>,
}

impl VariantAnalysis {
    fn of(editor: &mut FuncEditor<'_>) -> VariantAnalysis {
        let mut known = VariantAnalysis {
            defs: Defs::of(&editor.func),
            analyses: editor.cfg_analyses(),
            arms: HashMap::new(),
            args_of: HashMap::new(),
            reads: HashMap::new(),
            passed_to: HashMap::new(),
        };
        for block in editor.blocks() {
            known.note_arms(editor, block);
            known.note_uses(editor, block);
        }
        known
    }

    /// Records the variants that a `switch` implies for its targets.
    fn note_arms(&mut self, editor: &FuncEditor<'_>, block: Block) {
        let kind = &editor.terminator(block).kind;
        let Some((composite, tags)) = self.tested(editor, kind) else { return };
        let arms: Vec<(Block, Option<i128>)> = kind.targets().map(|target| target.block).zip(tags).collect();
        // A block with another incoming edge implies nothing about the tag.
        let entered_once = |arm: Block| {
            self.analyses.cfg.preds(arm).len() == 1
                && arms.iter().filter(|(other, _)| *other == arm).count() == 1
        };
        let known = arms.iter().filter_map(|&(arm, tag)| Some((arm, tag.filter(|_| entered_once(arm))?)));
        self.arms.entry(composite).or_default().extend(known);
    }

    /// The enum whose variant a terminator tests, and for each of its targets the variant, if it is the only one.
    fn tested(&self, editor: &FuncEditor<'_>, kind: &TerminatorKind) -> Option<(Var, Vec<Option<i128>>)> {
        let TerminatorKind::Switch { on, cases, otherwise } = kind else { return None };
        let composite = self.tagged(editor, on)?;
        let TyKind::Enum(nominal) = editor.func.ty(composite).kind() else { return None };
        let all = 0..nominal.variants()?.len() as i128;
        let mut rest = all.filter(|tag| cases.iter().all(|case| case.value != *tag));
        let last = rest.next().filter(|_| rest.next().is_none());
        let tags = cases.iter().map(|case| Some(case.value)).chain(otherwise.iter().map(|_| last));
        Some((composite, tags.collect()))
    }

    /// The enum whose variant a `switch` on this operand tests.
    fn tagged(&self, editor: &FuncEditor<'_>, on: &Operand) -> Option<Var> {
        match self.defs.inst(&editor.func, on) {
            Some(InstKind::Op { op, args }) if **op == ops::TAG => args.first()?.var(),
            _ => on.var(),
        }
    }

    /// Records the uses of enums in a block.
    fn note_uses(&mut self, editor: &FuncEditor<'_>, block: Block) {
        let is_enum = |var: &Var| matches!(editor.func.ty(*var).kind(), TyKind::Enum(_));
        let body = editor.func.block(block);
        for inst in &body.insts {
            let reads_tag = matches!(&inst.kind, InstKind::Op { op, .. } if **op == ops::TAG);
            for var in inst.kind.operands().filter_map(Operand::var).filter(is_enum).filter(|_| !reads_tag) {
                self.reads.entry(var).or_default().push(block);
            }
        }
        let end = &editor.terminator(block).kind;
        if let TerminatorKind::Ret(operand) | TerminatorKind::Fail(operand) = end {
            let read = operand.var().filter(is_enum);
            read.into_iter().for_each(|var| self.reads.entry(var).or_default().push(block));
        }
        for target in end.targets() {
            let params = &editor.func.block(target.block).params;
            for (arg, &param) in target.args.iter().zip(params).filter(|(_, param)| is_enum(param)) {
                self.args_of.entry(param).or_default().push((block, arg.clone()));
                if let Some(var) = arg.var() {
                    self.passed_to.entry(var).or_default().push((block, param));
                }
            }
        }
    }

    /// The variant of an operand at the end of a block, if it is known.
    fn tag(&self, editor: &FuncEditor<'_>, operand: &Operand, block: Block) -> Option<i128> {
        known_switch_value(editor, &self.defs, operand).or_else(|| {
            let arms = self.arms.get(&operand.var()?)?;
            arms.iter()
                .find(|(arm, _)| self.analyses.dominators().dominates(*arm, block))
                .map(|(_, tag)| *tag)
        })
    }

    /// Whether a parameter can be split if those of `split` are (SROAE1).
    fn can_split(&self, editor: &FuncEditor<'_>, split: &BTreeMap<Var, Variants>, param: Var) -> bool {
        let is_split = |operand: &Operand| operand.var().is_some_and(|var| split.contains_key(&var));
        let none = Vec::new();
        let args = self.args_of.get(&param).unwrap_or(&none);
        let composite = Operand::Var(param);
        let is_known_at = |block: Block| self.tag(editor, &composite, block).is_some();
        args.iter().all(|(block, arg)| is_split(arg) || self.tag(editor, arg, *block).is_some())
            && self.reads.get(&param).is_none_or(|blocks| blocks.iter().all(|&block| is_known_at(block)))
            && self.passed_to.get(&param).is_none_or(|uses| {
                uses.iter().all(|&(block, to)| split.contains_key(&to) || is_known_at(block))
            })
    }
}

/// The parameters into which an enum parameter is split.
struct SplitParam {
    tag: Var,
    /// The fields of each variant.
    fields: Vec<Vec<Var>>,
}

impl SplitParam {
    fn new(editor: &mut FuncEditor<'_>, variants: Variants) -> SplitParam {
        let tag = editor.new_var(Ty::i64());
        let fields = variants
            .iter()
            .map(|variant| variant.fields.iter().map(|field| editor.new_var(field.ty)).collect())
            .collect();
        SplitParam { tag, fields }
    }

    fn all(&self) -> impl Iterator<Item = Var> {
        std::iter::once(self.tag).chain(self.fields.iter().flatten().copied())
    }
}

/// Rewrites blocks for split parameters.
struct Splitter {
    variants: VariantAnalysis,
    split: BTreeMap<Var, SplitParam>,
    placeholders: Placeholders,
}

impl Splitter {
    /// The instructions and the terminator of a block, with enums replaced by split parameters.
    fn rewrite(&mut self, editor: &mut FuncEditor<'_>, block: Block) -> (Vec<Inst>, Terminator) {
        let old = editor.func.block(block).insts.clone();
        let mut insts = Vec::with_capacity(old.len());
        // Each enum is reconstructed at most once in a block.
        let mut rebuilt: HashMap<Var, Operand> = HashMap::new();
        for mut inst in old {
            if let InstKind::Op { op, args } = &inst.kind
                && **op == ops::TAG
                && let Some(parts) = args.first().and_then(Operand::var).and_then(|var| self.split.get(&var))
            {
                editor.replace(inst.result, parts.tag.into());
                continue;
            }
            let span = inst.span;
            for operand in inst.kind.operands_mut() {
                self.reconstruct(editor, block, operand, &mut insts, &mut rebuilt, span);
            }
            insts.push(inst);
        }
        let mut end = editor.terminator(block).clone();
        if let TerminatorKind::Ret(operand) | TerminatorKind::Fail(operand) = &mut end.kind {
            self.reconstruct(editor, block, operand, &mut insts, &mut rebuilt, end.span);
        }
        self.switch(&mut end.kind);
        let tested = self.variants.tested(editor, &editor.terminator(block).kind);
        for (k, target) in end.kind.targets_mut().enumerate() {
            let is = tested.as_ref().and_then(|(var, tags)| Some((*var, tags[k]?)));
            self.edge(editor, block, (target, is), &mut insts, &mut rebuilt, end.span);
        }
        (insts, end)
    }

    /// Replaces a split enum by its known variant, reconstructed from the fields.
    fn reconstruct(
        &self,
        editor: &mut FuncEditor<'_>,
        block: Block,
        operand: &mut Operand,
        insts: &mut Vec<Inst>,
        rebuilt: &mut HashMap<Var, Operand>,
        span: Span,
    ) {
        let Some((var, parts)) = operand.var().and_then(|var| Some((var, self.split.get(&var)?))) else {
            return;
        };
        if let Some(known) = rebuilt.get(&var) {
            *operand = known.clone();
            return;
        }
        let tag = self
            .variants
            .tag(editor, operand, block)
            .expect("SROAE1: a use other than of the tag has a known variant");
        let fields = parts.fields[tag as usize].iter().map(|&part| part.into());
        let args = std::iter::once((tag as i64).into()).chain(fields).collect();
        let ty = editor.func.ty(var);
        *operand = editor.func.push_op(insts, &ops::VARIANT, args, ty, span).into();
        rebuilt.insert(var, operand.clone());
    }

    /// Turns a `switch` on a split enum into one on its tag.
    fn switch(&self, kind: &mut TerminatorKind) {
        let TerminatorKind::Switch { on, cases, otherwise } = kind else { return };
        if let Some(parts) = on.var().and_then(|var| self.split.get(&var)) {
            *on = parts.tag.into();
            if otherwise.is_none() {
                *otherwise = cases.pop().map(|case| case.target);
            }
        }
    }

    /// Passes tag and fields instead of enums; `is` is the enum whose variant is known on this edge.
    fn edge(
        &mut self,
        editor: &mut FuncEditor<'_>,
        block: Block,
        (target, is): (&mut Target, Option<(Var, i128)>),
        insts: &mut Vec<Inst>,
        rebuilt: &mut HashMap<Var, Operand>,
        span: Span,
    ) {
        let params = editor.func.block(target.block).params.clone();
        let mut args = Vec::with_capacity(target.args.len());
        for (mut arg, param) in std::mem::take(&mut target.args).into_iter().zip(params) {
            let Some(count) = self.split.get(&param).map(|parts| parts.fields.len()) else {
                self.reconstruct(editor, block, &mut arg, insts, rebuilt, span);
                args.push(arg);
                continue;
            };
            match self.variants.tag(editor, &arg, block) {
                None => {
                    let var = arg.var().expect("SROAE1: an argument of unknown variant is split, too");
                    let mut parts: Vec<Operand> = self.split[&var].all().map(Operand::Var).collect();
                    if let Some((_, tag)) = is.filter(|(tested, _)| *tested == var) {
                        parts[0] = (tag as i64).into();
                    }
                    args.append(&mut parts);
                }
                Some(tag) => {
                    self.reconstruct(editor, block, &mut arg, insts, rebuilt, span);
                    args.push((tag as i64).into());
                    for variant in 0..count {
                        let reads = (variant as i128 == tag).then_some(&arg);
                        self.fields(editor, param, variant, reads, insts, span, &mut args);
                    }
                }
            }
        }
        target.args = args;
    }

    /// Appends the fields of a variant: read from `whole` if the enum has this variant, placeholders otherwise (SROAE2).
    #[expect(clippy::too_many_arguments, reason = "what to read, and where to append it")]
    fn fields(
        &mut self,
        editor: &mut FuncEditor<'_>,
        param: Var,
        variant: usize,
        composite: Option<&Operand>,
        insts: &mut Vec<Inst>,
        span: Span,
        args: &mut Vec<Operand>,
    ) {
        let tys: Vec<Ty> =
            self.split[&param].fields[variant].iter().map(|&var| editor.func.ty(var)).collect();
        for (k, ty) in tys.into_iter().enumerate() {
            args.push(match composite {
                Some(composite) => {
                    let read = vec![composite.clone(), (variant as i64).into(), (k as i64).into()];
                    editor.func.push_op(insts, &ops::PAYLOAD, read, ty, span).into()
                }
                None => self.placeholders.of(editor, ty, span),
            });
        }
    }

    /// Replaces the enum parameters of a block by their tags and fields.
    fn params(&self, editor: &mut FuncEditor<'_>, block: Block) {
        let old = std::mem::take(&mut editor.body(block).params);
        for param in old {
            match self.split.get(&param) {
                Some(parts) => editor.body(block).params.extend(parts.all()),
                None => editor.body(block).params.push(param),
            }
        }
    }
}
