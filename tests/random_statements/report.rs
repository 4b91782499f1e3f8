//! What a run has shown: how mean the statements were, and where the two sides differ.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use super::comparison::RunPlan;
use super::mask::shape;
use super::probe::Probe;
use crate::verdict::{Verdict, is_grammar_error};

/// The shape of every syntax error: the wording is the parser generator's.
const SYNTAX: &str = "syntax error";

/// How often a kind was written, and refused.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) asked: usize,
    pub(super) refused: usize,
}

/// Statements on which the two differ in the same way.
#[derive(Clone, Debug)]
struct StatementDifference {
    count: usize,
    example: String,
    ours: String,
    theirs: String,
}

/// The figures of a run.
#[derive(Clone, Debug)]
pub(super) struct ComparisonReport {
    plan: RunPlan,
    pub(super) kinds: BTreeMap<&'static str, Tally>,
    slips: BTreeMap<&'static str, Tally>,
    /// The shapes of the server's texts, with an example and a count.
    pub(super) shapes: BTreeMap<String, (usize, String)>,
    unjudged: BTreeMap<String, usize>,
    judged: usize,
    verdicts_agreed: usize,
    both_refused: usize,
    codes_agreed: usize,
    texts_compared: usize,
    texts_agreed: usize,
    prepared_compared: usize,
    prepared_agreed: usize,
    differences: BTreeMap<(String, String), StatementDifference>,
}

impl ComparisonReport {
    /// An empty report.
    pub(super) fn new(plan: RunPlan) -> Self {
        Self {
            plan,
            kinds: BTreeMap::new(),
            slips: BTreeMap::new(),
            shapes: BTreeMap::new(),
            unjudged: BTreeMap::new(),
            judged: 0,
            verdicts_agreed: 0,
            both_refused: 0,
            codes_agreed: 0,
            texts_compared: 0,
            texts_agreed: 0,
            prepared_compared: 0,
            prepared_agreed: 0,
            differences: BTreeMap::new(),
        }
    }

    /// How many statements were asked.
    pub(super) fn statement_count(&self) -> usize {
        self.kinds.values().map(|tally| tally.asked).sum()
    }

    /// Notes a statement and what was said to it; a node may fail to give a verdict.
    pub(super) fn record(&mut self, ask: &Probe, theirs: &Result<Verdict, String>, ours: &Verdict) {
        let refusal = theirs.as_ref().ok().and_then(|verdict| verdict.refusal.as_ref());
        let refused = usize::from(refusal.is_some());
        let tally = self.kinds.entry(ask.kind).or_default();
        *tally = Tally { asked: tally.asked + 1, refused: tally.refused + refused };
        for slip in if ask.slips.is_empty() { &["none"][..] } else { &ask.slips[..] } {
            let tally = self.slips.entry(slip).or_default();
            *tally = Tally { asked: tally.asked + 1, refused: tally.refused + refused };
        }
        if let Some((code, text)) = refusal {
            let shaped =
                if is_grammar_error(text) { SYNTAX.to_owned() } else { shape(text, &ask.text) };
            let example = || (0, format!("{code:#06x} {text}\n      {}", ask.text));
            self.shapes.entry(shaped).or_insert_with(example).0 += 1;
        }
        match theirs {
            Ok(theirs) => self.compare(ask, theirs, ours),
            Err(text) => *self.unjudged.entry(shape(text, &ask.text)).or_default() += 1,
        }
    }

    fn compare(&mut self, ask: &Probe, theirs: &Verdict, ours: &Verdict) {
        self.judged += 1;
        let same = match (&theirs.refusal, &ours.refusal) {
            (Some((code, text)), Some((our_code, our_text))) => {
                self.verdicts_agreed += 1;
                self.both_refused += 1;
                self.codes_agreed += usize::from(code == our_code);
                let grammar = is_grammar_error(text);
                let same = grammar || text == our_text;
                self.texts_compared += usize::from(!grammar);
                self.texts_agreed += usize::from(!grammar && same);
                code == our_code && same
            }
            (None, None) => {
                self.verdicts_agreed += 1;
                self.compare_columns(theirs, ours)
            }
            _ => false,
        };
        if !same {
            self.record_difference(ask, theirs, ours);
        }
    }

