//! Objects that are used before they are created, or created in none of the texts.

use std::collections::{BTreeMap, BTreeSet};

use cql::type_name::{TypeName, TypeNameKind};
use cql::{QualifiedName, Span, StatementKind};

use super::absent_objects::{object_key, parse_object_name};
use crate::Severity;
use crate::fix::{Edit, Fix, FixKind};
use crate::location::Location;
use crate::project::{Project, ReplayedStatement, StatementOutcome, TextKind};
use crate::rule::Finding;

/// The statements that create objects.
#[derive(Default)]
pub(super) struct CreationOrder {
    created: Option<CreationIndex>,
    /// Statements that a fix moves already.
    moved: BTreeSet<usize>,
    /// Missing objects that are already reported: the text, the keyspace and the name.
    told: BTreeSet<(usize, Box<str>, Box<str>)>,
}

struct CreationIndex {
    /// The statement that creates a keyspace (without a name), table, view or type.
    statements: BTreeMap<(Box<str>, Box<str>), usize>,
    /// Keyspaces of which the texts hold the schema: they create tables in it.
    keyspaces: BTreeSet<Box<str>>,
}

impl CreationOrder {
    /// Adds to a finding where the missing object is created. Returns false if the finding should
    /// be dropped: the schema is not among the files, and one note per text reports that.
    pub(super) fn explain(
        &mut self,
        project: &Project<'_>,
        at: usize,
        finding: &mut Finding,
    ) -> bool {
        let Some(seen) = project.statements.get(at) else { return true };
        let created = self.created.get_or_insert_with(|| CreationIndex::new(project));
        let (keyspace, name) = parse_object_name(seen, project.text_at(finding.place));
        let is_here = created.keyspaces.contains(&keyspace);
        // USE and DROP KEYSPACE name only a keyspace.
        let places = [
            (keyspace.clone(), name.clone()),
            (name.clone(), "".into()),
            (keyspace.clone(), "".into()),
        ];
        let found = places.iter().find_map(|known| created.statements.get(known)).copied();
        if let Some(later) = found.filter(|later| *later > at)
            && let Some(creation) = project.statements.get(later)
        {
            finding.with_related(creation.place, "it is created here");
            finding.help("move its CREATE before this statement");
            if self.moved.insert(later) {
                finding.fix = move_up(project, seen, creation);
            }
        } else if finding.rule.code == "SV028" && !is_here {
            finding.severity = Severity::Info;
            finding.help("pass the files that create it to the check as well");
            return self.told.insert((seen.place.text, keyspace, name));
        } else if finding.rule.code == "SV028"
            && found.is_none()
            && is_migration_step(project, seen)
        {
            finding
                .help("create it in an earlier step; if that is not among the files, use --schema");
            return self.told.insert((seen.place.text, keyspace, name));
        }
        true
    }
}

fn is_migration_step(project: &Project<'_>, seen: &ReplayedStatement) -> bool {
    project.texts.get(seen.place.text).is_some_and(|text| text.kind == TextKind::Migration)
}

impl CreationIndex {
    fn new(project: &Project<'_>) -> Self {
        let mut created = Self { statements: BTreeMap::new(), keyspaces: BTreeSet::new() };
        for (at, seen) in project.definitions() {
            let Some(statement) = project.syntax(seen) else { continue };
            let name = match &statement.kind {
                StatementKind::CreateKeyspace(create) => {
                    let name = (create.name.text.clone(), "".into());
                    created.statements.entry(name).or_insert(at);
                    continue;
                }
                StatementKind::CreateTable(create) => &create.name,
                StatementKind::CreateView(create) => &create.name,
                StatementKind::CreateType(create) => &create.name,
                _ => continue,
            };
            let name = name_key(seen, name);
            if matches!(statement.kind, StatementKind::CreateTable(_)) {
                created.keyspaces.insert(name.0.clone());
            }
            created.statements.entry(name).or_insert(at);
        }
        created
    }
}

fn name_key(seen: &ReplayedStatement, name: &QualifiedName) -> (Box<str>, Box<str>) {
    object_key(seen, name.keyspace.as_ref().map(|own| &*own.text), &name.name.text)
}

/// Moves a CREATE to where it is first needed, if it is in the same text, needs nothing itself, and
/// no comment belongs to it or to the statement that needs it.
fn move_up(
    project: &Project<'_>,
    seen: &ReplayedStatement,
    creation: &ReplayedStatement,
) -> Option<Fix> {
    let needs_nothing = match &project.syntax(creation)?.kind {
        StatementKind::CreateKeyspace(_) => true,
        StatementKind::CreateType(create) => create.fields.iter().all(|(_, ty)| is_native_only(ty)),
        StatementKind::CreateTable(create) => {
            create.columns.iter().all(|column| is_native_only(&column.type_name))
        }
        _ => false,
    };
    let text = seen.place.text;
    let source = project.texts.get(text)?.text;
    let is_fine = matches!(creation.outcome, StatementOutcome::Changes(_));
    if !needs_nothing || !is_fine || creation.place.text != text || seen.at >= creation.at {
        return None;
    }
    gap_start(source, project, seen)?;
    let gap = gap_start(source, project, creation)?;
    let end = creation.place.span.end;
    let rest = source.get(end as usize..)?;
    let semicolon = rest.trim_start().strip_prefix(';')?;
    let end = end + u32::try_from(rest.len() - semicolon.len()).ok()?;
    let start = Span::new(seen.place.span.start, seen.place.span.start);
    let moved = format!("{};\n", project.text_at(creation.place));
    let edits = vec![
        Edit { place: Location { text, span: start }, text: moved },
        Edit { place: Location { text, span: Span::new(gap, end) }, text: String::new() },
    ];
    Some(Fix { title: "move the CREATE up".to_owned(), kind: FixKind::Safe, edits })
}

/// The start of the blanks before a statement; `None` if anything else precedes it.
fn gap_start(source: &str, project: &Project<'_>, seen: &ReplayedStatement) -> Option<u32> {
    let statements = &project.texts.get(seen.place.text)?.parsed.statements;
    let before = seen.at.checked_sub(1).and_then(|at| statements.get(at));
    let start = before.map_or(0, |before| before.span.end);
    let gap = source.get(start as usize..seen.place.span.start as usize)?;
    let blanks = gap.trim_start().strip_prefix(';').or_else(|| before.is_none().then_some(gap))?;
    let is_blank = blanks.trim().is_empty();
    is_blank.then(|| seen.place.span.start - u32::try_from(blanks.len()).unwrap_or(0))
}

/// Whether a type consists of native types only.
fn is_native_only(ty: &TypeName) -> bool {
    match &ty.kind {
        TypeNameKind::Native(_) => true,
        TypeNameKind::List(inner)
        | TypeNameKind::Set(inner)
        | TypeNameKind::Vector(inner, _)
        | TypeNameKind::Frozen(inner) => is_native_only(inner),
        TypeNameKind::Map(both) => is_native_only(&both.0) && is_native_only(&both.1),
        TypeNameKind::Tuple(all) => all.iter().all(is_native_only),
        TypeNameKind::User(_) | TypeNameKind::Custom(_) | TypeNameKind::Placeholder(_) => false,
    }
}
