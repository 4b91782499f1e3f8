//! Formats values as cqlsh shows them in tables, and as COPY writes them.

use std::net::IpAddr;

use cql::types::{NativeType, Type};
use cql::value::{self, Duration, Value};
use unicode_width::UnicodeWidthStr;

use super::{number, timestamp};

/// The escape sequences of cqlsh's colours.
pub(super) const RED: &str = "\x1b[0;1;31m";
pub(super) const GREEN: &str = "\x1b[0;1;32m";
pub(super) const YELLOW: &str = "\x1b[0;1;33m";
pub(super) const BLUE: &str = "\x1b[0;1;34m";
pub(super) const MAGENTA: &str = "\x1b[0;1;35m";
pub(super) const CYAN: &str = "\x1b[0;1;36m";
pub(super) const WHITE: &str = "\x1b[0;1;37m";
const DARK_MAGENTA: &str = "\x1b[0;35m";
pub(super) const RESET: &str = "\x1b[0m";

/// A formatted value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cell {
    /// The text, with escape sequences if colours are on.
    pub(super) text: String,
    /// Its width in terminal columns.
    pub(super) width: usize,
}

/// How values are formatted.
#[derive(Clone, Debug)]
pub(super) struct CellFormat {
    /// Whether colours are used.
    pub(super) color: bool,
    /// Whether control characters and backslashes in texts are escaped.
    pub(super) escapes: bool,
    /// The number of digits of a `float`, and of any floating-point number in a collection.
    pub(super) float_digits: usize,
    /// The number of digits of a `double`.
    pub(super) double_digits: usize,
    /// The text for null.
    pub(super) null: String,
    /// The `strftime` pattern of timestamps.
    pub(super) timestamp_pattern: String,
    /// Whether timestamps are truncated to milliseconds.
    pub(super) milliseconds: bool,
    /// The texts for true and false.
    pub(super) booleans: (String, String),
    /// The decimal point and the thousands separator.
    pub(super) separators: (String, String),
}

impl CellFormat {
    /// The format of tables.
    pub(crate) fn for_tables(color: bool) -> Self {
        Self {
            color,
            escapes: true,
            float_digits: 5,
            double_digits: 5,
            null: "null".to_owned(),
            timestamp_pattern: timestamp::DEFAULT_PATTERN.to_owned(),
            milliseconds: false,
            booleans: ("True".to_owned(), "False".to_owned()),
            separators: (".".to_owned(), String::new()),
        }
    }

    /// Formats a value of a result.
    pub(crate) fn value(&self, ty: &Type, bytes: Option<&[u8]>) -> Cell {
        let Some(bytes) = bytes else { return self.paint(RED, self.null.clone()) };
        let is_double = matches!(ty, Type::Native(NativeType::Double));
        let digits = if is_double { self.double_digits } else { self.float_digits };
        match value::decode(ty, bytes) {
            Ok(value) => ValueFormatter { format: self, digits }.format_value(ty, &value, false),
            Err(_) => self.paint(DARK_MAGENTA, format!("0x{}", value::bytes_to_hex(bytes))),
        }
    }

    /// Formats the name of a column.
    pub(crate) fn name(&self, name: &str, color: &str) -> Cell {
        self.text(name, false, color)
    }

    /// Colours a text, without escaping it.
    pub(crate) fn paint(&self, color: &str, text: String) -> Cell {
        let width = text.chars().count();
        Cell { text: if self.color { format!("{color}{text}{RESET}") } else { text }, width }
    }

    fn text(&self, text: &str, quote: bool, color: &str) -> Cell {
        let quoted = if quote { text.replace('\'', "''") } else { text.to_owned() };
        let mut shown = if self.escapes { escape_text(&quoted) } else { quoted };
        if quote {
            shown = format!("'{shown}'");
        }
        let width = shown.width();
        if !self.color {
            return Cell { text: shown, width };
        }
        let (highlighted, doubled) = highlight_escapes(&shown, color);
        Cell { text: format!("{color}{highlighted}{RESET}"), width: width - doubled }
    }

    fn format_number(&self, number: String) -> Cell {
        let (point, thousands) = &self.separators;
        let plain = point == "." && thousands.is_empty();
        let number =
            if plain { number } else { number::apply_separators(&number, point, thousands) };
        self.paint(GREEN, number)
    }

    fn format_timestamp(&self, millis: i64) -> String {
        let printed = timestamp::print(millis, &self.timestamp_pattern);
        if self.milliseconds { timestamp::truncate_to_millis(&printed) } else { printed }
    }
}

/// Formats a value and its elements, with the number of digits that the outermost type determines.
struct ValueFormatter<'a> {
    format: &'a CellFormat,
    digits: usize,
}

