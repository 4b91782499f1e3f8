//! A starting model from a dump: its tables, a query for each key and reference, and what is assumed
//! about volumes, in comments.
//!
//! Nothing of the dump is lost silently: what a model cannot have is a comment that says why.
//! `data_filter` removes the data while the dump is read; `dump_reader` collects its statements,
//! `omission` tells what is left out and `source_text` renders tokens; `model_text` writes the
//! model, `verification` has the reader of models judge it, and `assumed_figure` adds the figures.

mod assumed_figure;
mod data_filter;
mod dump_reader;
mod dump_schema;
mod model_text;
mod omission;
mod source_text;
#[cfg(test)]
mod tests;
mod verification;

pub use data_filter::{DataFilter, RemovedData};

use std::collections::HashSet;
use std::fmt::Write;

use cql::{Diagnostic, Span};

use super::default_workload::{list_lookups, lookup_text};
use super::{ModelFile, dialect, file, head, scan};
use crate::diagnostics::error;
use crate::figures::pluralise;
use crate::id::IdList;
use dump_schema::{DumpSchema, DumpStatement};
use model_text::ModelText;

/// A starting model.
#[derive(Clone, Debug)]
pub struct StartingModel {
    /// The model file.
    pub text: String,
    /// The names of its tables.
    pub tables: Vec<String>,
    /// How many queries it has.
    pub queries: usize,
    /// What could not be carried, each with the reason; the text has it as comments.
    pub refused: Vec<String>,
    /// Objects of the dump that are left out, such as views.
    pub notes: Vec<String>,
    /// How many objects of a kind are left out without effect.
    pub omitted: Vec<String>,
}

/// Writes a starting model for a dump without its data; `name` is that of the dump, without its ending.
pub fn write_starting_model(
    dump: &str,
    name: &str,
    removed: RemovedData,
) -> Result<StartingModel, Vec<Diagnostic>> {
    file::check_text(dump).map_err(|refusal| vec![refusal])?;
    let dialect = dialect::detect_dialect(dump);
    let scan = scan::scan_files(dump, &[0], dialect);
    if let Some(unclosed) = scan.unclosed {
        return Err(vec![unclosed]);
    }
    let mut schema = dump_reader::read_dump(dump, &scan, dialect);
    if schema.tables.is_empty() {
        let help = if has_bracketed_names(dump) {
            "names in [brackets] are not read: write them in double quotes"
        } else {
            "dump the schema, with pg_dump --schema-only or mysqldump --no-data"
        };
        return Err(vec![error("MF003", Span::new(0, 0), "the dump creates no table", help)]);
    }
    let keyspace = head::to_keyspace_name(name);
    let has_own_queries = !schema.queries.is_empty();
    let bare = format!("-- @keyspace {keyspace}\n");
    let mut model = verification::verify(&bare, name, &mut schema)?;
    if !has_own_queries {
        schema.queries = write_queries(&model);
        mark_unread_tables(&mut schema, &model);
        model = verification::verify(&bare, name, &mut schema)?;
    }
    assumed_figure::add_figures(&mut schema, &model);
    let head = write_head(name, &keyspace, &schema, removed);
    let text = ModelText::new(&head, &schema).text;
    super::read(&text, name)?;
    Ok(StartingModel {
        text,
        tables: model.concept.entities.iter().map(|entity| entity.name.clone()).collect(),
        queries: schema.queries.iter().filter(|it| it.refusal.is_none()).count(),
        refused: list_refusals(&schema),
        notes: schema.notes,
        omitted: schema.omitted.into_iter().map(|(kind, it)| pluralise(it as f64, kind)).collect(),
    })
}

/// The queries that are assumed: by each key and by each reference.
fn write_queries(model: &ModelFile) -> Vec<DumpStatement> {
    let entities = &model.concept.entities;
    let lookups = list_lookups(&model.concept);
    let queries = lookups.iter().filter_map(|lookup| {
        let entity = entities.member(lookup.entity)?;
        let returns = if lookup.many { "many" } else { "one" };
        let above = vec![format!("-- name: {} :{returns}", lookup.name)];
        let text = lookup_text(entity, &lookup.columns);
        let name = Some(lookup.name.clone());
        Some(DumpStatement { name, above, ..DumpStatement::new(text) })
    });
    queries.collect()
}

