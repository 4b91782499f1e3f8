//! A design made by hand is proven; made wrong, it is found out, by an example as small as it can
//! be.

use std::cell::Cell;
use std::time::Duration;

use cql::BatchKind;
use cql::types::{NativeType, Type};
use model::concept::{AttributeRef, Constraint};
use model::id::{AttributeId, EntityId, ParameterId, ReadId, SourceId, TableId};
use model::plan::topic::KeyTopic;
use model::plan::{
    ColumnRole, Derivation, Design, Direction, Insert, Modification, Note, NoteKind, NoteSubject,
    Operand, PlannedColumn, PlannedStatement, PlannedTable, Precondition, ReadPart, ReadPlan,
    ReadStep, Relation, RowDefinition, RowLimit, Select, SelectExpression, SelectItem, ServedRead,
    WritePlan, WriteStep, list_client_checks,
};
use model::sql::ModelFile;
use model::workload::{Column, Source};

use super::prove_within;
use crate::memory_server::MemoryServer;
use crate::proof::{Proof, ProofOutcome, UnrepeatedDisagreement};
use crate::server::{Answer, Failure, Server, ServerStatement};
use crate::subject::{ProofSettings, ProofSubject};
use crate::time_limit::TimeLimit;

const MODEL: &str = "
CREATE TABLE users (id int PRIMARY KEY, name text NOT NULL, age int NOT NULL);
-- name: ByName :many
SELECT id, age FROM users WHERE name = ? ORDER BY age DESC LIMIT 3;
-- name: ById :one
SELECT name, age FROM users WHERE id = ?;
-- name: Add :exec
INSERT INTO users (id, name, age) VALUES (?, ?, ?);
";

fn column(name: &str, ty: NativeType, role: ColumnRole, attribute: AttributeId) -> PlannedColumn {
    PlannedColumn {
        name: name.to_owned(),
        ty: Type::from(ty),
        role,
        derivation: Derivation::Attribute(Column { source: SourceId::new(0), attribute }),
        reasons: Vec::new(),
    }
}

fn table(name: &str, read: ReadId, columns: Vec<PlannedColumn>) -> PlannedTable {
    let sources = vec![Source { entity: EntityId::new(0), alias: "users".to_owned(), join: None }];
    PlannedTable {
        name: name.to_owned(),
        columns,
        holds: RowDefinition { sources, ..RowDefinition::default() },
        serves: vec![ServedRead {
            read,
            sources: vec![Some(SourceId::new(0))],
            part: ReadPart::Rows,
        }],
        ..PlannedTable::default()
    }
}

fn read(at: usize, table: &str, columns: [&str; 2], key: &str, limit: Option<u64>) -> ReadPlan {
    let item = |name: &str| SelectItem {
        expression: SelectExpression::Column(name.to_owned()),
        name: name.to_owned(),
    };
    let select = Select {
        table: table.to_owned(),
        items: columns.map(item).to_vec(),
        relations: vec![Relation::equal(key, Operand::Parameter(ParameterId::new(0)))],
        limit: limit.map(RowLimit::Rows),
        ..Select::default()
    };
    let step = ReadStep {
        table: TableId::new(at),
        select,
        loops: Vec::new(),
        optional: false,
        spans: Vec::new(),
    };
    ReadPlan { steps: vec![step], ..ReadPlan::default() }
}

fn insert(at: usize, table: &str) -> WriteStep {
    let parameters = (0..3).map(ParameterId::new).map(Operand::Parameter);
    let columns = ["id", "name", "age"].map(str::to_owned);
    WriteStep::Statement(PlannedStatement {
        table: TableId::new(at),
        modification: Modification::Insert(Insert {
            table: table.to_owned(),
            values: columns.into_iter().zip(parameters).collect(),
            ..Insert::default()
        }),
        loops: Vec::new(),
        guards: Vec::new(),
        condition: None,
        rows: 1.0,
        tombstones: 0.0,
        reason: String::new(),
    })
}

