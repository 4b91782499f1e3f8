//! The join path: the reference by which each table joins an earlier one.
//!
//! Equations of ON, USING and WHERE are put into classes of equal columns (union-find without
//! ranks; there are at most 32 tables). A table joins an earlier one along a reference whose column
//! pairs are all equal.

use std::collections::BTreeMap;

use cql::Span;

use super::refusal;
use super::resolver::Resolver;
use super::scope::{Scope, ScopeTable};
use crate::id::{AttributeId, IdList, ReferenceId, SourceId};
use crate::workload::{Column, Join, Source};

/// `a.x = b.y`
#[derive(Clone, Copy)]
pub(super) struct Equation {
    pub(super) left: Column,
    pub(super) right: Column,
    pub(super) span: Span,
}

/// Columns that are equal to one another.
#[derive(Default)]
struct ColumnClasses {
    /// Each column's parent, up to the representative of its class.
    parents: BTreeMap<Column, Column>,
}

impl ColumnClasses {
    fn new(equations: impl IntoIterator<Item = (Column, Column)>) -> Self {
        let mut equals = Self::default();
        for (left, right) in equations {
            equals.unite(left, right);
        }
        equals
    }

    fn unite(&mut self, left: Column, right: Column) {
        let (left, right) = (self.representative(left), self.representative(right));
        if left != right {
            self.parents.insert(right, left);
        }
    }

    fn representative(&self, mut column: Column) -> Column {
        while let Some(&parent) = self.parents.get(&column) {
            column = parent;
        }
        column
    }

    fn is_equal(&self, left: Column, right: Column) -> bool {
        self.representative(left) == self.representative(right)
    }
}

