//! The CQL of a design: schema, queries, writes.

use std::fmt::Write;

use cql::BatchKind;
use model::id::{IdList, ReadId, WriteId};
use model::plan::{AllowedStatements, PlannedStatement, PlannedTable, ReadStep, WriteStep};

use super::phrases::{self, PlanPhrases};
use super::{DesignView, write_result};
use cql::printer::identifier;

/// The text of a file, and for each of its statements the part of the design that it belongs to.
#[derive(Default)]
pub(super) struct CqlFile {
    pub(super) text: String,
    pub(super) owners: Vec<Option<AllowedStatements>>,
}

impl CqlFile {
    /// A file that starts with USE.
    fn new(name: &str) -> Self {
        Self { text: format!("USE {};\n", identifier(name)), owners: vec![None] }
    }
}

/// `schema.cql`
pub(super) fn schema(subject: DesignView<'_>) -> CqlFile {
    let concept = &subject.file.concept;
    let mut text = format!(
        "{};\n\nUSE {};\n",
        design::create_statements::keyspace(concept),
        identifier(&concept.keyspace)
    );
    let mut owners = vec![None; 2];
    for statement in design::create_statements::types(concept, subject.design) {
        let _ = write!(text, "\n{statement};\n");
        owners.push(None);
    }
    let declared =
        |table: &PlannedTable| design::create_statements::volume_directives(concept, table);
    let remarks = |table: &PlannedTable| declared(table).columns;
    for (at, statements) in design::create_statements::creations(subject.design, remarks) {
        let Some(table) = subject.design.tables.member(at) else { continue };
        let about = subject.about(table);
        let _ = write!(text, "\n-- {}\n", about.join(", "));
        for (option, reason) in DesignView::explicit_options(table) {
            let _ = writeln!(text, "-- {option}: {}", one_line(reason));
        }
        // Directives are those of tables: a view has the volumes of its base table.
        for line in declared(table).table.iter().filter(|_| table.view_of.is_none()) {
            let _ = writeln!(text, "-- {line}");
        }
        for statement in statements {
            let _ = writeln!(text, "{statement};");
            owners.push(Some(AllowedStatements::Table(at)));
        }
    }
    CqlFile { text, owners }
}

/// `queries.cql`
pub(super) fn queries(subject: DesignView<'_>) -> CqlFile {
    let mut file = CqlFile::new(&subject.file.concept.keyspace);
    for at in subject.design.reads.ids() {
        append_read(&mut file, subject, at);
    }
    file
}

/// The statements of a read.
pub(super) fn append_read(file: &mut CqlFile, subject: DesignView<'_>, at: ReadId) {
    let CqlFile { text, owners } = file;
    let (Some(read), Some(plan)) =
        (subject.file.workload.reads.member(at), subject.design.reads.member(at))
    else {
        return;
    };
    let _ = write!(text, "\n-- {} {}", DesignView::read_number(at), read.name);
    let _ = writeln!(text, ": {}", super::text::partition_summary(plan));
    let names = PlanPhrases { subject, parameters: &read.parameters, sources: &read.sources };
    for phrase in names.client_values() {
        let _ = writeln!(text, "-- {phrase}");
    }
    for (number, step) in plan.steps.enumerate_ids() {
        if plan.steps.len() > 1 {
            let _ = writeln!(text, "-- step {}", number.index() + 1);
        }
        read_step(text, names, step, read.limit);
        owners.push(Some(AllowedStatements::Read(at)));
    }
    for step in &plan.client {
        let _ = writeln!(text, "-- then: {}", names.client(step));
    }
}

/// A statement of a read, after comments on its loops and its values.
fn read_step(
    text: &mut String,
    names: PlanPhrases<'_>,
    step: &ReadStep,
    limit: Option<model::workload::Limit>,
) {
    for phrase in names.loops(&step.loops, limit) {
        let _ = writeln!(text, "-- {phrase}");
    }
    if let Some(values) = names.values(&step.select.operands(), &step.loops) {
        let _ = writeln!(text, "-- ? = {values}");
    }
    let _ = writeln!(text, "{};", step.select);
}

/// `writes.cql`
pub(super) fn writes(subject: DesignView<'_>) -> CqlFile {
    let mut file = CqlFile::new(&subject.file.concept.keyspace);
    for at in subject.file.workload.list_stated_writes().ids() {
        append_write(&mut file, subject, at);
    }
    file
}

