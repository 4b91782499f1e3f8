//! What designs cost.
