//! Values in the [packed](crate::packed) form in which kernels and dynamic libraries read their arguments and write their
//! results.

use overdub_context::ir::{Ty, TyKind};

use super::kernel::FRAME;
use super::types::{canonical, elem, field_name, is_plain_enum, variant_member};
use super::values::address;
use super::{Dialect, Printer};
use crate::calls::contains_itself;
use crate::error::ExportError;
use crate::nominal::{fields, is_boxed};
use crate::packed::Lists;

type Printed = Result<String, ExportError>;

/// Whether elements of this type follow each other without gaps.
pub(super) fn is_dense(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_))
}

/// Whether a slice of such elements can be a part of the packed form itself, which is aligned for 64 bits.
pub(super) fn is_aligned(ty: Ty) -> bool {
    is_dense(ty) && !matches!(ty.kind(), TyKind::Int(int) if int.bits() > 64)
}

/// Whether lists of these elements are shared.
pub(super) fn is_number(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Int(_) | TyKind::Float(_))
}

/// The parts of a value that has no tag, and their types.
fn parts_of(ty: Ty) -> Vec<(String, Ty, bool)> {
    match ty.kind() {
        TyKind::Tuple(parts) => {
            parts.iter().enumerate().map(|(number, &ty)| (format!("f{number}"), ty, false)).collect()
        }
        _ => fields_of_variant(ty, 0),
    }
}

fn fields_of_variant(ty: Ty, tag: usize) -> Vec<(String, Ty, bool)> {
    let all = fields(ty, tag).iter().enumerate();
    all.map(|(number, field)| (field_name(ty, tag, number), field.ty, is_boxed(ty, tag, number))).collect()
}

