//! Functions, and what is written once for each.

use super::Printer;
use super::stmts::reads;
use super::types::{constant, declared, elem, has_slice};
use crate::ast::Function;
use crate::error::ExportError;
use crate::local_names::local_names;
use crate::ownership::is_copied;
use crate::rust::Signature;
use crate::tidy::used_labels;

impl Printer<'_> {
    /// Writes a function; returns its declaration.
    pub(super) fn function(
        &mut self,
        function: &Function,
        signature: &Signature,
    ) -> Result<String, ExportError> {
        self.func = function.symbol;
        self.func_span = function.span;
        self.span = function.span;
        self.ret = function.ret;
        self.locals.clone_from(&function.locals);
        self.labels = used_labels(&function.body);
        self.read.clear();
        reads(&function.body, &mut self.read);
        self.local_names = local_names(function, &self.names);
        self.scope = self.names.clone();
        for name in &self.local_names {
            self.scope.unique(name);
        }
        self.lengths.clear();
        self.targets.clear();
        self.variants.clear();
        let is_public = signature.name.is_some();
        let mut params = Vec::new();
        let mut unused = Vec::new();
        for &param in &function.params {
            let info = self.locals[param.0 as usize].clone();
            let name = self.local_names[param.0 as usize].clone();
            if is_public && info.is_ref && has_slice(info.ty) {
                let len = self.scope.unique(&format!("{name}_len"));
                let of = match elem(info.ty) {
                    Some(elem) => constant(&self.owned(elem, function.span)?),
                    None => "const char".to_owned(),
                };
                params.push(if of.ends_with(' ') { format!("{of}*{name}") } else { format!("{of} *{name}") });
                params.push(format!("size_t {len}"));
                // The elements may be read where the length is not, and the other way round.
                unused.push(name.clone());
                unused.push(len.clone());
                self.lengths.insert(param, len);
                // The type of slices is used in the body.
                self.borrowed_ty(info.ty, function.span)?;
                continue;
            }
            let ty = match info.is_ref {
                true => self.borrowed_ty(info.ty, function.span)?,
                false => self.owned(info.ty, function.span)?,
            };
            if !self.read.contains(&param) {
                unused.push(name.clone());
            }
            params.push(declared(&ty, &name));
        }
        // Who calls it has to end its result.
        if is_public && !is_copied(function.ret) {
            self.dropped(function.ret, "result")?;
        }
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        let ret = self.types.returned(function.ret, &mut self.names);
        let ret = ret.map_err(|error| self.no_type(error, function.span))?;
        let name = self.functions[&function.symbol].name.clone();
        let storage = if is_public { "" } else { "static " };
        let declaration = format!("{storage}{}", declared(&ret, &format!("{name}({params})")));
        self.line("");
        if let Some(doc) = &signature.doc {
            self.line(&format!("/* {} */", doc.replace("*/", "* /")));
        }
        self.line(&format!("{declaration} {{"));
        self.indent += 1;
        self.commented = None;
        if self.recursive.contains(&function.symbol) {
            self.line(super::kernel::FRAME);
        }
        let before = std::mem::take(&mut self.out);
        self.list(&function.body)?;
        let body = std::mem::replace(&mut self.out, before);
        for name in unused {
            if !mentions(&body, &name) {
                self.line(&format!("(void){name};"));
            }
        }
        self.out.push_str(&body);
        self.indent -= 1;
        self.line("}");
        Ok(declaration)
    }
}

/// Whether a name occurs in code, besides its comments, which have lines of their own, and its strings.
fn mentions(code: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_in = |text: &str| {
        text.match_indices(name)
            .any(|(at, _)| !text[..at].ends_with(is_word) && !text[at + name.len()..].starts_with(is_word))
    };
    code.lines().filter(|line| !line.trim_start().starts_with("/*")).any(|line| {
        let line = line.replace("\\\\", "").replace("\\\"", "");
        line.split('"').step_by(2).any(is_in)
    })
}
