//! The types of `MySQL`, as types of `PostgreSQL` that hold the same values.

use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::super::table::{is_keyword, split_items, split_parentheses};

/// A type of `MySQL` and the words behind it that belong to it.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct MysqlType {
    /// The type of `PostgreSQL`.
    pub name: String,
    /// The numbers or labels in its parentheses that stay.
    pub arguments: Vec<Token>,
    /// It is a text that has a collation.
    pub is_text: bool,
    /// A text that is compared by its bytes: `BINARY`, or the collation or character set.
    pub is_binary: Option<bool>,
    /// `UNSIGNED`
    pub is_unsigned: bool,
    /// It has 64 bits.
    pub is_wide: bool,
    /// `SERIAL`, a type that numbers its rows.
    pub is_serial: bool,
    /// What the values are where a type lists them.
    pub labels: Option<LabelType>,
}

/// A type that lists its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LabelType {
    /// `ENUM('a', 'b')`
    Enum,
    /// `SET('a', 'b')`, or a shape: CQL has no such type.
    Substitute,
}

/// Whole numbers, with the type of their values and that without a sign.
const WHOLE: &[(&str, &str, &str)] = &[
    ("tinyint", "smallint", "smallint"),
    ("bool", "smallint", "smallint"),
    ("boolean", "smallint", "smallint"),
    ("int1", "smallint", "smallint"),
    ("smallint", "smallint", "int"),
    ("int2", "smallint", "int"),
    ("mediumint", "int", "int"),
    ("middleint", "int", "int"),
    ("int3", "int", "int"),
    ("int", "int", "bigint"),
    ("integer", "int", "bigint"),
    ("int4", "int", "bigint"),
    ("bigint", "bigint", "bigint"),
    ("int8", "bigint", "bigint"),
    ("year", "smallint", "smallint"),
];

/// Other types, whose parentheses mean nothing for their values.
const OTHER: &[(&str, &str)] = &[
    ("tinytext", "text"),
    ("text", "text"),
    ("mediumtext", "text"),
    ("longtext", "text"),
    ("long", "text"),
    ("json", "json"),
    ("binary", "bytea"),
    ("varbinary", "bytea"),
    ("tinyblob", "bytea"),
    ("blob", "bytea"),
    ("mediumblob", "bytea"),
    ("longblob", "bytea"),
    ("datetime", "timestamp"),
    ("timestamp", "timestamp"),
    ("date", "date"),
    ("time", "time"),
    ("real", "double precision"),
    ("double", "double precision"),
    ("uuid", "uuid"),
    ("inet4", "inet"),
    ("inet6", "inet"),
];

/// Shapes.
const SHAPES: &[&str] = &[
    "geometry",
    "point",
    "linestring",
    "polygon",
    "multipoint",
    "multilinestring",
    "multipolygon",
    "geometrycollection",
    "geomcollection",
];

/// The type that the tokens begin with, and the tokens behind it. A type that is not known stays as
/// it is.
pub(super) fn read_type(tokens: &[TokenWithSpan]) -> Option<(MysqlType, &[TokenWithSpan])> {
    let mut rest = tokens;
    if let [national, behind @ ..] = rest
        && is_keyword(national, "national")
    {
        rest = behind;
    }
    let [first, behind @ ..] = rest else { return None };
    let Token::Word(word) = &first.token else { return None };
    let name = word.value.to_lowercase();
    rest = behind;
    if matches!(rest, [next, ..] if is_keyword(next, "varying") || is_keyword(next, "precision")) {
        rest = &rest[1..];
    }
    let (arguments, behind) = match rest {
        [open, ..] if open.token == Token::LParen => split_parentheses(rest)?,
        _ => (&[][..], rest),
    };
    let mut ty = MysqlType::default();
    let rest = ty.read_attributes(behind);
    ty.set_name(&name, arguments);
    Some((ty, rest))
}

