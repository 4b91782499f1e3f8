//! What functions have in common: names, parameters, statements.

use super::GoPrinter;
use super::format::{GoLines, align_fields, follow, quote};
use super::names::{GoNameScope, join_words, to_private};
use super::scope::{GoColumn, GoParameter, GoRowType};
use crate::program::{ClientSupply, DataType, Field, Parameter, Statement};

/// With more parameters than these, a function takes a struct of them.
const POSITIONS_MAX: usize = 4;

/// The names of a function.
#[derive(Clone, Debug, Default)]
pub(super) struct GoFunction {
    /// Its method.
    pub(super) name: String,
    /// The method that takes the values too that the function makes.
    pub(super) with: Option<String>,
    /// The method that returns a page.
    pub(super) page: Option<String>,
    /// The struct of its rows, and the fields.
    pub(super) row: String,
    pub(super) fields: Vec<String>,
    /// Its parameters.
    pub(super) parameters: Vec<GoParameter>,
    /// The fields of the structs of parameters.
    pub(super) parameter_fields: Vec<String>,
    /// The struct of the parameters that callers give, and that of all.
    pub(super) given_type: String,
    pub(super) all_type: String,
    /// Which parameters the function makes.
    pub(super) supplies: Vec<Option<ClientSupply>>,
}

impl GoFunction {
    /// The prefix of private names.
    pub(super) fn private(&self) -> String {
        to_private(&self.name)
    }

    /// Whether it makes values.
    pub(super) fn has_supplies(&self) -> bool {
        self.supplies.iter().any(Option::is_some)
    }

    /// The positions of the parameters of the form with all values, or with those that callers give.
    pub(super) fn positions(&self, all: bool) -> Vec<usize> {
        (0..self.parameters.len())
            .filter(|at| all || self.supplies.get(*at).is_none_or(Option::is_none))
            .collect()
    }

    /// The struct of the parameters, where there is one.
    pub(super) fn struct_type(&self, all: bool) -> Option<&str> {
        let is_large = self.positions(all).len() > POSITIONS_MAX;
        is_large.then_some(if all { &self.all_type } else { &self.given_type })
    }

    /// The variables of the parameters, as arguments after others.
    pub(super) fn arguments(&self) -> String {
        follow(self.parameters.iter().map(|it| it.variable.clone()))
    }
}

impl GoPrinter<'_> {
    /// The parameters of a signature, each after a comma.
    pub(super) fn write_parameters(&self, function: &GoFunction, all: bool) -> String {
        if let Some(name) = function.struct_type(all) {
            return format!(", params {name}");
        }
        self.list_parameters(function, &function.positions(all))
    }

    /// All parameters one by one, each after a comma.
    pub(super) fn write_all_parameters(&self, function: &GoFunction) -> String {
        let positions: Vec<usize> = (0..function.parameters.len()).collect();
        self.list_parameters(function, &positions)
    }

    fn list_parameters(&self, function: &GoFunction, positions: &[usize]) -> String {
        let parameter = |at: &usize| {
            let parameter = function.parameters.get(*at)?;
            let ty = self.types.field(&parameter.ty, parameter.nullable);
            Some(format!(", {} {ty}", parameter.variable))
        };
        positions.iter().filter_map(parameter).collect()
    }

    /// The declarations of the structs of parameters.
    pub(super) fn declare_parameters(&self, function: &GoFunction) -> GoLines {
        let mut lines = GoLines::default();
        let forms = if function.has_supplies() { vec![false, true] } else { vec![false] };
        for all in forms {
            let Some(name) = function.struct_type(all) else { continue };
            let method = if all { function.with.as_ref() } else { Some(&function.name) };
            let fields: Vec<_> = function
                .positions(all)
                .into_iter()
                .filter_map(|at| {
                    let parameter = function.parameters.get(at)?;
                    let ty = self.types.field(&parameter.ty, parameter.nullable);
                    Some((function.parameter_fields.get(at)?.clone(), ty, String::new()))
                })
                .collect();
            let method = method.map(String::as_str).unwrap_or_default();
            lines.add("").add(format!("// {name} are the parameters of [Access.{method}]."));
            lines.block(format!("type {name} struct {{"), align_fields(&fields), "}");
        }
        lines
    }

    /// The declaration of the struct of a step's rows. `scanned` are the columns of the statement.
    pub(super) fn declare_row(
        &self,
        row: &GoRowType,
        scanned: &[Field],
        parents: &[String],
    ) -> GoLines {
        let mut fields: Vec<_> = row
            .columns
            .iter()
            .map(|column| {
                let ty = match column.ty {
                    DataType::Tuple(_) => self.types.plain(&column.ty),
                    _ => self.types.nullable(&column.ty),
                };
                (column.field.clone(), ty, String::new())
            })
            .collect();
        for (at, parent) in parents.iter().enumerate() {
            fields.push((format!("parent{at}"), format!("*{parent}"), String::new()));
        }
        let mut lines = GoLines::default();
        lines.add("");
        if fields.is_empty() {
            lines.add(format!("type {} struct{{}}", row.name));
        } else {
            lines.block(format!("type {} struct {{", row.name), align_fields(&fields), "}");
        }
        if scanned.is_empty() {
            return lines;
        }
        let columns: Vec<(String, &DataType)> = scanned
            .iter()
            .filter_map(|field| Some((row.column(&field.name)?.field.clone(), &field.ty)))
            .collect();
        lines.append(declare_columns(&row.name, &columns));
        lines
    }
}

