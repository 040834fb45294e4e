//! What the parts of a type say of it: whether there are variables, and which parts stand for parameters (TY4).

use super::fold::{self, Folder};
use super::ty::*;

/// Which parts of a type stand for parameters, each part followed by its own: none if none does. Types of one kind
/// (TY1) with the same marks are one node.
pub(super) type Marks = Option<Box<[Mark]>>;

/// What a type stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Mark {
    /// Itself.
    None,
    /// A parameter: by its place among those of its item, since two may be bound to one type.
    Param(u32),
    /// An associated type of one, or an anonymous parameter.
    OfParam,
    /// A generic associated type of a parameter (TY5).
    Projection(Origin),
}

impl Mark {
    fn param_if(is_it: bool) -> Mark {
        if is_it { Mark::OfParam } else { Mark::None }
    }
}

/// Whether an argument or a part of one is marked (TY4).
pub(super) fn has_marks(args: &[Arg]) -> bool {
    args.iter().any(|arg| arg.ty().is_some_and(Ty::has_marks))
}

/// The arguments without marks.
pub(super) fn unmarked(args: &[Arg]) -> Box<[Arg]> {
    fold::args(args, &mut Unmarked)
}

/// Takes the marks away.
pub(super) struct Unmarked;

impl Folder for Unmarked {
    fn touches(&self, ty: Ty) -> bool {
        ty.has_marks()
    }

    fn ty(&mut self, ty: Ty) -> Ty {
        ty.unmarked()
    }

    fn constant(&mut self, value: Const) -> Const {
        value
    }
}

/// Flags and marks of the parts that a type contains.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) open: bool,
    pub(super) opaque: bool,
    pub(super) closure: bool,
    /// The number of parts so far.
    seen: usize,
    marks: Vec<Mark>,
}

impl Parts {
    pub(super) fn marks(self) -> Marks {
        self.marks.iter().any(|&mark| mark != Mark::None).then(|| self.marks.into())
    }

    fn of_ty(&mut self, ty: Ty) {
        if ty.has_marks() || !self.marks.is_empty() {
            // Most types have no marks, and then none are collected.
            if self.marks.is_empty() {
                self.marks.resize(self.seen, Mark::None);
            }
            self.marks.push(Mark::param_if(ty.has_marks()));
        }
        self.seen += 1;
        if ty.has_marks() {
            self.marks.push(ty.mark());
            let own = ty.marks_of_parts();
            self.marks.push(Mark::param_if(own.is_some()));
            self.marks.extend(own.into_iter().flatten());
        }
        self.open |= ty.is_open();
        self.opaque |= ty.has_opaque();
        self.closure |= ty.has_closure();
    }

    pub(super) fn of_args(&mut self, args: &[Arg]) {
        for arg in args {
            match arg {
                Arg::Ty(ty) => self.of_ty(*ty),
                Arg::Const(value) => self.of_const(*value),
            }
        }
    }

    fn of_const(&mut self, value: Const) {
        self.open |= matches!(value, Const::Infer(_));
    }

    pub(super) fn of_kind(&mut self, kind: &TyKind) {
        match kind {
            TyKind::Prim(_) | TyKind::Never => {}
            // The owner of a closure is an instance in progress, whose arguments are bound.
            TyKind::Closure(_) => self.closure = true,
            TyKind::Tuple(elems) => elems.iter().for_each(|&elem| self.of_ty(elem)),
            TyKind::Adt(_, args) => self.of_args(args),
            TyKind::FnDef(instance) => self.of_args(instance.args()),
            TyKind::Ref(inner) | TyKind::RefMut(inner) | TyKind::Slice(inner) => self.of_ty(*inner),
            TyKind::Array(elem, len) => {
                self.of_ty(*elem);
                self.of_const(*len);
            }
            TyKind::FnPtr(params, ret) => {
                params.iter().for_each(|&param| self.of_ty(param));
                self.of_ty(*ret);
            }
            TyKind::Dyn(bounds) => {
                for bound in bounds {
                    self.of_args(&bound.args);
                    bound.bindings.iter().for_each(|&(_, ty)| self.of_ty(ty));
                }
            }
            TyKind::Opaque(instance, _) => {
                self.of_args(instance.args());
                self.opaque = true;
            }
            TyKind::Infer(_) => self.open = true,
        }
    }
}
