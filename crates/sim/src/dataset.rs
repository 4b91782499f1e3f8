//! Facts as generated: the rows of each entity, their values in CQL's bytes.

/// A value in the bytes of its attribute's CQL type; `None` is null.
pub type Datum = Option<Vec<u8>>;

/// A row of an entity: a value for each attribute.
pub type Row = Vec<Datum>;

/// The rows of all entities, by the position of the entity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Dataset {
    pub(crate) rows: Vec<Vec<Row>>,
}
