//! The one walk over what a type consists of.

use hashbrown::HashSet;

use super::{Field, Nominal, NominalBody, Ty, TyKind};

/// What a search does about a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visit {
    /// It is what the search looks for.
    Found,
    /// It is searched.
    Parts,
    /// It is passed over.
    Skip,
}

impl Ty {
    /// The types of the direct parts of a value: elements, fields of all variants, captures, the content of a cell. Function
    /// types have none, and neither has a nominal type whose body is not defined.
    pub fn parts_of_values(self) -> Vec<Ty> {
        match self.kind() {
            TyKind::Tuple(parts) => parts.to_vec(),
            TyKind::Array(array) => vec![array.elem],
            TyKind::Closure(closure) => closure.captures.to_vec(),
            TyKind::Stack(part) | TyKind::Ref(part) => vec![*part],
            TyKind::Struct(nominal) | TyKind::Enum(nominal) => {
                nominal.all_fields().map(|field| field.ty).collect()
            }
            TyKind::Unit
            | TyKind::Never
            | TyKind::Bool
            | TyKind::Char
            | TyKind::Str
            | TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Fn(_)
            | TyKind::Opaque(_) => Vec::new(),
        }
    }

    /// Whether a condition holds for the type, or for the type of anything that its values contain.
    ///
    /// ```
    /// use overdub_context::ir::{Ty, TyKind};
    /// let ty = Ty::tuple([Ty::i64(), Ty::array(Ty::f64(), 1)]);
    /// assert!(ty.contains(|part| matches!(part.kind(), TyKind::Float(_))));
    /// assert!(!ty.contains(|part| matches!(part.kind(), TyKind::Ref(_))));
    /// ```
    pub fn contains(self, mut condition: impl FnMut(Ty) -> bool) -> bool {
        self.search(|ty| if condition(ty) { Visit::Found } else { Visit::Parts })
    }

    /// Whether a search finds something in the type or in the types of what its values contain. Each type is visited once.
    pub fn search(self, visit: impl FnMut(Ty) -> Visit) -> bool {
        self.search_through(Ty::parts_of_values, visit)
    }

    /// [`Ty::contains`], parameters and results of function types included.
    pub fn mentions(self, mut condition: impl FnMut(Ty) -> bool) -> bool {
        let parts = |ty: Ty| match ty.kind() {
            TyKind::Fn(func) => func.params.iter().copied().chain([func.ret]).collect(),
            _ => ty.parts_of_values(),
        };
        self.search_through(parts, |ty| if condition(ty) { Visit::Found } else { Visit::Parts })
    }

    /// Works off a list, because types nest as deeply as programs like.
    fn search_through(self, parts: impl Fn(Ty) -> Vec<Ty>, mut visit: impl FnMut(Ty) -> Visit) -> bool {
        let mut visited: HashSet<Ty> = HashSet::from([self]);
        let mut pending = vec![self];
        while let Some(ty) = pending.pop() {
            match visit(ty) {
                Visit::Found => return true,
                Visit::Skip => {}
                Visit::Parts => pending.extend(parts(ty).into_iter().filter(|part| visited.insert(*part))),
            }
        }
        false
    }
}

impl Nominal {
    /// The fields of a struct, or of all variants of an enum; none if the body is not defined.
    pub fn all_fields(self) -> impl Iterator<Item = &'static Field> {
        let (fields, variants) = match self.body() {
            None => (&[][..], &[][..]),
            Some(NominalBody::Struct(fields)) => (&fields[..], &[][..]),
            Some(NominalBody::Enum(variants)) => (&[][..], &variants[..]),
        };
        fields.iter().chain(variants.iter().flat_map(|variant| &variant.fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Symbol;
    use crate::types::VariantTy;

    /// A list: `Nil`, `Cons(elem, list)`.
    fn list(elem: Ty) -> Ty {
        let list = Nominal::new(Nominal::universe(Symbol::new("visit")), Symbol::new("List"), [elem]);
        let field = |name, ty| Field { name: Symbol::new(name), ty };
        let this = Ty::new(TyKind::Enum(list));
        list.define(NominalBody::Enum(vec![
            VariantTy { name: Symbol::new("Nil"), fields: Vec::new() },
            VariantTy { name: Symbol::new("Cons"), fields: vec![field("0", elem), field("1", this)] },
        ]));
        this
    }

    #[test]
    fn a_recursive_type_is_searched_once() {
        let mut visits = 0;
        let ty = list(Ty::tuple([Ty::bool(), Ty::reference(Ty::f64())]));
        let found = ty.search(|_| {
            visits += 1;
            Visit::Parts
        });
        assert_eq!((found, visits), (false, 5));
        assert!(ty.contains(|part| part == Ty::f64()));
        assert!(!ty.contains(|part| part == Ty::i64()));
    }

    #[test]
    fn what_is_skipped_is_not_searched() {
        let ty = list(Ty::array(Ty::f64(), 1));
        let outside_of_arrays = |part: Ty| match part.kind() {
            TyKind::Float(_) => Visit::Found,
            TyKind::Array(_) => Visit::Skip,
            _ => Visit::Parts,
        };
        assert!(!ty.search(outside_of_arrays));
        assert!(Ty::tuple([ty, Ty::f64()]).search(outside_of_arrays));
    }

    #[test]
    fn signatures_are_mentioned_and_not_contained() {
        let ty = Ty::tuple([Ty::func([list(Ty::char())], Ty::f64())]);
        assert!(ty.mentions(|part| part == Ty::char()) && ty.mentions(|part| part == Ty::f64()));
        assert!(!ty.contains(|part| part == Ty::f64()));
    }
}
