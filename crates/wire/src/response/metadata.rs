//! The metadata of results and prepared statements: their columns and markers.

use std::sync::Arc;

use cql::types::Type;
use md5::{Digest, Md5};

use crate::protocol_version::ProtocolVersion;
use crate::reader::{DecodeError, Reader};
use crate::{types, writer};

const GLOBAL_TABLES_SPEC: i32 = 0x01;
const HAS_MORE_PAGES: i32 = 0x02;
const NO_METADATA: i32 = 0x04;
const METADATA_CHANGED: i32 = 0x08;
/// The minimum encoding of a column: an empty name and a type.
const COLUMN_BYTES_MIN: usize = 4;

/// A column of a result, or a marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnSpec {
    /// The keyspace of its table.
    pub keyspace: Arc<str>,
    /// The name of its table.
    pub table: Arc<str>,
    /// The name of the column or marker.
    pub name: Arc<str>,
    /// The type of its values.
    pub ty: Type,
}

impl ColumnSpec {
    /// The column, borrowed.
    pub(crate) fn as_column_ref(&self) -> ColumnRef<'_> {
        ColumnRef { keyspace: &self.keyspace, table: &self.table, name: &self.name, ty: &self.ty }
    }
}

/// A borrowed column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnRef<'a> {
    /// The keyspace of its table.
    pub keyspace: &'a str,
    /// The name of its table.
    pub table: &'a str,
    /// The name of the column or marker.
    pub name: &'a str,
    /// The type of its values.
    pub ty: &'a Type,
}

/// The metadata of a result: its columns, or only their number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultMetadata {
    /// The columns.
    Given(Vec<ColumnSpec>),
    /// Only the number of columns: there are none, or the client asked to skip them.
    LeftOut {
        /// The number of columns.
        count: usize,
        /// Whether they are of one table.
        same_table: bool,
    },
}

impl ResultMetadata {
    /// The metadata of a prepared statement that returns no rows.
    pub const NONE: Self = Self::LeftOut { count: 0, same_table: false };

    /// The number of columns.
    pub fn count(&self) -> usize {
        match self {
            Self::Given(columns) => columns.len(),
            Self::LeftOut { count, .. } => *count,
        }
    }

    /// The columns, if they are given.
    pub fn columns(&self) -> &[ColumnSpec] {
        match self {
            Self::Given(columns) => columns,
            Self::LeftOut { .. } => &[],
        }
    }

    /// Decodes the metadata and what comes with it.
    pub(super) fn read<'a>(reader: &mut Reader<'a>) -> Result<(Self, PageHead<'a>), DecodeError> {
        let flags = reader.int()?;
        let left_out = flags & NO_METADATA != 0;
        let count = reader.count(if left_out { 0 } else { COLUMN_BYTES_MIN })?;
        let state = if flags & HAS_MORE_PAGES == 0 { None } else { reader.bytes()? };
        let has_metadata_id = flags & METADATA_CHANGED != 0;
        let metadata_id = has_metadata_id.then(|| reader.short_bytes()).transpose()?;
        let same_table = flags & GLOBAL_TABLES_SPEC != 0;
        let columns = if left_out {
            Self::LeftOut { count, same_table }
        } else {
            Self::Given(read_columns(reader, count, same_table)?)
        };
        Ok((columns, PageHead { state, metadata_id }))
    }

    pub(super) fn put(&self, out: &mut Vec<u8>, version: ProtocolVersion, head: PageHead<'_>) {
        match self {
            Self::Given(columns) => {
                let columns = columns.iter().map(ColumnSpec::as_column_ref);
                ColumnBlock::new(version, columns).put(out, false, head);
            }
            Self::LeftOut { count, same_table } => {
                let block =
                    ColumnBlock { count: *count, same_table: *same_table, bytes: Vec::new() };
                block.put(out, true, head);
            }
        }
    }
}

/// What a page of rows has besides its columns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PageHead<'a> {
    /// The paging state, if there may be another page.
    pub(super) state: Option<&'a [u8]>,
    /// The id of the columns, if it is not the one that the client knows; from version 5 on.
    pub(super) metadata_id: Option<&'a [u8]>,
}

/// Encoded columns: built once, and copied into every response that contains them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnBlock {
    count: usize,
    same_table: bool,
    bytes: Vec<u8>,
}

impl ColumnBlock {
    /// Encodes columns.
    pub fn new<'a>(
        version: ProtocolVersion,
        columns: impl Iterator<Item = ColumnRef<'a>> + Clone,
    ) -> Self {
        let same_table = is_single_table(columns.clone());
        let mut bytes = Vec::new();
        let count = put_columns(&mut bytes, version, columns, same_table);
        Self { count, same_table, bytes }
    }

    pub(super) fn put(&self, out: &mut Vec<u8>, skip: bool, head: PageHead<'_>) {
        let set = [
            (self.same_table, GLOBAL_TABLES_SPEC),
            (head.state.is_some(), HAS_MORE_PAGES),
            (skip, NO_METADATA),
            (head.metadata_id.is_some(), METADATA_CHANGED),
        ];
        let flags = set.into_iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag).sum();
        writer::int(out, flags);
        writer::count(out, self.count);
        if head.state.is_some() {
            writer::bytes(out, head.state);
        }
        if let Some(id) = head.metadata_id {
            writer::short_bytes(out, id);
        }
        if !skip {
            out.extend_from_slice(&self.bytes);
        }
    }
}

