//! SELECT.

use super::{Print, Printer};
use crate::statement::select::{Ordering, Select, Selector};

impl Printer {
    /// `*`, or the selected expressions.
    pub(super) fn selectors(&mut self, selectors: &[Selector]) {
        if selectors.is_empty() {
            return self.text("*");
        }
        self.with_indent(|printer| {
            for (i, selector) in selectors.iter().enumerate() {
                if i > 0 {
                    printer.text(",");
                    printer.clause();
                }
                printer.node(selector);
            }
        });
    }

    /// A clause of a keyword and nodes separated by commas.
    fn list_clause<T: Print>(&mut self, word: &str, nodes: &[T]) {
        if !nodes.is_empty() {
            self.clause();
            self.text(word);
            self.list(nodes);
        }
    }
}

impl Print for Select {
    fn print(&self, printer: &mut Printer) {
        printer.text("SELECT ");
        printer.text_if(self.json, "JSON ");
        printer.text_if(self.distinct, "DISTINCT ");
        printer.selectors(&self.selectors);
        printer.clause();
        printer.text("FROM ");
        printer.node(&self.table);
        printer.relations(&self.relations);
        printer.list_clause("GROUP BY ", &self.group_by);
        printer.list_clause("ORDER BY ", &self.order_by);
        for (word, limit) in
            [("PER PARTITION LIMIT ", &self.per_partition_limit), ("LIMIT ", &self.limit)]
        {
            if let Some(limit) = limit {
                printer.clause();
                printer.text(word);
                printer.node(limit);
            }
        }
        if self.allow_filtering.is_some() {
            printer.clause();
            printer.text("ALLOW FILTERING");
        }
    }
}

impl Print for Selector {
    fn print(&self, printer: &mut Printer) {
        printer.node(&self.expression);
        if let Some(alias) = &self.alias {
            printer.text(" AS ");
            printer.node(alias);
        }
    }
}

impl Print for Ordering {
    fn print(&self, printer: &mut Printer) {
        printer.node(&self.column);
        if let Some(vector) = &self.ann_of {
            printer.text(" ANN OF ");
            printer.node(vector);
        }
        printer.text_if(self.descending, " DESC");
    }
}
