//! The pushforward: each instruction followed by its tangents, one for each direction.
//!
//! - PUSH1 a block has its own parameters, followed by the tangents of those that vary.

use hashbrown::HashMap;
use overdub_context::Symbol;
use overdub_context::analysis::Cfg;
use overdub_context::ir::{
    Block, Callee, Func, FuncBuilder, Inst, InstKind, Operand, Target, Terminator, TerminatorKind, Ty,
    TyKind, Var,
};
use overdub_context::ops;

use super::directions::{Directions, ForwardOutputs};
use super::zero_tangents::ZeroTangents;
use crate::Expr;
use crate::activity::{Activity, of_library};
use crate::cotangent::cotangent;
use crate::cotangent_sums::Helpers;
use crate::custom::TypedCall;
use crate::expr::{float_constant, is_finite_nonzero};
use crate::nd::called;
use crate::normalize_cfg::incoming;
use crate::rules::{Application, Factored, Library, Rule, Tangents, rule, same_op};
use crate::transform::reverse::{Cause, call_of, ty_of, tys_of, valued};

/// Decides the replacement of an active call: its name, and the type of its result and tangent.
type Callees<'c> = dyn FnMut(&TypedCall, Vec<bool>, &mut Helpers) -> Result<(Symbol, Ty), Cause> + 'c;

/// Builds the pushforward of a function.
pub(super) struct Pushforward<'i> {
    func: &'i Func,
    wrt: &'i [bool],
    directions: Directions,
    /// The direction whose tangents are visible to rules.
    direction: usize,
    activity: Activity,
    helpers: &'i mut Helpers,
    callees: &'i mut Callees<'i>,
    build: FuncBuilder,
    vars: Vec<Option<Operand>>,
    /// The tangents of each variable that has them, one for each direction.
    tangents: HashMap<Var, Vec<Operand>>,
    zeros: ZeroTangents,
    blocks: Vec<Block>,
}

impl<'i> Pushforward<'i> {
    pub(super) fn new(
        func: &'i Func,
        (wrt, directions): (&'i [bool], Directions),
        helpers: &'i mut Helpers,
        callees: &'i mut Callees<'i>,
    ) -> Pushforward<'i> {
        Pushforward {
            func,
            wrt,
            directions,
            direction: 0,
            activity: Activity::of(func, wrt, &incoming(func)),
            helpers,
            callees,
            build: FuncBuilder::new(func.name, Ty::unit()),
            vars: vec![None; func.vars.len()],
            tangents: HashMap::new(),
            zeros: ZeroTangents::default(),
            blocks: vec![Block::ENTRY; func.blocks.len()],
        }
    }

    /// Builds the function of this name.
    pub(super) fn all(mut self, name: Symbol) -> Result<Func, Cause> {
        let func = self.func;
        let ret = self.directions.returned(func.ret)?;
        self.build.set_name(name);
        self.build.set_ret(ret);
        self.build.set_func_span(func.span);
        for param in func.params() {
            let new = self.build.param(&func.var_label(*param).to_string(), func.ty(*param));
            self.vars[param.index()] = Some(new.into());
        }
        for (param, wrt) in func.params().iter().zip(self.wrt) {
            if *wrt {
                let name = format!("d{}", func.var_label(*param));
                let dty = cotangent(func.ty(*param))?;
                let tangents = (0..self.directions.count).map(|_| self.build.param(&name, dty).into());
                self.tangents.insert(*param, tangents.collect());
            }
        }
        self.zeros = ZeroTangents::of(func, &self.activity);
        let cfg = Cfg::new(func);
        for &block in cfg.reverse_postorder().iter().filter(|block| **block != Block::ENTRY) {
            self.declare(block)?;
        }
        for &block in cfg.reverse_postorder() {
            self.block(block)?;
        }
        Ok(self.build.finish()?)
    }

