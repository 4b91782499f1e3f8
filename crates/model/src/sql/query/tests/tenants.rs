//! `@tenant`.

use crate::sql::read;

const TABLES: &str = "-- @tenant tenant_id
CREATE TABLE orders (tenant_id uuid NOT NULL, id uuid NOT NULL, total int NOT NULL, PRIMARY KEY (tenant_id, id));
CREATE TABLE lines (id uuid PRIMARY KEY, tenant_id uuid NOT NULL, order_id uuid NOT NULL, n int,
  FOREIGN KEY (tenant_id, order_id) REFERENCES orders (tenant_id, id));
CREATE TABLE notes (id uuid PRIMARY KEY, line uuid NOT NULL REFERENCES lines, body text);
";

fn tenant_errors(statement: &str, cardinality: &str) -> Vec<(String, String, String)> {
    let text = format!("{TABLES}\n-- name: Q :{cardinality}\n-- @rate 1/s\n{statement};");
    let errors = read(&text, "test").err().unwrap_or_default();
    errors
        .into_iter()
        .map(|it| (it.message, it.span.text(&text).to_owned(), it.help.unwrap_or_default()))
        .collect()
}

#[test]
fn every_statement_gives_it() {
    for (statement, cardinality) in [
        ("SELECT total FROM orders WHERE tenant_id = ? AND id = ?", "many"),
        ("SELECT n.body FROM notes n JOIN lines l ON l.id = n.line WHERE l.tenant_id = ?", "many"),
        (
            "SELECT l.n FROM lines l JOIN orders o ON o.id = l.order_id AND o.tenant_id = l.tenant_id WHERE o.tenant_id = ?",
            "many",
        ),
        ("INSERT INTO orders (tenant_id, id, total) VALUES (?, ?, ?)", "exec"),
        ("UPDATE orders SET total = ? WHERE tenant_id = ? AND id = ?", "exec"),
        ("DELETE FROM lines WHERE tenant_id = ? AND id = ?", "exec"),
    ] {
        assert_eq!(tenant_errors(statement, cardinality), [], "{statement}");
    }
}

#[test]
fn it_is_missed() {
    let gives_none = |help: &str| {
        [("Q gives no value for the tenant".to_owned(), "Q".to_owned(), help.to_owned())]
    };
    assert_eq!(
        tenant_errors("SELECT total FROM orders WHERE id = ?", "many"),
        gives_none("add to WHERE: `tenant_id = ?`")
    );
    assert_eq!(
        tenant_errors("SELECT total FROM orders WHERE tenant_id > ?", "many"),
        gives_none("add to WHERE: `tenant_id = ?`")
    );
    assert_eq!(
        tenant_errors("DELETE FROM lines WHERE id = ?", "exec"),
        gives_none("add to WHERE: `tenant_id = ?`")
    );
    assert_eq!(
        tenant_errors("INSERT INTO lines (id, order_id) VALUES (?, ?)", "exec"),
        gives_none("also insert the tenant: `tenant_id = ?`")
    );
    assert_eq!(
        tenant_errors("SELECT body FROM notes WHERE id = ?", "many"),
        [(
            "Q uses no table with the tenant column tenant_id".to_owned(),
            "Q".to_owned(),
            "add the column tenant_id to notes".to_owned()
        )]
    );
}
