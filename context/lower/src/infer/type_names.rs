//! `type_name`: types as rustc names them, with the paths of the modules that declare them.
//!
//! - TYPENAME1 arguments equal to the defaults of their parameters are left out, lifetimes are `'_`.
//! - TYPENAME2 a type of the standard library whose module has another name there, and that [`STD`] does not list, has that of
//!   the prelude: std does not specify these texts. Markers such as `Send` and lifetimes bound by `for` are not named, and an
//!   `Arc` is an `Rc`.

use overdub_context::Span;

use super::cx::Cx;
use super::session::Types;
use super::ty::*;
use crate::hir::{DefId, DefKind};

/// Paths of the prelude, and those of the standard library where more than the crate differs.
const STD: [(&str, &str); 26] = [
    ("std::collections::map::HashMap", "std::collections::hash::map::HashMap"),
    ("std::collections::set::HashSet", "std::collections::hash::set::HashSet"),
    ("std::collections::map::BTreeMap", "alloc::collections::btree::map::BTreeMap"),
    ("std::collections::set::BTreeSet", "alloc::collections::btree::set::BTreeSet"),
    ("std::collections::deque::VecDeque", "alloc::collections::vec_deque::VecDeque"),
    ("std::collections::heap::BinaryHeap", "alloc::collections::binary_heap::BinaryHeap"),
    ("std::collections::list::LinkedList", "alloc::collections::linked_list::LinkedList"),
    ("std::hash::RandomState", "std::hash::random::RandomState"),
    ("std::cell::OnceCell", "core::cell::once::OnceCell"),
    ("std::mem::ManuallyDrop", "core::mem::manually_drop::ManuallyDrop"),
    ("std::ops::Range", "core::ops::range::Range"),
    ("std::range::Range", "core::ops::range::Range"),
    ("std::range::RangeInclusive", "core::ops::range::RangeInclusive"),
    ("std::num::Wrapping", "core::num::wrapping::Wrapping"),
    ("std::time::duration::Duration", "core::time::Duration"),
    ("std::time::Instant", "std::time::Instant"),
    ("std::sync::lock::Mutex", "std::sync::poison::mutex::Mutex"),
    ("std::sync::lock::RwLock", "std::sync::poison::rwlock::RwLock"),
    ("std::iter::iterator::Iterator", "core::iter::traits::iterator::Iterator"),
    ("std::iter::adapters::Map", "core::iter::adapters::map::Map"),
    ("std::iter::adapters::Filter", "core::iter::adapters::filter::Filter"),
    ("std::error::Error", "core::error::Error"),
    ("std::ops::Fn", "core::ops::function::Fn"),
    ("std::ops::FnMut", "core::ops::function::FnMut"),
    ("std::ops::FnOnce", "core::ops::function::FnOnce"),
    ("std::any::Any", "core::any::Any"),
];

/// The modules of `std` that are those of `alloc`, and those that are its own; all others are those of `core`.
const ALLOC: [&str; 6] = ["borrow", "boxed", "collections", "rc", "string", "vec"];
const OWN: [&str; 11] =
    ["backtrace", "env", "ffi", "fs", "io", "net", "path", "process", "sync", "thread", "time"];

/// The path that the standard library has for one of the prelude (TYPENAME2).
fn of_std(path: &str) -> Option<String> {
    if let Some((_, named)) = STD.iter().find(|(known, _)| *known == path) {
        return Some((*named).to_owned());
    }
    let rest = path.strip_prefix("std::")?;
    let module = rest.split("::").next()?;
    let krate = match module {
        _ if ALLOC.contains(&module) => "alloc",
        _ if OWN.contains(&module) => "std",
        _ => "core",
    };
    Some(format!("{krate}::{rest}"))
}

