//! Computes the contents of the next table on another core while one is loaded or compared.

use std::sync::mpsc::sync_channel;
use std::thread;

use super::FactJoiner;
use crate::dataset::Row;
use crate::server::Failure;
use crate::subject::ProofSubject;
use model::id::{IdList, TableId};

/// Computes a value for each table and consumes the values in the order of the tables until one
/// fails.
pub(crate) fn for_each_table<T: Send>(
    subject: ProofSubject<'_>,
    rows: &[Vec<Row>],
    make: impl Fn(TableId, &FactJoiner<'_>) -> T + Send,
    mut take: impl FnMut(TableId, T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    thread::scope(|scope| {
        // One value is queued and one is being computed, so at most three are in memory.
        let (sender, receiver) = sync_channel(1);
        scope.spawn(move || {
            let facts = FactJoiner::new(subject.concept, rows);
            for table in subject.design.tables.ids() {
                if sender.send(make(table, &facts)).is_err() {
                    return;
                }
            }
        });
        let mut made = subject.design.tables.ids().zip(receiver);
        made.try_for_each(|(table, made)| take(table, made))
    })
}
