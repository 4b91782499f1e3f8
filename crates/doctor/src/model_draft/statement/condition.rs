//! WHERE and IF clauses.

use std::collections::BTreeSet;

use cql::relation::{
    ColumnPart, Condition, ConditionPredicate, InValues, Operator, Relation, RelationKind,
};
use cql::term::{ConstantKind, Term, TermKind};
use cql::types::{NativeType, Type};
use schema::catalog::Column;

use super::super::bucket::Bucket;
use super::super::entity::{Entity, Member};
use super::super::open_point::{OpenPoint, StatementChange};
use super::refusal::UntranslatedReason;
use model::sql_name::quote;

/// The table that a statement names, and what it is part of.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a, 'e> {
    /// The entity.
    pub(super) entity: &'e Entity<'a>,
    /// The table.
    pub(super) member: &'e Member<'a>,
}

/// Conditions in SQL.
#[derive(Clone, Debug, Default)]
pub(super) struct ConditionList {
    /// The conditions.
    pub(super) texts: Vec<String>,
    /// The columns that are compared, in order, with whether by equality.
    pub(super) columns: Vec<(String, bool)>,
    /// Buckets with a condition, which the entity does not have.
    buckets: Vec<String>,
    /// Whether one of them takes a list of values.
    pub(super) has_list: bool,
    /// Directives of the statement.
    pub(super) directives: Vec<String>,
    /// What the translation leaves out.
    pub(super) points: Vec<OpenPoint>,
}

impl<'a> Scope<'a, '_> {
    /// A column of the table; `None` if it is a bucket that the entity does not have.
    pub(super) fn column(&self, name: &str) -> Result<Option<&'a Column>, UntranslatedReason> {
        if self.member.bucket(name).is_some() {
            return Ok(None);
        }
        let column = self.member.table.column(name);
        column.map(Some).ok_or_else(|| UntranslatedReason::UnknownColumn(name.to_owned()))
    }
}

/// A value: a parameter, unless it tells nothing of anyone.
pub(super) fn value_text(term: &Term) -> &'static str {
    match &term.kind {
        TermKind::Null => "NULL",
        TermKind::Constant(constant) if constant.kind == ConstantKind::Boolean => {
            if &*constant.text == "true" { "TRUE" } else { "FALSE" }
        }
        _ => "?",
    }
}

impl ConditionList {
    /// The conditions of a WHERE clause.
    pub(super) fn translate(
        scope: Scope<'_, '_>,
        relations: &[Relation],
    ) -> Result<Self, UntranslatedReason> {
        let mut list = Self::default();
        for relation in relations {
            list.add_relation(scope, &relation.kind)?;
        }
        Ok(list)
    }

    /// WHERE with everything in it; empty if there is nothing.
    pub(super) fn clause(&self) -> String {
        if self.texts.is_empty() {
            String::new()
        } else {
            format!(" WHERE {}", self.texts.join(" AND "))
        }
    }

    /// The columns that are compared by equality.
    pub(super) fn equalities(&self) -> BTreeSet<&str> {
        self.columns.iter().filter(|(_, is_equal)| *is_equal).map(|(name, _)| &**name).collect()
    }

    fn add(&mut self, column: &str, is_equal: bool, text: String) {
        self.texts.push(text);
        self.columns.push((column.to_owned(), is_equal));
    }

    fn add_relation(
        &mut self,
        scope: Scope<'_, '_>,
        relation: &RelationKind,
    ) -> Result<(), UntranslatedReason> {
        match relation {
            RelationKind::Column(name, operator, term) => {
                self.add_comparison(scope, &name.text, *operator, value_text(term))
            }
            RelationKind::In { negated: true, .. } => Err(UntranslatedReason::Negation),
            RelationKind::In { column, .. } => {
                if scope.column(&column.text)?.is_none() {
                    self.buckets.push(column.text.to_string());
                } else {
                    let text = format!("{} = ANY(?)", quote(&column.text));
                    self.add(&column.text, false, text);
                    self.has_list = true;
                }
                Ok(())
            }
            RelationKind::IsNotNull(column) => {
                if scope.column(&column.text)?.is_some_and(|column| !column.is_primary_key()) {
                    self.texts.push(format!("{} IS NOT NULL", quote(&column.text)));
                }
                Ok(())
            }
            RelationKind::Element(column, ..) => {
                Err(UntranslatedReason::ElementCondition(column.text.to_string()))
            }
            RelationKind::Token(..) => Err(UntranslatedReason::TokenRange),
            RelationKind::TupleIn(..) => Err(UntranslatedReason::TupleIn),
            RelationKind::CustomIndex(..) => Err(UntranslatedReason::CustomSearch),
            RelationKind::Between(column, _) => {
                self.add_comparison(scope, &column.text, Operator::Gte, "?")?;
                self.add_comparison(scope, &column.text, Operator::Lte, "?")
            }
            RelationKind::Tuple(columns, operator, _) => {
                let names: Vec<&str> = columns.iter().map(|column| &*column.text).collect();
                for name in &names {
                    scope.column(name)?;
                }
                if *operator == Operator::Eq {
                    return names
                        .iter()
                        .try_for_each(|name| self.add_comparison(scope, name, *operator, "?"));
                }
                let left: Vec<String> = names.iter().map(|name| quote(name)).collect();
                let right = vec!["?"; names.len()].join(", ");
                let text = format!("({}) {} ({right})", left.join(", "), operator.text());
                self.columns.extend(names.iter().map(|name| ((*name).to_owned(), false)));
                self.texts.push(text);
                Ok(())
            }
        }
    }