/// Says above the tables that no query reads that they need one.
fn mark_unread_tables(schema: &mut DumpSchema, model: &ModelFile) {
    let lookups = list_lookups(&model.concept).into_iter();
    let entities = lookups.filter_map(|lookup| model.concept.entities.member(lookup.entity));
    let read: HashSet<&str> = entities.map(|entity| entity.name.as_str()).collect();
    for table in schema.tables.iter_mut().filter(|table| !read.contains(table.title.as_str())) {
        table.above.push("-- no key and no reference: add the queries that read it".to_owned());
    }
}

fn write_head(name: &str, keyspace: &str, schema: &DumpSchema, removed: RemovedData) -> String {
    let mut head = format!(
        "-- A starting model, made by `helenus init` from {}: {} tables, {} queries.\n",
        crate::sql_name::comment_text(name),
        schema.tables.iter().filter(|table| table.refusal.is_none()).count(),
        schema.queries.len()
    );
    head.push_str(GUIDE);
    let mut omitted: Vec<String> =
        schema.omitted.iter().map(|(kind, count)| pluralise(*count as f64, kind)).collect();
    if removed.rows > 0 || removed.inserts > 0 {
        let [rows, inserts] = [(removed.rows, "row"), (removed.inserts, "INSERT")];
        let [rows, inserts] = [rows, inserts].map(|(count, thing)| pluralise(count as f64, thing));
        omitted.push(format!("the data ({rows}, {inserts})"));
    }
    if !omitted.is_empty() {
        head.push_str("--\n-- Left out, because no design depends on it:\n");
        let _ = writeln!(head, "--   {}", omitted.join(", "));
    }
    let _ = writeln!(head, "\n-- @keyspace {keyspace}");
    if !schema.figures.is_empty() {
        let _ = writeln!(head, "-- assumed: {}", schema.figures.join("  "));
    }
    head
}

const GUIDE: &str = "\
-- `helenus design` works on it as it is. To make the design that of your application:
--
-- 1. Replace the queries at the end by those that it sends, and add its INSERTs, UPDATEs and DELETEs,
--    each below a name line. `helenus help model` describes what can be written.
-- 2. State volumes and rates. A comment that begins with `assumed:` shows what is assumed as long as
--    nothing is stated: write the true figure and delete that word. `helenus help directives` lists
--    all directives, and `helenus stats --sql` measures most figures in PostgreSQL. A table does not grow
--    unless a directive or the rate of its INSERTs says so.
";

/// What could not be carried, with the reasons.
fn list_refusals(schema: &DumpSchema) -> Vec<String> {
    let statements = schema.types.iter().chain(&schema.rest).chain(&schema.queries);
    let of_statements = statements.filter_map(|it| it.refusal.clone());
    let of_tables = schema.tables.iter().flat_map(|table| {
        let items = table.items.iter();
        let items = items.filter_map(|item| item.refusal.as_ref().or(item.note.as_ref()).cloned());
        let changes = table.changes.iter().filter_map(|change| change.refusal.clone());
        table.refusal.clone().into_iter().chain(items).chain(changes)
    });
    of_tables.chain(of_statements).collect()
}

/// A small model to start from where there is no dump.
pub const SAMPLE_MODEL: &str = include_str!("sample_model.sql");

/// Whether a dump creates tables in the way of SQL Server: `CREATE TABLE [orders]`.
fn has_bracketed_names(dump: &str) -> bool {
    let is_creation = |line: &str| {
        let mut words = line.split_whitespace();
        let mut is_next = |word: &str| words.next().is_some_and(|it| it.eq_ignore_ascii_case(word));
        is_next("create") && is_next("table") && words.next().is_some_and(|it| it.starts_with('['))
    };
    dump.lines().any(is_creation)
}
