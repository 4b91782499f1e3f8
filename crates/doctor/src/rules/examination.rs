//! [`Examination`]: a snapshot as rules see it, with the access plans of its statements.

use std::collections::BTreeMap;
use std::sync::Arc;

use cql::StatementKind;
use cql::relation::{InValues, RelationKind};
use cql::term::{Term, TermKind};
use schema::Session;
use schema::access::{self, AccessPlan};
use schema::catalog::{Keyspace, Table};
use schema::session::{AcceptedStatement, ExecutionMode};

use crate::Snapshot;
use crate::snapshot::{
    EventKind, EventSummary, Node, NodeState, ObservedStatement, Product, ServerVersion,
    StatementShape, TableMeasurements, TableName,
};
use crate::source::shape_statement;

/// A snapshot with the access plans of its statements.
#[derive(Debug)]
pub struct Examination<'a> {
    /// What was collected.
    pub snapshot: &'a Snapshot,
    /// The statements that could be bound to the schema.
    pub statements: Vec<PlannedStatement<'a>>,
}

/// A statement with its access plan.
#[derive(Debug)]
pub struct PlannedStatement<'a> {
    /// Its text without values.
    pub shape: &'a StatementShape,
    /// How often it was seen.
    pub observed: &'a ObservedStatement,
    /// Its plan.
    pub plan: AccessPlan,
    /// The table that it reads or writes; `None` for a batch.
    pub table: Option<TableName>,
}

/// Events of a log: the node, what tells them apart from others of their kind, and their sum.
pub(super) type LoggedEvents<'a> = (&'a str, Option<&'a str>, &'a EventSummary);

impl<'a> Examination<'a> {
    /// Binds the statements of a snapshot to its schema.
    pub fn new(snapshot: &'a Snapshot) -> Self {
        let mut statements = Vec::new();
        if let Some(catalog) = &snapshot.schema {
            let mut session = Session { catalog: catalog.clone(), ..Session::default() };
            for (shape, observed) in &snapshot.statements {
                let plan = plan(&mut session, shape);
                statements.extend(plan.map(|plan| {
                    let table = table_of(&plan);
                    PlannedStatement { shape, observed, plan, table }
                }));
            }
        }
        // The tables of the server itself are read by drivers and tools.
        statements.retain(|statement| !statement.table.as_ref().is_some_and(TableName::is_system));
        Self { snapshot, statements }
    }

    /// All statements with the tables that they name, also those that could not be bound.
    pub(super) fn list_named_statements(
        &self,
    ) -> impl Iterator<Item = (TableName, &'a StatementShape, &'a ObservedStatement)> {
        let statements = self.snapshot.statements.iter();
        let named = statements.filter_map(|(shape, observed)| {
            let table = shape_statement(&shape.keyspace, &shape.text).table?;
            Some((table, shape, observed))
        });
        named.filter(|(table, _, _)| !table.is_system())
    }

    /// The definition of a table.
    pub fn definition(&self, table: &TableName) -> Option<&Arc<Table>> {
        self.snapshot.schema.as_ref()?.table(&table.keyspace, &table.table)
    }

