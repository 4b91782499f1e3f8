//! What `mysqldump` writes, and what is written for `MySQL` by hand.

use super::*;
use crate::concept::DefaultValue;

const DUMP: &str = include_str!("../../../testdata/forum_mysqldump.sql");

#[test]
fn a_plain_dump_works() {
    let model = read_model(DUMP);
    let names: Vec<_> = model.concept.entities.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["members", "posts", "tags", "post_tags"]);
    assert_eq!(
        model.types("members"),
        [
            "bigint",
            "text",
            "text",
            "smallint",
            "text",
            "text",
            "decimal",
            "float",
            "smallint",
            "timestamp",
            "timestamp",
            "text"
        ]
    );
    assert_eq!(model.keys("members"), [["id"], ["email"]]);
    assert_eq!(model.keys("post_tags"), [["post_id", "tag_id"]]);
    let posts = model.entity("posts");
    assert_eq!(posts.references.len(), 1);
    assert!(model.attribute("posts", "author_id").ty == model.attribute("members", "id").ty);
    assert!(model.attribute("members", "id").default.is_some());
    // The zero of times is no value of CQL: an INSERT must not rely on it.
    let zero = model.attribute("members", "last_seen").default.clone().unwrap();
    assert_eq!(zero.value, DefaultValue::Unsupported);
    assert!(model.attribute("posts", "slug").generated.is_some());
}

#[test]
fn differences_are_warned_about() {
    let text = "CREATE TABLE a (
      id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
      size bigint unsigned NOT NULL,
      name varchar(20) NOT NULL,
      code varchar(20) COLLATE utf8mb4_bin NOT NULL,
      at datetime,
      seen datetime ON UPDATE CURRENT_TIMESTAMP,
      UNIQUE KEY n (name(10))
    ) ENGINE=InnoDB;
    -- name: Names :many
    SELECT id FROM a WHERE name = ? AND code = ? ORDER BY at;
    -- name: Add :exec
    INSERT IGNORE INTO a (size, name, code) VALUES (?, ?, ?);";
    let model = read_model(text);
    let mut rules: Vec<_> = list_warnings(text, &model).iter().map(|(rule, _)| *rule).collect();
    rules.sort_unstable();
    assert_eq!(rules, ["MF250", "MF270", "MF271", "MF272", "MF273", "MF274", "MF275"]);
    let case = model.warnings.iter().find(|warning| warning.rule == "MF270").unwrap();
    assert_eq!(case.span.text(text), "name", "not the column with a binary collation");
}

/// The statement of a file with one table, as it is carried to the relational side.
fn rewrite(statement: &str) -> String {
    let text = format!(
        "CREATE TABLE t (`id` int NOT NULL AUTO_INCREMENT PRIMARY KEY, `order` int NOT NULL,
           k varchar(10) NOT NULL, n int NOT NULL DEFAULT 0, at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP,
           user varchar(10), UNIQUE KEY (k)) ENGINE=InnoDB;\n-- name: Q :{}\n{statement};",
        if statement.starts_with("SELECT") { "many" } else { "exec" }
    );
    let model = read_model(&text);
    let reads = model.workload.reads.iter().map(|read| read.sql.clone());
    let writes = model.workload.list_stated_writes().iter().map(|write| write.sql.clone());
    reads.chain(writes).next().unwrap()
}

#[test]
fn statements_mean_the_same_in_postgresql() {
    for (mysql, postgresql) in [
        ("SELECT `ID` FROM t WHERE k = \"it's\"", "SELECT \"id\" FROM t WHERE k = 'it''s'"),
        (
            "SELECT id FROM t USE INDEX (k) WHERE k = ? LIMIT 0, 5",
            "SELECT id FROM t WHERE k = ? LIMIT 5",
        ),
        (
            "SELECT SQL_NO_CACHE CONCAT(k, '-', k) AS c, IFNULL(n, 0) AS m FROM t WHERE id = ?",
            "SELECT (k || '-' || k) AS c, coalesce(n, 0) AS m FROM t WHERE id = ?",
        ),
        (
            "SELECT id FROM t WHERE k = ? AND at > NOW() - INTERVAL 7 DAY",
            "SELECT id FROM t WHERE k = ? AND at > now() - INTERVAL '7 day'",
        ),
        (
            "SELECT id FROM t WHERE k = ? && at > DATE_SUB(NOW(6), INTERVAL 7 DAY)",
            "SELECT id FROM t WHERE k = ? AND at > (now() - INTERVAL '7 day')",
        ),
        (
            "SELECT t.user, id FROM t WHERE User = ? ORDER BY user",
            "SELECT t.\"user\", id FROM t WHERE \"user\" = ? ORDER BY \"user\"",
        ),
        ("INSERT INTO t SET `order` = ?, k = ?", "INSERT INTO t (\"order\", k) VALUES (?, ?)"),
        (
            "INSERT IGNORE t (`order`, k) VALUE (?, ?)",
            "INSERT INTO t (\"order\", k) VALUES (?, ?) ON CONFLICT DO NOTHING",
        ),
        (
            "INSERT INTO t (`order`, k, n) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE n = VALUES(n), `order` = `order` + 1",
            "INSERT INTO t (\"order\", k, n) VALUES (?, ?, ?) ON CONFLICT(\"k\") DO UPDATE SET n = EXCLUDED.n, \"order\" = \"order\" + 1",
        ),
        (
            "INSERT INTO t (`order`, k, n) VALUES (?, ?, ?) AS new ON DUPLICATE KEY UPDATE n = new.n",
            "INSERT INTO t (\"order\", k, n) VALUES (?, ?, ?) ON CONFLICT(\"k\") DO UPDATE SET n = EXCLUDED.n",
        ),
    ] {
        assert_eq!(rewrite(mysql), postgresql, "{mysql}");
    }
}

