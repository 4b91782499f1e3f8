//! A round: one schema, its writes and its questions, put to both sides; and the search for the smallest set of writes
//! that still shows a difference.

use std::fmt::Write;
use std::io;
use std::net::SocketAddr;

use super::difference::{is_same_reply, render_reply};
use super::read;
use super::schema::{self, CREATE_TYPE, WorkloadTable};
use super::side::{EngineSide, NodeSide, Reply};
use super::statement::WorkloadStatement;
use super::write::WorkloadWriter;
use crate::rng::Rng;

/// Writes between two rounds of questions.
const WRITES: usize = 20;
/// Questions beside those for everything.
const QUESTIONS: usize = 12;
/// Whole runs of the search for the smallest difference.
const TRIALS_MAX: usize = 150;

/// What came of a round.
#[derive(Debug, Default)]
pub(super) struct RoundOutcome {
    pub(super) asked: u64,
    pub(super) refused: u64,
    /// Failures of the server itself.
    pub(super) failures: u64,
    /// Rows that both sides showed.
    pub(super) rows: u64,
    pub(super) difference: Option<String>,
}

/// The statements of a schema, and what they are put to.
struct Round<'a> {
    seed: u64,
    address: SocketAddr,
    tables: &'a [WorkloadTable],
    history: Vec<WorkloadStatement>,
    outcome: RoundOutcome,
}

/// Runs the round of a seed, of about so many statements.
pub(super) fn run(seed: u64, statements: u64, address: SocketAddr) -> io::Result<RoundOutcome> {
    let mut rng = Rng::new(seed);
    let tables = schema::tables(&mut rng);
    let outcome = RoundOutcome::default();
    let mut round = Round { seed, address, tables: &tables, history: Vec::new(), outcome };
    let keyspace = format!("workload_{seed}");
    let (mut ours, mut theirs) = (EngineSide::new(&keyspace), NodeSide::new(address, &keyspace)?);
    let found = round.run_statements(rng, statements, &mut ours, &mut theirs)?;
    theirs.drop_keyspace()?;
    if let Some(last) = found {
        let seen = round.outcome.difference.take().unwrap_or_default();
        round.outcome.difference = Some(round.shrink(&last, &seen)?);
    }
    Ok(round.outcome)
}

impl Round<'_> {
    /// Puts everything to both sides; the statement on which they differ, if there is one.
    fn run_statements(
        &mut self,
        rng: Rng,
        statements: u64,
        ours: &mut EngineSide,
        theirs: &mut NodeSide,
    ) -> io::Result<Option<WorkloadStatement>> {
        for text in ddl(self.tables, None) {
            let create = WorkloadStatement::write(text, Vec::new());
            if self.differs(&create, ours, theirs)? {
                return Ok(Some(create));
            }
        }
        let mut writer = WorkloadWriter::new(rng, self.tables);
        while self.outcome.asked < statements {
            for _ in 0..WRITES {
                let write = writer.next();
                let differs = self.differs(&write, ours, theirs)?;
                if differs {
                    return Ok(Some(write));
                }
                self.history.push(write);
            }
            for question in questions(&mut writer) {
                if self.differs(&question, ours, theirs)? {
                    return Ok(Some(question));
                }
            }
            if writer.rng.roll(30) {
                ours.checkpoint();
            }
            if writer.rng.roll(50) {
                ours.open();
            }
        }
        Ok(None)
    }

    fn differs(
        &mut self,
        statement: &WorkloadStatement,
        ours: &mut EngineSide,
        theirs: &mut NodeSide,
    ) -> io::Result<bool> {
        let (ours, theirs) = (ours.ask(statement), theirs.ask(statement)?);
        self.outcome.asked += 1;
        match &theirs {
            failure if failure.is_failure() => {
                self.outcome.failures += 1;
                return Ok(false);
            }
            Reply::Refused { .. } => self.outcome.refused += 1,
            Reply::Rows { pages, .. } => {
                self.outcome.rows += pages.iter().map(|page| page.len() as u64).sum::<u64>();
            }
            Reply::Done => {}
        }
        if is_same_reply(&ours, &theirs) {
            return Ok(false);
        }
        self.outcome.difference = Some(show(&ours, &theirs));
        Ok(true)
    }

    /// The difference that the last statement shows, with as few others before it as were found to be needed.
    fn shrink(&self, last: &WorkloadStatement, seen: &str) -> io::Result<String> {
        let about = |one: &WorkloadStatement| one.tables.iter().any(|at| last.tables.contains(at));
        let mut writes: Vec<_> = self.history.iter().filter(|one| about(one)).cloned().collect();
        let only = last.tables.first().copied().filter(|_| last.tables.len() == 1);
        if only.is_some() {
            writes.retain(|one| one.tables.len() == 1);
        }
        let mut bench = ReplayBench::new(self, only)?;
        let mut shown = bench.difference(&writes, last)?;
        if shown.is_none() {
            // It takes more than the statements about its tables.
            writes.clone_from(&self.history);
            bench.drop_keyspace()?;
            bench = ReplayBench::new(self, None)?;
            shown = bench.difference(&writes, last)?;
        }
        let Some(mut shown) = shown else {
            bench.drop_keyspace()?;
            let (seed, text) = (self.seed, last.spell());
            return Ok(format!("seed {seed}: not seen with fewer statements\n{text}\n{seen}"));
        };
        let (mut step, mut trials) = (writes.len().div_ceil(2), 0);
        while step > 0 && trials < TRIALS_MAX {
            let mut at = 0;
            while at < writes.len() && trials < TRIALS_MAX {
                let mut fewer = writes.clone();
                fewer.drain(at..(at + step).min(writes.len()));
                trials += 1;
                match bench.difference(&fewer, last)? {
                    Some(still) => (writes, shown) = (fewer, still),
                    None => at += step,
                }
            }
            step /= 2;
        }
        bench.drop_keyspace()?;
        let mut text = format!("seed {}\n", self.seed);
        for create in ddl(self.tables, bench.only) {
            let _ = writeln!(text, "{create};");
        }
        for write in writes.iter().chain([last]) {
            let _ = writeln!(text, "{}", write.spell());
        }
        Ok(text + &shown)
    }
}

