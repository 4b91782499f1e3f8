//! `--fix`: the fixed files parse, have no more safe fixes, and stay unchanged by another run.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use check::pages::{PageBlock, TextRole};
use check::{Rule, rules};

use super::TestFolder;

/// A schema as people write it, with several findings in the same lines.
const SHOP: &str = include_str!("shop.cql");

#[test]
fn findings_in_the_same_lines() {
    let folder = TestFolder::new("same-lines");
    folder.write("shop.cql", SHOP);
    let arguments = ["--fix", "--unsafe", "--min-severity", "info", "shop.cql"];
    let before = folder.json(&["--format", "json", "--min-severity", "info", "shop.cql"]);
    let fixable = |printed: &serde_json::Value| {
        let all = printed["findings"].as_array().into_iter().flatten().cloned();
        let applied = |finding: &serde_json::Value| {
            matches!(finding["fix"]["kind"].as_str(), Some("safe" | "unsafe"))
        };
        all.filter(applied).collect::<Vec<_>>()
    };
    assert!(fixable(&before).len() >= 8, "{:#?}", fixable(&before));
    let (printed, _) = folder.check(&arguments);
    let fixed = folder.read("shop.cql");
    assert!(cql::parse(&fixed).errors.is_empty(), "{fixed}");
    let after = folder.json(&["--format", "json", "--min-severity", "info", "shop.cql"]);
    assert_eq!(fixable(&after), Vec::<serde_json::Value>::new(), "{printed}\n{fixed}");
    folder.check(&arguments);
    assert_eq!(folder.read("shop.cql"), fixed, "once is enough");
    let errors = |printed: &serde_json::Value| {
        let all = printed["findings"].as_array().into_iter().flatten();
        all.filter(|finding| finding["severity"] == "error").count()
    };
    assert!(errors(&after) <= errors(&before), "{fixed}");
}

/// Over what the pages of all rules show: fixing leaves what parses, and nothing to fix.
#[test]
fn fixing_twice_is_fixing_once() {
    let blocks: Vec<(&Rule, PageBlock)> = rules::all()
        .flat_map(|rule| rule.blocks().into_iter().map(move |block| (rule, block)))
        .filter(|(_, block)| block.has_word("found"))
        .collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut wrong = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some((rule, block)) = blocks.get(at) else { return wrong };
            wrong.extend(wrong_fixes(rule, block, at));
        }
    };
    let wrong: Vec<String> = thread::scope(|scope| {
        let threads = [(); 2].map(|()| scope.spawn(work));
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(blocks.len() > 300, "only {} blocks", blocks.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with the fixes of a block.
fn wrong_fixes(rule: &Rule, block: &PageBlock, at: usize) -> Option<String> {
    let folder = TestFolder::new(&format!("page-{at}"));
    let mut names = Vec::new();
    for text in block.texts().into_iter().filter(|text| text.role == TextRole::Checked) {
        folder.write(&text.name, &text.text);
        names.push(text.name);
    }
    let level = format!("{}=on", rule.code);
    let mut arguments = vec!["--unsafe", "--min-severity", "info", "--rule", &level];
    for word in &block.words {
        match word.split_once('=') {
            Some(("target", target)) => arguments.extend(["--target", target]),
            Some(("environment", profile)) => arguments.extend(["--profile", profile]),
            None if word == "strict" => arguments.extend(["--profile", "strict"]),
            None if word == "migration" => arguments.push("--migrations"),
            _ => {}
        }
    }
    arguments.extend(names.iter().map(String::as_str));
    let errors = || -> usize {
        let cql = names.iter().filter(|name| name.rsplit('.').next() == Some("cql"));
        cql.map(|name| cql::parse(&folder.read(name)).errors.len()).sum()
    };
    let before = errors();
    let (printed, code) = folder.check(&[&["--fix"], arguments.as_slice()].concat());
    let texts: Vec<String> = names.iter().map(|name| folder.read(name)).collect();
    let place = || format!("{}: {:?}\n{}", rule.code, block.words, texts.join("--\n"));
    if code > 1 {
        return Some(format!("{}\n{printed}", place()));
    }
    if errors() > before {
        return Some(format!("does not parse: {}", place()));
    }
    let (left, _) = folder.check(&[&["--diff"], arguments.as_slice()].concat());
    let is_still = left.contains("--fix would fix 0 findings in 0 files");
    (!is_still).then(|| format!("not at once: {}{left}", place()))
}
