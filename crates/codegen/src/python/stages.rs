//! What the client does with the rows of a query.

use crate::program::{
    AggregateKind, AttachedPart, DataType, Expression, FoldKind, Query, QueryLimit, Record,
    SortKey, Stage,
};

use super::code::{PythonExpression as Code, PythonWriter};
use super::scope::PythonScope;
use super::types;
use super::values::{constant, make};

/// The type of the functions of rows.
const ROW: &str = "row_: list[Any]";

/// The stages of a query, from one on.
pub(super) struct StagePrinter<'a> {
    pub(super) scope: PythonScope<'a>,
    pub(super) query: &'a Query,
    pub(super) constants: &'a [String],
    /// The columns of the rows now.
    pub(super) record: &'a Record,
}

impl<'a> StagePrinter<'a> {
    fn current(&self) -> PythonScope<'a> {
        self.scope.with_row(self.record)
    }

    fn find_position(&self, name: &str) -> String {
        let position = self.record.fields.iter().position(|field| field.name == name);
        // The lowering adds every column that a stage names.
        format!("row_[{}]", position.unwrap_or_default())
    }

    /// A stage on the rows `kept_`; a merge makes them of `streams_`.
    pub(super) fn write(&mut self, writer: &mut PythonWriter, number: usize, stage: &'a Stage) {
        match stage {
            Stage::Filter(condition) => {
                let holds = self.current().condition(condition);
                let name = format!("holds_{number}_");
                writer.function(&format!("def {name}"), &[ROW.to_owned()], "bool", |body| {
                    body.statement("return ", holds);
                });
                writer.line(format!("kept_ = list(filter({name}, kept_))"));
            }
            Stage::Attach { step, part } => self.write_attach(writer, *step, part),
            Stage::DropStaticRow(name) => {
                let column = self.find_position(name);
                writer.line(format!("kept_ = [row_ for row_ in kept_ if {column} is not None]"));
            }
            Stage::Merge(keys) => {
                let order = self.write_order(writer, number, keys);
                writer.line(format!("kept_ = support.merge(streams_, {order})"));
            }
            Stage::Sort(keys) => {
                let order = self.write_order(writer, number, keys);
                writer.line(format!("kept_.sort(key={order})"));
            }
            Stage::Limit => {
                if let Some(limit) = limit(self.scope, self.query) {
                    writer.line(format!("del kept_[{}:]", limit.flat()));
                }
            }
            Stage::Combine { group, folds } => {
                let group = self.write_group(writer, number, group);
                let folds = folds.iter().map(|(name, kind)| self.fold(name, *kind)).collect();
                let parts = vec![Code::atom("kept_"), group, Code::List(folds)];
                writer.statement("kept_ = ", Code::support("combine", parts));
            }
            Stage::Aggregate { group, record, values } => {
                self.write_aggregate(writer, number, group, values);
                self.record = record;
            }
            _ => self.write_small(writer, stage),
        }
    }

    /// A stage that needs no function of its own.
    fn write_small(&self, writer: &mut PythonWriter, stage: &Stage) {
        match stage {
            Stage::Average { sum, count, output } => {
                let (sum, count, output) = (
                    self.find_position(sum),
                    self.find_position(count),
                    self.find_position(output),
                );
                writer.block("for row_ in kept_:", |body| {
                    body.line(format!("{output} = support.average({sum}, {count})"));
                });
            }
            Stage::EmptySumIsNull { sum, count } => {
                let (sum, count) = (self.find_position(sum), self.find_position(count));
                writer.block("for row_ in kept_:", |body| {
                    body.block(&format!("if not {count}:"), |body| {
                        body.line(format!("{sum} = None"));
                    });
                });
            }
            Stage::DropEmptyGroups(count) => {
                let count = self.find_position(count);
                writer.line(format!("kept_ = [row_ for row_ in kept_ if {count}]"));
            }
            Stage::AbsentIsZero { given, zeros } => {
                let row = self.row_of(|name| {
                    let value = given.iter().find(|(of, _)| of == name);
                    value.map(|(_, value)| self.scope.value(value))
                });
                writer.block("if not kept_:", |body| {
                    let append = Code::Call("kept_.append".to_owned(), vec![row]);
                    body.statement("", append);
                });
                if !zeros.is_empty() {
                    writer.block("for row_ in kept_:", |body| {
                        for name in zeros {
                            let column = self.find_position(name);
                            body.block(&format!("if {column} is None:"), |body| {
                                body.line(format!("{column} = {}", self.zero(name)));
                            });
                        }
                    });
                }
            }
            Stage::Exists(names) => {
                let row = self.row_of(|name| {
                    names.iter().any(|it| it == name).then(|| Code::atom("bool(kept_)"))
                });
                writer.statement("kept_ = ", Code::List(vec![row]));
            }
            Stage::RowOfZeros(names) => {
                let row = self.row_of(|name| {
                    names.iter().any(|it| it == name).then(|| self.zero(name).into())
                });
                writer.block("if not kept_:", |body| {
                    body.statement("", Code::Call("kept_.append".to_owned(), vec![row]));
                });
            }
            _ => {}
        }
    }

    /// A row with these values; all others are null.
    fn row_of(&self, value: impl Fn(&str) -> Option<Code>) -> Code {
        let values = self.record.fields.iter();
        let values = values.map(|it| value(&it.name).unwrap_or_else(|| Code::atom("None")));
        Code::List(values.collect())
    }

    fn zero(&self, name: &str) -> &'static str {
        match self.record.field(name).map(|field| &field.ty) {
            Some(DataType::Decimal) => "support.Decimal(0)",
            Some(DataType::Double | DataType::Float) => "0.0",
            _ => "0",
        }
    }

    fn write_order(&self, writer: &mut PythonWriter, number: usize, keys: &[SortKey]) -> String {
        let name = format!("order_{number}_");
        let scope = self.current();
        let part = |key: &SortKey| {
            let mut value = scope.value(&key.value);
            if let Some(other) = &key.null_as {
                let other = constant(&key.value.ty, other);
                value = Code::support("coalesce", vec![value, other]);
            }
            if let Some(function) = types::order_key(scope.names, &key.value.ty) {
                value = Code::convert(&function, value);
            }
            Code::support(if key.descending { "descending" } else { "ascending" }, vec![value])
        };
        let key = Code::Tuple(keys.iter().map(part).collect());
        writer.function(&format!("def {name}"), &[ROW.to_owned()], "Any", |body| {
            body.statement("return ", key);
        });
        name
    }

    fn write_group(&self, writer: &mut PythonWriter, number: usize, group: &[Expression]) -> Code {
        let name = format!("group_{number}_");
        let key = Code::Tuple(group.iter().map(|value| self.current().key(value)).collect());
        writer.function(&format!("def {name}"), &[ROW.to_owned()], "Any", |body| {
            body.statement("return ", key);
        });
        Code::Atom(name)
    }

    fn fold(&self, name: &str, kind: FoldKind) -> Code {
        let position = self.record.fields.iter().position(|field| field.name == name);
        let position = position.unwrap_or_default();
        let key = || match self.record.fields.get(position) {
            Some(field) => self.scope.key_function(&field.ty),
            None => Code::atom("support.keep"),
        };
        let fold = match kind {
            FoldKind::Sum => Code::atom("support.fold_sum"),
            FoldKind::Least => Code::support("fold_least", vec![key()]),
            FoldKind::Greatest => Code::support("fold_greatest", vec![key()]),
        };
        Code::Tuple(vec![position.to_string().into(), fold])
    }

    fn write_aggregate(
        &self,
        writer: &mut PythonWriter,
        number: usize,
        group: &[Expression],
        values: &[AggregateKind],
    ) {
        let group_name = self.write_group(writer, number, group);
        let mut parts = Vec::new();
        for (at, kind) in values.iter().enumerate() {
            let expression = match kind {
                AggregateKind::CountRows => {
                    parts.push(Code::atom("len(group_)"));
                    continue;
                }
                AggregateKind::Null => {
                    parts.push(Code::atom("None"));
                    continue;
                }
                AggregateKind::First(of)
                | AggregateKind::Count(of)
                | AggregateKind::Sum(of)
                | AggregateKind::Average(of)
                | AggregateKind::Least(of)
                | AggregateKind::Greatest(of) => of,
            };
            let name = format!("value_{number}_{at}_");
            let value = self.current().value(expression);
            writer.function(&format!("def {name}"), &[ROW.to_owned()], "Any", |body| {
                body.statement("return ", value);
            });
            let key = || self.scope.key_function(&expression.ty);
            let (function, fold) = match kind {
                AggregateKind::First(_) => ("first_value", None),
                AggregateKind::Count(_) => ("count", None),
                AggregateKind::Average(_) => ("mean", None),
                AggregateKind::Least(_) => {
                    ("fold_rows", Some(Code::support("fold_least", vec![key()])))
                }
                AggregateKind::Greatest(_) => {
                    ("fold_rows", Some(Code::support("fold_greatest", vec![key()])))
                }
                _ => ("fold_rows", Some(Code::atom("support.fold_sum"))),
            };
            let arguments = [Code::atom("group_"), name.into()].into_iter().chain(fold);
            parts.push(Code::support(function, arguments.collect()));
        }
        let head = format!("def aggregate_{number}_");
        writer.function(&head, &["group_: list[list[Any]]".to_owned()], "list[Any]", |body| {
            body.statement("return ", Code::List(parts));
        });
        let groups = Code::support("groups", vec![Code::atom("kept_"), group_name]);
        writer.statement("groups_ = ", groups);
        if group.is_empty() {
            writer.block("if not groups_:", |body| {
                body.line("groups_ = [[]]");
            });
        }
        writer.line(format!("kept_ = list(map(aggregate_{number}_, groups_))"));
    }

    fn write_attach(&self, writer: &mut PythonWriter, step: usize, part: &AttachedPart) {
        let (Some(fetch), Some(constant)) = (self.scope.fetch(step), self.constants.get(step))
        else {
            return;
        };
        let scope = self.current().with_repetitions(&fetch.repetitions);
        scope.write_lookup(writer, step, fetch);
        let parts = vec![
            Code::atom("call_"),
            constant.into(),
            Code::Atom(format!("levels_{step}_")),
            Code::Atom(format!("bind_{step}_")),
            Code::atom("kept_"),
        ];
        let attached = format!("attached_{step}_");
        writer.statement(&format!("{attached} = "), Code::support("attach", parts).into_awaited());
        let position = |name: &str| self.record.fields.iter().position(|it| it.name == name);
        let is_main =
            |name: &str| self.scope.is_read(self.query.main, name, self.query.steps.len());
        let column = |(at, field): (usize, &crate::program::Field)| {
            let decoder = types::decoder(self.scope.names, &field.ty, false);
            let decoder = decoder.unwrap_or_else(|| "support.keep".to_owned());
            let position = position(&field.name)?;
            let parts = [position.to_string(), at.to_string()].map(Code::Atom);
            Some(Code::Tuple(parts.into_iter().chain([Code::parse(&decoder)]).collect()))
        };
        let columns = fetch.statement.columns.iter().enumerate();
        let rows = [Code::atom("kept_"), attached.into()];
        let (function, rest) = match part {
            AttachedPart::Columns => {
                let columns = columns.filter(|(_, field)| !is_main(&field.name));
                let columns = Code::Tuple(columns.filter_map(column).collect());
                let optional = Code::atom(if fetch.optional { "True" } else { "False" });
                ("join_columns", vec![columns, optional])
            }
            AttachedPart::Counters(names) => {
                let zeros = names.iter().filter_map(|name| position(name));
                let zeros = zeros.map(|at| Code::Atom(at.to_string())).collect();
                let columns = Code::Tuple(columns.filter_map(column).collect());
                ("join_counters", vec![columns, Code::Tuple(zeros)])
            }
            AttachedPart::Elements(names) => {
                let arrays = names.iter().filter_map(|name| {
                    let at = position(name)?;
                    let ty = &self.record.fields.get(at)?.ty;
                    Some(Code::Tuple(vec![at.to_string().into(), make(ty)]))
                });
                let field = fetch.statement.columns.first();
                let decoder = field.and_then(|it| types::decoder(self.scope.names, &it.ty, false));
                let decoder = decoder.unwrap_or_else(|| "support.keep".to_owned());
                ("join_elements", vec![Code::Tuple(arrays.collect()), Code::parse(&decoder)])
            }
        };
        let parts = rows.into_iter().chain(rest).collect();
        writer.statement("kept_ = ", Code::support(function, parts));
    }
}

/// The rows of LIMIT.
pub(super) fn limit(scope: PythonScope<'_>, query: &Query) -> Option<Code> {
    match query.limit {
        QueryLimit::None => None,
        QueryLimit::Rows(rows) => Some(Code::Atom(rows.to_string())),
        QueryLimit::Parameter(at) => Some(scope.parameter(at)),
    }
}