impl Printer<'_> {
    /// An expression that reads a value, and moves `at` behind it.
    pub(super) fn read_packed(&mut self, ty: Ty, lists: Lists, at: &str) -> Printed {
        let ty = canonical(ty);
        match ty.kind() {
            TyKind::Unit | TyKind::Never => Ok("0".to_owned()),
            _ if is_dense(ty) => Ok(format!("{}({at})", self.dense(ty, "read")?)),
            _ => Ok(format!("{}({at})", self.packing(ty, "read", lists)?)),
        }
    }

    /// A statement that writes the value in a place, and moves `result` behind it.
    pub(super) fn write_packed(&mut self, ty: Ty, lists: Lists, result: &str, place: &str) -> Printed {
        let ty = canonical(ty);
        match ty.kind() {
            TyKind::Unit | TyKind::Never => Ok(format!("(void){place};")),
            _ if is_dense(ty) => Ok(format!("{}({result}, {place});", self.dense(ty, "write")?)),
            _ => Ok(format!("{}({result}, {});", self.packing(ty, "write", lists)?, address(place))),
        }
    }

    /// The function that reads or writes values of a type without parts.
    fn dense(&mut self, ty: Ty, what: &'static str) -> Printed {
        let owned = self.owned(ty, self.span)?;
        if self.dialect == Dialect::Kernel {
            return Ok(format!("overdub_{what}<{owned}>"));
        }
        let (name, is_new) = self.named_for_type(ty, what)?;
        if is_new {
            self.support.text.push_str(&match what {
                "read" => format!(
                    "\n/* Reads a packed value. */\nstatic inline {owned} {name}(const unsigned char **at) {{\n    \
                     {owned} x;\n    memcpy(&x, *at, sizeof x);\n    *at += (sizeof x + 7) / 8 * 8;\n    return x;\n}}\n"
                ),
                _ => format!(
                    "\n/* Writes a value in its packed form. */\nstatic inline void {name}(OverdubResult *result, {owned} x) \
                     {{\n    memcpy(overdub_room(result, sizeof x), &x, sizeof x);\n}}\n"
                ),
            });
        }
        Ok(name)
    }

    /// The functions that read and write lengths and other words.
    pub(super) fn word_packing(&mut self, what: &'static str) -> Printed {
        self.dense(Ty::u64(), what)
    }

    /// The function that reads or writes values of a type.
    fn packing(&mut self, ty: Ty, what: &'static str, lists: Lists) -> Printed {
        let owned = self.owned(ty, self.span)?;
        let for_lists = match (what, lists) {
            (_, Lists::Inline) => what,
            ("read", Lists::Shared) => "read_shared",
            (_, Lists::Shared) => "write_shared",
        };
        let (name, is_new) = self.named_for_type(ty, for_lists)?;
        if !is_new {
            return Ok(name);
        }
        let head = match what {
            "read" => format!("static {owned} {name}(const unsigned char **at)"),
            _ => format!("static void {name}(OverdubResult *result, const {owned} *x)"),
        };
        // A function of a type that contains itself is called before it is complete.
        self.support.declared.push_str(&format!("{head};\n"));
        let body = match what {
            "read" => {
                let zero = if self.dialect == Dialect::Kernel { "{}" } else { "{0}" };
                format!("{owned} x = {zero};\n{}return x;\n", self.reading(ty, lists)?)
            }
            _ => self.writing(ty, lists)?,
        };
        let frame = if contains_itself(ty) { format!("{FRAME}\n") } else { String::new() };
        let body = format!("{frame}{body}");
        let body = body.lines().map(|line| format!("    {line}\n")).collect::<String>();
        let doc = if what == "read" { "Reads a packed value." } else { "Writes a value in its packed form." };
        self.support.text.push_str(&format!("\n/* {doc} */\n{head} {{\n{body}}}\n"));
        Ok(name)
    }

    fn reading(&mut self, ty: Ty, lists: Lists) -> Printed {
        let read_word = self.word_packing("read")?;
        if let Some((of, make)) = self.list_of(ty)? {
            let mut text = format!("uint64_t len = {read_word}(at);\n");
            match make {
                Some(make) => text.push_str(&format!("x = {make}(len);\n")),
                None => {
                    let reserve = self.plain("text_reserve")?;
                    text.push_str(&format!("{reserve}(&x, len);\nx.len = len;\n"));
                }
            }
            if lists == Lists::Shared && (ty == Ty::str() || is_number(of)) {
                text.push_str(&format!(
                    "const void *shared = (const void *)(uintptr_t){read_word}(at);\n\
                     if (len > 0) {{\n    memcpy(x.data, shared, len * sizeof *x.data);\n}}\n"
                ));
            } else if ty == Ty::str() || is_dense(of) {
                text.push_str(
                    "if (len > 0) {\n    memcpy(x.data, *at, len * sizeof *x.data);\n}\n\
                     *at += (len * sizeof *x.data + 7) / 8 * 8;\n",
                );
            } else {
                let one = self.read_packed(of, Lists::Inline, "at")?;
                text.push_str(&format!("for (size_t i = 0; i < len; i++) {{\n    x.data[i] = {one};\n}}\n"));
            }
            return Ok(text);
        }
        if !matches!(ty.kind(), TyKind::Enum(_)) {
            return parts_of(ty).into_iter().map(|part| self.reading_part("x.", &part, lists)).collect();
        }
        let mut text = format!("switch ({read_word}(at)) {{\n");
        for (tag, variant) in self.tags(ty)?.into_iter().enumerate() {
            text.push_str(&format!("case {tag}:\n"));
            match is_plain_enum(ty) {
                true => text.push_str(&format!("    x = {variant};\n")),
                false => text.push_str(&format!("    x.tag = {variant};\n")),
            }
            for part in fields_of_variant(ty, tag) {
                let lines = self.reading_part(&format!("x.as.{}.", variant_member(ty, tag)), &part, lists)?;
                text.push_str(&lines.lines().map(|line| format!("    {line}\n")).collect::<String>());
            }
            text.push_str("    break;\n");
        }
        text.push_str("}\n");
        Ok(text)
    }

    fn reading_part(&mut self, of: &str, (name, ty, boxed): &(String, Ty, bool), lists: Lists) -> Printed {
        let one = self.read_packed(*ty, lists, "at")?;
        Ok(match boxed {
            true => format!("{of}{name} = {};\n", self.boxed(*ty, &one)?),
            false => format!("{of}{name} = {one};\n"),
        })
    }

    fn writing(&mut self, ty: Ty, lists: Lists) -> Printed {
        let write_word = self.word_packing("write")?;
        if let Some((of, _)) = self.list_of(ty)? {
            let begin = format!("{write_word}(result, x->len);\n");
            if lists == Lists::Shared && (ty == Ty::str() || is_number(of)) {
                return Ok(format!("{begin}{write_word}(result, (uint64_t)(uintptr_t)x->data);\n"));
            }
            if ty == Ty::str() || is_dense(of) {
                return Ok(format!(
                    "{begin}if (x->len > 0) {{\n    memcpy(overdub_room(result, x->len * sizeof *x->data), x->data, x->len * \
                     sizeof *x->data);\n}}\n"
                ));
            }
            let one = self.write_packed(of, Lists::Inline, "result", "x->data[i]")?;
            return Ok(format!("{begin}for (size_t i = 0; i < x->len; i++) {{\n    {one}\n}}\n"));
        }
        if !matches!(ty.kind(), TyKind::Enum(_)) {
            let parts = parts_of(ty);
            let lines: Result<String, _> =
                parts.iter().map(|part| self.writing_part("x->", part, lists)).collect();
            return Ok(if parts.is_empty() { "(void)result;\n(void)x;\n".to_owned() } else { lines? });
        }
        let plain = is_plain_enum(ty);
        let tag_of = if plain { "*x" } else { "x->tag" };
        let mut text = format!("switch ({tag_of}) {{\n");
        for (tag, variant) in self.tags(ty)?.into_iter().enumerate() {
            text.push_str(&format!("case {variant}:\n    {write_word}(result, {tag});\n"));
            for part in fields_of_variant(ty, tag) {
                let line = self.writing_part(&format!("x->as.{}.", variant_member(ty, tag)), &part, lists)?;
                text.push_str(&format!("    {line}"));
            }
            text.push_str("    break;\n");
        }
        text.push_str("}\n");
        Ok(text)
    }

    fn writing_part(&mut self, of: &str, (name, ty, boxed): &(String, Ty, bool), lists: Lists) -> Printed {
        let place = if *boxed { format!("(*{of}{name})") } else { format!("{of}{name}") };
        Ok(format!("{}\n", self.write_packed(*ty, lists, "result", &place)?))
    }

    /// The elements of a list, and the function that makes one of a length; none for text.
    fn list_of(&mut self, ty: Ty) -> Result<Option<(Ty, Option<String>)>, ExportError> {
        if ty == Ty::str() {
            return Ok(Some((ty, None)));
        }
        match (elem(ty), ty.kind()) {
            (Some(of), _) => Ok(Some((of, Some(self.of_vec(of, "with_len")?)))),
            (None, TyKind::Tuple(_) | TyKind::Struct(_) | TyKind::Enum(_)) => Ok(None),
            (None, _) => Err(self.unsupported(format!("a value of type `{ty}` cannot be packed"), self.span)),
        }
    }

    /// The names of the variants of an enum.
    fn tags(&mut self, ty: Ty) -> Result<Vec<String>, ExportError> {
        let count = ty.as_nominal().and_then(|nominal| nominal.variants()).map_or(0, <[_]>::len);
        (0..count).map(|tag| self.variant(ty, tag)).collect()
    }
}
