//! Work or bytes for which the cluster is too small.

use model::id::IdList;
use model::plan::topic::WorkloadTopic;
use model::plan::{Note, NoteKind, NoteSubject};

use super::note;
use super::review::Review;
use crate::capacity::{Capacity, NODE};

/// A warning where the work does not fit into the cluster, about the read or write with most of it.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let Some(capacity) = find_capacity(review) else { return Vec::new() };
    let Some((about, share)) = capacity.heaviest.filter(|_| !capacity.has_room_for_work()) else {
        return Vec::new();
    };
    let topic = WorkloadTopic::TooMuchWork {
        needed: capacity.work_nodes.ceil(),
        nodes: capacity.nodes,
        cores: NODE.cores,
        statement: statement_name(review, about).to_owned(),
        share,
    };
    vec![note(NoteKind::Warning, about, topic)]
}

/// The nodes that the design needs.
pub(super) fn find_capacity(review: Review<'_>) -> Option<Capacity> {
    let context = review.context;
    Capacity::new(context.concept, context.workload, context.options, review.design)
}

/// The name of a read or write.
pub(super) fn statement_name(review: Review<'_>, about: NoteSubject) -> &str {
    let workload = review.context.workload;
    let name = match about {
        NoteSubject::Read(read) => workload.reads.member(read).map(|read| &*read.name),
        NoteSubject::Write(write) => workload.writes.member(write).map(|write| &*write.name),
        NoteSubject::Table(_) | NoteSubject::Entity(_) | NoteSubject::Design => None,
    };
    name.unwrap_or_default()
}
