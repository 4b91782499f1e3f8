//! Names of tables, and of their columns (`columns`).
//!
//! A table whose partition key is the entity's whole key, with nothing clustered, has the entity's
//! name. Others are `entity_by_attributes` after their partition key (without tenant, bucket and
//! shard), where a reference loses its `_id`; with no equality `latest_entities` (newest first) or
//! `all_entities`. A table that holds only some rows says which (`restriction`):
//! `unread_messages_by_user`. A clash appends the ordering, then a number.

mod columns;
mod restriction;
mod subject;

use std::collections::BTreeSet;

use cql::printer::identifier;
use cql::types::{NativeType, Type};
use model::dependency::Dependencies;
use model::id::{AttributeId, IdList, SourceId};
use model::plan::{ColumnRole, Derivation, Direction, MappingRule, PlannedColumn, PlannedTable};
use model::vocabulary::to_singular;
use model::workload::Column;

pub(crate) use columns::{element_name, free_name, name_columns};

use crate::Context;
use restriction::RestrictionWords;

/// The maximum length of a table name in Cassandra.
const NAME_MAX: usize = 48;

/// Names the tables that have no name yet; a clash with any other appends the ordering.
pub(crate) fn name_tables(context: Context<'_>, tables: &mut [PlannedTable]) {
    let mut taken: BTreeSet<String> = tables.iter().map(|table| table.name.clone()).collect();
    // A table that remembers another's oldest bucket is named after that one, so those come last.
    for remembering in [false, true] {
        for at in 0..tables.len() {
            if !tables[at].name.is_empty() || tables[at].remembers.is_some() != remembering {
                continue;
            }
            let remembered = tables[at].remembers.and_then(|of| tables.member(of));
            let name = match remembered {
                Some(of) => find_free_name(&taken, &[fit_name(&format!("{}_oldest", of.name))]),
                None => find_free_name(&taken, &TableNamer::new(context, &tables[at]).candidates()),
            };
            taken.insert(name.clone());
            tables[at].name = name;
        }
    }
}

/// What a table's name is derived from.
struct TableNamer<'a> {
    context: Context<'a>,
    table: &'a PlannedTable,
    dependencies: Dependencies<'a>,
    subject: SourceId,
}

impl<'a> TableNamer<'a> {
    fn new(context: Context<'a>, table: &'a PlannedTable) -> Self {
        let dependencies = Dependencies::new(context.concept, &table.holds.sources);
        let subject = subject::find_subject(table, &dependencies);
        Self { context, table, dependencies, subject }
    }

    /// The possible names, the best first.
    fn candidates(&self) -> Vec<String> {
        let plain = self.plain_name();
        let mut candidates = vec![fit_name(&plain)];
        let ordering = self.ordering();
        if !ordering.is_empty() {
            let by = if plain.contains("_by_") { "_" } else { "_by_" };
            candidates.push(fit_name(&format!("{plain}{by}{}", ordering.join("_"))));
        }
        candidates
    }

    fn plain_name(&self) -> String {
        let Some(source) = self.table.holds.sources.member(self.subject) else {
            return "rows".to_owned();
        };
        let is_named = |column: Column| {
            let mut key = self.table.partition_key();
            key.any(|key| key.derivation == Derivation::Attribute(column))
        };
        let words = RestrictionWords::new(self.context.concept, self.table, is_named);
        let entity = &words.apply(&self.context.concept.entities[source.entity].name);
        let clustered = self.table.clustering().next().is_some();
        let whole = self.is_whole_key();
        let elements: Vec<&PlannedColumn> = self
            .table
            .clustering()
            .filter(|column| matches!(column.derivation, Derivation::Element(_)))
            .collect();
        if let ([element], true) = (elements.as_slice(), whole) {
            return format!("{}_{}", to_singular(entity), self.array_name(element));
        }
        let by = self.words().join("_");
        if let Some(kind) = self.counter_kind() {
            let name = format!("{}_{kind}", to_singular(entity));
            let plain = by.is_empty() || kind == "counters" && whole && !clustered;
            return if plain { name } else { format!("{name}_by_{by}") };
        }
        match (by.is_empty(), whole && !clustered) {
            (_, true) => entity.clone(),
            (true, false) if self.is_newest_first() => format!("latest_{entity}"),
            (true, false) => format!("all_{entity}"),
            (false, false) => format!("{entity}_by_{by}"),
        }
    }

    /// Whether the partition key is the subject's primary key, neither more nor less.
    fn is_whole_key(&self) -> bool {
        let partition: Vec<Column> = self
            .table
            .partition_key()
            .filter_map(|column| match column.derivation {
                Derivation::Attribute(of) => Some(of),
                _ => None,
            })
            .collect();
        let primary = self.dependencies.entity(self.subject).primary_key();
        let in_partition = |attribute: &AttributeId| {
            let key = Column { source: self.subject, attribute: *attribute };
            partition.iter().any(|column| self.dependencies.is_equal(*column, key))
        };
        partition.len() == self.table.partition_key().count()
            && partition.len() == primary.len()
            && primary.iter().all(in_partition)
    }

