//! What is taught about tables for Cassandra, and the rules that say it; and the list of all rules in docs/RULES.md.

use std::fmt::Write;
use std::fs;

use check::{Rule, rules};

use crate::examples::root;

/// What guides and checklists teach, with the codes of the rules that find it neglected.
const TEACHINGS: &[(&str, &str)] = &[
    // First steps.
    ("start from the queries, a table for each, and accept copies", "DM010 QP023 DM004"),
    ("the partition key groups rows, clustering columns sort them", "PK010 CK001"),
    ("what a query filters by outside the key asks for a table of its own", "QV001 IX010"),
    ("bound partitions by a composite key; a month or hour is a bucket", "PS001 PS006 PK014"),
    ("batches keep copies in step, sparingly; they are not for speed", "BA001 BA002 BA011"),
    ("partitions below 100 MB are well, above 1 GB they fail", "PS002"),
    ("ALLOW FILTERING does not serve an application", "QP001"),
    ("few clustering columns; time in one column; no gaps in WHERE", "CK006 CK007 QV004"),
    ("collections are small", "CO001"),
    ("an index wants middling cardinality, a partition, patience", "IX002 IX004 IX003"),
    ("metrics expire; statements are prepared; writes are sent apart", "TB007 QP015 BA005"),
    ("try it at the volumes that will come", "DM011 LV036"),
    // Goals and naming.
    ("spread evenly, read few partitions, expect growth", "PK001 QP014 PS007"),
    ("a table is named for what it holds and by what it is read", "DM009"),
    ("the latest of all lie in buckets of a day", "PK004 PK014"),
    ("a timeuuid gives order and uniqueness; the newest first", "CK009 CK002"),
    ("copies are expected, within limits", "DM008 DM007"),
    ("keys are unique without a sequence", "PK016 PK017 CK009"),
    (
        "a type for each value; a pointer, not the file; frozen in collections",
        "TY001 TY004 CO002 SV009",
    ),
    ("tables are not relations: a read of 1,002 partitions", "DM001 DM002 QP014"),
    ("a scan of all partitions is no query", "QP005"),
    ("a country is no partition key for all its users", "PK001 PS004"),
    ("an index on what is nearly unique asks every node for a row", "IX001 IX002 IX005"),
    ("a view has one base and a key of many values", "MV001 MV006"),
    ("a logged batch costs; of one partition it is cheap", "BA001 BA005 BA006"),
    ("consistency is chosen for each query", "QP020"),
    // Partition keys.
    ("a partition key has thousands of values, never below 100", "PK001"),
    ("a partition key is what queries give", "PK010 PK011"),
    ("a partition key does not change", "PK006"),
    ("time alone is no partition key, but in buckets", "PK004 PK005"),
    ("flags and statuses are no partition keys", "PK001 PK002"),
    (
        "tenants, buckets and sizes make composite keys, in an order that is read",
        "PK007 PK008 PS001 PK021",
    ),
    ("keys are short", "PK009"),
    ("partitions are neither huge nor of one small row each", "PS002 PK019"),
    // Clustering columns.
    (
        "clustering follows the queries, is unique, ordered and directed",
        "CK008 CK009 CK018 CK004 CK002 CK017",
    ),
    ("no clustering column is unused, null, skipped or changing", "CK008 QV028 QV003 QV004 CK010"),
    // Indexes.
    ("an index is for what is no key, of middling cardinality, stable", "IX010 IX002 IX006 IX005"),
    (
        "an index does not join, costs at every write, asks many partitions",
        "IX012 IX008 LV014 IX004",
    ),
    (
        "no index on what changes, is a key, has five values, or for scans",
        "IX006 IX007 IX011 QP005 IX002",
    ),
    // Strategies and mistakes.
    ("large partitions are split by time, by a hash, or expire", "PS001 PK015 TB007"),
    (
        "no filtering, joins, normal forms, time keys, many indexes",
        "QP001 DM012 QP009 DM001 PK004 IX008 PS002",
    ),
    (
        "the list of questions before a schema goes live",
        "PK001 PK006 PK010 CK004 CK009 PS002 IX007 QP001 QP023 PS001 PK007",
    ),
    (
        "partitions that grow for ever, seen early and migrated",
        "PS001 PS007 LV001 LV002 LV004 MG001",
    ),
    (
        "tombstones: what makes them, when reads fail, how they go",
        "TB002 TB012 LV005 LV006 LV007 LV019",
    ),
    ("expire, compact by windows, lower the grace, delete ranges", "TB004 CP004 TB012 TB005"),
    ("filtering is harmless in one partition or a small table", "QP001 QP002 QP003"),
    ("a table is no queue", "TB001 PK003 LW006 QP021"),
    ("an index is no main road", "IX003 IX001 IX005 IX004"),
    ("IN takes 20 values, and never 500", "QP006"),
    ("collections: their growth, bytes and elements", "CO001 CO002 CO003"),
    (
        "counters: alone, without TTL, conditions or values, approximate",
        "SV007 CN003 CN002 CN004 BA007 CN007 QV026 CN009",
    ),
    ("one fact in many tables costs at every write", "DM001 DM007"),
    ("logs and metrics tell what the schema did not", "LV001 LV005 LV013 LV019"),
    (
        "the list of mistakes before a schema goes live",
        "PK001 PS002 PS001 QP001 IX001 CO002 TB004 SV007 QP023 QP006",
    ),
    // The basic rules.
    ("few writes and little duplication are no goals", "DM008"),
    ("spread evenly, and read few partitions: a trade", "PK001 QP014 PK015"),
    ("two full tables are better than a lookup and a table", "DM003"),
    ("groups of unequal size are split by a hash", "PK008 PK015 LV022"),
    ("links that are followed one by one: 1,001 reads", "DM002 DM001"),
    ("rows lie in the order in which they are read", "CK009 CK001"),
    ("a bucket of a date: a read opens one or two", "PK014 PS006"),
];

