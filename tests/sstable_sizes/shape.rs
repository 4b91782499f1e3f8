//! Shapes of tables, drawn at random: their columns, and how their rows are written.

use std::sync::Arc;

use cql::types::{Frozenness, NativeType, Type, UserType};

use super::value::length;
use crate::rng::Rng;

/// The keyspace of all tables.
pub(super) const KEYSPACE: &str = "sizes";

/// A column with what its size depends on.
#[derive(Clone, Debug)]
pub(super) struct ShapeColumn {
    pub(super) name: String,
    pub(super) ty: Type,
    /// As in `ColumnLayout`.
    pub(super) bytes: usize,
    /// Values are shorter and longer by this in turn.
    pub(super) spread: usize,
    pub(super) items: usize,
}

/// How a row is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WriteForm {
    Insert,
    Update,
    /// An UPDATE that adds to collections.
    Append,
}

/// What some rows lack.
#[derive(Clone, Debug)]
pub(super) struct Gap {
    /// Every so many rows lack a value.
    pub(super) every: usize,
    /// The regular columns that they lack.
    pub(super) columns: Vec<usize>,
    /// Whether null is written instead of nothing.
    pub(super) is_null: bool,
}

/// What happens to rows after they were written.
#[derive(Clone, Debug)]
pub(super) enum Change {
    Nothing,
    /// An UPDATE assigns these regular columns.
    Overwrite(Vec<usize>),
    /// An UPDATE adds so many elements to this collection.
    Add(usize, usize),
    Delete,
}

/// A shape.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) seed: u64,
    pub(super) key: Vec<ShapeColumn>,
    pub(super) clustering: Vec<ShapeColumn>,
    pub(super) statics: Vec<ShapeColumn>,
    pub(super) regulars: Vec<ShapeColumn>,
    pub(super) form: WriteForm,
    pub(super) ttl: Option<u32>,
    pub(super) gap: Option<Gap>,
    pub(super) change: Change,
    /// Every so many rows are changed.
    pub(super) change_every: usize,
    pub(super) partitions: usize,
    /// Rows of each partition.
    pub(super) rows: usize,
    /// Microseconds from the first to the last write.
    pub(super) span_micros: u64,
}

/// The types of whole values that are drawn, beside collections and tuples.
const NATIVES: [NativeType; 20] = [
    NativeType::Ascii,
    NativeType::Bigint,
    NativeType::Blob,
    NativeType::Boolean,
    NativeType::Date,
    NativeType::Decimal,
    NativeType::Double,
    NativeType::Duration,
    NativeType::Float,
    NativeType::Inet,
    NativeType::Int,
    NativeType::Smallint,
    NativeType::Text,
    NativeType::Time,
    NativeType::Timestamp,
    NativeType::Timeuuid,
    NativeType::Tinyint,
    NativeType::Uuid,
    NativeType::Varint,
    NativeType::Text,
];
/// The types of key columns and elements, which have to differ.
const KEYS: [NativeType; 11] = [
    NativeType::Ascii,
    NativeType::Bigint,
    NativeType::Blob,
    NativeType::Date,
    NativeType::Decimal,
    NativeType::Int,
    NativeType::Text,
    NativeType::Timestamp,
    NativeType::Timeuuid,
    NativeType::Uuid,
    NativeType::Varint,
];
/// The types of fields.
const FIELDS: [NativeType; 6] = [
    NativeType::Int,
    NativeType::Text,
    NativeType::Uuid,
    NativeType::Blob,
    NativeType::Boolean,
    NativeType::Bigint,
];

