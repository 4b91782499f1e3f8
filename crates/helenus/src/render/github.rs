//! Findings as annotations of GitHub Actions.

use std::io::{self, Write};

use cql::Severity;

use crate::finding::Finding;

pub(crate) fn findings(findings: &[Finding<'_>], out: &mut dyn Write) -> io::Result<()> {
    findings.iter().try_for_each(|finding| writeln!(out, "{}", one(finding)))
}

fn one(finding: &Finding<'_>) -> String {
    let diagnostic = &finding.diagnostic;
    let command = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let (start, end) = (finding.start(), finding.end());
    let mut message = diagnostic.message.clone();
    if let Some(help) = &diagnostic.help {
        message.push_str("\nhelp: ");
        message.push_str(help);
    }
    // Columns are given only for one line: the service ignores them otherwise.
    let columns = if start.line == end.line {
        format!(",col={},endColumn={}", start.column, end.column)
    } else {
        String::new()
    };
    format!(
        "::{command} file={},line={},endLine={}{columns},title={}::{}",
        property(&finding.source.name),
        start.line,
        end.line,
        property(diagnostic.rule),
        data(&message)
    )
}

/// Escapes the message of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use cql::{Diagnostic, ErrorCode, Span};

    #[test]
    fn commas_colons_and_newlines_are_escaped() {
        let source = Source::new("a,b:c.cql", "SELECT".to_owned());
        let diagnostic =
            Diagnostic::refusal("SY001", ErrorCode::Syntax, "100%\nsure", Span::new(0, 6))
                .with_help("write: x");
        let expected = "::error file=a%2Cb%3Ac.cql,line=1,endLine=1,col=1,endColumn=7,title=SY001::\
                        100%25%0Asure%0Ahelp: write: x";
        assert_eq!(one(&Finding { source: &source, diagnostic }), expected);
    }
}
