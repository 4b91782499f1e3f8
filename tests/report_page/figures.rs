//! Whether the charts of a report hold the figures of `design.json`: as the marks that are drawn, where they are drawn, and in
//! the tables beside them.

use std::collections::BTreeSet;

use serde_json::Value;

/// Days of a year.
const YEAR: f64 = 365.25;
/// The quantiles of partition sizes, as charts and JSON name them.
const QUANTILES: [&str; 4] = ["p50", "p99", "p99.9", "max"];
/// Places are compared in pixels.
const PIXELS: f64 = 1.5;

/// A chart as the page shows it.
struct Chart<'a>(&'a Value);

/// The differences between the charts of a page and the design.
pub(super) fn compare(charts: &Value, design: &Value) -> Vec<String> {
    let charts: Vec<Chart<'_>> =
        charts.as_array().expect("a list of charts").iter().map(Chart).collect();
    let find = |title: &str| {
        let chart = charts.iter().find(|chart| chart.text("title").starts_with(title));
        chart.unwrap_or_else(|| panic!("no chart is called {title}"))
    };
    let mut faults = compare_distributions(find("Partition sizes by table"), design);
    faults.extend(compare_disk(find("Disk over the years"), design));
    faults.extend(compare_costs(find("Cost of queries"), design));
    let (mut growing, mut dying) = (0, BTreeSet::new());
    for chart in &charts {
        if chart.text("title") == "Partition size over time" {
            growing += 1;
            faults.extend(compare_growth(chart, design));
        }
        if chart.text("title").starts_with("Tombstones in a partition") {
            dying.insert(chart.text("under"));
            faults.extend(compare_tombstones(chart, design));
        }
    }
    // A chart for each table where a month brings a tenth of the threshold at which Cassandra warns.
    let most = |table: &Value| {
        let last = list(&table["tombstones"]["days"]).last().cloned().unwrap_or_default();
        number(&last["protected"]["p99.9"]) + number(&last["droppable"]["p99.9"])
    };
    let tables = list(&design["tables"]).iter().filter(|table| most(table) >= 100.0);
    let expected: BTreeSet<&str> = tables.filter_map(|table| table["name"].as_str()).collect();
    if growing == 0 || dying.is_empty() || dying != expected {
        faults
            .push(format!("{growing} charts of growth, tombstones of {dying:?}, not {expected:?}"));
    }
    faults
}

impl<'a> Chart<'a> {
    fn text(&self, field: &str) -> &'a str {
        self.0[field].as_str().unwrap_or_default()
    }

    fn marks(&self) -> &'a [Value] {
        list(&self.0["marks"])
    }

    /// The figures of the row of that name.
    fn row(&self, name: &str) -> Vec<f64> {
        let rows = list(&self.0["rows"]);
        let row = rows.iter().find(|row| row["name"] == name);
        row.map(|row| list(&row["values"]).iter().filter_map(Value::as_f64).collect())
            .unwrap_or_default()
    }

    /// The figures of the column of that name.
    fn column(&self, name: &str) -> Vec<f64> {
        let head = list(&self.0["head"]);
        let at = head.iter().position(|it| it == name).expect("a column of that name");
        let rows = list(&self.0["rows"]).iter();
        rows.filter_map(|row| list(&row["values"]).get(at - 1)?.as_f64()).collect()
    }

    /// The figures of the marks of a series, in their order.
    fn series(&self, name: &str) -> Vec<f64> {
        let marks = self.marks().iter().filter(|mark| mark["series"] == name);
        marks.map(|mark| number(&mark["value"])).collect()
    }
}

fn compare_distributions(chart: &Chart<'_>, design: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    for table in list(&design["tables"]) {
        let name = table["name"].as_str().expect("a name");
        let moments = [("today", "today"), ("in 5 years", "in_5_years")];
        let expected = moments.iter().flat_map(|(_, field)| {
            QUANTILES.map(|quantile| number(&table["sizes"][field]["bytes"][quantile]))
        });
        let expected: Vec<f64> = expected.collect();
        faults.extend(difference(&format!("sizes of {name}"), &chart.row(name), &expected));
        let marks = moments.iter().flat_map(|(moment, _)| {
            let of_row = move |mark: &&Value| mark["name"] == name && mark["moment"] == *moment;
            chart.marks().iter().filter(of_row).map(|mark| number(&mark["value"]))
        });
        let marks: Vec<f64> = marks.collect();
        faults.extend(difference(&format!("marks of {name}"), &marks, &expected));
    }
    // The larger lies to the right.
    let mut places: Vec<(f64, f64)> =
        chart.marks().iter().map(|it| (number(&it["value"]), number(&it["x"]))).collect();
    places.sort_by(|one, other| one.0.total_cmp(&other.0));
    let is_back = |pair: &[(f64, f64)]| pair[1].1 < pair[0].1 - PIXELS;
    faults.extend(places.windows(2).find(|it| is_back(it)).map(|it| format!("misplaced: {it:?}")));
    faults
}

