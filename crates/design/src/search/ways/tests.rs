//! Ways of small reads, and the plans that they become.

use model::concept::Concept;
use model::id::{IdList, ParameterId, ReadId, SourceId, StepId};
use model::plan::{
    ClientStep, Design, Loop, Operand, PlannedColumn, PlannedTable, ReadPart, ReadPlan, ServedRead,
};
use model::workload::{Limit, Read, Workload};
use schema::session::Session;

use super::{FurtherRead, ReadWay, find_ways, further_reads};
use crate::candidate::{CandidateTable, candidates_for, merge_candidates};
use crate::{Context, Options, create_statements, indexing, mapping, partition_split, read_plan};

const AUCTION: &str = "
-- @rows 100
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

/// A model, and one of its reads.
struct WayModel {
    concept: Concept,
    workload: Workload,
    options: Options,
    at: ReadId,
}

impl WayModel {
    fn new(query: &str) -> Self {
        // Others read by the seller and by the status alone.
        let text = format!(
            "{AUCTION}\n-- name: Query :many\n-- @rate 1/s\n{query}
            -- name: OfSeller :many\nSELECT itemid FROM items WHERE seller = ?;
            -- name: OfStatus :many\nSELECT itemid FROM items WHERE status = ?;"
        );
        let file = model::sql::read(&text, "sample").unwrap_or_else(|wrong| panic!("{wrong:#?}"));
        let (concept, workload) = (file.concept, file.workload);
        Self { concept, workload, options: Options::default(), at: ReadId::new(0) }
    }

    fn context(&self) -> Context<'_> {
        Context { concept: &self.concept, workload: &self.workload, options: &self.options }
    }

    fn read(&self) -> &Read {
        &self.workload.reads[self.at]
    }

    /// All candidates for the read and its parts.
    fn candidates(&self) -> Vec<CandidateTable> {
        let context = self.context();
        let mut candidates = candidates_for(context, self.read());
        for further in further_reads(context, self.read()) {
            candidates.extend(candidates_for(context, &further.read));
        }
        merge_candidates(context, candidates)
    }

    /// The plan of a way, every part answered from the first candidate that answers it directly.
    fn plan(&self, candidates: &[CandidateTable], way: &ReadWay) -> ReadPlan {
        let context = self.context();
        let read = self.read();
        let mut tables = Vec::new();
        let mut open: Vec<(ReadWay, ReadPart, Vec<SourceId>)> =
            vec![(way.clone(), ReadPart::Rows, read.sources.ids().collect())];
        while let Some((way, part, of)) = open.pop() {
            if let Some(main) = &way.main {
                let mut sources = vec![None; read.sources.len()];
                for (at, source) in main.sources.enumerate_ids() {
                    sources[of[at]] = *source;
                }
                let served = ServedRead { read: self.at, sources, part };
                let candidate = candidates[main.candidate].clone();
                let sources = candidate
                    .table_serving(context, &main.columns, std::slice::from_ref(&served))
                    .sources;
                let mut table = candidate.into_table(context, &main.columns, vec![served]);
                if let Some(index) = main.index {
                    let served = (index, vec![(self.at, part)]);
                    let index = super::index_on(context, &table, &sources, served);
                    table.indexes.push(index.expect("the column is there"));
                }
                table.name = format!("table_{}", tables.len());
                tables.push(table);
            }
            for FurtherRead { read, sources, part, .. } in way.further {
                let first = find_ways(context, candidates, &read, false).into_iter().next();
                let first = first.unwrap_or_else(|| panic!("no way for {read:#?}"));
                open.push((first, part, sources.iter().map(|at| of[*at]).collect()));
            }
        }
        let of_rows = |table: &PlannedTable| table.serves[0].part == ReadPart::Rows;
        let at = tables.find_id(of_rows).expect("a table has the rows");
        partition_split::split(context, &mut tables, 0, &mut Vec::new());
        indexing::name_indexes(&mut tables);
        let served = tables[at].serves[0].clone();
        let plan = read_plan::plan_read(context, &tables, at, read, &served);
        assert_bound(self, &tables, &plan);
        plan
    }
}

/// Every statement is one that the server takes.
fn assert_bound(model: &WayModel, tables: &[PlannedTable], plan: &ReadPlan) {
    let mut session = Session::default();
    session.assume_keyspace(&model.concept.keyspace).expect("a keyspace");
    let mut run = |text: &str| {
        for statement in cql::parse(text).statements {
            assert!(!matches!(statement.kind, cql::StatementKind::Invalid), "{text}");
            session.run(&statement).unwrap_or_else(|wrong| panic!("{text}: {wrong:?}"));
        }
    };
    let design = Design { tables: tables.to_vec(), ..Design::default() };
    let texts = create_statements::types(&model.concept, &design)
        .into_iter()
        .chain(create_statements::tables(&design));
    for text in texts {
        run(&text);
    }
    for step in &plan.steps {
        run(&step.select.to_string());
        assert_eq!(
            step.select.to_string().matches('?').count(),
            step.select.operands().len(),
            "{step:#?}"
        );
    }
}

