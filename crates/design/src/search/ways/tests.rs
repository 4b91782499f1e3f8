//! Ways of small reads, and the plans that they become.

use model::concept::Concept;
use model::plan::{ClientStep, Loop, Operand, Part, PlannedColumn, PlannedTable, ReadPlan, Served};
use model::session::Session;
use model::workload::{Read, Workload};

use super::{Asks, ReadWay, further, ways};
use crate::search::frame::{Frame, frames_for, united};
use crate::{Context, Options, reading, schema};

const AUCTION: &str = "
-- @rows 5
CREATE TABLE regions (region int PRIMARY KEY, title text NOT NULL);
-- @rows 2000
CREATE TABLE users (userid uuid PRIMARY KEY, name text NOT NULL, rating int NOT NULL,
  region int NOT NULL REFERENCES regions);
-- @rows 50
CREATE TABLE categories (category int PRIMARY KEY, title text NOT NULL);
-- @rows 20000
CREATE TABLE items (
  itemid uuid PRIMARY KEY,
  seller uuid NOT NULL REFERENCES users,
  category int NOT NULL REFERENCES categories,
  buyer uuid REFERENCES users,
  title text NOT NULL,
  status text NOT NULL, -- @distinct 4
  price int NOT NULL,
  ends timestamp NOT NULL
);
";

/// A model with one read.
struct Model {
    concept: Concept,
    workload: Workload,
    options: Options,
}

impl Model {
    fn new(query: &str) -> Self {
        let text = format!("{AUCTION}\n-- name: Query :many\n-- @rate 1/s\n{query}");
        let file = model::sql::read(&text, "sample").unwrap_or_else(|wrong| panic!("{wrong:#?}"));
        Self { concept: file.concept, workload: file.workload, options: Options::default() }
    }

    fn context(&self) -> Context<'_> {
        Context { concept: &self.concept, workload: &self.workload, options: &self.options }
    }

    fn read(&self) -> &Read {
        &self.workload.reads[0]
    }

    /// All frames for the read and its parts.
    fn frames(&self) -> Vec<Frame> {
        let context = self.context();
        let mut frames = frames_for(context, self.read());
        for asks in further(context, self.read()) {
            frames.extend(frames_for(context, &asks.read));
        }
        united(context, frames)
    }

    /// The plan of a way, every part answered from the first frame that answers it directly.
    fn plan(&self, frames: &[Frame], way: &ReadWay) -> ReadPlan {
        let context = self.context();
        let read = self.read();
        let mut tables = Vec::new();
        let mut open: Vec<(ReadWay, Part, Vec<usize>)> =
            vec![(way.clone(), Part::Rows, (0..read.sources.len()).collect())];
        while let Some((way, part, of)) = open.pop() {
            if let Some(main) = &way.main {
                let mut sources = vec![None; read.sources.len()];
                for (at, source) in main.sources.iter().enumerate() {
                    sources[of[at]] = *source;
                }
                let served = Served { read: 0, sources, part };
                let frame = frames[main.frame].clone();
                let mut table = frame.into_table(context, &main.columns, vec![served]);
                table.name = format!("table_{}", tables.len());
                table.volume = crate::volume::of(context, &table);
                tables.push(table);
            }
            for Asks { read, sources, part, .. } in way.asks {
                let first = ways(context, frames, &read, false).into_iter().next();
                let first = first.unwrap_or_else(|| panic!("no way for {read:#?}"));
                open.push((first, part, sources.iter().map(|at| of[*at]).collect()));
            }
        }
        let at = tables.iter().position(|table: &PlannedTable| table.serves[0].part == Part::Rows);
        let at = at.expect("a table has the rows");
        let served = tables[at].serves[0].clone();
        let plan = reading::plan(context, &tables, at, read, &served);
        bind(self, &tables, &plan);
        plan
    }
}

