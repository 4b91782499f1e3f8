//! Programs of named CQL statements on a schema that was not designed here.

use cql::types::Type;
use schema::bind::restrictions::StatementType;
use schema::bind::select::BoundSelect;
use schema::bind::term::BoundTerm;
use schema::bind::write::{BoundConditions, BoundWrite, OperationKind};
use schema::bind::{BoundKind, BoundStatement};
use schema::catalog::{ColumnKind, Table};

use crate::language::UnsupportedProgram;
use crate::program::{
    AccessProgram, ApplicationResult, Cardinality, Command, CommandStep, DataType, Documentation,
    Expression, ExpressionKind, FORMAT, Fetch, Field, Parameter, Query, QueryLimit, Record,
    Refusal, RowReference, Send, SendBinding, Statement,
};

/// The consistency level of statements that do not state one.
const CONSISTENCY: &str = "LOCAL_QUORUM";

/// A statement that becomes a function.
#[derive(Clone, Copy, Debug)]
pub struct NamedStatement<'a> {
    /// Its name.
    pub name: &'a str,
    /// `:one` or `:many`; `None` for `:exec`.
    pub cardinality: Option<Cardinality>,
    /// Its text, without the semicolon.
    pub cql: &'a str,
    /// The statement as the server prepares it.
    pub bound: &'a BoundStatement,
}

/// The program of statements in a keyspace.
pub fn lower_statements(
    keyspace: &str,
    file: &str,
    schema: Vec<String>,
    statements: &[NamedStatement<'_>],
) -> Result<AccessProgram, UnsupportedProgram> {
    let mut program = AccessProgram {
        format: FORMAT,
        keyspace: keyspace.to_owned(),
        source: file.to_owned(),
        schema,
        ..AccessProgram::default()
    };
    let mut user_types = Vec::new();
    for statement in statements {
        let lowering = StatementLowering { statement, user_types: &mut user_types };
        match &statement.bound.kind {
            BoundKind::Select(select) => program.queries.push(lowering.lower_select(select)?),
            BoundKind::Write(write) => {
                program.commands.push(lowering.lower_writes(std::slice::from_ref(write))?);
            }
            BoundKind::Batch(batch) => {
                program.commands.push(lowering.lower_writes(&batch.statements)?);
            }
            BoundKind::Command(_) | BoundKind::Unbound => {
                return Err(UnsupportedProgram {
                    place: statement.name.to_owned(),
                    what: "only SELECT, INSERT, UPDATE, DELETE and BATCH become functions"
                        .to_owned(),
                    help: "move schema statements to the file of --schema".to_owned(),
                });
            }
        }
    }
    program.user_types = user_types;
    Ok(program)
}

struct StatementLowering<'a> {
    statement: &'a NamedStatement<'a>,
    /// Those found so far, each after the ones of its fields.
    user_types: &'a mut Vec<Record>,
}

