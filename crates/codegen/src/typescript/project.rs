//! The files around the code: package, settings, schema, README.

use super::names::{TypescriptFunction, TypescriptNames};
use crate::language::{GeneratedFile, GenerationOptions};
use crate::program::{AccessProgram, Cardinality, Command, Query};

/// The files around the code.
pub(super) fn list_files(
    program: &AccessProgram,
    options: &GenerationOptions,
    names: &TypescriptNames,
    notice: &str,
) -> Vec<GeneratedFile> {
    let comment =
        |mark: &str| -> String { notice.lines().map(|line| format!("{mark} {line}\n")).collect() };
    let file = |path: &str, text: String| GeneratedFile { path: path.to_owned(), text };
    let slashes = comment("//");
    let class = &names.class;
    let index = format!(
        "{slashes}\nexport {{ {class} }} from \"./access.js\";\nexport type * from \"./model.js\";\n{}",
        include_str!("../../templates/typescript/index.ts")
    );
    vec![
        file("package.json", write_package(program, options, names, notice)),
        file("tsconfig.json", include_str!("../../templates/typescript/tsconfig.json").to_owned()),
        file(".prettierrc.json", "{ \"printWidth\": 120 }\n".to_owned()),
        file(".gitignore", format!("{}dist/\nnode_modules/\n", comment("#"))),
        file(
            "eslint.config.js",
            format!("{slashes}\n{}", include_str!("../../templates/typescript/eslint.config.js")),
        ),
        file("schema.cql", write_schema(program, &comment("--"))),
        file("README.md", write_readme(program, names, notice)),
        file("src/index.ts", index),
    ]
}

fn write_package(
    program: &AccessProgram,
    options: &GenerationOptions,
    names: &TypescriptNames,
    notice: &str,
) -> String {
    let template = include_str!("../../templates/typescript/package.json");
    let proof = if options.with_proof_driver {
        "\n    \"prove\": \"node dist/proofDriver.js\","
    } else {
        ""
    };
    let notice = notice.lines().collect::<Vec<_>>().join(" ");
    template
        .replace("@NAME@", &names.package)
        .replace("@NOTICE@", &escape_json(&notice))
        .replace("@KEYSPACE@", &escape_json(&program.keyspace))
        .replace("@PROOF@", proof)
}

fn escape_json(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

fn write_schema(program: &AccessProgram, comment: &str) -> String {
    let mut text = comment.to_owned();
    for statement in &program.schema {
        text.push_str(&format!("\n{};\n", statement.trim().trim_end_matches(';')));
    }
    text
}

fn write_readme(program: &AccessProgram, names: &TypescriptNames, notice: &str) -> String {
    let examples: String = program
        .queries
        .iter()
        .zip(&names.queries)
        .map(|(query, function)| describe_query(query, function))
        .chain(
            program
                .commands
                .iter()
                .zip(&names.commands)
                .filter(|(command, _)| !command.derived)
                .map(|(command, function)| describe_command(command, function)),
        )
        .collect();
    let notice = notice.lines().map(|line| format!("<!-- {line} -->\n")).collect::<String>();
    include_str!("../../templates/typescript/README.md")
        .replace("@NOTICE@\n", &notice)
        .replace("@NAME@", &names.package)
        .replace("@CLASS@", &names.class)
        .replace("@KEYSPACE@", &program.keyspace)
        .replace("@SOURCE@", &program.source)
        .replace("@EXAMPLES@\n", examples.trim_end_matches('\n'))
        + "\n"
}

fn describe_query(query: &Query, function: &TypescriptFunction) -> String {
    let variable = if query.cardinality == Cardinality::One { "row" } else { "rows" };
    let argument = write_argument(function);
    let page = function.page_method.as_ref().map_or_else(String::new, |page| {
        let before = if argument.is_empty() { String::new() } else { format!("{argument}, ") };
        format!("const page = await db.{page}({before}100);\n")
    });
    let call = format!("const {variable} = await db.{}({argument});\n{page}", function.method);
    format!("### `{}`\n\n```typescript\n{call}```\n\n", query.name)
}

fn describe_command(command: &Command, function: &TypescriptFunction) -> String {
    let call = format!("await db.{}({});\n", function.method, write_argument(function));
    format!("### `{}`\n\n```typescript\n{call}```\n\n", command.name)
}

/// The argument of an example: an object of the parameters that the caller gives.
fn write_argument(function: &TypescriptFunction) -> String {
    let has_given = function.given_type.is_some() || function.full_method.is_none();
    if function.parameters_type.is_none() || !has_given {
        return String::new();
    }
    if function.parameters.len() > 6 || function.given_type.is_some() {
        return "params".to_owned();
    }
    format!("{{ {} }}", function.parameters.join(", "))
}
