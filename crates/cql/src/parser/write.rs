//! INSERT, UPDATE, DELETE and BATCH.

use std::collections::HashSet;

use super::cursor::{ParseResult, Parser};
use super::names::is_name;
use super::terms::integer_constant;
use crate::keyword::Keyword;
use crate::lexer::TokenKind;
use crate::name::Name;
use crate::statement::write::{
    Assignment, AssignmentOperation, Batch, BatchKind, BatchStatement, Delete, DeleteTarget,
    Insert, InsertValues, Update, UsingClause, UsingPart, WriteKind,
};
use crate::syntax_error::{Expectation, SyntaxReason};
use crate::term::{Constant, ConstantKind, Term, TermKind};

impl Parser<'_> {
    pub(super) fn insert(&mut self) -> ParseResult<Insert> {
        self.bump();
        self.expect_keyword(Keyword::Into)?;
        let table = self.table_name()?;
        let values = match self.kind() {
            TokenKind::Keyword(Keyword::Json) => self.json_values()?,
            TokenKind::OpenParen => self.column_values()?,
            _ => return self.fail(Expectation::InsertBody),
        };
        let if_not_exists = self.if_not_exists()?;
        let using = self.using()?;
        Ok(Insert { table, values, if_not_exists, using })
    }

    fn column_values(&mut self) -> ParseResult<InsertValues> {
        self.bump();
        let columns = self.list(Self::column)?;
        self.expect(TokenKind::CloseParen)?;
        self.expect_keyword(Keyword::Values)?;
        self.expect(TokenKind::OpenParen)?;
        let mut values = Vec::with_capacity(columns.len());
        loop {
            values.push(self.term()?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::CloseParen)?;
        Ok(InsertValues::Columns { columns, values })
    }

    fn json_values(&mut self) -> ParseResult<InsertValues> {
        self.bump();
        let token = self.token(0);
        let kind = match token.kind {
            TokenKind::String | TokenKind::DollarString => {
                TermKind::Constant(Constant { kind: ConstantKind::String, text: self.string()? })
            }
            TokenKind::Question | TokenKind::Colon => TermKind::Marker(self.marker()?),
            TokenKind::Placeholder => TermKind::Placeholder(self.name(Expectation::Value)?.text),
            _ => return self.fail(Expectation::JsonDocument),
        };
        let value = Term { kind, span: self.span_since(token.span) };
        let mut default_unset = false;
        if self.eat_keyword(Keyword::Default) && !self.eat_keyword(Keyword::Null) {
            if !self.eat_keyword(Keyword::Unset) {
                return self.fail(Expectation::NullOrUnset);
            }
            default_unset = true;
        }
        Ok(InsertValues::Json { value, default_unset })
    }

    /// `USING TIMESTAMP t AND TTL n`, or nothing.
    fn using(&mut self) -> ParseResult<UsingClause> {
        let mut using = UsingClause::default();
        if !self.eat_keyword(Keyword::Using) {
            return Ok(using);
        }
        loop {
            using.parts.push(if self.eat_keyword(Keyword::Timestamp) {
                UsingPart::Timestamp(self.integer()?)
            } else if self.eat_keyword(Keyword::Ttl) {
                UsingPart::Ttl(self.integer()?)
            } else {
                return self.fail(Expectation::TimestampOrTtl);
            });
            if !self.eat_keyword(Keyword::And) {
                return Ok(using);
            }
        }
    }

    pub(super) fn update(&mut self) -> ParseResult<Update> {
        self.bump();
        let table = self.table_name()?;
        let using = self.using()?;
        self.expect_keyword(Keyword::Set)?;
        let assignments = self.list(Self::assignment)?;
        self.check_assignments(&assignments);
        self.expect_keyword(Keyword::Where)?;
        let relations = self.relations()?;
        let conditions = self.conditions()?;
        Ok(Update { table, using, assignments, relations, conditions })
    }

    fn assignment(&mut self) -> ParseResult<Assignment> {
        let start = self.next_span();
        let column = self.column()?;
        let operation = match self.kind() {
            TokenKind::Equal => {
                self.bump();
                self.normal_operation(&column)?
            }
            TokenKind::PlusEqual => {
                self.bump();
                AssignmentOperation::Add(self.term()?)
            }
            TokenKind::MinusEqual => {
                self.bump();
                AssignmentOperation::Subtract(self.term()?)
            }
            TokenKind::OpenBracket => {
                self.bump();
                let key = self.term()?;
                self.expect(TokenKind::CloseBracket)?;
                self.expect(TokenKind::Equal)?;
                AssignmentOperation::SetElement(key, self.term()?)
            }
            TokenKind::Dot => {
                self.bump();
                let field = self.name(Expectation::FieldName)?;
                self.expect(TokenKind::Equal)?;
                AssignmentOperation::SetField(field, self.term()?)
            }
            _ => return self.fail(Expectation::AssignmentSign),
        };
        Ok(Assignment { column, operation, span: self.span_since(start) })
    }

    /// Parses what follows `column =`.
    fn normal_operation(&mut self, column: &Name) -> ParseResult<AssignmentOperation> {
        let name_ahead = is_name(self.kind()) && !self.is_at(TokenKind::Placeholder)
            || self.is_at(TokenKind::EmptyQuotedName);
        if name_ahead && !self.is_at_call() && !self.is_at_cast() {
            return self.column_arithmetic(column);
        }
        let value = self.term()?;
        if !self.is_at(TokenKind::Plus) {
            return Ok(AssignmentOperation::Set(value));
        }
        self.bump();
        let other = self.column()?;
        if other != *column {
            self.refuse(SyntaxReason::PrependToOther, other.span);
        }
        Ok(AssignmentOperation::Prepend(value))
    }

    fn is_at_cast(&self) -> bool {
        self.is_at_keyword(Keyword::Cast) && self.kind_at(1) == TokenKind::OpenParen
    }

    /// `column + value`, `column - value`, and `column -3`, where the sign is part of the number.
    fn column_arithmetic(&mut self, column: &Name) -> ParseResult<AssignmentOperation> {
        let other = self.column()?;
        let token = self.token(0);
        if !matches!(token.kind, TokenKind::Plus | TokenKind::Minus | TokenKind::Integer) {
            self.position -= 1;
            return self.fail(Expectation::Value);
        }
        self.bump();
        let (operation, sign): (fn(Term) -> AssignmentOperation, _) = match token.kind {
            TokenKind::Plus => (AssignmentOperation::Add, "+"),
            TokenKind::Minus => (AssignmentOperation::Subtract, "-"),
            _ if self.text(token).starts_with('-') => (AssignmentOperation::Add, "- "),
            _ => (AssignmentOperation::Add, "+ "),
        };
        let value = if token.kind == TokenKind::Integer {
            integer_constant(self, token)
        } else {
            self.term()?
        };
        if other != *column {
            self.refuse(SyntaxReason::ChangeOfOther { sign }, other.span);
        }
        Ok(operation(value))
    }

    /// Refuses a column that is set as a whole and once more, or a field that is set twice.
    fn check_assignments(&mut self, assignments: &[Assignment]) {
        if assignments.len() < 2 {
            return;
        }
        let mut order: Vec<&Assignment> = assignments.iter().collect();
        order.sort_by(|left, right| left.column.text.cmp(&right.column.text));
        let mut refused = Vec::new();
        for same in order.chunk_by(|left, right| left.column == right.column) {
            let whole = same
                .iter()
                .any(|assignment| matches!(assignment.operation, AssignmentOperation::Set(_)));
            let mut fields = HashSet::new();
            let repeated = same.iter().any(|assignment| match &assignment.operation {
                AssignmentOperation::SetField(field, _) => !fields.insert(&field.text),
                _ => false,
            });
            if let Some(second) = same.get(1).filter(|_| whole || repeated) {
                refused.push((second.span, &second.column.text));
            }
        }
        refused.sort_by_key(|(span, _)| span.start);
        for (span, column) in refused {
            let column = column.clone();
            self.refuse(SyntaxReason::IncompatibleAssignments { column }, span);
        }
    }

    pub(super) fn delete(&mut self) -> ParseResult<Delete> {
        self.bump();
        let targets = if self.is_at_keyword(Keyword::From) {
            Vec::new()
        } else {
            self.list(Self::delete_target)?
        };
        self.expect_keyword(Keyword::From)?;
        let table = self.table_name()?;
        let mut using = UsingClause::default();
        if self.eat_keyword(Keyword::Using) {
            self.expect_keyword(Keyword::Timestamp)?;
            using.parts.push(UsingPart::Timestamp(self.integer()?));
        }
        self.expect_keyword(Keyword::Where)?;
        let relations = self.relations()?;
        let conditions = self.conditions()?;
        Ok(Delete { targets, table, using, relations, conditions })
    }

    fn delete_target(&mut self) -> ParseResult<DeleteTarget> {
        let start = self.next_span();
        let column = self.column()?;
        let part = self.column_part()?;
        Ok(DeleteTarget { column, part, span: self.span_since(start) })
    }

    pub(super) fn batch(&mut self) -> ParseResult<Batch> {
        self.bump();
        let kind = match self.kind() {
            TokenKind::Keyword(Keyword::Unlogged) => BatchKind::Unlogged,
            TokenKind::Keyword(Keyword::Counter) => BatchKind::Counter,
            _ => BatchKind::Logged,
        };
        if kind != BatchKind::Logged {
            self.bump();
        }
        self.expect_keyword(Keyword::Batch)?;
        self.in_batch = true;
        let using = self.using()?;
        let mut statements = Vec::new();
        while let Some(statement) = self.batch_statement()? {
            statements.push(statement);
            if self.is_at(TokenKind::Semicolon) {
                self.advance_past_semicolon();
            }
        }
        self.expect_keywords(&[Keyword::Apply, Keyword::Batch])?;
        self.in_batch = false;
        Ok(Batch { kind, using, statements })
    }

    fn batch_statement(&mut self) -> ParseResult<Option<BatchStatement>> {
        let start = self.next_span();
        let kind = match self.kind() {
            TokenKind::Keyword(Keyword::Insert) => WriteKind::Insert(self.insert()?),
            TokenKind::Keyword(Keyword::Update) => WriteKind::Update(self.update()?),
            TokenKind::Keyword(Keyword::Delete) => WriteKind::Delete(self.delete()?),
            TokenKind::Keyword(Keyword::Apply) => return Ok(None),
            _ => return self.fail(Expectation::BatchStatement),
        };
        Ok(Some(BatchStatement { kind, span: self.span_since(start) }))
    }
}
