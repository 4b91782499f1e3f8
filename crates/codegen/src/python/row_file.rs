//! The file of row classes.

use crate::program::{ApplicationResult, Field, Record};

use super::PythonPrinter;
use super::code::{PythonExpression as Code, PythonWriter, can_fit, quote};
use super::names::PythonNames;
use super::types;

impl PythonPrinter<'_> {
    /// `rows.py`
    pub(super) fn print_rows(&self) -> String {
        let names = self.names.to_row_scope();
        let records = self.list_records();
        let fields = records.iter().flat_map(|(_, record, _)| &record.fields);
        let fields = fields.chain(self.program.user_types.iter().flat_map(|it| &it.fields));
        let imports = types::list_imports(fields.map(|field| &field.ty));
        let mut writer = PythonWriter::new(0);
        writer.docstring(&["The rows that functions return, and user types.".to_owned()]);
        writer.blank().line("from __future__ import annotations").blank();
        if !records.is_empty() || !self.program.user_types.is_empty() {
            writer.line("from dataclasses import dataclass");
        }
        let has_types = !self.program.user_types.is_empty();
        for line in imports.lines_with(has_types.then_some("from typing import Any")) {
            writer.line(line);
        }
        if has_types {
            writer.blank().line("from . import support");
        } else if !records.is_empty() {
            writer.blank();
        }
        let mut own = imports.own_names();
        own.push("Record");
        own.sort_unstable();
        if !records.is_empty() || !self.program.user_types.is_empty() {
            writer.line(format!("from .support import {}", own.join(", ")));
        }
        for record in &self.program.user_types {
            let (fields, _) = PythonNames::fields(record);
            let class = names.user_type(&record.name);
            let text = format!("The user type `{}`.", record.name);
            write_class(&mut writer, &names, class, (record, &fields), (&text, true));
            self.write_user_type(&mut writer, &names, record, &fields);
        }
        for (class, record, fields) in &records {
            let text = format!("A row of `{}`.", record.name);
            write_class(&mut writer, &names, class, (record, fields), (&text, false));
        }
        format!("{}\n{}", self.header("#"), writer.finish())
    }

    /// The records of results: their classes and fields.
    fn list_records(&self) -> Vec<(String, &Record, Vec<String>)> {
        let queries = self.program.queries.iter().enumerate().map(|(at, query)| {
            let names = self.names.query(at);
            (names.record, &query.result, names.fields)
        });
        let commands = self.program.commands.iter().enumerate();
        let commands = commands.filter(|(_, command)| !command.derived);
        let commands = commands.filter_map(|(at, command)| {
            let ApplicationResult::Rows(record, _) = &command.result else { return None };
            let names = self.names.command(at);
            Some((names.record, record, names.fields))
        });
        queries.chain(commands).collect()
    }

    /// The conversions of a user type.
    fn write_user_type(
        &self,
        writer: &mut PythonWriter,
        names: &PythonNames,
        record: &Record,
        fields: &[String],
    ) {
        let class = names.user_type(&record.name);
        let convert = |function: Option<String>, value: String| match function {
            Some(function) => Code::convert(&function, Code::Atom(value)),
            None => Code::Atom(value),
        };
        let values = record.fields.iter().zip(fields).map(|(field, name)| {
            convert(types::encoder(names, &field.ty), format!("value.{name}"))
        });
        let values = values.collect();
        let parameters = [format!("value: {class} | None")];
        let head = format!("def encode_{class}");
        writer.function(&head, &parameters, "tuple[Any, ...] | None", |body| {
            body.docstring(&["The value as the driver binds it.".to_owned()]);
            body.block("if value is None:", |body| _ = body.line("return None"));
            body.statement("return ", Code::Tuple(values));
        });
        let values = record.fields.iter().enumerate().map(|(at, field)| {
            let value = format!("support.part(value, {at})");
            convert(types::decoder(names, &field.ty, true), value)
        });
        let values = values.collect();
        writer.function(
            &format!("def decode_{class}"),
            &["value: Any".to_owned()],
            "Any",
            |body| {
                body.docstring(&["The value that the driver returned.".to_owned()]);
                body.block("if value is None:", |body| _ = body.line("return None"));
                body.statement("return ", Code::Call(class.to_owned(), values));
            },
        );
        let parts = record.fields.iter().map(|field| {
            let ty = Code::parse(&types::driver_type(names, &field.ty));
            Code::Tuple(vec![quote(&field.name).into(), ty])
        });
        let parts = vec![
            quote(&self.program.keyspace).into(),
            quote(&record.name).into(),
            Code::Tuple(parts.collect()),
        ];
        writer.statement(&format!("type_{class} = "), Code::support("user_type", parts));
    }
}

fn write_class(
    writer: &mut PythonWriter,
    names: &PythonNames,
    class: &str,
    (record, fields): (&Record, &[String]),
    (text, is_hashable): (&str, bool),
) {
    let head = format!("class {class}(Record):");
    let head = if can_fit(&head) { head } else { format!("class {class}(\n    Record\n):") };
    let head = format!("@dataclass(frozen=True)\n{head}");
    writer.definition(&head, |body| {
        body.docstring(&[text.to_owned()]);
        body.blank();
        let mut sorted: Vec<&String> = fields.iter().collect();
        sorted.sort_by_key(|name| natural_key(name));
        let slots = sorted.into_iter().map(|name| Code::Atom(quote(name))).collect();
        body.statement("__slots__ = ", Code::Tuple(slots));
        if !fields.is_empty() {
            body.blank();
        }
        for (field, name) in record.fields.iter().zip(fields) {
            body.line(format!("{name}: {}", annotate(names, field, is_hashable)));
        }
    });
}

/// The annotation of a field.
fn annotate(names: &PythonNames, field: &Field, is_hashable: bool) -> String {
    let ty = types::annotate(names, &field.ty, is_hashable);
    if field.nullable { format!("{ty} | None") } else { ty }
}

/// A key by which the numbers in names are sorted as numbers, as the linter wants it.
fn natural_key(name: &str) -> Vec<(String, u64)> {
    let mut parts: Vec<(String, String)> = vec![(String::new(), String::new())];
    for character in name.chars() {
        let is_digit = character.is_ascii_digit();
        if !is_digit && parts.last().is_some_and(|(_, digits)| !digits.is_empty()) {
            parts.push((String::new(), String::new()));
        }
        if let Some((text, digits)) = parts.last_mut() {
            if is_digit { digits.push(character) } else { text.push(character) }
        }
    }
    parts.into_iter().map(|(text, digits)| (text, digits.parse().unwrap_or(0))).collect()
}