fn show(ours: &Reply, theirs: &Reply) -> String {
    format!("ours:\n{}\ntheirs:\n{}\n", render_reply(ours), render_reply(theirs))
}

/// A place to try fewer statements in.
struct ReplayBench<'a> {
    tables: &'a [WorkloadTable],
    only: Option<usize>,
    keyspace: String,
    node: NodeSide,
}

impl<'a> ReplayBench<'a> {
    fn new(round: &Round<'a>, only: Option<usize>) -> io::Result<Self> {
        let keyspace = format!("workload_{}_less", round.seed);
        let mut node = NodeSide::new(round.address, &keyspace)?;
        for text in ddl(round.tables, only) {
            node.ask(&WorkloadStatement::write(text, Vec::new()))?;
        }
        Ok(Self { tables: round.tables, only, keyspace, node })
    }

    fn drop_keyspace(&mut self) -> io::Result<()> {
        self.node.drop_keyspace()
    }

    /// What differs in the answers to the last of these statements.
    fn difference(
        &mut self,
        writes: &[WorkloadStatement],
        last: &WorkloadStatement,
    ) -> io::Result<Option<String>> {
        let mut ours = EngineSide::new(&self.keyspace);
        for text in ddl(self.tables, self.only) {
            ours.ask(&WorkloadStatement::write(text, Vec::new()));
        }
        for (at, table) in self.tables.iter().enumerate() {
            if self.only.is_none_or(|only| only == at) {
                let truncate = format!("TRUNCATE {}", table.name);
                self.node.ask(&WorkloadStatement::write(truncate, Vec::new()))?;
            }
        }
        for write in writes {
            ours.ask(write);
            self.node.ask(write)?;
        }
        let (ours, theirs) = (ours.ask(last), self.node.ask(last)?);
        Ok((!is_same_reply(&ours, &theirs)).then(|| show(&ours, &theirs)))
    }
}

fn ddl(tables: &[WorkloadTable], only: Option<usize>) -> impl Iterator<Item = String> {
    let chosen =
        tables.iter().enumerate().filter(move |(at, _)| only.is_none_or(|only| only == *at));
    [CREATE_TYPE.to_owned()]
        .into_iter()
        .chain(chosen.flat_map(|(_, table)| table.created_by.clone()))
}

fn questions(writer: &mut WorkloadWriter<'_>) -> Vec<WorkloadStatement> {
    let tables = writer.tables;
    let mut questions: Vec<_> =
        tables.iter().enumerate().flat_map(|(at, table)| read::full_reads(table, at)).collect();
    for _ in 0..QUESTIONS {
        let at = writer.rng.number_below(tables.len());
        questions.push(read::random_read(writer, at));
    }
    questions
}