impl ValueFormatter<'_> {
    fn format_value(&self, ty: &Type, value: &Value, quote: bool) -> Cell {
        let format = self.format;
        let green = |text: String| format.paint(GREEN, text);
        let quoted = |text: String| green(if quote { format!("'{text}'") } else { text });
        match value {
            Value::Null => green("None".to_owned()),
            Value::Empty => Cell::default(),
            Value::Ascii(text) | Value::Text(text) => format.text(text, quote, YELLOW),
            Value::Bigint(number) | Value::Counter(number) => {
                format.format_number(number.to_string())
            }
            Value::Int(number) => format.format_number(number.to_string()),
            Value::Smallint(number) => format.format_number(number.to_string()),
            Value::Tinyint(number) => format.format_number(number.to_string()),
            Value::Varint(number) => format.format_number(number.to_string()),
            Value::Decimal(number) => format.format_number(number.to_string()),
            Value::Double(number) => {
                format.format_number(number::format_float(*number, self.digits))
            }
            Value::Float(number) => {
                format.format_number(number::format_float(f64::from(*number), self.digits))
            }
            Value::Blob(bytes) | Value::Custom(bytes) => {
                format.paint(DARK_MAGENTA, format!("0x{}", value::bytes_to_hex(bytes)))
            }
            Value::Boolean(true) => green(format.booleans.0.clone()),
            Value::Boolean(false) => green(format.booleans.1.clone()),
            Value::Date(day) => green(timestamp::print_day(i64::from(*day) - (1 << 31))),
            Value::Time(nanos) => green(timestamp::print_time(*nanos)),
            Value::Timestamp(millis) => quoted(format.format_timestamp(*millis)),
            Value::Duration(duration) => green(duration_text(*duration)),
            Value::Inet(address) => quoted(inet_text(*address)),
            Value::Timeuuid(uuid) | Value::Uuid(uuid) => green(uuid.to_string()),
            Value::List(_)
            | Value::Set(_)
            | Value::Map(_)
            | Value::Tuple(_)
            | Value::User(_)
            | Value::Vector(_) => self.format_compound(ty, value),
        }
    }

    fn format_compound(&self, ty: &Type, value: &Value) -> Cell {
        let all = |element: &Type, values: &[Value]| -> Vec<Cell> {
            values.iter().map(|value| self.format_value(element, value, true)).collect()
        };
        match (ty, value) {
            (Type::List(element, _), Value::List(values))
            | (Type::Vector(element, _), Value::Vector(values)) => {
                self.enclose("[", all(element, values), "]")
            }
            (Type::Set(element, _), Value::Set(values)) => {
                let mut values = values.clone();
                sort_as_python(&mut values, |value| value);
                self.enclose("{", all(element, &values), "}")
            }
            (Type::Map(entry, _), Value::Map(entries)) => {
                let mut entries = entries.clone();
                sort_as_python(&mut entries, |(key, _)| key);
                let pair = |(key, value): &(Value, Value)| {
                    self.join_pair(
                        self.format_value(&entry.0, key, true),
                        &self.format_value(&entry.1, value, true),
                    )
                };
                self.enclose("{", entries.iter().map(pair).collect(), "}")
            }
            (Type::Tuple(types), Value::Tuple(values)) => {
                let part = |(at, ty): (usize, &Type)| {
                    self.format_value(ty, values.get(at).unwrap_or(&Value::Null), true)
                };
                self.enclose("(", types.iter().enumerate().map(part).collect(), ")")
            }
            (Type::User(user, _), Value::User(values)) => {
                let field = |(at, (name, ty)): (usize, &(Box<str>, Type))| {
                    let shown = match values.get(at) {
                        None | Some(Value::Null) => {
                            self.format.paint(RED, self.format.null.clone())
                        }
                        Some(value) => self.format_value(ty, value, true),
                    };
                    self.join_pair(self.format.text(name, false, YELLOW), &shown)
                };
                self.enclose("{", user.fields.iter().enumerate().map(field).collect(), "}")
            }
            _ => Cell::default(),
        }
    }

    fn join_pair(&self, mut key: Cell, value: &Cell) -> Cell {
        append(&mut key, &self.format.paint(BLUE, ": ".to_owned()));
        append(&mut key, value);
        key
    }

    fn enclose(&self, open: &str, parts: Vec<Cell>, close: &str) -> Cell {
        let mut whole = self.format.paint(BLUE, open.to_owned());
        for (at, part) in parts.into_iter().enumerate() {
            if at > 0 {
                append(&mut whole, &self.format.paint(BLUE, ", ".to_owned()));
            }
            append(&mut whole, &part);
        }
        append(&mut whole, &self.format.paint(BLUE, close.to_owned()));
        whole
    }
}

