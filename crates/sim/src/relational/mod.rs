//! The relational side: SQLite holds the facts and answers the SQL.

use cql::types::{NativeType, Type};
use model::concept::Concept;
use model::workload::{OutputValue, Parameter, Read, Workload, Write};

use crate::data::{Data, Datum, Row};

/// A relational database with the facts.
#[derive(Debug)]
pub(crate) struct Relational;

impl Relational {
    /// An empty one; the workload says which indexes are of use.
    pub(crate) fn new(concept: &Concept, workload: &Workload) -> Result<Self, String> {
        let _ = (concept, workload);
        Ok(Self)
    }

    /// Adds facts.
    pub(crate) fn load(&mut self, data: &Data) -> Result<(), String> {
        let _ = data;
        Ok(())
    }

    /// What a read returns, each value in the bytes of [`output_type`].
    pub(crate) fn read(
        &mut self,
        read: &Read,
        values: &[Datum],
    ) -> Result<Vec<Vec<Datum>>, String> {
        let _ = (read, values);
        Ok(Vec::new())
    }

    /// Runs a write: the rows that it changed.
    pub(crate) fn write(&mut self, write: &Write, values: &[Datum]) -> Result<u64, String> {
        let _ = (write, values);
        Ok(0)
    }

    /// The rows of an entity now, by its key.
    pub(crate) fn rows(&self, entity: usize) -> Result<Vec<Row>, String> {
        let _ = entity;
        Ok(Vec::new())
    }
}

/// The type of an output of a read.
pub(crate) fn output_type(concept: &Concept, read: &Read, output: usize) -> Type {
    let _ = (concept, read.outputs.get(output).map(|output| output.value == OutputValue::Exists));
    NativeType::Bigint.into()
}

/// Facts as INSERT statements of SQL.
pub(crate) fn inserts(concept: &Concept, data: &Data) -> Vec<String> {
    let _ = (concept, data);
    Vec::new()
}

/// The SQL of a read or write with its values in place of its parameters.
pub(crate) fn with_values(sql: &str, parameters: &[Parameter], values: &[Datum]) -> String {
    let _ = (parameters, values);
    sql.to_owned()
}
