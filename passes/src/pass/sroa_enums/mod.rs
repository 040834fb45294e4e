//! Enums that blocks are handed fall apart into a tag and the parts of every variant.
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
//! - A parameter falls apart where the variant of all that it is handed is known, or what it is handed falls apart too,
//!   and where whoever reads it, besides its tag, knows the variant.
//! - In the place of the parts of other variants stand zeros and empty arrays, which nobody reads.

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
use crate::support::branch_target::switch_number;
use crate::support::cfg_analyses::CfgAnalyses;
use crate::support::func_editor::{Defs, FuncEditor, for_each_use};
use crate::support::scope::Scope;

/// Enums of more parts than this stay whole.
const MOST_PARTS: usize = 16;

/// Takes enums that blocks are handed apart.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let mut split = candidates(editor);
    if split.is_empty() {
        return false;
    }
    let known = Known::of(editor);
    loop {
        let whole = split.keys().copied().filter(|var| !known.falls_apart(editor, &split, *var));
        let whole: Vec<Var> = whole.collect();
        if whole.is_empty() {
            break;
        }
        split.retain(|var, _| !whole.contains(var));
    }
    if split.is_empty() {
        return false;
    }
    let mut apart = Apart { known, parts: BTreeMap::new(), placeholders: Placeholders::default() };
    for (&var, variants) in &split {
        apart.parts.insert(var, Parts::new(editor, variants));
    }
    // What is known of variants is looked up in the function as it is.
    let concerned = |block: &Block| is_concerned(editor, &split, *block);
    let blocks: Vec<Block> = editor.blocks().into_iter().filter(concerned).collect();
    let taken: Vec<_> = blocks.iter().map(|&block| apart.uses(editor, block)).collect();
    for (block, (insts, end)) in blocks.into_iter().zip(taken) {
        apart.params(editor, block);
        let body = editor.body(block);
        (body.insts, body.terminator) = (insts, Some(end));
    }
    editor.body(Block::ENTRY).insts.splice(0..0, apart.placeholders.insts);
    editor.carry_out();
    true
}

type Variants = &'static [VariantTy];

/// Whether a block has, uses or hands over what falls apart.
fn is_concerned(editor: &FuncEditor<'_>, split: &BTreeMap<Var, Variants>, block: Block) -> bool {
    let has = |block: Block| editor.func.block(block).params.iter().any(|param| split.contains_key(param));
    let mut uses = false;
    for_each_use(editor.func.block(block), |var| uses |= split.contains_key(&var));
    uses || has(block) || editor.end(block).kind.targets().any(|target| has(target.block))
}

/// The parameters whose types can fall apart.
fn candidates(editor: &FuncEditor<'_>) -> BTreeMap<Var, Variants> {
    let blocks =
        editor.func.blocks.iter().enumerate().filter(|(k, body)| *k > 0 && body.terminator.is_some());
    blocks
        .flat_map(|(_, body)| &body.params)
        .filter_map(|&param| {
            let TyKind::Enum(nominal) = editor.func.ty(param).kind() else { return None };
            let variants = nominal.variants()?;
            let fields = || variants.iter().flat_map(|variant| &variant.fields);
            let all = fields().count() <= MOST_PARTS && fields().all(|field| Placeholders::have(field.ty));
            all.then_some((param, variants))
        })
        .collect()
}

/// What is known of variants, and what reads and hands over which variable where.
struct Known {
    defs: Defs,
    analyses: Arc<CfgAnalyses>,
    /// Where a variable is known to be a variant: in these blocks and all that they dominate.
    arms: HashMap<Var, Vec<(Block, i128)>>,
    /// What parameters are handed, by which block.
    handed: HashMap<Var, Vec<(Block, Operand)>>,
    /// Where a variable is read by something that needs the whole of it.
    reads: HashMap<Var, Vec<Block>>,
    /// Which parameters a variable is handed to, where.
    handed_to: HashMap<Var, Vec<(Block, Var)>>,
}

impl Known {
    fn of(editor: &mut FuncEditor<'_>) -> Known {
        let mut known = Known {
            defs: Defs::of(&editor.func),
            analyses: editor.cfg_analyses(),
            arms: HashMap::new(),
            handed: HashMap::new(),
            reads: HashMap::new(),
            handed_to: HashMap::new(),
        };
        for block in editor.blocks() {
            known.note_arms(editor, block);
            known.note_uses(editor, block);
        }
        known
    }

    fn note_arms(&mut self, editor: &FuncEditor<'_>, block: Block) {
        let kind = &editor.end(block).kind;
        let Some((whole, tags)) = self.decided(editor, kind) else { return };
        let arms: Vec<(Block, Option<i128>)> = kind.targets().map(|target| target.block).zip(tags).collect();
        // Who can be entered in another way knows nothing.
        let entered_once = |arm: Block| {
            self.analyses.cfg.preds(arm).len() == 1
                && arms.iter().filter(|(other, _)| *other == arm).count() == 1
        };
        let sure = arms.iter().filter_map(|&(arm, tag)| Some((arm, tag.filter(|_| entered_once(arm))?)));
        self.arms.entry(whole).or_default().extend(sure);
    }

