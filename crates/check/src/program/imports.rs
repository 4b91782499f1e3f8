//! What a program imports: the clients of databases that it talks to.

/// Parts of the names of clients of Cassandra, and of libraries on top of them.
const CASSANDRA_CLIENTS: &[&str] =
    &["cassandra", "datastax", "gocql", "scylla", "cdrs", "cql", "astra", "phantom"];

/// Parts of the names of clients of other databases, whose SQL may look like CQL.
const OTHER_CLIENTS: &[&str] = &[
    "psycopg",
    "asyncpg",
    "sqlite",
    "mysql",
    "mariadb",
    "postgres",
    "java.sql",
    "javax.sql",
    "javax.persistence",
    "jakarta.persistence",
    "org.hibernate",
    "org.jooq",
    "springframework.jdbc",
    "r2dbc",
    "database/sql",
    "lib/pq",
    "jackc/pgx",
    "jmoiron/sqlx",
    "gorm.io",
    "sqlalchemy",
    "django.db",
    "sqlx",
    "diesel",
    "pqxx",
    "libpq",
    "npgsql",
    "sqlclient",
    "entityframework",
    "dapper",
    "slick.jdbc",
    "doobie",
    "knex",
    "sequelize",
    "typeorm",
    "clickhouse",
    "duckdb",
    "bigquery",
    "snowflake",
    "pyhive",
    "\"pg\"",
    "'pg'",
];

/// Whether a program imports a client of another database, and none of Cassandra's: the statements in it are not CQL.
pub(super) fn is_for_other_database(text: &str) -> bool {
    let mut is_other = false;
    for line in text.lines().map(str::trim).filter(|line| is_import(line)) {
        let line = line.to_ascii_lowercase();
        if CASSANDRA_CLIENTS.iter().any(|client| line.contains(client)) {
            return false;
        }
        is_other |= OTHER_CLIENTS.iter().any(|client| line.contains(client));
    }
    is_other
}

/// Whether a line imports something: by its first word, or as one of the paths in a list of imports in Go.
fn is_import(line: &str) -> bool {
    const STARTS: &[&str] = &["import ", "from ", "use ", "using ", "#include", "extern crate "];
    let is_path = |word: &str| word.len() > 2 && word.starts_with('"') && word.ends_with('"');
    let mut words = line.split_whitespace();
    let is_listed = match (words.next(), words.next(), words.next()) {
        (Some(path), None, _) => is_path(path),
        (Some(_), Some(path), None) => is_path(path) && path.contains('/'),
        _ => false,
    };
    STARTS.iter().any(|start| line.starts_with(start)) || line.contains("require(") || is_listed
}
