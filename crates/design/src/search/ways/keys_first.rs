//! Ways that first find keys of a joined entity by its own conditions, then read the rows that
//! refer to each of them (a semi-join performed by the client).

use model::figures;
use model::id::{AttributeId, IdList, SourceId};
use model::plan::ReadPart;
use model::workload::{Column, Comparison, Condition, Output, OutputValue, Predicate, Read, Value};

use super::candidate_ways::WayCandidate;
use super::fit::{hops, makers};
use super::lookups::reachable_sources;
use super::synthetic::{self, SubJoin};
use super::{FurtherRead, ReadWay};
use crate::read_plan::price;
use crate::{Context, mapping, read_plan, volume};

/// A reference along which a read is split into two.
struct JoinCut<'a> {
    context: Context<'a>,
    read: &'a Read,
    /// The source that makes the rows.
    maker: SourceId,
    /// The entity whose keys are found.
    target: SourceId,
    /// That source, and all that its row refers to.
    found: Vec<SourceId>,
    /// The referring columns, each with the key column that it equals.
    pairs: Vec<(Column, Column)>,
}

/// The ways of a read that find keys first.
pub(super) fn find_ways(context: Context<'_>, read: &Read) -> Vec<WayCandidate> {
    cuts(context, read).iter().filter_map(JoinCut::way).collect()
}

/// All references along which a read can be split.
fn cuts<'a>(context: Context<'a>, read: &'a Read) -> Vec<JoinCut<'a>> {
    let [maker] = makers(&read.sources)[..] else { return Vec::new() };
    let shows = read.outputs.iter().any(|output| output.value == OutputValue::Exists);
    if !(read.group.is_empty() || shows) {
        return Vec::new();
    }
    let mut cuts = Vec::new();
    for from in read.sources.ids() {
        let entity =
            read.sources.member(from).and_then(|of| context.concept.entities.member(of.entity));
        for hop in hops(&read.sources, from).into_iter().filter(|hop| hop.to_one) {
            let reference = entity.and_then(|entity| entity.references.member(hop.reference));
            let Some(reference) = reference else { continue };
            let attributes = reference.attributes.iter().zip(&reference.target_attributes);
            let pairs = attributes.map(|(mine, theirs)| {
                let column =
                    |source, attribute: &AttributeId| Column { source, attribute: *attribute };
                (column(from, mine), column(hop.to, theirs))
            });
            let pairs = pairs.collect();
            let (target, found) = (hop.to, reachable_sources(read, hop.to));
            cuts.push(JoinCut { context, read, maker, target, found, pairs });
        }
    }
    cuts
}

