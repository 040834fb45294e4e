//! The intermediate representation: functions in SSA form whose blocks have parameters.
//!
//! Its invariants are numbered in [`crate::verify`].

mod build_error;
mod builder;
mod debug_info;
mod draft;
mod finish;
mod func;
mod inline;
mod inst;
mod module;
mod mutation;
mod position;
mod rewriter;
mod structural_eq;
pub mod typing;

pub use crate::types::{
    ArrayTy, ClosureTy, Field, FloatTy, FnTy, InRust, IntTy, Nominal, NominalBody, Ty, TyKind, VariantTy,
    Visit,
};
pub use crate::value::constant::Const;
pub use build_error::{BuildError, BuildFault};
pub use builder::FuncBuilder;
pub use debug_info::{DebugInfo, Location, LocationStep, Point, PointKind, SourceVariable};
pub(crate) use finish::{labels, reachable};
pub(crate) use func::Label;
pub use func::{Block, BlockBody, Func, Var, VarDef};
pub use inst::{Callee, Case, Inst, InstKind, Operand, Target, Terminator, TerminatorKind};
pub use module::{FuncSource, Instead, LoadError, Matches, Module};
pub use position::Position;
pub use rewriter::{Edit, Rewriter};
