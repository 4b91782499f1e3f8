//! Constants in Go.

use super::format::quote;
use super::scope::{GoScope, GoValue};
use crate::program::{ConstantValue, DataType};

impl GoScope<'_> {
    /// A constant of a type.
    pub(super) fn constant(&self, value: &ConstantValue, ty: &DataType) -> GoValue {
        let text = match value {
            ConstantValue::Null => return self.null(ty),
            ConstantValue::Boolean(truth) => truth.to_string(),
            ConstantValue::Integer(number) => write_integer(*number, ty, &self.types.plain(ty)),
            ConstantValue::Varint(digits) => match ty {
                DataType::Decimal => format!("decimalOf({}, 0)", quote(digits)),
                _ => format!("varintOf({})", quote(digits)),
            },
            ConstantValue::Decimal(digits) => write_decimal(digits),
            ConstantValue::Double(number) => write_double(*number, &self.types.plain(ty)),
            ConstantValue::Text(text) => quote(text),
            ConstantValue::Uuid(id) => format!("uuidOf({})", quote(id)),
            ConstantValue::Timestamp(millis) => format!("time.UnixMilli({millis}).UTC()"),
            ConstantValue::Date(day) => format!("dateOfDay({day})"),
            ConstantValue::Time(nanos) => format!("time.Duration({nanos})"),
            ConstantValue::Inet(address) => format!("net.ParseIP({})", quote(address)),
            ConstantValue::Duration(months, days, nanos) => {
                format!("gocql.Duration{{Months: {months}, Days: {days}, Nanoseconds: {nanos}}}")
            }
            ConstantValue::Blob(bytes) => {
                let bytes: Vec<String> = bytes.iter().map(|byte| format!("0x{byte:02x}")).collect();
                format!("[]byte{{{}}}", bytes.join(", "))
            }
            ConstantValue::Elements(elements) => {
                let element = ty.element().unwrap_or(&DataType::Text);
                let elements: Vec<String> =
                    elements.iter().map(|value| self.constant(value, element).to_plain()).collect();
                format!("{}{{{}}}", self.types.plain(ty), elements.join(", "))
            }
        };
        GoValue::plain(text, ty)
    }
}

fn write_integer(number: i64, ty: &DataType, name: &str) -> String {
    match ty {
        DataType::Varint => format!("varintOf(\"{number}\")"),
        DataType::Decimal => format!("decimalOf(\"{number}\", 0)"),
        _ => format!("{name}({number})"),
    }
}

fn write_double(number: f64, name: &str) -> String {
    if number.is_nan() {
        format!("{name}(math.NaN())")
    } else if number.is_infinite() {
        format!("{name}(math.Inf({}))", if number > 0.0 { 1 } else { -1 })
    } else {
        format!("{name}({number:?})")
    }
}

/// A decimal of digits, perhaps with a point or an exponent.
fn write_decimal(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let (mantissa, exponent) = lower.split_once('e').unwrap_or((&lower, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent: i64 = exponent.parse().unwrap_or_default();
    let scale = i64::try_from(fraction.len()).unwrap_or_default() - exponent;
    format!("decimalOf({}, {scale})", quote(&format!("{whole}{fraction}")))
}

#[cfg(test)]
mod tests {
    use super::write_decimal;

    #[test]
    fn decimals_have_digits_and_a_scale() {
        assert_eq!(write_decimal("125e-2"), "decimalOf(\"125\", 2)");
        assert_eq!(write_decimal("-1.50"), "decimalOf(\"-150\", 2)");
        assert_eq!(write_decimal("3e2"), "decimalOf(\"3\", -2)");
    }
}
