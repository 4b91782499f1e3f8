//! PT003: differences of `ScyllaDB`.

use cql::StatementKind;
use schema::catalog::IndexClass;

use crate::facts::workload::{count_combinations, key_lists};
use crate::project::StatementOutcome;
use crate::{
    Check, Limit, Location, Product, Project, ReplayedStatement, Reporter, RuleEntry, Severity,
    TableFacts,
};

const IN_COMBINATIONS: Limit = Limit::new("scylla-in-product", 100.0)
    .describe("maximum number of combinations of IN lists in one query on ScyllaDB");
const WINDOWS: Limit = Limit::new("scylla-windows", 50.0)
    .describe("maximum number of time windows per table on ScyllaDB");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pt003_scylla_differences.md"), Check::Project(check))
        .with_limits(&[IN_COMBINATIONS, WINDOWS]);

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    if project.settings.target.product != Product::Scylla {
        return;
    }
    for facts in &project.tables {
        check_indexes(project, facts, reporter);
        check_windows(project, facts, reporter);
    }
    for seen in &project.statements {
        check_lists(project, seen, reporter);
        check_compact_storage(project, seen, reporter);
    }
}

fn check_indexes(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    for index in &table.indexes {
        let place = project.index_location(facts, index);
        let Some(column) = table.column(&index.column) else { continue };
        match &index.class {
            IndexClass::Legacy => reporter
                .report(place, "ScyllaDB behaves differently: an index is a materialized view over all nodes.")
                .severity(Severity::Info)
                .note("a read first queries the nodes of the indexed value and then those of the rows; each write of the column also writes the view")
                .help("for queries within one partition, create a local index: ON t ((partition_key), column)")
                .with_column(table, column),
            IndexClass::Sai | IndexClass::Sasi | IndexClass::Custom(_) => reporter
                .report(place, "ScyllaDB behaves differently: it does not support this index class.")
                .severity(Severity::Error)
                .help("create a plain index, or a table for the query")
                .with_column(table, column),
        };
    }
}

fn check_windows(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let params = &facts.table.params;
    let is_windowed =
        params.compaction.get("class").is_some_and(|class| class.contains("TimeWindow"));
    let option = |name: &str| params.compaction.get(name).map(|text| &**text);
    let unit = match option("compaction_window_unit").unwrap_or("DAYS").to_uppercase().as_str() {
        "MINUTES" => 60.0,
        "HOURS" => 3_600.0,
        _ => 86_400.0,
    };
    let size: f64 =
        option("compaction_window_size").and_then(|text| text.parse().ok()).unwrap_or(1.0);
    let windows = f64::from(params.default_time_to_live) / (unit * size.max(1.0));
    if is_windowed && windows > reporter.limit(&WINDOWS) {
        let message = format!(
            "ScyllaDB behaves differently: it rejects {} time windows, more than {}.",
            windows.ceil(),
            reporter.limit(&WINDOWS)
        );
        reporter
            .report(project.option_location(facts, "compaction"), message)
            .with_table(&facts.table)
            .severity(Severity::Error)
            .help("use larger windows: the TTL divided by 25");
    }
}

fn check_lists(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let (Some(select), Some(read)) = (project.select(seen), seen.read()) else { return };
    let lists = key_lists(&read.table, select);
    for (what, lists) in [("partition key", lists.partition), ("clustering key", lists.clustering)]
    {
        let number = count_combinations(&lists).and_then(|number| u32::try_from(number).ok());
        let most = reporter.limit(&IN_COMBINATIONS);
        if let Some(number) = number.filter(|number| f64::from(*number) > most) {
            let message = format!(
                "ScyllaDB behaves differently: it rejects {number} combinations of IN lists on the {what}, more than {most}."
            );
            reporter
                .report(project.select_location(seen), message)
                .with_table(&read.table)
                .severity(Severity::Error)
                .help("split it into several statements and run them concurrently");
        }
    }
}

fn check_compact_storage(
    project: &Project<'_>,
    seen: &ReplayedStatement,
    reporter: &mut Reporter<'_>,
) {
    let Some(StatementKind::CreateTable(create)) = project.syntax(seen).map(|one| &one.kind) else {
        return;
    };
    if let Some(span) =
        create.options.compact_storage.filter(|_| !matches!(seen.outcome, StatementOutcome::Broken))
    {
        reporter
            .report(
                Location { text: seen.place.text, span },
                "ScyllaDB behaves differently: COMPACT STORAGE is disabled.",
            )
            .severity(Severity::Error)
            .help("remove COMPACT STORAGE");
    }
}
