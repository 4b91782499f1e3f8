//! Rust with the `scylla` driver.
//!
//! A query whose statement does it all is a function of a few lines. Any other one has a structure for
//! its call, with its parameters and the rows that it has read, and methods for its parts. Values are
//! `Option`s while they are computed, and long code is cut into variables (`expression`, `condition`,
//! `conversion`), so that the text is what `rustfmt` makes of it (`writer`).

mod command;
mod condition;
mod constant;
mod context;
mod conversion;
mod derived_call;
mod expression;
mod fetch;
mod fold;
mod lookup;
mod names;
mod operation;
mod package;
mod paging;
mod proof_driver;
mod query;
mod read;
mod repetition;
mod scope;
mod send;
mod stage;
mod statements;
mod types;
mod writer;

use crate::language::{GeneratedCode, GeneratedFile, GenerationOptions, UnsupportedProgram};
use crate::program::{AccessProgram, Command, CommandStep};

use self::command::{RustCommand, RustCommandPrinter, RustCommands};
use self::context::RustContext;
use self::derived_call::print_derived_calls;
use self::package::RustPackage;
use self::proof_driver::RustProof;
use self::query::{RustQueries, print_query};
use self::writer::RustWriter;

const SUPPORT: &str = concat!(
    include_str!("../../templates/rust/support/statement.rs"),
    include_str!("../../templates/rust/support/session.rs"),
    include_str!("../../templates/rust/support/write.rs"),
    include_str!("../../templates/rust/support/walk.rs"),
    include_str!("../../templates/rust/support/order.rs"),
    include_str!("../../templates/rust/support/arithmetic.rs"),
    include_str!("../../templates/rust/support/bucket.rs"),
    include_str!("../../templates/rust/support/page.rs"),
    include_str!("../../templates/rust/support/value.rs"),
);

/// The code of a program.
pub(crate) fn generate(
    program: &AccessProgram,
    options: &GenerationOptions,
) -> Result<GeneratedCode, UnsupportedProgram> {
    check_tuples(program)?;
    let mut context = RustContext::new(program);
    let package = RustPackage::new(program, options, &mut context);
    package::print_user_types(&mut context, program);
    let mut proof = RustProof::new(&program.user_types);
    let mut queries = RustQueries { methods: RustWriter::new(1), calls: RustWriter::new(0) };
    for query in &program.queries {
        let (function, result) = print_query(&mut context, &mut queries, query);
        proof.add_query(query, &function, &result);
        context.queries.push(function);
    }
    let mut commands = RustCommands { methods: RustWriter::new(1), calls: RustWriter::new(0) };
    let names: Vec<RustCommand> =
        program.commands.iter().map(|command| RustCommand::new(&mut context, command)).collect();
    let is_proof = options.with_proof_driver;
    for (command, of) in program.commands.iter().zip(&names) {
        if command.derived && !is_run(program, command) {
            continue;
        }
        let printer = RustCommandPrinter { command, names: of, all: &names, is_proof };
        printer.print(&mut context, &mut commands);
        proof.add_command(&printer);
        if !command.derived {
            context.writes.push(of.function.clone());
        }
    }
    if names.iter().any(|names| names.has_runs) {
        let derived: Vec<_> = program.commands.iter().zip(&names).collect();
        let derived: Vec<_> = derived.into_iter().filter(|(of, _)| is_run(program, of)).collect();
        print_derived_calls(&context, &mut commands.calls, &derived);
    }
    let mut files = package.print_files(program, &context);
    files.push(package.file("src/support.rs", SUPPORT));
    if !program.queries.is_empty() {
        let text = package.print_functions(&context, &queries.methods, &queries.calls, "read");
        files.push(package.file("src/queries.rs", &text));
    }
    if !program.commands.is_empty() {
        let text = package.print_functions(&context, &commands.methods, &commands.calls, "write");
        files.push(package.file("src/commands.rs", &text));
    }
    if options.with_proof_driver {
        files.push(package.file("src/proof.rs", &proof.print(&package.access)));
        files.push(package.file("src/bin/proof_driver.rs", &package.print_proof_program()));
    }
    files.sort_by(|one: &GeneratedFile, other| one.path.cmp(&other.path));
    let mut renamings = context.names.renamings;
    renamings.extend(context.methods.renamings);
    renamings.extend(context.renamings);
    Ok(GeneratedCode { files, renamings })
}

/// Whether another command runs this one.
fn is_run(program: &AccessProgram, command: &Command) -> bool {
    let steps = program.commands.iter().flat_map(|other| &other.steps);
    let mut runs = steps.filter_map(|step| match step {
        CommandStep::Run(run) => program.commands.get(run.command),
        _ => None,
    });
    runs.any(|other| std::ptr::eq(other, command))
}

/// The driver maps tuples of at most 16 parts.
fn check_tuples(program: &AccessProgram) -> Result<(), UnsupportedProgram> {
    use crate::program::DataType;
    fn is_long(ty: &DataType) -> bool {
        match ty {
            DataType::Tuple(parts) => parts.len() > 16 || parts.iter().any(is_long),
            DataType::List(part) | DataType::Set(part) | DataType::Vector(part, _) => is_long(part),
            DataType::Map(key, value) => is_long(key) || is_long(value),
            _ => false,
        }
    }
    let parameters = program.queries.iter().flat_map(|query| &query.parameters);
    let parameters = parameters.chain(program.commands.iter().flat_map(|it| &it.parameters));
    let users = program.user_types.iter().flat_map(|user| &user.fields).map(|field| &field.ty);
    let results = program.queries.iter().flat_map(|query| &query.result.fields);
    let mut types = parameters.map(|it| &it.ty).chain(users).chain(results.map(|it| &it.ty));
    match types.find(|ty| is_long(ty)) {
        None => Ok(()),
        Some(ty) => Err(UnsupportedProgram {
            place: program.source.clone(),
            what: format!("the driver maps tuples of at most 16 parts, not {ty}"),
            help: "use a user type".to_owned(),
        }),
    }
}
