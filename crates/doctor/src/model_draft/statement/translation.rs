//! A statement in SQL, before it has a name.

use model::sql::Cardinality;

use super::super::open_point::OpenPoint;

/// What a statement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementAction {
    /// SELECT of rows
    Read,
    /// SELECT of aggregates
    Aggregate,
    /// INSERT
    Insert,
    /// UPDATE
    Update,
    /// INSERT ... ON CONFLICT DO UPDATE
    Upsert,
    /// DELETE
    Delete,
}

/// A translated statement.
#[derive(Clone, Debug)]
pub(super) struct Translation {
    /// The SQL.
    pub(super) sql: String,
    /// What it returns.
    pub(super) cardinality: Cardinality,
    /// What it does.
    pub(super) action: StatementAction,
    /// The columns that its name consists of.
    pub(super) subjects: Vec<String>,
    /// Whether a condition takes a list of values.
    pub(super) has_list: bool,
    /// Its directives beside the rate.
    pub(super) directives: Vec<String>,
    /// What it leaves out or assumes.
    pub(super) points: Vec<OpenPoint>,
}

impl Translation {
    /// A query.
    pub(super) fn read(
        sql: String,
        cardinality: Cardinality,
        columns: Vec<(String, bool)>,
        is_aggregate: bool,
        directives: Vec<String>,
        points: Vec<OpenPoint>,
    ) -> Self {
        let action = if is_aggregate { StatementAction::Aggregate } else { StatementAction::Read };
        let mut subjects: Vec<String> = Vec::new();
        for (name, _) in columns {
            if !subjects.contains(&name) {
                subjects.push(name);
            }
        }
        Self { sql, cardinality, action, subjects, has_list: false, directives, points }
    }

    /// A write.
    pub(super) fn write(
        sql: String,
        action: StatementAction,
        subjects: Vec<String>,
        points: Vec<OpenPoint>,
    ) -> Self {
        let (cardinality, directives) = (Cardinality::Exec, Vec::new());
        Self { sql, cardinality, action, subjects, has_list: false, directives, points }
    }
}
