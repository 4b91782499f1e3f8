//! Readable names for the parts of a program, for its export.
//!
//! A candidate has a number, which all names that belong to it repeat: `t12_videos_by_userid` is
//! the table, `c12_name` a column of it, `y_VideosByUser_t12` the way that reads it.

use model::id::{IdList, Member, ReadId, WriteId};
use model::plan::{ColumnRole, PlannedTable, ReadPart};
use model::workload::Column;
use solver::lp_format::{ProgramName, ProgramNames};
use solver::{DemandId, IdVec, WayId};

use super::one_line;
use super::program::{DemandKind, ItemKind, SearchProgram, WayKind};
use super::space::{ReadDemand, SearchSpace};
use crate::candidate::{CandidateId, CandidateTable};

/// The names of all items, demands and ways of a program, and of its bounds.
pub(super) fn name_program(space: &SearchSpace<'_>, built: &SearchProgram) -> ProgramNames {
    let namer = Namer { space };
    let items = built.item_kinds.iter().map(|kind| namer.item(*kind)).collect();
    let demands: IdVec<DemandId, ProgramName> =
        built.demands.iter().map(|kind| namer.demand(kind)).collect();
    let ways = built.demands.iter().map(|kind| namer.ways(kind)).collect();
    let bound = |symbol: &str, meaning: &str| ProgramName {
        symbol: symbol.to_owned(),
        meaning: meaning.to_owned(),
    };
    let bounds = vec![
        bound("max_tables", "--max-tables, the number of tables"),
        bound("max_storage", "--max-storage, bytes today, before replication"),
    ];
    ProgramNames { items, demands, ways, bounds }
}

struct Namer<'s, 'a> {
    space: &'s SearchSpace<'a>,
}

impl Namer<'_, '_> {
    fn item(&self, kind: ItemKind) -> ProgramName {
        let (symbol, meaning) = match kind {
            ItemKind::Candidate(candidate) => {
                let number = number(candidate);
                let table = self.space.candidates.member(candidate);
                let (slug, line) = table.map_or_else(Default::default, |candidate| {
                    let concept = self.space.context.concept;
                    let entity = one_line::entity_name(concept, &candidate.table);
                    let line = one_line::describe_table(self.space, &candidate.table);
                    (slug(entity, &candidate.table), line)
                });
                (format!("t{number}_{slug}"), format!("table {line}"))
            }
            ItemKind::Column(candidate, column) => {
                let name = self.column(candidate, column);
                let number = number(candidate);
                (format!("c{number}_{name}"), format!("column {name} of t{number}"))
            }
            ItemKind::Index(candidate, column) => {
                let name = self.column(candidate, column);
                let number = number(candidate);
                (format!("i{number}_{name}"), format!("index on {name} of t{number}"))
            }
            ItemKind::ExtraWrite(write, candidate) => {
                let (write, number) = (self.write(write), number(candidate));
                let meaning = format!("statements of {write} for columns of t{number}");
                (format!("w{number}_{write}"), meaning)
            }
            ItemKind::Support(write, candidate) => {
                let (write, number) = (self.write(write), number(candidate));
                (format!("s{number}_{write}"), format!("read of t{number} before {write}"))
            }
        };
        ProgramName { symbol, meaning }
    }

    fn demand(&self, kind: &DemandKind) -> ProgramName {
        let (symbol, meaning) = match kind {
            DemandKind::Read(demand, _) => {
                let read = self.read(demand.of);
                let part = self.part_word(demand);
                (format!("r_{read}{part}"), self.describe_read(demand))
            }
            DemandKind::Requirement(requirement, _) => {
                let write = self.write(requirement.write);
                (format!("r_{write}"), format!("{write} must read {}", requirement.reason()))
            }
            DemandKind::Never => {
                ("r_impossible".to_owned(), "a write cannot maintain what raises it".to_owned())
            }
        };
        ProgramName { symbol, meaning }
    }

