//! Messages between nodes: requests to replicas, their answers, read repair.

use super::Mark;
use crate::trace::sentence::{fields, is_sentence, node, number};

/// What a replica is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadKind {
    /// The rows.
    Data,
    /// A hash of the rows, to compare them with those of another replica.
    Digest,
}

/// A step about a message. Nodes are addresses without ports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MessageStep {
    /// A replica is chosen for a read.
    Asking {
        /// The replica.
        node: String,
        /// What it is asked for.
        kind: ReadKind,
    },
    /// The coordinator reads its own copy.
    ReadingLocally {
        /// What is read.
        kind: ReadKind,
    },
    /// A request is handed to the network.
    Enqueued {
        /// Its receiver.
        node: String,
    },
    /// A message leaves.
    Sent {
        /// Its verb, such as `READ_REQ`; empty where the server prints none.
        verb: String,
        /// Its receiver.
        node: String,
        /// Its size.
        bytes: Option<u64>,
    },
    /// A message arrived.
    Received {
        /// Its verb.
        verb: String,
        /// Its sender.
        node: String,
    },
    /// An answer is handed to the network.
    Answering {
        /// Its receiver.
        node: String,
    },
    /// An answer is looked at.
    Answered {
        /// Its sender.
        node: String,
    },
    /// Another replica is asked because the first ones are slow.
    Speculating {
        /// The replica; empty where the server prints none.
        node: String,
    },
    /// The replicas' answers differ.
    DigestMismatch,
    /// A replica is sent what it lacks.
    Repairing {
        /// The replica.
        node: String,
    },
    /// More rows are requested because rows of one replica are deleted on another.
    ShortRead {
        /// The replica that is asked again.
        node: String,
    },
    /// Rows are requested again because filtering on one replica could have missed them.
    FilteringProtection {
        /// The replica that is asked again.
        node: String,
    },
}

impl MessageStep {
    pub(super) fn mark(&self) -> Mark {
        match self {
            Self::DigestMismatch => Mark::Start,
            _ => Mark::Moment,
        }
    }
}

pub(super) fn parse(sentence: &str) -> Option<MessageStep> {
    parse_request(sentence).or_else(|| parse_answer(sentence)).or_else(|| parse_repair(sentence))
}

fn parse_request(sentence: &str) -> Option<MessageStep> {
    if let Some([replica]) = fields("reading data from {}", sentence) {
        return Some(MessageStep::Asking { node: node(replica), kind: ReadKind::Data });
    }
    if let Some([replica]) = fields("reading digest from {}", sentence) {
        return Some(MessageStep::Asking { node: node(replica), kind: ReadKind::Digest });
    }
    if let Some([replica]) = fields("speculating read retry on {}", sentence) {
        return Some(MessageStep::Speculating { node: node(replica) });
    }
    let sized = "Sending {} message to {} message size {} bytes";
    if let Some([verb, receiver, bytes]) = fields(sized, sentence) {
        let (verb, bytes) = (verb.to_owned(), number(bytes));
        return Some(MessageStep::Sent { verb, node: node(receiver), bytes });
    }
    let with_size = "Sending {} message to {}, size={} bytes";
    if let Some([verb, receiver, bytes]) = fields(with_size, sentence) {
        let (verb, bytes) = (verb.to_owned(), number(bytes));
        return Some(MessageStep::Sent { verb, node: node(receiver), bytes });
    }
    if let Some([verb, receiver]) = fields("Sending {} message to {}", sentence) {
        let verb = verb.to_owned();
        return Some(MessageStep::Sent { verb, node: node(receiver), bytes: None });
    }
    let enqueued = [
        "Enqueuing request to {}",
        "Enqueuing full data read to {}",
        "Enqueuing speculative full data read to {}",
        "Enqueuing counter update to {}",
        "Enqueuing forwarded write to {}",
        "Sending mutation to remote replica {}",
    ];
    let [receiver] = enqueued.iter().find_map(|template| fields(template, sentence))?;
    Some(MessageStep::Enqueued { node: node(receiver) })
}

fn parse_answer(sentence: &str) -> Option<MessageStep> {
    if let Some([verb, sender]) = fields("{} message received from {}", sentence) {
        return Some(MessageStep::Received { verb: verb.to_owned(), node: node(sender) });
    }
    if let Some([sender]) = fields("Processing response from {}", sentence) {
        return Some(MessageStep::Answered { node: node(sender) });
    }
    let answers = ["Enqueuing response to {}", "Enqueuing acknowledge to {}"];
    let [receiver] = answers.iter().find_map(|template| fields(template, sentence))?;
    Some(MessageStep::Answering { node: node(receiver) })
}

fn parse_repair(sentence: &str) -> Option<MessageStep> {
    if is_sentence("Initiating read-repair", sentence)
        || fields::<1>("Digest mismatch: {}", sentence).is_some()
    {
        return Some(MessageStep::DigestMismatch);
    }
    let repairs =
        ["Sending read-repair-mutation to {}", "Sending speculative read-repair-mutation to {}"];
    if let Some([replica]) = repairs.iter().find_map(|template| fields(template, sentence)) {
        return Some(MessageStep::Repairing { node: node(replica) });
    }
    let short = "Requesting {} extra rows from {} for short read protection";
    if let Some([_, replica]) = fields(short, sentence) {
        return Some(MessageStep::ShortRead { node: node(replica) });
    }
    let filtering = "Requesting {} rows in partition {} from {} for replica filtering protection";
    let [_, _, replica] = fields(filtering, sentence)?;
    Some(MessageStep::FilteringProtection { node: node(replica) })
}
