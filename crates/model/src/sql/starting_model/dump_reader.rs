//! Reads the statements of a dump: columns and constraints that it adds to a table later become part
//! of the table, and what does not change a model is left out and counted.

use std::collections::{HashMap, HashSet};

use cql::Span;
use sqlparser::tokenizer::TokenWithSpan;

use super::super::comments;
use super::super::kind::{SqlKind, classify};
use super::super::scan::{FileScan, RawStatement, SqlComment};
use super::super::table::{has_prefix, is_keyword, split_items, split_parentheses, tokens_span};
use super::super::token;
use super::dump_schema::{DumpItem, DumpSchema, DumpStatement, DumpTable, ItemKind, QualifiedName};
use super::omission::{find_omitted_kind, list_functions, object_name};
use super::source_text::{
    IDENTITY, SourceText, find_behind, parse_names, parse_qualified_name, skip_next_number,
};
use crate::directive::{SqlDialect, parse_prose};

/// Reads a dump without its data.
pub(super) fn read_dump(text: &str, scan: &FileScan, dialect: SqlDialect) -> DumpSchema {
    let mut reader = DumpReader {
        source: SourceText { text, titles: HashMap::new() },
        dialect,
        schema: DumpSchema::default(),
        positions: HashMap::new(),
        partitions: HashSet::new(),
        functions: Vec::new(),
    };
    let kinds: Vec<_> =
        scan.pieces.iter().map(|it| (classify(text, &it.words, it.span), it)).collect();
    let tables = kinds.iter().filter(|(kind, _)| matches!(kind, Ok(SqlKind::Table)));
    let tables: Vec<_> = tables.map(|(_, piece)| (*piece, reader.tokenize(piece))).collect();
    for (piece, tokens) in &tables {
        reader.add_table(piece, tokens);
    }
    reader.name_tables();
    for (piece, tokens) in &tables {
        reader.read_body(piece, tokens);
    }
    for (kind, piece) in kinds {
        match kind {
            Ok(SqlKind::Table) => {}
            Ok(kind) => reader.read_statement(kind, piece),
            Err(_) => reader.keep_statement(piece),
        }
    }
    reader.finish()
}

struct DumpReader<'a> {
    source: SourceText<'a>,
    dialect: SqlDialect,
    schema: DumpSchema,
    positions: HashMap<QualifiedName, usize>,
    /// Partitions of other tables.
    partitions: HashSet<QualifiedName>,
    /// The functions, of which those of triggers are kept.
    functions: Vec<(String, DumpStatement)>,
}

