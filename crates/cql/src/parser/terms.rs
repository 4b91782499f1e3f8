//! Terms: values in statements.

use super::cursor::{ParseResult, Parser};
use super::names::{is_function_name, is_name};
use crate::keyword::Keyword;
use crate::lexer::{Token, TokenKind};
use crate::name::Name;
use crate::syntax_error::{Expectation, JavaException};
use crate::term::{ArithmeticOperator, Constant, ConstantKind, Marker, Term, TermKind};

/// The operator of a token, and whether it binds as tightly as `*`.
pub(super) fn arithmetic_operator(kind: TokenKind) -> Option<(ArithmeticOperator, bool)> {
    Some(match kind {
        TokenKind::Plus => (ArithmeticOperator::Add, false),
        TokenKind::Minus => (ArithmeticOperator::Subtract, false),
        TokenKind::Star => (ArithmeticOperator::Multiply, true),
        TokenKind::Slash => (ArithmeticOperator::Divide, true),
        TokenKind::Percent => (ArithmeticOperator::Modulo, true),
        _ => return None,
    })
}

impl Parser<'_> {
    /// A term with its operators.
    pub(super) fn term(&mut self) -> ParseResult<Term> {
        let first = self.term_group()?;
        if arithmetic_operator(self.kind()).is_none() {
            return Ok(first);
        }
        let mut sum = self.term_multiplication(first)?;
        while let Some((operator, false)) = arithmetic_operator(self.kind()) {
            // `SET list = [1] + list`: the name is not part of the term.
            if operator == ArithmeticOperator::Add && self.has_bare_column_next() {
                break;
            }
            self.bump();
            let height = self.height;
            let right = self.term_group()?;
            let right = self.term_multiplication(right)?;
            sum = self.term_operation(operator, sum, right, height)?;
        }
        Ok(sum)
    }

    /// `left {* right}`, after its first operand.
    fn term_multiplication(&mut self, first: Term) -> ParseResult<Term> {
        let mut product = first;
        while let Some((operator, true)) = arithmetic_operator(self.kind()) {
            self.bump();
            let height = self.height;
            let right = self.term_group()?;
            product = self.term_operation(operator, product, right, height)?;
        }
        Ok(product)
    }

    fn term_operation(
        &mut self,
        operator: ArithmeticOperator,
        left: Term,
        right: Term,
        height: u32,
    ) -> ParseResult<Term> {
        self.record_height(self.height.max(height) + 1)?;
        let span = left.span.union(right.span);
        Ok(Term { kind: TermKind::Arithmetic(operator, Box::new((left, right))), span })
    }

    /// Whether `+ column` follows and the column is not a call.
    fn has_bare_column_next(&self) -> bool {
        (is_name(self.kind_at(1)) || self.kind_at(1) == TokenKind::EmptyQuotedName)
            && !matches!(self.kind_at(2), TokenKind::OpenParen | TokenKind::Dot)
    }

    fn term_group(&mut self) -> ParseResult<Term> {
        if !self.is_at(TokenKind::Minus) {
            return self.simple_term();
        }
        let start = self.bump().span;
        let term = self.simple_term()?;
        self.record_height(self.height + 1)?;
        Ok(Term { kind: TermKind::Negate(Box::new(term)), span: self.span_since(start) })
    }

    /// A term without operators around it.
    pub(super) fn simple_term(&mut self) -> ParseResult<Term> {
        let token = self.token(0);
        self.height = 1;
        if let Some(constant) = self.constant() {
            let kind = if self.is_placeholder(&constant) {
                TermKind::Marker(self.record_marker(None, Some(self.text(token).into())))
            } else {
                TermKind::Constant(constant)
            };
            return Ok(Term { kind, span: token.span });
        }
        let kind = match token.kind {
            TokenKind::Question | TokenKind::Colon if !self.is_at_call() => {
                TermKind::Marker(self.marker()?)
            }
            TokenKind::Keyword(Keyword::Null) => {
                self.bump();
                TermKind::Null
            }
            TokenKind::OpenBracket => self.with_nesting(Self::list_literal)?,
            TokenKind::OpenBrace => self.with_nesting(Self::brace_literal)?,
            TokenKind::OpenParen if self.is_at_type_hint() => self.with_nesting(Self::type_hint)?,
            TokenKind::OpenParen => self.tuple_literal()?,
            TokenKind::Keyword(Keyword::Cast) if self.kind_at(1) == TokenKind::OpenParen => {
                self.with_nesting(Self::cast)?
            }
            _ if self.is_at_call() => self.with_nesting(Self::call)?,
            TokenKind::Placeholder => TermKind::Marker(self.placeholder()),
            _ => return self.fail(Expectation::Value),
        };
        Ok(Term { kind, span: self.span_since(token.span) })
    }

    /// The literal at the position, if there is one.
    pub(super) fn constant(&mut self) -> Option<Constant> {
        let token = self.token(0);
        let (kind, text): (_, Box<str>) = match token.kind {
            TokenKind::String | TokenKind::DollarString => {
                (ConstantKind::String, self.string_text(token))
            }
            TokenKind::Integer => (ConstantKind::Integer, self.text(token).into()),
            TokenKind::Float => (ConstantKind::Float, self.float(token).into()),
            TokenKind::Duration => (ConstantKind::Duration, self.text(token).into()),
            TokenKind::Uuid => (ConstantKind::Uuid, self.text(token).into()),
            TokenKind::Hex => (ConstantKind::Hex, self.text(token).into()),
            TokenKind::Boolean => (ConstantKind::Boolean, self.text(token).into()),
            TokenKind::Keyword(Keyword::Nan) | TokenKind::NegativeNan => {
                (ConstantKind::Float, "NaN".into())
            }
            TokenKind::Keyword(Keyword::Infinity) => (ConstantKind::Float, "Infinity".into()),
            TokenKind::NegativeInfinity => (ConstantKind::Float, "-Infinity".into()),
            _ => return None,
        };
        self.bump();
        Some(Constant { kind, text })
    }

    /// A float. The server evaluates it while parsing, and fails if its number types cannot hold
    /// it.
    fn float(&mut self, token: Token) -> &str {
        let text = self.text(token);
        if let Some(exception) = float_exception(text) {
            self.crash(exception, token.span);
        }
        text
    }

    /// `?` or `:name`
    pub(super) fn marker(&mut self) -> ParseResult<Marker> {
        let name = match self.kind() {
            TokenKind::Question => {
                self.bump();
                None
            }
            TokenKind::Colon => {
                self.bump();
                Some(self.name(Expectation::MarkerName)?)
            }
            _ => return self.fail(Expectation::Marker),
        };
        Ok(self.record_marker(name, None))
    }

    /// A placeholder, which a template replaces by a value: it is treated as a marker.
    pub(super) fn placeholder(&mut self) -> Marker {
        let token = self.bump();
        let text = self.text(token).into();
        self.record_marker(None, Some(text))
    }

    /// Adds a marker to the statement.
    fn record_marker(&mut self, name: Option<Name>, placeholder: Option<Box<str>>) -> Marker {
        let index = u32::try_from(self.markers.len()).unwrap_or(u32::MAX);
        let marker = Marker { name, index, placeholder };
        self.markers.push(marker.clone());
        marker
    }

    /// A term in a list, with the greatest height so far.
    fn element(&mut self, highest: &mut u32) -> ParseResult<Term> {
        let term = self.term()?;
        *highest = self.height.max(*highest);
        Ok(term)
    }

    fn elements(&mut self, close: TokenKind) -> ParseResult<Vec<Term>> {
        let mut highest = 0;
        let terms = self.list_until(close, |parser| parser.element(&mut highest))?;
        self.record_height(highest + 1)?;
        Ok(terms)
    }

    fn list_literal(&mut self) -> ParseResult<TermKind> {
        self.bump();
        Ok(TermKind::List(self.elements(TokenKind::CloseBracket)?))
    }

    /// `(a, b)`, never empty.
    pub(super) fn tuple_literal(&mut self) -> ParseResult<TermKind> {
        self.with_nesting(|parser| {
            parser.expect(TokenKind::OpenParen)?;
            if parser.is_at(TokenKind::CloseParen) {
                return parser.fail(Expectation::Value);
            }
            Ok(TermKind::Tuple(parser.elements(TokenKind::CloseParen)?))
        })
    }

    /// `{...}`: a set, a map or a user type.
    fn brace_literal(&mut self) -> ParseResult<TermKind> {
        self.bump();
        if self.eat(TokenKind::CloseBrace) {
            return Ok(TermKind::Set(Vec::new()));
        }
        if self.kind_at(1) == TokenKind::Colon
            && is_name(self.kind())
            && !self.is_at(TokenKind::Placeholder)
        {
            return self.user_type_literal();
        }
        let mut highest = 0;
        let first = self.element(&mut highest)?;
        let kind = if self.eat(TokenKind::Colon) {
            let mut entries = vec![(first, self.element(&mut highest)?)];
            while self.eat(TokenKind::Comma) {
                entries.push(self.entry(&mut highest)?);
            }
            TermKind::Map(entries)
        } else {
            let mut terms = vec![first];
            while self.eat(TokenKind::Comma) {
                terms.push(self.element(&mut highest)?);
            }
            TermKind::Set(terms)
        };
        self.expect(TokenKind::CloseBrace)?;
        self.record_height(highest + 1)?;
        Ok(kind)
    }

    fn entry(&mut self, highest: &mut u32) -> ParseResult<(Term, Term)> {
        let key = self.element(highest)?;
        self.expect(TokenKind::Colon)?;
        Ok((key, self.element(highest)?))
    }

    fn user_type_literal(&mut self) -> ParseResult<TermKind> {
        let mut highest = 0;
        let fields = self.list(|parser| {
            let field = parser.name(Expectation::FieldName)?;
            parser.expect(TokenKind::Colon)?;
            Ok((field, parser.element(&mut highest)?))
        })?;
        self.expect(TokenKind::CloseBrace)?;
        self.record_height(highest + 1)?;
        Ok(TermKind::UserType(fields))
    }

    /// `{key: value, ...}` where only a map is allowed.
    pub(super) fn map_literal(&mut self) -> ParseResult<Vec<(Term, Term)>> {
        self.expect(TokenKind::OpenBrace)?;
        let mut highest = 0;
        self.list_until(TokenKind::CloseBrace, |parser| parser.entry(&mut highest))
    }

    fn call(&mut self) -> ParseResult<TermKind> {
        let function = self.function_name()?;
        self.expect(TokenKind::OpenParen)?;
        Ok(TermKind::Call(function, self.elements(TokenKind::CloseParen)?))
    }

    fn cast(&mut self) -> ParseResult<TermKind> {
        self.bump();
        self.bump();
        let term = self.simple_term()?;
        self.expect_keyword(Keyword::As)?;
        let native = self.native_type()?;
        self.expect(TokenKind::CloseParen)?;
        self.record_height(self.height + 1)?;
        Ok(TermKind::Cast(Box::new(term), native))
    }

    fn type_hint(&mut self) -> ParseResult<TermKind> {
        self.bump();
        let type_name = self.type_name()?;
        self.expect(TokenKind::CloseParen)?;
        let term = self.simple_term()?;
        self.record_height(self.height + 1)?;
        Ok(TermKind::TypeHint(Box::new((type_name, term))))
    }

    /// Whether the parenthesis ahead contains a type. No term is a bare name, so a few tokens
    /// decide.
    fn is_at_type_hint(&self) -> bool {
        let behind = match self.type_in_parentheses() {
            TypeAhead::Parameterised => return true,
            TypeAhead::Nothing => return false,
            TypeAhead::Until(behind) => behind,
        };
        match self.kind_at(1) {
            TokenKind::String | TokenKind::DollarString | TokenKind::Placeholder => {
                self.is_term_start(behind)
            }
            _ => true,
        }
    }

    /// Whether a term without operators can start at the token ahead; a name does only in a call. A
    /// colon starts one if it is that of a marker, not the one between the key and the value of a
    /// map.
    fn is_term_start(&self, ahead: usize) -> bool {
        let kind = self.kind_at(ahead);
        let called = |at| matches!(self.kind_at(at), TokenKind::OpenParen | TokenKind::Dot);
        is_constant(kind)
            || kind == TokenKind::Placeholder
            || (is_name(kind) || is_function_name(kind)) && called(ahead + 1)
            || (kind == TokenKind::Colon && is_name(self.kind_at(ahead + 1)) && !called(ahead + 2))
            || matches!(
                kind,
                TokenKind::OpenParen
                    | TokenKind::OpenBracket
                    | TokenKind::OpenBrace
                    | TokenKind::Question
                    | TokenKind::Keyword(Keyword::Null)
            )
    }

    /// The type that the parenthesis ahead may contain.
    pub(super) fn type_in_parentheses(&self) -> TypeAhead {
        let closed = |ahead| match self.kind_at(ahead) {
            TokenKind::CloseParen => TypeAhead::Until(ahead + 1),
            _ => TypeAhead::Nothing,
        };
        match (self.kind_at(1), self.kind_at(2)) {
            (TokenKind::Keyword(_), TokenKind::Less) => TypeAhead::Parameterised,
            (TokenKind::String | TokenKind::DollarString, _) => closed(2),
            (first, TokenKind::Dot) if is_name(first) && is_name(self.kind_at(3)) => closed(4),
            (first, _) if is_name(first) => closed(2),
            _ => TypeAhead::Nothing,
        }
    }

    /// An integer literal or a marker.
    pub(super) fn integer(&mut self) -> ParseResult<Term> {
        let token = self.token(0);
        let kind = match token.kind {
            TokenKind::Question | TokenKind::Colon => TermKind::Marker(self.marker()?),
            TokenKind::Integer => {
                self.bump();
                TermKind::Constant(Constant {
                    kind: ConstantKind::Integer,
                    text: self.text(token).into(),
                })
            }
            TokenKind::Placeholder => TermKind::Marker(self.placeholder()),
            _ => return self.fail(Expectation::Integer),
        };
        Ok(Term { kind, span: self.span_since(token.span) })
    }
}