    /// Creates the zero tangents of a constant array (ZERO1).
    fn create_zero_tangents(&mut self, var: Var) -> Result<(), Cause> {
        if self.zeros.arrays.contains(&var) && !self.tangents.contains_key(&var) {
            let value = self.mapped(&var.into());
            let ty = self.func.ty(var);
            let zeros = if self.zeros.empty_stacks.contains(&var) {
                let dty = cotangent(ty)?;
                self.each(|this| Ok(this.build.op_as(&ops::STACK_NEW, [] as [Operand; 0], dty)?.into()))?
            } else {
                self.each(|this| this.helpers.zero(&mut this.build, &value, ty))?
            };
            self.tangents.insert(var, zeros);
        }
        Ok(())
    }

    /// Declares the parameters of a block (PUSH1).
    fn declare(&mut self, block: Block) -> Result<(), Cause> {
        let new = self.build.new_block();
        self.blocks[block.index()] = new;
        let params = &self.func.block(block).params;
        for param in params {
            let var = self.build.block_param(new, self.func.ty(*param));
            self.vars[param.index()] = Some(var.into());
        }
        for param in params.iter().filter(|param| self.activity.is_active(**param)) {
            let dty = cotangent(self.func.ty(*param))?;
            let tangents = (0..self.directions.count).map(|_| self.build.block_param(new, dty).into());
            self.tangents.insert(*param, tangents.collect());
        }
        Ok(())
    }

    fn block(&mut self, block: Block) -> Result<(), Cause> {
        let func = self.func;
        if block != Block::ENTRY {
            self.build.switch_to(self.blocks[block.index()])?;
        }
        for param in &func.block(block).params {
            self.create_zero_tangents(*param)?;
        }
        for inst in &func.block(block).insts {
            self.build.set_span(inst.span);
            self.activity.check(func, inst).map_err(|cause| cause.at(inst.span))?;
            self.inst(inst).map_err(|cause| cause.at(inst.span))?;
        }
        let end = func.block(block).terminator.as_ref().expect("V3: a verified block ends in a terminator");
        self.end(end)
    }

    fn end(&mut self, end: &Terminator) -> Result<(), Cause> {
        self.build.set_span(end.span);
        if let TerminatorKind::Ret(result) = &end.kind {
            let outputs = self.directions.outputs;
            let y = (outputs == ForwardOutputs::Both).then(|| self.mapped(result));
            let ret = self.func.ret;
            let tangents = self.each(|this| {
                let dy = this.tangent_of(result, ret)?;
                match outputs {
                    ForwardOutputs::Part(at) => {
                        Ok(this.build.op(&ops::FIELD, [dy, (at as i64).into()])?.into())
                    }
                    ForwardOutputs::Both | ForwardOutputs::Tangents => Ok(dy),
                }
            })?;
            let all = self.build.op(&ops::TUPLE, y.into_iter().chain(tangents).collect::<Vec<_>>())?;
            return Ok(self.build.ret(all)?);
        }
        let mut kind = end.kind.clone();
        if let Some(operand) = kind.operand_mut() {
            *operand = self.mapped(operand);
        }
        for target in kind.targets_mut() {
            let mut args: Vec<Operand> = target.args.iter().map(|arg| self.mapped(arg)).collect();
            for (param, arg) in self.func.block(target.block).params.iter().zip(&target.args) {
                if self.activity.is_active(*param) {
                    let ty = self.func.ty(*param);
                    args.extend(self.each(|this| this.tangent_of(arg, ty))?);
                }
            }
            *target = Target { block: self.blocks[target.block.index()], args };
        }
        Ok(self.build.terminate(kind)?)
    }

    fn inst(&mut self, inst: &Inst) -> Result<(), Cause> {
        let active = self.activity.is_active(inst.result);
        if let (true, InstKind::Call { callee, args }, None) =
            (active, &inst.kind, of_library(self.func, inst))
        {
            return self.call(inst.result, callee, args);
        }
        if let (true, InstKind::Op { op, args }) = (active, &inst.kind)
            && let Some(name) = called(op, &tys_of(self.func, args))
        {
            return self.call(inst.result, &Callee::Func(name), args);
        }
        let mut kind = inst.kind.clone();
        if let InstKind::Call { callee: Callee::Func(name), args } = &inst.kind
            && let Some(valued) = valued(self.func, *name, args, inst.result)
        {
            kind = valued;
        }
        kind.operands_mut().for_each(|operand| *operand = self.mapped(operand));
        let result = self.build.inst(kind, self.func.ty(inst.result))?;
        if let Some(name) = self.func.vars[inst.result.index()].name {
            self.build.name_var(result, &name);
        }
        self.vars[inst.result.index()] = Some(result.into());
        if active || self.zeros.remainders.contains(&inst.result) {
            let tangents = self.each(|this| this.tangent(inst, result.into()))?;
            self.tangents.insert(inst.result, tangents);
            return Ok(());
        }
        self.create_zero_tangents(inst.result)
    }