/// The key of a candidate: `category | ends, itemid`.
fn key(candidate: &CandidateTable) -> String {
    let names = |columns: Vec<&PlannedColumn>| {
        columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>().join(", ")
    };
    let table = &candidate.table;
    format!("{} | {}", names(table.partition_key().collect()), names(table.clustering().collect()))
}

/// The way from a candidate with this key under these words.
fn find_way(model: &WayModel, candidates: &[CandidateTable], wanted: &str, words: &str) -> ReadWay {
    let all = find_ways(model.context(), candidates, model.read(), true);
    let of = |way: &&ReadWay| {
        let main = way.main.as_ref();
        way.words == words && main.is_none_or(|main| key(&candidates[main.candidate]) == wanted)
    };
    let found = all.iter().find(of).cloned();
    found.unwrap_or_else(|| {
        let shown = all.iter().map(|way| {
            let candidate = way.main.as_ref().map(|main| key(&candidates[main.candidate]));
            format!("{candidate:?}: {}", way.words)
        });
        panic!("no way {words}: {:#?}", shown.collect::<Vec<_>>())
    })
}

/// The plan of a query by the way from such a candidate.
fn plan(query: &str, candidate: &str, words: &str) -> ReadPlan {
    let model = WayModel::new(query);
    let candidates = model.candidates();
    let way = find_way(&model, &candidates, candidate, words);
    model.plan(&candidates, &way)
}

fn statements(plan: &ReadPlan) -> Vec<String> {
    plan.steps.iter().map(|step| step.select.to_string()).collect()
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
    let plan = plan(BY_CATEGORY, "category | ends, itemid", "index table and 25 lookups of users");
    let [main, lookup] = &plan.steps[..] else { panic!("{plan:#?}") };
    assert_eq!(
        main.select.to_string(),
        "SELECT itemid, title, ends, seller FROM table_0 WHERE category = ? LIMIT 25"
    );
    assert_eq!(lookup.select.to_string(), "SELECT name FROM table_1 WHERE userid = ?");
    assert_eq!(
        lookup.select.operands(),
        [&Operand::Row { step: StepId::new(0), column: "seller".to_owned() }]
    );
    assert_eq!(lookup.loops, [Loop::Rows(StepId::new(0))]);
    assert_eq!(plan.client, [ClientStep::Attach(StepId::new(1))]);
}

#[test]
fn the_rows_own_columns_are_looked_up() {
    let plan = plan(BY_CATEGORY, "category | ends, itemid", "index table and 25 lookups of items");
    assert_eq!(
        statements(&plan),
        [
            "SELECT itemid, user_name AS name, ends FROM table_0 WHERE category = ? LIMIT 25",
            "SELECT title FROM table_1 WHERE itemid = ?"
        ]
    );
}

const BY_REGION: &str = "SELECT i.itemid, i.title, u.name, i.ends FROM items i
    JOIN users u ON u.userid = i.seller
    WHERE u.region = ? AND i.category = ? AND i.ends >= ? ORDER BY i.ends LIMIT 25;";

#[test]
fn keys_are_found_first() {
    let plan = plan(BY_REGION, "", "keys of users first, then 20 reads of items");
    let [keys, main] = &plan.steps[..] else { panic!("{plan:#?}") };
    assert_eq!(keys.select.to_string(), "SELECT userid, name FROM table_1 WHERE region = ?");
    assert_eq!(keys.select.operands(), [&Operand::Parameter(ParameterId::new(0))]);
    assert!(keys.loops.is_empty());
    assert_eq!(
        main.select.to_string(),
        "SELECT itemid, title, ends FROM table_0 WHERE category = ? AND seller = ? AND ends >= ? LIMIT 25"
    );
    assert_eq!(
        main.select.operands(),
        [
            &Operand::Parameter(ParameterId::new(1)),
            &Operand::Row { step: StepId::new(0), column: "userid".to_owned() },
            &Operand::Parameter(ParameterId::new(2))
        ]
    );
    assert_eq!(main.loops, [Loop::Rows(StepId::new(0))]);
    assert!(
        matches!(
            &plan.client[..],
            [ClientStep::Merge(order), ClientStep::Limit(Limit::Number(25))] if order.len() == 1
        ),
        "{plan:#?}"
    );
}