    fn add_comparison(
        &mut self,
        scope: Scope<'_, '_>,
        name: &str,
        operator: Operator,
        value: &str,
    ) -> Result<(), UntranslatedReason> {
        let Some(column) = scope.column(name)? else {
            self.buckets.push(name.to_owned());
            return Ok(());
        };
        let quoted = quote(name);
        match operator {
            Operator::Neq => return Err(UntranslatedReason::Negation),
            Operator::Contains | Operator::ContainsKey if matches!(column.ty, Type::Map(..)) => {
                return Err(UntranslatedReason::MapCondition(name.to_owned()));
            }
            Operator::Contains | Operator::ContainsKey => {
                self.add(name, false, format!("{value} = ANY({quoted})"));
            }
            Operator::Like => {
                self.points.push(OpenPoint::Change(StatementChange::PrefixSearch));
                self.add(name, false, format!("{quoted} LIKE ? || '%'"));
            }
            _ => {
                let is_equal = operator == Operator::Eq;
                self.add(name, is_equal, format!("{quoted} {} {value}", operator.text()));
            }
        }
        Ok(())
    }

    /// The conditions of an IF clause, which SQL writes into WHERE.
    pub(super) fn add_conditions(
        &mut self,
        scope: Scope<'_, '_>,
        conditions: &[Condition],
    ) -> Result<(), UntranslatedReason> {
        for condition in conditions {
            let name = &*condition.column.text;
            scope.column(name)?;
            if condition.part != ColumnPart::Whole {
                return Err(UntranslatedReason::ElementCondition(name.to_owned()));
            }
            match &condition.predicate {
                ConditionPredicate::Compare(Operator::Neq, _) => {
                    return Err(UntranslatedReason::Negation);
                }
                ConditionPredicate::Compare(Operator::Eq, term) if term.kind == TermKind::Null => {
                    self.texts.push(format!("{} IS NULL", quote(name)));
                }
                ConditionPredicate::Compare(operator, term) => {
                    let text = format!("{} {} {}", quote(name), operator.text(), value_text(term));
                    self.texts.push(text);
                }
                ConditionPredicate::In(InValues::Marker(..) | InValues::List(_)) => {
                    self.texts.push(format!("{} = ANY(?)", quote(name)));
                }
            }
        }
        Ok(())
    }

    /// What becomes of conditions on buckets: they vanish where the time itself is restricted, or
    /// where a limit ends the walk over buckets; else the time has a range. Returns the bucket that
    /// cannot be expressed.
    pub(super) fn replace_buckets(
        &mut self,
        scope: Scope<'_, '_>,
        is_limited: bool,
    ) -> Option<String> {
        let mut rest = None;
        let names: BTreeSet<String> = std::mem::take(&mut self.buckets).into_iter().collect();
        for name in names {
            let Some(bucket) = scope.member.bucket(&name).copied() else { continue };
            let Some(time) = bucket.time else { continue };
            let is_restricted = self.columns.iter().any(|(column, _)| **column == *time.name);
            if is_restricted || is_limited {
                self.points.push(OpenPoint::Change(StatementChange::BucketCondition));
            } else if bucket.seconds.is_some() {
                self.add_range(&bucket, time);
            } else {
                self.points.push(OpenPoint::Change(StatementChange::BucketCondition));
                rest = Some(name);
            }
        }
        rest
    }

    fn add_range(&mut self, bucket: &Bucket<'_>, time: &Column) {
        let quoted = quote(&time.name);
        self.texts.push(format!("{quoted} >= ? AND {quoted} < ?"));
        self.columns.push((time.name.to_string(), false));
        self.points.push(OpenPoint::Change(StatementChange::BucketRange));
        let is_number = matches!(time.ty, Type::Native(NativeType::Bigint));
        if let Some(seconds) = bucket.seconds.filter(|_| !is_number) {
            self.directives.push(format!("@span {seconds:.0}s"));
        }
    }
}
