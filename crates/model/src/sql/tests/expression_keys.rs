//! Unique indexes over expressions.

use super::*;

#[test]
fn expressions_are_hidden_columns() {
    let text = "CREATE TABLE t (id int PRIMARY KEY, org int NOT NULL, name varchar(9) NOT NULL, slug text);
        CREATE UNIQUE INDEX a ON t USING btree (org, lower((name)::text));
        CREATE UNIQUE INDEX b ON t (lower(slug)) WHERE org > 0;";
    let model = read_model(text);
    assert_eq!(model.keys("t"), [vec!["id"], vec!["org", "name_lower"]]);
    let entity = model.entity("t");
    assert!(entity.attribute_named("name_lower").is_none(), "no statement names it");
    let hidden = entity.attributes.iter().filter(|it| it.hidden);
    let hidden: Vec<_> = hidden.map(|it| (it.name.as_str(), it.nullable)).collect();
    assert_eq!(hidden, [("name_lower", false), ("slug_lower", true)]);
    assert_eq!(entity.unique.len(), 1);
    assert_eq!(list_warnings(text, &model), [("MF014", "")]);
}

#[test]
fn what_no_client_can_compute_is_stated() {
    let text = "CREATE TABLE t (id int PRIMARY KEY, a text);
        CREATE UNIQUE INDEX i ON public.t (md5(a));";
    let model = read_model(text);
    assert!(model.warnings.iter().any(|it| it.rule == "MF256"));
    assert_eq!(model.keys("t"), [["id"]]);
    assert_eq!(model.entity("t").checks.len(), 1);
    // An index on a materialized view restricts no table.
    let view = "CREATE TABLE t (id int PRIMARY KEY); CREATE UNIQUE INDEX i ON v (lower(a));";
    assert_eq!(list_warnings(view, &read_model(view)), [("MF014", "")]);
}

#[test]
fn a_generated_column_that_no_client_can_compute_may_be_null() {
    let text = "CREATE TABLE t (id uuid PRIMARY KEY,
        s text GENERATED ALWAYS AS (md5(id::text)) STORED NOT NULL)";
    assert!(read_model(text).attribute("t", "s").nullable);
}
