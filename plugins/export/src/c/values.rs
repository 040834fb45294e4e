//! Copies and ends of values, and whether two are equal: a function for each type that needs one.

use overdub_context::ir::{Ty, TyKind};

use super::kernel::FRAME;
use super::types::{canonical, elem, field_name, has_slice, is_plain_enum, variant_member};
use super::{Dialect, Printer};
use crate::calls::contains_itself;
use crate::error::ExportError;
use crate::nominal::{fields, is_boxed};
use crate::ownership::is_copied;

type Printed = Result<String, ExportError>;
type OfVariant<'f, P> = dyn FnMut(&mut P, usize) -> Result<Vec<String>, ExportError> + 'f;

impl Printer<'_> {
    /// A copy of the value in a place.
    pub(super) fn cloned(&mut self, ty: Ty, place: &str) -> Printed {
        let ty = canonical(ty);
        Ok(match ty.kind() {
            _ if is_copied(ty) => place.to_owned(),
            TyKind::Str => format!("{}((TextView){{{place}.data, {place}.len}})", self.plain("text_clone")?),
            TyKind::Array(array) => {
                let name = self.of_vec(array.elem, "clone")?;
                let slice = self.borrowed_ty(ty, self.span)?;
                format!("{name}(({slice}){{{place}.data, {place}.len}})")
            }
            TyKind::Fn(_) => format!("{}({place})", self.for_type(ty, "clone")?),
            _ => format!("{}({})", self.for_type(ty, "clone")?, address(place)),
        })
    }

    /// The end of the value in a place.
    pub(super) fn dropped(&mut self, ty: Ty, place: &str) -> Printed {
        let ty = canonical(ty);
        Ok(match ty.kind() {
            TyKind::Str => format!("{}({})", self.plain("text_drop")?, address(place)),
            TyKind::Array(array) => format!("{}({})", self.of_vec(array.elem, "drop")?, address(place)),
            TyKind::Fn(_) => format!("{}({place})", self.for_type(ty, "drop")?),
            _ => format!("{}({})", self.for_type(ty, "drop")?, address(place)),
        })
    }

    /// Whether the values in two places are equal.
    pub(super) fn equal(&mut self, ty: Ty, x: &str, y: &str) -> Printed {
        let ty = canonical(ty);
        Ok(match ty.kind() {
            TyKind::Unit | TyKind::Never => "true".to_owned(),
            TyKind::Str => {
                let name = self.plain("equal_text")?;
                format!("{name}((TextView){{{x}.data, {x}.len}}, (TextView){{{y}.data, {y}.len}})")
            }
            TyKind::Array(_) => {
                let slice = self.borrowed_ty(ty, self.span)?;
                let name = self.for_type(ty, "equal")?;
                format!("{name}(({slice}){{{x}.data, {x}.len}}, ({slice}){{{y}.data, {y}.len}})")
            }
            TyKind::Tuple(_) | TyKind::Struct(_) | TyKind::Enum(_) if !is_plain_enum(ty) => {
                format!("{}({}, {})", self.for_type(ty, "equal")?, address(x), address(y))
            }
            TyKind::Fn(_) => return Err(self.unsupported("a comparison of function values", self.span)),
            _ => format!("{x} == {y}"),
        })
    }

    /// A value in memory of its own.
    pub(super) fn boxed(&mut self, ty: Ty, value: &str) -> Printed {
        Ok(format!("{}({value})", self.for_type(canonical(ty), "box")?))
    }

    /// The name of a function of a type, and whether the function is to be written now.
    pub(super) fn named_for_type(
        &mut self,
        ty: Ty,
        what: &'static str,
    ) -> Result<(String, bool), ExportError> {
        if let Some(name) = self.of_types.get(&(ty, what)) {
            return Ok((name.clone(), false));
        }
        let word = self.word(ty)?;
        let name = self.global(&format!("{word}_{what}"));
        self.of_types.insert((ty, what), name.clone());
        Ok((name, true))
    }

    /// Uses a function of a type.
    fn for_type(&mut self, ty: Ty, what: &'static str) -> Printed {
        let owned = self.owned(ty, self.span)?;
        let (name, is_new) = self.named_for_type(ty, what)?;
        if !is_new {
            return Ok(name);
        }
        let is_vec = has_slice(ty);
        let slice = if is_vec { self.borrowed_ty(ty, self.span)? } else { String::new() };
        let is_fn = matches!(ty.kind(), TyKind::Fn(_));
        let declaration = match what {
            "clone" if is_fn => format!("static inline {owned}{name}({owned}f)"),
            "drop" if is_fn => format!("static inline void {name}({owned}f)"),
            "clone" => format!("static inline {owned} {name}(const {owned} *x)"),
            "drop" => format!("static inline void {name}({owned} *x)"),
            "box" => {
                let space = if owned.ends_with('*') { "" } else { " " };
                format!("static inline {owned}{space}*{name}({owned}{space}x)")
            }
            _ if is_vec => format!("static inline bool {name}({slice} x, {slice} y)"),
            _ => format!("static inline bool {name}(const {owned} *x, const {owned} *y)"),
        };
        // A function of a type that contains itself is called before it is complete.
        if !is_vec && what != "box" && !is_fn {
            self.support.declared.push_str(&format!("{declaration};\n"));
        }
        let body = match what {
            "clone" if is_fn => "    f->count++;\n    return f;\n".to_owned(),
            "drop" if is_fn => {
                "    if (f != NULL && --f->count == 0) {\n        f->drop(f);\n    }\n".to_owned()
            }
            "clone" => self.clone_body(ty, &owned)?,
            "drop" => self.drop_body(ty)?,
            "box" => {
                let space = if owned.ends_with('*') { "" } else { " " };
                let allocated = self.plain("allocated")?;
                format!(
                    "    {owned}{space}*place = {allocated}(NULL, 1, sizeof *place);\n    *place = x;\n    return place;\n"
                )
            }
            _ => self.equal_body(ty)?,
        };
        let doc = match what {
            "clone" if is_fn => "Another value of the same function.",
            "clone" => "A copy of a value.",
            "drop" => "Ends a value.",
            "box" => "A value in memory of its own.",
            _ => "Whether two values are equal.",
        };
        let nests = self.dialect == Dialect::Kernel && what != "box" && contains_itself(ty);
        let frame = if nests { format!("    {FRAME}\n") } else { String::new() };
        self.support.text.push_str(&format!("\n/* {doc} */\n{declaration} {{\n{frame}{body}}}\n"));
        Ok(name)
    }

    /// The places of the parts of `x`, for each variant, with their types and whether they are in boxes.
    fn part_places(&self, ty: Ty, x: &str) -> Vec<Vec<(Ty, String, bool)>> {
        match ty.kind() {
            TyKind::Tuple(parts) => {
                let each = parts.iter().enumerate().map(|(at, &part)| (part, format!("{x}->f{at}"), false));
                vec![each.collect()]
            }
            _ => {
                let variants = ty.as_nominal().and_then(|nominal| nominal.variants()).map_or(1, <[_]>::len);
                let is_enum = matches!(ty.kind(), TyKind::Enum(_));
                let of_variant = |tag: usize| {
                    let each = fields(ty, tag).iter().enumerate().map(|(at, field)| {
                        let name = field_name(ty, tag, at);
                        let place = match is_enum {
                            true => format!("{x}->as.{}.{name}", variant_member(ty, tag)),
                            false => format!("{x}->{name}"),
                        };
                        (field.ty, place, is_boxed(ty, tag, at))
                    });
                    each.collect()
                };
                (0..variants).map(of_variant).collect()
            }
        }
    }

    /// Statements for the variant that a value has.
    fn by_variant(&mut self, ty: Ty, of: &mut OfVariant<'_, Self>) -> Printed {
        if !matches!(ty.kind(), TyKind::Enum(_)) {
            return Ok(of(self, 0)?.iter().map(|line| format!("    {line}\n")).collect());
        }
        let mut text = String::new();
        let count = ty.as_nominal().and_then(|nominal| nominal.variants()).map_or(0, <[_]>::len);
        for tag in 0..count {
            let lines = of(self, tag)?;
            if lines.is_empty() {
                continue;
            }
            let name = self.variant(ty, tag)?;
            let lines: String = lines.iter().map(|line| format!("        {line}\n")).collect();
            text.push_str(&format!("    if (x->tag == {name}) {{\n{lines}    }}\n"));
        }
        Ok(text)
    }

    fn clone_body(&mut self, ty: Ty, owned: &str) -> Printed {
        let (from, to) = (self.part_places(ty, "x"), self.part_places(ty, "(&copy)"));
        let body = self.by_variant(ty, &mut |this, tag| {
            let mut lines = Vec::new();
            for ((part, from, boxed), (_, to, _)) in from[tag].iter().zip(&to[tag]) {
                let to = to.replace("(&copy)->", "copy.");
                if *boxed {
                    let value = this.cloned(*part, &format!("(*{from})"))?;
                    lines.push(format!("{to} = {};", this.boxed(*part, &value)?));
                } else if !is_copied(*part) {
                    lines.push(format!("{to} = {};", this.cloned(*part, from)?));
                }
            }
            Ok(lines)
        })?;
        Ok(format!("    {owned} copy = *x;\n{body}    return copy;\n"))
    }

    fn drop_body(&mut self, ty: Ty) -> Printed {
        let places = self.part_places(ty, "x");
        self.by_variant(ty, &mut |this, tag| {
            let mut lines = Vec::new();
            for (part, place, boxed) in &places[tag] {
                match (*boxed, is_copied(*part)) {
                    (true, _) => {
                        lines.push(format!("if ({place} != NULL) {{"));
                        if !is_copied(*part) {
                            lines.push(format!("    {};", this.dropped(*part, &format!("(*{place})"))?));
                        }
                        lines.push(format!("    free({place});"));
                        lines.push("}".to_owned());
                    }
                    (false, false) => lines.push(format!("{};", this.dropped(*part, place)?)),
                    (false, true) => {}
                }
            }
            Ok(lines)
        })
    }

    fn equal_body(&mut self, ty: Ty) -> Printed {
        if let Some(elem) = elem(ty) {
            let equal = self.equal(elem, "x.data[i]", "y.data[i]")?;
            return Ok(format!(
                "    bool is_equal = x.len == y.len;\n    for (size_t i = 0; is_equal && i < x.len; i++) {{\n        \
                 is_equal = {equal};\n    }}\n    return is_equal;\n"
            ));
        }
        let (first, second) = (self.part_places(ty, "x"), self.part_places(ty, "y"));
        let body = self.by_variant(ty, &mut |this, tag| {
            let mut all = Vec::new();
            for ((part, x, boxed), (_, y, _)) in first[tag].iter().zip(&second[tag]) {
                let (x, y) =
                    if *boxed { (format!("(*{x})"), format!("(*{y})")) } else { (x.clone(), y.clone()) };
                all.push(this.equal(*part, &x, &y)?);
            }
            Ok(if all.is_empty() { Vec::new() } else { vec![format!("return {};", all.join(" && "))] })
        })?;
        let tags = if matches!(ty.kind(), TyKind::Enum(_)) {
            "    if (x->tag != y->tag) {\n        return false;\n    }\n"
        } else {
            ""
        };
        let is_complete = !matches!(ty.kind(), TyKind::Enum(_)) && !body.is_empty();
        // A value without parts equals another one.
        let used = if tags.is_empty() && body.is_empty() { "    (void)x;\n    (void)y;\n" } else { "" };
        let last = if is_complete { "" } else { "    return true;\n" };
        Ok(format!("{used}{tags}{body}{last}"))
    }
}

/// The address of a place.
pub(super) fn address(place: &str) -> String {
    match place.strip_prefix("(*").and_then(|rest| rest.strip_suffix(')')) {
        Some(pointer) if pointer.chars().all(|c| c.is_alphanumeric() || "_.>-".contains(c)) => {
            pointer.to_owned()
        }
        _ => format!("&{place}"),
    }
}
