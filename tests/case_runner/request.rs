//! How a statement of a case is put to whoever judges it: the directives above it.

use crate::protocol::Options;
use crate::verdict::RunMode;

/// The consistency levels by their numbers.
const CONSISTENCIES: [&str; 11] = [
    "ANY",
    "ONE",
    "TWO",
    "THREE",
    "QUORUM",
    "ALL",
    "LOCAL_QUORUM",
    "EACH_QUORUM",
    "SERIAL",
    "LOCAL_SERIAL",
    "LOCAL_ONE",
];

/// What the directives ask for.
#[derive(Clone, Debug, Default)]
pub(crate) struct CaseRequest {
    pub(crate) manner: RunMode,
    /// Rows in a page; all pages are fetched and counted.
    pub(crate) page_size: Option<i32>,
    /// Values of the markers, as CQL literals: prepare the statement and run it with them.
    pub(crate) values: Option<String>,
    /// The timestamp of the request.
    pub(crate) timestamp: Option<i64>,
    /// The number of the consistency level.
    pub(crate) consistency: Option<u16>,
    /// The order of the rows is not defined.
    pub(crate) unordered: bool,
    /// The rows differ from time to time, so that only their columns are kept.
    pub(crate) volatile: bool,
    /// Identifiers that the file does not name are made up by the server.
    pub(crate) masked: bool,
}

impl CaseRequest {
    /// Takes in a directive; `false` if it is none of a request.
    pub(crate) fn read_directive(&mut self, word: &str, rest: &str) -> bool {
        let is_bare = rest.is_empty();
        match word {
            "prepare" if is_bare => self.manner.prepare = true,
            "unpaged" if is_bare => self.manner.unpaged = true,
            "unordered" if is_bare => self.unordered = true,
            "volatile" if is_bare => self.volatile = true,
            "masked" if is_bare => self.masked = true,
            "values" => self.values = Some(rest.to_owned()),
            "pages" => {
                self.page_size = rest.parse().ok();
                return self.page_size.is_some();
            }
            "timestamp" => {
                self.timestamp = rest.parse().ok();
                return self.timestamp.is_some();
            }
            "consistency" => {
                let number = CONSISTENCIES.iter().position(|name| *name == rest);
                self.consistency = number.and_then(|number| u16::try_from(number).ok());
                return self.consistency.is_some();
            }
            _ => return false,
        }
        true
    }

    /// The options of the first page, without values.
    pub(crate) fn options(&self) -> Options {
        let usual = Options::default();
        let paged = self.page_size.or(usual.page_size);
        Options {
            page_size: paged.filter(|_| !self.manner.unpaged),
            timestamp: self.timestamp,
            consistency: self.consistency.unwrap_or(usual.consistency),
            ..usual
        }
    }
}
