//! The captures of closures and their modes: variables, or single fields of them
//! (<https://doc.rust-lang.org/reference/types/closure.html#capture-precision>).
//!
//! - CAPTURE1 a path of fields ends at the first reference, box, index, union or enum of several variants.
//! - CAPTURE2 a value that is moved out of a type with `Drop` moves all of it; a copied one does not.
//! - CAPTURE3 a pattern uses the places that it binds or compares: `_` uses nothing. The condition of an
//!   `if let` or `while let` reads all of its scrutinee, as rustc has it.
//! - CAPTURE4 captures are dropped in the order in which their variables are first used, the fields of one
//!   variable in the order of their declaration.
//! - CAPTURE5 before edition 2021, a closure captures the whole of each variable that it names.

mod patterns;
mod walk;

use hashbrown::HashSet;

use super::super::session::Types;
use super::super::ty::*;
use super::super::typed::*;
use crate::hir::{ExprId, ExprKind, HirBody, LocalId};

/// The effect on a captured place, from the weakest to the strongest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Usage {
    Read,
    Mutate,
    Consume,
}

/// A use of a variable of the enclosing function.
struct Use {
    local: LocalId,
    fields: Vec<u32>,
    usage: Usage,
    /// Whether the place is behind a reference that the variable holds.
    behind_reference: bool,
    ty: Ty,
}

struct Walk<'a> {
    types: &'a Types,
    typed: &'a Typed,
    body: &'a HirBody,
    inside: HashSet<LocalId>,
    uses: Vec<Use>,
    by_move: bool,
    /// Whether fields are captured by themselves (CAPTURE5).
    is_precise: bool,
}

/// The kind and the captures of a closure; those of nested closures are already known.
pub(super) fn captures(types: &Types, typed: &Typed, closure: ExprId) -> (ClosureKind, Vec<Capture>) {
    let body = &typed.body;
    let ExprKind::Closure { params, body: value, by_move, .. } = &body.exprs[closure.index()].kind else {
        return (ClosureKind::Fn, vec![]);
    };
    let is_precise = types.program().edition_of(body.owner) >= 2021;
    let (inside, uses) = (HashSet::new(), vec![]);
    let mut walk = Walk { types, typed, body, inside, uses, by_move: *by_move, is_precise };
    for (pat, _) in params {
        walk.declare(*pat);
    }
    walk.value(*value);
    let kind = walk.uses.iter().map(|found| found.usage).max();
    let kind = match kind {
        None | Some(Usage::Read) => ClosureKind::Fn,
        Some(Usage::Mutate) => ClosureKind::FnMut,
        Some(Usage::Consume) => ClosureKind::FnOnce,
    };
    let mut first_used: Vec<LocalId> = vec![];
    for found in &walk.uses {
        if !first_used.contains(&found.local) {
            first_used.push(found.local);
        }
    }
    let mut captures = merge(walk.uses, *by_move);
    let order = |local| first_used.iter().position(|&first| first == local);
    captures.sort_by(|a, b| (order(a.local), &a.fields).cmp(&(order(b.local), &b.fields)));
    (kind, captures)
}

/// Merges the uses of a place and of its parts into one capture.
fn merge(uses: Vec<Use>, by_move: bool) -> Vec<Capture> {
    let mut found: Vec<(Use, Usage)> = vec![];
    for one in uses {
        let mut usage = one.usage;
        let mut merged = one;
        found.retain(|(other, other_usage)| {
            let overlap =
                other.local == merged.local && other.fields.iter().zip(&merged.fields).all(|(a, b)| a == b);
            if overlap {
                usage = usage.max(*other_usage);
                merged.behind_reference &= other.behind_reference;
                if other.fields.len() < merged.fields.len() {
                    merged.fields = other.fields.clone();
                    merged.ty = other.ty;
                }
            }
            !overlap
        });
        found.push((merged, usage));
    }
    found
        .into_iter()
        .map(|(one, usage)| {
            let mode = match (by_move, usage) {
                (true, Usage::Mutate) if !one.behind_reference => CaptureMode::MoveMut,
                (true, _) | (false, Usage::Consume) => CaptureMode::Move,
                (false, Usage::Read) => CaptureMode::Ref,
                (false, Usage::Mutate) => CaptureMode::RefMut,
            };
            Capture { local: one.local, fields: one.fields, mode, ty: one.ty }
        })
        .collect()
}

impl Walk<'_> {
    /// The effect of moving a value out of a place.
    fn taking(&self, ty: Ty) -> Usage {
        match ty.kind() {
            // A mutable reference is reborrowed and not moved.
            TyKind::RefMut(_) => Usage::Mutate,
            _ if self.types.is_copy(ty) => Usage::Read,
            _ => Usage::Consume,
        }
    }

    /// Records a use of a variable's field, or of the part around it that is captured instead.
    fn use_of(&mut self, local: LocalId, path: &[u32], usage: Usage, behind_reference: bool) {
        let path = if self.is_precise { path } else { &[] };
        let mut ty = self.typed.locals[local.index()];
        let mut fields = Vec::with_capacity(path.len());
        // The innermost part that a move does not take out of a value with `Drop` (CAPTURE2).
        let mut movable = None;
        for &field in path {
            let Some((_, field_ty)) = self.types.field(ty, field) else { break };
            if movable.is_none() && self.implements_drop(ty) {
                movable = Some((fields.len(), ty));
            }
            fields.push(field);
            ty = field_ty;
        }
        let is_moved = (self.by_move || usage == Usage::Consume) && !self.types.is_copy(ty);
        if let (true, Some((len, whole))) = (is_moved, movable) {
            fields.truncate(len);
            ty = whole;
        }
        self.uses.push(Use { local, fields, usage, behind_reference, ty });
    }

    fn implements_drop(&self, ty: Ty) -> bool {
        let TyKind::Adt(def, _) = ty.kind() else { return false };
        self.types
            .lang
            .get("drop")
            .is_some_and(|drop| !self.types.program().impls_for(drop, crate::SelfHead::Def(*def)).is_empty())
    }
}

/// The usage of a place that holds a pointer, given the usage of the place behind it.
fn through(pointer: Ty, usage: Usage, behind_reference: bool) -> (Usage, bool) {
    match pointer.kind() {
        TyKind::Ref(_) => (Usage::Read, true),
        TyKind::RefMut(_) => (if usage == Usage::Read { Usage::Read } else { Usage::Mutate }, true),
        _ => (usage, behind_reference),
    }
}
