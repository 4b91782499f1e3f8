//! Objects that are missing because their CREATE was refused.

use std::collections::BTreeSet;

use cql::StatementKind;
use schema::Refusal;
use schema::refusal::{FunctionReason, Reason};

use crate::location::Location;
use crate::project::{Project, ReplayedStatement};

/// Names of objects that a refused CREATE leaves missing: statements that do not find them are not
/// reported separately.
#[derive(Default)]
pub(super) struct AbsentObjects {
    names: BTreeSet<(Box<str>, Box<str>)>,
}

impl AbsentObjects {
    /// Records the objects that a refused statement leaves missing: a keyspace that no file creates
    /// is reported once.
    pub(super) fn record_refusal(
        &mut self,
        project: &Project<'_>,
        seen: &ReplayedStatement,
        refusal: &Refusal,
    ) {
        if let Some(keyspace) = refusal.reason.missing_keyspace() {
            self.names.insert((keyspace.to_lowercase().into(), "".into()));
        }
        // Existing objects are not missing.
        if refusal.rule() != "SV027" {
            self.record_creation(project, seen);
        }
    }

    /// Records the name that a refused CREATE would have created.
    pub(super) fn record_creation(&mut self, project: &Project<'_>, seen: &ReplayedStatement) {
        let Some(statement) = project.syntax(seen) else { return };
        let name = match &statement.kind {
            StatementKind::CreateKeyspace(create) => {
                self.names.insert((create.name.text.clone(), "".into()));
                return;
            }
            StatementKind::CreateTable(create) => &create.name,
            StatementKind::CreateView(create) => &create.name,
            StatementKind::CreateType(create) => &create.name,
            StatementKind::CreateFunction(create) => &create.name,
            StatementKind::Invalid => {
                let written = project.text_at(seen.place);
                self.names.extend(create_target(written).map(|name| parse_object_name(seen, name)));
                return;
            }
            _ => return,
        };
        let keyspace = name.keyspace.as_ref().map(|own| &*own.text);
        self.names.insert(object_key(seen, keyspace, &name.name.text));
    }

    /// Whether a statement is refused only because an earlier CREATE was.
    pub(super) fn is_consequence(
        &self,
        project: &Project<'_>,
        seen: &ReplayedStatement,
        refusal: &Refusal,
    ) -> bool {
        let is_call = matches!(
            refusal.reason,
            Reason::Function(FunctionReason::Unknown { .. } | FunctionReason::UnknownCalled { .. })
        );
        if self.names.is_empty() || !is_call && !matches!(refusal.rule(), "SV013" | "SV028") {
            return false;
        }
        let place = Location { text: seen.place.text, span: refusal.span };
        let written = project.text_at(place);
        let written = if is_call { written.split('(').next() } else { Some(written) };
        let (keyspace, name) = parse_object_name(seen, written.unwrap_or_default());
        if is_call {
            return self.names.contains(&(keyspace, name));
        }
        let in_keyspace = (keyspace.clone(), "".into());
        // USE and DROP KEYSPACE name the keyspace alone.
        let alone = (name.clone(), "".into());
        [(keyspace, name), in_keyspace, alone].iter().any(|known| self.names.contains(known))
    }
}

/// The keyspace and name that a written name refers to.
pub(super) fn parse_object_name(seen: &ReplayedStatement, written: &str) -> (Box<str>, Box<str>) {
    let plain = |part: &str| match part.trim().strip_prefix('"') {
        Some(quoted) => quoted.trim_end_matches('"').to_owned(),
        None => part.trim().to_lowercase(),
    };
    match written.split_once('.') {
        Some((keyspace, name)) => object_key(seen, Some(&plain(keyspace)), &plain(name)),
        None => object_key(seen, None, &plain(written)),
    }
}

pub(super) fn object_key(
    seen: &ReplayedStatement,
    keyspace: Option<&str>,
    name: &str,
) -> (Box<str>, Box<str>) {
    (keyspace.or(seen.keyspace.as_deref()).unwrap_or_default().into(), name.into())
}

/// The object that a CREATE that cannot be parsed would create.
fn create_target(statement: &str) -> Option<&str> {
    let mut words =
        statement.split(|at: char| at.is_whitespace() || at == '(').filter(|word| !word.is_empty());
    if !words.next()?.eq_ignore_ascii_case("create") {
        return None;
    }
    let kinds = ["table", "view", "type", "columnfamily", "function", "aggregate"];
    words.by_ref().take(4).find(|word| kinds.iter().any(|kind| word.eq_ignore_ascii_case(kind)))?;
    words.find(|word| !["if", "not", "exists"].iter().any(|known| word.eq_ignore_ascii_case(known)))
}
