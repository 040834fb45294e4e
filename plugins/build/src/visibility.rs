//! Where items and fields can be named. The program resolves names whatever their visibility, so it is read from the
//! text.

use std::cell::RefCell;
use std::rc::Rc;

use hashbrown::HashMap;
use overdub_context::{Span, Symbol};
use overdub_lower::Program;
use proc_macro2::Ident;
use syn::visit::Visit;

/// The declaration of an item.
pub(crate) struct Declared {
    pub(crate) vis: syn::Visibility,
    /// The fields of a struct with their visibilities; none for other items, whose fields are as visible as they are.
    pub(crate) fields: Vec<(Span, syn::Visibility)>,
    /// Whether a struct or a variant without fields has brackets, so that its name alone is no value.
    pub(crate) has_empty_brackets: bool,
}

/// The declarations in the files of a program.
pub(crate) struct Declarations<'p> {
    program: &'p Program,
    files: RefCell<HashMap<Symbol, Option<Rc<syn::File>>>>,
}

impl<'p> Declarations<'p> {
    pub(crate) fn new(program: &'p Program) -> Declarations<'p> {
        Declarations { program, files: RefCell::default() }
    }

    /// The declaration of the module, struct or enum whose name is at this place; none if a macro made it.
    pub(crate) fn at(&self, name: Span) -> Option<Declared> {
        let mut files = self.files.borrow_mut();
        let file = files.entry(name.file).or_insert_with(|| {
            let text = self.program.source(name.file)?;
            syn::parse_file(&text).ok().map(Rc::new)
        });
        let file = file.clone()?;
        let mut finder = Finder { name, found: None };
        finder.visit_file(&file);
        finder.found
    }
}

/// Finds the item whose name is at a place.
struct Finder {
    name: Span,
    found: Option<Declared>,
}

impl Finder {
    fn is_it(&self, ident: &Ident) -> bool {
        let at = ident.span().start();
        (at.line, at.column + 1) == (self.name.line as usize, self.name.column as usize)
    }

    fn span_of(&self, at: proc_macro2::Span) -> Span {
        let (start, end) = (at.start(), at.end());
        let len = if start.line == end.line { end.column.saturating_sub(start.column) } else { 1 };
        Span::new(self.name.file, start.line as u32, start.column as u32 + 1, len as u32)
    }
}

fn has_empty_brackets(fields: &syn::Fields) -> bool {
    fields.is_empty() && !matches!(fields, syn::Fields::Unit)
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if self.is_it(&item.ident) {
            self.found =
                Some(Declared { vis: item.vis.clone(), fields: Vec::new(), has_empty_brackets: false });
        }
        syn::visit::visit_item_mod(self, item);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        if self.is_it(&item.ident) {
            let fields = item.fields.iter().map(|field| {
                let at = match &field.ident {
                    Some(ident) => ident.span(),
                    None => syn::spanned::Spanned::span(&field.ty),
                };
                (self.span_of(at), field.vis.clone())
            });
            self.found = Some(Declared {
                vis: item.vis.clone(),
                fields: fields.collect(),
                has_empty_brackets: has_empty_brackets(&item.fields),
            });
        }
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        if self.is_it(&item.ident) {
            let has_empty_brackets = item.variants.iter().any(|variant| has_empty_brackets(&variant.fields));
            self.found = Some(Declared { vis: item.vis.clone(), fields: Vec::new(), has_empty_brackets });
        }
    }
}

/// Whether what is declared in a module with this visibility can be named in another module. Modules are given by their
/// names from the root.
pub(crate) fn is_visible(vis: &syn::Visibility, declared_in: &[Symbol], from: &[Symbol]) -> bool {
    let scope = match vis {
        syn::Visibility::Public(_) => return true,
        syn::Visibility::Inherited => declared_in.to_vec(),
        syn::Visibility::Restricted(within) => {
            let mut scope = declared_in.to_vec();
            for (at, segment) in within.path.segments.iter().enumerate() {
                match segment.ident.to_string().as_str() {
                    "crate" => scope.clear(),
                    "self" => {}
                    "super" => drop(scope.pop()),
                    // Paths of the edition of 2015 begin at the root.
                    name if at == 0 => scope = vec![Symbol::new(name)],
                    name => scope.push(Symbol::new(name)),
                }
            }
            scope
        }
    };
    from.starts_with(&scope)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_items_are_seen_in_their_module_and_those_inside_it() {
        let path = |text: &str| {
            text.split("::").filter(|name| !name.is_empty()).map(Symbol::new).collect::<Vec<_>>()
        };
        for (vis, declared_in, from, expected) in [
            ("pub", "a::b", "", true),
            ("", "", "derivatives", true),
            ("", "a", "derivatives", false),
            ("", "a", "a::b", true),
            ("pub(crate)", "a::b", "c", true),
            ("pub(super)", "a", "c", true),
            ("pub(super)", "a::b", "c", false),
            ("pub(in crate::a)", "a::b", "a::c", true),
            ("pub(in crate::a)", "a::b", "c", false),
        ] {
            let parsed = syn::parse_str(vis).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(
                is_visible(&parsed, &path(declared_in), &path(from)),
                expected,
                "{vis} {declared_in} {from}"
            );
        }
    }
}
