//! Tests of the language as a whole.

mod advice;
mod hostile;
mod roundtrip;
mod vectors;
mod verdicts;