fn compare_disk(chart: &Chart<'_>, design: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let mut totals = vec![0.0; 6];
    for table in list(&design["tables"]) {
        let series = list(&table["sizes"]["series"]);
        let at_years = (0..6).map(|years| {
            let days = f64::from(years) * YEAR;
            let point = series.iter().find(|point| (number(&point["days"]) - days).abs() < 0.01);
            number(&point.expect("a figure for each year")["disk_bytes"])
        });
        let expected: Vec<f64> = at_years.collect();
        totals.iter_mut().zip(&expected).for_each(|(total, more)| *total += more);
        let name = table["name"].as_str().expect("a name");
        faults.extend(difference(&format!("disk of {name}"), &chart.row(name), &expected));
    }
    faults.extend(difference("disk of all", &chart.row("total"), &totals));
    // The layers of a column add up to it, in figures and in height.
    let heights = (0..6).map(|years| {
        let days = f64::from(years) * YEAR;
        let layers =
            chart.marks().iter().filter(|mark| (number(&mark["days"]) - days).abs() < 0.01);
        let (mut sum, mut height) = (0.0, 0.0);
        for layer in layers {
            sum += number(&layer["value"]);
            height += number(&layer["height"]);
        }
        (sum, height)
    });
    let columns: Vec<(f64, f64)> = heights.collect();
    let sums: Vec<f64> = columns.iter().map(|(sum, _)| *sum).collect();
    faults.extend(difference("layers of disk", &sums, &totals));
    let (last, tallest) = columns[5];
    for (sum, height) in columns {
        if (height - tallest * sum / last).abs() > PIXELS {
            faults
                .push(format!("a column of {sum} bytes is {height} high, one of {last} {tallest}"));
        }
    }
    faults
}

fn compare_costs(chart: &Chart<'_>, design: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let parts = &design["choice"]["parts"];
    let mut sum = 0.0;
    for (kind, field) in [("reads", "reads"), ("writes", "writes"), ("tables", "storage")] {
        let mut of_kind = 0.0;
        for (at, part) in list(&parts[kind]).iter().enumerate() {
            let price = number(&part["price"]);
            of_kind += price;
            if price <= 0.0 {
                continue;
            }
            let name = part["name"].as_str().expect("a name");
            let name =
                if kind == "reads" { format!("Q{} {name}", at + 1) } else { name.to_owned() };
            faults.extend(difference(&format!("cost of {name}"), &chart.row(&name), &[price]));
        }
        faults.extend(difference(
            &format!("cost of {kind}"),
            &[of_kind],
            &[number(&design["choice"]["price"][field])],
        ));
        sum += of_kind;
    }
    faults.extend(difference("cost", &[sum], &[number(&design["choice"]["price"]["total"])]));
    // Bars are as wide as they cost.
    let first = &chart.marks()[0];
    let scale = number(&first["width"]) / number(&first["value"]);
    for mark in chart.marks() {
        let (width, value) = (number(&mark["width"]), number(&mark["value"]));
        if (width - value * scale).abs() > PIXELS {
            faults.push(format!("the bar of {} is {width} wide for {value}", mark["name"]));
        }
    }
    faults
}

fn compare_growth(chart: &Chart<'_>, design: &Value) -> Vec<String> {
    let name = chart.text("table");
    let table = find_table(design, name);
    let mut faults = Vec::new();
    for quantile in QUANTILES {
        let points = list(&table["sizes"]["series"]).iter();
        let expected: Vec<f64> = points.map(|it| number(&it["bytes"][quantile])).collect();
        let what = format!("{quantile} of {name} over time");
        faults.extend(difference(&what, &chart.column(quantile), &expected));
        faults.extend(difference(&what, &chart.series(quantile), &expected));
    }
    faults
}

fn compare_tombstones(chart: &Chart<'_>, design: &Value) -> Vec<String> {
    let name = chart.text("under");
    let series = &find_table(design, name)["tombstones"];
    let mut faults = Vec::new();
    let lines: [(&str, &[&str]); 2] = [
        ("where compaction keeps up", &["protected"]),
        ("where it removes nothing", &["protected", "droppable"]),
    ];
    for (line, parts) in lines {
        let points = list(&series["days"]).iter();
        let count = |point: &Value| parts.iter().map(|part| number(&point[part]["p99.9"])).sum();
        let expected: Vec<f64> = std::iter::once(0.0).chain(points.map(count)).collect();
        // One line stands for two that are the same.
        let marks = chart.series(line);
        if marks.is_empty() && parts.len() == 2 {
            continue;
        }
        faults.extend(difference(&format!("tombstones of {name}"), &marks, &expected));
        faults.extend(difference(&format!("tombstones of {name}"), &chart.column(line), &expected));
    }
    faults
}

fn find_table<'a>(design: &'a Value, name: &str) -> &'a Value {
    let tables = list(&design["tables"]).iter();
    tables
        .into_iter()
        .find(|table| table["name"] == name)
        .unwrap_or_else(|| panic!("no table {name}"))
}

/// The difference of two lists of figures, which are rounded to three decimals.
fn difference(what: &str, found: &[f64], expected: &[f64]) -> Option<String> {
    let is_same = |(one, other): (&f64, &f64)| (one - other).abs() <= 2e-3 + other.abs() * 1e-6;
    let same = found.len() == expected.len() && found.iter().zip(expected).all(is_same);
    (!same).then(|| format!("{what}: {found:?} in the page, {expected:?} in design.json"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}
