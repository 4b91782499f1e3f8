//! The read command as the server prints it in warnings, in approximate CQL.

use cql::printer::identifier;
use cql::types::Type;
use schema::access::{Partitions, ReadPlan};
use schema::bind::restrictions::{
    ContainsRestriction, InList, Operand, Restriction, RestrictionId, RestrictionKind, Slice,
    SliceBound, TokenRestrictionKind,
};
use schema::bind::select::{Aggregation, BoundSelect};
use schema::bind::term::BoundTerm;
use schema::catalog::Column;
use storage::DecoratedKey;

use super::limits::DataLimits;
use crate::node::handle::TableHandle;

/// The page size of grouped reads if the client gives none.
const GROUP_PAGE_ROWS: u32 = 10_000;

/// Prints the command that reads one partition or a range of them.
pub(crate) fn render_cql(
    handle: &TableHandle,
    (plan, select): (&ReadPlan, &BoundSelect),
    limits: &DataLimits,
    key: Option<&DecoratedKey>,
) -> String {
    let table = &select.table;
    let mut text = format!("SELECT {} FROM {}", column_list(plan, select), table.qualified_name());
    let mut clauses = Vec::new();
    if let Some(key) = key {
        let values = handle.partition_values(key);
        let named = table.partition_key().iter().zip(values);
        clauses.extend(named.map(|(column, value)| equality_clause(column, value)));
    } else {
        clauses.extend(token_clauses(plan, select));
    }
    // Restrictions in the row filter are printed as such, even if they bound the slice as well.
    let checks = &plan.filtering.checks;
    let sliced: Vec<_> = plan.rows.restrictions().filter(|id| !checks.contains(id)).collect();
    clauses.extend(clustering_clauses(plan, select, &sliced));
    let checked = select.restrictions.select(checks);
    clauses.extend(checked.flat_map(|restriction| restriction_clauses(select, restriction, true)));
    if !clauses.is_empty() {
        text.push_str(" WHERE ");
        text.push_str(&clauses.join(" AND "));
    }
    if plan.order.is_reversed() {
        text.push_str(" ORDER BY ");
        text.push_str(&order_by_clause(select));
    }
    text.push_str(&limit_clauses(select, limits));
    text.push_str(" ALLOW FILTERING");
    text
}

/// The columns outside the key that are read, static ones first.
fn column_list(plan: &ReadPlan, select: &BoundSelect) -> String {
    let columns = select.table.columns();
    let mut read = select.selection.columns_read.clone();
    let checked = select.restrictions.select(&plan.filtering.checks);
    read.extend(checked.flat_map(|restriction| restriction.columns.iter().copied()));
    read.retain(|at| columns.get(*at).is_some_and(|column| !column.is_primary_key()));
    read.sort_unstable();
    read.dedup();
    if select.selection.is_wildcard || read.is_empty() {
        return "*".to_owned();
    }
    let names =
        read.iter().filter_map(|at| columns.get(*at)).map(|column| identifier(&column.name));
    names.collect::<Vec<_>>().join(", ")
}

fn literal(ty: &Type, value: &[u8]) -> String {
    cql::value::literal(ty, Some(value)).unwrap_or_default()
}

fn equality_clause(column: &Column, value: &[u8]) -> String {
    format!("{} = {}", identifier(&column.name), literal(&column.ty, value))
}

fn render_term(ty: &Type, term: &BoundTerm) -> String {
    match term {
        BoundTerm::Value(Some(value)) => literal(ty, value),
        _ => "null".to_owned(),
    }
}

fn token_clauses(plan: &ReadPlan, select: &BoundSelect) -> Vec<String> {
    let token = select.restrictions.partition.token.as_ref();
    let is_range = matches!(plan.partitions, Partitions::TokenRange { .. });
    let Some(token) = token.filter(|_| is_range) else { return Vec::new() };
    let names = select.table.partition_key().iter().map(|column| identifier(&column.name));
    let names = names.collect::<Vec<_>>().join(", ");
    let bigint = cql::types::NativeType::Bigint.into();
    let clause = |operator: &str, term: &BoundTerm| {
        format!("token({names}) {operator} {}", render_term(&bigint, term))
    };
    match &token.kind {
        TokenRestrictionKind::Equal(term) => vec![clause(">=", term), clause("<=", term)],
        TokenRestrictionKind::Slice(slice) => bounds(slice, false)
            .into_iter()
            .filter_map(|(operator, bound)| Some(clause(operator, bound.value.terms().first()?)))
            .collect(),
    }
}

/// The bounds of a range with their operators, in the stored order.
fn bounds(slice: &Slice, descending: bool) -> Vec<(&'static str, &SliceBound)> {
    let above = |bound: &SliceBound| if bound.inclusive { ">=" } else { ">" };
    let below = |bound: &SliceBound| if bound.inclusive { "<=" } else { "<" };
    let start = slice.start.iter().map(|bound| (above(bound), bound));
    let end = slice.end.iter().map(|bound| (below(bound), bound));
    if descending { end.chain(start).collect() } else { start.chain(end).collect() }
}

