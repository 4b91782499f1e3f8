//! The embedded engine as a server: in memory, with a clock that advances with every statement.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use cql::BatchKind;
use engine::{
    BatchPart, Database, MarkerValue, MarkerValues, Parameters, PreparedStatement, ResultMessage,
    ResultSet, SeededEntropy, Session,
};
use storage::clock::VirtualClock;

use crate::server::{Answer, Failure, Server, ServerStatement};

/// The keyspace that tables are created in.
const KEYSPACE: &str = "proof";
/// The step of the clock for every statement, so that later writes win.
const CLOCK_STEP: Duration = Duration::from_micros(10);

/// A database in memory.
#[derive(Debug)]
pub struct MemoryServer {
    session: Session,
    clock: Arc<VirtualClock>,
    prepared: BTreeMap<String, PreparedStatement>,
    now_micros: i64,
}

impl MemoryServer {
    /// An empty database at this time: microseconds since 1970.
    pub fn new(now_micros: i64) -> Result<Self, Failure> {
        let (session, clock) = open(now_micros)?;
        Ok(Self { session, clock, prepared: BTreeMap::new(), now_micros })
    }

    /// Prepares a statement, once.
    fn prepare(&mut self, cql: &str) -> Result<(), Failure> {
        if !self.prepared.contains_key(cql) {
            let prepared = self.session.prepare(cql).map_err(|error| to_failure(&error, cql))?;
            self.prepared.insert(cql.to_owned(), prepared);
        }
        Ok(())
    }
}

fn open(now_micros: i64) -> Result<(Session, Arc<VirtualClock>), Failure> {
    let clock = Arc::new(VirtualClock::new(now_micros));
    let options = engine::Options {
        clock: Arc::<VirtualClock>::clone(&clock),
        entropy: Arc::new(SeededEntropy::new(1)),
        ..engine::Options::default()
    };
    let gone = |error: engine::Error| Failure::Gone(error.message);
    let database = Database::open_in_memory(options).map_err(gone)?;
    let mut session = database.session();
    let create = format!(
        "CREATE KEYSPACE {KEYSPACE} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}"
    );
    session.query(&create, &Parameters::default()).map_err(gone)?;
    session.set_keyspace(KEYSPACE);
    Ok((session, clock))
}

impl Server for MemoryServer {
    fn run(&mut self, statement: &ServerStatement) -> Result<Answer, Failure> {
        self.clock.advance(CLOCK_STEP);
        if !statement.values.is_empty() {
            self.prepare(&statement.cql)?;
        }
        let prepared = self.prepared.get(&statement.cql);
        let mut answer = Answer::default();
        let mut page: Option<Vec<u8>> = None;
        loop {
            let parameters = Parameters {
                values: marker_values(statement),
                paging_state: page.as_deref(),
                ..Parameters::default()
            };
            let result = match prepared {
                Some(prepared) => self.session.execute(prepared, &parameters),
                None => self.session.query(&statement.cql, &parameters),
            };
            let result = result.map_err(|error| to_failure(&error, &statement.cql))?;
            let ResultMessage::Rows(rows) = result.outcome else { return Ok(answer) };
            add_page(&mut answer, &rows);
            page = rows.paging_state;
            if page.is_none() {
                return Ok(answer);
            }
        }
    }

    fn run_batch(
        &mut self,
        kind: BatchKind,
        statements: &[ServerStatement],
    ) -> Result<(), Failure> {
        self.clock.advance(CLOCK_STEP);
        for statement in statements {
            self.prepare(&statement.cql)?;
        }
        let parts: Vec<_> = statements
            .iter()
            .filter_map(|statement| {
                let prepared = self.prepared.get(&statement.cql)?;
                Some((BatchPart::Prepared(prepared), marker_values(statement)))
            })
            .collect();
        let result = self.session.batch(kind, &parts, &Parameters::default());
        let first = statements.first().map_or("BATCH", |statement| &statement.cql);
        result.map(|_| ()).map_err(|error| to_failure(&error, &format!("BATCH {first} ...")))
    }

    fn clear(&mut self, _: &[String]) -> Result<(), Failure> {
        (self.session, self.clock) = open(self.now_micros)?;
        self.prepared.clear();
        Ok(())
    }
}

fn to_failure(error: &engine::Error, cql: &str) -> Failure {
    Failure::Refused(format!("{} (in {cql})", error.message))
}

fn marker_values(statement: &ServerStatement) -> MarkerValues<'_> {
    let value = |value| Option::map_or(value, MarkerValue::Null, MarkerValue::Bytes);
    MarkerValues::Positional(statement.values.iter().map(Option::as_deref).map(value).collect())
}

/// Adds a page to an answer.
fn add_page(answer: &mut Answer, page: &ResultSet) {
    if answer.columns.is_empty() {
        let columns = page.columns.iter();
        answer.columns =
            columns.map(|column| (column.name.to_string(), column.ty.clone())).collect();
    }
    let rows =
        page.iter().map(|row| row.into_iter().map(|value| value.map(<[u8]>::to_vec)).collect());
    answer.rows.extend(rows);
}
