//! The files beside the code: build file, configuration, schema, README.

use std::collections::BTreeSet;

use super::access::profile_prefix;
use super::context::JavaContext;
use super::signatures::find_supply;
use crate::program::{ApplicationResult, Cardinality, CommandStep, Parameter};

const POM: &str = include_str!("../../templates/java/pom.xml");

/// `pom.xml`.
pub(super) fn print_pom(context: &JavaContext<'_>) -> String {
    let artifact = format!("{}access", profile_prefix(context));
    POM.replace("@HEADER@", &context.header.replace("--", "- -"))
        .replace("@GROUP@", &context.names.package)
        .replace("@ARTIFACT@", &artifact)
}

/// `schema.cql`.
pub(super) fn print_schema(context: &JavaContext<'_>) -> String {
    let mut text = format!("-- {}\n", context.header);
    for statement in &context.program.schema {
        let statement = statement.trim_end().trim_end_matches(';');
        text.push_str(&format!("\n{statement};\n"));
    }
    text
}

/// The consistency levels that are used.
fn list_levels(context: &JavaContext<'_>) -> BTreeSet<String> {
    let mut levels = BTreeSet::new();
    let queries = context.program.queries.iter().flat_map(|query| &query.steps);
    levels.extend(queries.map(|step| step.statement.consistency.clone()));
    for step in context.program.commands.iter().flat_map(|command| &command.steps) {
        match step {
            CommandStep::Read(fetch) => {
                levels.insert(fetch.statement.consistency.clone());
            }
            CommandStep::Send(send) => {
                levels.insert(send.statement.consistency.clone());
            }
            CommandStep::Batch { sends, .. } => {
                levels.extend(sends.iter().map(|send| send.statement.consistency.clone()));
            }
            CommandStep::Run(_) => {}
        }
    }
    levels
}

/// The execution profiles, for `application.conf`.
pub(super) fn print_profiles(context: &JavaContext<'_>) -> String {
    let prefix = profile_prefix(context);
    let mut text = format!(
        "# {}\n#\n# Execution profiles, one for each consistency level. Include this file in application.conf to\n\
         # change them; without it, the code sets the consistency level of each statement.\n\
         datastax-java-driver.profiles {{\n",
        context.header
    );
    for level in list_levels(context) {
        let profile = format!("{prefix}{}", level.to_lowercase().replace('_', "-"));
        text.push_str(&format!("  {profile} {{\n    basic.request.consistency = {level}\n  }}\n"));
    }
    text.push_str("}\n");
    text
}

/// `README.md`.
pub(super) fn print_readme(context: &JavaContext<'_>) -> String {
    let (access, package) = (&context.names.access, &context.names.package);
    let keyspace = &context.program.keyspace;
    let profiles = profiles_file(context);
    let mut text = format!(
        "<!-- {} -->\n\n# {keyspace}\n\nData access for the keyspace `{keyspace}`, for Java 17 with the Apache Java driver 4.\n\n\
         ## Schema\n\nCreate the keyspace, then the tables:\n\n```sh\ncqlsh -k {keyspace} -f schema.cql\n```\n\n\
         ## Connect\n\n```java\nimport {package}.{access};\nimport com.datastax.oss.driver.api.core.CqlSession;\n\n\
         CqlSession session = CqlSession.builder().withKeyspace(\"{keyspace}\").withLocalDatacenter(\"datacenter1\").build();\n\
         {access} access = new {access}(session);\n```\n\n\
         `AccessOptions` has the clock, an observer (`Slf4jAccessObserver`, `MicrometerAccessObserver`), the number of\n\
         statements in flight, the attempts of writes, the page size and the time for a statement.\n\n\
         Consistency levels are those of the model. To change them, include `{profiles}` in `application.conf`\n\
         (`include \"{profiles}\"`) and edit its profiles.\n\n\
         Each function has a form that waits and a form `...Async` that returns a `CompletionStage`.\n\
         Errors are `AccessException`: `ConstraintViolation` where SQL would refuse the write, and `PartialWrite` where a write\n\
         stopped after steps that cannot be undone.\n",
        context.header.replace("--", "- -")
    );
    if !context.program.queries.is_empty() {
        text.push_str("\n## Queries\n\n```java\n");
        for (query, name) in context.program.queries.iter().zip(&context.names.queries) {
            let class = match query.cardinality {
                Cardinality::One => format!("Optional<{}> row", name.row),
                Cardinality::Many => format!("List<{}> rows", name.row),
            };
            let arguments = list_given(&query.parameters, &name.parameters);
            text.push_str(&format!(
                "{class} = access.{}({});\n",
                name.method,
                arguments.join(", ")
            ));
            if query.find_paging().is_some() {
                let all = name.parameters.iter().cloned();
                let all: Vec<_> = all.chain(["100".to_owned(), "null".to_owned()]).collect();
                let (row, method) = (&name.row, &name.method);
                text.push_str(&format!(
                    "Page<{row}> page = access.{method}Page({});\n",
                    all.join(", ")
                ));
            }
        }
        text.push_str("```\n");
    }
    if context.program.commands.iter().any(|command| !command.derived) {
        text.push_str("\n## Writes\n\n```java\n");
        let commands = context.program.commands.iter().zip(&context.names.commands);
        for (command, name) in commands.filter(|(command, _)| !command.derived) {
            let result = match &command.result {
                ApplicationResult::Nothing => String::new(),
                ApplicationResult::Applied => "boolean applied = ".to_owned(),
                ApplicationResult::Rows(_, Cardinality::One) => {
                    format!("Optional<{}> row = ", name.row)
                }
                ApplicationResult::Rows(_, Cardinality::Many) => {
                    format!("List<{}> rows = ", name.row)
                }
            };
            let arguments = list_given(&command.parameters, &name.parameters);
            text.push_str(&format!("{result}access.{}({});\n", name.method, arguments.join(", ")));
        }
        text.push_str("```\n");
    }
    text
}

/// The file of the execution profiles.
pub(super) fn profiles_file(context: &JavaContext<'_>) -> String {
    format!("{}profiles.conf", profile_prefix(context))
}

fn list_given(parameters: &[Parameter], names: &[String]) -> Vec<String> {
    let given = parameters.iter().zip(names).filter(|(it, _)| find_supply(it).is_none());
    given.map(|(_, name)| name.clone()).collect()
}
