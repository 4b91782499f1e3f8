//! The arrows of a Chebotko diagram: entry points, the queries that follow others, and further
//! steps of the same query.

use std::collections::BTreeMap;

use model::id::{IdList, ReadId, TableId};
use model::plan::{Design, ReadPart};
use model::workload::Workload;

use super::picture::{Link, LinkEnd, Tip};

/// More characters than this in a label are broken into lines.
const LABEL_CHARACTERS: usize = 20;

/// Longer names are not used as numbers.
const NUMBER_CHARACTERS: usize = 8;

/// The table whose rows a read returns, for each read.
pub(crate) fn tables(workload: &Workload, design: &Design) -> Vec<Option<TableId>> {
    let mut tables = vec![None; workload.reads.len()];
    for (at, table) in design.tables.enumerate_ids() {
        for served in table.serves.iter().filter(|served| served.part == ReadPart::Rows) {
            if let Some(own) = tables.get_mut(served.read.index()) {
                own.get_or_insert(at);
            }
        }
    }
    tables
}

/// The number of each read: `Q1` and so on in the order of the file, or its name where all are
/// named so already.
pub(crate) fn numbers(workload: &Workload) -> Vec<String> {
    let is_number = |name: &str| {
        let rest = name.strip_prefix(['Q', 'q']).unwrap_or_default();
        rest.starts_with(|c: char| c.is_ascii_digit()) && name.len() <= NUMBER_CHARACTERS
    };
    let named = workload.reads.iter().all(|read| is_number(&read.name));
    let number =
        |at: usize, name: &str| if named { name.to_owned() } else { format!("Q{}", at + 1) };
    workload.reads.iter().enumerate().map(|(at, read)| number(at, &read.name)).collect()
}

/// All arrows. Queries that follow the same tables fan out from one link.
pub(crate) fn links(workload: &Workload, design: &Design) -> Vec<Link> {
    let tables = tables(workload, design);
    let mut workflow = LinkGroups::default();
    let mut further = LinkGroups::default();
    for (at, read) in workload.reads.enumerate_ids() {
        let Some(table) = tables[at.index()] else { continue };
        let before =
            read.after.iter().filter_map(|before| tables.get(before.index()).copied().flatten());
        let mut sources: Vec<_> = before.collect();
        sources.sort_unstable();
        sources.dedup();
        workflow.add(sources, table, at);
        for other in other_tables(design, at, Some(table)) {
            further.add(vec![table], other, at);
        }
    }
    let numbers = numbers(workload);
    let mut links = workflow.links(workload, &numbers, false);
    links.extend(further.links(workload, &numbers, true));
    links
}

/// The other tables that a read uses.
pub(crate) fn other_tables(design: &Design, read: ReadId, table: Option<TableId>) -> Vec<TableId> {
    let steps = design.reads.member(read).into_iter().flat_map(|plan| &plan.steps);
    let mut others: Vec<_> = steps.map(|step| step.table).collect();
    let parts = design.tables.enumerate_ids();
    let parts = parts.filter(|(_, other)| other.serves.iter().any(|served| served.read == read));
    others.extend(parts.map(|(at, _)| at));
    others.sort_unstable();
    others.dedup();
    others.retain(|other| Some(*other) != table && design.tables.member(*other).is_some());
    others
}

/// Reads by the tables they come from and the table they lead to, in the order of the reads.
#[derive(Default)]
struct LinkGroups {
    positions: BTreeMap<Vec<TableId>, usize>,
    fans: Vec<LinkGroup>,
}

/// The reads that follow the same tables.
struct LinkGroup {
    sources: Vec<TableId>,
    /// The tables they lead to, each with its reads.
    targets: Vec<(TableId, Vec<ReadId>)>,
}

impl LinkGroups {
    fn add(&mut self, sources: Vec<TableId>, target: TableId, read: ReadId) {
        let at = *self.positions.entry(sources).or_insert_with_key(|sources| {
            self.fans.push(LinkGroup { sources: sources.clone(), targets: Vec::new() });
            self.fans.len() - 1
        });
        let Some(fan) = self.fans.get_mut(at) else { return };
        match fan.targets.iter_mut().find(|(known, _)| *known == target) {
            Some((_, reads)) => reads.push(read),
            None => fan.targets.push((target, vec![read])),
        }
    }

    fn links(self, workload: &Workload, numbers: &[String], dashed: bool) -> Vec<Link> {
        let mut links = Vec::new();
        for fan in self.fans {
            let ends = fan.targets.into_iter().map(|(table, reads)| LinkEnd {
                card: table.index(),
                label: label(numbers, &reads),
                tip: Tip::Arrow,
                queries: names(workload, &reads),
            });
            if fan.sources.is_empty() {
                // Each entry is a separate arrow.
                links.extend(ends.map(|end| Link { from: Vec::new(), to: vec![end], dashed }));
            } else {
                let from =
                    fan.sources.into_iter().map(|table| LinkEnd::plain(table.index(), Tip::Plain));
                links.push(Link { from: from.collect(), to: ends.collect(), dashed });
            }
        }
        links
    }
}

/// The names of reads.
fn names(workload: &Workload, reads: &[ReadId]) -> Vec<String> {
    let reads = reads.iter().filter_map(|read| workload.reads.member(*read));
    reads.map(|read| read.name.clone()).collect()
}

/// `Q1, Q2`, three or more in a row as `Q1–Q5`.
fn label(numbers: &[String], reads: &[ReadId]) -> Vec<String> {
    let number = |read: &ReadId| numbers.get(read.index()).cloned().unwrap_or_default();
    let mut parts: Vec<String> = Vec::new();
    for run in reads.chunk_by(|a, b| a.index() + 1 == b.index()) {
        match run {
            [first, _, .., last] => parts.push(format!("{}–{}", number(first), number(last))),
            few => parts.extend(few.iter().map(number)),
        }
    }
    break_label(parts)
}

/// The parts of a label, separated by commas, in lines.
pub(crate) fn break_label(parts: Vec<String>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if line.chars().count() + part.len() < LABEL_CHARACTERS => {
                line.push_str(", ");
                line.push_str(&part);
            }
            Some(line) => {
                line.push(',');
                lines.push(part);
            }
            None => lines.push(part),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use model::id::ReadId;

    use super::label;

    #[test]
    fn labels_are_short() {
        let numbers: Vec<_> = (1..12).map(|number| format!("Q{number}")).collect();
        assert_eq!(label(&numbers, &[0, 1].map(ReadId::new)), ["Q1, Q2"]);
        assert_eq!(label(&numbers, &[0, 1, 2, 6].map(ReadId::new)), ["Q1–Q3, Q7"]);
        assert_eq!(
            label(&numbers, &[0, 2, 4, 6, 8, 10].map(ReadId::new)),
            ["Q1, Q3, Q5, Q7, Q9,", "Q11"]
        );
    }
}