    /// The enum by whose variant a terminator decides, and the variant for each of its targets, if it is only one.
    fn decided(&self, editor: &FuncEditor<'_>, kind: &TerminatorKind) -> Option<(Var, Vec<Option<i128>>)> {
        let TerminatorKind::Switch { on, cases, otherwise } = kind else { return None };
        let whole = self.whose_tag(editor, on)?;
        let TyKind::Enum(nominal) = editor.func.ty(whole).kind() else { return None };
        let all = 0..nominal.variants()?.len() as i128;
        let mut rest = all.filter(|tag| cases.iter().all(|case| case.value != *tag));
        let last = rest.next().filter(|_| rest.next().is_none());
        let tags = cases.iter().map(|case| Some(case.value)).chain(otherwise.iter().map(|_| last));
        Some((whole, tags.collect()))
    }

    /// The enum by whose variant a `switch` on this operand decides.
    fn whose_tag(&self, editor: &FuncEditor<'_>, on: &Operand) -> Option<Var> {
        match self.defs.inst(&editor.func, on) {
            Some(InstKind::Op { op, args }) if **op == ops::TAG => args.first()?.var(),
            _ => on.var(),
        }
    }

    /// Notes what a block does with enums.
    fn note_uses(&mut self, editor: &FuncEditor<'_>, block: Block) {
        let is_enum = |var: &Var| matches!(editor.func.ty(*var).kind(), TyKind::Enum(_));
        let body = editor.func.block(block);
        for inst in &body.insts {
            let reads_tag = matches!(&inst.kind, InstKind::Op { op, .. } if **op == ops::TAG);
            for var in inst.kind.operands().filter_map(Operand::var).filter(is_enum).filter(|_| !reads_tag) {
                self.reads.entry(var).or_default().push(block);
            }
        }
        let end = &editor.end(block).kind;
        if let TerminatorKind::Ret(operand) | TerminatorKind::Fail(operand) = end {
            let read = operand.var().filter(is_enum);
            read.into_iter().for_each(|var| self.reads.entry(var).or_default().push(block));
        }
        for target in end.targets() {
            let params = &editor.func.block(target.block).params;
            for (arg, &param) in target.args.iter().zip(params).filter(|(_, param)| is_enum(param)) {
                self.handed.entry(param).or_default().push((block, arg.clone()));
                if let Some(var) = arg.var() {
                    self.handed_to.entry(var).or_default().push((block, param));
                }
            }
        }
    }

    /// The variant of an operand where a block ends, if it is known.
    fn tag(&self, editor: &FuncEditor<'_>, operand: &Operand, block: Block) -> Option<i128> {
        switch_number(editor, &self.defs, operand).or_else(|| {
            let arms = self.arms.get(&operand.var()?)?;
            arms.iter()
                .find(|(arm, _)| self.analyses.dominators().dominates(*arm, block))
                .map(|(_, tag)| *tag)
        })
    }

    /// Whether a parameter falls apart if those of `split` do.
    fn falls_apart(&self, editor: &FuncEditor<'_>, split: &BTreeMap<Var, Variants>, param: Var) -> bool {
        let is_split = |operand: &Operand| operand.var().is_some_and(|var| split.contains_key(&var));
        let none = Vec::new();
        let handed = self.handed.get(&param).unwrap_or(&none);
        let whole = Operand::Var(param);
        let is_known_at = |block: Block| self.tag(editor, &whole, block).is_some();
        handed.iter().all(|(block, arg)| is_split(arg) || self.tag(editor, arg, *block).is_some())
            && self.reads.get(&param).is_none_or(|blocks| blocks.iter().all(|&block| is_known_at(block)))
            && self.handed_to.get(&param).is_none_or(|ways| {
                ways.iter().all(|&(block, to)| split.contains_key(&to) || is_known_at(block))
            })
    }
}

/// What a parameter falls apart into.
struct Parts {
    tag: Var,
    /// Of each variant.
    fields: Vec<Vec<Var>>,
}

impl Parts {
    fn new(editor: &mut FuncEditor<'_>, variants: Variants) -> Parts {
        let tag = editor.new_var(Ty::i64());
        let fields = variants
            .iter()
            .map(|variant| variant.fields.iter().map(|field| editor.new_var(field.ty)).collect())
            .collect();
        Parts { tag, fields }
    }

    fn all(&self) -> impl Iterator<Item = Var> {
        std::iter::once(self.tag).chain(self.fields.iter().flatten().copied())
    }
}

/// The work of taking apart.
struct Apart {
    known: Known,
    parts: BTreeMap<Var, Parts>,
    placeholders: Placeholders,
}