/// Draws a shape. `longest` is the longest time over which its rows are written, in seconds.
pub(super) fn draw(seed: u64, longest: f64) -> Shape {
    let rng = &mut Rng::new(seed.wrapping_mul(0x00D1_B54A_32D1_92ED));
    let has_counters = rng.roll(8);
    let clustering = rng.number_below(4);
    let count = |rng: &mut Rng, most: usize| rng.number_below(most + 1);
    let statics =
        if clustering > 0 && !has_counters && rng.roll(30) { 1 + count(rng, 2) } else { 0 };
    let regulars = if has_counters { 1 + count(rng, 2) } else { draw_count(rng) };
    let key_columns = 1 + count(rng, 2);
    let columns =
        |rng: &mut Rng, prefix: &str, count: usize, draw: fn(&mut Rng, u64) -> ShapeColumn| {
            // Names are in the order in which files have the columns.
            let mut drawn: Vec<_> = (0..count).map(|_| draw(rng, seed)).collect();
            drawn.sort_by_key(|column| column.ty.is_multi_cell());
            for (at, column) in drawn.iter_mut().enumerate() {
                column.name = format!("{prefix}{at:02}");
            }
            drawn
        };
    let key = columns(rng, "k", key_columns, draw_key);
    let clustering = columns(rng, "c", clustering, draw_key);
    let statics = columns(rng, "s", statics, draw_column);
    let regulars =
        columns(rng, "r", regulars, if has_counters { draw_counter } else { draw_column });
    let (partitions, rows) = if clustering.is_empty() {
        (150 + count(rng, 150), 1)
    } else {
        (20 + count(rng, 20), 1 + count(rng, 20))
    };
    let has_collections = regulars.iter().any(|column| is_addable(&column.ty));
    let form = match rng.number_below(10) {
        _ if has_counters => WriteForm::Update,
        _ if regulars.is_empty() => WriteForm::Insert,
        8 if has_collections => WriteForm::Append,
        7..=9 => WriteForm::Update,
        _ => WriteForm::Insert,
    };
    let mut shape = Shape {
        seed,
        form,
        ttl: (!has_counters && rng.roll(25)).then(|| draw_ttl(rng)),
        gap: if has_counters { None } else { draw_gap(rng, regulars.len()) },
        change: Change::Nothing,
        change_every: 1 + count(rng, 4),
        key,
        clustering,
        statics,
        regulars,
        partitions,
        rows,
        span_micros: draw_span(rng, longest),
    };
    if form == WriteForm::Append {
        // The node refuses to add nothing to a list.
        let regulars = &shape.regulars;
        if let Some(gap) = &mut shape.gap {
            gap.columns.retain(|at| !is_addable(&regulars[*at].ty));
        }
        shape.gap = shape.gap.filter(|gap| !gap.columns.is_empty());
    }
    if !has_counters {
        shape.change = draw_change(rng, &shape);
    }
    shape
}

/// Few columns more often than many.
fn draw_count(rng: &mut Rng) -> usize {
    match rng.number_below(10) {
        0 => 0,
        1..=6 => 1 + rng.number_below(4),
        7 | 8 => 4 + rng.number_below(8),
        _ => 12 + rng.number_below(20),
    }
}

/// From a second on, by orders of magnitude.
fn draw_span(rng: &mut Rng, longest: f64) -> u64 {
    #[expect(clippy::cast_precision_loss, reason = "a share of a thousand")]
    let share = rng.number_below(1_000) as f64 / 1_000.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "years at most")]
    let micros = (1e6 * longest.powf(share)) as u64;
    micros
}

fn draw_ttl(rng: &mut Rng) -> u32 {
    *rng.pick(&[3_600, 86_400, 7 * 86_400, 90 * 86_400, 730 * 86_400])
}

fn draw_gap(rng: &mut Rng, regulars: usize) -> Option<Gap> {
    if regulars < 2 || !rng.roll(35) {
        return None;
    }
    // The first column is always there, so that every row is.
    let columns: Vec<_> = (1..regulars).filter(|_| rng.roll(50)).collect();
    let gap = Gap { every: 2 + rng.number_below(3), columns, is_null: rng.roll(50) };
    (!gap.columns.is_empty()).then_some(gap)
}

fn draw_change(rng: &mut Rng, shape: &Shape) -> Change {
    let collections = shape.regulars.iter().enumerate().filter(|(_, it)| is_addable(&it.ty));
    let collections: Vec<_> = collections.map(|(at, _)| at).collect();
    match rng.number_below(4) {
        0 if !shape.regulars.is_empty() && shape.gap.is_none() => {
            let columns: Vec<_> = (0..shape.regulars.len()).filter(|_| rng.roll(40)).collect();
            if columns.is_empty() { Change::Nothing } else { Change::Overwrite(columns) }
        }
        1 if !collections.is_empty() && shape.gap.is_none() => {
            Change::Add(*rng.pick(&collections), 1 + rng.number_below(5))
        }
        2 if !shape.clustering.is_empty() => Change::Delete,
        _ => Change::Nothing,
    }
}

