//! The options of COPY.

use super::super::cell::CellFormat;
use super::super::timestamp;
use super::csv::Dialect;

/// Options for the internals of cqlsh, accepted and ignored.
const IGNORED_OPTIONS: [&str; 20] = [
    "maxattempts",
    "reportfrequency",
    "numprocesses",
    "configfile",
    "ratefile",
    "chunksize",
    "ingestrate",
    "minbatchsize",
    "maxbatchsize",
    "preparedstatements",
    "encoding",
    "pagetimeout",
    "maxrequests",
    "maxinflightmessages",
    "maxbackoffattempts",
    "maxpendingchunks",
    "requesttimeout",
    "childtimeout",
    "reportfile",
    "debug",
];
const IMPORT_OPTIONS: [&str; 7] =
    ["maxrows", "skiprows", "skipcols", "maxparseerrors", "maxinserterrors", "errfile", "ttl"];
const EXPORT_OPTIONS: [&str; 6] =
    ["pagesize", "begintoken", "endtoken", "maxoutputsize", "floatprecision", "doubleprecision"];

/// The options, with cqlsh's defaults.
#[derive(Clone, Debug)]
pub(super) struct CopyOptions {
    pub(super) dialect: Dialect,
    pub(super) has_header: bool,
    pub(super) format: CellFormat,
    /// Whether DATETIMEFORMAT was given.
    pub(super) has_pattern: bool,
    pub(super) page_size: i32,
    pub(super) tokens: (Option<i64>, Option<i64>),
    pub(super) rows_per_file: Option<u64>,
    pub(super) rows_max: Option<u64>,
    pub(super) rows_skipped: u64,
    pub(super) columns_skipped: Vec<String>,
    pub(super) parse_errors_max: Option<u64>,
    pub(super) insert_errors_max: Option<u64>,
    pub(super) error_file: Option<String>,
    pub(super) ttl: Option<i32>,
}

impl Default for CopyOptions {
    fn default() -> Self {
        let format = CellFormat {
            escapes: false,
            double_digits: 12,
            null: String::new(),
            milliseconds: true,
            ..CellFormat::for_tables(false)
        };
        Self {
            dialect: Dialect::default(),
            has_header: false,
            format,
            has_pattern: false,
            page_size: 1_000,
            tokens: (None, None),
            rows_per_file: None,
            rows_max: None,
            rows_skipped: 0,
            columns_skipped: Vec::new(),
            parse_errors_max: None,
            insert_errors_max: Some(1_000),
            error_file: None,
            ttl: None,
        }
    }
}

impl CopyOptions {
    /// Parses the options of a command; unknown options and invalid values are errors.
    pub(crate) fn read(given: &[(String, String)], is_export: bool) -> Result<Self, String> {
        let mut options = Self::default();
        let mut unknown = Vec::new();
        for (name, value) in given {
            let is_for_other_direction = (is_export && IMPORT_OPTIONS.contains(&&**name))
                || (!is_export && EXPORT_OPTIONS.contains(&&**name));
            if is_for_other_direction || !options.set(name, value)? {
                unknown.push(&**name);
            }
        }
        if !unknown.is_empty() {
            let direction = if is_export { "TO" } else { "FROM" };
            return Err(format!("Unrecognized COPY {direction} options: {}", unknown.join(", ")));
        }
        let dialect = &options.dialect;
        if dialect.delimiter == dialect.quote || dialect.escape == Some(dialect.delimiter) {
            return Err("DELIMITER, QUOTE and ESCAPE must differ".to_owned());
        }
        // As in cqlsh, an escape character equal to the quote means that quotes are doubled.
        if options.dialect.escape == Some(options.dialect.quote) {
            options.dialect.escape = None;
        }
        Ok(options)
    }

