//! The report of a design on the terminal.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use design::capacity::{RingBalance, ring_balance};
use model::figures;
use model::id::{IdList, ReadId, WriteId};
use model::plan::{
    Note, NoteKind, PlannedStatement, PlannedTable, ReadPlan, ReadStep, Topic, Volume, WritePlan,
    WriteStep,
};
use model::workload::{Limit, Source};

use super::phrases::{self, PlanPhrases};
use super::{DesignView, assumptions, choice, marks, model_warnings, proof, write_result};
use crate::render::planning_dates::is_far;
use crate::render::ring_text::balance_text;
use crate::render::{page, planning_dates};

pub(super) const HEADING: Style = Style::new().bold();
pub(super) const NAME: Style = AnsiColor::Cyan.on_default().bold();
pub(super) const FAINT: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(super) const DOUBTFUL: Style = AnsiColor::Yellow.on_default();
/// Days per year.
pub(super) const YEAR: f64 = 365.25;

/// A part of the report that can be shown alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ReportPart {
    /// The tables and the sizes of their partitions.
    Tables,
    /// The plans of the queries.
    Reads,
    /// The plans of the writes.
    Writes,
}

/// The whole report, within a width.
pub(crate) fn report(subject: DesignView<'_>, width: usize, out: &mut dyn Write) -> io::Result<()> {
    page::write_within(width, out, |out| {
        head(subject, out)?;
        for part in [ReportPart::Tables, ReportPart::Reads, ReportPart::Writes] {
            write_part(subject, part, width, out)?;
        }
        model_warnings::write_section(subject, out)?;
        notes(subject, out)?;
        choice::write_section(subject, out)?;
        proof::write_section(subject, out)?;
        checklists(subject, out)?;
        verdicts(subject, out)
    })
}

/// Parts of the report, within a width.
pub(crate) fn report_parts(
    subject: DesignView<'_>,
    parts: &[ReportPart],
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    page::write_within(width, out, |out| {
        head(subject, out)?;
        parts.iter().try_for_each(|part| write_part(subject, *part, width, out))?;
        writeln!(out)?;
        verdicts(subject, out)
    })
}

fn write_part(
    subject: DesignView<'_>,
    part: ReportPart,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    match part {
        ReportPart::Tables => {
            heading(out, "Tables")?;
            for table in &subject.design.tables {
                table_box(subject, table, out)?;
            }
            sizes(subject, width, out)
        }
        ReportPart::Reads => {
            heading(out, "Reads")?;
            for read in subject.design.reads.ids() {
                read_plan(subject, read, out)?;
            }
            Ok(())
        }
        ReportPart::Writes => {
            heading(out, "Writes")?;
            for write in subject.file.workload.list_stated_writes().ids() {
                write_plan(subject, write, out)?;
            }
            Ok(())
        }
    }
}

/// The last lines of every report: whether the design is the cheapest, and whether it was proved.
pub(super) fn verdicts(subject: DesignView<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "optimal: {}", choice::verdict(subject))?;
    writeln!(out, "proof: {}", proof::verdict(subject.proof))
}

/// What was designed, in one line.
pub(super) fn head(subject: DesignView<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (file, design) = (subject.file, subject.design);
    writeln!(
        out,
        "{HEADING}{}{HEADING:#}: {} for {} and {}; {} on disk today, {} in 5 years ({} replicas, {} nodes)",
        file.concept.keyspace,
        pluralise(design.tables.len(), "table"),
        pluralise(design.reads.len(), "query"),
        pluralise(file.workload.list_stated_writes().len(), "write"),
        figures::format_bytes(subject.disk_bytes_after(0.0)),
        figures::format_bytes(subject.disk_bytes_after(5.0 * YEAR)),
        file.concept.copies(),
        file.concept.nodes,
    )
}

/// `1 table`, `2 queries`.
fn pluralise(number: usize, noun: &str) -> String {
    let noun = match noun.strip_suffix('y') {
        _ if number == 1 => noun.to_owned(),
        Some(stem) => format!("{stem}ies"),
        None => format!("{noun}s"),
    };
    format!("{number} {noun}")
}

pub(crate) fn heading(out: &mut dyn Write, text: &str) -> io::Result<()> {
    writeln!(out, "\n{HEADING}{}{HEADING:#}", text.to_uppercase())
}

