//! Mapped calls: their laws over random programs, with values of Rust, and with loaded programs.

mod blocks;
mod cancelling;
mod executors;
mod functions;
mod gradients;
mod hydra;
mod lanes;
mod lanes_arrays;
mod lanes_context;
mod lanes_in_parts;
mod lanes_products;
mod loaded;
mod programs;
mod stored;
mod typed;
mod under_contexts;
