//! What stands in a selection: columns, elements, fields, calls, casts and arithmetic.

use super::schema::{Column, Table, quote_name};
use super::statement_writer::{StatementWriter, join_commas};
use super::types::{NATIVES, NUMBERS, Ty};

/// Native functions with the classes of their arguments.
const FUNCTIONS: &[(&str, &[&str])] = &[
    ("to_timestamp", &["timeuuid"]),
    ("to_timestamp", &["date"]),
    ("to_date", &["timestamp"]),
    ("toDate", &["timeuuid"]),
    ("to_unix_timestamp", &["timestamp"]),
    ("min_timeuuid", &["timestamp"]),
    ("maxTimeuuid", &["timestamp"]),
    ("blob_as_int", &["blob"]),
    ("blobAsText", &["blob"]),
    ("int_as_blob", &["int"]),
    ("text_as_blob", &["text"]),
    ("boolean_as_blob", &["boolean"]),
    ("abs", &["number"]),
    ("exp", &["number"]),
    ("log", &["number"]),
    ("log10", &["number"]),
    ("round", &["number"]),
    ("mask_default", &["any"]),
    ("mask_null", &["any"]),
    ("mask_inner", &["text", "small", "small"]),
    ("mask_outer", &["text", "small", "small", "letter"]),
    ("mask_hash", &["any"]),
    ("collection_count", &["collection"]),
    ("collection_min", &["list"]),
    ("collection_max", &["list"]),
    ("collection_sum", &["numbers"]),
    ("collection_avg", &["numbers"]),
    ("map_keys", &["map"]),
    ("map_values", &["map"]),
    ("similarity_cosine", &["vector", "vector"]),
    ("similarity_euclidean", &["vector", "vector"]),
    ("to_json", &["any"]),
    ("toJson", &["any"]),
    ("now", &[]),
    ("uuid", &[]),
    ("current_timestamp", &[]),
    ("currentDate", &[]),
    ("floor", &["timestamp", "span"]),
    ("dateOf", &["timeuuid"]),
];

const AGGREGATES: &[&str] = &["min", "max", "sum", "avg", "count"];

