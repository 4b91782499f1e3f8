//! The user functions that a statement calls.

use schema::bind::function::{Function, FunctionKind};
use schema::bind::restrictions::{Operand, Restrictions, TokenRestrictionKind};
use schema::bind::select::BoundSelect;
use schema::bind::selection::Expression;
use schema::bind::term::BoundTerm;
use schema::bind::write::{BoundConditions, BoundPredicate, BoundWrite, ConditionPart, WriteRows};

use super::resource::Resource;

/// Those of a SELECT.
pub(super) fn collect_from_select(select: &BoundSelect) -> Vec<Resource> {
    let mut found = Vec::new();
    for column in &select.selection.columns {
        collect_from_expression(&column.expression, &mut found);
    }
    collect_from_restrictions(&select.restrictions, &mut found);
    let limits = [&select.limit, &select.per_partition_limit];
    for term in limits.into_iter().flatten() {
        collect_from_term(term, &mut found);
    }
    found
}

/// Those of an INSERT, UPDATE or DELETE.
pub(super) fn collect_from_write(write: &BoundWrite) -> Vec<Resource> {
    let mut found = Vec::new();
    let using = [&write.using.timestamp, &write.using.ttl];
    for (term, _) in using.into_iter().flatten() {
        collect_from_term(term, &mut found);
    }
    match &write.rows {
        WriteRows::Where(restrictions) => collect_from_restrictions(restrictions, &mut found),
        WriteRows::Key(values) => {
            values.iter().flatten().for_each(|term| collect_from_term(term, &mut found));
        }
        WriteRows::Document { .. } => {}
    }
    for term in write.operations.iter().flat_map(|operation| operation.kind.terms()) {
        collect_from_term(term, &mut found);
    }
    if let BoundConditions::All(conditions) = &write.conditions {
        for condition in conditions {
            if let ConditionPart::Element(term) = &condition.part {
                collect_from_term(term, &mut found);
            }
            match &condition.predicate {
                BoundPredicate::Compare(_, term) => collect_from_term(term, &mut found),
                BoundPredicate::In(terms) => {
                    for term in terms {
                        collect_from_term(term, &mut found);
                    }
                }
                BoundPredicate::InMarker(_) => {}
            }
        }
    }
    found
}

fn collect_from_restrictions(restrictions: &Restrictions, found: &mut Vec<Resource>) {
    if let Some(token) = &restrictions.partition.token {
        match &token.kind {
            TokenRestrictionKind::Equal(term) => collect_from_term(term, found),
            TokenRestrictionKind::Slice(slice) => {
                let terms = slice.operands().flat_map(Operand::terms);
                terms.for_each(|term| collect_from_term(term, found));
            }
        }
    }
    let sets = [&restrictions.partition.columns, &restrictions.clustering, &restrictions.others];
    let terms = sets.into_iter().flat_map(|set| &set.restrictions).flat_map(|one| one.terms());
    terms.for_each(|term| collect_from_term(term, found));
}

fn collect_from_expression(expression: &Expression, found: &mut Vec<Resource>) {
    match expression {
        Expression::Column(_) => {}
        Expression::Term(term) => collect_from_term(term, found),
        Expression::CellInfo { of, .. } | Expression::Field(of, _) => {
            collect_from_expression(of, found);
        }
        Expression::Call { function, arguments } => {
            collect_function(function, found);
            for argument in arguments {
                collect_from_expression(argument, found);
            }
        }
        Expression::Element { of, key, .. } => {
            collect_from_expression(of, found);
            collect_from_term(key, found);
        }
        Expression::Slice { of, from, to, .. } => {
            collect_from_expression(of, found);
            [from, to].into_iter().flatten().for_each(|term| collect_from_term(term, found));
        }
        Expression::Collection { elements, .. } => {
            for element in elements {
                collect_from_expression(element, found);
            }
        }
        Expression::Map { entries, .. } => {
            for (key, value) in entries {
                collect_from_expression(key, found);
                collect_from_expression(value, found);
            }
        }
        Expression::UserType { fields, .. } => {
            for (_, value) in fields {
                collect_from_expression(value, found);
            }
        }
    }
}

fn collect_from_term(term: &BoundTerm, found: &mut Vec<Resource>) {
    match term {
        BoundTerm::Value(_) | BoundTerm::Marker(_) | BoundTerm::Unset => {}
        BoundTerm::Call { function, arguments } => {
            collect_function(function, found);
            for argument in arguments {
                collect_from_term(argument, found);
            }
        }
        BoundTerm::Collection { elements, .. } => {
            for element in elements {
                collect_from_term(element, found);
            }
        }
        BoundTerm::Map { entries, .. } => {
            for (key, value) in entries {
                collect_from_term(key, found);
                collect_from_term(value, found);
            }
        }
    }
}

/// An aggregate also calls the functions that it is made of.
fn collect_function(function: &Function, found: &mut Vec<Resource>) {
    match &function.kind {
        FunctionKind::User(one) => {
            found.push(Resource::Function(one.keyspace.clone(), one.name.clone(), one.types()));
        }
        FunctionKind::UserAggregate(one) => {
            let of =
                |name: &str, types| Resource::Function(one.keyspace.clone(), name.into(), types);
            found.push(of(&one.name, one.arguments.clone()));
            let mut types = vec![one.state_type.clone()];
            types.extend(one.arguments.iter().cloned());
            found.push(of(&one.state_function, types));
            if let Some(last) = &one.final_function {
                found.push(of(last, vec![one.state_type.clone()]));
            }
        }
        _ => {}
    }
}
