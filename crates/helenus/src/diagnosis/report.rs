//! [`DoctorReport`]: what a diagnosis shows and stores. It has no value of user data: keys are
//! hashed unless asked, statements have no values.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cql::Severity;
use doctor::Snapshot;
use doctor::model_draft::ModelDraft;
use doctor::rules::{Evidence, Examination, Finding, Quantity, examine};
use doctor::snapshot::NodeState;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The version of the stored form.
const FORMAT: u32 = 1;

/// What a report may contain.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ReportOptions {
    /// Partition keys as they are.
    pub(crate) show_keys: bool,
}

/// The result of a diagnosis.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct DoctorReport {
    pub(crate) format: u32,
    pub(crate) cluster: Option<String>,
    pub(crate) collected_at_ms: Option<i64>,
    pub(crate) nodes: Vec<NodeEntry>,
    /// Tables of users with figures or a definition.
    pub(crate) tables: usize,
    /// Statements that were seen, and those that could be bound to the schema.
    pub(crate) statements: usize,
    pub(crate) planned_statements: usize,
    /// The findings, the worst first.
    pub(crate) findings: Vec<FindingEntry>,
    /// What was read, by kind, with the number of files or tables.
    pub(crate) read: BTreeMap<String, usize>,
    /// What could not be read or is not known.
    pub(crate) unknown: Vec<String>,
    /// The model file for `helenus design --from-doctor`, if the schema is known.
    #[serde(default)]
    pub(crate) model: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct NodeEntry {
    pub(crate) name: String,
    pub(crate) product: Option<String>,
    pub(crate) version: Option<String>,
    pub(crate) datacenter: Option<String>,
    /// How others see it, or that it does not answer.
    #[serde(default)]
    pub(crate) state: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FindingEntry {
    pub(crate) code: String,
    pub(crate) name: String,
    pub(crate) severity: String,
    pub(crate) category: String,
    pub(crate) table: Option<String>,
    pub(crate) nodes: Vec<String>,
    /// The partition key: `#` and a hash, unless keys were asked for.
    pub(crate) key: Option<String>,
    pub(crate) statement: Option<String>,
    pub(crate) evidence: Vec<FigureEntry>,
    pub(crate) remedies: Vec<RemedyEntry>,
    pub(crate) impact: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FigureEntry {
    pub(crate) what: String,
    pub(crate) unit: String,
    pub(crate) value: Option<f64>,
    pub(crate) word: Option<String>,
    pub(crate) limit: Option<f64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RemedyEntry {
    pub(crate) advice: String,
    pub(crate) cql: Option<String>,
    pub(crate) command: Option<String>,
}

impl DoctorReport {
    /// Asks the rules about a snapshot.
    pub(crate) fn from_snapshot(snapshot: &Snapshot, options: ReportOptions) -> Self {
        let examination = Examination::new(snapshot);
        let findings = examine(snapshot);
        let cluster = snapshot.cluster_name.as_deref().unwrap_or_default();
        Self {
            format: FORMAT,
            cluster: snapshot.cluster_name.clone(),
            collected_at_ms: snapshot.collected_at_ms,
            nodes: snapshot.nodes.iter().map(|(name, node)| node_entry(name, node)).collect(),
            tables: count_tables(snapshot),
            statements: snapshot.statements.len(),
            planned_statements: examination.statements.len(),
            findings: findings.iter().map(|it| finding_entry(it, cluster, options)).collect(),
            read: count_sources(snapshot),
            unknown: list_unknown(snapshot, &examination),
            model: ModelDraft::new(snapshot, None).ok().map(|draft| draft.text),
        }
    }

    /// Reads a stored report.
    pub(crate) fn from_json(text: &str) -> Result<Self, String> {
        let report: Self =
            serde_json::from_str(text).map_err(|error| format!("is not a report: {error}"))?;
        if report.format == FORMAT {
            Ok(report)
        } else {
            Err(format!("has format {}, and this version reads format {FORMAT}", report.format))
        }
    }

    /// Whether a finding is of high severity or above.
    pub(crate) fn has_grave_findings(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity() >= Severity::High)
    }
}

impl NodeEntry {
    /// Whether it did not answer.
    pub(crate) fn is_silent(&self) -> bool {
        self.state.as_deref() == Some(NodeState::Silent.name())
    }
}

impl FindingEntry {
    /// How bad it is; a word of another version counts as information.
    pub(crate) fn severity(&self) -> Severity {
        Severity::from_word(&self.severity).unwrap_or(Severity::Info)
    }
}

fn node_entry(name: &str, node: &doctor::snapshot::Node) -> NodeEntry {
    let version = node.version.map(|it| format!("{}.{}.{}", it.major, it.minor, it.patch));
    NodeEntry {
        name: name.to_owned(),
        product: node.product.map(|product| product.name().to_owned()),
        version,
        datacenter: node.datacenter.clone(),
        state: node.state.map(|state| state.name().to_owned()),
    }
}

fn finding_entry(finding: &Finding, cluster: &str, options: ReportOptions) -> FindingEntry {
    let table = finding.table.as_ref().map(ToString::to_string);
    let key = finding.key.as_ref().map(|key| {
        let table = table.as_deref().unwrap_or_default();
        if options.show_keys { key.clone() } else { hash_key(cluster, table, key) }
    });
    let remedies = finding.remedies.iter().map(|remedy| RemedyEntry {
        advice: remedy.advice.to_owned(),
        cql: remedy.cql.clone(),
        command: remedy.command.clone(),
    });
    FindingEntry {
        code: finding.rule.code.to_owned(),
        name: finding.rule.name.to_owned(),
        severity: finding.severity.word().to_owned(),
        category: finding.rule.category.name().to_owned(),
        table,
        nodes: finding.nodes.clone(),
        key,
        statement: finding.statement.as_ref().map(|shape| shape.text.clone()),
        evidence: finding.evidence.iter().map(figure_entry).collect(),
        remedies: remedies.collect(),
        impact: finding.impact,
    }
}

/// `#` and eight hexadecimal digits: enough to tell keys apart, too few to find them by trying.
fn hash_key(cluster: &str, table: &str, key: &str) -> String {
    let mut hasher = Sha256::new();
    for part in [cluster, table, key] {
        hasher.update(part.as_bytes());
        hasher.update([0]);
    }
    let digest = hasher.finalize();
    let digits = digest.iter().take(4).map(|byte| format!("{byte:02x}"));
    format!("#{}", digits.collect::<String>())
}

fn figure_entry(evidence: &Evidence) -> FigureEntry {
    let word = match &evidence.value {
        Quantity::Word(word) => Some(word.clone()),
        _ => None,
    };
    let value = match &evidence.value {
        Quantity::Moment(at) => Some(*at as f64),
        value => value.amount(),
    };
    FigureEntry {
        what: evidence.what.to_owned(),
        unit: evidence.value.unit().to_owned(),
        value,
        word,
        limit: evidence.limit.as_ref().and_then(Quantity::amount),
    }
}

fn count_tables(snapshot: &Snapshot) -> usize {
    let mut names: BTreeSet<String> =
        snapshot.list_measured_tables().into_iter().map(ToString::to_string).collect();
    for keyspace in snapshot.schema.iter().flat_map(|catalog| catalog.keyspaces.values()) {
        for table in keyspace.tables.values().filter(|_| !keyspace.system && !keyspace.is_virtual) {
            names.insert(table.qualified_name());
        }
    }
    names.len()
}

fn count_sources(snapshot: &Snapshot) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for source in &snapshot.sources {
        if let Some(kind) = source.kind {
            *counts.entry(kind.to_owned()).or_default() += usize::from(source.problem.is_none());
        }
    }
    counts.retain(|_, count| *count > 0);
    counts
}

/// The most files that are named with one problem.
const NAMES_MAX: usize = 5;

/// What could not be read, and what the rules would have needed.
fn list_unknown(snapshot: &Snapshot, examination: &Examination<'_>) -> Vec<String> {
    let mut unknown = Vec::new();
    let mut problems: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut unrecognised = 0;
    for source in &snapshot.sources {
        match &source.problem {
            Some(problem) => {
                let is_single = snapshot.nodes.len() < 2 || source.name.contains(&source.node);
                let name = if is_single {
                    source.name.clone()
                } else {
                    format!("{} of {}", source.name, source.node)
                };
                problems.entry(problem).or_default().insert(name);
            }
            None => unrecognised += usize::from(source.kind.is_none()),
        }
    }
    for (problem, names) in problems {
        let others = names.len().saturating_sub(NAMES_MAX);
        let mut text = names.into_iter().take(NAMES_MAX).collect::<Vec<_>>().join(", ");
        if others > 0 {
            let _ = write!(text, " and {others} more");
        }
        unknown.push(format!("{text}: {problem}"));
    }
    if unrecognised > 0 {
        unknown.push(format!("{unrecognised} files were not recognised"));
    }
    if snapshot.schema.is_none() {
        unknown.push("the schema: statements and table options were not judged".to_owned());
    }
    if snapshot.statements.is_empty() {
        unknown.push(
            "the statements: none were seen (debug.log and the full query log have them)"
                .to_owned(),
        );
    } else if snapshot.schema.is_some() && examination.statements.is_empty() {
        unknown.push("how the statements run: none of them fits the schema".to_owned());
    }
    if snapshot.list_measured_tables().is_empty() {
        unknown.push(
            "the figures of tables: none were collected (nodetool tablestats, tablehistograms)"
                .to_owned(),
        );
    }
    unknown
}
