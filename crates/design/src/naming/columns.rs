//! Names of the columns of a table.
//!
//! A column has its attribute's name. It is prefixed by the singular of its entity (`poi_name`)
//! when the attribute is just `id` or `name` and another entity makes the rows, and when two
//! columns would have the same name; where an entity occurs twice, its role (the reference:
//! `manager` for `manager_id`) replaces the singular. What still clashes is numbered.

use std::collections::{BTreeMap, BTreeSet};

use model::concept::Attribute;
use model::dependency::Dependencies;
use model::id::{IdList, SourceId};
use model::plan::{Derivation, PlannedColumn};
use model::vocabulary::{id_stem, to_singular};
use model::workload::{Column, Source};

/// Names the columns of a table that holds a join of these sources.
pub(crate) fn name_columns(
    of: &Dependencies<'_>,
    sources: &[Source],
    columns: &mut [PlannedColumn],
) {
    let makers = of.row_sources();
    let mut plain: BTreeMap<&str, usize> = BTreeMap::new();
    for column in columns.iter() {
        if let Derivation::Attribute(column) = column.derivation {
            *plain.entry(&attribute(of, column).name).or_default() += 1;
        }
    }
    let mut taken = BTreeSet::new();
    // Attributes first: generated names give way to them.
    for made_up in [false, true] {
        for column in columns.iter_mut() {
            let name = match column.derivation {
                Derivation::Attribute(column) if !made_up => {
                    let name = &attribute(of, column).name;
                    let shared = plain.get(name.as_str()).is_some_and(|count| *count > 1);
                    let foreign = !makers.contains(&column.source);
                    let bare = matches!(name.as_str(), "id" | "name");
                    if foreign && (bare || shared) {
                        format!("{}_{name}", role(of, sources, column.source))
                    } else {
                        name.clone()
                    }
                }
                Derivation::Attribute(_) => continue,
                _ if !made_up => continue,
                ref derivation => name_from_derivation(of, derivation, makers.first().copied()),
            };
            column.name = free_name(&taken, &name);
            taken.insert(column.name.clone());
        }
    }
}

/// The name, or the name with the first number that makes it free.
pub(crate) fn free_name(taken: &BTreeSet<String>, name: &str) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    // There are more numbers than names taken.
    names.find(|name| !taken.contains(name)).unwrap_or_default()
}

fn attribute<'a>(of: &Dependencies<'a>, column: Column) -> &'a Attribute {
    &of.entity(column.source).attributes[column.attribute]
}

fn name_from_derivation(
    of: &Dependencies<'_>,
    derivation: &Derivation,
    maker: Option<SourceId>,
) -> String {
    let name = |column: &Column| attribute(of, *column).name.as_str();
    match derivation {
        Derivation::Attribute(column) => name(column).to_owned(),
        Derivation::Coalesced(column, _) => format!("{}_order", name(column)),
        Derivation::Element(column) => element_name(name(column)),
        Derivation::Prefix(column, _) => format!("{}_prefix", name(column)),
        Derivation::Count(Some(column)) => format!("{}_count", name(column)),
        Derivation::Count(None) => {
            let entity = maker.map(|source| of.entity(source));
            format!("{}_count", entity.map_or_else(String::new, |entity| to_singular(&entity.name)))
        }
        Derivation::Sum(column) => format!("{}_sum", name(column)),
        Derivation::Shard { .. } => "shard".to_owned(),
        Derivation::Bucket(_, bucket) => bucket.column_name().to_owned(),
        Derivation::Oldest(_) | Derivation::Newest(_) | Derivation::Constant => "bucket".to_owned(),
    }
}

/// The name of one element of an array.
pub(crate) fn element_name(array: &str) -> String {
    let one = to_singular(array);
    if one == array { format!("{array}_element") } else { one }
}

/// The prefix of a source: its entity's singular, or its role where the entity occurs more than
/// once.
fn role(of: &Dependencies<'_>, sources: &[Source], source: SourceId) -> String {
    let entity = sources[source].entity;
    let times = sources.iter().filter(|other| other.entity == entity).count();
    if times > 1 {
        if let Some((holder, target)) = of.join_ends(source)
            && let Some(join) = sources[source].join
            && let Some(reference) = of.entity(holder).references.member(join.reference)
            && let [attribute] = reference.attributes.as_slice()
            && target == source
        {
            let name = &of.entity(holder).attributes[*attribute].name;
            let stem = id_stem(name).filter(|stem| !stem.is_empty());
            return stem.unwrap_or(name).to_owned();
        }
        return sources[source].alias.to_lowercase();
    }
    to_singular(&of.entity(source).name)
}
