//! SELECT.

use cql::selectable::{Selectable, SelectableKind};
use cql::statement::select::{Select, Selector};
use cql::types::Type;
use model::sql::Cardinality;

use super::super::open_point::{OpenPoint, StatementChange};
use super::condition::{ConditionList, Scope};
use super::refusal::UntranslatedReason;
use super::translation::Translation;
use model::sql_name::quote;

/// Functions over the rows that SQL has, too.
const AGGREGATES: [&str; 5] = ["count", "min", "max", "sum", "avg"];

/// What is known of a read beside its text.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReadContext {
    /// Whether only replicas logged it, whose LIMIT is that of a page.
    pub(super) is_replica_read: bool,
    /// Whether the table is known to be too large for reading it as a whole.
    pub(super) is_large: bool,
}

/// A SELECT as a query of the entity.
pub(super) fn translate(
    scope: Scope<'_, '_>,
    select: &Select,
    context: ReadContext,
) -> Result<Translation, UntranslatedReason> {
    if select.order_by.iter().any(|order| order.ann_of.is_some()) {
        return Err(UntranslatedReason::CustomSearch);
    }
    let mut list = ConditionList::translate(scope, &select.relations)?;
    let mut points = Vec::new();
    let mut change = |change| points.push(OpenPoint::Change(change));
    let result = result_columns(scope, &select.selectors, &mut change)?;
    let is_limited = select.limit.is_some() && !context.is_replica_read;
    list.replace_buckets(scope, is_limited);
    if list.texts.is_empty() && !is_limited && !result.is_aggregate {
        if context.is_large {
            return Err(UntranslatedReason::FullRead);
        }
        change(StatementChange::FullRead);
    }
    if select.limit.is_some() && context.is_replica_read {
        change(StatementChange::PageLimit);
    }
    let flags = [
        (select.allow_filtering.is_some(), StatementChange::AllowFiltering),
        (select.json, StatementChange::Json),
        (select.per_partition_limit.is_some(), StatementChange::PerPartitionLimit),
    ];
    flags.into_iter().filter(|(is_set, _)| *is_set).for_each(|(_, what)| change(what));
    let groups = plain_columns(scope, &select.group_by)?;
    let mut order = Vec::new();
    for ordering in &select.order_by {
        if scope.column(&ordering.column.text)?.is_some() {
            order.push(direction_text(&ordering.column.text, ordering.descending));
        }
    }
    if order.is_empty() && is_limited && !result.is_aggregate {
        let clustering = find_clustering_order(scope, &list);
        if clustering.is_some() {
            change(StatementChange::ClusteringOrder);
        }
        order.extend(clustering);
    }
    let distinct = if select.distinct { "DISTINCT " } else { "" };
    let mut sql = format!("SELECT {distinct}{}\nFROM {}", result.text, quote(&scope.entity.name));
    if !list.texts.is_empty() {
        sql = format!("{sql}\n{}", list.clause().trim_start());
    }
    for (words, parts) in [("GROUP BY", &groups), ("ORDER BY", &order)] {
        if !parts.is_empty() {
            sql = format!("{sql}\n{words} {}", parts.join(", "));
        }
    }
    let is_one = is_unique(scope, &list) || result.is_aggregate && groups.is_empty();
    // One row has no limit, and `:one` allows none.
    if is_limited && !is_one {
        sql.push_str(if order.is_empty() { "\nLIMIT ?" } else { " LIMIT ?" });
    }
    let cardinality = if is_one { Cardinality::One } else { Cardinality::Many };
    points.append(&mut list.points);
    let is_count = result.is_aggregate;
    let has_list = list.has_list;
    let read = Translation::read(sql, cardinality, list.columns, is_count, list.directives, points);
    Ok(Translation { has_list, ..read })
}

/// Whether equalities fix a key of the entity.
fn is_unique(scope: Scope<'_, '_>, list: &ConditionList) -> bool {
    let equal = list.equalities();
    scope.entity.key.iter().all(|name| equal.contains(name))
        || scope.entity.unique.iter().any(|name| equal.contains(name))
}

/// The first clustering column that no equality fixes, if the read is of one partition.
fn find_clustering_order(scope: Scope<'_, '_>, list: &ConditionList) -> Option<String> {
    let equal = list.equalities();
    let table = scope.member.table;
    let mut partition = table.partition_key().iter();
    let is_fixed = |name: &str| equal.contains(name) || scope.member.bucket(name).is_some();
    if !partition.all(|column| is_fixed(&column.name)) {
        return None;
    }
    let next = table.clustering().iter().find(|column| !equal.contains(&*column.name))?;
    Some(direction_text(&next.name, next.descending))
}

