//! Queries and writes, resolved against the tables of the file.
//!
//! A statement is resolved by a [`resolver::Resolver`], part by part in the order of its text (so
//! that parameters are numbered in that order); errors in a part are reported and the next part is
//! resolved all the same. Then follows what needs all statements together: the counters, and the
//! workflow.
//!
//! - `heading`: the directives above the statement.
//! - `select` with `from_clause`, `join` (the path of references), `left_join`, `condition`,
//!   `membership`, `output`, `computed`, `distinct`, `group` and `order`: the clauses of a SELECT.
//!   `contradiction` and `tenant` check its
//!   conditions.
//! - `insert`, `default`, `conflict` and `write`: INSERT; the defaults that it relies on; its ON
//!   CONFLICT; UPDATE and DELETE. `return_clause`: what a write returns.
//! - `scope`, `shape`, `value`, `constant`, `parameter`, `words`: names, expressions and values.
//! - `refusal`, `advice`: the SQL features that are not supported, with what to write instead.
//! - `counter` and `workflow`: counters, and which step supplies each parameter.

mod advice;
mod condition;
mod conflict;
mod constant;
mod contradiction;
mod counter;
mod default;
mod distinct;
mod from_clause;
mod generation;
mod group;
mod heading;
mod insert;
mod join;
mod key_change;
mod left_join;
mod membership;
mod order;
mod output;
mod parameter;
mod refusal;
mod resolver;
mod result_columns;
mod return_clause;
mod scope;
mod select;
mod shape;
mod stated_result;
mod tenant;
mod value;
mod words;
mod workflow;
mod write;

#[cfg(test)]
mod tests;

pub(super) use self::shape::plain_arguments;

pub use refusal::{REFUSALS, Refusal};

use std::collections::BTreeMap;

use cql::Diagnostic;
use cql::spelling::{find_nearest, suggestion};
use sqlparser::ast::{Query, Statement};

use self::heading::{Heading, read_heading};
use self::parameter::ParameterUse;
use self::resolver::{DeclaredNames, Resolver};
use self::workflow::ParameterUses;
use super::draft::ModelDraft;
use super::source::{Cardinality, NamedStatement, SourceMap};
use crate::concept::Concept;
use crate::diagnostics::error;
use crate::id::{IdList, ReadId};
use crate::workload::{Limit, OutputValue, Read, Upsert, Workload, Write, WriteKind};

/// After this many errors no similar names are searched any more.
const SUGGESTIONS_MAX: usize = 100;

/// Resolves the named statements; errors, warnings and assumptions go to the draft.
pub(super) fn resolve(
    concept: &mut Concept,
    queries: &[NamedStatement],
    places: &SourceMap<'_>,
    draft: &mut ModelDraft,
) -> Workload {
    // A statement with a syntax error is missing here, so its name may be unknown without an error.
    let all_named = draft.errors.iter().all(|error| error.rule >= "MF100");
    let mut errors = Vec::new();
    let steps = reads_by_name(queries);
    let entities = concept.entities.enumerate_ids();
    let entities = entities.map(|(position, entity)| (entity.name.clone(), position)).collect();
    let (constraints, views) =
        (std::mem::take(&mut draft.constraints), std::mem::take(&mut draft.views));
    let declared = DeclaredNames { entities: &entities, constraints: &constraints, views: &views };
    let mut workload = Workload::default();
    let mut uses = ParameterUses::default();
    let (mut assigned, mut spans) = (Vec::new(), Vec::new());
    for named in queries {
        let is_read = matches!(named.statement, Statement::Query(_));
        let heading = read_heading(named, is_read, &mut errors, &mut draft.assumptions);
        let after = resolve_after(&heading, &steps, all_named, &mut errors);
        let mut resolver = Resolver::new(concept, named, *places, declared);
        resolver.suggests = errors.len() < SUGGESTIONS_MAX;
        match &named.statement {
            Statement::Query(query) => {
                if let Some((read, parameter_uses)) =
                    resolve_read(&mut resolver, query, &heading, after)
                {
                    spans.extend(stated_result::find_unstated_span(concept, &read));
                    workload.reads.push(read);
                    uses.reads.push(parameter_uses);
                }
            }
            statement => {
                if let Some((write, parameter_uses)) =
                    resolve_write(&mut resolver, statement, &heading, after)
                {
                    workload.writes.push(write);
                    uses.writes.push(parameter_uses);
                }
            }
        }
        errors.append(&mut resolver.errors);
        draft.warnings.append(&mut resolver.warnings);
        assigned.append(&mut resolver.assigned);
    }
    // So much depends on the width of a range that it is said first.
    draft.assumptions.splice(0..0, spans);
    generation::check_uses(concept, &workload, &mut errors);
    counter::decide_counters(concept, &workload, &assigned, &mut draft.assumptions);
    // Steps are positions among all reads, so none may be missing.
    if errors.is_empty() {
        counter::exclude_zeros(concept, &mut workload);
        workflow::supply(concept, &mut workload, &uses);
    }
    errors.sort_by_key(|diagnostic| diagnostic.span.start);
    draft.errors.append(&mut errors);
    workload
}

/// The reads by name, each with its position; `None` for a write.
fn reads_by_name(queries: &[NamedStatement]) -> BTreeMap<&str, Option<ReadId>> {
    let mut reads = (0..).map(ReadId::new);
    let mut step = |named: &NamedStatement| {
        if matches!(named.statement, Statement::Query(_)) { reads.next() } else { None }
    };
    queries.iter().map(|named| (named.name.as_str(), step(named))).collect()
}

