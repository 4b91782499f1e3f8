//! DESCRIBE: the server's result, printed as in cqlsh.

use cql::types::Type;
use cql::value::{self, Value};
use engine::{Parameters, ResultMessage, ResultSet};

use super::table::columnize;
use super::{Shell, ShellError};

impl Shell<'_> {
    /// Runs a DESCRIBE statement; `rest` is its text after the first word.
    pub(crate) fn describe(&mut self, text: &str, rest: &str) -> Result<(), ShellError> {
        let mut result =
            self.session.query(text, &Parameters { page_size: None, ..self.parameters(None) })?;
        let ResultMessage::Rows(rows) = std::mem::take(&mut result.outcome) else { return Ok(()) };
        let what = rest.split_whitespace().next().unwrap_or_default().to_lowercase();
        match &*what {
            "columnfamilies" | "tables" | "types" | "functions" | "aggregates" => {
                self.describe_list(&rows)?;
            }
            "keyspaces" => {
                let names: Vec<String> = column(&rows, "name");
                self.screen.print_message(&format!("\n{}", columnize(&names)))?;
            }
            "cluster" => self.describe_cluster(&rows)?,
            _ => {
                for statement in column(&rows, "create_statement") {
                    self.screen.print_message("")?;
                    write!(self.screen.results(), "{statement}")?;
                    self.screen.print_message("")?;
                }
            }
        }
        Ok(self.print_warnings(&result.warnings)?)
    }

    /// Prints names grouped by keyspace.
    fn describe_list(&mut self, rows: &ResultSet) -> Result<(), ShellError> {
        let keyspaces = column(rows, "keyspace_name");
        let names = column(rows, "name");
        let pairs: Vec<(&String, &String)> = keyspaces.iter().zip(&names).collect();
        for group in pairs.chunk_by(|a, b| a.0 == b.0) {
            self.screen.print_message("")?;
            if self.session.keyspace().is_none()
                && let Some((keyspace, _)) = group.first()
            {
                self.screen.print_message(&format!("Keyspace {keyspace}"))?;
                self.screen
                    .print_message(&format!("---------{}", "-".repeat(keyspace.chars().count())))?;
            }
            let names: Vec<String> = group.iter().map(|(_, name)| (*name).clone()).collect();
            self.screen.print_message(columnize(&names).trim_end_matches('\n'))?;
        }
        if !pairs.is_empty() {
            self.screen.print_message("")?;
        }
        Ok(())
    }

    fn describe_cluster(&mut self, rows: &ResultSet) -> Result<(), ShellError> {
        let field = |name: &str| column(rows, name).pop().unwrap_or_default();
        self.screen.print_message(&format!("\nCluster: {}", field("cluster")))?;
        self.screen.print_message(&format!("Partitioner: {}", field("partitioner")))?;
        self.screen.print_message(&format!("Snitch: {}\n", field("snitch")))?;
        if let Some((_, Value::Map(ranges))) = values(rows, "range_ownership").pop() {
            self.screen.print_message("Range ownership:")?;
            for (token, hosts) in ranges {
                let hosts = match hosts {
                    Value::List(hosts) => {
                        hosts.iter().map(plain_text).collect::<Vec<_>>().join(", ")
                    }
                    other => plain_text(&other),
                };
                self.screen.print_message(&format!(" {:>39}  [{hosts}]", plain_text(&token)))?;
            }
            self.screen.print_message("")?;
        }
        Ok(())
    }
}

fn plain_text(value: &Value) -> String {
    match value {
        Value::Text(text) | Value::Ascii(text) => text.clone(),
        _ => String::new(),
    }
}

/// The values of a column as texts.
fn column(rows: &ResultSet, name: &str) -> Vec<String> {
    values(rows, name).iter().map(|(_, value)| plain_text(value)).collect()
}

fn values<'r>(rows: &'r ResultSet, name: &str) -> Vec<(&'r Type, Value)> {
    let Some(at) = rows.columns.iter().position(|column| &*column.name == name) else {
        return Vec::new();
    };
    let ty = &rows.columns[at].ty;
    let value = |bytes: Option<&[u8]>| {
        bytes.and_then(|bytes| value::decode(ty, bytes).ok()).unwrap_or(Value::Null)
    };
    rows.iter().map(|row| (ty, value(row.get(at).copied().flatten()))).collect()
}
