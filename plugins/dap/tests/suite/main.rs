//! Claims about the server, by a script of messages, one module for each part.

mod breakpoints;
mod inspection;
mod laws;
mod motion;
mod order;
mod robustness;
mod support;
