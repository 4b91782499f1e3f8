//! Java 17 with the Apache Java driver 4.
//!
//! - `names`, `types`, `context`: identifiers, classes and codecs, and what all printers share.
//! - `expressions`, `conditions`: values that the client computes.
//! - `repetitions`, `fetches`, `stages`, `query_runs`, `page_runs`, `queries`: functions that read.
//! - `command_runs`, `commands`: functions that write.
//! - `statements`, `records`, `access`, `imports`: the files of the package.
//! - `project`, `driver`: the files beside them; `limits`: what Java does not allow.

mod access;
mod command_runs;
mod commands;
mod comments;
mod conditions;
mod context;
mod driver;
mod expressions;
mod fetches;
mod imports;
mod limits;
mod names;
mod page_runs;
mod project;
mod queries;
mod query_runs;
mod records;
mod repetitions;
mod signatures;
mod stages;
mod statements;
mod types;

use crate::language::{GeneratedCode, GeneratedFile, GenerationOptions, UnsupportedProgram};
use crate::program::AccessProgram;

use context::JavaContext;
use imports::print_file;

/// The files whose text does not depend on the program.
const TEMPLATES: [(&str, &str); 10] = [
    ("AccessException", include_str!("../../templates/java/AccessException.java")),
    ("AccessObserver", include_str!("../../templates/java/AccessObserver.java")),
    ("AccessOptions", include_str!("../../templates/java/AccessOptions.java")),
    ("AccessSupport", include_str!("../../templates/java/AccessSupport.java")),
    ("ConstraintViolation", include_str!("../../templates/java/ConstraintViolation.java")),
    (
        "MicrometerAccessObserver",
        include_str!("../../templates/java/MicrometerAccessObserver.java"),
    ),
    ("Page", include_str!("../../templates/java/Page.java")),
    ("PartialWrite", include_str!("../../templates/java/PartialWrite.java")),
    ("Slf4jAccessObserver", include_str!("../../templates/java/Slf4jAccessObserver.java")),
    ("Values", include_str!("../../templates/java/Values.java")),
];

/// The code of a program.
pub(crate) fn generate(
    program: &AccessProgram,
    options: &GenerationOptions,
) -> Result<GeneratedCode, UnsupportedProgram> {
    limits::check_limits(program)?;
    let context = JavaContext::new(program, options);
    let mut classes = vec![(context.names.access.clone(), access::print_access(&context))];
    classes.extend(list_records(&context));
    let driver = options.with_proof_driver.then(|| driver::print_driver(&context));
    classes.extend(records::print_codecs(&context).map(|text| ("Codecs".to_owned(), text)));
    classes.push(("Statements".to_owned(), statements::print_statements(&context)));
    let package = &context.names.package;
    let folder = format!("src/main/java/{}", package.replace('.', "/"));
    let mut files: Vec<GeneratedFile> = classes
        .into_iter()
        .map(|(name, text)| (name, print_file(&context.header, package, &text)))
        .chain(TEMPLATES.into_iter().map(|(name, text)| {
            let text = text.replace("@HEADER@", &context.header).replace("@PACKAGE@", package);
            (name.to_owned(), text)
        }))
        .chain(driver.map(|text| ("ProofDriver".to_owned(), text)))
        .map(|(name, text)| GeneratedFile { path: format!("{folder}/{name}.java"), text })
        .collect();
    let beside = [
        ("pom.xml".to_owned(), project::print_pom(&context)),
        ("README.md".to_owned(), project::print_readme(&context)),
        ("schema.cql".to_owned(), project::print_schema(&context)),
        (
            format!("src/main/resources/{}", project::profiles_file(&context)),
            project::print_profiles(&context),
        ),
    ];
    files.extend(beside.map(|(path, text)| GeneratedFile { path, text }));
    files.sort_by(|one, other| one.path.cmp(&other.path));
    let mut renamings = context.names.renamings;
    renamings.extend(context.renamings.into_inner());
    Ok(GeneratedCode { files, renamings })
}

/// The records of rows and user types.
fn list_records(context: &JavaContext<'_>) -> Vec<(String, String)> {
    let mut records = Vec::new();
    for (record, class) in context.program.user_types.iter().zip(&context.names.user_types) {
        records.push((class.clone(), records::print_user_type(context, record, class)));
    }
    for (query, name) in context.program.queries.iter().zip(&context.names.queries) {
        let text = records::print_query_record(context, query, &name.row);
        records.push((name.row.clone(), text));
    }
    for (command, name) in context.program.commands.iter().zip(&context.names.commands) {
        if command.derived {
            continue;
        }
        let text = records::print_command_record(context, command, &name.row);
        records.extend(text.map(|text| (name.row.clone(), text)));
    }
    records
}
