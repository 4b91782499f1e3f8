//! The program that runs the operations of a proof.

use super::GoPrinter;
use super::format::{GoLines, follow, quote, write_imports};
use super::function::GoFunction;
use crate::language::GeneratedFile;
use crate::program::{ApplicationResult, Cardinality, DataType, Field};

const DRIVER: &str = include_str!("../../templates/go/proof_driver.go");

impl GoPrinter<'_> {
    /// `cmd/proofdriver/main.go`
    pub(super) fn write_proof_driver(&self) -> GeneratedFile {
        let mut lines = GoLines::default();
        lines.add("").comment("call calls the function of a name in the model.");
        lines.add(
            "func (s *proofServer) call(ctx context.Context, name string, args []*string, from *page) reply {",
        );
        lines.add("switch name {");
        for (query, function) in self.program.queries.iter().zip(&self.queries) {
            lines.add(format!("case {}:", quote(&query.name)));
            if let Some(page) = &function.page {
                let call = self.write_page_call(page, function, &query.result.fields);
                lines.block("if from != nil {", call, "}");
            }
            lines.append(self.write_call(function, &query.result.fields, Some(query.cardinality)));
            lines.add("return readAnswer(answers, err)");
        }
        for (command, function) in self.program.commands.iter().zip(&self.commands) {
            if command.derived {
                continue;
            }
            lines.add(format!("case {}:", quote(&command.name)));
            lines.append(match &command.result {
                ApplicationResult::Nothing => self.write_plain_call(function, "err := "),
                ApplicationResult::Applied => self.write_plain_call(function, "_, err := "),
                ApplicationResult::Rows(record, cardinality) => {
                    self.write_call(function, &record.fields, Some(*cardinality))
                }
            });
            let has_rows = matches!(command.result, ApplicationResult::Rows(..));
            let answers = if has_rows { "answers" } else { "[][]*string{}" };
            lines.add(format!("return s.writeAnswer({answers}, err)"));
        }
        lines.add("}");
        lines
            .add("return failure(\"request\", \"there is no function \"+name, name, \"\")")
            .add("}");
        let mut code = DRIVER.to_owned();
        code.push_str(&lines.finish());
        // Only what the code of this program uses may be there.
        for (name, marker) in [("vectorOf", "func vectorOf("), ("composed", "func composed(")] {
            if !lines.has_use(name) {
                code = remove_function(&code, marker);
            }
        }
        let own = format!("access \"{}\"", self.package);
        let imports = write_imports(&code, &[own]);
        let text = format!(
            "{}\n\n// Command proofdriver runs the operations of a proof.\npackage main\n\n{imports}{code}",
            self.header("//")
        );
        GeneratedFile { path: "cmd/proofdriver/main.go".to_owned(), text }
    }

    /// The arguments of a call, each after a comma.
    fn write_call_arguments(&self, function: &GoFunction) -> String {
        let argument = |(at, parameter): (usize, &super::scope::GoParameter)| {
            let ty =
                qualify(&self.types.field(&parameter.ty, parameter.nullable), &self.list_own());
            let of = self.write_type(&parameter.ty);
            format!("argument[{ty}]({of}, {}, args, {at})", parameter.nullable)
        };
        let values: Vec<String> = function.parameters.iter().enumerate().map(argument).collect();
        match function.struct_type(true) {
            None => follow(values),
            Some(name) => {
                let fields: Vec<String> = function
                    .parameter_fields
                    .iter()
                    .zip(&values)
                    .map(|(field, value)| format!("{field}: {value}"))
                    .collect();
                format!(", access.{name}{{{}}}", fields.join(", "))
            }
        }
    }

    fn write_plain_call(&self, function: &GoFunction, result: &str) -> GoLines {
        let mut lines = GoLines::default();
        let name = function.with.as_ref().unwrap_or(&function.name);
        lines.add(format!("{result}s.access.{name}(ctx{})", self.write_call_arguments(function)));
        lines
    }

    /// A call of the form that returns pages.
    fn write_page_call(&self, page: &str, function: &GoFunction, fields: &[Field]) -> GoLines {
        let mut lines = GoLines::default();
        let arguments = self.write_call_arguments(function);
        let call = format!("s.access.{page}(ctx{arguments}, from.Size, from.position())");
        lines.add(format!("rows, next, err := {call}"));
        lines.append(self.write_answers(function, fields, true));
        lines.add("return pageAnswer(answers, next, err)");
        lines
    }

    fn write_call(
        &self,
        function: &GoFunction,
        fields: &[Field],
        cardinality: Option<Cardinality>,
    ) -> GoLines {
        let is_many = cardinality == Some(Cardinality::Many);
        let mut lines =
            self.write_plain_call(function, if is_many { "rows, err := " } else { "row, err := " });
        lines.append(self.write_answers(function, fields, is_many));
        lines
    }

    /// The values of rows, or of a row.
    fn write_answers(&self, function: &GoFunction, fields: &[Field], is_many: bool) -> GoLines {
        let values: Vec<String> = fields
            .iter()
            .zip(&function.fields)
            .map(|(field, name)| format!("encode({}, row.{name})", self.write_type(&field.ty)))
            .collect();
        let mut lines = GoLines::default();
        lines.add("answers := [][]*string{}");
        lines.add(if is_many { "for _, row := range rows {" } else { "if row != nil {" });
        lines.add(format!("answers = append(answers, []*string{{{}}})", values.join(", ")));
        lines.add("}");
        lines
    }

    /// The names of the types of the package.
    fn list_own(&self) -> Vec<String> {
        let users = self.program.user_types.iter();
        let users = users.map(|user| self.types.plain(&DataType::User(user.name.clone())));
        users.chain(self.types.tuples().map(|(_, name)| name.to_owned())).collect()
    }

    /// A type as the driver's codecs know it.
    fn write_type(&self, ty: &DataType) -> String {
        let native = |name: &str| format!("native(gocql.Type{name})");
        match ty {
            DataType::Ascii => native("Ascii"),
            DataType::Bigint | DataType::Counter => native("BigInt"),
            DataType::Blob => native("Blob"),
            DataType::Boolean => native("Boolean"),
            DataType::Date => native("Date"),
            DataType::Decimal => native("Decimal"),
            DataType::Double => native("Double"),
            DataType::Duration => native("Duration"),
            DataType::Float => native("Float"),
            DataType::Inet => native("Inet"),
            DataType::Int => native("Int"),
            DataType::Smallint => native("SmallInt"),
            DataType::Text => native("Varchar"),
            DataType::Time => native("Time"),
            DataType::Timestamp => native("Timestamp"),
            DataType::Timeuuid => native("TimeUUID"),
            DataType::Tinyint => native("TinyInt"),
            DataType::Uuid => native("UUID"),
            DataType::Varint => native("Varint"),
            DataType::List(element) => {
                format!("composed(gocql.TypeList, {})", self.write_type(element))
            }
            DataType::Set(element) => {
                format!("composed(gocql.TypeSet, {})", self.write_type(element))
            }
            DataType::Map(key, value) => {
                format!(
                    "composed(gocql.TypeMap, {}, {})",
                    self.write_type(key),
                    self.write_type(value)
                )
            }
            DataType::Vector(element, size) => {
                format!("vectorOf({size}, {})", self.write_type(element))
            }
            DataType::Tuple(parts) => {
                let parts = follow(parts.iter().map(|part| self.write_type(part)));
                format!("composed(gocql.TypeTuple{parts})")
            }
            DataType::User(name) => {
                let user = self.program.user_types.iter().find(|user| user.name == *name);
                let fields = user.into_iter().flat_map(|user| &user.fields);
                let fields = follow(fields.map(|field| self.write_type(&field.ty)));
                format!("composed(gocql.TypeUDT{fields})")
            }
        }
    }
}

/// A type outside of the package.
fn qualify(ty: &str, own: &[String]) -> String {
    let mut text = String::new();
    let mut word = String::new();
    for character in ty.chars().chain([' ']) {
        if character.is_alphanumeric() || character == '_' {
            word.push(character);
            continue;
        }
        if own.contains(&word) {
            text.push_str("access.");
        }
        text.push_str(&word);
        word.clear();
        text.push(character);
    }
    text.trim_end().to_owned()
}

fn remove_function(code: &str, marker: &str) -> String {
    let Some(start) = code.find(marker) else { return code.to_owned() };
    let end = code.get(start..).and_then(|rest| rest.find("\n}\n\n")).map(|at| start + at + 4);
    let before = code.get(..start).unwrap_or_default();
    let after = end.and_then(|end| code.get(end..)).unwrap_or_default();
    format!("{before}{after}")
}
