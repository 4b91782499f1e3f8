//! Published designs, written in the compact notation: `t(K a, C↓ b, S c, {d}, [e], <f>, *g*, (h),
//! ++n, x)`.

use std::sync::Arc;

use cql::Span;
use cql::types::{Frozenness, NativeType, Type, UserType};
use model::concept::{Concept, Figure};
use model::id::ReadId;
use model::plan::{
    ColumnRole, Derivation, Design, Direction, PlannedColumn, PlannedTable, ReadPart, ReadPlan,
    ServedRead,
};
use model::workload::{Read, StatedResult, Workload};

/// A query: the numbers of those that lead to it, and its table in the compact notation. A table
/// named before may be given by its name alone.
pub(super) type QueryNotation<'a> = (&'a [usize], &'a str);

/// `KillrVideo`, the course's variant, with its workflow as drawn.
pub(super) const KILLRVIDEO: [QueryNotation<'static>; 11] = [
    (&[], "users_by_email(K email, password, userid)"),
    (
        &[1],
        "latest_videos(K video_bucket, C↓ uploaded_timestamp, C↑ videoid, title, type, {tags}, <preview_thumbnails>)",
    ),
    (&[1], "users(K userid, email, firstname, lastname, registration_date)"),
    (
        &[1],
        "videos_by_user(K userid, C↓ uploaded_timestamp, C↑ videoid, title, type, {tags}, <preview_thumbnails>)",
    ),
    (
        &[1, 6],
        "comments_by_user(K userid, C↓ posted_timestamp, C↑ videoid, comment, title, type, {tags}, <preview_thumbnails>)",
    ),
    (
        &[2, 9, 10],
        "comments_by_video(K videoid, C↓ posted_timestamp, C↑ userid, comment, S title, S type, S {tags}, S <preview_thumbnails>)",
    ),
    (&[2, 9, 10], "ratings_by_video(K videoid, ++num_ratings, ++sum_ratings)"),
    (
        &[2, 9, 10],
        "videos(K videoid, uploaded_timestamp, userid, title, description, type, url, *encoding*, {tags}, <preview_thumbnails>, {genres}, release_date, mpaa_rating)",
    ),
    (
        &[8],
        "trailers_by_video(K videoid, C↑ title, C↑ trailerid, type, {tags}, <preview_thumbnails>)",
    ),
    (
        &[4, 5],
        "video_interactions_by_user_video(K userid, K videoid, C↓ event_timestamp, event_type, video_timestamp)",
    ),
    (&[8], "actors_by_video(K videoid, C↑ actor_name, C↑ character_name)"),
];

/// Hotels and reservations.
pub(super) const HOTEL: [QueryNotation<'static>; 9] = [
    (&[], "hotels_by_poi(K poi_name, C↑ hotel_id, name, phone, *address*)"),
    (&[1], "hotels(K hotel_id, name, phone, *address*)"),
    (&[2], "pois_by_hotel(K hotel_id, C↑ poi_name, description)"),
    (&[2], "available_rooms_by_hotel_date(K hotel_id, C↑ date, C↑ room_number, is_available)"),
    (&[4], "amenities_by_room(K hotel_id, K room_number, C↑ amenity_name, description)"),
    (
        &[],
        "reservations_by_confirmation(K confirm_number, hotel_id, start_date, end_date, room_number, guest_id)",
    ),
    (
        &[],
        "reservations_by_hotel_date(K hotel_id, K start_date, C↑ room_number, end_date, confirm_number, guest_id)",
    ),
    (
        &[],
        "reservations_by_guest(K guest_last_name, C↑ hotel_id, C↑ guest_id, confirm_number, start_date, end_date)",
    ),
    (
        &[6, 7, 8],
        "guests(K guest_id, first_name, last_name, title, {emails}, [phone_numbers], <addresses>)",
    ),
];

