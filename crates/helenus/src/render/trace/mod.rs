//! Traces, for `helenus explain --trace`: the waterfall, the facts, the verdict and what to change.

mod cause_text;
mod facts;
pub(crate) mod json;
mod phase_text;
mod waterfall;

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use doctor::trace::Trace;
use doctor::trace::analysis::{TraceAnalysis, Verdict};

pub(crate) use phase_text::micros;

const HEADING: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
/// The narrowest layout; a terminal that is narrower wraps it.
const WIDTH_MIN: usize = 60;
/// The widest layout: longer bars tell no more.
const WIDTH_MAX: usize = 160;

/// Writes the report on one trace.
pub(crate) fn write(
    trace: &Trace,
    analysis: &TraceAnalysis,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let width = width.clamp(WIDTH_MIN, WIDTH_MAX);
    write_title(trace, analysis, width, out)?;
    writeln!(out)?;
    waterfall::write(analysis, width, out)?;
    writeln!(out)?;
    for (label, text) in facts::list(trace, analysis) {
        write_labelled(label, &text, width, out)?;
    }
    writeln!(out)?;
    write_verdict(trace, analysis, width, out)
}

fn write_title(
    trace: &Trace,
    analysis: &TraceAnalysis,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let title = trace.statement().or(trace.request.as_deref()).unwrap_or("trace");
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    writeln!(out, "{HEADING}{}{HEADING:#}", cut(&title, width * 3))?;
    let mut parts = vec![micros(analysis.timeline.total)];
    parts.push(format!("coordinator {}", analysis.coordinator));
    if let Some(level) = trace.parameters.get("consistency_level") {
        parts.push(format!("consistency {level}"));
    }
    if let Some(size) = trace.parameters.get("page_size") {
        parts.push(format!("page size {size}"));
    }
    if trace.duration.is_none() {
        parts.push("not complete".to_owned());
    }
    let Some(session) = &trace.session else { return writeln!(out, "  {}", parts.join(", ")) };
    let session = format!("session {session}");
    let length = parts.iter().map(|part| part.chars().count() + 2).sum::<usize>() + session.len();
    let separator = if length + 2 > width { "\n  " } else { ", " };
    writeln!(out, "  {}{separator}{session}", parts.join(", "))
}

fn write_verdict(
    trace: &Trace,
    analysis: &TraceAnalysis,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let verdict = analysis.verdict();
    let style = verdict_style(verdict);
    let reason = if analysis.problems.is_empty() { ": no step exceeds a limit" } else { "" };
    writeln!(out, "  {style}{}{style:#}{reason}", verdict_name(verdict))?;
    for problem in &analysis.problems {
        let text = cause_text::describe(trace, &problem.cause);
        let style = verdict_style(problem.verdict);
        write_wrapped(&format!("{style}-{style:#} "), 4, &text.found, width, out)?;
        write_wrapped("change: ", 6, &text.change, width, out)?;
    }
    Ok(())
}

/// Writes a text behind a label, wrapped.
pub(crate) fn write_labelled(
    label: &str,
    text: &str,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut label = format!("{label:<12}");
    for line in wrap(text, width.saturating_sub(14)) {
        writeln!(out, "  {label}{line}")?;
        label = " ".repeat(12);
    }
    Ok(())
}

fn write_wrapped(
    first: &str,
    indent: usize,
    text: &str,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let visible = if first.starts_with("change") { first.len() } else { 2 };
    let mut lead = first.to_owned();
    for line in wrap(text, width.saturating_sub(indent + visible)) {
        writeln!(out, "{}{lead}{line}", " ".repeat(indent))?;
        lead = " ".repeat(visible);
    }
    Ok(())
}

/// Breaks a text into lines of at most this many characters, at blanks.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let needed = line.chars().count() + 1 + word.chars().count();
        if !line.is_empty() && needed > width {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

/// A text of at most this many characters.
pub(crate) fn cut(text: &str, length: usize) -> String {
    if text.chars().count() <= length {
        return text.to_owned();
    }
    let kept: String = text.chars().take(length.saturating_sub(3)).collect();
    format!("{kept}...")
}

/// The word for a verdict.
pub(crate) fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Fine => "fine",
        Verdict::Watch => "watch",
        Verdict::Dangerous => "dangerous",
    }
}

/// The colour of a verdict.
pub(crate) fn verdict_style(verdict: Verdict) -> Style {
    let color = match verdict {
        Verdict::Fine => AnsiColor::Green,
        Verdict::Watch => AnsiColor::Yellow,
        Verdict::Dangerous => AnsiColor::Red,
    };
    color.on_default().bold()
}
