//! A model file, statement by statement.

use std::collections::HashMap;

use cql::types::Type;
use cql::{Diagnostic, Span};
use sqlparser::ast::{Statement, UserDefinedTypeRepresentation};
use sqlparser::tokenizer::TokenWithSpan;

use super::comments::{self, Remarks};
use super::draft::ModelDraft;
use super::kind::{Kind, kind};
use super::scan::{Piece, Scan};
use super::source::{Name, Named};
use super::table;
use super::token;
use crate::diagnostics::error;
use crate::directive::{self, Directive, Subject};

/// The largest file that is read.
pub(super) const LARGEST: usize = 16 * 1024 * 1024;

/// More INSERTs without a name are data.
const DATA: usize = 10;

/// Refuses a text that is too large or binary, so that nothing of it is read.
pub(super) fn check_text(text: &str) -> Result<(), Diagnostic> {
    if text.len() > LARGEST {
        let message = format!("the file has more than {} MB", LARGEST / 1024 / 1024);
        return Err(error("MF001", Span::new(0, 0), message, SCHEMA_ONLY));
    }
    if let Some(nul) = text.find('\0') {
        let at = u32::try_from(nul).unwrap_or(0);
        let message = "the file is binary: it holds a zero byte";
        let help = "give a file of SQL, such as one of pg_dump --schema-only --format=plain";
        return Err(error("MF002", Span::new(at, at + 1), message, help));
    }
    Ok(())
}

/// Refuses a file without statements, and one that holds data.
pub(super) fn check_statements(text: &str, scan: &Scan) -> Result<(), Diagnostic> {
    if scan.data.is_none() && scan.unclosed.is_none() && scan.pieces.is_empty() {
        let help = "write CREATE TABLE statements and named queries";
        return Err(error("MF003", Span::new(0, 0), "the file holds no statement", help));
    }
    let is_insert =
        |piece: &&Piece| piece.words.first().is_some_and(|word| is(text, *word, "insert"));
    let inserts = || scan.pieces.iter().filter(is_insert);
    let unnamed = |piece: &&Piece| comments::remarks(text, piece).name.is_none();
    let data = scan.data.or_else(|| inserts().filter(unnamed).nth(DATA).map(|piece| piece.span));
    match data {
        Some(span) => {
            let place = Span::new(span.start, span.start + first_line(span.text(text)));
            Err(error("MF004", place, "the file holds data", SCHEMA_ONLY))
        }
        None => Ok(()),
    }
}

const SCHEMA_ONLY: &str = "dump the schema only, with pg_dump --schema-only, and add the queries";

/// The length of the first line, or of as much of it as one underlines.
fn first_line(text: &str) -> u32 {
    let line = text.lines().next().unwrap_or_default();
    let end = line.char_indices().nth(60).map_or(line.len(), |(at, _)| at);
    u32::try_from(end).unwrap_or(0)
}

fn is(text: &str, word: Span, keyword: &str) -> bool {
    word.text(text).eq_ignore_ascii_case(keyword)
}

/// The statements of a file, as they are read.
pub(super) struct FileReader<'a> {
    text: &'a str,
    /// The name of the keyspace, which user types carry.
    pub keyspace: String,
    /// What is read so far.
    pub draft: ModelDraft,
    /// The named statements.
    pub named: Vec<Named>,
    names: HashMap<String, Span>,
}

impl<'a> FileReader<'a> {
    pub(super) fn new(text: &'a str, keyspace: String) -> Self {
        let (draft, named, names) = (ModelDraft::default(), Vec::new(), HashMap::new());
        Self { text, keyspace, draft, named, names }
    }

    /// Reads all statements: types first, then tables, then what changes tables, and the queries.
    pub(super) fn read(&mut self, scan: Scan) {
        let mut later = Vec::new();
        let mut tables = Vec::new();
        for (position, piece) in scan.pieces.iter().enumerate() {
            match kind(self.text, &piece.words, piece.span) {
                Ok(kind @ (Kind::Type | Kind::Domain)) => self.statement(kind, piece, position),
                Ok(Kind::Table) => tables.push((Kind::Table, piece, position)),
                Ok(kind) => later.push((kind, piece, position)),
                Err(error) => self.draft.errors.push(error),
            }
        }
        for (kind, piece, position) in tables.into_iter().chain(later) {
            if self.draft.has_too_many_errors() {
                return;
            }
            self.statement(kind, piece, position);
        }
        let (rest, errors) = comments::alone(self.text, &scan.rest);
        self.draft.errors.extend(errors);
        for directive in rest {
            let message = format!("@{} stands behind the last statement", directive.kind.name());
            self.draft.errors.push(directive.elsewhere(message));
        }
        self.draft.errors.extend(scan.unclosed);
    }

