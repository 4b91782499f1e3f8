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
         type ProofCall = (db: Access, args: CallArguments, page: PageRequest | null) => Promise<Found>;\n\n\
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
    let page = function.page_method.as_deref().filter(|_| result.is_some());
    let args = match (parameters.is_empty(), page) {
        (true, None) => "(db)",
        (false, None) => "(db, args)",
        // The compiler refuses parameters that are not used, unless they are named so.
        (true, Some(_)) => "(db, _args, page)",
        (false, Some(_)) => "(db, args, page)",
    };
    writer.block(&format!("calls.set({}, async {args} => {{", quote(name)), "});", |writer| {
        let Some(record) = result else {
            write_method_call(writer, types, (parameters, function), ("", ""), false);
            writer.line("return { rows: [] };");
            return;
        };
        let values = record.fields.iter().zip(&function.fields);
        let values = values.map(|(field, property)| {
            TypescriptCode::text(format!("{}.write(row.{property})", types.codec(&field.ty)))
        });
        let head = format!("(row: m.{}): Datum[]", function.row_type);
        let encode = TypescriptCode::Arrow(head, Box::new(TypescriptCode::Array(values.collect())));
        writer.code("const encode = ", &encode, ";");
        if let Some(method) = page {
            writer.block("if (page !== null) {", "}", |writer| {
                let size = "page.size, page.token";
                write_method_call(writer, types, (parameters, function), (method, size), true);
                writer.line("return { rows: found.rows.map(encode), token: found.token };");
            });
        }
        write_method_call(writer, types, (parameters, function), ("", ""), true);
        writer.line("return encodeRows(found, encode);");
    });
}

/// Calls a method with all parameters, or the one that returns pages, whose size and token follow.
fn write_method_call(
    writer: &mut TypescriptWriter,
    types: &TypescriptTypes<'_>,
    (parameters, function): (&[Parameter], &TypescriptFunction),
    (page_method, page): (&str, &str),
    has_rows: bool,
) {
    let full = function.full_method.as_ref().unwrap_or(&function.method);
    let method = if page.is_empty() { full } else { page_method };
    let before = if has_rows { "const found = " } else { "" };
    if parameters.is_empty() {
        writer.line(format!("{before}await db.{method}({page});"));
        return;
    }
    let end = if page.is_empty() { "});".to_owned() } else { format!("}}, {page});") };
    writer.block(&format!("{before}await db.{method}({{"), &end, |writer| {
        for (at, (parameter, property)) in parameters.iter().zip(&function.parameters).enumerate() {
            let codec = types.codec(&parameter.ty);
            let read = if parameter.nullable { "nullable" } else { "required" };
            writer.line(format!("{property}: args.{read}({at}, {codec}),"));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::write_call;
    use crate::program::{DataType, Field, Record};
    use crate::typescript::layout::TypescriptWriter;
    use crate::typescript::names::TypescriptFunction;
    use crate::typescript::types::TypescriptTypes;

    #[test]
    fn pages_without_parameters_have_no_unused_one() {
        let function = TypescriptFunction {
            method: "sensors".to_owned(),
            full_method: None,
            page_method: Some("sensorsPage".to_owned()),
            parameters_type: None,
            given_type: None,
            parameters: Vec::new(),
            row_type: "SensorsRow".to_owned(),
            fields: vec!["id".to_owned()],
            private: "Sensors".to_owned(),
        };
        let field = Field { name: "id".to_owned(), ty: DataType::Int, nullable: false };
        let record = Record { name: "Sensors".to_owned(), fields: vec![field] };
        let users = std::collections::BTreeMap::new();
        let (mut writer, types) = (TypescriptWriter::default(), TypescriptTypes::new(&users, "m."));
        write_call(&mut writer, &types, "Sensors", &[], &function, Some(&record));
        let text = writer.finish();
        assert!(text.starts_with("calls.set(\"Sensors\", async (db, _args, page) => {"), "{text}");
    }
}
