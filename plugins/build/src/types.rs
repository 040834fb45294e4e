//! The structs and enums of a crate that exported text can name by their paths instead of declaring copies.

use std::cell::RefCell;

use hashbrown::{HashMap, HashSet};
use overdub_context::ir::{Nominal, Ty as IrTy, TyKind as IrKind};
use overdub_context::{Span, Symbol};
use overdub_export::{is_boxed, is_copied};
use overdub_lower::hir::{DefId, DefKind, Prim, TypeKind};
use overdub_lower::infer::{Arg, Ty, TyKind};
use overdub_lower::{Function, Loaded, SelfHead};

use crate::error::{Cause, Error};
use crate::visibility::{Declarations, is_visible};

/// The paths of the types of a crate, as they are named in one of its modules.
///
/// ```
/// use overdub_build::TypePaths;
///
/// let source = "pub mod shape { #[derive(Clone, Copy)] pub struct Disc { pub radius: f64 } }
///               pub fn area(disc: &shape::Disc) -> f64 { 3.0 * disc.radius * disc.radius }";
/// let loaded = overdub_lower::Loaded::from_source("lib.rs", source)?;
/// let area = loaded.function("area")?;
/// let paths = TypePaths::in_module(&loaded, "");
/// paths.add_signature(&area);
/// let disc = area.params[0].ir_ty.as_nominal().ok_or("it is a struct")?;
/// assert_eq!(paths.path(disc).as_deref(), Some("crate::shape::Disc"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TypePaths<'p> {
    loaded: &'p Loaded,
    declarations: Declarations<'p>,
    /// The names of the module from the root.
    module: Vec<Symbol>,
    /// The types in Rust of those of the IR.
    known: RefCell<HashMap<Nominal, Ty>>,
    found: RefCell<HashMap<Nominal, Result<String, NoPath>>>,
}

/// Why a type cannot be named, and the place of what is to be changed.
#[derive(Clone, Debug)]
struct NoPath {
    reason: String,
    span: Span,
}

impl std::fmt::Debug for TypePaths<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TypePaths").field("module", &self.module).finish_non_exhaustive()
    }
}

