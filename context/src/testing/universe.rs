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
        // Types from here on have no plain values.
        Ty::func([Ty::f64()], Ty::f64()),
        Ty::reference(Ty::f64()),
        Ty::reference(Ty::array(Ty::f64(), 1)),
    ]
}

/// The number of types that have plain values.
const PLAIN: usize = 20;

/// One of the types that generated programs pass to `@main`.
pub fn any_ty(choice: u8) -> Ty {
    types()[usize::from(choice) % PLAIN]
}

/// One of all the types.
pub(super) fn any_local_ty(choice: u8) -> Ty {
    let types = types();
    types[usize::from(choice) % types.len()]
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
    let nth = |n: u8| choice / n;
    match ty.kind() {
        TyKind::Bool => Value::Bool(choice % 2 == 1),
        TyKind::Char => Value::Char(pick(choice, &['a', 'Z', '0', 'ß', '\n', '\u{10ffff}'])),
        TyKind::Str => Value::str(pick(choice, &["", "a", "two words", "ß\n\"quoted\"", "1.5"])),
        TyKind::Int(int) => any_int(*int, choice),
        TyKind::Float(FloatTy::F64) => Value::F64(any_float(choice)),
        TyKind::Float(FloatTy::F32) => Value::F32(any_float(choice) as f32),
        TyKind::Tuple(parts) => Value::tuple(parts.iter().zip(1..).map(|(&part, n)| any_value(part, nth(n)))),
        TyKind::Struct(nominal) => composite(ty, 0, nominal.fields().unwrap_or(&[]), choice),
        TyKind::Enum(nominal) => {
            let variants = nominal.variants().unwrap_or(&[]);
            let tag = usize::from(choice) % variants.len().max(1);
            let fields = variants.get(tag).map_or(&[] as &[Field], |variant| &variant.fields);
            composite(ty, tag as u32, fields, nth(3))
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

fn any_float(choice: u8) -> f64 {
    let floats = [0.0, 1.0, -1.0, 0.5, 2.0, -3.25, 1e10, 1e-300, -0.0, f64::INFINITY, f64::NAN, f64::MAX];
    pick(choice, &floats)
}

fn any_int(int: IntTy, choice: u8) -> Value<'static> {
    let most = if int.is_signed() { i128::MAX >> (128 - int.bits()) } else { -1 };
    Value::int(
        int,
        pick(choice, &[0, 1, 2, 3, 7, -1, 100, most, most.wrapping_add(i128::from(int.is_signed()))]),
    )
}

fn composite(ty: Ty, tag: u32, fields: &[Field], choice: u8) -> Value<'static> {
    let parts = (1..).zip(fields).map(|(n, field)| any_value(field.ty, choice / n)).collect();
    Value::Composite(std::sync::Arc::new(Composite { ty: Some(ty), tag, parts }))
}