/// Whether a column can be added to.
fn is_addable(ty: &Type) -> bool {
    ty.is_multi_cell() && ty.is_collection()
}

fn draw_counter(_: &mut Rng, _: u64) -> ShapeColumn {
    new_column(Type::Native(NativeType::Counter), 8, 0, 1)
}

/// A column of a key: values have to differ.
fn draw_key(rng: &mut Rng, _: u64) -> ShapeColumn {
    if rng.roll(10) {
        let ty = Type::List(Arc::new(Type::Native(NativeType::Int)), Frozenness::Yes);
        return new_column(ty, 4, 0, 1 + rng.number_below(4));
    }
    let native = *rng.pick(&KEYS);
    let bytes = draw_bytes(rng, native, 8, 40);
    new_column(Type::Native(native), bytes, 0, 1)
}

fn draw_column(rng: &mut Rng, seed: u64) -> ShapeColumn {
    let frozen = if rng.roll(30) { Frozenness::Yes } else { Frozenness::No };
    let items = 1 + rng.number_below(12);
    match rng.number_below(20) {
        0 | 1 => {
            let (ty, bytes) = draw_element(rng);
            new_column(Type::List(Arc::new(ty), frozen), bytes, 0, items)
        }
        2 | 3 => {
            let (ty, bytes) = draw_element(rng);
            new_column(Type::Set(Arc::new(ty), frozen), bytes, 0, items)
        }
        4 | 5 => {
            let entry = (Type::Native(*rng.pick(&KEYS)), Type::Native(*rng.pick(&FIELDS)));
            let bytes = draw_parts_bytes(rng, &[&entry.0, &entry.1], 8);
            new_column(Type::Map(Arc::new(entry), frozen), bytes, 0, items)
        }
        6 => {
            let fields: Vec<_> =
                (0..=rng.number_below(4)).map(|_| Type::Native(*rng.pick(&FIELDS))).collect();
            let bytes = draw_parts_bytes(rng, &fields.iter().collect::<Vec<_>>(), 1);
            new_column(Type::Tuple(fields.into()), bytes, 0, 1)
        }
        7 => {
            let ty = Type::User(Arc::new(user_type(seed)), frozen);
            let bytes = draw_parts_bytes(rng, &ty.parts(), 1);
            new_column(ty, bytes, 0, 1)
        }
        8 => {
            let native = *rng.pick(&[NativeType::Float, NativeType::Int, NativeType::Text]);
            let dimension = 1 + u32::try_from(rng.number_below(16)).expect("below 16");
            let ty = Type::Vector(Arc::new(Type::Native(native)), dimension);
            new_column(ty, 1 + rng.number_below(20), 0, 1)
        }
        _ => {
            let native = *rng.pick(&NATIVES);
            let longest = if rng.roll(10) { 2_000 } else { 100 };
            let bytes = draw_bytes(rng, native, 1, longest);
            let is_free = matches!(native, NativeType::Text | NativeType::Blob | NativeType::Ascii);
            let spread = if is_free && bytes > 4 { rng.number_below(bytes / 4) } else { 0 };
            new_column(Type::Native(native), bytes, spread, 1)
        }
    }
}

/// The type and bytes of an element.
fn draw_element(rng: &mut Rng) -> (Type, usize) {
    match rng.number_below(10) {
        0 => {
            let int = Type::Native(NativeType::Int);
            let ty = Type::Tuple([int, Type::Native(NativeType::Text)].into());
            (ty, 4 + 1 + rng.number_below(20))
        }
        1 => {
            let inner = Arc::new(Type::Native(NativeType::Int));
            (Type::List(inner, Frozenness::Yes), 4 + 8 * (1 + rng.number_below(4)))
        }
        _ => {
            let native = *rng.pick(&KEYS);
            let bytes = draw_bytes(rng, native, 8, 40);
            (Type::Native(native), bytes)
        }
    }
}