/// The statements of a write.
pub(super) fn append_write(file: &mut CqlFile, subject: DesignView<'_>, at: WriteId) {
    let Some(write) = subject.file.workload.writes.member(at) else { return };
    let _ = writeln!(file.text, "\n-- {}: {}", write.name, subject.effects(at));
    write_steps(file, subject, &[at], "");
}

/// The steps of a write, with what must hold before it: the last of `within`, which run one
/// another; `prefix` is the number of the step that runs it.
fn write_steps(file: &mut CqlFile, subject: DesignView<'_>, within: &[WriteId], prefix: &str) {
    let found = within.last().and_then(|at| {
        let write = subject.file.workload.writes.member(*at)?;
        Some((*at, write, subject.design.writes.member(*at)?))
    });
    let Some((at, write, plan)) = found else { return };
    let CqlFile { text, .. } = file;
    for precondition in &plan.preconditions {
        let _ = writeln!(text, "-- precondition: {}", one_line(&precondition.to_string()));
    }
    let source = model::workload::Source { entity: write.entity, alias: String::new(), join: None };
    let sources = [source];
    let names = PlanPhrases { subject, parameters: &write.parameters, sources: &sources };
    if let Some(checks) = phrases::describe_checks(plan) {
        let _ = writeln!(text, "-- {}", one_line(&checks));
    }
    if write.is_stated() {
        for phrase in names.client_values().into_iter().chain(names.generation_phrases(write)) {
            let _ = writeln!(text, "-- {phrase}");
        }
    }
    for (number, step) in plan.steps.enumerate_ids() {
        let number = format!("{prefix}{}", number.index() + 1);
        let _ = writeln!(file.text, "-- step {number}");
        write_step(&mut file.text, names, step);
        let WriteStep::Run(run) = step else {
            file.owners.push(Some(AllowedStatements::Write(at)));
            continue;
        };
        if within.contains(&run.write) {
            let _ = writeln!(file.text, "-- again, until there are no more rows");
        } else {
            let within: Vec<_> = within.iter().copied().chain([run.write]).collect();
            write_steps(file, subject, &within, &format!("{number}."));
        }
    }
    if let Some(phrase) = write_result::phrase(names, write, plan) {
        let _ = writeln!(file.text, "-- {}", one_line(&phrase));
    }
}

/// A step of a write: a read, a statement or a batch.
fn write_step(text: &mut String, names: PlanPhrases<'_>, step: &WriteStep) {
    match step {
        WriteStep::Read(step, reason) => {
            let _ = writeln!(text, "-- read first: {}", one_line(reason));
            read_step(text, names, step, None);
        }
        WriteStep::Statement(statement) => {
            write_statement(text, names, statement, "");
        }
        WriteStep::Run(run) => {
            let _ = writeln!(text, "-- {}", one_line(&names.run(run)));
        }
        WriteStep::Batch { kind, statements, reason } => {
            let _ = writeln!(text, "-- {}: {}", phrases::batch(*kind), one_line(reason));
            let begin = match kind {
                BatchKind::Logged => "BEGIN BATCH",
                BatchKind::Unlogged => "BEGIN UNLOGGED BATCH",
                BatchKind::Counter => "BEGIN COUNTER BATCH",
            };
            let _ = writeln!(text, "{begin}");
            for statement in statements {
                write_statement(text, names, statement, "  ");
            }
            let _ = writeln!(text, "APPLY BATCH;");
        }
    }
}

/// A statement of a write, after comments on its reason, guards, loops, condition and values.
fn write_statement(
    text: &mut String,
    names: PlanPhrases<'_>,
    statement: &PlannedStatement,
    indent: &str,
) {
    let mut comments = vec![one_line(&statement.reason)];
    comments.extend(names.guards(statement));
    comments.extend(names.loops(&statement.loops, None));
    comments.extend(statement.condition.as_deref().map(one_line));
    comments.extend(
        names
            .values(&statement.modification.operands(), &statement.loops)
            .map(|values| format!("? = {values}")),
    );
    for comment in comments.iter().filter(|comment| !comment.is_empty()) {
        let _ = writeln!(text, "{indent}-- {comment}");
    }
    let _ = writeln!(text, "{indent}{};", statement.modification);
}

/// A text without line breaks, for a comment.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