/// The RESULT of PREPARE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreparedResult {
    /// The id under which the statement is executed.
    pub id: Vec<u8>,
    /// The id of the result columns; empty before version 5.
    pub metadata_id: Vec<u8>,
    /// The markers of the statement.
    pub markers: Vec<ColumnSpec>,
    /// The markers that form the partition key, in key order; from version 4 on, and empty if they
    /// do not form all of it.
    pub key_markers: Vec<u16>,
    /// The columns of its rows.
    pub columns: ResultMetadata,
}

impl PreparedResult {
    pub(super) fn read(
        reader: &mut Reader<'_>,
        version: ProtocolVersion,
    ) -> Result<Self, DecodeError> {
        let id = reader.short_bytes()?.to_vec();
        let has_metadata_id = version >= ProtocolVersion::V5;
        let metadata_id = has_metadata_id.then(|| reader.short_bytes()).transpose()?;
        let metadata_id = metadata_id.unwrap_or_default().to_vec();
        let flags = reader.int()?;
        let count = reader.count(0)?;
        let mut key_markers = Vec::new();
        if version >= ProtocolVersion::V4 {
            for _ in 0..reader.count(2)? {
                key_markers.push(reader.short()?);
            }
        }
        let markers = read_columns(reader, count, flags & GLOBAL_TABLES_SPEC != 0)?;
        let (columns, _) = ResultMetadata::read(reader)?;
        Ok(Self { id, metadata_id, markers, key_markers, columns })
    }

    pub(super) fn put(&self, out: &mut Vec<u8>, version: ProtocolVersion) {
        writer::short_bytes(out, &self.id);
        if version >= ProtocolVersion::V5 {
            writer::short_bytes(out, &self.metadata_id);
        }
        let markers = self.markers.iter().map(ColumnSpec::as_column_ref);
        let same_table = is_single_table(markers.clone());
        writer::int(out, if same_table { GLOBAL_TABLES_SPEC } else { 0 });
        writer::count(out, self.markers.len());
        if version >= ProtocolVersion::V4 {
            // Markers of several tables have no common partition key.
            let key: &[u16] = if same_table { &self.key_markers } else { &[] };
            writer::count(out, key.len());
            for index in key {
                writer::short(out, *index);
            }
        }
        put_columns(out, version, markers, same_table);
        self.columns.put(out, version, PageHead::default());
    }
}

/// The id of result columns, which changes with their names and types: the server's digest.
pub fn compute_metadata_id<'a>(columns: impl Iterator<Item = ColumnRef<'a>>) -> [u8; 16] {
    let mut digest = Md5::new();
    for column in columns {
        digest.update(column.name.as_bytes());
        digest.update([0]);
        digest.update(column.ty.class_name().as_bytes());
        digest.update([0, 0]);
    }
    digest.finalize().into()
}

fn is_single_table<'a>(mut columns: impl Iterator<Item = ColumnRef<'a>>) -> bool {
    columns.next().is_some_and(|first| {
        columns.all(|column| column.keyspace == first.keyspace && column.table == first.table)
    })
}

/// Appends the columns and returns their number.
fn put_columns<'a>(
    out: &mut Vec<u8>,
    version: ProtocolVersion,
    columns: impl Iterator<Item = ColumnRef<'a>>,
    same_table: bool,
) -> usize {
    let mut count = 0;
    for column in columns {
        if count == 0 || !same_table {
            writer::string(out, column.keyspace);
            writer::string(out, column.table);
        }
        writer::string(out, column.name);
        types::put(out, version, column.ty);
        count += 1;
    }
    count
}

fn read_columns(
    reader: &mut Reader<'_>,
    count: usize,
    same_table: bool,
) -> Result<Vec<ColumnSpec>, DecodeError> {
    let table = |reader: &mut Reader<'_>| -> Result<(Arc<str>, Arc<str>), DecodeError> {
        Ok((reader.string()?.into(), reader.string()?.into()))
    };
    let shared = same_table.then(|| table(reader)).transpose()?;
    let mut columns = Vec::new();
    for _ in 0..count {
        let (keyspace, table) = match &shared {
            Some(shared) => shared.clone(),
            None => table(reader)?,
        };
        let name = reader.string()?.into();
        columns.push(ColumnSpec { keyspace, table, name, ty: types::read(reader)? });
    }
    Ok(columns)
}
