//! The fenced blocks of a page, and the scenes that they set.

use schema::Session;

use crate::project::{external_keyspaces, is_rollback, migration_number};
use crate::rule::Finding;
use crate::{
    Environment, Level, Location, Project, Rule, Settings, SourceText, Target, TextKind, check,
};

/// A fenced block.
#[derive(Clone, Debug)]
pub struct PageBlock {
    /// The words behind `cql`.
    pub words: Vec<String>,
    /// What stands in it.
    pub text: String,
}

/// One of the texts of a block.
#[derive(Clone, Debug)]
pub struct PageText {
    /// Its name.
    pub name: String,
    /// What stands in it.
    pub text: String,
    /// What it is for.
    pub role: TextRole,
    /// Where it starts in its block.
    pub start: usize,
}

/// What a text of a block is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextRole {
    /// It is the schema that the others are compared with.
    Before,
    /// It is checked.
    Checked,
    /// It takes a migration back; only its name counts.
    Rollback,
}

/// The CQL blocks of a page.
pub(super) fn parse_blocks(page: &str) -> Vec<PageBlock> {
    let mut all = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let inside: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let mut words = info.split_whitespace().map(str::to_owned);
        let text = inside.join("\n") + "\n";
        match words.next().as_deref() {
            Some("cql") => all.push(PageBlock { words: words.collect(), text }.with_markers()),
            Some("server") => all.push(PageBlock { words: vec!["server".to_owned()], text }),
            _ => {}
        }
    }
    all
}

impl PageBlock {
    /// Whether one of its words is this one.
    pub fn has_word(&self, word: &str) -> bool {
        self.words.iter().any(|known| known == word)
    }

    fn option_values<'w>(&'w self, prefix: &'w str) -> impl Iterator<Item = &'w str> {
        self.words.iter().filter_map(move |word| word.strip_prefix(prefix))
    }

    /// With `markers=65536`, `?...` stands for so many.
    fn with_markers(mut self) -> Self {
        let count = self.option_values("markers=").next().and_then(|count| count.parse().ok());
        if let Some(count) = count {
            self.text = self.text.replace("?...", &vec!["?"; count].join(", "));
        }
        self
    }

    fn settings(&self, rule: &Rule) -> Settings {
        let mut settings = Settings { strict: self.has_word("strict"), ..Settings::default() };
        settings.levels.insert(rule.code.to_owned(), Level::On);
        if let Some(target) = self.option_values("target=").next().and_then(Target::from_name) {
            settings.target = target;
        }
        if self.has_word("environment=test") {
            settings.environment = Environment::Test;
        }
        if let Some(nodes) =
            self.option_values("nodes=").next().and_then(|nodes| nodes.parse().ok())
        {
            settings.nodes = nodes;
        }
        let pairs = |prefix| self.option_values(prefix).filter_map(|pair| pair.split_once('='));
        settings.server = pairs("server:").map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
        let limits = pairs("limit:").filter_map(|(k, v)| Some((k.to_owned(), v.parse().ok()?)));
        settings.limits = limits.collect();
        settings
    }

    /// The texts of the block. Those above `-- before` come first.
    pub fn texts(&self) -> Vec<PageText> {
        let text = |name: &str, start| PageText {
            name: name.to_owned(),
            text: String::new(),
            role: if is_rollback(name) { TextRole::Rollback } else { TextRole::Checked },
            start,
        };
        let mut texts = vec![text(self.option_values("file=").next().unwrap_or("schema.cql"), 0)];
        let mut end = 0;
        for line in self.text.split_inclusive('\n') {
            end += line.len();
            if let Some(name) = line.strip_prefix("-- file: ") {
                texts.push(text(name.trim_end(), end));
            } else if line == "-- before\n" {
                for text in &mut texts {
                    text.role = TextRole::Before;
                }
                texts.push(text("schema.cql", end));
            } else if let Some(last) = texts.last_mut() {
                last.text.push_str(line);
            }
        }
        texts
    }

    /// Where a place of one of its texts is in the block.
    pub(super) fn offset(&self, place: Location) -> usize {
        let texts = self.texts();
        let mut now = texts.iter().filter(|text| text.role == TextRole::Checked);
        now.nth(place.text).map_or(0, |text| text.start) + place.span.start as usize
    }

    /// A session that knows the keyspaces that the block takes for existing.
    pub fn session(&self) -> Session {
        let texts = self.texts();
        let mut session = session();
        let read = texts.iter().map(|text| self.parse_text(text)).collect::<Vec<_>>();
        external_keyspaces::assume(&read, &mut session);
        session
    }

    fn parse_text<'t>(&self, text: &'t PageText) -> SourceText<'t> {
        let name = &text.name;
        let is_step = name == "schema.cql" || migration_number(name).is_some();
        let kind = if name.rsplit('.').next() != Some("cql") {
            TextKind::Program
        } else if self.has_word("migration") && is_step {
            TextKind::Migration
        } else {
            TextKind::Cql
        };
        let parsed = cql::parse(&text.text);
        SourceText { name: &text.name, text: &text.text, parsed, kind, is_reported: true }
    }

    /// The findings of the block, of all rules.
    pub fn check(&self, rule: &Rule) -> Vec<Finding> {
        let mut settings = self.settings(rule);
        let texts = self.texts();
        let names = texts.iter().map(|text| text.name.clone());
        settings.rollbacks = names.filter(|name| is_rollback(name)).collect();
        let of_role = |role| texts.iter().filter(move |text| text.role == role);
        let earlier: Vec<_> = of_role(TextRole::Before).collect();
        let before = (!earlier.is_empty()).then(|| {
            let mut session = session();
            for statement in earlier.iter().flat_map(|text| cql::parse(&text.text).statements) {
                let _ = session.run(&statement);
            }
            session.catalog
        });
        let now = of_role(TextRole::Checked).map(|text| self.parse_text(text));
        check(&Project::new(now.collect(), session(), &settings, before.as_ref()))
    }

    /// The line of the block that a finding starts in.
    pub fn line(&self, finding: &Finding) -> usize {
        let above = self.text.get(..self.offset(finding.place));
        above.map_or(0, |above| above.matches('\n').count())
    }
}

fn session() -> Session {
    let mut session = Session::with_system_tables();
    session.catalog.datacenters.clear();
    // A plain name is always accepted.
    let _ = session.assume_keyspace("ks");
    session
}
