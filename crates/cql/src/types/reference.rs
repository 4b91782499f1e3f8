//! References to types inside a type, and [`UserTypeUpdate`]: their replacement.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{NativeType, Type, UserType};

impl Type {
    /// Whether the user type with that name occurs in this type. Like Cassandra, it does not look
    /// into vectors.
    pub fn has_user_type(&self, name: &str) -> bool {
        match self {
            Self::Vector(..) => false,
            Self::User(user, _) if &*user.name == name => true,
            _ => self.parts().into_iter().any(|part| part.has_user_type(name)),
        }
    }

    /// Whether a duration occurs in this type. Like Cassandra, it does not look into sets, map keys
    /// and vectors.
    pub fn has_duration(&self) -> bool {
        match self {
            Self::Native(native) => *native == NativeType::Duration,
            Self::Set(..) | Self::Vector(..) => false,
            Self::Map(entry, _) => entry.1.has_duration(),
            _ => self.parts().into_iter().any(Self::has_duration),
        }
    }
}

/// A new definition of a user type in place of the old one, in all types that use it. These are
/// shared as before: each user type is updated once.
#[derive(Debug)]
pub struct UserTypeUpdate {
    /// By name; types are used in their own keyspace only.
    updated: BTreeMap<Box<str>, Arc<UserType>>,
}

impl UserTypeUpdate {
    /// An update by a new definition.
    pub fn new(definition: Arc<UserType>) -> Self {
        Self { updated: BTreeMap::from([(definition.name.clone(), definition)]) }
    }

    /// A type after the update. Frozen types stay frozen; like Cassandra, it does not look into
    /// vectors.
    pub fn apply(&mut self, ty: &Type) -> Type {
        match ty {
            Type::Native(_) | Type::Custom(_) | Type::Vector(..) => ty.clone(),
            Type::List(element, frozen) => Type::List(Arc::new(self.apply(element)), *frozen),
            Type::Set(element, frozen) => Type::Set(Arc::new(self.apply(element)), *frozen),
            Type::Map(entry, frozen) => {
                Type::Map(Arc::new((self.apply(&entry.0), self.apply(&entry.1))), *frozen)
            }
            Type::Tuple(types) => Type::Tuple(types.iter().map(|ty| self.apply(ty)).collect()),
            Type::User(user, frozen) => Type::User(self.apply_to_user_type(user), *frozen),
        }
    }

    /// A user type after the update.
    pub fn apply_to_user_type(&mut self, user: &UserType) -> Arc<UserType> {
        if let Some(known) = self.updated.get(&user.name) {
            return Arc::clone(known);
        }
        let fields = user.fields.iter().map(|(name, ty)| (name.clone(), self.apply(ty))).collect();
        let (keyspace, name) = (user.keyspace.clone(), user.name.clone());
        let updated = Arc::new(UserType { keyspace, name: name.clone(), fields });
        self.updated.insert(name, Arc::clone(&updated));
        updated
    }
}
