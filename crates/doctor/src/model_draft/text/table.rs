//! CREATE TABLE and CREATE TYPE.

use std::fmt::Write;

use cql::types::{NativeType, Type};
use model::figures::{format_count, format_rate};
use model::sql::Cardinality;
use schema::catalog::Column;

use super::super::entity::Entity;
use super::super::open_point::OpenPoint;
use super::super::sql_type::{self, collect_user_types, column_type};
use super::super::statement::{DraftStatement, StatementAction, StatementList};
use super::super::volume::EntityVolume;
use super::{FileContent, write_point};
use model::sql_name::{list, quote};

/// Seconds of the units of time that buckets have.
const UNITS: [(f64, &str); 3] = [(60.0, "/min"), (3_600.0, "/h"), (86_400.0, "/day")];

impl FileContent<'_, '_> {
    /// The composite types that columns have.
    pub(super) fn write_types(&self) -> String {
        let mut used = Vec::new();
        for column in self.entities.iter().flat_map(|entity| &entity.columns) {
            collect_user_types(&column.ty, &mut used);
        }
        let mut text = String::new();
        if self.has_map() {
            text.push_str("\nCREATE EXTENSION IF NOT EXISTS hstore;\n");
        }
        for user in used {
            let fields = user
                .fields
                .iter()
                .map(|(name, ty)| format!("  {} {}", quote(name), sql_type::field_type(ty).text));
            let fields: Vec<String> = fields.collect();
            let _ = writeln!(
                text,
                "\nCREATE TYPE {} AS (\n{}\n);",
                quote(&user.name),
                fields.join(",\n")
            );
        }
        text
    }

    fn has_map(&self) -> bool {
        let columns = self.entities.iter().flat_map(|entity| &entity.columns);
        let mut waiting: Vec<&Type> = columns.map(|column| &column.ty).collect();
        while let Some(ty) = waiting.pop() {
            if matches!(ty, Type::Map(..)) {
                return true;
            }
            waiting.extend(ty.parts());
        }
        false
    }

    /// A table with its volumes and remarks.
    pub(super) fn write_table(&self, at: usize, statements: &StatementList) -> String {
        let (entity, volume) = (&self.entities[at], &self.volumes[at]);
        let mut text = String::from("\n");
        let tables: Vec<&str> = entity.members.iter().map(|member| &*member.table.name).collect();
        let _ = writeln!(text, "-- From {}.", super::comment_text(&tables.join(", ")));
        let is_of_column = |point: &&OpenPoint| column_of(point).is_some();
        for point in entity.points.iter().filter(|point| !is_of_column(point)) {
            write_point(&mut text, "", point);
        }
        let directives = table_directives(entity, volume, statements);
        if !directives.is_empty() {
            let _ = writeln!(text, "-- {}", directives.join("  "));
        }
        let _ = writeln!(text, "CREATE TABLE {} (", quote(&entity.name));
        for column in &entity.columns {
            for point in
                entity.points.iter().filter(|point| column_of(point) == Some(&*column.name))
            {
                write_point(&mut text, "  ", point);
            }
            let ty = column_type(&column.ty, column.is_primary_key());
            if ty.is_substitute {
                let (name, cql) = (column.name.to_string(), column.ty.to_string());
                write_point(&mut text, "  ", &OpenPoint::TypeSubstituted { column: name, ty: cql });
            }
            let _ = writeln!(text, "{}", self.column_line(at, column));
        }
        let _ = writeln!(text, "  PRIMARY KEY ({})\n);", list(&entity.key));
        text
    }

    /// The line of a column.
    fn column_line(&self, at: usize, column: &Column) -> String {
        let (entity, volume) = (&self.entities[at], &self.volumes[at]);
        let ty = column_type(&column.ty, entity.key.contains(&&*column.name));
        let mut line = format!("  {} {}", quote(&column.name), ty.text);
        if entity.unique.contains(&&*column.name) {
            line.push_str(" NOT NULL UNIQUE");
        }
        let mut directives: Vec<String> = ty.directive.map(str::to_owned).into_iter().collect();
        let reference =
            self.references.iter().find(|it| it.entity == at && *it.column == *column.name);
        if let Some(reference) = reference {
            let target = &self.entities[reference.target].name;
            let _ = write!(line, " REFERENCES {}", quote(target));
        }
        let is_partition = is_partition(entity, column);
        match (is_partition, reference) {
            (true, Some(_)) => directives.extend(each_directive(entity, volume)),
            (true, None) => directives.extend(distinct_directive(entity, volume)),
            _ => {}
        }
        if let Some(bytes) = volume.value_bytes.filter(|_| has_open_length(entity, column)) {
            directives.push(format!("@bytes {}", format_whole(bytes)));
        }
        line.push(',');
        if !directives.is_empty() {
            let _ = write!(line, " -- {}", directives.join("  "));
        }
        line
    }
}

