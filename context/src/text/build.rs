//! Converts function syntax to functions: names to variables and blocks, operands to constants.

use hashbrown::{HashMap, HashSet};

use super::error::{ByteRange, Faults, ParseErrorKind};
use super::infer::infer;
use super::literal::Literals;
use super::syntax::{
    BlockSyntax, Broken, CalleeSyntax, FuncSyntax, InstBody, InstSyntax, Name, OperandSyntax, TargetSyntax,
    TerminatorBody, TerminatorSyntax, TypeKind, TypeSyntax,
};
use super::types::Types;
use crate::ir::{
    self, Block, BlockBody, Callee, Case, Const, Func, Inst, InstKind, Operand, Target, Terminator,
    TerminatorKind, Ty, Var, VarDef,
};
use crate::names::nearest;
use crate::ops::{self, OpDef};
use crate::{Span, Symbol};

/// The names that the functions of a text may refer to.
pub(super) struct ModuleNames<'a> {
    pub(super) types: &'a Types,
    /// The operations besides those of the engine.
    pub(super) ops: &'a [&'static OpDef],
    /// The return types of the functions of the text.
    pub(super) returns: &'a HashMap<Symbol, Ty>,
}

impl ModuleNames<'_> {
    fn op(&self, name: &str) -> Option<&'static OpDef> {
        self.ops.iter().copied().find(|op| op.name == name).or_else(|| ops::by_name(name))
    }

    fn op_names(&self) -> impl Iterator<Item = &'static str> {
        let builtin = ops::ALL.iter().copied().flatten();
        builtin.chain(self.ops).map(|op| op.name).chain(["const", "call", "overdub"])
    }
}

/// A variable of the function under construction.
pub(super) struct VarState {
    pub(super) name: Symbol,
    /// The type, once it is known.
    pub(super) ty: Option<Ty>,
    /// Whether the type has to be inferred from the instruction.
    pub(super) follows: bool,
    pub(super) at: ByteRange,
}

pub(super) struct FuncBuilder<'a, 't> {
    pub(super) scope: &'a ModuleNames<'a>,
    pub(super) faults: &'a mut Faults<'t>,
    pub(super) vars: Vec<VarState>,
    vars_by_name: HashMap<Symbol, Var>,
    blocks_by_name: HashMap<Symbol, (Block, ByteRange)>,
    broken_vars: HashSet<Symbol>,
    broken_blocks: HashSet<Symbol>,
}

/// A function whose spans are positions in the text, and the explicit spans in the text.
///
/// Faults of the verifier are reported as faults of the text, so they are detected before the explicit spans
/// are applied.
pub(super) struct TextFunc {
    pub(super) func: Func,
    /// The start of each block.
    labels: Vec<Span>,
    written: Vec<(ir::Position, Span)>,
}

impl TextFunc {
    /// The position in the text of a part of the function.
    pub(super) fn span(&self, place: ir::Position) -> Span {
        match place {
            ir::Position::Block(block) => self.labels.get(block.index()).copied().unwrap_or(self.func.span),
            ir::Position::Head | ir::Position::Inst(..) | ir::Position::Terminator(_) => {
                place.span(&self.func)
            }
        }
    }

    /// The function with the explicit spans applied.
    pub(super) fn finish(mut self) -> Func {
        for (place, span) in self.written {
            let slot = match place {
                ir::Position::Head | ir::Position::Block(_) => &mut self.func.span,
                ir::Position::Inst(block, i) => &mut self.func.blocks[block.index()].insts[i].span,
                ir::Position::Terminator(block) => match &mut self.func.blocks[block.index()].terminator {
                    Some(terminator) => &mut terminator.span,
                    None => continue,
                },
            };
            *slot = span;
        }
        self.func
    }
}

/// The function; if it is `None`, the faults state the reasons.
pub(super) fn func(
    syntax: &FuncSyntax<'_>,
    ret: Ty,
    scope: &ModuleNames<'_>,
    faults: &mut Faults<'_>,
) -> Option<TextFunc> {
    let mut builder = FuncBuilder {
        scope,
        faults,
        vars: Vec::new(),
        vars_by_name: HashMap::new(),
        blocks_by_name: HashMap::new(),
        broken_vars: HashSet::new(),
        broken_blocks: HashSet::new(),
    };
    for broken in &syntax.broken {
        match *broken {
            Broken::Var(name) => builder.broken_vars.insert(name),
            Broken::Block(name) => builder.broken_blocks.insert(name),
        };
    }
    builder.define_all(&syntax.blocks);
    let blocks: Vec<Option<BlockBody>> = syntax.blocks.iter().map(|block| builder.block(block)).collect();
    let blocks: Vec<BlockBody> = blocks.into_iter().collect::<Option<_>>()?;
    infer(&mut builder, &blocks);
    let vars = builder.vars.iter().map(|var| Some(VarDef { ty: var.ty?, name: Some(var.name) }));
    let vars = vars.collect::<Option<_>>()?;
    let span = builder.faults.source.span(syntax.name.at);
    let func = Func { name: syntax.name.node, ret, span, blocks, vars, debug: None };
    let label = |block: &BlockSyntax<'_>| {
        block.name.as_ref().map_or(span, |name| builder.faults.source.span(name.at))
    };
    let labels = syntax.blocks.iter().map(label).collect();
    Some(TextFunc { func, labels, written: written_spans(syntax) })
}

