//! `report.md`: the design as a Markdown report for reviews.

use std::fmt::Write;

use model::figures;
use model::id::IdList;
use model::plan::{NoteKind, PlannedTable};

use super::{DesignView, choice, marks, model_warnings, proof, text};

/// The report in Markdown.
pub(crate) fn markdown(subject: DesignView<'_>) -> String {
    let mut out = String::new();
    let concept = &subject.file.concept;
    let _ = writeln!(out, "# {}\n", concept.keyspace);
    let _ = writeln!(out, "![Chebotko diagram](diagram.svg)\n");
    let _ = writeln!(
        out,
        "{} tables, {} queries, {} writes; {} on disk today and {} in 5 years with {} replicas on {} nodes.\n",
        subject.design.tables.len(),
        subject.design.reads.len(),
        subject.file.workload.list_stated_writes().len(),
        figures::format_bytes(subject.disk_bytes_after(0.0)),
        figures::format_bytes(subject.disk_bytes_after(5.0 * 365.25)),
        concept.copies(),
        concept.nodes,
    );
    tables(subject, &mut out);
    sizes(subject, &mut out);
    reads(subject, &mut out);
    writes(subject, &mut out);
    model_warnings::markdown(subject, &mut out);
    notes(subject, &mut out);
    choice::markdown(subject, &mut out);
    proof::markdown(subject, &mut out);
    checklists(subject, &mut out);
    let _ = writeln!(out, "optimal: {}  ", choice::verdict(subject));
    let _ = writeln!(out, "proof: {}", proof::verdict(subject.proof));
    out
}

fn tables(subject: DesignView<'_>, out: &mut String) {
    let _ = writeln!(out, "## Tables\n");
    for table in &subject.design.tables {
        let about = subject.about(table);
        let _ = writeln!(out, "### {}\n\n{}\n", table.name, cell(&about.join(", ")));
        table_columns(table, out);
        let indexes = subject.list_indexes(table);
        for index in &indexes {
            let _ = writeln!(out, "- {}", cell(index));
        }
        for (option, reason) in DesignView::explicit_options(table) {
            let _ = writeln!(out, "- `{option}`: {}", cell(reason));
        }
        if !(indexes.is_empty() && DesignView::explicit_options(table).is_empty()) {
            out.push('\n');
        }
    }
}

fn table_columns(table: &PlannedTable, out: &mut String) {
    let _ = writeln!(out, "| | column | type | why |\n|---|---|---|---|");
    for column in &table.columns {
        let reasons: Vec<_> = column
            .reasons
            .iter()
            .map(|reason| {
                let read = reason.read.map(|read| format!(" {}", DesignView::read_number(read)));
                format!("{}{}: {}", reason.rule.name(), read.unwrap_or_default(), reason.text)
            })
            .collect();
        let _ = writeln!(
            out,
            "| {} | `{}` | `{}` | {} |",
            marks::mark_with_indexes(table, column),
            marks::name(column),
            column.ty,
            cell(&reasons.join(" "))
        );
    }
    out.push('\n');
}

fn sizes(subject: DesignView<'_>, out: &mut String) {
    let _ = writeln!(out, "## Partition sizes (rows, bytes)\n");
    for (at, row) in text::size_rows(subject).iter().enumerate() {
        let _ = writeln!(out, "| {} |", row.join(" | "));
        if at == 0 {
            let _ = writeln!(out, "|{}", "---|".repeat(row.len()));
        }
    }
    if let Some(line) = text::least_even_table(subject) {
        let _ = writeln!(out, "\n{}", cell(&line));
    }
    out.push('\n');
}

fn reads(subject: DesignView<'_>, out: &mut String) {
    let _ = writeln!(out, "## Reads\n\n| | query | rate | reads | SQL |\n|---|---|---|---|---|");
    let pairs = subject.file.workload.reads.enumerate_ids().zip(&subject.design.reads);
    for ((at, read), plan) in pairs {
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | `{}` |",
            DesignView::read_number(at),
            read.name,
            figures::format_rate(read.rate.value),
            text::partition_summary(plan),
            cell(&read.sql)
        );
    }
    let _ = writeln!(out, "\n```sql\n{}```\n", super::files::queries(subject).text);
}

fn writes(subject: DesignView<'_>, out: &mut String) {
    if subject.design.writes.is_empty() {
        return;
    }
    let _ = writeln!(out, "## Writes\n\n| write | rate | effect |\n|---|---|---|");
    for (at, write) in subject.file.workload.list_stated_writes().enumerate_ids() {
        let rate = figures::format_rate(write.rate.value);
        let _ = writeln!(out, "| {} | {rate} | {} |", write.name, subject.effects(at));
    }
    let _ = writeln!(out, "\n```sql\n{}```\n", super::files::writes(subject).text);
}

fn notes(subject: DesignView<'_>, out: &mut String) {
    let kinds = [
        (NoteKind::Refusal, "Refused"),
        (NoteKind::Warning, "Warnings"),
        (NoteKind::Alternative, "Alternatives"),
        (NoteKind::Assumption, "Assumptions"),
    ];
    for (kind, title) in kinds {
        let shown: Vec<_> = subject.notes().filter(|note| note.kind == kind).collect();
        if shown.is_empty() {
            continue;
        }
        let _ = writeln!(out, "## {title}\n");
        for note in shown {
            let _ =
                writeln!(out, "- {} {}", cell(&note.topic.to_string()), cell(&note.topic.help()));
        }
        out.push('\n');
    }
}

fn checklists(subject: DesignView<'_>, out: &mut String) {
    for list in &subject.design.checklists {
        let _ = writeln!(out, "## {}\n", list.title);
        for point in &list.points {
            let tick = match point.holds {
                Some(true) => "[x]",
                Some(false) => "[ ]",
                None => "[-]",
            };
            let _ = writeln!(out, "- {tick} {}: {}", point.asks, cell(&point.evidence));
        }
        out.push('\n');
    }
}

/// A text for the cell of a Markdown table: one line, with `|` escaped.
pub(crate) fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}
