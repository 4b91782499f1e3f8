//! What the client does with rows.

use super::expression::{constant, zero};
use super::fetch::{TypescriptFetch, write_values};
use super::layout::{TypescriptCode, TypescriptWriter, quote};
use super::scope::{TypescriptRow, TypescriptScope};
use crate::program::{
    AggregateKind, AttachedPart, DataType, Expression, ExpressionKind, Fetch, FoldKind, Query,
    QueryLimit, Record, RowReference, SortKey, Stage,
};

/// The stages of a query while they are written: the rows so far are `rows` with a number.
#[derive(Clone, Debug)]
pub(super) struct TypescriptStages<'a> {
    pub(super) query: &'a Query,
    pub(super) fetches: &'a [Option<&'a Fetch>],
    /// The current rows.
    pub(super) row: TypescriptRow,
    /// The rows after an aggregation.
    pub(super) aggregated: TypescriptRow,
    /// The columns that have their values.
    pub(super) known: Vec<String>,
    /// The number of the current rows.
    pub(super) number: usize,
}

impl TypescriptStages<'_> {
    /// The variable of the current rows.
    pub(super) fn rows(&self) -> String {
        format!("rows{}", self.number)
    }

    /// The variable of the rows before, and that of the next rows.
    fn advance(&mut self) -> (String, String) {
        let before = self.rows();
        self.number += 1;
        (before, self.rows())
    }

    /// A stage.
    pub(super) fn write(
        &mut self,
        writer: &mut TypescriptWriter,
        scope: &TypescriptScope<'_>,
        stage: &Stage,
    ) {
        let row = self.row.clone();
        let scope = &scope.with_row("row", &row);
        match stage {
            Stage::Filter(condition) => {
                let (before, next) = self.advance();
                let test = scope.condition(condition);
                writer.block(&format!("const {next} = {before}.filter((row) => {{"), "});", |it| {
                    it.code("return ", &test, ";");
                });
            }
            Stage::Attach { step, part } => self.write_attach(writer, scope, *step, part),
            Stage::DropStaticRow(column) => {
                let (before, next) = self.advance();
                let value = scope.current_column(column).to_line();
                writer.line(format!("const {next} = {before}.filter((row) => {value} !== null);"));
            }
            // There is one stream by now.
            Stage::Merge(_) => {}
            Stage::Sort(keys) => {
                let (before, next) = self.advance();
                self.write_order(writer, scope, keys);
                writer.line(format!("const {next} = h.sort({before}, order{});", self.number));
            }
            Stage::Limit => {
                let (before, next) = self.advance();
                let limit = if self.query.limit == QueryLimit::None { "null" } else { "limit" };
                writer.line(format!("const {next} = h.limitRows({before}, {limit});"));
            }
            Stage::Combine { group, folds } => self.write_combine(writer, scope, group, folds),
            Stage::Aggregate { group, record, values } => {
                self.write_aggregate(writer, scope, group, record, values);
            }
            Stage::Average { sum, count, output } => {
                let of = |name: &str| scope.current_column(name).to_line();
                let value = format!("h.average({}, {})", of(sum), of(count));
                self.write_change(writer, &[(output.clone(), value)]);
            }
            Stage::EmptySumIsNull { sum, count } => {
                let of = |name: &str| scope.current_column(name).to_line();
                let value = format!("h.isZero({}) ? null : {}", of(count), of(sum));
                self.write_change(writer, &[(sum.clone(), value)]);
            }
            Stage::DropEmptyGroups(count) => {
                let (before, next) = self.advance();
                let count = scope.current_column(count).to_line();
                writer
                    .line(format!("const {next} = {before}.filter((row) => !h.isZero({count}));"));
            }
            Stage::AbsentIsZero { given, zeros } => {
                let given =
                    given.iter().map(|(name, value)| (name.clone(), scope.expression(value)));
                self.write_made(writer, &given.collect::<Vec<_>>());
                self.write_fallback(writer);
                let zeros = zeros.iter().filter_map(|name| {
                    let (field, property) = self.row.find(name)?;
                    Some((name.clone(), format!("row.{property} ?? {}", zero(&field.ty))))
                });
                let zeros: Vec<_> = zeros.collect();
                self.write_change(writer, &zeros);
            }
            Stage::Exists(names) => {
                let value = TypescriptCode::text(format!("{}.length > 0", self.rows()));
                let given: Vec<_> = names.iter().map(|it| (it.clone(), value.clone())).collect();
                self.write_made(writer, &given);
                let made = format!("made{}", self.number);
                let (_, next) = self.advance();
                writer.line(format!("const {next} = [{made}];"));
            }
            Stage::RowOfZeros(names) => {
                let given = names.iter().filter_map(|name| {
                    let (field, _) = self.row.find(name)?;
                    Some((name.clone(), TypescriptCode::text(zero(&field.ty))))
                });
                let given: Vec<_> = given.collect();
                self.write_made(writer, &given);
                self.write_fallback(writer);
            }
        }
    }

    /// A row with these values and nulls, as `made` with the number of the current rows.
    fn write_made(&self, writer: &mut TypescriptWriter, given: &[(String, TypescriptCode)]) {
        let first = format!("const made{}: {} = {{", self.number, self.row.name);
        writer.block(&first, "};", |writer| {
            for (field, property) in &self.row.columns {
                let value = given.iter().find(|(name, _)| *name == field.name);
                let null = TypescriptCode::text("null");
                let value = value.map_or(&null, |(_, value)| value);
                writer.code(&format!("{property}: "), value, ",");
            }
        });
    }

    /// The rows, or the one that was made.
    fn write_fallback(&mut self, writer: &mut TypescriptWriter) {
        let made = format!("made{}", self.number);
        let (before, next) = self.advance();
        writer.line(format!("const {next} = h.orElse({before}, {made});"));
    }

    /// All rows with other values in some columns.
    fn write_change(&mut self, writer: &mut TypescriptWriter, values: &[(String, String)]) {
        let row = self.row.clone();
        let (before, next) = self.advance();
        let first = format!("const {next}: {}[] = {before}.map((row) => ({{", row.name);
        writer.block(&first, "}));", |writer| {
            writer.line("...row,");
            for (name, value) in values {
                if let Some(property) = row.property(name) {
                    writer.line(format!("{property}: {value},"));
                }
            }
        });
    }

    /// The keys of an order, as `order` with the number of the next rows.
    pub(super) fn write_order(
        &self,
        writer: &mut TypescriptWriter,
        scope: &TypescriptScope<'_>,
        keys: &[SortKey],
    ) {
        let key = |key: &SortKey| {
            let name = if key.descending { "h.descending" } else { "h.ascending" };
            let head = format!("(row: {})", self.row.name);
            let value = TypescriptCode::Arrow(head, Box::new(scope.expression(&key.value)));
            let mut arguments = vec![value, TypescriptCode::text(scope.types.codec(&key.value.ty))];
            arguments.extend(key.null_as.as_ref().map(|it| constant(it, &key.value.ty)));
            TypescriptCode::call(name, arguments)
        };
        let keys = TypescriptCode::Array(keys.iter().map(key).collect());
        writer.code(&format!("const order{} = ", self.number), &keys, ";");
    }

    /// The key of a group, as `key` with the number of the next rows.
    fn write_key(
        &self,
        writer: &mut TypescriptWriter,
        scope: &TypescriptScope<'_>,
        group: &[Expression],
    ) {
        let part = |value: &Expression| {
            let codec = TypescriptCode::text(scope.types.codec(&value.ty));
            TypescriptCode::call("h.keyOf", vec![codec, scope.expression(value)])
        };
        let body = TypescriptCode::call("h.joinKeys", group.iter().map(part).collect());
        let parameter =
            if group.is_empty() { String::new() } else { format!("row: {}", self.row.name) };
        let key = TypescriptCode::Arrow(format!("({parameter}): string"), Box::new(body));
        writer.code(&format!("const key{} = ", self.number), &key, ";");
    }

    fn write_combine(
        &mut self,
        writer: &mut TypescriptWriter,
        scope: &TypescriptScope<'_>,
        group: &[Expression],
        folds: &[(String, FoldKind)],
    ) {
        let row = self.row.clone();
        let (before, next) = self.advance();
        self.write_key(writer, scope, group);
        let key = format!("key{}", self.number);
        let other = if folds.is_empty() { "(one)" } else { "(one, other)" };
        let first = format!("const {next} = h.combineRows({before}, {key}, {other} => ({{");
        writer.block(&first, "}));", |writer| {
            writer.line("...one,");
            for (name, fold) in folds {
                let Some((field, property)) = row.find(name) else { continue };
                let function = match fold {
                    FoldKind::Sum => "h.addValues",
                    FoldKind::Least => "h.least",
                    FoldKind::Greatest => "h.greatest",
                };
                let codec = scope.types.codec(&field.ty);
                let arguments = [codec, format!("one.{property}"), format!("other.{property}")];
                let arguments = arguments.into_iter().map(TypescriptCode::text).collect();
                writer.code(
                    &format!("{property}: "),
                    &TypescriptCode::call(function, arguments),
                    ",",
                );
            }
        });
    }

    fn write_aggregate(
        &mut self,
        writer: &mut TypescriptWriter,
        scope: &TypescriptScope<'_>,
        group: &[Expression],
        record: &Record,
        values: &[AggregateKind],
    ) {
        let row = self.row.clone();
        let (before, next) = self.advance();
        let groups = format!("groups{}", self.number);
        if group.is_empty() {
            writer.line(format!("const {groups} = [{before}];"));
        } else {
            self.write_key(writer, scope, group);
            writer.line(format!("const {groups} = h.groupRows({before}, key{});", self.number));
        }
        let made = self.aggregated.clone();
        let first = format!("const {next}: {}[] = {groups}.map((group) => ({{", made.name);
        let position = writer.position();
        writer.indent_lines(|writer| {
            for (field, property) in &made.columns {
                let at = record.fields.iter().position(|other| other.name == field.name);
                let value = at.and_then(|at| values.get(at)).unwrap_or(&AggregateKind::Null);
                let value = aggregate(scope, &row.name, value, &field.ty);
                writer.code(&format!("{property}: "), &value, ",");
            }
        });
        let is_used = writer.has_word_since(position, "group");
        let first = if is_used { first } else { first.replace("(group)", "()") };
        writer.insert(position, &first);
        writer.line("}));");
        self.row = made;
        self.known = self.row.columns.iter().map(|(field, _)| field.name.clone()).collect();
    }

    fn write_attach(
        &mut self,
        writer: &mut TypescriptWriter,
        scope: &TypescriptScope<'_>,
        step: usize,
        part: &AttachedPart,
    ) {
        let Some(fetch) = self.fetches.get(step).copied().flatten() else { return };
        let row = self.row.clone();
        let (before, next) = self.advance();
        let scope = scope.with_repetitions(&fetch.repetitions);
        let lookup =
            TypescriptFetch { fetch, at: step, steps: self.fetches, limit: None, is_lookup: true };
        let first =
            format!("const attached{step} = await call.mapTurns({before}, async (row) => {{");
        let position = writer.position();
        writer.indent_lines(|writer| {
            write_lookup(writer, &scope, &lookup, part);
            self.write_joined(writer, &scope, &row, fetch, part);
        });
        writer.insert(position, &first);
        writer.line("});");
        let is_dropped = *part == AttachedPart::Columns && !fetch.optional;
        writer.line(if is_dropped {
            format!("const {next}: {}[] = h.present(attached{step});", row.name)
        } else {
            format!("const {next}: {}[] = attached{step};", row.name)
        });
        self.known.extend(fetch.statement.columns.iter().map(|field| field.name.clone()));
    }

    /// What a lookup adds to its row.
    fn write_joined(
        &self,
        writer: &mut TypescriptWriter,
        scope: &TypescriptScope<'_>,
        row: &TypescriptRow,
        fetch: &Fetch,
        part: &AttachedPart,
    ) {
        let columns = &fetch.statement.columns;
        let mut values: Vec<(String, String)> = Vec::new();
        match part {
            AttachedPart::Columns => {
                for field in columns.iter().filter(|field| !self.known.contains(&field.name)) {
                    values.push((field.name.clone(), scope.read_raw(field)));
                }
                let absent = if fetch.optional { "return row;" } else { "return null;" };
                writer.block("if (raw === null) {", "}", |writer| writer.line(absent));
            }
            AttachedPart::Counters(names) => {
                for field in columns {
                    let value = match zero(&field.ty) {
                        "null" => scope.read_raw(field),
                        zero => format!("{} ?? {zero}", scope.read_raw(field)),
                    };
                    values.push((field.name.clone(), value));
                }
                let zeros = |writer: &mut TypescriptWriter, skips: &dyn Fn(&String) -> bool| {
                    for name in names.iter().filter(|name| !skips(name)) {
                        if let Some((field, property)) = row.find(name) {
                            writer.line(format!("{property}: {},", zero(&field.ty)));
                        }
                    }
                };
                writer.block("if (raw === null) {", "}", |writer| {
                    writer.block("return {", "};", |writer| {
                        writer.line("...row,");
                        zeros(writer, &|name| self.known.contains(name));
                    });
                });
                let is_read = |name: &String| columns.iter().any(|field| field.name == *name);
                for name in names.iter().filter(|it| !self.known.contains(it) && !is_read(it)) {
                    let field = row.find(name).map(|(field, _)| zero(&field.ty));
                    values.push((name.clone(), field.unwrap_or("null").to_owned()));
                }
            }
            AttachedPart::Elements(names) => {
                for (name, field) in names.iter().filter_map(|name| Some((name, columns.first()?)))
                {
                    let codec = scope.types.codec(&field.ty);
                    let value = format!("h.elementsOf({codec}, found, {})", quote(&field.name));
                    values.push((name.clone(), value));
                }
            }
        }
        if values.is_empty() {
            writer.line("return row;");
            return;
        }
        writer.block("return {", "};", |writer| {
            writer.line("...row,");
            for (name, value) in &values {
                if let Some(property) = row.property(name) {
                    writer.line(format!("{property}: {value},"));
                }
            }
        });
    }
}