impl Apart {
    /// What a block does with parts in the place of wholes.
    fn uses(&mut self, editor: &mut FuncEditor<'_>, block: Block) -> (Vec<Inst>, Terminator) {
        let old = editor.func.block(block).insts.clone();
        let mut insts = Vec::with_capacity(old.len());
        // A variant is made once in a block.
        let mut made: HashMap<Var, Operand> = HashMap::new();
        for mut inst in old {
            if let InstKind::Op { op, args } = &inst.kind
                && **op == ops::TAG
                && let Some(parts) = args.first().and_then(Operand::var).and_then(|var| self.parts.get(&var))
            {
                editor.replace(inst.result, parts.tag.into());
                continue;
            }
            let span = inst.span;
            for operand in inst.kind.operands_mut() {
                self.whole(editor, block, operand, &mut insts, &mut made, span);
            }
            insts.push(inst);
        }
        let mut end = editor.end(block).clone();
        if let TerminatorKind::Ret(operand) | TerminatorKind::Fail(operand) = &mut end.kind {
            self.whole(editor, block, operand, &mut insts, &mut made, end.span);
        }
        self.switch(&mut end.kind);
        let decided = self.known.decided(editor, &editor.end(block).kind);
        for (k, target) in end.kind.targets_mut().enumerate() {
            let is = decided.as_ref().and_then(|(var, tags)| Some((*var, tags[k]?)));
            self.edge(editor, block, (target, is), &mut insts, &mut made, end.span);
        }
        (insts, end)
    }

    /// Makes the variant that an operand is known to be here, of its parts.
    fn whole(
        &self,
        editor: &mut FuncEditor<'_>,
        block: Block,
        operand: &mut Operand,
        insts: &mut Vec<Inst>,
        made: &mut HashMap<Var, Operand>,
        span: Span,
    ) {
        let Some((var, parts)) = operand.var().and_then(|var| Some((var, self.parts.get(&var)?))) else {
            return;
        };
        if let Some(known) = made.get(&var) {
            *operand = known.clone();
            return;
        }
        let tag = self.known.tag(editor, operand, block).expect("who reads it knows the variant");
        let fields = parts.fields[tag as usize].iter().map(|&part| part.into());
        let args = std::iter::once((tag as i64).into()).chain(fields).collect();
        let ty = editor.func.ty(var);
        *operand = editor.op(insts, &ops::VARIANT, args, ty, span).into();
        made.insert(var, operand.clone());
    }

    /// A `switch` decides by the tag.
    fn switch(&self, kind: &mut TerminatorKind) {
        let TerminatorKind::Switch { on, cases, otherwise } = kind else { return };
        if let Some(parts) = on.var().and_then(|var| self.parts.get(&var)) {
            *on = parts.tag.into();
            if otherwise.is_none() {
                *otherwise = cases.pop().map(|case| case.target);
            }
        }
    }

    /// Hands parts over where a whole was; on the way to a target one variable may be known to be a variant.
    fn edge(
        &mut self,
        editor: &mut FuncEditor<'_>,
        block: Block,
        (target, is): (&mut Target, Option<(Var, i128)>),
        insts: &mut Vec<Inst>,
        made: &mut HashMap<Var, Operand>,
        span: Span,
    ) {
        let params = editor.func.block(target.block).params.clone();
        let mut args = Vec::with_capacity(target.args.len());
        for (mut arg, param) in std::mem::take(&mut target.args).into_iter().zip(params) {
            let Some(count) = self.parts.get(&param).map(|parts| parts.fields.len()) else {
                self.whole(editor, block, &mut arg, insts, made, span);
                args.push(arg);
                continue;
            };
            match self.known.tag(editor, &arg, block) {
                None => {
                    let var = arg.var().expect("it falls apart too");
                    let mut parts: Vec<Operand> = self.parts[&var].all().map(Operand::Var).collect();
                    if let Some((_, tag)) = is.filter(|(decided, _)| *decided == var) {
                        parts[0] = (tag as i64).into();
                    }
                    args.append(&mut parts);
                }
                Some(tag) => {
                    self.whole(editor, block, &mut arg, insts, made, span);
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

    /// The fields of a variant: read from what is one, else what stands in their place.
    #[expect(clippy::too_many_arguments, reason = "where to read, and where to put it")]
    fn fields(
        &mut self,
        editor: &mut FuncEditor<'_>,
        param: Var,
        variant: usize,
        whole: Option<&Operand>,
        insts: &mut Vec<Inst>,
        span: Span,
        args: &mut Vec<Operand>,
    ) {
        let tys: Vec<Ty> =
            self.parts[&param].fields[variant].iter().map(|&var| editor.func.ty(var)).collect();
        for (k, ty) in tys.into_iter().enumerate() {
            args.push(match whole {
                Some(whole) => {
                    let read = vec![whole.clone(), (variant as i64).into(), (k as i64).into()];
                    editor.op(insts, &ops::PAYLOAD, read, ty, span).into()
                }
                None => self.placeholders.of(editor, ty, span),
            });
        }
    }

    /// Gives a block the parts in the place of wholes.
    fn params(&self, editor: &mut FuncEditor<'_>, block: Block) {
        let old = std::mem::take(&mut editor.body(block).params);
        for param in old {
            match self.parts.get(&param) {
                Some(parts) => editor.body(block).params.extend(parts.all()),
                None => editor.body(block).params.push(param),
            }
        }
    }
}
