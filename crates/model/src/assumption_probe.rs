//! Trying out assumptions: the directive that states another figure in place of an assumed one, and
//! the query that would measure it in `PostgreSQL`.

use std::fmt::Write;

use crate::assumption::AssumptionTopic;
use crate::directive::quantity::spell;
use crate::sql_name::quote;

/// The growth in a year that is tried in place of none, as a share of the rows.
const YEARLY_GROWTH: f64 = 0.5;
/// The rows of a range that is tried, before the factor.
const RANGE_ROWS: f64 = 100.0;
/// The rows of a table whose growth is tried, where they are not known.
const ROWS: f64 = 1e6;

impl AssumptionTopic {
    /// Directives, as lines of a file of volumes, that state the assumed figure times a factor;
    /// `None` where there is no figure.
    pub fn restate(&self, factor: f64) -> Option<String> {
        let times = |figure: f64| spell((figure * factor).max(f64::MIN_POSITIVE));
        let at_least_one = |figure: f64| spell((figure * factor).max(1.0));
        Some(match self {
            Self::Rate { statement } => {
                format!("-- @query {statement} @rate {}/h\n", times(3_600.0))
            }
            Self::Rows { entity, rows } => {
                format!("-- @table {entity} @rows {}\n", at_least_one(*rows))
            }
            Self::NoGrowth { entity } => {
                format!("-- @table {entity} @grows {}/year\n", times(ROWS * YEARLY_GROWTH))
            }
            Self::FanOut { entity, columns, mean, p99, max, .. } => {
                let [column] = &columns[..] else { return None };
                format!(
                    "-- @column {entity}.{column} @each {} p99 {} max {}\n",
                    times(*mean),
                    times(*p99),
                    times(*max)
                )
            }
            Self::Distinct { entity, attribute, values, .. } => {
                format!("-- @column {entity}.{attribute} @distinct {}\n", at_least_one(*values))
            }
            Self::Items { entity, attribute, items } => {
                format!("-- @column {entity}.{attribute} @items {}\n", at_least_one(*items))
            }
            Self::Bytes { entity, sizes } => {
                let mut lines = String::new();
                for (name, size) in sizes {
                    let size = (size * factor).max(1.0);
                    let _ = writeln!(lines, "-- @column {entity}.{name} @bytes {size:.0}");
                }
                lines
            }
            Self::Span { statement, .. } => {
                format!("-- @query {statement} @returns {}\n", at_least_one(RANGE_ROWS))
            }
            Self::NoQueries
            | Self::Replication { .. }
            | Self::Nodes(_)
            | Self::Measured { .. }
            | Self::PartitionRows { .. }
            | Self::ExactNumber { .. } => return None,
        })
    }

    /// The query that measures the figure in `PostgreSQL`.
    pub fn measurement(&self) -> Option<String> {
        Some(match self {
            Self::Rows { entity, .. } => format!("SELECT count(*) FROM {}", quote(entity)),
            Self::FanOut { entity, columns, .. } => format!(
                "SELECT avg(n), percentile_disc(0.99) WITHIN GROUP (ORDER BY n), max(n) FROM (SELECT count(*) AS n FROM {} GROUP BY {}) AS g",
                quote(entity),
                columns.iter().map(|column| quote(column)).collect::<Vec<_>>().join(", ")
            ),
            Self::Distinct { entity, attribute, .. } => {
                format!("SELECT count(DISTINCT {}) FROM {}", quote(attribute), quote(entity))
            }
            Self::Items { entity, attribute, .. } => {
                format!("SELECT avg(cardinality({})) FROM {}", quote(attribute), quote(entity))
            }
            Self::Bytes { entity, sizes } => {
                let size = |name: &String| format!("avg(pg_column_size({}))", quote(name));
                let sizes: Vec<String> = sizes.iter().map(|(name, _)| size(name)).collect();
                format!("SELECT {} FROM {}", sizes.join(", "), quote(entity))
            }
            Self::Rate { .. } => "SELECT query, calls FROM pg_stat_statements".to_owned(),
            Self::NoGrowth { .. }
            | Self::Span { .. }
            | Self::NoQueries
            | Self::Replication { .. }
            | Self::Nodes(_)
            | Self::Measured { .. }
            | Self::PartitionRows { .. }
            | Self::ExactNumber { .. } => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::assumption::{AssumptionTopic, DistinctReason};
    use crate::measurement::Measurements;
    use crate::sql;

    #[test]
    fn restated_figures_replace_the_assumptions() {
        let text = "CREATE TABLE users (id uuid PRIMARY KEY, name text, tags text[]);
            CREATE TABLE orders (id uuid PRIMARY KEY, user_id uuid NOT NULL REFERENCES users, status text);
            -- name: Orders :many
            SELECT * FROM orders WHERE status = ? AND user_id = ?;
            -- name: User :one
            SELECT * FROM users WHERE id = ?;\n";
        let file = sql::read(text, "shop").unwrap();
        let measured = Measurements::default();
        let syntax = sql::ModelSyntax::parse(text, &[0], "shop", &measured).ok().unwrap();
        let mut tried = 0;
        for assumption in &file.assumptions {
            let Some(lines) = assumption.topic.restate(10.0) else { continue };
            let changed = sql::read(&format!("{text}\n{lines}"), "shop");
            let changed = changed.unwrap_or_else(|errors| panic!("{lines}: {errors:?}"));
            let again = syntax.resolve_with(&lines).unwrap();
            assert_eq!((&again.concept, &again.workload), (&changed.concept, &changed.workload));
            assert!(
                !changed.assumptions.iter().any(|it| it.topic == assumption.topic),
                "{:?}",
                assumption.topic
            );
            tried += 1;
        }
        assert!(tried >= 6, "{tried} of {:?}", file.assumptions);
        let distinct = AssumptionTopic::Distinct {
            entity: "orders".to_owned(),
            attribute: "status".to_owned(),
            values: 10.0,
            why: DistinctReason::Type,
        };
        assert_eq!(distinct.measurement().unwrap(), "SELECT count(DISTINCT status) FROM orders");
        // Without quotes, `user` is the name of who asks.
        let reserved = AssumptionTopic::Distinct {
            entity: "order".to_owned(),
            attribute: "user".to_owned(),
            values: 10.0,
            why: DistinctReason::Type,
        };
        let query = reserved.measurement().unwrap();
        assert_eq!(query, "SELECT count(DISTINCT \"user\") FROM \"order\"");
    }
}
