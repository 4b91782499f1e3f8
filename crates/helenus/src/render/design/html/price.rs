//! What queries, writes and tables cost, and what other designs would cost.

use model::figures;
use model::id::{IdList, ReadId};
use model::plan::{NoteSubject, RejectedAlternative};

use super::names::{query_anchor, table_anchor, write_anchor};
use crate::render::design::{DesignView, choice, json};
use crate::render::html::chart::{BarChart, Caption, ChartBar};
use crate::render::html::{
    Anchor, Cell, DataTable, Section, Tone, write_badge, write_list, write_prose,
};

/// At most so many bars are drawn; the table beside them has all.
const BARS_MAX: usize = 24;
/// The kinds of costs with the classes of their bars.
const KINDS: [(&str, &str); 3] = [("c0", "query"), ("c1", "write"), ("rest", "stored table")];

/// The unit of the prices; empty without any.
pub(super) fn unit(subject: DesignView<'_>) -> &'static str {
    subject.design.choice.as_ref().map_or("", choice::unit)
}

/// The price of a query, where the design is priced.
pub(super) fn read_price(subject: DesignView<'_>, at: ReadId) -> Option<f64> {
    subject.design.choice.as_ref()?.parts.reads.get(at.index()).copied()
}

/// A price as the cell of a table.
pub(super) fn cell(price: f64) -> Cell {
    Cell::Figure { text: choice::format_price(price), value: price }
}

/// `812 ms/s, 21 % of all`.
pub(super) fn price_share(subject: DesignView<'_>, price: f64) -> String {
    let total = subject.design.choice.as_ref().map_or(0.0, |made| made.price.total());
    let share = if total > 0.0 {
        format!(", {} of all", figures::format_share(price / total))
    } else {
        String::new()
    };
    format!("{} {}{share}", choice::format_price(price), unit(subject))
}

/// The section: cost by query, optimality, the next best designs.
pub(super) fn section(subject: DesignView<'_>) -> Section {
    let mut section = Section::new("price", "Cost and optimality");
    let out = section.content();
    out.element("p", &[], |out| {
        let (tone, word) = match &subject.design.choice {
            Some(made) if choice::is_optimal(made) => (Tone::Good, "optimal"),
            _ => (Tone::Doubtful, "not proven optimal"),
        };
        write_badge(tone, word, out);
        out.text(&format!(" optimal: {}", choice::verdict(subject)));
    });
    let Some(made) = &subject.design.choice else { return section };
    write_list("", choice::lines(subject, made), out);
    let bars = bars(subject);
    if bars.is_empty() {
        return section;
    }
    let unit = unit(subject);
    let title = format!("Cost of queries, writes and stored tables, in {unit}");
    let most = bars.first().map(|bar| bar.name.clone()).unwrap_or_default();
    BarChart {
        caption: Caption { title: &title, summary: &format!("The most expensive is {most}.") },
        legend: &KINDS,
        most: BARS_MAX,
        head: ["", "price"],
        format: &|price| format!("{} {unit}", choice::format_price(price)),
        bars,
    }
    .write(out);
    section
}

/// What costs something, the most expensive first.
fn bars(subject: DesignView<'_>) -> Vec<ChartBar> {
    let Some(made) = &subject.design.choice else { return Vec::new() };
    let workload = &subject.file.workload;
    let reads = workload.reads.enumerate_ids().map(|(at, read)| {
        let name = format!("{} {}", DesignView::read_number(at), read.name);
        (name, Some(query_anchor(&read.name)))
    });
    let stated = workload.list_stated_writes().len();
    let writes = workload.writes.iter().enumerate().map(|(at, write)| {
        // Derived writes are described within those that run them.
        (write.name.clone(), (at < stated).then(|| write_anchor(&write.name)))
    });
    let tables =
        subject.design.tables.iter().map(|it| (it.name.clone(), Some(table_anchor(&it.name))));
    let total = made.price.total();
    let bar = |class, ((name, anchor), price): ((String, Option<Anchor>), &f64)| ChartBar {
        class,
        name,
        link: anchor.map(|anchor| anchor.link()),
        value: *price,
        remark: if total > 0.0 { figures::format_share(price / total) } else { String::new() },
    };
    let [(read, _), (write, _), (table, _)] = KINDS;
    let mut bars: Vec<ChartBar> =
        reads.zip(&made.parts.reads).map(|part| bar(read, part)).collect();
    bars.extend(writes.zip(&made.parts.writes).map(|part| bar(write, part)));
    bars.extend(tables.zip(&made.parts.tables).map(|part| bar(table, part)));
    bars.retain(|bar| bar.value > 0.0);
    bars.sort_by(|one, other| other.value.total_cmp(&one.value));
    bars
}

/// The id of the rejected alternatives of a query, write or table.
pub(super) fn alternatives_anchor(name: &str) -> Anchor {
    Anchor::new("rejected", name)
}

/// How many alternatives were rejected for a query, write or table.
pub(super) fn count_rejected(subject: DesignView<'_>, about: NoteSubject) -> usize {
    let rejected = subject.design.choice.iter().flat_map(|made| &made.rejected);
    rejected.filter(|it| it.about == about).count()
}

/// The section of the rejected alternatives, with the price that the whole design would have.
pub(super) fn alternatives(subject: DesignView<'_>) -> Section {
    let mut section = Section::new("alternatives", "Rejected alternatives");
    let Some(made) = subject.design.choice.as_ref().filter(|made| !made.rejected.is_empty()) else {
        return section;
    };
    let out = section.content();
    let chosen = choice::format_price(made.price.total());
    let lead = format!(
        "Each price is that of the whole design with the alternative. The chosen design costs {chosen} {}.",
        choice::unit(made)
    );
    out.leaf("p", &[], &lead);
    let groups = made.rejected.chunk_by(|one, other| one.about == other.about);
    let mut seen: Vec<NoteSubject> = Vec::new();
    for group in groups {
        let Some(about) = group.first().map(|it| it.about) else { continue };
        let name = json::subject_name(subject, about).unwrap_or_else(|| "the design".to_owned());
        let id = alternatives_anchor(&name).to_string();
        // An id is given once.
        let attributes = [("id", id.as_str())];
        let attributes: &[_] = if seen.contains(&about) { &[] } else { &attributes };
        seen.push(about);
        out.element("h3", attributes, |out| match subject.subject_link(about) {
            Some((label, to)) => out.leaf("a", &[("href", &to)], &label),
            None => out.text(&name),
        });
        alternatives_table(&name, group).write(out);
    }
    section
}

fn alternatives_table(name: &str, group: &[RejectedAlternative]) -> DataTable {
    let caption = format!("Rejected for {name}");
    let mut rows = DataTable::new(caption, &["alternative", "price", "why"]);
    for rejected in group {
        let price = choice::total_price(rejected.price);
        let price = if rejected.price.is_finite() {
            Cell::Figure { text: price, value: rejected.price }
        } else {
            Cell::prose(price)
        };
        rows.add_row([Cell::prose(&rejected.what), price, Cell::prose(&rejected.because)]);
    }
    rows
}

/// Writes a sentence with a mark before it.
pub(super) fn write_marked(
    (tone, sign, label): (Tone, &str, &str),
    text: &str,
    evidence: &str,
    out: &mut crate::render::html::Markup,
) {
    out.element("li", &[("class", tone.class())], |out| {
        let attributes = [("class", "mark-sign"), ("role", "img"), ("aria-label", label)];
        out.leaf("span", &attributes, sign);
        write_prose(text, out);
        if !evidence.is_empty() {
            out.text(" ");
            out.element("span", &[("class", "faint")], |out| write_prose(evidence, out));
        }
    });
}
