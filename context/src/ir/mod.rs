//! The intermediate representation: functions in SSA form whose blocks have parameters.
//!
//! Its invariants are those that [`crate::verify`] numbers.

mod build_error;
mod builder;
mod draft;
mod finish;
mod func;
mod inline;
mod inst;
mod module;
mod place;
mod rewriter;
mod ssa;
mod structural_eq;
mod types;
mod types_display;
pub mod typing;

pub use build_error::{BuildError, BuildFault};
pub use builder::FuncBuilder;
pub use func::{Block, BlockBody, Func, Var, VarDef};
pub use inst::{Callee, Case, Const, Inst, InstKind, Operand, Target, Terminator, TerminatorKind};
pub use module::{FuncSource, Instead, LoadError, Matches, Module};
pub use place::Place;
pub use rewriter::{Edit, Rewriter};
pub use ssa::{SsaBuilder, Variable};
pub use types::{
    ArrayTy, ClosureTy, Field, FloatTy, FnTy, IntTy, Nominal, NominalBody, Ty, TyKind, VariantTy,
};