impl Types {
    /// The text of `type_name` for a type.
    pub(crate) fn type_name(&self, ty: Ty) -> String {
        let list = |tys: &[Ty]| tys.iter().map(|ty| self.type_name(*ty)).collect::<Vec<_>>().join(", ");
        match ty.kind() {
            TyKind::Tuple(parts) if parts.len() == 1 => format!("({},)", list(parts)),
            TyKind::Tuple(parts) => format!("({})", list(parts)),
            TyKind::Ref(inner) => format!("&{}", self.type_name(*inner)),
            TyKind::RefMut(inner) => format!("&mut {}", self.type_name(*inner)),
            TyKind::Slice(elem) => format!("[{}]", self.type_name(*elem)),
            TyKind::Array(elem, Const::Value(len)) => format!("[{}; {len}]", self.type_name(*elem)),
            TyKind::FnPtr(params, ret) if ret.is_unit() => format!("fn({})", list(params)),
            TyKind::FnPtr(params, ret) => format!("fn({}) -> {}", list(params), self.type_name(*ret)),
            TyKind::Adt(def, args) => match (self.pointer_to(*def), &args[..]) {
                (Some(pointer), [Arg::Ty(pointee), ..]) => format!("{pointer}{}", self.type_name(*pointee)),
                _ => self.name_with_args(*def, args, &[]),
            },
            TyKind::FnDef(func) => self.name_with_args(func.def(), func.args(), &[]),
            TyKind::Closure(closure) => format!("{}::{{{{closure}}}}", self.rustc_path(closure.owner.def())),
            TyKind::Dyn(bounds) => {
                let bounds: Vec<String> = bounds.iter().map(|bound| self.name_of_bound(bound)).collect();
                format!("dyn {}", bounds.join(" + "))
            }
            _ => self.show(ty),
        }
    }

    fn pointer_to(&self, def: DefId) -> Option<&'static str> {
        match () {
            () if self.lang.is(def, "const_ptr") => Some("*const "),
            () if self.lang.is(def, "mut_ptr") => Some("*mut "),
            () => None,
        }
    }

    fn name_of_bound(&self, bound: &DynBound) -> String {
        if !self.lang.is_fn(bound.def) {
            return self.name_with_args(bound.def, &bound.args, &bound.bindings);
        }
        let params = bound.args.first().and_then(|arg| arg.ty()).map(|params| self.type_name(params));
        let ret = bound.bindings.first().map(|(_, ret)| *ret).filter(|ret| !ret.is_unit());
        let ret = ret.map(|ret| format!(" -> {}", self.type_name(ret))).unwrap_or_default();
        let params = params.map(|params| params.replace(",)", ")")).unwrap_or_default();
        format!("{}{params}{ret}", self.rustc_path(bound.def))
    }

    /// `path<'_, A, B, Item = C>`
    fn name_with_args(&self, def: DefId, args: &[Arg], bindings: &[(overdub_context::Symbol, Ty)]) -> String {
        let mut parts = vec!["'_".to_owned(); self.program().count_lifetimes(def)];
        parts.extend(self.without_defaults(def, args).iter().map(|arg| match arg {
            Arg::Ty(ty) => self.type_name(*ty),
            Arg::Const(Const::Value(value)) => value.to_string(),
            Arg::Const(Const::Infer(_)) => "_".to_owned(),
        }));
        parts.extend(bindings.iter().map(|(name, ty)| format!("{name} = {}", self.type_name(*ty))));
        let path = self.rustc_path(def);
        if parts.is_empty() { path } else { format!("{path}<{}>", parts.join(", ")) }
    }

    /// The arguments of a type up to the last that is not the default of its parameter (TYPENAME1).
    fn without_defaults<'a>(&self, def: DefId, args: &'a [Arg]) -> &'a [Arg] {
        if !matches!(self.kind(def), DefKind::Struct | DefKind::Enum) {
            return args;
        }
        let mut cx = Cx::new(self);
        let mut kept = args;
        while let Some((_, before)) = kept.split_last()
            && cx.fill_defaults(def, before.to_vec(), Span::unknown()).is_ok_and(|filled| filled == args)
        {
            kept = before;
        }
        kept
    }

    fn rustc_path(&self, def: DefId) -> String {
        let path = self.program().path_with_crate(def);
        of_std(&path).unwrap_or(path)
    }
}
