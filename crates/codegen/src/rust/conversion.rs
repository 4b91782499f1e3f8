//! The same value in another type.

use crate::program::DataType;

use super::expression::{RustExpressions, RustValue};

/// The code of a value in another type.
pub(super) fn convert(
    printer: &mut RustExpressions<'_, '_>,
    value: RustValue,
    from: &DataType,
    to: &DataType,
) -> RustValue {
    let types = printer.scope.types;
    if types.name(from) == types.name(to) {
        return value;
    }
    let code = value.into_option();
    let code = if code.len() > 40 { printer.bind(&code) } else { code };
    let mut call = |head: &str, code: String, tail: &str| printer.call(head, &[code], tail);
    let target = types.name(to);
    let is_whole = |ty: &DataType| ty.is_integer() && *ty != DataType::Varint;
    let is_fraction = |ty: &DataType| matches!(ty, DataType::Double | DataType::Float);
    let converted = match (from, to) {
        (from, to) if is_whole(from) && is_whole(to) => {
            if width(from) < width(to) {
                call(&format!("widen::<_, {target}>"), code, "")
            } else {
                call(&format!("resize::<_, {target}>"), code, "?")
            }
        }
        (from, DataType::Varint) if is_whole(from) => call("to_varint", code, ""),
        (DataType::Varint, to) if is_whole(to) => {
            let whole = call("from_varint", code, "?");
            if width(to) == 8 { whole } else { call(&format!("resize::<_, {target}>"), whole, "?") }
        }
        (from, DataType::Decimal) if is_whole(from) => call("to_decimal", code, ""),
        (DataType::Varint, DataType::Decimal) => call("varint_to_decimal", code, ""),
        (DataType::Double, DataType::Decimal) => call("double_to_decimal", code, ""),
        (DataType::Float, DataType::Decimal) => {
            let double = call("to_double", code, "");
            call("double_to_decimal", double, "")
        }
        (DataType::Decimal, to) if is_whole(to) => {
            let whole = call("decimal_to_whole", code, "?");
            if width(to) == 8 { whole } else { call(&format!("resize::<_, {target}>"), whole, "?") }
        }
        (from, DataType::Double) if from.is_integer() || is_number(from) => {
            call("to_double", code, "")
        }
        (from, DataType::Float) if from.is_integer() || is_number(from) => {
            let double = if is_fraction(from) { code } else { call("to_double", code, "") };
            call("to_float", double, "")
        }
        (DataType::Timestamp, DataType::Date) => call("timestamp_to_date", code, ""),
        (DataType::Timeuuid, DataType::Uuid) | (DataType::Uuid, DataType::Timeuuid) => {
            call(&format!("widen::<_, {target}>"), code, "")
        }
        (DataType::Decimal, DataType::Text | DataType::Ascii) => call("decimal_to_text", code, ""),
        (from, DataType::Text | DataType::Ascii)
            if is_whole(from) || *from == DataType::Boolean =>
        {
            call("to_text", code, "")
        }
        (from, to) if from.element().is_some() && from.element() == to.element() => {
            call(&format!("convert_elements::<_, {target}, _>"), code, "")
        }
        _ => return printer.null(to),
    };
    RustValue { code: converted, is_option: true }
}

const fn is_number(ty: &DataType) -> bool {
    matches!(ty, DataType::Double | DataType::Float | DataType::Decimal)
}

const fn width(ty: &DataType) -> u8 {
    match ty {
        DataType::Tinyint => 1,
        DataType::Smallint => 2,
        DataType::Int => 4,
        _ => 8,
    }
}