/// Rules that need the evidence of a live cluster.
const LIVE_CLUSTER_RULES: [&str; 11] = [
    "LV001", "LV002", "LV004", "LV005", "LV006", "LV007", "LV013", "LV014", "LV019", "LV022",
    "LV036",
];

#[test]
fn what_is_taught_has_its_rules() {
    let mut missing = Vec::new();
    for (what, codes) in TEACHINGS {
        assert!(!codes.is_empty(), "{what}: by no rule");
        for code in codes.split_whitespace() {
            match rules::find(code) {
                Some(_) if LIVE_CLUSTER_RULES.contains(&code) => {
                    missing.push(format!("{code} is a rule now: take it out of LIVE"));
                }
                Some(rule) if !is_proven(rule) => {
                    missing.push(format!("{what}: {code} finds nothing on its page"));
                }
                None if !LIVE_CLUSTER_RULES.contains(&code) => {
                    missing.push(format!("{what}: no rule {code}"));
                }
                _ => {}
            }
        }
    }
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}

/// Whether its page shows a finding, which the page's own test looks for.
fn is_proven(rule: &Rule) -> bool {
    let mut fences = rule.page.lines().filter_map(|line| line.strip_prefix("```cql "));
    fences.any(|words| words.split_whitespace().any(|word| word == "found"))
}

#[test]
fn the_list_of_rules_is_written_down() {
    let path = root().join("docs/RULES.md");
    let written = render_rule_list();
    if std::env::var("BLESS").is_ok_and(|value| value == "rules") {
        fs::write(&path, &written).expect("the list can be written");
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    let differing = stored.lines().zip(written.lines()).find(|(stored, written)| stored != written);
    assert!(stored == written, "docs/RULES.md is stale (BLESS=rules writes it): {differing:?}");
}

/// docs/RULES.md.
fn render_rule_list() -> String {
    let mut text = format!(
        "# The rules of `helenus check`\n\nAll {}, by code; `helenus rule CODE` shows the page of one: why, what instead, when to ignore \
         it. A severity is that of a\nfinding with high confidence. Rules in *italics* speak only under `--profile strict`, or when \
         helenus.toml turns them on.\n",
        rules::all().count()
    );
    let mut family = "";
    for rule in rules::all() {
        if rule.code[..2] != *family {
            family = &rule.code[..2];
            let _ = write!(
                text,
                "\n## {family}: {}\n\n| code | name | severity | what |\n|---|---|---|---|\n",
                rule.category.name()
            );
        }
        let name = if rule.by_default { rule.name.to_owned() } else { format!("*{}*", rule.name) };
        let what = rule.summary().replace('|', "\\|");
        let _ = writeln!(text, "| {} | {name} | {} | {what} |", rule.code, rule.severity.word());
    }
    write_cluster_rules(&mut text);
    text
}

/// The rules of `helenus doctor`, by category.
fn write_cluster_rules(text: &mut String) {
    let _ = write!(
        text,
        "\n# The rules of `helenus doctor`\n\nAll {}, about live clusters ([DOCTOR.md](DOCTOR.md)).\n",
        doctor::rules::all().count()
    );
    let mut category = None;
    for rule in doctor::rules::all() {
        if category != Some(rule.category) {
            category = Some(rule.category);
            let _ = write!(
                text,
                "\n## DR: {}\n\n| code | name | severity | what |\n|---|---|---|---|\n",
                rule.category.name()
            );
        }
        let (severity, what) = (rule.severity.word(), rule.summary());
        let _ = writeln!(text, "| {} | {} | {severity} | {what} |", rule.code, rule.name);
    }
}