impl JoinCut<'_> {
    /// The way, if a value is given by which the keys can be found.
    fn way(&self) -> Option<WayCandidate> {
        let (moved, kept) = self.conditions();
        let given = moved.iter().any(|condition| match &condition.predicate {
            Predicate::Compare { comparison: Comparison::Equal, value, .. } => is_parameter(value),
            Predicate::In { values, .. } => values.iter().any(is_parameter),
            Predicate::AnyOf { .. } | Predicate::Holds { .. } => true,
            _ => false,
        });
        if !given || kept.iter().any(|condition| self.is_key_given(&condition.predicate)) {
            return None;
        }
        let keys = self.keys(&moved)?;
        let rows = self.rows(&kept)?;
        let times = self.keys_found(&keys.read)?;
        let name = |source: SourceId| {
            let entity = self.read.sources.member(source)?.entity;
            Some(self.context.concept.entities.member(entity)?.name.as_str())
        };
        let words = format!(
            "keys of {} first, then {} of {}",
            name(self.target)?,
            figures::pluralise(times.max(1.0).round(), "read"),
            name(self.maker)?
        );
        let scan = times > self.context.options.limits.fan_out_scan;
        let further = vec![keys, FurtherRead { times, ..rows }];
        Some(WayCandidate { way: ReadWay { main: None, further, words }, scan, long_walk: false })
    }

    /// Whether a condition gives a column of the keys: what is given need not be found.
    fn is_key_given(&self, predicate: &Predicate) -> bool {
        match predicate {
            Predicate::Compare { column, comparison: Comparison::Equal, .. }
            | Predicate::In { column, .. }
            | Predicate::AnyOf { column, .. } => self.pairs.iter().any(|(own, _)| own == column),
            _ => false,
        }
    }

    /// The conditions that find the keys, and all others, in which columns of the key are replaced
    /// by the referring columns.
    fn conditions(&self) -> (Vec<Condition>, Vec<Condition>) {
        let mut moved = Vec::new();
        let mut kept = Vec::new();
        for condition in &self.read.conditions {
            let columns = condition.predicate.columns();
            let referring =
                condition.predicate.map_columns(|column| Some(self.reference_column(column)));
            let test = referring.unwrap_or_else(|| condition.predicate.clone());
            if test.columns().iter().any(|column| !self.found.contains(&column.source)) {
                kept.push(Condition { predicate: test, span: condition.span });
            } else if columns.iter().all(|column| self.found.contains(&column.source)) {
                moved.push(condition.clone());
            }
        }
        (moved, kept)
    }

    /// The referring column of a key column; any other column unchanged.
    fn reference_column(&self, column: Column) -> Column {
        let pair = self.pairs.iter().find(|(_, found)| *found == column);
        pair.map_or(column, |(referring, _)| *referring)
    }

    /// The read that finds the keys.
    fn keys(&self, conditions: &[Condition]) -> Option<FurtherRead> {
        let read = self.read;
        let excerpt = SubJoin::from_root(read, self.target, &self.found)?;
        let shown = read.outputs.iter().filter_map(|output| match output.value {
            OutputValue::Column(column) => Some(column),
            _ => None,
        });
        let sorted = read.order.iter().map(|ordering| ordering.column);
        let within = shown.chain(sorted).filter(|column| self.found.contains(&column.source));
        let columns = self.pairs.iter().map(|(_, key)| *key).chain(within);
        let mut keys = synthetic::build_read(self.context, read, &excerpt, columns);
        for condition in conditions {
            let test = condition.predicate.map_columns(|column| excerpt.column(column))?;
            keys.conditions.push(Condition { predicate: test, span: condition.span });
        }
        keys.parameters.clone_from(&read.parameters);
        Some(FurtherRead { read: keys, sources: excerpt.of, times: 1.0, part: ReadPart::Keys })
    }

    /// The read of the rows that refer to one key; `None` when an aggregate is over other columns.
    fn rows(&self, conditions: &[Condition]) -> Option<FurtherRead> {
        let read = self.read;
        let rest: Vec<SourceId> =
            read.sources.ids().filter(|at| !self.found.contains(at)).collect();
        let excerpt = SubJoin::from_root(read, self.maker, &rest)?;
        let mut rows = synthetic::build_read(self.context, read, &excerpt, []);
        rows.outputs = self.outputs(&excerpt)?;
        for condition in conditions {
            let test = condition.predicate.map_columns(|column| excerpt.column(column))?;
            rows.conditions.push(Condition { predicate: test, span: condition.span });
        }
        rows.parameters.clone_from(&read.parameters);
        for (column, _) in &self.pairs {
            synthetic::add_key_parameter(self.context, &mut rows, excerpt.column(*column)?);
        }
        rows.order.clone_from(&read.order);
        rows.order.retain_mut(|ordering| {
            let column = excerpt.column(self.reference_column(ordering.column));
            column.map(|column| ordering.column = column).is_some()
        });
        rows.limit = read.limit;
        Some(FurtherRead { read: rows, sources: excerpt.of, times: 1.0, part: ReadPart::Rows })
    }

    /// The outputs that come from the rows themselves.
    fn outputs(&self, excerpt: &SubJoin) -> Option<Vec<Output>> {
        let mut outputs = Vec::new();
        for output in &self.read.outputs {
            let column = |column: Column| excerpt.column(self.reference_column(column));
            let value = match output.value {
                OutputValue::Column(of) => match column(of) {
                    Some(of) => OutputValue::Column(of),
                    // It is returned with the key.
                    None => continue,
                },
                OutputValue::Count(None) => OutputValue::Count(None),
                OutputValue::Count(Some(of)) => OutputValue::Count(Some(column(of)?)),
                OutputValue::Sum(of) => OutputValue::Sum(column(of)?),
                OutputValue::Average(of) => OutputValue::Average(column(of)?),
                OutputValue::Least(of) => OutputValue::Least(column(of)?),
                OutputValue::Greatest(of) => OutputValue::Greatest(column(of)?),
                OutputValue::Exists => OutputValue::Exists,
            };
            outputs.push(Output { name: output.name.clone(), value });
        }
        if outputs.is_empty() {
            let key = self.pairs.iter().map(|(referring, _)| *referring);
            outputs = synthetic::build_read(self.context, self.read, excerpt, key).outputs;
        }
        Some(outputs)
    }

    /// The expected number of keys found.
    fn keys_found(&self, keys: &Read) -> Option<f64> {
        let tables = mapping::tables_for(self.context, keys, None, &mut Vec::new()).ok()?;
        let mut table = tables.into_iter().next()?;
        table.volume = volume::estimate_volume(self.context, &table);
        let sources: Vec<_> = keys.sources.ids().map(Some).collect();
        "keys".clone_into(&mut table.name);
        let plan = read_plan::plan_on_candidate(self.context, &[table], keys, &sources);
        Some(price::rows_returned(self.context, keys, &plan))
    }
}

fn is_parameter(value: &Value) -> bool {
    matches!(value, Value::Parameter(_))
}
