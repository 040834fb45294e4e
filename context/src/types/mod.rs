//! Types of the IR, interned: equal types are the same object, so that comparing and copying them is free.
//!
//! - A type is never freed. Programs have few types; a nominal type belongs to a *universe* (a program, a
//!   text), and a universe declares it once.
//! - The body of a nominal type is defined after its name, since it may mention the type itself.

mod display;
mod visit;

use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

use hashbrown::HashMap;

pub use self::display::InRust;
pub use self::visit::Visit;
use crate::Symbol;
use crate::intern::interner;

/// An interned type.
///
/// ```
/// use overdub_context::ir::Ty;
/// assert_eq!(Ty::tuple([Ty::f64(), Ty::bool()]), Ty::tuple([Ty::f64(), Ty::bool()]));
/// assert_eq!(Ty::array(Ty::f64(), 1).to_string(), "[f64]");
/// ```
#[derive(Clone, Copy)]
pub struct Ty(&'static TyKind);

/// The kinds of types.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TyKind {
    /// `unit`: one value.
    Unit,
    /// `never`: no value; the result of a call that does not return.
    Never,
    /// `bool`
    Bool,
    /// `char`
    Char,
    /// `str`: a text; both `String` and `str`.
    Str,
    /// `i8` … `u128`, `isize`, `usize`
    Int(IntTy),
    /// `f32`, `f64`
    Float(FloatTy),
    /// `(A, B)`, with at least one part.
    Tuple(Box<[Ty]>),
    /// `[T]`; `[T; rank 2]` for more axes than one.
    Array(ArrayTy),
    /// A struct by name.
    Struct(Nominal),
    /// An enum by name.
    Enum(Nominal),
    /// A closure, by its code and its captures.
    Closure(ClosureTy),
    /// `fn(A) -> B`: a function value whose type does not determine its code.
    Fn(FnTy),
    /// `stack<T>`: a tape.
    Stack(Ty),
    /// `ref T`: a reference to a mutable cell, or to a part of its content.
    Ref(Ty),
    /// `opaque Name`: a host value.
    Opaque(Symbol),
}

/// The integer types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum IntTy {
    I8,
    I16,
    I32,
    I64,
    I128,
    Isize,
    U8,
    U16,
    U32,
    U64,
    U128,
    Usize,
}

/// The float types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum FloatTy {
    F32,
    F64,
}

/// The type of arrays of `rank` axes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ArrayTy {
    /// The element type.
    pub elem: Ty,
    /// The number of axes, at least 1.
    pub rank: u32,
}

/// The type of one closure expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ClosureTy {
    /// The function with the code of the closure: it takes the captured values first, then the arguments.
    pub code: Symbol,
    /// The types of the captured values.
    pub captures: Box<[Ty]>,
}

/// The type of a function value whose code is not known.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FnTy {
    /// The parameter types.
    pub params: Box<[Ty]>,
    /// The return type.
    pub ret: Ty,
}

/// A named struct or enum type in its universe, with its type arguments.
#[derive(Clone, Copy)]
pub struct Nominal(&'static NominalDef);

struct NominalDef {
    universe: u32,
    name: Symbol,
    args: Box<[Ty]>,
    body: OnceLock<NominalBody>,
}

/// Nominal types are equal if universe, name and arguments are; the body is defined later.
impl PartialEq for NominalDef {
    fn eq(&self, other: &NominalDef) -> bool {
        (self.universe, self.name, &self.args) == (other.universe, other.name, &other.args)
    }
}

impl Eq for NominalDef {}

impl Hash for NominalDef {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.universe, self.name, &self.args).hash(state);
    }
}

/// The body of a nominal type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NominalBody {
    /// The fields in order; those of a tuple struct are named `0`, `1`, …
    Struct(Vec<Field>),
    /// The variants in order; the position is the tag.
    Enum(Vec<VariantTy>),
}

/// A field: its name and type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// The name; `0`, `1`, … in a tuple struct or variant.
    pub name: Symbol,
    /// The type.
    pub ty: Ty,
}

