//! Volumes of a model file, for the tables that keep its entities: `videos` and `videos_by_user` of the entity `videos`.

use model::concept::{Concept, Entity, Figure, Origin, Skew};
use model::id::{AttributeId, IdList};
use model::schema_file;
use schema::catalog::Table;

use super::declaration::{PLANNING_DAYS, attribute_volume, explicit_value};
use super::{ColumnVolume, TableVolume};

/// What a model says of a table; nothing if it keeps none of its entities.
pub(super) fn table_volume(concept: &Concept, table: &Table) -> Option<TableVolume> {
    let entity = find_entity(concept, &table.name)?;
    let mut volume = TableVolume {
        rows: explicit_value(entity.rows),
        grows: explicit_value(entity.growth_over(PLANNING_DAYS)),
        retain: entity.retain,
        columns: table.columns().iter().map(|column| column_volume(entity, column)).collect(),
        ..TableVolume::default()
    };
    let key: Option<Vec<AttributeId>> =
        table.partition_key().iter().map(|column| entity.attribute_named(&column.name)).collect();
    let Some(key) = key else { return Some(volume) };
    if key == entity.primary_key() {
        volume.partitions = volume.rows;
    } else if let Some(reference) = entity.references.iter().find(|one| one.attributes == key) {
        let parent = concept.entities.member(reference.target);
        volume.each = Some(reference.fan_out).filter(|each| each.origin != Origin::Assumed);
        volume.partitions = parent.and_then(|parent| explicit_value(parent.rows));
    }
    Some(volume)
}

/// The entity that a table keeps, by its name; of several the longest name.
fn find_entity<'c>(concept: &'c Concept, table: &str) -> Option<&'c Entity> {
    let is_kept = |entity: &&Entity| {
        let rest = table.strip_prefix(&*entity.name.to_lowercase());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("_by_"))
    };
    concept.entities.iter().filter(is_kept).max_by_key(|entity| entity.name.len())
}

fn column_volume(entity: &Entity, of: &schema::catalog::Column) -> ColumnVolume {
    let attribute = entity.attribute_named(&of.name).and_then(|at| entity.attributes.member(at));
    if let Some(attribute) = attribute {
        return attribute_volume(attribute);
    }
    let assumed = |value| Figure { value, origin: Origin::Assumed };
    let (bytes, items) = schema_file::usual_sizes(&of.ty);
    ColumnVolume {
        bytes: assumed(bytes),
        items: assumed(items),
        distinct: assumed(1.0),
        skew: Skew::Uniform,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::Settings;
    use crate::project::tests::project;

    #[test]
    fn tables_have_the_volumes_of_their_entities() {
        let model = "-- @rows 1k
            CREATE TABLE users (id uuid PRIMARY KEY);
            -- @rows 50k
            CREATE TABLE videos (
              id uuid PRIMARY KEY,
              user_id uuid REFERENCES users, -- @each 50 p99 200 max 2k
              name text -- @bytes 40
            );";
        let model = model::sql::read(model, "app").unwrap();
        let settings = Settings { model: Some(Arc::new(model.concept)), ..Settings::default() };
        let text = "CREATE TABLE videos_by_user (user_id uuid, id uuid, name text, PRIMARY KEY (user_id, id));
                    CREATE TABLE videos (id uuid PRIMARY KEY, name text);
                    CREATE TABLE videos_seen (id uuid PRIMARY KEY);";
        let project = project(text, &settings);
        let volume = |name: &str| &project.table("ks", name).unwrap().volume;
        let by_user = volume("videos_by_user");
        assert_eq!((by_user.rows, by_user.partitions), (Some(50_000.0), Some(1_000.0)));
        assert_eq!(
            (by_user.bytes(2), by_user.each.map(|each| each.mean)),
            (Some(40.0), Some(50.0))
        );
        assert_eq!(volume("videos").partitions, Some(50_000.0));
        assert_eq!(volume("videos_seen").rows, None);
    }
}
