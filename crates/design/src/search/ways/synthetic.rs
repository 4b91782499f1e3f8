//! Reads that are parts of another: lookups by key, searches for keys, and reads by the keys found.

use cql::Span;
use model::concept::Figure;
use model::id::{IdList, SourceId};
use model::workload::{
    Column, Comparison, Condition, Join, Output, OutputValue, Parameter, Predicate, RangeSpan,
    Read, Source, StatedResult, Supply, Value,
};

use super::fit::hops;
use crate::Context;

/// The join of some sources of a read, starting from one of them.
pub(super) struct SubJoin {
    /// Its sources.
    pub(super) sources: Vec<Source>,
    /// For each of them that of the read.
    pub(super) of: Vec<SourceId>,
}

impl SubJoin {
    /// The join of the sources among `members` that are reached from `root` by references.
    pub(super) fn from_root(read: &Read, root: SourceId, members: &[SourceId]) -> Option<Self> {
        let first = read.sources.member(root)?;
        let mut excerpt =
            Self { sources: vec![Source { join: None, ..first.clone() }], of: vec![root] };
        let mut next = 0;
        while let Some(&from) = excerpt.of.get(next) {
            for hop in hops(&read.sources, from) {
                if !hop.to_one || !members.contains(&hop.to) || excerpt.of.contains(&hop.to) {
                    continue;
                }
                let join = Some(Join {
                    with: SourceId::new(next),
                    reference: hop.reference,
                    to_one: true,
                    optional: hop.optional,
                });
                let source = read.sources.member(hop.to)?;
                excerpt.sources.push(Source { join, ..source.clone() });
                excerpt.of.push(hop.to);
            }
            next += 1;
        }
        Some(excerpt)
    }

    /// A column of the read as one of these sources.
    pub(super) fn column(&self, column: Column) -> Option<Column> {
        let source = self.of.find_id(|of| *of == column.source)?;
        Some(Column { source, ..column })
    }
}

/// A read of these sources that returns columns of them, without conditions so far.
pub(super) fn build_read(
    context: Context<'_>,
    of: &Read,
    excerpt: &SubJoin,
    columns: impl IntoIterator<Item = Column>,
) -> Read {
    let mut outputs: Vec<Output> = Vec::new();
    for column in columns.into_iter().filter_map(|column| excerpt.column(column)) {
        let value = OutputValue::Column(column);
        if outputs.iter().any(|output| output.value == value) {
            continue;
        }
        let Some(name) = name_of(context, excerpt, column) else { continue };
        let taken = outputs.iter().any(|output| output.name == name);
        let alias = excerpt.sources.member(column.source).map_or("", |source| &source.alias);
        let name = if taken { format!("{alias}_{name}") } else { name };
        outputs.push(Output { name, value });
    }
    let spans = of.stated.spans.iter().filter_map(|span| {
        Some(RangeSpan { column: excerpt.column(span.column)?, width: span.width })
    });
    Read {
        name: of.name.clone(),
        many: true,
        rate: Figure::from_derivation(of.rate.value),
        after: Vec::new(),
        consistency: of.consistency.clone(),
        exact: of.exact,
        computed: Vec::new(),
        sources: excerpt.sources.clone(),
        outputs,
        conditions: Vec::new(),
        group: Vec::new(),
        order: Vec::new(),
        limit: None,
        stated: StatedResult { spans: spans.collect(), returns: None },
        parameters: Vec::new(),
        sql: String::new(),
        span: of.span,
    }
}

/// Adds `column = ?` to a read, with a parameter of its own.
pub(super) fn add_key_parameter(context: Context<'_>, read: &mut Read, column: Column) {
    let source = read.sources.member(column.source);
    let entity = source.and_then(|source| context.concept.entities.member(source.entity));
    let Some(attribute) = entity.and_then(|entity| entity.attributes.member(column.attribute))
    else {
        return;
    };
    let value = Value::Parameter(read.parameters.next_id());
    let test = Predicate::Compare { column, comparison: Comparison::Equal, value };
    read.conditions.push(Condition { predicate: test, span: Span::default() });
    read.parameters.push(Parameter {
        name: attribute.name.clone(),
        ty: attribute.ty.clone(),
        supply: Supply::User,
    });
}

/// Whether a condition is one that [`add_key_parameter`] added.
pub(super) fn is_given(read: &Read, condition: &Condition) -> bool {
    // A condition of the model file has a position in it.
    read.sql.is_empty() && condition.span == Span::default()
}

fn name_of(context: Context<'_>, excerpt: &SubJoin, column: Column) -> Option<String> {
    let entity = context.concept.entities.member(excerpt.sources.member(column.source)?.entity)?;
    Some(entity.attributes.member(column.attribute)?.name.clone())
}
