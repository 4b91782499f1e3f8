//! The reader of a model file, statement by statement.

use std::collections::HashMap;

use cql::types::Type;
use cql::{Diagnostic, Span};
use sqlparser::ast::{Statement, UserDefinedTypeRepresentation};
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::comments::{self, StatementAnnotations};
use super::draft::ModelDraft;
use super::kind::{SqlKind, classify};
use super::mysql;
use super::named_directive;
use super::scan::{FileScan, RawStatement};
use super::source::{NamedStatement, SqlName};
use super::sqlc;
use super::table;
use super::token;
use super::type_change;
use crate::diagnostics::error;
use crate::directive::{self, Directive, DirectiveTarget, SqlDialect};

/// The largest file that is read.
pub(super) const FILE_BYTES_MAX: usize = 16 * 1024 * 1024;

/// A file with more INSERTs without a name is a data dump.
const UNNAMED_INSERTS_MAX: usize = 10;

/// A longer write without a name is not looked into for parameters: nobody writes one by hand.
const WRITTEN_STATEMENT_MAX: usize = 4 * 1024;

/// Rejects a text that is too large or binary, before any of it is read.
pub(super) fn check_text(text: &str) -> Result<(), Diagnostic> {
    if text.len() > FILE_BYTES_MAX {
        let message = format!("the file is larger than {} MB", FILE_BYTES_MAX / 1024 / 1024);
        return Err(error("MF001", Span::new(0, 0), message, SCHEMA_ONLY));
    }
    if let Some(nul) = text.find('\0') {
        let at = u32::try_from(nul).unwrap_or(0);
        let message = "the file is binary: it contains a zero byte";
        let help = "use a plain SQL file, for example from pg_dump --schema-only --format=plain";
        return Err(error("MF002", Span::new(at, at + 1), message, help));
    }
    Ok(())
}

/// Rejects a file without statements, and one that contains data.
pub(super) fn check_statements(
    text: &str,
    scan: &FileScan,
    dialect: SqlDialect,
) -> Result<(), Diagnostic> {
    if scan.data.is_none() && scan.unclosed.is_none() && scan.pieces.is_empty() {
        let help = "add CREATE TABLE statements and named queries";
        return Err(error("MF003", Span::new(0, 0), "the file contains no statements", help));
    }
    let is_insert = |piece: &&RawStatement| {
        piece.words.first().is_some_and(|word| is_keyword(text, *word, "insert"))
    };
    let inserts = || scan.pieces.iter().filter(is_insert);
    let unnamed = |piece: &&RawStatement| comments::read_annotations(text, piece).name.is_none();
    // The INSERTs of a dump of MySQL are skipped.
    let insert_max = if dialect == SqlDialect::Mysql { usize::MAX } else { UNNAMED_INSERTS_MAX };
    let data =
        scan.data.or_else(|| inserts().filter(unnamed).nth(insert_max).map(|piece| piece.span));
    match data {
        Some(span) => {
            let place = Span::new(span.start, span.start + first_line(span.text(text)));
            Err(error("MF004", place, "the file contains data", SCHEMA_ONLY))
        }
        None => Ok(()),
    }
}

const SCHEMA_ONLY: &str =
    "dump only the schema, with pg_dump --schema-only or mysqldump --no-data, and add the queries";

/// The length of the first line, up to what is reasonable to underline.
fn first_line(text: &str) -> u32 {
    let line = text.lines().next().unwrap_or_default();
    let end = line.char_indices().nth(60).map_or(line.len(), |(at, _)| at);
    u32::try_from(end).unwrap_or(0)
}

fn is_keyword(text: &str, word: Span, keyword: &str) -> bool {
    word.text(text).eq_ignore_ascii_case(keyword)
}

/// The state of reading a file.
pub(super) struct FileReader<'a> {
    text: &'a str,
    dialect: SqlDialect,
    /// The name of the keyspace, which user types carry.
    pub keyspace: String,
    /// What is read so far.
    pub draft: ModelDraft,
    /// The named statements.
    pub named: Vec<NamedStatement>,
    names: HashMap<String, Span>,
}

impl<'a> FileReader<'a> {
    pub(super) fn new(text: &'a str, keyspace: String, dialect: SqlDialect) -> Self {
        let (draft, named, names) = (ModelDraft::default(), Vec::new(), HashMap::new());
        Self { text, dialect, keyspace, draft, named, names }
    }

