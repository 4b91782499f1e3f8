//! CREATE, ALTER and DROP KEYSPACE, USE.

use super::super::schema::{Effect, quote_name};
use super::super::statement_writer::{StatementDraft, StatementWriter};

/// Spare keyspaces are dropped and made again; the first ones hold the tables and stay.
const SPARE: &str = "spare";

impl StatementWriter<'_> {
    fn keyspace_options(&mut self) -> String {
        let mut parts = vec![format!("replication = {}", self.replication())];
        if self.rng.roll(20) {
            let value = if self.slip("durable_writes", 2) { "'maybe'" } else { "true" };
            parts.push(format!("durable_writes = {value}"));
        }
        if self.slip("no replication", 1) {
            parts = vec!["durable_writes = true".to_owned()];
        }
        if self.slip("unknown keyspace option", 2) {
            parts.push("comment = 'x'".to_owned());
        }
        if self.slip("keyspace option twice", 1) {
            parts.push(parts[0].clone());
        }
        parts.join(" AND ")
    }

    /// CREATE KEYSPACE.
    pub(super) fn create_keyspace(&mut self) -> Option<StatementDraft> {
        let first = self.world.keyspaces.len() < 2;
        let stem = if first { "" } else { SPARE };
        let mut name = format!("{}{stem}{}", self.world.prefix, self.world.made);
        if self.slip("keyspace that exists", 3) {
            name.clone_from(&self.world.keyspaces.first()?.name);
        }
        if self.slip("keyspace name", 2) {
            let odd = [
                "Bad-Name",
                "a_name_that_is_far_too_long_for_a_keyspace_of_cassandra_five",
                "system",
                "system_schema",
            ];
            self.pick_word(&odd).clone_into(&mut name);
        }
        let exists = if self.rng.roll(15) { "IF NOT EXISTS " } else { "" };
        let options = self.keyspace_options();
        let text = format!("CREATE KEYSPACE {exists}{} WITH {options}", quote_name(&name));
        Some(self.draft(text, Effect::AddKeyspace(name)))
    }

    /// ALTER KEYSPACE.
    pub(super) fn alter_keyspace(&mut self) -> Option<StatementDraft> {
        let mut name = self.pick_keyspace()?.name.clone();
        if self.slip("keyspace one letter off", 3) {
            name = self.misspell(&name);
        }
        if self.slip("system keyspace", 1) {
            "system".clone_into(&mut name);
        }
        let exists = if self.rng.roll(20) { "IF EXISTS " } else { "" };
        let options = self.keyspace_options();
        Some(self.draft(
            format!("ALTER KEYSPACE {exists}{} WITH {options}", quote_name(&name)),
            Effect::None,
        ))
    }

    /// DROP KEYSPACE of a spare one.
    pub(super) fn drop_keyspace(&mut self) -> Option<StatementDraft> {
        let world = self.world;
        let spares: Vec<&String> =
            world.keyspaces.iter().map(|k| &k.name).filter(|name| name.contains(SPARE)).collect();
        let name = if spares.is_empty() || self.slip("keyspace one letter off", 3) {
            let name = self.pick_keyspace()?.name.clone();
            format!("{name}x")
        } else {
            (*self.rng.pick(&spares)).clone()
        };
        let name = if self.slip("system keyspace", 1) { "system_schema".to_owned() } else { name };
        let exists = if self.rng.roll(25) { "IF EXISTS " } else { "" };
        Some(self.draft(
            format!("DROP KEYSPACE {exists}{}", quote_name(&name)),
            Effect::DropKeyspace(name),
        ))
    }

    /// USE.
    pub(super) fn use_keyspace(&mut self) -> Option<StatementDraft> {
        let mut name = self.pick_keyspace()?.name.clone();
        if self.slip("keyspace one letter off", 3) {
            name = self.misspell(&name);
        }
        Some(self.draft(format!("USE {}", quote_name(&name)), Effect::Use(name)))
    }

    /// TRUNCATE. Preparing it checks the name only, so many of them are executed; those that work are slow.
    pub(super) fn truncate(&mut self) -> Option<StatementDraft> {
        let any = self.slip("truncate a view", 3);
        let (keyspace, table) = self.pick_table(|table| any == table.base.is_some())?;
        let path = self.qualified_name(keyspace, &table.name);
        let word = self.pick_word(&["", "TABLE ", "COLUMNFAMILY "]);
        self.depends_on_data = self.slips_made().is_empty() && self.rng.roll(85);
        Some(self.draft(format!("TRUNCATE {word}{path}"), Effect::None))
    }
}
