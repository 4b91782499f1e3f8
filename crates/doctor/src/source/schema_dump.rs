//! The schema: the output of DESCRIBE, or a file of CREATE statements.

use cql::property::Property;
use cql::{QualifiedName, Statement, StatementKind};
use schema::session::Session;

use super::collector::Target;
use super::section::{Format, SectionOutcome, SectionReader};
use crate::snapshot::TableName;

pub(super) const FORMAT: Format = Format { kind: "schema", open };

/// The most bytes of a schema that are kept.
const SCHEMA_BYTES_MAX: usize = 64 << 20;

/// Properties of tables and keyspaces that Cassandra 5.0 knows and that matter to a diagnosis.
const KNOWN_PROPERTIES: [&str; 8] = [
    "compaction",
    "compression",
    "caching",
    "comment",
    "default_time_to_live",
    "gc_grace_seconds",
    "replication",
    "durable_writes",
];

/// The words after CREATE that begin a schema.
const OBJECTS: [&str; 13] = [
    "KEYSPACE",
    "TABLE",
    "TYPE",
    "INDEX",
    "CUSTOM",
    "MATERIALIZED",
    "FUNCTION",
    "AGGREGATE",
    "OR",
    "ROLE",
    "USER",
    "TRIGGER",
    "COLUMNFAMILY",
];

fn open(line: &str) -> Option<Box<dyn SectionReader>> {
    let mut words = line.split_whitespace();
    let is_create = words.next()?.eq_ignore_ascii_case("CREATE");
    let object = words.next().unwrap_or_default();
    let is_start = is_create && OBJECTS.iter().any(|name| name.eq_ignore_ascii_case(object));
    is_start.then(|| Box::new(SchemaDumpReader::default()) as Box<dyn SectionReader>)
}

/// Collects the statements.
#[derive(Default)]
struct SchemaDumpReader {
    text: String,
    is_open: bool,
    is_cut: bool,
}

impl SectionReader for SchemaDumpReader {
    fn is_own_line(&self, line: &str) -> bool {
        self.is_open
            || line.is_empty()
            || line.starts_with([' ', '\t', '-', '/', '*'])
            || open(line).is_some()
    }

    fn read_line(&mut self, line: &str, _target: &mut Target<'_>) {
        let content = line.split("--").next().unwrap_or_default().trim_end();
        // A statement ends with a semicolon at the end of a line, as DESCRIBE prints it.
        if !content.is_empty() {
            self.is_open = !content.ends_with(';');
        }
        if self.text.len() + line.len() > SCHEMA_BYTES_MAX {
            self.is_cut = true;
            return;
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn finish(&mut self, target: &mut Target<'_>) -> SectionOutcome {
        let mut session = match target.snapshot.schema.take() {
            Some(catalog) => Session { catalog, ..Session::default() },
            None => Session::with_system_tables(),
        };
        let parsed = cql::parse(&self.text);
        let mut refused = parsed.errors.len();
        for statement in parsed.statements {
            refused += usize::from(!run(&mut session, statement));
        }
        target.snapshot.schema = Some(session.catalog);
        match refused {
            0 if self.is_cut => SectionOutcome::with_problem("it is larger than 64 MiB"),
            0 => SectionOutcome::complete(),
            1 => SectionOutcome::with_problem("1 statement could not be read"),
            _ => SectionOutcome::with_problem(format!("{refused} statements could not be read")),
        }
    }
}

/// Runs a statement, and returns whether the schema has what it says. Each node may have been asked
/// for the schema, so what exists is no error, and the tables of the server exist.
fn run(session: &mut Session, mut statement: Statement) -> bool {
    match prepare(&mut statement) {
        DumpedStatement::Foreign => return true,
        DumpedStatement::Of(keyspace) if TableName::new(&keyspace, "").is_system() => return true,
        DumpedStatement::Of(_) | DumpedStatement::Change => {}
    }
    if session.run(&statement).is_ok() {
        return true;
    }
    // Options of other versions and of ScyllaDB are no reason to lose the table.
    for properties in [&KNOWN_PROPERTIES[..], &[]] {
        let retain = |known: &mut Vec<Property>| {
            known.retain(|property| properties.contains(&&*property.name.text));
        };
        match &mut statement.kind {
            StatementKind::CreateTable(table) => retain(&mut table.options.properties),
            StatementKind::CreateView(view) => retain(&mut view.options.properties),
            StatementKind::CreateKeyspace(keyspace) => retain(&mut keyspace.properties),
            _ => return false,
        }
        if session.run(&statement).is_ok() {
            return true;
        }
    }
    false
}

/// What a statement of a dump is.
enum DumpedStatement {
    /// It creates an object of a keyspace; the name is empty if that is the one in use.
    Of(String),
    /// It changes an object.
    Change,
    /// It is no part of a schema.
    Foreign,
}

/// Makes a statement tolerate that its object exists, and tells what it is.
fn prepare(statement: &mut Statement) -> DumpedStatement {
    let keyspace = |name: &QualifiedName| {
        name.keyspace.as_ref().map(|name| name.text.to_string()).unwrap_or_default()
    };
    let (flag, keyspace) = match &mut statement.kind {
        StatementKind::CreateKeyspace(create) => {
            (&mut create.if_not_exists, create.name.text.to_string())
        }
        StatementKind::CreateTable(create) => (&mut create.if_not_exists, keyspace(&create.name)),
        StatementKind::CreateType(create) => (&mut create.if_not_exists, keyspace(&create.name)),
        StatementKind::CreateView(create) => (&mut create.if_not_exists, keyspace(&create.name)),
        StatementKind::CreateIndex(create) => (&mut create.if_not_exists, keyspace(&create.table)),
        StatementKind::CreateFunction(create) => {
            (&mut create.if_not_exists, keyspace(&create.name))
        }
        StatementKind::CreateAggregate(create) => {
            (&mut create.if_not_exists, keyspace(&create.name))
        }
        StatementKind::AlterTable(_)
        | StatementKind::AlterKeyspace(_)
        | StatementKind::AlterType(_)
        | StatementKind::DropTable(_)
        | StatementKind::Use(_) => return DumpedStatement::Change,
        _ => return DumpedStatement::Foreign,
    };
    *flag = true;
    DumpedStatement::Of(keyspace)
}
