//! Claims about the debugger, one module for each part.

mod breakpoints;
mod callbacks;
mod delegation;
mod derivatives;
mod front_ends;
mod laws;
mod support;
mod time;
