//! A block played on a node: in a keyspace that it may share with others, one statement after the other.

use std::net::SocketAddr;
use std::time::Duration;

use check::Finding;
use cql::types::{NativeType, Type};
use cql::{ErrorCode, Statement, StatementKind};

use super::node_dialect::{PAGE_KEYSPACE, rename, replace_datacenter};
use super::shared_keyspace::{self, SchemaObjects, SharedKeyspace};
use crate::binder;
use crate::case_runner::is_harmful;
use crate::protocol::{Answer, BindValue, Connection, Options, Version};
use crate::verdict::{RunMode, Verdict, escape, is_grammar_error};

/// Codes that judge the state of the node and not the statement: too few replicas, timeouts, indexes that are still built.
const UNJUDGED: std::ops::RangeInclusive<u32> = 0x1000..=0x1300;
const READ_FAILURE: u32 = 0x1300;
const INDEX_WAITS: usize = 20;
/// Each table takes some of the node's memory: with many more it is busy with nothing but finding some.
const OBJECTS_MAX: usize = 250;

/// A refusal: code and text.
type NodeRefusal = (u32, String);

/// A statement that was put to the node.
pub(super) struct StatementResult<'f> {
    pub(super) text: String,
    /// What the node refuses it with.
    pub(super) node: Option<NodeRefusal>,
    /// What our binder refuses it with.
    bound: Option<NodeRefusal>,
    /// The findings that say it is refused.
    pub(super) findings: Vec<&'f Finding>,
}

impl StatementResult<'_> {
    /// Whether the node says what our binder says.
    pub(super) fn is_as_binder_says(&self) -> bool {
        match (&self.node, &self.bound) {
            (Some((code, said)), Some((ours, text))) => {
                code == ours && (said == text || is_grammar_error(said))
            }
            (node, bound) => node.is_none() && bound.is_none(),
        }
    }

    /// Whether the node says what one of the findings says. What another rule tells in place of a refusal need not quote it.
    pub(super) fn is_as_findings_say(&self) -> bool {
        let Some((code, said)) = &self.node else { return self.findings.is_empty() };
        let number = |error: ErrorCode| u32::from(error.number());
        self.findings.iter().any(|finding| {
            finding.error.map(number) == Some(*code)
                && (escape(&finding.message) == *said
                    || is_grammar_error(said)
                    || finding.rule.code == "TO009" && finding.message.contains(said))
        })
    }
}

impl StatementResult<'_> {
    /// Whether its findings let it be accepted here: they speak of what this node has switched on, or of what stands behind it.
    pub(super) fn can_be_accepted(&self) -> bool {
        self.findings.iter().all(|finding| match finding.rule.code {
            "SV025" => true,
            "SY001" => self.bound.is_none(),
            _ => false,
        })
    }
}

/// A statement of a block, with what is said of it beside the node.
struct BlockStatement<'f, 's> {
    statement: &'s Statement,
    written: String,
    /// With the data centre of the node.
    text: String,
    bound: Option<NodeRefusal>,
    findings: Vec<&'f Finding>,
}