impl DumpReader<'_> {
    /// The tokens of a statement; none where it is not read token by token.
    fn tokenize(&self, piece: &RawStatement) -> Vec<TokenWithSpan> {
        if self.dialect == SqlDialect::Mysql {
            return Vec::new();
        }
        token::tokenize(self.source.text, piece.span, &piece.within).unwrap_or_default()
    }

    /// The comments above a statement that say something to the reader of models.
    fn list_remarks(&self, piece: &RawStatement) -> Vec<String> {
        let text = self.source.text;
        let above = piece.above.iter().filter(|it| has_directive(text, it));
        above.map(|comment| format!("-- {}", comment.text.text(text).trim())).collect()
    }

    fn new_statement(&self, piece: &RawStatement) -> DumpStatement {
        let text = piece.span.text(self.source.text).to_owned();
        DumpStatement { above: self.list_remarks(piece), ..DumpStatement::new(text) }
    }

    fn keep_statement(&mut self, piece: &RawStatement) {
        self.schema.rest.push(self.new_statement(piece));
    }

    fn add_table(&mut self, piece: &RawStatement, tokens: &[TokenWithSpan]) {
        let header = find_behind(tokens, &["table"]).and_then(parse_qualified_name);
        let Some((name, rest)) = header else {
            return match self.dialect {
                SqlDialect::Mysql => self.add_whole_table(piece),
                SqlDialect::Postgres => self.keep_statement(piece),
            };
        };
        if let Some(parent) = find_behind(rest, &["partition", "of"]) {
            let parent = parse_qualified_name(parent).map(|(name, _)| name.name);
            self.omit_partition(name, &parent.unwrap_or_default());
            return;
        }
        if self.positions.contains_key(&name) {
            return self.keep_statement(piece);
        }
        self.positions.insert(name.clone(), self.schema.tables.len());
        self.schema.tables.push(DumpTable::new(name, piece.span.start));
    }

    /// A table of `MySQL` is kept as it is.
    fn add_whole_table(&mut self, piece: &RawStatement) {
        let statement = self.new_statement(piece);
        let name = object_name(self.source.text, piece, "table");
        let mut table = DumpTable::new(
            QualifiedName { schema: "public".to_owned(), name: name.to_lowercase() },
            piece.span.start,
        );
        (table.whole, table.above) = (Some(statement.text), statement.above);
        self.schema.tables.push(table);
    }

    fn omit_partition(&mut self, name: QualifiedName, parent: &str) {
        let note = format!("{}: a partition of {parent}; the design chooses partitions", name.name);
        self.schema.notes.push(note);
        self.partitions.insert(name);
    }

    /// Two tables of one name in different schemas get the names of their schemas as well.
    fn name_tables(&mut self) {
        let mut taken = HashSet::new();
        let order = |table: &DumpTable| table.name.schema != "public";
        let mut positions: Vec<usize> = (0..self.schema.tables.len()).collect();
        positions.sort_by_key(|at| order(&self.schema.tables[*at]));
        for at in positions {
            let table = &mut self.schema.tables[at];
            let name = &table.name;
            let others = (2..).map(|number| format!("{}_{}_{number}", name.schema, name.name));
            let own = [name.name.clone(), format!("{}_{}", name.schema, name.name)];
            let title = own.into_iter().chain(others).find(|title| taken.insert(title.clone()));
            let Some(title) = title else { continue };
            if title != name.name {
                let schema = &name.schema;
                table.above.push(format!("-- {schema}.{}: {} exists twice", name.name, name.name));
            }
            self.source.titles.insert(name.clone(), title.clone());
            table.title = title;
        }
    }

    fn read_body(&mut self, piece: &RawStatement, tokens: &[TokenWithSpan]) {
        let header = find_behind(tokens, &["table"]).and_then(parse_qualified_name);
        let Some((name, rest)) = header else { return };
        let Some(&at) = self.positions.get(&name) else { return };
        let Some((inside, options)) = split_parentheses(rest) else {
            let text = piece.span.text(self.source.text).to_owned();
            self.schema.tables[at].whole = Some(text);
            return;
        };
        let mut above = self.list_remarks(piece);
        let mut items = Vec::new();
        if let Some(parents) = find_behind(options, &["inherits"]) {
            items.extend(self.inherit(at, parents, &mut above));
        }
        for item in split_items(inside).into_iter().filter(|item| !item.is_empty()) {
            items.extend(self.read_item(at, item, &piece.within));
        }
        if let Some(partition) = find_behind(options, &["partition", "by"]) {
            let by = self.source.render(partition);
            above.push(format!("-- in the dump: PARTITION BY {by}; the design chooses partitions"));
        }
        let table = &mut self.schema.tables[at];
        table.above.extend(above);
        for item in items {
            let is_known =
                matches!(&item.kind, ItemKind::Column(name) if table.column_mut(name).is_some());
            if !is_known {
                table.items.push(item);
            }
        }
    }

    /// The columns of the tables that a table inherits from.
    fn inherit(
        &self,
        at: usize,
        parents: &[TokenWithSpan],
        above: &mut Vec<String>,
    ) -> Vec<DumpItem> {
        let Some((inside, _)) = split_parentheses(parents) else { return Vec::new() };
        let mut columns = Vec::new();
        for parent in split_items(inside) {
            let Some((name, _)) = parse_qualified_name(parent) else { continue };
            above.push(format!(
                "-- in the dump: INHERITS ({}); a query of {} reads the rows of both there",
                name.name, name.name
            ));
            let parent = self.positions.get(&name).filter(|parent| **parent != at);
            columns
                .extend(parent.iter().flat_map(|at| self.schema.tables[**at].columns().cloned()));
        }
        columns
    }

    /// A column or constraint; the columns of another table for LIKE.
    fn read_item(
        &self,
        at: usize,
        tokens: &[TokenWithSpan],
        within: &[SqlComment],
    ) -> Vec<DumpItem> {
        if has_prefix(tokens, &["like"])
            && let Some((name, _)) = parse_qualified_name(&tokens[1..])
        {
            let other = self.positions.get(&name).filter(|other| **other != at);
            return other
                .iter()
                .flat_map(|at| self.schema.tables[**at].columns().cloned())
                .collect();
        }
        let mut item = self.new_item(tokens);
        let span = tokens_span(tokens);
        let text = self.source.text;
        let is_own = |comment: &&SqlComment| {
            !comment.own_line && span.end > comment.line && comment.whole.start >= span.end
        };
        let is_last = |comment: &&SqlComment| {
            let between = text.get(span.end as usize..comment.whole.start as usize);
            between.is_some_and(|it| it.trim_matches([' ', '\t', ',', ')', ';']).is_empty())
        };
        let own = within.iter().filter(is_own).filter(is_last).filter(|it| has_directive(text, it));
        item.directives.extend(own.map(|it| it.text.text(text).trim().to_owned()));
        vec![item]
    }

    fn new_item(&self, tokens: &[TokenWithSpan]) -> DumpItem {
        let unnamed = if has_prefix(tokens, &["constraint"]) {
            tokens.get(2..).unwrap_or_default()
        } else {
            tokens
        };
        let starts = |keyword| unnamed.first().is_some_and(|token| is_keyword(token, keyword));
        if let Some(columns) = find_behind(unnamed, &["foreign", "key"])
            && let Some(target) =
                find_behind(columns, &["references"]).and_then(parse_qualified_name)
        {
            let columns = parse_names(columns);
            let kind = ItemKind::Reference { columns, target: target.0 };
            return DumpItem::new(kind, self.source.render(tokens));
        }
        let is_constraint = ["primary", "unique", "foreign", "check", "exclude"];
        if unnamed.len() != tokens.len() || is_constraint.into_iter().any(starts) {
            return DumpItem::new(ItemKind::Constraint, self.source.render(tokens));
        }
        let name = parse_qualified_name(tokens).map(|(name, _)| name.name);
        let kind = ItemKind::Column(name.unwrap_or_default());
        DumpItem::new(kind, self.source.render_column(tokens))
    }

    fn read_statement(&mut self, kind: SqlKind, piece: &RawStatement) {
        let text = self.source.text;
        let is_owner = |word: &Span| word.text(text).eq_ignore_ascii_case("owner");
        match kind {
            SqlKind::AlterTable => self.read_alter(piece),
            SqlKind::UniqueIndex => self.read_unique_index(piece),
            SqlKind::Function => {
                let name = object_name(text, piece, "function");
                let statement = self.new_statement(piece);
                self.functions.push((name.to_owned(), statement));
            }
            SqlKind::View => {
                let name = object_name(text, piece, "view");
                let note = format!("view {name}: add its query where the application reads it");
                if !self.schema.notes.contains(&note) {
                    self.schema.notes.push(note);
                }
            }
            SqlKind::Skipped => {
                let (kind, note) = find_omitted_kind(text, piece);
                match note {
                    Some(note) => self.schema.notes.push(note),
                    None => *self.schema.omitted.entry(kind).or_default() += 1,
                }
            }
            SqlKind::AlterType if piece.words.iter().any(is_owner) => {
                *self.schema.omitted.entry("setting").or_default() += 1;
            }
            SqlKind::Type | SqlKind::Domain | SqlKind::AlterType | SqlKind::Collation => {
                let statement = self.new_statement(piece);
                self.schema.types.push(statement);
            }
            SqlKind::Query | SqlKind::Write => {
                let line = comments::read_annotations(text, piece).name;
                let mut statement = self.new_statement(piece);
                if let Some(line) = line {
                    statement.name = line.ok().map(|line| line.name);
                    let above = piece.above.iter().map(|it| it.text.text(text).trim());
                    statement.above = above.map(|line| format!("-- {line}")).collect();
                    self.schema.queries.push(statement);
                } else {
                    self.schema.rest.push(statement);
                }
            }
            SqlKind::Trigger | SqlKind::Rule | SqlKind::Table => self.keep_statement(piece),
        }
    }

    fn read_unique_index(&mut self, piece: &RawStatement) {
        let tokens = self.tokenize(piece);
        let target = find_behind(&tokens, &["on"]).and_then(parse_qualified_name);
        let Some((name, behind)) = target else { return self.keep_statement(piece) };
        let Some(&at) = self.positions.get(&name) else {
            *self.schema.omitted.entry("index").or_default() += 1;
            return;
        };
        let header = find_behind(&tokens, &["index"]).and_then(parse_qualified_name);
        let index = header.map(|(name, _)| format!("{} ", crate::sql_name::quote(&name.name)));
        let text = format!(
            "CREATE UNIQUE INDEX {}ON {} {}",
            index.unwrap_or_default(),
            self.source.title(&name),
            self.source.render(behind)
        );
        self.schema.tables[at].changes.push(DumpStatement::new(text));
    }

    fn read_alter(&mut self, piece: &RawStatement) {
        let tokens = self.tokenize(piece);
        let header = find_behind(&tokens, &["table"]).and_then(parse_qualified_name);
        let Some((name, actions)) = header else { return self.keep_statement(piece) };
        if self.partitions.contains(&name) {
            return;
        }
        let Some(&at) = self.positions.get(&name) else {
            let is_cleaning = split_items(actions).iter().all(|it| has_prefix(it, &["drop"]));
            if is_cleaning || actions.is_empty() {
                *self.schema.omitted.entry("setting").or_default() += 1;
                return;
            }
            return self.keep_statement(piece);
        };
        for action in split_items(actions) {
            let item = self.read_action(at, action, piece);
            if let Some(item) = item {
                self.schema.tables[at].items.push(item);
            }
        }
    }

    /// What one action of an ALTER TABLE changes; an item that it adds.
    fn read_action(
        &mut self,
        at: usize,
        action: &[TokenWithSpan],
        piece: &RawStatement,
    ) -> Option<DumpItem> {
        if has_prefix(action, &["add"]) {
            let mut added = &action[1..];
            for skipped in [&["column"][..], &["if", "not", "exists"]] {
                if has_prefix(added, skipped) {
                    added = added.get(skipped.len()..)?;
                }
            }
            if let [before @ .., not, valid] = added
                && is_keyword(not, "not")
                && is_keyword(valid, "valid")
            {
                added = before;
            }
            let item = self.read_item(at, added, &piece.within).into_iter().next();
            return item.filter(|_| !added.is_empty());
        }
        if let Some(child) = find_behind(action, &["attach", "partition"]) {
            let (child, _) = parse_qualified_name(child)?;
            let parent = self.schema.tables[at].title.clone();
            self.omit_partition(child, &parent);
            return None;
        }
        if !self.alter_column(at, action) {
            let is_kept = has_prefix(action, &["enable", "row", "level", "security"])
                || ["drop", "rename", "inherit"].iter().any(|word| has_prefix(action, &[word]));
            // A dump may begin with dropping what it creates.
            let is_cleaning =
                has_prefix(action, &["drop"]) && piece.span.start < self.schema.tables[at].start;
            if is_kept && !is_cleaning {
                let title = self.source.title(&self.schema.tables[at].name);
                let text = format!("ALTER TABLE {title} {}", self.source.render(action));
                self.schema.tables[at].changes.push(DumpStatement::new(text));
            } else {
                *self.schema.omitted.entry("setting").or_default() += 1;
            }
        }
        None
    }

    /// Adds a change of a column to its text; whether it was one that matters.
    fn alter_column(&mut self, at: usize, action: &[TokenWithSpan]) -> bool {
        let Some(altered) = find_behind(action, &["alter"]) else { return false };
        let altered = if has_prefix(altered, &["column"]) {
            altered.get(1..).unwrap_or_default()
        } else {
            altered
        };
        let Some((name, change)) = parse_qualified_name(altered) else { return false };
        let addition = if has_prefix(change, &["set", "not", "null"]) {
            "NOT NULL".to_owned()
        } else if let Some(default) = find_behind(change, &["set", "default"]) {
            match skip_next_number(default) {
                Some(_) => IDENTITY.to_owned(),
                None => format!("DEFAULT {}", self.source.render(default)),
            }
        } else if has_prefix(change, &["add", "generated", "always"]) {
            "GENERATED ALWAYS AS IDENTITY".to_owned()
        } else if has_prefix(change, &["add", "generated"]) {
            IDENTITY.to_owned()
        } else {
            return false;
        };
        let column = self.schema.tables[at].column_mut(&name.name);
        if let Some(column) = column.filter(|it| !it.text.ends_with(&addition)) {
            column.text.push(' ');
            column.text.push_str(&addition);
        }
        true
    }

    /// The schema, with the functions of its triggers and without partitions.
    fn finish(mut self) -> DumpSchema {
        let partitions = &self.partitions;
        self.schema.tables.retain(|table| !partitions.contains(&table.name));
        let (used, unused) = list_functions(self.functions, &self.schema.rest);
        *self.schema.omitted.entry("function").or_default() += unused;
        self.schema.rest.splice(0..0, used);
        self.schema.omitted.retain(|_, count| *count > 0);
        self.schema
    }
}

/// Whether a comment has directives: those of dumps and of people have none.
fn has_directive(text: &str, comment: &SqlComment) -> bool {
    let (directives, _) = parse_prose(comment.text.text(text), comment.text.start);
    !directives.is_empty()
}
