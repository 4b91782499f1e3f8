//! Functions whose values the client makes: the current time, a new uuid, the next number.

use cql::types::{NativeType, Type};
use sqlparser::ast::{
    BinaryOperator, DataType, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments,
    Value as SqlValue,
};

use super::interval::find_interval;
use super::literal::string_text;
use super::source::SqlName;
use crate::concept::{ClientValue, TimeShift};

/// The value that the client makes in place of an expression; `None` for all other expressions.
pub(super) fn find_client_value(expression: &Expr) -> Option<ClientValue> {
    match expression {
        Expr::Nested(inside) => find_client_value(inside),
        Expr::Cast { expr, data_type, .. } => {
            let value = find_client_value(expr).or_else(|| find_now_constant(expr));
            convert(value?, data_type)
        }
        // Times are kept in UTC, whatever the zone of the session.
        Expr::AtTimeZone { timestamp, time_zone } if is_utc(time_zone) => {
            find_client_value(timestamp).filter(|value| *value == ClientValue::Now)
        }
        Expr::Function(function) => find_function(function),
        Expr::BinaryOp { left, op: op @ (BinaryOperator::Plus | BinaryOperator::Minus), right } => {
            let shift = find_interval(right)?;
            let is_sum = *op == BinaryOperator::Plus;
            shift_time(find_client_value(left)?, if is_sum { shift } else { shift.negate() })
        }
        _ => None,
    }
}

/// A time plus an interval.
fn shift_time(value: ClientValue, shift: TimeShift) -> Option<ClientValue> {
    match value {
        ClientValue::Now => Some(ClientValue::ShiftedNow(shift)),
        ClientValue::Today => Some(ClientValue::ShiftedToday(shift)),
        ClientValue::ShiftedNow(before) => Some(ClientValue::ShiftedNow(before.plus(shift))),
        ClientValue::ShiftedToday(before) => Some(ClientValue::ShiftedToday(before.plus(shift))),
        ClientValue::TimeOfDay | ClientValue::NewUuid | ClientValue::NextNumber => None,
    }
}

fn find_function(function: &Function) -> Option<ClientValue> {
    let name = SqlName::from_object_name(&function.name)?.text;
    let arguments = arguments(&function.args)?;
    match (name.as_str(), arguments.as_slice()) {
        ("timezone", [zone, time]) if is_utc(zone) => {
            find_client_value(time).filter(|value| *value == ClientValue::Now)
        }
        ("nextval", [_]) => Some(ClientValue::NextNumber),
        ("current_timestamp" | "localtimestamp", [] | [_]) => Some(ClientValue::Now),
        ("current_time" | "localtime", [] | [_]) => Some(ClientValue::TimeOfDay),
        ("now" | "transaction_timestamp" | "statement_timestamp" | "clock_timestamp", []) => {
            Some(ClientValue::Now)
        }
        ("current_date", []) => Some(ClientValue::Today),
        (
            "gen_random_uuid" | "uuid_generate_v4" | "uuid_generate_v1" | "uuid_generate_v1mc"
            | "uuidv4" | "uuidv7" | "uuid_generate_v7",
            [],
        ) => Some(ClientValue::NewUuid),
        _ => None,
    }
}

/// `'now'` before a cast, as old dumps have it.
fn find_now_constant(expression: &Expr) -> Option<ClientValue> {
    match expression {
        Expr::Nested(inside) => find_now_constant(inside),
        Expr::Cast { expr, data_type: DataType::Text, .. } => find_now_constant(expr),
        Expr::Value(value) => {
            let text = string_text(&value.value)?;
            text.eq_ignore_ascii_case("now").then_some(ClientValue::Now)
        }
        _ => None,
    }
}

/// The value after a cast.
fn convert(value: ClientValue, to: &DataType) -> Option<ClientValue> {
    let of_time =
        matches!(value, ClientValue::Now | ClientValue::Today | ClientValue::ShiftedNow(_));
    match to {
        DataType::Date => match value {
            ClientValue::Now | ClientValue::Today => Some(ClientValue::Today),
            ClientValue::ShiftedToday(_) => Some(value),
            _ => None,
        },
        DataType::Time(..) if value == ClientValue::Now => Some(ClientValue::TimeOfDay),
        DataType::Timestamp(..) if of_time => Some(value),
        DataType::Text | DataType::Varchar(_) | DataType::CharacterVarying(_) => {
            (value == ClientValue::NewUuid).then_some(value)
        }
        DataType::Int(_) | DataType::Integer(_) | DataType::BigInt(_) => {
            (value == ClientValue::NextNumber).then_some(value)
        }
        DataType::Uuid => (value == ClientValue::NewUuid).then_some(value),
        _ => None,
    }
}

