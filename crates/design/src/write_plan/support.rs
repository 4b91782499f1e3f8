//! Tables and columns that exist because a write must find rows.

use cql::Span;
use model::concept::Figure;
use model::id::{IdList, SourceId, WriteId};
use model::plan::{
    ColumnRole, Derivation, MappingReason, MappingRule, Note, PlannedColumn, PlannedTable,
};
use model::workload::{
    Column, Comparison, Condition, Output, OutputValue, Parameter, Predicate, Read, Source,
    StatedResult, Supply, Value, Write, settle_joins,
};

use super::join_graph::JoinGraph;
use super::lookup;
use super::request::{Request, result_name};
use crate::{Context, mapping};

/// The result of providing for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Provision {
    /// A table served it already.
    Already,
    /// A column or a table was added.
    Added,
    /// No table can serve it.
    Impossible,
}

/// Makes the rows of a request readable: by an additional column in a table, or an additional
/// table.
pub(super) fn provide(
    context: Context<'_>,
    tables: &mut Vec<PlannedTable>,
    request: &Request,
    (write, position): (&Write, WriteId),
    notes: &mut Vec<Note>,
) -> Provision {
    if request.own.is_some() || request.unused {
        return Provision::Already;
    }
    match lookup::best_access(context, tables, request) {
        Some(access) if access.missing.is_empty() => Provision::Already,
        Some(access) => {
            let Some(table) = tables.member_mut(access.table) else { return Provision::Impossible };
            for column in access.missing {
                let Some(added) = support_column(context, table, column, write) else { continue };
                let end = table.columns.iter().position(|other| other.role > added.role);
                table.columns.insert(end.unwrap_or(table.columns.len()), added);
            }
            Provision::Added
        }
        None => add_table(context, tables, request, (write, position), notes),
    }
}

/// A column added to a table for a write.
fn support_column(
    context: Context<'_>,
    table: &PlannedTable,
    column: Column,
    write: &Write,
) -> Option<PlannedColumn> {
    let shape = JoinGraph { concept: context.concept, sources: &table.holds.sources };
    let attribute = shape.entity(column.source)?.attributes.member(column.attribute)?;
    let alias = &table.holds.sources.member(column.source)?.alias;
    let names = [attribute.name.clone(), format!("{alias}_{}", attribute.name)];
    let numbers = (2..).map(|number| format!("{}_{number}", attribute.name));
    let name = names.into_iter().chain(numbers).find(|name| table.column(name).is_none())?;
    let in_partition = |of: Column| {
        table
            .partition_key()
            .any(|key| matches!(key.derivation, Derivation::Attribute(is) if shape.is_same(is, of)))
    };
    // In a partition of one row there is nothing to share.
    let one_row = shape.is_maker(column.source) && table.holds.elements.is_empty();
    let once = !one_row
        && table.clustering().next().is_some()
        && shape.has_key(column.source, in_partition);
    Some(PlannedColumn {
        name,
        ty: attribute.ty.clone(),
        role: if once { ColumnRole::Static } else { ColumnRole::Regular },
        derivation: Derivation::Attribute(column),
        reasons: vec![MappingReason {
            rule: MappingRule::Support,
            read: None,
            text: format!("`{}` needs it to find the row in other tables", write.name),
        }],
    })
}

/// A table for a request, by the mapping rules that also give reads their tables.
fn add_table(
    context: Context<'_>,
    tables: &mut Vec<PlannedTable>,
    request: &Request,
    (write, position): (&Write, WriteId),
    notes: &mut Vec<Note>,
) -> Provision {
    let Some(read) = to_read(context, request, write) else { return Provision::Impossible };
    match mapping::tables_for(context, &read, None, notes) {
        Ok(mut more) => {
            let before = tables.len();
            more.retain(|table| request.element.is_none() || !table.holds.elements.is_empty());
            for table in &mut more {
                table.supports = vec![position];
                for column in &mut table.columns {
                    for reason in &mut column.reasons {
                        reason.rule = MappingRule::Support;
                        reason.text =
                            format!("used by `{}` to find rows: {}", write.name, reason.text);
                    }
                }
            }
            tables.extend(more);
            // The mapping rules do not know requests: check that the new table serves this one.
            match lookup::best_access(context, tables, request) {
                Some(access) if access.missing.is_empty() => Provision::Added,
                _ => {
                    tables.truncate(before);
                    Provision::Impossible
                }
            }
        }
        Err(_) => Provision::Impossible,
    }
}

/// The request as a read: from one entity, where one has all that is needed.
pub(super) fn to_read(context: Context<'_>, request: &Request, write: &Write) -> Option<Read> {
    let join = JoinGraph { concept: context.concept, sources: &request.sources };
    let columns: Vec<_> = request.wants.union(&request.distinct).copied().collect();
    let needed = columns.iter().chain(&request.enough);
    let alone = request
        .sources
        .ids()
        .find(|source| needed.clone().all(|column| join.attribute_at(*column, *source).is_some()));
    let mut sources = match alone {
        Some(source) => vec![Source { join: None, ..request.sources.member(source)?.clone() }],
        None => request.sources.clone(),
    };
    let named = |column: Column| match alone {
        Some(source) => join
            .attribute_at(column, source)
            .map(|attribute| Column { source: SourceId::new(0), attribute }),
        None => Some(column),
    };
    let mut parameters = Vec::new();
    let mut conditions = Vec::new();
    for (column, _) in &request.known {
        let Some(of) = named(*column) else { continue };
        let attribute = join.entity(column.source)?.attributes.member(column.attribute)?;
        let value = Value::Parameter(parameters.next_id());
        let test = Predicate::Compare { column: of, comparison: Comparison::Equal, value };
        conditions.push(Condition { predicate: test, span: Span::default() });
        parameters.push(Parameter {
            name: attribute.name.clone(),
            ty: attribute.ty.clone(),
            supply: Supply::User,
        });
    }
    if alone.is_none() {
        conditions.extend(request.filters.iter().cloned());
    }
    settle_joins(context.concept, &mut sources, &conditions);
    let outputs = columns.iter().filter_map(|column| {
        let value = OutputValue::Column(named(*column)?);
        Some(Output { name: result_name(join, *column), value })
    });
    Some(Read {
        name: write.name.clone(),
        many: true,
        rate: Figure::from_derivation(write.rate.value),
        after: Vec::new(),
        consistency: write.consistency.clone(),
        exact: false,
        computed: Vec::new(),
        sources,
        outputs: outputs.collect(),
        conditions,
        group: Vec::new(),
        order: Vec::new(),
        limit: None,
        stated: StatedResult::default(),
        parameters,
        sql: String::new(),
        span: write.span,
    })
}
