//! The program that runs the operations of a proof.

use super::layout::{TypescriptCode, TypescriptWriter, quote};
use super::names::{TypescriptFunction, TypescriptNames};
use super::types::TypescriptTypes;
use crate::program::{AccessProgram, ApplicationResult, Parameter, Record};

/// The proof driver.
pub(super) fn write_proof(
    program: &AccessProgram,
    names: &TypescriptNames,
    header: &str,
) -> String {
    let types = TypescriptTypes::new(&names.user_types, "m.");
    let mut calls = TypescriptWriter::default();
    for (query, function) in program.queries.iter().zip(&names.queries) {
        let result = Some(&query.result);
        write_call(&mut calls, &types, &query.name, &query.parameters, function, result);
    }
    let stated = program.commands.iter().zip(&names.commands);
    for (command, function) in stated.filter(|(command, _)| !command.derived) {
        let result = match &command.result {
            ApplicationResult::Rows(record, _) => Some(record),
            _ => None,
        };
        write_call(&mut calls, &types, &command.name, &command.parameters, function, result);
    }
    let calls = calls.finish();
    let mut codecs = TypescriptWriter::default();
    types.write_codecs(&mut codecs);
    let codecs = codecs.finish();
    let template = include_str!("../../templates/typescript/proofDriver.ts");
    let class = &names.class;
    let model = if calls.contains("m.") || codecs.contains("m.") {
        "import type * as m from \"./model.js\";\n"
    } else {
        ""
    };
    let access = if class == "Access" {
        "import { Access } from \"./access.js\";".to_owned()
    } else {
        format!("import {{ {class} as Access }} from \"./access.js\";")
    };
    let types_import =
        if calls.contains("types.") || codecs.contains("types.") { ", types" } else { "" };
    let (before, after) = template.split_once("interface Connection").unwrap_or((template, ""));
    let codecs = if codecs.is_empty() { codecs } else { format!("{codecs}\n") };
    format!(
        "{header}\nimport {{ createInterface }} from \"node:readline\";\n\n\
         import * as driver from \"cassandra-driver\";\n\
         import {{ Client, policies{types_import} }} from \"cassandra-driver\";\n\n\
         {access}\n{model}import * as h from \"./support.js\";\n\n{before}{codecs}\
         type ProofCall = (db: Access, args: CallArguments) => Promise<Datum[][]>;\n\n\
         const calls = new Map<string, ProofCall>();\n{calls}\ninterface Connection{after}"
    )
}

fn write_call(
    writer: &mut TypescriptWriter,
    types: &TypescriptTypes<'_>,
    name: &str,
    parameters: &[Parameter],
    function: &TypescriptFunction,
    result: Option<&Record>,
) {
    let args = if parameters.is_empty() { "(db)" } else { "(db, args)" };
    writer.block(&format!("calls.set({}, async {args} => {{", quote(name)), "});", |writer| {
        let method = function.full_method.as_ref().unwrap_or(&function.method);
        let before = if result.is_some() { "const found = " } else { "" };
        if parameters.is_empty() {
            writer.line(format!("{before}await db.{method}();"));
        } else {
            writer.block(&format!("{before}await db.{method}({{"), "});", |writer| {
                let all = parameters.iter().zip(&function.parameters).enumerate();
                for (at, (parameter, property)) in all {
                    let codec = types.codec(&parameter.ty);
                    let read = if parameter.nullable { "nullable" } else { "required" };
                    writer.line(format!("{property}: args.{read}({at}, {codec}),"));
                }
            });
        }
        let Some(record) = result else {
            writer.line("return [];");
            return;
        };
        let values = record.fields.iter().zip(&function.fields);
        let values = values.map(|(field, property)| {
            TypescriptCode::text(format!("{}.write(row.{property})", types.codec(&field.ty)))
        });
        let head = format!("(row: m.{}): Datum[]", function.row_type);
        let encode = TypescriptCode::Arrow(head, Box::new(TypescriptCode::Array(values.collect())));
        writer.code("const encode = ", &encode, ";");
        writer.line("return encodeRows(found, encode);");
    });
}
