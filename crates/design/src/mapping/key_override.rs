//! Keys forced by the user (`--key`): taken as they are, and reviewed by `notes`.

use cql::spelling::find_nearest;
use model::id::IdList;
use model::plan::topic::KeyTopic;
use model::plan::{ColumnRole, Derivation, Direction, MappingReason, MappingRule, Note};
use model::workload::Column;

use super::key::{KeyBuilder, KeyColumn};
use super::read_shape::ReadShape;
use super::{columns, refuse};
use crate::naming;

/// The key that the user forces for a read, if any: each name is a column of the table by the
/// rules, or an attribute of the sources.
pub(super) fn find_override(shape: &ReadShape<'_>) -> Result<Option<Vec<KeyColumn>>, Box<Note>> {
    let options = shape.context.options;
    let Some(forced) = options.keys.iter().find(|key| key.read == shape.read.name) else {
        return Ok(None);
    };
    let derived = KeyBuilder::for_rows(shape)?.columns;
    let stored = columns::columns_to_store(shape, &derived, columns::columns_needed(shape));
    let mut table = columns::assemble(shape, derived, stored)?;
    naming::name_columns(&shape.dependencies, &shape.read.sources, &mut table.columns);
    let partition = forced.partition.iter().map(|name| (name, ColumnRole::Partition));
    let clustering = forced.clustering.iter().map(|(name, descending)| {
        let way = if *descending { Direction::Descending } else { Direction::Ascending };
        (name, ColumnRole::Clustering(way))
    });
    let mut key = Vec::new();
    for (name, role) in partition.chain(clustering) {
        let derivation = match table.column(name) {
            Some(column) => column.derivation.clone(),
            None => Derivation::Attribute(find_attribute(shape, name)?),
        };
        let text = format!("`--key` puts `{name}` here");
        let reasons = vec![MappingReason { rule: MappingRule::Forced, read: shape.position, text }];
        key.push(KeyColumn { derivation, role, reasons });
    }
    Ok(Some(key))
}

/// The attribute of that name, of the first source that has one.
fn find_attribute(shape: &ReadShape<'_>, name: &str) -> Result<Column, Box<Note>> {
    let sources = shape.read.sources.ids();
    let found = sources.clone().find_map(|source| {
        let attribute = shape.dependencies.entity(source).attribute_named(name)?;
        Some(shape.dependencies.canonical_column(Column { source, attribute }))
    });
    if let Some(column) = found {
        return Ok(column);
    }
    let names = sources
        .flat_map(|source| &shape.dependencies.entity(source).attributes)
        .map(|attribute| attribute.name.as_str());
    let topic = KeyTopic::UnknownColumn {
        read: shape.read.name.clone(),
        name: name.to_owned(),
        nearest: find_nearest(name, names).map(str::to_owned),
    };
    refuse(shape, topic)
}
