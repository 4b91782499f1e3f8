//! The fenced blocks of a page, and the scenes that they set.

use model::Session;

use crate::finding::Finding;
use crate::project::{undoes, undone};
use crate::{Environment, Level, Project, Rule, Settings, Target, Text, TextKind, check};

/// A fenced block.
pub(super) struct Block {
    /// The words behind `cql`.
    pub(super) words: Vec<String>,
    pub(super) text: String,
}

/// The CQL blocks of a page.
pub(super) fn blocks(page: &str) -> Vec<Block> {
    let mut all = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let inside: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let mut words = info.split_whitespace().map(str::to_owned);
        let text = inside.join("\n") + "\n";
        match words.next().as_deref() {
            Some("cql") => all.push(Block { words: words.collect(), text }.with_markers()),
            Some("server") => all.push(Block { words: vec!["server".to_owned()], text }),
            _ => {}
        }
    }
    all
}

impl Block {
    pub(super) fn is(&self, word: &str) -> bool {
        self.words.iter().any(|known| known == word)
    }

    fn value<'w>(&'w self, prefix: &'w str) -> impl Iterator<Item = &'w str> {
        self.words.iter().filter_map(move |word| word.strip_prefix(prefix))
    }

    /// With `markers=65536`, `?...` stands for so many.
    fn with_markers(mut self) -> Self {
        let count = self.value("markers=").next().and_then(|count| count.parse().ok());
        if let Some(count) = count {
            self.text = self.text.replace("?...", &vec!["?"; count].join(", "));
        }
        self
    }

    fn settings(&self, rule: &Rule) -> Settings {
        let mut settings = Settings { strict: self.is("strict"), ..Settings::default() };
        settings.levels.insert(rule.code.to_owned(), Level::On);
        if let Some(target) = self.value("target=").next().and_then(Target::named) {
            settings.target = target;
        }
        if self.is("environment=test") {
            settings.environment = Environment::Test;
        }
        if let Some(nodes) = self.value("nodes=").next().and_then(|nodes| nodes.parse().ok()) {
            settings.nodes = nodes;
        }
        let pairs = |prefix| self.value(prefix).filter_map(|pair| pair.split_once('='));
        settings.server = pairs("server:").map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
        let limits = pairs("limit:").filter_map(|(k, v)| Some((k.to_owned(), v.parse().ok()?)));
        settings.limits = limits.collect();
        settings
    }

    /// The texts of the block: where each starts among its lines, its name, and its lines. Those above `-- before` come first.
    fn texts(&self) -> Vec<(usize, String, String, bool)> {
        let name = self.value("file=").next().unwrap_or("schema.cql").to_owned();
        let mut texts = vec![(0, name, String::new(), false)];
        for (at, line) in self.text.lines().enumerate() {
            if let Some(name) = line.strip_prefix("-- file: ") {
                texts.push((at + 1, name.to_owned(), String::new(), false));
            } else if line == "-- before" {
                for text in &mut texts {
                    text.3 = true;
                }
                texts.push((at + 1, "schema.cql".to_owned(), String::new(), false));
            } else if let Some(last) = texts.last_mut() {
                last.2.push_str(line);
                last.2.push('\n');
            }
        }
        texts
    }

    /// The findings of the block, of all rules.
    pub(super) fn check(&self, rule: &Rule) -> Vec<Finding> {
        let mut settings = self.settings(rule);
        let texts = self.texts();
        let names = texts.iter().map(|text| text.1.clone());
        settings.rollbacks = names.filter(|name| undoes(name)).collect();
        let kind = |name: &str| {
            if name.rsplit('.').next() != Some("cql") {
                return TextKind::Program;
            }
            let is_step = name == "schema.cql" || undone(name).is_some();
            if self.is("migration") && is_step { TextKind::Migration } else { TextKind::Cql }
        };
        let read = |text: &'_ (usize, String, String, bool)| cql::parse(&text.2);
        let earlier: Vec<_> = texts.iter().filter(|text| text.3).collect();
        let before = (!earlier.is_empty()).then(|| {
            let mut session = session();
            for statement in earlier.iter().flat_map(|text| read(text).statements) {
                let _ = session.run(&statement);
            }
            session.catalog
        });
        let now = texts.iter().filter(|text| !text.3 && !undoes(&text.1)).map(|text| Text {
            name: &text.1,
            text: &text.2,
            parsed: read(text),
            kind: kind(&text.1),
            is_told: true,
        });
        let project = Project::new(now.collect(), session(), &settings, before.as_ref());
        check(&project)
    }

    /// The line of the block that a finding starts in.
    pub(super) fn line(&self, finding: &Finding) -> usize {
        let texts = self.texts();
        let mut now = texts.iter().filter(|text| !text.3 && !undoes(&text.1));
        let Some(text) = now.nth(finding.place.text) else { return 0 };
        let start = finding.place.span.start as usize;
        text.0 + text.2.get(..start).map_or(0, |above| above.matches('\n').count())
    }
}

fn session() -> Session {
    let mut session = Session::with_system_tables();
    session.catalog.datacenters.clear();
    session.assume_keyspace("ks").expect("a plain name");
    session
}
