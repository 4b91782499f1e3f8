//! The sentences of `ScyllaDB` that mean the same as some of Cassandra.

use super::{IndexStep, MessageStep, ReadCounts, ReadKind, ReadStep, Step, WriteStep};
use crate::trace::sentence::{fields, is_sentence, node, number};

pub(super) fn parse(sentence: &str) -> Option<Step> {
    parse_read(sentence)
        .or_else(|| parse_message(sentence).map(Step::Message))
        .or_else(|| parse_write(sentence))
}

fn parse_read(sentence: &str) -> Option<Step> {
    if let Some(counts) = parse_page_stats(sentence) {
        return Some(Step::Read(ReadStep::Ended(counts)));
    }
    for (template, kind) in [
        ("read_data: querying locally", ReadKind::Data),
        ("read_mutation_data: querying locally", ReadKind::Data),
        ("read_digest: querying locally", ReadKind::Digest),
    ] {
        if is_sentence(template, sentence) {
            return Some(Step::Message(MessageStep::ReadingLocally { kind }));
        }
    }
    let consulted = [
        "Consulting index {} for a single slice of keys{}",
        "Consulting index {} for a list of rows containing keys{}",
    ];
    if let Some([name, _]) = consulted.iter().find_map(|template| fields(template, sentence)) {
        return Some(Step::Index(IndexStep::Consulted { name: name.to_owned() }));
    }
    None
}

/// `Page stats: 1 partition(s) (1 live, 0 dead), 0 static row(s) (0 live, 0 dead), 5 clustering
/// row(s) (5 live, 0 dead), 0 range tombstone(s) and 15 cell(s) (15 live, 0 dead)`; older versions
/// print no partitions and no cells.
fn parse_page_stats(sentence: &str) -> Option<ReadCounts> {
    let [live, dead, rest] =
        fields("Page stats: {} clustering row(s) ({} live, {} dead){}", sentence)
            .map(|[_, live, dead, rest]: [&str; 4]| [live, dead, rest])?;
    let [ranges, cells] = fields("{} range tombstone(s){}", rest)?;
    let ranges = ranges.split_whitespace().next_back().and_then(number)?;
    let mut tombstones = number(dead)?.saturating_add(ranges);
    let dead_cells = fields("{} cell(s) ({} live, {} dead)", cells);
    if let Some([_, _, dead_cells]) = dead_cells {
        tombstones = tombstones.saturating_add(number(dead_cells)?);
    }
    Some(ReadCounts { live: number(live)?, tombstones })
}

fn parse_message(sentence: &str) -> Option<MessageStep> {
    if is_sentence("digest mismatch, starting read repair", sentence) {
        return Some(MessageStep::DigestMismatch);
    }
    if let Some([what, receiver]) = fields("{}: sending a message to /{}", sentence) {
        let kind = if what == "read_digest" { ReadKind::Digest } else { ReadKind::Data };
        return Some(MessageStep::Asking { node: node(receiver), kind });
    }
    if let Some([_, sender]) = fields("{}: got response from /{}", sentence) {
        return Some(MessageStep::Answered { node: node(sender) });
    }
    if fields::<1>("Launching speculative retry for {}", sentence).is_some() {
        return Some(MessageStep::Speculating { node: String::new() });
    }
    if let Some([verb, sender]) = fields("{}: message received from /{}", sentence) {
        return Some(MessageStep::Received { verb: verb.to_owned(), node: node(sender) });
    }
    if let Some([sender]) = fields("Message received from /{}", sentence) {
        return Some(MessageStep::Received { verb: String::new(), node: node(sender) });
    }
    if let Some([sender]) = fields("Got a response from /{}", sentence) {
        return Some(MessageStep::Answered { node: node(sender) });
    }
    let answers = ["{} handling is done, sending a response to /{}", "{} mutation_done to /{}"];
    if let Some([_, receiver]) = answers.iter().find_map(|template| fields(template, sentence)) {
        return Some(MessageStep::Answering { node: node(receiver) });
    }
    let sent =
        ["Sending a mutation to /{}", "Forwarding a mutation to /{}", "Sending a learn to /{}"];
    let [receiver] = sent.iter().find_map(|template| fields(template, sentence))?;
    Some(MessageStep::Sent { verb: String::new(), node: node(receiver), bytes: None })
}

fn parse_write(sentence: &str) -> Option<Step> {
    if let Some([_, _, _]) =
        fields::<3>("Creating write handler for token: {} natural: {} pending: {}", sentence)
    {
        return Some(Step::Write(WriteStep::Replicas));
    }
    if is_sentence("Sending batch mutations", sentence) {
        return Some(Step::Write(WriteStep::BatchReplicas));
    }
    if fields::<2>("View updates for {}.{} were generated and propagated", sentence).is_some() {
        return Some(Step::Write(WriteStep::Views));
    }
    None
}
