//! The tables of a CQL schema as a Chebotko diagram; there is no workflow to draw.

use schema::catalog::{Catalog, Column, ColumnKind, Index, IndexClass, Keyspace, Table};

use super::picture::{
    Card, CardKind, CardRow, Frame, Level, Link, LinkEnd, Picture, PictureKind, RowKind, Tip,
};
use super::{marks, user_types};
use model::figures;

/// The tables of all keyspaces except the system keyspaces.
pub fn chebotko_of_catalog(catalog: &Catalog, level: Level) -> Picture {
    let shown = |keyspace: &&std::sync::Arc<Keyspace>| {
        let server = Keyspace::is_local_system(&keyspace.name)
            || Keyspace::is_replicated_system(&keyspace.name);
        let empty = keyspace.tables.is_empty() && keyspace.views.is_empty();
        !server && !empty
    };
    let keyspaces: Vec<_> = catalog.keyspaces.values().filter(shown).collect();
    let names: Vec<_> = keyspaces.iter().map(|keyspace| &*keyspace.name).collect();
    let frames = keyspaces.iter().map(|keyspace| frame(keyspace, level, names.len() > 1));
    Picture {
        title: names.join(", "),
        kind: PictureKind::Chebotko(level),
        summary: String::new(),
        frames: frames.collect(),
        legend: Vec::new(),
    }
}

fn frame(keyspace: &Keyspace, level: Level, several: bool) -> Frame {
    let tables = keyspace.tables_by_change();
    let mut cards: Vec<_> = tables.iter().map(|table| card(table, level)).collect();
    let mut links = Vec::new();
    for view in keyspace.views.values() {
        if let Some(base) = tables.iter().position(|table| table.name == view.base_table) {
            links.push(Link {
                from: vec![LinkEnd::plain(base, Tip::Plain)],
                to: vec![LinkEnd::plain(cards.len(), Tip::Arrow)],
                dashed: true,
            });
        }
        cards.push(card(&view.table, level));
    }
    let columns = tables.iter().flat_map(|table| table.columns());
    cards.extend(user_types::cards(level, columns.map(|column| (&*column.name, &column.ty))));
    let framed = several || level == Level::Physical;
    Frame { title: framed.then(|| keyspace.name.to_string()), cards, links }
}

fn card(table: &Table, level: Level) -> Card {
    let mut badges = Vec::new();
    if table.is_view {
        badges.push("MV".to_owned());
    }
    if table.params.default_time_to_live > 0 {
        let seconds = f64::from(table.params.default_time_to_live);
        badges.push(format!("TTL {}", figures::format_duration(seconds)));
    }
    let kind = match (table.is_view, table.is_counter()) {
        (true, _) => CardKind::View,
        (false, true) => CardKind::Counter,
        (false, false) => CardKind::Table,
    };
    let rows = table.columns().iter().map(|column| row(table, column, level)).collect();
    Card { kind, title: table.name.to_string(), badges, rows, ..Card::default() }
}

fn row(table: &Table, column: &Column, level: Level) -> CardRow {
    let (kind, mark) = match column.kind {
        ColumnKind::Partition => (RowKind::Partition, "K"),
        ColumnKind::Clustering if column.descending => (RowKind::Clustering, "C↓"),
        ColumnKind::Clustering => (RowKind::Clustering, "C↑"),
        ColumnKind::Static => (RowKind::Static, "S"),
        ColumnKind::Regular if column.ty.is_counter() => (RowKind::Counter, "++"),
        ColumnKind::Regular => (RowKind::Plain, ""),
    };
    let indexes = table.indexes.iter().filter(|index| index.column == column.name).map(index_mark);
    let mut marks: Vec<_> = std::iter::once(mark).chain(indexes).collect();
    marks.retain(|mark| !mark.is_empty());
    marks.dedup();
    CardRow {
        kind,
        name: marks::name_with_marks(&column.name, &column.ty),
        ty: marks::type_text(level, &column.ty),
        mark: marks.join(" "),
        ..CardRow::default()
    }
}

fn index_mark(index: &Index) -> &'static str {
    match index.class {
        IndexClass::Sai => "SAI",
        IndexClass::Legacy | IndexClass::Sasi | IndexClass::Custom(_) => "IDX",
    }
}
