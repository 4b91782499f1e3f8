//! Contents made ahead: while one table is loaded or compared, those of the next are made on
//! another core.

use std::sync::mpsc::sync_channel;
use std::thread;

use super::FactJoiner;
use crate::dataset::Row;
use crate::server::Failure;
use crate::subject::ProofSubject;
use model::id::{IdList, TableId};

/// Makes something of the facts for each table, and hands it over in the order of the tables until
/// one fails.
pub(crate) fn for_each_table<T: Send>(
    subject: ProofSubject<'_>,
    rows: &[Vec<Row>],
    make: impl Fn(TableId, &FactJoiner<'_>) -> T + Send,
    mut take: impl FnMut(TableId, T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    thread::scope(|scope| {
        // One that waits to be taken, one in the making: memory is that of three tables.
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