    /// The statements on a table.
    pub fn statements_on<'b>(
        &'b self,
        table: &'b TableName,
    ) -> impl Iterator<Item = &'b PlannedStatement<'a>> {
        self.statements.iter().filter(move |statement| statement.table.as_ref() == Some(table))
    }

    /// The keyspaces of users.
    pub(super) fn list_keyspaces(&self) -> impl Iterator<Item = &'a Keyspace> {
        let keyspaces = self.snapshot.schema.iter().flat_map(|catalog| catalog.keyspaces.values());
        let is_own = |keyspace: &&Keyspace| {
            !keyspace.is_virtual && !TableName::new(&keyspace.name, "").is_system()
        };
        keyspaces.map(AsRef::as_ref).filter(is_own)
    }

    /// The tables of users that have a definition.
    pub(super) fn defined_tables(&self) -> Vec<(TableName, &Arc<Table>)> {
        let keyspaces = self.snapshot.schema.iter().flat_map(|catalog| catalog.keyspaces.values());
        let tables = keyspaces.flat_map(|keyspace| keyspace.tables.values());
        let mut named: Vec<_> =
            tables.map(|table| (TableName::new(&table.keyspace, &table.name), table)).collect();
        named.retain(|(name, table)| !name.is_system() && !table.is_virtual);
        named.sort_by(|a, b| a.0.cmp(&b.0));
        named
    }

    /// The node with the largest figure of a table.
    pub(super) fn worst(
        &self,
        table: &TableName,
        figure: impl Fn(&TableMeasurements) -> Option<f64>,
    ) -> Option<(&'a str, f64)> {
        let nodes = self.snapshot.nodes.iter();
        let figures = nodes
            .filter_map(|(name, node)| Some((name.as_str(), figure(node.tables.get(table)?)?)));
        figures
            .filter(|(_, value)| value.is_finite())
            .max_by(|(_, one), (_, other)| one.total_cmp(other))
    }

    /// The sum of a figure of a table over the nodes that have it.
    pub(super) fn sum(
        &self,
        table: &TableName,
        figure: impl Fn(&TableMeasurements) -> Option<u64>,
    ) -> Option<u64> {
        let figures =
            self.snapshot.nodes.values().filter_map(|node| figure(node.tables.get(table)?));
        figures.reduce(u64::saturating_add)
    }

    /// The events of a kind, by table: the nodes with their summaries.
    pub(super) fn events(
        &self,
        kind: EventKind,
    ) -> BTreeMap<Option<&'a TableName>, Vec<LoggedEvents<'a>>> {
        let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (name, node) in &self.snapshot.nodes {
            for (table, label, summary) in node.log.groups_of(kind) {
                groups.entry(table).or_default().push((name.as_str(), label, summary));
            }
        }
        groups.retain(|table, _| !table.is_some_and(TableName::is_system));
        groups
    }

    /// The nodes with their names.
    pub(super) fn nodes(&self) -> impl Iterator<Item = (&'a str, &'a Node)> {
        self.snapshot.nodes.iter().map(|(name, node)| (name.as_str(), node))
    }

    /// The oldest release among the nodes of Apache Cassandra.
    pub(super) fn oldest_cassandra(&self) -> Option<ServerVersion> {
        let nodes = self.snapshot.nodes.values();
        nodes
            .filter(|node| node.product != Some(Product::Scylla))
            .filter_map(|node| node.version)
            .min()
    }

    /// A setting, on the first node that tells it.
    pub(super) fn setting(&self, name: &str) -> Option<&'a str> {
        self.snapshot.nodes.values().find_map(|node| node.settings.get(name)).map(String::as_str)
    }

    /// The moment of the figures: of their collection, else of the last line of a log.
    pub(super) fn now_ms(&self) -> Option<i64> {
        let last = self.snapshot.nodes.values().filter_map(|node| node.log.last_ms).max();
        self.snapshot.collected_at_ms.or(last)
    }

    /// Whether every node that measured the table's partitions found few of them.
    pub(super) fn is_small(&self, table: &TableName) -> bool {
        let partitions = self.count_partitions(table);
        partitions.is_some_and(|count| count < super::figures::SMALL_TABLE_PARTITIONS)
    }

    /// The partitions of a table: distinct ones where token ranges were estimated, else those of the
    /// nodes added up, with their copies.
    pub(super) fn count_partitions(&self, table: &TableName) -> Option<u64> {
        let estimate = self.snapshot.estimate_partitions(table);
        estimate.or_else(|| self.sum(table, |figures| figures.partitions))
    }

    /// Whether other nodes have open connections to a node; `None` if none of them tells.
    pub(super) fn find_connection(&self, name: &str) -> Option<bool> {
        let address = self.snapshot.nodes.get(name)?.internode_address.as_deref().unwrap_or(name);
        let others =
            self.snapshot.nodes.values().filter(|other| other.state != Some(NodeState::Silent));
        let links = others.filter_map(|other| other.links.get(address));
        links.map(|link| link.active > 0).reduce(|one, other| one || other)
    }
}

/// The access plan of a shape; `None` if it cannot be bound, such as a text that was cut off.
fn plan(session: &mut Session, shape: &StatementShape) -> Option<AccessPlan> {
    let mut parsed = cql::parse(&shape.text);
    if !parsed.errors.is_empty() || parsed.statements.len() != 1 {
        return None;
    }
    let mut statement = parsed.statements.pop()?;
    open_lists(&mut statement.kind);
    session.keyspace = (!shape.keyspace.is_empty()).then(|| shape.keyspace.as_str().into());
    let accepted = session.verdict(&statement, ExecutionMode::Prepare).or_else(|refusal| {
        // The logs of replicas leave ALLOW FILTERING out; since it ran, it was there.
        match &mut statement.kind {
            StatementKind::Select(select) if select.allow_filtering.is_none() => {
                select.allow_filtering = Some(statement.span);
                session.verdict(&statement, ExecutionMode::Prepare)
            }
            _ => Err(refusal),
        }
    });
    match accepted.ok()? {
        AcceptedStatement::Bound(bound) => match access::plan(&bound.kind) {
            AccessPlan::Nothing => None,
            plan => Some(plan),
        },
        _ => None,
    }
}

/// Turns `IN (?)`, which stands for a list of any length in a shape, into `IN ?`.
fn open_lists(statement: &mut StatementKind) {
    let relations = match statement {
        StatementKind::Select(select) => &mut select.relations,
        StatementKind::Update(update) => &mut update.relations,
        StatementKind::Delete(delete) => &mut delete.relations,
        _ => return,
    };
    for relation in relations {
        if let RelationKind::In { values, .. } = &mut relation.kind
            && let InValues::List(list) = values
            && let [Term { kind: TermKind::Marker(marker), span }] = list.as_slice()
        {
            *values = InValues::Marker(marker.clone(), *span);
        }
    }
}

fn table_of(plan: &AccessPlan) -> Option<TableName> {
    let table = match plan {
        AccessPlan::Read(read) => &read.table,
        AccessPlan::Write(write) => &write.table,
        AccessPlan::Batch(_) | AccessPlan::Nothing => return None,
    };
    Some(TableName::new(&table.keyspace, &table.name))
}