impl StatementWriter<'_> {
    /// Something to select.
    pub(super) fn expression(&mut self, table: &Table, depth: usize) -> String {
        let column = self.rng.pick(&table.columns).clone();
        match self.rng.number_below(if depth > 1 { 3 } else { 10 }) {
            0 | 1 => self.column_name(&column),
            2 => self.column_part(&column),
            3 => self.writetime_or_ttl(table),
            4 => self.cast(table, depth),
            5 | 6 => self.call(table, depth),
            7 => self.arithmetic(table),
            8 => self.type_hint(),
            _ => self.token_or_user_call(table),
        }
    }

    /// An element, slice or field of a column, or the column.
    fn column_part(&mut self, column: &Column) -> String {
        let name = self.column_name(column);
        if self.slip("element of what has none", 1) {
            return format!("{name}[1]");
        }
        if self.slip("field of what has none", 1) {
            return format!("{name}.street");
        }
        match column.ty.bare() {
            Ty::Map(key, _) => {
                let key = key.clone();
                if self.rng.roll(30) {
                    format!("{name}[{}..{}]", self.value(&key), self.value(&key))
                } else {
                    format!("{name}[{}]", self.value(&key))
                }
            }
            Ty::Set(of) => {
                let of = of.clone();
                if self.rng.roll(30) {
                    format!("{name}[{}..]", self.value(&of))
                } else {
                    format!("{name}[{}]", self.value(&of))
                }
            }
            Ty::User(ty) => {
                let field = self.user_type_field(ty);
                format!("{name}.{field}")
            }
            _ => name,
        }
    }

    /// A field of a user type, now and then one letter off.
    pub(super) fn user_type_field(&mut self, user_type: &str) -> String {
        let fields =
            self.home.and_then(|home| home.user_type(user_type)).map(|ty| ty.fields.clone());
        let fields = fields.unwrap_or_default();
        if fields.is_empty() {
            return "nothing".to_owned();
        }
        let field = self.rng.pick(&fields).0.clone();
        let field =
            if self.slip("field one letter off", 2) { self.misspell(&field) } else { field };
        quote_name(&field)
    }

    fn writetime_or_ttl(&mut self, table: &Table) -> String {
        let function = self.pick_word(&["writetime", "ttl", "maxwritetime"]);
        let values = table.values();
        let single: Vec<&Column> = values
            .iter()
            .copied()
            .filter(|c| function == "maxwritetime" || !c.ty.is_multicell())
            .collect();
        if single.is_empty() || self.slip("age of a key or collection", 3) {
            let column = self.rng.pick(&table.columns);
            return format!("{function}({})", quote_name(&column.name));
        }
        let column = (*self.rng.pick(&single)).clone();
        format!("{function}({})", self.column_name(&column))
    }

    fn cast(&mut self, table: &Table, depth: usize) -> String {
        let numbers: Vec<&Column> = table.columns.iter().filter(|c| c.ty.is_number()).collect();
        if numbers.is_empty() || self.slip("cast of something else", 2) {
            let to = self.pick_word(NATIVES);
            return format!("cast({} as {to})", self.expression(table, depth + 1));
        }
        let column = self.rng.pick(&numbers).name.clone();
        let to = if self.slip("cast to something else", 2) {
            self.pick_word(NATIVES)
        } else {
            self.pick_word(NUMBERS)
        };
        format!("cast({} as {to})", quote_name(&column))
    }

    /// A call of a native function.
    pub(super) fn call(&mut self, table: &Table, depth: usize) -> String {
        let (mut name, classes) = *self.rng.pick(FUNCTIONS);
        let mut arguments: Vec<String> =
            classes.iter().map(|class| self.argument(class, table, depth)).collect();
        if self.slip("one argument too many", 1) {
            arguments.push("1".to_owned());
        }
        if self.slip("one argument too few", 1) {
            arguments.pop();
        }
        if self.slip("unknown function", 1) {
            name = "to_stamp";
        }
        format!("{name}({})", join_commas(&arguments))
    }

    fn argument(&mut self, class: &str, table: &Table, depth: usize) -> String {
        if self.slip("argument of another class", 2) {
            return self.expression(table, depth + 1);
        }
        let fits = |ty: &Ty| match class {
            "any" => true,
            "number" => ty.is_number(),
            "collection" => ty.is_collection(),
            "list" => matches!(ty.bare(), Ty::List(_) | Ty::Set(_)),
            "numbers" => matches!(ty.bare(), Ty::List(of) | Ty::Set(of) if of.is_number()),
            "map" => matches!(ty.bare(), Ty::Map(..)),
            "vector" => matches!(ty.bare(), Ty::Vector(of, _) if of.is_native("float")),
            native => ty.is_native(native),
        };
        let columns: Vec<&Column> =
            table.columns.iter().filter(|column| fits(&column.ty)).collect();
        if !columns.is_empty() && self.rng.roll(80) {
            let column = (*self.rng.pick(&columns)).clone();
            return self.column_name(&column);
        }
        match class {
            "any" | "number" => "(int) 5".to_owned(),
            "small" => self.pick_word(&["1", "2", "0"]).to_owned(),
            "letter" => "'#'".to_owned(),
            "span" => self.pick_word(&["1h", "2d", "1mo"]).to_owned(),
            "collection" | "list" | "numbers" => "(list<int>) [1, 2]".to_owned(),
            "map" => "(map<text, int>) {'a': 1}".to_owned(),
            "vector" => "(vector<float, 2>) [1.0, 2.0]".to_owned(),
            native => format!("({native}) {}", self.native(native)),
        }
    }

    fn arithmetic(&mut self, table: &Table) -> String {
        let numbers: Vec<&Column> = table.columns.iter().filter(|c| c.ty.is_number()).collect();
        // Division by a stored zero would make the verdict a matter of data.
        self.depends_on_data = true;
        if numbers.is_empty() || self.slip("arithmetic on something else", 2) {
            let column = self.rng.pick(&table.columns);
            return format!("{} {} 1", quote_name(&column.name), self.pick_word(&["+", "-", "*"]));
        }
        let left = (*self.rng.pick(&numbers)).clone();
        let right = self.rng.pick(&numbers).name.clone();
        let operator = self.pick_word(&["+", "-", "*", "/", "%"]);
        let left = self.column_name(&left);
        match self.rng.number_below(3) {
            0 => format!("{left} {operator} {}", quote_name(&right)),
            1 => format!("{left} {operator} 2"),
            _ => format!("-({left} {operator} (int) 3)"),
        }
    }

    fn type_hint(&mut self) -> String {
        let ty = Ty::Native(self.pick_word(NATIVES));
        match self.rng.number_below(4) {
            0 if self.slip("literal without a type", 4) => self.literal(&ty),
            0 | 1 => format!("({ty}) {}", self.value(&ty)),
            2 => format!("(list<{ty}>) [{}]", self.value(&ty)),
            _ => format!("(tuple<{ty}, int>) ({}, 1)", self.value(&ty)),
        }
    }

    fn token_or_user_call(&mut self, table: &Table) -> String {
        let functions: Vec<_> =
            self.home.map(|home| home.functions.iter().collect()).unwrap_or_default();
        if !functions.is_empty() && self.rng.roll(60) {
            let function = (*self.rng.pick(&functions)).clone();
            self.depends_on_data = true;
            let arguments: Vec<String> =
                function.arguments.iter().map(|ty| self.argument_of_type(ty, table)).collect();
            let home = self.home.map(|home| home.name.clone()).unwrap_or_default();
            let name = if self.slip("function one letter off", 2) {
                self.misspell(&function.name)
            } else {
                function.name
            };
            let path = if self.slip("function without keyspace", 1) {
                name
            } else {
                format!("{home}.{name}")
            };
            return format!("{path}({})", join_commas(&arguments));
        }
        let mut names: Vec<String> =
            table.partition().iter().map(|column| quote_name(&column.name)).collect();
        if self.slip("token of part of the key", 2) {
            names.pop();
        }
        format!("token({})", join_commas(&names))
    }

    fn argument_of_type(&mut self, ty: &Ty, table: &Table) -> String {
        if self.slip("user function argument", 2) {
            return self.expression(table, 2);
        }
        let column = table.columns.iter().find(|column| column.ty == *ty);
        match column {
            Some(column) => quote_name(&column.name),
            None => format!("({ty}) {}", self.literal(ty)),
        }
    }

    /// A call of an aggregate.
    pub(super) fn aggregate(&mut self, table: &Table) -> String {
        if self.rng.roll(25) {
            return self.pick_word(&["count(*)", "count(1)", "COUNT(*) AS n"]).to_owned();
        }
        let function = self.pick_word(AGGREGATES);
        let numeric = matches!(function, "sum" | "avg");
        let fits: Vec<&Column> = table
            .columns
            .iter()
            .filter(|c| matches!(c.ty, Ty::Native(_)) && (!numeric || c.ty.is_number()))
            .collect();
        if fits.is_empty() || self.slip("aggregate of something else", 3) {
            let column = self.rng.pick(&table.columns);
            return format!("{function}({})", quote_name(&column.name));
        }
        let column = (*self.rng.pick(&fits)).clone();
        if self.slip("aggregate of an aggregate", 1) {
            return format!("{function}(max({}))", quote_name(&column.name));
        }
        format!("{function}({})", self.column_name(&column))
    }
}
