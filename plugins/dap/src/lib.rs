//! A Debug Adapter Protocol server on top of `overdub_debugger`: what editors step through functions of Rust source with,
//! forwards and backwards.
//!
//! [`serve`] serves one client over any reader and writer, [`Port`] all that connect to a port of this machine. Who opens
//! the function that a client launches is a [`Launch`]: the server knows no command line and no way to write arguments.
//!
//! - DAP1 no message makes the server panic or hang: what is wrong with it is told in the response, and a client that goes
//!   away ends its program, also one that loops for ever.
//! - DAP2 connections share nothing.
//! - DAP3 numbers of frames, values and targets hold until the program goes on; after that they are refused as stale.
//!
//! The protocol's types are those of [`dapts`], which are generated from its schema, for each request apart, over untyped
//! envelopes: a message of which only the arguments are wrong still has a number to answer. Of the other crates, `dap` and
//! its fork `emmy_dap_types` read a message as one enumeration of all requests, so that an unknown or incomplete one has no
//! number; `debug_types` lacks `restartFrame`, and `dap-types` has had no release since its first.

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
