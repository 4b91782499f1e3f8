//! scratch
use model::plan::*;
fn main() {
    let rules = std::env::args().nth(1).unwrap() == "rules";
    for path in std::env::args().skip(2) {
        println!("== {path}");
        let text = std::fs::read_to_string(&path).unwrap();
        match model::sql::read(&text, "x") {
            Err(ds) => {
                for d in ds {
                    println!("  ERR {} {:?} {:?}", d.message, d.span, d.help)
                }
            }
            Ok(file) => {
                let d = design::design(
                    &file.concept,
                    &file.workload,
                    &design::Options { rules_only: rules, ..Default::default() },
                );
                for t in &d.tables {
                    let cols: Vec<String> = t
                        .columns
                        .iter()
                        .map(|c| {
                            format!(
                                "{}{}",
                                match c.role {
                                    Role::Partition => "K ",
                                    Role::Clustering(Direction::Ascending) => "C↑ ",
                                    Role::Clustering(_) => "C↓ ",
                                    Role::Static => "S ",
                                    Role::Regular => "",
                                    Role::Counter => "++",
                                },
                                c.name
                            )
                        })
                        .collect();
                    let reads: Vec<String> =
                        t.serves.iter().map(|s| file.workload.reads[s.read].name.clone()).collect();
                    println!("  {}: {}({})", reads.join("+"), t.name, cols.join(", "));
                }
                for n in &d.notes {
                    if n.kind == NoteKind::Refusal {
                        println!("  NOTE {:?} {}", n.kind, n.message)
                    }
                }
            }
        }
        let exp = path.replace("examples/", "tests/reference/").replace(".sql", ".txt");
        if let Ok(e) = std::fs::read_to_string(exp) {
            println!("  -- expected");
            for l in e.lines() {
                println!("  {l}")
            }
        }
    }
}