/// A table with the marks of Chebotko diagrams.
fn table_box(subject: DesignView<'_>, table: &PlannedTable, out: &mut dyn Write) -> io::Result<()> {
    let about = subject.about(table);
    writeln!(out, "\n{NAME}{}{NAME:#}  {FAINT}{}{FAINT:#}", table.name, about.join(", "))?;
    let rows: Vec<_> = table
        .columns
        .iter()
        .map(|column| {
            let rules = if column.is_key() { DesignView::rules(column) } else { String::new() };
            let mark = marks::mark_with_indexes(table, column);
            [mark, marks::name(column), column.ty.to_string(), rules]
        })
        .collect();
    for line in super::align_columns(&rows) {
        writeln!(out, "  {line}")?;
    }
    for line in subject.list_indexes(table) {
        writeln!(out, "  {FAINT}{line}{FAINT:#}")?;
    }
    for (option, reason) in DesignView::explicit_options(table) {
        writeln!(out, "  {FAINT}{option}: {reason}{FAINT:#}")?;
    }
    Ok(())
}

/// Rows and bytes per partition, today and later.
fn sizes(subject: DesignView<'_>, width: usize, out: &mut dyn Write) -> io::Result<()> {
    heading(out, "Partition sizes (rows, bytes)")?;
    let indent = "  ";
    for line in page::fit_columns(&size_rows(subject), width.saturating_sub(indent.len())) {
        writeln!(out, "{}", format!("{indent}{line}").trim_end())?;
    }
    match least_even_table(subject) {
        Some(line) => writeln!(out, "  {line}"),
        None => Ok(()),
    }
}

/// The table that lies least evenly on the ring, by the Murmur3 tokens of its keys.
pub(crate) fn least_even_table(subject: DesignView<'_>) -> Option<String> {
    let tables = subject.design.tables.iter().filter(|table| table.remembers.is_none());
    let balances =
        tables.filter_map(|table| Some((table, ring_balance(&subject.file.concept, table)?)));
    // That with the most bytes above its share on one node.
    let surplus = |(table, balance): &(&PlannedTable, RingBalance)| {
        (balance.fullest - 1.0) * table.volume.table_bytes_after(0.0)
    };
    let (table, balance) = balances.max_by(|one, other| surplus(one).total_cmp(&surplus(other)))?;
    Some(format!("least even on the ring: {}, {}", table.name, balance_text(&balance)))
}

/// The rows of the table of sizes, header first.
pub(crate) fn size_rows(subject: DesignView<'_>) -> Vec<Vec<String>> {
    let dates = planning_dates::list_dates(subject.design.tables.iter().map(|it| &it.volume));
    let head =
        ["table", "partitions today", "a row", "exceeds 100 MB", "today p50", "p99", "p99.9"];
    let mut head = head.map(str::to_owned).to_vec();
    head.push("max".to_owned());
    head.extend(dates.iter().enumerate().map(|(at, days)| {
        let date = figures::format_time_ahead(*days);
        if at == 0 { format!("p99.9 in {date}") } else { date }
    }));
    let mut rows = vec![head];
    for table in &subject.design.tables {
        let volume = &table.volume;
        let at = |days: f64, pick: fn(model::plan::Quantiles) -> f64| {
            let (rows, bytes) = (pick(volume.rows_after(days)), pick(volume.bytes_after(days)));
            // Not every value of the key has rows, but a partition has at least one.
            let missing = if rows > 0.0 { (1.0 - rows).max(0.0) } else { 0.0 };
            let (rows, bytes) = (rows + missing, bytes + missing * volume.row_bytes);
            format!("{}, {}", figures::format_count(rows), figures::format_bytes(bytes))
        };
        let exceeded = match volume.days_until(100e6).filter(|days| !is_far(Some(*days))) {
            None => "never".to_owned(),
            Some(days) if days <= 0.0 => "today".to_owned(),
            Some(days) => format!("in {}", figures::format_days(days)),
        };
        let mut row = vec![
            table.name.clone(),
            partition_count(volume),
            figures::format_bytes(volume.row_bytes),
            exceeded,
            at(0.0, |rows| rows.p50),
            at(0.0, |rows| rows.p99),
            at(0.0, |rows| rows.p999),
            at(0.0, |rows| rows.max),
        ];
        row.extend(dates.iter().map(|days| at(*days, |rows| rows.p999)));
        rows.push(row);
    }
    rows
}

/// The partitions of a table today: `100M of 12 rows`.
pub(super) fn partition_count(volume: &Volume) -> String {
    let rows = volume.rows_after(0.0).mean;
    // Not every value of the key has rows, but a partition has at least one.
    let rows = if rows > 0.0 { rows.max(1.0) } else { rows };
    let rows = figures::pluralise(rows, "row");
    let partitions = volume.partitions;
    if partitions <= 0.0 {
        return "none yet".to_owned();
    }
    if partitions < 10.0 && partitions.fract() > 0.01 {
        // Not all buckets are full yet.
        return format!("{} of up to {rows}", figures::format_count(partitions.ceil()));
    }
    format!("{} of {rows}", figures::format_count(partitions))
}

