//! [`analyse`]: the analysis of a WHERE clause, check by check in the server's order.
//!
//! The steps are those of the constructor of Cassandra's `StatementRestrictions`:
//!
//! 1. convert each relation and add it to the set of its columns' kind, which merges restrictions
//!    on the same column or refuses them;
//! 2. find out whether any index supports any restriction;
//! 3. the partition key: named keys, a token range, or a scan (`is_key_range`);
//! 4. the clustering columns: a prefix of them forms the slice, the rest needs filtering;
//! 5. the other columns, which always need an index or filtering.
//!
//! Steps 3 to 5 set `uses_index` and `filters` as they go, and each looks at what the earlier ones
//! set: that is why they change one value instead of answering independent questions.

use cql::Span;
use cql::relation::{Operator, Relation, RelationKind};

use super::relation::{ConvertedRelation, convert};
use super::restriction::Restriction;
use super::{
    Filters, IndexRegistry, PartitionRestrictions, RestrictionSet, Restrictions, StatementType,
    WhereClause, clustering, custom, nearest, relation_text,
};
use crate::bind::context::Context;
use crate::catalog::{ColumnKind, Table};
use crate::refusal::{RestrictionReason, refuse};
use crate::{Refusal, Result};

/// Analyses a WHERE clause; fails with the error that the server would return.
pub fn analyse(cx: &mut Context<'_>, clause: WhereClause<'_>) -> Result<Restrictions> {
    let mut restrictions = Restrictions {
        statement: clause.statement,
        table: clause.table.clone(),
        partition: PartitionRestrictions::default(),
        clustering: RestrictionSet::default(),
        others: RestrictionSet::default(),
        not_null: Vec::new(),
        filters: Filters::default(),
        uses_index: false,
        is_key_range: false,
    };
    if matches!(clause.statement, StatementType::Update | StatementType::Delete) {
        custom::refuse_in_writes(clause.relations)?;
    }
    for relation in clause.relations {
        add_relation(cx, &mut restrictions, clause, relation)?;
    }
    nearest::add_orderings(&mut restrictions, clause.orderings)?;

    let indexed = IndexSupport::find(&restrictions, clause)?;
    process_partition(&mut restrictions, clause, indexed.any, cx.span)?;
    restrictions.filters.partition =
        restrictions.uses_index || restrictions.partition.is_filtering_needed(clause.table);
    refuse_clustering_of_statics(&restrictions, clause)?;
    process_clustering(&mut restrictions, clause, indexed.any, cx.span)?;
    // Within named partitions the slice is cheaper than an index on a clustering column.
    if restrictions.is_key_range && indexed.clustering {
        restrictions.uses_index = true;
    }
    restrictions.filters.clustering = restrictions.uses_index
        || clustering::is_filtering_needed(&restrictions.clustering, clause.table);
    process_others(&mut restrictions, clause, indexed.any)?;
    if restrictions.uses_index && restrictions.is_key_in_relation() {
        let span = clause_span(&restrictions.partition.columns, cx.span);
        return Err(Refusal::new(RestrictionReason::IndexAndIn, span)
            .with_help("run one query for each partition")
            .into());
    }
    Ok(restrictions)
}

/// Whether indexes support any restriction of the clause. The server decides this once for all
/// columns (`any`): one supported restriction makes filtering on the others legal, because they are
/// checked on the rows that the index returns.
struct IndexSupport {
    clustering: bool,
    any: bool,
}

impl IndexSupport {
    fn find(restrictions: &Restrictions, clause: WhereClause<'_>) -> Result<Self> {
        if clause.statement != StatementType::Select || clause.for_view {
            return Ok(Self { clustering: false, any: false });
        }
        custom::check(clause.table, clause.relations)?;
        let registry = IndexRegistry::new(clause.table);
        let clustering = registry.supports_any(&restrictions.clustering)?;
        let any = clustering
            || registry.supports_any(&restrictions.partition.columns)?
            || registry.supports_any(&restrictions.others)?;
        Ok(Self { clustering, any })
    }
}

/// Converts a relation and adds it; refuses operators that the statement does not have.
fn add_relation(
    cx: &mut Context<'_>,
    restrictions: &mut Restrictions,
    clause: WhereClause<'_>,
    relation: &Relation,
) -> Result<()> {
    let is_write = matches!(clause.statement, StatementType::Update | StatementType::Delete);
    match &relation.kind {
        RelationKind::Column(_, operator @ (Operator::Contains | Operator::ContainsKey), _)
            if is_write =>
        {
            return refuse(
                RestrictionReason::Operator {
                    statement: clause.statement.to_string(),
                    operator: operator.text().to_owned(),
                },
                relation.span,
            );
        }
        RelationKind::IsNotNull(_) if !clause.for_view => {
            return refuse(
                RestrictionReason::IsNotNull { relation: relation_text(relation) },
                relation.span,
            );
        }
        _ => {}
    }
    match convert(cx, clause.table, relation)? {
        ConvertedRelation::CustomIndex => Ok(()),
        ConvertedRelation::NotNull(column) => {
            restrictions.not_null.push(column);
            Ok(())
        }
        ConvertedRelation::Token(token) => restrictions.partition.add_token(clause.table, token),
        ConvertedRelation::Columns(restriction) => {
            if restriction.is_like() {
                check_like(clause, &restriction, relation)?;
            }
            add_restriction(restrictions, clause, restriction)
        }
    }
}

