//! Random model files that use every construct of SQL that a model file may have, and say which they used.

mod reads;
mod tables;
mod writes;

use std::collections::BTreeSet;
use std::fmt::Write;

use self::tables::ConstructTable;
use crate::rng::Rng;

/// A construct of SQL with a meaning for data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SqlConstruct {
    DefaultConstant,
    DefaultNow,
    DefaultUuid,
    DefaultSequence,
    DefaultExpression,
    DefaultWord,
    GeneratedColumn,
    NotNull,
    Check,
    UniqueSeveral,
    UniqueNullable,
    UniquePartial,
    DeleteCascade,
    DeleteSetNull,
    DeleteSetDefault,
    DeleteRestrict,
    DeleteNoAction,
    UpdateCascade,
    ConflictNothing,
    ConflictUpdate,
    ConflictWhere,
    ConflictAdd,
    Returning,
    IsNull,
    IsNotNull,
    LeftJoin,
    ConditionalAdd,
    SeveralRows,
    Distinct,
    GroupWithoutAggregate,
    ExactColumn,
}

impl SqlConstruct {
    /// All of them.
    pub(crate) const ALL: [Self; 31] = [
        Self::DefaultConstant,
        Self::DefaultNow,
        Self::DefaultUuid,
        Self::DefaultSequence,
        Self::DefaultExpression,
        Self::DefaultWord,
        Self::GeneratedColumn,
        Self::NotNull,
        Self::Check,
        Self::UniqueSeveral,
        Self::UniqueNullable,
        Self::UniquePartial,
        Self::DeleteCascade,
        Self::DeleteSetNull,
        Self::DeleteSetDefault,
        Self::DeleteRestrict,
        Self::DeleteNoAction,
        Self::UpdateCascade,
        Self::ConflictNothing,
        Self::ConflictUpdate,
        Self::ConflictWhere,
        Self::ConflictAdd,
        Self::Returning,
        Self::IsNull,
        Self::IsNotNull,
        Self::LeftJoin,
        Self::ConditionalAdd,
        Self::SeveralRows,
        Self::Distinct,
        Self::GroupWithoutAggregate,
        Self::ExactColumn,
    ];
}

/// A random model file.
pub(crate) struct ConstructModel {
    pub(crate) text: String,
    /// The constructs that it uses.
    pub(crate) used: BTreeSet<SqlConstruct>,
}

/// The model file of a seed.
pub(crate) fn construct_model(seed: u64) -> ConstructModel {
    let mut writer =
        ModelWriter { rng: Rng::new(seed ^ 0xC0_5717), tables: Vec::new(), used: BTreeSet::new() };
    let count = 1 + writer.rng.number_below(3);
    for number in 0..count {
        writer.add_table(number);
    }
    let mut text = String::new();
    for table in &writer.tables {
        table.declare(&writer.tables, &mut text);
    }
    for number in 0..2 + writer.rng.number_below(3) {
        let (kind, sql) = writer.read();
        let rate = *writer.rng.pick(&["1", "50", "500"]);
        let _ = writeln!(text, "-- name: Read{number} {kind}\n-- @rate {rate}/s\n{sql};");
    }
    for number in 0..3 + writer.rng.number_below(3) {
        let (kind, sql) = writer.write();
        let rate = *writer.rng.pick(&["0.1", "5", "100"]);
        let _ = writeln!(text, "-- name: Write{number} {kind}\n-- @rate {rate}/s\n{sql};");
    }
    ConstructModel { text, used: writer.used }
}

/// The state of a model that is being written.
struct ModelWriter {
    rng: Rng,
    tables: Vec<ConstructTable>,
    used: BTreeSet<SqlConstruct>,
}

impl ModelWriter {
    fn mark(&mut self, construct: SqlConstruct) {
        self.used.insert(construct);
    }

    /// A table, by its position.
    fn pick_table(&mut self) -> usize {
        self.rng.number_below(self.tables.len())
    }
}