fn written_spans(func: &FuncSyntax<'_>) -> Vec<(ir::Position, Span)> {
    let mut written = Vec::new();
    let mut add = |place: ir::Position, span: &Option<Span>| written.extend(span.map(|span| (place, span)));
    add(ir::Position::Head, &func.span);
    for (block, body) in (0..).map(Block).zip(&func.blocks) {
        for (i, inst) in body.insts.iter().enumerate() {
            add(ir::Position::Inst(block, i), &inst.span);
        }
        if let Some(terminator) = &body.terminator {
            add(ir::Position::Terminator(block), &terminator.node.span);
        }
    }
    written
}

impl FuncBuilder<'_, '_> {
    /// Defines every variable and block, so that uses may precede definitions.
    fn define_all(&mut self, blocks: &[BlockSyntax<'_>]) {
        for (block, index) in blocks.iter().zip(0..) {
            if let Some(name) = &block.name {
                self.define_block(name, Block(index));
            }
            for (name, ty) in &block.params {
                let ty = self.scope.types.resolve(ty, self.faults);
                self.define(name, ty, false);
            }
            for inst in &block.insts {
                let follows = matches!(inst.ty.node, TypeKind::Infer);
                let ty = if follows { None } else { self.resolve(&inst.ty) };
                self.define(&inst.result, ty, follows);
            }
        }
    }

    fn resolve(&mut self, ty: &TypeSyntax) -> Option<Ty> {
        self.scope.types.resolve(ty, self.faults)
    }

    fn define(&mut self, name: &Name, ty: Option<Ty>, follows: bool) {
        let index = u32::try_from(self.vars.len()).unwrap_or(u32::MAX);
        if let Some(&known) = self.vars_by_name.get(&name.node) {
            let first = self.vars[known.index()].at;
            self.duplicate(name, format!("%{}", name.node), first);
        } else {
            self.vars_by_name.insert(name.node, Var(index));
        }
        self.vars.push(VarState { name: name.node, ty, follows, at: name.at });
    }

    fn define_block(&mut self, name: &Name, block: Block) {
        if let Some(&(_, first)) = self.blocks_by_name.get(&name.node) {
            self.duplicate(name, format!("^{}", name.node), first);
        } else {
            self.blocks_by_name.insert(name.node, (block, name.at));
        }
    }

    fn duplicate(&mut self, name: &Name, text: String, first: ByteRange) {
        let first = self.faults.source.span(first).line;
        self.faults.push(name.at, ParseErrorKind::Duplicate { name: text, first });
    }

    fn block(&mut self, syntax: &BlockSyntax<'_>) -> Option<BlockBody> {
        let params = syntax.params.iter().filter_map(|(name, _)| self.vars_by_name.get(&name.node).copied());
        let params = params.collect();
        let insts: Vec<Option<Inst>> = syntax.insts.iter().map(|inst| self.inst(inst)).collect();
        if syntax.terminator.is_none() && !syntax.broken {
            let label = syntax
                .name
                .as_ref()
                .map_or("before the first label".to_owned(), |n| format!("`^{}`", n.node));
            let help = "a block ends in `br`, `br_if`, `switch`, `ret` or `fail`".to_owned();
            self.faults.push_with_help(
                syntax.end.after(),
                ParseErrorKind::MissingTerminator(label),
                Some(help),
            );
        }
        let terminator = syntax.terminator.as_ref()?;
        let kind = self.terminator(&terminator.node);
        let span = self.faults.source.span(terminator.at);
        Some(BlockBody {
            name: syntax.name.as_ref().map(|name| name.node),
            params,
            insts: insts.into_iter().collect::<Option<_>>()?,
            terminator: Some(Terminator { kind: kind?, span }),
        })
    }

    fn inst(&mut self, syntax: &InstSyntax<'_>) -> Option<Inst> {
        let result = *self.vars_by_name.get(&syntax.result.node)?;
        let kind = match &syntax.body {
            InstBody::Const(literal) => {
                let expected = self.vars[result.index()].ty;
                if expected.is_none() && !self.vars[result.index()].follows {
                    return None;
                }
                let mut literals = Literals { types: self.scope.types, faults: self.faults };
                let (value, ty) = literals.value(literal, expected)?;
                self.vars[result.index()].ty = Some(ty);
                InstKind::Const(Const::new(value).expect("a literal is only data"))
            }
            InstBody::Op(name, args) => {
                let args = self.operands(args);
                InstKind::Op { op: self.op(name)?, args: args? }
            }
            InstBody::Call(callee, args) => {
                let callee = self.callee(callee);
                InstKind::Call { args: self.operands(args)?, callee: callee? }
            }
            InstBody::Overdub(callee, args) => {
                let callee = self.callee(callee);
                InstKind::Overdub { args: self.operands(args)?, callee: callee? }
            }
        };
        Some(Inst { result, kind, span: self.faults.source.span(syntax.at) })
    }

    fn op(&mut self, name: &Name) -> Option<&'static OpDef> {
        let op = self.scope.op(&name.node);
        if op.is_none() && !self.faults.is_full() {
            let help = if self.scope.returns.contains_key(&name.node) {
                Some(format!("a function is called as `call @{}(…)`", name.node))
            } else {
                nearest(&name.node, self.scope.op_names()).map(|near| format!("did you mean `{near}`?"))
            };
            self.faults.push_with_help(name.at, ParseErrorKind::UnknownOp(name.node.to_string()), help);
        }
        op
    }

