//! The influence of assumptions on a design: how its price and tables change when the figure is a
//! tenth, or ten times, of what is assumed.
//!
//! Each trial resolves the model again with the figure stated, and designs it: by a search, as far
//! as the size of the search allows, else by the mapping rules alone. The number of trials depends
//! on the model only, so that the result is the same on every machine. Trials are not reviewed:
//! nobody reads their notes.

use design::{Options, SearchOptions, comparison, cost};
use model::assumption::{Assumption, AssumptionTopic};
use model::id::IdList;
use model::plan::{Design, PlannedTable};
use model::sql::{ModelFile, ModelSyntax};

use crate::model_sources::ModelSources;
use crate::parallel;
use crate::progress_bar::ProgressBar;

/// Ways and candidates that may be priced in all trials together.
const WORK_MAX: usize = 3_000;
/// Assumptions that are tried by a search at most.
const SEARCHED_MAX: usize = 20;
/// Assumptions that are tried by the mapping rules at most.
const MAPPED_MAX: usize = 100;
/// The factors that are tried.
const FACTORS: [f64; 2] = [0.1, 10.0];
/// The share of the limits of hot partitions up to which ten times as many uses cost nothing more.
const COOL_SHARE: f64 = 0.01;
/// Smaller changes of the price count as none, as a share of it.
const LEAST: f64 = 0.01;

/// The assumptions about a model, by influence.
#[derive(Default)]
pub(crate) struct AssumptionRanking {
    /// Those that change the price or the tables, the most influential first.
    pub(crate) influential: Vec<(Assumption, Influence)>,
    /// How many change neither.
    pub(crate) harmless: usize,
    /// How many were not tried.
    pub(crate) untried: usize,
    /// Those without a figure that could be another.
    pub(crate) invariable: Vec<Assumption>,
}

/// What another figure changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Influence {
    /// The price at a tenth of the figure and at ten times of it, as multiples of the price.
    pub(crate) prices: [f64; 2],
    /// Whether the tables change, at each.
    pub(crate) tables: [bool; 2],
}

impl Influence {
    /// Whether it is worth a word.
    fn is_notable(&self) -> bool {
        self.tables.contains(&true) || self.change() > LEAST
    }

    /// The larger change of the price, as a share of it.
    fn change(&self) -> f64 {
        self.prices.iter().map(|price| (price - 1.0).abs()).fold(0.0, f64::max)
    }
}

/// What the trials start from.
pub(crate) struct InfluenceStudy<'a> {
    pub(crate) sources: &'a ModelSources,
    pub(crate) file: &'a ModelFile,
    pub(crate) design: &'a Design,
    pub(crate) options: &'a Options,
}

/// The design that trials are compared with, and how they are designed.
struct TrialStart<'a> {
    syntax: &'a ModelSyntax<'a>,
    design: Design,
    options: Options,
}