    fn call(&mut self, result: Var, callee: &Callee, args: &[Operand]) -> Result<(), Cause> {
        let Callee::Func(name) = callee else { return Err(Cause::Call) };
        let wrt: Vec<bool> = args.iter().map(|arg| self.activity.varies(arg)).collect();
        let called = call_of(self.func, *name, args, result);
        let (name, ret) = (self.callees)(&called, wrt.clone(), self.helpers)?;
        let mut all: Vec<Operand> = args.iter().map(|arg| self.mapped(arg)).collect();
        for (arg, _) in args.iter().zip(wrt).filter(|(_, wrt)| *wrt) {
            let ty = self.ty(arg);
            all.extend(self.each(|this| this.tangent_of(arg, ty))?);
        }
        let returned = self.build.call(name, all, ret)?;
        let y = self.build.op(&ops::FIELD, [Operand::from(returned), 0_i64.into()])?;
        self.vars[result.index()] = Some(y.into());
        let tangents = self.each(|this| {
            let at = this.direction as i64 + 1;
            Ok(this.build.op(&ops::FIELD, [Operand::from(returned), at.into()])?.into())
        })?;
        self.tangents.insert(result, tangents);
        Ok(())
    }

    /// Computes something for each direction.
    fn each(
        &mut self,
        mut emit: impl FnMut(&mut Self) -> Result<Operand, Cause>,
    ) -> Result<Vec<Operand>, Cause> {
        let all = (0..self.directions.count).map(|direction| {
            self.direction = direction;
            emit(self)
        });
        all.collect()
    }

    fn tangent(&mut self, inst: &Inst, y: Operand) -> Result<Operand, Cause> {
        let (InstKind::Op { args, .. } | InstKind::Call { args, .. }) = &inst.kind else {
            return Err(Cause::Call);
        };
        if let Some(library) = of_library(self.func, inst) {
            return self.by_formulas(library, args, &y);
        }
        let InstKind::Op { op, .. } = &inst.kind else { return Err(Cause::Call) };
        let dty = cotangent(self.func.ty(inst.result))?;
        let of = Application { op, args, y: inst.result, dty };
        let on_floats = args.iter().all(|arg| !matches!(self.ty(arg).kind(), TyKind::Array(_)));
        match rule(op) {
            Some(Rule::Partials(partials)) if on_floats => {
                self.combined(args, &y, partials.factored(args.len()))
            }
            Some(Rule::Partials(partials)) if partials.is_linear() => same_op(self, &of),
            Some(Rule::Parts(parts)) if on_floats => {
                let symbols: Vec<Expr> = (0..args.len()).map(Expr::operand).collect();
                let mut tangents = Vec::new();
                for (k, part) in (0_i64..).zip(parts(&symbols)) {
                    let y = self.build.op(&ops::FIELD, [y.clone(), k.into()])?;
                    let partials = Factored { common: None, rest: part.partials };
                    tangents.push(self.combined(args, &y.into(), partials)?);
                }
                Ok(self.build.op(&ops::TUPLE, tangents)?.into())
            }
            Some(Rule::Cast) => {
                let ty = self.ty(&args[0]);
                let dx = self.tangent_of(&args[0], ty)?;
                Ok(self.build.op_as(&ops::CAST, [dx], dty)?.into())
            }
            Some(Rule::Moves(moves)) => moves.push(self, &of),
            Some(Rule::ArrayOp(array_rule)) => match array_rule.moves() {
                Some(moves) => moves.push(self, &of),
                None => Err(Cause::NoRule(op.name)),
            },
            _ => Err(Cause::NoRule(op.name)),
        }
    }