    /// Reads all statements: types first, then tables, then alterations of tables and the queries,
    /// so that the order of statements in the file does not matter.
    pub(super) fn read(&mut self, scan: FileScan) {
        let mut later = Vec::new();
        let mut tables = Vec::new();
        for piece in &scan.pieces {
            match classify(self.text, &piece.words, piece.span) {
                Ok(
                    kind @ (SqlKind::Type
                    | SqlKind::Domain
                    | SqlKind::AlterType
                    | SqlKind::Collation),
                ) => self.read_statement(kind, piece),
                Ok(SqlKind::Table) => tables.push((SqlKind::Table, piece)),
                Ok(SqlKind::Write) if self.is_data(piece) => later.push((SqlKind::Skipped, piece)),
                Ok(kind) => later.push((kind, piece)),
                Err(error) => self.draft.errors.push(error),
            }
        }
        for (kind, piece) in tables.into_iter().chain(later) {
            if self.draft.has_too_many_errors() {
                return;
            }
            self.read_statement(kind, piece);
        }
        self.read_outer_directives(&scan);
        self.draft.errors.extend(scan.unclosed);
    }

    /// Reads the directives that are not above a statement: those with a name, and misplaced ones.
    fn read_outer_directives(&mut self, scan: &FileScan) {
        let (rest, errors) = comments::parse_directives(self.text, &scan.rest);
        self.draft.errors.extend(errors);
        for directive in rest {
            let message = format!("@{} follows the last statement", directive.kind.name());
            self.draft.errors.push(directive.location_error(message));
        }
        let (lone, errors) = comments::parse_directives(self.text, &scan.lone);
        self.draft.errors.extend(errors);
        for directive in lone.iter().filter(|it| !it.kind.can_apply_to(DirectiveTarget::File)) {
            let message = format!("@{} belongs to no statement", directive.kind.name());
            self.draft.errors.push(directive.location_error(message));
        }
        for comment in scan.outer_comments() {
            let text = comment.text.text(self.text);
            if named_directive::is_named(text) {
                named_directive::apply(text, comment.text.start, &mut self.draft, &mut self.named);
            }
        }
    }

    fn read_statement(&mut self, kind: SqlKind, piece: &RawStatement) {
        let mut remarks = comments::read_annotations(self.text, piece);
        self.check_head(&mut remarks, piece.is_first);
        // Errors above skipped statements are ignored: other tools write comments there. The head
        // of the file, above the first statement, is always checked.
        let is_routine = matches!(
            kind,
            SqlKind::Function
                | SqlKind::Trigger
                | SqlKind::Rule
                | SqlKind::AlterType
                | SqlKind::Collation
                | SqlKind::View
        );
        if (kind != SqlKind::Skipped && !is_routine) || piece.is_first {
            self.draft.errors.append(&mut remarks.errors);
        }
        if kind == SqlKind::Skipped || is_routine {
            self.read_routine(kind, piece);
            return self.reject_directives(&remarks.above);
        }
        if let Some(line) = remarks.name_within {
            let message = "the statement before this name line is not terminated";
            let help = "end the statement above with a semicolon";
            return self.draft.report("MF011", line, message, help);
        }
        if !matches!(kind, SqlKind::Query | SqlKind::Write)
            && let Some(Ok(line)) = &remarks.name
        {
            let message = format!("the name line {} is not followed by a query", line.name);
            let help = "move the name line above a SELECT, INSERT, UPDATE or DELETE";
            self.draft.report("MF009", line.span, message, help);
        }
        match self.tokenize(piece) {
            Ok(tokens) => self.dispatch(kind, tokens, remarks, piece),
            Err(error) => self.draft.errors.push(error),
        }
    }

    /// Reads what takes no directives: a trigger or its function, a rule, which is rejected, a change
    /// of a type, a collation, the name of a view.
    fn read_routine(&mut self, kind: SqlKind, piece: &RawStatement) {
        match kind {
            SqlKind::Function => {
                let triggers = &mut self.draft.triggers;
                triggers.read_function(piece.span.text(self.text), &piece.words, self.text);
            }
            SqlKind::Trigger => match (self.tokenize(piece), self.dialect) {
                (Ok(tokens), SqlDialect::Postgres) => self.draft.triggers.read_trigger(&tokens),
                (Ok(tokens), SqlDialect::Mysql) => {
                    mysql::read_trigger(&mut self.draft.triggers, &tokens);
                }
                (Err(error), _) => self.draft.errors.push(error),
            },
            SqlKind::Rule => self.reject_rule(piece),
            SqlKind::AlterType | SqlKind::Collation => match self.tokenize(piece) {
                Ok(tokens) if kind == SqlKind::AlterType => {
                    type_change::read_alter_type(&mut self.draft, &tokens);
                }
                Ok(tokens) => type_change::read_collation(&mut self.draft, &tokens),
                Err(error) => self.draft.errors.push(error),
            },
            SqlKind::View => {
                let tokens = self.tokenize(piece).unwrap_or_default();
                let at = tokens.iter().position(|token| table::is_keyword(token, "view"));
                let behind = at.and_then(|at| tokens.get(at + 1..)).unwrap_or_default();
                let name = table::parse_name(behind).map(|(name, _)| name.text);
                self.draft.views.extend(name);
            }
            _ => {}
        }
    }

