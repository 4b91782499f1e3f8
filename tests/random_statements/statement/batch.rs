//! BATCH of writes.

use super::super::schema::{Effect, Keyspace, Table};
use super::super::statement_writer::{StatementDraft, StatementWriter};

impl StatementWriter<'_> {
    /// A batch of two or three writes.
    pub(super) fn batch(&mut self) -> Option<StatementDraft> {
        let counters = self.rng.roll(20);
        let conditional = !counters && self.rng.roll(25);
        let kind = match (counters, self.slip("batch of another kind", 2)) {
            (true, false) => "COUNTER ",
            (true, true) => "",
            (false, true) => "COUNTER ",
            (false, false) => self.pick_word(&["", "", "UNLOGGED "]),
        };
        let using = if (!counters && !conditional && self.rng.roll(15))
            || self.slip("batch with a timestamp", 2)
        {
            " USING TIMESTAMP 1700000000000000"
        } else if self.slip("batch with a TTL", 1) {
            " USING TTL 10"
        } else {
            ""
        };
        let fits = move |table: &Table| table.base.is_none() && table.is_counter() == counters;
        let (keyspace, table) = self.pick_table(fits)?;
        let mut parts = Vec::new();
        for _ in 0..=self.rng.number_below(3) {
            let (keyspace, table) = if conditional || self.rng.roll(50) {
                (keyspace, table)
            } else {
                self.pick_table(fits)?
            };
            let other = self.slip("batch of mixed tables", 2);
            let (keyspace, table) = if other {
                self.pick_table(|table| table.base.is_none())?
            } else {
                (keyspace, table)
            };
            parts.push(self.batch_entry(keyspace, table, conditional));
        }
        if self.slip("a query in a batch", 1) {
            parts.push("SELECT * FROM system.local".to_owned());
        }
        if self.slip("an empty batch", 1) {
            parts.clear();
        }
        let text = format!("BEGIN {kind}BATCH{using} {}; APPLY BATCH", parts.join("; "));
        Some(self.draft(text.replace("BATCH ; APPLY", "BATCH APPLY"), Effect::None))
    }

    fn batch_entry(&mut self, keyspace: &Keyspace, table: &Table, conditional: bool) -> String {
        let conditional = conditional && self.rng.roll(70);
        if table.is_counter() {
            let path = self.qualified_name(keyspace, &table.name);
            return self.counter_text(&path, table);
        }
        match self.rng.number_below(4) {
            0 if !table.values().is_empty() => self.update_text(keyspace, table, conditional),
            1 => self.delete_text(keyspace, table, conditional),
            _ => self.insert_text(keyspace, table, conditional),
        }
    }
}