    /// The tangent of the result of a library function.
    fn by_formulas(&mut self, library: Library, args: &[Operand], y: &Operand) -> Result<Operand, Cause> {
        let mut tangents = Vec::new();
        for component in library.components() {
            tangents.push(match component.partials() {
                Some(partials) => {
                    let part = component.of(&mut self.build, y)?;
                    self.combined(args, &part, partials.factored(args.len()))?
                }
                None => component.zero_tangent(),
            });
        }
        Ok(library.joined(&mut self.build, tangents)?)
    }

    /// The sum of tangents times partial derivatives; a zero tangent contributes zero (AD3).
    fn combined(&mut self, args: &[Operand], y: &Operand, partials: Factored) -> Result<Operand, Cause> {
        let tys: Vec<Ty> = args.iter().map(|arg| self.ty(arg)).collect();
        let is_float = |ty: &Ty| matches!(ty.kind(), TyKind::Float(_));
        let float = tys.iter().copied().find(is_float).unwrap_or(Ty::f64());
        let numbers: Vec<Operand> = args.iter().map(|arg| self.mapped(arg)).collect();
        let mut sum: Option<Operand> = None;
        for (arg, partial) in args.iter().zip(&partials.rest) {
            let Some(dx) = self.varied(arg) else { continue };
            let part = match partial.as_float() {
                Some(0.0) => continue,
                Some(1.0) => dx,
                Some(-1.0) => self.build.op(&ops::NEG, [dx])?.into(),
                _ => {
                    let factor = partial.emit(&mut self.build, &numbers, y, float)?;
                    self.product(dx, factor)?
                }
            };
            sum = Some(match sum {
                Some(sum) => self.build.op(&ops::ADD, [sum, part])?.into(),
                None => part,
            });
        }
        match (sum, partials.common) {
            // ROW3
            (Some(sum), Some(common)) => {
                let factor = common.emit(&mut self.build, &numbers, y, float)?;
                self.product(sum, factor)
            }
            (sum, _) => Ok(sum.unwrap_or_else(|| float_constant(0.0, float))),
        }
    }

    fn product(&mut self, dx: Operand, factor: Operand) -> Result<Operand, Cause> {
        let op = if is_finite_nonzero(&factor) { &ops::MUL } else { &ops::MUL_ZERO };
        Ok(self.build.op(op, [dx, factor])?.into())
    }

    fn ty(&self, operand: &Operand) -> Ty {
        ty_of(self.func, operand)
    }

    fn varied(&self, operand: &Operand) -> Option<Operand> {
        self.tangents.get(&operand.var()?).map(|tangents| tangents[self.direction].clone())
    }

    /// The tangent of an operand: zero if it is constant, unit if it holds no float.
    fn tangent_of(&mut self, operand: &Operand, ty: Ty) -> Result<Operand, Cause> {
        if cotangent(ty)? == Ty::unit() {
            return Ok(Operand::unit());
        }
        if let Some(tangent) = self.varied(operand) {
            return Ok(tangent);
        }
        let value = self.mapped(operand);
        self.helpers.zero(&mut self.build, &value, ty)
    }

    fn mapped(&self, operand: &Operand) -> Operand {
        match operand.var() {
            Some(var) => self.vars[var.index()].clone().expect("V1: a definition dominates its uses"),
            None => operand.clone(),
        }
    }
}

/// The part of the forward transformation that is visible to rules.
impl Tangents for Pushforward<'_> {
    fn build(&mut self) -> &mut FuncBuilder {
        &mut self.build
    }

    fn ty(&self, operand: &Operand) -> Ty {
        Pushforward::ty(self, operand)
    }

    fn primal(&self, operand: &Operand) -> Operand {
        self.mapped(operand)
    }

    fn varied(&self, operand: &Operand) -> Option<Operand> {
        Pushforward::varied(self, operand)
    }

    fn tangent(&mut self, operand: &Operand) -> Result<Operand, Cause> {
        self.tangent_of(operand, self.ty(operand))
    }
}
