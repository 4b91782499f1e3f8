//! Designs that are wrong in one place: the proof must find out every one of them.
//!
//! Each kind of mistake has its module, and each module its rules for what it leaves alone: a change that no facts could ever
//! show is no mistake. The rules look at the plans and at what determines what (`model::dependency`); nothing is run.

mod bucket;
mod client;
mod direction;
mod key;
mod statement;
mod statics;
mod writes;

use model::concept::Concept;
use model::dependency::{Dependencies, Known};
use model::id::{Numbered, ReadId, TableId, WriteId};
use model::plan::{Derivation, Design, PlannedColumn, PlannedTable};
use model::workload::{Column, Comparison, Test, Value, Workload};

/// Mistakes of one kind that are made at most.
const MOST: usize = 8;

/// A design that is wrong in one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Mutant {
    /// What kind of mistake it is.
    pub kind: &'static str,
    /// What is wrong, in one sentence.
    pub what: String,
    /// The design.
    pub design: Design,
}

/// What mistakes are made in.
#[derive(Clone, Copy, Debug)]
struct Original<'a> {
    concept: &'a Concept,
    workload: &'a Workload,
    design: &'a Design,
}

/// Designs that are wrong in one place each, kind by kind; always the same ones for the same design.
pub fn mutants(concept: &Concept, workload: &Workload, design: &Design) -> Vec<Mutant> {
    let of = Original { concept, workload, design };
    let kinds = [
        key::dropped(of),
        direction::flipped(of),
        writes::copies_forgotten(of),
        bucket::off_by_one(of),
        statics::made_regular(of),
        bucket::shards_unread(of),
        writes::deletes_forgotten(of),
        writes::signs_wrong(of),
        writes::values_swapped(of),
        writes::guards_dropped(of),
        client::filters_dropped(of),
        client::limits_dropped(of),
        client::values_dropped(of),
        client::lookups_dropped(of),
        client::zeros_dropped(of),
    ];
    kinds.into_iter().flat_map(spread).collect()
}

/// At most so many of a kind, from all over the design.
fn spread(mutants: Vec<Mutant>) -> Vec<Mutant> {
    let count = mutants.len();
    let kept = |at: usize| count <= MOST || (at * MOST) / count != ((at + 1) * MOST) / count;
    mutants.into_iter().enumerate().filter(|(at, _)| kept(*at)).map(|(_, mutant)| mutant).collect()
}

impl<'a> Original<'a> {
    /// The design with a change; `None` where the change cannot be made.
    fn mutant(
        self,
        kind: &'static str,
        what: String,
        change: impl FnOnce(&mut Design) -> Option<()>,
    ) -> Option<Mutant> {
        let mut design = self.design.clone();
        change(&mut design)?;
        Some(Mutant { kind, what, design })
    }

    /// What determines what in the rows of a table.
    fn dependencies(self, table: &'a PlannedTable) -> Dependencies<'a> {
        let constants: Vec<Column> = table
            .holds
            .filters
            .iter()
            .filter_map(|filter| match &filter.test {
                Test::Compare {
                    column,
                    comparison: Comparison::Equal,
                    value: Value::Literal(_),
                } => Some(*column),
                _ => None,
            })
            .collect();
        Dependencies::new(self.concept, &table.holds.sources)
            .with_constants(&constants)
            .with_elements(&table.holds.elements)
    }

    /// The name of a table.
    fn table_name(self, at: TableId) -> &'a str {
        self.design.tables.at(at).map_or("?", |table| table.name.as_str())
    }

    /// The name of a read.
    fn read_name(self, at: ReadId) -> &'a str {
        self.workload.reads.at(at).map_or("?", |read| read.name.as_str())
    }

    /// The name of a write.
    fn write_name(self, at: WriteId) -> &'a str {
        self.workload.writes.at(at).map_or("?", |write| write.name.as_str())
    }
}

/// What a column says of the rows that it is made from; nothing where it says less than a value.
fn known(column: &PlannedColumn) -> Option<Known> {
    match &column.derivation {
        Derivation::Attribute(of) | Derivation::Coalesced(of, _) => Some(Known::Value(*of)),
        Derivation::Element(of) => Some(Known::Element(*of)),
        _ => None,
    }
}

/// Makes a column of a table one without a mark.
fn unmark(design: &mut Design, table: TableId, name: &str) -> Option<()> {
    let columns = &mut design.tables.at_mut(table)?.columns;
    let at = columns.iter().position(|column| column.name == name)?;
    let mut column = columns.remove(at);
    column.role = model::plan::Role::Regular;
    columns.push(column);
    Some(())
}
