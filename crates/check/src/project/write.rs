//! One write of a table, with its syntax.

use cql::statement::write::{Delete, Insert, Update, WriteKind};
use cql::term::{ConstantKind, Term, TermKind};
use cql::{Span, Statement, StatementKind};
use schema::access::{WriteEffect, WritePlan, WriteTarget};

use super::{Project, ReplayedStatement, TableFacts};
use crate::Location;

/// An INSERT, UPDATE or DELETE, alone or in a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WriteStatement<'p> {
    /// The statement: the batch, if it stands in one.
    pub(crate) seen: &'p ReplayedStatement,
    /// How it writes.
    pub(crate) plan: &'p WritePlan,
    /// Its syntax.
    pub(crate) syntax: WriteSyntax<'p>,
    /// Where it stands.
    pub(crate) place: Location,
}

/// The syntax of a write.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WriteSyntax<'p> {
    /// INSERT
    Insert(&'p Insert),
    /// UPDATE
    Update(&'p Update),
    /// DELETE
    Delete(&'p Delete),
}

/// How long what is written lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ttl {
    /// As long as the table says.
    TableDefault,
    /// So many seconds; 0 is for ever.
    Seconds(i64),
    /// A marker or function says it.
    Unknown,
}

impl WriteStatement<'_> {
    /// `USING TTL`.
    pub(crate) fn ttl(&self) -> Ttl {
        match self.ttl_term().map(|term| &term.kind) {
            None => Ttl::TableDefault,
            Some(TermKind::Constant(constant)) if constant.kind == ConstantKind::Integer => {
                constant.text.parse().map_or(Ttl::Unknown, Ttl::Seconds)
            }
            Some(_) => Ttl::Unknown,
        }
    }

    /// The term behind `USING TTL`.
    pub(crate) fn ttl_term(&self) -> Option<&Term> {
        match self.syntax {
            WriteSyntax::Insert(insert) => insert.using.ttl(),
            WriteSyntax::Update(update) => update.using.ttl(),
            WriteSyntax::Delete(delete) => delete.using.ttl(),
        }
    }

    /// Whether it is an INSERT.
    pub(crate) fn is_insert(&self) -> bool {
        matches!(self.syntax, WriteSyntax::Insert(_))
    }

    /// Whether rows may come into being by it.
    pub(crate) fn can_add_rows(&self) -> bool {
        matches!(self.plan.effect, WriteEffect::Upsert | WriteEffect::Count)
            && matches!(self.plan.target, WriteTarget::Rows(_))
    }

    /// Whether it deletes rows, a range of them or a partition.
    pub(crate) fn is_row_delete(&self) -> bool {
        self.plan.effect == WriteEffect::DeleteRows
    }
}

impl TableFacts {
    /// What statements write of this table alone, each statement of a batch by itself.
    pub(crate) fn own_writes<'p>(
        &'p self,
        project: &'p Project<'_>,
    ) -> impl Iterator<Item = WriteStatement<'p>> {
        let same = |plan: &WritePlan| {
            plan.table.name == self.table.name && plan.table.keyspace == self.table.keyspace
        };
        let all = self.writes(project).flat_map(|seen| project.writes_of(seen));
        all.filter(move |write| same(write.plan))
    }

    /// What statements write of this table such that rows may come into being.
    pub(crate) fn row_writes<'p>(
        &'p self,
        project: &'p Project<'_>,
    ) -> impl Iterator<Item = WriteStatement<'p>> {
        self.own_writes(project).filter(WriteStatement::can_add_rows)
    }
}

impl Project<'_> {
    /// The writes of a statement: one, or those of a batch.
    pub(crate) fn writes_of<'p>(
        &'p self,
        seen: &'p ReplayedStatement,
    ) -> impl Iterator<Item = WriteStatement<'p>> {
        let plans = seen.writes();
        // Most statements write nothing: their syntax is not looked at.
        let statement = if plans.len() > 0 { self.syntax(seen) } else { None };
        plans.enumerate().filter_map(move |(at, plan)| {
            let (syntax, span) = write_syntax(statement?, at)?;
            Some(WriteStatement {
                seen,
                plan,
                syntax,
                place: Location { text: seen.place.text, span },
            })
        })
    }
}

/// What a statement writes at this position.
fn write_syntax(statement: &Statement, at: usize) -> Option<(WriteSyntax<'_>, Span)> {
    Some(match &statement.kind {
        StatementKind::Insert(insert) => (WriteSyntax::Insert(insert), statement.span),
        StatementKind::Update(update) => (WriteSyntax::Update(update), statement.span),
        StatementKind::Delete(delete) => (WriteSyntax::Delete(delete), statement.span),
        StatementKind::Batch(batch) => {
            let written = batch.statements.get(at)?;
            let syntax = match &written.kind {
                WriteKind::Insert(insert) => WriteSyntax::Insert(insert),
                WriteKind::Update(update) => WriteSyntax::Update(update),
                WriteKind::Delete(delete) => WriteSyntax::Delete(delete),
            };
            (syntax, written.span)
        }
        _ => return None,
    })
}
