//! Claims about the debugger, one module for each part.

mod breakpoints;
mod derivatives;
mod laws;
mod support;
mod time;
