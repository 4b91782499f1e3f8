//! Loads the tables of a model file.

use super::cluster::PostgresCluster;
use super::judge::create_database;
use super::psql::PsqlScript;
use super::statement::schema_statements;

/// Runs everything of a model file but its queries and writes, in a database of its own.
pub(crate) fn load_schema(cluster: &PostgresCluster, text: &str) -> Result<(), String> {
    let database = create_database(cluster);
    let mut script = PsqlScript::default();
    let statements = schema_statements(text);
    for sql in &statements {
        script.add(sql);
    }
    let results = cluster.run_script(&database, &script)?;
    match results
        .iter()
        .zip(&statements)
        .find_map(|(result, sql)| Some((result.error.as_ref()?, sql)))
    {
        Some(((_, message), sql)) => Err(format!("{message}\n{sql}")),
        None => Ok(()),
    }
}
