//! What a nest of loops does, if that is nothing but reductions of products: which loops add which products to which elements.

use overdub_context::ops;

use super::nest::{DEPTH, Definition, Element, MIDDLE, Nest, Place, Store, Sum, operands};
use crate::ast::{Expr, Local, Reduction, Stmt};
use crate::slices::set_index;

/// A reduction of products of two elements to one.
pub(super) struct Update {
    pub(super) to: Element,
    pub(super) reduction: Reduction,
    pub(super) factors: [Element; 2],
    /// Whether products are zero if a factor is.
    pub(super) is_strong: bool,
}

impl<'a> Nest<'a> {
    /// What the nest does, if that is nothing but reductions, each to an array of its own.
    pub(super) fn updates(&self) -> Option<Vec<Update>> {
        let updates: Option<Vec<Update>> = self.stores.iter().map(|store| self.reduction(store)).collect();
        let updates = updates?;
        let stored: Vec<Local> = self.stores.iter().chain(&self.resets).map(|store| store.array).collect();
        let count = |array: Local| stored.iter().filter(|of| **of == array).count();
        let is_stored = |factor: &Element| self.stores.iter().any(|store| store.array == factor.array);
        let is_read = |update: &Update| update.factors.iter().any(is_stored);
        let summed =
            updates.iter().filter(|update| matches!(update.reduction, Reduction::Sum { .. })).count();
        let fits = summed == self.sums.len()
            && stored.iter().all(|array| count(*array) == 1)
            && !updates.iter().any(is_read)
            && self.resets.iter().all(|reset| self.is_apart(reset))
            && self.serves_all();
        fits.then_some(updates)
    }

    fn reduction(&self, Store { place, array, apply, .. }: &Store<'a>) -> Option<Update> {
        let to = self.element(*array, set_index(apply)?)?;
        let value = &apply.args[1].expr;
        // The old value is read where the new one is stored.
        let is_old = |expr: &Expr| {
            let is_here = |local: &Local| self.definitions.get(local).is_some_and(|of| of.place == *place);
            let is_here =
                matches!(expr, Expr::Apply(_)) || matches!(expr, Expr::Local(local) if is_here(local));
            is_here && self.read(expr).is_some_and(|read| read == to)
        };
        let added = operands(&ops::ADD, self.value(value)).and_then(|[x, y]| match (is_old(x), is_old(y)) {
            (true, false) => Some(y),
            (false, true) => Some(x),
            _ => None,
        });
        let sum = |expr: &Expr| match self.value(expr) {
            Expr::Local(local) => self.sums.get(local).copied(),
            _ => None,
        };
        let (reduction, product) = if place.depth + 1 == DEPTH {
            (Reduction::InPlace, added?)
        } else if *place != (Place { is_after: true, ..MIDDLE }) {
            return None;
        } else {
            let of_added = added.and_then(sum);
            let Sum { first, added } = of_added.or_else(|| sum(value))?;
            (Reduction::Sum { first: first.clone(), is_added: of_added.is_some() }, added?)
        };
        let product = self.value(product);
        let strong = operands(&ops::MUL_ZERO, product);
        let is_strong = strong.is_some();
        let [a, b] = strong.or_else(|| operands(&ops::MUL, product))?;
        Some(Update { to, reduction, factors: [self.factor(a)?, self.factor(b)?], is_strong })
    }

    /// The element that is a factor; if it is reset, it is read before, in the same round.
    fn factor(&self, expr: &Expr) -> Option<Element> {
        let element = self.read(expr)?;
        let Some(reset) = self.resets.iter().find(|reset| reset.array == element.array) else {
            return Some(element);
        };
        let is_before = reset.before.contains(&self.reading(expr)?);
        (is_before && self.element(reset.array, set_index(reset.apply)?)? == element).then_some(element)
    }

    /// The local that an operation defines, of which an expression is the value.
    fn reading(&self, expr: &Expr) -> Option<Local> {
        let Expr::Local(local) = expr else { return None };
        match self.definitions.get(local)?.value {
            value @ Expr::Local(_) => self.reading(value),
            _ => Some(*local),
        }
    }

    /// Whether each round of the two outer loops resets another element.
    fn is_apart(&self, reset: &Store<'a>) -> bool {
        let index = set_index(reset.apply).and_then(|index| self.element(reset.array, index));
        let Some(Element { index, .. }) = index else { return false };
        let is_row_of = |rows: usize, columns: usize| {
            index.stride(columns).is_one() && index.stride(rows).is(self.loops[columns].to)
        };
        index.stride(2).is_zero() && (is_row_of(0, 1) || is_row_of(1, 0))
    }

    /// The loops that do the resets alone; none if there are none.
    pub(super) fn of_resets(&self) -> Option<Stmt> {
        let indices: Vec<&Expr> = self.resets.iter().filter_map(|reset| set_index(reset.apply)).collect();
        let needed = self.needed_by(indices);
        let at = |depth: usize| {
            let of = needed.iter().filter(move |local| self.definitions[*local].place.depth == depth);
            let mut all: Vec<&Definition<'a>> = of.map(|local| &self.definitions[local]).collect();
            all.sort_by_key(|of| of.number);
            all.into_iter().map(|of| of.stmt.clone())
        };
        let resets = self.resets.iter().map(|reset| reset.stmt.clone());
        let inner = self.loops[1].with(at(1).chain(resets).collect());
        let outer = self.loops[0].with(at(0).chain([inner]).collect());
        (!self.resets.is_empty()).then_some(outer)
    }

    /// Whether all definitions serve a store: what serves none may fail in another way.
    fn serves_all(&self) -> bool {
        let stores = self.stores.iter().chain(&self.resets);
        let stored = stores.flat_map(|store| store.apply.args.iter().map(|arg| &arg.expr));
        let served = stored.chain(self.sums.values().filter_map(|sum| sum.added));
        self.needed_by(served.collect()).len() == self.definitions.len()
    }

    /// The definitions that expressions are computed by.
    fn needed_by<'e>(&self, mut waiting: Vec<&'e Expr>) -> Vec<Local>
    where
        'a: 'e,
    {
        let mut needed = Vec::new();
        while let Some(expr) = waiting.pop() {
            expr.for_each_local(&mut |local, _| {
                if let Some(of) = self.definitions.get(&local)
                    && !needed.contains(&local)
                {
                    needed.push(local);
                    waiting.push(of.value);
                }
            });
        }
        needed
    }
}
