//! The tables of a statement, and the resolution of names against them.

use cql::Span;
use cql::spelling::suggestion;
use sqlparser::ast::{Expr, Ident, ObjectName};

use super::resolver::{Resolver, fold_name};
use super::shape::{column_name, strip_brackets};
use crate::concept::{Attribute, AttributeRef};
use crate::id::{EntityId, IdList, SourceId, members};
use crate::sql::types::TypeRegistry;
use crate::workload::Column;

members! {
    ScopeTable: SourceId;
}

/// The tables of a statement.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) tables: Vec<ScopeTable>,
    /// Columns of USING, which represent all columns of their name: in the order of the text.
    pub(super) merged: Vec<(String, Column)>,
    /// Aliases of unknown tables, which are reported: columns may belong to them, so unknown
    /// columns are not.
    pub(super) unknown: Vec<String>,
    /// An equation between tables has an error, which is reported: the join path is not reported
    /// too.
    pub(super) torn: bool,
    /// The positions of the tables in the order of the text.
    pub(super) text_order: Vec<SourceId>,
}

/// A table of a statement.
pub(super) struct ScopeTable {
    pub(super) entity: EntityId,
    pub(super) alias: String,
    pub(super) span: Span,
    /// Joined by LEFT JOIN: it may be null.
    pub(super) left: bool,
}

impl Scope {
    /// The scope after an error that makes all names unknown.
    pub(super) fn new_unknown() -> Self {
        Self { unknown: vec![String::new()], ..Self::default() }
    }

    /// The scope of one table.
    pub(super) fn from_table(entity: EntityId, alias: String, span: Span) -> Self {
        let tables = vec![ScopeTable { entity, alias, span, left: false }];
        Self { tables, text_order: vec![SourceId::new(0)], ..Self::default() }
    }

    /// The entity of a source.
    pub(super) fn entity(&self, source: SourceId) -> EntityId {
        self.tables[source].entity
    }

    /// The attribute that a column is, of the concept.
    pub(super) fn attribute(&self, column: Column) -> AttributeRef {
        AttributeRef { entity: self.entity(column.source), attribute: column.attribute }
    }
}

