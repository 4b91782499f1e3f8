//! Functions, aggregates and triggers.

use super::{Print, Printer};
use crate::statement::function::{
    CreateAggregate, CreateFunction, CreateTrigger, DropFunction, DropTrigger,
};

impl Print for CreateFunction {
    fn print(&self, printer: &mut Printer) {
        printer.text(if self.or_replace {
            "CREATE OR REPLACE FUNCTION "
        } else {
            "CREATE FUNCTION "
        });
        printer.text_if(self.if_not_exists, "IF NOT EXISTS ");
        printer.function(&self.name);
        printer.text(" (");
        printer.join(&self.arguments, ", ", |printer, (name, type_name)| {
            printer.node(name);
            printer.text(" ");
            printer.node(type_name);
        });
        printer.text(")");
        printer.with_indent(|printer| {
            printer.line();
            let called = self.called_on_null_input;
            printer.text(if called {
                "CALLED ON NULL INPUT"
            } else {
                "RETURNS NULL ON NULL INPUT"
            });
            printer.line();
            printer.text("RETURNS ");
            printer.node(&self.returns);
            printer.line();
            printer.text("LANGUAGE ");
            printer.text(&self.language.text);
            printer.line();
            printer.text("AS ");
            body(printer, &self.body);
        });
    }
}

/// A body with quotes or several lines is enclosed in `$$` if possible.
fn body(printer: &mut Printer, body: &str) {
    let multiple = body.contains(['\'', '\n']);
    if multiple && !body.contains("$$") && !body.ends_with('$') {
        printer.text("$$");
        printer.text(body);
        printer.text("$$");
    } else {
        printer.string(body);
    }
}

impl Print for CreateAggregate {
    fn print(&self, printer: &mut Printer) {
        printer.text(if self.or_replace {
            "CREATE OR REPLACE AGGREGATE "
        } else {
            "CREATE AGGREGATE "
        });
        printer.text_if(self.if_not_exists, "IF NOT EXISTS ");
        printer.function(&self.name);
        printer.enclose_list(" (", &self.arguments, ")");
        printer.with_indent(|printer| {
            printer.clause();
            printer.text("SFUNC ");
            printer.local_function(&self.state_function);
            printer.clause();
            printer.text("STYPE ");
            printer.node(&self.state_type);
            if let Some(function) = &self.final_function {
                printer.clause();
                printer.text("FINALFUNC ");
                printer.local_function(function);
            }
            if let Some(initial) = &self.initial {
                printer.clause();
                printer.text("INITCOND ");
                printer.node(initial);
            }
        });
    }
}

impl Print for DropFunction {
    fn print(&self, printer: &mut Printer) {
        printer.text(if self.aggregate { "DROP AGGREGATE " } else { "DROP FUNCTION " });
        printer.text_if(self.if_exists, "IF EXISTS ");
        printer.function(&self.name);
        if let Some(arguments) = &self.arguments {
            printer.enclose_list(" (", arguments, ")");
        }
    }
}

impl Print for CreateTrigger {
    fn print(&self, printer: &mut Printer) {
        printer.text("CREATE TRIGGER ");
        printer.text_if(self.if_not_exists, "IF NOT EXISTS ");
        printer.node(&self.name);
        printer.text(" ON ");
        printer.node(&self.table);
        printer.text(" USING ");
        printer.string(&self.class);
    }
}

impl Print for DropTrigger {
    fn print(&self, printer: &mut Printer) {
        printer.text("DROP TRIGGER ");
        printer.text_if(self.if_exists, "IF EXISTS ");
        printer.node(&self.name);
        printer.text(" ON ");
        printer.node(&self.table);
    }
}
