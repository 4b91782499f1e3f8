//! TY001: values of other types stored as text.

use cql::types::NativeType;
use schema::catalog::{Column, ColumnKind, Table};

use crate::vocabulary::matcher::matches_any;
use crate::vocabulary::types::native_type;
use crate::{
    Check, Confidence, Project, ReplayedStatement, Reporter, RuleEntry, Severity, TableFacts,
};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ty001_stringly_typed.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if facts.view.is_some() {
        return;
    }
    for column in table.columns() {
        let Some((holds, types)) = guess_type(table, column) else { continue };
        let name = &column.name;
        // Addresses and identifiers are not read in order.
        let has_order = matches!(types, "timestamp" | "date" | "int or bigint" | "decimal");
        let is_ordered = has_order && column.kind == ColumnKind::Clustering;
        let is_moment = matches!(types, "timestamp" | "date");
        let (severity, confidence) = match is_ordered {
            true if is_ranged(project, facts, column) => (Severity::Medium, Confidence::High),
            true => (Severity::Medium, Confidence::Low),
            // What is called a time, a date or an IP address is one.
            false if is_moment || types == "inet" => (Severity::Low, Confidence::Medium),
            false => (Severity::Low, Confidence::Low),
        };
        let finding = reporter.report(
            project.type_location(facts, name),
            format!("`{name}` stores {holds} as text."),
        );
        finding
            .with_column(table, column)
            .severity(severity)
            .confidence(confidence)
            .help(format!("declare it as {types}"));
        if is_ordered {
            finding.note("rows are sorted alphabetically");
        }
    }
}

/// Names of times.
const TIMES: &[&str] = &[
    "*_at",
    "*_time",
    "timestamp",
    "*_timestamp",
    "*_on",
    "datetime",
    "*_datetime",
    "date_time",
    "time_start",
    "time_end",
    "ts",
    "*_ts",
    "created",
    "updated",
    "modified",
    "last_seen",
    "last_login",
    "last_updated",
    "*_until",
    "check_in",
    "check_out",
];

/// Names of dates.
const DATES: &[&str] = &["date", "*_date", "date_*", "birthdate", "birthday", "dob"];

/// What is said of a date.
const NO_DATES: &[&str] =
    &["date_format*", "date_range*", "date_label*", "date_type*", "date_key", "date_id"];

/// Verbs before `on` that make it a time; others are no times (`depends_on`).
const DONE: &[&str] = &["created*", "updated*", "modified*", "added*", "deleted*", "expires*"];

/// Names of coordinates.
const COORDINATES: &[&str] = &["latitude", "longitude", "*_latitude", "*_longitude"];

/// Names of addresses of hosts.
const ADDRESSES: &[&str] = &[
    "ip",
    "*_ip",
    "ip_address",
    "*_ip_address",
    "*ipaddress",
    "ip_addr",
    "*_ip_addr",
    "*ipaddr",
    "ipv4",
    "ipv6",
    "*_ipv4",
    "*_ipv6",
    "remote_addr",
    "client_addr",
];

/// What is sorted by its value, and by its letters if it is a text.
const NUMBERS: &[&str] = &["price", "*_price", "amount", "*_amount", "quantity", "score", "age"];

/// The kind of value in a text column, inferred from its name, and the type for it.
fn guess_type(table: &Table, column: &Column) -> Option<(&'static str, &'static str)> {
    let name = &column.name;
    if !matches!(native_type(&column.ty), Some(NativeType::Text | NativeType::Ascii)) {
        return None;
    }
    let is_time =
        matches_any(name, TIMES) && (!matches_any(name, &["*_on"]) || matches_any(name, DONE));
    // In a partition key a text may be the name of a span: 2026-01.
    let is_bucket = column.kind == ColumnKind::Partition;
    if is_time && !is_bucket || is_period_end(table, column) {
        Some(("a time", "timestamp"))
    } else if matches_any(name, DATES) && !matches_any(name, NO_DATES) && !is_bucket {
        Some(("a date", "date"))
    } else if matches_any(name, &["is_*", "has_*"]) {
        Some(("a boolean", "boolean"))
    } else if matches_any(name, &["*_count", "num_*"]) {
        Some(("a number", "int or bigint"))
    } else if column.kind == ColumnKind::Clustering && matches_any(name, NUMBERS) {
        Some(("a number", "decimal"))
    } else if matches_any(name, COORDINATES) {
        Some(("a coordinate", "double"))
    } else if matches_any(name, ADDRESSES) {
        Some(("an IP address", "inet"))
    } else {
        is_odd_id(table, column).then_some(("an identifier", "uuid, like the others"))
    }
}

/// Whether a column is the begin or the end of a period: the other one is there as well, and both are texts.
fn is_period_end(table: &Table, column: &Column) -> bool {
    let name = column.name.as_ref();
    let [start, end] = ["start", "end"].map(|end| name.strip_suffix(end));
    let other = match (start, end) {
        (Some(stem), _) => format!("{stem}end"),
        (_, Some(stem)) => format!("{stem}start"),
        _ => return false,
    };
    name.len() > 5 && table.column(&other).is_some_and(|other| other.ty == column.ty)
}

/// Whether a column is the only identifier of its table that is no uuid, among several.
fn is_odd_id(table: &Table, column: &Column) -> bool {
    let is_id = |column: &&Column| matches_any(&column.name, &["*_id", "*_uuid"]);
    let is_uuid = |column: &&Column| {
        matches!(native_type(&column.ty), Some(NativeType::Uuid | NativeType::Timeuuid))
    };
    let ids = || table.columns().iter().filter(is_id);
    is_id(&column) && ids().count() >= 3 && ids().filter(is_uuid).count() == ids().count() - 1
}

/// Whether a query reads a range of the column.
fn is_ranged(project: &Project<'_>, facts: &TableFacts, column: &Column) -> bool {
    let mut ranges = facts.reads(project).filter_map(ReplayedStatement::read).filter_map(|read| {
        let range = read.rows.range.as_ref()?;
        Some((&read.table, &range.columns))
    });
    ranges.any(|(table, columns)| {
        let named =
            |at: &usize| table.columns().get(*at).is_some_and(|one| one.name == column.name);
        columns.iter().any(named)
    })
}
