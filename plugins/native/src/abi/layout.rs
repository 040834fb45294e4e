//! How values of a type are held in registers: a list of leaves, each a machine word or less.
//!
//! - L1 a type has one layout, wherever it stands: a type that holds itself is behind a pointer everywhere.
//! - L2 the leaves of an enum's variants share places; a counted leaf that the variant at hand does not use is null.
//! - L3 a value that was taken out of a whole leaves a hole, which is `()` in the interpreter: one of its leaves says so
//!   ([`Layout::hole`]), a counted one by a number below [`HOLES`], which is no address, or an enum's tag by a number
//!   that is no variant. The number says how deep in the value that leaf lies, so that a hole is told from a value with
//!   a hole in it. The other leaves are zero. Where there is no such leaf, there are no holes
//!   ([`overdub_context::ops::leaves_hole`]; H11 to H15).

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use hashbrown::HashMap;
use overdub_context::Symbol;
use overdub_context::ir::{FloatTy, IntTy, Nominal, NominalBody, Ty, TyKind};

/// A value with more leaves than this is behind a pointer.
const MAX_COMPONENTS: usize = 24;

/// A counted word below this is no address: it owns nothing. It is null or a hole (L3).
pub(crate) const HOLES: u64 = 64;

/// What says that a value is a hole (L3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hole {
    /// Which of its leaves.
    pub(crate) component: usize,
    /// What that leaf is then.
    pub(crate) word: u64,
}

/// What one register holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Component {
    /// Bits without an owner, of a Cranelift integer type of this many bits.
    Int(u8),
    F32,
    F64,
    /// 1 where an array's buffer has no other owner and may be written in place.
    Unique,
    /// A pointer that is counted, or null.
    Counted(Counted),
}

/// What a counted pointer points to: what the pointer inside of a [`overdub_context::value::Value`] does.
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

/// What a layout is made of.
#[derive(Debug)]
pub(crate) enum Shape {
    /// `unit`, `never`: no leaves.
    Empty,
    /// A scalar: one leaf.
    Bool,
    Char,
    Int(IntTy),
    Float(FloatTy),
    /// A tuple, or the struct of this type.
    Aggregate(Option<Ty>, Vec<Field>),
    /// A closure of this code with what it captured.
    Closure(Symbol, Vec<Field>),
    /// A tag, then the parts of each variant.
    Enum(Ty, Vec<Vec<Field>>),
    /// A vector of scalars: its pointer, its first element, its length, whether it has no other owner.
    Vector(Elem),
    /// A vector of other elements of this type, the same: rows, unless the address of the first element is null.
    Packed(Ty),
    /// A stack of records without counted parts.
    Tape(Arc<Layout>),
    /// A pointer.
    Counted(Counted),
}

/// A part of a value: its layout, and which of the value's leaves are its.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) layout: Arc<Layout>,
    pub(crate) components: Box<[usize]>,
}

/// How values of a type are held.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) ty: Ty,
    pub(crate) shape: Shape,
    pub(crate) components: Vec<Component>,
    /// What says that a value is a hole; none if there are no holes of the type (L3).
    pub(crate) hole: Option<Hole>,
}

impl Layout {
    /// The layout of a type.
    pub(crate) fn of(ty: Ty) -> Arc<Layout> {
        static LAYOUTS: LazyLock<Mutex<HashMap<Ty, Arc<Layout>>>> = LazyLock::new(Mutex::default);
        let known = LAYOUTS.lock().unwrap_or_else(PoisonError::into_inner).get(&ty).cloned();
        if let Some(layout) = known {
            return layout;
        }
        let layout = Arc::new(Layout::new(ty));
        let mut layouts = LAYOUTS.lock().unwrap_or_else(PoisonError::into_inner);
        layouts.entry(ty).or_insert(layout).clone()
    }

    /// Whether some leaf is that of an array.
    pub(crate) fn has_array(&self) -> bool {
        self.components.contains(&Component::Counted(Counted::Array))
    }

    /// Whether values are vectors of scalars.
    pub(crate) fn is_vector(&self) -> bool {
        matches!(self.shape, Shape::Vector(_))
    }

    /// Whether values are enums that are not behind a pointer.
    pub(crate) fn is_enum(&self) -> bool {
        matches!(self.shape, Shape::Enum(..))
    }

    /// Whether values own something that is counted.
    pub(crate) fn is_counted(&self) -> bool {
        self.components.iter().any(|component| matches!(component, Component::Counted(_)))
    }

