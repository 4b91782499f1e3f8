//! Tests of the language as a whole.

#![expect(clippy::disallowed_methods, reason = "tests have clocks")]

mod advice;
mod hostile;
mod roundtrip;
mod vectors;
mod verdicts;
