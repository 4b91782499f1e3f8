//! Triggers: what they do is added to the writes, or the writes that fire them are rejected. Rules.

use super::*;
use crate::workload::{AssignmentValue, Value, WriteKind};

const TABLE: &str =
    "CREATE TABLE notes (id int PRIMARY KEY, body text NOT NULL, at timestamptz);\n";
const TOUCH: &str =
    "CREATE OR REPLACE FUNCTION public.touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- the time of the last change
    NEW.at := CURRENT_TIMESTAMP;
    RETURN NEW;
END;
$$;\n";
const UPDATE: &str = "-- name: Change :exec\nUPDATE notes SET body = $1 WHERE id = $2;\n";

fn trigger(timing: &str, function: &str) -> String {
    format!("CREATE TRIGGER t {timing} ON public.notes FOR EACH ROW EXECUTE FUNCTION {function};\n")
}

/// The columns that the first write sets, and the SQL of it.
fn list_assigned(text: &str) -> (Vec<String>, String) {
    let model = read_model(text);
    let write = &model.workload.writes[0];
    let WriteKind::Update(assignments, _) = &write.kind else { panic!("an UPDATE") };
    let names = assignments.iter().map(|it| {
        assert!(matches!(it.value, AssignmentValue::Set(Value::Parameter(_))));
        model.concept.entities[write.entity].attributes[it.attribute].name.clone()
    });
    (names.collect(), write.sql.clone())
}

#[test]
fn a_time_of_change_is_set_by_the_update() {
    let touch = trigger("BEFORE UPDATE", "public.touch()");
    let (columns, sql) = list_assigned(&format!("{TABLE}{TOUCH}{touch}{UPDATE}"));
    assert_eq!(columns, ["body", "at"]);
    assert_eq!(sql, r#"UPDATE notes SET body = $1, "at" = now() WHERE id = $2"#);
    let quoted = TOUCH.replace("NEW.at :=", "/* begin; end; */ new.\"at\" =");
    assert_eq!(list_assigned(&format!("{TABLE}{quoted}{touch}{UPDATE}")).0, ["body", "at"]);
    let extension = trigger("BEFORE UPDATE", "public.moddatetime('at')");
    assert_eq!(list_assigned(&format!("{TABLE}{extension}{UPDATE}")).0, ["body", "at"]);
}

#[test]
fn an_update_that_sets_the_time_itself_stays_as_it_is() {
    let touch = trigger("BEFORE UPDATE", "touch()");
    let own = UPDATE.replace("body = $1", "body = $1, at = now()");
    let (columns, sql) = list_assigned(&format!("{TABLE}{TOUCH}{touch}{own}"));
    assert_eq!(columns, ["body", "at"]);
    assert_eq!(sql, "UPDATE notes SET body = $1, at = now() WHERE id = $2");
}

#[test]
fn the_trigger_overwrites_the_time_that_an_update_sets() {
    let touch = trigger("BEFORE UPDATE", "touch()");
    for own in ["body = $1, at = $3", "at = $3, body = $1", "body = $1, at = NULL"] {
        let other = UPDATE.replace("body = $1", own);
        let text = format!("{TABLE}{TOUCH}{touch}{other}");
        let (mut columns, sql) = list_assigned(&text);
        columns.sort();
        assert_eq!(columns, ["at", "body"], "{sql}");
        assert!(sql.contains("at = now()") && !sql.contains("$3"), "{sql}");
        assert_eq!(read_model(&text).workload.writes[0].parameters.len(), 3, "body, id, the time");
    }
}

#[test]
fn cascades_fire_triggers() {
    let child = |action: &str| {
        format!("CREATE TABLE marks (id int PRIMARY KEY, note int REFERENCES notes {action});\n")
    };
    let delete = "-- name: Drop :exec\nDELETE FROM notes WHERE id = $1;\n";
    let on_marks = |event: &str| {
        format!("CREATE TRIGGER t AFTER {event} ON marks FOR EACH ROW EXECUTE FUNCTION audit();\n")
    };
    for (action, event, rejected) in [
        ("ON DELETE CASCADE", "DELETE", true),
        ("ON DELETE SET NULL", "UPDATE", true),
        ("ON DELETE SET NULL", "DELETE", false),
        ("", "DELETE", false),
    ] {
        let text = format!("{TABLE}{}{}{delete}", child(action), on_marks(event));
        if rejected {
            assert_eq!(error_places(&text), [("MF369", "Drop")], "{action} {event}");
        } else {
            read_model(&text);
        }
    }
}

#[test]
fn rules_are_rejected_by_name() {
    let rule = "CREATE OR REPLACE RULE keep AS ON DELETE TO notes DO INSTEAD NOTHING;\n";
    assert_eq!(error_places(&format!("{TABLE}{rule}{UPDATE}")), [("MF370", "keep")]);
}

#[test]
fn writes_that_fire_other_triggers_are_rejected() {
    for (timing, function) in [
        ("AFTER UPDATE", "touch()"),
        ("BEFORE UPDATE OF body", "touch()"),
        ("BEFORE INSERT OR UPDATE", "touch()"),
        ("BEFORE UPDATE", "audit()"),
    ] {
        let text = format!("{TABLE}{TOUCH}{}{UPDATE}", trigger(timing, function));
        assert_eq!(error_places(&text), [("MF369", "Change")], "{timing} {function}");
    }
    let longer = TOUCH.replace("NEW.at :=", "NEW.body := ''; NEW.at :=");
    let text = format!("{TABLE}{longer}{}{UPDATE}", trigger("BEFORE UPDATE", "touch()"));
    assert_eq!(error_places(&text), [("MF369", "Change")]);
    let conditional =
        trigger("BEFORE UPDATE", "touch()").replace("EXECUTE", "WHEN (OLD.id > 1) EXECUTE");
    assert_eq!(
        error_places(&format!("{TABLE}{TOUCH}{conditional}{UPDATE}")),
        [("MF369", "Change")]
    );
}

#[test]
fn a_trigger_that_no_write_fires_does_not_matter() {
    let text = format!("{TABLE}{}{UPDATE}", trigger("AFTER INSERT OR DELETE", "audit()"));
    assert_eq!(list_assigned(&text).0, ["body"]);
}

#[test]
fn an_upsert_fires_the_triggers_of_updates() {
    let touch = trigger("BEFORE UPDATE", "touch()");
    let upsert = "-- name: Put :exec\nINSERT INTO notes (id, body) VALUES ($1, $2)
        ON CONFLICT (id) DO UPDATE SET body = excluded.body;\n";
    let model = read_model(&format!("{TABLE}{TOUCH}{touch}{upsert}"));
    assert!(model.workload.writes[0].sql.ends_with(r#"body = excluded.body, "at" = now()"#));
    let audit = trigger("AFTER UPDATE", "audit()");
    assert_eq!(error_places(&format!("{TABLE}{audit}{upsert}")), [("MF369", "Put")]);
}
