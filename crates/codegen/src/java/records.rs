//! The records of rows and user types, and the codecs of composed types.

use super::comments::{escape, print_comment};
use super::context::JavaContext;
use super::expressions::{JavaCurrent, JavaScope};
use super::names::list_fields;
use super::queries::is_simple;
use super::types::driver_type;
use crate::code_writer::CodeWriter;
use crate::program::{ApplicationResult, Command, DataType, Query, Record};

/// The record of the rows of a query.
pub(super) fn print_query_record(context: &JavaContext<'_>, query: &Query, class: &str) -> String {
    let sentence = format!("A row of the query {{@code {}}}.", query.name);
    print_record(context, &query.result, class, &sentence, &mut |out| {
        let Some(step) = query.steps.first().filter(|_| is_simple(query)) else { return };
        let scope = JavaScope {
            context,
            parameters: &[],
            steps: &[],
            repetitions: &[],
            current: JavaCurrent::Driver(&step.statement.columns),
        };
        out.block(format!("static {class} read(Row row) {{"), "}", |out| {
            let values = query.outputs.iter().zip(&query.result.fields);
            let values = values.map(|(output, it)| context.component(&scope.print(output), it));
            let values = values.collect::<Vec<_>>().join(",\n        ");
            out.line(format!("return new {class}("));
            out.line(format!("        {values});"));
        });
    })
}

/// The record of the rows that a write returns.
pub(super) fn print_command_record(
    context: &JavaContext<'_>,
    command: &Command,
    class: &str,
) -> Option<String> {
    let ApplicationResult::Rows(record, _) = &command.result else { return None };
    let sentence = format!("A row that the write {{@code {}}} returns.", command.name);
    Some(print_record(context, record, class, &sentence, &mut |_| {}))
}

/// The record of a user type.
pub(super) fn print_user_type(context: &JavaContext<'_>, record: &Record, class: &str) -> String {
    let sentence = format!("The user type {{@code {}}}; all fields may be null.", record.name);
    print_record(context, record, class, &sentence, &mut |_| {})
}

fn print_record(
    context: &JavaContext<'_>,
    record: &Record,
    class: &str,
    sentence: &str,
    body: &mut dyn FnMut(&mut CodeWriter),
) -> String {
    let (names, renamings) = list_fields(record);
    context.renamings.borrow_mut().extend(renamings);
    let fields = || record.fields.iter().zip(&names);
    let tags: Vec<_> = fields()
        .map(|(field, name)| {
            let nullable = if field.nullable { "; may be null" } else { "" };
            format!("@param {name} {}{nullable}", escape(&field.ty.to_string()))
        })
        .collect();
    let declared: Vec<_> = fields()
        .map(|(field, name)| format!("{} {name}", context.to_declared(&field.ty, field.nullable)))
        .collect();
    let mut out = CodeWriter::new("    ");
    print_comment(&mut out, sentence, &[], &tags);
    let declared = declared.join(",\n        ");
    let mut inner = CodeWriter::new("    ");
    body(&mut inner);
    let inner = inner.finish();
    if inner.is_empty() {
        out.line(format!("public record {class}(\n        {declared}) {{}}"));
    } else {
        out.block(format!("public record {class}(\n        {declared}) {{"), "}", |out| {
            out.line(inner.trim_end());
        });
    }
    out.finish()
}

/// The codecs of composed types; `None` where there are none. They are public: a user type in a tuple
/// is read and set with its codec.
pub(super) fn print_codecs(context: &JavaContext<'_>) -> Option<String> {
    let order = context.codecs.borrow().order.clone();
    if order.is_empty() {
        return None;
    }
    let mut out = CodeWriter::new("    ");
    out.line(
        "/** The codecs of collections, tuples and user types, also for user types in tuples. */",
    );
    out.block("public final class Codecs {", "}", |out| {
        for ty in &order {
            let Some(value) = print_codec(context, ty) else { continue };
            let name = context.codec(ty);
            let name = name.trim_start_matches("Codecs.");
            let class = context.to_boxed(ty);
            out.line(format!("public static final TypeCodec<{class}> {name} = {value};")).blank();
        }
        out.line("private Codecs() {}");
    });
    Some(out.finish())
}

fn print_codec(context: &JavaContext<'_>, ty: &DataType) -> Option<String> {
    let of = |part: &DataType| context.codec(part);
    Some(match ty {
        DataType::List(element) => format!("TypeCodecs.listOf({})", of(element)),
        DataType::Set(element) => format!("TypeCodecs.setOf({})", of(element)),
        DataType::Map(key, value) => {
            format!("TypeCodecs.mapOf({}, {})", of(key), of(value))
        }
        DataType::Vector(element, dimension) => {
            format!("TypeCodecs.vectorOf({dimension}, {})", of(element))
        }
        DataType::Tuple(_) => format!("TypeCodecs.tupleOf({})", driver_type(ty)),
        DataType::User(name) => return print_user_codec(context, name),
        _ => return None,
    })
}

fn print_user_codec(context: &JavaContext<'_>, name: &str) -> Option<String> {
    let record = context.program.user_types.iter().find(|it| it.name == *name)?;
    let class = context.user_type(name);
    let (names, _) = list_fields(record);
    let codecs: Vec<_> = record.fields.iter().map(|field| context.codec(&field.ty)).collect();
    let split: Vec<_> = names.iter().map(|name| format!("value.{name}()")).collect();
    let join =
        record.fields.iter().enumerate().map(|(at, field)| {
            format!("Values.<{}>cast(values[{at}])", context.to_boxed(&field.ty))
        });
    let join: Vec<_> = join.collect();
    Some(format!(
        "new Values.UserTypeCodec<>({class}.class, {codecs}) {{
    @Override
    Object[] split({class} value) {{
        return new Object[] {{{split}}};
    }}

    @Override
    {class} join(Object... values) {{
        return new {class}({join});
    }}
}}",
        codecs = codecs.join(", "),
        split = split.join(", "),
        join = join.join(", "),
    ))
}
