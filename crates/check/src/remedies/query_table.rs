//! The table that would answer a query by its key.

use std::fmt::Write;

use cql::relation::{Operator, RelationKind};
use cql::selectable::SelectableKind;
use cql::statement::select::Select;
use cql::types::{NativeType, Type};
use model::bucket;
use model::plan::Bucket;
use model::vocabulary::to_singular;
use schema::catalog::Column;

use crate::TableFacts;
use crate::facts::volumes::column_cardinality;
use crate::vocabulary::entity_names::entity_name;
use crate::vocabulary::ids::is_near_unique;
use crate::vocabulary::keys::is_bucket;
use crate::vocabulary::times::is_time;
use crate::vocabulary::types::native_type;

/// Values of a partition key that spread a table well whatever its size.
const SPREADING_VALUES: f64 = 100_000.0;

/// A column of the proposed table.
#[derive(Clone)]
struct ProposedColumn {
    name: String,
    ty: String,
}

/// The CREATE TABLE of a table that answers a query by its key: what is compared for equality, split by a bucket where that takes
/// few values or would grow without end, then ranges, then what makes rows unique. `None` where no key can answer it.
pub(crate) fn query_table(facts: &TableFacts, select: &Select) -> Option<String> {
    build_create_table(facts, &ComparedColumns::from_select(facts, select)?, &|column| {
        is_selected(select, column)
    })
}

/// The CREATE TABLE of a table that finds the keys of rows by one of their columns. `None` where that cannot be a key.
pub(crate) fn lookup_table(facts: &TableFacts, column: &str) -> Option<String> {
    let mut asked = ComparedColumns { equal: Vec::new(), ranges: Vec::new() };
    asked.add_equal(facts, column)?;
    build_create_table(facts, &asked, &|_| false)
}

fn build_create_table(
    facts: &TableFacts,
    asked: &ComparedColumns<'_>,
    wanted: &dyn Fn(&Column) -> bool,
) -> Option<String> {
    let table = &facts.table;
    let mut partition: Vec<ProposedColumn> =
        asked.equal.iter().map(|(_, one)| one.clone()).collect();
    let rest = || table.primary_key().iter().filter(|column| !asked.contains(column));
    // The order of time is what most readers want.
    let (times, others) = (rest().filter(|one| is_time(one)), rest().filter(|one| !is_time(one)));
    let clustering: Vec<&Column> =
        asked.ranges.iter().copied().chain(times).chain(others).collect();
    if clustering.iter().any(|column| !can_be_key(&column.ty)) {
        return None;
    }
    partition.extend(bucket_column(facts, asked, &clustering));
    let mut columns: Vec<ProposedColumn> =
        clustering.iter().map(|column| ProposedColumn::from_column(column)).collect();
    let keys = columns.len();
    let is_key = |column: &Column| {
        asked.contains(column) || clustering.iter().any(|key| key.name == column.name)
    };
    let others = table.columns().iter().filter(|column| !is_key(column) && wanted(column));
    columns.extend(others.map(ProposedColumn::from_column));
    let base = entity_name(&table.name);
    let by: Vec<&str> = match &*asked.equal {
        [] => clustering.iter().take(1).map(|column| &*column.name).collect(),
        equal => equal.iter().map(|(_, one)| &*one.name).collect(),
    };
    let name =
        cql::printer::identifier(&format!("{base}_by_{}", by.join("_and_").replace('"', "")));
    let orders = render_clustering_order(&clustering);
    Some(render_create_table(&name, &partition, &columns, keys) + &orders + ";")
}

/// What a query compares.
struct ComparedColumns<'t> {
    /// For equality: the column, and what the new table calls it.
    equal: Vec<(&'t Column, ProposedColumn)>,
    ranges: Vec<&'t Column>,
}

impl<'t> ComparedColumns<'t> {
    fn from_select(facts: &'t TableFacts, select: &Select) -> Option<Self> {
        let mut asked = Self { equal: Vec::new(), ranges: Vec::new() };
        for relation in &select.relations {
            match &relation.kind {
                RelationKind::In { column, .. } => asked.add_equal(facts, &column.text)?,
                RelationKind::Column(column, Operator::Eq, _) => {
                    asked.add_equal(facts, &column.text)?;
                }
                RelationKind::Column(column, Operator::Contains, _) => {
                    asked.add_element(facts, &column.text)?;
                }
                RelationKind::Column(
                    column,
                    Operator::Lt | Operator::Lte | Operator::Gt | Operator::Gte,
                    _,
                ) => {
                    let column = facts.table.column(&column.text)?;
                    if !asked.ranges.iter().any(|known| known.name == column.name) {
                        asked.ranges.push(column);
                    }
                }
                _ => return None,
            }
        }
        let nothing = asked.equal.is_empty() && asked.ranges.is_empty();
        // A second range cannot be answered by a key.
        (!nothing && asked.ranges.len() < 2 && !facts.table.is_counter()).then_some(asked)
    }

    fn add_equal(&mut self, facts: &'t TableFacts, name: &str) -> Option<()> {
        let column = facts.table.column(name)?;
        // Nobody asks for an instant by its whole value.
        let is_instant =
            matches!(native_type(&column.ty), Some(NativeType::Timestamp | NativeType::Time));
        if !can_be_key(&column.ty) || is_instant {
            return None;
        }
        self.equal.push((column, ProposedColumn::from_column(column)));
        Some(())
    }

    /// An element of a collection becomes a key of its own.
    fn add_element(&mut self, facts: &'t TableFacts, name: &str) -> Option<()> {
        let column = facts.table.column(name)?;
        let (Type::List(ty, _) | Type::Set(ty, _)) = &column.ty else { return None };
        let singular = to_singular(name);
        let name = if singular == name { format!("{name}_element") } else { singular };
        if !can_be_key(ty) || facts.table.column(&name).is_some() {
            return None;
        }
        self.equal.push((column, ProposedColumn { name, ty: ty.to_string() }));
        Some(())
    }

