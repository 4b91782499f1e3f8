//! Every example, designed and proven: its reads and writes on the embedded engine beside a relational database.

use sim::{Disagreement, Embedded, Proof, Settings, Subject, prove};

use crate::reference::{Example, design, examples};
use crate::say_loudly;

/// Proves the design of an example.
fn proven(example: &Example, options: &design::Options, settings: Settings) -> Proof {
    let model = &example.model;
    let design = design(example, options);
    let mut schema = design::schema::types(&model.concept, &design);
    schema.extend(design.tables.iter().map(design::schema::table));
    let subject = Subject {
        concept: &model.concept,
        workload: &model.workload,
        design: &design,
        schema: &schema,
    };
    let mut server = Embedded::new(settings.now_micros).expect("a database opens");
    prove(subject, settings, &mut server, &mut |_| {})
        .unwrap_or_else(|failure| panic!("{}: {failure:?}", example.name))
}

/// A disagreement, for people.
fn told(name: &str, disagreement: &Disagreement) -> String {
    let Disagreement { name: about, table, facts, sql, cql, columns, expected, got, refused } =
        disagreement;
    let row = |row: &Vec<String>| format!("    {}", row.join(" | "));
    let rows = |rows: &[Vec<String>]| rows.iter().map(row).collect::<Vec<_>>().join("\n");
    format!(
        "{name}: {about} {table:?} {refused:?}\n  {}\n  {sql}\n  CQL:\n    {}\n  {}\n  expected:\n{}\n  got:\n{}",
        facts.join("\n  "),
        cql.join("\n    "),
        columns.join(" | "),
        rows(expected),
        rows(got)
    )
}

#[test]
fn examples_are_proven() {
    let wanted = std::env::var("HELENUS_EXAMPLE").ok();
    let mut wrong = Vec::new();
    for example in examples() {
        if wanted.as_ref().is_some_and(|wanted| !example.name.contains(wanted.as_str())) {
            continue;
        }
        let proof = proven(&example, &design::Options::default(), Settings::default());
        if let Some(disagreement) = &proof.disagreement {
            wrong.push(told(&example.name, disagreement));
        }
        if wanted.is_some() {
            say_loudly(&format!("{}: {proof:#?}", example.name));
        }
    }
    assert!(wrong.is_empty(), "{} examples are not proven:\n{}", wrong.len(), wrong.join("\n\n"));
}
