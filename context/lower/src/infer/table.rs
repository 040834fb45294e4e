//! The unification table: inference variables and their bindings, with snapshots and rollback.
//!
//! - UNIFY1 a variable is bound at most once between a snapshot and its rollback.
//! - UNIFY2 variables created after a snapshot are removed by its rollback, and must not occur in anything
//!   that outlives it.

use super::fold::{self, Folder};
use super::ty::*;
use crate::hir::Prim;

/// The variables of one inference.
#[derive(Default)]
pub(super) struct Table {
    any: Vec<Option<Ty>>,
    diverging: Vec<bool>,
    ints: Vec<Option<Ty>>,
    floats: Vec<Option<Ty>>,
    consts: Vec<Option<Const>>,
    log: Vec<Undo>,
}

#[derive(Clone, Copy)]
enum Undo {
    Ty(InferVar),
    Const(u32),
}

/// A state to roll back to.
#[derive(Clone, Copy)]
pub(super) struct Snapshot {
    log: usize,
    any: usize,
    ints: usize,
    floats: usize,
    consts: usize,
}

impl Table {
    pub(super) fn fresh(&mut self) -> Ty {
        self.any.push(None);
        self.diverging.push(false);
        Ty::new(TyKind::Infer(InferVar::Any(self.any.len() as u32 - 1)))
    }

    /// A variable for the type of a diverging expression: `()` if it is not otherwise determined.
    pub(super) fn fresh_diverging(&mut self) -> Ty {
        let ty = self.fresh();
        if let Some(last) = self.diverging.last_mut() {
            *last = true;
        }
        ty
    }

    pub(super) fn fresh_int(&mut self) -> Ty {
        self.ints.push(None);
        Ty::new(TyKind::Infer(InferVar::Int(self.ints.len() as u32 - 1)))
    }

    pub(super) fn fresh_float(&mut self) -> Ty {
        self.floats.push(None);
        Ty::new(TyKind::Infer(InferVar::Float(self.floats.len() as u32 - 1)))
    }

    pub(super) fn fresh_const(&mut self) -> Const {
        self.consts.push(None);
        Const::Infer(self.consts.len() as u32 - 1)
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot {
            log: self.log.len(),
            any: self.any.len(),
            ints: self.ints.len(),
            floats: self.floats.len(),
            consts: self.consts.len(),
        }
    }

    pub(super) fn rollback(&mut self, to: Snapshot) {
        while self.log.len() > to.log {
            match self.log.pop() {
                Some(Undo::Ty(var)) => *self.slot(var) = None,
                Some(Undo::Const(var)) => self.consts[var as usize] = None,
                None => break,
            }
        }
        self.any.truncate(to.any);
        self.diverging.truncate(to.any);
        self.ints.truncate(to.ints);
        self.floats.truncate(to.floats);
        self.consts.truncate(to.consts);
    }

    /// Whether no variable was bound since the snapshot.
    pub(super) fn unchanged_since(&self, snapshot: Snapshot) -> bool {
        self.log.len() == snapshot.log
    }

    fn slot(&mut self, var: InferVar) -> &mut Option<Ty> {
        match var {
            InferVar::Any(var) => &mut self.any[var as usize],
            InferVar::Int(var) => &mut self.ints[var as usize],
            InferVar::Float(var) => &mut self.floats[var as usize],
        }
    }

    fn value(&self, var: InferVar) -> Option<Ty> {
        match var {
            InferVar::Any(var) => self.any[var as usize],
            InferVar::Int(var) => self.ints[var as usize],
            InferVar::Float(var) => self.floats[var as usize],
        }
    }

    pub(super) fn bind(&mut self, var: InferVar, ty: Ty) {
        if let (InferVar::Any(from), TyKind::Infer(InferVar::Any(to))) = (var, ty.kind()) {
            // A variable unified with a diverging one gets the same fallback.
            if self.diverging[from as usize] {
                self.diverging[*to as usize] = true;
            }
        }
        *self.slot(var) = Some(ty);
        self.log.push(Undo::Ty(var));
    }

    pub(super) fn bind_const(&mut self, var: u32, value: Const) {
        self.consts[var as usize] = Some(value);
        self.log.push(Undo::Const(var));
    }

    /// The type, resolved if it is a bound variable; its parts may still be variables.
    pub(super) fn shallow(&self, ty: Ty) -> Ty {
        let mut ty = ty;
        while let TyKind::Infer(var) = ty.kind() {
            match self.value(*var) {
                Some(next) => ty = next,
                None => break,
            }
        }
        ty
    }

    pub(super) fn shallow_const(&self, value: Const) -> Const {
        let mut value = value;
        while let Const::Infer(var) = value {
            match self.consts[var as usize] {
                Some(next) => value = next,
                None => break,
            }
        }
        value
    }

