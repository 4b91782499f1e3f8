//! What the client does with the rows of a query: a method for each stage.

use std::collections::BTreeMap;

use super::expressions::{JavaCurrent, JavaScope};
use super::types;
use crate::code_writer::CodeWriter;
use crate::program::{
    AggregateKind, AttachedPart, DataType, Expression, FoldKind, Record, SortKey, Stage,
};

/// The printer of the stages of a query.
#[derive(Clone, Copy)]
pub(super) struct JavaStagePrinter<'a> {
    /// The scope, with the fields of the current row.
    pub(super) scope: JavaScope<'a>,
    /// The position of the stage.
    pub(super) at: usize,
    /// The class of the current row.
    pub(super) class: &'a str,
    /// The current row.
    pub(super) record: &'a Record,
    /// The names of its fields.
    pub(super) fields: &'a BTreeMap<String, String>,
    /// The names of the fields of the groups, if the stage makes groups.
    pub(super) groups: &'a BTreeMap<String, String>,
    /// The columns that rows have before the stage.
    pub(super) known: &'a [String],
    /// LIMIT.
    pub(super) limit: &'a str,
}

/// How a stage follows the one before.
pub(super) fn print_link(at: usize, stage: &Stage) -> String {
    if matches!(stage, Stage::Attach { .. }) {
        format!(".thenCompose(this::stage{at})")
    } else {
        format!(".thenApply(this::stage{at})")
    }
}

