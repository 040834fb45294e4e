//! The infrastructure that passes share: the function editor, analyses, and common edits.
//!
//! - Nothing here uses a pass; a test of the workspace's layers checks this.

pub(crate) mod array_bounds;
pub(crate) mod branch_target;
pub(crate) mod clone_blocks;
pub(crate) mod const_fold;
pub(crate) mod consts;
pub(crate) mod counted_loop;
pub(crate) mod effects;
pub(crate) mod incoming_args;
pub(crate) mod inequalities;
pub(crate) mod instruction_set;
pub(crate) mod lifetime;
pub(crate) mod loops;
pub(crate) mod moved;
pub(crate) mod named;
pub(crate) mod redundant_phis;
pub(crate) mod scope;
pub(crate) mod ssa_repair;
