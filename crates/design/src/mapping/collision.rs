//! Whether the key of a table is unique, and if not, two rows that would overwrite one another.

use cql::types::{NativeType, Type};
use model::concept::{Attribute, Concept};
use model::dependency::{Dependencies, Determinant};
use model::plan::{Derivation, PlannedTable, RowDefinition};
use model::workload::Column;

use super::key::as_known;
use super::read_shape::constant_columns;

/// Two rows that a table cannot hold both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Collision {
    /// The columns of the key, with the value that both rows have.
    pub(crate) same: Vec<(String, String)>,
    /// What distinguishes the rows and is not in the key (`entity.attribute`), with the value of
    /// each row.
    pub(crate) different: Vec<(String, String, String)>,
}

/// The dependencies of what a table holds.
pub(crate) fn dependencies_of<'a>(
    concept: &'a Concept,
    holds: &'a RowDefinition,
) -> Dependencies<'a> {
    Dependencies::new(concept, &holds.sources)
        .with_constants(&constant_columns(&holds.filters))
        .with_elements(&holds.elements)
}

/// Two rows that a table cannot hold both; `None` when its key is unique.
pub(crate) fn find_collision(concept: &Concept, table: &PlannedTable) -> Option<Collision> {
    let aggregate = |derivation: &Derivation| {
        matches!(
            derivation,
            Derivation::Count(_)
                | Derivation::Sum(_)
                | Derivation::Oldest(_)
                | Derivation::Newest(_)
        )
    };
    if table.columns.iter().any(|column| aggregate(&column.derivation)) {
        return None;
    }
    let dependencies = dependencies_of(concept, &table.holds);
    let key = || table.columns.iter().filter(|column| column.is_key());
    let known: Vec<Determinant> = key().filter_map(|column| as_known(&column.derivation)).collect();
    if dependencies.is_key(&known) {
        return None;
    }
    let attribute =
        |column: Column| &dependencies.entity(column.source).attributes[column.attribute];
    let same =
        key().map(|column| (column.name.clone(), example_value(&column.name, &column.ty, 1)));
    let missing = dependencies.complete_key(&known).unwrap_or_default();
    let different = missing.into_iter().map(|missing| {
        let (Determinant::Value(column) | Determinant::Element(column)) = missing;
        let entity = &dependencies.entity(column.source).name;
        let Attribute { name, ty, .. } = attribute(column);
        let ty = match missing {
            Determinant::Value(_) => ty.clone(),
            Determinant::Element(_) => super::columns::element_type(ty),
        };
        (format!("{entity}.{name}"), example_value(name, &ty, 1), example_value(name, &ty, 2))
    });
    Some(Collision { same: same.collect(), different: different.collect() })
}

/// An example value of a type as a CQL literal, different for each number from 1 to 9.
fn example_value(name: &str, ty: &Type, number: u8) -> String {
    use NativeType as N;
    let Type::Native(native) = ty else { return format!("<{name} {number}>") };
    match native {
        N::Ascii | N::Text => format!("'{name} {number}'"),
        N::Uuid => format!("00000000-0000-4000-8000-00000000000{number}"),
        N::Timeuuid => format!("00000000-0000-1000-8000-00000000000{number}"),
        N::Blob => format!("0x0{number}"),
        N::Boolean => (number == 1).to_string(),
        N::Date => format!("'2026-01-0{number}'"),
        N::Time => format!("'0{number}:00:00'"),
        N::Timestamp => format!("'2026-01-0{number} 00:00:00Z'"),
        N::Inet => format!("'10.0.0.{number}'"),
        N::Duration => format!("{number}h"),
        N::Decimal | N::Double | N::Float => format!("{number}.0"),
        N::Bigint | N::Int | N::Smallint | N::Tinyint | N::Varint | N::Counter => {
            number.to_string()
        }
    }
}