fn design(direction: Direction) -> Design {
    let (int, text) = (NativeType::Int, NativeType::Text);
    let by_name = vec![
        column("name", text, ColumnRole::Partition, AttributeId::new(1)),
        column("age", int, ColumnRole::Clustering(direction), AttributeId::new(2)),
        column("id", int, ColumnRole::Clustering(Direction::Ascending), AttributeId::new(0)),
    ];
    let users = vec![
        column("id", int, ColumnRole::Partition, AttributeId::new(0)),
        column("name", text, ColumnRole::Regular, AttributeId::new(1)),
        column("age", int, ColumnRole::Regular, AttributeId::new(2)),
    ];
    let file = model::sql::read(MODEL, "app").unwrap();
    let name = AttributeRef { entity: EntityId::new(0), attribute: AttributeId::new(1) };
    let never_empty = KeyTopic::NeverEmpty { attributes: vec![(name, "users.name".to_owned())] };
    Design {
        notes: vec![Note {
            kind: NoteKind::Assumption,
            about: NoteSubject::Design,
            topic: never_empty.into(),
            span: None,
        }],
        tables: vec![
            table("users_by_name", ReadId::new(0), by_name),
            table("users", ReadId::new(1), users),
        ],
        reads: vec![
            read(0, "users_by_name", ["id", "age"], "name", Some(3)),
            read(1, "users", ["name", "age"], "id", None),
        ],
        writes: vec![WritePlan {
            steps: vec![insert(0, "users_by_name"), insert(1, "users")],
            checks: list_client_checks(&file.concept, &file.workload.writes[0]),
            preconditions: vec![Precondition::FreeKey {
                entity: "users".to_owned(),
                constraint: Constraint::Key(EntityId::new(0), 0),
            }],
            ..WritePlan::default()
        }],
        ..Design::default()
    }
}

fn prove_design(design: &Design, order: &str) -> Proof {
    let settings = settings();
    let mut server = MemoryServer::new(settings.now_micros).unwrap();
    prove_on(design, order, TimeLimit::none(), &mut server)
}

fn settings() -> ProofSettings {
    ProofSettings { rows: 200, bindings: 30, writes: 40, ..ProofSettings::default() }
}

fn prove_on(design: &Design, order: &str, time: TimeLimit<'_>, server: &mut dyn Server) -> Proof {
    let ModelFile { concept, workload, .. } = model::sql::read(MODEL, "app").unwrap();
    let schema = [
        format!(
            "CREATE TABLE users_by_name (name text, age int, id int, PRIMARY KEY (name, age, id)) \
             WITH CLUSTERING ORDER BY (age {order}, id ASC)"
        ),
        "CREATE TABLE users (id int PRIMARY KEY, name text, age int)".to_owned(),
    ];
    let subject = ProofSubject { concept: &concept, workload: &workload, design, schema: &schema };
    prove_within(subject, settings(), time, server, &mut |_| {}).unwrap()
}

/// Why the statements of a proof were not run.
fn open_statements(proof: &Proof) -> Vec<String> {
    match proof.outcome() {
        ProofOutcome::Incomplete(open) => {
            open.into_iter().map(|(name, why)| format!("{name}: {why}")).collect()
        }
        other => panic!("{other:?}"),
    }
}

/// A server that loses the rows of one answer.
struct ForgetfulServer {
    server: MemoryServer,
    answers: usize,
    /// The error in place of the fifth answer; without it, the answer has no rows.
    error: Option<String>,
}

impl Server for ForgetfulServer {
    fn run(&mut self, statement: &ServerStatement) -> Result<Answer, Failure> {
        let mut answer = self.server.run(statement)?;
        if !answer.rows.is_empty() {
            self.answers += 1;
            if self.answers == 5 {
                answer.rows.clear();
                return self.error.clone().map_or(Ok(answer), |error| Err(Failure::Refused(error)));
            }
        }
        Ok(answer)
    }

    fn run_batch(&mut self, kind: BatchKind, all: &[ServerStatement]) -> Result<(), Failure> {
        self.server.run_batch(kind, all)
    }

    fn clear(&mut self, schema: &[String]) -> Result<(), Failure> {
        self.server.clear(schema)
    }
}

#[test]
fn a_right_design_is_proven() {
    let proof = prove_design(&design(Direction::Descending), "DESC");
    assert_eq!(proof.disagreement, None);
    assert_eq!(proof.outcome(), ProofOutcome::Passed);
    assert_eq!((proof.reads.len(), proof.bindings, proof.written), (2, 60, 40));
    assert_eq!(proof.tables.len(), 2);
}