    fn contains(&self, column: &Column) -> bool {
        let same = |known: &Column| known.name == column.name;
        self.equal.iter().any(|(known, _)| same(known))
            || self.ranges.iter().any(|known| same(known))
    }
}

impl ProposedColumn {
    fn from_column(column: &Column) -> Self {
        Self { name: cql::printer::identifier(&column.name), ty: column.ty.to_string() }
    }
}

fn can_be_key(ty: &Type) -> bool {
    !ty.is_multi_cell() && !ty.is_counter() && !ty.has_duration()
}

/// What splits partitions that would be few or grow without end.
fn bucket_column(
    facts: &TableFacts,
    asked: &ComparedColumns<'_>,
    clustering: &[&Column],
) -> Option<ProposedColumn> {
    let spreads = |column: &Column| {
        is_near_unique(column)
            || column_cardinality(facts, column)
                .is_some_and(|known| known.values >= SPREADING_VALUES)
    };
    let span = |span: Bucket| {
        let ty = bucket::column_type(span).to_string();
        Some(ProposedColumn { name: span.column_name().to_owned(), ty })
    };
    if asked.equal.iter().any(|(column, _)| is_bucket(column)) {
        return None;
    }
    let time = clustering.iter().find(|column| is_time(column));
    match time {
        Some(column) if asked.contains(column) => span(Bucket::DAY),
        Some(_) => span(Bucket::MONTH),
        None if asked.equal.iter().any(|(column, _)| spreads(column)) => None,
        None => Some(ProposedColumn { name: "bucket".to_owned(), ty: "int".to_owned() }),
    }
}

fn is_selected(select: &Select, column: &Column) -> bool {
    let mut names = select.selectors.iter().map(|selector| &selector.expression.kind);
    select.selectors.is_empty()
        || names
            .any(|kind| matches!(kind, SelectableKind::Column(name) if name.text == column.name))
}

/// `columns` are the clustering columns, `keys` of them, and the others.
fn render_create_table(
    name: &str,
    partition: &[ProposedColumn],
    columns: &[ProposedColumn],
    keys: usize,
) -> String {
    let mut text = format!("CREATE TABLE {name} (");
    for column in partition.iter().chain(columns) {
        let _ = write!(text, "\n  {} {},", column.name, column.ty);
    }
    let list = |columns: &[ProposedColumn]| {
        columns.iter().map(|column| &*column.name).collect::<Vec<_>>().join(", ")
    };
    let _ = write!(text, "\n  PRIMARY KEY (({})", list(partition));
    if keys > 0 {
        let _ = write!(text, ", {}", list(&columns[..keys]));
    }
    text + ")\n)"
}

/// The order of the clustering columns, where one of them is kept in descending order now.
fn render_clustering_order(clustering: &[&Column]) -> String {
    if !clustering.iter().any(|column| column.descending) {
        return String::new();
    }
    let order = |column: &&Column| {
        let word = if column.descending { "DESC" } else { "ASC" };
        format!("{} {word}", cql::printer::identifier(&column.name))
    };
    let orders: Vec<String> = clustering.iter().map(order).collect();
    format!(" WITH CLUSTERING ORDER BY ({})", orders.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::tests::project;
    use crate::{Settings, Severity, check};

    /// What is proposed must itself be clean, and answer the query.
    fn propose(schema: &str, query: &str) -> String {
        let settings = Settings::default();
        let text = format!("{schema}\n{query}");
        let known = project(&text, &settings);
        let select = known.statements.last().and_then(|seen| known.select(seen)).unwrap();
        let proposal = query_table(&known.tables[0], select).unwrap();
        let again = project(&proposal, &settings);
        let bad: Vec<_> = check(&again)
            .into_iter()
            .filter(|finding| finding.severity >= Severity::Medium)
            .map(|finding| finding.message)
            .collect();
        assert!(bad.is_empty(), "{proposal}\n{bad:?}");
        assert_eq!(again.tables.len(), 1, "{proposal}");
        proposal
    }

    #[test]
    fn few_values_are_split_by_a_bucket() {
        let schema = "CREATE TABLE users (id uuid PRIMARY KEY, country text, name text);";
        let query = "SELECT id, name FROM users WHERE country = ? ALLOW FILTERING;";
        let wanted = "CREATE TABLE users_by_country (\n  country text,\n  bucket int,\n  id uuid,\n  name text,\n  \
                      PRIMARY KEY ((country, bucket), id)\n);";
        assert_eq!(propose(schema, query), wanted);
    }

    #[test]
    fn near_unique_values_are_keys_as_they_are() {
        let schema = "CREATE TABLE users (id uuid PRIMARY KEY, email text, name text);";
        let proposal = propose(schema, "SELECT * FROM users WHERE email = ? ALLOW FILTERING;");
        assert!(proposal.contains("PRIMARY KEY ((email), id)"), "{proposal}");
    }

    #[test]
    fn times_roll_over() {
        let schema = "CREATE TABLE events (device uuid, at timestamp, level text, tags set<text>,
            PRIMARY KEY ((device), at));";
        let range = "SELECT * FROM events WHERE level = ? AND at > ? ALLOW FILTERING;";
        assert!(propose(schema, range).contains("((level, day), at, device)"));
        let element = "SELECT device FROM events WHERE tags CONTAINS ? ALLOW FILTERING;";
        assert!(propose(schema, element).contains("((tag, month), at, device)"));
    }
}
