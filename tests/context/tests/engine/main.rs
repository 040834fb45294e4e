//! The engine's behaviours, each a test named after its claim.

mod composition;
mod domains;
mod dropped;
mod hooks;
mod hosted;
mod methods;
mod passes;
mod programs;
mod properties;
