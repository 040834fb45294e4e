//! Calls of closures whose code their type names, as calls of that code.

use overdub_context::ir::{Callee, Func, Inst, InstKind, Operand, TyKind, Var, VarDef};
use overdub_context::ops;

/// The function with `call %f(x)` as `call @code(captures of %f, x)`, where the type of `%f` names its code.
pub(crate) fn direct(func: &Func) -> Func {
    let mut direct = func.clone();
    for n in 0..direct.blocks.len() {
        let insts = std::mem::take(&mut direct.blocks[n].insts);
        let mut out = Vec::with_capacity(insts.len());
        for mut inst in insts {
            if let InstKind::Call { callee, args } = &mut inst.kind
                && let Callee::Value(Operand::Var(value)) = callee
                && let TyKind::Closure(closure) = direct.vars[value.index()].ty.kind()
            {
                let mut all: Vec<Operand> = Vec::new();
                for (k, ty) in (0_i64..).zip(&closure.captures) {
                    let result = Var(direct.vars.len() as u32);
                    direct.vars.push(VarDef { ty: *ty, name: None });
                    let kind = InstKind::Op { op: &ops::CAPTURED, args: vec![(*value).into(), k.into()] };
                    out.push(Inst { result, kind, span: inst.span });
                    all.push(result.into());
                }
                all.append(args);
                inst.kind = InstKind::Call { callee: Callee::Func(closure.code), args: all };
            }
            out.push(inst);
        }
        direct.blocks[n].insts = out;
    }
    direct
}
