//! The forms in which people paste traces, and damaged ones.

use super::*;
use crate::trace::{analyse, samples};

#[test]
fn a_table_is_read_in_any_clothes() {
    let plain = read(samples::POINT).unwrap();
    assert_eq!(plain.len(), 1);
    assert_eq!(plain[0].events.len(), 7);
    assert_eq!(plain[0].duration, Some(24_401));
    assert_eq!(plain[0].session.as_deref(), Some("67a2c2f0-e343-11f1-9a8f-a945630d3302"));
    assert_eq!(plain[0].client.as_deref(), Some("127.0.0.1"));
    let fenced = format!("See:\n```\n{}\n```\n", samples::POINT);
    assert_eq!(read(&fenced).unwrap(), plain);
    let logged = prefix_lines("2026-11-18 11:30:06 INFO  ");
    assert_eq!(read(&logged).unwrap(), plain);
    let quoted = prefix_lines("> ");
    assert_eq!(read(&quoted).unwrap(), plain);
    let coloured = samples::POINT.replace("activity", "\u{1b}[0;1;35mactivity\u{1b}[0m");
    assert_eq!(read(&coloured).unwrap(), plain);
    let windows = samples::POINT.replace('\n', "\r\n");
    assert_eq!(read(&windows).unwrap(), plain);
}

/// The sample with a text before each line.
fn prefix_lines(prefix: &str) -> String {
    let lines: Vec<String> = samples::POINT.lines().map(|line| format!("{prefix}{line}")).collect();
    lines.join("\n")
}

#[test]
fn markdown_tables_are_read() {
    let plain = read(samples::POINT).unwrap();
    let markdown: String = samples::POINT
        .lines()
        .map(|line| match line {
            line if line.starts_with("---") => "|---|---|---|---|---|\n".to_owned(),
            line if line.contains('|') => format!("|{line} |\n"),
            line => format!("{line}\n"),
        })
        .collect();
    assert_eq!(read(&markdown).unwrap(), plain);
}

#[test]
fn rows_wrapped_by_a_terminal_are_joined() {
    let plain = read(samples::TOMBSTONES).unwrap();
    let wrapped: String = samples::TOMBSTONES
        .lines()
        .map(|line| {
            let is_row = line.contains("| 127.0.0.1 |") && line.len() > 100;
            if is_row { format!("{}\n{}\n", &line[..60], &line[60..]) } else { format!("{line}\n") }
        })
        .collect();
    let read = read(&wrapped).unwrap();
    assert_eq!(read[0].events.len(), plain[0].events.len());
    assert_eq!(read[0].duration, plain[0].duration);
}

#[test]
fn rows_of_system_traces_are_read() {
    let text = "\
 session_id                           | event_id                             | activity             | source    | source_elapsed | source_port | thread
--------------------------------------+--------------------------------------+----------------------+-----------+----------------+-------------+---------
 6d140aa0-e343-11f1-9a8f-a945630d3302 | 6d147fd0-e343-11f1-9a8f-a945630d3302 |  Preparing statement | 127.0.0.1 |           2624 |        7400 | Native-2

 session_id                           | client    | command | coordinator | coordinator_port | duration | parameters | request            | started_at
--------------------------------------+-----------+---------+-------------+------------------+----------+------------+--------------------+---------------------------------
 6d140aa0-e343-11f1-9a8f-a945630d3302 | 127.0.0.1 |   QUERY |   127.0.0.1 |             7400 |    49215 | {'consistency_level': 'ONE', 'query': 'INSERT INTO users (id, email) VALUES (42, ''x|y'') IF NOT EXISTS;'} | Execute CQL3 query | 2026-11-18 11:30:15.754000+0000
";
    let traces = read(text).unwrap();
    assert_eq!(traces.len(), 1);
    assert_eq!(traces[0].duration, Some(49_215));
    assert_eq!(traces[0].events[0].thread, "Native-2");
    let statement = "INSERT INTO users (id, email) VALUES (42, 'x|y') IF NOT EXISTS;";
    assert_eq!(traces[0].statement(), Some(statement));
    let expanded = "\
@ Row 1
----------------+------
 session_id     | 6d140aa0-e343-11f1-9a8f-a945630d3302
 activity       | Preparing statement
 source         | 127.0.0.1
 source_elapsed | 2624
 thread         | Native-Transport-Requests-2
";
    assert_eq!(read(expanded).unwrap()[0].events[0].elapsed, Some(2_624));
}

#[test]
fn json_is_read() {
    let whole = read(samples::ABORTED).unwrap();
    assert_eq!((whole.len(), whole[0].events.len()), (1, 10));
    assert_eq!(whole[0].duration, Some(327_638));
    assert_eq!(whole[0].parameters["consistency_level"], "ONE");
    let value: serde_json::Value = serde_json::from_str(samples::ABORTED).unwrap();
    let events = value["events"].as_array().unwrap().iter();
    let lines: Vec<String> = events.map(|event| format!(" {event}")).collect();
    let lines = lines.join("\n");
    let lines = format!(" [json]\n------\n{lines}\n(10 rows)\n");
    assert_eq!(read(&lines).unwrap()[0].events, whole[0].events);
    assert_eq!(read(&value["events"].to_string()).unwrap()[0].events, whole[0].events);
}

#[test]
fn other_texts_are_refused() {
    assert_eq!(read(" \n"), Err(TraceTextError::Empty));
    assert_eq!(read("SELECT * FROM t;"), Err(TraceTextError::NoTrace));
    assert_eq!(read("{\"a\": [1, 2]}"), Err(TraceTextError::NoTrace));
    let header = " activity | timestamp | source | source_elapsed | client\n---+---\n";
    assert_eq!(read(header), Err(TraceTextError::NoEvents));
}

#[test]
fn damaged_traces_do_no_harm() {
    let mut random = 12_345_u64;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(random >> 33).unwrap() % below.max(1)
    };
    for text in samples::ALL {
        let bytes = &text.as_bytes()[..text.len().min(6_000)];
        for _ in 0..60 {
            let mut damaged = bytes[..next(bytes.len())].to_vec();
            for _ in 0..next(8) {
                let at = next(damaged.len());
                if let Some(byte) = damaged.get_mut(at) {
                    *byte = u8::try_from(next(256)).unwrap();
                }
            }
            for trace in read(&String::from_utf8_lossy(&damaged)).unwrap_or_default() {
                analyse(&trace);
            }
        }
    }
}