impl<'p> TypePaths<'p> {
    /// The paths as they are named in a module of the crate: `model::derivatives`, or nothing for its root.
    pub fn in_module(loaded: &'p Loaded, module: &str) -> TypePaths<'p> {
        let names = module.split("::").filter(|name| !matches!(*name, "" | "crate"));
        TypePaths {
            loaded,
            declarations: Declarations::new(loaded.program()),
            module: names.map(Symbol::new).collect(),
            known: RefCell::default(),
            found: RefCell::default(),
        }
    }

    /// Makes the types in a signature known, which may have type arguments.
    pub fn add_signature(&self, function: &Function) {
        let mut seen = HashSet::new();
        function.params.iter().for_each(|param| self.add(param.ty, &mut seen));
        self.add(function.ret, &mut seen);
    }

    fn add(&self, ty: Ty, seen: &mut HashSet<Ty>) {
        if !seen.insert(ty) {
            return;
        }
        match ty.kind() {
            TyKind::Ref(inner) | TyKind::RefMut(inner) | TyKind::Slice(inner) | TyKind::Array(inner, _) => {
                self.add(*inner, seen);
            }
            TyKind::Tuple(parts) => parts.iter().for_each(|&part| self.add(part, seen)),
            TyKind::Adt(def, args) => {
                args.iter().filter_map(|arg| arg.ty()).for_each(|arg| self.add(arg, seen));
                let lowered = self.loaded.lowering().ir_ty(ty).ok().and_then(IrTy::as_nominal);
                if let Some(nominal) = lowered.filter(|_| self.is_own(*def)) {
                    self.known.borrow_mut().insert(nominal, ty);
                    for (_, fields) in self.loaded.types().variants(ty).unwrap_or_default() {
                        fields.into_iter().for_each(|(_, field)| self.add(field, seen));
                    }
                }
            }
            _ => {}
        }
    }

    /// The path of a type, without type arguments; none if it cannot be named, or belongs to another crate.
    pub fn path(&self, nominal: Nominal) -> Option<String> {
        self.lookup(nominal)?.ok()
    }

    /// Fails if types of the crate in this type cannot be named.
    ///
    /// # Errors
    /// With the type, the reason, and the place of what is to be changed.
    pub fn check(&self, ty: IrTy) -> Result<(), Error> {
        let mut nominals = Vec::new();
        nominals_in(ty, &mut HashSet::new(), &mut nominals);
        for nominal in nominals {
            if let Some(Err(NoPath { reason, span })) = self.lookup(nominal) {
                let names: Vec<&str> =
                    ["crate"].into_iter().chain(self.module.iter().map(|name| name.as_str())).collect();
                let cause = Cause::Type { ty: nominal.name().to_string(), module: names.join("::"), reason };
                return Err(Error::new(cause).at(span).in_program(self.loaded));
            }
        }
        Ok(())
    }

    /// Whether the exported text has the same type for values of this one.
    pub fn is_same(&self, ty: Ty) -> bool {
        self.same(ty).is_ok()
    }

    /// None for types of other crates.
    fn lookup(&self, nominal: Nominal) -> Option<Result<String, NoPath>> {
        if let Some(known) = self.found.borrow().get(&nominal) {
            return Some(known.clone());
        }
        let ty = self.rust_ty(nominal)?;
        let TyKind::Adt(def, args) = ty.kind() else { return None };
        // A type may contain itself.
        let path = format!("crate::{}", self.loaded.program().path(*def));
        self.found.borrow_mut().insert(nominal, Ok(path.clone()));
        let before: HashSet<Nominal> = self.found.borrow().keys().copied().collect();
        let found = self.check_type(ty, *def, args).map(|()| path);
        if found.is_err() {
            // What was found in the meantime may rest on it.
            self.found.borrow_mut().retain(|known, found| before.contains(known) || found.is_err());
        }
        self.found.borrow_mut().insert(nominal, found.clone());
        Some(found)
    }

    /// The type in Rust.
    fn rust_ty(&self, nominal: Nominal) -> Option<Ty> {
        if let Some(&known) = self.known.borrow().get(&nominal) {
            return Some(known);
        }
        if !nominal.args().is_empty() || nominal.in_universe() == Nominal::SHARED {
            return None;
        }
        let program = self.loaded.program();
        let def = program.lookup(&format!("crate::{}", nominal.name())).ok()?;
        let is_type = matches!(program.head(def).kind, DefKind::Struct | DefKind::Enum) && self.is_own(def);
        let ty = is_type.then(|| Ty::adt(def, []))?;
        (self.loaded.lowering().ir_ty(ty).ok()?.as_nominal()? == nominal).then_some(ty)
    }

    /// Whether an item belongs to the crate.
    fn is_own(&self, def: DefId) -> bool {
        let program = self.loaded.program();
        let (mut at, root) = (def, program.root());
        while at != root {
            let parent = program.head(at).parent;
            if parent == at {
                return false;
            }
            at = parent;
        }
        true
    }

    fn check_type(&self, ty: Ty, def: DefId, args: &[Arg]) -> Result<(), NoPath> {
        let program = self.loaded.program();
        let head = program.head(def);
        let refuse = |reason: &str, span: Span| Err(NoPath { reason: reason.to_owned(), span });
        let Ok(adt) = program.adt(def) else { return refuse("it is no struct or enum", head.span) };
        if adt.is_union {
            return refuse("it is a union", head.span);
        }
        if args.iter().any(|arg| matches!(arg, Arg::Const(_))) {
            return refuse("it has a constant as a parameter", head.span);
        }
        let Some(declared) = self.declarations.at(head.span) else {
            return refuse("a macro makes it", head.span);
        };
        if declared.has_empty_brackets {
            return refuse("it has brackets without fields in them", head.span);
        }
        let Some(home) = self.module_of(def)? else { return refuse("a function contains it", head.span) };
        if !is_visible(&declared.vis, &home, &self.module) {
            return refuse("it is private", head.span);
        }
        for (span, vis) in &declared.fields {
            if !is_visible(vis, &home, &self.module) {
                return refuse("this field is private", *span);
            }
        }
        let (Ok(lowered), Ok(variants)) =
            (self.loaded.lowering().ir_ty(ty), self.loaded.types().variants(ty))
        else {
            return refuse("its layout is not known", head.span);
        };
        for (tag, (_, fields)) in variants.iter().enumerate() {
            for (number, (name, field)) in fields.iter().enumerate() {
                let boxed = is_boxed(lowered, tag, number);
                let same = match self.boxed(*field) {
                    Some(inner) if boxed => self.same(inner),
                    _ if boxed => Err(None),
                    _ => self.same(*field),
                };
                same.map_err(|cause| {
                    cause.unwrap_or_else(|| NoPath {
                        reason: format!(
                            "the field `{name}: {}` would have another type in the exported text",
                            self.loaded.types().show(*field)
                        ),
                        span: declared.fields.get(number).map_or(head.span, |(span, _)| *span),
                    })
                })?;
            }
        }
        match is_copied(lowered) {
            true if !self.is_copy(def, &adt.derives) => refuse("it is not `Copy`", head.span),
            false if !program.lang("clone").is_some_and(|of| self.loaded.types().implements(ty, of, &[])) => {
                refuse("it is not `Clone`", head.span)
            }
            _ => Ok(()),
        }
    }

    /// Whether a type is declared to be `Copy`, a trait that all types have in the program.
    fn is_copy(&self, def: DefId, derives: &[DefId]) -> bool {
        let program = self.loaded.program();
        let Some(copy) = program.lang("copy") else { return false };
        let is_own = |of: &DefId| {
            let found = program.impl_(*of);
            found.is_ok_and(|found| matches!(found.self_ty.kind, TypeKind::Def(ty, _) if ty == def))
        };
        derives.contains(&copy) || program.impls_for(copy, SelfHead::Def(def)).iter().any(is_own)
    }

    /// The names of the module that contains an item, each of which can be named; none if a function contains it.
    fn module_of(&self, def: DefId) -> Result<Option<Vec<Symbol>>, NoPath> {
        let program = self.loaded.program();
        let (root, mut names, mut modules) = (program.root(), Vec::new(), Vec::new());
        let mut at = program.head(def).parent;
        while at != root {
            let head = program.head(at);
            if head.kind != DefKind::Mod || head.name.is_empty() {
                return Ok(None);
            }
            names.push(head.name);
            modules.push(head.span);
            at = head.parent;
        }
        names.reverse();
        for (depth, span) in modules.into_iter().rev().enumerate() {
            let vis = self.declarations.at(span).map(|declared| declared.vis);
            if !vis.is_some_and(|vis| is_visible(&vis, &names[..depth], &self.module)) {
                return Err(NoPath { reason: format!("the module `{}` is private", names[depth]), span });
            }
        }
        Ok(Some(names))
    }

    /// What a `Box` holds.
    fn boxed(&self, ty: Ty) -> Option<Ty> {
        match ty.kind() {
            TyKind::Adt(def, args) if self.lang(*def).is_some_and(|lang| lang.as_str() == "box") => {
                args.first()?.ty()
            }
            _ => None,
        }
    }

    fn lang(&self, def: DefId) -> Option<Symbol> {
        self.loaded.program().head(def).lang
    }

    /// Fails if the exported text has another type for values of this one; with the reason if a type in it has no path.
    fn same(&self, ty: Ty) -> Result<(), Option<NoPath>> {
        match ty.kind() {
            TyKind::Prim(prim) if *prim != Prim::Str => Ok(()),
            TyKind::Tuple(parts) => parts.iter().try_for_each(|&part| self.same(part)),
            TyKind::Adt(def, args) => match self.lang(*def).as_ref().map(|lang| lang.as_str()) {
                Some("vec" | "option" | "result") => {
                    args.iter().try_for_each(|arg| self.same(arg.ty().ok_or(None)?))
                }
                Some("string" | "ordering") => Ok(()),
                Some(_) => Err(None),
                None => {
                    let nominal = self.loaded.lowering().ir_ty(ty).ok().and_then(IrTy::as_nominal);
                    let found = nominal.and_then(|nominal| self.lookup(nominal)).ok_or(None)?;
                    found.map(drop).map_err(Some)
                }
            },
            _ => Err(None),
        }
    }
}

/// The structs and enums in a type, those in the fields of others included.
fn nominals_in(ty: IrTy, seen: &mut HashSet<IrTy>, found: &mut Vec<Nominal>) {
    if !seen.insert(ty) {
        return;
    }
    match ty.kind() {
        IrKind::Tuple(parts) => parts.iter().for_each(|&part| nominals_in(part, seen, found)),
        IrKind::Array(array) => nominals_in(array.elem, seen, found),
        IrKind::Stack(elem) | IrKind::Ref(elem) => nominals_in(*elem, seen, found),
        IrKind::Closure(closure) => closure.captures.iter().for_each(|&part| nominals_in(part, seen, found)),
        IrKind::Fn(of) => {
            of.params.iter().chain([&of.ret]).for_each(|&part| nominals_in(part, seen, found));
        }
        IrKind::Struct(nominal) | IrKind::Enum(nominal) => {
            found.push(*nominal);
            let variants = nominal.variants().map_or(1, <[_]>::len) as u32;
            let parts = (0..variants).filter_map(|variant| ty.parts(variant)).flatten();
            parts.for_each(|part| nominals_in(part, seen, found));
        }
        _ => {}
    }
}