/// The text of a statement in which the markers of tuples are markers of their parts: the driver
/// cannot bind a tuple as a whole.
fn expand_tuples(statement: &Statement) -> String {
    let mut text = String::new();
    let mut markers = statement.markers.iter();
    let mut quote = None;
    for character in statement.cql.chars() {
        match (character, quote) {
            ('\'' | '"', None) => quote = Some(character),
            (_, Some(open)) if open == character => quote = None,
            ('?', None) => {
                let ty = markers.next().map(|marker| &marker.ty);
                text.push_str(&ty.map_or_else(|| "?".to_owned(), write_marker));
                continue;
            }
            _ => {}
        }
        text.push(character);
    }
    text
}

fn write_marker(ty: &DataType) -> String {
    match ty {
        DataType::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(write_marker).collect();
            format!("({})", parts.join(", "))
        }
        _ => "?".to_owned(),
    }
}

/// The struct of rows with these columns.
pub(super) fn name_row(name: String, columns: &[Field], parents: Vec<usize>) -> GoRowType {
    let mut scope = GoNameScope::local(["columns".to_owned()]);
    let mut named: Vec<GoColumn> = Vec::new();
    for field in columns {
        if named.iter().all(|column| column.column != field.name) {
            named.push(GoColumn {
                column: field.name.clone(),
                field: scope.add("column", &field.name),
                ty: field.ty.clone(),
            });
        }
    }
    GoRowType { name, columns: named, parents }
}

/// Names the parameters of a function.
pub(super) fn name_parameters(
    of: &str,
    parameters: &[Parameter],
    function: &mut GoFunction,
    scope: &mut GoNameScope,
) {
    let mut fields =
        GoNameScope::to_exported([]).keep_exact(parameters.iter().map(|parameter| &parameter.name));
    for parameter in parameters {
        function.parameters.push(GoParameter {
            variable: scope.add(&format!("parameter of {of}:"), &parameter.name),
            ty: parameter.ty.clone(),
            nullable: parameter.nullable,
        });
        function.parameter_fields.push(fields.add("parameter", &parameter.name));
        let supply = parameter.supply.filter(|it| *it != ClientSupply::Caller);
        function.supplies.push(supply);
    }
}

fn supply_value(supply: ClientSupply, ty: &DataType) -> String {
    let ClientSupply::Now { months, days, millis } = supply else {
        return match ty {
            DataType::Timeuuid => "gocql.UUIDFromTime(a.exactNow())".to_owned(),
            DataType::Text | DataType::Ascii => "newUUID().String()".to_owned(),
            _ => "newUUID()".to_owned(),
        };
    };
    let moment = if months == 0 && days == 0 && millis == 0 {
        "moment".to_owned()
    } else {
        format!("shiftTime(moment, {months}, {days}, {millis})")
    };
    match ty {
        DataType::Date => format!("startOfDay({moment})"),
        DataType::Time => format!("timeOfDay({moment})"),
        DataType::Timeuuid | DataType::Uuid => format!("gocql.UUIDFromTime({moment})"),
        DataType::Bigint => format!("{moment}.UnixMilli()"),
        _ => format!("{moment}.Truncate(time.Millisecond)"),
    }
}