/// A variant of an enum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariantTy {
    /// The name.
    pub name: Symbol,
    /// The fields.
    pub fields: Vec<Field>,
}

interner!(static TYPES: TyKind);
interner!(static NOMINALS: NominalDef);

impl Ty {
    /// The type of this kind.
    pub fn new(kind: TyKind) -> Ty {
        Ty(TYPES.intern(kind))
    }

    /// The kind of the type.
    pub fn kind(self) -> &'static TyKind {
        self.0
    }

    /// A tuple type; the empty one is `unit`.
    pub fn tuple(parts: impl IntoIterator<Item = Ty>) -> Ty {
        let parts: Box<[Ty]> = parts.into_iter().collect();
        if parts.is_empty() { Ty::unit() } else { Ty::new(TyKind::Tuple(parts)) }
    }

    /// An array type of `rank` axes (at least 1).
    pub fn array(elem: Ty, rank: u32) -> Ty {
        Ty::new(TyKind::Array(ArrayTy { elem, rank: rank.max(1) }))
    }

    /// An integer type.
    pub fn int(int: IntTy) -> Ty {
        Ty::new(TyKind::Int(int))
    }

    /// A float type.
    pub fn float(float: FloatTy) -> Ty {
        Ty::new(TyKind::Float(float))
    }

    /// The function type `fn(params) -> ret`.
    pub fn func(params: impl IntoIterator<Item = Ty>, ret: Ty) -> Ty {
        Ty::new(TyKind::Fn(FnTy { params: params.into_iter().collect(), ret }))
    }

    /// The type of the closure with this code and these captured values.
    pub fn closure(code: Symbol, captures: impl IntoIterator<Item = Ty>) -> Ty {
        Ty::new(TyKind::Closure(ClosureTy { code, captures: captures.into_iter().collect() }))
    }

    /// The tape type `stack<elem>`.
    pub fn stack(elem: Ty) -> Ty {
        Ty::new(TyKind::Stack(elem))
    }

    /// The reference type `ref target`.
    pub fn reference(target: Ty) -> Ty {
        Ty::new(TyKind::Ref(target))
    }

    /// The type of host values of this name.
    pub fn opaque(name: Symbol) -> Ty {
        Ty::new(TyKind::Opaque(name))
    }

    /// `Option<elem>`, the enum that operations with an optional result return.
    pub fn option(elem: Ty) -> Ty {
        let option = Nominal::shared("Option", [elem]);
        option.define(NominalBody::Enum(vec![
            VariantTy { name: Symbol::new("None"), fields: Vec::new() },
            VariantTy { name: Symbol::new("Some"), fields: vec![Field { name: Symbol::new("0"), ty: elem }] },
        ]));
        Ty::new(TyKind::Enum(option))
    }

    /// `Result<ok, err>`, the enum that hosts exchange with programs.
    pub fn result(ok: Ty, err: Ty) -> Ty {
        let result = Nominal::shared("Result", [ok, err]);
        let variant = |name, ty| VariantTy {
            name: Symbol::new(name),
            fields: vec![Field { name: Symbol::new("0"), ty }],
        };
        result.define(NominalBody::Enum(vec![variant("Ok", ok), variant("Err", err)]));
        Ty::new(TyKind::Enum(result))
    }

    /// The type of the value in an [`option`](Ty::option); an enum of a program that is called `Option` is none.
    pub fn as_option(self) -> Option<Ty> {
        let [elem] = self.as_nominal()?.args() else { return None };
        (Ty::option(*elem) == self).then_some(*elem)
    }

    /// The types of the values in a [`result`](Ty::result); an enum of a program that is called `Result` is none.
    pub fn as_result(self) -> Option<(Ty, Ty)> {
        let [ok, err] = self.as_nominal()?.args() else { return None };
        (Ty::result(*ok, *err) == self).then_some((*ok, *err))
    }

    /// `MaybeUninit<elem>`, memory that may hold a value: `Uninit`, `Init`.
    pub fn maybe_uninit(elem: Ty) -> Ty {
        let ty = Nominal::shared("MaybeUninit", [elem]);
        ty.define(NominalBody::Enum(vec![
            VariantTy { name: Symbol::new("Uninit"), fields: Vec::new() },
            VariantTy { name: Symbol::new("Init"), fields: vec![Field { name: Symbol::new("0"), ty: elem }] },
        ]));
        Ty::new(TyKind::Enum(ty))
    }

    /// The content type of a `MaybeUninit`; `None` for other types.
    pub fn maybe_uninit_of(self) -> Option<Ty> {
        match self.kind() {
            TyKind::Enum(nominal) if nominal.in_universe() == 0 && &*nominal.name() == "MaybeUninit" => {
                nominal.args().first().copied()
            }
            _ => None,
        }
    }

    /// `Ordering`: `Less`, `Equal`, `Greater`, the result of comparisons.
    pub fn ordering() -> Ty {
        let ordering = Nominal::shared("Ordering", []);
        let unit = |name| VariantTy { name: Symbol::new(name), fields: Vec::new() };
        ordering.define(NominalBody::Enum(vec![unit("Less"), unit("Equal"), unit("Greater")]));
        Ty::new(TyKind::Enum(ordering))
    }

    /// Whether the type is a number: an integer or a float.
    pub fn is_number(self) -> bool {
        matches!(self.0, TyKind::Int(_) | TyKind::Float(_))
    }

    /// The element type and rank of an array type.
    pub fn as_array(self) -> Option<ArrayTy> {
        match self.0 {
            TyKind::Array(array) => Some(*array),
            _ => None,
        }
    }

    /// The types of the parts of a tuple, a struct, or the variant of this number; `None` for other types.
    pub fn parts(self, variant: u32) -> Option<Vec<Ty>> {
        let of_fields = |fields: &[Field]| fields.iter().map(|field| field.ty).collect();
        match self.kind() {
            TyKind::Tuple(parts) => Some(parts.to_vec()),
            TyKind::Struct(nominal) | TyKind::Enum(nominal) => match nominal.body()? {
                NominalBody::Struct(fields) => Some(of_fields(fields)),
                NominalBody::Enum(variants) => Some(of_fields(&variants.get(variant as usize)?.fields)),
            },
            _ => None,
        }
    }

    /// The nominal type of a struct or an enum.
    pub fn as_nominal(self) -> Option<Nominal> {
        match self.0 {
            TyKind::Struct(nominal) | TyKind::Enum(nominal) => Some(*nominal),
            _ => None,
        }
    }
}

