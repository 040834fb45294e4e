//! The layout of values in registers: a list of components, each at most a machine word.
//!
//! - ABI1 a type has one layout, wherever it occurs: a recursive type is behind a pointer everywhere.
//! - ABI2 the variants of an enum share components; a counted component that the current variant does not use is
//!   null.
//!   So is a `MaybeUninit` or a union of what has several parts: some of them may not be written, which a register
//!   cannot say.
//! - ABI3 moving a part out of a value leaves a hole, represented by `()` in the interpreter. One component
//!   marks the hole ([`Layout::hole`]): a counted component holds a number below [`HOLES`], which is no
//!   address, or an enum's tag holds a number that belongs to no variant. The number encodes the depth of
//!   that component in the value, so that a hole differs from a value that contains a hole. The other
//!   components are zero. A type without such a component has no holes
//!   ([`overdub_context::ops::leaves_hole`]; H11 to H15).

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use hashbrown::HashMap;
use overdub_context::Symbol;
use overdub_context::ir::{FloatTy, IntTy, Nominal, NominalBody, Ty, TyKind};
use overdub_context::ops;

/// A value with more components is behind a pointer.
const MAX_COMPONENTS: usize = 32;

/// A counted word below this is no address and owns nothing: it is null, or marks a hole (ABI3).
pub(crate) const HOLES: u64 = 64;

/// The mark of a hole (ABI3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hole {
    /// The component that holds the mark.
    pub(crate) component: usize,
    /// The mark.
    pub(crate) word: u64,
}

/// The contents of one register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Component {
    /// A Cranelift integer of this many bits, which owns nothing.
    Int(u8),
    F32,
    F64,
    /// The uniqueness flag of a vector: 1 if its buffer has no other owner and may be written in place.
    Unique,
    /// A reference-counted pointer, or null.
    Counted(Counted),
}

/// The kind of value that a counted pointer points to, as in [`overdub_context::value::Value`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u32)]
pub(crate) enum Counted {
    Str,
    Composite,
    Array,
    Closure,
    Stack,
    /// A stack whose records compiled code reads and writes itself.
    Tape,
    Ref,
    Opaque,
    I128,
    U128,
}

/// The elements of arrays that compiled code reads and writes itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub(crate) enum Elem {
    F64,
    F32,
    Bool,
    Char,
    I8,
    I16,
    I32,
    I64,
    Isize,
    U8,
    U16,
    U32,
    U64,
    Usize,
}

/// How a value consists of its components.
#[derive(Debug)]
pub(crate) enum LayoutKind {
    /// `unit`, `never`: no components.
    Empty,
    /// A scalar: one component.
    Bool,
    Char,
    Int(IntTy),
    Float(FloatTy),
    /// A tuple, or the struct of this type: its fields, side by side.
    Aggregate(Option<Ty>, Vec<Field>),
    /// A closure over this function: its captures, side by side.
    Closure(Symbol, Vec<Field>),
    /// A tag, then the fields of the variants, which overlap (ABI2).
    Enum(Ty, Vec<Vec<Field>>),
    /// A vector of scalars: the array, the address of its first element, its length, the uniqueness flag.
    Vector(Elem),
    /// A vector of other elements, with the same components. The elements are packed unless the address is null.
    Packed(Ty),
    /// A stack of records without counted components.
    Tape(Arc<Layout>),
    /// A pointer alone.
    Counted(Counted),
}

/// A field: its layout, and its components by their positions in the whole value.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) layout: Arc<Layout>,
    pub(crate) components: Box<[usize]>,
}

/// The layout of the values of a type in registers.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) ty: Ty,
    pub(crate) shape: LayoutKind,
    pub(crate) components: Vec<Component>,
    /// The mark of a hole; `None` if the type has no holes (ABI3).
    pub(crate) hole: Option<Hole>,
}

impl Layout {
    /// The layout of a type.
    pub(crate) fn of(ty: Ty) -> Arc<Layout> {
        // One cache for the process, as for types: packed elements refer to layouts even when no executor is
        // left.
        static LAYOUTS: LazyLock<Mutex<HashMap<Ty, Arc<Layout>>>> = LazyLock::new(Mutex::default);
        let known = LAYOUTS.lock().unwrap_or_else(PoisonError::into_inner).get(&ty).cloned();
        if let Some(layout) = known {
            return layout;
        }
        let layout = Arc::new(Layout::new(ty));
        let mut layouts = LAYOUTS.lock().unwrap_or_else(PoisonError::into_inner);
        layouts.entry(ty).or_insert(layout).clone()
    }

    /// Whether any component is an array.
    pub(crate) fn has_array(&self) -> bool {
        self.components.contains(&Component::Counted(Counted::Array))
    }

    /// Whether values are vectors of scalars.
    pub(crate) fn is_vector(&self) -> bool {
        matches!(self.shape, LayoutKind::Vector(_))
    }

