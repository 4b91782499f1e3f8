//! The subject of a table: the entity whose name its name begins with.

use model::dependency::Dependencies;
use model::id::{AttributeId, IdList, SourceId};
use model::plan::{ColumnRole, Derivation, PlannedTable};
use model::workload::Column;

/// The source that a table is about: the one that makes the rows; where that is only a link between
/// others (nothing but references of it is returned), the first one that varies within a partition
/// and is returned. Of two that are one to one, the one that the query names first.
pub(super) fn find_subject(table: &PlannedTable, dependencies: &Dependencies<'_>) -> SourceId {
    let makers = dependencies.row_sources();
    let maker = makers.first().copied().unwrap_or(SourceId::new(0));
    if is_one_to_one(dependencies, maker) {
        return SourceId::new(0);
    }
    let shown: Vec<Column> = table
        .columns
        .iter()
        .filter(|column| column.role != ColumnRole::Partition)
        .filter_map(|column| match column.derivation {
            Derivation::Attribute(of) | Derivation::Coalesced(of, _) => Some(of),
            _ => None,
        })
        .collect();
    if shown.iter().any(|column| makers.contains(&column.source) && !is_link(dependencies, *column))
        || table.is_counter()
        || !table.holds.elements.is_empty()
    {
        return maker;
    }
    let partition: Vec<Column> = table
        .partition_key()
        .filter_map(|column| match column.derivation {
            Derivation::Attribute(of) => Some(of),
            _ => None,
        })
        .collect();
    let varies = |source: &SourceId| {
        shown.iter().any(|column| column.source == *source)
            && dependencies.key_within(*source, &partition).is_none()
    };
    table
        .holds
        .sources
        .ids()
        .filter(|source| !makers.contains(source))
        .find(varies)
        .unwrap_or(maker)
}

/// Whether the first source has the key of the one that makes the rows.
fn is_one_to_one(dependencies: &Dependencies<'_>, maker: SourceId) -> bool {
    let column = |source: SourceId| move |&attribute: &AttributeId| Column { source, attribute };
    let keys = [maker, SourceId::new(0)].map(|source| dependencies.entity(source).primary_key());
    let same = |key: &AttributeId| {
        keys[1]
            .iter()
            .any(|other| dependencies.is_equal(column(maker)(key), column(SourceId::new(0))(other)))
    };
    maker != SourceId::new(0) && keys[0].len() == keys[1].len() && keys[0].iter().all(same)
}

/// Whether a column is a reference to something else: that of a subtype to its supertype is its own
/// key.
fn is_link(dependencies: &Dependencies<'_>, column: Column) -> bool {
    let entity = dependencies.entity(column.source);
    entity.references.iter().any(|reference| {
        reference.attributes.contains(&column.attribute)
            && reference.attributes != entity.primary_key()
    })
}
