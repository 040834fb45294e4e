//! What patterns use of the places that they match (CAPTURE3).

use super::super::super::ty::*;
use super::super::super::typed::*;
use super::{Usage, Walk, through};
use crate::hir::{ExprId, ExprKind, PatId, PatKind, ValuePath, positions};

/// The part of a scrutinee that a pattern matches, as far as a capture can name it.
#[derive(Clone)]
struct PatPlace {
    fields: Vec<u32>,
    /// Whether `fields` leads to all of the part; otherwise it ends around it.
    is_whole: bool,
    /// The references between the end of `fields` and the part, from the outermost.
    behind: Vec<Ty>,
}

/// A use of a part of a scrutinee.
struct PatUse {
    fields: Vec<u32>,
    usage: Usage,
    behind_reference: bool,
}

impl PatPlace {
    fn field(&self, at: u32) -> PatPlace {
        let mut place = self.clone();
        if place.is_whole {
            place.fields.push(at);
        }
        place
    }

    /// A part that no path of fields leads to.
    fn end(&self) -> PatPlace {
        PatPlace { is_whole: false, ..self.clone() }
    }

    /// What a reference in this place points to.
    fn behind(&self, reference: Ty) -> PatPlace {
        let mut place = self.end();
        place.behind.push(reference);
        place
    }

    fn used(&self, usage: Usage) -> PatUse {
        let (usage, behind_reference) = self
            .behind
            .iter()
            .rev()
            .fold((usage, false), |(usage, behind), &reference| through(reference, usage, behind));
        PatUse { fields: self.fields.clone(), usage, behind_reference }
    }
}

