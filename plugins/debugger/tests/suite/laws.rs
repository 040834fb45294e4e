//! Laws over random programs.
