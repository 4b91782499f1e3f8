//! Our tables in the notation of the published ones.

use model::concept::Concept;
use model::id::{IdList, ReadId};
use model::plan::{ColumnRole, Derivation, Design, Direction, PlannedTable, ReadPart};
use model::workload::{Column, OutputValue, Read};

use super::notation::PublishedTable;

/// The table that returns a read's rows.
pub(super) fn table(design: &Design, read: ReadId) -> Option<&PlannedTable> {
    design.tables.iter().find(|table| {
        table.serves.iter().any(|served| served.read == read && served.part == ReadPart::Rows)
    })
}

/// The key, statics and counters of a table.
pub(super) fn key(table: &PlannedTable, expected: &PublishedTable) -> String {
    let mut marks = Vec::new();
    for column in &table.columns {
        let name = expected.name_in_source(&column.name);
        marks.push(match (column.role, &column.derivation) {
            (ColumnRole::Partition, Derivation::Bucket(_, bucket)) => {
                format!("K⌛{bucket} {name}")
            }
            (ColumnRole::Partition, Derivation::Shard { count, .. }) => format!("K#{count} {name}"),
            (ColumnRole::Partition, Derivation::Constant) => format!("K0 {name}"),
            (ColumnRole::Partition, _) => format!("K {name}"),
            (ColumnRole::Clustering(Direction::Ascending), _) => format!("C↑ {name}"),
            (ColumnRole::Clustering(Direction::Descending), _) => format!("C↓ {name}"),
            (ColumnRole::Static, _) => format!("S {name}"),
            (ColumnRole::Counter, _) => format!("++{name}"),
            (ColumnRole::Regular, _) => continue,
        });
    }
    marks.join(", ")
}

/// The columns that a read returns and no table of it holds.
pub(super) fn missing_outputs(
    design: &Design,
    concept: &Concept,
    read: &Read,
    position: ReadId,
) -> Vec<String> {
    let equal = equal_columns(concept, read);
    let held = |wanted: Column| {
        design.tables.iter().any(|table| {
            table.serves.iter().filter(|served| served.read == position).any(|served| {
                let alike = equal.iter().find(|class| class.contains(&wanted));
                let alike = alike.map_or(vec![wanted], Clone::clone);
                let ours: Vec<_> =
                    alike.into_iter().filter_map(|column| served.column(column)).collect();
                table.columns.iter().any(|column| has_column(&column.derivation, &ours))
            })
        })
    };
    let missing = read.outputs.iter().filter(|output| match output.value {
        OutputValue::Column(column) => !held(column),
        _ => false,
    });
    missing.map(|output| output.name.clone()).collect()
}

fn has_column(derivation: &Derivation, columns: &[Column]) -> bool {
    match derivation {
        Derivation::Attribute(column)
        | Derivation::Coalesced(column, _)
        | Derivation::Element(column) => columns.contains(column),
        _ => false,
    }
}

/// The columns of a read that its joins make equal, class by class.
fn equal_columns(concept: &Concept, read: &Read) -> Vec<Vec<Column>> {
    let mut classes: Vec<Vec<Column>> = Vec::new();
    for (at, source) in read.sources.enumerate_ids() {
        let Some(join) = source.join else { continue };
        let (holder, target) = if join.to_one { (join.with, at) } else { (at, join.with) };
        let reference = &concept.entities[read.sources[holder].entity].references[join.reference];
        for (mine, theirs) in reference.attributes.iter().zip(&reference.target_attributes) {
            let pair = [
                Column { source: holder, attribute: *mine },
                Column { source: target, attribute: *theirs },
            ];
            match classes.iter_mut().find(|class| pair.iter().any(|column| class.contains(column)))
            {
                Some(class) => class.extend(pair),
                None => classes.push(pair.to_vec()),
            }
        }
    }
    classes
}