    /// Whether values are enums in registers.
    pub(crate) fn is_enum(&self) -> bool {
        matches!(self.shape, LayoutKind::Enum(..))
    }

    /// Whether values own a reference count.
    pub(crate) fn is_counted(&self) -> bool {
        self.components.iter().any(|component| matches!(component, Component::Counted(_)))
    }

    fn new(ty: Ty) -> Layout {
        let shape = match ty.kind() {
            TyKind::Unit | TyKind::Never => LayoutKind::Empty,
            TyKind::Bool => LayoutKind::Bool,
            TyKind::Char => LayoutKind::Char,
            TyKind::Int(IntTy::I128) => LayoutKind::Counted(Counted::I128),
            TyKind::Int(IntTy::U128) => LayoutKind::Counted(Counted::U128),
            TyKind::Int(int) => LayoutKind::Int(*int),
            TyKind::Float(float) => LayoutKind::Float(*float),
            TyKind::Str => LayoutKind::Counted(Counted::Str),
            TyKind::Array(array) => match Elem::of(array.elem) {
                Some(elem) if array.rank == 1 => LayoutKind::Vector(elem),
                None if array.rank == 1 && !matches!(array.elem.kind(), TyKind::Int(_)) => {
                    LayoutKind::Packed(array.elem)
                }
                _ => LayoutKind::Counted(Counted::Array),
            },
            TyKind::Fn(_) => LayoutKind::Counted(Counted::Closure),
            TyKind::Stack(elem) => {
                record(*elem).map_or(LayoutKind::Counted(Counted::Stack), LayoutKind::Tape)
            }
            TyKind::Ref(_) => LayoutKind::Counted(Counted::Ref),
            TyKind::Opaque(_) => LayoutKind::Counted(Counted::Opaque),
            TyKind::Tuple(_) | TyKind::Struct(_) | TyKind::Enum(_) | TyKind::Closure(_) => {
                return Layout::of_parts(ty);
            }
        };
        let components = scalar_components(&shape);
        let hole = matches!(components.first(), Some(Component::Counted(_)))
            .then_some(Hole { component: 0, word: 0 });
        Layout { ty, components, shape, hole }
    }

    /// The layout of an aggregate: flat if it has few components and is not recursive, else a pointer.
    fn of_parts(ty: Ty) -> Layout {
        let counted = match ty.kind() {
            TyKind::Closure(_) => Counted::Closure,
            _ => Counted::Composite,
        };
        let flat = if holds_itself(ty) || is_written_in_parts(ty) { None } else { Layout::flat(ty) };
        flat.unwrap_or_else(|| Layout {
            ty,
            shape: LayoutKind::Counted(counted),
            components: vec![Component::Counted(counted)],
            hole: Some(Hole { component: 0, word: 0 }),
        })
    }

    fn flat(ty: Ty) -> Option<Layout> {
        let mut components = Vec::new();
        let shape = match ty.kind() {
            TyKind::Tuple(parts) => {
                LayoutKind::Aggregate(None, struct_fields(parts.iter().copied(), &mut components))
            }
            TyKind::Struct(nominal) => {
                let fields = nominal.fields()?.iter().map(|field| field.ty);
                LayoutKind::Aggregate(Some(ty), struct_fields(fields, &mut components))
            }
            TyKind::Closure(closure) => LayoutKind::Closure(
                closure.code,
                struct_fields(closure.captures.iter().copied(), &mut components),
            ),
            TyKind::Enum(nominal) => {
                components.push(Component::Int(32));
                let variants = nominal.variants()?.iter();
                let fields = variants
                    .map(|variant| variant_fields(variant.fields.iter().map(|f| f.ty), &mut components));
                LayoutKind::Enum(ty, fields.collect())
            }
            _ => return None,
        };
        let hole = match &shape {
            LayoutKind::Aggregate(_, parts) | LayoutKind::Closure(_, parts) => {
                parts.iter().find_map(|part| part.hole(&components))
            }
            _ => Some(Hole { component: 0, word: u64::from(u32::MAX) }),
        };
        let is_small = hole.is_none_or(|hole| hole.word < HOLES || hole.word > u64::from(u32::MAX) - HOLES);
        (components.len() <= MAX_COMPONENTS && is_small).then_some(Layout { ty, shape, components, hole })
    }

    /// Whether words mark a hole (ABI3).
    pub(crate) fn is_hole(&self, words: &[u64]) -> bool {
        self.hole.is_some_and(|hole| match self.components[hole.component] {
            // The upper bytes of a word that holds a narrow component are undefined (H1).
            Component::Counted(_) => words[hole.component] == hole.word,
            _ => u64::from(words[hole.component] as u32) == hole.word,
        })
    }
}

