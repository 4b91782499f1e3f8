//! Tests of the language as a whole.

mod hostile;
mod vectors;
mod verdicts;