    fn tokenize(&self, piece: &RawStatement) -> Result<Vec<TokenWithSpan>, Diagnostic> {
        match self.dialect {
            SqlDialect::Postgres => token::tokenize(self.text, piece.span, &piece.within),
            SqlDialect::Mysql => mysql::tokenize(self.text, piece.span, &piece.within),
        }
    }

    /// Whether it loads or clears data in a dump of `MySQL`: without a name and without parameters.
    fn is_data(&self, piece: &RawStatement) -> bool {
        self.dialect == SqlDialect::Mysql
            && comments::read_annotations(self.text, piece).name.is_none()
            && !self.has_parameters(piece)
    }

    /// Whether a statement has parameters; a long one is data.
    fn has_parameters(&self, piece: &RawStatement) -> bool {
        let text = piece.span.text(self.text);
        text.len() <= WRITTEN_STATEMENT_MAX
            && text.contains(['?', ':', '@'])
            && self.tokenize(piece).is_ok_and(|tokens| {
                let has_macro = tokens.iter().any(|it| it.token == Token::AtSign);
                has_macro || token::count_placeholders(&tokens) > 0
            })
    }

    /// A rule replaces statements by others, which nothing in Cassandra would do.
    fn reject_rule(&mut self, piece: &RawStatement) {
        let is_rule = |word: &Span| word.text(self.text).eq_ignore_ascii_case("rule");
        let name = piece.words.iter().skip_while(|word| !is_rule(word)).nth(1).copied();
        let place = name.unwrap_or(piece.span);
        let name = name.map_or("", |name| name.text(self.text));
        let message = format!("the rule {name} replaces statements by others");
        let help = "do in the application what the rule does, as a write of its own, and remove \
                    the rule";
        self.draft.report("MF370", place, message, help);
    }

    /// Directives of the whole file are allowed only above the first statement, where `head` reads
    /// them.
    fn check_head(&mut self, remarks: &mut StatementAnnotations, is_first: bool) {
        let is_file_directive =
            |directive: &Directive| directive.kind.can_apply_to(DirectiveTarget::File);
        if !is_first {
            let late = remarks.above.iter().filter(|it| is_file_directive(it));
            let errors = late.map(|it| {
                it.location_error(format!("@{} is not at the head of the file", it.kind.name()))
            });
            self.draft.errors.extend(errors);
        }
        remarks.above.retain(|directive| !is_file_directive(directive));
    }

    /// Reports the directives of a statement that takes none.
    fn reject_directives(&mut self, directives: &[Directive]) {
        let misplaced =
            directives.iter().filter_map(|it| it.placement_error(DirectiveTarget::Other));
        self.draft.errors.extend(misplaced);
    }

    fn dispatch(
        &mut self,
        kind: SqlKind,
        tokens: Vec<TokenWithSpan>,
        remarks: StatementAnnotations,
        piece: &RawStatement,
    ) {
        let (draft, whole) = (&mut self.draft, piece.span);
        let tokens = match (self.dialect, kind) {
            (SqlDialect::Mysql, SqlKind::Table) => mysql::rewrite_create(draft, &tokens),
            (SqlDialect::Mysql, SqlKind::AlterTable) => mysql::rewrite_alter(draft, &tokens),
            (SqlDialect::Mysql, SqlKind::UniqueIndex) => mysql::rewrite_index(draft, &tokens),
            _ => tokens,
        };
        match kind {
            SqlKind::Table => table::read_create(draft, &tokens, remarks, whole),
            SqlKind::AlterTable => {
                table::read_alter(draft, &tokens, remarks.into_directives(), whole);
            }
            SqlKind::UniqueIndex => {
                self.reject_directives(&remarks.into_directives());
                table::read_unique_index(&mut self.draft, &tokens, whole);
            }
            SqlKind::Type => {
                self.reject_directives(&remarks.into_directives());
                self.declare_type(tokens, whole);
            }
            SqlKind::Domain => {
                self.reject_directives(&remarks.into_directives());
                self.declare_domain(&tokens, whole);
            }
            SqlKind::Query | SqlKind::Write => self.read_query(kind, tokens, remarks, piece),
            SqlKind::Skipped
            | SqlKind::Function
            | SqlKind::Trigger
            | SqlKind::Rule
            | SqlKind::AlterType
            | SqlKind::Collation
            | SqlKind::View => {}
        }
    }

