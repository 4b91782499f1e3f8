//! The file of parameters and rows.

use super::layout::TypescriptWriter;
use super::names::{TypescriptFunction, TypescriptNames, is_made};
use super::types::TypescriptTypes;
use crate::program::{AccessProgram, ApplicationResult, Field, Parameter, Record};

/// The interfaces of user types, parameters and rows.
pub(super) fn write_model(
    program: &AccessProgram,
    names: &TypescriptNames,
    header: &str,
) -> String {
    let types = TypescriptTypes::new(&names.user_types, "");
    let mut body = TypescriptWriter::default();
    for record in &program.user_types {
        if let Some(user) = names.user_types.get(&record.name) {
            body.blank();
            body.comment(&[format!("The type `{}`.", record.name)]);
            let head = format!("export interface {}", user.name);
            let record = Record {
                name: record.name.clone(),
                fields: record
                    .fields
                    .iter()
                    .map(|it| Field { nullable: true, ..it.clone() })
                    .collect(),
            };
            types.write_interface(&mut body, &head, &record, &user.fields);
        }
    }
    for (query, function) in program.queries.iter().zip(&names.queries) {
        write_parameters(&mut body, &types, &query.name, &query.parameters, function);
        write_row(&mut body, &types, &query.name, &query.result, function);
    }
    for (command, function) in program.commands.iter().zip(&names.commands) {
        write_parameters(&mut body, &types, &command.name, &command.parameters, function);
        if let ApplicationResult::Rows(record, _) = &command.result {
            write_row(&mut body, &types, &command.name, record, function);
        }
    }
    let body = body.finish();
    let import = if body.contains("types.") {
        "import type { types } from \"cassandra-driver\";\n"
    } else {
        ""
    };
    let body = if import.is_empty() { body.trim_start_matches('\n').to_owned() } else { body };
    let body = if body.is_empty() { "export {};\n".to_owned() } else { body };
    format!("{header}\n{import}{body}")
}

fn write_row(
    writer: &mut TypescriptWriter,
    types: &TypescriptTypes<'_>,
    name: &str,
    record: &Record,
    function: &TypescriptFunction,
) {
    writer.blank();
    writer.comment(&[format!("A row of `{name}`.")]);
    let head = format!("export interface {}", function.row_type);
    types.write_interface(writer, &head, record, &function.fields);
}

fn write_parameters(
    writer: &mut TypescriptWriter,
    types: &TypescriptTypes<'_>,
    name: &str,
    parameters: &[Parameter],
    function: &TypescriptFunction,
) {
    let fields = |is_wanted: &dyn Fn(&Parameter) -> bool| {
        let wanted = parameters.iter().zip(&function.parameters);
        let wanted = wanted.filter(|(parameter, _)| is_wanted(parameter));
        let wanted = wanted.map(|(parameter, name)| {
            let (ty, nullable) = (parameter.ty.clone(), parameter.nullable);
            (Field { name: parameter.name.clone(), ty, nullable }, name.clone())
        });
        wanted.unzip::<Field, String, Vec<_>, Vec<_>>()
    };
    let mut write = |head: String, about: String, (fields, names): (Vec<Field>, Vec<String>)| {
        writer.blank();
        writer.comment(&[about]);
        let record = Record { name: name.to_owned(), fields };
        types.write_interface(writer, &head, &record, &names);
    };
    if let Some(given) = &function.given_type {
        let head = format!("export interface {given}");
        write(head, format!("The parameters of `{name}`."), fields(&|it| !is_made(it)));
    }
    let Some(all) = &function.parameters_type else { return };
    let (about, base) = match (&function.given_type, &function.full_method) {
        (Some(given), _) => {
            let about = format!("The parameters of `{name}`, with those that it makes itself.");
            (about, format!(" extends {given}"))
        }
        (None, Some(_)) => (format!("The parameters that `{name}` makes itself."), String::new()),
        (None, None) => (format!("The parameters of `{name}`."), String::new()),
    };
    let is_base = function.given_type.is_some();
    write(format!("export interface {all}{base}"), about, fields(&|it| !is_base || is_made(it)));
}
