//! The user functions that a statement calls.

use schema::bind::function::{Function, FunctionKind};
use schema::bind::restrictions::{Operand, Restrictions, TokenRestrictionKind};
use schema::bind::select::BoundSelect;
use schema::bind::selection::Expression;
use schema::bind::term::BoundTerm;
use schema::bind::write::{BoundConditions, BoundTest, BoundWrite, ConditionedPart, Rows};

use super::resource::Resource;

/// Those of a SELECT.
pub(super) fn of_select(select: &BoundSelect) -> Vec<Resource> {
    let mut found = Vec::new();
    for column in &select.selection.columns {
        in_expression(&column.expression, &mut found);
    }
    in_restrictions(&select.restrictions, &mut found);
    let limits = [&select.limit, &select.per_partition_limit];
    for term in limits.into_iter().flatten() {
        in_term(term, &mut found);
    }
    found
}

/// Those of an INSERT, UPDATE or DELETE.
pub(super) fn of_write(write: &BoundWrite) -> Vec<Resource> {
    let mut found = Vec::new();
    let using = [&write.using.timestamp, &write.using.ttl];
    for (term, _) in using.into_iter().flatten() {
        in_term(term, &mut found);
    }
    match &write.rows {
        Rows::Where(restrictions) => in_restrictions(restrictions, &mut found),
        Rows::Key(values) => {
            values.iter().flatten().for_each(|term| in_term(term, &mut found));
        }
        Rows::Document { .. } => {}
    }
    for term in write.operations.iter().flat_map(|operation| operation.kind.terms()) {
        in_term(term, &mut found);
    }
    if let BoundConditions::All(conditions) = &write.conditions {
        for condition in conditions {
            if let ConditionedPart::Element(term) = &condition.part {
                in_term(term, &mut found);
            }
            match &condition.test {
                BoundTest::Compare(_, term) => in_term(term, &mut found),
                BoundTest::In(terms) => terms.iter().for_each(|term| in_term(term, &mut found)),
                BoundTest::InMarker(_) => {}
            }
        }
    }
    found
}

fn in_restrictions(restrictions: &Restrictions, found: &mut Vec<Resource>) {
    if let Some(token) = &restrictions.partition.token {
        match &token.kind {
            TokenRestrictionKind::Equal(term) => in_term(term, found),
            TokenRestrictionKind::Slice(slice) => {
                let terms = slice.operands().flat_map(Operand::terms);
                terms.for_each(|term| in_term(term, found));
            }
        }
    }
    let sets = [&restrictions.partition.columns, &restrictions.clustering, &restrictions.others];
    let terms = sets.into_iter().flat_map(|set| &set.restrictions).flat_map(|one| one.terms());
    terms.for_each(|term| in_term(term, found));
}

fn in_expression(expression: &Expression, found: &mut Vec<Resource>) {
    match expression {
        Expression::Column(_) => {}
        Expression::Term(term) => in_term(term, found),
        Expression::CellInfo { of, .. } | Expression::Field(of, _) => in_expression(of, found),
        Expression::Call { function, arguments } => {
            note(function, found);
            for argument in arguments {
                in_expression(argument, found);
            }
        }
        Expression::Element { of, key, .. } => {
            in_expression(of, found);
            in_term(key, found);
        }
        Expression::Slice { of, from, to, .. } => {
            in_expression(of, found);
            [from, to].into_iter().flatten().for_each(|term| in_term(term, found));
        }
        Expression::Collection { elements, .. } => {
            for element in elements {
                in_expression(element, found);
            }
        }
        Expression::Map { entries, .. } => {
            for (key, value) in entries {
                in_expression(key, found);
                in_expression(value, found);
            }
        }
        Expression::UserType { fields, .. } => {
            for (_, value) in fields {
                in_expression(value, found);
            }
        }
    }
}

fn in_term(term: &BoundTerm, found: &mut Vec<Resource>) {
    match term {
        BoundTerm::Value(_) | BoundTerm::Marker(_) | BoundTerm::Unset => {}
        BoundTerm::Call { function, arguments } => {
            note(function, found);
            for argument in arguments {
                in_term(argument, found);
            }
        }
        BoundTerm::Collection { elements, .. } => {
            for element in elements {
                in_term(element, found);
            }
        }
        BoundTerm::Map { entries, .. } => {
            for (key, value) in entries {
                in_term(key, found);
                in_term(value, found);
            }
        }
    }
}

/// An aggregate also calls the functions that it is made of.
fn note(function: &Function, found: &mut Vec<Resource>) {
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
