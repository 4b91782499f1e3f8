//! The Chebotko diagram of a design.

use model::concept::{Concept, Origin};
use model::id::{IdList, TableId};
use model::plan::{Design, PlannedColumn, PlannedTable, WriteStep};
use model::workload::{Read, Workload};

use super::card::FOOTER;
use super::picture::{
    Card, CardKind, CardRow, Change, Frame, LegendEntry, Level, Picture, PictureKind,
};
use super::{marks, read_summary, transitions, user_types};
use model::figures;

/// Days of five years: how far sizes look ahead.
const FIVE_YEARS: f64 = 5.0 * 365.25;
/// The width of a footer's line at most.
const FOOTER_WIDTH_MAX: f64 = 360.0;

/// The Chebotko diagram of a design: its tables with marks, the workflow between them, and the
/// queries as a legend.
pub fn chebotko(concept: &Concept, workload: &Workload, design: &Design, level: Level) -> Picture {
    let writes = write_rates(workload, design);
    let tables = design.tables.iter().zip(&writes);
    let mut cards: Vec<_> = tables
        .map(|(table, writes)| card(concept, workload, design, table, *writes, level))
        .collect();
    let columns = design.tables.iter().flat_map(|table| &table.columns);
    cards.extend(user_types::cards(level, columns.map(|column| (&*column.name, &column.ty))));
    let title = match level {
        Level::Logical => None,
        Level::Physical => Some(concept.keyspace.clone()),
    };
    Picture {
        title: concept.keyspace.clone(),
        kind: PictureKind::Chebotko(level),
        summary: String::new(),
        frames: vec![Frame { title, cards, links: transitions::links(workload, design) }],
        legend: legend(concept, workload, design),
    }
}

/// The card of a table; `writes` is how often rows are written to it.
pub(crate) fn card(
    concept: &Concept,
    workload: &Workload,
    design: &Design,
    table: &PlannedTable,
    writes: Option<(f64, bool)>,
    level: Level,
) -> Card {
    let expires = table.options.default_time_to_live.filter(|seconds| *seconds > 0);
    let badges =
        expires.map(|seconds| format!("TTL {}", figures::format_duration(f64::from(seconds))));
    Card {
        kind: match (table.view_of, table.is_counter()) {
            (Some(_), _) => CardKind::View,
            (None, true) => CardKind::Counter,
            (None, false) => CardKind::Table,
        },
        title: table.name.clone(),
        badges: badges.into_iter().collect(),
        rows: table.columns.iter().map(|column| row(table, column, level)).collect(),
        footer: footer(concept, workload, design, table, writes),
        queries: queries(workload, table),
        change: Change::None,
    }
}

/// The names of the queries that read a table.
fn queries(workload: &Workload, table: &PlannedTable) -> Vec<String> {
    let served = table.serves.iter().filter_map(|served| workload.reads.member(served.read));
    let mut names: Vec<String> = Vec::new();
    for read in served {
        if !names.contains(&read.name) {
            names.push(read.name.clone());
        }
    }
    names
}

fn row(table: &PlannedTable, column: &PlannedColumn, level: Level) -> CardRow {
    let indexes = table.indexes.iter().filter(|index| index.column == column.name);
    let indexes = indexes.map(|index| if index.attached { "SAI" } else { "IDX" }.to_owned());
    let mut marks: Vec<String> =
        std::iter::once(marks::column_mark(column)).chain(indexes).collect();
    marks.retain(|mark| !mark.is_empty());
    CardRow {
        kind: marks::row_kind(column.role),
        name: marks::name_with_marks(&column.name, &column.ty),
        ty: marks::type_text(level, &column.ty),
        mark: marks.join(" "),
        change: Change::None,
    }
}

