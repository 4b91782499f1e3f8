//! What is to be said about a design: warnings, alternatives, the two checklists.

use model::plan::{Checklist, Design, Note};

use crate::Context;

/// Warnings and alternatives of a finished design.
pub(crate) fn notes(_context: Context<'_>, _design: &Design) -> Vec<Note> {
    Vec::new()
}

/// The two checklists, ticked with evidence.
pub(crate) fn checklists(_context: Context<'_>, _design: &Design) -> Vec<Checklist> {
    Vec::new()
}
