//! The typing of one instruction or terminator: the rules that the builder enforces and the verifier checks.
//!
//! A type error states the operation, the expected types and the given ones, each type in backticks.

use std::fmt;

use super::{Callee, Const, Func, Operand, Terminator, TerminatorKind, Ty, TyKind};
use crate::Symbol;
use crate::ops::{Arity, OpDef, OperandTys};

/// The reason why an instruction or terminator does not fit its operands.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TypeError {
    /// The operation does not take this number of operands.
    #[error("`{op}` takes {takes}, got {got}")]
    Arity {
        /// The operation.
        op: &'static str,
        /// The expected number.
        takes: Arity,
        /// The given number.
        got: usize,
    },
    /// The operands' types are wrong for the operation.
    #[error("`{op}` takes {takes}, got {got}")]
    Operands {
        /// The operation.
        op: &'static str,
        /// The expected operands, in words.
        takes: String,
        /// The given types.
        got: TyList,
    },
    /// The declared type of the result differs from the one that the operands determine.
    #[error("`{op}` of {got} gives {gives:?}, declared as {declared:?}")]
    Result {
        /// The operation.
        op: &'static str,
        /// The given types.
        got: TyList,
        /// The determined type.
        gives: Ty,
        /// The declared type.
        declared: Ty,
    },
    /// The arguments of a call are wrong for the callee.
    #[error("{callee} takes {takes}, got {got}")]
    Call {
        /// The callee, as text.
        callee: String,
        /// The parameter types.
        takes: TyList,
        /// The given types.
        got: TyList,
    },
    /// The declared result of a call differs from the callee's return type.
    #[error("{callee} returns {returns:?}, declared as {declared:?}")]
    Returned {
        /// The callee, as text.
        callee: String,
        /// The return type.
        returns: Ty,
        /// The declared type of the result.
        declared: Ty,
    },
    /// A call of a value that is neither a closure nor a function.
    #[error("a call takes a closure or function value, got {got:?}")]
    NotCallable {
        /// The given type.
        got: Ty,
    },
    /// The parameters of a closure's code do not begin with its captured values.
    #[error("the closure's code `@{code}` takes {takes}, which does not begin with the captured {captures}")]
    Captures {
        /// The code.
        code: Symbol,
        /// The parameter types of the code.
        takes: TyList,
        /// The types of the captured values.
        captures: TyList,
    },
    /// A closure is converted to a function type other than its own.
    #[error("the closure {closure:?} is a {is:?}, declared as {declared:?}")]
    Erased {
        /// The closure's type.
        closure: Ty,
        /// The function type of the closure.
        is: Ty,
        /// The declared function type.
        declared: Ty,
    },
    /// A branch passes the wrong arguments to a block.
    #[error("block `^{block}` takes {takes}, got {got}")]
    Target {
        /// The block's label.
        block: String,
        /// The parameter types.
        takes: TyList,
        /// The given types.
        got: TyList,
    },
    /// The condition, switch value or message of a terminator has the wrong type.
    #[error("`{terminator}` takes {takes}, got {got:?}")]
    Terminator {
        /// The terminator.
        terminator: &'static str,
        /// The expected type.
        takes: &'static str,
        /// The given type.
        got: Ty,
    },
    /// The function returns a value of a type other than its return type.
    #[error("the function returns {returns:?}, got {got:?}")]
    Ret {
        /// The return type.
        returns: Ty,
        /// The given type.
        got: Ty,
    },
    /// A constant that is not a scalar is used as an operand.
    #[error("an operand is a variable or a scalar constant, got the constant `{got}`")]
    NotScalar {
        /// The constant, as its debug form.
        got: String,
    },
}

/// A list of types, which prints as `` `f64`, `bool` ``.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TyList(pub Vec<Ty>);

impl fmt::Display for TyList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("nothing");
        }
        for (i, ty) in self.0.iter().enumerate() {
            write!(f, "{}{ty:?}", if i > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Display for Arity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, n) = match *self {
            Arity::Exactly(n) => ("", n),
            Arity::AtLeast(n) => ("at least ", n),
        };
        write!(f, "{least}{n} operand{}", if n == 1 { "" } else { "s" })
    }
}

impl Const {
    /// The type of the value, if it is a scalar and thus may be an operand.
    pub fn scalar_ty(&self) -> Option<Ty> {
        self.value().is_scalar().then(|| self.value().ty())
    }
}

/// The type of an operand in `func`.
///
/// # Errors
/// If it is a constant that is no scalar.
pub fn operand_ty(func: &Func, operand: &Operand) -> Result<Ty, TypeError> {
    match operand {
        Operand::Var(var) => Ok(func.ty(*var)),
        Operand::Const(constant) => {
            constant.scalar_ty().ok_or_else(|| TypeError::NotScalar { got: format!("{constant:?}") })
        }
    }
}

/// The types of operands in `func`.
///
/// # Errors
/// If one is a constant that is no scalar.
pub fn operand_tys(func: &Func, operands: &[Operand]) -> Result<Vec<Ty>, TypeError> {
    operands.iter().map(|operand| operand_ty(func, operand)).collect()
}

