//! The tables: keys with their reasons, options, sizes, and who reads and writes them.

use design::estimate::YEAR;
use model::figures;
use model::id::{IdList, TableId};
use model::plan::{MappingReason, MappingRule, PlannedColumn, PlannedTable};

use super::names::{link_cell, table_anchor, write_diagram_link, write_fact, write_links};
use crate::render::design::{DesignView, marks};
use crate::render::html::{
    Cell, DataTable, Markup, Section, write_code, write_details, write_list,
};
use crate::render::size_charts;

/// The section.
pub(super) fn section(subject: DesignView<'_>) -> Section {
    let mut section = Section::new("tables", "Tables");
    let rules = "Why a column is where it is: MR1, a query returns it; MR2, it is compared by equality; MR3, by a range; MR4, the result is ordered by it; MR5, it completes the key.";
    section.content().leaf("p", &[("class", "faint")], rules);
    overview(subject).write(section.content());
    let created = design::create_statements::creations(subject.design, |_| Vec::new());
    for (at, table) in subject.design.tables.enumerate_ids() {
        section.add_entry(&table.name, table_anchor(&table.name));
        let statements = created.iter().find(|(created, _)| *created == at);
        let statements = statements.map(|(_, statements)| statements.as_slice());
        write_table(subject, at, statements.unwrap_or_default(), section.content());
    }
    section
}

fn overview(subject: DesignView<'_>) -> DataTable {
    let head = ["table", "primary key", "for", "partitions", "p99.9 in 5 years", "disk in 5 years"];
    let mut rows = DataTable::new("All tables", &head);
    for (at, table) in subject.design.tables.enumerate_ids() {
        let Some(link) = subject.table_link(at) else { continue };
        let volume = &table.volume;
        let bytes = |value: f64| Cell::Figure { text: figures::format_bytes(value), value };
        let partitions = volume.partitions;
        rows.add_row([
            link_cell(link),
            Cell::Code(design::create_statements::primary_key(table)),
            describe_use(subject, table),
            Cell::Figure { text: figures::format_count(partitions), value: partitions },
            bytes(volume.bytes_after(5.0 * YEAR).p999),
            bytes(volume.table_bytes_after(5.0 * YEAR) * subject.copies()),
        ]);
    }
    rows
}

/// What a table is for: queries, or its purpose.
fn describe_use(subject: DesignView<'_>, table: &PlannedTable) -> Cell {
    let queries = table.serves.iter().filter_map(|served| subject.query_link(served.read));
    let mut queries: Vec<_> = queries.collect();
    queries.dedup();
    if queries.is_empty() {
        Cell::prose(subject.purpose(table).unwrap_or_default())
    } else {
        Cell::Links(queries)
    }
}

fn write_table(subject: DesignView<'_>, at: TableId, statements: &[String], out: &mut Markup) {
    let Some(table) = subject.design.tables.member(at) else { return };
    let id = table_anchor(&table.name).to_string();
    let heading = format!("{id}-title");
    let attributes = [("id", &*id), ("data-table", &*table.name), ("aria-labelledby", &*heading)];
    out.element("article", &attributes, |out| {
        out.element("div", &[("class", "headline")], |out| {
            out.element("h3", &[("id", &heading)], |out| out.leaf("code", &[], &table.name));
            write_diagram_link(out);
        });
        write_facts(subject, at, table, out);
        columns(subject, table).write(out);
        write_list("", subject.list_indexes(table), out);
        let options = DesignView::explicit_options(table);
        let options = options.into_iter().map(|(option, why)| format!("`{option}`: {why}"));
        write_list("", options, out);
        if let Some(series) = subject.series.get(at.index()) {
            size_charts::write_growth(series, &table.volume, out);
        }
        write_details("CQL", out, |out| {
            let code: Vec<String> = statements.iter().map(|it| format!("{it};")).collect();
            write_code(&code.join("\n"), out);
        });
    });
}

fn write_facts(subject: DesignView<'_>, at: TableId, table: &PlannedTable, out: &mut Markup) {
    let volume = &table.volume;
    out.element("ul", &[("class", "facts")], |out| {
        let queries = table.serves.iter().filter_map(|served| subject.query_link(served.read));
        let mut queries: Vec<_> = queries.collect();
        queries.dedup();
        write_links("read by", &queries, out);
        write_links("written by", &subject.table_writes(at), out);
        if let Some(purpose) = subject.purpose(table) {
            write_fact("", &purpose, out);
        }
        if let Some(rows) = subject.restriction(table) {
            write_fact("only rows with", &rows, out);
        }
    });
    out.element("ul", &[("class", "facts")], |out| {
        let rows = volume.rows_after(0.0).mean.max(1.0);
        let partitions = figures::pluralise(volume.partitions, "partition");
        write_fact("", &format!("{partitions} of {}", figures::pluralise(rows, "row")), out);
        write_fact("a row has", &figures::format_bytes(volume.row_bytes), out);
        let today = figures::format_bytes(volume.bytes_after(0.0).p999);
        let later = figures::format_bytes(volume.bytes_after(5.0 * YEAR).p999);
        let size = if today == later { today } else { format!("{today}, {later} in 5 years") };
        write_fact("p99.9", &size, out);
        let disk = |days| figures::format_bytes(volume.table_bytes_after(days) * subject.copies());
        write_fact("disk", &format!("{}, {} in 5 years", disk(0.0), disk(5.0 * YEAR)), out);
        if volume.hottest_reads + volume.hottest_writes > 0.0 {
            let [reads, writes] =
                [volume.hottest_reads, volume.hottest_writes].map(figures::format_rate);
            write_fact("hottest partition", &format!("{reads} reads, {writes} writes"), out);
        }
    });
}

fn columns(subject: DesignView<'_>, table: &PlannedTable) -> DataTable {
    let caption = format!("Columns of {}", table.name);
    let mut rows = DataTable::new(caption, &["column", "key", "type", "why"]);
    for column in &table.columns {
        rows.add_row([
            Cell::Code(marks::name(column)),
            Cell::prose(marks::page_mark(table, column)),
            Cell::Code(column.ty.to_string()),
            Cell::prose(reasons(subject, column)),
        ]);
    }
    rows
}

/// The rules behind a column, each once with the queries that it applies to.
fn reasons(subject: DesignView<'_>, column: &PlannedColumn) -> String {
    let mut shown: Vec<(&MappingReason, Vec<String>)> = Vec::new();
    for reason in &column.reasons {
        let query = reason.read.filter(|read| subject.design.reads.member(*read).is_some());
        let query = query.map(DesignView::read_number);
        let same = |(other, _): &&mut (&MappingReason, Vec<String>)| {
            let is_stored = reason.rule == MappingRule::Stored;
            other.rule == reason.rule && (is_stored || other.text == reason.text)
        };
        match shown.iter_mut().find(same) {
            Some((_, queries)) => queries.extend(query),
            None => shown.push((reason, query.into_iter().collect())),
        }
    }
    let sentence = |(reason, queries): &(&MappingReason, Vec<String>)| {
        let head = format!("{} {}", reason.rule.name(), queries.join(", "));
        // That a query returns it needs no sentence for each column.
        match reason.rule {
            MappingRule::Stored if !queries.is_empty() => head,
            _ => format!("{}: {}", head.trim_end(), reason.text),
        }
    };
    shown.iter().map(sentence).collect::<Vec<_>>().join("; ")
}
