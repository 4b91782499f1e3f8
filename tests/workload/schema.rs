//! Random schemas: tables with their indexes and views.

use super::value::ColumnType;
use crate::rng::Rng;

/// What a table is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableUse {
    /// Writes with timestamps and TTLs.
    Plain,
    /// Counters.
    Counters,
    /// Conditional writes, which take their timestamps from the server.
    Conditions,
}

/// A column.
#[derive(Clone, Debug)]
pub(super) struct WorkloadColumn {
    pub(super) name: String,
    pub(super) ty: ColumnType,
    /// The values it takes; of a key, fewer than the type has.
    pub(super) values: Vec<&'static str>,
}

/// A table.
#[derive(Clone, Debug)]
pub(super) struct WorkloadTable {
    pub(super) name: String,
    pub(super) used_for: TableUse,
    pub(super) partition: Vec<WorkloadColumn>,
    pub(super) clustering: Vec<WorkloadColumn>,
    pub(super) descending: Vec<bool>,
    pub(super) statics: Vec<WorkloadColumn>,
    pub(super) regulars: Vec<WorkloadColumn>,
    /// Views of it: their names, and the columns they show beside the base's key.
    pub(super) views: Vec<(String, Vec<usize>)>,
    /// The statements that make it.
    pub(super) created_by: Vec<String>,
}

impl WorkloadTable {
    /// The columns outside the key.
    pub(super) fn others(&self) -> impl Iterator<Item = &WorkloadColumn> {
        self.statics.iter().chain(&self.regulars)
    }

    /// The columns of the key.
    pub(super) fn key(&self) -> impl Iterator<Item = &WorkloadColumn> {
        self.partition.iter().chain(&self.clustering)
    }
}

/// What every keyspace starts with.
pub(super) const CREATE_TYPE: &str = "CREATE TYPE pair (a int, b text)";

/// The tables of a schema.
pub(super) fn tables(rng: &mut Rng) -> Vec<WorkloadTable> {
    let uses = [
        TableUse::Plain,
        TableUse::Plain,
        TableUse::Plain,
        TableUse::Counters,
        TableUse::Conditions,
    ];
    uses.iter().enumerate().map(|(at, used_for)| table(at, *used_for, rng)).collect()
}

fn key_column(name: String, most: usize, rng: &mut Rng) -> WorkloadColumn {
    let scalar = ColumnType::for_key(rng);
    let mut values = scalar.values.to_vec();
    rng.shuffle(&mut values);
    values.truncate(most);
    WorkloadColumn { name, ty: ColumnType::Scalar(scalar), values }
}

fn column(name: String, used_for: TableUse, rng: &mut Rng) -> WorkloadColumn {
    let ty = if used_for == TableUse::Counters {
        ColumnType::Counter
    } else {
        ColumnType::for_column(rng)
    };
    WorkloadColumn { name, ty, values: Vec::new() }
}

fn table(number: usize, used_for: TableUse, rng: &mut Rng) -> WorkloadTable {
    let partition_count = 1 + usize::from(rng.roll(30));
    let clustering_count = *rng.pick(&[0, 1, 1, 2, 2, 3]);
    let statics = if clustering_count > 0 && rng.roll(60) { 1 + rng.number_below(2) } else { 0 };
    let mut table = WorkloadTable {
        name: format!("t{number}"),
        used_for,
        partition: (0..partition_count).map(|at| key_column(format!("p{at}"), 2, rng)).collect(),
        clustering: (0..clustering_count).map(|at| key_column(format!("c{at}"), 4, rng)).collect(),
        descending: (0..clustering_count).map(|_| rng.roll(40)).collect(),
        statics: (0..statics).map(|at| column(format!("s{at}"), used_for, rng)).collect(),
        regulars: (0..=rng.number_below(4))
            .map(|at| column(format!("r{at}"), used_for, rng))
            .collect(),
        views: Vec::new(),
        created_by: Vec::new(),
    };
    table.created_by.push(create(&table));
    if used_for != TableUse::Counters {
        for at in 0..rng.number_below(4) {
            let create = index(&table, at, rng);
            table.created_by.extend(create);
        }
    }
    if used_for == TableUse::Plain && rng.roll(50) {
        view(&mut table, rng);
    }
    table
}

fn names<'a>(columns: impl IntoIterator<Item = &'a WorkloadColumn>) -> String {
    columns.into_iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn create(table: &WorkloadTable) -> String {
    let define = |column: &WorkloadColumn| format!("{} {}", column.name, column.ty.name());
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
fn index(table: &WorkloadTable, at: usize, rng: &mut Rng) -> Option<String> {
    let columns: Vec<_> = if rng.roll(80) {
        table.others().collect()
    } else {
        table.clustering.iter().chain(&table.partition).collect()
    };
    let column = columns.get(rng.number_below(columns.len()))?;
    let name = &column.name;
    let is_vector =
        matches!(column.ty, ColumnType::Scalar(scalar) if scalar.name.starts_with("vector"));
    if is_vector && table.clustering.iter().any(|one| one.name == *name) {
        // The server takes it, and then fails on every write.
        return None;
    }
    let target = match column.ty {
        ColumnType::Map(..) => {
            let of = *rng.pick(&["keys", "values", "entries"]);
            format!("{of}({name})")
        }
        ColumnType::Scalar(scalar) if scalar.name.starts_with("frozen<list") && rng.roll(70) => {
            format!("full({name})")
        }
        _ => name.clone(),
    };
    let using = if rng.roll(45) { " USING 'sai'" } else { "" };
    Some(format!("CREATE INDEX {}_i{at} ON {} ({target}){using}", table.name, table.name))
}

/// A view with a regular column in its key, or with the key in another order.
fn view(table: &mut WorkloadTable, rng: &mut Rng) {
    let candidates: Vec<_> = table
        .regulars
        .iter()
        .filter(|column| matches!(column.ty, ColumnType::Scalar(scalar) if scalar.in_key))
        .collect();
    let mut key: Vec<_> = table.key().collect();
    rng.shuffle(&mut key);
    if !candidates.is_empty() && rng.roll(70) {
        let at = rng.number_below(2).min(key.len());
        key.insert(at, candidates[rng.number_below(candidates.len())]);
    }
    let in_key = |column: &WorkloadColumn| key.iter().any(|one| one.name == column.name);
    let shown: Vec<_> = (0..table.regulars.len())
        .filter(|at| !in_key(&table.regulars[*at]))
        .filter(|_| rng.roll(75))
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
