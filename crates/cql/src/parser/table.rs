//! Tables: CREATE, ALTER, DROP, TRUNCATE.

use super::cursor::{ParseResult, Parser};
use crate::keyword::Keyword;
use crate::lexer::TokenKind;
use crate::name::Name;
use crate::statement::StatementKind;
use crate::statement::table::{
    AlterTable, ClusteringOrder, ColumnDefinition, CreateTable, DropTable, Mask, PrimaryKey,
    TableChange, TableOptions, Truncate,
};
use crate::syntax_error::{Expectation, JavaException, NewerSyntax, SyntaxAdvice, SyntaxReason};

impl Parser<'_> {
    /// Parses the rest of CREATE TABLE.
    pub(super) fn create_table(&mut self) -> ParseResult<StatementKind> {
        let start = self.next_span();
        let if_not_exists = self.if_not_exists()?;
        let name = self.table_name()?;
        let mut table = CreateTable {
            if_not_exists,
            name,
            columns: Vec::new(),
            primary_keys: Vec::new(),
            options: TableOptions::default(),
            like: None,
        };
        if self.eat_keyword(Keyword::Like) {
            table.like = Some(self.table_name()?);
            self.report_newer(
                NewerSyntax::CreateTableLike,
                self.span_since(start),
                SyntaxAdvice::WriteColumns,
            );
        } else {
            self.table_definition(&mut table)?;
        }
        if self.eat_keyword(Keyword::With) {
            table.options = self.table_options(false)?;
        }
        Ok(StatementKind::CreateTable(Box::new(table)))
    }

    /// `(column, ..., PRIMARY KEY (...))`; the server allows trailing commas.
    fn table_definition(&mut self, table: &mut CreateTable) -> ParseResult<()> {
        self.expect(TokenKind::OpenParen)?;
        loop {
            if self.is_at_keyword(Keyword::Primary) {
                table.primary_keys.push(self.primary_key()?);
            } else {
                table.columns.push(self.column_definition(true)?);
            }
            while self.eat(TokenKind::Comma) {
                if matches!(self.kind(), TokenKind::Comma | TokenKind::CloseParen) {
                    continue;
                }
                break;
            }
            if self.eat(TokenKind::CloseParen) {
                return Ok(());
            }
            let previous = self.position.checked_sub(1).and_then(|last| self.tokens.get(last));
            if previous.is_none_or(|token| token.kind != TokenKind::Comma) {
                return self.fail(Expectation::DefinitionEnd);
            }
        }
    }

    /// `name type [STATIC] [MASKED WITH ...] [PRIMARY KEY]`
    fn column_definition(&mut self, allows_key: bool) -> ParseResult<ColumnDefinition> {
        let start = self.next_span();
        let name = self.schema_column()?;
        let type_name = self.type_name()?;
        let is_static = self.eat_keyword(Keyword::Static);
        let mask = if self.is_at_keyword(Keyword::Masked) { Some(self.mask()?) } else { None };
        let primary_key = allows_key && self.eat_keyword(Keyword::Primary);
        if primary_key {
            self.expect_keyword(Keyword::Key)?;
        }
        Ok(ColumnDefinition {
            name,
            type_name,
            is_static,
            mask: mask.map(Box::new),
            primary_key,
            span: self.span_since(start),
        })
    }

    fn mask(&mut self) -> ParseResult<Mask> {
        let start = self.next_span();
        self.expect_keywords(&[Keyword::Masked, Keyword::With])?;
        // DEFAULT may also be the name of a function.
        let is_call = matches!(self.kind_at(1), TokenKind::OpenParen | TokenKind::Dot);
        if self.is_at_keyword(Keyword::Default) && !is_call {
            self.bump();
            return Ok(Mask {
                function: None,
                arguments: Vec::new(),
                span: self.span_since(start),
            });
        }
        let function = Some(self.function_name()?);
        self.expect(TokenKind::OpenParen)?;
        let arguments = self.list_until(TokenKind::CloseParen, Self::term)?;
        Ok(Mask { function, arguments, span: self.span_since(start) })
    }

    /// `PRIMARY KEY ((a, b), c)`
    pub(super) fn primary_key(&mut self) -> ParseResult<PrimaryKey> {
        let start = self.next_span();
        self.expect_keywords(&[Keyword::Primary, Keyword::Key])?;
        self.expect(TokenKind::OpenParen)?;
        let partition = if self.eat(TokenKind::OpenParen) {
            let columns = self.list(Self::schema_column)?;
            self.expect(TokenKind::CloseParen)?;
            columns
        } else {
            vec![self.schema_column()?]
        };
        let mut clustering = Vec::new();
        while self.eat(TokenKind::Comma) {
            clustering.push(self.schema_column()?);
        }
        self.expect(TokenKind::CloseParen)?;
        Ok(PrimaryKey { partition, clustering, span: self.span_since(start) })
    }

    /// `option {AND option}` of a table or view.
    pub(super) fn table_options(&mut self, is_view: bool) -> ParseResult<TableOptions> {
        let mut options = TableOptions::default();
        loop {
            let start = self.next_span();
            // `compact = ...` is a property of that name.
            let is_property = self.kind_at(1) == TokenKind::Equal;
            if self.is_at_keyword(Keyword::Compact) && !is_property {
                self.expect_keywords(&[Keyword::Compact, Keyword::Storage])?;
                options.compact_storage = Some(self.span_since(start));
                if is_view {
                    self.throw(SyntaxReason::CompactStorageView, self.span_since(start));
                }
            } else if self.is_at_keyword(Keyword::Clustering) && !is_property {
                self.expect_keywords(&[Keyword::Clustering, Keyword::Order, Keyword::By])?;
                self.expect(TokenKind::OpenParen)?;
                options.clustering_order.extend(self.list(Self::clustering_order)?);
                self.expect(TokenKind::CloseParen)?;
            } else {
                options.properties.push(self.property()?);
            }
            if !self.eat_keyword(Keyword::And) {
                self.check_properties(&options.properties);
                return Ok(options);
            }
        }
    }

    fn clustering_order(&mut self) -> ParseResult<ClusteringOrder> {
        let column = self.schema_column()?;
        let descending = self.eat_keyword(Keyword::Desc);
        if !descending {
            self.expect_direction()?;
        }
        Ok(ClusteringOrder { column, descending })
    }

    fn expect_direction(&mut self) -> ParseResult<()> {
        if self.eat_keyword(Keyword::Asc) { Ok(()) } else { self.fail(Expectation::Direction) }
    }

    /// Parses the rest of ALTER TABLE.
    pub(super) fn alter_table(&mut self) -> ParseResult<StatementKind> {
        let if_exists = self.if_exists()?;
        let name = self.table_name()?;
        let change = match self.kind() {
            TokenKind::Keyword(Keyword::Alter) => self.alter_column()?,
            TokenKind::Keyword(Keyword::Add) => self.add_columns()?,
            TokenKind::Keyword(Keyword::Drop) => self.drop_columns()?,
            TokenKind::Keyword(Keyword::Rename) => {
                let (if_exists, columns) = self.renames(Expectation::ColumnName)?;
                TableChange::Rename { if_exists, columns }
            }
            TokenKind::Keyword(Keyword::With) => {
                self.bump();
                TableChange::With(self.properties()?)
            }
            _ => return self.fail(Expectation::TableChange),
        };
        Ok(StatementKind::AlterTable(Box::new(AlterTable { if_exists, name, change })))
    }

    fn alter_column(&mut self) -> ParseResult<TableChange> {
        self.bump();
        let if_exists = self.if_exists()?;
        let column = self.column()?;
        match self.kind() {
            TokenKind::Keyword(Keyword::Type) if !if_exists => {
                self.bump();
                Ok(TableChange::AlterType(column, self.type_name()?))
            }
            TokenKind::Keyword(Keyword::Masked) => {
                let mask = Some(self.mask()?);
                Ok(TableChange::Mask { if_exists, column, mask })
            }
            TokenKind::Keyword(Keyword::Drop) => {
                self.bump();
                self.expect_keyword(Keyword::Masked)?;
                Ok(TableChange::Mask { if_exists, column, mask: None })
            }
            _ => self.fail(Expectation::ColumnChange),
        }
    }

    fn add_columns(&mut self) -> ParseResult<TableChange> {
        self.bump();
        let if_not_exists = self.if_not_exists()?;
        let columns = if self.eat(TokenKind::OpenParen) {
            let columns = self.list(|parser| parser.column_definition(false))?;
            self.expect(TokenKind::CloseParen)?;
            columns
        } else {
            vec![self.column_definition(false)?]
        };
        Ok(TableChange::Add { if_not_exists, columns })
    }

    fn drop_columns(&mut self) -> ParseResult<TableChange> {
        self.bump();
        if self.is_at_keyword(Keyword::Compact) && self.is_keyword_at(1, Keyword::Storage) {
            self.bump();
            self.bump();
            return Ok(TableChange::DropCompactStorage);
        }
        let if_exists = self.if_exists()?;
        let columns = if self.eat(TokenKind::OpenParen) {
            let columns = self.list(Self::schema_column)?;
            self.expect(TokenKind::CloseParen)?;
            columns
        } else {
            vec![self.schema_column()?]
        };
        let timestamp = if self.eat_keyword(Keyword::Using) {
            self.expect_keyword(Keyword::Timestamp)?;
            Some(self.drop_timestamp()?)
        } else {
            None
        };
        Ok(TableChange::Drop { if_exists, columns, timestamp })
    }

    fn drop_timestamp(&mut self) -> ParseResult<Box<str>> {
        if !matches!(self.kind(), TokenKind::Integer | TokenKind::Placeholder) {
            return self.fail(Expectation::WholeNumber);
        }
        let token = self.bump();
        let text = self.text(token);
        if token.kind == TokenKind::Integer && text.parse::<i64>().is_err() {
            self.crash(JavaException::IntegerOutOfRange { text: text.into() }, token.span);
        }
        Ok(text.into())
    }

    /// `RENAME [IF EXISTS] a TO b {AND c TO d}`
    pub(super) fn renames(
        &mut self,
        expected: Expectation,
    ) -> ParseResult<(bool, Vec<(Name, Name)>)> {
        self.bump();
        let if_exists = self.if_exists()?;
        let mut names = Vec::new();
        loop {
            let from = self.name(expected)?;
            self.expect_keyword(Keyword::To)?;
            names.push((from, self.name(expected)?));
            if !self.eat_keyword(Keyword::And) {
                return Ok((if_exists, names));
            }
        }
    }

    /// Parses the rest of DROP TABLE.
    pub(super) fn drop_table(&mut self) -> ParseResult<StatementKind> {
        let if_exists = self.if_exists()?;
        Ok(StatementKind::DropTable(DropTable { if_exists, name: self.table_name()? }))
    }

    pub(super) fn truncate(&mut self) -> ParseResult<StatementKind> {
        self.bump();
        self.eat_keyword(Keyword::Table);
        Ok(StatementKind::Truncate(Truncate { table: self.table_name()? }))
    }
}
