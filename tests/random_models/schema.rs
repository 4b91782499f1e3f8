//! Random tables.

use std::fmt::Write;

use crate::rng::Rng;

/// Types of columns that are no arrays.
const TYPES: [&str; 9] = [
    "int",
    "bigint",
    "text",
    "timestamp",
    "date",
    "boolean",
    "uuid",
    "double precision",
    "numeric",
];

/// A table.
pub(super) struct SqlTable {
    pub(super) name: String,
    pub(super) columns: Vec<SqlColumn>,
    /// The primary key, as positions among the columns.
    pub(super) key: Vec<usize>,
    pub(super) references: Vec<ForeignKey>,
}

/// A column.
#[derive(Clone)]
pub(super) struct SqlColumn {
    pub(super) name: String,
    pub(super) ty: &'static str,
    pub(super) not_null: bool,
}

impl SqlColumn {
    /// Whether the column may be declared UNIQUE.
    pub(super) fn can_be_unique(&self) -> bool {
        self.not_null && self.ty == "text"
    }
}

/// A foreign key: own columns, the table and its columns.
pub(super) struct ForeignKey {
    pub(super) own: Vec<usize>,
    pub(super) target: usize,
    pub(super) theirs: Vec<usize>,
}

/// One to four tables.
pub(super) fn tables(rng: &mut Rng) -> Vec<SqlTable> {
    let mut tables: Vec<SqlTable> = Vec::new();
    for number in 0..=rng.number_below(4) {
        let mut table = SqlTable {
            name: format!("t{number}"),
            columns: Vec::new(),
            key: Vec::new(),
            references: Vec::new(),
        };
        if number > 0 && rng.roll(25) {
            add_weak_key(rng, &tables, &mut table);
        } else {
            let ty = *rng.pick(&["uuid", "uuid", "int", "text"]);
            table.key.push(0);
            table.columns.push(SqlColumn { name: format!("id{number}"), ty, not_null: true });
        }
        for at in 0..2 + rng.number_below(5) {
            let ty = if rng.roll(10) { "text[]" } else { *rng.pick(&TYPES) };
            let name = format!("c{number}_{at}");
            table.columns.push(SqlColumn { name, ty, not_null: rng.roll(50) });
        }
        for at in 0..rng.number_below(3) {
            add_reference(rng, &tables, &mut table, &format!("r{number}_{at}"));
        }
        tables.push(table);
    }
    tables
}

/// The key of a weak entity: that of another, mostly with a column of its own.
fn add_weak_key(rng: &mut Rng, tables: &[SqlTable], table: &mut SqlTable) {
    let target = rng.number_below(tables.len());
    let theirs = tables[target].key.clone();
    for &at in &theirs {
        let name = format!("p_{}", tables[target].columns[at].name);
        table.key.push(table.columns.len());
        table.columns.push(SqlColumn { name, not_null: true, ..tables[target].columns[at] });
    }
    table.references.push(ForeignKey { own: table.key.clone(), target, theirs });
    if rng.roll(80) {
        let name = format!("seq_{}", table.name);
        let ty = *rng.pick(&["int", "timestamp", "uuid"]);
        table.key.push(table.columns.len());
        table.columns.push(SqlColumn { name, ty, not_null: true });
    }
}

/// A reference to an earlier table, or to the table itself.
fn add_reference(rng: &mut Rng, tables: &[SqlTable], table: &mut SqlTable, name: &str) {
    let target = rng.number_below(tables.len() + 1);
    let referred = tables.get(target).unwrap_or(table);
    let theirs = referred.key.clone();
    let types: Vec<_> = theirs.iter().map(|&at| referred.columns[at].ty).collect();
    let not_null = rng.roll(60);
    let mut own = Vec::new();
    for (at, ty) in types.into_iter().enumerate() {
        own.push(table.columns.len());
        table.columns.push(SqlColumn { name: format!("{name}_{at}"), ty, not_null });
    }
    table.references.push(ForeignKey { own, target, theirs });
}

/// Writes a CREATE TABLE with volumes.
pub(super) fn declare(rng: &mut Rng, tables: &[SqlTable], table: &SqlTable, text: &mut String) {
    let figures = [(70, "@rows 900k"), (40, "@grows 1M/day"), (20, "@retain 90d")];
    for (chance, figure) in figures {
        if rng.roll(chance) {
            let _ = writeln!(text, "-- {figure}");
        }
    }
    let _ = writeln!(text, "CREATE TABLE {} (", table.name);
    for (at, column) in table.columns.iter().enumerate() {
        let null = if column.not_null { " NOT NULL" } else { "" };
        // References that are unique would soon have no row left to refer to.
        let refers = table.references.iter().any(|reference| reference.own.contains(&at));
        let unique = column.can_be_unique() && !table.key.contains(&at) && !refers;
        let unique = if unique && rng.roll(25) { " UNIQUE" } else { "" };
        let remark = column_directive(rng, table, at);
        let _ = writeln!(text, "  {} {}{null}{unique},{remark}", column.name, column.ty);
    }
    for reference in &table.references {
        let target = &tables[reference.target];
        let each =
            *rng.pick(&["", "", " -- @each 5 p99 500 max 90k", " -- @each 5/day p99 500/day"]);
        let (own, theirs) = (names(table, &reference.own), names(target, &reference.theirs));
        let _ =
            writeln!(text, "  FOREIGN KEY ({own}) REFERENCES {} ({theirs}),{each}", target.name);
    }
    let _ = writeln!(text, "  PRIMARY KEY ({})\n);", names(table, &table.key));
}

/// A directive that a column may have.
fn column_directive(rng: &mut Rng, table: &SqlTable, at: usize) -> &'static str {
    let refers = table.references.iter().any(|reference| reference.own.contains(&at));
    match table.columns[at].ty {
        "uuid" if !refers && rng.roll(20) => " -- @time",
        "text[]" if rng.roll(50) => " -- @set",
        "text" if rng.roll(20) => " -- @distinct 50",
        "int" | "bigint" | "numeric" | "double precision" if rng.roll(20) => " -- @exact",
        _ => "",
    }
}

/// The names of columns, between commas.
fn names(table: &SqlTable, columns: &[usize]) -> String {
    let names: Vec<_> = columns.iter().map(|&at| table.columns[at].name.as_str()).collect();
    names.join(", ")
}

/// A parameter, or a constant.
pub(super) fn value(rng: &mut Rng, ty: &str) -> &'static str {
    if rng.roll(80) { "?" } else { constant(ty) }
}

/// A constant of a type.
pub(super) fn constant(ty: &str) -> &'static str {
    match ty {
        "int" | "bigint" | "numeric" => "7",
        "double precision" => "1.5",
        "text" => "'abc'",
        "timestamp" => "'2024-01-01 00:00:00+0000'",
        "date" => "'2024-01-01'",
        "boolean" => "true",
        "uuid" => "?",
        _ => "ARRAY['x']",
    }
}