    fn ways(&self, kind: &DemandKind) -> IdVec<WayId, ProgramName> {
        let (of, ways) = match kind {
            DemandKind::Read(demand, ways) => {
                (format!("{}{}", self.read(demand.of), self.part_word(demand)), ways)
            }
            DemandKind::Requirement(requirement, ways) => {
                (self.write(requirement.write).to_owned(), ways)
            }
            DemandKind::Never => return IdVec::new(),
        };
        ways.iter().map(|way| self.way(&of, way)).collect()
    }

    fn way(&self, of: &str, way: &WayKind) -> ProgramName {
        let Some(main) = &way.main else {
            let meaning = format!("{of} by {}", way.words);
            return ProgramName { symbol: format!("y_{of}_parts"), meaning };
        };
        let number = number(main.candidate);
        let index = main.index.map(|column| self.column(main.candidate, column));
        let by = index.map_or_else(String::new, |column| format!("_by_{column}"));
        let words =
            if way.words.is_empty() { String::new() } else { format!(" with {}", way.words) };
        ProgramName {
            symbol: format!("y_{of}_t{number}{by}"),
            meaning: format!("{of} from t{number}{words}"),
        }
    }

    /// A read or a part of one.
    fn describe_read(&self, demand: &ReadDemand) -> String {
        let read = self.read(demand.of);
        let first = demand.read.sources.first();
        let entity = first.and_then(|one| self.space.context.concept.entities.member(one.entity));
        let rows = entity.map_or("rows", |entity| entity.name.as_str());
        match demand.part {
            ReadPart::Rows if self.is_whole(demand) => format!("query {read}"),
            ReadPart::Rows => format!("part of {read}: rows of {rows}"),
            ReadPart::Columns => format!("part of {read}: columns of {rows}"),
            ReadPart::Counters => format!("part of {read}: counters of {rows}"),
            ReadPart::Keys => format!("part of {read}: keys of {rows}"),
            ReadPart::Elements => format!("part of {read}: elements of {rows}"),
        }
    }

    /// Whether a demand is a query of the workload, not a part of one.
    fn is_whole(&self, demand: &ReadDemand) -> bool {
        self.space.context.workload.reads.member(demand.of) == Some(&demand.read)
    }

    fn part_word(&self, demand: &ReadDemand) -> &'static str {
        match demand.part {
            ReadPart::Rows if self.is_whole(demand) => "",
            ReadPart::Rows => "_rows",
            ReadPart::Columns => "_columns",
            ReadPart::Counters => "_counters",
            ReadPart::Keys => "_keys",
            ReadPart::Elements => "_elements",
        }
    }

    /// A column of a candidate by its name, with that of its source where the candidate has several.
    fn column(&self, candidate: CandidateId, column: Column) -> String {
        let holds = self.space.candidates.member(candidate).map(|one| &one.table.holds);
        let source = holds.and_then(|holds| holds.sources.member(column.source));
        let entity =
            source.and_then(|source| self.space.context.concept.entities.member(source.entity));
        let attribute = entity.and_then(|entity| entity.attributes.member(column.attribute));
        let name = attribute.map_or("column", |attribute| attribute.name.as_str());
        match source {
            Some(source) if column.source.index() > 0 => format!("{}_{name}", source.alias),
            _ => name.to_owned(),
        }
    }

    fn read(&self, read: ReadId) -> &str {
        let read = self.space.context.workload.reads.member(read);
        read.map_or("query", |read| read.name.as_str())
    }

    fn write(&self, write: WriteId) -> &str {
        let write = self.space.context.workload.writes.member(write);
        write.map_or("write", |write| write.name.as_str())
    }
}

/// The number of a candidate, from 1.
fn number(candidate: CandidateId) -> usize {
    CandidateTable::position(candidate) + 1
}

/// `videos_by_userid_added_date`.
fn slug(entity: &str, table: &PlannedTable) -> String {
    let keys = table
        .columns
        .iter()
        .filter(|column| matches!(column.role, ColumnRole::Partition | ColumnRole::Clustering(_)));
    let keys: Vec<&str> = keys.map(|column| column.name.as_str()).collect();
    if keys.is_empty() { entity.to_owned() } else { format!("{entity}_by_{}", keys.join("_")) }
}
