//! The expected contents of each designed table, computed from the facts by the table's definition:
//! `join` joins the facts, `statics` handles static columns, `normal_form` normalises values for
//! comparison, and `pipeline` computes tables in parallel.

mod join;
mod normal_form;
mod pipeline;
mod statics;

use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::hash::BuildHasherDefault;

use model::concept::Concept;
use model::id::{IdList, TableId};
use model::plan::{ColumnRole, Derivation, PlannedColumn, PlannedTable, RowDefinition};
use model::workload::Column;

pub(crate) use self::join::{FactJoiner, JoinRow};
pub(crate) use self::normal_form::{normalise, normalise_set};
pub(crate) use self::pipeline::for_each_table;

use crate::dataset::Datum;
use crate::runner::{matches_constants, to_bucket, to_prefix, to_shard};
use crate::subject::ProofSubject;
use crate::value::{TypedValue, integer_bytes, parse_constant};

/// Rows of a table: the values of the other columns by key, both in the order of the table's
/// columns. The hasher has no random seed, so that iteration is the same in every run.
pub(crate) type TableContents = HashMap<Vec<Datum>, Vec<Datum>, BuildHasherDefault<DefaultHasher>>;

/// The expected contents of a table.
pub(crate) fn build_contents(
    subject: ProofSubject<'_>,
    at: TableId,
    facts: &FactJoiner<'_>,
) -> TableContents {
    let mut contents = TableContents::default();
    let Some(table) = subject.design.tables.member(at) else { return contents };
    fill(subject, table, facts, &mut contents);
    if table.is_counter() && !table.has_initial_zeros() {
        // A group without rows counts 0, like an absent one.
        let zero = Some(0_i64.to_be_bytes().to_vec());
        contents.retain(|_, values| values.iter().any(|value| *value != zero));
    }
    contents
}

/// The static columns of all partitions, including those without rows, as a table of the
/// partition key and the static columns alone. `None` where there are none.
pub(crate) fn build_statics(
    subject: ProofSubject<'_>,
    table: &PlannedTable,
    facts: &FactJoiner<'_>,
) -> Option<(PlannedTable, TableContents)> {
    let alone = statics::static_table(subject.concept, table)?;
    let mut contents = TableContents::default();
    fill(subject, &alone, facts, &mut contents);
    Some((alone, contents))
}

fn fill(
    subject: ProofSubject<'_>,
    table: &PlannedTable,
    facts: &FactJoiner<'_>,
    contents: &mut TableContents,
) {
    let maker = RowBuilder::new(subject.concept, &subject.design.tables, table);
    facts.for_each_row(&table.holds.sources, &mut |joined| {
        if maker.is_member(joined) {
            for elements in maker.element_choices(joined) {
                maker.add_row(joined, &elements, contents);
            }
        }
    });
}

/// Builds the rows of a table.
#[derive(Debug)]
pub(crate) struct RowBuilder<'a> {
    concept: &'a Concept,
    table: &'a PlannedTable,
    /// The bucketed column, for a table that records the oldest bucket.
    remembered: Option<Column>,
}

impl<'a> RowBuilder<'a> {
    pub(crate) fn new(
        concept: &'a Concept,
        tables: &[PlannedTable],
        table: &'a PlannedTable,
    ) -> Self {
        let remembered = table.remembers.and_then(|at| tables.member(at));
        let remembered = remembered.and_then(|table| Some(table.bucket()?.1));
        Self { concept, table, remembered }
    }

    /// Whether a joined row belongs to the table.
    pub(crate) fn is_member(&self, joined: &JoinRow<'_>) -> bool {
        let RowDefinition { filters, not_null, .. } = &self.table.holds;
        let value = |column: Column| self.value(joined, column);
        not_null.iter().all(|column| joined.get(*column).is_some())
            && filters
                .iter()
                .all(|filter| matches_constants(self.concept, &filter.predicate, &value))
    }

    /// The value of a column of the sources.
    fn value(&self, joined: &JoinRow<'_>, column: Column) -> TypedValue {
        let source = self.table.holds.sources.member(column.source);
        let entity = source.and_then(|source| self.concept.entities.member(source.entity));
        match entity.and_then(|entity| entity.attributes.member(column.attribute)) {
            Some(attribute) => TypedValue::new(attribute.ty.clone(), joined.get(column)),
            None => TypedValue::null(),
        }
    }

