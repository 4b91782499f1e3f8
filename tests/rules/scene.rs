//! A block played on a node: in a keyspace that it may share with others, one statement after the other.

use std::net::SocketAddr;
use std::time::Duration;

use check::Finding;
use cql::types::{NativeType, Type};
use cql::{ErrorCode, Statement, StatementKind};

use super::room::{self, Room, Things};
use super::spelling::{PAGES, in_known_datacenter, rename};
use crate::binder;
use crate::case::harms_the_node;
use crate::protocol::{Answer, BindValue, Connection, Options, Version};
use crate::verdict::{Manner, Verdict, escape, is_of_grammar};

/// Codes that judge the state of the node and not the statement: too few replicas, timeouts, indexes that are still built.
const UNJUDGED: std::ops::RangeInclusive<u32> = 0x1000..=0x1300;
const READ_FAILURE: u32 = 0x1300;
const INDEX_WAITS: usize = 20;
/// Each table takes some of the node's memory: with many more it is busy with nothing but finding some.
const STANDING_MAX: usize = 250;

/// A refusal: code and text.
type Refusal = (u32, String);

/// A statement that was put to the node.
pub(super) struct Put<'f> {
    pub(super) text: String,
    /// What the node refuses it with.
    pub(super) node: Option<Refusal>,
    /// What our binder refuses it with.
    bound: Option<Refusal>,
    /// The findings that say it is refused.
    pub(super) findings: Vec<&'f Finding>,
}

impl Put<'_> {
    /// Whether the node says what our binder says.
    pub(super) fn is_as_bound(&self) -> bool {
        match (&self.node, &self.bound) {
            (Some((code, said)), Some((ours, text))) => {
                code == ours && (said == text || is_of_grammar(said))
            }
            (node, bound) => node.is_none() && bound.is_none(),
        }
    }

    /// Whether the node says what one of the findings says. What another rule tells in place of a refusal need not quote it.
    pub(super) fn is_as_found(&self) -> bool {
        let Some((code, said)) = &self.node else { return self.findings.is_empty() };
        let number = |error: ErrorCode| u32::from(error.number());
        self.findings.iter().any(|finding| {
            finding.error.map(number) == Some(*code)
                && (escape(&finding.message) == *said
                    || is_of_grammar(said)
                    || finding.rule.code == "TO009" && finding.message.contains(said))
        })
    }
}

impl Put<'_> {
    /// Whether its findings let it be accepted here: they speak of what this node has switched on, or of what stands behind it.
    pub(super) fn may_be_accepted(&self) -> bool {
        self.findings.iter().all(|finding| match finding.rule.code {
            "SV025" => true,
            "SY001" => self.bound.is_none(),
            _ => false,
        })
    }
}

/// A statement of a block, with what is said of it beside the node.
struct Line<'f, 's> {
    statement: &'s Statement,
    written: String,
    /// With the data centre of the node.
    text: String,
    bound: Option<Refusal>,
    findings: Vec<&'f Finding>,
}

/// A connection on which blocks are played.
pub(super) struct Scene {
    node: Connection,
    rooms: Vec<Room>,
    /// Keyspaces that were made for pages, and from which one on they stand.
    made: usize,
    standing_from: usize,
    /// Tables, views and indexes that stand in them.
    standing: usize,
    /// The keyspace that the connection uses.
    used: Option<String>,
    /// Statements put so far.
    pub(super) asked: usize,
}

impl Scene {
    pub(super) fn open(address: SocketAddr) -> Self {
        let node = Connection::open(address, Version::V5).expect("the node takes connections");
        Self {
            node,
            rooms: Vec::new(),
            made: 0,
            standing_from: 1,
            standing: 0,
            used: None,
            asked: 0,
        }
    }

    /// Takes away what the pages made. The node of a test run goes with the run.
    pub(super) fn close(mut self) {
        if std::env::var_os("HELENUS_CASSANDRA").is_some() {
            self.clear();
        }
    }

    /// Takes away all that stands.
    fn clear(&mut self) {
        let made: Vec<String> = (self.standing_from..=self.made).map(keyspace).collect();
        self.drop_keyspaces(&made);
        self.rooms.clear();
        (self.standing_from, self.standing, self.used) = (self.made + 1, 0, None);
    }