/// A design of these queries.
pub(super) fn design(queries: &[QueryNotation<'_>]) -> (Concept, Workload, Design) {
    let mut workload = Workload::default();
    let mut design = Design::default();
    for (at, (after, notation)) in queries.iter().enumerate() {
        let table = table(notation);
        workload.reads.push(read(&format!("query {}", at + 1), after));
        design.reads.push(ReadPlan::default());
        let known = design.tables.iter().position(|known| known.name == table.name);
        let position = known.unwrap_or(design.tables.len());
        if known.is_none() {
            design.tables.push(table);
        }
        let served =
            ServedRead { read: ReadId::new(at), sources: Vec::new(), part: ReadPart::Rows };
        design.tables[position].serves.push(served);
    }
    (concept(), workload, design)
}

pub(super) fn concept() -> Concept {
    Concept {
        keyspace: "killrvideo".to_owned(),
        replication: vec![("dc1".to_owned(), 3)],
        nodes: 6,
        tenant: None,
        entities: Vec::new(),
        types: Vec::new(),
    }
}

pub(super) fn read(name: &str, after: &[usize]) -> Read {
    Read {
        name: name.to_owned(),
        many: true,
        rate: Figure::from_input(100.0),
        after: after.iter().map(|number| ReadId::new(number - 1)).collect(),
        consistency: "LOCAL_QUORUM".to_owned(),
        exact: false,
        sources: Vec::new(),
        outputs: Vec::new(),
        computed: Vec::new(),
        conditions: Vec::new(),
        group: Vec::new(),
        order: Vec::new(),
        limit: None,
        stated: StatedResult::default(),
        parameters: Vec::new(),
        sql: String::new(),
        span: Span::default(),
    }
}

/// A table from the compact notation.
pub(super) fn table(notation: &str) -> PlannedTable {
    let (name, columns) = notation.split_once('(').unwrap_or((notation, ""));
    let columns = columns.strip_suffix(')').unwrap_or(columns);
    let columns = columns.split(", ").filter(|column| !column.is_empty());
    PlannedTable {
        name: name.to_owned(),
        columns: columns.map(column).collect(),
        ..PlannedTable::default()
    }
}

fn column(notation: &str) -> PlannedColumn {
    let marks = [
        ("K ", ColumnRole::Partition),
        ("C↑ ", ColumnRole::Clustering(Direction::Ascending)),
        ("C↓ ", ColumnRole::Clustering(Direction::Descending)),
        ("S ", ColumnRole::Static),
        ("++", ColumnRole::Counter),
    ];
    let marked = marks.iter().find_map(|(mark, role)| Some((notation.strip_prefix(mark)?, *role)));
    let (name, role) = marked.unwrap_or((notation, ColumnRole::Regular));
    let (name, ty) = column_type(name, role);
    PlannedColumn {
        name: name.to_owned(),
        ty,
        role,
        derivation: Derivation::Constant,
        reasons: Vec::new(),
    }
}

fn column_type(name: &str, role: ColumnRole) -> (&str, Type) {
    let text = || Type::Native(NativeType::Text);
    let inside = |open: char, close: char| name.strip_prefix(open)?.strip_suffix(close);
    if let Some(name) = inside('{', '}') {
        return (name, Type::Set(Arc::new(text()), Frozenness::No));
    }
    if let Some(name) = inside('[', ']') {
        return (name, Type::List(Arc::new(text()), Frozenness::No));
    }
    if let Some(name) = inside('<', '>') {
        return (name, Type::Map(Arc::new((text(), text())), Frozenness::No));
    }
    if let Some(name) = inside('(', ')') {
        return (name, Type::Tuple(vec![text(), text()].into()));
    }
    if let Some(name) = inside('*', '*') {
        let fields = ["street", "city", "zip"].map(|field| (field.into(), text()));
        let user = UserType {
            keyspace: "ks".into(),
            name: format!("{name}_type").into(),
            fields: fields.into(),
        };
        return (name, Type::User(Arc::new(user), Frozenness::Yes));
    }
    let native = if role == ColumnRole::Counter { NativeType::Counter } else { NativeType::Text };
    (name, Type::Native(native))
}
