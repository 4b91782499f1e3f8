//! `nodetool clientstats`, also with `--all`.

use super::super::collector::Target;
use super::super::phrase::Phrase;
use super::super::quantity::parse_count;
use super::super::section::{Format, SectionOutcome, SectionReader};
use crate::snapshot::ClientConnections;

pub(in crate::source) const FORMAT: Format = Format { kind: "nodetool clientstats", open };

/// The most drivers that are kept.
const DRIVERS_MAX: usize = 1_000;

fn open(line: &str) -> Option<Box<dyn SectionReader>> {
    let is_start = count_of(line).is_some() || columns_of(line).is_some();
    is_start.then(|| Box::new(ClientStatsReader::default()) as Box<dyn SectionReader>)
}

fn count_of(line: &str) -> Option<u64> {
    let mut phrase = Phrase::new(line.trim());
    phrase.skip("Total connected clients: ")?;
    parse_count(phrase.rest())
}

/// Where the heading of `--all` has the columns that are read, by their order. A row may have empty
/// cells only at its end.
#[derive(Clone, Copy)]
struct ClientColumns {
    ssl: usize,
    driver_name: usize,
    driver_version: usize,
}

fn columns_of(line: &str) -> Option<ClientColumns> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let position = |name: &str| words.iter().position(|word| *word == name);
    (words.first() == Some(&"Address")).then_some(())?;
    Some(ClientColumns {
        ssl: position("SSL")?,
        driver_name: position("Driver-Name")?,
        driver_version: position("Driver-Version")?,
    })
}

#[derive(Default)]
struct ClientStatsReader {
    columns: Option<ClientColumns>,
    clients: ClientConnections,
    rows: u64,
}

impl SectionReader for ClientStatsReader {
    fn is_own_line(&self, line: &str) -> bool {
        line.starts_with('/') || count_of(line).is_some()
    }

    fn read_line(&mut self, line: &str, _target: &mut Target<'_>) {
        if let Some(total) = count_of(line) {
            self.clients.connections = total;
        } else if let Some(columns) = columns_of(line) {
            self.columns = Some(columns);
        } else if let Some(columns) = self.columns.filter(|_| line.starts_with('/')) {
            self.read_client(line, columns);
        }
    }

    fn finish(&mut self, target: &mut Target<'_>) -> SectionOutcome {
        let mut clients = std::mem::take(&mut self.clients);
        clients.connections = clients.connections.max(self.rows);
        target.node().clients = Some(clients);
        SectionOutcome::complete()
    }
}

impl ClientStatsReader {
    fn read_client(&mut self, line: &str, columns: ClientColumns) {
        let words: Vec<&str> = line.split_whitespace().collect();
        self.rows += 1;
        if let Some(ssl) = words.get(columns.ssl) {
            *self.clients.unencrypted.get_or_insert(0) += u64::from(*ssl == "false");
        }
        if let Some((name, version)) =
            words.get(columns.driver_name).zip(words.get(columns.driver_version))
        {
            let drivers = &mut self.clients.drivers;
            let driver = format!("{name} {version}");
            if drivers.len() < DRIVERS_MAX || drivers.contains_key(&driver) {
                *drivers.entry(driver).or_insert(0) += 1;
            }
        }
    }
}