    fn new(ty: Ty) -> Layout {
        let shape = match ty.kind() {
            TyKind::Unit | TyKind::Never => Shape::Empty,
            TyKind::Bool => Shape::Bool,
            TyKind::Char => Shape::Char,
            TyKind::Int(IntTy::I128) => Shape::Counted(Counted::I128),
            TyKind::Int(IntTy::U128) => Shape::Counted(Counted::U128),
            TyKind::Int(int) => Shape::Int(*int),
            TyKind::Float(float) => Shape::Float(*float),
            TyKind::Str => Shape::Counted(Counted::Str),
            TyKind::Array(array) => match Elem::of(array.elem) {
                Some(elem) if array.rank == 1 => Shape::Vector(elem),
                None if array.rank == 1 && !matches!(array.elem.kind(), TyKind::Int(_)) => {
                    Shape::Packed(array.elem)
                }
                _ => Shape::Counted(Counted::Array),
            },
            TyKind::Fn(_) => Shape::Counted(Counted::Closure),
            TyKind::Stack(elem) => record(*elem).map_or(Shape::Counted(Counted::Stack), Shape::Tape),
            TyKind::Ref(_) => Shape::Counted(Counted::Ref),
            TyKind::Opaque(_) => Shape::Counted(Counted::Opaque),
            TyKind::Tuple(_) | TyKind::Struct(_) | TyKind::Enum(_) | TyKind::Closure(_) => {
                return Layout::of_parts(ty);
            }
        };
        let components = scalar_components(&shape);
        let hole = matches!(components.first(), Some(Component::Counted(_)))
            .then_some(Hole { component: 0, word: 0 });
        Layout { ty, components, shape, hole }
    }

    /// The layout of a type whose values have parts: flat where they are few and the type does not hold itself.
    fn of_parts(ty: Ty) -> Layout {
        let counted = match ty.kind() {
            TyKind::Closure(_) => Counted::Closure,
            _ => Counted::Composite,
        };
        let flat = if holds_itself(ty) { None } else { Layout::flat(ty) };
        flat.unwrap_or_else(|| Layout {
            ty,
            shape: Shape::Counted(counted),
            components: vec![Component::Counted(counted)],
            hole: Some(Hole { component: 0, word: 0 }),
        })
    }

    fn flat(ty: Ty) -> Option<Layout> {
        let mut components = Vec::new();
        let shape = match ty.kind() {
            TyKind::Tuple(parts) => {
                Shape::Aggregate(None, struct_fields(parts.iter().copied(), &mut components))
            }
            TyKind::Struct(nominal) => {
                let fields = nominal.fields()?.iter().map(|field| field.ty);
                Shape::Aggregate(Some(ty), struct_fields(fields, &mut components))
            }
            TyKind::Closure(closure) => {
                Shape::Closure(closure.code, struct_fields(closure.captures.iter().copied(), &mut components))
            }
            TyKind::Enum(nominal) => {
                components.push(Component::Int(32));
                let variants = nominal.variants()?.iter();
                let fields = variants
                    .map(|variant| variant_fields(variant.fields.iter().map(|f| f.ty), &mut components));
                Shape::Enum(ty, fields.collect())
            }
            _ => return None,
        };
        let hole = match &shape {
            Shape::Aggregate(_, parts) | Shape::Closure(_, parts) => {
                parts.iter().find_map(|part| part.hole(&components))
            }
            _ => Some(Hole { component: 0, word: u64::from(u32::MAX) }),
        };
        let is_small = hole.is_none_or(|hole| hole.word < HOLES || hole.word > u64::from(u32::MAX) - HOLES);
        (components.len() <= MAX_COMPONENTS && is_small).then_some(Layout { ty, shape, components, hole })
    }

    /// Whether words are those of a hole (L3).
    pub(crate) fn is_hole(&self, words: &[u64]) -> bool {
        self.hole.is_some_and(|hole| match self.components[hole.component] {
            // Nobody clears what is beside a narrow leaf.
            Component::Counted(_) => words[hole.component] == hole.word,
            _ => u64::from(words[hole.component] as u32) == hole.word,
        })
    }
}

impl Field {
    /// What says of the whole with these leaves that it is a hole, if a leaf of this part can: a number that says
    /// nothing of the part itself.
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

fn scalar_components(shape: &Shape) -> Vec<Component> {
    match shape {
        Shape::Bool => vec![Component::Int(8)],
        Shape::Char => vec![Component::Int(32)],
        Shape::Int(int) => vec![Component::Int(int.bits() as u8)],
        Shape::Float(FloatTy::F32) => vec![Component::F32],
        Shape::Float(FloatTy::F64) => vec![Component::F64],
        Shape::Vector(_) | Shape::Packed(_) => {
            vec![
                Component::Counted(Counted::Array),
                Component::Int(64),
                Component::Int(64),
                Component::Unique,
            ]
        }
        Shape::Tape(_) => vec![Component::Counted(Counted::Tape)],
        Shape::Counted(counted) => vec![Component::Counted(*counted)],
        Shape::Empty | Shape::Aggregate(..) | Shape::Closure(..) | Shape::Enum(..) => Vec::new(),
    }
}

/// The parts one after the other.
fn struct_fields(tys: impl Iterator<Item = Ty>, components: &mut Vec<Component>) -> Vec<Field> {
    let part = |ty| {
        let layout = Layout::of(ty);
        let from = components.len();
        components.extend(&layout.components);
        Field { components: (from..components.len()).collect(), layout }
    };
    tys.map(part).collect()
}

/// The parts of one variant, in leaves that other variants use too where they are of the same kind.
fn variant_fields(tys: impl Iterator<Item = Ty>, components: &mut Vec<Component>) -> Vec<Field> {
    // The tag is nobody's.
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
    /// The elements of arrays of this type, if compiled code knows them.
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

    /// The leaf that one of them is.
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

/// The layout of what a stack holds, if it consists of scalars; popped together with the stack, it is still flat.
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

/// Whether a value of the type may hold one of the same type, not behind a pointer.
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

/// The types of the parts that lie in a value of the type.
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
