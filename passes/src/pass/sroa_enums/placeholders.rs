//! Placeholders for values that are never read: zeros, empty arrays, and composites of them (SROAE2).

use hashbrown::HashMap;
use overdub_context::Span;
use overdub_context::ir::{Const, Inst, InstKind, Operand, Ty, TyKind};
use overdub_context::ops::{self, OpDef};
use overdub_context::value::{Array, Value};

use overdub_context::edit::FuncEditor;

/// The deepest nesting of types that have a placeholder.
const MAX_DEPTH: usize = 6;

/// The placeholders of a function, each created once, at its start.
#[derive(Default)]
pub(super) struct Placeholders {
    created: HashMap<Ty, Operand>,
    /// The instructions that create them.
    pub(super) insts: Vec<Inst>,
}

impl Placeholders {
    /// Whether a type has a placeholder.
    pub(super) fn have(ty: Ty) -> bool {
        exists(ty, MAX_DEPTH)
    }

    /// The placeholder of a type that has one.
    pub(super) fn of(&mut self, editor: &mut FuncEditor<'_>, ty: Ty, span: Span) -> Operand {
        if let Some(known) = self.created.get(&ty) {
            return known.clone();
        }
        let operand = match (scalar(ty), ty.kind()) {
            (Some(zero), _) => Operand::Const(zero),
            (None, TyKind::Array(array)) => {
                let empty = Const::new(Value::from(Array::empty(array.elem)));
                self.create(
                    editor,
                    InstKind::Const(empty.expect("SROAE2: an empty array is constant data")),
                    ty,
                    span,
                )
            }
            (None, _) => {
                let (op, tag, parts) =
                    shallowest(ty).expect("SROAE2: the fields of a split enum have placeholders");
                let tag = tag.map(|tag| Operand::from(tag as i64));
                let parts: Vec<Operand> = parts.into_iter().map(|part| self.of(editor, part, span)).collect();
                self.create(
                    editor,
                    InstKind::Op { op, args: tag.into_iter().chain(parts).collect() },
                    ty,
                    span,
                )
            }
        };
        self.created.insert(ty, operand.clone());
        operand
    }

    fn create(&mut self, editor: &mut FuncEditor<'_>, kind: InstKind, ty: Ty, span: Span) -> Operand {
        let result = editor.new_var(ty);
        self.insts.push(Inst { result, kind, span });
        result.into()
    }
}

/// Whether a type has a placeholder of at most this nesting depth.
fn exists(ty: Ty, deepest: usize) -> bool {
    match ty.kind() {
        TyKind::Array(array) => array.rank == 1,
        _ => scalar(ty).is_some() || composite(ty, deepest).is_some(),
    }
}

/// The zero of a scalar type.
fn scalar(ty: Ty) -> Option<Const> {
    let value = match ty.kind() {
        TyKind::Unit => Value::Unit,
        TyKind::Bool => Value::Bool(false),
        TyKind::Char => Value::Char('\0'),
        TyKind::Int(int) => Value::int(*int, 0),
        TyKind::Float(overdub_context::ir::FloatTy::F32) => Value::F32(0.0),
        TyKind::Float(overdub_context::ir::FloatTy::F64) => Value::F64(0.0),
        TyKind::Str => Value::from(""),
        _ => return None,
    };
    Const::new(value)
}

/// The construction of a type's placeholder with the least nesting. Its parts nest less, so the recursion
/// terminates even where a variant of an enum contains the enum itself.
fn shallowest(ty: Ty) -> Option<(&'static OpDef, Option<usize>, Vec<Ty>)> {
    (1..=MAX_DEPTH).find_map(|deepest| composite(ty, deepest))
}

/// The construction of a placeholder of at most this nesting depth: the operation, the variant of an enum,
/// and the types of the parts.
fn composite(ty: Ty, deepest: usize) -> Option<(&'static OpDef, Option<usize>, Vec<Ty>)> {
    let deeper = deepest.checked_sub(1)?;
    let all = |parts: Vec<Ty>| parts.iter().all(|part| exists(*part, deeper)).then_some(parts);
    Some(match ty.kind() {
        TyKind::Tuple(parts) => (&ops::TUPLE, None, all(parts.to_vec())?),
        TyKind::Closure(closure) => (&ops::CLOSURE, None, all(closure.captures.to_vec())?),
        TyKind::Struct(nominal) => {
            (&ops::STRUCT, None, all(nominal.fields()?.iter().map(|field| field.ty).collect())?)
        }
        TyKind::Enum(nominal) => {
            let variants = nominal.variants()?.iter().enumerate();
            let mut candidates =
                variants.map(|(tag, variant)| (tag, variant.fields.iter().map(|field| field.ty)));
            candidates.find_map(|(tag, fields)| Some((&ops::VARIANT, Some(tag), all(fields.collect())?)))?
        }
        _ => return None,
    })
}
