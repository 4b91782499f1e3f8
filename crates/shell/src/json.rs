//! Results as JSON: one object per statement and line.

use engine::{ExecutionResult, ResultMessage};
use serde_json::json;

use super::{Shell, ShellError};

impl Shell<'_> {
    /// Prints all pages of a result: `{"file", "line", "columns", "rows", "warnings"}`; `columns`
    /// and `rows` only if it has rows.
    pub(crate) fn print_as_json(
        &mut self,
        text: &str,
        mut result: ExecutionResult,
    ) -> Result<(), ShellError> {
        let (file, line) = self.origin.clone().unwrap_or_default();
        let mut warnings = std::mem::take(&mut result.warnings);
        write!(self.screen.results(), "{{\"file\":{},\"line\":{line}", json!(file))?;
        if let ResultMessage::Rows(rows) = &result.outcome {
            let columns: Vec<_> = rows
                .columns
                .iter()
                .map(|column| json!({ "name": column.name, "type": column.ty.to_string() }))
                .collect();
            write!(self.screen.results(), ",\"columns\":{},\"rows\":[", json!(columns))?;
            let mut is_first = true;
            while let ResultMessage::Rows(rows) = &result.outcome {
                for row in rows.iter() {
                    let mut object = if is_first { "{".to_owned() } else { ",{".to_owned() };
                    is_first = false;
                    for (at, (column, value)) in rows.columns.iter().zip(row).enumerate() {
                        let comma = if at == 0 { "" } else { "," };
                        object.extend([comma, &json!(column.name).to_string(), ":"]);
                        engine::function::to_json(&column.ty, value, &mut object);
                    }
                    write!(self.screen.results(), "{object}}}")?;
                }
                let Some(next) = rows.paging_state.clone() else { break };
                result = self.session.query(text, &self.parameters(Some(&next)))?;
                warnings.append(&mut result.warnings);
            }
            write!(self.screen.results(), "]")?;
        }
        Ok(writeln!(self.screen.results(), ",\"warnings\":{}}}", json!(warnings))?)
    }
}