impl Field {
    /// The mark of the whole value, if one of this field's components can hold it: a number that does not mark the
    /// field itself.
    fn hole(&self, components: &[Component]) -> Option<Hole> {
        let hole = self.layout.hole?;
        let component = self.components[hole.component];
        let word = match components[component] {
            Component::Counted(_) => hole.word + 1,
            _ => hole.word - 1,
        };
        Some(Hole { component, word })
    }
}

fn scalar_components(shape: &LayoutKind) -> Vec<Component> {
    match shape {
        LayoutKind::Bool => vec![Component::Int(8)],
        LayoutKind::Char => vec![Component::Int(32)],
        LayoutKind::Int(int) => vec![Component::Int(int.bits() as u8)],
        LayoutKind::Float(FloatTy::F32) => vec![Component::F32],
        LayoutKind::Float(FloatTy::F64) => vec![Component::F64],
        LayoutKind::Vector(_) | LayoutKind::Packed(_) => {
            vec![
                Component::Counted(Counted::Array),
                Component::Int(64),
                Component::Int(64),
                Component::Unique,
            ]
        }
        LayoutKind::Tape(_) => vec![Component::Counted(Counted::Tape)],
        LayoutKind::Counted(counted) => vec![Component::Counted(*counted)],
        LayoutKind::Empty | LayoutKind::Aggregate(..) | LayoutKind::Closure(..) | LayoutKind::Enum(..) => {
            Vec::new()
        }
    }
}

/// The fields of a struct, in sequence.
fn struct_fields(tys: impl Iterator<Item = Ty>, components: &mut Vec<Component>) -> Vec<Field> {
    let part = |ty| {
        let layout = Layout::of(ty);
        let from = components.len();
        components.extend(&layout.components);
        Field { components: (from..components.len()).collect(), layout }
    };
    tys.map(part).collect()
}

/// The fields of one variant, which reuse components of other variants if the kind is the same.
fn variant_fields(tys: impl Iterator<Item = Ty>, components: &mut Vec<Component>) -> Vec<Field> {
    // No field overlaps the tag.
    let mut used = vec![true];
    let mut place = |component: &Component| {
        used.resize(components.len().max(used.len()), false);
        let free = (0..components.len()).find(|&at| !used[at] && components[at] == *component);
        let at = free.unwrap_or_else(|| {
            components.push(*component);
            used.push(false);
            components.len() - 1
        });
        used[at] = true;
        at
    };
    tys.map(|ty| {
        let layout = Layout::of(ty);
        Field { components: layout.components.iter().map(&mut place).collect(), layout }
    })
    .collect()
}

impl Elem {
    /// The kind of elements of this type, if they are scalars.
    pub(crate) fn of(ty: Ty) -> Option<Elem> {
        Some(match ty.kind() {
            TyKind::Float(FloatTy::F64) => Elem::F64,
            TyKind::Float(FloatTy::F32) => Elem::F32,
            TyKind::Bool => Elem::Bool,
            TyKind::Char => Elem::Char,
            TyKind::Int(int) => match int {
                IntTy::I8 => Elem::I8,
                IntTy::I16 => Elem::I16,
                IntTy::I32 => Elem::I32,
                IntTy::I64 => Elem::I64,
                IntTy::Isize => Elem::Isize,
                IntTy::U8 => Elem::U8,
                IntTy::U16 => Elem::U16,
                IntTy::U32 => Elem::U32,
                IntTy::U64 => Elem::U64,
                IntTy::Usize => Elem::Usize,
                IntTy::I128 | IntTy::U128 => return None,
            },
            _ => return None,
        })
    }

    /// The component of an element.
    pub(crate) fn component(self) -> Component {
        match self {
            Elem::F64 => Component::F64,
            Elem::F32 => Component::F32,
            Elem::Bool | Elem::I8 | Elem::U8 => Component::Int(8),
            Elem::I16 | Elem::U16 => Component::Int(16),
            Elem::Char | Elem::I32 | Elem::U32 => Component::Int(32),
            Elem::I64 | Elem::Isize | Elem::U64 | Elem::Usize => Component::Int(64),
        }
    }

    /// The binary logarithm of its size in bytes.
    pub(crate) fn log2_size(self) -> u8 {
        match self.component() {
            Component::Int(8) => 0,
            Component::Int(16) => 1,
            Component::F32 | Component::Int(32) => 2,
            _ => 3,
        }
    }
}

/// The layout of the records of a stack, if they are scalars throughout; the result of a pop must be flat as well.
fn record(elem: Ty) -> Option<Arc<Layout>> {
    let mut seen: Vec<Nominal> = Vec::new();
    let mut pending = vec![elem];
    while let Some(part) = pending.pop() {
        match part.kind() {
            TyKind::Unit | TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_) => {}
            TyKind::Tuple(_) | TyKind::Struct(_) | TyKind::Enum(_) => {
                match part.as_nominal() {
                    Some(nominal) if seen.contains(&nominal) => continue,
                    Some(nominal) => seen.push(nominal),
                    None => {}
                }
                pending.extend(parts_of(part));
            }
            _ => return None,
        }
    }
    let layout = Layout::of(elem);
    let fits = (1..MAX_COMPONENTS).contains(&layout.components.len());
    (fits && !layout.is_counted()).then_some(layout)
}

