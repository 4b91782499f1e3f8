//! A block played on a node: in keyspaces of its own, one statement after the other.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::time::Duration;

use check::Finding;
use cql::types::{NativeType, Type};
use cql::{ErrorCode, Statement, StatementKind};

use crate::binder;
use crate::case::harms_the_node;
use crate::protocol::{Answer, BindValue, Connection, Options, Version};
use crate::verdict::{Manner, Verdict, escape, is_of_grammar};

/// The keyspace of pages, and what it is called on the node: other tests use `ks` there.
const KEYSPACE: (&str, &str) = ("ks", "ks_of_pages");
/// Codes that judge the state of the node and not the statement: too few replicas, timeouts, indexes that are still built.
const UNJUDGED: std::ops::RangeInclusive<u32> = 0x1000..=0x1300;
const READ_FAILURE: u32 = 0x1300;
const INDEX_WAITS: usize = 20;

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

/// A connection on which blocks are played.
pub(super) struct Scene {
    node: Connection,
    /// Keyspaces that are known not to exist: a run that was broken off leaves some behind.
    gone: BTreeSet<String>,
    /// Statements put so far.
    pub(super) asked: usize,
}

impl Scene {
    pub(super) fn open(address: SocketAddr) -> Self {
        let node = Connection::open(address, Version::V5).expect("the node takes connections");
        Self { node, gone: BTreeSet::new(), asked: 0 }
    }

    /// Plays texts in fresh keyspaces; those that the session takes for existing are there.
    pub(super) fn play<'f>(
        &mut self,
        session: &model::Session,
        texts: &[String],
        findings: &'f [Finding],
    ) -> Vec<Put<'f>> {
        let parsed: Vec<_> = texts.iter().map(|text| cql::parse(text)).collect();
        let statements = parsed.iter().flat_map(|parsed| &parsed.statements);
        if statements.clone().next().is_none() {
            return Vec::new();
        }
        let assumed = session.catalog.keyspaces.keys().filter(|name| !is_of_server(name));
        let assumed: Vec<String> = assumed.map(|name| rename(name)).collect();
        let mut ours = binder::Session::new();
        let left_behind: Vec<String> =
            assumed.iter().cloned().chain(statements.filter_map(created)).collect();
        let unknown = left_behind.iter().filter(|name| self.gone.insert((*name).clone()));
        let unknown: Vec<String> = unknown.cloned().collect();
        self.drop_keyspaces(&unknown);
        for name in &assumed {
            let create = format!(
                "CREATE KEYSPACE {name} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}"
            );
            self.must(&create);
            ours.verdict(&create, Manner::default());
        }
        let used = format!("USE {}", KEYSPACE.1);
        self.must(&used);
        ours.verdict(&used, Manner::default());
        let mut all = Vec::new();
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
                all.extend(self.statement(&mut ours, text, statement, findings));
            }
        }
        self.drop_keyspaces(&left_behind);
        all
    }

    fn statement<'f>(
        &mut self,
        ours: &mut binder::Session,
        text: &str,
        statement: &Statement,
        findings: Vec<&'f Finding>,
    ) -> Option<Put<'f>> {
        let written = statement.span.text(text);
        let changes_the_server = matches!(&statement.kind, StatementKind::AlterKeyspace(alter)
            if is_of_server(&alter.name.text));
        let is_of_shell = matches!(statement.kind, StatementKind::Shell(_));
        if is_of_shell || changes_the_server || harms_the_node(written) {
            return None;
        }
        let text = rename(&in_known_datacenter(statement, written));
        let manner = Manner { prepare: !statement.markers.is_empty(), ..Manner::default() };
        // Where no finding speaks of a plug-in that is not there, it is taken to be there.
        let counts = |refusal: &Refusal| !findings.is_empty() || !wants_a_plugin(&refusal.1);
        let plain = |refusal: Option<Refusal>| {
            refusal
                .filter(counts)
                .map(|(code, message)| (code, message.replace(KEYSPACE.1, KEYSPACE.0)))
        };
        self.asked += 1;
        let mut node = self.ask(&text, manner);
        if node.is_none() && manner.prepare && !findings.is_empty() {
            node = self.execute(&text);
        }
        let node = plain(node);
        let bound = plain(ours.verdict(&text, manner).refusal);
        Some(Put { text: written.to_owned(), node, bound, findings })
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

    fn drop_keyspaces(&mut self, names: &[String]) {
        for name in names {
            // A name that the node refuses is none of a keyspace.
            let drop = format!("DROP KEYSPACE IF EXISTS {name}");
            let _ = self.node.query(&drop, &Options::default());
        }
    }
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

/// A text with the name that its keyspace has on the node.
fn rename(text: &str) -> String {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(KEYSPACE.0) {
        let (head, tail) = rest.split_at(at);
        let (word, behind) = tail.split_at(KEYSPACE.0.len());
        out.push_str(head);
        let is_part = out.ends_with(is_of_word) || behind.starts_with(is_of_word);
        out.push_str(if is_part { word } else { KEYSPACE.1 });
        rest = behind;
    }
    out + rest
}

/// A statement about a keyspace with the one data centre that the node has in place of its first, and without its others.
fn in_known_datacenter(statement: &Statement, text: &str) -> String {
    let is_of_keyspace = matches!(
        statement.kind,
        StatementKind::CreateKeyspace(_) | StatementKind::AlterKeyspace(_)
    ) && text.contains("'NetworkTopologyStrategy'");
    let braces = text.find('{').zip(text.find('}'));
    let Some((open, close)) = braces.filter(|(open, close)| is_of_keyspace && open < close) else {
        return text.to_owned();
    };
    let is_of_datacenter = |pair: &str| {
        let others = ["'class'", "'replication_factor'", "'datacenter1'"];
        !others.iter().any(|key| pair.trim_start().starts_with(key))
    };
    let mut pairs: Vec<String> = Vec::new();
    let mut is_named = text.contains("'datacenter1'");
    for pair in text[open + 1..close].split(',') {
        match pair.split_once(':') {
            Some((_, copies)) if is_of_datacenter(pair) => {
                if !is_named {
                    pairs.push(format!(" 'datacenter1':{copies}"));
                }
                is_named = true;
            }
            _ => pairs.push(pair.to_owned()),
        }
    }
    format!("{}{}{}", &text[..=open], pairs.join(","), &text[close..])
}

#[test]
fn names_are_changed_as_words() {
    assert_eq!(rename("ks.t, tasks, \"ks\""), "ks_of_pages.t, tasks, \"ks_of_pages\"");
}
