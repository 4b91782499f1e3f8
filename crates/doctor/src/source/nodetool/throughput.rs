//! `nodetool getcompactionthroughput`.

use super::super::collector::Target;
use super::super::phrase::Phrase;
use super::super::quantity::parse_number;
use super::super::section::{Format, SectionOutcome, SectionReader};

pub(in crate::source) const FORMAT: Format =
    Format { kind: "nodetool getcompactionthroughput", open };

fn open(line: &str) -> Option<Box<dyn SectionReader>> {
    throughput_of(line)
        .map(|_| Box::new(ThroughputReader { is_read: false }) as Box<dyn SectionReader>)
}

fn throughput_of(line: &str) -> Option<&str> {
    let mut phrase = Phrase::new(line);
    phrase.skip("Current compaction throughput: ")?;
    phrase.rest().split(' ').next()
}

struct ThroughputReader {
    is_read: bool,
}

impl SectionReader for ThroughputReader {
    fn read_line(&mut self, line: &str, target: &mut Target<'_>) {
        if let Some(throughput) = throughput_of(line).and_then(parse_number) {
            target.node().compaction.throughput_mb = Some(throughput);
            self.is_read = true;
        }
    }

    fn finish(&mut self, _target: &mut Target<'_>) -> SectionOutcome {
        if self.is_read {
            SectionOutcome::complete()
        } else {
            SectionOutcome::with_problem("it contains no number")
        }
    }
}
