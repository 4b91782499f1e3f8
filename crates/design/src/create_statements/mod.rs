//! The CREATE statements of a design, and its volumes as comments on them.

mod volumes;

pub use volumes::{VolumeDirectives, volume_directives};

use cql::printer::identifier;
use model::concept::Concept;
use model::id::{IdList, TableId};
use model::plan::{ColumnRole, Design, Direction, PlannedIndex, PlannedOptions, PlannedTable};

/// The statement that creates the keyspace.
pub fn keyspace(concept: &Concept) -> String {
    let copies: Vec<_> = concept
        .replication
        .iter()
        .map(|(datacenter, copies)| format!("{}: {copies}", text_literal(datacenter)))
        .collect();
    format!(
        "CREATE KEYSPACE {}\n  WITH replication = {{'class': 'NetworkTopologyStrategy', {}}}",
        identifier(&concept.keyspace),
        copies.join(", ")
    )
}

/// The statements that create the types that the tables use, those that others hold first.
pub fn types(concept: &Concept, design: &Design) -> Vec<String> {
    let used = |name: &str| {
        design
            .tables
            .iter()
            .flat_map(|table| &table.columns)
            .any(|column| contains_type(&column.ty, name))
    };
    concept
        .types
        .iter()
        .filter(|user| {
            used(&user.name)
                || concept.types.iter().any(|holder| {
                    used(&holder.name)
                        && holder.fields.iter().any(|(_, ty)| contains_type(ty, &user.name))
                })
        })
        .map(|user| {
            let fields: Vec<_> = user
                .fields
                .iter()
                .map(|(name, ty)| format!("    {} {ty}", identifier(name)))
                .collect();
            format!("CREATE TYPE {} (\n{}\n)", identifier(&user.name), fields.join(",\n"))
        })
        .collect()
}

/// Whether a type is, or holds, the user type of that name.
fn contains_type(ty: &cql::types::Type, name: &str) -> bool {
    matches!(ty, cql::types::Type::User(user, _) if &*user.name == name)
        || ty.parts().into_iter().any(|part| contains_type(part, name))
}

/// The statement that creates a table, with remarks as comments at the ends of the columns' lines.
pub fn table(table: &PlannedTable, remarks: &[String]) -> String {
    let remarks = remarks.iter().map(String::as_str).chain(std::iter::repeat(""));
    let columns = table.columns.iter().zip(remarks).map(|(column, remark)| {
        let mark = if column.role == ColumnRole::Static { " static" } else { "" };
        let comment = if remark.is_empty() { "" } else { " -- " };
        format!("    {} {}{mark},{comment}{remark}\n", identifier(&column.name), column.ty)
    });
    format!(
        "CREATE TABLE {} (\n{}    PRIMARY KEY {}\n){}",
        identifier(&table.name),
        columns.collect::<String>(),
        primary_key(table),
        options(table)
    )
}

/// The statements that create the indexes of a table.
pub fn indexes(table: &PlannedTable) -> Vec<String> {
    let create = |index: &PlannedIndex| {
        let way = if index.attached { " USING 'sai'" } else { "" };
        format!(
            "CREATE INDEX {} ON {} ({}){way}",
            identifier(&index.name),
            identifier(&table.name),
            identifier(&index.column)
        )
    };
    table.indexes.iter().map(create).collect()
}

/// The statement that creates a view of another table.
pub fn view(view: &PlannedTable, base: &PlannedTable) -> String {
    let names: Vec<_> = view.columns.iter().map(|column| identifier(&column.name)).collect();
    let keys = view.columns.iter().filter(|column| column.is_key());
    let set: Vec<_> = keys.map(|key| format!("{} IS NOT NULL", identifier(&key.name))).collect();
    format!(
        "CREATE MATERIALIZED VIEW {} AS\n  SELECT {} FROM {}\n  WHERE {}\n  PRIMARY KEY {}{}",
        identifier(&view.name),
        names.join(", "),
        identifier(&base.name),
        set.join(" AND "),
        primary_key(view),
        options(view)
    )
}

/// The tables of a design in the order in which they are created, each with its statements: views
/// after all others. `remarks` are what comments say of the columns of a table.
pub fn creations(
    design: &Design,
    remarks: impl Fn(&PlannedTable) -> Vec<String>,
) -> Vec<(TableId, Vec<String>)> {
    let (views, tables): (Vec<_>, Vec<_>) =
        design.tables.enumerate_ids().partition(|(_, table)| table.view_of.is_some());
    let statements = |planned: &PlannedTable| {
        let base = planned.view_of.and_then(|base| design.tables.member(base));
        let create =
            base.map_or_else(|| table(planned, &remarks(planned)), |base| view(planned, base));
        std::iter::once(create).chain(indexes(planned)).collect()
    };
    let all = tables.into_iter().chain(views);
    all.map(|(at, planned)| (at, statements(planned))).collect()
}

/// The statements that create all tables of a design with their indexes.
pub fn tables(design: &Design) -> Vec<String> {
    creations(design, |_| Vec::new()).into_iter().flat_map(|(_, statements)| statements).collect()
}

/// The primary key, as a CREATE TABLE has it.
pub fn primary_key(table: &PlannedTable) -> String {
    let partition: Vec<_> = table.partition_key().map(|column| identifier(&column.name)).collect();
    let clustering: Vec<_> = table.clustering().map(|column| identifier(&column.name)).collect();
    let mut key = format!("(({})", partition.join(", "));
    for column in clustering {
        key.push_str(", ");
        key.push_str(&column);
    }
    key.push(')');
    key
}

/// The WITH clause; empty when all options have the server's defaults.
fn options(table: &PlannedTable) -> String {
    let mut options = Vec::new();
    if table.clustering().any(|column| column.role == ColumnRole::Clustering(Direction::Descending))
    {
        let order: Vec<_> = table
            .clustering()
            .map(|column| format!("{} {}", identifier(&column.name), direction(column.role)))
            .collect();
        options.push(format!("CLUSTERING ORDER BY ({})", order.join(", ")));
    }
    options.extend(plain_options(&table.options));
    if options.is_empty() {
        return String::new();
    }
    format!("\n  WITH {}", options.join("\n   AND "))
}

fn direction(role: ColumnRole) -> &'static str {
    match role {
        ColumnRole::Clustering(Direction::Descending) => "DESC",
        _ => "ASC",
    }
}

/// The options that are set, in the order of their names.
fn plain_options(options: &PlannedOptions) -> Vec<String> {
    let mut set = Vec::new();
    let mut map = |name: &str, value: &Option<String>| {
        if let Some(value) = value {
            set.push(format!("{name} = {value}"));
        }
    };
    map("caching", &options.caching);
    let comment = (!options.comment.is_empty()).then(|| text_literal(&options.comment));
    map("comment", &comment);
    map("compaction", &options.compaction);
    map("compression", &options.compression);
    map("default_time_to_live", &options.default_time_to_live.map(|seconds| seconds.to_string()));
    map("gc_grace_seconds", &options.gc_grace_seconds.map(|seconds| seconds.to_string()));
    set
}

/// A text as CQL writes it.
pub(crate) fn text_literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