/// The plan of a read.
fn read_plan(subject: DesignView<'_>, at: ReadId, out: &mut dyn Write) -> io::Result<()> {
    let (Some(read), Some(plan)) =
        (subject.file.workload.reads.member(at), subject.design.reads.member(at))
    else {
        return Ok(());
    };
    writeln!(
        out,
        "\n{NAME}{} {}{NAME:#}  {}  {}",
        DesignView::read_number(at),
        read.name,
        figures::format_rate(read.rate.value),
        partition_summary(plan)
    )?;
    let names = PlanPhrases { subject, parameters: &read.parameters, sources: &read.sources };
    for (number, step) in plan.steps.enumerate_ids() {
        let label =
            if plan.steps.len() > 1 { format!("{}. ", number.index() + 1) } else { String::new() };
        read_step(names, step, read.limit, &label, out)?;
    }
    for step in &plan.client {
        writeln!(out, "  then {}", names.client(step))?;
    }
    for phrase in names.client_values() {
        writeln!(out, "  {FAINT}{phrase}{FAINT:#}")?;
    }
    plan.remarks.iter().try_for_each(|remark| writeln!(out, "  {FAINT}{remark}{FAINT:#}"))
}

fn read_step(
    names: PlanPhrases<'_>,
    step: &ReadStep,
    limit: Option<Limit>,
    label: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let phrases = names.loops(&step.loops, limit);
    if !phrases.is_empty() {
        writeln!(out, "  {label}{}:", phrases.join(", "))?;
    }
    let label = if step.loops.is_empty() { label } else { "  " };
    writeln!(out, "  {label}{}", step.select)?;
    let operands = step.select.operands();
    let is_plain = operands.iter().all(|value| matches!(value, model::plan::Operand::Parameter(_)));
    match names.values(&operands, &step.loops).filter(|_| !is_plain) {
        Some(values) => writeln!(out, "  {label}{FAINT}? = {values}{FAINT:#}"),
        None => Ok(()),
    }
}

/// The partitions and rows that a plan reads.
pub(crate) fn partition_summary(plan: &ReadPlan) -> String {
    if plan.steps.is_empty() {
        return "not served".to_owned();
    }
    let usual = figures::pluralise(plan.partitions, "partition");
    let most = if plan.partitions_at_most.is_infinite() {
        " (unbounded)".to_owned()
    } else if plan.partitions_at_most > plan.partitions {
        format!(" (at most {})", figures::format_count(plan.partitions_at_most))
    } else {
        String::new()
    };
    format!("{usual}{most}, {}", figures::pluralise(plan.rows, "row"))
}

/// The plan of a write.
fn write_plan(subject: DesignView<'_>, at: WriteId, out: &mut dyn Write) -> io::Result<()> {
    let (Some(write), Some(plan)) =
        (subject.file.workload.writes.member(at), subject.design.writes.member(at))
    else {
        return Ok(());
    };
    let rate = figures::format_rate(write.rate.value);
    writeln!(out, "\n{NAME}{}{NAME:#}  {rate}  {}", write.name, subject.effects(at))?;
    write_steps(subject, (write, plan), &[at], out)
}

/// The steps of a write, with what must hold before it; `within` are the writes that run it.
fn write_steps(
    subject: DesignView<'_>,
    (write, plan): (&model::workload::Write, &WritePlan),
    within: &[WriteId],
    out: &mut dyn Write,
) -> io::Result<()> {
    let source = Source { entity: write.entity, alias: String::new(), join: None };
    let names = PlanPhrases { subject, parameters: &write.parameters, sources: &[source] };
    for (number, step) in plan.steps.enumerate_ids() {
        let label =
            if plan.steps.len() > 1 { format!("{}. ", number.index() + 1) } else { String::new() };
        write_step(names, step, &label, out)?;
        if let WriteStep::Run(run) = step {
            write_derived_plan(subject, run.write, within, out)?;
        }
    }
    if let Some(phrase) = write_result::phrase(names, write, plan) {
        writeln!(out, "  {phrase}")?;
    }
    for phrase in names.client_values().into_iter().chain(names.generation_phrases(write)) {
        writeln!(out, "  {FAINT}{phrase}{FAINT:#}")?;
    }
    if let Some(checks) = phrases::describe_checks(plan) {
        writeln!(out, "  {FAINT}{checks}{FAINT:#}")?;
    }
    for precondition in &plan.preconditions {
        writeln!(out, "  {FAINT}precondition: {precondition}{FAINT:#}")?;
    }
    plan.remarks.iter().try_for_each(|remark| writeln!(out, "  {FAINT}{remark}{FAINT:#}"))
}

