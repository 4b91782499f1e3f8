//! PT001: features that Amazon Keyspaces does not support.

use cql::BatchKind;
use cql::{Span, StatementKind};
use model::figures;

use crate::project::StatementOutcome;
use crate::{
    Check, Limit, Location, Product, Project, ReplayedStatement, Reporter, RuleEntry, Severity,
    TableFacts,
};

const LOGGED: Limit = Limit::new("keyspaces-logged-batch", 100.0)
    .describe("maximum number of statements of a logged batch on Amazon Keyspaces");
const UNLOGGED: Limit = Limit::new("keyspaces-unlogged-batch", 30.0)
    .describe("maximum number of statements of an unlogged batch on Amazon Keyspaces");
const COLUMNS: Limit = Limit::new("keyspaces-columns-per-write", 225.0)
    .describe("maximum number of columns written by one statement on Amazon Keyspaces");
const ROW: Limit = Limit::new("keyspaces-row-bytes", 1_000_000.0).describe(
    "maximum size in bytes of a row, and of the static columns of a partition, on Amazon Keyspaces",
);
const TABLES: Limit = Limit::new("keyspaces-tables", 256.0).describe(
    "maximum number of tables of an account on Amazon Keyspaces, which a quota increase can raise",
);

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pt001_keyspaces_unsupported.md"), Check::Project(check))
        .with_limits(&[LOGGED, UNLOGGED, COLUMNS, ROW, TABLES]);

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    if project.settings.target.product != Product::Keyspaces {
        return;
    }
    project.tables.iter().for_each(|facts| check_table(facts, reporter));
    let most = reporter.limit(&TABLES);
    let beyond = project.tables.iter().enumerate().find(|(at, _)| to_f64(*at) >= most);
    if let Some((_, facts)) = beyond {
        reporter
            .report(
                facts.place,
                format!("Amazon Keyspaces allows {most} tables per account by default."),
            )
            .with_table(&facts.table)
            .severity(Severity::Medium)
            .help("request a higher quota, or merge similar tables");
    }
    for seen in
        project.statements.iter().filter(|seen| !matches!(seen.outcome, StatementOutcome::Broken))
    {
        if let Some(statement) = project.syntax(seen) {
            if let Some((span, what, help)) = missing_feature(&statement.kind) {
                let place = Location { text: seen.place.text, span };
                reporter
                    .report(place, format!("{what} is not available on Amazon Keyspaces."))
                    .help(help);
            }
            check_writes(seen, &statement.kind, reporter);
        }
    }
}

/// Unsupported features, and what to do instead.
fn missing_feature(kind: &StatementKind) -> Option<(Span, &'static str, &'static str)> {
    const COMPUTE: &str = "compute it in the application";
    Some(match kind {
        StatementKind::CreateIndex(create) => (
            create.table.name.span,
            "CREATE INDEX",
            "create a table whose partition key is the indexed column, and write both",
        ),
        StatementKind::CreateView(create) => (
            create.name.name.span,
            "CREATE MATERIALIZED VIEW",
            "create a table with the view's key, and write both",
        ),
        StatementKind::CreateTrigger(create) => {
            (create.name.span, "CREATE TRIGGER", "use the change stream of the table instead")
        }
        StatementKind::CreateFunction(create) => {
            (create.name.name.span, "CREATE FUNCTION", COMPUTE)
        }
        StatementKind::CreateAggregate(create) => {
            (create.name.name.span, "CREATE AGGREGATE", COMPUTE)
        }
        StatementKind::AlterType(alter) => (
            alter.name.name.span,
            "ALTER TYPE",
            "create a new type and a new column, and copy the values",
        ),
        StatementKind::Truncate(truncate) => {
            (truncate.table.name.span, "TRUNCATE", "drop the table and recreate it")
        }
        _ => return None,
    })
}

fn check_writes(seen: &ReplayedStatement, kind: &StatementKind, reporter: &mut Reporter<'_>) {
    if let StatementKind::Batch(batch) = kind {
        let (limit, word) = match batch.kind {
            BatchKind::Unlogged => (&UNLOGGED, "an unlogged"),
            BatchKind::Logged | BatchKind::Counter => (&LOGGED, "a logged"),
        };
        let (most, count) = (reporter.limit(limit), to_f64(batch.statements.len()));
        if count > most {
            let message = format!(
                "Amazon Keyspaces allows {most} statements in {word} batch, but this one has {count}."
            );
            reporter
                .report(seen.place, message)
                .help("split the batch, or send its statements separately");
        }
    }
    let most = reporter.limit(&COLUMNS);
    for write in seen.writes().filter(|write| to_f64(write.columns.len()) > most) {
        let message = format!(
            "Amazon Keyspaces allows {most} columns in one statement, but this one has {}.",
            write.columns.len()
        );
        reporter
            .report(seen.place, message)
            .with_table(&write.table)
            .help("write the row in several statements, or put columns into a collection");
    }
}

fn check_table(facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let most = reporter.limit(&ROW);
    let row = facts.volume.row_bytes;
    let statics = facts.table.statics().iter().filter_map(|column| {
        let at = facts.table.column_index(&column.name)?;
        Some(facts.volume.bytes(at)? * facts.volume.items(at).unwrap_or(1.0))
    });
    let statics: f64 = statics.sum();
    for (bytes, what) in [(row, "row"), (statics, "partition's static data")] {
        if bytes > most {
            let message = format!(
                "Amazon Keyspaces allows up to {} in a {what}, but {} needs {}.",
                figures::format_bytes(most),
                facts.table.name,
                figures::format_bytes(bytes)
            );
            reporter
                .report(facts.place, message)
                .with_table(&facts.table)
                .help("store large values elsewhere and their address here, or split them into several rows");
        }
    }
}

fn to_f64(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
