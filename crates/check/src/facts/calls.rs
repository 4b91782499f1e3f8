//! The functions that a statement calls.

use cql::relation::{InValues, Relation, RelationKind};
use cql::selectable::{Selectable, SelectableKind};
use cql::statement::select::Select;
use cql::statement::write::{AssignmentOperation, Insert, InsertValues, Update, WriteKind};
use cql::term::{Term, TermKind};
use cql::{QualifiedName, Statement, StatementKind};

/// The names of all functions that a statement calls, in no special order.
pub fn calls(statement: &Statement) -> Vec<&QualifiedName> {
    let mut found = Vec::new();
    match &statement.kind {
        StatementKind::Select(select) => {
            for one in expressions(select) {
                match &one.kind {
                    SelectableKind::Call(name, _) => found.push(name),
                    SelectableKind::Term(term) => in_term(term, &mut found),
                    _ => {}
                }
            }
            in_relations(&select.relations, &mut found);
        }
        StatementKind::Insert(insert) => in_insert(insert, &mut found),
        StatementKind::Update(update) => in_update(update, &mut found),
        StatementKind::Delete(delete) => in_relations(&delete.relations, &mut found),
        StatementKind::Batch(batch) => {
            for statement in &batch.statements {
                match &statement.kind {
                    WriteKind::Insert(insert) => in_insert(insert, &mut found),
                    WriteKind::Update(update) => in_update(update, &mut found),
                    WriteKind::Delete(delete) => in_relations(&delete.relations, &mut found),
                }
            }
        }
        _ => {}
    }
    found
}

fn in_insert<'s>(insert: &'s Insert, found: &mut Vec<&'s QualifiedName>) {
    if let InsertValues::Columns { values, .. } = &insert.values {
        in_terms(values, found);
    }
}

fn in_update<'s>(update: &'s Update, found: &mut Vec<&'s QualifiedName>) {
    for assignment in &update.assignments {
        match &assignment.operation {
            AssignmentOperation::SetElement(key, value) => {
                in_term(key, found);
                in_term(value, found);
            }
            AssignmentOperation::Set(value)
            | AssignmentOperation::SetField(_, value)
            | AssignmentOperation::Add(value)
            | AssignmentOperation::Subtract(value)
            | AssignmentOperation::Prepend(value) => in_term(value, found),
        }
    }
    in_relations(&update.relations, found);
}

fn in_relations<'s>(relations: &'s [Relation], found: &mut Vec<&'s QualifiedName>) {
    for relation in relations {
        match &relation.kind {
            RelationKind::Column(_, _, term)
            | RelationKind::Token(_, _, term)
            | RelationKind::Tuple(_, _, term)
            | RelationKind::CustomIndex(_, term) => in_term(term, found),
            RelationKind::Element(_, key, _, value) => {
                in_term(key, found);
                in_term(value, found);
            }
            RelationKind::Between(_, ends) => {
                in_term(&ends.0, found);
                in_term(&ends.1, found);
            }
            RelationKind::In { values: InValues::List(list), .. }
            | RelationKind::TupleIn(_, InValues::List(list)) => {
                in_terms(list, found);
            }
            _ => {}
        }
    }
}

fn in_terms<'s>(terms: &'s [Term], found: &mut Vec<&'s QualifiedName>) {
    for term in terms {
        in_term(term, found);
    }
}

fn in_term<'s>(term: &'s Term, found: &mut Vec<&'s QualifiedName>) {
    match &term.kind {
        TermKind::Call(name, arguments) => {
            found.push(name);
            in_terms(arguments, found);
        }
        TermKind::List(all) | TermKind::Set(all) | TermKind::Tuple(all) => {
            in_terms(all, found);
        }
        TermKind::Map(entries) => {
            for (key, value) in entries {
                in_term(key, found);
                in_term(value, found);
            }
        }
        TermKind::UserType(fields) => fields.iter().for_each(|(_, one)| in_term(one, found)),
        TermKind::TypeHint(hint) => in_term(&hint.1, found),
        TermKind::Cast(one, _) | TermKind::Negate(one) => in_term(one, found),
        TermKind::Arithmetic(_, sides) => {
            in_term(&sides.0, found);
            in_term(&sides.1, found);
        }
        _ => {}
    }
}

/// Everything that a SELECT computes with: what it selects and groups by, and the parts of those.
pub fn expressions(select: &Select) -> Vec<&Selectable> {
    let mut all = Vec::new();
    let selected = select.selectors.iter().map(|selector| &selector.expression);
    for one in selected.chain(&select.group_by) {
        parts(one, &mut all);
    }
    all
}

fn parts<'s>(one: &'s Selectable, all: &mut Vec<&'s Selectable>) {
    all.push(one);
    match &one.kind {
        SelectableKind::Call(_, list)
        | SelectableKind::Tuple(list)
        | SelectableKind::List(list)
        | SelectableKind::Set(list) => {
            for one in list {
                parts(one, all);
            }
        }
        SelectableKind::Map(entries) => {
            for (key, value) in entries {
                parts(key, all);
                parts(value, all);
            }
        }
        SelectableKind::TypeHint(hint) => parts(&hint.1, all),
        SelectableKind::Cast(one, _)
        | SelectableKind::Negate(one)
        | SelectableKind::CellInfo(_, one)
        | SelectableKind::Field(one, _)
        | SelectableKind::Element(one, _)
        | SelectableKind::Slice(one, ..) => parts(one, all),
        SelectableKind::Arithmetic(_, sides) => {
            parts(&sides.0, all);
            parts(&sides.1, all);
        }
        SelectableKind::Column(_) | SelectableKind::Term(_) | SelectableKind::CountRows => {}
    }
}
