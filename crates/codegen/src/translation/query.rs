//! Functions that read.

use cql::types::Type;
use model::concept::Attribute;
use model::id::{IdList, ReadId};
use model::plan::{ClientStep, ReadPlan, ReadStep};
use model::workload::{Limit, OutputValue, Read, ResultColumns, Supply};

use super::documentation::document_query;
use super::expression::lower_expression;
use super::fetch::list_steps;
use super::scope::{Scope, list_parents, null_of};
use super::stage::StageLowering;
use super::{ProgramSource, data_type};
use crate::program::{
    Cardinality, Expression, ExpressionKind, Field, Parameter, Query, QueryLimit, Record,
    RowReference,
};

/// The function of a read.
pub(super) fn lower_query(source: ProgramSource<'_>, at: ReadId) -> Option<Query> {
    let (read, plan) = (source.workload.reads.member(at)?, source.design.reads.member(at)?);
    let steps = list_steps(&plan.steps);
    let scope = Scope {
        source,
        parameters: &read.parameters,
        steps: &steps,
        loops: &[],
        table: None,
        is_current: false,
    };
    let main = plan.main.index();
    let fetches = plan.steps.iter().enumerate().map(|(position, step)| {
        Scope { is_current: position > main, ..scope }.lower_fetch(step, &read.consistency)
    });
    let fetches: Vec<_> = fetches.collect();
    let mut row = Record { name: read.name.clone(), fields: Vec::new() };
    add_row_fields(&mut row, &plan.steps, &fetches, main, plan.steps.len());
    let mut lowering = StageLowering::new(scope, at, read, plan, &fetches, row);
    let stages = lowering.lower_stages();
    let (result, outputs) = lower_result(&lowering, read, source);
    Some(Query {
        name: read.name.clone(),
        documentation: document_query(source, read, plan),
        parameters: read
            .parameters
            .iter()
            .map(|parameter| Parameter {
                name: parameter.name.clone(),
                ty: data_type(&parameter.ty),
                nullable: false,
                supply: super::command::lower_supply(&parameter.supply, &parameter.ty)
                    .filter(|_| matches!(parameter.supply, Supply::Client(_))),
            })
            .collect(),
        cardinality: if read.many { Cardinality::Many } else { Cardinality::One },
        result,
        outputs,
        main,
        row: lowering.first_record(),
        row_stages: count_row_stages(plan),
        stages,
        limit: match read.limit {
            None => QueryLimit::None,
            Some(Limit::Number(rows)) => QueryLimit::Rows(rows),
            Some(Limit::Parameter(at)) => QueryLimit::Parameter(at.index()),
        },
        steps: fetches,
    })
}

/// The number of leading client steps that work on single rows.
fn count_row_stages(plan: &ReadPlan) -> usize {
    let alone = |step: &&ClientStep| {
        matches!(step, ClientStep::Attach(_) | ClientStep::Filter(_) | ClientStep::DropStaticRow(_))
    };
    plan.client.iter().take_while(alone).count()
}

/// Adds the columns of a step's rows, and of the rows under which they are read.
fn add_row_fields(
    row: &mut Record,
    steps: &[ReadStep],
    fetches: &[crate::program::Fetch],
    at: usize,
    depth: usize,
) {
    for field in fetches.get(at).into_iter().flat_map(|fetch| &fetch.statement.columns) {
        if row.field(&field.name).is_none() {
            row.fields.push(field.clone());
        }
    }
    let parents = steps.get(at).map(list_parents).unwrap_or_default();
    for parent in parents.into_iter().filter(|_| depth > 0) {
        add_row_fields(row, steps, fetches, parent.index(), depth - 1);
    }
}

/// What the function returns: the record, and its values.
fn lower_result(
    lowering: &StageLowering<'_>,
    read: &Read,
    source: ProgramSource<'_>,
) -> (Record, Vec<Expression>) {
    let columns = ResultColumns::from(read);
    let output = |at: usize| -> (Expression, Type) {
        let ty = columns.output_type(source.concept, at);
        let name = read.outputs.get(at).map(|output| output.name.as_str()).unwrap_or_default();
        let Some(field) = lowering.record().field(name) else { return null_of(ty) };
        let kind = ExpressionKind::Column { row: RowReference::Current, name: field.name.clone() };
        (Expression { ty: field.ty.clone(), kind }.convert(data_type(&ty)), ty)
    };
    let values: Vec<Expression> = if read.computed.is_empty() {
        (0..read.outputs.len()).map(|at| output(at).0).collect()
    } else {
        let computed = read.computed.iter();
        computed.map(|result| lower_expression(&result.value, &|at| output(at.index())).0).collect()
    };
    let names = columns.names();
    let fields = names.iter().zip(&values).enumerate().map(|(at, (name, value))| Field {
        name: unique_name(&names, at, name),
        ty: value.ty.clone(),
        nullable: !read.computed.is_empty() || is_nullable(source, read, at),
    });
    (Record { name: read.name.clone(), fields: fields.collect() }, values)
}

/// The name of an output; outputs of one name are numbered.
pub(super) fn unique_name(names: &[&str], at: usize, name: &str) -> String {
    let before = names.iter().take(at).filter(|other| **other == name).count();
    if before == 0 { name.to_owned() } else { format!("{name}_{}", before + 1) }
}

/// Whether an output may be null.
fn is_nullable(source: ProgramSource<'_>, read: &Read, at: usize) -> bool {
    let Some(output) = read.outputs.get(at) else { return true };
    match output.value {
        OutputValue::Count(_) | OutputValue::Exists => false,
        OutputValue::Sum(_)
        | OutputValue::Average(_)
        | OutputValue::Least(_)
        | OutputValue::Greatest(_) => true,
        OutputValue::Column(column) => {
            let Some(joined) = read.sources.member(column.source) else { return true };
            let entity = source.concept.entities.member(joined.entity);
            let attribute: Option<&Attribute> =
                entity.and_then(|entity| entity.attributes.member(column.attribute));
            read.sources.iter().any(model::workload::Source::is_optional) && joined.join.is_some()
                || attribute.is_none_or(|attribute| {
                    attribute.nullable || matches!(attribute.ty, Type::List(..) | Type::Set(..))
                })
                // An aggregate without GROUP BY has a row even without rows.
                || read.group.is_empty()
                    && read.outputs.iter().any(|it| {
                        !matches!(it.value, OutputValue::Column(_) | OutputValue::Exists)
                    })
        }
    }
}
