//! The writes: their statements, in order, and what must hold before them.

use model::figures;
use model::id::{IdList, WriteId};
use model::plan::{WritePlan, WriteStep};
use model::workload::{Source, Write};

use super::names::{link_cell, write_anchor, write_fact, write_links};
use super::price::{self, price_share};
use super::steps::{write_change, write_read_step};
use crate::render::design::phrases::{self, PlanPhrases};
use crate::render::design::{DesignView, write_result};
use crate::render::html::{
    Cell, DataTable, Markup, Section, Tone, write_badge, write_code, write_list, write_prose,
};

/// The section.
pub(super) fn section(subject: DesignView<'_>) -> Section {
    let mut section = Section::new("writes", "Writes");
    let stated = subject.file.workload.list_stated_writes();
    let overview = overview(subject);
    if !overview.is_empty() {
        overview.write(section.content());
    }
    for (at, write) in stated.enumerate_ids() {
        let Some(plan) = subject.design.writes.member(at) else { continue };
        section.add_entry(&write.name, write_anchor(&write.name));
        write_write(subject, at, (write, plan), section.content());
    }
    section
}

fn overview(subject: DesignView<'_>) -> DataTable {
    let mut head = vec!["write", "rate", "rows written", "tombstones", "tables"];
    let unit = price::unit(subject);
    let price_head = format!("price in {unit}");
    if !unit.is_empty() {
        head.push(&price_head);
    }
    let mut rows = DataTable::new("All writes", &head);
    for (at, write) in subject.file.workload.list_stated_writes().enumerate_ids() {
        let Some(link) = subject.write_link(at) else { continue };
        let (written, tombstones) = subject.count_all_written_rows(at);
        let count = |value: f64| Cell::Figure { text: figures::format_count(value), value };
        let rate = figures::format_rate(write.rate.value);
        let tables = subject.list_written_tables(at).into_iter();
        let mut row = vec![
            link_cell(link),
            Cell::Figure { text: rate, value: write.rate.value },
            count(written),
            count(tombstones),
            Cell::Links(tables.filter_map(|table| subject.table_link(table)).collect()),
        ];
        row.extend(subject.write_price(at).map(price::cell));
        rows.add_row(row);
    }
    rows
}

fn write_write(
    subject: DesignView<'_>,
    at: WriteId,
    (write, plan): (&Write, &WritePlan),
    out: &mut Markup,
) {
    let id = write_anchor(&write.name).to_string();
    let heading = format!("{id}-title");
    let attributes = [("id", &*id), ("data-write", &*write.name), ("aria-labelledby", &*heading)];
    out.element("article", &attributes, |out| {
        out.element("div", &[("class", "headline")], |out| {
            out.leaf("h3", &[("id", &heading)], &write.name);
            if plan.idempotent {
                write_badge(Tone::Good, "idempotent", out);
            } else {
                write_badge(Tone::Doubtful, "not idempotent", out);
            }
        });
        out.element("ul", &[("class", "facts")], |out| {
            let (rows, tombstones) = subject.count_all_written_rows(at);
            write_fact("", &figures::format_rate(write.rate.value), out);
            write_fact("writes", &figures::pluralise(rows, "row"), out);
            write_fact("leaves", &figures::pluralise(tombstones, "tombstone"), out);
            if let Some(price) = subject.write_price(at) {
                write_fact("costs", &price_share(subject, price), out);
            }
            write_fact("at", &write.consistency, out);
        });
        out.element("ul", &[("class", "facts")], |out| {
            let tables = subject.list_written_tables(at).into_iter();
            let tables: Vec<_> = tables.filter_map(|table| subject.table_link(table)).collect();
            write_links("changes", &tables, out);
        });
        write_code(&write.sql, out);
        write_preconditions(plan, out);
        out.leaf("h4", &[], "Statements");
        write_steps(subject, (write, plan), &[at], out);
    });
}

fn write_preconditions(plan: &WritePlan, out: &mut Markup) {
    if plan.preconditions.is_empty() {
        return;
    }
    out.leaf("h4", &[], "Preconditions, which no statement checks");
    write_list("", plan.preconditions.iter().map(ToString::to_string), out);
}

/// Writes the steps of a write; `within` are the writes that run it.
fn write_steps(
    subject: DesignView<'_>,
    (write, plan): (&Write, &WritePlan),
    within: &[WriteId],
    out: &mut Markup,
) {
    let sources = [Source { entity: write.entity, alias: String::new(), join: None }];
    let names = PlanPhrases { subject, parameters: &write.parameters, sources: &sources };
    out.element("ol", &[("class", "steps")], |out| {
        for step in &plan.steps {
            out.element("li", &[], |out| write_step(names, step, within, out));
        }
    });
    let mut remarks: Vec<String> = write_result::phrase(names, write, plan).into_iter().collect();
    remarks.extend(names.client_values());
    remarks.extend(names.generation_phrases(write));
    remarks.extend(phrases::describe_checks(plan));
    remarks.extend(plan.remarks.iter().map(ToString::to_string));
    write_list("faint", remarks, out);
}

fn write_step(names: PlanPhrases<'_>, step: &WriteStep, within: &[WriteId], out: &mut Markup) {
    match step {
        WriteStep::Read(step, reason) => {
            write_head("read first", reason, out);
            write_read_step(names, step, None, out);
        }
        WriteStep::Statement(statement) => write_change(names, statement, out),
        WriteStep::Batch { kind, statements, reason } => {
            write_head(phrases::batch(*kind), reason, out);
            for statement in statements {
                write_change(names, statement, out);
            }
        }
        WriteStep::Run(run) => {
            out.element("p", &[], |out| write_prose(&names.run(run), out));
            write_derived(names.subject, run.write, within, out);
        }
    }
}

/// What a step is, and why.
fn write_head(name: &str, reason: &str, out: &mut Markup) {
    out.element("p", &[], |out| {
        out.leaf("strong", &[], name);
        out.text(": ");
        write_prose(reason, out);
    });
}

/// Writes the plan of a derived write within that which runs it.
fn write_derived(subject: DesignView<'_>, at: WriteId, within: &[WriteId], out: &mut Markup) {
    let (Some(write), Some(plan)) =
        (subject.file.workload.writes.member(at), subject.design.writes.member(at))
    else {
        return;
    };
    if within.contains(&at) {
        return out.leaf("p", &[("class", "faint")], "again, until there are no more rows");
    }
    let within: Vec<WriteId> = within.iter().copied().chain([at]).collect();
    write_steps(subject, (write, plan), &within, out);
}
