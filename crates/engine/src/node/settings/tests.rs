//! Setting and printing of settings.

use super::*;

#[test]
fn defaults_are_shown_as_the_server_shows_them() {
    let shown = Settings::default().list_values(&NodeIdentity::default());
    let listed = LIST.lines().filter(|line| !line.starts_with('#'));
    let shown: Vec<_> = shown
        .into_iter()
        .map(|(name, value)| value.map_or(name.clone(), |value| format!("{name}={value}")))
        .collect();
    assert_eq!(shown, listed.collect::<Vec<_>>());
}

#[test]
fn what_is_set_is_shown() {
    let mut settings = Settings::default();
    settings.set("batch_size_warn_threshold", "64KiB").unwrap();
    settings.set("tables_warn_threshold", "3").unwrap();
    settings.set("column_value_size_fail_threshold", "2MiB").unwrap();
    settings.set("table_properties_warned", "comment, cdc").unwrap();
    settings.set("phi_convict_threshold", "12").unwrap();
    assert_eq!(settings.batch_size_warn_threshold, 65_536);
    let shown: BTreeMap<_, _> =
        settings.list_values(&NodeIdentity::default()).into_iter().collect();
    let value = |name: &str| shown[name].as_deref();
    assert_eq!(value("batch_size_warn_threshold_in_kb"), Some("64"));
    assert_eq!(value("tables_warn_threshold"), Some("3"));
    assert_eq!(value("column_value_size_fail_threshold"), Some("2MiB"));
    assert_eq!(value("table_properties_warned"), Some("[comment, cdc]"));
    assert_eq!(value("phi_convict_threshold"), Some("12"));
}

#[test]
fn what_is_wrong_is_said() {
    let mut settings = Settings::default();
    let mut refused = |name: &str, value: &str| settings.set(name, value).unwrap_err();
    assert_eq!(
        refused("tombstone_warn", "1"),
        "unknown setting 'tombstone_warn'; did you mean 'tombstone_warn_threshold'?"
    );
    assert_eq!(
        refused("group_by_enabled", "maybe"),
        "invalid value 'maybe' for group_by_enabled: expected true or false"
    );
    assert_eq!(
        refused("batch_size_warn_threshold", "5"),
        "invalid value '5' for batch_size_warn_threshold: expected a size such as 5KiB (B, KiB, MiB, GiB)"
    );
}
