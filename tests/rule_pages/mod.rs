//! The pages of the rules, put to a real Cassandra: what they call clean runs, what they call refused is refused in the same words, and
//! what findings propose is accepted.

mod node_dialect;
mod page_runner;
mod shared_keyspace;

use std::collections::BTreeSet;

use check::pages::{PageBlock, TextRole};
use check::{Finding, FixKind, Rule, rules};

use crate::cassandra;
use crate::print_uncaptured;
use page_runner::{PageRunner, StatementResult};

/// Disagreements printed in full; the rest are counted.
const SHOWN_MAX: usize = 60;

/// What a block says of its statements.
#[derive(Clone, Copy)]
enum Claim<'a> {
    /// All are accepted.
    Accepted,
    /// Those with findings of the server are refused, in their words, and the others are accepted.
    Found(&'a [Finding]),
    /// It is as our own binder says.
    Bound,
}

/// `PAGES=PK,CK cargo test -p helenus rules` looks at these families alone. A page answers for the fixes of all rules that speak in its blocks.
#[test]
fn pages_hold_on_cassandra() {
    let Some(address) = cassandra::node() else { return };
    let wanted = std::env::var("PAGES").unwrap_or_default();
    let mut run = PageComparison {
        scene: PageRunner::open(address),
        wrong: Vec::new(),
        seen: BTreeSet::new(),
    };
    let is_wanted = |rule: &&Rule| wanted.split(',').any(|start| rule.code.starts_with(start));
    for rule in rules::all().filter(is_wanted) {
        for block in rule.blocks().iter().filter(|block| is_for_node(block)) {
            run.check_block(rule, block);
        }
    }
    let (asked, wrong) = (run.scene.asked, run.wrong);
    run.scene.close();
    for line in wrong.iter().take(SHOWN_MAX) {
        print_uncaptured(line);
    }
    assert!(wrong.is_empty(), "{} of {asked} answers of the node are others", wrong.len());
}

/// Whether a block speaks of a server like the node: no other product or version, and nothing that a configuration switches.
fn is_for_node(block: &PageBlock) -> bool {
    !block.words.iter().any(|word| word.starts_with("target=") || word.starts_with("server"))
}

struct PageComparison {
    scene: PageRunner,
    wrong: Vec<String>,
    /// Texts of fixes that were put already: many findings propose the same.
    seen: BTreeSet<String>,
}

impl PageComparison {
    fn check_block(&mut self, rule: &'static Rule, block: &PageBlock) {
        if !block.has_word("found") {
            // What a comment allows may be refused all the same.
            let is_all = !block.text.contains("helenus: allow");
            self.check_texts(rule.code, block, if is_all { Claim::Accepted } else { Claim::Bound });
            return;
        }
        let findings = block.check(rule);
        self.check_texts(rule.code, block, Claim::Found(&findings));
        for finding in &findings {
            self.check_fix(rule, block, finding);
        }
        for (finding, planned) in block.apply_plans(rule) {
            self.check_once(rule, "the plan of", &finding, &planned, Claim::Accepted);
        }
    }

    /// What a finding proposes.
    fn check_fix(&mut self, rule: &Rule, block: &PageBlock, finding: &Finding) {
        if let Some(proposed) = PageBlock::from_proposal(finding) {
            self.check_once(rule, "the help of", finding, &proposed, Claim::Accepted);
        }
        if let Some(fix) = finding.fix.as_ref().filter(|fix| fix.kind != FixKind::Plan) {
            let fixed = block.apply_edits(fix.edits.clone());
            let left: Vec<Finding> = fixed.check(rule);
            self.check_once(rule, "the fix of", finding, &fixed, Claim::Found(&left));
        }
    }

    fn check_once(
        &mut self,
        rule: &Rule,
        what: &str,
        finding: &Finding,
        block: &PageBlock,
        claim: Claim<'_>,
    ) {
        if self.seen.insert(block.text.clone()) {
            self.check_texts(&format!("{}, {what} {}", rule.code, finding.rule.code), block, claim);
        }
    }

    /// Puts the texts of a block to the node, first those of the schema before.
    fn check_texts(&mut self, place: &str, block: &PageBlock, claim: Claim<'_>) {
        let session = block.session();
        for (role, claim) in [(TextRole::Before, Claim::Bound), (TextRole::Checked, claim)] {
            let texts = block.texts().into_iter().filter(|text| text.role == role);
            let texts: Vec<String> = texts.map(|text| text.text).collect();
            let mut was_refused = false;
            for put in self.scene.run_texts(&session, &texts, claim.findings()) {
                if let Some(wrong) = find_disagreement(&put, claim, was_refused) {
                    self.wrong.push(format!("{place}: {}\n  {wrong}", put.text));
                }
                was_refused |= put.node.is_some();
            }
        }
    }
}

impl<'a> Claim<'a> {
    fn findings(self) -> &'a [Finding] {
        match self {
            Claim::Found(findings) => findings,
            Claim::Accepted | Claim::Bound => &[],
        }
    }
}

/// What is wrong with what is claimed of a statement. After a refusal, others may follow from it.
fn find_disagreement(
    put: &StatementResult<'_>,
    claim: Claim<'_>,
    was_refused: bool,
) -> Option<String> {
    let said: Vec<&str> = put.findings.iter().map(|finding| &*finding.message).collect();
    match (claim, &put.node) {
        (Claim::Accepted, Some((_, node))) => Some(format!("the node refuses it: {node}")),
        (Claim::Bound, _) => (!put.is_as_binder_says())
            .then(|| format!("the node says {:?}, our binder not", put.node)),
        (_, Some(_)) if was_refused && put.is_as_binder_says() => None,
        (_, Some((_, node))) if said.is_empty() => {
            Some(format!("the node refuses it and no finding does: {node}"))
        }
        (_, Some((_, node))) => (!put.is_as_findings_say())
            .then(|| format!("the node says: {node}\n  and not: {}", said.join("\n  nor: "))),
        (_, None) => (!put.can_be_accepted())
            .then(|| format!("the node accepts it, against: {}", said.join("; "))),
    }
}
