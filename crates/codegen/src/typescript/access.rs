//! The file of the class.

use super::command::{is_called, write_command};
use super::layout::TypescriptWriter;
use super::names::TypescriptNames;
use super::query::{TypescriptFile, write_query};
use super::types::TypescriptTypes;
use crate::program::AccessProgram;

/// The class with its functions.
pub(super) fn write_access(
    program: &AccessProgram,
    names: &TypescriptNames,
    header: &str,
) -> String {
    let types = TypescriptTypes::new(&names.user_types, "m.");
    let mut file = TypescriptFile::default();
    let class = &names.class;
    file.methods.indent_lines(|methods| {
        let mut inner = TypescriptFile { methods: std::mem::take(methods), ..Default::default() };
        for (query, function) in program.queries.iter().zip(&names.queries) {
            write_query(&mut inner, &types, query, function);
        }
        for at in (0..program.commands.len()).filter(|at| is_called(program, *at)) {
            write_command(&mut inner, &types, program, names, at);
        }
        file.interfaces = inner.interfaces;
        file.statements = inner.statements;
        *methods = inner.methods;
    });
    let mut codecs = TypescriptWriter::default();
    types.write_codecs(&mut codecs);
    let codecs = codecs.finish();
    let mut head = TypescriptWriter::default();
    head.comment(&[format!("The queries and writes of the keyspace `{}`.", program.keyspace)]);
    head.line(format!("export class {class} {{"));
    head.line("  readonly #session: h.Session;");
    head.blank();
    head.comment_at(1, "The client stays the caller's: connect it before, and shut it down.");
    head.line("  constructor(client: Client, options: h.AccessOptions = {}) {");
    head.line("    this.#session = new h.Session(client, options);");
    head.line("  }");
    let separator = if codecs.is_empty() { "" } else { "\n" };
    let body = format!(
        "{codecs}{separator}{}{}{}{}}}\n",
        file.statements.finish(),
        file.interfaces.finish(),
        head.finish(),
        file.methods.finish()
    );
    let import = if body.contains("types.") { "types, type Client" } else { "type Client" };
    let import = match import {
        "type Client" => "import type { Client } from \"cassandra-driver\";".to_owned(),
        both => format!("import {{ {both} }} from \"cassandra-driver\";"),
    };
    let model = if body.contains("m.") { "import type * as m from \"./model.js\";\n" } else { "" };
    let support = "import * as h from \"./support.js\";";
    format!("{header}\n{import}\n{model}{support}\n\n{body}")
}
