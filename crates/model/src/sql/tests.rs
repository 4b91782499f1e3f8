//! Model files read.
