//! SELECT with all its clauses.

use cql::types::{NativeType, Type};
use sqlparser::ast::{
    Distinct, Expr, Function, GroupByExpr, JoinConstraint, JoinOperator, LimitClause, OrderByExpr,
    OrderByKind, OrderBySort, Query, Select, SelectItem, SelectItemQualifiedWildcardKind, SetExpr,
    TableFactor, TableWithJoins, Value as SqlValue,
};

use super::constant::{constant_text, strip_casts};
use super::expression::column_name;
use super::result_columns::{AGGREGATES, WrittenExpression};
use super::scope::{fold_name, last_part};
use super::write::plain_arguments;
use super::{Rewriter, refusal_message};
use crate::relational::output::{attribute_type, sum_type};
use crate::relational::sqlite_tables::quote_name;
use crate::relational::sqlite_value::SCALE;
use model::id::IdList;

/// A column of the result, as it is written, with its name.
struct OutputColumn {
    name: String,
    written: String,
    ty: Type,
    /// The column that it is, where it is one.
    nullable: bool,
}

impl Rewriter<'_> {
    /// Writes a query.
    pub(super) fn write_query(&mut self, query: &Query) -> Result<(), String> {
        let select = single_select(&query.body)?;
        if let [SelectItem::UnnamedExpr(item) | SelectItem::ExprWithAlias { expr: item, .. }] =
            &select.projection[..]
            && let Expr::Exists { subquery, negated: false } = strip_casts(item)
        {
            self.push("SELECT EXISTS(");
            self.ranked = false;
            self.write_query(subquery)?;
            self.push(")");
            self.done.outputs = vec![NativeType::Boolean.into()];
            return Ok(());
        }
        // The outputs come first but need the tables of FROM, so FROM is written first and moved;
        // outputs have no parameters, so their numbering is not affected.
        let before = std::mem::take(&mut self.done.sql);
        for (at, table) in select.from.iter().enumerate() {
            self.push(if at == 0 { " FROM " } else { ", " });
            self.write_joins(table)?;
        }
        let from = std::mem::take(&mut self.done.sql);
        let shown = self.resolve_outputs(&select.projection)?;
        let mut written: Vec<String> = shown.iter().map(|shown| shown.written.clone()).collect();
        self.push(&from);
        if let Some(condition) = &select.selection {
            self.push(" WHERE ");
            self.write_condition(condition)?;
        }
        self.write_group_by(select, &shown)?;
        let keys = self.write_order_by(query, &shown)?;
        if self.ranked {
            written.extend(keys);
        } else {
            self.write_limit(query)?;
        }
        let behind = std::mem::replace(&mut self.done.sql, before);
        let distinct = match select.distinct {
            Some(Distinct::Distinct) => "DISTINCT ",
            Some(Distinct::On(_)) => return Err(refusal_message(select)),
            _ => "",
        };
        self.push(&format!("SELECT {distinct}{}{behind}", written.join(", ")));
        self.done.outputs = shown.into_iter().map(|shown| shown.ty).collect();
        Ok(())
    }

    /// Writes what a write returns.
    pub(super) fn write_returning(&mut self, items: Option<&[SelectItem]>) -> Result<(), String> {
        let Some(items) = items else { return Ok(()) };
        self.scope.bare = true;
        self.scope.tables.truncate(1);
        let shown = self.resolve_outputs(items)?;
        let written: Vec<_> = shown.iter().map(|shown| shown.written.as_str()).collect();
        self.push(&format!(" RETURNING {}", written.join(", ")));
        self.done.outputs = shown.into_iter().map(|shown| shown.ty).collect();
        Ok(())
    }

    fn write_joins(&mut self, tables: &TableWithJoins) -> Result<(), String> {
        self.write_factor(&tables.relation)?;
        for join in &tables.joins {
            let (is_left, constraint) = match &join.join_operator {
                JoinOperator::Join(constraint) | JoinOperator::Inner(constraint) => {
                    (false, constraint)
                }
                JoinOperator::Left(constraint) | JoinOperator::LeftOuter(constraint) => {
                    (true, constraint)
                }
                _ => return Err(refusal_message(join)),
            };
            self.push(if is_left { " LEFT JOIN " } else { " JOIN " });
            let first = self.scope.tables.len();
            self.write_factor(&join.relation)?;
            if is_left {
                self.scope.left.extend(first..self.scope.tables.len());
            }
            match constraint {
                JoinConstraint::On(condition) => {
                    self.push(" ON ");
                    self.write_condition(condition)?;
                }
                JoinConstraint::Using(columns) => {
                    let names: Vec<String> =
                        columns.iter().map(last_part).collect::<Result<_, _>>()?;
                    let quoted: Vec<String> = names.iter().map(|name| quote_name(name)).collect();
                    self.push(&format!(" USING ({})", quoted.join(", ")));
                    for name in names {
                        if !self.scope.merged.contains(&name) {
                            self.scope.merged.push(name);
                        }
                    }
                }
                other => return Err(format!("{other:?} is not a supported join condition")),
            }
        }
        Ok(())
    }

    fn write_factor(&mut self, factor: &TableFactor) -> Result<(), String> {
        match factor {
            TableFactor::Table { name, alias, args: None, .. } => {
                let name = last_part(name)?;
                let entity = self.find_entity(&name)?;
                let alias =
                    alias.as_ref().map_or_else(|| name.clone(), |alias| fold_name(&alias.name));
                self.push(&format!("{} AS {}", quote_name(&name), quote_name(&alias)));
                self.scope.tables.push((alias, entity));
                Ok(())
            }
            TableFactor::NestedJoin { table_with_joins, .. } => {
                self.push("(");
                self.write_joins(table_with_joins)?;
                self.push(")");
                Ok(())
            }
            other => Err(refusal_message(other)),
        }
    }

    fn resolve_outputs(&mut self, items: &[SelectItem]) -> Result<Vec<OutputColumn>, String> {
        let mut shown = Vec::new();
        for item in items {
            match item {
                SelectItem::Wildcard(_) => {
                    for name in self.scope.merged.clone() {
                        let merged = self.expand_wildcard(|_, attribute| attribute == name);
                        shown.extend(merged.into_iter().take(1));
                    }
                    let merged = &self.scope.merged;
                    let others = self
                        .expand_wildcard(|_, attribute| !merged.iter().any(|it| it == attribute));
                    shown.extend(others);
                }
                SelectItem::QualifiedWildcard(
                    SelectItemQualifiedWildcardKind::ObjectName(name),
                    _,
                ) => {
                    let table = last_part(name)?;
                    shown.extend(self.expand_wildcard(|alias, _| alias == table));
                }
                SelectItem::UnnamedExpr(expression) => {
                    shown.push(self.resolve_output(expression, None)?);
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    shown.push(self.resolve_output(expr, Some(fold_name(alias)))?);
                }
                other => return Err(refusal_message(other)),
            }
        }
        Ok(shown)
    }

    /// The columns of the tables that `wanted` selects by alias and name.
    fn expand_wildcard(&self, wanted: impl Fn(&str, &str) -> bool) -> Vec<OutputColumn> {
        let mut found = Vec::new();
        for (position, (alias, entity)) in self.scope.tables.iter().enumerate() {
            let is_left = self.scope.left.contains(&position);
            let entity = self.concept.entities.member(*entity);
            for attribute in entity.into_iter().flat_map(|entity| &entity.attributes) {
                if !attribute.hidden && wanted(alias, &attribute.name) {
                    found.push(OutputColumn {
                        name: attribute.name.clone(),
                        written: self.scope.qualify_attribute(alias, attribute),
                        ty: attribute_type(attribute),
                        nullable: attribute.nullable || is_left,
                    });
                }
            }
        }
        found
    }

    fn resolve_output(
        &mut self,
        expression: &Expr,
        alias: Option<String>,
    ) -> Result<OutputColumn, String> {
        if let Expr::Function(function) = expression {
            let name = last_part(&function.name)?;
            if AGGREGATES.contains(&name.as_str()) {
                let (written, ty) = self.rewrite_aggregate(&name, function)?;
                let name = alias.unwrap_or(name);
                return Ok(OutputColumn { name, written, ty, nullable: true });
            }
        }
        let is_plain = matches!(expression, Expr::Identifier(_) | Expr::CompoundIdentifier(_));
        let is_parameter = matches!(expression, Expr::Value(value)
            if matches!(value.value, SqlValue::Placeholder(_)));
        if !is_plain && !is_parameter {
            let WrittenExpression { text, ty } = self.rewrite_expression(expression, None)?;
            let name = alias.unwrap_or_else(|| "?column?".to_owned());
            return Ok(OutputColumn { name, written: text, ty, nullable: true });
        }
        let Some(names) = column_name(expression) else {
            // A parameter stands only inside EXISTS, where the outputs do not matter.
            let ty = NativeType::Int.into();
            return Ok(OutputColumn {
                name: String::new(),
                written: "1".to_owned(),
                ty,
                nullable: false,
            });
        };
        let found = self.scope.find(self.concept, names)?;
        Ok(OutputColumn {
            name: alias.unwrap_or_else(|| found.attribute.name.clone()),
            written: self.scope.qualify_name(&found),
            ty: attribute_type(found.attribute),
            nullable: self.scope.is_nullable(&found),
        })
    }

    pub(super) fn rewrite_aggregate(
        &self,
        function: &str,
        call: &Function,
    ) -> Result<(String, Type), String> {
        let column = plain_arguments(&call.args).first().and_then(|argument| column_name(argument));
        let Some(names) = column else {
            let counts = function == "count";
            let count = ("COUNT(*)".to_owned(), NativeType::Bigint.into());
            return counts.then_some(count).ok_or_else(|| refusal_message(call));
        };
        let found = self.scope.find(self.concept, names)?;
        let column = self.scope.qualify_name(&found);
        let ty = &found.attribute.ty;
        Ok(match function {
            "count" => (format!("COUNT({column})"), NativeType::Bigint.into()),
            "sum" => (format!("SUM({column})"), sum_type(ty)),
            "avg" if *ty == Type::from(NativeType::Decimal) => {
                (format!("AVG({column}) / {SCALE}.0"), NativeType::Double.into())
            }
            "avg" => (format!("AVG({column})"), NativeType::Double.into()),
            "min" => (format!("MIN({column})"), attribute_type(found.attribute)),
            "max" => (format!("MAX({column})"), attribute_type(found.attribute)),
            _ => return Err(refusal_message(call)),
        })
    }

    fn write_group_by(&mut self, select: &Select, shown: &[OutputColumn]) -> Result<(), String> {
        let GroupByExpr::Expressions(expressions, _) = &select.group_by else {
            return Err(refusal_message(&select.group_by));
        };
        for (at, expression) in expressions.iter().enumerate() {
            self.push(if at == 0 { " GROUP BY " } else { ", " });
            // A column of the tables takes precedence over the name of an output.
            let column = column_name(expression)
                .and_then(|names| self.scope.find(self.concept, names).ok())
                .map(|found| self.scope.qualify_name(&found));
            let written = match column {
                Some(column) => column,
                None => find_output(expression, shown)?.written.clone(),
            };
            self.push(&written);
        }
        Ok(())
    }

    /// Writes the ORDER BY; returns its expressions.
    fn write_order_by(
        &mut self,
        query: &Query,
        shown: &[OutputColumn],
    ) -> Result<Vec<String>, String> {
        let expressions = match query.order_by.as_ref().map(|order| &order.kind) {
            None => return Ok(Vec::new()),
            Some(OrderByKind::Expressions(expressions)) => expressions,
            Some(OrderByKind::All(_)) => return Err("ORDER BY ALL is not supported".to_owned()),
        };
        let mut keys = Vec::new();
        for (at, item) in expressions.iter().enumerate() {
            self.push(if at == 0 { " ORDER BY " } else { ", " });
            keys.push(self.write_ordering(item, shown)?);
        }
        Ok(keys)
    }

    /// Nulls are last, and first where the order is descending, as in `PostgreSQL`.
    fn write_ordering(
        &mut self,
        item: &OrderByExpr,
        shown: &[OutputColumn],
    ) -> Result<String, String> {
        let start = self.done.sql.len();
        let descending = match &item.options.sort {
            None | Some(OrderBySort::Asc) => false,
            Some(OrderBySort::Desc) => true,
            Some(OrderBySort::Using(_)) => return Err(refusal_message(item)),
        };
        let mut nullable = false;
        if let Expr::Function(function) = strip_casts(&item.expr) {
            let [column, constant] = plain_arguments(&function.args)[..] else {
                return Err(refusal_message(item));
            };
            if last_part(&function.name)? != "coalesce" {
                return Err(refusal_message(item));
            }
            let ty = self.type_of_either(column, constant)?;
            self.push("COALESCE(");
            self.write_operand(column, &ty)?;
            self.push(", ");
            self.write_operand(constant, &ty)?;
            self.push(")");
        } else if let Ok(output) = find_output(&item.expr, shown) {
            nullable = output.nullable;
            self.push(&output.written);
        } else {
            let names = column_name(&item.expr).ok_or_else(|| refusal_message(item))?;
            let found = self.scope.find(self.concept, names)?;
            nullable = self.scope.is_nullable(&found);
            let written = self.scope.qualify_name(&found);
            self.push(&written);
        }
        let key = self.done.sql.get(start..).unwrap_or_default().to_owned();
        self.push(if descending { " DESC" } else { "" });
        if nullable {
            let first = item.options.nulls_first.unwrap_or(descending);
            self.push(if first { " NULLS FIRST" } else { " NULLS LAST" });
        }
        Ok(key)
    }

    fn write_limit(&mut self, query: &Query) -> Result<(), String> {
        let mut wanted = match &query.limit_clause {
            Some(LimitClause::LimitOffset { limit, offset: None, .. }) => limit.as_ref(),
            Some(other) => return Err(refusal_message(other)),
            None => None,
        };
        if let Some(fetch) = &query.fetch {
            wanted = fetch.quantity.as_ref();
            if wanted.is_none() {
                self.push(" LIMIT 1");
            }
        }
        let Some(wanted) = wanted else { return Ok(()) };
        self.push(" LIMIT ");
        self.write_operand(wanted, &NativeType::Int.into())
    }
}

/// The one SELECT of a query.
fn single_select(body: &SetExpr) -> Result<&Select, String> {
    match body {
        SetExpr::Select(select) => Ok(select),
        SetExpr::Query(query) => single_select(&query.body),
        other => Err(refusal_message(other)),
    }
}

/// The output of an unqualified name or of a number.
fn find_output<'s>(
    expression: &Expr,
    shown: &'s [OutputColumn],
) -> Result<&'s OutputColumn, String> {
    let found = match column_name(expression) {
        Some([name]) => shown.iter().find(|shown| shown.name == fold_name(name)),
        Some(_) => None,
        None => constant_text(expression)
            .and_then(|number| number.parse::<usize>().ok())
            .and_then(|number| shown.get(number.checked_sub(1)?)),
    };
    found.ok_or_else(|| refusal_message(expression))
}
