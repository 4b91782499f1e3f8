//! Both sides with the same facts: the relational database and the designed tables.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use model::id::{Numbered, ReadId, TableId, WriteId};
use model::workload::{Limit, Read};

use super::copies::{self, Apart};
use super::load;
use crate::compare::{Comparer, Verdict};
use crate::contents::Contents;
use crate::data::{Data, Datum, Row};
use crate::relational::{Ranked, Relational};
use crate::run::{Outcome, Runner, Trace};
use crate::server::{Failure, Server};
use crate::subject::{Settings, Subject};
use crate::value::integer;

/// Both sides.
pub(crate) struct Sides<'a, 's> {
    pub(crate) subject: Subject<'a>,
    pub(crate) relational: Relational,
    pub(crate) runner: Runner<'a>,
    pub(crate) server: &'s mut dyn Server,
    comparers: Vec<Comparer>,
}

/// What both sides answered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answers {
    pub(crate) verdict: Verdict,
    pub(crate) expected: Vec<Ranked>,
    pub(crate) limit: Option<usize>,
    pub(crate) got: Vec<Vec<Datum>>,
    pub(crate) trace: Trace,
}

/// The relational side did not understand: nothing that a design could be blamed for.
fn broken(why: impl std::fmt::Display) -> Failure {
    Failure::Gone(format!("the relational side: {why}"))
}

impl<'a, 's> Sides<'a, 's> {
    /// Both sides with these facts, on a server without tables.
    pub(crate) fn new(
        subject: Subject<'a>,
        settings: &Settings,
        data: &Data,
        server: &'s mut dyn Server,
        filled: &mut dyn FnMut(TableId, &Contents),
    ) -> Result<Self, Failure> {
        let given_up = AtomicBool::new(false);
        let relational = thread::scope(|scope| {
            let relational = scope.spawn(|| {
                let mut relational = Relational::new(subject.concept, subject.workload)?;
                relational.load(data, &given_up).map(|()| relational)
            });
            let filled = load::create(subject, server)
                .and_then(|()| load::load(subject, &data.rows, server, filled));
            // A server that is gone is not waited for.
            given_up.store(filled.is_err(), Ordering::Relaxed);
            filled?;
            let loaded = relational.join().unwrap_or_else(|_| Err("it stopped".to_owned()));
            loaded.map_err(broken)
        })?;
        let runner = Runner::new(subject, settings.now_micros);
        let reads = subject.workload.reads.numbered();
        let comparers = reads
            .map(|(at, read)| Comparer::new(subject.concept, subject.design, at, read))
            .collect();
        Ok(Self { subject, relational, runner, server, comparers })
    }

    /// Asks both sides.
    pub(crate) fn read(
        &mut self,
        at: ReadId,
        values: &[Datum],
        keeps: bool,
    ) -> Result<Answers, Failure> {
        let (Some(read), Some(comparer)) =
            (self.subject.workload.reads.at(at), self.comparers.get(at.index()))
        else {
            return Ok(Answers::default());
        };
        let limit = limit(read, values);
        let expected = self.relational.ranked(read, values, limit).map_err(broken)?;
        let mut trace = Trace { keeps, ..Trace::default() };
        let mut got = self.runner.read(at, values, self.server, &mut trace)?;
        if !read.many {
            got.truncate(1);
        }
        let verdict = comparer.compare(&expected, limit, &got);
        Ok(Answers { verdict, expected, limit, got, trace })
    }

    /// Writes on the relational side: whether it changed anything.
    pub(crate) fn write_facts(&mut self, at: WriteId, values: &[Datum]) -> Result<bool, Failure> {
        let Some(write) = self.subject.workload.writes.at(at) else { return Ok(false) };
        Ok(self.relational.write(write, values).map_err(broken)? > 0)
    }

    /// Writes the designed tables.
    pub(crate) fn write_tables(
        &mut self,
        at: WriteId,
        values: &[Datum],
        trace: &mut Trace,
    ) -> Result<Outcome, Failure> {
        self.runner.write(at, values, self.server, trace)
    }

    /// The facts now.
    pub(crate) fn rows(&self) -> Result<Vec<Vec<Row>>, Failure> {
        let entities = self.subject.concept.entities.ids();
        entities.map(|entity| self.relational.rows(entity).map_err(broken)).collect()
    }

    /// The first table that does not hold what it must.
    pub(crate) fn copies(&mut self) -> Result<Option<Apart>, Failure> {
        copies::compare(self.subject, &self.rows()?, self.server)
    }
}

/// How many rows are wanted: `:one` is the first of them.
fn limit(read: &Read, values: &[Datum]) -> Option<usize> {
    let stated = match read.limit {
        Some(Limit::Number(rows)) => usize::try_from(rows).ok(),
        Some(Limit::Parameter(at)) => {
            let ty = read.parameters.at(at).map(|parameter| &parameter.ty);
            let value = values.get(at.index()).and_then(Option::as_ref);
            let rows = ty.zip(value).and_then(|(ty, value)| integer(ty, value));
            rows.and_then(|rows| usize::try_from(rows).ok())
        }
        None => None,
    };
    if read.many { stated } else { Some(stated.unwrap_or(1).min(1)) }
}