fn is_utc(zone: &Expr) -> bool {
    match zone {
        Expr::Nested(inside) | Expr::Cast { expr: inside, .. } => is_utc(inside),
        Expr::Value(value) => match &value.value {
            SqlValue::SingleQuotedString(zone) => {
                matches!(zone.to_lowercase().as_str(), "utc" | "gmt" | "etc/utc" | "z")
            }
            _ => false,
        },
        _ => false,
    }
}

fn arguments(arguments: &FunctionArguments) -> Option<Vec<&Expr>> {
    let list = match arguments {
        FunctionArguments::None => return Some(Vec::new()),
        FunctionArguments::Subquery(_) => return None,
        FunctionArguments::List(list) => list,
    };
    let plain = |argument| match argument {
        &FunctionArg::Unnamed(FunctionArgExpr::Expr(ref expression)) => Some(expression),
        _ => None,
    };
    list.args.iter().map(plain).collect()
}

/// The value that a column of a type gets from it; `None` where it has no such value.
pub(super) fn assign_client_value(value: ClientValue, ty: &Type) -> Option<ClientValue> {
    let Type::Native(native) = ty else { return None };
    match (value, native) {
        (
            ClientValue::Now | ClientValue::ShiftedNow(_) | ClientValue::ShiftedToday(_),
            NativeType::Timestamp,
        )
        | (ClientValue::Today, NativeType::Date | NativeType::Timestamp)
        | (ClientValue::TimeOfDay, NativeType::Time)
        | (
            ClientValue::NewUuid,
            NativeType::Uuid | NativeType::Timeuuid | NativeType::Text | NativeType::Ascii,
        )
        | (
            ClientValue::NextNumber,
            NativeType::Smallint | NativeType::Int | NativeType::Bigint | NativeType::Decimal,
        ) => Some(value),
        // A date plus an interval is a time: midnight, where the interval has whole days.
        (ClientValue::ShiftedToday(shift), NativeType::Date) if shift.millis % 86_400_000 == 0 => {
            Some(value)
        }
        (ClientValue::Now, NativeType::Date) => Some(ClientValue::Today),
        (ClientValue::Now, NativeType::Time) => Some(ClientValue::TimeOfDay),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use sqlparser::dialect::PostgreSqlDialect;
    use sqlparser::parser::Parser;

    use super::*;

    fn find(sql: &str) -> Option<ClientValue> {
        let mut parser = Parser::new(&PostgreSqlDialect {}).try_with_sql(sql).unwrap();
        find_client_value(&parser.parse_expr().unwrap())
    }

    #[test]
    fn spellings_of_dumps_and_applications() {
        let now = [
            "now()",
            "CURRENT_TIMESTAMP",
            "current_timestamp(3)",
            "LOCALTIMESTAMP",
            "timezone('utc'::text, now())",
            "(now() AT TIME ZONE 'utc'::text)",
            "('now'::text)::timestamp without time zone",
            "now()::timestamptz",
            "pg_catalog.now()",
        ];
        for sql in now {
            assert_eq!(find(sql), Some(ClientValue::Now), "{sql}");
        }
        for sql in ["CURRENT_DATE", "('now'::text)::date", "now()::date", "(CURRENT_DATE)"] {
            assert_eq!(find(sql), Some(ClientValue::Today), "{sql}");
        }
        for sql in ["gen_random_uuid()", "public.uuid_generate_v4()", "gen_random_uuid()::text"] {
            assert_eq!(find(sql), Some(ClientValue::NewUuid), "{sql}");
        }
        assert_eq!(find("nextval('a_id_seq'::regclass)"), Some(ClientValue::NextNumber));
        let week = TimeShift { months: 0, millis: -7 * 86_400_000 };
        for sql in ["now() - interval '7 days'", "(NOW() - '7 days'::interval)"] {
            assert_eq!(find(sql), Some(ClientValue::ShiftedNow(week)), "{sql}");
        }
        assert_eq!(find("CURRENT_DATE - INTERVAL '1 week'"), Some(ClientValue::ShiftedToday(week)));
        for sql in ["now() + x", "'now'", "lower('A')", "timezone('cet', now())"] {
            assert_eq!(find(sql), None, "{sql}");
        }
    }
}
