//! The types that generated programs use, and plain values of them.

use crate::Symbol;
use crate::ir::{Field, FloatTy, IntTy, Nominal, NominalBody, Ty, TyKind, VariantTy};
use crate::value::{Array, Composite, Value};

/// The types, the simplest first.
pub(super) fn types() -> Vec<Ty> {
    vec![
        Ty::f64(),
        Ty::i64(),
        Ty::bool(),
        Ty::f32(),
        Ty::u8(),
        Ty::i32(),
        Ty::usize(),
        Ty::array(Ty::f64(), 1),
        Ty::array(Ty::i64(), 1),
        Ty::tuple([Ty::f64(), Ty::i64()]),
        point(),
        shape(),
        Ty::option(Ty::f64()),
        Ty::array(point(), 1),
        Ty::char(),
        Ty::str(),
        Ty::stack(Ty::f64()),
        Ty::ordering(),
        Ty::i128(),
        Ty::unit(),
        Ty::array(Ty::tuple([Ty::f64(), Ty::i64()]), 1),
        Ty::array(shape(), 1),
        Ty::array(Ty::array(Ty::f64(), 1), 1),
        path(),
        // Types from here on have no plain values.
        Ty::func([Ty::f64()], Ty::f64()),
        Ty::reference(Ty::f64()),
        Ty::reference(Ty::array(Ty::f64(), 1)),
        Ty::reference(point()),
        Ty::reference(Ty::array(point(), 1)),
        Ty::reference(path()),
    ]
}

/// The number of types that have plain values.
const PLAIN: usize = 24;

/// One of the types that generated programs pass to `@main`.
pub fn any_ty(choice: u8) -> Ty {
    types()[usize::from(choice) % PLAIN]
}

/// The types that contain floats, and integers, the simplest first.
fn types_of_floats() -> Vec<Ty> {
    let has_floats = |ty: &Ty| match ty.kind() {
        TyKind::Float(FloatTy::F32) | TyKind::Bool | TyKind::Char | TyKind::Str | TyKind::Unit => false,
        TyKind::Int(int) => *int == IntTy::I64,
        TyKind::Array(array) => array.elem != Ty::i64(),
        _ => *ty != Ty::ordering(),
    };
    types().into_iter().filter(has_floats).collect()
}

/// What a program mainly does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Focus {
    /// It uses every type and operation alike.
    #[default]
    Everything,
    /// It moves floats among structures, by smooth operations, and its result depends on all of them, so that a wrong
    /// derivative shows.
    Floats,
}

impl Focus {
    /// One of the types of local variables.
    pub(super) fn any_local_ty(self, choice: u8) -> Ty {
        let types = match self {
            Focus::Everything => types(),
            Focus::Floats => types_of_floats(),
        };
        types[usize::from(choice) % types.len()]
    }

    /// One of the types of the parameters of `@main`.
    pub(super) fn any_param_ty(self, choice: u8) -> Ty {
        match self {
            Focus::Everything => any_ty(choice),
            Focus::Floats => {
                let plain: Vec<Ty> =
                    types_of_floats().into_iter().filter(|ty| types()[..PLAIN].contains(ty)).collect();
                plain[usize::from(choice) % plain.len()]
            }
        }
    }

    /// A plain value of `ty`.
    pub(super) fn any_value(self, ty: Ty, choice: u8) -> Value<'static> {
        let floats: &[f64] = match self {
            Focus::Everything => &FLOATS,
            Focus::Floats => &[0.75, 1.25, -0.5, 0.3, 2.0, -1.7],
        };
        value_of(ty, choice, floats)
    }
}

fn field(name: &str, ty: Ty) -> Field {
    Field { name: Symbol::new(name), ty }
}

fn nominal(name: &str, body: NominalBody) -> Nominal {
    let universe = Nominal::universe(Symbol::new("overdub_context::testing"));
    let nominal = Nominal::new(universe, Symbol::new(name), []);
    nominal.define(body);
    nominal
}

fn point() -> Ty {
    let fields = vec![field("x", Ty::f64()), field("n", Ty::i64())];
    Ty::new(TyKind::Struct(nominal("Point", NominalBody::Struct(fields))))
}

