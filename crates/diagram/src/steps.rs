//! The workflow of the application: its steps, which leads to which, and the values they hand on.

use std::collections::BTreeMap;

use model::concept::Concept;
use model::id::{IdList, ReadId};
use model::workload::{Parameter, Supply, Workload};

use super::picture::{Frame, Link, LinkEnd, Picture, PictureKind, Tip};
use super::{statement_cards, transitions};

/// The workflow of an application: a card for each query and write, in the order of `@after`; beside
/// the arrows, the values that a step takes from the steps before it.
pub fn workflow(concept: &Concept, workload: &Workload) -> Picture {
    let mut cards = statement_cards::make_read_cards(concept, workload);
    let reads = cards.len();
    cards.extend(statement_cards::make_write_cards(concept, workload));
    let mut fans: BTreeMap<Vec<ReadId>, Vec<LinkEnd>> = BTreeMap::new();
    let steps = workload.reads.iter().map(|read| (&read.name, &read.after, &read.parameters));
    let writes = workload.list_stated_writes().iter();
    let writes = writes.map(|write| (&write.name, &write.after, &write.parameters));
    for (card, (name, after, parameters)) in steps.chain(writes).enumerate() {
        let is_read = card < reads;
        let known = after.iter().filter(|read| read.index() < reads && read.index() != card);
        let mut before: Vec<_> = known.copied().collect();
        before.sort_unstable();
        before.dedup();
        let label = transitions::break_label(values(workload, &before, parameters));
        let queries = if is_read { vec![name.clone()] } else { Vec::new() };
        let end = LinkEnd { card, label, tip: Tip::Arrow, queries };
        fans.entry(before).or_default().push(end);
    }
    let mut links = Vec::new();
    for (before, ends) in fans {
        let from: Vec<_> =
            before.iter().map(|read| LinkEnd::plain(read.index(), Tip::Plain)).collect();
        if from.is_empty() {
            // Each entry is a separate arrow.
            let entry = |end| Link { from: Vec::new(), to: vec![end], dashed: false };
            links.extend(ends.into_iter().map(entry));
        } else {
            links.push(Link { from, to: ends, dashed: false });
        }
    }
    Picture {
        title: concept.keyspace.clone(),
        kind: PictureKind::Workflow,
        summary: String::new(),
        frames: vec![Frame { title: None, cards, links }],
        legend: Vec::new(),
    }
}

/// The names of the values that a statement takes from these steps, each once.
fn values(workload: &Workload, before: &[ReadId], parameters: &[Parameter]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for parameter in parameters {
        let Supply::Step { read, output } = parameter.supply else { continue };
        let name = || Some(&workload.reads.member(read)?.outputs.get(output.index())?.name);
        if let Some(name) = before.contains(&read).then(name).flatten()
            && !names.contains(name)
        {
            names.push(name.clone());
        }
    }
    names
}
