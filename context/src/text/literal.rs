//! Converts literal syntax to values, directed by the type where it is known.

use std::sync::Arc;

use super::error::{Faults, ParseErrorKind};
use super::syntax::{FieldsSyntax, FloatSyntax, Literal, LiteralKind};
use super::types::Types;
use crate::Symbol;
use crate::ir::{ArrayTy, Field, FloatTy, IntTy, Nominal, Ty, TyKind};
use crate::value::{Array, Closure, Code, Composite, Parts, Value};

/// Converts literals to values; if a function returns `None`, a fault has been reported.
pub(super) struct Literals<'a, 't> {
    pub(super) types: &'a Types,
    pub(super) faults: &'a mut Faults<'t>,
}

type Typed = (Value<'static>, Ty);

impl Literals<'_, '_> {
    /// The value of a literal of type `expected`, or of the type that follows from the literal itself.
    pub(super) fn value(&mut self, literal: &Literal<'_>, expected: Option<Ty>) -> Option<Typed> {
        let fits = expected.map(Ty::kind);
        match &literal.node {
            LiteralKind::Bool(b) => match fits {
                None | Some(TyKind::Bool) => Some((Value::Bool(*b), Ty::bool())),
                _ => self.misfit(literal, expected),
            },
            LiteralKind::Char(c) => match fits {
                None | Some(TyKind::Char) => Some((Value::Char(*c), Ty::char())),
                _ => self.misfit(literal, expected),
            },
            LiteralKind::Str(text) => match fits {
                None | Some(TyKind::Str) => Some((Value::str(text.as_str()), Ty::str())),
                Some(TyKind::Enum(_) | TyKind::Struct(_)) => {
                    self.named(literal, Symbol::new(text), &FieldsSyntax::None, expected)
                }
                _ => self.misfit(literal, expected),
            },
            LiteralKind::Int { negative, magnitude, suffix } => {
                let int = match (fits, suffix) {
                    (None, suffix) => suffix.unwrap_or(IntTy::I64),
                    (Some(TyKind::Int(int)), suffix) if suffix.is_none_or(|suffix| suffix == *int) => *int,
                    _ => return self.misfit(literal, expected),
                };
                let ty = Ty::int(int);
                match int_bits(int, *negative, *magnitude) {
                    Some(bits) => Some((Value::int(int, bits), ty)),
                    None => {
                        let literal_text = self.faults.source.slice(literal.at).to_owned();
                        let kind = ParseErrorKind::Number { literal: literal_text, ty: ty.to_string() };
                        self.faults.push(literal.at, kind);
                        None
                    }
                }
            }
            LiteralKind::Float { number, suffix } => {
                let float = match (fits, suffix) {
                    (None, suffix) => suffix.unwrap_or(FloatTy::F64),
                    (Some(TyKind::Float(float)), suffix) if suffix.is_none_or(|suffix| suffix == *float) => {
                        *float
                    }
                    _ => return self.misfit(literal, expected),
                };
                let Some(value) = float_value(float, number) else { return self.misfit(literal, expected) };
                Some((value, Ty::float(float)))
            }
            LiteralKind::Tuple(parts) => self.tuple(literal, parts, expected),
            LiteralKind::List(elems, shape) => self.list(literal, elems, shape.as_deref(), expected),
            LiteralKind::Stack(elems) => {
                let elem = match fits {
                    None => None,
                    Some(TyKind::Stack(elem)) => Some(*elem),
                    _ => return self.misfit(literal, expected),
                };
                let (values, elem) = self.elems(literal, elems, elem)?;
                Some((Value::Stack(Arc::new(values)), Ty::stack(elem)))
            }
            LiteralKind::Named(name, fields) => self.named(literal, *name, fields, expected),
            LiteralKind::Func(name) => {
                let ty = match fits {
                    None => Ty::closure(*name, []),
                    Some(TyKind::Fn(_)) => expected?,
                    Some(TyKind::Closure(closure))
                        if closure.code == *name && closure.captures.is_empty() =>
                    {
                        expected?
                    }
                    _ => return self.misfit(literal, expected),
                };
                let closure = Closure { code: Code::Func(*name), captures: Parts::new() };
                Some((Value::Closure(Arc::new(closure)), ty))
            }
        }
    }

    fn tuple(&mut self, literal: &Literal<'_>, parts: &[Literal<'_>], expected: Option<Ty>) -> Option<Typed> {
        let tys: Vec<Option<Ty>> = match expected.map(Ty::kind) {
            None => vec![None; parts.len()],
            Some(TyKind::Unit) if parts.is_empty() => Vec::new(),
            Some(TyKind::Tuple(tys)) if tys.len() == parts.len() => tys.iter().copied().map(Some).collect(),
            _ => return self.misfit(literal, expected),
        };
        let parts: Option<Vec<Typed>> =
            parts.iter().zip(tys).map(|(part, ty)| self.value(part, ty)).collect();
        let (values, tys): (Vec<_>, Vec<_>) = parts?.into_iter().unzip();
        Some((Value::tuple(values), Ty::tuple(tys)))
    }

    /// Elements of one type: the given one, or that of the first element.
    fn elems(
        &mut self,
        literal: &Literal<'_>,
        elems: &[Literal<'_>],
        mut ty: Option<Ty>,
    ) -> Option<(Vec<Value<'static>>, Ty)> {
        let mut values = Vec::with_capacity(elems.len());
        for elem in elems {
            let (value, elem_ty) = self.value(elem, ty)?;
            values.push(value);
            ty = Some(elem_ty);
        }
        match ty {
            Some(ty) => Some((values, ty)),
            None => self.undecided(literal),
        }
    }

    fn list(
        &mut self,
        literal: &Literal<'_>,
        elems: &[Literal<'_>],
        shape: Option<&[usize]>,
        expected: Option<Ty>,
    ) -> Option<Typed> {
        let expected_array = match expected.map(Ty::kind) {
            None => None,
            Some(TyKind::Array(array)) => Some(*array),
            _ => return self.misfit(literal, expected),
        };
        if let (Some(ArrayTy { elem, rank: 2.. }), None) = (expected_array, shape) {
            let rank = expected.and_then(Ty::as_array).map_or(1, |array| array.rank);
            let mut axes = Vec::new();
            let mut values = Vec::new();
            if !self.rows(literal, rank, elem, &mut axes, 0, &mut values)? {
                return self.misfit(literal, expected);
            }
            return self.array(literal, &axes, values, elem, expected);
        }
        let (values, elem) = self.elems(literal, elems, expected_array.map(|array| array.elem))?;
        let shape = shape.map_or_else(|| vec![values.len()], <[usize]>::to_vec);
        if expected_array.is_some_and(|array| array.rank as usize != shape.len()) || shape.is_empty() {
            return self.misfit(literal, expected);
        }
        self.array(literal, &shape, values, elem, expected)
    }

    fn array(
        &mut self,
        literal: &Literal<'_>,
        shape: &[usize],
        values: Vec<Value<'static>>,
        elem: Ty,
        expected: Option<Ty>,
    ) -> Option<Typed> {
        let rank = u32::try_from(shape.len()).unwrap_or(u32::MAX);
        let ty = Ty::array(elem, rank);
        let array = Array::from_values(elem, values).and_then(|array| array.reshape(shape));
        match array {
            Some(array) => Some((Value::Array(Arc::new(array)), ty)),
            None => self.misfit(literal, expected.or(Some(ty))),
        }
    }

    /// Nested lists as the elements of an array of `rank` axes; checks that their lengths agree.
    fn rows(
        &mut self,
        literal: &Literal<'_>,
        rank: u32,
        elem: Ty,
        axes: &mut Vec<usize>,
        depth: usize,
        values: &mut Vec<Value<'static>>,
    ) -> Option<bool> {
        if depth == rank as usize {
            values.push(self.value(literal, Some(elem))?.0);
            return Some(true);
        }
        let LiteralKind::List(elems, None) = &literal.node else { return Some(false) };
        match axes.get(depth) {
            None => axes.push(elems.len()),
            Some(&len) if len == elems.len() => {}
            Some(_) => return Some(false),
        }
        for elem_literal in elems {
            if !self.rows(elem_literal, rank, elem, axes, depth + 1, values)? {
                return Some(false);
            }
        }
        Some(!elems.is_empty() || depth + 1 == rank as usize)
    }

    fn named(
        &mut self,
        literal: &Literal<'_>,
        name: Symbol,
        fields: &FieldsSyntax<'_>,
        expected: Option<Ty>,
    ) -> Option<Typed> {
        let ty = match expected {
            Some(ty) => ty,
            None => match self.types.of_name(name) {
                [ty] => *ty,
                _ => return self.undecided(literal),
            },
        };
        let Some(nominal) = ty.as_nominal() else { return self.misfit(literal, Some(ty)) };
        let (tag, declared) = match (ty.kind(), nominal.fields(), nominal.variants()) {
            (TyKind::Struct(_), Some(fields), _) if nominal.name() == name => (0, fields),
            (TyKind::Enum(_), _, Some(variants)) => {
                match (0..).zip(variants).find(|(_, variant)| variant.name == name) {
                    Some((tag, variant)) => (tag, variant.fields.as_slice()),
                    None => return self.unknown_variant(literal, ty, nominal),
                }
            }
            _ => return self.misfit(literal, Some(ty)),
        };
        let Some(literals) = in_order(fields, declared) else {
            let help = format!("the fields are {}", field_list(declared));
            return self.misfit_with_help(literal, Some(ty), Some(help));
        };
        let fields = literals.into_iter().zip(declared);
        let parts: Option<Parts<'static>> =
            fields.map(|(literal, field)| Some(self.value(literal, Some(field.ty))?.0)).collect();
        let parts = parts?;
        Some((Value::Composite(Arc::new(Composite { ty: Some(ty), tag, parts })), ty))
    }

    fn unknown_variant(&mut self, literal: &Literal<'_>, ty: Ty, nominal: Nominal) -> Option<Typed> {
        let names: Vec<String> =
            nominal.variants().unwrap_or(&[]).iter().map(|variant| format!("`{}`", variant.name)).collect();
        self.misfit_with_help(literal, Some(ty), Some(format!("its variants are {}", names.join(", "))))
    }

    fn misfit<T>(&mut self, literal: &Literal<'_>, expected: Option<Ty>) -> Option<T> {
        let slice = self.faults.source.slice(literal.at);
        let help = match (&literal.node, expected.map(Ty::kind)) {
            (LiteralKind::Int { suffix: None, .. }, Some(TyKind::Float(_))) => {
                Some(format!("a float is written `{slice}.0`"))
            }
            (LiteralKind::Float { suffix: None, .. }, Some(TyKind::Int(_))) => {
                Some("an integer has no point".to_owned())
            }
            (LiteralKind::Int { suffix: Some(_), .. }, Some(TyKind::Int(_)))
            | (LiteralKind::Float { suffix: Some(_), .. }, Some(TyKind::Float(_))) => {
                expected.map(|ty| format!("its suffix should be `_{ty}`, or none"))
            }
            _ => None,
        };
        self.misfit_with_help(literal, expected, help)
    }

    fn misfit_with_help<T>(
        &mut self,
        literal: &Literal<'_>,
        expected: Option<Ty>,
        help: Option<String>,
    ) -> Option<T> {
        let found = self.excerpt(literal);
        let ty = expected.map_or_else(|| "literal".to_owned(), |ty| ty.to_string());
        self.faults.push_with_help(literal.at, ParseErrorKind::Literal { found, ty }, help);
        None
    }

    fn undecided<T>(&mut self, literal: &Literal<'_>) -> Option<T> {
        let kind = ParseErrorKind::LiteralType(self.excerpt(literal));
        let help = "write the type: `%x: T = const …`".to_owned();
        self.faults.push_with_help(literal.at, kind, Some(help));
        None
    }

    fn excerpt(&self, literal: &Literal<'_>) -> String {
        let text: String = self.faults.source.slice(literal.at).chars().take(41).collect();
        if text.chars().count() > 40 || text.contains('\n') {
            "this literal".to_owned()
        } else {
            format!("`{text}`")
        }
    }
}

/// The literals of the fields in declaration order, if each field has one.
fn in_order<'l, 't>(fields: &'l FieldsSyntax<'t>, declared: &[Field]) -> Option<Vec<&'l Literal<'t>>> {
    match fields {
        FieldsSyntax::None => declared.is_empty().then(Vec::new),
        FieldsSyntax::Positional(literals) => {
            let numbered = declared.iter().enumerate().all(|(i, field)| *field.name == i.to_string());
            (numbered && literals.len() == declared.len()).then(|| literals.iter().collect())
        }
        FieldsSyntax::Named(literals) if literals.len() == declared.len() => declared
            .iter()
            .map(|field| Some(&literals.iter().find(|(name, _)| name.node == field.name)?.1))
            .collect(),
        FieldsSyntax::Named(_) => None,
    }
}

fn field_list(fields: &[Field]) -> String {
    if fields.is_empty() {
        return "none".to_owned();
    }
    let fields: Vec<String> = fields.iter().map(|field| format!("`{}: {}`", field.name, field.ty)).collect();
    fields.join(", ")
}

/// The bits of an integer, if it fits its type.
fn int_bits(ty: IntTy, negative: bool, magnitude: u128) -> Option<i128> {
    if ty == IntTy::U128 {
        return (!negative || magnitude == 0).then_some(magnitude as i128);
    }
    let top = ty.bits() - u32::from(ty.is_signed());
    let limit = 1u128 << top;
    let fits = if negative { magnitude <= limit * u128::from(ty.is_signed()) } else { magnitude < limit };
    let value = if negative { (magnitude as i128).wrapping_neg() } else { magnitude as i128 };
    fits.then_some(value)
}

fn float_value(ty: FloatTy, number: &FloatSyntax<'_>) -> Option<Value<'static>> {
    Some(match (ty, number) {
        (FloatTy::F64, FloatSyntax::Decimal(digits)) => Value::F64(digits.replace('_', "").parse().ok()?),
        (FloatTy::F32, FloatSyntax::Decimal(digits)) => Value::F32(digits.replace('_', "").parse().ok()?),
        (FloatTy::F64, FloatSyntax::Inf { negative }) => {
            Value::F64(if *negative { f64::NEG_INFINITY } else { f64::INFINITY })
        }
        (FloatTy::F32, FloatSyntax::Inf { negative }) => {
            Value::F32(if *negative { f32::NEG_INFINITY } else { f32::INFINITY })
        }
        (FloatTy::F64, FloatSyntax::Nan(bits)) => {
            let nan = f64::from_bits(bits.unwrap_or(f64::NAN.to_bits()));
            Value::F64(Some(nan).filter(|nan| nan.is_nan())?)
        }
        (FloatTy::F32, FloatSyntax::Nan(bits)) => {
            let bits = bits.map_or(Ok(f32::NAN.to_bits()), u32::try_from).ok()?;
            Value::F32(Some(f32::from_bits(bits)).filter(|nan| nan.is_nan())?)
        }
    })
}