/// Whether a value of the type may contain one of the same type without a pointer in between.
fn holds_itself(ty: Ty) -> bool {
    let mut seen: Vec<Nominal> = Vec::new();
    let mut pending = parts_of(ty);
    while let Some(part) = pending.pop() {
        if part == ty {
            return true;
        }
        match part.as_nominal() {
            Some(nominal) if seen.contains(&nominal) => continue,
            Some(nominal) => seen.push(nominal),
            None => {}
        }
        pending.extend(parts_of(part));
    }
    false
}

/// Whether parts of a value may be written one by one, before the value is used (ABI1).
fn is_written_in_parts(ty: Ty) -> bool {
    match ty.maybe_uninit_of() {
        Some(content) => has_several_parts(content, 0),
        None => ops::is_union(ty) && parts_of(ty).into_iter().any(|part| has_several_parts(part, 0)),
    }
}

fn has_several_parts(ty: Ty, depth: usize) -> bool {
    if depth > MAX_COMPONENTS || !matches!(ty.kind(), TyKind::Tuple(_) | TyKind::Struct(_)) {
        return false;
    }
    let parts: Vec<Ty> = parts_of(ty).into_iter().filter(|&part| part != Ty::unit()).collect();
    parts.len() > 1 || parts.into_iter().any(|part| has_several_parts(part, depth + 1))
}

/// The types of the fields of an aggregate.
fn parts_of(ty: Ty) -> Vec<Ty> {
    match ty.kind() {
        TyKind::Tuple(parts) => parts.to_vec(),
        TyKind::Closure(closure) => closure.captures.to_vec(),
        TyKind::Struct(nominal) | TyKind::Enum(nominal) => match nominal.body() {
            Some(NominalBody::Struct(fields)) => fields.iter().map(|field| field.ty).collect(),
            Some(NominalBody::Enum(variants)) => {
                variants.iter().flat_map(|variant| &variant.fields).map(|field| field.ty).collect()
            }
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_its_parts() {
        let layout = Layout::of(Ty::tuple([Ty::f64(), Ty::bool()]));
        assert_eq!(layout.components, [Component::F64, Component::Int(8)]);
    }

    #[test]
    fn variants_share_leaves_of_one_kind() {
        let layout = Layout::of(Ty::result(Ty::f64(), Ty::tuple([Ty::i64(), Ty::f64()])));
        assert_eq!(layout.components, [Component::Int(32), Component::F64, Component::Int(64)]);
    }

    #[test]
    fn a_hole_is_told_from_a_value_with_a_hole_in_it() {
        let inner = Ty::tuple([Ty::f64(), Ty::array(Ty::f64(), 1)]);
        let outer = Ty::tuple([Ty::bool(), inner]);
        let holes = [outer, inner, Ty::array(Ty::f64(), 1)].map(|ty| Layout::of(ty).hole);
        assert_eq!(holes, [(2, 2), (1, 1), (0, 0)].map(|(component, word)| Some(Hole { component, word })));
        let tagged = Ty::tuple([Ty::f64(), Ty::option(Ty::f64())]);
        assert_eq!(Layout::of(tagged).hole, Some(Hole { component: 1, word: u64::from(u32::MAX) - 1 }));
        assert_eq!(Layout::of(Ty::tuple([Ty::f64(), Ty::bool()])).hole, None);
    }

    #[test]
    fn a_list_is_behind_a_pointer_and_so_is_all_that_holds_itself_through_it() {
        let list = Nominal::shared("ListForLayout", []);
        let node = Ty::new(TyKind::Enum(list));
        let boxed = Nominal::shared("BoxForLayout", []);
        let boxed_ty = Ty::new(TyKind::Struct(boxed));
        let field = |ty| overdub_context::ir::Field { name: Symbol::new("0"), ty };
        boxed.define(NominalBody::Struct(vec![field(node)]));
        list.define(NominalBody::Enum(vec![
            overdub_context::ir::VariantTy { name: Symbol::new("Nil"), fields: vec![] },
            overdub_context::ir::VariantTy {
                name: Symbol::new("Cons"),
                fields: vec![field(Ty::f64()), field(boxed_ty)],
            },
        ]));
        assert_eq!(Layout::of(node).components, [Component::Counted(Counted::Composite)]);
        assert_eq!(Layout::of(boxed_ty).components, [Component::Counted(Counted::Composite)]);
    }
}
