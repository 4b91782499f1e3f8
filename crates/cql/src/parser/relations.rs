//! WHERE clauses and IF conditions.

use super::cursor::{ParseFailure, ParseResult, Parser};
use super::names::INDEX;
use crate::keyword::Keyword;
use crate::lexer::TokenKind;
use crate::name::{Name, QualifiedName};
use crate::relation::{
    ColumnPart, Condition, ConditionPredicate, Conditions, InValues, Operator, Relation,
    RelationKind,
};
use crate::span::Span;
use crate::syntax_error::{Expectation, NewerSyntax, SyntaxAdvice, SyntaxError, SyntaxReason};
use crate::term::Term;

impl Parser<'_> {
    /// `relation {AND relation}`
    pub(super) fn relations(&mut self) -> ParseResult<Vec<Relation>> {
        let mut relations = Vec::with_capacity(4);
        relations.push(self.relation_or_expression()?);
        while self.eat_keyword(Keyword::And) {
            relations.push(self.relation_or_expression()?);
        }
        Ok(relations)
    }

    fn relation_or_expression(&mut self) -> ParseResult<Relation> {
        if !self.is_at(TokenKind::ExprOpen) {
            return self.relation();
        }
        let start = self.bump().span;
        let name = self.object_name(INDEX)?;
        self.expect(TokenKind::Comma)?;
        let value = self.term()?;
        self.expect(TokenKind::CloseParen)?;
        let index = QualifiedName { keyspace: None, name };
        Ok(Relation { kind: RelationKind::CustomIndex(index, value), span: self.span_since(start) })
    }

    fn relation(&mut self) -> ParseResult<Relation> {
        let start = self.next_span();
        let kind = match self.kind() {
            TokenKind::Keyword(Keyword::Token) => {
                self.bump();
                let columns = self.column_tuple()?;
                let operator = self.comparison()?;
                RelationKind::Token(columns, operator, self.term()?)
            }
            TokenKind::OpenParen if self.is_at_column_tuple() => self.tuple_relation()?,
            TokenKind::OpenParen => return self.with_nesting(Self::relation_in_parentheses),
            _ => {
                let column = self.column()?;
                self.column_relation(column)?
            }
        };
        Ok(Relation { kind, span: self.span_since(start) })
    }

    fn relation_in_parentheses(&mut self) -> ParseResult<Relation> {
        self.bump();
        let relation = self.relation()?;
        self.expect(TokenKind::CloseParen)?;
        Ok(relation)
    }

    /// Whether `(a, b)` follows, rather than a relation in parentheses.
    fn is_at_column_tuple(&self) -> bool {
        matches!(self.kind_at(2), TokenKind::Comma | TokenKind::CloseParen)
    }

    fn column_tuple(&mut self) -> ParseResult<Vec<Name>> {
        self.expect(TokenKind::OpenParen)?;
        let columns = self.list(Self::column)?;
        self.expect(TokenKind::CloseParen)?;
        Ok(columns)
    }

    fn column_relation(&mut self, column: Name) -> ParseResult<RelationKind> {
        let start = self.next_span();
        match self.kind() {
            TokenKind::Keyword(Keyword::Like) => {
                self.bump();
                Ok(RelationKind::Column(column, Operator::Like, self.term()?))
            }
            TokenKind::Keyword(Keyword::Is) => {
                self.bump();
                self.expect_keywords(&[Keyword::Not, Keyword::Null])?;
                Ok(RelationKind::IsNotNull(column))
            }
            TokenKind::Keyword(Keyword::In) => {
                self.bump();
                Ok(RelationKind::In { column, negated: false, values: self.column_in_values()? })
            }
            TokenKind::Keyword(Keyword::Not) => self.not_relation(column),
            TokenKind::Keyword(Keyword::Contains) => {
                let operator = self.contains();
                Ok(RelationKind::Column(column, operator, self.term()?))
            }
            TokenKind::OpenBracket => {
                self.bump();
                let key = Box::new(self.term()?);
                self.expect(TokenKind::CloseBracket)?;
                let operator = self.comparison()?;
                Ok(RelationKind::Element(column, key, operator, self.term()?))
            }
            TokenKind::Identifier if self.text(self.token(0)).eq_ignore_ascii_case("between") => {
                self.bump();
                let low = self.term()?;
                self.expect_keyword(Keyword::And)?;
                let high = self.term()?;
                self.report_newer(
                    NewerSyntax::Between,
                    self.span_since(start),
                    SyntaxAdvice::TwoComparisons,
                );
                Ok(RelationKind::Between(column, Box::new((low, high))))
            }
            _ => {
                let operator = self.comparison()?;
                Ok(RelationKind::Column(column, operator, self.term()?))
            }
        }
    }

    /// `column NOT IN (...)`, which 5.0 does not have; NOT CONTAINS is not even kept in the tree.
    fn not_relation(&mut self, column: Name) -> ParseResult<RelationKind> {
        let start = self.next_span();
        match self.kind_at(1) {
            TokenKind::Keyword(Keyword::In) => {
                self.bump();
                self.bump();
                let values = self.column_in_values()?;
                self.report_newer(
                    NewerSyntax::NotIn,
                    self.span_since(start),
                    SyntaxAdvice::WantedValues,
                );
                Ok(RelationKind::In { column, negated: true, values })
            }
            TokenKind::Keyword(Keyword::Contains) => {
                self.bump();
                self.bump();
                self.report_newer(
                    NewerSyntax::NotContains,
                    self.span_since(start),
                    SyntaxAdvice::FilterInClient,
                );
                Err(ParseFailure)
            }
            _ => self.fail(Expectation::RelationOperator),
        }
    }

    /// Reports syntax of a later version of Cassandra.
    pub(super) fn report_newer(&mut self, syntax: NewerSyntax, span: Span, advice: SyntaxAdvice) {
        let error = SyntaxError::new(SyntaxReason::Newer { syntax }, span);
        self.errors.push(error.with_advice(advice));
    }

    /// `CONTAINS [KEY]`
    fn contains(&mut self) -> Operator {
        self.bump();
        if self.eat_keyword(Keyword::Key) { Operator::ContainsKey } else { Operator::Contains }
    }

    /// `=`, `<`, ...
    fn comparison(&mut self) -> ParseResult<Operator> {
        let operator = match self.kind() {
            TokenKind::Equal => Operator::Eq,
            TokenKind::Less => Operator::Lt,
            TokenKind::LessEqual => Operator::Lte,
            TokenKind::Greater => Operator::Gt,
            TokenKind::GreaterEqual => Operator::Gte,
            TokenKind::NotEqual => Operator::Neq,
            _ => return self.fail(Expectation::Comparison),
        };
        self.bump();
        Ok(operator)
    }

    /// A marker, or terms in parentheses.
    fn column_in_values(&mut self) -> ParseResult<InValues> {
        if let Some(marker) = self.eat_in_marker()? {
            return Ok(marker);
        }
        if !self.is_at(TokenKind::OpenParen) {
            return self.fail(Expectation::InValues);
        }
        self.bump();
        Ok(InValues::List(self.list_until(TokenKind::CloseParen, Self::term)?))
    }

    fn eat_in_marker(&mut self) -> ParseResult<Option<InValues>> {
        if self.is_at(TokenKind::Placeholder) {
            let start = self.next_span();
            let marker = self.placeholder();
            return Ok(Some(InValues::Marker(marker, self.span_since(start))));
        }
        if !matches!(self.kind(), TokenKind::Question | TokenKind::Colon) {
            return Ok(None);
        }
        let start = self.next_span();
        let marker = self.marker()?;
        Ok(Some(InValues::Marker(marker, self.span_since(start))))
    }

    fn tuple_relation(&mut self) -> ParseResult<RelationKind> {
        let columns = self.column_tuple()?;
        if self.eat_keyword(Keyword::In) {
            return Ok(RelationKind::TupleIn(columns, self.tuple_in_values()?));
        }
        let operator = self.comparison()?;
        Ok(RelationKind::Tuple(columns, operator, self.tuple_or_marker()?))
    }

    /// A tuple literal or a marker.
    fn tuple_or_marker(&mut self) -> ParseResult<Term> {
        match self.kind() {
            TokenKind::Question | TokenKind::Colon | TokenKind::Placeholder => self.simple_term(),
            TokenKind::OpenParen => {
                let start = self.next_span();
                let kind = self.tuple_literal()?;
                Ok(Term { kind, span: self.span_since(start) })
            }
            _ => self.fail(Expectation::Tuple),
        }
    }

    /// A marker, empty parentheses, tuples in parentheses or markers in parentheses, but no
    /// mixture.
    fn tuple_in_values(&mut self) -> ParseResult<InValues> {
        if let Some(marker) = self.eat_in_marker()? {
            return Ok(marker);
        }
        self.expect(TokenKind::OpenParen)?;
        let tuples = self.is_at(TokenKind::OpenParen);
        let values = self.list_until(TokenKind::CloseParen, |parser| {
            if tuples
                && !parser.is_at(TokenKind::OpenParen)
                && !parser.is_at(TokenKind::Placeholder)
            {
                return parser.fail(Expectation::Sign("("));
            }
            if !tuples && parser.is_at(TokenKind::OpenParen) {
                return parser.fail(Expectation::Marker);
            }
            parser.tuple_or_marker()
        })?;
        Ok(InValues::List(values))
    }

    /// `IF EXISTS`, `IF a = 1 AND ...`, or nothing.
    pub(super) fn conditions(&mut self) -> ParseResult<Conditions> {
        if !self.eat_keyword(Keyword::If) {
            return Ok(Conditions::None);
        }
        // EXISTS may also be a column.
        let compared = matches!(
            self.kind_at(1),
            TokenKind::Equal
                | TokenKind::NotEqual
                | TokenKind::Less
                | TokenKind::LessEqual
                | TokenKind::Greater
                | TokenKind::GreaterEqual
                | TokenKind::Dot
                | TokenKind::OpenBracket
                | TokenKind::Keyword(Keyword::In | Keyword::Contains)
        );
        if self.is_at_keyword(Keyword::Exists) && !compared {
            self.bump();
            return Ok(Conditions::Exists);
        }
        let mut conditions = vec![self.condition()?];
        while self.eat_keyword(Keyword::And) {
            conditions.push(self.condition()?);
        }
        Ok(Conditions::All(conditions))
    }

    /// `[key]`, `.field` or nothing after a column.
    pub(super) fn column_part(&mut self) -> ParseResult<ColumnPart> {
        if self.eat(TokenKind::OpenBracket) {
            let key = self.term()?;
            self.expect(TokenKind::CloseBracket)?;
            return Ok(ColumnPart::Element(key));
        }
        if self.eat(TokenKind::Dot) {
            return Ok(ColumnPart::Field(self.name(Expectation::FieldName)?));
        }
        Ok(ColumnPart::Whole)
    }

    fn condition(&mut self) -> ParseResult<Condition> {
        let start = self.next_span();
        let column = self.column()?;
        let part = self.column_part()?;
        let test = match self.kind() {
            TokenKind::Keyword(Keyword::In) => {
                self.bump();
                ConditionPredicate::In(self.column_in_values()?)
            }
            TokenKind::Keyword(Keyword::Contains) if part == ColumnPart::Whole => {
                let operator = self.contains();
                ConditionPredicate::Compare(operator, self.term()?)
            }
            _ => {
                let operator = self.comparison()?;
                ConditionPredicate::Compare(operator, self.term()?)
            }
        };
        Ok(Condition { column, part, predicate: test, span: self.span_since(start) })
    }
}
