//! DM001: reads that join tables in the client.

use model::access::Partitions;

use crate::facts::{Entities, read_rate, write_rate};
use crate::{
    Asks, Category, Check, Confidence, Found, Limit, Project, Rule, Seen, Severity, TableFacts,
};

const TABLES: Limit = Limit {
    name: "joined-tables",
    default: 3.0,
    what: "tables that are read one after the other to answer one question",
};

pub(super) static RULE: Rule = Rule {
    code: "DM001",
    name: "over-normalised",
    category: Category::Model,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[TABLES],
    check: Check::Project(check),
    page: include_str!("over_normalised.md"),
};

fn check(project: &Project<'_>, found: &mut Found<'_>) {
    let entities = Entities::of(project);
    let mut run = Run::default();
    let mut last: Option<&Seen> = None;
    for seen in &project.statements {
        let goes_on =
            last.is_some_and(|last| last.place.text == seen.place.text) && seen.said.name.is_none();
        let read = seen.read().and_then(|read| Some((read, project.facts(&read.table)?)));
        let Some((read, facts)) = read.filter(|(read, _)| read.partitions.are_named()) else {
            run.end(project, found);
            last = None;
            continue;
        };
        if !goes_on {
            run.end(project, found);
        }
        let points_here = |(_, known, columns): &(&Seen, &TableFacts, &[usize])| {
            columns.iter().filter_map(|at| known.table.columns().get(*at)).any(|column| {
                let target = entities.pointed_to(&known.table, column);
                target.is_some_and(|target| target.statement == facts.statement)
            })
        };
        if run.reads.iter().any(points_here) {
            run.links += 1;
            run.has_list |= matches!(read.partitions, Partitions::Several(_));
        }
        run.reads.push((seen, facts, &read.columns));
        last = Some(seen);
    }
    run.end(project, found);
}

/// SELECTs that follow each other.
#[derive(Default)]
struct Run<'p> {
    reads: Vec<(&'p Seen, &'p TableFacts, &'p [usize])>,
    /// Reads of what an earlier one points to.
    links: usize,
    /// Whether one of them reads several at once.
    has_list: bool,
}

impl Run<'_> {
    fn end(&mut self, project: &Project<'_>, found: &mut Found<'_>) {
        let run = std::mem::take(self);
        let most = f64::from(u32::try_from(run.links + 1).unwrap_or(u32::MAX));
        let joins = run.links > 0 && (run.has_list || most >= found.limit(&TABLES));
        let Some((seen, facts, _)) = run.reads.last().filter(|_| joins) else { return };
        // What changes more often than it is read is better kept once.
        let changes = |facts: &TableFacts| {
            write_rate(project, facts)
                .zip(read_rate(project, facts))
                .is_some_and(|(writes, reads)| writes > reads)
        };
        if run.reads.iter().any(|(_, facts, _)| changes(facts)) {
            return;
        }
        let mut names: Vec<&str> =
            run.reads.iter().map(|(_, facts, _)| &*facts.table.name).collect();
        names.dedup();
        let message = format!(
            "These statements join {} tables in the client: {}.",
            names.len(),
            names.join(", ")
        );
        let finding = found.at(seen.place, message).of_table(&facts.table);
        finding.confidence(if run.has_list { Confidence::Medium } else { Confidence::Low });
        for (other, facts, _) in run.reads.iter().take(run.reads.len() - 1) {
            finding.related(other.place, format!("{} is read here", facts.table.name));
        }
        finding.help("keep a table for this query, with the columns of all of them copied into it");
    }
}
