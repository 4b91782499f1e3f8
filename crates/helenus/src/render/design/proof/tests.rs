//! The words of proofs.

use super::*;
use crate::render::design::test_sample;
use model::id::{ReadId, TableId};
use sim::{
    Disagreement, DrawObstacle, FigureMeasure, NotRunReason, ReadMeasure, RunCounts, StepCoverage,
    TableMeasure,
};

fn proof_verdict(proof: Proof, is_full: bool) -> Verdict {
    let on = "the embedded engine".to_owned();
    Verdict::Ran(Box::new(ProofRun {
        proof,
        on,
        language: None,
        code_counts: CodeCounts::default(),
        seed: 7,
        is_full,
    }))
}

fn proof_without_disagreement() -> Proof {
    let spread = |predicted, mean, max| FigureMeasure { predicted, mean, max };
    Proof {
        reads: (1..=12).map(|at| record(&format!("R{at}"))).collect(),
        writes: (1..=5).map(|at| record(&format!("W{at}"))).collect(),
        bindings: 1_200,
        written: 500,
        rows: 2_000,
        scaled: Vec::new(),
        disagreement: None,
        fault: None,
        transcript: None,
        coverage: Coverage {
            empty: 31,
            steps: Some(StepCoverage { borders_crossed: 40, ..StepCoverage::default() }),
            ties_cut: 3,
            buckets_least: Some(3),
            ..Coverage::default()
        },
        tables: vec![TableMeasure {
            table: TableId::new(0),
            rows: spread(20.0, 25.0, 200.0),
            bytes: spread(1_000.0, 990.0, 9_000.0),
        }],
        measured: vec![ReadMeasure {
            read: ReadId::new(0),
            partitions: spread(1.0, 1.0, 1.0),
            rows: spread(10.0, 10.0, 10.0),
        }],
    }
}

fn record(name: &str) -> StatementRecord {
    let counts = RunCounts { bindings: 100, changes: 90, absent: 9, violations: 3 };
    StatementRecord { name: name.to_owned(), run: StatementRun::Run(counts), untried: Vec::new() }
}

fn proof_not_run() -> Proof {
    let mut proof = proof_without_disagreement();
    let obstacle = DrawObstacle::NoRow { entity: "notes".to_owned() };
    proof.writes[1].run = StatementRun::NotRun(NotRunReason::NoValues(obstacle));
    proof.reads[0].run = StatementRun::NotRun(NotRunReason::Refused);
    proof.scaled = vec![ScaledFigure::Shards { from: 65_536, to: 5 }];
    proof
}

fn proof_with_disagreement() -> Proof {
    let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
    let disagreement = Disagreement {
        name: "NotesOfUser".to_owned(),
        facts: vec!["INSERT INTO users VALUES (1, 'Ann');".to_owned()],
        sql: "SELECT title, name FROM notes WHERE userid = 1".to_owned(),
        cql: vec!["SELECT title, name FROM notes_by_user WHERE userid = 1".to_owned()],
        columns: row(["title", "name"]),
        expected: vec![row(["first", "Ann"]), row(["a second", "null"])],
        got: Vec::new(),
        ..Disagreement::default()
    };
    Proof { disagreement: Some(disagreement), ..proof_without_disagreement() }
}

fn render_section(verdict: &Verdict) -> String {
    test_sample::render_sample(None, verdict, |subject| {
        test_sample::plain_text(|out| write_section(subject, out))
    })
}

#[test]
fn verdicts() {
    assert_eq!(verdict(&Verdict::Skipped), "skipped");
    assert_eq!(
        verdict(&proof_verdict(proof_without_disagreement(), false)),
        "passed (12 of 12 queries, 5 of 5 writes, 1,700 bindings)"
    );
    let mut one = proof_without_disagreement();
    one.reads.truncate(1);
    one.writes.clear();
    (one.bindings, one.written) = (1, 0);
    assert_eq!(
        verdict(&proof_verdict(one, false)),
        "passed (1 of 1 query, 0 of 0 writes, 1 binding)"
    );
    let open = proof_verdict(proof_not_run(), false);
    assert_eq!(
        verdict(&open),
        "incomplete (not run: R1: the design refuses it; W2: there is no row of notes to change)"
    );
    assert!(open.is_failed());
    let read = Some("R1".to_owned());
    let fault = UnrepeatedDisagreement { read, seed: 7, writes: 3, error: None };
    let faulty = Proof { fault: Some(fault), ..proof_without_disagreement() };
    let faulty = proof_verdict(faulty, false);
    assert_eq!(
        verdict(&faulty),
        "failed (a fault of Helenus, not of the design: the results of R1 differed, but not when the same was run again; report it with the model file and --seed 7)"
    );
    assert!(faulty.is_failed());
    assert_eq!(
        verdict(&proof_verdict(proof_with_disagreement(), false)),
        "failed (NotesOfUser returns a different result than SQL)"
    );
    assert!(
        proof_verdict(proof_with_disagreement(), false).is_failed()
            && !proof_verdict(proof_without_disagreement(), false).is_failed()
    );
}