impl<'a> Resolver<'a> {
    /// The attribute that a column is.
    pub(super) fn attribute_of(&self, scope: &Scope, column: Column) -> &'a Attribute {
        self.attribute(scope.attribute(column))
    }

    /// The entity of a name; a schema before it is ignored.
    pub(super) fn resolve_entity(&mut self, name: &ObjectName) -> Option<EntityId> {
        let span = self.node_span(name);
        let folded =
            name.0.last().and_then(|part| part.as_ident()).map(fold_name).unwrap_or_default();
        let concept = self.concept;
        let found = self.declared.entities.get(&folded).copied();
        if found.is_none() && self.declared.views.contains(&folded) {
            let message = format!("{folded} is a view, which is not expanded");
            let help = "write the query over the tables that the view reads";
            self.report("MF302", span, message, help);
        } else if found.is_none() {
            let names = concept.entities.iter().map(|entity| entity.name.as_str());
            let help = match self.suggest(&folded, names) {
                Some(meant) => suggestion(meant),
                None => format!("declare it: `CREATE TABLE {folded} (...)`"),
            };
            self.report("MF302", span, format!("table {folded} does not exist"), help);
        }
        found
    }

    /// The column of a name.
    pub(super) fn resolve_column(&mut self, scope: &Scope, names: &[Ident]) -> Option<Column> {
        match names {
            [name] => self.resolve_unqualified(scope, name),
            [.., table, name] => {
                let source = self.resolve_alias(scope, table)?;
                let entity = &self.concept.entities[scope.entity(source)];
                match entity.attribute_named(&fold_name(name)) {
                    Some(attribute) => Some(Column { source, attribute }),
                    None => self.report_unknown_column(scope, &[source], name),
                }
            }
            [] => None,
        }
    }

    /// An expression without the cast of a column to its own type.
    pub(super) fn strip_idle_cast<'e>(&mut self, scope: &Scope, expression: &'e Expr) -> &'e Expr {
        let Expr::Cast { expr, data_type, .. } = strip_brackets(expression) else {
            return expression;
        };
        let Some(names) = column_name(expr) else { return expression };
        let Ok(cast) = TypeRegistry::default().resolve(data_type, self.named.span) else {
            return expression;
        };
        // An unknown name is reported when the column is resolved again, and only there.
        let reported = self.errors.len();
        let column = self.resolve_column(scope, names);
        self.errors.truncate(reported);
        match column {
            Some(column) if self.attribute_of(scope, column).ty == cast.ty => expr,
            Some(_) => expression,
            None => expr,
        }
    }

    /// The source of an alias or table name.
    pub(super) fn resolve_alias(&mut self, scope: &Scope, name: &Ident) -> Option<SourceId> {
        let folded = fold_name(name);
        let found = scope.tables.find_id(|table| table.alias == folded);
        if found.is_none() && !scope.unknown.contains(&folded) {
            let span = self.places.span(name.span).unwrap_or(self.named.span);
            let hidden = scope
                .tables
                .iter()
                .find(|table| self.concept.entities[table.entity].name == folded);
            let aliases = scope.tables.iter().map(|table| table.alias.as_str());
            let help =
                match hidden.map(|table| table.alias.as_str()).or(self.suggest(&folded, aliases)) {
                    Some(meant) => suggestion(meant),
                    None => format!("add it to FROM, or use one of {}", list_aliases(scope)),
                };
            let message = format!("{} does not read from a table named {folded}", self.name());
            self.report("MF302", span, message, help);
        }
        found
    }

    fn resolve_unqualified(&mut self, scope: &Scope, name: &Ident) -> Option<Column> {
        let folded = fold_name(name);
        if let Some((_, column)) = scope.merged.iter().find(|(merged, _)| *merged == folded) {
            return Some(*column);
        }
        let mut found = Vec::new();
        for (source, table) in scope.tables.enumerate_ids() {
            let attribute = self.concept.entities[table.entity].attribute_named(&folded);
            found.extend(attribute.map(|attribute| Column { source, attribute }));
        }
        match found[..] {
            [column] => Some(column),
            // It may be one of a table that is itself not known.
            [] if !scope.unknown.is_empty() => None,
            [] => {
                let all: Vec<SourceId> = scope.tables.ids().collect();
                self.report_unknown_column(scope, &all, name)
            }
            [first, second, ..] => {
                let alias = |column: Column| &scope.tables[column.source].alias;
                let message = format!(
                    "{folded} is ambiguous: it is a column of {} and of {}",
                    alias(first),
                    alias(second)
                );
                let help = format!("qualify it, for example as {}.{folded}", alias(first));
                let span = self.places.span(name.span).unwrap_or(self.named.span);
                self.report("MF304", span, message, help);
                None
            }
        }
    }

    fn report_unknown_column(
        &mut self,
        scope: &Scope,
        sources: &[SourceId],
        name: &Ident,
    ) -> Option<Column> {
        let folded = fold_name(name);
        let entities: Vec<_> =
            sources.iter().map(|&source| &self.concept.entities[scope.entity(source)]).collect();
        let names = entities.iter().flat_map(|entity| &entity.attributes);
        let help = match (
            self.suggest(&folded, names.map(|attribute| attribute.name.as_str())),
            &entities[..],
        ) {
            (Some(meant), _) => suggestion(meant),
            (None, [entity]) => format!("use one of {}", list_attributes(&entity.attributes)),
            (None, _) => "use a column of one of the tables in FROM".to_owned(),
        };
        let message = match entities[..] {
            [entity] => format!("table {} has no column {folded}", entity.name),
            _ => format!("none of {} has a column {folded}", list_aliases(scope)),
        };
        let span = self.places.span(name.span).unwrap_or(self.named.span);
        self.report("MF303", span, message, help);
        None
    }
}

fn list_aliases(scope: &Scope) -> String {
    scope.tables.iter().map(|table| table.alias.as_str()).collect::<Vec<_>>().join(", ")
}

/// The first names of a list.
fn list_attributes(attributes: &[Attribute]) -> String {
    let names: Vec<&str> =
        attributes.iter().map(|attribute| attribute.name.as_str()).take(12).collect();
    let more = if attributes.len() > names.len() { ", ..." } else { "" };
    format!("{}{more}", names.join(", "))
}
