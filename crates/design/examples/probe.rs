//! probe
use std::time::Instant;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let profile = std::env::args().nth(2).unwrap_or_default();
    let text = std::fs::read_to_string(&path).unwrap();
    let file = match model::sql::read(&text, "probe") { Ok(f) => f, Err(d) => { println!("{d:#?}"); return } };
    let mut options = design::Options::default();
    if profile == "nose" { options.search.prices = design::cost::NOSE; }
    options.search.explain = std::env::var("E").is_ok();
    let t = Instant::now();
    let d = design::design(&file.concept, &file.workload, &options);
    let took = t.elapsed();
    for t in &d.tables { let serves: Vec<_> = t.serves.iter().map(|s| format!("{}:{:?}", file.workload.reads[s.read].name, s.part)).collect();
      println!("{}  [{}]", t.name, t.columns.iter().map(|c| format!("{:?} {}", c.role, c.name).replace("Partition","K").replace("Clustering(Ascending)","C").replace("Clustering(Descending)","C-").replace("Regular ","")).collect::<Vec<_>>().join(", "));
      println!("      {} supports {:?}", serves.join(", "), t.supports); }
    for (r, p) in file.workload.reads.iter().zip(&d.reads) { println!("{} {:?}/s price {:.6}", r.name, r.rate.value, options.search.prices.of(&p.effort)*r.rate.value); for s in &p.steps { println!("    {} {:?}", s.cql, s.loops); } if std::env::var("V").is_ok() { println!("    {:?} {:?}", p.client, p.effort); } }
    for (r, p) in file.workload.writes.iter().zip(&d.writes) { println!("{} {:?}/s price {:.6} {:?}", r.name, r.rate.value, options.search.prices.of(&p.effort)*r.rate.value, p.effort.written); }
    for n in &d.notes { if n.kind <= model::plan::NoteKind::Warning { println!("{:?} {}", n.kind, n.message); } }
    if let Some(c) = &d.choice { println!("price {:?} total {:.5} bound {:.5} rules {:?} cand {} ways {}", c.price, c.price.total(), c.bound, c.by_rules.map(|p| p.total()), c.candidates, c.ways);
      for r in c.rejected.iter().take(30) { println!("  rej {:?} {} {:.4} {}", r.about, r.what, r.price, r.because); }
      for r in &c.runners_up { println!("  up {:.4} +{:?} -{:?}", r.price, r.gains, r.loses); }
      for f in &c.flips { println!("  flip {:?} {:.3} -> {:.3} +{:?} -{:?}", f.about, f.now, f.at, f.gains, f.loses); } }
    println!("{} tables, {took:?}", d.tables.len());
}
