//! The types of the markers of statements, as the server would tell them when it prepares.

use std::collections::BTreeMap;
use std::rc::Rc;

use cql::types::Type;
use schema::session::{Accepted, Mode};

use crate::server::Failure;

/// The types of markers, by statement.
#[derive(Debug)]
pub(crate) struct Markers {
    session: schema::Session,
    known: BTreeMap<String, Rc<[Type]>>,
}

impl Markers {
    /// On the tables that these statements create.
    pub(crate) fn new(keyspace: &str, schema: &[String]) -> Result<Self, Failure> {
        let mut session = schema::Session::with_system_tables();
        let refused = |refusal: Box<schema::Refusal>| Failure::Refused(refusal.message());
        session.assume_keyspace(keyspace).map_err(refused)?;
        for text in schema {
            for statement in cql::parse(text).statements {
                session.run(&statement).map_err(|refusal| {
                    Failure::Refused(format!("{} (in {text})", refusal.message()))
                })?;
            }
        }
        Ok(Self { session, known: BTreeMap::new() })
    }

    /// The types of a statement's markers, in order.
    pub(crate) fn of(&mut self, cql: &str) -> Result<Rc<[Type]>, Failure> {
        if let Some(types) = self.known.get(cql) {
            return Ok(Rc::clone(types));
        }
        let refused = |why: &str| Failure::Refused(format!("{why} (in {cql})"));
        let parsed = cql::parse(cql);
        let statement = parsed.statements.first().ok_or_else(|| refused("no statement"))?;
        let accepted = self
            .session
            .verdict(statement, Mode::Prepare)
            .map_err(|refusal| refused(&refusal.message()))?;
        let types: Rc<[Type]> = match accepted {
            Accepted::Bound(bound) => {
                bound.markers.iter().flatten().map(|marker| marker.receiver.ty.clone()).collect()
            }
            Accepted::Schema(_) | Accepted::Shell => Rc::from([]),
        };
        self.known.insert(cql.to_owned(), Rc::clone(&types));
        Ok(types)
    }
}
