//! A round: one schema, its writes and its questions, put to both sides; and the search for the smallest set of writes
//! that still shows a difference.

use std::fmt::Write;
use std::io;
use std::net::SocketAddr;

use super::difference::{agree, spell};
use super::question;
use super::schema::{self, TYPE, Table};
use super::side::{Engine, Node, Reply};
use super::statement::Statement;
use super::write::Writer;
use crate::random::Rng;

/// Writes between two rounds of questions.
const WRITES: usize = 20;
/// Questions beside those for everything.
const QUESTIONS: usize = 12;
/// Whole runs of the search for the smallest difference.
const TRIALS_MAX: usize = 150;

/// What came of a round.
#[derive(Debug, Default)]
pub(super) struct Outcome {
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
    tables: &'a [Table],
    history: Vec<Statement>,
    outcome: Outcome,
}

/// Runs the round of a seed, of about so many statements.
pub(super) fn run(seed: u64, statements: u64, address: SocketAddr) -> io::Result<Outcome> {
    let mut rng = Rng::new(seed);
    let tables = schema::tables(&mut rng);
    let outcome = Outcome::default();
    let mut round = Round { seed, address, tables: &tables, history: Vec::new(), outcome };
    let keyspace = format!("workload_{seed}");
    let (mut ours, mut theirs) = (Engine::new(&keyspace), Node::new(address, &keyspace)?);
    let found = round.play(rng, statements, &mut ours, &mut theirs)?;
    theirs.forget()?;
    if let Some(last) = found {
        let seen = round.outcome.difference.take().unwrap_or_default();
        round.outcome.difference = Some(round.shrink(&last, &seen)?);
    }
    Ok(round.outcome)
}

impl Round<'_> {
    /// Puts everything to both sides; the statement on which they differ, if there is one.
    fn play(
        &mut self,
        rng: Rng,
        statements: u64,
        ours: &mut Engine,
        theirs: &mut Node,
    ) -> io::Result<Option<Statement>> {
        for text in ddl(self.tables, None) {
            let create = Statement::write(text, Vec::new());
            if self.differs(&create, ours, theirs)? {
                return Ok(Some(create));
            }
        }
        let mut writer = Writer::new(rng, self.tables);
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
            if writer.rng.chance(30) {
                ours.checkpoint();
            }
            if writer.rng.chance(50) {
                ours.open();
            }
        }
        Ok(None)
    }

    fn differs(
        &mut self,
        statement: &Statement,
        ours: &mut Engine,
        theirs: &mut Node,
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
        if agree(&ours, &theirs) {
            return Ok(false);
        }
        self.outcome.difference = Some(show(&ours, &theirs));
        Ok(true)
    }

    /// The difference that the last statement shows, with as few others before it as were found to be needed.
    fn shrink(&self, last: &Statement, seen: &str) -> io::Result<String> {
        let about = |one: &Statement| one.tables.iter().any(|at| last.tables.contains(at));
        let mut writes: Vec<_> = self.history.iter().filter(|one| about(one)).cloned().collect();
        let only = last.tables.first().copied().filter(|_| last.tables.len() == 1);
        if only.is_some() {
            writes.retain(|one| one.tables.len() == 1);
        }
        let mut bench = Bench::new(self, only)?;
        let mut shown = bench.difference(&writes, last)?;
        if shown.is_none() {
            // It takes more than the statements about its tables.
            writes.clone_from(&self.history);
            bench.forget()?;
            bench = Bench::new(self, None)?;
            shown = bench.difference(&writes, last)?;
        }
        let Some(mut shown) = shown else {
            bench.forget()?;
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
        bench.forget()?;
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
    format!("ours:\n{}\ntheirs:\n{}\n", spell(ours), spell(theirs))
}

/// A place to try fewer statements in.
struct Bench<'a> {
    tables: &'a [Table],
    only: Option<usize>,
    keyspace: String,
    node: Node,
}

impl<'a> Bench<'a> {
    fn new(round: &Round<'a>, only: Option<usize>) -> io::Result<Self> {
        let keyspace = format!("workload_{}_less", round.seed);
        let mut node = Node::new(round.address, &keyspace)?;
        for text in ddl(round.tables, only) {
            node.ask(&Statement::write(text, Vec::new()))?;
        }
        Ok(Self { tables: round.tables, only, keyspace, node })
    }

    fn forget(&mut self) -> io::Result<()> {
        self.node.forget()
    }

    /// What differs in the answers to the last of these statements.
    fn difference(&mut self, writes: &[Statement], last: &Statement) -> io::Result<Option<String>> {
        let mut ours = Engine::new(&self.keyspace);
        for text in ddl(self.tables, self.only) {
            ours.ask(&Statement::write(text, Vec::new()));
        }
        for (at, table) in self.tables.iter().enumerate() {
            if self.only.is_none_or(|only| only == at) {
                let truncate = format!("TRUNCATE {}", table.name);
                self.node.ask(&Statement::write(truncate, Vec::new()))?;
            }
        }
        for write in writes {
            ours.ask(write);
            self.node.ask(write)?;
        }
        let (ours, theirs) = (ours.ask(last), self.node.ask(last)?);
        Ok((!agree(&ours, &theirs)).then(|| show(&ours, &theirs)))
    }
}

fn ddl(tables: &[Table], only: Option<usize>) -> impl Iterator<Item = String> {
    let chosen =
        tables.iter().enumerate().filter(move |(at, _)| only.is_none_or(|only| only == *at));
    [TYPE.to_owned()].into_iter().chain(chosen.flat_map(|(_, table)| table.created_by.clone()))
}

fn questions(writer: &mut Writer<'_>) -> Vec<Statement> {
    let tables = writer.tables;
    let mut questions: Vec<_> =
        tables.iter().enumerate().flat_map(|(at, table)| question::everything(table, at)).collect();
    for _ in 0..QUESTIONS {
        let at = writer.rng.below(tables.len());
        questions.push(question::question(writer, at));
    }
    questions
}
