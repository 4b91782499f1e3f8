//! SELECT.

use super::cursor::{ParseResult, Parser};
use crate::keyword::Keyword;
use crate::lexer::TokenKind;
use crate::statement::select::{Ordering, Select, Selector};
use crate::syntax_error::Expectation;
use crate::term::Term;

impl Parser<'_> {
    pub(super) fn select(&mut self) -> ParseResult<Select> {
        self.bump();
        let json = self.eat_modifier(Keyword::Json);
        let distinct = self.eat_modifier(Keyword::Distinct);
        let selectors = self.selectors()?;
        self.expect_keyword(Keyword::From)?;
        let table = self.table_name()?;
        let relations =
            if self.eat_keyword(Keyword::Where) { self.relations()? } else { Vec::new() };
        let group_by = if self.eat_clause(Keyword::Group, Keyword::By)? {
            self.list(Self::selectable)?
        } else {
            Vec::new()
        };
        let order_by = if self.eat_clause(Keyword::Order, Keyword::By)? {
            self.list(Self::ordering)?
        } else {
            Vec::new()
        };
        let per_partition_limit = self.partition_limit()?;
        let limit = if self.eat_keyword(Keyword::Limit) { Some(self.integer()?) } else { None };
        let start = self.next_span();
        let filtering = self.eat_clause(Keyword::Allow, Keyword::Filtering)?;
        let allow_filtering = filtering.then(|| self.span_since(start));
        Ok(Select {
            json,
            distinct,
            selectors,
            table,
            relations,
            group_by,
            order_by,
            per_partition_limit,
            limit,
            allow_filtering,
        })
    }

    /// JSON or DISTINCT, which may also be columns: a modifier only if something is selected after
    /// it.
    fn eat_modifier(&mut self, keyword: Keyword) -> bool {
        let modifies = self.is_at_keyword(keyword)
            && (self.is_selectable_start(1)
                || matches!(self.kind_at(1), TokenKind::Star | TokenKind::Minus));
        if modifies {
            self.bump();
        }
        modifies
    }

    /// Takes two keywords, the second of which is required after the first.
    fn eat_clause(&mut self, first: Keyword, second: Keyword) -> ParseResult<bool> {
        let found = self.eat_keyword(first);
        if found {
            self.expect_keyword(second)?;
        }
        Ok(found)
    }

    /// `*` (empty), or the selected expressions.
    pub(super) fn selectors(&mut self) -> ParseResult<Vec<Selector>> {
        if self.eat(TokenKind::Star) {
            return Ok(Vec::new());
        }
        self.list(|parser| {
            let expression = parser.selectable()?;
            let alias = if parser.eat_keyword(Keyword::As) {
                Some(parser.name(Expectation::Alias)?)
            } else {
                None
            };
            Ok(Selector { expression, alias })
        })
    }

    fn ordering(&mut self) -> ParseResult<Ordering> {
        let start = self.next_span();
        let column = self.column()?;
        let ann_of =
            if self.eat_clause(Keyword::Ann, Keyword::Of)? { Some(self.term()?) } else { None };
        let descending = self.eat_keyword(Keyword::Desc);
        if !descending {
            self.eat_keyword(Keyword::Asc);
        }
        Ok(Ordering { column, ann_of, descending, span: self.span_since(start) })
    }

    fn partition_limit(&mut self) -> ParseResult<Option<Term>> {
        if !self.eat_keyword(Keyword::Per) {
            return Ok(None);
        }
        self.expect_keywords(&[Keyword::Partition, Keyword::Limit])?;
        self.integer().map(Some)
    }
}
