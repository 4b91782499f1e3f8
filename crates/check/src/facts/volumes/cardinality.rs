//! How many values columns take: what is declared, else what types and names tell.

use cql::types::NativeType;
use schema::catalog::Column;

use crate::vocabulary::ids::is_id;
use crate::vocabulary::keys::is_bucket;
use crate::vocabulary::status::{is_low_cardinality, is_low_cardinality_index};
use crate::vocabulary::types::native_type;
use crate::{Confidence, TableFacts};

/// A number of values, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cardinality {
    /// About so many; infinite where there is no bound.
    pub(crate) values: f64,
    /// Declared: high; by type: medium; by name: low.
    pub(crate) confidence: Confidence,
}

/// The values of a column; `None` where nothing tells.
pub(crate) fn column_cardinality(facts: &TableFacts, column: &Column) -> Option<Cardinality> {
    let position = facts.table.column_index(&column.name)?;
    if let Some(values) = facts.volume.distinct(position) {
        return Some(Cardinality { values, confidence: Confidence::High });
    }
    let by_type = |values: f64| Some(Cardinality { values, confidence: Confidence::Medium });
    match native_type(&column.ty) {
        Some(NativeType::Boolean) => return by_type(2.0),
        Some(NativeType::Tinyint) => return by_type(256.0),
        Some(NativeType::Uuid | NativeType::Timeuuid) => return by_type(f64::INFINITY),
        _ => {}
    }
    // Shards are as many as somebody chose, and spans of time never end.
    let is_id = is_id(column) && !is_low_cardinality_index(&facts.table.name, column);
    if is_bucket(column) || is_id {
        return Some(Cardinality { values: f64::INFINITY, confidence: Confidence::Low });
    }
    let few = is_low_cardinality(column) || is_low_cardinality_index(&facts.table.name, column);
    few.then_some(Cardinality { values: 50.0, confidence: Confidence::Low })
}

/// The values of a partition key: the product over its columns; `None` where one of them may take any number.
pub(crate) fn partition_key_cardinality(facts: &TableFacts) -> Option<Cardinality> {
    let mut all = Cardinality { values: 1.0, confidence: Confidence::High };
    for column in facts.table.partition_key() {
        let one = column_cardinality(facts, column)?;
        all.values *= one.values;
        all.confidence = all.confidence.min(one.confidence);
    }
    // The rows of the table and of a partition, as declared, outweigh what names tell.
    let each = facts.volume.each.as_ref().filter(|each| each.per.is_none());
    let counted = facts.volume.rows.zip(each).map(|(rows, each)| rows / each.mean.max(1.0));
    let is_guess = all.confidence == Confidence::Low && all.values.is_finite();
    if let Some(values) = counted.filter(|_| is_guess) {
        all = Cardinality { values, confidence: Confidence::High };
    }
    Some(all)
}
