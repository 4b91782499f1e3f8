//! DESCRIBE of types, functions and aggregates.

use cql::printer::identifier;
use cql::types::{Type, UserType};
use schema::catalog::{UserAggregate, UserFunction};

use super::cql_builder::CqlBuilder;

/// `CREATE TYPE`
pub(super) fn describe_type(user: &UserType) -> String {
    let mut text = CqlBuilder::default();
    text.add("CREATE TYPE ").add(identifier(&user.keyspace)).add('.').add(identifier(&user.name));
    text.add(" (").new_line().indent();
    for (i, (name, ty)) in user.fields.iter().enumerate() {
        if i > 0 {
            text.add(',').new_line();
        }
        text.add(identifier(name)).add(' ').add(ty);
    }
    text.new_line().outdent().add(");");
    text.finish()
}

/// `CREATE FUNCTION`
pub(super) fn describe_function(function: &UserFunction) -> String {
    let mut text = CqlBuilder::default();
    text.add("CREATE FUNCTION ");
    text.add(identifier(&function.keyspace)).add('.').add(identifier(&function.name)).add('(');
    let arguments = function.arguments.iter();
    text.list(arguments.map(|(name, ty)| format!("{} {}", identifier(name), type_name(ty))));
    text.add(')').new_line().indent();
    text.add(if function.called_on_null_input { "CALLED" } else { "RETURNS NULL" });
    text.add(" ON NULL INPUT").new_line();
    text.add("RETURNS ").add(type_name(&function.returns)).new_line();
    text.add("LANGUAGE ").add(&function.language).new_line();
    text.add("AS $$").add(&function.body).add("$$;");
    text.finish()
}

/// `CREATE AGGREGATE`
pub(super) fn describe_aggregate(aggregate: &UserAggregate) -> String {
    let mut text = CqlBuilder::default();
    text.add("CREATE AGGREGATE ");
    text.add(identifier(&aggregate.keyspace)).add('.').add(identifier(&aggregate.name));
    text.add(argument_list(&aggregate.arguments)).new_line().indent();
    text.add("SFUNC ").add(identifier(&aggregate.state_function)).new_line();
    text.add("STYPE ").add(type_name(&aggregate.state_type));
    if let Some(function) = &aggregate.final_function {
        text.new_line().add("FINALFUNC ").add(identifier(function));
    }
    if let Some(initial) = &aggregate.initial {
        let literal = cql::value::literal(&aggregate.state_type, Some(initial));
        text.new_line().add("INITCOND ").add(literal.unwrap_or_default());
    }
    text.add(';');
    text.finish()
}

/// Argument types in parentheses.
pub(super) fn argument_list(types: &[Type]) -> String {
    let types: Vec<_> = types.iter().map(type_name).collect();
    format!("({})", types.join(", "))
}

/// A type as in function declarations, where tuples are not marked as frozen.
fn type_name(ty: &Type) -> String {
    let text = ty.to_string();
    match ty {
        Type::Tuple(_) => {
            let inside = text.strip_prefix("frozen<").and_then(|text| text.strip_suffix('>'));
            inside.map_or(text.clone(), ToOwned::to_owned)
        }
        _ => text,
    }
}