    fn callee(&mut self, callee: &CalleeSyntax) -> Option<Callee> {
        Some(match callee {
            CalleeSyntax::Func(name) => Callee::Func(name.node),
            CalleeSyntax::Value(name) => Callee::Value(Operand::Var(self.var(name)?)),
        })
    }

    /// Resolves the operands, and reports the faults of each.
    fn operands(&mut self, operands: &[OperandSyntax<'_>]) -> Option<Vec<Operand>> {
        let operands: Vec<Option<Operand>> = operands.iter().map(|operand| self.operand(operand)).collect();
        operands.into_iter().collect()
    }

    fn operand(&mut self, operand: &OperandSyntax<'_>) -> Option<Operand> {
        let literal = match operand {
            OperandSyntax::Var(name) => return self.var(name).map(Operand::Var),
            OperandSyntax::Literal(literal) => literal,
        };
        let mut literals = Literals { types: self.scope.types, faults: self.faults };
        let (value, _) = literals.value(literal, None)?;
        Some(Operand::Const(Const::new(value).expect("a literal is only data")))
    }

    fn var(&mut self, name: &Name) -> Option<Var> {
        let var = self.vars_by_name.get(&name.node).copied();
        if var.is_none() && !self.faults.is_full() && !self.broken_vars.contains(&name.node) {
            let names = self.vars.iter().map(|var| var.name.as_str());
            let help = nearest(&name.node, names).map(|near| format!("did you mean `%{near}`?"));
            let kind = ParseErrorKind::UndefinedValue(name.node.to_string());
            self.faults.push_with_help(name.at, kind, help);
        }
        var
    }

    fn terminator(&mut self, syntax: &TerminatorSyntax<'_>) -> Option<TerminatorKind> {
        Some(match &syntax.kind {
            TerminatorBody::Br(target) => TerminatorKind::Br(self.target(target)?),
            TerminatorBody::BrIf(cond, then, otherwise) => {
                let (cond, then) = (self.operand(cond), self.target(then));
                TerminatorKind::BrIf { otherwise: self.target(otherwise)?, cond: cond?, then: then? }
            }
            TerminatorBody::Switch(on, cases, otherwise) => {
                let on = self.operand(on);
                let cases: Vec<Option<Case>> = cases
                    .iter()
                    .map(|(value, target)| Some(Case { value: *value, target: self.target(target)? }))
                    .collect();
                let otherwise = match otherwise {
                    Some(target) => Some(self.target(target)?),
                    None => None,
                };
                TerminatorKind::Switch {
                    on: on?,
                    cases: cases.into_iter().collect::<Option<_>>()?,
                    otherwise,
                }
            }
            TerminatorBody::Ret(operand) => TerminatorKind::Ret(self.operand(operand)?),
            TerminatorBody::Fail(operand) => TerminatorKind::Fail(self.operand(operand)?),
        })
    }

    fn target(&mut self, target: &TargetSyntax<'_>) -> Option<Target> {
        let args = self.operands(&target.args);
        let name = &target.block;
        let block = self.blocks_by_name.get(&name.node).map(|&(block, _)| block);
        if block.is_none() && !self.faults.is_full() && !self.broken_blocks.contains(&name.node) {
            let mut names: Vec<&str> = self.blocks_by_name.keys().map(|name| name.as_str()).collect();
            names.sort_unstable();
            let help = nearest(&name.node, names).map(|near| format!("did you mean `^{near}`?"));
            let kind = ParseErrorKind::UndefinedBlock(name.node.to_string());
            self.faults.push_with_help(name.at, kind, help);
        }
        Some(Target { block: block?, args: args? })
    }
}
