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
    DefaultSerial,
    DefaultIdentity,
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
    UpdateSetNull,
    UpdateSetDefault,
    UpdateRestrict,
    UpdateNoAction,
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
    IncrementedAndOrdered,
    IncrementedAndFiltered,
    IncrementedAndSummed,
}

impl SqlConstruct {
    /// All of them.
    pub(crate) const ALL: [Self; 39] = [
        Self::DefaultConstant,
        Self::DefaultNow,
        Self::DefaultUuid,
        Self::DefaultSerial,
        Self::DefaultIdentity,
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
        Self::UpdateSetNull,
        Self::UpdateSetDefault,
        Self::UpdateRestrict,
        Self::UpdateNoAction,
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
        Self::IncrementedAndOrdered,
        Self::IncrementedAndFiltered,
        Self::IncrementedAndSummed,
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
    let rng = Rng::new(seed ^ 0xC0_5717);
    let mut writer =
        ModelWriter { rng, tables: Vec::new(), used: BTreeSet::new(), amounts: BTreeSet::new() };
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
    writer.mark_incremented();
    ConstructModel { text, used: writer.used }
}

/// What statements do with the number of a table that is added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum AmountUse {
    Incremented,
    Ordered,
    Filtered,
    Summed,
}

/// The state of a model that is being written.
struct ModelWriter {
    rng: Rng,
    tables: Vec<ConstructTable>,
    used: BTreeSet<SqlConstruct>,
    /// What is done with the amounts of tables, by their names.
    amounts: BTreeSet<(String, AmountUse)>,
}

impl ModelWriter {
    fn mark(&mut self, construct: SqlConstruct) {
        self.used.insert(construct);
    }

    /// Marks a use of the amount of a table.
    fn mark_amount(&mut self, table: &ConstructTable, what: AmountUse) {
        self.amounts.insert((table.name.clone(), what));
    }

    /// Marks the columns that are both incremented and read as no counter can be.
    fn mark_incremented(&mut self) {
        let constructs = [
            (AmountUse::Ordered, SqlConstruct::IncrementedAndOrdered),
            (AmountUse::Filtered, SqlConstruct::IncrementedAndFiltered),
            (AmountUse::Summed, SqlConstruct::IncrementedAndSummed),
        ];
        for table in self.tables.clone() {
            let is_used = |what| self.amounts.contains(&(table.name.clone(), what));
            if is_used(AmountUse::Incremented) {
                let marks = constructs.iter().filter(|(what, _)| is_used(*what));
                self.used.extend(marks.map(|(_, construct)| *construct).collect::<Vec<_>>());
            }
        }
    }

    /// A table, by its position.
    fn pick_table(&mut self) -> usize {
        self.rng.number_below(self.tables.len())
    }
}
