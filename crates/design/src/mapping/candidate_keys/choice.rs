//! One choice of a key: where each term is placed, and what is left to the client.

use model::dependency::Determinant;
use model::id::ParameterId;
use model::workload::{Column, Condition, Predicate, Read, Value};

use super::super::read_shape::ReadShape;
use super::key_terms::{KeyTerm, KeyTerms, TermValue};

/// With more terms than this, the later ones stay where the rules place them.
const TERMS_MAX: usize = 5;

/// Where a term is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Placement {
    /// Only rows with that constant are stored.
    Stored,
    Partition,
    Clustering,
    Client,
}

/// What of the remaining clustering is left to the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ClientShare {
    Nothing,
    /// The client merges the rows of the values of a list that the result is ordered by: each value
    /// has its own partition.
    Lists,
    /// The client sorts.
    Order,
    /// The client filters.
    Range,
    /// The client does all of it.
    Everything,
}

/// One choice of a key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct KeyChoice {
    /// The placement of each term.
    placements: Vec<Placement>,
    client_share: ClientShare,
}

/// All choices for a read, the most promising first: those few steps from the rules, among these
/// those whose partition key is given by another read as well.
pub(super) fn key_choices(shape: &ReadShape<'_>, key_terms: &KeyTerms) -> Vec<KeyChoice> {
    let mut all = vec![Vec::new()];
    for (at, term) in key_terms.terms.iter().enumerate() {
        let possible = if at < TERMS_MAX {
            possible_placements(term)
        } else {
            &possible_placements(term)[..1]
        };
        all = all
            .into_iter()
            .flat_map(|before| {
                possible.iter().map(move |place| [before.as_slice(), &[*place]].concat())
            })
            .collect();
    }
    let has_order = shape.read.order.iter().any(|order| !shape.is_given(order.column));
    let has_clustering = has_order || !key_terms.ranges.is_empty() || !shape.read.group.is_empty();
    let mut shares = vec![ClientShare::Nothing];
    if shape.read.order.iter().any(|order| is_list(shape.read, order.column)) {
        shares.push(ClientShare::Lists);
    }
    if has_order && !key_terms.ranges.is_empty() {
        shares.extend([ClientShare::Order, ClientShare::Range]);
    }
    if has_clustering || shape.extreme().is_some() {
        shares.push(ClientShare::Everything);
    }
    let choices = all.into_iter().flat_map(|placements| {
        shares
            .iter()
            .map(move |share| KeyChoice { placements: placements.clone(), client_share: *share })
    });
    let mut choices: Vec<KeyChoice> =
        choices.filter(|choice| choice.is_worth_trying(key_terms)).collect();
    choices.sort_by_cached_key(|choice| (choice.distance(key_terms), !choice.is_shared(key_terms)));
    choices
}

/// The possible placements of a term, that of the rules first.
const fn possible_placements(term: &KeyTerm) -> &'static [Placement] {
    use Placement::{Client, Clustering, Partition, Stored};
    match (term.is_constant(), term.in_keys, term.is_tenant) {
        (_, _, true) => &[Partition],
        (false, _, false) => &[Partition, Clustering, Client],
        (true, true, false) => &[Stored, Client, Partition, Clustering],
        (true, false, false) => &[Stored, Client],
    }
}

impl KeyChoice {
    /// The distance from the choice of the rules. Any number of leading clustering columns is one
    /// step.
    fn distance(&self, key_terms: &KeyTerms) -> usize {
        let is_clustered = self.placements.contains(&Placement::Clustering);
        let moved = self.term_placements(key_terms).filter(|(term, place)| match place {
            Placement::Client => true,
            Placement::Partition => term.is_constant(),
            Placement::Stored | Placement::Clustering => false,
        });
        usize::from(is_clustered)
            + moved.count()
            + usize::from(self.client_share != ClientShare::Nothing)
    }

    /// Whether it has a partition key that is either all that is given or of use to another
    /// statement. Otherwise larger partitions would serve the same read, and only headers of
    /// partitions and wrong estimates would speak for them.
    fn is_worth_trying(&self, key_terms: &KeyTerms) -> bool {
        let outside = self.term_placements(key_terms).filter(|(term, place)| {
            term.value == TermValue::Parameter && **place != Placement::Partition
        });
        self.has_partition_key(key_terms) && (outside.count() == 0 || self.is_shared(key_terms))
    }

    /// Whether something is in the partition key, if anything is given.
    fn has_partition_key(&self, key_terms: &KeyTerms) -> bool {
        let mut given =
            self.term_placements(key_terms).filter(|(term, _)| !term.is_constant()).peekable();
        given.peek().is_none() || given.any(|(_, place)| *place == Placement::Partition)
    }