    fn read_query(
        &mut self,
        kind: SqlKind,
        tokens: Vec<TokenWithSpan>,
        mut remarks: StatementAnnotations,
        piece: &RawStatement,
    ) {
        let line = match remarks.name.take() {
            Some(Ok(line)) => line,
            Some(Err(error)) => return self.draft.errors.push(error),
            None => return self.report_unnamed(kind, piece),
        };
        if self.names.insert(line.name.clone(), line.span).is_some() {
            let message = format!("two statements are named {}", line.name);
            return self.draft.report("MF012", line.span, message, "rename one of them");
        }
        let directives = remarks.into_directives();
        let target =
            if kind == SqlKind::Query { DirectiveTarget::Query } else { DirectiveTarget::Write };
        self.draft.errors.extend(directives.iter().filter_map(|it| it.placement_error(target)));
        self.draft.errors.extend(directive::duplicate_errors(&directives));
        let (tokens, text) =
            sqlc::expand_macros(tokens, piece.span.text(self.text), piece.span.start);
        let placeholders = token::count_placeholders(&tokens);
        let tokens = match self.dialect {
            SqlDialect::Postgres => Ok(tokens),
            SqlDialect::Mysql => mysql::rewrite_statement(&mut self.draft, &tokens),
        };
        let parsed = tokens.and_then(|tokens| token::parse(tokens, piece.span));
        let text = match (&parsed, self.dialect) {
            (Ok(statement), SqlDialect::Mysql) => statement.to_string(),
            _ => text,
        };
        match parsed {
            Ok(statement) => self.named.push(NamedStatement {
                name: line.name,
                name_span: line.span,
                cardinality: line.cardinality,
                directives,
                statement,
                placeholders,
                text,
                span: piece.span,
            }),
            Err(error) => self.draft.errors.push(error),
        }
    }

    fn report_unnamed(&mut self, kind: SqlKind, piece: &RawStatement) {
        let Some(&word) = piece.words.first() else { return };
        let returns = if kind == SqlKind::Query { "many" } else { "exec" };
        let message = format!("this {} has no name", word.text(self.text).to_uppercase());
        let help = format!("add -- name: AnyName :{returns} on the line above");
        self.draft.report("MF013", word, message, help);
    }

    fn declare_type(&mut self, tokens: Vec<TokenWithSpan>, whole: Span) {
        let (name, representation) = match token::parse(tokens, whole) {
            Ok(Statement::CreateType { name, representation: Some(representation) }) => {
                (name, representation)
            }
            // A shell type, as in dumps of base types.
            Ok(_) => return,
            Err(error) => return self.draft.errors.push(error),
        };
        let Some(name) = SqlName::from_object_name(&name) else { return };
        let types = &mut self.draft.types;
        let error = match representation {
            UserDefinedTypeRepresentation::Enum { labels } => {
                types.add_enum(name, labels.into_iter().map(|label| label.value).collect())
            }
            UserDefinedTypeRepresentation::Composite { attributes } => {
                let mut fields: Vec<(Box<str>, Type)> = Vec::new();
                for attribute in attributes {
                    let field = SqlName::new(&attribute.name);
                    match types.resolve(&attribute.data_type, field.span) {
                        Ok(ty) => fields.push((field.text.into(), ty.ty.freeze())),
                        Err(error) => self.draft.errors.push(error),
                    }
                }
                types.add_composite(&self.keyspace, name, fields)
            }
            _ => None,
        };
        self.draft.errors.extend(error);
    }

    fn declare_domain(&mut self, tokens: &[TokenWithSpan], whole: Span) {
        match table::read_domain(&self.draft.types, tokens, whole) {
            Ok((name, ty)) => {
                let error = self.draft.types.add_domain(name, ty);
                self.draft.errors.extend(error);
            }
            Err(error) => self.draft.errors.push(error),
        }
    }
}