    /// Plays texts; the keyspaces that the session takes for existing are there.
    pub(super) fn play<'f>(
        &mut self,
        session: &schema::Session,
        texts: &[String],
        findings: &'f [Finding],
    ) -> Vec<Put<'f>> {
        if self.standing > STANDING_MAX {
            self.clear();
        }
        let parsed: Vec<_> = texts.iter().map(|text| cql::parse(text)).collect();
        let assumed = session.catalog.keyspaces.keys().filter(|name| !is_of_server(name));
        let assumed: Vec<String> = assumed.map(ToString::to_string).collect();
        let mut ours = our_session(&assumed);
        let mut lines = Vec::new();
        for (at, (text, parsed)) in texts.iter().zip(&parsed).enumerate() {
            for (position, statement) in parsed.statements.iter().enumerate() {
                let next = parsed.statements.get(position + 1).map_or(u32::MAX, |s| s.span.start);
                let is_here = |finding: &&Finding| {
                    let start = finding.place.span.start;
                    finding.place.text == at
                        && finding.error.is_some()
                        && (statement.span.start..next).contains(&start)
                };
                let findings = findings.iter().filter(is_here).collect();
                lines.extend(line(&mut ours, text, statement, findings));
            }
        }
        // What is refused for a name that is there or not has to be alone.
        let is_of_names = |line: &Line<'_, '_>| {
            line.bound.as_ref().is_some_and(|(_, said)| said.contains("exist"))
        };
        let things = room::things(lines.iter().map(|line| line.statement));
        match things.filter(|_| assumed == [PAGES] && !lines.iter().any(is_of_names)) {
            Some(things) => self.in_shared_room(&things, lines),
            None => self.in_own_room(&assumed, lines),
        }
    }

    /// Plays a block among the tables of others; what they have judged is not asked again.
    fn in_shared_room<'f>(&mut self, things: &Things, lines: Vec<Line<'f, '_>>) -> Vec<Put<'f>> {
        let at = room::find(&self.rooms, things).unwrap_or_else(|| {
            let keyspace = self.make_keyspace();
            self.rooms.push(Room::new(keyspace));
            self.rooms.len() - 1
        });
        let keyspace = self.rooms[at].keyspace.clone();
        self.use_keyspace(&keyspace);
        let mut all = Vec::new();
        for line in lines {
            let statement = line.statement;
            let is_known = self.rooms[at].has_accepted(statement);
            let put = if is_known { line.accepted() } else { self.put(&keyspace, line) };
            if put.node.is_none() {
                self.rooms[at].accept(statement);
            }
            all.push(put);
        }
        self.rooms[at].furnish(things);
        all
    }

    /// Plays a block that changes or looks at more than its own tables in keyspaces of its own.
    fn in_own_room<'f>(&mut self, assumed: &[String], lines: Vec<Line<'f, '_>>) -> Vec<Put<'f>> {
        let keyspace = self.make_keyspace();
        let others = assumed.iter().filter(|name| *name != PAGES);
        let created = lines.iter().filter_map(|line| created(line.statement));
        let left_behind: Vec<String> = others.clone().cloned().chain(created).collect();
        self.drop_keyspaces(&left_behind);
        for name in others {
            self.must(&create_keyspace(name));
        }
        self.use_keyspace(&keyspace);
        let all = lines.into_iter().map(|line| self.put(&keyspace, line)).collect();
        self.drop_keyspaces(&left_behind);
        self.used = None;
        all
    }

    /// Puts a statement to the node.
    fn put<'f>(&mut self, keyspace: &str, line: Line<'f, '_>) -> Put<'f> {
        let text = rename(&line.text, keyspace);
        let manner = manner(line.statement);
        self.asked += 1;
        let mut node = self.ask(&text, manner);
        self.standing += usize::from(matches!(
            line.statement.kind,
            StatementKind::CreateTable(_)
                | StatementKind::CreateView(_)
                | StatementKind::CreateIndex(_)
        ));
        if node.is_none() && manner.prepare && !line.findings.is_empty() {
            node = self.execute(&text);
        }
        let node = node.filter(|refusal| counts(refusal, &line.findings));
        let node = node.map(|(code, message)| (code, message.replace(keyspace, PAGES)));
        Put { text: line.written, node, bound: line.bound, findings: line.findings }
    }

    /// What the node refuses a statement with. A new index may still be building.
    fn ask(&mut self, text: &str, manner: Manner) -> Option<Refusal> {
        for _ in 0..INDEX_WAITS {
            let verdict = Verdict::of_node(&mut self.node, text, manner);
            let refusal = verdict.unwrap_or_else(|error| panic!("{text}: {error}")).refusal;
            match refusal {
                Some((READ_FAILURE, _)) => std::thread::sleep(Duration::from_millis(100)),
                Some((code, _)) if UNJUDGED.contains(&code) => return None,
                other => return other,
            }
        }
        Some((READ_FAILURE, "the node cannot read".to_owned()))
    }

    /// What the node refuses a prepared statement with when it runs, without pages.
    fn execute(&mut self, text: &str) -> Option<Refusal> {
        let failed = |error| panic!("{text}: {error}");
        let prepared = self.node.prepare(text).unwrap_or_else(failed);
        let Ok(Answer::Prepared(prepared)) = prepared.result else { return None };
        let values = prepared.markers.iter().map(|marker| sample(&marker.ty)).collect();
        let options = Options { page_size: None, values, ..Options::default() };
        let outcome = self.node.execute(&prepared, &options).unwrap_or_else(failed);
        let mut verdict = Verdict::default();
        verdict.take(&outcome, text);
        verdict.refusal
    }

    fn must(&mut self, text: &str) {
        let answer = self.node.query(text, &Options::default());
        let outcome = answer.unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(outcome.result.is_ok(), "{text}: {:?}", outcome.result.err());
    }

    fn make_keyspace(&mut self) -> String {
        self.made += 1;
        let name = keyspace(self.made);
        // A run that was broken off leaves some behind.
        self.drop_keyspaces(std::slice::from_ref(&name));
        self.must(&create_keyspace(&name));
        name
    }

    fn use_keyspace(&mut self, name: &str) {
        if self.used.as_deref() != Some(name) {
            self.must(&format!("USE {name}"));
            self.used = Some(name.to_owned());
        }
    }

    fn drop_keyspaces(&mut self, names: &[String]) {
        for name in names {
            // A name that the node refuses is none of a keyspace.
            let drop = format!("DROP KEYSPACE IF EXISTS {name}");
            let _ = self.node.query(&drop, &Options::default());
        }
    }
}

