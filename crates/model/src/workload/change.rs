//! Changes to a workload for what-if questions: another rate, an excluded query.

use super::{Parameter, Supply, Workload, derive_writes};
use crate::concept::{Concept, DAY, Figure, Origin};
use crate::id::{EntityId, IdList, ReadId};

/// A hypothetical rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RateChange {
    /// A multiple of the current rate.
    Times(f64),
    /// Times per second.
    PerSecond(f64),
}

impl Workload {
    /// The workload without the read or write of that name; `None` where there is none.
    ///
    /// Statements after the removed read come after its predecessors instead, and the values that
    /// it supplied are left to the application.
    #[must_use]
    pub fn exclude(&self, concept: &Concept, name: &str) -> Option<Self> {
        let mut left = self.clone();
        if let Some(gone) = self.list_stated_writes().iter().position(|write| write.name == name) {
            left.writes.remove(gone);
            derive_writes(concept, &mut left);
            return Some(left);
        }
        let gone = self.reads.find_id(|read| read.name == name)?;
        let before_gone = left.reads.remove(gone.index()).after;
        for (at, read) in left.reads.iter_mut().enumerate() {
            let itself = ReadId::new(if at < gone.index() { at } else { at + 1 });
            exclude_step(gone, &before_gone, Some(itself), &mut read.after);
            exclude_supply(gone, &mut read.parameters);
        }
        for write in &mut left.writes {
            exclude_step(gone, &before_gone, None, &mut write.after);
            exclude_supply(gone, &mut write.parameters);
        }
        Some(left)
    }
}