fn direction_text(name: &str, is_descending: bool) -> String {
    format!("{}{}", quote(name), if is_descending { " DESC" } else { "" })
}

/// The columns of a list that are columns of the entity.
fn plain_columns(
    scope: Scope<'_, '_>,
    list: &[Selectable],
) -> Result<Vec<String>, UntranslatedReason> {
    let mut names = Vec::new();
    for item in list {
        if let SelectableKind::Column(name) = &item.kind
            && scope.column(&name.text)?.is_some()
        {
            names.push(quote(&name.text));
        }
    }
    Ok(names)
}

/// The SELECT list in SQL.
struct ResultList {
    text: String,
    is_aggregate: bool,
}

fn result_columns(
    scope: Scope<'_, '_>,
    selectors: &[Selector],
    change: &mut impl FnMut(StatementChange),
) -> Result<ResultList, UntranslatedReason> {
    let mut parts: Vec<String> = Vec::new();
    let mut is_aggregate = false;
    for selector in selectors {
        let alias = selector.alias.as_ref().map(|alias| format!(" AS {}", quote(&alias.text)));
        let alias = alias.unwrap_or_default();
        match &selector.expression.kind {
            SelectableKind::Column(name) => {
                if scope.column(&name.text)?.is_some() {
                    parts.push(format!("{}{alias}", quote(&name.text)));
                }
            }
            SelectableKind::CountRows => {
                is_aggregate = true;
                parts.push(format!("COUNT(*){alias}"));
            }
            SelectableKind::CellInfo(..) => change(StatementChange::CellMetadata),
            SelectableKind::Call(function, arguments)
                if is_aggregate_call(scope, function, arguments) =>
            {
                let name = function.name.text.to_ascii_uppercase();
                let columns = plain_columns(scope, arguments)?;
                is_aggregate = true;
                let argument = columns.first().map_or("*", String::as_str);
                parts.push(format!("{name}({argument}){alias}"));
            }
            _ => {
                change(StatementChange::ComputedResult);
                let mut names = Vec::new();
                collect_columns(&selector.expression, &mut names);
                for name in names {
                    if scope.member.table.column(&name).is_some()
                        && scope.member.bucket(&name).is_none()
                    {
                        parts.push(quote(&name));
                    }
                }
            }
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    parts.retain(|part| seen.insert(part.clone()));
    if parts.is_empty() {
        let own: Vec<&str> = scope.member.columns().map(|column| &*column.name).collect();
        let is_all = own.len() == scope.entity.columns.len();
        let text = if is_all { "*".to_owned() } else { model::sql_name::list(&own) };
        return Ok(ResultList { text, is_aggregate: false });
    }
    Ok(ResultList { text: parts.join(", "), is_aggregate })
}

/// Whether a call is of one of SQL's aggregates, on a column or a constant.
fn is_aggregate_call(
    scope: Scope<'_, '_>,
    function: &cql::QualifiedName,
    arguments: &[Selectable],
) -> bool {
    let is_plain = match arguments {
        [Selectable { kind: SelectableKind::Column(name), .. }] => {
            let column = scope.member.table.column(&name.text);
            column.is_some_and(|column| matches!(column.ty, Type::Native(_)))
                && scope.member.bucket(&name.text).is_none()
        }
        [Selectable { kind: SelectableKind::Term(_), .. }] => &*function.name.text == "count",
        _ => false,
    };
    is_plain && function.keyspace.is_none() && AGGREGATES.contains(&&*function.name.text)
}

/// The columns in an expression.
fn collect_columns(expression: &Selectable, names: &mut Vec<String>) {
    let mut waiting = vec![expression];
    while let Some(next) = waiting.pop() {
        match &next.kind {
            SelectableKind::Column(name) => names.push(name.text.to_string()),
            SelectableKind::Cast(part, _)
            | SelectableKind::Negate(part)
            | SelectableKind::Field(part, _)
            | SelectableKind::Element(part, _)
            | SelectableKind::Slice(part, ..) => waiting.push(part),
            SelectableKind::TypeHint(part) => waiting.push(&part.1),
            SelectableKind::Arithmetic(_, parts) => waiting.extend([&parts.0, &parts.1]),
            SelectableKind::Call(_, parts)
            | SelectableKind::Tuple(parts)
            | SelectableKind::List(parts)
            | SelectableKind::Set(parts) => waiting.extend(parts),
            SelectableKind::Map(parts) => {
                waiting.extend(parts.iter().flat_map(|(key, value)| [key, value]));
            }
            SelectableKind::Term(_) | SelectableKind::CountRows | SelectableKind::CellInfo(..) => {}
        }
    }
}