impl StatementLowering<'_> {
    fn lower_select(mut self, select: &BoundSelect) -> Result<Query, UnsupportedProgram> {
        let Some(cardinality) = self.statement.cardinality else {
            return Err(self.refuse_cardinality(":exec", ":one or :many"));
        };
        let parameters = self.lower_parameters(&|_| false)?;
        let mut columns: Vec<Field> = Vec::new();
        for (name, ty) in select.selection.result_columns() {
            let ty = self.lower_type(&ty)?;
            let nullable = !is_partition_key(&select.table, name);
            let before = columns.iter().filter(|it: &&Field| it.name == name).count();
            let name = if before == 0 { name.to_owned() } else { format!("{name}_{}", before + 1) };
            columns.push(Field { name, ty, nullable });
        }
        let outputs = columns.iter().map(|field| Expression {
            ty: field.ty.clone(),
            kind: ExpressionKind::Column { row: RowReference::Current, name: field.name.clone() },
        });
        let outputs = outputs.collect();
        let record = Record { name: self.statement.name.to_owned(), fields: columns.clone() };
        let fetch = Fetch {
            values: list_values(&parameters),
            statement: Statement { columns, ..self.lower_text(&select.table, &parameters) },
            repetitions: Vec::new(),
            parents: Vec::new(),
            optional: false,
        };
        Ok(Query {
            name: self.statement.name.to_owned(),
            documentation: self.describe_lists(&select.table),
            parameters,
            cardinality,
            result: record.clone(),
            outputs,
            steps: vec![fetch],
            main: 0,
            row: record,
            stages: Vec::new(),
            row_stages: 0,
            limit: QueryLimit::None,
        })
    }

    fn lower_writes(mut self, writes: &[BoundWrite]) -> Result<Command, UnsupportedProgram> {
        if self.statement.cardinality.is_some() {
            return Err(self.refuse_cardinality(":one or :many", ":exec"));
        }
        let is_insert = writes.iter().all(|it| it.operations.iter().all(is_set));
        let is_value = |name: &str| {
            writes.iter().any(|write| {
                write.table.column(name).is_some_and(|column| {
                    matches!(column.kind, ColumnKind::Regular | ColumnKind::Static)
                })
            })
        };
        let parameters = self.lower_parameters(&is_value)?;
        let conditional = writes.iter().any(|it| !matches!(it.conditions, BoundConditions::None));
        let Some(first) = writes.first() else {
            return Err(UnsupportedProgram {
                place: self.statement.name.to_owned(),
                what: "the batch has no statement".to_owned(),
                help: "remove it".to_owned(),
            });
        };
        let statement = Statement {
            idempotent: !conditional
                && !has_own_values(self.statement.cql)
                && writes.iter().all(is_idempotent),
            conditional,
            ..self.lower_text(&first.table, &parameters)
        };
        let values = list_values(&parameters).into_iter().zip(&parameters);
        let is_new = is_insert && writes.iter().all(|it| it.statement == StatementType::Insert);
        let values = values.map(|(value, parameter)| SendBinding {
            value,
            null_is_unset: is_new && parameter.nullable,
        });
        let send = Send {
            statement,
            repetitions: Vec::new(),
            guards: Vec::new(),
            values: values.collect(),
            needs_all_values: false,
            refusal: conditional.then_some(Refusal::Refused),
            condition: None,
            inverse: None,
            reason: String::new(),
            depends_on_read: false,
        };
        Ok(Command {
            name: self.statement.name.to_owned(),
            documentation: self.describe_lists(&first.table),
            parameters,
            derived: false,
            checks: Vec::new(),
            idempotent: send.statement.idempotent,
            steps: vec![CommandStep::Send(send)],
            returned: None,
            result: if conditional {
                ApplicationResult::Applied
            } else {
                ApplicationResult::Nothing
            },
        })
    }

    /// What the comment says about lists of values: they are not divided.
    fn describe_lists(&self, table: &Table) -> Documentation {
        let markers = self.statement.bound.markers.iter().flatten();
        let lists = markers.filter_map(|marker| {
            let name = marker.receiver.name.as_ref();
            let column = name.strip_prefix("in(")?.strip_suffix(')')?;
            let effort = if is_partition_key(table, column) {
                "its coordinator reads a partition for each of them"
            } else {
                "it reads the rows of all of them"
            };
            Some(format!(
                "all values of {column} are sent in one statement, and {effort}: give a few dozen at most"
            ))
        });
        Documentation { remarks: lists.collect(), ..Documentation::default() }
    }

    fn refuse_cardinality(&self, stated: &str, wanted: &str) -> UnsupportedProgram {
        UnsupportedProgram {
            place: self.statement.name.to_owned(),
            what: format!("the statement is named with {stated}"),
            help: format!("name it with {wanted}"),
        }
    }

    /// The parameters: one for each marker, with unique names.
    fn lower_parameters(
        &mut self,
        is_nullable: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<Parameter>, UnsupportedProgram> {
        let mut parameters: Vec<Parameter> = Vec::new();
        for marker in self.statement.bound.markers.iter().flatten() {
            let receiver = &marker.receiver;
            let plain = receiver.name.trim_matches(['[', ']']);
            let plain = match plain.split_once('(') {
                Some((_, inside)) => inside.trim_end_matches(')'),
                None => plain,
            };
            let before = parameters
                .iter()
                .filter(|it| it.name.trim_end_matches(|c: char| c.is_ascii_digit()) == plain)
                .count();
            let name =
                if before == 0 { plain.to_owned() } else { format!("{plain}{}", before + 1) };
            let ty = self.lower_type(&receiver.ty)?;
            let nullable = is_nullable(&receiver.name);
            parameters.push(Parameter { name, ty, nullable, supply: None });
        }
        Ok(parameters)
    }

    fn lower_text(&self, table: &Table, parameters: &[Parameter]) -> Statement {
        let markers = parameters.iter().map(|parameter| Field {
            name: parameter.name.clone(),
            ty: parameter.ty.clone(),
            nullable: parameter.nullable,
        });
        Statement {
            cql: self.statement.cql.to_owned(),
            table: table.name.to_string(),
            markers: markers.collect(),
            columns: Vec::new(),
            idempotent: true,
            conditional: false,
            consistency: CONSISTENCY.to_owned(),
        }
    }

    /// A type; its user types are collected.
    fn lower_type(&mut self, ty: &Type) -> Result<DataType, UnsupportedProgram> {
        self.collect_user_types(ty)?;
        DataType::from_cql(ty).ok_or_else(|| UnsupportedProgram {
            place: self.statement.name.to_owned(),
            what: format!("no driver maps the type {ty}"),
            help: "leave the column out, or change its type".to_owned(),
        })
    }

    fn collect_user_types(&mut self, ty: &Type) -> Result<(), UnsupportedProgram> {
        match ty {
            Type::List(element, _) | Type::Set(element, _) | Type::Vector(element, _) => {
                self.collect_user_types(element)
            }
            Type::Map(entry, _) => {
                self.collect_user_types(&entry.0)?;
                self.collect_user_types(&entry.1)
            }
            Type::Tuple(parts) => parts.iter().try_for_each(|part| self.collect_user_types(part)),
            Type::User(user, _) => {
                let name = user.name.to_string();
                if self.user_types.iter().any(|record| record.name == name) {
                    return Ok(());
                }
                let mut fields = Vec::new();
                for (name, ty) in &user.fields {
                    let ty = self.lower_type(ty)?;
                    fields.push(Field { name: name.to_string(), ty, nullable: true });
                }
                self.user_types.push(Record { name, fields });
                Ok(())
            }
            Type::Native(_) | Type::Custom(_) => Ok(()),
        }
    }
}