/// Removes a read from the predecessors of another one (`itself`), and shifts the ids after it.
fn exclude_step(
    gone: ReadId,
    before_gone: &[ReadId],
    itself: Option<ReadId>,
    after: &mut Vec<ReadId>,
) {
    let mut steps: Vec<ReadId> = Vec::with_capacity(after.len());
    for &step in after.iter() {
        let inherited = before_gone.iter().copied().filter(|before| Some(*before) != itself);
        let instead: Vec<_> = if step == gone { inherited.collect() } else { vec![step] };
        for step in instead.into_iter().filter(|step| *step != gone) {
            let step = shift_id(gone, step);
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
    }
    *after = steps;
}

/// The id of a read after another one is removed.
fn shift_id(gone: ReadId, read: ReadId) -> ReadId {
    if read > gone { ReadId::new(read.index() - 1) } else { read }
}

fn exclude_supply(gone: ReadId, parameters: &mut [Parameter]) {
    for parameter in parameters {
        if let Supply::Step { read, .. } = &mut parameter.supply {
            if *read == gone {
                parameter.supply = Supply::User;
            } else {
                *read = shift_id(gone, *read);
            }
        }
    }
}

/// Changes the rate of the read or write of that name; `false` where there is none. An entity whose
/// growth follows from its INSERTs grows accordingly.
pub fn change_rate(
    concept: &mut Concept,
    workload: &mut Workload,
    name: &str,
    rate: RateChange,
) -> bool {
    let changed = |now: Figure<f64>| match rate {
        RateChange::Times(times) => Figure { value: now.value * times, origin: now.origin },
        RateChange::PerSecond(value) => Figure::from_input(value),
    };
    if let Some(read) = workload.reads.iter_mut().find(|read| read.name == name) {
        read.rate = changed(read.rate);
        return true;
    }
    let Some(at) = workload.list_stated_writes().iter().position(|write| write.name == name) else {
        return false;
    };
    let entity = workload.writes[at].entity;
    let before = inserts_per_day(workload, entity);
    workload.writes[at].rate = changed(workload.writes[at].rate);
    let after = inserts_per_day(workload, entity);
    if let Some(entity) = concept.entities.member_mut(entity)
        && entity.grows.origin != Origin::Given
        && (entity.grows.value - before).abs() <= before * 1e-9
    {
        entity.grows.value = after;
    }
    derive_writes(concept, workload);
    true
}

/// Rows that the INSERTs of an entity add in a day.
fn inserts_per_day(workload: &Workload, entity: EntityId) -> f64 {
    let writes = workload.list_stated_writes().iter().filter(|write| write.entity == entity);
    writes.map(|write| write.rate.value * write.row_rate() * DAY).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::OutputId;
    use crate::sql::ModelFile;

    const FILE: &str = "
CREATE TABLE users (userid uuid PRIMARY KEY, email text NOT NULL UNIQUE, name text);
CREATE TABLE videos (videoid uuid PRIMARY KEY, userid uuid NOT NULL REFERENCES users, title text);

-- name: UserByEmail :one
SELECT userid, name FROM users WHERE email = ?;
-- name: Start :many
SELECT userid, name FROM users WHERE name = ?;
-- name: VideosByUser :many
-- @after UserByEmail, Start
SELECT videoid, title FROM videos WHERE userid = ?;
-- name: Video :one
-- @after VideosByUser
SELECT videoid, title FROM videos WHERE videoid = ?;
-- name: AddVideo :exec
-- @rate 10/s  @after VideosByUser
INSERT INTO videos (videoid, userid, title) VALUES (?, ?, ?);
";

    fn file() -> ModelFile {
        crate::sql::read(FILE, "test").expect("the file is right")
    }

    fn find_read<'a>(workload: &'a Workload, name: &str) -> &'a super::super::Read {
        workload.reads.iter().find(|read| read.name == name).expect("it is there")
    }

    #[test]
    fn what_follows_a_read_that_is_gone_follows_its_predecessors() {
        let ModelFile { concept, workload, .. } = file();
        assert_eq!(
            find_read(&workload, "Video").parameters[0].supply,
            Supply::Step { read: ReadId::new(2), output: OutputId::new(0) }
        );
        let left = workload.exclude(&concept, "VideosByUser").expect("it is there");
        assert_eq!(left.reads.len(), 3);
        assert_eq!(find_read(&left, "Video").after, [0, 1].map(ReadId::new));
        assert_eq!(find_read(&left, "Video").parameters[0].supply, Supply::User);
        assert_eq!(left.writes[0].after, [0, 1].map(ReadId::new));
    }

    #[test]
    fn numbers_move_up() {
        let ModelFile { concept, workload, .. } = file();
        let left = workload.exclude(&concept, "UserByEmail").expect("it is there");
        assert_eq!(find_read(&left, "VideosByUser").after, [0].map(ReadId::new));
        assert_eq!(find_read(&left, "Video").after, [1].map(ReadId::new));
        assert_eq!(
            find_read(&left, "Video").parameters[0].supply,
            Supply::Step { read: ReadId::new(1), output: OutputId::new(0) }
        );
    }

    #[test]
    fn circles_do_not_lead_to_themselves() {
        let ModelFile { concept, mut workload, .. } = file();
        // The list leads to the video and the video back to the list.
        workload.reads[2].after.push(ReadId::new(3));
        let left = workload.exclude(&concept, "VideosByUser").expect("it is there");
        assert_eq!(find_read(&left, "Video").after, [0, 1].map(ReadId::new));
        let left = workload.exclude(&concept, "Video").expect("it is there");
        assert_eq!(find_read(&left, "VideosByUser").after, [0, 1].map(ReadId::new));
    }

    #[test]
    fn writes_go_too_and_strangers_are_unknown() {
        let ModelFile { concept, workload, .. } = file();
        assert_eq!(workload.exclude(&concept, "AddVideo").map(|left| left.writes.len()), Some(0));
        assert_eq!(workload.exclude(&concept, "NoSuch"), None);
    }

    #[test]
    fn rates_change_and_growth_with_them() {
        let ModelFile { mut concept, mut workload, .. } = file();
        assert_eq!(concept.entities[1].grows, Figure::from_derivation(10.0 * DAY));
        assert!(change_rate(&mut concept, &mut workload, "AddVideo", RateChange::Times(10.0)));
        assert_eq!(workload.writes[0].rate, Figure::from_input(100.0));
        assert_eq!(concept.entities[1].grows, Figure::from_derivation(100.0 * DAY));
        assert!(change_rate(&mut concept, &mut workload, "Video", RateChange::PerSecond(7.0)));
        assert_eq!(workload.reads[3].rate, Figure::from_input(7.0));
        assert!(!change_rate(&mut concept, &mut workload, "NoSuch", RateChange::Times(2.0)));
        // What the file says about growth stands.
        concept.entities[1].grows = Figure::from_input(5.0);
        assert!(change_rate(&mut concept, &mut workload, "AddVideo", RateChange::Times(2.0)));
        assert_eq!(concept.entities[1].grows, Figure::from_input(5.0));
    }
}
