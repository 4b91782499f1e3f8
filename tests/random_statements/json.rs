//! JSON texts for `INSERT JSON` and `from_json`.

use super::schema::{Column, Table};
use super::statement_writer::{DEPTH_MAX, StatementWriter, join_commas};
use super::types::Ty;

impl StatementWriter<'_> {
    /// A JSON object for a row, as a CQL string.
    pub(super) fn json_row(&mut self, table: &Table) -> String {
        let mut entries = Vec::new();
        for column in &table.columns {
            let wanted = column.kind.is_key() || self.rng.roll(50);
            if !wanted || (column.kind.is_key() && self.slip("key not in JSON", 2)) {
                continue;
            }
            entries.push(self.json_entry(column));
        }
        if self.slip("unknown key in JSON", 2) {
            entries.push("\"missing\": 1".to_owned());
        }
        let mut text = format!("{{{}}}", join_commas(&entries));
        if self.slip("JSON cut short", 1) {
            text.pop();
        }
        if self.slip("JSON of another shape", 1) {
            self.pick_word(&["[1, 2]", "5", "null", "\"a\"", "", "true"]).clone_into(&mut text);
        }
        format!("'{}'", text.replace('\'', "''"))
    }

    fn json_entry(&mut self, column: &Column) -> String {
        let name = if self.slip("JSON key one letter off", 1) {
            self.misspell(&column.name)
        } else {
            column.name.clone()
        };
        let folded = name.to_lowercase() == name;
        let name = if folded && self.rng.roll(95) { name } else { format!("\\\"{name}\\\"") };
        let value =
            if self.slip("JSON null", 1) { "null".to_owned() } else { self.json(&column.ty) };
        format!("\"{name}\": {value}")
    }

    /// A JSON value for a type.
    pub(super) fn json(&mut self, ty: &Ty) -> String {
        if self.slip("JSON value of another type", 2) {
            let odd = [
                "\"abc\"",
                "5",
                "1.5",
                "true",
                "[]",
                "{}",
                "[1, \"a\"]",
                "{\"a\": 1}",
                "\"\"",
                "99999999999",
                "[null]",
            ];
            return self.pick_word(&odd).to_owned();
        }
        match ty.bare() {
            Ty::Native(name) => self.json_native(name),
            Ty::List(of) | Ty::Set(of) => format!("[{}, {}]", self.json(of), self.json(of)),
            Ty::Map(key, value) => {
                let key = match key.bare() {
                    Ty::Native(_) => self.json(key),
                    other => format!("\"{}\"", self.json(other).replace('"', "\\\"")),
                };
                let key = if key.starts_with('"') { key } else { format!("\"{key}\"") };
                format!("{{{key}: {}}}", self.json(value))
            }
            Ty::Tuple(fields) => {
                let mut parts: Vec<String> = fields.iter().map(|field| self.json(field)).collect();
                if self.slip("JSON tuple too long", 1) {
                    parts.push("1".to_owned());
                }
                format!("[{}]", join_commas(&parts))
            }
            Ty::Vector(of, size) => {
                let size = if self.slip("JSON vector dimension", 1) { size + 1 } else { *size };
                let parts: Vec<String> = (0..size).map(|_| self.json(of)).collect();
                format!("[{}]", join_commas(&parts))
            }
            Ty::User(_) if self.depth >= DEPTH_MAX => "null".to_owned(),
            Ty::User(name) => {
                self.depth += 1;
                let ty = self.home.and_then(|home| home.user_type(name));
                let fields = ty.map(|ty| ty.fields.clone()).unwrap_or_default();
                let mut parts = Vec::new();
                for (field, ty) in &fields {
                    let field = if self.slip("JSON field one letter off", 1) {
                        self.misspell(field)
                    } else {
                        field.clone()
                    };
                    let field = if field == field.to_lowercase() {
                        field
                    } else {
                        format!("\\\"{field}\\\"")
                    };
                    parts.push(format!("\"{field}\": {}", self.json(ty)));
                }
                self.depth -= 1;
                format!("{{{}}}", join_commas(&parts))
            }
            Ty::Frozen(_) => "null".to_owned(),
        }
    }

    fn json_native(&mut self, name: &str) -> String {
        let list: &[&str] = match name {
            "ascii" | "text" | "varchar" => &["\"abc\"", "\"x\"", "\"7\""],
            "blob" => &["\"0xcafe\"", "\"0x\""],
            "boolean" => &["true", "false", "\"true\""],
            "date" => &["\"2024-02-29\""],
            "decimal" | "double" | "float" => &["2.5", "3", "\"1.5\""],
            "duration" => &["\"2h30m\"", "\"P1Y\""],
            "inet" => &["\"10.0.0.1\"", "\"::1\""],
            "time" => &["\"12:30:00\""],
            "timestamp" => &["\"2024-01-01 10:00:00Z\"", "1700000000000"],
            "timeuuid" => &["\"50554d6e-29bb-11e5-b345-feff819cdc9f\""],
            "uuid" => &["\"123e4567-e89b-42d3-a456-426614174000\""],
            "varint" => &["123456789012345678901234567890", "5", "\"5\""],
            _ => &["1", "5", "\"7\""],
        };
        self.pick_word(list).to_owned()
    }
}