    /// Whether another statement finds its rows by the same partition key: it is given nothing else,
    /// or nothing that this read is given precedes in the clustering what else it is given.
    fn is_shared(&self, key_terms: &KeyTerms) -> bool {
        let placed = |wanted: Placement| {
            let terms = self.term_placements(key_terms).filter(move |(_, place)| **place == wanted);
            terms.map(|(term, _)| term).collect::<Vec<_>>()
        };
        let is_clustered = !placed(Placement::Clustering).is_empty();
        key_terms.is_given_elsewhere(&placed(Placement::Partition), is_clustered)
    }

    fn term_placements<'a>(
        &'a self,
        key_terms: &'a KeyTerms,
    ) -> impl Iterator<Item = (&'a KeyTerm, &'a Placement)> {
        key_terms.terms.iter().zip(&self.placements)
    }

    /// Whether the key serves all conditions.
    pub(super) fn is_exact(&self) -> bool {
        self.client_share == ClientShare::Nothing && !self.placements.contains(&Placement::Client)
    }

    /// Whether the client reads rows that it would not read by the rules.
    pub(super) fn is_filtered_by_client(&self) -> bool {
        self.client_share == ClientShare::Everything || self.placements.contains(&Placement::Client)
    }

    /// The leading clustering columns, in the order in which they are declared.
    pub(super) fn first_clustering(&self, key_terms: &KeyTerms) -> Vec<Determinant> {
        self.clustering_orders(key_terms).into_iter().next().unwrap_or_default()
    }

    /// The possible orders of the leading clustering columns.
    pub(super) fn clustering_orders(&self, key_terms: &KeyTerms) -> Vec<Vec<Determinant>> {
        let terms =
            self.term_placements(key_terms).filter(|(_, place)| **place == Placement::Clustering);
        let declared: Vec<Determinant> = terms.map(|(term, _)| term.known).collect();
        let shared = key_terms.sort_by_sharing(&declared);
        if shared == declared { vec![declared] } else { vec![declared, shared] }
    }

    /// The part of a read that the key serves; the rest is left to the client.
    pub(super) fn to_read(&self, read: &Read, key_terms: &KeyTerms) -> Read {
        let mut served = read.clone();
        let conditions = read.conditions.iter().enumerate();
        served.conditions = conditions
            .filter_map(|(at, condition)| self.rewrite_condition(at, condition, key_terms))
            .collect();
        match self.client_share {
            ClientShare::Lists => served.order.retain(|order| !is_list(read, order.column)),
            ClientShare::Order | ClientShare::Everything => served.order.clear(),
            ClientShare::Nothing | ClientShare::Range => {}
        }
        if self.client_share == ClientShare::Everything {
            served.group.clear();
            served.outputs.retain(|output| {
                use model::workload::OutputValue::{Greatest, Least};
                !matches!(output.value, Least(_) | Greatest(_))
            });
        }
        served
    }

    /// The condition as the key serves it; `None` if it is left to the client.
    fn rewrite_condition(
        &self,
        at: usize,
        condition: &Condition,
        key_terms: &KeyTerms,
    ) -> Option<Condition> {
        if key_terms.ranges.contains(&at)
            && matches!(self.client_share, ClientShare::Range | ClientShare::Everything)
        {
            return None;
        }
        let term = self.term_placements(key_terms).find(|(term, _)| term.conditions.contains(&at));
        match term {
            Some((_, Placement::Client)) => None,
            Some((term, Placement::Partition | Placement::Clustering)) if term.is_constant() => {
                Some(Condition {
                    predicate: as_parameter(&condition.predicate),
                    ..condition.clone()
                })
            }
            _ => Some(condition.clone()),
        }
    }
}

/// Whether a column is compared with a list of values.
fn is_list(read: &Read, of: Column) -> bool {
    read.conditions.iter().any(|condition| match &condition.predicate {
        Predicate::In { column, .. } | Predicate::AnyOf { column, .. } => *column == of,
        _ => false,
    })
}

/// A condition on a constant as if it were a parameter.
fn as_parameter(predicate: &Predicate) -> Predicate {
    let mut predicate = predicate.clone();
    match &mut predicate {
        Predicate::Compare { value, .. } => *value = Value::Parameter(ParameterId::new(0)),
        Predicate::In { values, .. } => values.fill(Value::Parameter(ParameterId::new(0))),
        _ => {}
    }
    predicate
}
