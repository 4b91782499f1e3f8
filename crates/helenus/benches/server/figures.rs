//! What is measured, and how it is printed.

/// A kind of load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Workload {
    Inserts,
    Reads,
    Slices,
    Mix,
}

impl Workload {
    pub(crate) const ALL: [Self; 4] = [Self::Inserts, Self::Reads, Self::Slices, Self::Mix];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Inserts => "inserts of 100 bytes",
            Self::Reads => "point reads",
            Self::Slices => "slices of 100 rows",
            Self::Mix => "mix of 50 % reads, 40 % inserts, 10 % slices",
        }
    }

    pub(crate) fn has_writes(self) -> bool {
        matches!(self, Self::Inserts | Self::Mix)
    }

    /// The kind of the request with that number.
    pub(crate) fn request(self, number: i32) -> Self {
        match (self, number.rem_euclid(10)) {
            (Self::Mix, 0..5) => Self::Reads,
            (Self::Mix, 5..9) => Self::Inserts,
            (Self::Mix, _) => Self::Slices,
            _ => self,
        }
    }
}

/// The figures of a run.
#[derive(Clone, Copy)]
pub(crate) struct Figures {
    pub(crate) per_second: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) cpu_us: Option<f64>,
}

/// Prints ours beside those of a node and of the ceiling.
pub(crate) fn print(what: &str, ours: &Figures, theirs: Option<Figures>, ceiling: Option<Figures>) {
    print_line(what, "helenus", ours);
    if let Some(theirs) = theirs {
        print_line(what, "Cassandra", &theirs);
        println!(
            "{what}, ratio: {:.1} x the rate, {:.2} x the p99, {} x the CPU",
            ours.per_second / theirs.per_second,
            ours.p99_ms / theirs.p99_ms,
            match (ours.cpu_us, theirs.cpu_us) {
                (Some(ours), Some(theirs)) => format!("1/{:.1}", theirs / ours),
                _ => "?".to_owned(),
            }
        );
    }
    if let Some(ceiling) = ceiling {
        print_line(what, "canned responses", &ceiling);
        println!(
            "{what}, share of the ceiling: {:.0} %",
            ours.per_second / ceiling.per_second * 100.0
        );
    }
}

fn print_line(what: &str, who: &str, figures: &Figures) {
    let cpu = figures.cpu_us.map_or_else(|| "?".to_owned(), |cpu| format!("{cpu:.2}"));
    println!(
        "{what}, {who}: {:.0}/s, p50 {:.2} ms, p99 {:.2} ms, {cpu} us of server CPU each",
        figures.per_second, figures.p50_ms, figures.p99_ms
    );
}
