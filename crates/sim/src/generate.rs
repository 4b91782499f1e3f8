//! A seeded generator of facts and of parameters.
