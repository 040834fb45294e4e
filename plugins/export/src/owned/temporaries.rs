//! Names for the values that are only looked at (OWNED1, OWNED3).

use overdub_context::Symbol;
use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops;
use overdub_context::value::Value;

use crate::ast::{
    Apply, Arg, Callee, Expr, Function, Label, Local, LocalInfo, LoopKind, Stmt, StmtKind, Use,
};
use crate::ownership::{consumes, is_copied};

/// Names the temporaries of a function.
pub(super) fn name(function: &mut Function, refs: &dyn Fn(Symbol) -> Option<Vec<bool>>) {
    let body = std::mem::take(&mut function.body);
    let mut naming = Naming { locals: &mut function.locals, refs };
    function.body = naming.list(body);
}

struct Naming<'n> {
    locals: &'n mut Vec<LocalInfo>,
    refs: &'n dyn Fn(Symbol) -> Option<Vec<bool>>,
}

impl Naming<'_> {
    fn list(&mut self, list: Vec<Stmt>) -> Vec<Stmt> {
        let mut out = Vec::new();
        for stmt in list {
            self.stmt(stmt, &mut out);
        }
        out
    }

    fn stmt(&mut self, mut stmt: Stmt, out: &mut Vec<Stmt>) {
        for inner in stmt.lists_mut() {
            *inner = self.list(std::mem::take(inner));
        }
        let span = stmt.span;
        match &mut stmt.kind {
            StmtKind::Assign { targets, splits, value, declares } => {
                let is_ref = matches!(targets[..], [Some(target)] if !*splits && self.locals[target.0 as usize].is_ref);
                if is_ref {
                    self.borrowed(value, true, out);
                } else {
                    self.operand(value, true, out);
                }
                if let ([Some(target)], false, Expr::Apply(apply)) = (&targets[..], *splits, &value.expr)
                    && is_choice(apply)
                {
                    let target = *target;
                    if *declares {
                        out.push(Stmt { kind: StmtKind::Declare(target), span });
                    }
                    out.push(choice(apply, &|value| assign(target, value, false, span)));
                    return;
                }
                if *splits {
                    self.name_parts(targets, value, *declares, span, out);
                }
            }
            StmtKind::Update { apply, .. } => self.apply(apply, 1, out),
            StmtKind::Effect(expr) => {
                let ty = self.ty(expr);
                if let Expr::Apply(apply) = expr {
                    self.apply(apply, 0, out);
                }
                if !is_copied(ty) && !expr.is_place() {
                    let fresh = self.fresh(ty, false);
                    let value = Arg { expr: expr.clone(), how: Use::Move };
                    out.push(assign(fresh, value, true, span));
                    return;
                }
            }
            StmtKind::Slice { start, len, .. } => {
                for expr in [start, len] {
                    let mut arg = Arg::read(expr.clone());
                    self.operand(&mut arg, false, out);
                    *expr = arg.expr;
                }
            }
            // Sums are of floats, and room is a number, as is that of records; languages with temporaries copy no results.
            StmtKind::Sliced { .. }
            | StmtKind::Sum { .. }
            | StmtKind::MatrixProducts { .. }
            | StmtKind::Zero { .. }
            | StmtKind::Fit { .. }
            | StmtKind::ZeroFrom { .. }
            | StmtKind::StackArray { .. }
            | StmtKind::Reuse { .. }
            | StmtKind::Copy { .. }
            | StmtKind::Reserve { .. }
            | StmtKind::Records { .. }
            | StmtKind::DropRecords { .. } => {}
            StmtKind::If { cond, .. } => self.condition(cond, out),
            StmtKind::Switch { on: expr, .. } | StmtKind::Fail(expr) => {
                let mut arg = Arg::read(expr.clone());
                self.operand(&mut arg, false, out);
                *expr = arg.expr;
            }
            StmtKind::Loop { label, kind, body } => {
                if let LoopKind::While(cond) = kind {
                    let mut before = Vec::new();
                    let mut tested = cond.clone();
                    self.condition(&mut tested, &mut before);
                    if before.is_empty() {
                        *cond = tested;
                    } else {
                        let mut list = Vec::new();
                        self.tests(cond.clone(), *label, &mut list);
                        list.append(body);
                        *body = list;
                        *kind = LoopKind::Forever;
                    }
                } else if let LoopKind::For { from, to, .. } = kind {
                    self.condition(from, out);
                    self.condition(to, out);
                }
            }
            StmtKind::Return(value) => {
                self.operand(value, true, out);
                if let Expr::Apply(apply) = &value.expr
                    && is_choice(apply)
                {
                    out.push(choice(apply, &|value| Stmt { kind: StmtKind::Return(value), span }));
                    return;
                }
            }
            StmtKind::Declare(_)
            | StmtKind::Block { .. }
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Drop(_)
            | StmtKind::Clear(_) => {}
        }
        out.push(stmt);
    }

    /// Leaves a loop unless a condition holds, one operand of a conjunction after the other.
    fn tests(&mut self, cond: Expr, label: Label, out: &mut Vec<Stmt>) {
        if let Expr::Apply(apply) = &cond
            && apply.callee == Callee::Op(&ops::AND)
        {
            for arg in &apply.args {
                self.tests(arg.expr.clone(), label, out);
            }
            return;
        }
        let mut cond = cond;
        self.condition(&mut cond, out);
        let span = overdub_context::Span::unknown();
        let then = vec![Stmt { kind: StmtKind::Break(label), span }];
        let cond = crate::tidy::negated(cond);
        out.push(Stmt { kind: StmtKind::If { cond, then, otherwise: Vec::new() }, span });
    }

    /// A scalar.
    fn condition(&mut self, expr: &mut Expr, out: &mut Vec<Stmt>) {
        if let Expr::Apply(apply) = expr {
            self.apply(apply, 0, out);
        }
    }

    /// The operands of an operation or call, the first of which has this number.
    fn apply(&mut self, apply: &mut Apply, first: usize, out: &mut Vec<Stmt>) {
        let refs = match (apply.callee, apply.tys.first().map(|ty| ty.kind())) {
            (Callee::Func(name), _) => (self.refs)(name),
            (Callee::Value, Some(TyKind::Closure(closure))) => (self.refs)(closure.code).map(|refs| {
                std::iter::once(true).chain(refs[closure.captures.len()..].iter().copied()).collect()
            }),
            (Callee::Value, _) => Some(vec![true]),
            (Callee::Op(_), _) => None,
        };
        let callee = apply.callee;
        for (number, arg) in apply.args.iter_mut().enumerate() {
            let is_consumed = match callee {
                Callee::Op(op) => consumes(op, number + first),
                _ => refs.as_ref().and_then(|refs| refs.get(number)).is_none_or(|is_ref| !is_ref),
            };
            self.operand(arg, is_consumed, out);
        }
    }

    /// An operand that becomes part of a result, or is only looked at.
    fn operand(&mut self, arg: &mut Arg, is_consumed: bool, out: &mut Vec<Stmt>) {
        if !is_consumed {
            return self.borrowed(arg, false, out);
        }
        let ty = self.ty(&arg.expr);
        if let Expr::Apply(apply) = &mut arg.expr {
            self.apply(apply, 0, out);
        }
        if is_copied(ty) || matches!(arg.expr, Expr::Const(..)) {
            return;
        }
        match (arg.how, arg.expr.is_place()) {
            (Use::Read, true) => arg.how = Use::Clone,
            (Use::Read, false) => arg.how = Use::Move,
            // A new value is moved.
            (Use::Clone, false) => arg.how = Use::Move,
            _ => {}
        }
    }

    /// An operand that is looked at; a part of a vector has a name unless it is the whole of a statement.
    fn borrowed(&mut self, arg: &mut Arg, is_whole: bool, out: &mut Vec<Stmt>) {
        let ty = self.ty(&arg.expr);
        if let Expr::Apply(apply) = &mut arg.expr {
            self.apply(apply, 0, out);
        }
        if is_copied(ty) {
            return;
        }
        arg.how = Use::Read;
        let is_table = match &arg.expr {
            Expr::Const(constant, ty) => is_view(constant.value(), *ty),
            _ => false,
        };
        let is_slice =
            matches!(&arg.expr, Expr::Apply(apply) if apply.callee == Callee::Op(&ops::SLICE)) && !is_whole;
        let is_place = arg.expr.is_place();
        if is_table || is_place && !is_slice {
            return;
        }
        let span = match &arg.expr {
            Expr::Apply(apply) => apply.span,
            _ => overdub_context::Span::unknown(),
        };
        let fresh = self.fresh(ty, is_place);
        let how = if is_place { Use::Read } else { Use::Move };
        let expr = std::mem::replace(&mut arg.expr, Expr::Local(fresh));
        match &expr {
            Expr::Apply(apply) if is_choice(apply) => {
                out.push(Stmt { kind: StmtKind::Declare(fresh), span });
                out.push(choice(apply, &|value| assign(fresh, value, false, span)));
            }
            _ => out.push(assign(fresh, Arg { expr, how }, true, span)),
        }
    }

    /// A name for each part that owns memory and is not used.
    fn name_parts(
        &mut self,
        targets: &mut [Option<Local>],
        value: &Arg,
        declares: bool,
        span: overdub_context::Span,
        out: &mut Vec<Stmt>,
    ) {
        let Some(parts) = self.ty(&value.expr).parts(0) else { return };
        let parts: Vec<Ty> = parts.into_iter().collect();
        for (target, ty) in targets.iter_mut().zip(parts) {
            if target.is_none() && !is_copied(ty) {
                let fresh = self.fresh(ty, false);
                if !declares {
                    out.push(Stmt { kind: StmtKind::Declare(fresh), span });
                }
                *target = Some(fresh);
            }
        }
    }

    fn fresh(&mut self, ty: Ty, is_ref: bool) -> Local {
        self.locals.push(LocalInfo { ty, name: None, is_ref, is_mut: false });
        Local(self.locals.len() as u32 - 1)
    }

    fn ty(&self, expr: &Expr) -> Ty {
        match expr {
            Expr::Const(_, ty) => *ty,
            Expr::Local(local) => self.locals[local.0 as usize].ty,
            Expr::Apply(apply) => apply.ty,
        }
    }
}

