//! Mutation testing of the proof: designs that are wrong in one place, each of which it must
//! refute.
//!
//! Each kind of mutant has its module, with rules that exclude equivalent mutants: changes that no
//! facts could reveal. The rules are static, from the plans and functional dependencies
//! (`model::dependency`); nothing is run.

mod bucket;
mod checks;
mod client;
mod direction;
mod key;
mod nulls;
mod preconditions;
mod range;
mod result_rows;
mod runs;
mod statement;
mod statics;
mod values;
mod writes;

use model::concept::Concept;
use model::dependency::{Dependencies, Determinant};
use model::id::{IdList, ReadId, TableId, WriteId};
use model::plan::{Derivation, Design, PlannedColumn, PlannedTable};
use model::workload::{Column, Comparison, Predicate, Value, Workload};

/// The most mutants of one kind.
const MUTANTS_PER_KIND: usize = 8;

/// A design that is wrong in one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Mutant {
    /// The kind of mutation.
    pub kind: &'static str,
    /// What is wrong, in one sentence.
    pub what: String,
    /// The design.
    pub design: Design,
}

/// The design that is mutated.
#[derive(Clone, Copy, Debug)]
struct OriginalDesign<'a> {
    concept: &'a Concept,
    workload: &'a Workload,
    design: &'a Design,
}

/// The mutants of a design, kind by kind; deterministic.
pub fn build_mutants(concept: &Concept, workload: &Workload, design: &Design) -> Vec<Mutant> {
    let of = OriginalDesign { concept, workload, design };
    let kinds = [
        key::drop_key_columns(of),
        direction::flip_directions(of),
        writes::omit_copies(of),
        bucket::shift_buckets(of),
        bucket::confuse_ends(of),
        statics::make_statics_regular(of),
        bucket::skip_shards(of),
        writes::omit_deletes(of),
        range::shift_bounds(of),
        writes::flip_signs(of),
        writes::overwrite_with_nulls(of),
        writes::swap_values(of),
        writes::drop_guards(of),
        runs::forget_referring_rows(of),
        runs::overwrite_existing_rows(of),
        runs::skip_existing_rows(of),
        values::drop_defaults(of),
        values::keep_generated(of),
        checks::forget_checks(of),
        checks::forget_rounding(of),
        preconditions::forget_preconditions(of),
        preconditions::forget_not_exists(of),
        client::drop_filters(of),
        client::drop_limits(of),
        client::drop_values(of),
        client::drop_lookups(of),
        nulls::negate_null_guards(of),
        nulls::require_optional_rows(of),
        nulls::drop_conditions(of),
        client::keep_nulls(of),
        result_rows::return_old_values(of),
        result_rows::return_replaced_values(of),
        result_rows::return_absent_rows(of),
        result_rows::omit_returned_rows(of),
    ];
    kinds.into_iter().flat_map(sample_mutants).collect()
}

/// Limits the mutants of a kind, spread over the design.
fn sample_mutants(mutants: Vec<Mutant>) -> Vec<Mutant> {
    let count = mutants.len();
    let kept = |at: usize| {
        count <= MUTANTS_PER_KIND
            || (at * MUTANTS_PER_KIND) / count != ((at + 1) * MUTANTS_PER_KIND) / count
    };
    mutants.into_iter().enumerate().filter(|(at, _)| kept(*at)).map(|(_, mutant)| mutant).collect()
}

impl<'a> OriginalDesign<'a> {
    /// The design with a change; `None` where the change cannot be made.
    fn build_mutant(
        self,
        kind: &'static str,
        what: String,
        change: impl FnOnce(&mut Design) -> Option<()>,
    ) -> Option<Mutant> {
        let mut design = self.design.clone();
        change(&mut design)?;
        Some(Mutant { kind, what, design })
    }

    /// The functional dependencies of the rows of a table.
    fn dependencies(self, table: &'a PlannedTable) -> Dependencies<'a> {
        let constants: Vec<Column> = table
            .holds
            .filters
            .iter()
            .filter_map(|filter| match &filter.predicate {
                Predicate::Compare {
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
        self.design.tables.member(at).map_or("?", |table| table.name.as_str())
    }

    /// The name of a read.
    fn read_name(self, at: ReadId) -> &'a str {
        self.workload.reads.member(at).map_or("?", |read| read.name.as_str())
    }

    /// The name of a write.
    fn write_name(self, at: WriteId) -> &'a str {
        self.workload.writes.member(at).map_or("?", |write| write.name.as_str())
    }
}

/// The determinant that a column contains; `None` where it is less than a value (a bucket, a
/// prefix).
fn determinant(column: &PlannedColumn) -> Option<Determinant> {
    match &column.derivation {
        Derivation::Attribute(of) | Derivation::Coalesced(of, _) => Some(Determinant::Value(*of)),
        Derivation::Element(of) => Some(Determinant::Element(*of)),
        _ => None,
    }
}

/// Makes a column of a table regular.
fn demote_column(design: &mut Design, table: TableId, name: &str) -> Option<()> {
    let columns = &mut design.tables.member_mut(table)?.columns;
    let at = columns.iter().position(|column| column.name == name)?;
    let mut column = columns.remove(at);
    column.role = model::plan::ColumnRole::Regular;
    columns.push(column);
    Some(())
}
