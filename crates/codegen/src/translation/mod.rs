//! From a design to an access program.
//!
//! A plan names columns by typed positions and leaves types to its context; a program has the type
//! of every value. `scope` resolves names, `operand` and `expression` values, `condition` guards and
//! predicates, `fetch` statements that read, `query` and `stage` reads, `command` writes.

mod command;
mod condition;
mod documentation;
mod expression;
mod fetch;
mod operand;
mod query;
mod scope;
mod stage;

use cql::types::Type;
use model::concept::Concept;
use model::id::{IdList, TableId};
use model::plan::{Design, PlannedTable};
use model::workload::Workload;

use crate::program::{AccessProgram, DataType, FORMAT, Field, Record};

/// What a program is made from.
#[derive(Clone, Copy, Debug)]
pub struct ProgramSource<'a> {
    /// The data.
    pub concept: &'a Concept,
    /// The reads and writes.
    pub workload: &'a Workload,
    /// The design.
    pub design: &'a Design,
    /// The statements that create its keyspace, types and tables, in order.
    pub schema: &'a [String],
    /// The name of the model file.
    pub file: &'a str,
}

/// The program of a design.
pub fn lower(source: ProgramSource<'_>) -> AccessProgram {
    let reads = source.workload.reads.ids();
    let writes = source.workload.writes.ids();
    AccessProgram {
        format: FORMAT,
        keyspace: source.concept.keyspace.clone(),
        source: source.file.to_owned(),
        user_types: lower_user_types(source.concept),
        schema: source.schema.to_vec(),
        queries: reads.filter_map(|read| query::lower_query(source, read)).collect(),
        commands: writes.filter_map(|write| command::lower_command(source, write)).collect(),
    }
}

fn lower_user_types(concept: &Concept) -> Vec<Record> {
    let record = |user: &cql::types::UserType| Record {
        name: user.name.to_string(),
        fields: user
            .fields
            .iter()
            .map(|(name, ty)| Field { name: name.to_string(), ty: data_type(ty), nullable: true })
            .collect(),
    };
    concept.types.iter().map(|user| record(user)).collect()
}

impl<'a> ProgramSource<'a> {
    fn table(self, at: TableId) -> Option<&'a PlannedTable> {
        self.design.tables.member(at)
    }

    /// The table from whose attributes the operands of a statement are made: a table that remembers
    /// the buckets of another has none of its own.
    fn operand_table(self, at: TableId) -> Option<&'a PlannedTable> {
        let table = self.table(at)?;
        table.remembers.map_or(Some(table), |of| self.table(of))
    }
}

/// A type as clients see it. Model files have no custom types.
fn data_type(ty: &Type) -> DataType {
    DataType::from_cql(ty).unwrap_or(DataType::Blob)
}
