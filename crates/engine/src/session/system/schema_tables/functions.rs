//! User functions and aggregates.

use cql::types::Type;
use schema::catalog::Keyspace;

use crate::session::system::builder::TableRows;
use crate::session::system::bytes::{boolean, list, text};

/// The functions of a keyspace.
pub(super) fn add_functions(keyspace: &Keyspace, rows: &mut TableRows<'_>) {
    for function in &keyspace.functions {
        rows.add([
            ("keyspace_name", text(&keyspace.name)),
            ("function_name", text(&function.name)),
            ("argument_types", type_names(&function.types())),
            ("argument_names", list(function.arguments.iter().map(|(name, _)| name.as_bytes()))),
            ("body", text(&function.body)),
            ("called_on_null_input", boolean(function.called_on_null_input)),
            ("language", text(&function.language)),
            ("return_type", text(&function.returns.to_string())),
        ]);
    }
}

/// The aggregates of a keyspace.
pub(super) fn add_aggregates(keyspace: &Keyspace, rows: &mut TableRows<'_>) {
    for one in &keyspace.aggregates {
        let mut fields = vec![
            ("keyspace_name", text(&keyspace.name)),
            ("aggregate_name", text(&one.name)),
            ("argument_types", type_names(&one.arguments)),
            ("return_type", text(&one.returns.to_string())),
            ("state_func", text(&one.state_function)),
            ("state_type", text(&one.state_type.to_string())),
        ];
        if let Some(function) = &one.final_function {
            fields.push(("final_func", text(function)));
        }
        let initial = one.initial.as_deref();
        let literal =
            initial.and_then(|bytes| cql::value::literal(&one.state_type, Some(bytes)).ok());
        if let Some(literal) = literal {
            fields.push(("initcond", text(&literal)));
        }
        rows.add(fields);
    }
}

fn type_names(types: &[Type]) -> Vec<u8> {
    list(types.iter().map(ToString::to_string))
}