#[test]
fn a_direction_flipped_is_found_out() {
    let proof = prove_design(&design(Direction::Ascending), "ASC");
    let found = proof.disagreement.unwrap();
    assert_eq!(found.name, "ByName");
    assert!(found.facts.len() <= 4, "{found:#?}");
    assert_ne!(found.expected, found.got);
}

#[test]
fn a_forgotten_copy_is_found_out() {
    let mut design = design(Direction::Descending);
    design.writes[0].steps.pop();
    let found = prove_design(&design, "DESC").disagreement.unwrap();
    assert_eq!((found.name.as_str(), found.table.as_deref()), ("Add", Some("users")));
    assert!(found.facts.is_empty(), "{found:#?}");
    assert_eq!((found.expected.len(), found.got.len()), (1, 0));
}

#[test]
fn a_key_that_is_not_stated_to_be_free_is_tried() {
    let mut design = design(Direction::Descending);
    // Another precondition does not excuse it.
    design.writes[0].preconditions = vec![Precondition::RowExists { entity: "users".to_owned() }];
    let found = prove_design(&design, "DESC").disagreement.unwrap();
    assert_eq!((found.name.as_str(), found.facts.len()), ("Add", 1), "{found:#?}");
}

#[test]
fn a_refusal_is_told_in_the_words_of_the_server() {
    let mut design = design(Direction::Descending);
    design.reads[1] = read(1, "users", ["name", "age"], "age", None);
    let found = prove_design(&design, "DESC").disagreement.unwrap();
    assert!(found.refused.unwrap().contains("ALLOW FILTERING"));
}

#[test]
fn a_plan_that_lost_all_its_statements_is_found_out() {
    let mut design = design(Direction::Descending);
    design.writes[0].steps.clear();
    let found = prove_design(&design, "DESC").disagreement.unwrap();
    assert_eq!(found.name, "Add");
}

#[test]
fn a_read_that_the_design_refuses_is_named() {
    let mut design = design(Direction::Descending);
    design.reads[1] = ReadPlan::default();
    let proof = prove_design(&design, "DESC");
    assert_eq!(open_statements(&proof), ["ById: the design refuses it"]);
    design.reads.pop();
    design.writes.pop();
    let proof = prove_design(&design, "DESC");
    assert_eq!(
        open_statements(&proof),
        ["ById: the design refuses it", "Add: the design refuses it"]
    );
}

#[test]
fn what_the_time_does_not_allow_is_not_proven() {
    let design = design(Direction::Descending);
    let mut server = MemoryServer::new(settings().now_micros).unwrap();
    let over = || Duration::from_secs(30);
    let time = TimeLimit::new(&over, Duration::from_secs(30));
    let proof = prove_on(&design, "DESC", time, &mut server);
    assert_eq!(
        open_statements(&proof),
        [
            "ByName: run 0 of 10 times within 30 s",
            "ById: run 0 of 10 times within 30 s",
            "Add: run 0 of 20 times within 30 s"
        ]
    );
    // A clock that advances with every look at it: the time is over while writes are run.
    let ticks = Cell::new(0);
    let clock = || {
        ticks.set(ticks.get() + 1);
        Duration::from_millis(ticks.get())
    };
    let mut server = MemoryServer::new(settings().now_micros).unwrap();
    let time = TimeLimit::new(&clock, Duration::from_millis(50));
    let proof = prove_on(&design, "DESC", time, &mut server);
    assert!(!proof.is_passed() && proof.written > 0, "{:?}", proof.outcome());
}

#[test]
fn a_disagreement_that_does_not_come_back_is_a_fault_of_the_proof() {
    let design = design(Direction::Descending);
    for error in [None, Some("timed out".to_owned())] {
        let server = MemoryServer::new(settings().now_micros).unwrap();
        let mut server = ForgetfulServer { server, answers: 0, error: error.clone() };
        let proof = prove_on(&design, "DESC", TimeLimit::none(), &mut server);
        let read = Some("ByName".to_owned());
        let expected = UnrepeatedDisagreement { read, seed: 1, writes: 0, error };
        assert_eq!(proof.outcome(), ProofOutcome::Faulty(&expected));
    }
}
