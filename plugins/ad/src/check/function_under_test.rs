//! The function whose derivatives are checked: in Rust or in IR.

use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::engine::Engine;
use overdub_context::ir::{Ty, TyKind};
use overdub_context::value::Value;
use overdub_lower::Function;
use overdub_lower::api::{Error, Target};

use super::Mismatch;
use crate::flatten::floats;

/// The function under test.
#[derive(Clone)]
pub(super) struct FunctionUnderTest {
    pub(super) symbol: Symbol,
    /// The number of captures, which come before the arguments.
    pub(super) captures: usize,
    /// The number of floats in the captures.
    pub(super) captured: usize,
    /// Whether it computes in single precision.
    pub(super) is_single: bool,
    names: Vec<String>,
    /// The Rust function, whose result excludes the last values of `&mut` parameters.
    function: Option<Arc<Function>>,
}

impl FunctionUnderTest {
    pub(super) fn of_target(target: &Target) -> FunctionUnderTest {
        let Target { function, captures, .. } = target;
        let tys = function.params.iter().map(|param| param.ir_ty).chain([function.ir_ret]);
        let names = function.params.iter().map(|param| param.name.to_string());
        FunctionUnderTest {
            symbol: function.symbol,
            captures: captures.len(),
            captured: captures.iter().map(|value| floats(value).len()).sum(),
            is_single: tys.into_iter().any(holds_single),
            names: (0..captures.len()).map(|k| format!("captured {k}")).chain(names).collect(),
            function: Some(function.clone()),
        }
    }

    pub(super) fn of_func(engine: &Engine, symbol: Symbol) -> Result<FunctionUnderTest, Mismatch> {
        let missing = |message: String| Mismatch::None(Error::new(message));
        let found = engine.module().func(symbol).map_err(|error| missing(error.to_string()))?;
        let func = found.ok_or_else(|| missing(format!("there is no function `{symbol}`")))?;
        Ok(FunctionUnderTest {
            symbol,
            captures: 0,
            captured: 0,
            is_single: func.param_tys().chain([func.ret]).any(holds_single),
            names: func.params().iter().map(|param| func.var_label(*param).to_string()).collect(),
            function: None,
        })
    }

    /// The function's own result, out of all values that a call returned.
    pub(super) fn result(&self, value: Value<'static>) -> Value<'static> {
        match &self.function {
            Some(function) => function.split(value).0,
            None => value,
        }
    }

    /// The name of each float of the arguments: `x`, `xs[3]`, `model.rate`.
    pub(super) fn places(&self, all: &[Value<'static>]) -> Vec<String> {
        let mut found = Vec::new();
        for (value, name) in all.iter().zip(&self.names) {
            name_floats(value, name, &mut found);
        }
        found
    }
}

fn holds_single(ty: Ty) -> bool {
    match ty.kind() {
        TyKind::Array(array) => holds_single(array.elem),
        TyKind::Tuple(parts) => parts.iter().any(|part| holds_single(*part)),
        TyKind::Struct(nominal) => {
            nominal.fields().unwrap_or_default().iter().any(|field| holds_single(field.ty))
        }
        _ => ty == Ty::f32(),
    }
}

fn name_floats(value: &Value<'_>, name: &str, found: &mut Vec<String>) {
    match value {
        Value::F64(_) | Value::F32(_) => found.push(name.to_owned()),
        Value::Array(array) => {
            for (at, elem) in array.iter().enumerate() {
                name_floats(&elem, &format!("{name}[{at}]"), found);
            }
        }
        Value::Composite(composite) => {
            let fields = composite.ty.and_then(|ty| ty.as_nominal()).and_then(|nominal| nominal.fields());
            for (at, part) in composite.parts.iter().enumerate() {
                let field = fields.and_then(|fields| fields.get(at)).map(|field| field.name.to_string());
                name_floats(part, &format!("{name}.{}", field.unwrap_or_else(|| at.to_string())), found);
            }
        }
        _ => {}
    }
}