fn append(cell: &mut Cell, other: &Cell) {
    cell.text.push_str(&other.text);
    cell.width += other.width;
}

/// Sorts as cqlsh does: Python orders UUIDs by bytes and addresses by text, unlike Cassandra.
fn sort_as_python<T>(values: &mut [T], key: impl Fn(&T) -> &Value) {
    let rank = |value: &T| match key(value) {
        Value::Uuid(uuid) | Value::Timeuuid(uuid) => uuid.0.to_vec(),
        Value::Inet(address) => inet_text(*address).into_bytes(),
        _ => Vec::new(),
    };
    values.sort_by_cached_key(rank);
}

/// IPv4-mapped IPv6 addresses are shown as IPv4.
fn inet_text(address: IpAddr) -> String {
    address.to_canonical().to_string()
}

/// Doubles backslashes, and escapes control characters as Python does.
fn escape_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\x1f' | '\x7f'..='\u{a0}' => {
                out.extend(format!("\\x{:02x}", u32::from(character)).chars());
            }
            _ => out.push(character),
        }
    }
    out
}

/// Colours the escapes. A literal backslash is then distinguishable and written once; the number of
/// such backslashes is returned, for the width.
fn highlight_escapes(text: &str, color: &str) -> (String, usize) {
    let mut out = String::with_capacity(text.len());
    let mut doubled = 0;
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let length = match escape.chars().nth(1) {
            Some('\\') => {
                doubled += 1;
                out.push('\\');
                rest = escape.get(2..).unwrap_or_default();
                continue;
            }
            Some('x') => 4,
            Some(other) => 1 + other.len_utf8(),
            None => 1,
        };
        let (escape, tail) = escape.split_at_checked(length).unwrap_or((escape, ""));
        out.extend([DARK_MAGENTA, escape, color]);
        rest = tail;
    }
    out.push_str(rest);
    (out, doubled)
}

/// `1y2mo3d4h5m6s7ms8us9ns`.
fn duration_text(duration: Duration) -> String {
    let mut out = String::new();
    if duration.is_negative() {
        out.push('-');
    }
    let mut put = |rest: u64, sizes: &[(u64, &str)]| {
        let mut rest = rest;
        for (size, unit) in sizes {
            if rest >= *size {
                out.extend([&*(rest / size).to_string(), unit]);
                rest %= size;
            }
        }
    };
    put(u64::from(duration.months.unsigned_abs()), &[(12, "y"), (1, "mo")]);
    put(u64::from(duration.days.unsigned_abs()), &[(1, "d")]);
    let units = [
        (3_600_000_000_000, "h"),
        (60_000_000_000, "m"),
        (1_000_000_000, "s"),
        (1_000_000, "ms"),
        (1_000, "us"),
        (1, "ns"),
    ];
    put(duration.nanos.unsigned_abs(), &units);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format_cell(color: bool, ty: NativeType, text: &str) -> Cell {
        let ty = Type::Native(ty);
        let bytes = value::from_text(&ty, text, 0).unwrap();
        CellFormat::for_tables(color).value(&ty, Some(&bytes))
    }

    #[test]
    fn control_characters_are_escaped() {
        let cell = format_cell(false, NativeType::Text, "tab\tnew\nline é 漢字 \\ back\u{a0}");
        assert_eq!(cell.text, r"tab\tnew\nline é 漢字 \\ back\xa0");
        assert_eq!(cell.width, 33);
        let colored = format_cell(true, NativeType::Text, "a\\b\n");
        assert_eq!(colored.text, format!("{YELLOW}a\\b{DARK_MAGENTA}\\n{YELLOW}{RESET}"));
        assert_eq!(colored.width, 5);
    }

    #[test]
    fn native_types_as_in_cqlsh() {
        let plain = |ty, text| format_cell(false, ty, text).text;
        assert_eq!(plain(NativeType::Boolean, "true"), "True");
        assert_eq!(plain(NativeType::Blob, "00ff"), "0x00ff");
        assert_eq!(plain(NativeType::Duration, "1y2mo3d4h5m6s7ms8us9ns"), "1y2mo3d4h5m6s7ms8us9ns");
        assert_eq!(plain(NativeType::Duration, "0s"), "");
        assert_eq!(plain(NativeType::Inet, "::ffff:1.2.3.4"), "1.2.3.4");
        assert_eq!(plain(NativeType::Date, "2026-01-02"), "2026-01-02");
        assert_eq!(plain(NativeType::Int, ""), "");
        assert_eq!(CellFormat::for_tables(false).value(&NativeType::Int.into(), None).text, "null");
    }
}
