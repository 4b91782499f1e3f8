//! Tests of the pictures.

mod checks;
mod comparison;
mod examples;
mod files;
mod kinds;
mod notation;
mod random;
mod reference_designs;
mod texts;
mod xml;

use super::scene::Scene;
use super::{Level, Picture, canvas, chebotko, entities};

/// What is wrong with any form of a picture.
fn find_defects(picture: &Picture) -> Vec<String> {
    let scene = Scene::new(picture);
    let mut found = checks::find_defects(&scene);
    found.extend(texts::find_defects(&canvas::draw(&scene)));
    let svg = picture.svg();
    found.extend([&svg, &picture.svg_outlines()].into_iter().filter_map(|it| xml::find_defect(it)));
    for columns in [40, 80, 100, 130] {
        let text = picture.text(columns);
        let wide = text.lines().filter(|line| super::text::width(line) > columns);
        found.extend(wide.map(|line| format!("wider than {columns} columns: {line}")));
    }
    let text = picture.text(100);
    let mermaid = picture.mermaid();
    for card in picture.frames.iter().flat_map(|frame| &frame.cards) {
        let start: String = card.title.chars().take(20).collect();
        let is_plain = start.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let shown = [&svg, &text, &mermaid].iter().all(|form| form.contains(&start));
        if is_plain && !shown {
            found.push(format!("{start} is missing"));
        }
    }
    for entry in &picture.legend {
        let asked = format!(">{}</text>", entry.number);
        if !svg.contains(&asked) || !text.contains(&format!("  {} ", entry.number)) {
            found.push(format!("{} is missing", entry.number));
        }
    }
    found
}

/// What the published workflow says: the tables a query comes from, the query, its table.
#[test]
fn the_course_has_its_workflow() {
    let (concept, workload, design) = reference_designs::design(&reference_designs::KILLRVIDEO);
    let text = chebotko(&concept, &workload, &design, Level::Logical).text(100);
    for line in [
        "  users_by_email → Q2 latest_videos, Q3 users, Q4 videos_by_user\n",
        "  users_by_email, comments_by_video → Q5 comments_by_user\n",
        "  videos → Q9 trailers_by_video, Q11 actors_by_video\n",
        "  videos_by_user, comments_by_user → Q10 video_interactions_by_user_video\n",
        "│ {tags}                S  │",
        "│ num_ratings  ++  │",
    ] {
        assert!(text.contains(line), "{line} is missing in\n{text}");
    }
}

#[test]
fn published_designs_are_drawn_well() {
    for queries in [&reference_designs::KILLRVIDEO[..], &reference_designs::HOTEL[..]] {
        let (concept, workload, design) = reference_designs::design(queries);
        for level in [Level::Logical, Level::Physical] {
            let picture = chebotko(&concept, &workload, &design, level);
            assert_eq!(find_defects(&picture), [""; 0]);
            assert_eq!(picture.svg(), picture.clone().svg());
        }
    }
}

#[test]
fn random_workflows_are_drawn_well() {
    for seed in 1..=40 {
        let mut numbers = random::Random::new(seed);
        let tables = 1 + numbers.next_below(24);
        let queries = numbers.next_below(60);
        let near = 1 + numbers.next_below(20);
        let (concept, workload, design) = random::design(seed, tables, queries, near);
        let picture = chebotko(&concept, &workload, &design, Level::Physical);
        let found = find_defects(&picture);
        assert_eq!(found, [""; 0], "seed {seed}, {tables} tables, {queries} queries");
    }
}

#[test]
fn a_hundred_tables_are_drawn_well() {
    let (concept, workload, design) = random::design(7, 100, 500, 12);
    let picture = chebotko(&concept, &workload, &design, Level::Physical);
    assert_eq!(find_defects(&picture), [""; 0]);
}

#[test]
fn random_entities_are_drawn_well() {
    for (seed, tables) in [(1, 3), (2, 7), (3, 12), (4, 20), (5, 30), (6, 100)] {
        let text = random::model_file(seed, tables);
        let file = model::sql::read(&text, "random").expect("the model is right");
        let picture = entities(&file.concept, &file.workload);
        assert_eq!(picture.frames[0].cards.len(), tables);
        assert_eq!(find_defects(&picture), [""; 0], "seed {seed}");
    }
}
