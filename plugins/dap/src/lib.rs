//! A Debug Adapter Protocol server on top of `overdub_debugger`, with which editors step through functions of
//! Rust source, forwards and backwards.
//!
//! [`serve`] serves one client over any reader and writer, [`Port`] all that connect to a port of this
//! machine. A [`Launch`] opens the function that a client launches: the server knows neither a command line
//! nor a syntax of arguments.
//!
//! - DAP1 no message makes the server panic or hang: errors are reported in the response, and a client that
//!   goes away ends its program, even one that loops forever.
//! - DAP2 connections share nothing.
//! - DAP3 numbers of frames, values and targets are valid until the program continues; then they are refused
//!   as stale.
//!
//! The protocol's types are those of [`dapts`], which are generated from its schema for each request
//! separately, over untyped envelopes: a message of which only the arguments are wrong still has a number to
//! respond to. Among other crates, `dap` and its fork `emmy_dap_types` parse a message as one enumeration of
//! all requests, so an unknown or incomplete one has no number; `debug_types` lacks `restartFrame`, and
//! `dap-types` has had no release since its first.

mod breakpoints;
mod client;
mod launch;
mod listening;
mod listing;
mod message;
mod motion;
mod port;
mod program;
mod references;
mod refusal;
mod repl;
mod requests;
mod server;
mod sources;
mod stack;
mod stops;
mod values;
mod variables;
mod wire;

pub use launch::{Derivative, Launch, LaunchArguments, LaunchError};
pub use port::{Connection, Port};
pub use server::{ServeError, serve};
pub use wire::WireError;