/// The column that a remark is about.
fn column_of(point: &OpenPoint) -> Option<&str> {
    match point {
        OpenPoint::ReferenceByName { column, .. }
        | OpenPoint::ReferenceOmitted { column, .. }
        | OpenPoint::UniqueByCopy { column, .. }
        | OpenPoint::ColumnOfCopy { column, .. }
        | OpenPoint::BucketKept { column }
        | OpenPoint::StaticColumn { column, .. } => Some(column),
        _ => None,
    }
}

/// Whether a column is the whole partition key of the base table, without buckets.
fn is_partition(entity: &Entity<'_>, column: &Column) -> bool {
    let base = entity.base();
    let partition = base.table.partition_key().iter();
    let mut own = partition.filter(|it| base.bucket(&it.name).is_none());
    own.next().is_some_and(|only| only.name == column.name) && own.next().is_none()
}

/// Whether the values of a column have no fixed length, and are the row's own.
fn has_open_length(entity: &Entity<'_>, column: &Column) -> bool {
    let own = entity.base().table.column(&column.name);
    own.is_some_and(|own| {
        own.kind == schema::catalog::ColumnKind::Regular
            && matches!(
                own.ty,
                Type::Native(NativeType::Text | NativeType::Ascii | NativeType::Blob)
            )
    })
}

fn table_directives(
    entity: &Entity<'_>,
    volume: &EntityVolume,
    statements: &StatementList,
) -> Vec<String> {
    let mut directives = Vec::new();
    if let Some(rows) = volume.rows {
        directives.push(format!("@rows {}", format_count(rows)));
    }
    if let Some(grows) = volume.grows.filter(|rate| *rate > 0.0 && is_growing(entity, statements)) {
        directives.push(format!("@grows {}", format_rate(grows)));
    }
    if let Some(seconds) = volume.retain {
        directives.push(format!("@retain {seconds}s"));
    }
    directives
}

/// Whether each write is a new row, and the rates of the INSERTs do not tell how many there are.
fn is_growing(entity: &Entity<'_>, statements: &StatementList) -> bool {
    let own = || statements.statements.iter().filter(|statement| statement.table == entity.name);
    let mut writes = own().filter(|statement| statement.cardinality == Cardinality::Exec);
    let is_uncounted_insert = |statement: &DraftStatement| {
        statement.action == StatementAction::Insert
            && !matches!(statement.rate.point, OpenPoint::RateSeen { .. })
    };
    let has_writes = own().any(|statement| statement.cardinality == Cardinality::Exec);
    has_writes && writes.all(is_uncounted_insert)
}

/// The rows of a partition, for a column that refers to another table.
fn each_directive(entity: &Entity<'_>, volume: &EntityVolume) -> Option<String> {
    if entity.base().table.clustering().is_empty() {
        return None;
    }
    let rows = volume.partition_rows;
    let [p50, p99, max] = rows.percentiles;
    let mean = rows.mean.or(p50)?;
    let unit = bucket_unit(entity)?;
    let mut text = format!("@each {}{unit}", format_count(mean));
    let p99 = p99.filter(|p99| *p99 >= mean);
    if let Some(p99) = p99 {
        text = format!("{text} p99 {}{unit}", format_count(p99));
        if let Some(max) = max.filter(|max| *max >= p99) {
            text = format!("{text} max {}{unit}", format_count(max));
        }
    }
    Some(text)
}

/// The unit of time of the bucket: empty without one, `None` if it is not known.
fn bucket_unit(entity: &Entity<'_>) -> Option<String> {
    match entity.base().buckets.as_slice() {
        [] => Some(String::new()),
        [bucket] => {
            let seconds = bucket.seconds?;
            let known = UNITS.iter().find(|(unit, _)| (unit - seconds).abs() < 1.0);
            let days = || format!("/{:.0}d", seconds / 86_400.0);
            Some(known.map_or_else(days, |(_, name)| (*name).to_owned()))
        }
        _ => None,
    }
}

/// The distinct values of a partition key that refers to nothing.
fn distinct_directive(entity: &Entity<'_>, volume: &EntityVolume) -> Option<String> {
    let base = entity.base();
    let is_counted = base.buckets.is_empty() && !base.table.clustering().is_empty();
    volume
        .partitions
        .filter(|_| is_counted)
        .map(|count| format!("@distinct {}", format_count(count)))
}

fn format_whole(number: f64) -> String {
    format!("{:.0}", number.max(1.0))
}
