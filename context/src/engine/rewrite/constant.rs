//! Constants under a context: those of mapped types are lifted, functions are entered.

use super::{CallPolicy, Const, ContextError, Inst, OpDef, Operand, Rewrite, Ty, TyKind, lifting, ops};
use crate::value::{Array, Code, Value};

impl Rewrite<'_> {
    pub(super) fn constant(&mut self, inst: &Inst, constant: &Const) -> Result<(), ContextError> {
        let ty = self.source.ty(inst.result);
        if !self.is_other(constant.value(), ty) {
            let kept = self.rw.keep(inst);
            return self.built(kept);
        }
        let operand = self.build(constant.value(), ty)?;
        let replaced = self.rw.replace(inst.result, operand);
        self.built(replaced)
    }

    /// Whether the context changes a constant.
    fn is_other(&self, value: &Value<'static>, ty: Ty) -> bool {
        self.map(ty) != ty || holds_function(value)
    }

    /// Appends the instructions that construct the counterpart of a constant under the context.
    pub(super) fn build(&mut self, value: &Value<'static>, ty: Ty) -> Result<Operand, ContextError> {
        if self.policy == CallPolicy::OverdubOnly || !self.is_other(value, ty) {
            let constant = self.rw.constant(value.clone(), ty);
            return self.built(constant);
        }
        let mapped = self.map(ty);
        if let Some(domain) = self.cx.instance.domain.clone()
            && domain.map(ty).is_some()
        {
            let plain = self.rw.constant(value.clone(), ty);
            let plain = self.built(plain)?;
            return lifting::lift(self, plain, ty);
        }
        match (value, ty.kind()) {
            (Value::Closure(closure), _) => {
                let Code::Func(code) = closure.code else { return Ok(Operand::unit()) };
                let closure_ty = self.map(Ty::closure(code, []));
                let handle: Vec<Operand> = self.handle.into_iter().map(Operand::from).collect();
                let closure_operand = self.emit(&ops::CLOSURE, handle, closure_ty)?;
                if closure_ty == mapped {
                    Ok(closure_operand)
                } else {
                    self.emit(&ops::ERASE, vec![closure_operand], mapped)
                }
            }
            (Value::Composite(composite), TyKind::Tuple(tys)) => {
                let parts = self.parts(&composite.parts, tys.iter().copied())?;
                self.emit(&ops::TUPLE, parts, mapped)
            }
            (Value::Composite(composite), TyKind::Struct(nominal)) => {
                let tys = nominal.fields().unwrap_or_default().iter().map(|field| field.ty);
                let parts = self.parts(&composite.parts, tys)?;
                self.emit(&ops::STRUCT, parts, mapped)
            }
            (Value::Composite(composite), TyKind::Enum(nominal)) => {
                let variant = nominal.variants().and_then(|all| all.get(composite.tag as usize));
                let tys = variant.map(|variant| &*variant.fields).unwrap_or_default();
                let mut parts = self.parts(&composite.parts, tys.iter().map(|field| field.ty))?;
                parts.insert(0, Operand::from(i64::from(composite.tag)));
                self.emit(&ops::VARIANT, parts, mapped)
            }
            (Value::Array(array), TyKind::Array(of)) => {
                let elems: Vec<Value<'static>> = array.iter().collect();
                let elems = self.parts(&elems, std::iter::repeat(of.elem))?;
                let flat = self.emit(&ops::ARRAY, elems, Ty::array(self.map(of.elem), 1))?;
                if of.rank == 1 {
                    return Ok(flat);
                }
                let shape = Array::from_vec(array.shape().to_vec());
                let shape = self.rw.constant(Value::from(shape), Ty::array(Ty::usize(), 1));
                let shape = self.built(shape)?;
                self.emit(&ops::ND_FROM_ELEMS, vec![flat, shape], mapped)
            }
            (Value::Stack(elems), TyKind::Stack(elem)) => {
                let parts = self.parts(elems, std::iter::repeat(*elem))?;
                let empty = self.emit(&ops::STACK_NEW, Vec::new(), mapped)?;
                parts
                    .into_iter()
                    .try_fold(empty, |stack, part| self.emit(&ops::STACK_PUSH, vec![stack, part], mapped))
            }
            _ => {
                let constant = self.rw.constant(value.clone(), ty);
                self.built(constant)
            }
        }
    }

    fn parts(
        &mut self,
        values: &[Value<'static>],
        tys: impl Iterator<Item = Ty>,
    ) -> Result<Vec<Operand>, ContextError> {
        values.iter().zip(tys).map(|(value, ty)| self.build(value, ty)).collect()
    }

    fn emit(&mut self, op: &'static OpDef, args: Vec<Operand>, ty: Ty) -> Result<Operand, ContextError> {
        let result = self.rw.op_as(op, args, ty);
        self.built(result).map(Operand::from)
    }

    pub(super) fn lift_constants(&mut self, operands: &mut [Operand]) -> Result<(), ContextError> {
        operands.iter_mut().try_for_each(|operand| self.lift_constant(operand))
    }

    pub(super) fn lift_constant(&mut self, operand: &mut Operand) -> Result<(), ContextError> {
        if self.policy != CallPolicy::OverdubOnly
            && let Some(constant) = operand.constant()
            && let Some(ty) = constant.scalar_ty()
            && self.map(ty) != ty
        {
            let value = constant.value().clone();
            *operand = self.build(&value, ty)?;
        }
        Ok(())
    }
}

/// Whether a value holds a function of the program.
pub(in crate::engine) fn holds_function(value: &Value<'_>) -> bool {
    value.contains(|part| matches!(part, Value::Closure(closure) if matches!(closure.code, Code::Func(_))))
}
