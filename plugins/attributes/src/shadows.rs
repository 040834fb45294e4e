//! Conversions between values in the types of a function's signature, their shadows, and the forms that exported text has
//! for them: vectors for slices and arrays, tuples for the derivatives in structs.

use std::fmt::Write;

use overdub_build::TypePaths;
use overdub_context::ir::{Ty as IrTy, TyKind as IrKind};
use overdub_export::is_copied;
use overdub_lower::hir::Prim;
use overdub_lower::infer::{Ty, TyKind, Types};

use crate::refuse::Refusal;

/// Text, or why there is none.
pub(crate) type Made = Result<String, Refusal>;

/// How a shadow is changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    Add,
    Set,
}

/// Writes conversions.
pub(crate) struct Shadows<'p> {
    pub(crate) types: &'p Types,
    pub(crate) paths: &'p TypePaths<'p>,
}

/// The elements of a slice, an array or a vector.
fn elem(types: &Types, ty: Ty) -> Option<Ty> {
    match ty.kind() {
        TyKind::Slice(elem) | TyKind::Array(elem, _) => Some(*elem),
        TyKind::Adt(def, args) => {
            let is_vec = types.program().head(*def).lang.is_some_and(|lang| &*lang == "vec");
            args.first().filter(|_| is_vec)?.ty()
        }
        _ => None,
    }
}

/// What references refer to, and a place of that type.
fn peeled(place: &str, ty: Ty) -> (String, Ty) {
    match ty.kind() {
        TyKind::Ref(inner) | TyKind::RefMut(inner) => peeled(&format!("(*{place})"), *inner),
        _ => (place.to_owned(), ty),
    }
}

/// The types of the parts of a tuple; the type itself if it is one part.
pub(crate) fn parts(ty: IrTy, count: usize) -> Option<Vec<IrTy>> {
    match ty.kind() {
        _ if count == 1 => Some(vec![ty]),
        IrKind::Tuple(parts) if parts.len() == count => Some(parts.to_vec()),
        // Parts without floats.
        IrKind::Unit => Some(vec![ty; count]),
        _ => None,
    }
}

