//! Both sides with the same facts: the relational database and the designed tables.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use model::id::{IdList, ReadId, TableId, WriteId};
use model::workload::{Limit, Read, Write};

use super::copies::{self, TableMismatch};
use super::load;
use crate::comparer::{AnswerComparer, ComparisonResult};
use crate::contents::TableContents;
use crate::dataset::{Dataset, Datum, Row};
use crate::relational::{RankedRow, RelationalDatabase, ResultColumns, WriteResult};
use crate::server::{Failure, Server};
use crate::statement_runner::{RunContext, RunTrace, StatementRunner, WriteOutcome, WriteRun};
use crate::subject::{ProofSettings, ProofSubject};
use crate::transcript::{ProofTranscript, TranscriptRow, TranscriptStep, WriteEffect};
use crate::value::to_integer;

/// The side of the designed tables: their server, and what runs the statements of the design.
pub(crate) struct DesignedSide<'s> {
    pub(crate) server: &'s mut dyn Server,
    pub(crate) runner: &'s mut dyn StatementRunner,
}

impl DesignedSide<'_> {
    /// The same for a shorter time.
    pub(crate) fn reborrow(&mut self) -> DesignedSide<'_> {
        DesignedSide { server: self.server, runner: self.runner }
    }
}

/// Both sides.
pub(crate) struct ProofSides<'a, 's> {
    pub(crate) subject: ProofSubject<'a>,
    pub(crate) relational: RelationalDatabase,
    designed: DesignedSide<'s>,
    now_micros: i64,
    comparers: Vec<AnswerComparer>,
    /// Those of the writes that return rows.
    write_comparers: Vec<Option<AnswerComparer>>,
    /// What was done in the relational database, where it is kept.
    transcript: Option<ProofTranscript>,
}

/// The results of both sides.
#[derive(Clone, Debug, Default)]
pub(crate) struct SideAnswers {
    pub(crate) verdict: ComparisonResult,
    pub(crate) expected: Vec<RankedRow>,
    pub(crate) limit: Option<usize>,
    pub(crate) got: Vec<Vec<Datum>>,
    pub(crate) trace: RunTrace,
}

/// A failure of the relational database, which does not refute the design.
fn relational_failure(why: impl std::fmt::Display) -> Failure {
    Failure::Gone(format!("the relational database failed: {why}"))
}

impl<'a, 's> ProofSides<'a, 's> {
    /// Both sides with these facts, on a server without tables.
    pub(crate) fn new(
        subject: ProofSubject<'a>,
        settings: &ProofSettings,
        data: &Dataset,
        designed: DesignedSide<'s>,
        filled: &mut dyn FnMut(TableId, &TableContents),
    ) -> Result<Self, Failure> {
        let cancelled = AtomicBool::new(false);
        let DesignedSide { server, runner } = designed;
        let relational = thread::scope(|scope| {
            let relational = scope.spawn(|| {
                let mut relational = RelationalDatabase::new(subject.concept, subject.workload)?;
                relational.load(data, &cancelled).map(|()| relational)
            });
            let filled = load::create_tables(subject, server)
                .and_then(|()| load::load_tables(subject, &data.rows, server, filled));
            // After a failure of the server the load of the relational database is cancelled.
            cancelled.store(filled.is_err(), Ordering::Relaxed);
            filled?;
            let loaded =
                relational.join().unwrap_or_else(|_| Err("its thread panicked".to_owned()));
            loaded.map_err(relational_failure)
        })?;
        let reads = subject.workload.reads.enumerate_ids();
        let comparers = reads
            .map(|(at, read)| AnswerComparer::new(subject.concept, subject.design, at, read))
            .collect();
        let write_comparer = |write: &Write| {
            let returning = write.returning.as_ref()?;
            Some(AnswerComparer::for_returning(subject.concept, returning))
        };
        let write_comparers = subject.workload.writes.iter().map(write_comparer).collect();
        let transcript = settings.keeps_transcript.then(|| begin_transcript(subject, data));
        Ok(Self {
            subject,
            relational,
            designed: DesignedSide { server, runner },
            now_micros: settings.now_micros,
            comparers,
            write_comparers,
            transcript,
        })
    }

    /// Runs a read on both sides.
    pub(crate) fn run_read(
        &mut self,
        at: ReadId,
        values: &[Datum],
        keeps: bool,
    ) -> Result<SideAnswers, Failure> {
        let (Some(read), Some(comparer)) =
            (self.subject.workload.reads.member(at), self.comparers.get(at.index()))
        else {
            return Ok(SideAnswers::default());
        };
        let limit = effective_limit(read, values);
        let expected =
            self.relational.read_ranked(read, values, limit).map_err(relational_failure)?;
        if let Some(transcript) = &mut self.transcript {
            let row =
                |row: &RankedRow| TranscriptRow { rank: row.rank, values: row.values.clone() };
            let (values, rows) = (values.to_vec(), expected.iter().map(row).collect());
            transcript.steps.push(TranscriptStep::Read { read: at, values, limit, rows });
        }
        let mut trace = RunTrace { keeps, ..RunTrace::default() };
        let context = RunContext {
            now_micros: self.now_micros,
            server: self.designed.server,
            trace: &mut trace,
        };
        let mut got = self.designed.runner.run_read(at, values, context)?;
        if !read.many {
            got.truncate(1);
        }
        let verdict = comparer.compare(&expected, limit, &got);
        Ok(SideAnswers { verdict, expected, limit, got, trace })
    }

