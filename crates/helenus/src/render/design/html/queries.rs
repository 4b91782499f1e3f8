//! The queries: plan, statements, what they read and what they cost.

use model::figures;
use model::id::{IdList, ReadId};
use model::plan::{NoteSubject, ReadPlan};
use model::workload::Read;

use super::names::{link_cell, query_anchor, write_diagram_link, write_fact, write_links};
use super::price::{self, price_share};
use super::steps::write_read_step;
use crate::render::design::phrases::PlanPhrases;
use crate::render::design::{DesignView, text};
use crate::render::html::{Cell, DataTable, Markup, Section, write_code, write_list};

/// The section.
pub(super) fn section(subject: DesignView<'_>) -> Section {
    let mut section = Section::new("queries", "Queries");
    let workload = &subject.file.workload;
    let overview = overview(subject);
    if !overview.is_empty() {
        overview.write(section.content());
    }
    for ((at, read), plan) in workload.reads.enumerate_ids().zip(&subject.design.reads) {
        let label = format!("{} {}", DesignView::read_number(at), read.name);
        section.add_entry(label, query_anchor(&read.name));
        write_query(subject, at, (read, plan), section.content());
    }
    section
}

fn overview(subject: DesignView<'_>) -> DataTable {
    let mut head = vec!["query", "rate", "partitions", "rows", "tables"];
    let unit = price::unit(subject);
    let price_head = format!("price in {unit}");
    if !unit.is_empty() {
        head.push(&price_head);
    }
    let mut rows = DataTable::new("All queries", &head);
    let reads = subject.file.workload.reads.enumerate_ids();
    for ((at, read), plan) in reads.zip(&subject.design.reads) {
        let Some(link) = subject.query_link(at) else { continue };
        let count = |value: f64| Cell::Figure { text: figures::format_count(value), value };
        let rate = figures::format_rate(read.rate.value);
        let mut row = vec![
            link_cell(link),
            Cell::Figure { text: rate, value: read.rate.value },
            count(plan.partitions),
            count(plan.rows),
            Cell::Links(subject.read_tables(at)),
        ];
        row.extend(price::read_price(subject, at).map(price::cell));
        rows.add_row(row);
    }
    rows
}

fn write_query(
    subject: DesignView<'_>,
    at: ReadId,
    (read, plan): (&Read, &ReadPlan),
    out: &mut Markup,
) {
    let id = query_anchor(&read.name).to_string();
    let heading = format!("{id}-title");
    let attributes = [("id", &*id), ("data-query", &*read.name), ("aria-labelledby", &*heading)];
    out.element("article", &attributes, |out| {
        out.element("div", &[("class", "headline")], |out| {
            let name = format!("{} {}", DesignView::read_number(at), read.name);
            out.leaf("h3", &[("id", &heading)], &name);
            write_diagram_link(out);
        });
        write_facts(subject, at, (read, plan), out);
        write_code(&read.sql, out);
        write_plan(subject, read, plan, out);
        if price::count_rejected(subject, NoteSubject::Read(at)) > 0 {
            let link = price::alternatives_anchor(&read.name).link();
            let count = price::count_rejected(subject, NoteSubject::Read(at));
            let text = figures::pluralise(count as f64, "rejected alternative");
            out.element("p", &[], |out| out.leaf("a", &[("href", &link)], &text));
        }
    });
}

fn write_facts(
    subject: DesignView<'_>,
    at: ReadId,
    (read, plan): (&Read, &ReadPlan),
    out: &mut Markup,
) {
    out.element("ul", &[("class", "facts")], |out| {
        write_fact("", &figures::format_rate(read.rate.value), out);
        write_fact("reads", &text::partition_summary(plan), out);
        if let Some(price) = price::read_price(subject, at) {
            write_fact("costs", &price_share(subject, price), out);
        }
        write_fact("at", &read.consistency, out);
    });
    out.element("ul", &[("class", "facts")], |out| {
        write_links("from", &subject.read_tables(at), out);
        let links = |ids: &mut dyn Iterator<Item = ReadId>| -> Vec<_> {
            ids.filter_map(|at| subject.query_link(at)).collect()
        };
        write_links("after", &links(&mut read.after.iter().copied()), out);
        let reads = subject.file.workload.reads.enumerate_ids();
        let mut next = reads.filter(|(_, it)| it.after.contains(&at)).map(|(next, _)| next);
        write_links("leads to", &links(&mut next), out);
    });
}

fn write_plan(subject: DesignView<'_>, read: &Read, plan: &ReadPlan, out: &mut Markup) {
    if plan.steps.is_empty() {
        return out.leaf("p", &[], "No table serves it.");
    }
    let names = PlanPhrases { subject, parameters: &read.parameters, sources: &read.sources };
    out.leaf("h4", &[], "Plan");
    out.element("ol", &[("class", "steps")], |out| {
        for step in &plan.steps {
            out.element("li", &[], |out| write_read_step(names, step, read.limit, out));
        }
        for step in &plan.client {
            out.leaf("li", &[], &format!("then {}", names.client(step)));
        }
    });
    write_list("faint", names.client_values(), out);
    write_list("faint", plan.remarks.iter().map(ToString::to_string), out);
}
