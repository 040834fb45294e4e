//! Claims about the debugger, one module for each part.

mod breakpoints;
mod callbacks;
mod derivatives;
mod elsewhere;
mod front_ends;
mod laws;
mod support;
mod time;
