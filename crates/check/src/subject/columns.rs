//! The column that a place within a statement is about.

use cql::relation::{Conditions, Relation, RelationKind};
use cql::selectable::{Selectable, SelectableKind};
use cql::statement::select::Select;
use cql::statement::table::{AlterTable, CreateTable, PrimaryKey, TableChange};
use cql::statement::user_type::{AlterType, TypeChange};
use cql::statement::view::CreateView;
use cql::statement::write::{Delete, Insert, InsertValues, Update, WriteKind};
use cql::{Name, Span, StatementKind};

use crate::statement_object::contains_span;

/// The column that the place is about: that of the smallest part of the statement that holds the place.
pub(super) fn find_column(statement: &StatementKind, at: Span) -> Option<&Name> {
    let mut parts = ColumnSpans(Vec::new());
    parts.collect(statement, at);
    let around = parts.0.into_iter().filter(|(part, _)| contains_span(*part, at));
    around.min_by_key(|(part, _)| part.end - part.start).map(|(_, column)| column)
}

/// Parts of a statement, each with the column that it is about.
struct ColumnSpans<'s>(Vec<(Span, &'s Name)>);

impl<'s> ColumnSpans<'s> {
    fn collect(&mut self, statement: &'s StatementKind, at: Span) {
        match statement {
            StatementKind::CreateTable(create) => self.collect_create_table(create),
            StatementKind::AlterTable(alter) => self.collect_alter_table(alter),
            StatementKind::CreateView(create) => self.collect_create_view(create),
            StatementKind::CreateIndex(create) => {
                self.collect_names(create.targets.iter().map(|target| &target.column));
            }
            StatementKind::CreateType(create) => {
                let fields = create.fields.iter();
                self.0.extend(fields.map(|(name, ty)| (name.span.union(ty.span), name)));
            }
            StatementKind::AlterType(alter) => self.collect_alter_type(alter),
            StatementKind::Select(select) => self.collect_select(select),
            StatementKind::Insert(insert) => self.collect_insert(insert),
            StatementKind::Update(update) => self.collect_update(update),
            StatementKind::Delete(delete) => self.collect_delete(delete),
            StatementKind::Batch(batch) => {
                let here =
                    batch.statements.iter().find(|statement| contains_span(statement.span, at));
                match here.map(|statement| &statement.kind) {
                    Some(WriteKind::Insert(insert)) => self.collect_insert(insert),
                    Some(WriteKind::Update(update)) => self.collect_update(update),
                    Some(WriteKind::Delete(delete)) => self.collect_delete(delete),
                    None => {}
                }
            }
            _ => {}
        }
    }

    fn collect_names(&mut self, names: impl IntoIterator<Item = &'s Name>) {
        self.0.extend(names.into_iter().map(|name| (name.span, name)));
    }

    fn collect_key(&mut self, key: &'s PrimaryKey) {
        self.collect_names(key.partition.iter().chain(&key.clustering));
    }

    fn collect_create_table(&mut self, create: &'s CreateTable) {
        self.0.extend(create.columns.iter().map(|column| (column.span, &column.name)));
        create.primary_keys.iter().for_each(|key| self.collect_key(key));
        self.collect_names(create.options.clustering_order.iter().map(|order| &order.column));
    }

    fn collect_create_view(&mut self, create: &'s CreateView) {
        create.selectors.iter().for_each(|selector| self.collect_selectable(&selector.expression));
        self.collect_relations(&create.relations);
        self.collect_key(&create.primary_key);
        self.collect_names(create.options.clustering_order.iter().map(|order| &order.column));
    }

    fn collect_alter_table(&mut self, alter: &'s AlterTable) {
        match &alter.change {
            TableChange::AlterType(column, ty) => self.0.push((column.span.union(ty.span), column)),
            TableChange::Mask { column, mask, .. } => {
                let whole = mask.as_ref().map_or(column.span, |mask| column.span.union(mask.span));
                self.0.push((whole, column));
            }
            TableChange::Add { columns, .. } => {
                self.0.extend(columns.iter().map(|column| (column.span, &column.name)));
            }
            TableChange::Drop { columns, .. } => self.collect_names(columns),
            TableChange::Rename { columns, .. } => {
                self.0.extend(columns.iter().map(|(old, new)| (old.span.union(new.span), old)));
            }
            TableChange::DropCompactStorage | TableChange::With(_) => {}
        }
    }

