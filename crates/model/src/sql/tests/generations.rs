//! Generated columns, CHECK and UNIQUE constraints.

use super::{read, read_model};
use crate::expression::{Scalar, evaluate};
use crate::id::AttributeId;

fn codes(text: &str) -> Vec<&'static str> {
    read(text, "t").unwrap_err().iter().map(|error| error.rule).collect()
}

/// The value of the generated column `g`, given the others by name as CQL texts.
fn compute(columns: &str, row: &[(&str, &str)]) -> Option<String> {
    let model = read_model(&format!("CREATE TABLE t (id int PRIMARY KEY, {columns});"));
    let entity = model.entity("t");
    let generation = model.attribute("t", "g").generated.clone().unwrap();
    let leaf = &mut |at: &AttributeId| {
        let attribute = &entity.attributes[*at];
        let given = row.iter().find(|(name, _)| *name == attribute.name);
        let bytes = given.map(|(_, text)| cql::value::from_text(&attribute.ty, text, 0).unwrap());
        Scalar::from_bytes(&attribute.ty, bytes.as_deref())
    };
    let value = evaluate(&generation.expression.unwrap(), leaf)?;
    let ty = value.ty();
    Some(cql::value::literal(&ty, value.to_bytes().as_deref()).unwrap())
}

/// The expected values are those of `PostgreSQL` 15.
#[test]
fn values_are_those_of_postgres() {
    let some = |text: &str| Some(text.to_owned());
    let g =
        |ty: &str, expression: &str| format!("g {ty} GENERATED ALWAYS AS ({expression}) STORED");
    let name = format!("a text, b text, {}", g("text", "a || ' ' || coalesce(b, '?')"));
    assert_eq!(compute(&name, &[("a", "x"), ("b", "y")]), some("'x y'"));
    assert_eq!(compute(&name, &[("a", "x")]), some("'x ?'"));
    assert_eq!(compute(&name, &[("b", "x")]), some("null"));
    let price = format!("p numeric(10,2), n int, {}", g("numeric(12,2)", "p * n * 1.195"));
    assert_eq!(compute(&price, &[("p", "10.05"), ("n", "1")]), some("12.01"));
    assert_eq!(compute(&price, &[("p", "-0.10"), ("n", "1")]), some("-0.12"));
    let narrow = format!("a smallint, b smallint, {}", g("int", "a * b"));
    assert_eq!(compute(&narrow, &[("a", "300"), ("b", "300")]), None);
    let truth = format!("a int, b int, {}", g("boolean", "a > 5 OR b IS NOT NULL"));
    assert_eq!(compute(&truth, &[("b", "1")]), some("true"));
    assert_eq!(compute(&truth, &[]), some("null"));
    let most = format!("a int, b int, {}", g("bigint", "greatest(a, b) - length('äb')"));
    assert_eq!(compute(&most, &[("a", "7")]), some("5"));
    let case = format!("a int, {}", g("text", "CASE WHEN a >= 10 THEN 'b' ELSE 's' END"));
    assert_eq!(compute(&case, &[("a", "10")]), some("'b'"));
    assert_eq!(compute(&case, &[]), some("'s'"));
    let upper = format!("a text, {}", g("text", "upper(trim(a))"));
    assert_eq!(compute(&upper, &[("a", " sö ")]), some("'SÖ'"));
}

#[test]
fn mistakes_in_generated_columns() {
    let table = |columns: &str| format!("CREATE TABLE t (id int PRIMARY KEY, a int, {columns});");
    let wrong = [
        "g int GENERATED ALWAYS AS (g + 1) STORED",
        "f int GENERATED ALWAYS AS (a) STORED, g int GENERATED ALWAYS AS (f + 1) STORED",
        "g int GENERATED ALWAYS AS (h + 1) STORED, h int GENERATED ALWAYS AS (a) STORED",
        "g int GENERATED ALWAYS AS (nope + 1) STORED",
        "g boolean GENERATED ALWAYS AS (a + 1) STORED",
        "g int GENERATED ALWAYS AS (lower(a)) STORED",
    ];
    for columns in wrong {
        assert_eq!(codes(&table(columns)), ["MF221"], "{columns}");
    }
    let plain = table("g int GENERATED ALWAYS AS (a + 1) STORED");
    for statement in [
        "INSERT INTO t (id, g) VALUES (?, ?)",
        "UPDATE t SET g = ? WHERE id = ?",
        "UPDATE t SET g = g + 1 WHERE id = ?",
    ] {
        assert_eq!(codes(&format!("{plain}\n-- name: W :exec\n{statement};")), ["MF368"]);
    }
    let identity = "CREATE TABLE t (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, a int);";
    let insert = "\n-- name: W :exec\nINSERT INTO t (id, a) VALUES (?, ?);";
    assert_eq!(codes(&format!("{identity}{insert}")), ["MF368"]);
}

#[test]
fn an_unsupported_expression_matters_only_where_it_is_used() {
    let table = "CREATE TABLE t (id int PRIMARY KEY, a text,
        words tsvector GENERATED ALWAYS AS (to_tsvector('english', a)) STORED);\n-- name: Q :one\n";
    let model = read_model(&format!("{table}SELECT a FROM t WHERE id = ?;"));
    assert!(model.warnings.iter().any(|warning| warning.rule == "MF251"));
    assert_eq!(codes(&format!("{table}SELECT * FROM t WHERE id = ?;")), ["MF222"]);
    assert_eq!(codes(&format!("{table}SELECT a FROM t WHERE words = ?;")), ["MF222"]);
}

#[test]
fn constraints_of_a_dump() {
    let model = read_model(
        "CREATE DOMAIN share AS int CHECK (VALUE >= 0 AND VALUE <= 100);
CREATE TABLE t (id int PRIMARY KEY, kind text NOT NULL, email text, part share, body text,
    CONSTRAINT long CHECK ((char_length(body) <= 255)),
    CHECK (body ~ '^a'));
ALTER TABLE ONLY t ADD CONSTRAINT kinds
    CHECK (((kind)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[])));
ALTER TABLE ONLY t ADD CONSTRAINT emails UNIQUE (email);
CREATE UNIQUE INDEX one ON t USING btree (email, kind) WHERE (kind <> 'a'::text);",
    );
    let t = model.entity("t");
    let known: Vec<bool> = t.checks.iter().map(|check| check.expression.is_some()).collect();
    assert_eq!(known, [true, true, false, true]);
    assert_eq!(t.checks[0].sql, "((part >= 0) AND (part <= 100))");
    assert!(model.warnings.iter().any(|warning| warning.rule == "MF254"));
    let unique: Vec<(usize, bool)> =
        t.unique.iter().map(|it| (it.attributes.len(), it.condition.is_some())).collect();
    assert_eq!(unique, [(1, false), (2, true)]);
    assert_eq!(t.keys.len(), 1);
    assert_eq!(codes("CREATE TABLE t (id int PRIMARY KEY, CHECK (nope > 1));"), ["MF206"]);
}
