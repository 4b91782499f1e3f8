//! One choice of a key: where each term is placed, and what is left to the client.

use model::dependency::Determinant;
use model::id::ParameterId;
use model::workload::{Condition, Predicate, Read, Value};

use super::super::read_shape::ReadShape;
use super::key_terms::{KeyTerm, KeyTerms};

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
    places: Vec<Placement>,
    left: ClientShare,
}

/// All choices for a read, the most promising first: those few steps from the rules, among these
/// those whose partition key is given by another read as well.
pub(super) fn key_choices(shape: &ReadShape<'_>, places: &KeyTerms) -> Vec<KeyChoice> {
    let mut all = vec![Vec::new()];
    for (at, term) in places.terms.iter().enumerate() {
        let open = if at < TERMS_MAX { placements(term) } else { &placements(term)[..1] };
        all = all
            .into_iter()
            .flat_map(|before| {
                open.iter().map(move |place| [before.as_slice(), &[*place]].concat())
            })
            .collect();
    }
    let ordered = shape.read.order.iter().any(|order| !shape.is_given(order.column));
    let clusters = ordered || !places.ranges.is_empty() || !shape.read.group.is_empty();
    let mut lefts = vec![ClientShare::Nothing];
    if ordered && !places.ranges.is_empty() {
        lefts.extend([ClientShare::Order, ClientShare::Range]);
    }
    if clusters || shape.extreme().is_some() {
        lefts.push(ClientShare::Everything);
    }
    let choices = all.into_iter().flat_map(|places| {
        lefts.iter().map(move |left| KeyChoice { places: places.clone(), left: *left })
    });
    let mut choices: Vec<KeyChoice> =
        choices.filter(|choice| choice.has_partition_key(places)).collect();
    choices.sort_by_cached_key(|choice| (choice.distance(places), !choice.is_shared(places)));
    choices
}

/// The possible placements of a term, that of the rules first.
const fn placements(term: &KeyTerm) -> &'static [Placement] {
    use Placement::{Client, Clustering, Partition, Stored};
    match (term.constant, term.in_keys, term.is_tenant) {
        (_, _, true) => &[Partition],
        (false, _, false) => &[Partition, Clustering, Client],
        (true, true, false) => &[Stored, Client, Partition, Clustering],
        (true, false, false) => &[Stored, Client],
    }
}

impl KeyChoice {
    /// The distance from the choice of the rules. Any number of leading clustering columns is one
    /// step.
    fn distance(&self, places: &KeyTerms) -> usize {
        let clustered = self.places.contains(&Placement::Clustering);
        let moved = self.term_placements(places).filter(|(term, place)| match place {
            Placement::Client => true,
            Placement::Partition => term.constant,
            Placement::Stored | Placement::Clustering => false,
        });
        usize::from(clustered) + moved.count() + usize::from(self.left != ClientShare::Nothing)
    }

    /// Whether something is in the partition key, if anything is given.
    fn has_partition_key(&self, places: &KeyTerms) -> bool {
        let mut given = self.term_placements(places).filter(|(term, _)| !term.constant).peekable();
        given.peek().is_none() || given.any(|(_, place)| *place == Placement::Partition)
    }

    fn is_shared(&self, places: &KeyTerms) -> bool {
        let partition =
            self.term_placements(places).filter(|(_, place)| **place == Placement::Partition);
        places.is_given_elsewhere(&partition.map(|(term, _)| term).collect::<Vec<_>>())
    }

    fn term_placements<'a>(
        &'a self,
        places: &'a KeyTerms,
    ) -> impl Iterator<Item = (&'a KeyTerm, &'a Placement)> {
        places.terms.iter().zip(&self.places)
    }

    /// Whether the key serves all conditions.
    pub(super) fn is_exact(&self) -> bool {
        self.left == ClientShare::Nothing && !self.places.contains(&Placement::Client)
    }

    /// Whether the client reads rows that it would not read by the rules.
    pub(super) fn is_filtered_by_client(&self) -> bool {
        self.left == ClientShare::Everything || self.places.contains(&Placement::Client)
    }

    /// The possible orders of the leading clustering columns.
    pub(super) fn clustering_orders(&self, places: &KeyTerms) -> Vec<Vec<Determinant>> {
        let terms =
            self.term_placements(places).filter(|(_, place)| **place == Placement::Clustering);
        let declared: Vec<Determinant> = terms.map(|(term, _)| term.known).collect();
        let shared = places.sort_by_sharing(&declared);
        if shared == declared { vec![declared] } else { vec![declared, shared] }
    }

    /// A read for exactly what the key does.
    pub(super) fn to_read(&self, read: &Read, places: &KeyTerms) -> Read {
        let mut asks = read.clone();
        let conditions = read.conditions.iter().enumerate();
        asks.conditions =
            conditions.filter_map(|(at, one)| self.rewrite_condition(at, one, places)).collect();
        if matches!(self.left, ClientShare::Order | ClientShare::Everything) {
            asks.order.clear();
        }
        if self.left == ClientShare::Everything {
            asks.group.clear();
            asks.outputs.retain(|output| {
                use model::workload::OutputValue::{Greatest, Least};
                !matches!(output.value, Least(_) | Greatest(_))
            });
        }
        asks
    }

    /// What becomes of a condition.
    fn rewrite_condition(
        &self,
        at: usize,
        condition: &Condition,
        places: &KeyTerms,
    ) -> Option<Condition> {
        if places.ranges.contains(&at)
            && matches!(self.left, ClientShare::Range | ClientShare::Everything)
        {
            return None;
        }
        let term = self.term_placements(places).find(|(term, _)| term.conditions.contains(&at));
        match term {
            Some((_, Placement::Client)) => None,
            Some((term, Placement::Partition | Placement::Clustering)) if term.constant => {
                Some(Condition {
                    predicate: as_parameter(&condition.predicate),
                    ..condition.clone()
                })
            }
            _ => Some(condition.clone()),
        }
    }
}

/// A condition on a constant as if it were a parameter.
fn as_parameter(test: &Predicate) -> Predicate {
    let mut test = test.clone();
    match &mut test {
        Predicate::Compare { value, .. } => *value = Value::Parameter(ParameterId::new(0)),
        Predicate::In { values, .. } => values.fill(Value::Parameter(ParameterId::new(0))),
        _ => {}
    }
    test
}
