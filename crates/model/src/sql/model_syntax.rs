//! A model whose statements are parsed, but not resolved.

use cql::{Diagnostic, Span};

use super::draft::ModelDraft;
use super::head::FileHead;
use super::source::{NamedStatement, SourceMap};
use super::{
    ModelFile, cardinality, comparison, default_workload, dialect, entity, file, head,
    limit_errors, measured_volume, mysql, named_directive, query, scan, trigger, volume,
};
use crate::assumption::{Assumption, AssumptionTopic, NO_QUERIES_HELP};
use crate::directive::SqlDialect;
use crate::measurement::Measurements;
use crate::workload::derive_writes;

/// A model whose statements are parsed. It can be resolved several times with other figures, which
/// takes much less time than to parse it.
pub struct ModelSyntax<'a> {
    text: &'a str,
    measured: &'a Measurements,
    dialect: SqlDialect,
    head: FileHead,
    draft: ModelDraft,
    named: Vec<NamedStatement>,
}

impl<'a> ModelSyntax<'a> {
    /// Parses the texts of [`super::read_files`].
    pub fn parse(
        text: &'a str,
        starts: &[usize],
        name: &str,
        measured: &'a Measurements,
    ) -> Result<Self, Vec<Diagnostic>> {
        file::check_text(text).map_err(|refusal| vec![refusal])?;
        let dialect = dialect::detect_dialect(text);
        let scan = scan::scan_files(text, starts, dialect);
        file::check_statements(text, &scan, dialect).map_err(|refusal| vec![refusal])?;
        let (head, errors) = head::read(text, &scan, name);
        let mut reader = file::FileReader::new(text, head.keyspace.clone(), dialect);
        reader.draft.errors.extend(errors);
        reader.read(scan);
        let (draft, named) = (reader.draft, reader.named);
        Ok(Self { text, measured, dialect, head, draft, named })
    }

    /// Resolves the model with further directives by name, a comment for each:
    /// `-- @table users @rows 13M`.
    pub fn resolve_with(&self, comments: &str) -> Result<ModelFile, Vec<Diagnostic>> {
        let (mut draft, mut named) = (self.draft.clone(), self.named.clone());
        for comment in comments.lines() {
            let directives = comment.trim_start_matches("-- ");
            named_directive::apply(directives, 0, &mut draft, &mut named);
        }
        Self { draft, named, head: self.head.clone(), ..*self }.resolve()
    }

    /// Resolves the model.
    pub(super) fn resolve(self) -> Result<ModelFile, Vec<Diagnostic>> {
        let Self { text, measured, dialect, head, mut draft, mut named } = self;
        measured_volume::add_measurements(measured, &mut draft, &mut named);
        mysql::find_conflict_keys(&mut draft, &mut named);
        trigger::apply_triggers(&mut draft, &mut named);
        let entities = entity::build_entities(&mut draft);
        if draft.has_too_many_errors() {
            return Err(limit_errors(draft.errors));
        }
        let types = std::mem::take(&mut draft.types).into_used_types(&entities);
        let mut concept = head.into_concept(&mut draft, entities, types);
        let places = SourceMap::new(text);
        let mut workload = query::resolve(&mut concept, &named, &places, &mut draft);
        if !draft.errors.is_empty() {
            return Err(limit_errors(draft.errors));
        }
        if named.is_empty() {
            let topic = AssumptionTopic::NoQueries;
            draft.assumptions.insert(0, Assumption { topic, span: Span::new(0, 0) });
            workload.reads = default_workload::build_reads(&concept);
        }
        volume::complete(&mut draft, &mut concept, &workload);
        match dialect {
            SqlDialect::Postgres => comparison::warn_differences(&mut draft, &concept, &workload),
            SqlDialect::Mysql => mysql::warn_differences(&mut draft, &concept, &workload),
        }
        cardinality::warn_several_rows(&mut draft, &concept, &workload);
        derive_writes(&concept, &mut workload);
        // A cascade of MySQL fires no trigger.
        if dialect == SqlDialect::Postgres {
            trigger::check_cascades(&mut draft, &concept, &workload);
        }
        if !draft.errors.is_empty() {
            return Err(limit_errors(draft.errors));
        }
        if named.is_empty() {
            draft.warn("MF014", Span::new(0, 0), "the file has no queries", NO_QUERIES_HELP);
        }
        let (assumptions, warnings) = (draft.assumptions, draft.warnings);
        Ok(ModelFile { concept, workload, assumptions, warnings })
    }
}