    fn statement(&mut self, kind: Kind, piece: &Piece, position: usize) {
        let mut remarks = comments::remarks(self.text, piece);
        self.head(&mut remarks, position);
        // What other tools write above statements that say nothing is theirs; the head of the file is ours.
        if kind != Kind::Skipped || position == 0 {
            self.draft.errors.append(&mut remarks.errors);
        }
        if kind == Kind::Skipped {
            return self.skip(&remarks.above);
        }
        if let Some(line) = remarks.name_within {
            let message = "a statement has no end before this name";
            let help = "write a semicolon at the end of the statement above";
            return self.draft.report("MF011", line, message, help);
        }
        if !matches!(kind, Kind::Query | Kind::Write)
            && let Some(Ok(line)) = &remarks.name
        {
            let message = format!("{} names no query", line.name);
            let help = "write the name line above a SELECT, INSERT, UPDATE or DELETE";
            self.draft.report("MF009", line.span, message, help);
        }
        match token::tokens(self.text, piece.span, &piece.within) {
            Ok(tokens) => self.understood(kind, tokens, remarks, piece),
            Err(error) => self.draft.errors.push(error),
        }
    }

    /// The directives of the whole file stand above its first statement; they were read before.
    fn head(&mut self, remarks: &mut Remarks, position: usize) {
        let of_file = |directive: &Directive| directive.kind.speaks_of(Subject::File);
        if position > 0 {
            let late = remarks.above.iter().filter(|it| of_file(it));
            let errors = late.map(|it| it.elsewhere(format!("@{} stands too low", it.kind.name())));
            self.draft.errors.extend(errors);
        }
        remarks.above.retain(|directive| !of_file(directive));
    }

    /// A statement that says nothing about the model, of which directives can say nothing either.
    fn skip(&mut self, directives: &[Directive]) {
        let misplaced = directives.iter().filter_map(|it| it.misplaced(Subject::Other));
        self.draft.errors.extend(misplaced);
    }

    fn understood(
        &mut self,
        kind: Kind,
        tokens: Vec<TokenWithSpan>,
        remarks: Remarks,
        piece: &Piece,
    ) {
        let (draft, whole) = (&mut self.draft, piece.span);
        match kind {
            Kind::Table => table::create(draft, &tokens, remarks, whole),
            Kind::AlterTable => table::alter(draft, &tokens, remarks.all(), whole),
            Kind::UniqueIndex => {
                self.skip(&remarks.all());
                table::unique_index(&mut self.draft, tokens, whole);
            }
            Kind::Type => {
                self.skip(&remarks.all());
                self.declare_type(tokens, whole);
            }
            Kind::Domain => {
                self.skip(&remarks.all());
                self.declare_domain(&tokens, whole);
            }
            Kind::Query | Kind::Write => self.query(kind, tokens, remarks, piece),
            Kind::Skipped => {}
        }
    }

    fn query(
        &mut self,
        kind: Kind,
        tokens: Vec<TokenWithSpan>,
        mut remarks: Remarks,
        piece: &Piece,
    ) {
        let line = match remarks.name.take() {
            Some(Ok(line)) => line,
            Some(Err(error)) => return self.draft.errors.push(error),
            None => return self.unnamed(kind, piece),
        };
        if self.names.insert(line.name.clone(), line.span).is_some() {
            let message = format!("two statements are named {}", line.name);
            return self.draft.report("MF012", line.span, message, "rename one of them");
        }
        let directives = remarks.all();
        let subject = if kind == Kind::Query { Subject::Query } else { Subject::Write };
        self.draft.errors.extend(directives.iter().filter_map(|it| it.misplaced(subject)));
        self.draft.errors.extend(directive::duplicates(&directives));
        match token::parse(tokens, piece.span) {
            Ok(statement) => self.named.push(Named {
                name: line.name,
                name_span: line.span,
                cardinality: line.cardinality,
                directives,
                statement,
                text: piece.span.text(self.text).to_owned(),
                span: piece.span,
            }),
            Err(error) => self.draft.errors.push(error),
        }
    }

    fn unnamed(&mut self, kind: Kind, piece: &Piece) {
        let Some(&word) = piece.words.first() else { return };
        let returns = if kind == Kind::Query { "many" } else { "exec" };
        let message = format!("this {} has no name", word.text(self.text).to_uppercase());
        let help = format!("write -- name: AnyName :{returns} on the line above");
        self.draft.report("MF013", word, message, help);
    }

    fn declare_type(&mut self, tokens: Vec<TokenWithSpan>, whole: Span) {
        let (name, representation) = match token::parse(tokens, whole) {
            Ok(Statement::CreateType { name, representation: Some(representation) }) => {
                (name, representation)
            }
            // A shell type, which dumps of base types have.
            Ok(_) => return,
            Err(error) => return self.draft.errors.push(error),
        };
        let Some(name) = Name::last(&name) else { return };
        let types = &mut self.draft.types;
        let error = match representation {
            UserDefinedTypeRepresentation::Enum { labels } => types.add_enum(name, labels.len()),
            UserDefinedTypeRepresentation::Composite { attributes } => {
                let mut fields: Vec<(Box<str>, Type)> = Vec::new();
                for attribute in attributes {
                    let field = Name::new(&attribute.name);
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
        match table::domain(&self.draft.types, tokens, whole) {
            Ok((name, ty)) => {
                let error = self.draft.types.add_domain(name, ty);
                self.draft.errors.extend(error);
            }
            Err(error) => self.draft.errors.push(error),
        }
    }
}