/// Every statement is one that the server takes.
fn bind(model: &Model, tables: &[PlannedTable], plan: &ReadPlan) {
    let mut session = Session::default();
    session.assume_keyspace(&model.concept.keyspace).expect("a keyspace");
    let mut run = |text: &str| {
        for statement in cql::parse(text).statements {
            assert!(!matches!(statement.kind, cql::StatementKind::Invalid), "{text}");
            session.run(&statement).unwrap_or_else(|wrong| panic!("{text}: {wrong:?}"));
        }
    };
    for table in tables {
        run(&schema::table(table));
    }
    for step in &plan.steps {
        run(&step.cql);
        assert_eq!(step.cql.matches('?').count(), step.operands.len(), "{step:#?}");
    }
}

/// The key of a frame: `category | ends, itemid`.
fn key(frame: &Frame) -> String {
    let names = |columns: Vec<&PlannedColumn>| {
        columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>().join(", ")
    };
    let table = &frame.table;
    format!("{} | {}", names(table.partition_key().collect()), names(table.clustering().collect()))
}

/// The way from a frame with this key under these words.
fn way_of(model: &Model, frames: &[Frame], wanted: &str, words: &str) -> ReadWay {
    let all = ways(model.context(), frames, model.read(), true);
    let of = |way: &&ReadWay| {
        let main = way.main.as_ref();
        way.words == words && main.is_none_or(|main| key(&frames[main.frame]) == wanted)
    };
    let found = all.iter().find(of).cloned();
    found.unwrap_or_else(|| {
        let shown = all.iter().map(|way| {
            let frame = way.main.as_ref().map(|main| key(&frames[main.frame]));
            format!("{frame:?}: {}", way.words)
        });
        panic!("no way {words}: {:#?}", shown.collect::<Vec<_>>())
    })
}

/// The plan of a query by the way from such a frame.
fn plan(query: &str, frame: &str, words: &str) -> ReadPlan {
    let model = Model::new(query);
    let frames = model.frames();
    let way = way_of(&model, &frames, frame, words);
    model.plan(&frames, &way)
}

fn statements(plan: &ReadPlan) -> Vec<&str> {
    plan.steps.iter().map(|step| step.cql.as_str()).collect()
}

const BY_CATEGORY: &str = "SELECT i.itemid, i.title, u.name, i.ends FROM items i
    JOIN users u ON u.userid = i.seller WHERE i.category = ? ORDER BY i.ends LIMIT 25;";

#[test]
fn one_table_has_all() {
    let plan = plan(BY_CATEGORY, "category | ends, itemid", "one table");
    assert_eq!(
        statements(&plan),
        ["SELECT itemid, title, user_name AS name, ends FROM table_0 WHERE category = ? LIMIT 25"]
    );
    assert!(plan.client.is_empty(), "{plan:#?}");
}

#[test]
fn columns_of_a_joined_row_are_looked_up() {
    let plan = plan(BY_CATEGORY, "category | ends, itemid", "index and 25 lookups of users");
    let [main, lookup] = &plan.steps[..] else { panic!("{plan:#?}") };
    assert_eq!(
        main.cql,
        "SELECT itemid, title, ends, seller FROM table_0 WHERE category = ? LIMIT 25"
    );
    assert_eq!(lookup.cql, "SELECT name FROM table_1 WHERE userid = ?");
    assert_eq!(lookup.operands, [Operand::Row { step: 0, column: "seller".to_owned() }]);
    assert_eq!(lookup.loops, [Loop::Rows(0)]);
    assert_eq!(plan.client, [ClientStep::Attach(1)]);
}

#[test]
fn the_rows_own_columns_are_looked_up() {
    let plan = plan(BY_CATEGORY, "category | ends, itemid", "index and 25 lookups of items");
    assert_eq!(
        statements(&plan),
        [
            "SELECT itemid, user_name AS name, ends FROM table_0 WHERE category = ? LIMIT 25",
            "SELECT title FROM table_1 WHERE itemid = ?"
        ]
    );
}
