//! Values that stand where nobody reads: zeros, empty arrays, and what is made of them.

use hashbrown::HashMap;
use overdub_context::Span;
use overdub_context::ir::{Const, Inst, InstKind, Operand, Ty, TyKind};
use overdub_context::ops::{self, OpDef};
use overdub_context::value::{Array, Value};

use crate::support::func_editor::FuncEditor;

/// Types that hold others are looked into so deep.
const DEEPEST: usize = 6;

/// The stand-ins of a function, each made once, where the function begins.
#[derive(Default)]
pub(super) struct Placeholders {
    made: HashMap<Ty, Operand>,
    /// What makes them.
    pub(super) insts: Vec<Inst>,
}

impl Placeholders {
    /// Whether values of a type have a stand-in.
    pub(super) fn have(ty: Ty) -> bool {
        exists(ty, DEEPEST)
    }

    /// The stand-in of a type that has one.
    pub(super) fn of(&mut self, editor: &mut FuncEditor<'_>, ty: Ty, span: Span) -> Operand {
        if let Some(made) = self.made.get(&ty) {
            return made.clone();
        }
        let operand = match (scalar(ty), ty.kind()) {
            (Some(zero), _) => Operand::Const(zero),
            (None, TyKind::Array(array)) => {
                let empty = Const::new(Value::from(Array::empty(array.elem)));
                self.make(
                    editor,
                    InstKind::Const(empty.expect("an array without elements is data")),
                    ty,
                    span,
                )
            }
            (None, _) => {
                let (op, tag, parts) = shallowest(ty).expect("only types that have one are asked for");
                let tag = tag.map(|tag| Operand::from(tag as i64));
                let parts: Vec<Operand> = parts.into_iter().map(|part| self.of(editor, part, span)).collect();
                self.make(editor, InstKind::Op { op, args: tag.into_iter().chain(parts).collect() }, ty, span)
            }
        };
        self.made.insert(ty, operand.clone());
        operand
    }

    fn make(&mut self, editor: &mut FuncEditor<'_>, kind: InstKind, ty: Ty, span: Span) -> Operand {
        let result = editor.new_var(ty);
        self.insts.push(Inst { result, kind, span });
        result.into()
    }
}

fn exists(ty: Ty, deepest: usize) -> bool {
    match ty.kind() {
        TyKind::Array(array) => array.rank == 1,
        _ => scalar(ty).is_some() || composite(ty, deepest).is_some(),
    }
}

/// The zero of a type.
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

/// What makes the composite of a type that nests the least: its parts nest less, so that making them too comes to an
/// end where a variant of an enum holds the enum itself.
fn shallowest(ty: Ty) -> Option<(&'static OpDef, Option<usize>, Vec<Ty>)> {
    (1..=DEEPEST).find_map(|deepest| composite(ty, deepest))
}

/// What makes a composite that nests at most so deep, of an enum the variant, and the types of the parts.
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
            let mut small = variants.map(|(tag, variant)| (tag, variant.fields.iter().map(|field| field.ty)));
            small.find_map(|(tag, fields)| Some((&ops::VARIANT, Some(tag), all(fields.collect())?)))?
        }
        _ => return None,
    })
}