macro_rules! fixed_types {
    ($($name:ident = $kind:expr;)*) => {
        impl Ty {$(
            #[doc = concat!("The type `", stringify!($name), "`.")]
            pub fn $name() -> Ty {
                static TY: LazyLock<Ty> = LazyLock::new(|| Ty::new($kind));
                *TY
            }
        )*}
    };
}

fixed_types! {
    unit = TyKind::Unit;
    never = TyKind::Never;
    bool = TyKind::Bool;
    char = TyKind::Char;
    str = TyKind::Str;
    f32 = TyKind::Float(FloatTy::F32);
    f64 = TyKind::Float(FloatTy::F64);
    i8 = TyKind::Int(IntTy::I8);
    i16 = TyKind::Int(IntTy::I16);
    i32 = TyKind::Int(IntTy::I32);
    i64 = TyKind::Int(IntTy::I64);
    i128 = TyKind::Int(IntTy::I128);
    isize = TyKind::Int(IntTy::Isize);
    u8 = TyKind::Int(IntTy::U8);
    u16 = TyKind::Int(IntTy::U16);
    u32 = TyKind::Int(IntTy::U32);
    u64 = TyKind::Int(IntTy::U64);
    u128 = TyKind::Int(IntTy::U128);
    usize = TyKind::Int(IntTy::Usize);
}

impl Nominal {
    /// The universe of the types that operations return (`Option`, `Ordering`) and that hosts register.
    pub const SHARED: u32 = 0;

    /// The nominal type of this name and these arguments in the shared universe.
    pub fn shared(name: &str, args: impl IntoIterator<Item = Ty>) -> Nominal {
        Nominal::new(Nominal::SHARED, Symbol::new(name), args)
    }

