//! The structs of rows, parameters, user types and tuples.

use super::GoPrinter;
use super::format::{GoLines, align_fields};
use super::function::GoFunction;
use super::names::GoNameScope;
use crate::program::{ApplicationResult, Record};

impl GoPrinter<'_> {
    /// The declarations of `rows.go`.
    pub(super) fn write_rows(&self) -> String {
        let mut lines = GoLines::default();
        for user in &self.program.user_types {
            lines.append(self.declare_user_type(user));
        }
        lines.append(self.declare_tuples());
        for (query, function) in self.program.queries.iter().zip(&self.queries) {
            lines.append(self.declare_result(&query.result, function));
            lines.append(self.declare_parameters(function));
        }
        for (command, function) in self.program.commands.iter().zip(&self.commands) {
            if let ApplicationResult::Rows(record, _) = &command.result {
                lines.append(self.declare_result(record, function));
            }
            if !command.derived {
                lines.append(self.declare_parameters(function));
            }
        }
        lines.finish()
    }

    fn declare_result(&self, record: &Record, function: &GoFunction) -> GoLines {
        let mut lines = GoLines::default();
        if function.row.is_empty() {
            return lines;
        }
        let fields: Vec<_> = record
            .fields
            .iter()
            .zip(&function.fields)
            .map(|(field, name)| {
                (name.clone(), self.types.field(&field.ty, field.nullable), String::new())
            })
            .collect();
        let (name, method) = (&function.row, &function.name);
        lines.add("").add(format!("// {name} is a row of [Access.{method}]."));
        lines.block(format!("type {name} struct {{"), align_fields(&fields), "}");
        lines
    }

    fn declare_user_type(&self, user: &Record) -> GoLines {
        let mut names = GoNameScope::to_exported(Vec::new())
            .keep_exact(user.fields.iter().map(|field| &field.name));
        let fields: Vec<_> = user
            .fields
            .iter()
            .map(|field| {
                let tag = format!("`cql:\"{}\"`", field.name);
                (names.add("field", &field.name), self.types.nullable(&field.ty), tag)
            })
            .collect();
        let name = self.types.plain(&crate::program::DataType::User(user.name.clone()));
        let mut lines = GoLines::default();
        lines.add("").add(format!("// {name} is the type {} of CQL.", user.name));
        lines.block(format!("type {name} struct {{"), align_fields(&fields), "}");
        lines
    }

    fn declare_tuples(&self) -> GoLines {
        let mut lines = GoLines::default();
        for (parts, name) in self.types.tuples() {
            let fields: Vec<_> = parts
                .iter()
                .enumerate()
                .map(|(at, ty)| (format!("Part{at}"), self.types.nullable(ty), String::new()))
                .collect();
            lines.add("").add(format!("// {name} is a tuple."));
            lines.block(format!("type {name} struct {{"), align_fields(&fields), "}");
            if !self.is_tuple_scan(parts) {
                continue;
            }
            let empty: Vec<String> =
                (0..parts.len()).map(|at| format!("t.Part{at} == nil")).collect();
            lines.add("").comment("orNil is nil where all parts are null.");
            lines.add(format!("func (t *{name}) orNil() *{name} {{"));
            lines.add(format!("if {} {{", empty.join(" && "))).add("return nil").add("}");
            lines.add("return t").add("}");
        }
        lines
    }

    /// Whether some statement returns a column of a tuple.
    fn is_tuple_scan(&self, parts: &[crate::program::DataType]) -> bool {
        let wanted = crate::program::DataType::Tuple(parts.to_vec());
        let of_queries = self.program.queries.iter().flat_map(|query| {
            query.row.fields.iter().chain(query.steps.iter().flat_map(|it| &it.statement.columns))
        });
        let of_commands = self.program.commands.iter().flat_map(|command| &command.steps);
        let of_commands = of_commands.filter_map(|step| match step {
            crate::program::CommandStep::Read(fetch) => Some(&fetch.statement.columns),
            _ => None,
        });
        of_queries.chain(of_commands.flatten()).any(|field| field.ty == wanted)
    }
}
