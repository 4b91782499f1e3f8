//! Types of columns, each with a few values: few, so that writes meet.

use crate::rng::Rng;

/// A type whose values are one cell.
#[derive(Debug)]
pub(super) struct Scalar {
    pub(super) name: &'static str,
    /// Literals of it.
    pub(super) values: &'static [&'static str],
    /// Whether it may stand in a key.
    pub(super) in_key: bool,
    /// Whether it is a number that can be summed.
    pub(super) is_number: bool,
}

const fn key_scalar(name: &'static str, values: &'static [&'static str]) -> Scalar {
    Scalar { name, values, in_key: true, is_number: false }
}

const fn number(name: &'static str, values: &'static [&'static str]) -> Scalar {
    Scalar { name, values, in_key: true, is_number: true }
}

/// All of them. The first few are taken most often.
pub(super) static SCALARS: &[Scalar] = &[
    number("int", &["0", "1", "2", "7", "-1", "2147483647", "-2147483648"]),
    key_scalar("text", &["'a'", "'b'", "'ab'", "'zz'", "'\u{e4}'", "'B'"]),
    number("bigint", &["1", "0", "-5", "9223372036854775807", "300"]),
    key_scalar("boolean", &["true", "false"]),
    key_scalar(
        "uuid",
        &[
            "00000000-0000-4000-8000-000000000001",
            "f0000000-0000-4000-8000-000000000001",
            "10000000-0000-1000-8000-000000000002",
        ],
    ),
    key_scalar(
        "timeuuid",
        &[
            "10000000-0000-1000-8000-000000000002",
            "00000000-0000-1001-8000-000000000001",
            "f0000000-ffff-1000-80ff-000000000003",
        ],
    ),
    key_scalar("timestamp", &["0", "'2020-01-01'", "-1000", "1700000000123"]),
    key_scalar("date", &["'1970-01-01'", "'1969-12-31'", "'2024-02-29'"]),
    key_scalar("time", &["'00:00:00'", "'23:59:59.999999999'", "'08:12:54'"]),
    key_scalar("inet", &["'127.0.0.1'", "'10.0.0.1'", "'::1'"]),
    key_scalar("ascii", &["'x'", "'y'", "'xy'"]),
    key_scalar("blob", &["0x00", "0xff", "0x00ff", "0x01"]),
    number("smallint", &["1", "-1", "32767", "256"]),
    number("tinyint", &["1", "-1", "127", "-128"]),
    number("varint", &["0", "-1", "128", "123456789012345678901234567890", "-129"]),
    number("decimal", &["0", "1.0", "1.5", "-2.5", "1e10", "0.1"]),
    number("float", &["0.5", "-1.5", "1e10", "0"]),
    number("double", &["0.5", "-1.5", "1e100", "0", "3"]),
    Scalar {
        name: "duration",
        values: &["1mo2d", "3h", "-1s", "1y"],
        in_key: false,
        is_number: false,
    },
    key_scalar("frozen<list<int>>", &["[1]", "[1, 2]", "[2]", "[]"]),
    key_scalar("frozen<set<text>>", &["{'a'}", "{'b', 'a'}", "{}"]),
    key_scalar("frozen<map<int, text>>", &["{1: 'a'}", "{2: 'b', 1: 'a'}", "{}"]),
    key_scalar("frozen<tuple<int, text>>", &["(1, 'a')", "(1, null)", "(2, 'a')"]),
    key_scalar("frozen<pair>", &["{a: 1, b: 'x'}", "{a: 1}", "{a: 2, b: 'y'}"]),
    key_scalar("vector<float, 2>", &["[1.0, 2.0]", "[0.5, 0.25]", "[-1.0, 3.0]"]),
];

/// The type of a column.
#[derive(Clone, Copy, Debug)]
pub(super) enum ColumnType {
    Scalar(&'static Scalar),
    Counter,
    List(&'static Scalar),
    Set(&'static Scalar),
    Map(&'static Scalar, &'static Scalar),
    /// `pair`, a user type of the fields `a int` and `b text`, not frozen.
    Pair,
}

impl ColumnType {
    /// A type for a key.
    pub(super) fn for_key(rng: &mut Rng) -> &'static Scalar {
        loop {
            let chosen = scalar(rng);
            if chosen.in_key {
                return chosen;
            }
        }
    }

    /// A type for a column outside the key.
    pub(super) fn for_column(rng: &mut Rng) -> Self {
        // Elements are of simple types.
        let element = |rng: &mut Rng| *rng.pick(&[&SCALARS[0], &SCALARS[1], &SCALARS[2]]);
        match rng.number_below(100) {
            0..55 => Self::Scalar(scalar(rng)),
            55..65 => Self::List(element(rng)),
            65..77 => Self::Set(element(rng)),
            77..90 => {
                let key = element(rng);
                Self::Map(key, element(rng))
            }
            _ => Self::Pair,
        }
    }

    /// Its name in CQL.
    pub(super) fn name(self) -> String {
        match self {
            Self::Scalar(one) => one.name.to_owned(),
            Self::Counter => "counter".to_owned(),
            Self::List(element) => format!("list<{}>", element.name),
            Self::Set(element) => format!("set<{}>", element.name),
            Self::Map(key, value) => format!("map<{}, {}>", key.name, value.name),
            Self::Pair => "pair".to_owned(),
        }
    }

    /// Whether it is stored as many cells.
    pub(super) fn is_multi_cell(self) -> bool {
        matches!(self, Self::List(_) | Self::Set(_) | Self::Map(..) | Self::Pair)
    }

    /// A literal of it.
    pub(super) fn literal(self, rng: &mut Rng) -> String {
        match self {
            Self::Scalar(one) => (*rng.pick(one.values)).to_owned(),
            Self::Counter => rng.number_below(9).to_string(),
            Self::List(element) => format!("[{}]", some_values(element, rng).join(", ")),
            Self::Set(element) => format!("{{{}}}", some_values(element, rng).join(", ")),
            Self::Map(key, value) => {
                let keys = some_values(key, rng);
                let entries = keys.iter().map(|key| format!("{key}: {}", rng.pick(value.values)));
                format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
            }
            Self::Pair => match rng.number_below(3) {
                0 => format!("{{a: {}}}", rng.number_below(3)),
                1 => format!("{{a: {}, b: '{}'}}", rng.number_below(3), rng.number_below(2)),
                _ => format!("{{b: '{}'}}", rng.number_below(2)),
            },
        }
    }
}

fn scalar(rng: &mut Rng) -> &'static Scalar {
    if rng.roll(50) { &SCALARS[rng.number_below(4)] } else { rng.pick(SCALARS) }
}

/// Up to three values, each once: what a map makes of a key that comes twice is the parser's business.
pub(super) fn some_values(scalar: &Scalar, rng: &mut Rng) -> Vec<&'static str> {
    let mut values = scalar.values.to_vec();
    rng.shuffle(&mut values);
    values.truncate(rng.number_below(4));
    values
}
