//! `report.html`: the design as a page for reviewers, who did not write it.
//!
//! - `summary`: what was designed, what needs attention, what it rests on. `diagram_section`: the
//!   Chebotko diagram. `tables`, `queries`, `writes`: each with its reasons, plans and figures.
//! - `sizes`: partitions and disk over time. `price`: what each query and write costs, and what other
//!   designs would cost. `proof_section`, `notes`.
//! - `names`: links to tables, queries and writes.

mod diagram_section;
mod names;
mod notes;
mod price;
mod proof_section;
mod queries;
mod sizes;
mod steps;
mod summary;
mod tables;
mod writes;

use super::DesignView;
use crate::render::html::Page;

/// The page.
pub(super) fn page(subject: DesignView<'_>) -> Page {
    let mut page =
        Page::new("Cassandra data model", &subject.file.concept.keyspace, summary::lead(subject));
    for tile in summary::tiles(subject) {
        page.add_tile(tile);
    }
    page.add_section(summary::section(subject));
    let (section, style) = diagram_section::section(subject);
    page.allow_drawing_style(style);
    page.add_section(section);
    let sections = [
        tables::section,
        queries::section,
        writes::section,
        sizes::section,
        price::section,
        price::alternatives,
        proof_section::section,
        notes::assumptions,
        notes::notes,
        notes::checklists,
        notes::model_warnings,
    ];
    for section in sections {
        page.add_section(section(subject));
    }
    page
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::page;
    use crate::proof::Verdict;
    use crate::render::design::test_sample::render_sample;

    /// The values of an attribute in a page.
    fn values<'a>(html: &'a str, start: &str) -> BTreeSet<&'a str> {
        html.split(start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
    }

    #[test]
    fn every_link_leads_to_a_part_of_the_page() {
        let html = render_sample(None, &Verdict::Skipped, |subject| page(subject).html());
        let ids = values(&html, " id=\"");
        let links = values(&html, " href=\"");
        assert!(links.len() > 12, "{links:?}");
        for link in links {
            let id = link.strip_prefix('#').unwrap_or_else(|| panic!("{link} leads elsewhere"));
            assert!(ids.contains(id), "{link} leads nowhere");
        }
        assert!(!html.contains(" src=") && !html.contains("url(") && !html.contains("@import"));
        assert_eq!(html.matches("Content-Security-Policy").count(), 1);
    }

    #[test]
    fn nothing_is_said_to_be_proven_that_nobody_looked_at() {
        let html = render_sample(None, &Verdict::Skipped, |subject| page(subject).html());
        assert!(html.contains("proof</span> skipped"), "the proof did not run");
        assert!(html.contains("not proven optimal"), "there was no search");
        assert!(!html.contains("passed") && !html.contains("badge good\">optimal"));
    }
}
