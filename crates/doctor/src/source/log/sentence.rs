//! The sentences that are looked for, by how they begin.

use super::event_sink::EventSink;
use super::{batch, cluster_state, guardrail, partition, slow_operation, tombstone};

/// Reads a message; `None` if it is worded otherwise than expected.
pub(super) type ReadSentence = fn(&str, &mut EventSink<'_, '_>) -> Option<()>;

/// A sentence.
pub(super) struct Sentence {
    lead: Lead,
    pub(super) read: ReadSentence,
    /// Whether the lines that follow belong to it.
    pub(super) has_continuation: bool,
    /// Whether rows of thread pools follow.
    pub(super) is_status_heading: bool,
}

/// How a sentence begins.
enum Lead {
    /// With these words.
    Words(&'static str),
    /// With a number and these words.
    Number(&'static str),
    /// With a word in capitals and these words.
    Capitals(&'static str),
}

impl Lead {
    fn is_lead_of(&self, message: &str) -> bool {
        match self {
            Self::Words(words) => message.starts_with(words),
            Self::Number(words) => {
                message.trim_start_matches(|sign: char| sign.is_ascii_digit()).starts_with(words)
            }
            Self::Capitals(words) => {
                let is_part =
                    |sign: char| sign.is_ascii_uppercase() || sign == '_' || sign.is_ascii_digit();
                message.trim_start_matches(is_part).starts_with(words)
            }
        }
    }

    /// Whether a message that begins with a byte may begin so.
    fn can_begin_with(&self, byte: u8) -> bool {
        match self {
            Self::Words(words) => words.as_bytes().first() == Some(&byte),
            Self::Number(_) => byte.is_ascii_digit(),
            Self::Capitals(_) => byte.is_ascii_uppercase() || byte == b'_',
        }
    }
}

const fn words(words: &'static str, read: ReadSentence) -> Sentence {
    Sentence { lead: Lead::Words(words), read, has_continuation: false, is_status_heading: false }
}

const fn number(words: &'static str, read: ReadSentence) -> Sentence {
    Sentence { lead: Lead::Number(words), read, has_continuation: false, is_status_heading: false }
}

/// A sentence with the lines that follow it.
const fn with_lines(sentence: Sentence) -> Sentence {
    Sentence { has_continuation: true, ..sentence }
}

/// All sentences. One that starts like another comes before it if it is longer.
static SENTENCES: [Sentence; 48] = [
    with_lines(words("Read ", tombstone::read_warning)),
    with_lines(words("Scanned over ", tombstone::read_failure)),
    number(" nodes scanned ", tombstone::read_nodes),
    with_lines(number(" operations were slow in the last ", slow_operation::read_slow)),
    with_lines(number(" operations timed out in the last ", slow_operation::read_timeouts)),
    words("Some operations were slow", slow_operation::read_slow_notice),
    words("Writing large ", partition::read_large),
    words("Compacting large ", partition::read_large),
    words("Writing a partition with too many rows", partition::read_many_rows),
    words("Writing ", partition::read_tombstones),
    words("Batch for ", batch::read_size),
    words("Batch of prepared statements for ", batch::read_size),
    words("Unlogged batch covering ", batch::read_unlogged),
    words("Executing a LOGGED BATCH ", batch::read_without_grace),
    words("Aggregation query used ", batch::read_aggregation),
    words("Guardrail ", guardrail::read),
    number(" prepared statements discarded", cluster_state::read_evicted),
    Sentence {
        lead: Lead::Capitals(" messages were dropped in last "),
        read: cluster_state::read_dropped,
        has_continuation: false,
        is_status_heading: false,
    },
    words("G1 ", cluster_state::read_pause),
    words("ParNew GC in ", cluster_state::read_pause),
    words("ConcurrentMarkSweep GC in ", cluster_state::read_pause),
    words("PS ", cluster_state::read_pause),
    words("Shenandoah ", cluster_state::read_pause),
    words("ZGC ", cluster_state::read_pause),
    words("Copy GC in ", cluster_state::read_pause),
    words("MarkSweepCompact GC in ", cluster_state::read_pause),
    words("GC for ", cluster_state::read_old_pause),
    Sentence {
        lead: Lead::Words("Pool Name "),
        read: cluster_state::ignore,
        has_continuation: false,
        is_status_heading: true,
    },
    words("InetAddress ", cluster_state::read_down),
    words("Cassandra version: ", cluster_state::read_version),
    words("Scylla version ", cluster_state::read_scylla_version),
    words("Column family ID mismatch ", cluster_state::read_disagreement),
    words("Table ID mismatch ", cluster_state::read_disagreement),
    words(
        "There are nodes in the cluster with a different schema",
        cluster_state::read_disagreement,
    ),
    words("No schema agreement ", cluster_state::read_disagreement),
    words("[repair #", cluster_state::read_repair),
    words("Repair session ", cluster_state::read_repair),
    words("Compaction interrupted: ", cluster_state::read_interrupted_compaction),
    words("Not enough space for compaction", cluster_state::read_disk_space),
    words("insufficient space to ", cluster_state::read_disk_space),
    words("Not enough disk space ", cluster_state::read_disk_space),
    words("Corrupt", cluster_state::read_corruption),
    words("Failed to dispatch hints file ", cluster_state::read_hints),
    words("Failed to read a hint ", cluster_state::read_hints),
    words("Too many in flight hints", cluster_state::read_hints),
    words("Timed out; received ", cluster_state::read_timeout),
    with_lines(words("user:", crate::source::audit_log::read_entry)),
    words("oversized allocation: ", cluster_state::read_allocation),
];

/// The sentences by the first byte of a message.
pub(super) struct SentenceIndex {
    by_byte: Vec<Vec<&'static Sentence>>,
}

impl SentenceIndex {
    pub(super) fn new() -> Self {
        let of = |byte: u8| SENTENCES.iter().filter(|one| one.lead.can_begin_with(byte)).collect();
        Self { by_byte: (0..=u8::MAX).map(of).collect() }
    }

    /// The sentence that a message is.
    #[inline]
    pub(super) fn find(&self, message: &str) -> Option<&'static Sentence> {
        let candidates = self.by_byte.get(usize::from(*message.as_bytes().first()?))?;
        candidates.iter().find(|sentence| sentence.lead.is_lead_of(message)).copied()
    }
}

/// The classes of exceptions whose line is of interest, with the reader of what follows the name.
const EXCEPTIONS: [(&str, ReadSentence); 8] = [
    ("TombstoneOverwhelmingException: ", tombstone::read_failure),
    ("CorruptSSTableException: ", cluster_state::read_corruption),
    ("ConfigurationException: Column family ID mismatch ", cluster_state::read_disagreement),
    ("ConfigurationException: Table ID mismatch ", cluster_state::read_disagreement),
    ("CompactionInterruptedException: ", cluster_state::read_interrupted_compaction),
    ("FSWriteError: java.io.IOException: No space left ", cluster_state::read_disk_space),
    ("ReadTimeoutException: ", cluster_state::read_timeout),
    ("WriteTimeoutException: ", cluster_state::read_write_timeout),
];

/// The reader of a line of a stack trace, and the text for it.
pub(super) fn find_exception(line: &str) -> Option<(ReadSentence, &str)> {
    memchr::memmem::find(line.as_bytes(), b": ")?;
    EXCEPTIONS.iter().find_map(|(class, read)| {
        let at = memchr::memmem::find(line.as_bytes(), class.as_bytes())?;
        let text = line.get(at..)?;
        let text = text.split_once(": ").map_or(text, |(_, rest)| rest);
        Some((*read, text))
    })
}
