//! Volumes: what comments declare (`@rows`, `@each`, `@retain`, `@rate`, `@bytes`, ...) and what follows from it.

mod declaration;
mod model_volume;
mod partition;

use model::concept::{FanOut, Figure, Origin, Skew};
use model::plan::FileSpan;
use model::schema_file;
use schema::catalog::{Column, Table};
use schema::compaction_window;
use schema::size::{ColumnLayout, PartitionLayout, RowOrigin, WriteAge};

pub(super) use declaration::attach;
pub(crate) use partition::{GrowthEnd, PartitionRows, PartitionSize};

/// What is known of the volumes of a table: what is declared, or follows from it. `None` is not known.
#[derive(Clone, Debug, Default)]
pub struct TableVolume {
    /// Rows today.
    pub(crate) rows: Option<f64>,
    /// New rows per day.
    pub(crate) grows: Option<f64>,
    /// Seconds that rows live: declared, or the table's own TTL.
    pub(crate) retain: Option<f64>,
    /// Seconds after which what is written expires: the longest TTL of the statements if each names one, else the table's.
    pub(crate) expires: Option<f64>,
    /// Rows that the statements with a rate add, per second.
    pub(crate) inserts: Option<f64>,
    /// Partitions today.
    pub(crate) partitions: Option<f64>,
    /// Partitions that are written at a time: where the key has a time bucket, those of one span of time.
    pub(crate) spread: Option<f64>,
    /// How many times the rows of an average partition the largest has, by the skew of the columns of the key.
    pub(crate) skewed: f64,
    /// Rows of a partition, as declared.
    pub(crate) each: Option<FanOut>,
    /// Columns, in the order of the table: average bytes, elements, distinct values. Empty where nothing is declared.
    pub(crate) columns: Vec<ColumnVolume>,
    /// Bytes of a row on disk, from declared sizes or those that its types usually have.
    pub(crate) row_bytes: f64,
    /// Bytes of a partition beside its rows.
    pub(crate) fixed_bytes: f64,
    /// Rows and bytes of a partition, where they are known.
    pub partition: Option<PartitionSize>,
}

/// The volumes of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnVolume {
    /// Average bytes of a value, or of an element.
    pub(crate) bytes: Figure<f64>,
    /// Elements of a collection; 1 of anything else.
    pub(crate) items: Figure<f64>,
    /// Distinct values; an assumed figure is not known.
    pub(crate) distinct: Figure<f64>,
    /// How evenly its values are used.
    pub(crate) skew: Skew,
}

impl TableVolume {
    /// Distinct values of the column at this position of the table, where declared.
    pub(crate) fn distinct(&self, column: usize) -> Option<f64> {
        let stated = self.columns.get(column)?.distinct;
        (stated.origin != Origin::Assumed).then_some(stated.value)
    }

    /// Elements of the collection at this position, where declared.
    pub(crate) fn items(&self, column: usize) -> Option<f64> {
        let stated = self.columns.get(column)?.items;
        (stated.origin != Origin::Assumed).then_some(stated.value)
    }

    /// Average bytes of the column at this position, where declared.
    pub(crate) fn bytes(&self, column: usize) -> Option<f64> {
        let stated = self.columns.get(column)?.bytes;
        (stated.origin != Origin::Assumed).then_some(stated.value)
    }

    /// Rows of a partition when it stopped growing, or after five years.
    pub(crate) fn partition_rows(&self) -> Option<PartitionRows> {
        Some(self.partition.as_ref()?.rows)
    }

    /// Bytes of a partition of so many rows.
    pub(crate) fn partition_bytes(&self, rows: f64) -> f64 {
        self.fixed_bytes + rows * self.row_bytes
    }

    /// How the partitions of the table are laid out, as far as their bytes go.
    pub(crate) fn layout(&self, table: &Table) -> PartitionLayout {
        let fields = |columns: &[Column]| -> Vec<ColumnLayout> {
            columns.iter().map(|column| self.field(table, column)).collect()
        };
        let expires = self.expires.or(self.retain);
        let window = compaction_window::window_seconds(table);
        let span = FileSpan::derive(window, expires, FileSpan::default().days);
        PartitionLayout {
            partition_key: fields(table.partition_key()),
            clustering: fields(table.clustering()),
            statics: fields(table.statics()),
            regulars: fields(table.regulars()),
            written: if table.is_counter() { RowOrigin::Update } else { RowOrigin::Insert },
            expires,
            beside_tombstones: false,
            span: WriteAge::from_seconds(span.seconds()),
            counter_shards: 3.0,
        }
    }

    fn field(&self, table: &Table, column: &Column) -> ColumnLayout {
        let known = table.column_index(&column.name).and_then(|at| self.columns.get(at));
        let (bytes, items) = match known {
            Some(known) => (known.bytes.value, known.items.value),
            None => schema_file::usual_sizes(&column.ty),
        };
        ColumnLayout::new(column.ty.clone(), bytes, items)
    }

    /// The columns whose bytes are neither fixed by their type nor declared: those that types usually have are taken.
    pub(crate) fn default_size_columns<'t>(&self, table: &'t Table) -> Vec<&'t Column> {
        let columns = table.columns().iter().enumerate();
        let guessed = columns.filter(|(at, column)| {
            let is_fixed = column.ty.value_length_if_fixed().is_some() || column.ty.is_counter();
            !is_fixed && self.bytes(*at).is_none()
        });
        guessed.map(|(_, column)| column).collect()
    }
}
