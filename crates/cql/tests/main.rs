//! Tests of the language as a whole.

mod hostile;
mod roundtrip;
mod vectors;
mod verdicts;