fn add_restriction(
    restrictions: &mut Restrictions,
    clause: WhereClause<'_>,
    restriction: Restriction,
) -> Result<()> {
    let table = clause.table;
    match table.columns()[restriction.first_column()].kind {
        ColumnKind::Partition => restrictions.partition.add(table, restriction),
        ColumnKind::Clustering => {
            let indexes =
                (clause.statement == StatementType::Select).then(|| IndexRegistry::new(table));
            let allow_filtering = clause.allow_filtering || clause.for_view;
            clustering::add(
                &mut restrictions.clustering,
                table,
                &restriction,
                indexes,
                allow_filtering,
            )
        }
        ColumnKind::Static | ColumnKind::Regular => restrictions.others.add(table, restriction),
    }
}

/// LIKE is never filtered: it needs an index even with ALLOW FILTERING.
fn check_like(
    clause: WhereClause<'_>,
    restriction: &Restriction,
    relation: &Relation,
) -> Result<()> {
    let is_select = clause.statement == StatementType::Select;
    if is_select && IndexRegistry::new(clause.table).supports(restriction)? {
        return Ok(());
    }
    refuse(RestrictionReason::LikeWithoutIndex { relation: relation_text(relation) }, relation.span)
}

/// Decides which partitions are read. A SELECT without restrictions of the partition key is a scan,
/// which is legal; one that restricts only a part of the key needs filtering, since the token, and
/// with it the partition, is known only for the whole key.
fn process_partition(
    restrictions: &mut Restrictions,
    clause: WhereClause<'_>,
    indexed: bool,
    statement_span: Span,
) -> Result<()> {
    let (table, statement) = (clause.table, clause.statement);
    let partition = &restrictions.partition;
    if statement != StatementType::Select {
        return check_written_partition(partition, clause, statement_span);
    }
    if partition.is_on_token(table) {
        restrictions.is_key_range = true;
    }
    if restrictions.partition.is_empty() {
        restrictions.is_key_range = true;
        restrictions.uses_index = indexed;
    }
    if restrictions.partition.is_filtering_needed(table) {
        let is_required = restrictions.is_allow_filtering_required();
        if !clause.allow_filtering && !clause.for_view && !indexed && is_required {
            let span = clause_span(&restrictions.partition.columns, statement_span);
            return Err(Refusal::new(RestrictionReason::NeedsFiltering, span)
                .with_help(missing_key_help(table, &restrictions.partition))
                .into());
        }
        restrictions.is_key_range = true;
        restrictions.uses_index = indexed;
    }
    Ok(())
}

/// A write names its partitions: every column of the partition key by `=` or IN.
fn check_written_partition(
    partition: &PartitionRestrictions,
    clause: WhereClause<'_>,
    statement_span: Span,
) -> Result<()> {
    let (table, statement) = (clause.table, clause.statement);
    if partition.is_on_token(table) {
        let span = partition.token.as_ref().map_or(statement_span, |token| token.span);
        return Err(Refusal::new(
            RestrictionReason::TokenInWrite { statement: statement.to_string() },
            span,
        )
        .with_help("restrict the partition key with = or IN; token ranges are for SELECT only")
        .into());
    }
    if partition.has_unrestricted_columns(table) {
        let missing = missing_names(table, 0..table.partition_key().len(), &partition.columns);
        return refuse(RestrictionReason::MissingPartitionKey { columns: missing }, statement_span);
    }
    if partition.has_slice() {
        return refuse(
            RestrictionReason::PartitionKeyRelation { statement: statement.to_string() },
            clause_span(&partition.columns, statement_span),
        );
    }
    Ok(())
}

/// Refuses restrictions of clustering columns where only static columns are selected or written. An
/// INSERT may name them: it then writes the row as well.
fn refuse_clustering_of_statics(
    restrictions: &Restrictions,
    clause: WhereClause<'_>,
) -> Result<()> {
    let Some(first) = restrictions.clustering.restrictions.first().filter(|_| clause.only_statics)
    else {
        return Ok(());
    };
    let reason = match clause.statement {
        StatementType::Insert => return Ok(()),
        StatementType::Select => RestrictionReason::ClusteringOfStatics,
        statement => {
            RestrictionReason::ClusteringInStaticWrite { statement: statement.to_string() }
        }
    };
    refuse(reason, first.span)
}