    fn collect_alter_type(&mut self, alter: &'s AlterType) {
        match &alter.change {
            TypeChange::Alter(field, ty) | TypeChange::Add { field, type_name: ty, .. } => {
                self.0.push((field.span.union(ty.span), field));
            }
            TypeChange::Rename { fields, .. } => {
                self.0.extend(fields.iter().map(|(old, new)| (old.span.union(new.span), old)));
            }
        }
    }

    fn collect_select(&mut self, select: &'s Select) {
        select.selectors.iter().for_each(|selector| self.collect_selectable(&selector.expression));
        self.collect_relations(&select.relations);
        select.group_by.iter().for_each(|group| self.collect_selectable(group));
        self.0.extend(select.order_by.iter().map(|order| (order.span, &order.column)));
    }

    fn collect_insert(&mut self, insert: &'s Insert) {
        if let InsertValues::Columns { columns, values } = &insert.values {
            self.collect_names(columns);
            self.0.extend(values.iter().zip(columns).map(|(value, column)| (value.span, column)));
        }
    }

    fn collect_update(&mut self, update: &'s Update) {
        self.0.extend(update.assignments.iter().map(|set| (set.span, &set.column)));
        self.collect_relations(&update.relations);
        self.collect_conditions(&update.conditions);
    }

    fn collect_delete(&mut self, delete: &'s Delete) {
        self.0.extend(delete.targets.iter().map(|target| (target.span, &target.column)));
        self.collect_relations(&delete.relations);
        self.collect_conditions(&delete.conditions);
    }

    fn collect_conditions(&mut self, conditions: &'s Conditions) {
        if let Conditions::All(all) = conditions {
            self.0.extend(all.iter().map(|condition| (condition.span, &condition.column)));
        }
    }

    fn collect_relations(&mut self, relations: &'s [Relation]) {
        for relation in relations {
            match &relation.kind {
                RelationKind::Token(columns, ..)
                | RelationKind::Tuple(columns, ..)
                | RelationKind::TupleIn(columns, _) => self.collect_names(columns),
                kind => self.0.extend(kind.columns().iter().map(|name| (relation.span, name))),
            }
        }
    }

    fn collect_selectable(&mut self, selected: &'s Selectable) {
        match &selected.kind {
            SelectableKind::Column(name) => self.0.push((selected.span, name)),
            SelectableKind::CellInfo(_, inside)
            | SelectableKind::Cast(inside, _)
            | SelectableKind::Negate(inside)
            | SelectableKind::Field(inside, _)
            | SelectableKind::Element(inside, _)
            | SelectableKind::Slice(inside, ..) => self.collect_wrapper(selected.span, inside),
            SelectableKind::TypeHint(hint) => self.collect_wrapper(selected.span, &hint.1),
            SelectableKind::Call(_, all)
            | SelectableKind::Tuple(all)
            | SelectableKind::List(all)
            | SelectableKind::Set(all) => match all.as_slice() {
                [one] => self.collect_wrapper(selected.span, one),
                all => all.iter().for_each(|one| self.collect_selectable(one)),
            },
            SelectableKind::Map(entries) => {
                for (key, value) in entries {
                    self.collect_selectable(key);
                    self.collect_selectable(value);
                }
            }
            SelectableKind::Arithmetic(_, sides) => {
                self.collect_selectable(&sides.0);
                self.collect_selectable(&sides.1);
            }
            SelectableKind::Term(_) | SelectableKind::CountRows => {}
        }
    }

    /// An expression around a single one: the whole is about the same column.
    fn collect_wrapper(&mut self, whole: Span, inside: &'s Selectable) {
        let first = self.0.len();
        self.collect_selectable(inside);
        let mut columns = self.0.get(first..).unwrap_or_default().iter().map(|(_, column)| *column);
        if let Some(column) = columns.next()
            && columns.all(|other| other == column)
        {
            self.0.push((whole, column));
        }
    }
}
