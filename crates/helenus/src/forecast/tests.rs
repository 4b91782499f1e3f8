//! Forecasts on a schema whose comments state its volumes; the expected figures are computed by
//! hand from them.

use doctor::trace::analysis::Verdict;
use model::workload::Workload;
use schema::access;
use schema::session::AcceptedStatement;

use super::*;

const SCHEMA: &str = "\
CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3};
USE k;
-- @rows 10M
-- @each 50 p99 2k max 200k
CREATE TABLE posts (
  author uuid,
  at timestamp,
  kind text, -- @distinct 10
  country text, -- @distinct 200
  body text,
  PRIMARY KEY (author, at)
);
CREATE INDEX posts_country ON posts (country);
CREATE TABLE silent (id int PRIMARY KEY, v text);
";

fn forecast(statement: &str) -> Forecast {
    let parsed = cql::parse(SCHEMA);
    let mut session = schema::Session::with_system_tables();
    session.catalog.datacenters.clear();
    for statement in &parsed.statements {
        session.run(statement).unwrap();
    }
    let file = model::schema_file::read(SCHEMA, &parsed, &session.catalog).unwrap();
    let workload = Workload::default();
    let figures = from_tables(&file.concept, &workload, &file.tables, FigureSource::Comments);
    let parsed = cql::parse(statement);
    let accepted = session.run(&parsed.statements[0]).unwrap();
    let AcceptedStatement::Bound(bound) = accepted else { panic!("no query: {statement}") };
    Forecast::new(&access::plan(&bound.kind), &figures)
}

fn rows(statement: &str) -> Option<(f64, f64)> {
    forecast(statement).rows_read.map(|rows| (rows.p50.round(), rows.p99.round()))
}

/// Rows at p99: 2,000 rows of a partition are stated.
fn rows_p99(statement: &str) -> Option<f64> {
    rows(statement).map(|(_, p99)| p99)
}

#[test]
fn rows_follow_the_slice_and_the_limit() {
    assert_eq!(rows_p99("SELECT * FROM posts WHERE author = ?"), Some(2_000.0));
    assert_eq!(rows_p99("SELECT * FROM posts WHERE author = ? AND at > ?"), Some(200.0));
    assert_eq!(rows("SELECT * FROM posts WHERE author = ? AND at = ?"), Some((1.0, 1.0)));
    assert_eq!(rows_p99("SELECT * FROM posts WHERE author = ? LIMIT 20"), Some(20.0));
    assert_eq!(rows("SELECT * FROM posts"), Some((1e7, 1e7)));
    assert_eq!(rows("SELECT * FROM posts WHERE country = ?"), Some((50_000.0, 50_000.0)));
    let filtered = "SELECT * FROM posts WHERE author = ? AND kind = ? LIMIT 20 ALLOW FILTERING";
    assert_eq!(rows_p99(filtered), Some(2_000.0), "LIMIT does not bound what filtering reads");
}

#[test]
fn the_verdict_has_its_figure_and_limit() {
    let verdict = |statement: &str| forecast(statement).verdict();
    assert_eq!(verdict("SELECT * FROM posts WHERE author = ? LIMIT 20"), Some(Verdict::Fine));
    assert_eq!(verdict("SELECT * FROM posts"), Some(Verdict::Dangerous));
    let index = forecast("SELECT * FROM posts WHERE country = ?");
    assert_eq!(index.verdict(), Some(Verdict::Dangerous));
    assert_eq!(index.nodes, Some(6.0), "every node of the six that are assumed");
    let filtered = forecast("SELECT * FROM posts WHERE author = ? AND kind = ? ALLOW FILTERING");
    assert_eq!(filtered.rows_returned.map(|rows| rows.p99.round()), Some(200.0));
    let reason = filtered.reasons.first().unwrap();
    assert_eq!(
        (reason.kind, reason.figure, reason.limit),
        (ReasonKind::Filtering, Some(1_800.0), Some(1_000.0))
    );
    assert_eq!(reason.verdict, Verdict::Watch);
}

#[test]
fn without_figures_nothing_is_made_up() {
    let point = forecast("SELECT * FROM silent WHERE id = ?");
    assert_eq!((point.source, point.rows_read, point.verdict()), (None, None, None));
    let scan = forecast("SELECT * FROM silent");
    assert_eq!(scan.verdict(), Some(Verdict::Watch));
    assert_eq!(scan.reasons.first().map(|reason| reason.figure), Some(None));
}
