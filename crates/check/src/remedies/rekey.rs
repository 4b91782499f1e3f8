//! CREATE TABLE with another key: what a plan shows.

use cql::printer::identifier;
use cql::statement::table::{CreateTable, TableOptions};
use cql::{Span, StatementKind};
use schema::catalog::{Column, Table};

use super::render::free_name;
use crate::{Edit, Fix, FixKind, Location, Project, TableFacts};

/// A primary key to be.
#[derive(Clone, Debug, Default)]
pub(crate) struct NewKey {
    /// The partition key.
    pub(crate) partition: Vec<Box<str>>,
    /// The clustering columns, and whether the largest come first.
    pub(crate) clustering: Vec<(Box<str>, bool)>,
    /// Columns that the table does not have yet, and their types.
    pub(crate) added: Vec<(Box<str>, &'static str)>,
}

impl NewKey {
    /// The key as it is.
    pub(crate) fn from_table(table: &Table) -> Self {
        Self {
            partition: table.partition_key().iter().map(|column| column.name.clone()).collect(),
            clustering: table.clustering().iter().map(clustering_entry).collect(),
            added: Vec::new(),
        }
    }

    /// With a column of a new name at the end of the partition key.
    #[must_use]
    pub(crate) fn with_new_partition_column(
        mut self,
        table: &Table,
        name: &str,
        ty: &'static str,
    ) -> Self {
        let name = free_name(table, name);
        self.partition.push(name.clone());
        self.added.push((name, ty));
        self
    }

    /// With a column of a new name as the last clustering column.
    #[must_use]
    pub(crate) fn with_new_clustering_column(
        mut self,
        table: &Table,
        name: &str,
        ty: &'static str,
    ) -> Self {
        let name = free_name(table, name);
        self.clustering.push((name.clone(), false));
        self.added.push((name, ty));
        self
    }

    /// With a clustering or regular column at the end of the partition key.
    #[must_use]
    pub(crate) fn with_partition_column(mut self, name: &str) -> Self {
        self.clustering.retain(|(known, _)| &**known != name);
        self.partition.push(name.into());
        self
    }

    /// With a column as the last clustering column.
    #[must_use]
    pub(crate) fn with_clustering_column(mut self, name: &str) -> Self {
        self.partition.retain(|known| &**known != name);
        self.clustering.push((name.into(), false));
        self
    }

    /// `PRIMARY KEY ((a, b), c)`
    pub(crate) fn clause(&self) -> String {
        let names = |names: &mut dyn Iterator<Item = &Box<str>>| -> String {
            names.map(|name| identifier(name)).collect::<Vec<_>>().join(", ")
        };
        let partition = names(&mut self.partition.iter());
        let clustering = names(&mut self.clustering.iter().map(|(name, _)| name));
        if clustering.is_empty() {
            format!("PRIMARY KEY (({partition}))")
        } else {
            format!("PRIMARY KEY (({partition}), {clustering})")
        }
    }

    /// `a ASC, b DESC`
    pub(crate) fn clustering_order(&self) -> String {
        let each = self.clustering.iter().map(|(name, descending)| {
            format!("{} {}", identifier(name), if *descending { "DESC" } else { "ASC" })
        });
        each.collect::<Vec<_>>().join(", ")
    }
}

fn clustering_entry(column: &Column) -> (Box<str>, bool) {
    (column.name.clone(), column.descending)
}

impl Project<'_> {
    /// The change of CREATE TABLE that gives a table another key; `None` where it is not written in the texts, or not plainly.
    pub(crate) fn rekey_fix(&self, facts: &TableFacts, key: &NewKey, title: &str) -> Option<Fix> {
        let create = self.creation(facts)?;
        if key.clustering.is_empty()
            && (!create.options.clustering_order.is_empty() || !facts.table.statics().is_empty())
        {
            return None;
        }
        let place = |span: Span| Location { text: facts.place.text, span };
        let mut edits = vec![self.key_edit(facts, create, key)?];
        let stored: Vec<_> = facts.table.clustering().iter().map(clustering_entry).collect();
        if stored != key.clustering {
            let (span, text) = self.order_edit(facts, &create.options, key)?;
            edits.extend(text.map(|text| Edit { place: place(span), text }));
        }
        Some(Fix { title: title.to_owned(), kind: FixKind::Plan, edits })
    }

    /// The change of the PRIMARY KEY clause, or of the column that has one behind it.
    fn key_edit(&self, facts: &TableFacts, create: &CreateTable, key: &NewKey) -> Option<Edit> {
        let added = key.added.iter().map(|(name, ty)| format!("{} {ty}, ", identifier(name)));
        let text = added.collect::<String>() + &key.clause();
        let place = |span| Location { text: facts.place.text, span };
        if let Some(written) = create.primary_keys.first() {
            return Some(Edit { place: place(written.span), text });
        }
        let column = create.columns.iter().find(|column| column.primary_key)?;
        let name = self.text_at(place(column.name.span));
        let ty = self.text_at(place(column.type_name.span));
        Some(Edit { place: place(column.span), text: format!("{name} {ty}, {text}") })
    }

    /// The change of CLUSTERING ORDER BY: where, and what, if anything.
    fn order_edit(
        &self,
        facts: &TableFacts,
        options: &TableOptions,
        key: &NewKey,
    ) -> Option<(Span, Option<String>)> {
        let statement = self.statements.get(facts.statement)?;
        let is_create = matches!(self.syntax(statement)?.kind, StatementKind::CreateTable(_));
        let end = Span::new(statement.place.span.end, statement.place.span.end);
        let (Some(first), Some(last)) =
            (options.clustering_order.first(), options.clustering_order.last())
        else {
            let all_ascending = key.clustering.iter().all(|(_, descending)| !descending);
            let has_options = !options.properties.is_empty() || options.compact_storage.is_some();
            let word = if has_options { "AND" } else { "WITH" };
            let text = format!(" {word} CLUSTERING ORDER BY ({})", key.clustering_order());
            return is_create.then_some((end, (!all_ascending).then_some(text)));
        };
        let text = self.texts.get(facts.place.text)?.text;
        let rest = text.get(last.column.span.end as usize..end.start as usize)?;
        let close = u32::try_from(rest.find(')')?).ok()?;
        let span = Span::new(first.column.span.start, last.column.span.end + close);
        Some((span, Some(key.clustering_order())))
    }
}