    /// What kind of counters it holds, if it does.
    fn counter_kind(&self) -> Option<&'static str> {
        let counters =
            || self.table.columns.iter().filter(|column| column.role == ColumnRole::Counter);
        counters().next()?;
        let sums = counters().any(|column| matches!(column.derivation, Derivation::Sum(_)));
        let counts = counters().any(|column| matches!(column.derivation, Derivation::Count(_)));
        Some(match (sums, counts) {
            (true, _) => "totals",
            (false, true) => "counts",
            (false, false) => "counters",
        })
    }

    fn is_newest_first(&self) -> bool {
        self.table.clustering().next().is_some_and(|column| {
            use NativeType::{Date, Timestamp, Timeuuid};
            column.role == ColumnRole::Clustering(Direction::Descending)
                && matches!(column.ty, Type::Native(Timestamp | Date | Timeuuid))
        })
    }

    /// The words of what the partition key is made from. The attributes of a composite reference
    /// are one word.
    fn words(&self) -> Vec<String> {
        let tenant = |column: &PlannedColumn| {
            column.reasons.iter().any(|reason| reason.rule == MappingRule::Tenant)
        };
        let given = |column: &&PlannedColumn| match column.derivation {
            Derivation::Constant | Derivation::Shard { .. } | Derivation::Bucket(..) => false,
            _ => !tenant(column),
        };
        let key: Vec<&PlannedColumn> = self.table.partition_key().filter(given).collect();
        let columns: Vec<Column> = key
            .iter()
            .filter_map(|column| match column.derivation {
                Derivation::Attribute(of) => Some(of),
                _ => None,
            })
            .collect();
        let mut words: Vec<String> = Vec::new();
        let mut named: Vec<Column> = Vec::new();
        for column in key {
            match column.derivation {
                Derivation::Attribute(of) if named.contains(&of) => {}
                Derivation::Attribute(of) => {
                    if let Some((together, target)) = self.composite(of, &columns) {
                        named.extend(together);
                        words.push(to_singular(&target.to_lowercase()));
                    } else {
                        words.push(self.word(column, of));
                    }
                }
                _ => words.push(column.name.to_lowercase()),
            }
        }
        words
    }

    /// The composite reference that starts with this column and is contained in these columns: its
    /// columns and what it refers to.
    fn composite(&self, first: Column, columns: &[Column]) -> Option<(Vec<Column>, &'a str)> {
        let source = first.source;
        let reference = self.dependencies.entity(source).references.iter().find(|reference| {
            let within = |at: &AttributeId| columns.contains(&Column { source, attribute: *at });
            reference.attributes.len() > 1
                && reference.attributes.contains(&first.attribute)
                && reference.attributes.iter().all(within)
        })?;
        let together =
            reference.attributes.iter().map(|&attribute| Column { source, attribute }).collect();
        Some((together, &self.context.concept.entities[reference.target].name))
    }

    /// The word for a key column: a reference is named by what it refers to, or loses its ending.
    fn word(&self, column: &PlannedColumn, of: Column) -> String {
        let name = column.name.to_lowercase();
        let target = self.dependencies.equal_columns(of).into_iter().find_map(|member| {
            let references = &self.dependencies.entity(member.source).references;
            let reference = references.iter().find(|one| one.attributes == [member.attribute])?;
            Some(to_singular(&self.context.concept.entities[reference.target].name.to_lowercase()))
        });
        let Some(target) = target else { return name };
        let ending = name.strip_prefix(target.as_str()).map(|rest| rest.trim_start_matches('_'));
        if matches!(ending, Some("id" | "name" | "key" | "uuid" | "code" | "number"))
            || matches!(name.as_str(), "id" | "name")
        {
            return target;
        }
        let stem = ["_id", "_name", "id"].iter().find_map(|ending| name.strip_suffix(ending));
        stem.filter(|stem| stem.len() > 1).map_or_else(|| name.clone(), str::to_owned)
    }

    /// The words of what the rows are ordered or ranged by.
    fn ordering(&self) -> Vec<String> {
        let orders = |column: &&PlannedColumn| {
            column.reasons.iter().any(|reason| {
                matches!(
                    reason.rule,
                    MappingRule::Order
                        | MappingRule::Inequality
                        | MappingRule::Group
                        | MappingRule::Forced
                )
            })
        };
        self.table.clustering().filter(orders).map(|column| column.name.to_lowercase()).collect()
    }

    fn array_name(&self, column: &PlannedColumn) -> String {
        match column.derivation {
            Derivation::Element(of) => {
                self.dependencies.entity(of.source).attributes[of.attribute].name.to_lowercase()
            }
            _ => column.name.to_lowercase(),
        }
    }
}

/// The first of the names that is free; the first of all with a number if none is.
fn find_free_name(taken: &BTreeSet<String>, candidates: &[String]) -> String {
    if let Some(name) = candidates.iter().find(|name| !taken.contains(*name)) {
        return name.clone();
    }
    let first = candidates.first().map_or("rows", String::as_str);
    let numbered = (2..).map(|number: u32| {
        let number = format!("_{number}");
        let stem: String = first.chars().take(NAME_MAX - number.len()).collect();
        format!("{stem}{number}")
    });
    // There are more numbers than names taken.
    numbered.into_iter().find(|name| !taken.contains(name)).unwrap_or_default()
}

/// The name in characters that need no quotes, within Cassandra's maximum length.
fn fit_name(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let mut fitting: String = name.chars().map(letter).collect();
    if !fitting.starts_with(|first: char| first.is_ascii_lowercase()) {
        fitting.insert_str(0, "t_");
    }
    if fitting.len() > NAME_MAX {
        fitting.truncate(NAME_MAX);
        if let Some(word) = fitting.rfind('_').filter(|at| *at > NAME_MAX / 2) {
            fitting.truncate(word);
        }
    }
    if identifier(&fitting) != fitting {
        fitting.push_str("_table");
    }
    fitting
}

#[cfg(test)]
mod tests;