impl Resolver<'_> {
    /// The tables of a query as sources, ordered so that each joins an earlier one; the scope is
    /// reordered likewise.
    pub(super) fn resolve_path(
        &mut self,
        scope: &mut Scope,
        equations: &[Equation],
    ) -> Vec<Source> {
        let equals = ColumnClasses::new(equations.iter().map(|it| (it.left, it.right)));
        let mut placed: Vec<(SourceId, Option<Join>)> = Vec::new();
        let mut waiting: Vec<SourceId> = scope.tables.ids().collect();
        if !waiting.is_empty() {
            placed.push((waiting.remove(0), None));
        }
        while !waiting.is_empty() {
            let next = waiting.iter().enumerate().find_map(|(at, &table)| {
                self.find_join(scope, &placed, table, &equals).map(|join| (at, join))
            });
            if let Some((at, join)) = next {
                let table = waiting.remove(at);
                if scope.tables[table].left && !join.to_one {
                    self.refuse(&refusal::LEFT_MANY, scope.tables[table].span);
                }
                placed.push((table, Some(join)));
            } else {
                let table = waiting.remove(0);
                self.report_no_path(scope, &placed, table, equations);
                placed.push((table, None));
            }
        }
        self.report_extra_equations(scope, &placed, equations);
        reorder(scope, &placed)
    }

    /// The join of a table with an earlier one.
    fn find_join(
        &self,
        scope: &Scope,
        placed: &[(SourceId, Option<Join>)],
        table: SourceId,
        equals: &ColumnClasses,
    ) -> Option<Join> {
        placed.iter().enumerate().find_map(|(with, &(earlier, _))| {
            let along = |holder, target| {
                self.references(scope, holder, target)
                    .find(|(_, pairs)| {
                        pairs.iter().all(|&(own, other)| equals.is_equal(own, other))
                    })
                    .map(|(reference, _)| reference)
            };
            if let Some(reference) = along(earlier, table) {
                let optional = scope.tables[table].left;
                return Some(Join { with: SourceId::new(with), reference, to_one: true, optional });
            }
            along(table, earlier).map(|reference| Join {
                with: SourceId::new(with),
                reference,
                to_one: false,
                optional: false,
            })
        })
    }

    /// The references from one table of a query to another: each with the pairs of columns that
    /// they equate.
    fn references<'s>(
        &'s self,
        scope: &Scope,
        holder: SourceId,
        target: SourceId,
    ) -> impl Iterator<Item = (ReferenceId, Vec<(Column, Column)>)> + 's {
        let (holding, referred) = (scope.entity(holder), scope.entity(target));
        let references = self.concept.entities[holding].references.enumerate_ids();
        references.filter(move |(_, reference)| reference.target == referred).map(
            move |(position, reference)| {
                let pair = |(&own, &other): (&AttributeId, &AttributeId)| {
                    (
                        Column { source: holder, attribute: own },
                        Column { source: target, attribute: other },
                    )
                };
                let pairs = reference.attributes.iter().zip(&reference.target_attributes);
                (position, pairs.map(pair).collect())
            },
        )
    }

    /// Reports a table that no reference joins with the earlier ones.
    fn report_no_path(
        &mut self,
        scope: &Scope,
        placed: &[(SourceId, Option<Join>)],
        table: SourceId,
        equations: &[Equation],
    ) {
        if scope.torn || !scope.unknown.is_empty() {
            return;
        }
        let ScopeTable { entity, alias, span, .. } = &scope.tables[table];
        let (entity, span) = (&self.concept.entities[*entity], *span);
        let known = placed.iter().find_map(|&(earlier, _)| {
            let reference = self.references(scope, earlier, table).next();
            reference.or_else(|| self.references(scope, table, earlier).next())
        });
        let touched =
            equations.iter().find(|it| it.left.source == table || it.right.source == table);
        if let Some((_, pairs)) = known {
            let conditions: Vec<String> = pairs
                .iter()
                .map(|&(own, other)| {
                    format!(
                        "{} = {}",
                        self.qualify_name(scope, own),
                        self.qualify_name(scope, other)
                    )
                })
                .collect();
            let message = format!("{alias} is not joined on its foreign key");
            let span = touched.map_or(span, |equation| equation.span);
            self.report("MF330", span, message, format!("join ON {}", conditions.join(" AND ")));
        } else if let Some(equation) = touched {
            let message = format!("no reference matches this join of {}", entity.name);
            let (holder, target) = (equation.right, equation.left);
            let (holder, target) =
                if self.is_key(scope, holder) { (target, holder) } else { (holder, target) };
            let help = self.advise_reference(scope, holder, target);
            self.report("MF330", equation.span, message, help);
        } else {
            self.refuse(&refusal::CROSS_JOIN, span);
        }
    }

    /// What to write for a join along no reference: the reference, where there is a key to refer to.
    fn advise_reference(&self, scope: &Scope, holder: Column, target: Column) -> String {
        let name = |column: Column| &self.attribute_of(scope, column).name;
        let table = |column: Column| &self.concept.entities[scope.entity(column.source)].name;
        if self.is_key(scope, target) {
            return format!(
                "declare the reference, if each value has its row: `ALTER TABLE {} ADD FOREIGN KEY ({}) REFERENCES {} ({})`",
                table(holder),
                name(holder),
                table(target),
                name(target)
            );
        }
        format!(
            "read the rows of {} first, and those of {} by their values: `{} = ANY(?)`",
            table(target),
            table(holder),
            name(holder)
        )
    }

    /// Whether a column alone is a key.
    fn is_key(&self, scope: &Scope, column: Column) -> bool {
        let keys = &self.concept.entities[scope.entity(column.source)].keys;
        keys.iter().any(|key| key[..] == [column.attribute])
    }

    /// Reports equations that do not follow from the references, which would have to be checked row
    /// by row. Those of the tenant follow: rows that refer to one another belong to one tenant.
    fn report_extra_equations(
        &mut self,
        scope: &Scope,
        placed: &[(SourceId, Option<Join>)],
        equations: &[Equation],
    ) {
        // Without a complete path, which was reported, no equation can be checked.
        if placed.iter().skip(1).any(|(_, join)| join.is_none()) {
            return;
        }
        let mut equals = ColumnClasses::default();
        for &(table, join) in placed {
            let Some(join) = join else { continue };
            let with = placed[join.with.index()].0;
            let (holder, target) = if join.to_one { (with, table) } else { (table, with) };
            let pairs =
                self.references(scope, holder, target).find(|(at, _)| *at == join.reference);
            for (left, right) in pairs.map(|(_, pairs)| pairs).unwrap_or_default() {
                equals.unite(left, right);
            }
        }
        let tenant = self.concept.tenant.as_deref();
        for equation in equations {
            let is_tenant = |column| Some(self.attribute_of(scope, column).name.as_str()) == tenant;
            if equals.is_equal(equation.left, equation.right)
                || (is_tenant(equation.left) && is_tenant(equation.right))
            {
                continue;
            }
            let (left, right) =
                (self.qualify_name(scope, equation.left), self.qualify_name(scope, equation.right));
            let message =
                format!("{left} = {right} is not part of the reference that joins the tables");
            let help = "remove it, or add both columns to the reference: `FOREIGN KEY (a, b) REFERENCES t (a, b)`";
            self.report("MF331", equation.span, message, help);
        }
    }

    /// A column with its table's alias before it.
    fn qualify_name(&self, scope: &Scope, column: Column) -> String {
        let alias = &scope.tables[column.source].alias;
        format!("{alias}.{}", self.attribute_of(scope, column).name)
    }
}

/// Puts the tables of a scope into the order of the path.
fn reorder(scope: &mut Scope, placed: &[(SourceId, Option<Join>)]) -> Vec<Source> {
    let mut positions = vec![SourceId::default(); placed.len()];
    for (position, &(table, _)) in placed.iter().enumerate() {
        positions[table] = SourceId::new(position);
    }
    let mut tables: Vec<(SourceId, ScopeTable)> =
        positions.ids().zip(scope.tables.drain(..)).collect();
    tables.sort_by_key(|(table, _)| positions[*table]);
    for (_, column) in &mut scope.merged {
        column.source = positions[column.source];
    }
    scope.text_order = positions;
    scope.tables = tables.into_iter().map(|(_, table)| table).collect();
    let source = |(table, &(_, join)): (&ScopeTable, &(SourceId, Option<Join>))| Source {
        entity: table.entity,
        alias: table.alias.clone(),
        join,
    };
    scope.tables.iter().zip(placed).map(source).collect()
}
