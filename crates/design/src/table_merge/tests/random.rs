//! Random models and reads: whatever they are, keys tell rows apart, each read finds its columns,
//! and sharing keeps both.

use std::collections::BTreeSet;

use model::concept::Concept;
use model::dependency::Dependencies;
use model::id::{IdList, ReadId};
use model::plan::{ColumnRole, Derivation, PlannedTable, ReadPart};
use model::workload::{OutputValue, Read, Workload};

use crate::mapping::{find_collision, tables_for};
use crate::sample::{concept, entity, key, read, refers};
use crate::{Context, Options, naming};

/// Numbers that look random and are the same in every run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.roll(choices.len())]
    }
}

/// Four entities: shops, customers of shops, orders of customers, and lines of orders, which have
/// the order in their key.
pub(crate) fn model(dice: &mut Dice) -> Concept {
    let shops = entity("shops", "shop uuid, name text, city text?, open boolean");
    let customers =
        entity("customers", "customer uuid, shop uuid, email text, name text?, since timestamp");
    let customers = key(customers, &["customer", "email"]);
    let customers = refers(customers, "shop", 0, &shops);
    let orders = entity(
        "orders",
        "id timeuuid, customer uuid, status text, total int, placed timestamp, labels set<text>?, visits bigint",
    );
    let orders = refers(orders, "customer", 1, &customers);
    let lines = entity("lines", "id timeuuid, position int, item text, price decimal, amount int?");
    let lines = refers(key(lines, &["id position"]), "id", 2, &orders);
    let mut concept = concept(vec![shops, customers, orders, lines]);
    concept.entities[2].attributes[6].counter = dice.roll(2) == 0;
    concept.entities[1].references[0].nullable = dice.roll(3) == 0;
    concept
}

pub(crate) fn random_read(concept: &Concept, dice: &mut Dice) -> Read {
    let (from, columns): (&str, &[&str]) = match dice.roll(5) {
        0 => ("orders o", &["o.id", "o.customer", "o.status", "o.total", "o.placed"]),
        1 => (
            "orders o, customers c",
            &["o.id", "o.customer", "o.status", "c.email", "c.name", "o.placed"],
        ),
        2 => (
            "customers c, orders o",
            &["o.total", "c.customer", "c.since", "c.name", "o.placed", "o.id"],
        ),
        3 => (
            "lines l, orders o, customers c, shops s",
            &["l.item", "l.position", "o.id", "o.status", "s.name", "c.name", "s.city"],
        ),
        _ => ("customers c, shops s", &["c.customer", "c.email", "s.city", "s.name", "c.since"]),
    };
    let mut select: Vec<&str> = (0..=dice.roll(3)).map(|_| dice.one_of(columns)).collect();
    if from.contains("orders o") && dice.roll(4) == 0 {
        select.push("o.visits");
    }
    let select = match dice.roll(8) {
        0 => "count(*)".to_owned(),
        1 => format!("max({})", select[0]).replace("o.visits", columns[0]),
        2 => "exists()".to_owned(),
        _ => select.join(", "),
    };
    let mut conditions: Vec<String> = (0..dice.roll(4))
        .map(|_| {
            let test = ["= ?", "= ?", "> ?", "any ?", "= 'x'"][dice.roll(5)];
            format!("{} {test}", dice.one_of(columns))
        })
        .collect();
    if from.contains("orders o") && dice.roll(5) == 0 {
        conditions.push("? in o.labels".to_owned());
    }
    let conditions: Vec<&str> = conditions.iter().map(String::as_str).collect();
    let order: Vec<String> = (0..dice.roll(3))
        .map(|_| format!("{}{}", dice.one_of(columns), dice.one_of(&["", " desc"])))
        .collect();
    read(concept, from, &select, &conditions, &order.join(", "))
}

/// Each output of a read is a column of one of the tables that serve it, one of which has its rows.
fn assert_columns_found(concept: &Concept, read: &Read, at: ReadId, tables: &[PlannedTable]) {
    let serving = || {
        tables.iter().flat_map(|table| {
            table.serves.iter().filter(|one| one.read == at).map(move |one| (table, one))
        })
    };
    assert_eq!(serving().filter(|(_, one)| one.part == ReadPart::Rows).count(), 1);
    for output in &read.outputs {
        let OutputValue::Column(column) = output.value else { continue };
        let found = serving().any(|(table, served)| {
            let Some(wanted) = served.column(column) else { return false };
            let dependencies = Dependencies::new(concept, &table.holds.sources);
            table.columns.iter().any(|column| {
                matches!(column.derivation, Derivation::Attribute(of) if dependencies.is_equal(of, wanted))
            })
        });
        assert!(found, "{} of {read:#?}\n{tables:#?}", output.name);
    }
}

/// What every table must be.
fn assert_table(concept: &Concept, table: &PlannedTable) {
    assert_eq!(find_collision(concept, table), None, "{table:#?}");
    let names: BTreeSet<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names.len(), table.columns.len(), "two columns of one name in {table:#?}");
    assert!(!names.contains(""));
    let places: Vec<u8> = table.columns.iter().map(|column| column.role.rank()).collect();
    assert!(places.is_sorted(), "key, static, regular: {table:#?}");
    assert!(table.partition_key().next().is_some());
    let statics = table.columns.iter().any(|column| column.role == ColumnRole::Static);
    assert!(!statics || table.clustering().next().is_some());
    let plain =
        table.columns.iter().any(|column| !column.is_key() && column.role != ColumnRole::Counter);
    assert!(!table.is_counter() || !plain, "counters stand alone: {table:#?}");
    assert!(table.columns.iter().all(|column| !column.reasons.is_empty()));
}

#[test]
fn keys_tell_rows_apart_and_sharing_loses_nothing() {
    let mut dice = Dice(4);
    let (mut made, mut left) = (0, 0);
    for _ in 0..400 {
        let concept = model(&mut dice);
        let reads: Vec<Read> = (0..6).map(|_| random_read(&concept, &mut dice)).collect();
        let (workload, options) = (Workload { reads, writes: Vec::new() }, Options::default());
        let context = Context { concept: &concept, workload: &workload, options: &options };
        let (mut tables, mut served) = (Vec::new(), Vec::new());
        for (at, read) in workload.reads.enumerate_ids() {
            // A counter in a key is refused.
            if let Ok(more) = tables_for(context, read, Some(at), &mut Vec::new()) {
                assert_columns_found(&concept, read, at, &more);
                tables.extend(more);
                served.push(at);
            }
        }
        made += tables.len();
        let mut shared = crate::table_merge::merge_tables(context, tables);
        left += shared.len();
        naming::name_tables(context, &mut shared);
        for at in served {
            assert_columns_found(&concept, &workload.reads[at], at, &shared);
        }
        for table in &shared {
            assert_table(&concept, table);
        }
        let names: BTreeSet<&str> = shared.iter().map(|table| table.name.as_str()).collect();
        assert_eq!(names.len(), shared.len());
        assert!(
            names.iter().all(|name| cql::printer::identifier(name) == *name && name.len() <= 48)
        );
    }
    assert!(made > 2_000 && left < made, "{made} tables, {left} after sharing");
}