/// Checks the clustering columns. An INSERT or UPDATE names whole rows (in a table with COMPACT
/// STORAGE, a prefix of the key is enough); a SELECT or DELETE may name a slice, which is `=` or IN
/// on a prefix of the columns and a range on the next one. Everything beyond the slice is filtered.
fn process_clustering(
    restrictions: &mut Restrictions,
    clause: WhereClause<'_>,
    indexed: bool,
    statement_span: Span,
) -> Result<()> {
    let (table, statement) = (clause.table, clause.statement);
    let set = &restrictions.clustering;
    let span = clause_span(set, statement_span);
    if matches!(statement, StatementType::Insert | StatementType::Update) {
        if set.has_slice() {
            return refuse(
                RestrictionReason::SliceInWrite { statement: statement.to_string() },
                span,
            );
        }
        if !table.is_compact() || set.is_empty() {
            return check_written_clustering(set, clause, statement_span);
        }
    }
    let allow_filtering = clause.allow_filtering || clause.for_view;
    if set.has_contains() && !indexed && !allow_filtering {
        return refuse(RestrictionReason::ContainsOnClustering, span);
    }
    if clustering::is_filtering_needed(set, table) {
        // The server sets this for views too, where no index is looked up.
        if indexed || clause.for_view {
            restrictions.uses_index = true;
        } else if !allow_filtering {
            check_prefix(table, set, span)?;
        }
    }
    Ok(())
}

/// A write names all clustering columns, unless it writes static columns only.
fn check_written_clustering(
    set: &RestrictionSet,
    clause: WhereClause<'_>,
    span: Span,
) -> Result<()> {
    let table = clause.table;
    if clause.only_statics || set.column_count() == table.clustering().len() {
        return Ok(());
    }
    let start = table.partition_key().len();
    let missing = missing_names(table, start..start + table.clustering().len(), set);
    refuse(RestrictionReason::MissingClustering { columns: missing }, span)
}

/// Refuses a gap: the restricted clustering columns must be the first ones. Rows are sorted by the
/// columns in key order, so a column after a gap selects rows all over the partition.
fn check_prefix(table: &Table, set: &RestrictionSet, span: Span) -> Result<()> {
    let start = table.partition_key().len();
    for (expected, column) in (start..).zip(set.columns()) {
        if expected != column {
            let span = set.restriction_on(column).map_or(span, |restriction| restriction.span);
            return refuse(
                RestrictionReason::Gap {
                    column: table.columns()[column].name.to_string(),
                    preceding: table.columns()[expected].name.to_string(),
                },
                span,
            );
        }
    }
    Ok(())
}

/// Checks static and regular columns. Nothing is sorted or located by them, so they need an index
/// or filtering, and a write cannot have them in WHERE at all.
fn process_others(
    restrictions: &mut Restrictions,
    clause: WhereClause<'_>,
    indexed: bool,
) -> Result<()> {
    let Some(first) = restrictions.others.restrictions.first() else { return Ok(()) };
    let span = first.span;
    if clause.statement != StatementType::Select {
        let names: Vec<&str> = restrictions
            .others
            .columns()
            .map(|column| &*clause.table.columns()[column].name)
            .collect();
        // The trailing space is the server's.
        return Err(Refusal::new(
            RestrictionReason::OtherColumns { columns: names.join(", ") },
            span,
        )
        .with_help("move conditions on other columns to the IF clause")
        .into());
    }
    nearest::check(restrictions)?;
    if indexed {
        restrictions.uses_index = true;
    } else if !(clause.allow_filtering || clause.for_view)
        && restrictions.is_allow_filtering_required()
    {
        return Err(filtering_refusal(restrictions, span).into());
    }
    restrictions.filters.others = true;
    Ok(())
}

/// The refusal of a query that needs filtering. If all other columns are indexed and one has an IN,
/// the server's text names the IN: no index supports it.
pub(crate) fn filtering_refusal(restrictions: &Restrictions, span: Span) -> Refusal {
    let table = &restrictions.table;
    let others = &restrictions.others.restrictions;
    let is_indexed = |column: &usize| {
        let column = table.columns().get(*column);
        column.is_some_and(|column| table.indexes.iter().any(|index| index.column == column.name))
    };
    match others.iter().find(|restriction| restriction.is_in()) {
        Some(list)
            if others.iter().flat_map(|restriction| &restriction.columns).all(is_indexed) =>
        {
            Refusal::new(RestrictionReason::ListNeedsFiltering, list.span)
        }
        _ => Refusal::new(RestrictionReason::NeedsFiltering, span),
    }
}

fn missing_names(table: &Table, columns: std::ops::Range<usize>, set: &RestrictionSet) -> String {
    let missing = columns.filter(|column| set.restriction_on(*column).is_none());
    missing.map(|column| &*table.columns()[column].name).collect::<Vec<_>>().join(", ")
}

fn missing_key_help(table: &Table, partition: &PartitionRestrictions) -> String {
    let missing = missing_names(table, 0..table.partition_key().len(), &partition.columns);
    if missing.is_empty() {
        "restrict every partition key column with = or IN, or use token() for ranges".to_owned()
    } else {
        format!("restrict {missing} as well: the whole partition key is needed to locate the rows")
    }
}

/// The text of all restrictions of a set, or `default` if there are none.
fn clause_span(set: &RestrictionSet, default: Span) -> Span {
    set.restrictions
        .iter()
        .map(|restriction| restriction.span)
        .reduce(Span::union)
        .unwrap_or(default)
}