impl Shadows<'_> {
    fn refuse(&self, ty: Ty, what: &str) -> Refusal {
        Refusal::new(format!(
            "{what} of type `{}` is not supported in the form of `std::autodiff`",
            self.types.show(ty)
        ))
    }

    /// A value of the exported type, from a place.
    fn owned(&self, place: &str, ty: Ty) -> Made {
        let (place, ty) = peeled(place, ty);
        if let TyKind::Prim(prim) = ty.kind() {
            return Ok(if *prim == Prim::Str { format!("{place}.to_owned()") } else { place });
        }
        if let Some(elem) = elem(self.types, ty) {
            if self.paths.is_same(elem) {
                return Ok(format!("{place}.to_vec()"));
            }
            let each = self.owned("(*elem)", elem)?;
            return Ok(format!("{place}.iter().map(|elem| {each}).collect::<Vec<_>>()"));
        }
        match ty.kind() {
            _ if self.paths.is_same(ty) => Ok(format!("{place}.clone()")),
            TyKind::Tuple(parts) => {
                let each: Result<Vec<String>, Refusal> = parts
                    .iter()
                    .enumerate()
                    .map(|(at, &part)| self.owned(&format!("{place}.{at}"), part))
                    .collect();
                Ok(format!("({},)", each?.join(", ")))
            }
            _ => Err(self.refuse(ty, "an argument")),
        }
    }

    /// An argument of the exported function.
    pub(crate) fn argument(&self, place: &str, ty: Ty, lowered: IrTy) -> Made {
        if is_copied(lowered) {
            return self.owned(place, ty);
        }
        let (inner, ty) = peeled(place, ty);
        let is_same = match elem(self.types, ty) {
            Some(elem) => self.paths.is_same(elem),
            None => self.paths.is_same(ty) || matches!(ty.kind(), TyKind::Prim(Prim::Str)),
        };
        Ok(if is_same { format!("&{inner}") } else { format!("&{}", self.owned(&inner, ty)?) })
    }

    /// The tangent in a shadow, in its exported form.
    pub(crate) fn tangent(&self, place: &str, ty: Ty, dty: IrTy) -> Made {
        let (place, ty) = peeled(place, ty);
        match (dty.kind(), elem(self.types, ty)) {
            (IrKind::Unit, _) => Ok("()".to_owned()),
            (IrKind::Float(_), _) => Ok(place),
            (IrKind::Array(array), Some(elem)) => {
                if matches!(elem.kind(), TyKind::Prim(_)) {
                    return Ok(format!("{place}.to_vec()"));
                }
                let each = self.tangent("(*elem)", elem, array.elem)?;
                Ok(format!("{place}.iter().map(|elem| {each}).collect::<Vec<_>>()"))
            }
            (IrKind::Tuple(_), _) => {
                let fields = self.fields(&place, ty, dty)?;
                let each: Result<Vec<String>, Refusal> =
                    fields.into_iter().map(|(place, ty, dty)| self.tangent(&place, ty, dty)).collect();
                Ok(format!("({},)", each?.join(", ")))
            }
            _ => Err(self.refuse(ty, "a shadow")),
        }
    }

    /// The tangent zero of a value in a place; of one that is not known yet without a place.
    pub(crate) fn zero(&self, place: Option<&str>, ty: Ty, dty: IrTy) -> Made {
        match (dty.kind(), elem(self.types, ty)) {
            (IrKind::Unit, _) => Ok("()".to_owned()),
            (IrKind::Float(_), _) => Ok("0.0".to_owned()),
            _ => {
                let Some(place) = place else { return Err(self.refuse(ty, "a constant result")) };
                let (place, ty) = peeled(place, ty);
                match (dty.kind(), elem(self.types, ty)) {
                    (IrKind::Float(_), _) => Ok("0.0".to_owned()),
                    (IrKind::Array(array), Some(elem)) => {
                        let each = self.zero(Some("(*elem)"), elem, array.elem)?;
                        let unused = if each.contains("elem") { "elem" } else { "_" };
                        Ok(format!("{place}.iter().map(|{unused}| {each}).collect::<Vec<_>>()"))
                    }
                    (IrKind::Tuple(_), _) => {
                        let fields = self.fields(&place, ty, dty)?;
                        let each: Result<Vec<String>, Refusal> = fields
                            .into_iter()
                            .map(|(place, ty, dty)| self.zero(Some(&place), ty, dty))
                            .collect();
                        Ok(format!("({},)", each?.join(", ")))
                    }
                    _ => Err(self.refuse(ty, "a constant output")),
                }
            }
        }
    }

    /// The fields of a tuple or struct with the types of their derivatives.
    fn fields(&self, place: &str, ty: Ty, dty: IrTy) -> Result<Vec<(String, Ty, IrTy)>, Refusal> {
        let fields: Vec<(String, Ty)> = match ty.kind() {
            TyKind::Tuple(parts) => {
                parts.iter().enumerate().map(|(at, &part)| (at.to_string(), part)).collect()
            }
            TyKind::Adt(def, _)
                if self.paths.is_same(ty) && !self.types.program().adt(*def).is_ok_and(|adt| adt.is_enum) =>
            {
                let variants = self.types.variants(ty).unwrap_or_default();
                let fields = variants.into_iter().next().map(|(_, fields)| fields).unwrap_or_default();
                fields.into_iter().map(|(name, ty)| (raw(&name), ty)).collect()
            }
            _ => return Err(self.refuse(ty, "a shadow")),
        };
        let of_parts = match dty.kind() {
            IrKind::Tuple(parts) if parts.len() == fields.len() => parts.to_vec(),
            _ => return Err(self.refuse(ty, "a shadow")),
        };
        let named = fields.into_iter().zip(of_parts);
        Ok(named.map(|((name, ty), dty)| (format!("{place}.{name}"), ty, dty)).collect())
    }

    /// Statements that change a shadow by a derivative in its exported form.
    pub(crate) fn change(
        &self,
        how: Change,
        place: &str,
        derivative: &str,
        ty: Ty,
        dty: IrTy,
        out: &mut String,
    ) -> Result<(), Refusal> {
        let (place, ty) = peeled(place, ty);
        let sign = if how == Change::Add { "+=" } else { "=" };
        // Writing to a string does not fail.
        let mut line = |text: String| {
            let _ = writeln!(out, "{text}");
        };
        match (dty.kind(), elem(self.types, ty)) {
            (IrKind::Unit, _) => Ok(()),
            (IrKind::Float(_), _) => {
                line(format!("{place} {sign} {derivative};"));
                Ok(())
            }
            (IrKind::Array(array), Some(elem)) => {
                let place_is = place.trim_matches(['(', '*', ')']);
                line(format!(
                    "assert_eq!({place}.len(), {derivative}.len(), \"the length of the shadow `{place_is}`\");"
                ));
                line(format!("for (elem, change) in {place}.iter_mut().zip({derivative}) {{"));
                self.change(how, "(*elem)", "change", elem, array.elem, out)?;
                out.push_str("}\n");
                Ok(())
            }
            (IrKind::Tuple(_), _) => {
                for (at, (field, ty, dty)) in self.fields(&place, ty, dty)?.into_iter().enumerate() {
                    self.change(how, &field, &format!("{derivative}.{at}"), ty, dty, out)?;
                }
                Ok(())
            }
            _ => Err(self.refuse(ty, "a shadow")),
        }
    }

    /// A statement that writes a value of the exported type to what a mutable reference refers to.
    pub(crate) fn write(&self, place: &str, value: &str, ty: Ty) -> Made {
        let (place, ty) = peeled(place, ty);
        match ty.kind() {
            // Its length may have changed, and that of its shadow not.
            TyKind::Adt(..) if elem(self.types, ty).is_some() => Err(self.refuse(ty, "an output")),
            TyKind::Slice(elem) | TyKind::Array(elem, _) if self.paths.is_same(*elem) => {
                Ok(format!("{place}.clone_from_slice(&{value});"))
            }
            _ if self.paths.is_same(ty) => Ok(format!("{place} = {value};")),
            _ => Err(self.refuse(ty, "an output")),
        }
    }

    /// Fails if a result of the exported text has another type.
    pub(crate) fn check_result(&self, ty: Ty) -> Result<(), Refusal> {
        if self.paths.is_same(ty) { Ok(()) } else { Err(self.refuse(ty, "a result")) }
    }
}

