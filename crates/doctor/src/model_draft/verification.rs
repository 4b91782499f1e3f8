//! The judgement of the reader of model files.

use super::statement::{StatementList, UntranslatedReason, UntranslatedStatement};
use super::text::FileContent;

/// The file is read again after statements were removed from it.
const ROUNDS_MAX: usize = 20;

/// Writes the file, without the statements that its reader refuses: they become comments.
pub(super) fn verify(
    content: &FileContent<'_, '_>,
    mut list: StatementList,
) -> (StatementList, String) {
    let mut file = content.write(&list);
    for _ in 0..ROUNDS_MAX {
        let Err(errors) = model::sql::read(&file.text, &content.keyspace.name) else { break };
        let mut refused: Vec<(usize, String)> = Vec::new();
        for error in errors {
            let place = error.span.start as usize;
            let found = file.places.iter().position(|range| range.contains(&place));
            if let Some(at) = found.filter(|at| refused.iter().all(|(known, _)| known != at)) {
                refused.push((at, error.message.clone()));
            }
        }
        if refused.is_empty() {
            break;
        }
        refused.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        for (at, message) in refused {
            let statement = list.statements.remove(at);
            for text in statement.seen {
                let reason = UntranslatedReason::Refused(message.clone());
                list.untranslated.push(UntranslatedStatement { text, count: 0, reason });
            }
        }
        file = content.write(&list);
    }
    (list, file.text)
}
