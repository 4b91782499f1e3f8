//! Entities that occur in one table several times: messages with their sender and their recipient,
//! employees with their managers.
//!
//! A row of the entity may occur in one row of the table in several of these roles at once: a
//! message to oneself. Where a write changes only columns outside the key, each role is updated
//! separately. Where the row moves, the new row must be right for all roles, so each set of roles
//! gets its own scope, and guards select the table's rows that the scope stands for.

use model::id::AttributeId;
use model::workload::WriteKind;

use super::Impact;
use crate::write_plan::join_graph::JoinRole;
use crate::write_plan::scope::Scope;

/// With more roles than this each is handled separately: the number of sets is exponential.
const ROLES_MAX: usize = 3;

impl<'a> Impact<'a> {
    /// The tables that hold the entity, once for each role, or for each set of roles where that
    /// makes a difference.
    pub(in crate::write_plan) fn scopes_by_roles(&self) -> Vec<Scope<'a>> {
        let scopes = self.scopes();
        let mut all = Vec::new();
        for group in scopes.chunk_by(|one, other| one.at == other.at) {
            if (2..=ROLES_MAX).contains(&group.len()) && self.has_dependent_roles(group) {
                all.extend(self.role_sets(group));
            } else {
                all.extend_from_slice(group);
            }
        }
        all
    }

    /// Whether the effect of the write in one role depends on the others.
    fn has_dependent_roles(&self, roles: &[Scope<'a>]) -> bool {
        let partners =
            roles.iter().filter(|scope| scope.shape.join_role(scope.source) == JoinRole::Partner);
        match self.write.kind {
            // A new row is its own partner.
            WriteKind::Insert(_) => partners.count() > 1,
            // Deleting a row twice does no harm; counting it twice does.
            WriteKind::Delete(_) => {
                partners.count() > 1 && roles.iter().any(|scope| scope.table.is_counter())
            }
            WriteKind::Upsert(_) | WriteKind::Rows(_) => false,
            WriteKind::Update(..) => {
                let touched = roles.iter().filter(|scope| self.is_table_affected(scope)).count();
                touched > 1 && roles.iter().any(|scope| self.is_row_set_affected(scope))
            }
        }
    }

    /// A scope for each set of roles in which a row can occur at once.
    fn role_sets(&self, roles: &[Scope<'a>]) -> Vec<Scope<'a>> {
        let scopes = (1..1_usize << roles.len()).filter_map(|set| {
            let (mut inside, mut outside) = (Vec::new(), Vec::new());
            for (at, scope) in roles.iter().enumerate() {
                if set >> at & 1 == 1 { inside.push(scope) } else { outside.push(scope) }
            }
            let apart = |one: &Scope<'a>, other: &Scope<'a>| {
                is_joined(one, other) || self.has_changing_path(one, other)
            };
            if inside.iter().any(|one| inside.iter().any(|other| apart(one, other))) {
                return None;
            }
            // What the row is joined with after the write is looked up, whether it was the row
            // itself or not.
            outside.retain(|other| !inside.iter().any(|one| self.has_changing_path(one, other)));
            let maker = inside.iter().copied().find(|scope| scope.shape.is_maker(scope.source));
            let first = maker.or(inside.first().copied())?;
            let also = inside.iter().map(|scope| scope.source);
            let also = also.filter(|source| *source != first.source).collect();
            let others = outside.iter().map(|scope| scope.source).collect();
            Some(Scope { also, others, ..first.clone() })
        });
        scopes.collect()
    }

    /// Whether the row in one role leads to that in another, and by a reference that changes.
    fn has_changing_path(&self, one: &Scope<'a>, other: &Scope<'a>) -> bool {
        let routes = one.shape.routes(one.source);
        let mut at = other.source;
        for _ in 0..routes.len() {
            let hop = routes.get(at.index()).copied().flatten().filter(|hop| hop.to_one);
            let Some(hop) = hop else { return false };
            if hop.from == one.source {
                let changes = |attribute: &AttributeId| self.target.is_changed(*attribute);
                return hop.reference.attributes.iter().any(changes);
            }
            at = hop.from;
        }
        false
    }
}

/// Whether a row refers to another directly: no row refers to itself.
fn is_joined(one: &Scope<'_>, other: &Scope<'_>) -> bool {
    one.shape.hops(one.source).iter().any(|hop| hop.to == other.source)
}