#[test]
fn what_has_no_equal_is_refused() {
    let table = "CREATE TABLE t (id int NOT NULL PRIMARY KEY, k varchar(9) NOT NULL UNIQUE KEY, a int, b int) ENGINE=InnoDB;";
    for (statement, rule) in [
        ("REPLACE INTO t (id, k) VALUES (?, ?)", "MF390"),
        ("UPDATE IGNORE t SET a = ? WHERE id = ?", "MF390"),
        ("SELECT a / b FROM t WHERE id = ?", "MF391"),
        ("SELECT GREATEST(a, b) FROM t WHERE id = ?", "MF391"),
        ("INSERT INTO t (id, k) VALUES (?, ?) ON DUPLICATE KEY UPDATE a = 1", "MF392"),
        ("UPDATE t SET a = a + 1, b = a WHERE id = ?", "MF393"),
        ("SELECT id FROM t WHERE MATCH(k) AGAINST (?)", "MF321"),
        ("SELECT id FROM t WHERE k = ? || a = ?", "MF311"),
        ("SELECT id FROM t WHERE k = ? LIMIT 5, 10", "MF310"),
        ("SELECT id FROM t WHERE id = ? LOCK IN SHARE MODE", "MF325"),
    ] {
        let text = format!("{table}\n-- name: Q :many\n{statement};");
        let errors = error_places(&text);
        assert!(errors.iter().any(|(found, _)| *found == rule), "{statement}: {errors:?}");
    }
}

#[test]
fn triggers_are_carried_or_refused() {
    let table = "CREATE TABLE t (id int PRIMARY KEY, a int, seen datetime) ENGINE=InnoDB;";
    let write = "-- name: Set :exec\nUPDATE t SET a = ? WHERE id = ?;";
    let touch = "CREATE TRIGGER b BEFORE UPDATE ON t FOR EACH ROW SET NEW.seen = NOW();";
    let model = read_model(&format!("{table}{touch}\n{write}"));
    assert!(model.workload.list_stated_writes()[0].sql.contains("\"seen\" = now()"));
    let other = "DELIMITER ;;\nCREATE TRIGGER b AFTER UPDATE ON t FOR EACH ROW BEGIN DELETE FROM u; END ;;\nDELIMITER ;";
    let text = format!("{table}\n{other}\n{write}");
    assert_eq!(error_places(&text), [("MF369", "Set")]);
}

#[test]
fn rows_of_dumps_are_skipped() {
    let text = "CREATE TABLE `a` (`b` int PRIMARY KEY);\nLOCK TABLES `a` WRITE;\n\
        DELETE FROM `a`;\nINSERT INTO `a` VALUES (1),(2);\nUNLOCK TABLES;\n";
    assert_eq!(read_model(text).concept.entities.len(), 1);
    let unnamed = format!("{text}INSERT INTO a VALUES (?);");
    assert_eq!(error_places(&unnamed), [("MF013", "INSERT")]);
}

#[test]
fn a_missing_semicolon_hides_no_table() {
    let text = "CREATE TABLE a (b int AUTO_INCREMENT PRIMARY KEY) ENGINE = InnoDB\n\nCREATE TABLE c (d int);";
    assert_eq!(error_places(text), [("MF011", "CREATE")]);
    let tags = "/**\n * @author Somebody\n * @copyright 2010\n */\ncreate table a (b int auto_increment primary key);";
    assert_eq!(read_model(tags).concept.entities.len(), 1);
}

#[test]
fn keys_that_are_added_count() {
    let text = "CREATE TABLE `a` (`id` int(11) NOT NULL, `n` varchar(9) NOT NULL);
        ALTER TABLE `a` ADD PRIMARY KEY (`id`), ADD UNIQUE KEY `n` (`n`), ADD KEY `x` (`n`);
        ALTER TABLE `a` MODIFY `id` int(11) NOT NULL AUTO_INCREMENT, AUTO_INCREMENT=7;";
    let model = read_model(text);
    assert_eq!(model.keys("a"), [["id"], ["n"]]);
    assert!(model.attribute("a", "id").default.is_some());
}
