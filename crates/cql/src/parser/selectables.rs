//! Selected expressions.

use super::cursor::{ParseResult, Parser};
use super::names::{is_function_name, is_name};
use super::terms::{TypeAhead, arithmetic_operator, is_constant};
use crate::keyword::Keyword;
use crate::lexer::TokenKind;
use crate::selectable::{CellInfo, Selectable, SelectableKind};
use crate::span::Span;
use crate::syntax_error::Expectation;
use crate::term::{ArithmeticOperator, Term, TermKind};

impl Parser<'_> {
    /// An expression with its operators.
    pub(super) fn selectable(&mut self) -> ParseResult<Selectable> {
        let first = self.selection_group()?;
        if arithmetic_operator(self.kind()).is_none() {
            return Ok(first);
        }
        let mut sum = self.selection_multiplication(first)?;
        while let Some((operator, false)) = arithmetic_operator(self.kind()) {
            self.bump();
            let height = self.height;
            let right = self.selection_group()?;
            let right = self.selection_multiplication(right)?;
            sum = self.selection_operation(operator, sum, right, height)?;
        }
        Ok(sum)
    }

    fn selection_multiplication(&mut self, first: Selectable) -> ParseResult<Selectable> {
        let mut product = first;
        while let Some((operator, true)) = arithmetic_operator(self.kind()) {
            self.bump();
            let height = self.height;
            let right = self.selection_group()?;
            product = self.selection_operation(operator, product, right, height)?;
        }
        Ok(product)
    }

    fn selection_operation(
        &mut self,
        operator: ArithmeticOperator,
        left: Selectable,
        right: Selectable,
        height: u32,
    ) -> ParseResult<Selectable> {
        self.record_height(self.height.max(height) + 1)?;
        let span = left.span.union(right.span);
        Ok(Selectable { kind: SelectableKind::Arithmetic(operator, Box::new((left, right))), span })
    }

    /// `{-} expression {.field | [element]}`
    fn selection_group(&mut self) -> ParseResult<Selectable> {
        if self.is_at(TokenKind::Minus) {
            let start = self.bump().span;
            let inner = self.with_nesting(Self::selection_group)?;
            self.record_height(self.height + 1)?;
            return Ok(Selectable {
                kind: SelectableKind::Negate(Box::new(inner)),
                span: self.span_since(start),
            });
        }
        let group = self.simple_selectable()?;
        self.selector_modifier(group)
    }

    /// `.field` and `[element]` after an expression.
    fn selector_modifier(&mut self, group: Selectable) -> ParseResult<Selectable> {
        let mut whole = group;
        loop {
            let start = whole.span;
            let kind = match self.kind() {
                TokenKind::Dot => {
                    self.bump();
                    let field = self.name(Expectation::FieldName)?;
                    SelectableKind::Field(Box::new(whole), field)
                }
                TokenKind::OpenBracket => {
                    let height = self.height;
                    let part = self.with_nesting(|parser| parser.element_or_slice(whole))?;
                    self.height = self.height.max(height);
                    part
                }
                _ => return Ok(whole),
            };
            self.record_height(self.height + 1)?;
            whole = Selectable { kind, span: self.span_since(start) };
        }
    }

    /// `[key]`, `[from..to]`
    fn element_or_slice(&mut self, whole: Selectable) -> ParseResult<SelectableKind> {
        self.bump();
        let whole = Box::new(whole);
        if self.eat(TokenKind::Range) {
            let to = self.term()?;
            self.expect(TokenKind::CloseBracket)?;
            return Ok(SelectableKind::Slice(whole, None, Some(Box::new(to))));
        }
        let first = Box::new(self.term()?);
        let height = self.height;
        if !self.eat(TokenKind::Range) {
            self.expect(TokenKind::CloseBracket)?;
            return Ok(SelectableKind::Element(whole, first));
        }
        let to = match self.kind() {
            TokenKind::CloseBracket => None,
            _ => Some(Box::new(self.term()?)),
        };
        self.height = self.height.max(height);
        self.expect(TokenKind::CloseBracket)?;
        Ok(SelectableKind::Slice(whole, Some(first), to))
    }

    fn simple_selectable(&mut self) -> ParseResult<Selectable> {
        let token = self.token(0);
        self.height = 1;
        if let Some(constant) = self.constant() {
            return Ok(selectable_term(TermKind::Constant(constant), token.span));
        }
        let kind = match token.kind {
            TokenKind::Question | TokenKind::Colon if !self.is_at_call() => {
                let marker = self.marker()?;
                return Ok(selectable_term(TermKind::Marker(marker), self.span_since(token.span)));
            }
            TokenKind::Keyword(Keyword::Null) => {
                self.bump();
                return Ok(selectable_term(TermKind::Null, token.span));
            }
            TokenKind::OpenParen if self.is_at_selection_type_hint() => {
                self.with_nesting(Self::selection_type_hint)?
            }
            TokenKind::OpenParen => self.with_nesting(Self::selection_tuple)?,
            TokenKind::OpenBracket => self.with_nesting(Self::selection_list)?,
            TokenKind::OpenBrace => self.with_nesting(Self::selection_map_or_set)?,
            TokenKind::Keyword(keyword) if self.kind_at(1) == TokenKind::OpenParen => {
                self.with_nesting(|parser| parser.keyword_call(keyword))?
            }
            _ if self.is_at_call() => self.with_nesting(Self::selection_function)?,
            kind if is_name(kind) => {
                self.bump();
                SelectableKind::Column(self.name_of(token))
            }
            _ => return self.fail(Expectation::Selectable),
        };
        Ok(Selectable { kind, span: self.span_since(token.span) })
    }

    /// `COUNT(*)`, `WRITETIME(x)`, `CAST(x AS type)`, or a call of a function whose name is a
    /// keyword.
    fn keyword_call(&mut self, keyword: Keyword) -> ParseResult<SelectableKind> {
        let info = match keyword {
            Keyword::Count if self.kind_at(2) == TokenKind::Star => {
                self.bump();
                self.bump();
                self.bump();
                self.expect(TokenKind::CloseParen)?;
                return Ok(SelectableKind::CountRows);
            }
            Keyword::Cast => return self.selection_cast(),
            Keyword::Writetime => CellInfo::WriteTime,
            Keyword::Maxwritetime => CellInfo::MaxWriteTime,
            Keyword::Ttl => CellInfo::Ttl,
            _ if is_function_name(TokenKind::Keyword(keyword)) => return self.selection_function(),
            _ => {
                let token = self.bump();
                if keyword.is_name() {
                    return Ok(SelectableKind::Column(self.name_of(token)));
                }
                self.position -= 1;
                return self.fail(Expectation::Selectable);
            }
        };
        self.bump();
        self.bump();
        let column = self.name(Expectation::ColumnName)?;
        self.height = 1;
        let column = Selectable { span: column.span, kind: SelectableKind::Column(column) };
        let part = self.selector_modifier(column)?;
        self.expect(TokenKind::CloseParen)?;
        self.record_height(self.height + 1)?;
        Ok(SelectableKind::CellInfo(info, Box::new(part)))
    }

    fn selection_cast(&mut self) -> ParseResult<SelectableKind> {
        self.bump();
        self.bump();
        let inner = self.selectable()?;
        self.expect_keyword(Keyword::As)?;
        let native = self.native_type()?;
        self.expect(TokenKind::CloseParen)?;
        self.record_height(self.height + 1)?;
        Ok(SelectableKind::Cast(Box::new(inner), native))
    }

    /// `expression {, expression} close`, or just `close`.
    fn selectables_until(&mut self, close: TokenKind) -> ParseResult<Vec<Selectable>> {
        let mut highest = 0;
        let items = self.list_until(close, |parser| parser.selection_element(&mut highest))?;
        self.record_height(highest + 1)?;
        Ok(items)
    }

    fn selection_element(&mut self, highest: &mut u32) -> ParseResult<Selectable> {
        let item = self.selectable()?;
        *highest = self.height.max(*highest);
        Ok(item)
    }

    fn selection_function(&mut self) -> ParseResult<SelectableKind> {
        let function = self.function_name()?;
        self.expect(TokenKind::OpenParen)?;
        Ok(SelectableKind::Call(function, self.selectables_until(TokenKind::CloseParen)?))
    }

    fn selection_tuple(&mut self) -> ParseResult<SelectableKind> {
        self.bump();
        if self.is_at(TokenKind::CloseParen) {
            return self.fail(Expectation::Selectable);
        }
        Ok(SelectableKind::Tuple(self.selectables_until(TokenKind::CloseParen)?))
    }

    fn selection_list(&mut self) -> ParseResult<SelectableKind> {
        self.bump();
        Ok(SelectableKind::List(self.selectables_until(TokenKind::CloseBracket)?))
    }

    fn selection_map_or_set(&mut self) -> ParseResult<SelectableKind> {
        self.bump();
        if self.eat(TokenKind::CloseBrace) {
            return Ok(SelectableKind::Set(Vec::new()));
        }
        let mut highest = 0;
        let first = self.selection_element(&mut highest)?;
        let kind = if self.eat(TokenKind::Colon) {
            let mut entries = vec![(first, self.selection_element(&mut highest)?)];
            while self.eat(TokenKind::Comma) {
                let key = self.selection_element(&mut highest)?;
                self.expect(TokenKind::Colon)?;
                entries.push((key, self.selection_element(&mut highest)?));
            }
            SelectableKind::Map(entries)
        } else {
            let mut items = vec![first];
            while self.eat(TokenKind::Comma) {
                items.push(self.selection_element(&mut highest)?);
            }
            SelectableKind::Set(items)
        };
        self.expect(TokenKind::CloseBrace)?;
        self.record_height(highest + 1)?;
        Ok(kind)
    }

    fn selection_type_hint(&mut self) -> ParseResult<SelectableKind> {
        self.bump();
        let type_name = self.type_name()?;
        self.expect(TokenKind::CloseParen)?;
        let inner = self.simple_selectable()?;
        self.record_height(self.height + 1)?;
        Ok(SelectableKind::TypeHint(Box::new((type_name, inner))))
    }

    /// Whether the parenthesis ahead is a type hint: `(a) b` is, but `(a) AS b` is a column in
    /// parentheses.
    fn is_at_selection_type_hint(&self) -> bool {
        match self.type_in_parentheses() {
            TypeAhead::Parameterised => true,
            TypeAhead::Nothing => false,
            TypeAhead::Until(behind) => self.is_selectable_start(behind),
        }
    }

    /// Whether an expression can start at the token ahead. The server uses backtracking; here a few
    /// tokens decide.
    pub(super) fn is_selectable_start(&self, ahead: usize) -> bool {
        match self.kind_at(ahead) {
            TokenKind::Keyword(Keyword::As) => !self.is_alias(ahead),
            TokenKind::Keyword(Keyword::Per) => !self.is_keyword_at(ahead + 1, Keyword::Partition),
            TokenKind::OpenBracket => !self.is_slice(ahead),
            TokenKind::Keyword(Keyword::Null) => true,
            kind => {
                is_constant(kind)
                    || is_name(kind)
                    || is_function_name(kind)
                    || matches!(
                        kind,
                        TokenKind::OpenParen
                            | TokenKind::OpenBrace
                            | TokenKind::Question
                            | TokenKind::Colon
                    )
            }
        }
    }

    /// `AS name`, unless that AS is itself a column with an alias (`AS AS name`).
    fn is_alias(&self, ahead: usize) -> bool {
        let twice = self.is_keyword_at(ahead + 1, Keyword::As) && is_name(self.kind_at(ahead + 2));
        is_name(self.kind_at(ahead + 1)) && !twice
    }

    /// Whether the bracket ahead contains a slice rather than a list.
    fn is_slice(&self, ahead: usize) -> bool {
        let mut depth = 0_u32;
        for token in self.tokens.iter().skip(self.position + ahead) {
            match token.kind {
                TokenKind::OpenBracket | TokenKind::OpenParen | TokenKind::OpenBrace => depth += 1,
                TokenKind::CloseBracket | TokenKind::CloseParen | TokenKind::CloseBrace => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return false;
                    }
                }
                TokenKind::Range if depth == 1 => return true,
                TokenKind::Semicolon => return false,
                _ => {}
            }
        }
        false
    }
}

fn selectable_term(kind: TermKind, span: Span) -> Selectable {
    Selectable { kind: SelectableKind::Term(Term { kind, span }), span }
}
