//! The table is complete, and says of each evaluator whether its results are to be packed.

use std::collections::BTreeSet;
use std::sync::Arc;

use hashbrown::HashSet;
use overdub_context::Symbol;
use overdub_context::interp::Interpreter;
use overdub_context::ir::{FuncBuilder, Module, Operand, Ty, TyKind};
use overdub_context::ops::{self, Arity, OpCx, OpDef, OperandTys};
use overdub_context::value::{Array, Closure, Code, HostFn, IntoValue, Value};

use super::table::{EVALUATED, LOWERINGS, Row, row};
use crate::values::{Packing, packed_elements};

#[test]
fn an_operation_is_lowered_or_says_why_it_is_not() {
    let known = ops::ALL.iter().copied().flatten().copied();
    let missing: Vec<&OpDef> = known.filter(|op| row(op).is_none()).collect();
    assert!(
        missing.is_empty(),
        "operations without a row: {missing:?}; give each one in plugins/native/src/codegen/lower/table.rs, in \
         LOWERINGS with its code, or in EVALUATED under a reason why its evaluator runs it"
    );
}

#[test]
fn no_operation_is_listed_twice() {
    let evaluated = || EVALUATED.iter().flat_map(|(_, _, ops)| *ops).copied();
    let mut seen = HashSet::new();
    let all = LOWERINGS.iter().map(|(op, _)| *op).chain(evaluated());
    let twice: Vec<&OpDef> = all.filter(|op| !seen.insert(*op)).collect();
    assert!(twice.is_empty(), "listed twice in plugins/native/src/codegen/lower/table.rs: {twice:?}");
    let functions: HashSet<&OpDef> = ops::FLOAT_FUNCTIONS.iter().map(|function| function.op).collect();
    let both: Vec<&OpDef> = evaluated().filter(|op| functions.contains(op)).collect();
    assert!(
        both.is_empty(),
        "functions of floats, which are called by their address, in EVALUATED: {both:?}"
    );
    assert!(EVALUATED.iter().all(|(why, _, ops)| !why.is_empty() && !ops.is_empty()));
}

/// A pair, whose vectors can be packed.
fn pair(k: i64) -> Value<'static> {
    Value::tuple([Value::from(k), Value::floats(vec![k as f64; 3])])
}

/// Orders pairs by their numbers.
#[derive(Clone)]
struct ByNumber(Ty);

impl HostFn for ByNumber {
    fn name(&self) -> Symbol {
        Symbol::new("by_number")
    }

    fn params(&self) -> Vec<Ty> {
        vec![self.0; 2]
    }

    fn ret(&self) -> Ty {
        Ty::ordering()
    }

    fn call<'a>(
        &self,
        _: &mut OpCx<'_, 'a>,
        args: &mut [Value<'a>],
    ) -> Result<Value<'a>, overdub_context::Failure> {
        let number = |at: usize| args[at].as_composite().and_then(|pair| pair.parts[0].as_int());
        Ok(number(0).cmp(&number(1)).into_value())
    }
}

/// Operands of many operations: a packed vector, an element, a function that orders elements, and indices.
fn operands() -> Vec<Value<'static>> {
    let ty = pair(0).ty();
    let boxed = Array::from_values(ty, (0..3).map(pair)).expect("they are pairs");
    let by_number: Box<dyn HostFn> = Box::new(ByNumber(ty));
    vec![
        Value::Array(packed_elements::packed(Arc::new(boxed))),
        pair(7),
        Value::Closure(Arc::new(Closure { code: Code::Host(by_number), captures: Default::default() })),
        Value::from(1_usize),
        Value::from(2_usize),
        Value::from(Array::from_vec(vec![2_usize, 0, 1])),
    ]
}

/// The result of an operation on these operands, if they fit and it does not fail.
fn result(op: &'static OpDef, args: &[Value<'static>], declared: Option<Ty>) -> Option<Value<'static>> {
    let tys: Vec<Ty> = args.iter().map(Value::ty).collect();
    let ret = (op.ty)(&OperandTys { args: &tys, consts: &vec![None; args.len()], declared }).ok()?;
    let mut build = FuncBuilder::new("f", ret);
    let params: Vec<Operand> =
        tys.iter().enumerate().map(|(k, ty)| build.param(&format!("x{k}"), *ty).into()).collect();
    let y = build.op_as(op, params, ret).ok()?;
    build.ret(y).ok()?;
    let module = Module::new();
    module.define(build.finish().ok()?);
    Interpreter::new(&module).run("f", args.to_vec()).ok()
}

/// The vectors in a result whose elements can be packed.
fn vectors(value: &Value<'static>) -> Vec<Arc<Array<'static>>> {
    match value {
        Value::Array(array) if array.elem_ty() == pair(0).ty() && array.rank() == 1 => vec![array.clone()],
        Value::Composite(whole) if matches!(value.ty().kind(), TyKind::Tuple(_)) => {
            whole.parts.iter().flat_map(vectors).collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn results_are_packed_where_evaluators_leave_elements_unpacked() {
    let operands = operands();
    let vector = operands[0].ty();
    let mut compared = BTreeSet::new();
    let mut wrong = BTreeSet::new();
    for op in ops::ALL.iter().copied().flatten().copied() {
        let Some(Row::Evaluated(packing)) = row(op) else { continue };
        let (Arity::Exactly(count) | Arity::AtLeast(count)) = op.arity;
        let count = count.clamp(1, 4);
        for choice in 0..operands.len().pow(count as u32) {
            let digit = |k: usize| choice / operands.len().pow(k as u32) % operands.len();
            let args: Vec<Value<'static>> = (0..count).map(|k| operands[digit(k)].clone()).collect();
            for result in [None, Some(vector)].into_iter().filter_map(|ty| result(op, &args, ty)) {
                for array in vectors(&result) {
                    compared.insert(op.name);
                    if (packing == Packing::Keep) != array.is_packed() {
                        wrong.insert(op.name);
                    }
                }
            }
        }
    }
    assert!(compared.len() > 15, "operations are compared: {compared:?}");
    assert!(
        wrong.is_empty(),
        "the `packing` of these in plugins/native/src/codegen/lower/table.rs is not what their evaluators need: \
         {wrong:?}"
    );
}
