//! Selected expressions.

use super::cursor::{Outcome, Parser};
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
    pub(super) fn selectable(&mut self) -> Outcome<Selectable> {
        let first = self.signed_selectable()?;
        if arithmetic_operator(self.kind()).is_none() {
            return Ok(first);
        }
        let mut sum = self.selected_product(first)?;
        while let Some((operator, false)) = arithmetic_operator(self.kind()) {
            self.bump();
            let height = self.height;
            let right = self.signed_selectable()?;
            let right = self.selected_product(right)?;
            sum = self.selected_operation(operator, sum, right, height)?;
        }
        Ok(sum)
    }

    fn selected_product(&mut self, first: Selectable) -> Outcome<Selectable> {
        let mut product = first;
        while let Some((operator, true)) = arithmetic_operator(self.kind()) {
            self.bump();
            let height = self.height;
            let right = self.signed_selectable()?;
            product = self.selected_operation(operator, product, right, height)?;
        }
        Ok(product)
    }

    fn selected_operation(
        &mut self,
        operator: ArithmeticOperator,
        left: Selectable,
        right: Selectable,
        height: u32,
    ) -> Outcome<Selectable> {
        self.built(self.height.max(height) + 1)?;
        let span = left.span.to(right.span);
        Ok(Selectable { kind: SelectableKind::Arithmetic(operator, Box::new((left, right))), span })
    }

    /// `{-} expression {.field | [element]}`
    fn signed_selectable(&mut self) -> Outcome<Selectable> {
        if self.at(TokenKind::Minus) {
            let start = self.bump().span;
            let inner = self.nested(Self::signed_selectable)?;
            self.built(self.height + 1)?;
            return Ok(Selectable {
                kind: SelectableKind::Negate(Box::new(inner)),
                span: self.since(start),
            });
        }
        let group = self.simple_selectable()?;
        self.parts_of(group)
    }

    /// `.field` and `[element]` behind an expression.
    fn parts_of(&mut self, group: Selectable) -> Outcome<Selectable> {
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
                    let part = self.nested(|parser| parser.element_or_slice(whole))?;
                    self.height = self.height.max(height);
                    part
                }
                _ => return Ok(whole),
            };
            self.built(self.height + 1)?;
            whole = Selectable { kind, span: self.since(start) };
        }
    }

    /// `[key]`, `[from..to]`
    fn element_or_slice(&mut self, whole: Selectable) -> Outcome<SelectableKind> {
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

    fn simple_selectable(&mut self) -> Outcome<Selectable> {
        let token = self.token(0);
        self.height = 1;
        if let Some(constant) = self.constant() {
            return Ok(selected_term(TermKind::Constant(constant), token.span));
        }
        let kind = match token.kind {
            TokenKind::Question | TokenKind::Colon if !self.at_call() => {
                let marker = self.marker()?;
                return Ok(selected_term(TermKind::Marker(marker), self.since(token.span)));
            }
            TokenKind::Keyword(Keyword::Null) => {
                self.bump();
                return Ok(selected_term(TermKind::Null, token.span));
            }
            TokenKind::OpenParen if self.at_selected_type_hint() => {
                self.nested(Self::selected_type_hint)?
            }
            TokenKind::OpenParen => self.nested(Self::selected_tuple)?,
            TokenKind::OpenBracket => self.nested(Self::selected_list)?,
            TokenKind::OpenBrace => self.nested(Self::selected_map_or_set)?,
            TokenKind::Keyword(keyword) if self.kind_at(1) == TokenKind::OpenParen => {
                self.nested(|parser| parser.keyword_call(keyword))?
            }
            _ if self.at_call() => self.nested(Self::selected_call)?,
            kind if is_name(kind) => {
                self.bump();
                SelectableKind::Column(self.name_of(token))
            }
            _ => return self.fail(Expectation::Selectable),
        };
        Ok(Selectable { kind, span: self.since(token.span) })
    }

    /// `COUNT(*)`, `WRITETIME(x)`, `CAST(x AS type)`, or a call of a function whose name is a keyword.
    fn keyword_call(&mut self, keyword: Keyword) -> Outcome<SelectableKind> {
        let info = match keyword {
            Keyword::Count if self.kind_at(2) == TokenKind::Star => {
                self.bump();
                self.bump();
                self.bump();
                self.expect(TokenKind::CloseParen)?;
                return Ok(SelectableKind::CountRows);
            }
            Keyword::Cast => return self.selected_cast(),
            Keyword::Writetime => CellInfo::WriteTime,
            Keyword::Maxwritetime => CellInfo::MaxWriteTime,
            Keyword::Ttl => CellInfo::Ttl,
            _ if is_function_name(TokenKind::Keyword(keyword)) => return self.selected_call(),
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
        let part = self.parts_of(column)?;
        self.expect(TokenKind::CloseParen)?;
        self.built(self.height + 1)?;
        Ok(SelectableKind::CellInfo(info, Box::new(part)))
    }

    fn selected_cast(&mut self) -> Outcome<SelectableKind> {
        self.bump();
        self.bump();
        let inner = self.selectable()?;
        self.expect_keyword(Keyword::As)?;
        let native = self.native_type()?;
        self.expect(TokenKind::CloseParen)?;
        self.built(self.height + 1)?;
        Ok(SelectableKind::Cast(Box::new(inner), native))
    }

    /// `expression {, expression} close`, or just `close`.
    fn selectables_until(&mut self, close: TokenKind) -> Outcome<Vec<Selectable>> {
        let mut highest = 0;
        let items = self.list_until(close, |parser| parser.selected_element(&mut highest))?;
        self.built(highest + 1)?;
        Ok(items)
    }

    fn selected_element(&mut self, highest: &mut u32) -> Outcome<Selectable> {
        let item = self.selectable()?;
        *highest = self.height.max(*highest);
        Ok(item)
    }

    fn selected_call(&mut self) -> Outcome<SelectableKind> {
        let function = self.function_name()?;
        self.expect(TokenKind::OpenParen)?;
        Ok(SelectableKind::Call(function, self.selectables_until(TokenKind::CloseParen)?))
    }

    fn selected_tuple(&mut self) -> Outcome<SelectableKind> {
        self.bump();
        if self.at(TokenKind::CloseParen) {
            return self.fail(Expectation::Selectable);
        }
        Ok(SelectableKind::Tuple(self.selectables_until(TokenKind::CloseParen)?))
    }

    fn selected_list(&mut self) -> Outcome<SelectableKind> {
        self.bump();
        Ok(SelectableKind::List(self.selectables_until(TokenKind::CloseBracket)?))
    }

    fn selected_map_or_set(&mut self) -> Outcome<SelectableKind> {
        self.bump();
        if self.eat(TokenKind::CloseBrace) {
            return Ok(SelectableKind::Set(Vec::new()));
        }
        let mut highest = 0;
        let first = self.selected_element(&mut highest)?;
        let kind = if self.eat(TokenKind::Colon) {
            let mut entries = vec![(first, self.selected_element(&mut highest)?)];
            while self.eat(TokenKind::Comma) {
                let key = self.selected_element(&mut highest)?;
                self.expect(TokenKind::Colon)?;
                entries.push((key, self.selected_element(&mut highest)?));
            }
            SelectableKind::Map(entries)
        } else {
            let mut items = vec![first];
            while self.eat(TokenKind::Comma) {
                items.push(self.selected_element(&mut highest)?);
            }
            SelectableKind::Set(items)
        };
        self.expect(TokenKind::CloseBrace)?;
        self.built(highest + 1)?;
        Ok(kind)
    }

    fn selected_type_hint(&mut self) -> Outcome<SelectableKind> {
        self.bump();
        let type_name = self.type_name()?;
        self.expect(TokenKind::CloseParen)?;
        let inner = self.simple_selectable()?;
        self.built(self.height + 1)?;
        Ok(SelectableKind::TypeHint(Box::new((type_name, inner))))
    }

    /// Whether the parenthesis ahead is a type hint: `(a) b`, but `(a) AS b` is a column in parentheses.
    fn at_selected_type_hint(&self) -> bool {
        match self.type_in_parentheses() {
            TypeAhead::Parameterised => true,
            TypeAhead::Nothing => false,
            TypeAhead::Until(behind) => self.starts_selectable(behind),
        }
    }

    /// Whether an expression can start at the token ahead. The server tries and sees; here a few tokens tell.
    pub(super) fn starts_selectable(&self, ahead: usize) -> bool {
        match self.kind_at(ahead) {
            TokenKind::Keyword(Keyword::As) => !self.is_alias(ahead),
            TokenKind::Keyword(Keyword::Per) => !self.keyword_at(ahead + 1, Keyword::Partition),
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
        let twice = self.keyword_at(ahead + 1, Keyword::As) && is_name(self.kind_at(ahead + 2));
        is_name(self.kind_at(ahead + 1)) && !twice
    }

    /// Whether the bracket ahead holds a slice rather than a list.
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

fn selected_term(kind: TermKind, span: Span) -> Selectable {
    Selectable { kind: SelectableKind::Term(Term { kind, span }), span }
}