    /// Runs a write on the relational database.
    pub(crate) fn write_facts(
        &mut self,
        at: WriteId,
        values: &[Datum],
    ) -> Result<WriteResult, Failure> {
        let Some(write) = self.subject.workload.writes.member(at) else {
            return Err(relational_failure("a write is not in the workload"));
        };
        let result = self.relational.write(write, values).map_err(relational_failure)?;
        if let Some(transcript) = &mut self.transcript {
            let (values, WriteResult { effect, rows }) = (values.to_vec(), result.clone());
            transcript.steps.push(TranscriptStep::Write { write: at, values, effect, rows });
        }
        Ok(result)
    }

    /// Whether the relational database refuses a write with these values; it is not changed.
    pub(crate) fn is_refused(&mut self, at: WriteId, values: &[Datum]) -> Result<bool, Failure> {
        let Some(write) = self.subject.workload.writes.member(at) else { return Ok(false) };
        self.relational.is_refused(write, values).map_err(relational_failure)
    }

    /// Whether a write returned the same on both sides: its outcome, and its rows.
    pub(crate) fn is_same_return(
        &self,
        at: WriteId,
        expected: &WriteResult,
        got: &WriteRun,
    ) -> bool {
        let comparer = self.write_comparers.get(at.index()).and_then(Option::as_ref);
        let is_same = comparer.is_none_or(|comparer| {
            let rows = expected.rows.iter();
            let ranked: Vec<_> =
                rows.map(|values| RankedRow { values: values.clone(), rank: 0 }).collect();
            comparer.compare(&ranked, None, &got.rows).agrees
        });
        is_same && is_same_outcome(expected.effect, got.outcome)
    }

    /// What was done in the relational database since the beginning, where it is kept.
    pub(crate) fn finish_transcript(&mut self) -> Result<Option<ProofTranscript>, Failure> {
        let Some(transcript) = self.transcript.take() else { return Ok(None) };
        Ok(Some(ProofTranscript { contents: self.fact_rows()?, ..transcript }))
    }

    /// Runs a write on the designed tables.
    pub(crate) fn write_tables(
        &mut self,
        at: WriteId,
        values: &[Datum],
        trace: &mut RunTrace,
    ) -> Result<WriteRun, Failure> {
        let context =
            RunContext { now_micros: self.now_micros, server: self.designed.server, trace };
        self.designed.runner.run_write(at, values, context)
    }

    /// The current facts.
    pub(crate) fn fact_rows(&self) -> Result<Vec<Vec<Row>>, Failure> {
        let entities = self.subject.concept.entities.ids();
        entities.map(|entity| self.relational.rows(entity).map_err(relational_failure)).collect()
    }

    /// The first table with wrong contents.
    pub(crate) fn compare_copies(&mut self) -> Result<Option<TableMismatch>, Failure> {
        let facts = self.fact_rows()?;
        self.compare_copies_with(&facts)
    }

    /// The same, where the current facts are at hand.
    pub(crate) fn compare_copies_with(
        &mut self,
        facts: &[Vec<Row>],
    ) -> Result<Option<TableMismatch>, Failure> {
        copies::compare(self.subject, facts, self.designed.server)
    }

    /// The rows that writes have changed so far besides those that they name: by cascades.
    pub(crate) const fn cascade_count(&self) -> u64 {
        self.relational.cascade_count()
    }
}

/// Whether a write reports what SQL does. A write of no rows may also be refused, even by a check of
/// its values that SQL does not come to.
pub(crate) fn is_same_outcome(expected: WriteEffect, got: WriteOutcome) -> bool {
    match expected {
        WriteEffect::Rows(0) => true,
        WriteEffect::Rows(_) => got == WriteOutcome::Applied,
        WriteEffect::Violation => got != WriteOutcome::Applied,
    }
}

fn begin_transcript(subject: ProofSubject<'_>, data: &Dataset) -> ProofTranscript {
    let types = |columns: ResultColumns<'_>| columns.types(subject.concept);
    let outputs = subject.workload.reads.iter().map(|read| types(read.into()));
    let returned = subject.workload.writes.iter().map(|write| {
        write.returning.as_ref().map_or_else(Vec::new, |returning| types(returning.into()))
    });
    ProofTranscript {
        facts: data.rows.clone(),
        outputs: outputs.collect(),
        returned: returned.collect(),
        ..ProofTranscript::default()
    }
}

/// The limit of a read: 1 for `:one`.
fn effective_limit(read: &Read, values: &[Datum]) -> Option<usize> {
    let stated = match read.limit {
        Some(Limit::Number(rows)) => usize::try_from(rows).ok(),
        Some(Limit::Parameter(at)) => {
            let ty = read.parameters.member(at).map(|parameter| &parameter.ty);
            let value = values.get(at.index()).and_then(Option::as_ref);
            let rows = ty.zip(value).and_then(|(ty, value)| to_integer(ty, value));
            rows.and_then(|rows| usize::try_from(rows).ok())
        }
        None => None,
    };
    if read.many { stated } else { Some(stated.unwrap_or(1).min(1)) }
}
