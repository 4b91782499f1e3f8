//! One choice of a key: where everything given has its place, and what is left to the client.

use model::dependency::Known;
use model::id::ParameterId;
use model::workload::{Condition, Read, Test, Value};

use super::super::asked::Asked;
use super::places::{Places, Thing};

/// Of more things than this, the later ones stay where the rules have them.
const MOST_THINGS: usize = 5;

/// Where a thing has its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// Only rows with that constant are stored.
    Stored,
    Partition,
    Clustering,
    Client,
}

/// What of the clustering after the things given is left to the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Left {
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
pub(super) struct Choice {
    places: Vec<Place>,
    left: Left,
}

/// All choices for a read, the most promising first: those that are few steps from what the rules give, among these those
/// whose partitions are what another read is given.
pub(super) fn choices(asked: &Asked<'_>, places: &Places) -> Vec<Choice> {
    let mut all = vec![Vec::new()];
    for (at, thing) in places.things.iter().enumerate() {
        let open = if at < MOST_THINGS { open_to(thing) } else { &open_to(thing)[..1] };
        all = all
            .into_iter()
            .flat_map(|before| {
                open.iter().map(move |place| [before.as_slice(), &[*place]].concat())
            })
            .collect();
    }
    let ordered = asked.read.order.iter().any(|order| !asked.is_given(order.column));
    let clusters = ordered || !places.ranges.is_empty() || !asked.read.group.is_empty();
    let mut lefts = vec![Left::Nothing];
    if ordered && !places.ranges.is_empty() {
        lefts.extend([Left::Order, Left::Range]);
    }
    if clusters || asked.extreme().is_some() {
        lefts.push(Left::Everything);
    }
    let choices = all.into_iter().flat_map(|places| {
        lefts.iter().map(move |left| Choice { places: places.clone(), left: *left })
    });
    let mut choices: Vec<Choice> =
        choices.filter(|choice| choice.names_a_partition(places)).collect();
    choices.sort_by_cached_key(|choice| (choice.steps(places), !choice.suits_another(places)));
    choices
}

/// The places that a thing may have, that of the rules first.
const fn open_to(thing: &Thing) -> &'static [Place] {
    use Place::{Client, Clustering, Partition, Stored};
    match (thing.constant, thing.in_keys, thing.is_tenant) {
        (_, _, true) => &[Partition],
        (false, _, false) => &[Partition, Clustering, Client],
        (true, true, false) => &[Stored, Client, Partition, Clustering],
        (true, false, false) => &[Stored, Client],
    }
}

impl Choice {
    /// How far it is from what the rules give. However many things cluster, it is one step.
    fn steps(&self, places: &Places) -> usize {
        let clustered = self.places.contains(&Place::Clustering);
        let moved = self.of_things(places).filter(|(thing, place)| match place {
            Place::Client => true,
            Place::Partition => thing.constant,
            Place::Stored | Place::Clustering => false,
        });
        usize::from(clustered) + moved.count() + usize::from(self.left != Left::Nothing)
    }

    /// Whether something names the partition, if anything is given.
    fn names_a_partition(&self, places: &Places) -> bool {
        let mut given = self.of_things(places).filter(|(thing, _)| !thing.constant).peekable();
        given.peek().is_none() || given.any(|(_, place)| *place == Place::Partition)
    }

    fn suits_another(&self, places: &Places) -> bool {
        let partition = self.of_things(places).filter(|(_, place)| **place == Place::Partition);
        places.are_given_elsewhere(&partition.map(|(thing, _)| thing).collect::<Vec<_>>())
    }

    fn of_things<'a>(&'a self, places: &'a Places) -> impl Iterator<Item = (&'a Thing, &'a Place)> {
        places.things.iter().zip(&self.places)
    }

    /// Whether the key does all that the conditions ask.
    pub(super) fn is_exact(&self) -> bool {
        self.left == Left::Nothing && !self.places.contains(&Place::Client)
    }

    /// Whether the client reads rows that the rules would not have it read.
    pub(super) fn drops_rows(&self) -> bool {
        self.left == Left::Everything || self.places.contains(&Place::Client)
    }

    /// The things that cluster before everything else, in the orders that they may have.
    pub(super) fn clustered(&self, places: &Places) -> Vec<Vec<Known>> {
        let things = self.of_things(places).filter(|(_, place)| **place == Place::Clustering);
        let declared: Vec<Known> = things.map(|(thing, _)| thing.known).collect();
        let shared = places.most_shared(&declared);
        if shared == declared { vec![declared] } else { vec![declared, shared] }
    }

    /// A read that asks for just what the key does.
    pub(super) fn read(&self, read: &Read, places: &Places) -> Read {
        let mut asks = read.clone();
        let conditions = read.conditions.iter().enumerate();
        asks.conditions =
            conditions.filter_map(|(at, one)| self.condition(at, one, places)).collect();
        if matches!(self.left, Left::Order | Left::Everything) {
            asks.order.clear();
        }
        if self.left == Left::Everything {
            asks.group.clear();
            asks.outputs.retain(|output| {
                use model::workload::OutputValue::{Greatest, Least};
                !matches!(output.value, Least(_) | Greatest(_))
            });
        }
        asks
    }

    /// What becomes of a condition.
    fn condition(&self, at: usize, condition: &Condition, places: &Places) -> Option<Condition> {
        if places.ranges.contains(&at) && matches!(self.left, Left::Range | Left::Everything) {
            return None;
        }
        let thing = self.of_things(places).find(|(thing, _)| thing.conditions.contains(&at));
        match thing {
            Some((_, Place::Client)) => None,
            Some((thing, Place::Partition | Place::Clustering)) if thing.constant => {
                Some(Condition { test: as_given(&condition.test), ..condition.clone() })
            }
            _ => Some(condition.clone()),
        }
    }
}

/// A condition on a constant as if a parameter stood there.
fn as_given(test: &Test) -> Test {
    let mut test = test.clone();
    match &mut test {
        Test::Compare { value, .. } => *value = Value::Parameter(ParameterId::new(0)),
        Test::In { values, .. } => values.fill(Value::Parameter(ParameterId::new(0))),
        _ => {}
    }
    test
}