    /// The type with all bound variables replaced.
    pub(super) fn resolve(&self, ty: Ty) -> Ty {
        if ty.is_open() { Resolver { table: self }.ty(ty) } else { ty }
    }

    pub(super) fn resolve_args(&self, args: &[Arg]) -> Box<[Arg]> {
        fold::args(args, &mut Resolver { table: self })
    }

    /// Arguments with their variables numbered in the order of occurrence.
    pub(super) fn canonical_args(&self, args: &[Arg]) -> Box<[Arg]> {
        fold::args(args, &mut Canonical { table: self, seen: vec![], consts: vec![] })
    }

    /// Whether the unbound variable occurs in the type.
    pub(super) fn occurs(&self, var: InferVar, ty: Ty) -> bool {
        if !ty.is_open() {
            return false;
        }
        let mut finder = Finder { table: self, var, found: false };
        finder.ty(ty);
        finder.found
    }

    /// Collects the unbound variables in a type, of any kind.
    pub(super) fn open_vars(&self, ty: Ty, into: &mut Vec<Ty>) {
        if ty.is_open() {
            Collector { table: self, into }.ty(ty);
        }
    }

    /// Binds unbound variables to their fallbacks: `i32`, `f64`, and `()` for diverging ones. Returns whether
    /// there were any.
    pub(super) fn fall_back_literals(&mut self) -> bool {
        let before = self.log.len();
        for var in 0..self.ints.len() {
            if self.ints[var].is_none() {
                self.bind(InferVar::Int(var as u32), Ty::prim(Prim::I32));
            }
        }
        for var in 0..self.floats.len() {
            if self.floats[var].is_none() {
                self.bind(InferVar::Float(var as u32), Ty::prim(Prim::F64));
            }
        }
        self.log.len() > before
    }

    /// Binds diverging variables to their fallback. Returns whether there were any.
    pub(super) fn fall_back_diverging(&mut self) -> bool {
        let before = self.log.len();
        for var in 0..self.any.len() {
            if self.any[var].is_none() && self.diverging[var] {
                self.bind(InferVar::Any(var as u32), Ty::unit());
            }
        }
        self.log.len() > before
    }
}

struct Resolver<'t> {
    table: &'t Table,
}

impl Folder for Resolver<'_> {
    fn touches(&self, ty: Ty) -> bool {
        ty.is_open()
    }

    fn ty(&mut self, ty: Ty) -> Ty {
        fold::walk(self.table.shallow(ty), self)
    }

    fn constant(&mut self, value: Const) -> Const {
        self.table.shallow_const(value)
    }
}

struct Canonical<'t> {
    table: &'t Table,
    seen: Vec<InferVar>,
    consts: Vec<u32>,
}

fn number<T: PartialEq>(seen: &mut Vec<T>, var: T) -> u32 {
    let at = seen.iter().position(|known| *known == var).unwrap_or_else(|| {
        seen.push(var);
        seen.len() - 1
    });
    at as u32
}

impl Folder for Canonical<'_> {
    fn touches(&self, ty: Ty) -> bool {
        ty.is_open()
    }

    fn ty(&mut self, ty: Ty) -> Ty {
        let ty = self.table.shallow(ty);
        let TyKind::Infer(var) = ty.kind() else { return fold::walk(ty, self) };
        let number = number(&mut self.seen, *var);
        Ty::new(TyKind::Infer(match var {
            InferVar::Any(_) => InferVar::Any(number),
            InferVar::Int(_) => InferVar::Int(number),
            InferVar::Float(_) => InferVar::Float(number),
        }))
    }

    fn constant(&mut self, value: Const) -> Const {
        match self.table.shallow_const(value) {
            Const::Infer(var) => Const::Infer(number(&mut self.consts, var)),
            value => value,
        }
    }
}

struct Finder<'t> {
    table: &'t Table,
    var: InferVar,
    found: bool,
}

impl Folder for Finder<'_> {
    fn touches(&self, ty: Ty) -> bool {
        !self.found && ty.is_open()
    }

    fn ty(&mut self, ty: Ty) -> Ty {
        let ty = self.table.shallow(ty);
        self.found |= *ty.kind() == TyKind::Infer(self.var);
        fold::walk(ty, self)
    }

    fn constant(&mut self, value: Const) -> Const {
        value
    }
}

struct Collector<'t, 'v> {
    table: &'t Table,
    into: &'v mut Vec<Ty>,
}

impl Folder for Collector<'_, '_> {
    fn touches(&self, ty: Ty) -> bool {
        ty.is_open()
    }

    fn ty(&mut self, ty: Ty) -> Ty {
        let ty = self.table.shallow(ty);
        if matches!(ty.kind(), TyKind::Infer(_)) {
            self.into.push(ty);
        }
        fold::walk(ty, self)
    }

    fn constant(&mut self, value: Const) -> Const {
        value
    }
}