    /// The nominal type of this name and these arguments in `universe` (see [`Nominal::universe`]).
    pub fn new(universe: u32, name: Symbol, args: impl IntoIterator<Item = Ty>) -> Nominal {
        let args: Box<[Ty]> = args.into_iter().collect();
        Nominal(NOMINALS.intern(NominalDef { universe, name, args, body: OnceLock::new() }))
    }

    /// The number of the universe identified by `key`: equal keys give the same number, so loading the same
    /// declarations twice creates no new types.
    pub fn universe(key: Symbol) -> u32 {
        static KEYS: LazyLock<Mutex<HashMap<Symbol, u32>>> = LazyLock::new(Mutex::default);
        let mut keys = KEYS.lock().unwrap_or_else(PoisonError::into_inner);
        let next = u32::try_from(keys.len() + 1).expect("fewer than 2^32 universes");
        *keys.entry(key).or_insert(next)
    }

    /// Defines the body; the first definition counts, and `false` means that a different one exists.
    pub fn define(self, body: NominalBody) -> bool {
        self.0.body.get_or_init(|| body.clone()) == &body
    }

    /// The body, once defined.
    pub fn body(self) -> Option<&'static NominalBody> {
        self.0.body.get()
    }

    /// The name, without arguments.
    pub fn name(self) -> Symbol {
        self.0.name
    }

    /// The type arguments.
    pub fn args(self) -> &'static [Ty] {
        &self.0.args
    }

    /// The universe to which the type belongs.
    pub fn in_universe(self) -> u32 {
        self.0.universe
    }

    /// The fields, if the type is a defined struct.
    pub fn fields(self) -> Option<&'static [Field]> {
        match self.body()? {
            NominalBody::Struct(fields) => Some(fields),
            NominalBody::Enum(_) => None,
        }
    }

    /// The variants, if the type is a defined enum.
    pub fn variants(self) -> Option<&'static [VariantTy]> {
        match self.body()? {
            NominalBody::Enum(variants) => Some(variants),
            NominalBody::Struct(_) => None,
        }
    }
}

impl IntTy {
    /// Every integer type.
    pub const ALL: [IntTy; 12] = [
        IntTy::I8,
        IntTy::I16,
        IntTy::I32,
        IntTy::I64,
        IntTy::I128,
        IntTy::Isize,
        IntTy::U8,
        IntTy::U16,
        IntTy::U32,
        IntTy::U64,
        IntTy::U128,
        IntTy::Usize,
    ];

    /// The width in bits; `isize` and `usize` have 64.
    pub fn bits(self) -> u32 {
        match self {
            IntTy::I8 | IntTy::U8 => 8,
            IntTy::I16 | IntTy::U16 => 16,
            IntTy::I32 | IntTy::U32 => 32,
            IntTy::I64 | IntTy::U64 | IntTy::Isize | IntTy::Usize => 64,
            IntTy::I128 | IntTy::U128 => 128,
        }
    }

    /// Whether the type has negative values.
    pub fn is_signed(self) -> bool {
        self <= IntTy::Isize
    }

    /// The name of the type in Rust.
    pub fn name(self) -> &'static str {
        match self {
            IntTy::I8 => "i8",
            IntTy::I16 => "i16",
            IntTy::I32 => "i32",
            IntTy::I64 => "i64",
            IntTy::I128 => "i128",
            IntTy::Isize => "isize",
            IntTy::U8 => "u8",
            IntTy::U16 => "u16",
            IntTy::U32 => "u32",
            IntTy::U64 => "u64",
            IntTy::U128 => "u128",
            IntTy::Usize => "usize",
        }
    }
}

impl Deref for Ty {
    type Target = TyKind;

    fn deref(&self) -> &TyKind {
        self.0
    }
}

impl PartialEq for Ty {
    fn eq(&self, other: &Ty) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Ty {}

impl Hash for Ty {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.0, state);
    }
}

impl PartialEq for Nominal {
    fn eq(&self, other: &Nominal) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Nominal {}

impl Hash for Nominal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.0, state);
    }
}