#[test]
fn all_measurements_are_shown_on_request() {
    let expected = "
PROOF
  on the embedded engine: 2,000 rows, 500 writes, seed 7
  covered: 40 bucket borders crossed, 3 ties cut by LIMIT, 31 empty results, at least 3 buckets per table
  partitions read: as predicted for 1 of 1 queries
";
    assert_eq!(render_section(&proof_verdict(proof_without_disagreement(), false)), expected);
    let mut other = proof_without_disagreement();
    other.measured[0].partitions = FigureMeasure { predicted: 20.0, mean: 12.0, max: 41.0 };
    let line = "partitions read: as predicted for 0 of 1 queries; largest deviation: NotesOfUser, 12 instead of 20";
    assert!(render_section(&proof_verdict(other, false)).contains(line));
    let expected = "
                                      predicted  measured   max   difference
  notes_by_user  rows per partition   20         25         200
  notes_by_user  bytes per partition  1 KB       990 bytes  9 KB
  NotesOfUser    partitions read      1          1          1     0 %
  NotesOfUser    rows read            10         10         10
  rows and bytes are predicted for the stated volumes, but measured on the rows of the proof
";
    let full = render_section(&proof_verdict(proof_without_disagreement(), true));
    let table = full.lines().skip(4).collect::<Vec<_>>().join("\n");
    assert_eq!(format!("\n{table}\n"), expected);
}

#[test]
fn a_disagreement_is_shown_as_its_smallest_example() {
    let text = render_section(&proof_verdict(proof_with_disagreement(), false));
    let expected = "  NotesOfUser returns a different result than SQL; smallest example found:

  facts
    INSERT INTO users VALUES (1, 'Ann');

  SQL
    SELECT title, name FROM notes WHERE userid = 1

  CQL
    SELECT title, name FROM notes_by_user WHERE userid = 1

  expected (SQLite)
    title    | name
    ---------+-----
    first    | Ann
    a second | null

  actual (designed tables)
    title | name
    ------+-----
    (no rows)";
    let shown = text.lines().skip(4).collect::<Vec<_>>().join("\n");
    assert_eq!(shown, expected);
}

#[test]
fn generated_code_is_named() {
    let coverage = Coverage { empty: 3, ..Coverage::default() };
    let measured = Vec::new();
    let mut run = ProofRun {
        proof: Proof { coverage, measured, ..proof_without_disagreement() },
        on: "a server of this process".to_owned(),
        language: Some(CodeLanguage::TypeScript),
        code_counts: CodeCounts { paged_results: 2, clean_inserts: 1, interruptions: 0 },
        seed: 7,
        is_full: false,
    };
    let expected = "
PROOF
  on a server of this process, through generated TypeScript code: 2,000 rows, 500 writes, seed 7
  covered: 3 empty results
";
    assert_eq!(render_section(&Verdict::Ran(Box::new(run.clone()))), expected);
    assert!(
        verdict(&Verdict::Ran(Box::new(run.clone())))
            .ends_with(" bindings, 2 paged results, 1 insert without tombstone)")
    );
    let wrong = Disagreement { refused: Some("no".to_owned()), ..Disagreement::default() };
    run.proof.disagreement = Some(Disagreement { name: "Add".to_owned(), ..wrong });
    let failed = Verdict::Ran(Box::new(run));
    assert_eq!(verdict(&failed), "failed (Add fails in the generated TypeScript code)");
    let text = test_sample::render_sample(None, &failed, |subject| object(subject).to_string());
    let value: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(
        (&value["code"], &value["coverage"]["merges"]),
        (&json!("typescript"), &json!(null))
    );
}

#[test]
fn what_was_not_run_is_named_everywhere() {
    let open = proof_verdict(proof_not_run(), false);
    let text = render_section(&open);
    for line in [
        "  not run: R1: the design refuses it\n",
        "  not run: W2: there is no row of notes to change\n",
        "  scaled down for the proof: 65,536 shards to 5\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let markdown = test_sample::render_sample(None, &open, |subject| {
        let mut out = String::new();
        markdown(subject, &mut out);
        out
    });
    assert!(markdown.contains("- not run: R1: the design refuses it\n"), "{markdown}");
    let text = test_sample::render_sample(None, &open, |subject| object(subject).to_string());
    let value: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!((&value["outcome"], &value["passed"]), (&json!("incomplete"), &json!(false)));
    assert_eq!(value["writes"][1]["why"], "there is no row of notes to change");
    assert_eq!(value["writes"][0]["changes"], 90);
}

#[test]
fn json_and_markdown() {
    let text = test_sample::render_sample(
        None,
        &proof_verdict(proof_with_disagreement(), false),
        |subject| object(subject).to_string(),
    );
    let value: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(value["passed"], false);
    assert_eq!(value["coverage"]["borders_crossed"], 40);
    assert_eq!(value["disagreement"]["expected"][1][1], "null");
    assert_eq!(value["measured"][0]["mean"], 25.0);
    let text = test_sample::render_sample(
        None,
        &proof_verdict(proof_without_disagreement(), false),
        |subject| {
            let mut out = String::new();
            markdown(subject, &mut out);
            out
        },
    );
    assert!(text.contains("| notes_by_user | rows per partition | 20 | 25 | 200 |  |"), "{text}");
}