/// The name of a field in Rust.
fn raw(name: &str) -> String {
    let is_plain =
        name.starts_with(|c: char| c.is_ascii_digit()) || syn::parse_str::<syn::Ident>(name).is_ok();
    if is_plain { name.to_owned() } else { format!("r#{}", name.trim_start_matches("r#")) }
}

/// Whether values of a type hold floats, so that they have a derivative.
pub(crate) fn holds_floats(ty: IrTy) -> bool {
    fn within(ty: IrTy, seen: &mut Vec<IrTy>) -> bool {
        if seen.contains(&ty) {
            return false;
        }
        seen.push(ty);
        match ty.kind() {
            IrKind::Float(_) => true,
            IrKind::Tuple(parts) => parts.iter().any(|&part| within(part, seen)),
            IrKind::Array(array) => within(array.elem, seen),
            IrKind::Stack(elem) | IrKind::Ref(elem) => within(*elem, seen),
            IrKind::Closure(closure) => closure.captures.iter().any(|&part| within(part, seen)),
            IrKind::Struct(nominal) | IrKind::Enum(nominal) => {
                let variants = nominal.variants().map_or(1, <[_]>::len) as u32;
                (0..variants).filter_map(|tag| ty.parts(tag)).flatten().any(|part| within(part, seen))
            }
            _ => false,
        }
    }
    within(ty, &mut Vec::new())
}
