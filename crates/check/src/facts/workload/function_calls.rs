//! The functions that a statement calls.

use cql::relation::{InValues, Relation, RelationKind};
use cql::selectable::{Selectable, SelectableKind};
use cql::statement::select::Select;
use cql::statement::write::{AssignmentOperation, Insert, InsertValues, Update, WriteKind};
use cql::term::{Term, TermKind};
use cql::{QualifiedName, Statement, StatementKind};

/// The names of all functions that a statement calls, in no special order.
pub(crate) fn function_calls(statement: &Statement) -> Vec<&QualifiedName> {
    let mut found = Vec::new();
    match &statement.kind {
        StatementKind::Select(select) => {
            for one in expressions(select) {
                match &one.kind {
                    SelectableKind::Call(name, _) => found.push(name),
                    SelectableKind::Term(term) => collect_term(term, &mut found),
                    _ => {}
                }
            }
            collect_relations(&select.relations, &mut found);
        }
        StatementKind::Insert(insert) => collect_insert(insert, &mut found),
        StatementKind::Update(update) => collect_update(update, &mut found),
        StatementKind::Delete(delete) => collect_relations(&delete.relations, &mut found),
        StatementKind::Batch(batch) => {
            for statement in &batch.statements {
                match &statement.kind {
                    WriteKind::Insert(insert) => collect_insert(insert, &mut found),
                    WriteKind::Update(update) => collect_update(update, &mut found),
                    WriteKind::Delete(delete) => collect_relations(&delete.relations, &mut found),
                }
            }
        }
        _ => {}
    }
    found
}

fn collect_insert<'s>(insert: &'s Insert, found: &mut Vec<&'s QualifiedName>) {
    if let InsertValues::Columns { values, .. } = &insert.values {
        collect_terms(values, found);
    }
}

fn collect_update<'s>(update: &'s Update, found: &mut Vec<&'s QualifiedName>) {
    for assignment in &update.assignments {
        match &assignment.operation {
            AssignmentOperation::SetElement(key, value) => {
                collect_term(key, found);
                collect_term(value, found);
            }
            AssignmentOperation::Set(value)
            | AssignmentOperation::SetField(_, value)
            | AssignmentOperation::Add(value)
            | AssignmentOperation::Subtract(value)
            | AssignmentOperation::Prepend(value) => collect_term(value, found),
        }
    }
    collect_relations(&update.relations, found);
}

fn collect_relations<'s>(relations: &'s [Relation], found: &mut Vec<&'s QualifiedName>) {
    for relation in relations {
        match &relation.kind {
            RelationKind::Column(_, _, term)
            | RelationKind::Token(_, _, term)
            | RelationKind::Tuple(_, _, term)
            | RelationKind::CustomIndex(_, term) => collect_term(term, found),
            RelationKind::Element(_, key, _, value) => {
                collect_term(key, found);
                collect_term(value, found);
            }
            RelationKind::Between(_, ends) => {
                collect_term(&ends.0, found);
                collect_term(&ends.1, found);
            }
            RelationKind::In { values: InValues::List(list), .. }
            | RelationKind::TupleIn(_, InValues::List(list)) => {
                collect_terms(list, found);
            }
            _ => {}
        }
    }
}

fn collect_terms<'s>(terms: &'s [Term], found: &mut Vec<&'s QualifiedName>) {
    for term in terms {
        collect_term(term, found);
    }
}

fn collect_term<'s>(term: &'s Term, found: &mut Vec<&'s QualifiedName>) {
    match &term.kind {
        TermKind::Call(name, arguments) => {
            found.push(name);
            collect_terms(arguments, found);
        }
        TermKind::List(all) | TermKind::Set(all) | TermKind::Tuple(all) => {
            collect_terms(all, found);
        }
        TermKind::Map(entries) => {
            for (key, value) in entries {
                collect_term(key, found);
                collect_term(value, found);
            }
        }
        TermKind::UserType(fields) => fields.iter().for_each(|(_, one)| collect_term(one, found)),
        TermKind::TypeHint(hint) => collect_term(&hint.1, found),
        TermKind::Cast(one, _) | TermKind::Negate(one) => collect_term(one, found),
        TermKind::Arithmetic(_, sides) => {
            collect_term(&sides.0, found);
            collect_term(&sides.1, found);
        }
        _ => {}
    }
}

/// Everything that a SELECT computes with: what it selects and groups by, and the parts of those.
pub(crate) fn expressions(select: &Select) -> Vec<&Selectable> {
    let mut all = Vec::new();
    let selected = select.selectors.iter().map(|selector| &selector.expression);
    for one in selected.chain(&select.group_by) {
        collect_expressions(one, &mut all);
    }
    all
}

fn collect_expressions<'s>(one: &'s Selectable, all: &mut Vec<&'s Selectable>) {
    all.push(one);
    match &one.kind {
        SelectableKind::Call(_, list)
        | SelectableKind::Tuple(list)
        | SelectableKind::List(list)
        | SelectableKind::Set(list) => {
            for one in list {
                collect_expressions(one, all);
            }
        }
        SelectableKind::Map(entries) => {
            for (key, value) in entries {
                collect_expressions(key, all);
                collect_expressions(value, all);
            }
        }
        SelectableKind::TypeHint(hint) => collect_expressions(&hint.1, all),
        SelectableKind::Cast(one, _)
        | SelectableKind::Negate(one)
        | SelectableKind::CellInfo(_, one)
        | SelectableKind::Field(one, _)
        | SelectableKind::Element(one, _)
        | SelectableKind::Slice(one, ..) => collect_expressions(one, all),
        SelectableKind::Arithmetic(_, sides) => {
            collect_expressions(&sides.0, all);
            collect_expressions(&sides.1, all);
        }
        SelectableKind::Column(_) | SelectableKind::Term(_) | SelectableKind::CountRows => {}
    }
}
