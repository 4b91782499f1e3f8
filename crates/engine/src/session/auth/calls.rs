//! The user functions that a statement calls, for which EXECUTE is needed.

use schema::bind::function::{Function, FunctionKind};
use schema::bind::restrictions::{Operand, Restrictions, TokenRestrictionKind};
use schema::bind::select::BoundSelect;
use schema::bind::selection::Expression;
use schema::bind::term::BoundTerm;
use schema::bind::write::{BoundConditions, BoundPredicate, BoundWrite, ConditionPart, WriteRows};

use super::resource::Resource;

/// The functions of a SELECT.
pub(super) fn collect_from_select(select: &BoundSelect) -> Vec<Resource> {
    let mut functions = Vec::new();
    for column in &select.selection.columns {
        collect_from_expression(&column.expression, &mut functions);
    }
    collect_from_restrictions(&select.restrictions, &mut functions);
    let limits = [&select.limit, &select.per_partition_limit];
    for term in limits.into_iter().flatten() {
        collect_from_term(term, &mut functions);
    }
    functions
}

/// The functions of an INSERT, UPDATE or DELETE.
pub(super) fn collect_from_write(write: &BoundWrite) -> Vec<Resource> {
    let mut functions = Vec::new();
    let using = [&write.using.timestamp, &write.using.ttl];
    for (term, _) in using.into_iter().flatten() {
        collect_from_term(term, &mut functions);
    }
    match &write.rows {
        WriteRows::Where(restrictions) => collect_from_restrictions(restrictions, &mut functions),
        WriteRows::Key(values) => {
            values.iter().flatten().for_each(|term| collect_from_term(term, &mut functions));
        }
        WriteRows::Document { .. } => {}
    }
    for term in write.operations.iter().flat_map(|operation| operation.kind.terms()) {
        collect_from_term(term, &mut functions);
    }
    if let BoundConditions::All(conditions) = &write.conditions {
        for condition in conditions {
            if let ConditionPart::Element(term) = &condition.part {
                collect_from_term(term, &mut functions);
            }
            match &condition.predicate {
                BoundPredicate::Compare(_, term) => collect_from_term(term, &mut functions),
                BoundPredicate::In(terms) => {
                    for term in terms {
                        collect_from_term(term, &mut functions);
                    }
                }
                BoundPredicate::InMarker(_) => {}
            }
        }
    }
    functions
}

fn collect_from_restrictions(restrictions: &Restrictions, functions: &mut Vec<Resource>) {
    if let Some(token) = &restrictions.partition.token {
        match &token.kind {
            TokenRestrictionKind::Equal(term) => collect_from_term(term, functions),
            TokenRestrictionKind::Slice(slice) => {
                let terms = slice.operands().flat_map(Operand::terms);
                terms.for_each(|term| collect_from_term(term, functions));
            }
        }
    }
    let sets = [&restrictions.partition.columns, &restrictions.clustering, &restrictions.others];
    let terms = sets
        .into_iter()
        .flat_map(|set| &set.restrictions)
        .flat_map(|restriction| restriction.terms());
    terms.for_each(|term| collect_from_term(term, functions));
}

fn collect_from_expression(expression: &Expression, functions: &mut Vec<Resource>) {
    match expression {
        Expression::Column(_) => {}
        Expression::Term(term) => collect_from_term(term, functions),
        Expression::CellInfo { of, .. } | Expression::Field(of, _) => {
            collect_from_expression(of, functions);
        }
        Expression::Call { function, arguments } => {
            collect_function(function, functions);
            for argument in arguments {
                collect_from_expression(argument, functions);
            }
        }
        Expression::Element { of, key, .. } => {
            collect_from_expression(of, functions);
            collect_from_term(key, functions);
        }
        Expression::Slice { of, from, to, .. } => {
            collect_from_expression(of, functions);
            [from, to].into_iter().flatten().for_each(|term| collect_from_term(term, functions));
        }
        Expression::Collection { elements, .. } => {
            for element in elements {
                collect_from_expression(element, functions);
            }
        }
        Expression::Map { entries, .. } => {
            for (key, value) in entries {
                collect_from_expression(key, functions);
                collect_from_expression(value, functions);
            }
        }
        Expression::UserType { fields, .. } => {
            for (_, value) in fields {
                collect_from_expression(value, functions);
            }
        }
    }
}

fn collect_from_term(term: &BoundTerm, functions: &mut Vec<Resource>) {
    match term {
        BoundTerm::Value(_) | BoundTerm::Marker(_) | BoundTerm::Unset => {}
        BoundTerm::Call { function, arguments } => {
            collect_function(function, functions);
            for argument in arguments {
                collect_from_term(argument, functions);
            }
        }
        BoundTerm::Collection { elements, .. } => {
            for element in elements {
                collect_from_term(element, functions);
            }
        }
        BoundTerm::Map { entries, .. } => {
            for (key, value) in entries {
                collect_from_term(key, functions);
                collect_from_term(value, functions);
            }
        }
    }
}

/// Adds a function; an aggregate also calls its state and final functions.
fn collect_function(function: &Function, functions: &mut Vec<Resource>) {
    match &function.kind {
        FunctionKind::User(function) => {
            functions.push(Resource::Function(
                function.keyspace.clone(),
                function.name.clone(),
                function.types(),
            ));
        }
        FunctionKind::UserAggregate(aggregate) => {
            let resource = |name: &str, types| {
                Resource::Function(aggregate.keyspace.clone(), name.into(), types)
            };
            functions.push(resource(&aggregate.name, aggregate.arguments.clone()));
            let mut types = vec![aggregate.state_type.clone()];
            types.extend(aggregate.arguments.iter().cloned());
            functions.push(resource(&aggregate.state_function, types));
            if let Some(last) = &aggregate.final_function {
                functions.push(resource(last, vec![aggregate.state_type.clone()]));
            }
        }
        _ => {}
    }
}
