//! The figures that a model assumes, as directives at the places where it could state them.

use std::collections::HashMap;

use super::super::ModelFile;
use super::dump_schema::{DumpItem, DumpSchema, ItemKind};
use crate::assumption::AssumptionTopic;
use crate::directive::quantity::spell;

/// Adds what is assumed to the parts of a schema.
pub(super) fn add_figures(schema: &mut DumpSchema, file: &ModelFile) {
    let tables = schema.tables.iter().enumerate().map(|(at, it)| (it.title.clone(), at));
    let mut writer = FigureWriter { tables: tables.collect(), queries: HashMap::new(), schema };
    let queries = writer.schema.queries.iter().enumerate();
    writer.queries = queries.filter_map(|(at, it)| Some((it.name.clone()?, at))).collect();
    for assumption in &file.assumptions {
        writer.write(&assumption.topic);
    }
}

struct FigureWriter<'a> {
    schema: &'a mut DumpSchema,
    tables: HashMap<String, usize>,
    queries: HashMap<String, usize>,
}

impl FigureWriter<'_> {
    fn write(&mut self, topic: &AssumptionTopic) {
        match topic {
            AssumptionTopic::Replication { datacenter, copies } => {
                self.schema.figures.push(format!("@replication {datacenter}:{copies}"));
            }
            AssumptionTopic::Nodes(nodes) => self.schema.figures.push(format!("@nodes {nodes}")),
            AssumptionTopic::Rate { statement } => {
                let query = self.queries.get(statement);
                if let Some(query) = query.and_then(|at| self.schema.queries.get_mut(*at)) {
                    query.figures.push("@rate 1/s".to_owned());
                }
            }
            AssumptionTopic::Rows { entity, rows } => {
                self.add_to_table(entity, format!("@rows {}", spell(*rows)));
            }
            AssumptionTopic::FanOut { entity, columns, mean, p99, max, .. } => {
                let [mean, p99, max] = [mean, p99, max].map(|it| spell(*it));
                let figure = format!("@each {mean} p99 {p99} max {max}");
                self.add_to_reference(entity, columns, figure);
            }
            AssumptionTopic::Distinct { entity, attribute, values, .. } => {
                self.add_to_column(entity, attribute, format!("@distinct {}", spell(*values)));
            }
            AssumptionTopic::Items { entity, attribute, items } => {
                self.add_to_column(entity, attribute, format!("@items {}", spell(*items)));
            }
            AssumptionTopic::Bytes { entity, sizes } => {
                for (column, size) in sizes {
                    self.add_to_column(entity, column, format!("@bytes {}", spell(*size)));
                }
            }
            // No directive says that a table does not grow.
            AssumptionTopic::NoGrowth { .. }
            | AssumptionTopic::NoQueries
            | AssumptionTopic::Span { .. }
            | AssumptionTopic::PartitionRows { .. }
            | AssumptionTopic::Measured { .. }
            | AssumptionTopic::ExactNumber { .. } => {}
        }
    }

    fn add_to_table(&mut self, entity: &str, figure: String) {
        let table = self.tables.get(entity).and_then(|at| self.schema.tables.get_mut(*at));
        if let Some(table) = table {
            table.figures.push(figure);
        }
    }

    fn add_to_column(&mut self, entity: &str, column: &str, figure: String) {
        self.add_to_item(entity, figure, |item| item.is_column(column));
    }

    fn add_to_reference(&mut self, entity: &str, columns: &[String], figure: String) {
        let is_constraint = |item: &DumpItem| matches!(&item.kind, ItemKind::Reference { columns: own, .. } if own == columns);
        if !self.add_to_item(entity, figure.clone(), is_constraint)
            && let [column] = columns
        {
            self.add_to_column(entity, column, figure);
        }
    }

    /// Adds a figure to the first such item of a table; whether there is one.
    fn add_to_item(
        &mut self,
        entity: &str,
        figure: String,
        is_it: impl Fn(&DumpItem) -> bool,
    ) -> bool {
        let table = self.tables.get(entity).and_then(|at| self.schema.tables.get_mut(*at));
        let item = table.and_then(|it| it.items.iter_mut().find(|item| is_it(item)));
        match item {
            Some(item) => {
                item.figures.push(figure);
                true
            }
            None => false,
        }
    }
}
