//! Constants.

use crate::program::{ConstantValue, DataType};

use super::expression::{RustExpressions, RustValue, text_code};

impl RustExpressions<'_, '_> {
    /// A constant.
    pub(super) fn constant(&mut self, ty: &DataType, constant: &ConstantValue) -> RustValue {
        let code = match constant {
            ConstantValue::Null => return self.null(ty),
            ConstantValue::Varint(digits) => {
                return RustValue::option(format!("parse_varint({digits:?})"));
            }
            ConstantValue::Decimal(digits) => {
                return RustValue::option(format!("parse_decimal({digits:?})"));
            }
            ConstantValue::Uuid(text) => {
                let parse = format!("{}::from_str({text:?}).ok()", self.scope.types.name(ty));
                return RustValue::option(parse);
            }
            ConstantValue::Inet(text) => {
                return RustValue::option(format!("IpAddr::from_str({text:?}).ok()"));
            }
            ConstantValue::Boolean(truth) => truth.to_string(),
            ConstantValue::Integer(number) => {
                format!("{number}_{}", self.scope.types.name(ty))
            }
            ConstantValue::Double(number) => double_code(*number, &self.scope.types.name(ty)),
            ConstantValue::Text(text) => format!("{}.to_owned()", text_code(text)),
            ConstantValue::Timestamp(millis) => format!("CqlTimestamp({millis})"),
            ConstantValue::Date(day) => {
                let day = day.saturating_add(1 << 31);
                format!("CqlDate({})", u32::try_from(day).unwrap_or_default())
            }
            ConstantValue::Time(nanos) => format!("CqlTime({nanos})"),
            ConstantValue::Duration(months, days, nanoseconds) => {
                format!("to_duration({months}, {days}, {nanoseconds})")
            }
            ConstantValue::Blob(bytes) => {
                let bytes: Vec<_> = bytes.iter().map(u8::to_string).collect();
                format!("vec![{}]", bytes.join(", "))
            }
            ConstantValue::Elements(elements) => return self.elements(ty, elements),
        };
        RustValue { code, is_option: false }
    }

    fn elements(&mut self, ty: &DataType, elements: &[ConstantValue]) -> RustValue {
        let element = ty.element().cloned().unwrap_or(DataType::Blob);
        let name = self.scope.types.name(ty);
        let mut code = format!("Some({name}::new())").replace('<', "::<");
        for part in elements {
            let part = self.constant(&element, part).into_option();
            let part = self.short_argument(part);
            code = self.call("append", &[code, part], "");
        }
        RustValue::option(code)
    }
}

fn double_code(number: f64, ty: &str) -> String {
    if number.is_nan() {
        format!("{ty}::NAN")
    } else if number.is_infinite() {
        let sign = if number > 0.0 { "" } else { "NEG_" };
        format!("{ty}::{sign}INFINITY")
    } else {
        format!("{number:?}_{ty}")
    }
}