impl JavaStagePrinter<'_> {
    /// The method of a stage.
    pub(super) fn print(&self, out: &mut CodeWriter, stage: &Stage) {
        match stage {
            Stage::Attach { step, part } => self.print_attach(out, *step, part),
            Stage::Merge(order) => self.print_order(out, order),
            Stage::Sort(order) => {
                self.print_order(out, order);
                let at = self.at;
                self.print_method(out, &mut |out| {
                    out.line(format!("rows.sort(order{at}());"));
                });
            }
            Stage::Aggregate { group, record, values } => {
                self.print_aggregate(out, group, record, values);
            }
            _ => self.print_method(out, &mut |out| self.print_simple(out, stage)),
        }
    }

    /// A stage that changes the rows of a list.
    fn print_method(&self, out: &mut CodeWriter, body: &mut dyn FnMut(&mut CodeWriter)) {
        let (at, class) = (self.at, self.class);
        out.block(format!("private List<{class}> stage{at}(List<{class}> rows) {{"), "}", |out| {
            body(out);
            out.line("return rows;");
        });
        out.blank();
    }

    fn field(&self, name: &str) -> String {
        self.fields.get(name).cloned().unwrap_or_default()
    }

    fn field_type(&self, name: &str) -> Option<&DataType> {
        self.record.field(name).map(|field| &field.ty)
    }

    fn zero(&self, name: &str) -> String {
        let zero = self.field_type(name).and_then(types::zero);
        zero.unwrap_or("null").to_owned()
    }

    fn print_simple(&self, out: &mut CodeWriter, stage: &Stage) {
        match stage {
            Stage::Filter(condition) => {
                let condition = self.scope.print_condition(condition);
                out.line(format!("rows.removeIf(row -> !({condition}));"));
            }
            Stage::DropStaticRow(name) => {
                out.line(format!("rows.removeIf(row -> row.{} == null);", self.field(name)));
            }
            Stage::Limit => {
                out.line(format!("rows = AccessSupport.limit(rows, {});", self.limit));
            }
            Stage::Combine { group, folds } => self.print_combine(out, group, folds),
            Stage::Average { sum, count, output } => {
                let (sum, count, field) = (self.field(sum), self.field(count), self.field(output));
                let value = format!("Values.quotient(row.{sum}, row.{count})");
                let value = convert(&value, self.field_type(output));
                self.print_each(out, &format!("row.{field} = {value};"));
            }
            Stage::EmptySumIsNull { sum, count } => {
                let (sum, count) = (self.field(sum), self.field(count));
                out.block(format!("for ({} row : rows) {{", self.class), "}", |out| {
                    out.block(format!("if (Values.isZero(row.{count})) {{"), "}", |out| {
                        out.line(format!("row.{sum} = null;"));
                    });
                });
            }
            Stage::DropEmptyGroups(count) => {
                out.line(format!(
                    "rows.removeIf(row -> Values.isZero(row.{}));",
                    self.field(count)
                ));
            }
            Stage::AbsentIsZero { given, zeros } => self.print_absent(out, given, zeros),
            Stage::Exists(names) => {
                let class = self.class;
                out.line(format!("{class} row = new {class}();"));
                for name in names {
                    out.line(format!("row.{} = !rows.isEmpty();", self.field(name)));
                }
                out.line("rows = new ArrayList<>(List.of(row));");
            }
            Stage::RowOfZeros(names) => self.print_new_row(out, &mut |out| {
                for name in names {
                    out.line(format!("row.{} = {};", self.field(name), self.zero(name)));
                }
            }),
            Stage::Attach { .. } | Stage::Merge(_) | Stage::Sort(_) | Stage::Aggregate { .. } => {}
        }
    }

    fn print_each(&self, out: &mut CodeWriter, line: &str) {
        out.block(format!("for ({} row : rows) {{", self.class), "}", |out| {
            out.line(line);
        });
    }

    /// A row where there is none.
    fn print_new_row(&self, out: &mut CodeWriter, fill: &mut dyn FnMut(&mut CodeWriter)) {
        let class = self.class;
        out.block("if (rows.isEmpty()) {", "}", |out| {
            out.line(format!("{class} row = new {class}();"));
            fill(out);
            out.line("rows = new ArrayList<>(List.of(row));");
        });
    }

    fn print_absent(&self, out: &mut CodeWriter, given: &[(String, Expression)], zeros: &[String]) {
        self.print_new_row(out, &mut |out| {
            for (name, value) in given {
                out.line(format!("row.{} = {};", self.field(name), self.scope.print(value)));
            }
        });
        let mut names: Vec<&String> = zeros.iter().collect();
        names.dedup();
        out.block(format!("for ({} row : rows) {{", self.class), "}", |out| {
            for name in names {
                let (field, zero) = (self.field(name), self.zero(name));
                out.line(format!("row.{field} = Values.coalesce(row.{field}, {zero});"));
            }
        });
    }

    /// `order`: the order of two rows.
    fn print_order(&self, out: &mut CodeWriter, order: &[SortKey]) {
        let (at, class) = (self.at, self.class);
        out.block(format!("private Comparator<{class}> order{at}() {{"), "}", |out| {
            let keys: Vec<_> = order.iter().map(|key| self.print_key(key)).collect();
            let Some((first, others)) = keys.split_first() else {
                out.line("return (one, other) -> 0;");
                return;
            };
            out.line(format!("Comparator<{class}> order = {first};"));
            for key in others {
                out.line(format!("order = order.thenComparing({key});"));
            }
            out.line("return order;");
        });
        out.blank();
    }

    fn print_key(&self, key: &SortKey) -> String {
        let mut value = self.scope.print(&key.value);
        if let Some(null_as) = &key.null_as {
            let constant = self.scope.print_constant(null_as, &key.value.ty);
            value = format!("Values.coalesce({value}, {constant})");
        }
        let order = self.scope.context.order(&key.value.ty);
        let reversed = if key.descending { ".reversed()" } else { "" };
        format!("Values.by(({} row) -> {value}, {order}){reversed}", self.class)
    }

    fn print_group(&self, group: &[Expression]) -> String {
        let values: Vec<_> = group.iter().map(|value| self.scope.print(value)).collect();
        // The brackets of an array keep a single null from being taken for one.
        format!("row -> Values.group(new Object[] {{{}}})", values.join(", "))
    }

    fn print_combine(
        &self,
        out: &mut CodeWriter,
        group: &[Expression],
        folds: &[(String, FoldKind)],
    ) {
        let class = self.class;
        out.line(format!("List<{class}> combined = new ArrayList<>();"));
        let groups = format!("Values.groups(rows, {})", self.print_group(group));
        out.block(format!("for (List<{class}> rowGroup : {groups}) {{"), "}", |out| {
            out.line(format!("{class} into = rowGroup.get(0);"));
            out.block(
                format!("for ({class} row : rowGroup.subList(1, rowGroup.size())) {{"),
                "}",
                |out| {
                    for (name, fold) in folds {
                        let field = self.field(name);
                        let order = self.field_type(name).map(|ty| self.scope.context.order(ty));
                        let order = order.unwrap_or_default();
                        let value = match fold {
                            FoldKind::Sum => {
                                format!("Values.fold(into.{field}, row.{field}, Values::plus)")
                            }
                            FoldKind::Least => {
                                format!("Values.least(into.{field}, row.{field}, {order})")
                            }
                            FoldKind::Greatest => {
                                format!("Values.greatest(into.{field}, row.{field}, {order})")
                            }
                        };
                        out.line(format!("into.{field} = {value};"));
                    }
                },
            );
            out.line("combined.add(into);");
        });
        out.line("rows = combined;");
    }

    fn print_aggregate(
        &self,
        out: &mut CodeWriter,
        group: &[Expression],
        record: &Record,
        values: &[AggregateKind],
    ) {
        let (at, class) = (self.at, self.class);
        out.block(format!("private List<Group> stage{at}(List<{class}> rows) {{"), "}", |out| {
            out.line("List<Group> rowGroups = new ArrayList<>();");
            let lists = if group.is_empty() {
                "List.of(rows)".to_owned()
            } else {
                format!("Values.groups(rows, {})", self.print_group(group))
            };
            out.block(format!("for (List<{class}> rowGroup : {lists}) {{"), "}", |out| {
                out.line("Group into = new Group();");
                for (field, value) in record.fields.iter().zip(values) {
                    let name = self.groups.get(&field.name).cloned().unwrap_or_default();
                    if let Some(value) = self.print_value(value, &field.ty) {
                        out.line(format!("into.{name} = {value};"));
                    }
                }
                out.line("rowGroups.add(into);");
            });
            out.line("return rowGroups;");
        });
        out.blank();
    }

    /// The value of a column of a group.
    fn print_value(&self, value: &AggregateKind, ty: &DataType) -> Option<String> {
        let of = |value: &Expression| format!("row -> {}", self.scope.print(value));
        let fold = |value: &Expression, operator: &str| {
            let types = format!("{}, {}", self.class, self.scope.context.boxed(&value.ty));
            format!("Values.<{types}>foldAll(rowGroup, {}, {operator})", of(value))
        };
        Some(match value {
            AggregateKind::First(value) => {
                format!("Values.get(Values.first(rowGroup), {})", of(value))
            }
            AggregateKind::CountRows => convert("Long.valueOf(rowGroup.size())", Some(ty)),
            AggregateKind::Count(value) => {
                convert(&format!("Values.count(rowGroup, {})", of(value)), Some(ty))
            }
            AggregateKind::Sum(value) => fold(value, "Values::plus"),
            AggregateKind::Average(value) => {
                let sum = fold(value, "Values::plus");
                let count = format!("Values.count(rowGroup, {})", of(value));
                convert(&format!("Values.quotient({sum}, {count})"), Some(ty))
            }
            AggregateKind::Least(value) => {
                let order = self.scope.context.order(&value.ty);
                fold(value, &format!("(one, other) -> Values.least(one, other, {order})"))
            }
            AggregateKind::Greatest(value) => {
                let order = self.scope.context.order(&value.ty);
                fold(value, &format!("(one, other) -> Values.greatest(one, other, {order})"))
            }
            AggregateKind::Null => return None,
        })
    }

    fn print_attach(&self, out: &mut CodeWriter, step: usize, part: &AttachedPart) {
        let (at, class) = (self.at, self.class);
        out.block(
            format!("private CompletionStage<List<{class}>> stage{at}(List<{class}> rows) {{"),
            "}",
            |out| {
                out.line(format!(
                    "List<Supplier<CompletionStage<{class}>>> tasks = new ArrayList<>();"
                ));
                out.block(format!("for ({class} row : rows) {{"), "}", |out| {
                    let attach =
                        format!("read{step}(row).thenApply(found -> attach{at}(row, found))");
                    out.line(format!("tasks.add(() -> {attach});"));
                });
                out.block(
                    "return AccessSupport.inParallel(tasks).thenApply(keptRows -> {",
                    "});",
                    |out| {
                        out.line("keptRows.removeIf(Objects::isNull);");
                        out.line("return keptRows;");
                    },
                );
            },
        );
        out.blank();
        out.line("/** Adds what was found to a row; null drops the row. */");
        out.block(
            format!("private {class} attach{at}({class} row, List<Row{step}> found) {{"),
            "}",
            |out| {
                self.print_part(out, step, part);
                out.line("return row;");
            },
        );
        out.blank();
    }

    fn print_part(&self, out: &mut CodeWriter, step: usize, part: &AttachedPart) {
        let Some(Some(of)) = self.scope.steps.get(step) else { return };
        let columns = || {
            of.fetch.statement.columns.iter().filter_map(|column| {
                let (field, from) = (self.fields.get(&column.name)?, of.columns.get(&column.name)?);
                Some((column, field, from))
            })
        };
        if let AttachedPart::Elements(names) = part {
            let Some((_, from)) = of
                .fetch
                .statement
                .columns
                .first()
                .and_then(|column| Some((column, of.columns.get(&column.name)?)))
            else {
                return;
            };
            for name in names {
                let list = format!("found.stream().map(Row{step}::{from}).toList()");
                let list = match self.field_type(name) {
                    Some(DataType::Set(_)) => format!("Values.toSet({list})"),
                    _ => list,
                };
                out.line(format!("row.{} = found.isEmpty() ? null : {list};", self.field(name)));
            }
            return;
        }
        out.line(format!("Row{step} firstRow = Values.first(found);"));
        if let AttachedPart::Counters(names) = part {
            out.block("if (firstRow != null) {", "}", |out| {
                for (column, field, from) in columns() {
                    let zero = types::zero(&column.ty);
                    out.line(match zero {
                        Some(zero) => {
                            format!("row.{field} = Values.coalesce(firstRow.{from}(), {zero});")
                        }
                        None => format!("row.{field} = firstRow.{from}();"),
                    });
                }
            });
            for name in names {
                let (field, zero) = (self.field(name), self.zero(name));
                out.line(format!("row.{field} = Values.coalesce(row.{field}, {zero});"));
            }
            return;
        }
        out.block("if (firstRow == null) {", "}", |out| {
            out.line(if of.fetch.optional { "return row;" } else { "return null;" });
        });
        for (_, field, from) in columns().filter(|(it, ..)| !self.known.contains(&it.name)) {
            out.line(format!("row.{field} = firstRow.{from}();"));
        }
    }
}