    /// Sets an option; returns whether the name is known.
    fn set(&mut self, name: &str, value: &str) -> Result<bool, String> {
        match name {
            "delimiter" => self.dialect.delimiter = character(name, value)?,
            "quote" => self.dialect.quote = character(name, value)?,
            "escape" => self.dialect.escape = Some(character(name, value)?),
            "header" => self.has_header = value.eq_ignore_ascii_case("true"),
            "null" => value.clone_into(&mut self.format.null),
            "datetimeformat" => {
                value.clone_into(&mut self.format.timestamp_pattern);
                self.has_pattern = value != timestamp::DEFAULT_PATTERN;
            }
            "decimalsep" => value.clone_into(&mut self.format.separators.0),
            "thousandssep" => value.clone_into(&mut self.format.separators.1),
            "boolstyle" => self.format.booleans = booleans(value)?,
            "floatprecision" => self.format.float_digits = number(name, value)?,
            "doubleprecision" => self.format.double_digits = number(name, value)?,
            "pagesize" => self.page_size = number::<i32>(name, value)?.max(1),
            "begintoken" if value.is_empty() => {}
            "endtoken" if value.is_empty() => {}
            "begintoken" => self.tokens.0 = Some(number(name, value)?),
            "endtoken" => self.tokens.1 = Some(number(name, value)?),
            "maxoutputsize" => self.rows_per_file = limit(name, value)?.filter(|rows| *rows > 0),
            "maxrows" => self.rows_max = limit(name, value)?,
            "skiprows" => self.rows_skipped = number(name, value)?,
            "skipcols" => {
                self.columns_skipped =
                    value.split(',').map(|name| name.trim().to_owned()).collect();
            }
            "maxparseerrors" => self.parse_errors_max = limit(name, value)?,
            "maxinserterrors" => self.insert_errors_max = limit(name, value)?,
            "errfile" => self.error_file = Some(value.to_owned()).filter(|file| !file.is_empty()),
            "ttl" => self.ttl = Some(number(name, value)?).filter(|ttl| *ttl >= 0),
            _ => return Ok(IGNORED_OPTIONS.contains(&name)),
        }
        Ok(true)
    }
}

/// Parses a single ASCII character, or `\t` for a tab.
fn character(name: &str, value: &str) -> Result<u8, String> {
    match value.as_bytes() {
        [byte] if byte.is_ascii() => Ok(*byte),
        b"\\t" => Ok(b'\t'),
        _ => Err(format!("{} must be a single ASCII character", name.to_uppercase())),
    }
}

fn number<T: std::str::FromStr>(name: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("{} must be a number, not '{value}'", name.to_uppercase()))
}

/// Parses a limit; a negative number, such as -1, means no limit.
fn limit(name: &str, value: &str) -> Result<Option<u64>, String> {
    number::<i64>(name, value).map(|limit| u64::try_from(limit).ok())
}

fn booleans(value: &str) -> Result<(String, String), String> {
    let styles: Vec<&str> = value.split(',').map(str::trim).collect();
    match styles[..] {
        [yes, no] if yes != no && !yes.is_empty() && !no.is_empty() => {
            Ok((yes.to_owned(), no.to_owned()))
        }
        _ => Err(format!("Invalid boolean styles {styles:?}").replace('"', "'")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, value: &str, is_export: bool) -> Result<CopyOptions, String> {
        CopyOptions::read(&[(name.to_owned(), value.to_owned())], is_export)
    }

    #[test]
    fn options_are_parsed_or_rejected() {
        assert_eq!(read("delimiter", "\\t", true).unwrap().dialect.delimiter, b'\t');
        assert_eq!(read("escape", "\"", true).unwrap().dialect.escape, None);
        assert_eq!(read("maxrows", "-1", false).unwrap().rows_max, None);
        assert_eq!(read("maxrows", "5", false).unwrap().rows_max, Some(5));
        let refused = |name, value, is_export| read(name, value, is_export).unwrap_err();
        assert_eq!(refused("nope", "1", true), "Unrecognized COPY TO options: nope");
        assert_eq!(refused("ttl", "1", true), "Unrecognized COPY TO options: ttl");
        assert_eq!(refused("skiprows", "x", false), "SKIPROWS must be a number, not 'x'");
        assert_eq!(refused("boolstyle", "a,a", false), "Invalid boolean styles ['a', 'a']");
        assert!(read("delimiter", "ab", true).is_err());
    }
}