    /// The combinations of elements of the arrays whose elements make rows.
    pub(crate) fn element_choices(&self, joined: &JoinRow<'_>) -> Vec<Vec<(Column, TypedValue)>> {
        let mut choices = vec![Vec::new()];
        for column in &self.table.holds.elements {
            // Duplicate elements make one row.
            let mut elements = self.value(joined, *column).elements();
            elements.sort_by(TypedValue::compare);
            elements.dedup();
            choices = choices
                .iter()
                .flat_map(|chosen: &Vec<(Column, TypedValue)>| {
                    elements.iter().map(|element| {
                        let mut chosen = chosen.clone();
                        chosen.push((*column, element.clone()));
                        chosen
                    })
                })
                .collect();
        }
        choices
    }

    /// Adds a row, or merges it with the row of the same key.
    pub(crate) fn add_row(
        &self,
        joined: &JoinRow<'_>,
        elements: &[(Column, TypedValue)],
        contents: &mut TableContents,
    ) {
        let made = |column: &&PlannedColumn| self.derive_value(column, joined, elements);
        let keys = self.table.columns.iter().filter(|column| column.is_key());
        let key: Vec<Datum> = keys.map(|column| made(&column)).collect();
        if key.iter().any(Option::is_none) {
            // A null key column: the row is not in the table.
            return;
        }
        let columns = || self.table.columns.iter().filter(|column| !column.is_key());
        let values: Vec<Datum> = columns().map(|column| made(&column)).collect();
        match contents.entry(key) {
            Entry::Vacant(free) => {
                free.insert(values);
            }
            Entry::Occupied(mut taken) => {
                for ((column, before), value) in columns().zip(taken.get_mut()).zip(values) {
                    *before = merge_values(column, before.take(), value);
                }
            }
        }
    }

    /// The value of a column, in the bytes of its type.
    pub(crate) fn derive_value(
        &self,
        column: &PlannedColumn,
        joined: &JoinRow<'_>,
        elements: &[(Column, TypedValue)],
    ) -> Datum {
        let value = |of: &Column| self.value(joined, *of);
        let counter = column.role == ColumnRole::Counter;
        let number = |number: i64| integer_bytes(&column.ty, number);
        let made = match &column.derivation {
            Derivation::Attribute(of) | Derivation::Sum(of) => value(of),
            Derivation::Coalesced(of, other) => {
                let value = value(of);
                if value.is_null() { parse_constant(&value.ty, other) } else { value }
            }
            Derivation::Element(of) => {
                let chosen = elements.iter().find(|(column, _)| column == of);
                chosen.map_or_else(TypedValue::null, |(_, element)| element.clone())
            }
            Derivation::Bucket(of, width) => to_bucket(&value(of), *width),
            Derivation::Shard { of, count } => {
                let values: Vec<_> = of.iter().map(value).collect();
                to_shard(&values, &[], *count)
            }
            Derivation::Constant => return number(0),
            Derivation::Prefix(of, length) => to_prefix(&value(of), *length),
            Derivation::Count(None) => return number(1),
            Derivation::Count(Some(of)) => return number(i64::from(!value(of).is_null())),
            Derivation::Oldest(width) | Derivation::Newest(width) => self
                .remembered
                .as_ref()
                .map_or_else(TypedValue::null, |of| to_bucket(&value(of), *width)),
        };
        if counter && made.is_null() {
            return number(0);
        }
        normalise(&column.ty, made.to_type(&column.ty))
    }
}

/// The value of a column in a row that two joined rows make: counters add up, the oldest bucket is
/// the older one, the newest the newer one.
fn merge_values(column: &PlannedColumn, before: Datum, value: Datum) -> Datum {
    let typed = |bytes: &Datum| TypedValue::new(column.ty.clone(), bytes.clone());
    match column.derivation {
        _ if column.role == ColumnRole::Counter => {
            let sum = typed(&before).to_integer().unwrap_or(0);
            let more = typed(&value).to_integer().unwrap_or(0);
            integer_bytes(&column.ty, sum.saturating_add(more))
        }
        Derivation::Oldest(_) if typed(&before).compare(&typed(&value)).is_le() => before,
        Derivation::Newest(_) if typed(&before).compare(&typed(&value)).is_ge() => before,
        _ => value,
    }
}
