//! A statement that is put to both sides.

use super::schema::Effect;
use crate::verdict::RunMode;

/// A statement, and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct Probe {
    pub(super) kind: &'static str,
    pub(super) text: String,
    pub(super) manner: RunMode,
    /// Whether it changes what later statements mean, when accepted.
    pub(super) changes: bool,
    pub(super) effect: Effect,
    pub(super) slips: Vec<&'static str>,
}