    /// Whether both name the same markers and result columns of a prepared statement.
    fn compare_columns(&mut self, theirs: &Verdict, ours: &Verdict) -> bool {
        let same = theirs.markers == ours.markers && theirs.columns == ours.columns;
        let told = theirs.markers.is_some() || theirs.columns.is_some();
        self.prepared_compared += usize::from(told);
        self.prepared_agreed += usize::from(told && same);
        same
    }

    fn record_difference(&mut self, ask: &Probe, theirs: &Verdict, ours: &Verdict) {
        let key = (difference_key(theirs, ask), difference_key(ours, ask));
        let difference = self.differences.entry(key).or_insert_with(|| StatementDifference {
            count: 0,
            example: format!("{}{}", if ask.manner.prepare { "[prepare] " } else { "" }, ask.text),
            ours: describe_verdict(ours),
            theirs: describe_verdict(theirs),
        });
        difference.count += 1;
    }

    /// The share of refused statements, in percent.
    pub(super) fn refusal_percent(&self) -> f64 {
        percent(self.kinds.values().map(|tally| tally.refused).sum(), self.statement_count())
    }

    /// The share of statements on which both say yes or both say no.
    pub(super) fn verdicts_percent(&self) -> f64 {
        percent(self.verdicts_agreed, self.judged)
    }

    /// The share of common refusals with the same code.
    pub(super) fn codes_percent(&self) -> f64 {
        percent(self.codes_agreed, self.both_refused)
    }

    /// The share of common refusals, syntax errors apart, with the same text.
    pub(super) fn texts_percent(&self) -> f64 {
        percent(self.texts_agreed, self.texts_compared)
    }
}

fn describe_verdict(verdict: &Verdict) -> String {
    let lines = verdict.lines();
    if lines.is_empty() { "accepted".to_owned() } else { lines.join("; ") }
}

fn difference_key(verdict: &Verdict, ask: &Probe) -> String {
    match &verdict.refusal {
        None => format!("accepted {}", ask.kind),
        Some((_, text)) if is_grammar_error(text) => format!("{SYNTAX} {}", ask.kind),
        Some((code, text)) => format!("{code:#06x} {}", shape(text, &ask.text)),
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of statements are far below 2^52")]
fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 { 100.0 } else { 100.0 * part as f64 / whole as f64 }
}

impl fmt::Display for ComparisonReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RunPlan { seed, statements } = self.plan;
        writeln!(
            f,
            "{} statements, {:.1} % refused, {} kinds, {} shapes of refusals",
            self.statement_count(),
            self.refusal_percent(),
            self.kinds.len(),
            self.shapes.len()
        )?;
        writeln!(
            f,
            "again: HELENUS_SEED={seed} HELENUS_STATEMENTS={statements} cargo test -p helenus --test main random_statements -- --nocapture"
        )?;
        for (kind, tally) in &self.kinds {
            writeln!(f, "  {kind:24} {:6} asked {:6} refused", tally.asked, tally.refused)?;
        }
        for (text, count) in &self.unjudged {
            writeln!(f, "  unjudged {count} × {text}")?;
        }
        if std::env::var_os("HELENUS_SHAPES").is_some() {
            self.list_shapes(f)?;
        }
        self.list_differences(f)
    }
}

impl ComparisonReport {
    fn list_shapes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shapes: Vec<_> = self.shapes.iter().collect();
        shapes.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        for (shape, (count, example)) in shapes {
            writeln!(f, "{count:6} × {shape}\n      {example}")?;
        }
        for (slip, tally) in &self.slips {
            writeln!(f, "  slip {slip:44} {:6} made {:6} refused", tally.asked, tally.refused)?;
        }
        Ok(())
    }

    fn list_differences(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "accept or refuse: {:.2} % of {} agree", self.verdicts_percent(), self.judged)?;
        writeln!(
            f,
            "codes: {:.2} % of {} common refusals agree",
            self.codes_percent(),
            self.both_refused
        )?;
        writeln!(f, "texts: {:.2} % of {} agree", self.texts_percent(), self.texts_compared)?;
        writeln!(
            f,
            "markers and columns: {} of {} agree",
            self.prepared_agreed, self.prepared_compared
        )?;
        let mut differences: Vec<&StatementDifference> = self.differences.values().collect();
        differences.sort_by_key(|difference| std::cmp::Reverse(difference.count));
        for StatementDifference { count, example, ours, theirs } in differences {
            let mut text = String::new();
            write!(text, "{count:5} × {example}\n        node: {theirs}\n        ours: {ours}")?;
            writeln!(f, "{text}")?;
        }
        Ok(())
    }
}