/// A connection on which blocks are played.
pub(super) struct PageRunner {
    node: Connection,
    rooms: Vec<SharedKeyspace>,
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

impl PageRunner {
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
    pub(super) fn run_texts<'f>(
        &mut self,
        session: &schema::Session,
        texts: &[String],
        findings: &'f [Finding],
    ) -> Vec<StatementResult<'f>> {
        if self.standing > OBJECTS_MAX {
            self.clear();
        }
        let parsed: Vec<_> = texts.iter().map(|text| cql::parse(text)).collect();
        let assumed = session.catalog.keyspaces.keys().filter(|name| !is_server_keyspace(name));
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
                lines.extend(block_statement(&mut ours, text, statement, findings));
            }
        }
        // What is refused for a name that is there or not has to be alone.
        let is_of_names = |line: &BlockStatement<'_, '_>| {
            line.bound.as_ref().is_some_and(|(_, said)| said.contains("exist"))
        };
        let things = shared_keyspace::collect_objects(lines.iter().map(|line| line.statement));
        match things.filter(|_| assumed == [PAGE_KEYSPACE] && !lines.iter().any(is_of_names)) {
            Some(things) => self.run_in_shared(&things, lines),
            None => self.run_in_own(&assumed, lines),
        }
    }

    /// Plays a block among the tables of others; what they have judged is not asked again.
    fn run_in_shared<'f>(
        &mut self,
        things: &SchemaObjects,
        lines: Vec<BlockStatement<'f, '_>>,
    ) -> Vec<StatementResult<'f>> {
        let at = shared_keyspace::find_keyspace(&self.rooms, things).unwrap_or_else(|| {
            let keyspace = self.make_keyspace();
            self.rooms.push(SharedKeyspace::new(keyspace));
            self.rooms.len() - 1
        });
        let keyspace = self.rooms[at].keyspace.clone();
        self.use_keyspace(&keyspace);
        let mut all = Vec::new();
        for line in lines {
            let statement = line.statement;
            let is_known = self.rooms[at].has_accepted(statement);
            let put =
                if is_known { line.into_accepted() } else { self.run_statement(&keyspace, line) };
            if put.node.is_none() {
                self.rooms[at].accept(statement);
            }
            all.push(put);
        }
        self.rooms[at].add_objects(things);
        all
    }

    /// Plays a block that changes or looks at more than its own tables in keyspaces of its own.
    fn run_in_own<'f>(
        &mut self,
        assumed: &[String],
        lines: Vec<BlockStatement<'f, '_>>,
    ) -> Vec<StatementResult<'f>> {
        let keyspace = self.make_keyspace();
        let others = assumed.iter().filter(|name| *name != PAGE_KEYSPACE);
        let created = lines.iter().filter_map(|line| new_keyspace(line.statement));
        let left_behind: Vec<String> = others.clone().cloned().chain(created).collect();
        self.drop_keyspaces(&left_behind);
        for name in others {
            self.run_or_panic(&create_keyspace(name));
        }
        self.use_keyspace(&keyspace);
        let all = lines.into_iter().map(|line| self.run_statement(&keyspace, line)).collect();
        self.drop_keyspaces(&left_behind);
        self.used = None;
        all
    }

    /// Puts a statement to the node.
    fn run_statement<'f>(
        &mut self,
        keyspace: &str,
        line: BlockStatement<'f, '_>,
    ) -> StatementResult<'f> {
        let text = rename(&line.text, keyspace);
        let manner = manner(line.statement);
        self.asked += 1;
        let mut node = self.ask_node(&text, manner);
        self.standing += usize::from(matches!(
            line.statement.kind,
            StatementKind::CreateTable(_)
                | StatementKind::CreateView(_)
                | StatementKind::CreateIndex(_)
        ));
        if node.is_none() && manner.prepare && !line.findings.is_empty() {
            node = self.execute(&text);
        }
        let node = node.filter(|refusal| is_relevant(refusal, &line.findings));
        let node = node.map(|(code, message)| (code, message.replace(keyspace, PAGE_KEYSPACE)));
        StatementResult { text: line.written, node, bound: line.bound, findings: line.findings }
    }

    /// What the node refuses a statement with. A new index may still be building.
    fn ask_node(&mut self, text: &str, manner: RunMode) -> Option<NodeRefusal> {
        for _ in 0..INDEX_WAITS {
            let verdict = Verdict::from_node(&mut self.node, text, manner);
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
    fn execute(&mut self, text: &str) -> Option<NodeRefusal> {
        let failed = |error| panic!("{text}: {error}");
        let prepared = self.node.prepare(text).unwrap_or_else(failed);
        let Ok(Answer::Prepared(prepared)) = prepared.result else { return None };
        let values = prepared.markers.iter().map(|marker| sample(&marker.ty)).collect();
        let options = Options { page_size: None, values, ..Options::default() };
        let outcome = self.node.execute(&prepared, &options).unwrap_or_else(failed);
        let mut verdict = Verdict::default();
        verdict.add_answer(&outcome, text);
        verdict.refusal
    }

    fn run_or_panic(&mut self, text: &str) {
        let answer = self.node.query(text, &Options::default());
        let outcome = answer.unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(outcome.result.is_ok(), "{text}: {:?}", outcome.result.err());
    }

    fn make_keyspace(&mut self) -> String {
        self.made += 1;
        let name = keyspace(self.made);
        // A run that was broken off leaves some behind.
        self.drop_keyspaces(std::slice::from_ref(&name));
        self.run_or_panic(&create_keyspace(&name));
        name
    }

    fn use_keyspace(&mut self, name: &str) {
        if self.used.as_deref() != Some(name) {
            self.run_or_panic(&format!("USE {name}"));
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

impl<'f> BlockStatement<'f, '_> {
    /// As it is where the node is known to accept it.
    fn into_accepted(self) -> StatementResult<'f> {
        StatementResult {
            text: self.written,
            node: None,
            bound: self.bound,
            findings: self.findings,
        }
    }
}

/// A statement with what our binder says of it; nothing for what cannot or must not be put to a node.
fn block_statement<'f, 's>(
    ours: &mut binder::BinderSession,
    text: &str,
    statement: &'s Statement,
    findings: Vec<&'f Finding>,
) -> Option<BlockStatement<'f, 's>> {
    let written = statement.span.text(text);
    let changes_the_server = matches!(&statement.kind, StatementKind::AlterKeyspace(alter)
        if is_server_keyspace(&alter.name.text));
    let is_of_shell = matches!(statement.kind, StatementKind::Shell(_));
    if is_of_shell || changes_the_server || is_harmful(written) {
        return None;
    }
    let text = replace_datacenter(statement, written);
    let bound = ours.verdict(&text, manner(statement)).refusal;
    let bound = bound.filter(|refusal| is_relevant(refusal, &findings));
    Some(BlockStatement { statement, written: written.to_owned(), text, bound, findings })
}

fn manner(statement: &Statement) -> RunMode {
    RunMode { prepare: !statement.markers.is_empty(), ..RunMode::default() }
}

/// Where no finding speaks of a plug-in that is not there, it is taken to be there.
fn is_relevant(refusal: &NodeRefusal, findings: &[&Finding]) -> bool {
    !findings.is_empty() || !is_plugin_missing(&refusal.1)
}

/// A session of our binder with the keyspaces that a block takes for existing.
fn our_session(assumed: &[String]) -> binder::BinderSession {
    let mut ours = binder::BinderSession::new();
    for name in assumed {
        ours.verdict(&create_keyspace(name), RunMode::default());
    }
    ours.verdict(&format!("USE {PAGE_KEYSPACE}"), RunMode::default());
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
fn is_plugin_missing(said: &str) -> bool {
    said.starts_with("Trigger class '") || said.starts_with("Unable to find custom indexer class '")
}

fn is_server_keyspace(keyspace: &str) -> bool {
    keyspace == "system" || keyspace.starts_with("system_")
}

/// The keyspace that a statement creates.
fn new_keyspace(statement: &Statement) -> Option<String> {
    match &statement.kind {
        StatementKind::CreateKeyspace(create) => Some(cql::printer::identifier(&create.name.text)),
        _ => None,
    }
}