fn path() -> Ty {
    let points = field("points", Ty::array(point(), 1));
    let fields = vec![points, field("width", Ty::option(Ty::f64())), field("shape", shape())];
    Ty::new(TyKind::Struct(nominal("Path", NominalBody::Struct(fields))))
}

fn shape() -> Ty {
    let variant = |name, fields| VariantTy { name: Symbol::new(name), fields };
    let variants = vec![
        variant("Empty", vec![]),
        variant("Circle", vec![field("0", Ty::f64())]),
        variant("Named", vec![field("size", Ty::i64()), field("at", point())]),
    ];
    Ty::new(TyKind::Enum(nominal("Shape", NominalBody::Enum(variants))))
}

/// A plain value of `ty`, in which `choice` selects zeros, ones, extremes and values in between; `()` for a
/// type without plain values.
pub fn any_value(ty: Ty, choice: u8) -> Value<'static> {
    value_of(ty, choice, &FLOATS)
}

fn value_of(ty: Ty, choice: u8, floats: &[f64]) -> Value<'static> {
    let any_value = |ty, choice| value_of(ty, choice, floats);
    let nth = |n: u8| choice / n;
    match ty.kind() {
        TyKind::Bool => Value::Bool(choice % 2 == 1),
        TyKind::Char => Value::Char(pick(choice, &['a', 'Z', '0', 'ß', '\n', '\u{10ffff}'])),
        TyKind::Str => Value::str(pick(choice, &["", "a", "two words", "ß\n\"quoted\"", "1.5"])),
        TyKind::Int(int) => any_int(*int, choice),
        TyKind::Float(FloatTy::F64) => Value::F64(pick(choice, floats)),
        TyKind::Float(FloatTy::F32) => Value::F32(pick(choice, floats) as f32),
        TyKind::Tuple(parts) => Value::tuple(parts.iter().zip(1..).map(|(&part, n)| any_value(part, nth(n)))),
        TyKind::Struct(nominal) => composite(ty, 0, nominal.fields().unwrap_or(&[]), choice, floats),
        TyKind::Enum(nominal) => {
            let variants = nominal.variants().unwrap_or(&[]);
            let tag = usize::from(choice) % variants.len().max(1);
            let fields = variants.get(tag).map_or(&[] as &[Field], |variant| &variant.fields);
            composite(ty, tag as u32, fields, nth(3), floats)
        }
        TyKind::Array(array) => {
            let elems = (0..choice % 4).map(|n| any_value(array.elem, nth(n + 1)));
            Array::from_values(array.elem, elems).map_or(Value::Unit, Value::from)
        }
        TyKind::Stack(elem) => {
            Value::Stack(std::sync::Arc::new((0..choice % 3).map(|n| any_value(*elem, nth(n + 1))).collect()))
        }
        TyKind::Unit
        | TyKind::Never
        | TyKind::Closure(_)
        | TyKind::Fn(_)
        | TyKind::Ref(_)
        | TyKind::Opaque(_) => Value::Unit,
    }
}

fn pick<T: Copy>(choice: u8, from: &[T]) -> T {
    from[usize::from(choice) % from.len()]
}

const FLOATS: [f64; 12] =
    [0.0, 1.0, -1.0, 0.5, 2.0, -3.25, 1e10, 1e-300, -0.0, f64::INFINITY, f64::NAN, f64::MAX];

fn any_int(int: IntTy, choice: u8) -> Value<'static> {
    let most = if int.is_signed() { i128::MAX >> (128 - int.bits()) } else { -1 };
    Value::int(
        int,
        pick(choice, &[0, 1, 2, 3, 7, -1, 100, most, most.wrapping_add(i128::from(int.is_signed()))]),
    )
}

fn composite(ty: Ty, tag: u32, fields: &[Field], choice: u8, floats: &[f64]) -> Value<'static> {
    let parts = (1..).zip(fields).map(|(n, field)| value_of(field.ty, choice / n, floats)).collect();
    Value::Composite(std::sync::Arc::new(Composite { ty: Some(ty), tag, parts }))
}