/// The rows that a lookup returns: `raw`, the first or null, or `found`, all.
fn write_lookup(
    writer: &mut TypescriptWriter,
    scope: &TypescriptScope<'_>,
    lookup: &TypescriptFetch<'_>,
    part: &AttachedPart,
) {
    let statement = scope.function.statement(&lookup.at.to_string());
    let is_all = matches!(part, AttachedPart::Elements(_));
    if lookup.is_single() {
        write_values(writer, scope, "key", &lookup.fetch.values);
        writer.line(if is_all {
            format!("const found = await call.select({statement}, key);")
        } else {
            format!("const raw = await call.selectFirst({statement}, key);")
        });
        return;
    }
    lookup.write_streams(writer, scope, "streams", &|writer| {
        write_values(writer, scope, "key", &lookup.fetch.values);
        writer.line(format!("const rows = await call.select({statement}, key);"));
        writer.line("return [rows];");
    });
    writer.line("const found = streams.flat();");
    if !is_all {
        writer.line("const raw = found[0] ?? null;");
    }
}

/// A column of a group.
fn aggregate(
    scope: &TypescriptScope<'_>,
    row: &str,
    value: &AggregateKind,
    ty: &DataType,
) -> TypescriptCode {
    let of = |value: &Expression| {
        TypescriptCode::Arrow(format!("(row: {row})"), Box::new(scope.expression(value)))
    };
    let codec = |value: &Expression| TypescriptCode::text(scope.types.codec(&value.ty));
    let group = || TypescriptCode::text("group");
    match value {
        AggregateKind::First(value) => TypescriptCode::call("h.firstOf", vec![of(value), group()]),
        AggregateKind::CountRows if zero(ty) == "0n" => {
            TypescriptCode::text("BigInt(group.length)")
        }
        AggregateKind::CountRows => TypescriptCode::text("group.length"),
        AggregateKind::Count(value) => TypescriptCode::call("h.countOf", vec![of(value), group()]),
        AggregateKind::Sum(value) => {
            TypescriptCode::call("h.sumOf", vec![of(value), codec(value), group()])
        }
        AggregateKind::Average(value) => {
            TypescriptCode::call("h.averageOf", vec![of(value), group()])
        }
        AggregateKind::Least(value) => {
            TypescriptCode::call("h.leastOf", vec![of(value), codec(value), group()])
        }
        AggregateKind::Greatest(value) => {
            TypescriptCode::call("h.greatestOf", vec![of(value), codec(value), group()])
        }
        AggregateKind::Null => TypescriptCode::text("null"),
    }
}

/// The rows after an aggregation: its record, and what later stages and the result use beside it.
pub(super) fn find_aggregated_row(query: &Query, name: String) -> TypescriptRow {
    let record = query.stages.iter().find_map(|stage| match stage {
        Stage::Aggregate { record, .. } => Some(record),
        _ => None,
    });
    let Some(record) = record else { return TypescriptRow::default() };
    let mut row = TypescriptRow::new(name, record);
    for output in &query.outputs {
        add_columns(&mut row, output);
    }
    for stage in &query.stages {
        match stage {
            Stage::Average { output, .. } => row.add(output, DataType::Double),
            Stage::RowOfZeros(names) => {
                for name in names {
                    row.add(name, DataType::Bigint);
                }
            }
            Stage::Exists(names) => names.iter().for_each(|name| row.add(name, DataType::Boolean)),
            _ => {}
        }
    }
    row
}

/// Adds the columns of the current row that an output is.
fn add_columns(row: &mut TypescriptRow, output: &Expression) {
    match &output.kind {
        ExpressionKind::Column { row: RowReference::Current, name } => {
            row.add(name, output.ty.clone());
        }
        ExpressionKind::Convert(part) => add_columns(row, part),
        _ => {}
    }
}