/// The clauses of the slices. Rows that are named individually are printed as tuples.
fn clustering_clauses(
    plan: &ReadPlan,
    select: &BoundSelect,
    sliced: &[RestrictionId],
) -> Vec<String> {
    let columns = select.table.clustering();
    let restrictions: Vec<&Restriction> = select.restrictions.select(sliced).collect();
    let names_rows = columns.len() > 1
        && plan.rows.rows.is_some()
        && restrictions.iter().all(|restriction| restriction.is_equal());
    if !names_rows {
        return restrictions
            .iter()
            .flat_map(|restriction| restriction_clauses(select, restriction, false))
            .collect();
    }
    let terms = restrictions.iter().flat_map(|restriction| restriction.terms());
    let values = columns.iter().zip(terms).map(|(column, term)| render_term(&column.ty, term));
    let names = columns.iter().map(|column| identifier(&column.name));
    vec![format!(
        "({}) = ({})",
        names.collect::<Vec<_>>().join(", "),
        values.collect::<Vec<_>>().join(", ")
    )]
}

/// The clauses of one restriction. INs in the row filter are printed as lists.
fn restriction_clauses(
    select: &BoundSelect,
    restriction: &Restriction,
    in_filter: bool,
) -> Vec<String> {
    let columns = select.table.columns();
    let own = || restriction.columns.iter().filter_map(|at| columns.get(*at));
    let Some(first) = own().next() else { return Vec::new() };
    let name = identifier(&first.name);
    match &restriction.kind {
        RestrictionKind::Equal(operand) => own()
            .zip(operand.terms())
            .map(|(column, term)| {
                format!("{} = {}", identifier(&column.name), render_term(&column.ty, term))
            })
            .collect(),
        RestrictionKind::In(InList::Values(list)) => {
            let values = list_values(first, list, in_filter).join(", ");
            vec![if in_filter {
                format!("{name} IN [{values}]")
            } else {
                format!("{name} IN ({values})")
            }]
        }
        RestrictionKind::Slice(slice) => bounds(slice, first.descending && !in_filter)
            .into_iter()
            .flat_map(|(operator, bound)| {
                let pairs = own().zip(bound.value.terms());
                let clause = |(column, term): (&Column, &BoundTerm)| {
                    format!(
                        "{} {operator} {}",
                        identifier(&column.name),
                        render_term(&column.ty, term)
                    )
                };
                pairs.map(clause).collect::<Vec<_>>()
            })
            .collect(),
        RestrictionKind::Contains(contains) => contains_clauses(first, &name, contains),
        _ => Vec::new(),
    }
}

/// The values of an IN; those of slices are sorted and without duplicates.
fn list_values(column: &Column, list: &[Operand], in_filter: bool) -> Vec<String> {
    let values = list.iter().filter_map(|operand| match operand.terms() {
        [BoundTerm::Value(Some(value)), ..] => Some(&**value),
        _ => None,
    });
    let mut values: Vec<&[u8]> = values.collect();
    if !in_filter {
        values.sort_by(|a, b| cql::value::compare(&column.ty, a, b));
        values.dedup();
        if column.descending {
            values.reverse();
        }
    }
    values.into_iter().map(|value| literal(&column.ty, value)).collect()
}

fn contains_clauses(column: &Column, name: &str, contains: &ContainsRestriction) -> Vec<String> {
    let blob = Type::from(cql::types::NativeType::Blob);
    let (key, value) = match &column.ty {
        Type::Map(entry, _) => (&entry.0, &entry.1),
        Type::List(element, _) | Type::Set(element, _) => (&**element, &**element),
        _ => (&blob, &blob),
    };
    let values = contains.values.iter();
    let values = values.map(|term| format!("{name} CONTAINS {}", render_term(value, term)));
    let keys = contains.keys.iter();
    let keys = keys.map(|term| format!("{name} CONTAINS KEY {}", render_term(key, term)));
    let entries = contains.entries.iter().map(|(own, term)| {
        format!("{name}[{}] = {}", render_term(key, own), render_term(value, term))
    });
    values.chain(keys).chain(entries).collect()
}

fn order_by_clause(select: &BoundSelect) -> String {
    let clustering = select.table.clustering().iter();
    let directions = clustering.map(|column| {
        let direction = if column.descending { "ASC" } else { "DESC" };
        format!("{} {direction}", identifier(&column.name))
    });
    directions.collect::<Vec<_>>().join(", ")
}

fn limit_clauses(select: &BoundSelect, limits: &DataLimits) -> String {
    let some = |name: &str, count: u32| match count {
        u32::MAX => String::new(),
        count => format!(" {name} {count}"),
    };
    match &select.aggregation {
        // The server prints limits that are not set.
        Some(Aggregation::Everything) => " ".to_owned(),
        Some(Aggregation::KeyPrefix { .. }) if !select.is_distinct => {
            let rows = if limits.is_paged { limits.wanted } else { GROUP_PAGE_ROWS };
            some("GROUP LIMIT", limits.wanted)
                + &some("GROUP PER PARTITION LIMIT", limits.per_partition)
                + &some("LIMIT", rows)
        }
        _ => some("LIMIT", limits.wanted) + &some("PER PARTITION LIMIT", limits.per_partition),
    }
}
