//! UPDATEs of a key that other rows refer to and follow.

use cql::Span;

use super::resolver::Resolver;
use crate::id::EntityId;
use crate::workload::{Assignment, find_followed_attributes};

impl Resolver<'_> {
    /// Reports a change of a key that rows refer to and follow, where the row cannot be copied to
    /// the new key: another key of it is taken by itself until it is deleted.
    pub(super) fn check_key_change(
        &mut self,
        entity: EntityId,
        assignments: &[Assignment],
        span: Span,
    ) {
        let own = &self.concept.entities[entity];
        let followed = find_followed_attributes(self.concept, entity);
        let is_set = |attribute| assignments.iter().any(|it| it.attribute == attribute);
        let is_moved = followed.iter().any(|attribute| is_set(*attribute));
        let kept = own.keys.iter().find(|key| !key.iter().any(|attribute| is_set(*attribute)));
        let Some(kept) = kept.filter(|_| is_moved) else { return };
        let kept: Vec<_> = kept.iter().map(|at| own.attributes[*at].name.as_str()).collect();
        let message = format!(
            "{} changes a key of {} that other rows follow (ON UPDATE), while {} stays the same",
            self.name(),
            own.name,
            kept.join(", ")
        );
        let help = "insert a row with the new key, change the rows that refer to it, then delete the old row";
        self.report("MF368", span, message, help);
    }
}
