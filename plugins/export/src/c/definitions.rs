//! The definitions of types in C, each after those that it contains.

use hashbrown::HashSet;
use overdub_context::ir::{Ty, TyKind};

use super::names::Names;
use super::types::{NoType, Types, canonical, constant, declared, field_name, is_plain_enum, variant_member};
use crate::nominal::{fields, is_boxed};

impl Types {
    /// The definitions of all types that were met.
    pub(super) fn definitions(&mut self, names: &mut Names) -> Result<String, NoType> {
        let mut bodies = Vec::new();
        let mut done = HashSet::new();
        // Printing a type may meet further ones.
        let mut at = 0;
        while let Some(&ty) = self.order.get(at) {
            at += 1;
            self.define(ty, names, &mut done, &mut bodies)?;
        }
        let mut text = String::new();
        if self.uses_unit {
            text.push_str("\n/* The type of no value. */\ntypedef char Unit;\n");
        }
        if self.uses_128 {
            text.push_str("\n__extension__ typedef __int128 Int128;\n__extension__ typedef unsigned __int128 Uint128;\n");
        }
        if self.uses_text {
            text.push_str(
                "\n/* Text in UTF-8, which does not end in a zero. */\ntypedef struct {\n    char *data;\n    size_t len, cap;\n} Text;\n\n\
                 typedef struct {\n    const char *data;\n    size_t len;\n} TextView;\n",
            );
        }
        let mut forward = String::new();
        for &ty in &self.order {
            let name = &self.names[&ty];
            if is_plain_enum(ty) && variants_of(ty) > 0 {
                continue;
            }
            forward.push_str(&format!("typedef struct {name} {name};\n"));
        }
        if !forward.is_empty() {
            text.push('\n');
            text.push_str(&forward);
        }
        text.push_str(&bodies.concat());
        Ok(text)
    }

    /// Defines a type after those that it contains.
    fn define(
        &mut self,
        ty: Ty,
        names: &mut Names,
        done: &mut HashSet<Ty>,
        out: &mut Vec<String>,
    ) -> Result<(), NoType> {
        if !done.insert(ty) {
            return Ok(());
        }
        let name = self.name(ty, names)?;
        let text = match ty.kind() {
            TyKind::Array(array) => {
                let elem = self.owned(array.elem, names)?;
                let space = if elem.ends_with('*') { "" } else { " " };
                // The type of elements that are numbers has to be known.
                if is_plain_enum(array.elem) {
                    self.define(array.elem, names, done, out)?;
                }
                let slice = &self.slices[&ty];
                format!(
                    "\nstruct {name} {{\n    {elem}{space}*data;\n    size_t len, cap;\n}};\n\ntypedef struct {{\n    \
                     {}{space}*data;\n    size_t len;\n}} {slice};\n",
                    constant(&elem)
                )
            }
            TyKind::Tuple(parts) => {
                let mut lines = String::new();
                for (number, &part) in parts.iter().enumerate() {
                    self.require(part, names, done, out)?;
                    lines.push_str(&format!(
                        "    {};\n",
                        declared(&self.owned(part, names)?, &format!("f{number}"))
                    ));
                }
                format!("\nstruct {name} {{\n{lines}}};\n")
            }
            TyKind::Fn(of) => {
                let mut params = vec![format!("{name} *self")];
                for &ty in of.params.iter().chain([&of.ret]).filter(|ty| is_plain_enum(**ty)) {
                    self.require(ty, names, done, out)?;
                }
                for &param in of.params.iter() {
                    params.push(self.owned(param, names)?);
                }
                let ret = self.returned(of.ret, names)?;
                format!(
                    "\n/* A function with what it captured; `count` values share it. */\nstruct {name} {{\n    {};\n    \
                     void (*drop)({name} *self);\n    size_t count;\n}};\n",
                    declared(&ret, &format!("(*call)({})", params.join(", ")))
                )
            }
            TyKind::Struct(_) => {
                let lines = self.members(ty, 0, 1, names, done, out)?;
                format!("\n/* The type `{}`. */\nstruct {name} {{\n{lines}}};\n", comment(ty))
            }
            TyKind::Enum(_) if is_plain_enum(ty) && variants_of(ty) > 0 => {
                let variants: Vec<String> =
                    (0..variants_of(ty)).map(|tag| self.variants[&(ty, tag)].clone()).collect();
                format!(
                    "\n/* The type `{}`. */\ntypedef enum {{ {} }} {name};\n",
                    comment(ty),
                    variants.join(", ")
                )
            }
            TyKind::Enum(_) => {
                let variants: Vec<String> =
                    (0..variants_of(ty)).map(|tag| self.variants[&(ty, tag)].clone()).collect();
                let mut members = String::new();
                for tag in 0..variants.len() {
                    let lines = self.members(ty, tag, 3, names, done, out)?;
                    if !fields(ty, tag).is_empty() {
                        let member = variant_member(ty, tag);
                        members.push_str(&format!("        struct {{\n{lines}        }} {member};\n"));
                    }
                }
                let mut before = String::new();
                let tag = match (variants.is_empty(), self.is_cpp) {
                    (true, _) => "    char tag;\n".to_owned(),
                    (false, true) => {
                        before = format!("\nenum {{ {} }};\n", variants.join(", "));
                        format!("    int tag;\n    union {{\n{members}    }} as;\n")
                    }
                    (false, false) => format!(
                        "    enum {{ {} }} tag;\n    union {{\n{members}    }} as;\n",
                        variants.join(", ")
                    ),
                };
                format!("{before}\n/* The type `{}`. */\nstruct {name} {{\n{tag}}};\n", comment(ty))
            }
            _ => return Err(NoType(ty)),
        };
        out.push(text);
        Ok(())
    }

    /// Defines a type that another one contains.
    fn require(
        &mut self,
        ty: Ty,
        names: &mut Names,
        done: &mut HashSet<Ty>,
        out: &mut Vec<String>,
    ) -> Result<(), NoType> {
        let ty = canonical(ty);
        self.owned(ty, names)?;
        match self.names.contains_key(&ty) && !matches!(ty.kind(), TyKind::Fn(_)) {
            true => self.define(ty, names, done, out),
            false => Ok(()),
        }
    }

    fn members(
        &mut self,
        ty: Ty,
        tag: usize,
        indent: usize,
        names: &mut Names,
        done: &mut HashSet<Ty>,
        out: &mut Vec<String>,
    ) -> Result<String, NoType> {
        let mut lines = String::new();
        for (number, field) in fields(ty, tag).iter().enumerate() {
            let name = field_name(ty, tag, number);
            let owned = self.owned(field.ty, names)?;
            let member = if is_boxed(ty, tag, number) {
                declared(&format!("{owned} *"), &name)
            } else {
                self.require(field.ty, names, done, out)?;
                declared(&owned, &name)
            };
            lines.push_str(&format!("{}{member};\n", "    ".repeat(indent)));
        }
        if lines.is_empty() {
            lines = format!("{}char unused;\n", "    ".repeat(indent));
        }
        Ok(lines)
    }
}

fn variants_of(ty: Ty) -> usize {
    ty.as_nominal().and_then(|nominal| nominal.variants()).map_or(0, <[_]>::len)
}

fn comment(ty: Ty) -> String {
    ty.to_string().replace("*/", "* /")
}
