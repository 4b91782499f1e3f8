//! Tests of the language as a whole.

mod hostile;
mod verdicts;