/// Whether a constant is a text or an array of scalars, which needs no memory of its own to be looked at.
pub(crate) fn is_view(value: &Value<'_>, ty: Ty) -> bool {
    match (value, ty.kind()) {
        (Value::Str(_), _) => true,
        (Value::Array(_), TyKind::Array(array)) => {
            array.rank == 1 && (array.elem.is_number() || [Ty::bool(), Ty::char()].contains(&array.elem))
        }
        _ => false,
    }
}

/// Whether one of two values that own memory is selected.
fn is_choice(apply: &Apply) -> bool {
    apply.callee == Callee::Op(&ops::SELECT) && !is_copied(apply.ty)
}

/// The two branches of a choice between values.
fn choice(apply: &Apply, then: &dyn Fn(Arg) -> Stmt) -> Stmt {
    let span = apply.span;
    let branch = |number: usize| {
        let arg = &apply.args[number];
        match &arg.expr {
            Expr::Apply(inner) if is_choice(inner) => vec![choice(inner, then)],
            _ => vec![then(arg.clone())],
        }
    };
    let (then, otherwise) = (branch(1), branch(2));
    Stmt { kind: StmtKind::If { cond: apply.args[0].expr.clone(), then, otherwise }, span }
}

pub(super) fn assign(target: Local, value: Arg, declares: bool, span: overdub_context::Span) -> Stmt {
    Stmt { kind: StmtKind::Assign { targets: vec![Some(target)], splits: false, value, declares }, span }
}