/// The reads that `@after` names.
fn resolve_after(
    heading: &Heading<'_>,
    steps: &BTreeMap<&str, Option<ReadId>>,
    all_named: bool,
    errors: &mut Vec<Diagnostic>,
) -> Vec<ReadId> {
    let mut after = Vec::new();
    for &(name, span) in &heading.after {
        match steps.get(name) {
            Some(Some(read)) if after.contains(read) => {}
            Some(Some(read)) => after.push(*read),
            Some(None) => {
                let message = format!("{name} is a write");
                errors.push(error("MF371", span, message, "name a query"));
            }
            None if !all_named => {}
            None => {
                let reads = steps.iter().filter(|(_, step)| step.is_some()).map(|(name, _)| *name);
                let meant =
                    if errors.len() < SUGGESTIONS_MAX { find_nearest(name, reads) } else { None };
                let help = match meant {
                    Some(meant) => suggestion(meant),
                    None => "name a query of this file".to_owned(),
                };
                let message = format!("query {name} does not exist");
                errors.push(error("MF371", span, message, help));
            }
        }
    }
    after
}

/// Resolves a read.
fn resolve_read(
    resolver: &mut Resolver<'_>,
    query: &Query,
    heading: &Heading<'_>,
    after: Vec<ReadId>,
) -> Option<(Read, Vec<Option<ParameterUse>>)> {
    let selected = resolver.resolve_query(query)?;
    let named = resolver.named;
    if !resolver.errors.is_empty() {
        return None;
    }
    resolver.check_read_tenant(&selected.sources, &selected.conditions);
    let aggregates = |value| {
        matches!(value, OutputValue::Count(_) | OutputValue::Sum(_) | OutputValue::Average(_))
    };
    if let Some(span) = heading.exact
        && !selected.outputs.iter().any(|output| aggregates(output.value))
    {
        let message = format!("{} has no aggregate to which @exact applies", named.name);
        resolver.report(
            "MF374",
            span,
            message,
            "remove @exact, or write it at the end of the line of a column",
        );
    }
    if named.cardinality == Cardinality::One
        && matches!(selected.limit, Some(Limit::Parameter(_) | Limit::Number(2..)))
    {
        let place = resolver.keyword_span(named.span, "LIMIT");
        let message = format!("{} is marked :one but has a LIMIT of more rows", named.name);
        resolver.report("MF352", place, message, "write :many, or LIMIT 1");
    }
    let stated = resolver.resolve_stated_result(heading, &selected.sources, &selected.conditions);
    let (parameters, parameter_uses) = std::mem::take(&mut resolver.parameters).into_parts();
    let mut read = Read {
        name: named.name.clone(),
        many: named.cardinality == Cardinality::Many,
        rate: heading.rate,
        after,
        consistency: heading.consistency.clone(),
        exact: heading.exact.is_some(),
        sources: selected.sources,
        outputs: selected.outputs,
        computed: selected.computed,
        conditions: selected.conditions,
        group: selected.group,
        order: selected.order,
        limit: selected.limit,
        stated,
        parameters,
        sql: named.text.clone(),
        span: named.name_span,
    };
    read.unite_sources();
    Some((read, parameter_uses))
}

/// Resolves a write.
fn resolve_write(
    resolver: &mut Resolver<'_>,
    statement: &Statement,
    heading: &Heading<'_>,
    after: Vec<ReadId>,
) -> Option<(Write, Vec<Option<ParameterUse>>)> {
    let named = resolver.named;
    let written = match statement {
        Statement::Insert(insert) => resolver.resolve_insert(insert)?,
        Statement::Update(update) => resolver.resolve_update(update)?,
        Statement::Delete(delete) => resolver.resolve_delete(delete)?,
        _ => {
            let message = format!("{} is neither a query nor a write", named.name);
            let help = "write SELECT, INSERT, UPDATE or DELETE below the name line";
            resolver.report("MF301", named.span, message, help);
            return None;
        }
    };
    if resolver.errors.is_empty() {
        resolver.check_write_tenant(written.entity, &written.kind);
    }
    if heading.strict {
        check_strict(resolver, &written.kind);
    }
    check_gap(resolver);
    let (parameters, parameter_uses) = std::mem::take(&mut resolver.parameters).into_parts();
    let write = Write {
        name: named.name.clone(),
        rate: heading.rate,
        after,
        consistency: heading.consistency.clone(),
        strict: heading.strict || written.strict,
        entity: written.entity,
        kind: written.kind,
        returning: written.returning,
        parameters,
        sql: named.text.clone(),
        span: named.name_span,
        derived: None,
        implies: Vec::new(),
    };
    Some((write, parameter_uses))
}

/// Reports a parameter that nothing uses, where values of the client follow the parameters.
fn check_gap(resolver: &mut Resolver<'_>) {
    if resolver.errors.is_empty() && resolver.parameters.has_gap() {
        let message = format!("{} does not use all of its parameters", resolver.name());
        resolver.report("MF342", resolver.named.span, message, "remove those that are not used");
    }
}

/// Reports `@strict` on an INSERT that says itself what becomes of existing rows, or that has
/// several rows.
fn check_strict(resolver: &mut Resolver<'_>, kind: &WriteKind) {
    let name = resolver.name();
    match kind {
        WriteKind::Upsert(Upsert { update: Some(_), .. }) => {
            let span = resolver.keyword_span(resolver.named.span, "ON CONFLICT");
            let message = format!("{name} is @strict but overwrites existing rows");
            resolver.report("MF362", span, message, "write DO NOTHING, or remove @strict");
        }
        WriteKind::Rows(_) => {
            let message = format!("{name} is @strict but inserts several rows");
            let help = "insert one row, or write ON CONFLICT DO NOTHING in place of @strict";
            resolver.report("MF362", resolver.named.name_span, message, help);
        }
        _ => {}
    }
}
