//! The guide: how to use overdub, what it can do, and how it works.
//!
//! 1. [A first gradient](first_gradient)
//! 2. [Contexts](contexts): give calls another meaning
//! 3. [Rules](rules): say what a derivative is
//! 4. [What of Rust is supported](supported), mutation included
//! 5. [Performance](performance)
//! 6. [Sparse derivatives](sparsity): patterns, colors, and few sweeps
//! 7. [One function, many elements](map): lists of arguments, threads, sums and their gradients
//! 8. [One program, several ranks](ranks): data that are spread, and derivatives through communication
//! 9. [Debugging](debugging): where a number came from, and stepping both ways
//! 10. [Debugging in an editor](editors)
//! 11. [The command line](command_line): arguments, results, and what to run by
//! 12. [Derivatives as Rust](export): files that need nothing of overdub
//! 13. [Installing](installing): cargo features, platforms, what a build costs
//! 14. [How it works inside](inside): one function, from its source to its optimised reverse sweep
//!
//! Every snippet is compiled and run by `cargo test`, and what a command prints is compared with what stands here.

#[doc = include_str!("first_gradient.md")]
pub mod first_gradient {}

#[doc = include_str!("contexts.md")]
pub mod contexts {}

#[doc = include_str!("rules.md")]
pub mod rules {}

#[doc = include_str!("supported.md")]
pub mod supported {}

#[doc = include_str!("performance.md")]
pub mod performance {}

#[doc = include_str!("sparsity.md")]
pub mod sparsity {}

#[cfg(feature = "spmd")]
#[doc = include_str!("map.md")]
pub mod map {}

#[cfg(feature = "spmd")]
#[doc = include_str!("ranks.md")]
pub mod ranks {}

#[doc = include_str!("debugging.md")]
pub mod debugging {}

#[doc = include_str!("editors.md")]
pub mod editors {}

#[doc = include_str!("command_line.md")]
pub mod command_line {}

#[doc = include_str!("export.md")]
pub mod export {}

#[doc = include_str!("installing.md")]
pub mod installing {}

#[doc = include_str!("inside.md")]
pub mod inside {}