/// The type of the result of an operation.
///
/// # Errors
/// If the operation does not take these operands.
pub fn op_ty(
    func: &Func,
    op: &'static OpDef,
    args: &[Operand],
    declared: Option<Ty>,
) -> Result<Ty, TypeError> {
    if !op.takes(args.len()) {
        return Err(TypeError::Arity { op: op.name, takes: op.arity, got: args.len() });
    }
    let tys = operand_tys(func, args)?;
    let consts: Vec<Option<&Const>> = args.iter().map(Operand::constant).collect();
    let gives = (op.ty)(&OperandTys { args: &tys, consts: &consts, declared });
    match (gives, declared) {
        (Err(fault), _) => Err(TypeError::Operands { op: op.name, takes: fault.takes, got: TyList(tys) }),
        (Ok(gives), Some(declared)) if gives != declared => {
            Err(TypeError::Result { op: op.name, got: TyList(tys), gives, declared })
        }
        (Ok(gives), _) => Ok(gives),
    }
}

/// Checks a call against the known properties of the callee: `signature` returns the parameters and the
/// result of a named function, if it is known.
///
/// # Errors
/// If the call does not fit.
pub fn check_call(
    func: &Func,
    callee: &Callee,
    args: &[Operand],
    ret: Ty,
    signature: &dyn Fn(Symbol) -> Option<(Vec<Ty>, Ty)>,
) -> Result<(), TypeError> {
    let got = operand_tys(func, args)?;
    let (text, known) = match callee {
        Callee::Func(name) => (format!("`@{name}`"), signature(*name)),
        Callee::Value(value) => {
            let ty = operand_ty(func, value)?;
            let text = match value {
                Operand::Var(var) => format!("`%{}`", func.var_label(*var)),
                Operand::Const(constant) => format!("`{constant:?}`"),
            };
            match ty.kind() {
                TyKind::Fn(known) => (text, Some((known.params.to_vec(), known.ret))),
                TyKind::Closure(_) => (text, closure_signature(ty, signature)?),
                _ => return Err(TypeError::NotCallable { got: ty }),
            }
        }
    };
    match known {
        Some((takes, _)) if takes != got => {
            Err(TypeError::Call { callee: text, takes: TyList(takes), got: TyList(got) })
        }
        Some((_, returns)) if returns != ret => {
            Err(TypeError::Returned { callee: text, returns, declared: ret })
        }
        _ => Ok(()),
    }
}

/// The parameters and the result of a closure type: those of its code, without the captured values.
///
/// `None` if the code is not known, or the type is not a closure type.
///
/// # Errors
/// If its code does not begin with the captured values.
pub fn closure_signature(
    ty: Ty,
    signature: &dyn Fn(Symbol) -> Option<(Vec<Ty>, Ty)>,
) -> Result<Option<(Vec<Ty>, Ty)>, TypeError> {
    let TyKind::Closure(closure) = ty.kind() else { return Ok(None) };
    let Some((takes, ret)) = signature(closure.code) else { return Ok(None) };
    match takes.strip_prefix(&*closure.captures) {
        Some(rest) => Ok(Some((rest.to_vec(), ret))),
        None => Err(TypeError::Captures {
            code: closure.code,
            takes: TyList(takes),
            captures: TyList(closure.captures.to_vec()),
        }),
    }
}

/// Checks the condition, switch value, returned value or message of a terminator.
///
/// # Errors
/// If it has the wrong type.
pub fn check_terminator(func: &Func, terminator: &Terminator) -> Result<(), TypeError> {
    let wrong = |terminator, takes, got| Err(TypeError::Terminator { terminator, takes, got });
    match &terminator.kind {
        TerminatorKind::Br(_) => Ok(()),
        TerminatorKind::BrIf { cond, .. } => match operand_ty(func, cond)? {
            ty if ty == Ty::bool() => Ok(()),
            ty => wrong("br_if", "a `bool`", ty),
        },
        TerminatorKind::Switch { on, .. } => {
            let ty = operand_ty(func, on)?;
            match ty.kind() {
                TyKind::Int(_) | TyKind::Char | TyKind::Enum(_) => Ok(()),
                _ => wrong("switch", "an integer, a `char` or an enum", ty),
            }
        }
        TerminatorKind::Ret(value) => match operand_ty(func, value)? {
            got if got == func.ret => Ok(()),
            got => Err(TypeError::Ret { returns: func.ret, got }),
        },
        TerminatorKind::Fail(message) => match operand_ty(func, message)? {
            ty if ty == Ty::str() => Ok(()),
            ty => wrong("fail", "a `str`", ty),
        },
    }
}

/// Checks the arguments that a branch passes to a block.
///
/// # Errors
/// If they do not fit its parameters.
pub fn check_target(func: &Func, target: &super::Target) -> Result<(), TypeError> {
    let got = operand_tys(func, &target.args)?;
    let takes: Vec<Ty> = func.block(target.block).params.iter().map(|&param| func.ty(param)).collect();
    if got == takes {
        return Ok(());
    }
    let block = func.block_label(target.block).to_string();
    Err(TypeError::Target { block, takes: TyList(takes), got: TyList(got) })
}
