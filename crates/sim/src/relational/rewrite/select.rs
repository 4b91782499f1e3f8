//! SELECT.

use cql::types::{NativeType, Type};
use sqlparser::ast::{
    Expr, Function, GroupByExpr, JoinConstraint, JoinOperator, LimitClause, OrderByExpr,
    OrderByKind, OrderBySort, Query, Select, SelectItem, SelectItemQualifiedWildcardKind, SetExpr,
    TableFactor, TableWithJoins,
};

use super::constant::{bare, text};
use super::expression::name;
use super::scope::{folded, last};
use super::write::arguments;
use super::{Rewriter, unknown};
use crate::relational::output::{shown, summed};
use crate::relational::sqlite_tables::quoted;
use crate::relational::stored::SCALE;
use model::id::Numbered;

/// A column of the result, as it is written, with its name.
struct Shown {
    name: String,
    written: String,
    ty: Type,
    /// The column that it is, where it is one.
    nullable: bool,
}

impl Rewriter<'_> {
    /// Writes a query.
    pub(super) fn query(&mut self, query: &Query) -> Result<(), String> {
        let select = one_select(&query.body)?;
        if let [SelectItem::UnnamedExpr(item) | SelectItem::ExprWithAlias { expr: item, .. }] =
            &select.projection[..]
            && let Expr::Exists { subquery, negated: false } = bare(item)
        {
            self.push("SELECT EXISTS(");
            self.ranked = false;
            self.query(subquery)?;
            self.push(")");
            self.done.outputs = vec![NativeType::Boolean.into()];
            return Ok(());
        }
        // The outputs stand first and need the tables, which stand behind them; no parameter is among the outputs.
        let before = std::mem::take(&mut self.done.sql);
        for (at, table) in select.from.iter().enumerate() {
            self.push(if at == 0 { " FROM " } else { ", " });
            self.joined(table)?;
        }
        let from = std::mem::take(&mut self.done.sql);
        let shown = self.outputs(select)?;
        let mut written: Vec<String> = shown.iter().map(|shown| shown.written.clone()).collect();
        self.push(&from);
        if let Some(condition) = &select.selection {
            self.push(" WHERE ");
            self.condition(condition)?;
        }
        self.group(select, &shown)?;
        let keys = self.order(query, &shown)?;
        if self.ranked {
            written.extend(keys);
        } else {
            self.limit(query)?;
        }
        let behind = std::mem::replace(&mut self.done.sql, before);
        self.push(&format!("SELECT {}{behind}", written.join(", ")));
        self.done.outputs = shown.into_iter().map(|shown| shown.ty).collect();
        Ok(())
    }

    fn joined(&mut self, tables: &TableWithJoins) -> Result<(), String> {
        self.factor(&tables.relation)?;
        for join in &tables.joins {
            let (JoinOperator::Join(constraint) | JoinOperator::Inner(constraint)) =
                &join.join_operator
            else {
                return Err(unknown(join));
            };
            self.push(" JOIN ");
            self.factor(&join.relation)?;
            match constraint {
                JoinConstraint::On(condition) => {
                    self.push(" ON ");
                    self.condition(condition)?;
                }
                JoinConstraint::Using(columns) => {
                    let names: Vec<String> = columns.iter().map(last).collect::<Result<_, _>>()?;
                    let quoted: Vec<String> = names.iter().map(|name| quoted(name)).collect();
                    self.push(&format!(" USING ({})", quoted.join(", ")));
                    for name in names {
                        if !self.scope.merged.contains(&name) {
                            self.scope.merged.push(name);
                        }
                    }
                }
                other => return Err(format!("{other:?} is no condition of a join")),
            }
        }
        Ok(())
    }

    fn factor(&mut self, factor: &TableFactor) -> Result<(), String> {
        match factor {
            TableFactor::Table { name, alias, args: None, .. } => {
                let name = last(name)?;
                let entity = self.entity(&name)?;
                let alias =
                    alias.as_ref().map_or_else(|| name.clone(), |alias| folded(&alias.name));
                self.push(&format!("{} AS {}", quoted(&name), quoted(&alias)));
                self.scope.tables.push((alias, entity));
                Ok(())
            }
            TableFactor::NestedJoin { table_with_joins, .. } => {
                self.push("(");
                self.joined(table_with_joins)?;
                self.push(")");
                Ok(())
            }
            other => Err(unknown(other)),
        }
    }

    fn outputs(&mut self, select: &Select) -> Result<Vec<Shown>, String> {
        let mut shown = Vec::new();
        for item in &select.projection {
            match item {
                SelectItem::Wildcard(_) => {
                    for name in self.scope.merged.clone() {
                        let merged = self.everything(|_, attribute| attribute == name);
                        shown.extend(merged.into_iter().take(1));
                    }
                    let merged = &self.scope.merged;
                    let others =
                        self.everything(|_, attribute| !merged.iter().any(|it| it == attribute));
                    shown.extend(others);
                }
                SelectItem::QualifiedWildcard(
                    SelectItemQualifiedWildcardKind::ObjectName(name),
                    _,
                ) => {
                    let table = last(name)?;
                    shown.extend(self.everything(|alias, _| alias == table));
                }
                SelectItem::UnnamedExpr(expression) => shown.push(self.output(expression, None)?),
                SelectItem::ExprWithAlias { expr, alias } => {
                    shown.push(self.output(expr, Some(folded(alias)))?);
                }
                other => return Err(unknown(other)),
            }
        }
        Ok(shown)
    }

    /// The columns of all tables whose alias and name are wanted.
    fn everything(&self, wanted: impl Fn(&str, &str) -> bool) -> Vec<Shown> {
        let mut found = Vec::new();
        for (alias, entity) in &self.scope.tables {
            let entity = self.concept.entities.at(*entity);
            for attribute in entity.into_iter().flat_map(|entity| &entity.attributes) {
                if wanted(alias, &attribute.name) {
                    found.push(Shown {
                        name: attribute.name.clone(),
                        written: format!("{}.{}", quoted(alias), quoted(&attribute.name)),
                        ty: shown(attribute),
                        nullable: attribute.nullable,
                    });
                }
            }
        }
        found
    }

    fn output(&mut self, expression: &Expr, alias: Option<String>) -> Result<Shown, String> {
        if let Expr::Function(function) = bare(expression) {
            let name = last(&function.name)?;
            let (written, ty) = self.aggregate(&name, function)?;
            return Ok(Shown { name: alias.unwrap_or(name), written, ty, nullable: true });
        }
        let Some(names) = name(expression) else {
            // What EXISTS selects does not matter.
            let ty = NativeType::Int.into();
            return Ok(Shown { name: String::new(), written: "1".to_owned(), ty, nullable: false });
        };
        let found = self.scope.find(self.concept, names)?;
        Ok(Shown {
            name: alias.unwrap_or_else(|| found.attribute.name.clone()),
            written: self.scope.written(&found),
            ty: shown(found.attribute),
            nullable: found.attribute.nullable,
        })
    }

    fn aggregate(&self, function: &str, call: &Function) -> Result<(String, Type), String> {
        let column = arguments(&call.args).first().and_then(|argument| name(argument));
        let Some(names) = column else {
            let counts = function == "count";
            let count = ("COUNT(*)".to_owned(), NativeType::Bigint.into());
            return counts.then_some(count).ok_or_else(|| unknown(call));
        };
        let found = self.scope.find(self.concept, names)?;
        let column = self.scope.written(&found);
        let ty = &found.attribute.ty;
        Ok(match function {
            "count" => (format!("COUNT({column})"), NativeType::Bigint.into()),
            "sum" => (format!("SUM({column})"), summed(ty)),
            "avg" if *ty == Type::from(NativeType::Decimal) => {
                (format!("AVG({column}) / {SCALE}.0"), NativeType::Double.into())
            }
            "avg" => (format!("AVG({column})"), NativeType::Double.into()),
            "min" => (format!("MIN({column})"), shown(found.attribute)),
            "max" => (format!("MAX({column})"), shown(found.attribute)),
            _ => return Err(unknown(call)),
        })
    }

    fn group(&mut self, select: &Select, shown: &[Shown]) -> Result<(), String> {
        let GroupByExpr::Expressions(expressions, _) = &select.group_by else {
            return Err(unknown(&select.group_by));
        };
        for (at, expression) in expressions.iter().enumerate() {
            self.push(if at == 0 { " GROUP BY " } else { ", " });
            // A column of the tables goes before the name of an output.
            let column = name(expression)
                .and_then(|names| self.scope.find(self.concept, names).ok())
                .map(|found| self.scope.written(&found));
            let written = match column {
                Some(column) => column,
                None => output_of(expression, shown)?.written.clone(),
            };
            self.push(&written);
        }
        Ok(())
    }

    /// Writes the ORDER BY; what it orders by.
    fn order(&mut self, query: &Query, shown: &[Shown]) -> Result<Vec<String>, String> {
        let expressions = match query.order_by.as_ref().map(|order| &order.kind) {
            None => return Ok(Vec::new()),
            Some(OrderByKind::Expressions(expressions)) => expressions,
            Some(OrderByKind::All(_)) => return Err("ORDER BY ALL".to_owned()),
        };
        let mut keys = Vec::new();
        for (at, item) in expressions.iter().enumerate() {
            self.push(if at == 0 { " ORDER BY " } else { ", " });
            keys.push(self.ordering(item, shown)?);
        }
        Ok(keys)
    }

    /// Nulls are last, and first where the order is descending, as in `PostgreSQL`.
    fn ordering(&mut self, item: &OrderByExpr, shown: &[Shown]) -> Result<String, String> {
        let start = self.done.sql.len();
        let descending = match &item.options.sort {
            None | Some(OrderBySort::Asc) => false,
            Some(OrderBySort::Desc) => true,
            Some(OrderBySort::Using(_)) => return Err(unknown(item)),
        };
        let mut nullable = false;
        if let Expr::Function(function) = bare(&item.expr) {
            let [column, constant] = arguments(&function.args)[..] else {
                return Err(unknown(item));
            };
            if last(&function.name)? != "coalesce" {
                return Err(unknown(item));
            }
            let ty = self.type_of_either(column, constant)?;
            self.push("COALESCE(");
            self.operand(column, &ty)?;
            self.push(", ");
            self.operand(constant, &ty)?;
            self.push(")");
        } else if let Ok(output) = output_of(&item.expr, shown) {
            nullable = output.nullable;
            self.push(&output.written);
        } else {
            let names = name(&item.expr).ok_or_else(|| unknown(item))?;
            let found = self.scope.find(self.concept, names)?;
            nullable = found.attribute.nullable;
            let written = self.scope.written(&found);
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

    fn limit(&mut self, query: &Query) -> Result<(), String> {
        let mut wanted = match &query.limit_clause {
            Some(LimitClause::LimitOffset { limit, offset: None, .. }) => limit.as_ref(),
            Some(other) => return Err(unknown(other)),
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
        self.operand(wanted, &NativeType::Int.into())
    }
}

/// The one SELECT of a query.
fn one_select(body: &SetExpr) -> Result<&Select, String> {
    match body {
        SetExpr::Select(select) => Ok(select),
        SetExpr::Query(query) => one_select(&query.body),
        other => Err(unknown(other)),
    }
}

/// The output that a name without a table, or a number, means.
fn output_of<'s>(expression: &Expr, shown: &'s [Shown]) -> Result<&'s Shown, String> {
    let found = match name(expression) {
        Some([name]) => shown.iter().find(|shown| shown.name == folded(name)),
        Some(_) => None,
        None => text(expression)
            .and_then(|number| number.parse::<usize>().ok())
            .and_then(|number| shown.get(number.checked_sub(1)?)),
    };
    found.ok_or_else(|| unknown(expression))
}