/// The plan of a derived write, indented.
fn write_derived_plan(
    subject: DesignView<'_>,
    at: WriteId,
    within: &[WriteId],
    out: &mut dyn Write,
) -> io::Result<()> {
    let (Some(write), Some(plan)) =
        (subject.file.workload.writes.member(at), subject.design.writes.member(at))
    else {
        return Ok(());
    };
    if within.contains(&at) {
        return writeln!(out, "       {FAINT}again, until there are no more rows{FAINT:#}");
    }
    let within: Vec<_> = within.iter().copied().chain([at]).collect();
    let mut text = Vec::new();
    write_steps(subject, (write, plan), &within, &mut text)?;
    for line in String::from_utf8_lossy(&text).lines() {
        writeln!(out, "     {line}")?;
    }
    Ok(())
}

fn write_step(
    names: PlanPhrases<'_>,
    step: &WriteStep,
    label: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    match step {
        WriteStep::Read(step, reason) => {
            writeln!(out, "  {label}read first {FAINT}({reason}){FAINT:#}")?;
            read_step(names, step, None, "  ", out)
        }
        WriteStep::Statement(statement) => write_statement(names, statement, label, out),
        WriteStep::Run(run) => writeln!(out, "  {label}{}", names.run(run)),
        WriteStep::Batch { kind, statements, reason } => {
            writeln!(out, "  {label}{} {FAINT}({reason}){FAINT:#}", phrases::batch(*kind))?;
            statements.iter().try_for_each(|statement| write_statement(names, statement, "  ", out))
        }
    }
}

fn write_statement(
    names: PlanPhrases<'_>,
    statement: &PlannedStatement,
    label: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut before = names.loops(&statement.loops, None);
    before.extend(names.guards(statement));
    let before = if before.is_empty() { String::new() } else { format!("{}: ", before.join(", ")) };
    writeln!(out, "  {label}{FAINT}{before}{FAINT:#}{}", statement.modification)?;
    match &statement.condition {
        Some(condition) => {
            let indent = " ".repeat(label.len());
            writeln!(out, "  {indent}{FAINT}{condition}{FAINT:#}")
        }
        None => Ok(()),
    }
}

/// Refusals, warnings, alternatives, assumptions.
fn notes(subject: DesignView<'_>, out: &mut dyn Write) -> io::Result<()> {
    let kinds = [
        (NoteKind::Refusal, "Refused", BAD),
        (NoteKind::Warning, "Warnings", DOUBTFUL),
        (NoteKind::Alternative, "Alternatives", Style::new()),
        (NoteKind::Assumption, "Assumptions", Style::new()),
    ];
    for (kind, title, style) in kinds {
        // Assumptions about the model are listed by influence, where that is known.
        let ranking = subject.ranking.filter(|_| kind == NoteKind::Assumption);
        let is_shown = |note: &Note| {
            note.kind == kind && (ranking.is_none() || !matches!(note.topic, Topic::Assumption(_)))
        };
        let shown: Vec<_> = subject.notes().filter(is_shown).collect();
        let is_ranked = ranking.is_some() && !subject.file.assumptions.is_empty();
        if shown.is_empty() && !is_ranked {
            continue;
        }
        heading(out, title)?;
        for note in shown {
            writeln!(out, "  {style}-{style:#} {}", note.topic)?;
            writeln!(out, "    {FAINT}{}{FAINT:#}", note.topic.help())?;
        }
        if let Some(ranking) = ranking {
            assumptions::write_ranking(ranking, out)?;
        }
    }
    Ok(())
}

fn checklists(subject: DesignView<'_>, out: &mut dyn Write) -> io::Result<()> {
    for list in &subject.design.checklists {
        heading(out, list.title)?;
        for point in &list.points {
            let (tick, style) = tick(point.holds);
            writeln!(
                out,
                "  {style}{tick}{style:#} {}  {FAINT}{}{FAINT:#}",
                point.asks, point.evidence
            )?;
        }
    }
    writeln!(out)
}

fn tick(holds: Option<bool>) -> (&'static str, Style) {
    match holds {
        Some(true) => ("✓", GOOD),
        Some(false) => ("✗", BAD),
        None => ("–", FAINT),
    }
}
