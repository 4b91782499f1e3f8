//! Values as a person would write them for a type, and as a tired person would.

use super::schema::quote_name;
use super::statement_writer::{DEPTH_MAX, StatementWriter, join_commas};
use super::types::{NATIVES, Ty};

const TEXTS: &[&str] =
    &["'abc'", "'it''s'", "'Ünïcode'", "'x'", "$$a 'raw' one$$", "'2024-01-01'", "'7'"];

impl StatementWriter<'_> {
    /// A value for a type: a literal, a marker, a call; now and then a wrong one.
    pub(super) fn value(&mut self, ty: &Ty) -> String {
        if self.slip("value of another type", 2) {
            return self.wrong_value(ty);
        }
        if self.slip("null", 1) {
            return "null".to_owned();
        }
        if self.markers && self.rng.roll(55) {
            return self.marker();
        }
        if self.slip("marker without a value", 1) {
            return self.marker();
        }
        if self.rng.roll(7) {
            return self.expression_value(ty);
        }
        self.literal(ty)
    }

    /// A literal for a type.
    pub(super) fn literal(&mut self, ty: &Ty) -> String {
        match ty {
            Ty::Native(name) => self.native(name),
            Ty::Frozen(of) => self.literal(of),
            Ty::List(of) => format!("[{}]", self.elements(of)),
            Ty::Set(of) => format!("{{{}}}", self.elements(of)),
            Ty::Map(key, value) => {
                let count = self.rng.number_below(3);
                let entries: Vec<String> = (0..count)
                    .map(|_| format!("{}: {}", self.part(key), self.part(value)))
                    .collect();
                format!("{{{}}}", join_commas(&entries))
            }
            Ty::Tuple(fields) => {
                let mut parts: Vec<String> = fields.iter().map(|field| self.part(field)).collect();
                if self.slip("tuple too long", 1) {
                    parts.push("1".to_owned());
                }
                if parts.len() > 1 && self.slip("tuple too short", 1) {
                    parts.pop();
                }
                format!("({})", join_commas(&parts))
            }
            Ty::Vector(of, size) => {
                let mut size = *size;
                if self.slip("vector dimension", 2) {
                    size = if size > 1 && self.rng.roll(50) { size - 1 } else { size + 1 };
                }
                let parts: Vec<String> = (0..size).map(|_| self.dimension(of)).collect();
                format!("[{}]", join_commas(&parts))
            }
            Ty::User(_) if self.depth >= DEPTH_MAX => "null".to_owned(),
            Ty::User(name) => {
                self.depth += 1;
                let literal = self.user_literal(name);
                self.depth -= 1;
                literal
            }
        }
    }

    /// An element of a vector.
    fn dimension(&mut self, of: &Ty) -> String {
        if !of.is_native("float") {
            return self.literal(of);
        }
        if self.slip("vector that is not finite", 1) {
            // Executed, a search for it leaves a read open on the node for ever, and no schema can change any more.
            self.depends_on_data = true;
            return self.pick_word(&["NaN", "Infinity"]).to_owned();
        }
        self.pick_word(&["2.5", "3", "-1.5e3", "0.1"]).to_owned()
    }

    fn elements(&mut self, of: &Ty) -> String {
        let count = self.rng.number_below(3);
        let parts: Vec<String> = (0..count).map(|_| self.part(of)).collect();
        join_commas(&parts)
    }

    /// A value inside another one.
    fn part(&mut self, ty: &Ty) -> String {
        if self.slip("part of another type", 1) {
            return self.wrong_value(ty);
        }
        if self.slip("null inside", 1) {
            return "null".to_owned();
        }
        if self.markers && self.rng.roll(12) {
            return self.marker();
        }
        self.literal(ty)
    }

    fn user_literal(&mut self, name: &str) -> String {
        let fields = self
            .home
            .and_then(|home| home.user_type(name))
            .map(|ty| ty.fields.clone())
            .unwrap_or_default();
        let mut parts = Vec::new();
        for (field, ty) in &fields {
            if self.rng.roll(20) && fields.len() > 1 {
                continue;
            }
            let field =
                if self.slip("unknown field", 1) { self.misspell(field) } else { field.clone() };
            parts.push(format!("{}: {}", quote_name(&field), self.part(ty)));
        }
        if parts.is_empty()
            && let Some((field, ty)) = fields.first()
        {
            parts.push(format!("{}: {}", quote_name(field), self.part(ty)));
        }
        format!("{{{}}}", join_commas(&parts))
    }

    fn integer(&mut self) -> String {
        self.pick_word(&["0", "1", "2", "3", "7", "42", "100", "-1", "-128"]).to_owned()
    }

    /// A literal of a native type.
    pub(super) fn native(&mut self, name: &str) -> String {
        let integer = self.integer();
        let list: &[&str] = match name {
            "ascii" => &["'abc'", "'x y'", "'7'"],
            "text" | "varchar" => TEXTS,
            "bigint" | "counter" => &["9000000000", "1", "-5", "2147483648"],
            "blob" => &["0xcafe", "0x00", "0x", "0xCAFEBABE01"],
            "boolean" => &["true", "false", "TRUE"],
            "date" => &["'2024-02-29'", "'1969-12-31'", "'2011-02-03'", "2147483648"],
            "decimal" => &["1.5", "3", "-0.25", "1e10", "12345678901234567890.123"],
            "double" | "float" => &["2.5", "3", "-1.5e3", "NaN", "Infinity", "-Infinity"],
            "duration" => &["2h30m", "1y2mo", "P1Y2M", "-3d", "P0001-02-03T04:05:06", "PT5S", "1w"],
            "inet" => &["'10.0.0.1'", "'::1'", "'127.0.0.1'"],
            "time" => &["'12:30:00'", "'00:00:00.123456789'", "45000000000"],
            "timestamp" => &[
                "'2024-01-01 10:00:00+0000'",
                "'2024-01-01'",
                "1700000000000",
                "'2024-06-30T12:00:00.5Z'",
            ],
            "timeuuid" => &[
                "now()",
                "50554d6e-29bb-11e5-b345-feff819cdc9f",
                "a4a70900-24e1-11df-8924-001ff3591711",
            ],
            "uuid" => &[
                "uuid()",
                "123e4567-e89b-42d3-a456-426614174000",
                "50554d6e-29bb-11e5-b345-feff819cdc9f",
            ],
            "varint" => &["123456789012345678901234567890", "5", "-1"],
            _ => return integer,
        };
        self.pick_word(list).to_owned()
    }

    /// A value that is computed, of that type.
    fn expression_value(&mut self, ty: &Ty) -> String {
        let Ty::Native(name) = ty else { return format!("({ty}) {}", self.literal(ty)) };
        let argument = if self.slip("argument of another type", 2) { "'abc'" } else { "5" };
        match *name {
            "timestamp" => self
                .pick_word(&["to_timestamp(now())", "current_timestamp()", "toTimestamp(now())"])
                .to_string(),
            "date" => self
                .pick_word(&["current_date()", "to_date(now())", "to_date(current_timestamp())"])
                .to_string(),
            "time" => "current_time()".to_owned(),
            "timeuuid" => self
                .pick_word(&["now()", "current_timeuuid()", "min_timeuuid('2024-01-01')"])
                .to_owned(),
            "blob" => format!(
                "{}({argument})",
                self.pick_word(&["int_as_blob", "bigintAsBlob", "varint_as_blob"])
            ),
            "int" => match self.rng.number_below(5) {
                0 => format!("(int) {argument}"),
                1 => "1 + 2".to_owned(),
                2 => "blob_as_int(0x00000005)".to_owned(),
                3 => format!("cast({argument} as int)"),
                _ => "- 4".to_owned(),
            },
            "bigint" => self
                .pick_word(&[
                    "to_unix_timestamp(now())",
                    "2 * 3",
                    "blobAsBigint(0x0000000000000005)",
                ])
                .to_string(),
            "text" => self
                .pick_word(&["'a' + 'b'", "to_json(5)", "(text) 'abc'", "blob_as_text(0x61)"])
                .to_owned(),
            "double" => self.pick_word(&["1.5 + 2", "10 / 4", "(double) 3"]).to_owned(),
            "uuid" => "uuid()".to_owned(),
            other => format!("({other}) {}", self.native(other)),
        }
    }

    /// A value that does not fit the type, though not from another world.
    pub(super) fn wrong_value(&mut self, ty: &Ty) -> String {
        match ty.bare() {
            Ty::Native(name) => self.wrong_native(name),
            Ty::List(of) | Ty::Set(of) => match self.rng.number_below(5) {
                0 => self.literal(of),
                1 => format!("{{{0}: {0}}}", self.literal(of)),
                2 => format!("({})", self.literal(of)),
                3 if matches!(ty.bare(), Ty::List(_)) => format!("{{{}}}", self.literal(of)),
                3 => format!("[{}]", self.literal(of)),
                _ => {
                    let wrong = self.wrong_value(of);
                    if matches!(ty.bare(), Ty::List(_)) {
                        format!("[{wrong}]")
                    } else {
                        format!("{{{wrong}}}")
                    }
                }
            },
            Ty::Map(key, value) => match self.rng.number_below(4) {
                0 => format!("{{{}}}", self.literal(key)),
                1 => format!("[{}]", self.literal(value)),
                2 => format!("{{{}: {}}}", self.wrong_value(key), self.literal(value)),
                _ => format!("{{{}: {}}}", self.literal(key), self.wrong_value(value)),
            },
            Ty::Tuple(_) => {
                self.pick_word(&["(1, 2, 3, 4, 5, 6)", "5", "('a')", "[1, 2]", "{1, 2}"]).to_owned()
            }
            Ty::Vector(..) => self
                .pick_word(&[
                    "[1.0]",
                    "['a', 'b']",
                    "{1.0, 2.0}",
                    "1.0",
                    "[]",
                    "[null, 1.0]",
                    "[1.0, 2.0, 3.0, 4.0]",
                ])
                .to_owned(),
            Ty::User(_) => self
                .pick_word(&["{street: 'x'}", "(1, 2)", "'abc'", "{'a': 1}", "5", "{}"])
                .to_owned(),
            Ty::Frozen(_) => "null".to_owned(),
        }
    }

    fn wrong_native(&mut self, name: &str) -> String {
        let odd: &[&str] = match name {
            "int" => &["2147483648", "1.5", "'5'", "0x05", "5 + 'a'", "NaN"],
            "tinyint" => &["128", "'1'", "1.0", "(int) 1"],
            "smallint" => &["32768", "(bigint) 4", "'x'"],
            "bigint" | "counter" => &["9223372036854775808", "1e3", "'1'"],
            "text" | "varchar" => &["5", "abc", "0xcafe", "true", "now()", "'a' - 'b'", "{'a'}"],
            "ascii" => &["'é'", "5", "0x61"],
            "boolean" => &["1", "'true'", "yes", "0"],
            "date" => &["'2024-13-01'", "'yesterday'", "4294967296", "-1", "now()", "1.5"],
            "time" => &["'25:00:00'", "'noon'", "86400000000000", "-1"],
            "timestamp" => &[
                "'2024-99-01'",
                "'soon'",
                "1.5",
                "99999999999999999999",
                "now()",
                "(date) '2024-01-01'",
            ],
            "uuid" => &[
                "'123e4567-e89b-42d3-a456-426614174000'",
                "123e4567-e89b-42d3-a456-42661417400",
                "5",
                "now() + 1",
            ],
            "timeuuid" => &["123e4567-e89b-42d3-a456-426614174000", "uuid()", "'now'", "5"],
            "inet" => &["'300.0.0.1'", "'localhost.'", "10.0", "5"],
            "blob" => &["'cafe'", "0xabc", "5", "text_as_blob(5)", "now()"],
            "duration" => &["'1h'", "5", "1h1h", "1m1h", "P1X"],
            "float" | "double" => &["'1.5'", "true", "0x01", "Infinite", "1.5f"],
            "decimal" | "varint" => &["1.5", "'1'", "NaN", "0x01", "true"],
            _ => &["'?'"],
        };
        if self.rng.roll(60) {
            return self.pick_word(odd).to_owned();
        }
        match self.rng.number_below(6) {
            0 => "[1, 2]".to_owned(),
            1 => "{'a': 1}".to_owned(),
            2 => "(1, 'a')".to_owned(),
            3 => format!(
                "{}()",
                self.pick_word(&["now", "uuid", "current_date", "nowt", "token", "count"])
            ),
            _ => {
                let other = self.pick_word(NATIVES);
                self.native(other)
            }
        }
    }
}