#[test]
fn a_joined_row_that_may_be_absent_drops_rows_before_the_limit() {
    let query = "SELECT i.itemid, u.name FROM items i JOIN users u ON u.userid = i.buyer
        WHERE i.category = ? ORDER BY i.ends LIMIT 25;";
    let model = WayModel::new(query);
    let context = model.context();
    // A candidate that leads to no buyer holds items without one, too.
    let plain = "SELECT i.itemid, i.buyer FROM items i WHERE i.category = ? ORDER BY i.ends;";
    let other = WayModel::new(plain);
    let mut candidates = candidates_for(other.context(), other.read());
    for further in further_reads(context, model.read()) {
        candidates.extend(candidates_for(context, &further.read));
    }
    let all = find_ways(context, &candidates, model.read(), true);
    assert!(all.iter().all(|way| way.words != "one table"), "{all:#?}");
    let way = find_way(
        &model,
        &candidates,
        "category | ends, itemid",
        "index table and 25 lookups of users",
    );
    let plan = model.plan(&candidates, &way);
    assert_eq!(
        statements(&plan),
        [
            "SELECT itemid, buyer FROM table_0 WHERE category = ?",
            "SELECT name FROM table_1 WHERE userid = ?"
        ]
    );
    assert_eq!(
        plan.client,
        [ClientStep::Attach(StepId::new(1)), ClientStep::Limit(Limit::Number(25))]
    );
}

#[test]
fn a_frame_without_the_rows_of_a_read_is_no_way() {
    // Items with a buyer are not all items.
    let joined = WayModel::new(
        "SELECT i.itemid FROM items i JOIN users u ON u.userid = i.buyer WHERE i.category = ?;",
    );
    let all = WayModel::new("SELECT itemid FROM items WHERE category = ?;");
    let candidates = candidates_for(joined.context(), joined.read());
    assert!(!candidates.is_empty());
    assert!(find_ways(all.context(), &candidates, all.read(), true).is_empty());
    // Nor are those of one status.
    let open = WayModel::new("SELECT itemid FROM items WHERE category = ? AND status = 'open';");
    let candidates = candidates_for(open.context(), open.read());
    let held: Vec<CandidateTable> = candidates
        .into_iter()
        .filter(|candidate| !candidate.table.holds.filters.is_empty())
        .collect();
    assert!(!held.is_empty());
    assert!(find_ways(all.context(), &held, all.read(), true).is_empty());
    // All items have those of one status, which the client filters.
    let candidates = candidates_for(all.context(), all.read());
    let ways = find_ways(open.context(), &candidates, open.read(), false);
    let [way, index] = &ways[..] else { panic!("{ways:#?}") };
    assert_eq!(index.words, "by an index on status");
    let plan = open.plan(&candidates, way);
    assert_eq!(statements(&plan), ["SELECT itemid, status FROM table_0 WHERE category = ?"]);
    assert!(matches!(&plan.client[..], [ClientStep::Filter(_)]), "{plan:#?}");
}

/// The plan of a query on the candidate with this key, in one table.
fn direct(query: &str, candidate: &str) -> ReadPlan {
    plan(query, candidate, "one table")
}

#[test]
fn equalities_are_a_prefix_of_the_clustering_key() {
    let query = "SELECT itemid, title FROM items WHERE seller = ? AND status = ? ORDER BY ends;";
    let plan = direct(query, "seller | status, ends, itemid");
    assert_eq!(
        statements(&plan),
        ["SELECT itemid, title FROM table_0 WHERE seller = ? AND status = ?"]
    );
    assert_eq!(
        plan.steps[0].select.operands(),
        [&Operand::Parameter(ParameterId::new(0)), &Operand::Parameter(ParameterId::new(1))]
    );
    assert!(plan.client.is_empty(), "{plan:#?}");
}

#[test]
fn a_constant_is_a_value_of_a_key_column() {
    let query = "SELECT itemid FROM items WHERE seller = ? AND status = 'open' ORDER BY ends;";
    let plan = direct(query, "seller | status, ends, itemid");
    assert_eq!(
        statements(&plan),
        ["SELECT itemid FROM table_0 WHERE seller = ? AND status = 'open'"]
    );
    assert_eq!(plan.steps[0].select.operands(), [&Operand::Parameter(ParameterId::new(0))]);
    assert!(plan.client.is_empty(), "{plan:#?}");
}

