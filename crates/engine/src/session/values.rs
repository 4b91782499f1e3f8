//! The substitution of values for markers.

use schema::bind::BoundStatement;
use schema::bind::substitute::{self, BindValue};
use schema::bind::term::BoundTerm;

use crate::error::{Error, Result};
use crate::function::{self, Env};
use crate::request::{MarkerValue, MarkerValues};
use crate::session::statement::StatementOrigin;

/// The statement with its markers replaced by values.
pub(crate) fn substitute(
    bound: &BoundStatement,
    values: &MarkerValues<'_>,
    origin: StatementOrigin,
    env: &Env<'_>,
) -> Result<BoundStatement> {
    let values = order_values(bound, values);
    if origin == StatementOrigin::Query && values.len() != bound.markers.len() {
        return Err(Error::invalid("Invalid amount of bind variables"));
    }
    let compute = |call: &BoundTerm| {
        let given = function::evaluate(call, env).ok()?;
        Some(BoundTerm::Value(given.map(Into::into)))
    };
    let mut statement = substitute::substitute(bound, &values, &compute)?;
    statement.now_ms = env.now_us.div_euclid(1000);
    Ok(statement)
}

/// The values in the order of the markers; values with unknown names are ignored.
fn order_values(bound: &BoundStatement, values: &MarkerValues<'_>) -> Vec<BindValue> {
    match values {
        MarkerValues::None => Vec::new(),
        MarkerValues::Positional(values) => values.iter().map(to_bind_value).collect(),
        MarkerValues::Named(named) => {
            let of = |marker: &Option<schema::bind::context::BoundMarker>| {
                let name = &*marker.as_ref()?.receiver.name;
                named.iter().find(|(own, _)| *own == name).map(|(_, value)| to_bind_value(value))
            };
            bound.markers.iter().filter_map(of).collect()
        }
    }
}

fn to_bind_value(value: &MarkerValue<'_>) -> BindValue {
    match value {
        MarkerValue::Bytes(bytes) => BindValue::Bytes((*bytes).into()),
        MarkerValue::Null => BindValue::Null,
        MarkerValue::Unset => BindValue::Unset,
    }
}