impl<'f> Line<'f, '_> {
    /// As it is where the node is known to accept it.
    fn accepted(self) -> Put<'f> {
        Put { text: self.written, node: None, bound: self.bound, findings: self.findings }
    }
}

/// A statement with what our binder says of it; nothing for what cannot or must not be put to a node.
fn line<'f, 's>(
    ours: &mut binder::Session,
    text: &str,
    statement: &'s Statement,
    findings: Vec<&'f Finding>,
) -> Option<Line<'f, 's>> {
    let written = statement.span.text(text);
    let changes_the_server = matches!(&statement.kind, StatementKind::AlterKeyspace(alter)
        if is_of_server(&alter.name.text));
    let is_of_shell = matches!(statement.kind, StatementKind::Shell(_));
    if is_of_shell || changes_the_server || harms_the_node(written) {
        return None;
    }
    let text = in_known_datacenter(statement, written);
    let bound = ours.verdict(&text, manner(statement)).refusal;
    let bound = bound.filter(|refusal| counts(refusal, &findings));
    Some(Line { statement, written: written.to_owned(), text, bound, findings })
}

fn manner(statement: &Statement) -> Manner {
    Manner { prepare: !statement.markers.is_empty(), ..Manner::default() }
}

/// Where no finding speaks of a plug-in that is not there, it is taken to be there.
fn counts(refusal: &Refusal, findings: &[&Finding]) -> bool {
    !findings.is_empty() || !wants_a_plugin(&refusal.1)
}

/// A session of our binder with the keyspaces that a block takes for existing.
fn our_session(assumed: &[String]) -> binder::Session {
    let mut ours = binder::Session::new();
    for name in assumed {
        ours.verdict(&create_keyspace(name), Manner::default());
    }
    ours.verdict(&format!("USE {PAGES}"), Manner::default());
    ours
}

/// The names of keyspaces for pages on the node: other tests use `ks` there.
fn keyspace(number: usize) -> String {
    format!("ks_of_pages_{number}")
}

fn create_keyspace(name: &str) -> String {
    format!(
        "CREATE KEYSPACE {name} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}"
    )
}

/// Any value of a type that pages bind.
fn sample(ty: &Type) -> BindValue {
    let length = match ty {
        Type::Native(NativeType::Uuid) => 16,
        Type::Native(NativeType::Text) => 1,
        Type::Native(NativeType::Int | NativeType::Date | NativeType::Float) => 4,
        Type::Native(NativeType::Bigint | NativeType::Timestamp | NativeType::Double) => 8,
        Type::Vector(_, dimension) => {
            return BindValue::Bytes([63, 0, 0, 0].repeat(*dimension as usize));
        }
        _ => return BindValue::Null,
    };
    BindValue::Bytes(vec![b'0'; length])
}

/// Whether the node lacks the class of somebody else's trigger or index, which a page may speak of.
fn wants_a_plugin(said: &str) -> bool {
    said.starts_with("Trigger class '") || said.starts_with("Unable to find custom indexer class '")
}

fn is_of_server(keyspace: &str) -> bool {
    keyspace == "system" || keyspace.starts_with("system_")
}

/// The keyspace that a statement creates.
fn created(statement: &Statement) -> Option<String> {
    match &statement.kind {
        StatementKind::CreateKeyspace(create) => Some(cql::printer::identifier(&create.name.text)),
        _ => None,
    }
}
