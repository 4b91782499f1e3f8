//! One page of the result of a statement, with everything that the server says about it.

use cql::types::Type;
use cql::{Consistency, TraceId};
use scylla::response::query_result::QueryResult;
use scylla::response::{PagingState, PagingStateResponse};
use scylla::statement::prepared::PreparedStatement;
use scylla::statement::unprepared::Statement;
use scylla::statement::{Consistency as DriverConsistency, SerialConsistency};

use crate::connection::Connection;
use crate::error::Error;
use crate::raw_row::{RawRow, RawValues};
use crate::types;

/// A statement of which one page is requested.
#[derive(Clone, Copy, Debug)]
pub struct PageRequest<'a> {
    /// The text of the statement.
    pub cql: &'a str,
    /// The values of its markers: with them it is prepared.
    pub values: Option<&'a [Option<Vec<u8>>]>,
    /// The consistency level.
    pub consistency: Consistency,
    /// The consistency level of conditional writes.
    pub serial_consistency: Option<Consistency>,
    /// The number of rows per page; `None` without paging.
    pub page_size: Option<i32>,
    /// The paging state of the page before.
    pub paging_state: Option<&'a [u8]>,
    /// Whether the statement is traced.
    pub tracing: bool,
}

/// A column of a result or a marker.
#[derive(Clone, Debug, PartialEq)]
pub struct PageColumn {
    /// The keyspace of its table.
    pub keyspace: String,
    /// The name of its table.
    pub table: String,
    /// The name of the column.
    pub name: String,
    /// The type of its values.
    pub ty: Type,
}

/// A page of a result.
#[derive(Clone, Debug, Default)]
pub struct ResultPage {
    /// The columns; `None` if the response has no rows.
    pub columns: Option<Vec<PageColumn>>,
    /// The rows, as serialised by the native protocol.
    pub rows: Vec<Vec<Option<Vec<u8>>>>,
    /// The state of the next page, if there may be one.
    pub paging_state: Option<Vec<u8>>,
    /// The warnings of the server.
    pub warnings: Vec<String>,
    /// The id of the trace.
    pub trace_id: Option<TraceId>,
}

impl Connection {
    /// Runs a statement and returns one page of its result.
    pub fn run_page(&mut self, request: &PageRequest<'_>) -> Result<ResultPage, Error> {
        let paging = match request.paging_state {
            Some(state) => PagingState::new_from_raw_bytes(state.to_vec()),
            None => PagingState::start(),
        };
        let (page, next) = match request.values {
            None => self.query_page(request, paging)?,
            Some(values) => self.execute_page(request, values, paging)?,
        };
        let mut result = read_page(page)?;
        if let PagingStateResponse::HasMorePages { state } = next {
            result.paging_state = state.as_bytes_slice().map(|bytes| bytes.to_vec());
        }
        Ok(result)
    }

    fn query_page(
        &mut self,
        request: &PageRequest<'_>,
        paging: PagingState,
    ) -> Result<(QueryResult, PagingStateResponse), Error> {
        let mut statement = Statement::new(request.cql);
        statement.set_consistency(level(request.consistency));
        statement.set_serial_consistency(serial_level(request.serial_consistency));
        statement.set_tracing(request.tracing);
        self.prepare_for_change(&mut statement);
        let session = &self.session;
        let Some(page_size) = request.page_size else {
            let page = self.runtime.block_on(session.query_unpaged(statement, ()))?;
            return Ok((page, PagingStateResponse::NoMorePages));
        };
        statement.set_page_size(page_size);
        Ok(self.runtime.block_on(session.query_single_page(statement, (), paging))?)
    }

    fn execute_page(
        &mut self,
        request: &PageRequest<'_>,
        values: &[Option<Vec<u8>>],
        paging: PagingState,
    ) -> Result<(QueryResult, PagingStateResponse), Error> {
        let mut statement: PreparedStatement = self.prepare(request.cql)?;
        statement.set_consistency(level(request.consistency));
        statement.set_serial_consistency(serial_level(request.serial_consistency));
        if let Some(page_size) = request.page_size {
            statement.set_page_size(page_size);
        }
        let page = self.session.execute_single_page(&statement, RawValues(values), paging);
        Ok(self.runtime.block_on(page)?)
    }

    /// Prepares a statement and returns its markers.
    pub fn prepare_markers(&mut self, cql: &str) -> Result<Vec<PageColumn>, Error> {
        let prepared = self.prepare(cql)?;
        let specs = prepared.get_variable_col_specs();
        specs.iter().map(|spec| to_column(spec.table_spec(), spec.name(), spec.typ())).collect()
    }
}

fn to_column(
    table: &scylla::frame::response::result::TableSpec<'_>,
    name: &str,
    ty: &scylla::cluster::metadata::ColumnType<'_>,
) -> Result<PageColumn, Error> {
    let unknown = || Error::server(format!("the type of column {name} is unknown"));
    Ok(PageColumn {
        keyspace: table.ks_name().to_owned(),
        table: table.table_name().to_owned(),
        name: name.to_owned(),
        ty: types::from_driver(ty).ok_or_else(unknown)?,
    })
}

fn read_page(page: QueryResult) -> Result<ResultPage, Error> {
    let unreadable = || Error::server("the server sent rows that cannot be decoded");
    let mut result = ResultPage {
        warnings: page.warnings().map(str::to_owned).collect(),
        trace_id: page.tracing_id().map(|id| TraceId(id.into_bytes())),
        ..ResultPage::default()
    };
    if !page.is_rows() {
        return Ok(result);
    }
    let rows = page.into_rows_result().map_err(|_| unreadable())?;
    let specs = rows.column_specs();
    let columns = specs.iter().map(|spec| to_column(spec.table_spec(), spec.name(), spec.typ()));
    result.columns = Some(columns.collect::<Result<_, _>>()?);
    for row in rows.rows::<RawRow>().map_err(|_| unreadable())? {
        result.rows.push(row.map_err(|_| unreadable())?.0);
    }
    Ok(result)
}

/// The driver's name of a level. It has none for `NODE_LOCAL`, which only the server uses.
fn level(level: Consistency) -> DriverConsistency {
    match level {
        Consistency::Any => DriverConsistency::Any,
        Consistency::One => DriverConsistency::One,
        Consistency::Two => DriverConsistency::Two,
        Consistency::Three => DriverConsistency::Three,
        Consistency::Quorum => DriverConsistency::Quorum,
        Consistency::All => DriverConsistency::All,
        Consistency::LocalQuorum => DriverConsistency::LocalQuorum,
        Consistency::EachQuorum => DriverConsistency::EachQuorum,
        Consistency::Serial => DriverConsistency::Serial,
        Consistency::LocalSerial => DriverConsistency::LocalSerial,
        Consistency::LocalOne | Consistency::NodeLocal => DriverConsistency::LocalOne,
    }
}

fn serial_level(level: Option<Consistency>) -> Option<SerialConsistency> {
    match level? {
        Consistency::LocalSerial => Some(SerialConsistency::LocalSerial),
        _ => Some(SerialConsistency::Serial),
    }
}
