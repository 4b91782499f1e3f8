//! `helenus stats`: the statements that measure the volumes of a database.

use std::io::Write;

use crate::outcome::{Failure, Outcome};

/// What psql runs.
const POSTGRES: &str = include_str!("stats.sql");

const EXAMPLES: &str = "\
Examples:
  helenus stats --sql | psql -XAtq mydb > stats.jsonl
  helenus design schema.sql queries.sql --stats stats.jsonl

The statements read PostgreSQL's own statistics (pg_class, pg_stats), which ANALYZE keeps, and
pg_stat_statements where it is installed; they change nothing. Each line of their output is a
JSON document about a table, a column or a statement. No values of columns are printed: of the
most common ones only their shares.";

/// Print the statements for psql that measure row counts, value counts, sizes, skew and rates
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StatsArguments {
    /// Print the statements for psql
    #[arg(long, required = true)]
    sql: bool,
}

impl StatsArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        debug_assert!(self.sql, "clap requires the option");
        out.write_all(POSTGRES.as_bytes())?;
        Ok(Outcome::Fine)
    }
}