/// A type that a parenthesis may contain.
pub(super) enum TypeAhead {
    /// No type.
    Nothing,
    /// A type with angle brackets: certainly a type.
    Parameterised,
    /// A name or string, closed; the number of tokens up to what follows the parenthesis.
    Until(usize),
}

/// Whether a token is a literal.
pub(super) fn is_constant(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::String
            | TokenKind::DollarString
            | TokenKind::Integer
            | TokenKind::Float
            | TokenKind::Boolean
            | TokenKind::Duration
            | TokenKind::Uuid
            | TokenKind::Hex
            | TokenKind::NegativeNan
            | TokenKind::NegativeInfinity
            | TokenKind::Keyword(Keyword::Nan | Keyword::Infinity)
    )
}

/// An integer token as a term.
pub(super) fn integer_constant(parser: &Parser<'_>, token: Token) -> Term {
    let constant = Constant { kind: ConstantKind::Integer, text: parser.text(token).into() };
    Term { kind: TermKind::Constant(constant), span: token.span }
}

/// The exception for a float that Java cannot convert to a decimal, or the decimal to a double.
fn float_exception(text: &str) -> Option<JavaException> {
    let exponent = text.split_once(['e', 'E']).map_or("", |(_, exponent)| exponent);
    if exponent.is_empty() && text.len() < 300 {
        return None;
    }
    let digits = exponent.trim_start_matches(['+', '-']).trim_start_matches('0');
    let value: i64 = digits.parse().unwrap_or(0);
    let limit = i64::from(i32::MAX);
    if digits.len() > 10 {
        Some(JavaException::TooManyExponentDigits)
    } else if exponent.starts_with('-') && value == limit + 1 {
        Some(JavaException::ScaleOutOfRange)
    } else if value > limit {
        Some(JavaException::ExponentOverflow)
    } else if text.parse::<f64>().is_ok_and(f64::is_infinite) {
        Some(JavaException::InfiniteDouble)
    } else {
        None
    }
}
