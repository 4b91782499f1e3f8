//! `report.md`: the design as a Markdown report for reviews.

use std::fmt::Write;

use model::figures;
use model::id::IdList;
use model::plan::{NoteKind, PlannedTable};

use super::{DesignView, choice, marks, model_warnings, proof, text};
use crate::render::markdown_text::{cell, cell_code, code_block, prose};

/// The report in Markdown.
pub(crate) fn markdown(subject: DesignView<'_>) -> String {
    let mut out = String::new();
    let concept = &subject.file.concept;
    let _ = writeln!(out, "# {}\n", prose(&concept.keyspace));
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
    let _ = writeln!(out, "proof: {}", prose(&proof::verdict(subject.proof)));
    out
}

fn tables(subject: DesignView<'_>, out: &mut String) {
    let _ = writeln!(out, "## Tables\n");
    for table in &subject.design.tables {
        let about = subject.about(table);
        let _ = writeln!(out, "### {}\n\n{}\n", prose(&table.name), prose(&about.join(", ")));
        table_columns(table, out);
        let indexes = subject.list_indexes(table);
        for index in &indexes {
            let _ = writeln!(out, "- {}", prose(index));
        }
        for (option, reason) in DesignView::explicit_options(table) {
            let _ = writeln!(out, "- `{option}`: {}", prose(reason));
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
            "| {} | {} | {} | {} |",
            marks::mark_with_indexes(table, column),
            cell_code(&marks::name(column)),
            cell_code(&column.ty.to_string()),
            cell(&reasons.join(" "))
        );
    }
    out.push('\n');
}

fn sizes(subject: DesignView<'_>, out: &mut String) {
    let _ = writeln!(out, "## Partition sizes (rows, bytes)\n");
    for (at, row) in text::size_rows(subject).iter().enumerate() {
        let row: Vec<String> = row.iter().map(|text| cell(text)).collect();
        let _ = writeln!(out, "| {} |", row.join(" | "));
        if at == 0 {
            let _ = writeln!(out, "|{}", "---|".repeat(row.len()));
        }
    }
    if let Some(line) = text::least_even_table(subject) {
        let _ = writeln!(out, "\n{}", prose(&line));
    }
    out.push('\n');
}

fn reads(subject: DesignView<'_>, out: &mut String) {
    let _ = writeln!(out, "## Reads\n\n| | query | rate | reads | SQL |\n|---|---|---|---|---|");
    let pairs = subject.file.workload.reads.enumerate_ids().zip(&subject.design.reads);
    for ((at, read), plan) in pairs {
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} |",
            DesignView::read_number(at),
            cell(&read.name),
            figures::format_rate(read.rate.value),
            text::partition_summary(plan),
            cell_code(&read.sql)
        );
    }
    let _ = writeln!(out, "\n{}", code_block("sql", &super::files::queries(subject).text));
}

fn writes(subject: DesignView<'_>, out: &mut String) {
    if subject.design.writes.is_empty() {
        return;
    }
    let _ = writeln!(out, "## Writes\n\n| write | rate | effect |\n|---|---|---|");
    for (at, write) in subject.file.workload.list_stated_writes().enumerate_ids() {
        let rate = figures::format_rate(write.rate.value);
        let _ =
            writeln!(out, "| {} | {rate} | {} |", cell(&write.name), cell(&subject.effects(at)));
    }
    let _ = writeln!(out, "\n{}", code_block("sql", &super::files::writes(subject).text));
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
                writeln!(out, "- {} {}", prose(&note.topic.to_string()), prose(&note.topic.help()));
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
            let _ = writeln!(out, "- {tick} {}: {}", prose(point.asks), prose(&point.evidence));
        }
        out.push('\n');
    }
}