/// Which rows it holds, the size of a large partition, then how often the table is read and written.
fn footer(
    concept: &Concept,
    workload: &Workload,
    design: &Design,
    table: &PlannedTable,
    writes: Option<(f64, bool)>,
) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(other) = table.remembers.and_then(|other| design.tables.member(other)) {
        lines.push(format!("oldest bucket of {}", other.name));
    } else if let Some(rows) = table.holds.restriction(concept) {
        lines.push(FOOTER.shorten(&format!("only rows with {rows}"), FOOTER_WIDTH_MAX));
    }
    if table.serves.is_empty() {
        let writes = table.supports.iter().filter_map(|at| workload.writes.member(*at));
        let names: Vec<_> = writes.map(|write| write.name.as_str()).collect();
        lines.extend(support(&names));
    }
    let today = table.volume.bytes_after(0.0).p999;
    let later = table.volume.bytes_after(FIVE_YEARS).p999;
    if today > 0.0 && later > today * 1.1 {
        let (today, later) = (figures::format_bytes(today), figures::format_bytes(later));
        lines.push(format!("p99.9 {today}, {later} in 5 years"));
    } else if today > 0.0 {
        lines.push(format!("p99.9 {}", figures::format_bytes(today)));
    }
    let served = table.serves.iter().filter_map(|served| workload.reads.member(served.read));
    let reads = sum(served.map(|read| (read.rate.value, read.rate.origin == Origin::Assumed)));
    let rates = [(reads, "reads"), (writes, "writes")];
    let rates = rates.iter().filter_map(|(rate, what)| {
        rate.map(|(rate, assumed)| {
            format!("{what} {}{}", if assumed { "~" } else { "" }, figures::format_rate(rate))
        })
    });
    let rates: Vec<_> = rates.collect();
    if !rates.is_empty() {
        lines.push(rates.join(" · "));
    }
    lines
}

/// The writes that a table exists for.
fn support(writes: &[&str]) -> Option<String> {
    match writes {
        [] => None,
        [one] => Some(format!("row lookups for {one}")),
        [first, others @ ..] => Some(format!("row lookups for {first} and {} more", others.len())),
    }
}

/// Rows written per second to each table, and whether a rate among them is assumed.
fn write_rates(workload: &Workload, design: &Design) -> Vec<Option<(f64, bool)>> {
    let mut rates: Vec<Vec<(f64, bool)>> = vec![Vec::new(); design.tables.len()];
    for (write, plan) in workload.writes.iter().zip(&design.writes) {
        let assumed = write.rate.origin == Origin::Assumed;
        let statements = plan.steps.iter().flat_map(|step| match step {
            WriteStep::Read(..) | WriteStep::Run(_) => &[],
            WriteStep::Batch { statements, .. } => statements.as_slice(),
            WriteStep::Statement(statement) => std::slice::from_ref(statement),
        });
        for statement in statements {
            if let Some(rates) = rates.get_mut(statement.table.index()) {
                rates.push((write.rate.value * statement.rows.max(1.0), assumed));
            }
        }
    }
    rates.into_iter().map(|rates| sum(rates.into_iter())).collect()
}

/// The sum of rates and whether one of them is assumed; `None` without any.
fn sum(rates: impl Iterator<Item = (f64, bool)>) -> Option<(f64, bool)> {
    rates.reduce(|(a, some), (b, other)| (a + b, some || other))
}

fn legend(concept: &Concept, workload: &Workload, design: &Design) -> Vec<LegendEntry> {
    let tables = transitions::tables(workload, design);
    let numbers = transitions::numbers(workload);
    let entry = |(read, (number, table)): (&Read, (String, Option<TableId>))| LegendEntry {
        name: if read.name == number { String::new() } else { read.name.clone() },
        number,
        description: read_summary::describe_read(concept, read),
        rate: match read.rate.origin {
            Origin::Assumed => String::new(),
            Origin::Given | Origin::Derived => figures::format_rate(read.rate.value),
        },
        table: table.and_then(|at| Some(design.tables.member(at)?.name.clone())),
    };
    workload.reads.iter().zip(numbers.into_iter().zip(tables)).map(entry).collect()
}
