//! The head of the file: the directives above its first statement, about keyspace and cluster.

use std::sync::Arc;

use cql::types::UserType;
use cql::{Diagnostic, Span, spelling};

use super::comments;
use super::draft::ModelDraft;
use super::scan::FileScan;
use crate::assumption::{Assumption, AssumptionTopic};
use crate::concept::{Concept, DEFAULT_NODES, Entity};
use crate::diagnostics::error;
use crate::directive::{self, Directive, DirectiveKind, DirectiveTarget};

/// The replication factor of a cluster without directives.
const DEFAULT_COPIES: u32 = 3;

/// The datacenter of a cluster without directives: Cassandra's default name.
const DEFAULT_DATACENTER: &str = "datacenter1";

/// The directives of the whole file.
#[derive(Clone)]
pub(super) struct FileHead {
    /// The keyspace's name.
    pub keyspace: String,
    replication: Option<Vec<(String, u32)>>,
    nodes: Option<u32>,
    tenant: Option<(String, Span)>,
}

/// Reads the head of a file; `name` names the keyspace where the head does not.
///
/// Errors in the directives are reported with the first statement; only duplicates are reported
/// here.
pub(super) fn read(file: &str, scan: &FileScan, name: &str) -> (FileHead, Vec<Diagnostic>) {
    let (mut directives, _) = comments::parse_directives(file, scan.head_comments());
    directives.retain(|directive| directive.kind.can_apply_to(DirectiveTarget::File));
    let errors = directive::duplicate_errors(&directives);
    let mut head =
        FileHead { keyspace: to_keyspace_name(name), replication: None, nodes: None, tenant: None };
    for directive in directives {
        head.apply(directive);
    }
    (head, errors)
}

impl FileHead {
    fn apply(&mut self, directive: Directive) {
        match directive.kind {
            DirectiveKind::Keyspace(name) => self.keyspace = name,
            DirectiveKind::Replication(centers) => self.replication = Some(centers),
            DirectiveKind::Nodes(nodes) => self.nodes = Some(nodes),
            DirectiveKind::Tenant(column) => {
                self.tenant = Some((column, directive.span));
            }
            _ => {}
        }
    }

    /// The concept; what is assumed about the cluster is added to the draft.
    pub(super) fn into_concept(
        self,
        draft: &mut ModelDraft,
        entities: Vec<Entity>,
        types: Vec<Arc<UserType>>,
    ) -> Concept {
        let mut assume = |topic: AssumptionTopic| {
            draft.assumptions.push(Assumption { topic, span: Span::new(0, 0) });
        };
        let replication = self.replication.unwrap_or_else(|| {
            let datacenter = DEFAULT_DATACENTER.to_owned();
            assume(AssumptionTopic::Replication { datacenter, copies: DEFAULT_COPIES });
            vec![(DEFAULT_DATACENTER.to_owned(), DEFAULT_COPIES)]
        });
        let nodes = self.nodes.unwrap_or_else(|| {
            assume(AssumptionTopic::Nodes(DEFAULT_NODES));
            DEFAULT_NODES
        });
        let tenant = self.tenant.map(|(column, span)| {
            resolve_tenant(&column, span, &entities).unwrap_or_else(|error| {
                draft.errors.push(*error);
                column
            })
        });
        Concept { keyspace: self.keyspace, replication, nodes, tenant, entities, types }
    }
}

/// The tenant column: as written, or folded to lower case as SQL does.
fn resolve_tenant(
    written: &str,
    span: Span,
    entities: &[Entity],
) -> Result<String, Box<Diagnostic>> {
    let columns = || entities.iter().flat_map(|entity| &entity.attributes);
    let folded = written.to_lowercase();
    for name in [written, &folded] {
        if columns().any(|attribute| attribute.name == name) {
            return Ok(name.to_owned());
        }
    }
    let help = match spelling::find_nearest(&folded, columns().map(|it| it.name.as_str())) {
        Some(nearest) => format!("write @tenant {nearest}"),
        None => "name the column that identifies the tenant of a row".to_owned(),
    };
    Err(Box::new(error("MF214", span, format!("no table has a column {written}"), help)))
}

/// A valid keyspace name derived from the name of a file.
pub(super) fn to_keyspace_name(name: &str) -> String {
    let legal = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let name: String = name.chars().take(48).map(legal).collect();
    match name.trim_matches('_') {
        "" => "app".to_owned(),
        name => name.to_owned(),
    }
}
