//! Random schemas: tables with their indexes and views.

use super::value::Type;
use crate::random::Rng;

/// What a table is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Writes with timestamps and TTLs.
    Plain,
    /// Counters.
    Counters,
    /// Conditional writes, which take their timestamps from the server.
    Conditions,
}

/// A column.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) ty: Type,
    /// The values it takes; of a key, fewer than the type has.
    pub(super) values: Vec<&'static str>,
}

/// A table.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) used_for: Use,
    pub(super) partition: Vec<Column>,
    pub(super) clustering: Vec<Column>,
    pub(super) descending: Vec<bool>,
    pub(super) statics: Vec<Column>,
    pub(super) regulars: Vec<Column>,
    /// Views of it: their names, and the columns they show beside the base's key.
    pub(super) views: Vec<(String, Vec<usize>)>,
    /// The statements that make it.
    pub(super) created_by: Vec<String>,
}

impl Table {
    /// The columns outside the key.
    pub(super) fn others(&self) -> impl Iterator<Item = &Column> {
        self.statics.iter().chain(&self.regulars)
    }

    /// The columns of the key.
    pub(super) fn key(&self) -> impl Iterator<Item = &Column> {
        self.partition.iter().chain(&self.clustering)
    }
}

/// What every keyspace starts with.
pub(super) const TYPE: &str = "CREATE TYPE pair (a int, b text)";

/// The tables of a schema.
pub(super) fn tables(rng: &mut Rng) -> Vec<Table> {
    let uses = [Use::Plain, Use::Plain, Use::Plain, Use::Counters, Use::Conditions];
    uses.iter().enumerate().map(|(at, used_for)| table(at, *used_for, rng)).collect()
}

fn key_column(name: String, most: usize, rng: &mut Rng) -> Column {
    let scalar = Type::for_key(rng);
    let mut values = scalar.values.to_vec();
    rng.shuffle(&mut values);
    values.truncate(most);
    Column { name, ty: Type::Scalar(scalar), values }
}

fn column(name: String, used_for: Use, rng: &mut Rng) -> Column {
    let ty = if used_for == Use::Counters { Type::Counter } else { Type::for_column(rng) };
    Column { name, ty, values: Vec::new() }
}

fn table(number: usize, used_for: Use, rng: &mut Rng) -> Table {
    let partition_count = 1 + usize::from(rng.chance(30));
    let clustering_count = *rng.pick(&[0, 1, 1, 2, 2, 3]);
    let statics = if clustering_count > 0 && rng.chance(60) { 1 + rng.below(2) } else { 0 };
    let mut table = Table {
        name: format!("t{number}"),
        used_for,
        partition: (0..partition_count).map(|at| key_column(format!("p{at}"), 2, rng)).collect(),
        clustering: (0..clustering_count).map(|at| key_column(format!("c{at}"), 4, rng)).collect(),
        descending: (0..clustering_count).map(|_| rng.chance(40)).collect(),
        statics: (0..statics).map(|at| column(format!("s{at}"), used_for, rng)).collect(),
        regulars: (0..=rng.below(4)).map(|at| column(format!("r{at}"), used_for, rng)).collect(),
        views: Vec::new(),
        created_by: Vec::new(),
    };
    table.created_by.push(create(&table));
    if used_for != Use::Counters {
        for at in 0..rng.below(4) {
            let create = index(&table, at, rng);
            table.created_by.extend(create);
        }
    }
    if used_for == Use::Plain && rng.chance(50) {
        view(&mut table, rng);
    }
    table
}

fn names<'a>(columns: impl IntoIterator<Item = &'a Column>) -> String {
    columns.into_iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn create(table: &Table) -> String {
    let define = |column: &Column| format!("{} {}", column.name, column.ty.name());
    let mut parts: Vec<_> = table.key().map(define).collect();
    parts.extend(table.statics.iter().map(|column| define(column) + " static"));
    parts.extend(table.regulars.iter().map(define));
    let clustering: Vec<_> =
        table.clustering.iter().map(|column| format!(", {}", column.name)).collect();
    let key = format!("PRIMARY KEY (({}){})", names(&table.partition), clustering.concat());
    let order: Vec<_> = table
        .clustering
        .iter()
        .zip(&table.descending)
        .map(|(column, down)| format!("{} {}", column.name, if *down { "DESC" } else { "ASC" }))
        .collect();
    let options = if order.is_empty() {
        String::new()
    } else {
        format!(" WITH CLUSTERING ORDER BY ({})", order.join(", "))
    };
    format!("CREATE TABLE {} ({}, {key}){options}", table.name, parts.join(", "))
}

/// An index on a random column; the server may refuse it.
fn index(table: &Table, at: usize, rng: &mut Rng) -> Option<String> {
    let columns: Vec<_> = if rng.chance(80) {
        table.others().collect()
    } else {
        table.clustering.iter().chain(&table.partition).collect()
    };
    let column = columns.get(rng.below(columns.len()))?;
    let name = &column.name;
    let is_vector = matches!(column.ty, Type::Scalar(scalar) if scalar.name.starts_with("vector"));
    if is_vector && table.clustering.iter().any(|one| one.name == *name) {
        // The server takes it, and then fails on every write.
        return None;
    }
    let target = match column.ty {
        Type::Map(..) => {
            let of = *rng.pick(&["keys", "values", "entries"]);
            format!("{of}({name})")
        }
        Type::Scalar(scalar) if scalar.name.starts_with("frozen<list") && rng.chance(70) => {
            format!("full({name})")
        }
        _ => name.clone(),
    };
    let using = if rng.chance(45) { " USING 'sai'" } else { "" };
    Some(format!("CREATE INDEX {}_i{at} ON {} ({target}){using}", table.name, table.name))
}

/// A view with a regular column in its key, or with the key in another order.
fn view(table: &mut Table, rng: &mut Rng) {
    let candidates: Vec<_> = table
        .regulars
        .iter()
        .filter(|column| matches!(column.ty, Type::Scalar(scalar) if scalar.in_key))
        .collect();
    let mut key: Vec<_> = table.key().collect();
    rng.shuffle(&mut key);
    if !candidates.is_empty() && rng.chance(70) {
        let at = rng.below(2).min(key.len());
        key.insert(at, candidates[rng.below(candidates.len())]);
    }
    let in_key = |column: &Column| key.iter().any(|one| one.name == column.name);
    let shown: Vec<_> = (0..table.regulars.len())
        .filter(|at| !in_key(&table.regulars[*at]))
        .filter(|_| rng.chance(75))
        .collect();
    let selected: Vec<_> =
        key.iter().copied().chain(shown.iter().map(|at| &table.regulars[*at])).collect();
    let wanted: Vec<_> = key.iter().map(|column| format!("{} IS NOT NULL", column.name)).collect();
    let name = format!("{}_v", table.name);
    let create = format!(
        "CREATE MATERIALIZED VIEW {name} AS SELECT {} FROM {} WHERE {} PRIMARY KEY ({})",
        names(selected),
        table.name,
        wanted.join(" AND "),
        names(key)
    );
    table.created_by.push(create);
    table.views.push((name, shown));
}