fn list_values(parameters: &[Parameter]) -> Vec<Expression> {
    let value = |(at, parameter): (usize, &Parameter)| Expression {
        ty: parameter.ty.clone(),
        kind: ExpressionKind::Parameter(at),
    };
    parameters.iter().enumerate().map(value).collect()
}

fn is_partition_key(table: &Table, name: &str) -> bool {
    table.column(name).is_some_and(|column| column.kind == ColumnKind::Partition)
}

const fn is_set(operation: &schema::bind::write::Operation) -> bool {
    matches!(operation.kind, OperationKind::Set(_))
}

/// Whether sending it twice does the same as once.
fn is_idempotent(write: &BoundWrite) -> bool {
    let is_repeatable = |operation: &schema::bind::write::Operation| {
        let terms = operation.kind.terms();
        matches!(
            operation.kind,
            OperationKind::Set(_)
                | OperationKind::SetField(..)
                | OperationKind::Delete
                | OperationKind::DeleteField(_)
        ) && terms.into_iter().all(|term| !matches!(term, BoundTerm::Call { .. }))
    };
    write.operations.iter().all(is_repeatable)
}

/// Whether a statement may call a function that gives another value each time.
fn has_own_values(cql: &str) -> bool {
    let text = cql.to_ascii_lowercase();
    ["now(", "uuid(", "current_", "currenttime", "currentdate"].iter().any(|it| text.contains(it))
}
