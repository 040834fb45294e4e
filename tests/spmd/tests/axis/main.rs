//! Collectives on ranks: their laws, random programs against finite differences, and what is refused.

mod laws;
mod random;
mod refusals;
mod runs;