/// A consistency level of CQL as the driver names it.
fn name_consistency(level: &str) -> String {
    let name = join_words(&level.to_lowercase(), true);
    let known = [
        "Any",
        "One",
        "Two",
        "Three",
        "Quorum",
        "All",
        "LocalQuorum",
        "EachQuorum",
        "LocalOne",
        "Serial",
        "LocalSerial",
    ];
    if known.contains(&name.as_str()) { name } else { "LocalQuorum".to_owned() }
}

/// Makes variables of the fields of the struct of parameters.
pub(super) fn unpack_parameters(function: &GoFunction, all: bool) -> GoLines {
    let mut lines = GoLines::default();
    if function.struct_type(all).is_none() {
        return lines;
    }
    for at in function.positions(all) {
        let parameter = function.parameters.get(at);
        let field = function.parameter_fields.get(at);
        if let (Some(parameter), Some(field)) = (parameter, field) {
            lines.add(format!("{} := params.{field}", parameter.variable));
        }
    }
    lines
}

/// Checks the parameters that must not be nil. `none` are the results before the error.
pub(super) fn check_parameters(function: &GoFunction, none: &str) -> GoLines {
    let mut lines = GoLines::default();
    for parameter in &function.parameters {
        let has_nil = matches!(
            parameter.ty,
            DataType::Decimal | DataType::Varint | DataType::Inet | DataType::Blob
        ) || matches!(parameter.ty, DataType::Vector(..));
        if has_nil && !parameter.nullable {
            let name = &parameter.variable;
            lines.add(format!(
                "if err := c.requireValue({name} == nil, {}); err != nil {{",
                quote(name)
            ));
            lines.add(format!("return {none}err")).add("}");
        }
    }
    lines
}

/// Makes the values that the function supplies itself.
pub(super) fn supply_parameters(function: &GoFunction) -> GoLines {
    let mut lines = GoLines::default();
    for (parameter, supply) in function.parameters.iter().zip(&function.supplies) {
        let Some(supply) = supply else { continue };
        let text = supply_value(*supply, &parameter.ty);
        let text = if parameter.nullable { format!("ptr({text})") } else { text };
        lines.add(format!("{} := {text}", parameter.variable));
    }
    if lines.has_use("moment") {
        let mut all = GoLines::default();
        all.add("moment := a.exactNow()").append(lines);
        return all;
    }
    lines
}

/// The declaration of the variable of a statement.
pub(super) fn declare_statement(variable: &str, statement: &Statement) -> GoLines {
    let mut lines = GoLines::default();
    lines.add("").add(format!("var {variable} = &statement{{"));
    lines.add(format!("table:       {},", quote(&statement.table)));
    lines.add(format!("cql:         {},", quote(&expand_tuples(statement))));
    lines.add(format!("consistency: gocql.{},", name_consistency(&statement.consistency)));
    if statement.idempotent {
        lines.add("idempotent:  true,");
    }
    lines.add("}");
    lines
}

/// The method of a row that returns the places of its columns.
pub(super) fn declare_columns(name: &str, columns: &[(String, &DataType)]) -> GoLines {
    let places: Vec<String> = columns
        .iter()
        .flat_map(|(field, ty)| match ty {
            _ if field.is_empty() => vec!["nil".to_owned()],
            DataType::Blob => vec![format!("blobColumn{{&r.{field}}}")],
            DataType::Tuple(parts) => {
                (0..parts.len()).map(|at| format!("&r.{field}.Part{at}")).collect()
            }
            _ => vec![format!("&r.{field}")],
        })
        .collect();
    let mut lines = GoLines::default();
    lines.add("").add(format!("func (r *{name}) columns() []any {{"));
    lines.add(format!("return []any{{{}}}", places.join(", "))).add("}");
    lines
}

/// A call of the form that takes all values.
pub(super) fn call_full(function: &GoFunction, call: &str) -> GoLines {
    let mut lines = GoLines::default();
    let Some(name) = function.struct_type(true) else {
        lines.add(format!("{call}(ctx{})", function.arguments()));
        return lines;
    };
    let fields: Vec<String> = function
        .parameters
        .iter()
        .zip(&function.parameter_fields)
        .map(|(parameter, field)| format!("{field}: {}", parameter.variable))
        .collect();
    lines.add(format!("{call}(ctx, {name}{{{}}})", fields.join(", ")));
    lines
}
