//! CREATE and DROP INDEX.

use super::super::schema::{Column, Effect, Index, Table, quote_name};
use super::super::statement_writer::{StatementDraft, StatementWriter};
use super::super::types::Ty;

const ANALYSED: &str = "'mode': 'CONTAINS', 'analyzer_class': 'org.apache.cassandra.index.sasi.analyzer.StandardAnalyzer'";

impl StatementWriter<'_> {
    /// CREATE INDEX: legacy, storage-attached or SASI.
    pub(super) fn create_index(&mut self) -> Option<StatementDraft> {
        let any = self.slip("index on a counter table or view", 2);
        let fits = |table: &Table| table.base.is_none() && !table.is_counter() && !table.compact;
        let (keyspace, table) = self.pick_table(|table| any || fits(table))?;
        let column = self.indexable_column(table);
        let class = match (&column.ty, self.rng.number_below(10)) {
            (Ty::Vector(..), _) => "sai",
            (_, 0..=3) => "2i",
            (Ty::Native("text" | "ascii" | "int" | "bigint"), 8 | 9) => "sasi",
            _ => "sai",
        };
        let target = self.target(&column);
        let name = self.index_name(keyspace.tables.as_slice(), table, &column);
        let shown = self.column_name(&column);
        let mut targets = if target.is_empty() { shown } else { format!("{target}({shown})") };
        if self.slip("index on two columns", 1) {
            targets = format!("{targets}, {}", quote_name(&self.rng.pick(&table.columns).name));
        }
        if self.slip("index on nothing", 1) {
            targets.clear();
        }
        let (custom, using) = self.index_class(class, &column);
        let path = self.qualified_name(keyspace, &table.name);
        let exists = if self.rng.roll(15) { "IF NOT EXISTS " } else { "" };
        let shown =
            if self.rng.roll(85) { format!("{} ", quote_name(&name)) } else { String::new() };
        let name =
            if shown.is_empty() { format!("{}_{}_idx", table.name, column.name) } else { name };
        let text = format!("CREATE {custom}INDEX {exists}{shown}ON {path} ({targets}){using}");
        let index = Index { name, column: column.name, class, target };
        Some(self.draft(text, Effect::AddIndex(keyspace.name.clone(), table.name.clone(), index)))
    }

    fn indexable_column(&mut self, table: &Table) -> Column {
        let values = table.values();
        let fits = |column: &&&Column| {
            !column.ty.is_native("duration") && !matches!(column.ty, Ty::User(_))
        };
        let fits: Vec<&Column> = values.iter().filter(fits).copied().collect();
        let vectors: Vec<&Column> =
            fits.iter().copied().filter(|c| matches!(c.ty, Ty::Vector(..))).collect();
        if !vectors.is_empty() && self.rng.roll(50) {
            return (*self.rng.pick(&vectors)).clone();
        }
        if fits.is_empty() || self.slip("index on a key or a duration", 3) {
            return self.rng.pick(&table.columns).clone();
        }
        (*self.rng.pick(&fits)).clone()
    }

    fn target(&mut self, column: &Column) -> &'static str {
        const TARGETS: &[&str] = &["values", "keys", "entries", "full"];
        if self.slip("index target", 3) {
            return self.pick_word(TARGETS);
        }
        match &column.ty {
            Ty::Map(..) => self.pick_word(&["", "values", "keys", "entries"]),
            Ty::List(_) | Ty::Set(_) => self.pick_word(&["", "values"]),
            frozen if frozen.is_collection() => "full",
            _ => "",
        }
    }

    fn index_name(&mut self, tables: &[Table], table: &Table, column: &Column) -> String {
        let existing: Vec<&Index> = tables.iter().flat_map(|table| &table.indexes).collect();
        if !existing.is_empty() && self.slip("index that exists", 2) {
            return self.rng.pick(&existing).name.clone();
        }
        if self.slip("index name", 1) {
            return "bad-name".to_owned();
        }
        let stem = format!("{}_{}_by", table.name, column.name)
            .replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        self.fresh_name(&stem)
    }

    fn index_class(&mut self, class: &str, column: &Column) -> (&'static str, String) {
        if self.slip("index class", 3) {
            let odd = [
                "'LegacyIndex'",
                "'sia'",
                "'org.example.Index'",
                "'legacy_local_table'",
                "'StorageAttachedIndex'",
            ];
            return (self.pick_word(&["", "CUSTOM "]), format!(" USING {}", self.pick_word(&odd)));
        }
        let textual = matches!(column.ty, Ty::Native("text" | "ascii" | "varchar"));
        match class {
            "2i" => (
                "",
                if self.slip("options of a plain index", 2) {
                    " WITH OPTIONS = {'a': 'b'}".to_owned()
                } else {
                    String::new()
                },
            ),
            "sasi" => {
                let mode = if self.slip("SASI options", 3) {
                    self.pick_word(&[
                        "'mode': 'FUZZY'",
                        "'mode': 'CONTAINS'",
                        "'max_compaction_flush_memory_in_mb': 'x'",
                        "'analyzer_class': 'none'",
                    ])
                } else if textual {
                    self.pick_word(&["'mode': 'PREFIX'", "'mode': 'CONTAINS'", ANALYSED])
                } else {
                    "'mode': 'SPARSE'"
                };
                (
                    "CUSTOM ",
                    format!(
                        " USING 'org.apache.cassandra.index.sasi.SASIIndex' WITH OPTIONS = {{{mode}}}"
                    ),
                )
            }
            _ => {
                let odd = [
                    "'case_sensitive': 'maybe'",
                    "'similarity_function': 'taxicab'",
                    "'analyzed': 'x'",
                    "'normalize': true",
                    "'target': 'x'",
                    "'similarity_function': 'cosine'",
                    "'class_name': 'x'",
                ];
                let options = if self.slip("SAI options", 3) {
                    self.pick_word(&odd)
                } else if textual && self.rng.roll(30) {
                    "'case_sensitive': 'false', 'normalize': 'true'"
                } else if matches!(column.ty, Ty::Vector(..)) {
                    "'similarity_function': 'DOT_PRODUCT'"
                } else {
                    ""
                };
                let options = if options.is_empty() {
                    String::new()
                } else {
                    format!(" WITH OPTIONS = {{{options}}}")
                };
                let name = self.pick_word(&["'sai'", "'StorageAttachedIndex'", "'SAI'"]);
                (self.pick_word(&["", "CUSTOM "]), format!(" USING {name}{options}"))
            }
        }
    }

    /// DROP INDEX.
    pub(super) fn drop_index(&mut self) -> Option<StatementDraft> {
        let (keyspace, table) = self.pick_table(|table| !table.indexes.is_empty())?;
        let name =
            table.indexes.first().map_or_else(|| "nothing".to_owned(), |index| index.name.clone());
        let keep = self.rng.roll(30);
        let name = if keep { self.misspell(&name) } else { name };
        let path = self.qualified_name(keyspace, &name);
        let exists = if self.rng.roll(25) { "IF EXISTS " } else { "" };
        Some(self.draft(
            format!("DROP INDEX {exists}{path}"),
            Effect::DropIndex(keyspace.name.clone(), name),
        ))
    }
}