impl Walk<'_> {
    /// Declares the variables of a pattern as local to the closure.
    pub(super) fn declare(&mut self, pat: PatId) {
        let kind = &self.body.pats[pat.index()].kind;
        if let PatKind::Bind { local, .. } = kind {
            self.inside.insert(*local);
        }
        kind.parts().into_iter().for_each(|part| self.declare(part));
    }

    /// The effect of a pattern's variable on the place that it matches.
    fn usage_of_binding(&self, pat: PatId) -> Usage {
        match self.typed.bindings.get(&pat) {
            Some(BindMode::Ref(Mutability::Mut)) => Usage::Mutate,
            Some(BindMode::Ref(Mutability::Shared)) => Usage::Read,
            Some(BindMode::Value) | None => self.taking(self.typed.pats[pat.index()]),
        }
    }

    pub(super) fn matched(&mut self, scrutinee: ExprId, pats: &[PatId]) {
        if self.is_place(scrutinee) && !self.typed.adjustments.contains_key(&scrutinee) {
            let mut uses = vec![];
            for &pat in pats {
                let whole = PatPlace { fields: vec![], is_whole: true, behind: vec![] };
                self.pat_uses(pat, self.typed.exprs[scrutinee.index()], &whole, &mut uses);
            }
            if !self.is_precise {
                let usage = uses.iter().map(|found| found.usage).max().unwrap_or(Usage::Read);
                uses = vec![PatUse { fields: vec![], usage, behind_reference: false }];
            }
            if uses.is_empty() {
                self.unused(scrutinee);
            }
            for PatUse { mut fields, usage, behind_reference } in uses {
                fields.reverse();
                self.walk_place(scrutinee, usage, behind_reference, &mut fields, true);
            }
        } else {
            self.value(scrutinee);
        }
        pats.iter().for_each(|&pat| self.declare(pat));
    }

    /// Visits a place of which nothing is used: only the operands in it are evaluated.
    fn unused(&mut self, place: ExprId) {
        match *self.kind(place) {
            ExprKind::Path(ValuePath::Local(_)) => {}
            ExprKind::Field(base, _) if !self.typed.adjustments.contains_key(&base) => self.unused(base),
            _ => self.place(place, Usage::Read),
        }
    }

    /// Collects the uses that a pattern makes of a part of its scrutinee (CAPTURE3).
    fn pat_uses(&self, pat: PatId, ty: Ty, place: &PatPlace, uses: &mut Vec<PatUse>) {
        let (mut ty, mut place) = (ty, place.clone());
        for _ in 0..self.typed.pat_derefs.get(&pat).copied().unwrap_or(0) {
            let Some((_, inner)) = ty.referent() else { break };
            place = place.behind(ty);
            ty = inner;
        }
        match &self.body.pats[pat.index()].kind {
            PatKind::Wild => {}
            PatKind::Bind { sub, .. } => {
                uses.push(place.used(self.usage_of_binding(pat)));
                sub.iter().for_each(|&sub| self.pat_uses(sub, ty, &place, uses));
            }
            PatKind::Lit(_) | PatKind::Range { .. } => uses.push(place.used(Usage::Read)),
            PatKind::Path(_) => {
                if self.is_tested(pat) {
                    uses.push(place.used(Usage::Read));
                }
            }
            PatKind::TupleStruct(_, subs, rest) => {
                if self.is_tested(pat) {
                    uses.push(place.used(Usage::Read));
                }
                let fields = self.pat_fields(pat, ty);
                for (sub, at) in positions(subs, *rest, fields.len()) {
                    self.pat_part(sub, fields.get(at).map(|&(_, ty)| ty), ty, at, &place, uses);
                }
            }
            PatKind::Struct(_, subs) => {
                if self.is_tested(pat) {
                    uses.push(place.used(Usage::Read));
                }
                let fields = self.pat_fields(pat, ty);
                for (name, sub) in subs {
                    if let Some(at) = fields.iter().position(|(field, _)| field == name) {
                        self.pat_part(*sub, Some(fields[at].1), ty, at, &place, uses);
                    }
                }
            }
            PatKind::Tuple(subs, rest) => {
                let TyKind::Tuple(tys) = ty.kind() else { return };
                for (sub, at) in positions(subs, *rest, tys.len()) {
                    self.pat_part(sub, tys.get(at).copied(), ty, at, &place, uses);
                }
            }
            PatKind::Slice { before, rest, after } => {
                let elem = match ty.kind() {
                    TyKind::Array(elem, _) => *elem,
                    TyKind::Slice(elem) => {
                        // Its length is compared.
                        uses.push(place.used(Usage::Read));
                        *elem
                    }
                    _ => return,
                };
                let part = place.end();
                before.iter().chain(after).for_each(|&sub| self.pat_uses(sub, elem, &part, uses));
                rest.iter().for_each(|&rest| self.pat_uses(rest, ty, &part, uses));
            }
            PatKind::Ref(sub) => match ty.referent() {
                Some((_, inner)) => self.pat_uses(*sub, inner, &place.behind(ty), uses),
                None => self.pat_uses(*sub, ty, &place, uses),
            },
            PatKind::Or(subs) => subs.iter().for_each(|&sub| self.pat_uses(sub, ty, &place, uses)),
        }
    }

    fn pat_part(
        &self,
        pat: PatId,
        part: Option<Ty>,
        whole: Ty,
        at: usize,
        place: &PatPlace,
        uses: &mut Vec<PatUse>,
    ) {
        let Some(part) = part else { return };
        let place =
            if self.types.field(whole, at as u32).is_some() { place.field(at as u32) } else { place.end() };
        self.pat_uses(pat, part, &place, uses);
    }

    /// The fields of the struct or variant that a pattern names.
    fn pat_fields(&self, pat: PatId, ty: Ty) -> Fields {
        match self.typed.pat_paths.get(&pat) {
            Some(PatPath::Ctor(def)) => self.types.fields(ty, *def).unwrap_or_default(),
            _ => vec![],
        }
    }

    /// Whether a pattern that names an item compares the value, and not only takes it apart.
    fn is_tested(&self, pat: PatId) -> bool {
        let Some(PatPath::Ctor(def)) = self.typed.pat_paths.get(&pat) else { return true };
        let program = self.types.program();
        program
            .variant_of(*def)
            .and_then(|(adt, _)| program.adt(adt).ok())
            .is_some_and(|adt| adt.is_enum && adt.variants.len() > 1)
    }
}