/// The bytes of a native type, at least some.
fn draw_bytes(rng: &mut Rng, native: NativeType, least: usize, longest: usize) -> usize {
    match native {
        NativeType::Inet => *rng.pick(&[4, 16]),
        NativeType::Duration => *rng.pick(&[3, 5, 6]),
        NativeType::Decimal => 4 + least.max(1) + rng.number_below(8),
        NativeType::Varint => least.max(1) + rng.number_below(12),
        other => {
            let drawn = least + rng.number_below(longest);
            length(&Type::Native(other)).unwrap_or(drawn)
        }
    }
}

/// The bytes of several values together; those of variable length have the same.
fn draw_parts_bytes(rng: &mut Rng, types: &[&Type], least: usize) -> usize {
    let lengths: Vec<_> = types.iter().map(|ty| length(ty)).collect();
    let open = lengths.iter().filter(|length| length.is_none()).count();
    lengths.iter().flatten().sum::<usize>() + open * (least + 4 + rng.number_below(20))
}

/// The user type of a shape.
fn user_type(seed: u64) -> UserType {
    let rng = &mut Rng::new(seed);
    let count = 1 + rng.number_below(4);
    let fields = (0..count).map(|at| (format!("f{at}").into(), Type::Native(*rng.pick(&FIELDS))));
    UserType {
        keyspace: KEYSPACE.into(),
        name: format!("u{seed}").into(),
        fields: fields.collect(),
    }
}

fn new_column(ty: Type, bytes: usize, spread: usize, items: usize) -> ShapeColumn {
    ShapeColumn { name: String::new(), ty, bytes, spread, items }
}

impl Shape {
    /// All rows that are written.
    pub(super) fn total_rows(&self) -> usize {
        self.partitions * self.rows
    }

    /// Whether the row with this number lacks values.
    pub(super) fn has_gap(&self, row: usize) -> bool {
        self.gap.as_ref().is_some_and(|gap| row.is_multiple_of(gap.every))
    }

    /// Whether the row with this number is changed later. Only rows of the first half are.
    pub(super) fn is_changed(&self, row: usize) -> bool {
        !matches!(self.change, Change::Nothing)
            && row.is_multiple_of(self.change_every)
            && row < self.total_rows() / 2
    }

    /// The statements that create a table of this shape.
    pub(super) fn create_statements(&self, table: &str) -> Vec<String> {
        let user = user_type(self.seed);
        let all = [&self.statics[..], &self.regulars].concat();
        let uses = all.iter().any(|column| matches!(column.ty, Type::User(..)));
        let fields: Vec<_> = user.fields.iter().map(|(name, ty)| format!("{name} {ty}")).collect();
        let create_type =
            format!("CREATE TYPE IF NOT EXISTS {KEYSPACE}.{} ({})", user.name, fields.join(", "));
        let types = uses.then_some(create_type);
        types.into_iter().chain([self.create_table(table)]).collect()
    }

    /// The table, with the sizes of its columns in comments.
    pub(super) fn create_table(&self, table: &str) -> String {
        let names = |columns: &[ShapeColumn]| {
            columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ")
        };
        let mut text = format!(
            "-- @rows {} @each {}\nCREATE TABLE {KEYSPACE}.{table} (\n",
            self.total_rows(),
            self.rows
        );
        let define = |column: &ShapeColumn, kind: &str| {
            let is_open = length(&column.ty).is_none() && !column.ty.is_counter();
            let bytes = if is_open { format!(" @bytes {}", column.bytes) } else { String::new() };
            let items = if column.ty.is_collection() {
                format!(" @items {}", column.items)
            } else {
                String::new()
            };
            format!("  {} {}{kind}, --{bytes}{items}\n", column.name, column.ty)
        };
        for column in self.key.iter().chain(&self.clustering).chain(&self.regulars) {
            text.push_str(&define(column, ""));
        }
        for column in &self.statics {
            text.push_str(&define(column, " STATIC"));
        }
        let clustering: Vec<_> =
            self.clustering.iter().map(|column| format!(", {}", column.name)).collect();
        let primary_key =
            format!("  PRIMARY KEY (({}){})\n)", names(&self.key), clustering.concat());
        text.push_str(&primary_key);
        text.push_str(" WITH compression = {'enabled': 'false'}");
        let ttl = self.ttl.map(|ttl| format!(" AND default_time_to_live = {ttl}"));
        text + &ttl.unwrap_or_default()
    }
}
