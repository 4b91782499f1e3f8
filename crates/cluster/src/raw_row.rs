//! Rows as bytes: the driver's (de)serialisation traits for values that are already serialised.

use scylla::deserialize::row::{ColumnIterator, DeserializeRow};
use scylla::deserialize::{DeserializationError, TypeCheckError};
use scylla::frame::response::result::ColumnSpec;
use scylla::serialize::SerializationError;
use scylla::serialize::row::{RowSerializationContext, SerializeRow};
use scylla::serialize::writers::RowWriter;

/// The values of a statement's markers, serialised.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawValues<'a>(pub(crate) &'a [Option<Vec<u8>>]);

/// A row of a result, serialised.
#[derive(Debug)]
pub(crate) struct RawRow(pub(crate) Vec<Option<Vec<u8>>>);

/// The number of values is not the number of markers, so the statement cannot be sent.
#[derive(Debug)]
pub(crate) struct ValueCountError;

impl std::fmt::Display for ValueCountError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("the number of values does not match the number of markers")
    }
}

impl std::error::Error for ValueCountError {}

impl SerializeRow for RawValues<'_> {
    fn serialize(
        &self,
        context: &RowSerializationContext<'_>,
        writer: &mut RowWriter<'_>,
    ) -> Result<(), SerializationError> {
        if context.columns().len() != self.0.len() {
            return Err(SerializationError::new(ValueCountError));
        }
        for value in self.0 {
            let cell = writer.make_cell_writer();
            match value {
                None => {
                    cell.set_null();
                }
                Some(bytes) => {
                    cell.set_value(bytes).map_err(SerializationError::new)?;
                }
            }
        }
        Ok(())
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'frame, 'metadata> DeserializeRow<'frame, 'metadata> for RawRow {
    fn type_check(_: &[ColumnSpec<'_>]) -> Result<(), TypeCheckError> {
        Ok(())
    }

    fn deserialize(row: ColumnIterator<'frame, 'metadata>) -> Result<Self, DeserializationError> {
        row.map(|column| Ok(column?.slice.map(|slice| slice.as_slice().to_vec())))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}