#[test]
fn what_the_key_does_not_do_is_left_to_the_client() {
    let query = "SELECT itemid FROM items WHERE seller = ? AND status = ? ORDER BY ends LIMIT 5;";
    let filtered = direct(query, "seller | ends, itemid");
    assert_eq!(statements(&filtered), ["SELECT itemid, status FROM table_0 WHERE seller = ?"]);
    let [ClientStep::Filter(_), ClientStep::Limit(_)] = &filtered.client[..] else {
        panic!("{filtered:#?}")
    };
    let sorted = direct(query, "seller, status | itemid");
    assert_eq!(
        statements(&sorted),
        ["SELECT itemid, ends FROM table_0 WHERE seller = ? AND status = ?"]
    );
    let [ClientStep::Sort(_), ClientStep::Limit(_)] = &sorted.client[..] else {
        panic!("{sorted:#?}")
    };
    let names: Vec<&str> = sorted.columns.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, ["itemid", "ends"]);
}

#[test]
fn one_key_is_found_by_a_list_of_values() {
    let query = "SELECT u.name, i.title FROM items i JOIN users u ON u.userid = i.seller
        WHERE u.rating = ? AND u.region IN (?, ?) AND i.category = ? ORDER BY u.name, i.ends;";
    let model = WayModel::new(query);
    let candidates = model.candidates();
    let all = find_ways(model.context(), &candidates, model.read(), true);
    let way = all.iter().find(|way| way.main.is_none()).expect("keys first");
    let plan = model.plan(&candidates, way);
    let [keys, main] = &plan.steps[..] else { panic!("{plan:#?}") };
    assert!(
        keys.select.to_string().starts_with("SELECT userid, name FROM table_1 WHERE "),
        "{}",
        keys.select.to_string()
    );
    assert_eq!(main.loops, [Loop::Rows(StepId::new(0))]);
    // Each turn comes in the order of `ends`; all are merged by both.
    let [ClientStep::Merge(order)] = &plan.client[..] else { panic!("{plan:#?}") };
    assert_eq!(order.len(), 2);
    let names: Vec<&str> = plan.columns.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, ["title", "ends", "name"]);
}

#[test]
fn counts_of_all_keys_are_added_up() {
    let query = "SELECT COUNT(*) AS items FROM items i JOIN users u ON u.userid = i.seller
        WHERE u.region = ?;";
    let model = WayModel::new(query);
    let candidates = model.candidates();
    let all = find_ways(model.context(), &candidates, model.read(), true);
    assert!(all.iter().all(|way| way.main.is_none() || way.further.is_empty()), "{all:#?}");
    let way = all.iter().find(|way| way.main.is_none()).expect("keys first");
    let plan = model.plan(&candidates, way);
    let [_, main] = &plan.steps[..] else { panic!("{plan:#?}") };
    assert_eq!(main.loops, [Loop::Rows(StepId::new(0))]);
    assert!(matches!(&plan.client[0], ClientStep::Combine(group) if group.is_empty()), "{plan:#?}");
}

#[test]
fn what_is_the_same_for_all_rows_is_looked_up_once() {
    let query = "SELECT i.itemid, i.title, u.name FROM items i JOIN users u ON u.userid = i.seller
        WHERE i.seller = ?;";
    let plan = plan(query, "seller | itemid", "index table and 1 lookup of users");
    let [_, lookup] = &plan.steps[..] else { panic!("{plan:#?}") };
    assert_eq!(lookup.select.operands(), [&Operand::Parameter(ParameterId::new(0))]);
    assert!(lookup.loops.is_empty());
}

/// The model files of the examples.
fn examples() -> Vec<std::path::PathBuf> {
    let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the examples can be listed").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "sql") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_way_of_the_examples_is_a_plan_that_the_server_takes() {
    let mut tried = 0;
    for path in examples() {
        let text = std::fs::read_to_string(&path).expect("an example can be read");
        let file = model::sql::read(&text, "example").expect("an example is right");
        let (concept, workload) = (file.concept, file.workload);
        let mut model =
            WayModel { concept, workload, options: Options::default(), at: ReadId::new(0) };
        let context = model.context();
        let mut candidates = Vec::new();
        for read in &model.workload.reads {
            candidates.extend(candidates_for(context, read));
            for further in further_reads(context, read) {
                candidates.extend(candidates_for(context, &further.read));
            }
        }
        let candidates = merge_candidates(context, candidates);
        for at in model.workload.reads.ids() {
            model.at = at;
            let all = find_ways(model.context(), &candidates, model.read(), true);
            let rules =
                mapping::tables_for(model.context(), model.read(), Some(at), &mut Vec::new());
            let simple = rules.is_ok_and(|tables| {
                tables
                    .iter()
                    .all(|table| table.serves.iter().all(|one| one.part != ReadPart::Elements))
            });
            let name = format!("{}, {}", path.display(), model.read().name);
            assert!(!simple || all.iter().any(|way| way.main.is_some()), "{name}: no way");
            for way in &all {
                let plan = model.plan(&candidates, way);
                assert!(!plan.steps.is_empty(), "{name}");
                tried += 1;
            }
        }
    }
    assert!(tried > 200, "{tried}");
}