/// A number as a value of a type.
fn convert(value: &str, ty: Option<&DataType>) -> String {
    let function = match ty {
        Some(DataType::Int) => "toInt",
        Some(DataType::Smallint) => "toSmallint",
        Some(DataType::Tinyint) => "toTinyint",
        Some(DataType::Varint) => "toVarint",
        Some(DataType::Decimal) => "toDecimal",
        Some(DataType::Float) => "toFloat",
        Some(DataType::Double) if value.starts_with("Values.quotient") => return value.to_owned(),
        Some(DataType::Double) => "toDouble",
        _ => return value.to_owned(),
    };
    format!("Values.{function}({value})")
}

/// The fields of a record by their columns, and the class that has them.
pub(super) fn print_row_class(
    out: &mut CodeWriter,
    scope: &JavaScope<'_>,
    class: &str,
    record: &Record,
) {
    let (names, _) = super::names::list_fields(record);
    out.line("/** A row on which the client works. */");
    out.block(format!("private static final class {class} {{"), "}", |out| {
        for (field, name) in record.fields.iter().zip(names) {
            out.line(format!("private {} {name};", scope.context.boxed(&field.ty)));
        }
    });
    out.blank();
}

/// The names of the fields of a record, by their columns.
pub(super) fn map_fields(record: &Record) -> BTreeMap<String, String> {
    let (names, _) = super::names::list_fields(record);
    record.fields.iter().map(|field| field.name.clone()).zip(names).collect()
}

/// The same scope with another current row.
pub(super) const fn with_current<'a>(
    scope: JavaScope<'a>,
    fields: &'a BTreeMap<String, String>,
) -> JavaScope<'a> {
    JavaScope { current: JavaCurrent::Fields(fields), ..scope }
}