impl InfluenceStudy<'_> {
    /// Ranks the assumptions of the file.
    pub(crate) fn rank(&self) -> AssumptionRanking {
        let mut ranking = AssumptionRanking::default();
        let ModelSources { text, starts, name, measured, .. } = self.sources;
        let Ok(syntax) = ModelSyntax::parse(text, starts, name, measured) else { return ranking };
        let mut open: Vec<&Assumption> = Vec::new();
        for assumption in &self.file.assumptions {
            if !self.is_used(&assumption.topic) {
                ranking.harmless += 1;
            } else if assumption.topic.restate(1.0).is_some() {
                open.push(assumption);
            } else {
                ranking.invariable.push(assumption.clone());
            }
        }
        open.sort_by_key(|assumption| precedence(&assumption.topic));
        let (searched, rest) = open.split_at(open.len().min(self.count_searches()));
        let (mapped, rest) = rest.split_at(rest.len().min(MAPPED_MAX));
        ranking.untried = rest.len();
        self.try_all(searched, &self.start_by_search(&syntax), &mut ranking);
        if !mapped.is_empty() {
            self.try_all(mapped, &self.start_by_rules(&syntax), &mut ranking);
        }
        ranking.influential.sort_by(|(_, one), (_, other)| {
            let weight =
                |it: &Influence| it.change() + f64::from(u8::from(it.tables.contains(&true)));
            weight(other).total_cmp(&weight(one))
        });
        ranking
    }

    /// The number of assumptions that the size of the search allows to try by a search.
    fn count_searches(&self) -> usize {
        let choice = self.design.choice.as_ref();
        let size = choice.map_or(1, |choice| choice.ways + choice.candidates).max(1);
        (WORK_MAX / size / FACTORS.len()).min(SEARCHED_MAX)
    }

    /// The design itself, with which designs by a search are compared.
    fn start_by_search<'a>(&self, syntax: &'a ModelSyntax<'a>) -> TrialStart<'a> {
        let search = SearchOptions { explain: false, ..self.options.search.clone() };
        let options = Options { search, ..self.options.clone() };
        TrialStart { syntax, design: self.design.clone(), options }
    }

    /// The design by the mapping rules, with which others by the rules are compared.
    fn start_by_rules<'a>(&self, syntax: &'a ModelSyntax<'a>) -> TrialStart<'a> {
        let search = SearchOptions { enabled: false, ..self.options.search.clone() };
        let options = Options { search, ..self.options.clone() };
        let design = design::draft_design(&self.file.concept, &self.file.workload, &options);
        TrialStart { syntax, design, options }
    }

    /// Tries out assumptions, and ranks them.
    fn try_all(
        &self,
        assumptions: &[&Assumption],
        start: &TrialStart<'_>,
        ranking: &mut AssumptionRanking,
    ) {
        let bar = ProgressBar::with_items("assumptions", "trials", assumptions.len());
        let found = parallel::map(assumptions, |it| {
            let influence = self.try_out(it, start);
            bar.step();
            influence
        });
        for (assumption, found) in assumptions.iter().zip(found) {
            match found {
                Some(influence) if influence.is_notable() => {
                    ranking.influential.push(((*assumption).clone(), influence));
                }
                Some(_) => ranking.harmless += 1,
                None => ranking.untried += 1,
            }
        }
    }

    /// Whether the workload uses what an assumption is about.
    fn is_used(&self, topic: &AssumptionTopic) -> bool {
        let (AssumptionTopic::Rows { entity, .. }
        | AssumptionTopic::NoGrowth { entity }
        | AssumptionTopic::FanOut { entity, .. }
        | AssumptionTopic::Distinct { entity, .. }
        | AssumptionTopic::Items { entity, .. }
        | AssumptionTopic::Bytes { entity, .. }) = topic
        else {
            return true;
        };
        let ModelFile { concept, workload, .. } = self.file;
        let Some(at) = concept.entities.find_id(|it| it.name == *entity) else { return false };
        let is_read = |read: &model::workload::Read| read.sources.iter().any(|it| it.entity == at);
        workload.reads.iter().any(is_read) || workload.writes.iter().any(|it| it.entity == at)
    }

    /// The influence of one assumption.
    fn try_out(&self, assumption: &Assumption, start: &TrialStart<'_>) -> Option<Influence> {
        let now = self.price(self.file, &start.design);
        let mut influence = Influence { prices: [1.0; 2], tables: [false; 2] };
        for (at, factor) in FACTORS.into_iter().enumerate() {
            let lines = assumption.topic.restate(factor)?;
            let file = start.syntax.resolve_with(&lines).ok()?;
            let design = if self.has_same_design(&file, start) {
                start.design.clone()
            } else {
                design::draft_design(&file.concept, &file.workload, &start.options)
            };
            influence.prices[at] = self.price(&file, &design) / now.max(f64::MIN_POSITIVE);
            let difference = comparison::compare(
                (&self.file.workload, &start.design),
                (&file.workload, &design),
            );
            influence.tables[at] = !(difference.added.is_empty()
                && difference.removed.is_empty()
                && difference.rekeyed.is_empty());
        }
        Some(influence)
    }

    /// Whether the design by the rules stays what it is: they look at rates only where partitions are
    /// hot, so that only the price changes.
    fn has_same_design(&self, file: &ModelFile, start: &TrialStart<'_>) -> bool {
        let limits = &start.options.limits;
        let is_cool = |table: &PlannedTable| {
            let (reads, writes) = (table.volume.hottest_reads, table.volume.hottest_writes);
            reads <= limits.hot_reads * COOL_SHARE && writes <= limits.hot_writes * COOL_SHARE
        };
        !start.options.search.enabled
            && file.concept == self.file.concept
            && start.design.tables.iter().all(is_cool)
    }

    fn price(&self, file: &ModelFile, design: &Design) -> f64 {
        cost::design_cost(&file.concept, &file.workload, design, self.options).total()
    }
}

/// The order in which assumptions are tried: those first that usually matter most.
fn precedence(topic: &AssumptionTopic) -> usize {
    match topic {
        AssumptionTopic::Rate { .. } => 0,
        AssumptionTopic::FanOut { .. } => 1,
        AssumptionTopic::Rows { .. } => 2,
        AssumptionTopic::Distinct { .. } => 3,
        AssumptionTopic::NoGrowth { .. } => 4,
        AssumptionTopic::Items { .. } => 5,
        _ => 6,
    }
}