impl MysqlType {
    /// Reads the words behind the type: the tokens behind them.
    fn read_attributes<'t>(&mut self, mut tokens: &'t [TokenWithSpan]) -> &'t [TokenWithSpan] {
        while let [first, behind @ ..] = tokens {
            let is = |keyword: &str| is_keyword(first, keyword);
            if is("unsigned") || is("zerofill") {
                self.is_unsigned = true;
            } else if is("binary") {
                self.is_binary = Some(true);
            } else if let Some((set, end)) = read_collation(tokens) {
                self.is_binary = Some(set);
                tokens = end;
                continue;
            } else if !is("signed") && !is("ascii") && !is("unicode") {
                break;
            }
            tokens = behind;
        }
        tokens
    }

    fn set_name(&mut self, name: &str, arguments: &[TokenWithSpan]) {
        let numbers: Vec<u32> = arguments.iter().filter_map(whole_number).collect();
        let find = |list: &[(&str, &str)]| {
            list.iter().find(|(own, _)| *own == name).map(|(_, ty)| (*ty).to_owned())
        };
        self.is_text = matches!(
            name,
            "char"
                | "character"
                | "varchar"
                | "varcharacter"
                | "nchar"
                | "nvarchar"
                | "enum"
                | "set"
                | "long"
        ) || name.ends_with("text");
        self.is_wide = matches!(name, "bigint" | "int8" | "serial");
        self.name = match name {
            "serial" => {
                (self.is_serial, self.is_unsigned) = (true, true);
                "bigint".to_owned()
            }
            "bit" if numbers.first().is_none_or(|bits| *bits < 16) => "smallint".to_owned(),
            "bit" => "bigint".to_owned(),
            "float" if numbers.len() == 1 && numbers[0] > 24 => "double precision".to_owned(),
            "float" | "float4" => "real".to_owned(),
            "float8" => "double precision".to_owned(),
            "char" | "character" | "nchar" if arguments.is_empty() => {
                self.arguments = vec![Token::Number("1".to_owned(), false)];
                "varchar".to_owned()
            }
            // Blanks at the end of a char are not stored, so that it is a varchar.
            "char" | "character" | "varchar" | "varcharacter" | "nchar" | "nvarchar" => {
                self.arguments = arguments.iter().map(|it| it.token.clone()).collect();
                "varchar".to_owned()
            }
            "decimal" | "dec" | "numeric" | "fixed" => {
                let digits = |text: &str| Token::Number(text.to_owned(), false);
                let given = arguments.iter().map(|it| it.token.clone()).collect();
                self.arguments = if arguments.is_empty() { vec![digits("10")] } else { given };
                "numeric".to_owned()
            }
            "enum" | "set" => {
                self.labels =
                    Some(if name == "enum" { LabelType::Enum } else { LabelType::Substitute });
                self.arguments = split_items(arguments)
                    .iter()
                    .filter_map(|it| it.first())
                    .map(|it| it.token.clone())
                    .collect();
                spell_labels(name, &self.arguments)
            }
            shape if SHAPES.contains(&shape) => {
                self.labels = Some(LabelType::Substitute);
                shape.to_owned()
            }
            _ => {
                let whole = WHOLE.iter().find(|(own, _, _)| *own == name);
                let whole = whole.map(
                    |(_, signed, unsigned)| if self.is_unsigned { *unsigned } else { *signed },
                );
                whole.map(str::to_owned).or_else(|| find(OTHER)).unwrap_or_else(|| name.to_owned())
            }
        };
    }
}

/// A collation or character set: whether it compares by bytes, and the tokens behind it.
pub(super) fn read_collation(tokens: &[TokenWithSpan]) -> Option<(bool, &[TokenWithSpan])> {
    let behind = match tokens {
        [first, behind @ ..] if is_keyword(first, "collate") || is_keyword(first, "charset") => {
            behind
        }
        [first, set, behind @ ..] if is_keyword(first, "character") && is_keyword(set, "set") => {
            behind
        }
        _ => return None,
    };
    let behind = match behind {
        [sign, behind @ ..] if sign.token == Token::Eq => behind,
        _ => behind,
    };
    let [name, behind @ ..] = behind else { return None };
    let name = match &name.token {
        Token::Word(word) => word.value.to_lowercase(),
        Token::SingleQuotedString(text) => text.to_lowercase(),
        _ => return None,
    };
    let is_binary = name == "binary" || name.ends_with("_bin") || name.ends_with("_cs");
    Some((is_binary, behind))
}

fn whole_number(token: &TokenWithSpan) -> Option<u32> {
    match &token.token {
        Token::Number(digits, _) => digits.parse().ok(),
        _ => None,
    }
}

/// The name under which a type that lists its values is declared.
fn spell_labels(name: &str, labels: &[Token]) -> String {
    let labels: Vec<String> = labels.iter().map(ToString::to_string).collect();
    format!("{name}({})", labels.join(","))
}
